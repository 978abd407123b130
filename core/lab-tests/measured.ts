/** measured: the value of a result as exact numbers in the units of its test (pure). */
import { plus, readExact, times, type Exact } from '../base/exact';
import { conversionFor } from './convert';
import type { LabTests } from './tests';

/** A value in a unit, in UCUM, and the same in another one; undefined where it is not converted. */
export type Measured = {
  /** The units of the test into which this one converts. */ readonly family: readonly string[];
  readonly unit: string;
  readonly inUnit: (unit: string) => Exact | undefined;
  /** Any amount of the test, such as an end of its range, in a unit, both as they are written. */
  readonly amountIn: (value: string, from: string, to: string) => Exact | undefined;
};

/** @param loinc the code of the result. @returns undefined for unknown tests, and for units that they cannot have */
export function measuredOf(tests: LabTests, loinc: string, value: string, unit: string): Measured | undefined {
  const test = tests.codes.get(loinc)?.test;
  const own = test && tests.unitFor(test, unit);
  if (!test || own === undefined) {
    return undefined;
  }
  const number = readExact(value);
  const converted = (amount: Exact, from: string, to: string): Exact | undefined => {
    const conversion = conversionFor(test, from, to);
    return conversion && plus(times(amount, conversion.factor), conversion.shift);
  };
  return {
    unit: own,
    family: test.units.filter((to) => conversionFor(test, own, to)),
    inUnit: (to) => number && converted(number, own, to),
    amountIn: (written, from, to) => {
      const amount = readExact(written);
      const [one, other] = [tests.unitFor(test, from), tests.unitFor(test, to)];
      return amount && one !== undefined && other !== undefined ? converted(amount, one, other) : undefined;
    },
  };
}
