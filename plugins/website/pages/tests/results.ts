/** results: the results of a record as those of known tests, in series that can be drawn as one line each. */
import { readExact } from '../../../../core/base/exact';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { Language } from '../../../../core/base/languages';
import { convertValue, type Converted } from '../../../../core/lab-tests/convert';
import { namesLoinc, type LabTest, type LabTests, type TestCode } from '../../../../core/lab-tests/tests';
import { text, type Fact } from '../../words/facts';

const VALUE = 'quantitative_result_value_value';
const UNIT = 'quantitative_result_value_unit';

export type TestResult = {
  readonly fact: Fact;
  readonly code: TestCode;
  /** The value and the unit as the laboratory wrote them. */ readonly written: {
    readonly value: string;
    readonly unit: string;
  };
  /** The unit in UCUM; undefined where the test cannot have the one that is written. */ readonly unit:
    string | undefined;
  /** As the source gives it. */ readonly date: string;
  /** Whether the person calls it wrong: then it stands in the table, and in nothing else. */ readonly isWrong: boolean;
  /** Whether a corrected result takes its place: it is history, as above. */ readonly isFormer: boolean;
};

/** Results that are drawn as one line: one test, one specimen, units that convert into each other. */
export type ResultSeries = {
  readonly key: string;
  readonly test: LabTest;
  /** The specimen, as LOINC calls it. */ readonly system: string;
  readonly name: string;
  /** The unit that is written, if it is none of the test, empty for none; undefined where the values convert. */
  readonly foreign: string | undefined;
  /** Newest first. */ readonly results: readonly TestResult[];
};

/**
 * The number with its unit, or the words where there is no number. "<5 mg/dL" in words is a value with its unit, and
 * "<1:80" is none.
 */
export function writtenIn(fact: Fact): TestResult['written'] {
  const value = text(fact[VALUE]);
  if (value !== '') {
    return { value, unit: text(fact[UNIT]) };
  }
  const words = text(fact['value']) || text(fact['narrative_result']);
  const [, number, unit = ''] = /^([<>]=?\s*\d+(?:\.\d+)?)\s*((?!:|\/\s*\d)[^\s\d].*)?$/.exec(words) ?? [];
  return number === undefined ? { value: words, unit: '' } : { value: number.replace(/\s+/g, ''), unit };
}

/** What is known of results beside themselves: those that are wrong or were corrected since, and the tests of names without a code. */
type Known = {
  readonly wrong?: ReadonlySet<string>;
  readonly former?: ReadonlySet<string>;
  readonly tests?: Readonly<Record<string, string>>;
};

/** The main code of a test that is known by a name. */
function codeOfTest(tests: LabTests, id: string | undefined): TestCode | undefined {
  const own = [...tests.codes.values()].filter(({ test }) => test.id === id);
  return own.find(({ series }) => series === '') ?? own[0];
}

/** The result as one of a test that the service knows; undefined where its code is none of those. */
export function resultOf(
  tests: LabTests,
  fact: Fact,
  { wrong, former, tests: named = {} }: Known = {},
): TestResult | undefined {
  const code = namesLoinc(text(fact['test_name_system']))
    ? tests.codes.get(text(fact['test_name_identifier']))
    : codeOfTest(tests, named[fact.__id__ ?? '']);
  if (!code) {
    return undefined;
  }
  const written = writtenIn(fact);
  return {
    fact,
    code,
    written,
    unit: tests.unitFor(code.test, written.unit),
    date: text(fact['collected_at']),
    isWrong: wrong?.has(fact.__id__ ?? '') ?? false,
    isFormer: former?.has(fact.__id__ ?? '') ?? false,
  };
}

/**
 * The number behind the colon of a titre: 80 of "1:80", of "<1:80" and of 80; undefined where it is none. Only tests
 * that are titres have any: elsewhere "1:80" is a ratio, which stays as it was said.
 */
export function titreOf({ code, written }: TestResult): number | undefined {
  const [, titre] = /^[<>]?=?\s*(?:1\s*[:/]\s*)?([1-9]\d{0,6})$/.exec(written.value.trim()) ?? [];
  return code.test.kind !== 'titer' || titre === undefined ? undefined : Number(titre);
}

/** Whether a result is words, or a ratio, and no number. */
export function isInWords({ written }: TestResult): boolean {
  return readExact(written.value.replace(/^[<>]=?/, '')) === undefined;
}

