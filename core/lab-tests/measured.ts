/** measured: the value of a result as exact numbers in the units of its test (pure). */
import { plus, readExact, times, type Exact } from '../base/exact';
import { conversionFor } from './convert';
import type { LabTests } from './tests';

/** A value in a unit, in UCUM, and the same in another one; undefined where it is not converted. */
export type Measured = { readonly unit: string; readonly inUnit: (unit: string) => Exact | undefined };

/** @param loinc the code of the result. @returns undefined for unknown tests, for words, and for units of no test */
export function measuredOf(tests: LabTests, loinc: string, value: string, unit: string): Measured | undefined {
  const test = tests.codes.get(loinc)?.test;
  const own = test && tests.unitFor(test, unit);
  const number = own === undefined ? undefined : readExact(value);
  if (!test || own === undefined || !number) {
    return undefined;
  }
  return {
    unit: own,
    inUnit: (to) => {
      const conversion = conversionFor(test, own, to);
      return conversion && plus(times(number, conversion.factor), conversion.shift);
    },
  };
}
