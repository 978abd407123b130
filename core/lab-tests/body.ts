/** body: readings of a measure of the body in another of its units, by exact fractions (pure). */
import { exactOf, over, plus, readExact, times, type Exact } from '../base/exact';
import { conversionFor, shownDigits } from './convert';
import type { BodyMeasure, LabTest, LabTests } from './tests';

/** The measure as a test: all its units are of one kind. */
function asTest({ id, names, units }: BodyMeasure): LabTest {
  return { id, group: 'body', names, units, precision: 'exact', kind: 'quantity', special: '', aliases: [] };
}

/** The unit in UCUM that a source wrote for this measure; undefined for one that the measure cannot have. */
export function bodyUnit(tests: LabTests, measure: BodyMeasure, written: string): string | undefined {
  return tests.unitFor(asTest(measure), written);
}

/** What is counted, such as beats, is said by the measure already. */
export function plainUnit(unit: string): string {
  return unit.replace(/\{[^{}]*\}/g, '');
}

const NINTHS = over(exactOf(5n), exactOf(9n));
const FREEZING = exactOf(32n);

/** Degrees of Celsius and Fahrenheit; undefined for other units. */
function degreesIn(number: Exact, from: string, to: string): Exact | undefined {
  if (from === '[degF]' && to === 'Cel') {
    return times(plus(number, times(FREEZING, exactOf(-1n))), NINTHS);
  }
  return from === 'Cel' && to === '[degF]' ? plus(over(number, NINTHS), FREEZING) : undefined;
}

/**
 * The number in the other unit, with as many digits as results of laboratories have; as it is written where the two
 * units mean the same.
 * @param from in UCUM, as `bodyUnit` answers it
 */
export function convertReading(measure: BodyMeasure, written: string, from: string, to: string): string | undefined {
  if (plainUnit(from) === plainUnit(to)) {
    return written;
  }
  const number = readExact(written);
  const conversion = number && conversionFor(asTest(measure), from, to);
  const degrees = number && degreesIn(number, from, to);
  const value = degrees ?? (conversion && plus(times(number, conversion.factor), conversion.shift));
  return value && shownDigits(value, written);
}
