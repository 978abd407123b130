/** convert: the value of a laboratory result in another unit of its test, by exact fractions (pure). */
import {
  digitsOf,
  exactOf,
  over,
  plus,
  readExact,
  times,
  toPower,
  withDecimals,
  withDigits,
  type Exact,
} from '../base/exact';
import type { LabTest } from './tests';
import { readUnit, type Unit } from './units';

/** How a number in one unit becomes one in another: times `factor`, plus `shift`. */
type Conversion = {
  readonly factor: Exact;
  readonly shift: Exact;
  /** Whether the mass of a mole is agreed and not known, so that the result is shown with "≈". */
  readonly byConvention: boolean;
};

const NOTHING = exactOf(0n);
const same: Conversion = { factor: exactOf(1n), shift: NOTHING, byConvention: false };

/** HbA1c: percent (NGSP) = 0.09148 times mmol/mol (IFCC) plus 2.152, and its exact inverse (ngsp.org). */
const SLOPE = readExact('0.09148')!;
const INTERCEPT = readExact('2.152')!;
const toPercent: Conversion = { factor: SLOPE, shift: INTERCEPT, byConvention: false };
const toMoles: Conversion = {
  factor: over(exactOf(1n), SLOPE),
  shift: over(times(INTERCEPT, exactOf(-1n)), SLOPE),
  byConvention: false,
};

function byFormula(from: string, to: string): Conversion | undefined {
  if (from === 'mmol/mol' && to === '%') {
    return toPercent;
  }
  return from === '%' && to === 'mmol/mol' ? toMoles : undefined;
}

/** Dimension -> its power in the first unit less that in the second one, without zeros. */
function differenceOf(one: Unit, other: Unit): ReadonlyMap<string, number> {
  const names = [...new Set([...Object.keys(one.dimensions), ...Object.keys(other.dimensions)])];
  return new Map(
    names
      .map((name) => [name, (one.dimensions[name] ?? 0) - (other.dimensions[name] ?? 0)] as const)
      .filter(([, power]) => power !== 0),
  );
}

/** By which the number is multiplied to get from equivalents to moles, and from grams to moles. */
function byRow(test: LabTest, difference: ReadonlyMap<string, number>): Exact | undefined {
  const [grams = 0, equivalents = 0, moles = 0] = ['g', 'eq', 'mol'].map((name) => difference.get(name));
  const others = [...difference.keys()].filter((name) => !['g', 'eq', 'mol'].includes(name));
  const isKnown =
    others.length === 0 &&
    grams + equivalents + moles === 0 &&
    (grams === 0 || test.molarMass !== undefined) &&
    (equivalents === 0 || test.charge !== undefined);
  return isKnown
    ? times(toPower(test.molarMass ?? exactOf(1n), -grams), toPower(exactOf(BigInt(test.charge ?? 1)), -equivalents))
    : undefined;
}

/** Some assays count in arbitrary units, which laboratories also write as plain ones. */
function plainUnit({ special }: LabTest, unit: string): string {
  return special.startsWith('arbitrary unit') ? unit.replace("[arb'U]", 'U') : unit;
}

/**
 * How values of the test are converted; undefined where they must not be: units that the test does not have, and two
 * kinds of unit whose relation depends on the assay.
 * @param from in UCUM, as `unitFor` of the tests answers it
 */
export function conversionFor(test: LabTest, from: string, to: string): Conversion | undefined {
  if (from === to) {
    return same;
  }
  if (test.precision === 'formula' || test.precision === 'none') {
    return test.precision === 'formula' ? byFormula(from, to) : undefined;
  }
  const [one, other] = [readUnit(plainUnit(test, from)), readUnit(plainUnit(test, to))];
  if (!one || !other) {
    return undefined;
  }
  const difference = differenceOf(one, other);
  const crosses = difference.size > 0;
  const factor = crosses && test.precision === 'never' ? undefined : byRow(test, difference);
  return (
    factor && {
      factor: times(factor, over(one.factor, other.factor)),
      shift: NOTHING,
      byConvention: crosses && test.precision === 'convention',
    }
  );
}

export type Converted = { readonly text: string; readonly byConvention: boolean };

const COMPARED = /^\s*([<>]=?|[≤≥])?\s*(.+?)\s*$/;
const [LEAST_DIGITS, MOST_DIGITS] = [2, 4];

/** As many digits as the source had, but no fewer than two and no more than four. */
export function shownDigits(number: Exact, written: string): string {
  return withDigits(number, Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, digitsOf(written))));
}

/** HbA1c has one digit behind the point in percent, and none in mmol/mol. */
function shownNumber(test: LabTest, number: Exact, to: string, written: string): string {
  if (test.precision === 'formula') {
    return withDecimals(number, to === '%' ? 1 : 0);
  }
  return shownDigits(number, written);
}

/**
 * The value in the other unit; a value as it is written where the unit is the same one. What a comparison such as "<0.5"
 * says stays in front of the number.
 * @returns undefined for text that is no number, and for units that are not converted
 */
export function convertValue(test: LabTest, written: string, from: string, to: string): Converted | undefined {
  const [, comparison = '', rest = ''] = COMPARED.exec(written) ?? [];
  const number = readExact(rest);
  const conversion = number && conversionFor(test, from, to);
  if (!conversion) {
    return undefined;
  }
  if (from === to) {
    return { text: written.trim(), byConvention: false };
  }
  const value = plus(times(number, conversion.factor), conversion.shift);
  return {
    text: `${comparison}${shownNumber(test, value, to, rest)}`,
    byConvention: conversion.byConvention,
  };
}
