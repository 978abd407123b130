/** measured: the value of a result as exact numbers in the units of its test (pure). */
import { plus, readExact, times, type Exact } from '../base/exact';
import { conversionFor } from './convert';
import type { LabTests } from './tests';

/** A value in a unit, in UCUM, and the same in another one; undefined where it is not converted. */
export type Measured = {
  readonly unit: string;
  readonly inUnit: (unit: string) => Exact | undefined;
  /** Any amount of the test, such as an end of its range, in a unit, both as they are written. */
  readonly amountIn: (value: string, from: string, to: string) => Exact | undefined;
};

/** @param loinc the code of the result. @returns undefined for unknown tests, for words, and for units of no test */
export function measuredOf(tests: LabTests, loinc: string, value: string, unit: string): Measured | undefined {
  const test = tests.codes.get(loinc)?.test;
  const own = test && tests.unitFor(test, unit);
  const number = own === undefined ? undefined : readExact(value);
  if (!test || own === undefined || !number) {
    return undefined;
  }
  const converted = (amount: Exact, from: string, to: string): Exact | undefined => {
    const conversion = conversionFor(test, from, to);
    return conversion && plus(times(amount, conversion.factor), conversion.shift);
  };
  return {
    unit: own,
    inUnit: (to) => converted(number, own, to),
    amountIn: (written, from, to) => {
      const amount = readExact(written);
      const [one, other] = [tests.unitFor(test, from), tests.unitFor(test, to)];
      return amount && one !== undefined && other !== undefined ? converted(amount, one, other) : undefined;
    },
  };
}