/**
 * The specimen and the kind of result. Capillary and whole blood of a glucose meter are one, and so are two tests in the
 * unit in which they are one series.
 */
function seriesKey(result: TestResult, shownIn: string): string {
  const { code, unit, written } = result;
  const system = code.system === 'BldC' ? 'Bld' : code.system;
  const isForeign = unit === undefined && !isInWords(result) && titreOf(result) === undefined;
  const own = code.test.joins?.unit === shownIn ? '' : code.test.id;
  return JSON.stringify([system, code.series, own, ...(isForeign ? [written.unit] : [])]);
}

/** The tests of a page: the one of its address first, and the one that is of one series with it. */
export function testsOf(tests: LabTests, test: LabTest): readonly LabTest[] {
  const other = test.joins && tests.find(test.joins.test);
  return other ? [test, other] : [test];
}

/** Whether a result is drawn, and may be the latest of its test. */
export function isCounting({ isWrong, isFormer }: TestResult): boolean {
  return !isWrong && !isFormer;
}

/**
 * @param results newest first
 * @param shownIn the unit of the page
 */
export function seriesOf(results: readonly TestResult[], shownIn: string): readonly ResultSeries[] {
  return [...groupedBy(results, (result) => seriesKey(result, shownIn))].map(([key, some]) => {
    const [, name = '', , foreign] = JSON.parse(key) as readonly [string, string, string, string?];
    return { key, test: some[0]!.code.test, system: some[0]!.code.system, name, foreign, results: some };
  });
}

/** The units of the test in which a page can show its results, those of the results first. */
export function unitsOf(test: LabTest, results: readonly TestResult[]): readonly string[] {
  return [
    ...new Set([
      ...results.flatMap(({ unit }) => unit ?? []),
      ...test.units.filter((unit) => unit !== '' && unit !== '{titer}'),
    ]),
  ];
}

/** The unit of those in which the person wants results: the first in moles, or in mass, else the first of all. */
export function chosenUnit(units: readonly string[], wanted: string): string {
  const isMolar = (unit: string): boolean => unit.includes('mol');
  const isMass = (unit: string): boolean => /^[a-z]?g\//.test(unit) && !isMolar(unit);
  const kinds: Readonly<Record<string, (unit: string) => boolean>> = { moles: isMolar, mass: isMass };
  const first = Object.hasOwn(kinds, wanted) ? units.find(kinds[wanted]!) : undefined;
  return first ?? units[0] ?? '';
}

/** The value in the unit; undefined for words, and where it cannot be converted. */
export function valueIn({ code, written, unit }: TestResult, to: string): Converted | undefined {
  return unit === undefined ? undefined : convertValue(code.test, written.value, unit, to);
}

type ShownValue = {
  readonly value: string;
  readonly unit: string;
  readonly converted: boolean;
  readonly byConvention: boolean;
};

/** The value in the unit in which the person wants results, or as it is written where it cannot be converted. */
export function inWantedUnit(result: TestResult, units: readonly string[], wanted: string): ShownValue {
  const unit = wanted === '' ? '' : chosenUnit(units, wanted);
  const converted = unit === '' || unit === result.unit ? undefined : valueIn(result, unit);
  return converted
    ? { value: converted.text, unit, converted: true, byConvention: converted.byConvention }
    : { ...result.written, converted: false, byConvention: false };
}

/** The end of the laboratory's range in the unit; undefined where it is open, or in another kind of unit. */
function endIn({ fact, code }: TestResult, end: 'min' | 'max', tests: LabTests, to: string): number | undefined {
  const [value, unit] = ['value', 'unit'].map((part) => text(fact[`quantitative_result_normal_range_${end}_${part}`]));
  const from = value === '' ? undefined : tests.unitFor(code.test, unit ?? '');
  const converted = from === undefined ? undefined : convertValue(code.test, value!, from, to);
  return converted === undefined ? undefined : placedNumber(converted.text);
}

/** The range that the laboratory gave beside this result, for the chart. */
export function rangeIn(
  result: TestResult,
  tests: LabTests,
  to: string,
): { readonly low?: number; readonly high?: number } {
  const [low, high] = [endIn(result, 'min', tests, to), endIn(result, 'max', tests, to)];
  return { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
}

/** The number that places a point. Only pixels are made of it. */
export function placedNumber(value: string): number {
  return Number(value.replace(/^[<>]=?/, ''));
}

export function testName(test: LabTest, language: Language): string {
  return test.names[language];
}
