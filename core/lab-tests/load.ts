/** load: reads the files in `tests` of the datamodels folders, and checks them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import Joi from 'joi';
import type { SetupError } from '../base/errors';
import { readShape } from '../config/faults';
import { readSetupFile, readYaml } from '../config/read-yaml';
import { GROWTH_UNITS, LAST_MONTH, type GrowthRow, type GrowthTable } from './growth';
import {
  labTestsOf,
  joinsOf,
  massOf,
  type BodyMeasure,
  type LabTest,
  type LabTests,
  type Precision,
  type Spellings,
  type TestCode,
  type TestKind,
} from './tests';
import { readUnit } from './units';

/** Folder of a datamodels folder that holds the tests, and no models. */
export const TESTS_FOLDER = 'tests';

type Row = Readonly<Record<string, string>>;
type PlacedRow = { readonly row: Row; readonly place: string };
type Problems = string[];

const PRECISIONS: readonly Precision[] = ['exact', 'convention', 'never', 'none', 'formula'];
const KINDS: readonly TestKind[] = ['quantity', 'ratio', 'count', 'titer', 'ordinal', 'text'];
const TEST_COLUMNS = [
  'id',
  'group',
  'en',
  'de',
  'es',
  'ar',
  'units',
  'formula',
  'molar_mass',
  'precision',
  'kind',
  'special',
  'aliases',
];
const LMS = ['male_l', 'male_m', 'male_s', 'female_l', 'female_m', 'female_s'] as const;
const GROWTH_COLUMNS = ['measure', 'month', ...LMS];
const CODE_COLUMNS = ['loinc', 'test', 'property', 'system', 'series', 'method', 'loinc_name', 'checked'];

function readTestsFile(file: string, problems: Problems): string {
  try {
    return readSetupFile(file, '');
  } catch (error) {
    problems.push(...(error as SetupError).problems);
    return '';
  }
}

function readTable(file: string, columns: readonly string[], problems: Problems): readonly PlacedRow[] {
  let rows: readonly { readonly record: Row; readonly info: { readonly lines: number } }[];
  try {
    rows = parse(readTestsFile(file, problems), {
      columns: true,
      info: true,
      skip_empty_lines: true,
    }) as unknown as typeof rows;
  } catch (error) {
    problems.push(`${file}:${(error as { lines?: number }).lines ?? 1}: ${(error as Error).message}`);
    return [];
  }
  const missing = columns.filter((name) => rows[0] !== undefined && rows[0].record[name] === undefined);
  if (missing.length > 0) {
    problems.push(`${file}:1: the column ${missing.join(', ')} is missing`);
    return [];
  }
  return rows.map(({ record, info }) => ({ row: record, place: `${file}:${info.lines}` }));
}

function listedCells(cell: string): readonly string[] {
  return cell === '' ? [] : cell.split(';').map((one) => one.trim());
}

function testFaults(row: Row, units: readonly string[]): readonly string[] {
  return [
    ...(/^[a-z0-9-]+$/.test(row['id']!) ? [] : ['id has small letters, digits and hyphens only']),
    ...['group', 'en', 'de', 'es', 'ar'].filter((name) => row[name] === '').map((name) => `${name} is empty`),
    ...(PRECISIONS.includes(row['precision'] as Precision) ? [] : [`precision is one of ${PRECISIONS.join(', ')}`]),
    ...(KINDS.includes(row['kind'] as TestKind) ? [] : [`kind is one of ${KINDS.join(', ')}`]),
    ...units
      .filter((unit) => unit !== '{titer}' && readUnit(unit) === undefined)
      .map((unit) => `${unit} is no unit that the service knows`),
  ];
}

function readLabTest({ row, place }: PlacedRow, problems: Problems): LabTest {
  const units = listedCells(row['units']!);
  problems.push(...testFaults(row, units).map((fault) => `${place}: ${fault}`));
  return {
    id: row['id']!,
    group: row['group']!,
    names: { en: row['en']!, de: row['de']!, es: row['es']!, ar: row['ar']! },
    units,
    ...massOf(row['molar_mass']!, row['special']!),
    ...joinsOf(row['special']!),
    precision: row['precision'] as Precision,
    kind: row['kind'] as TestKind,
    special: row['special']!,
    aliases: listedCells(row['aliases']!).map((alias) => alias.toLowerCase()),
  };
}

const languageNames = ['en', 'de', 'es', 'ar'] as const;

/** A row of `body.csv`: `special` names the field of VitalSigns, `aliases` are types of Measurement, as they are written. */
function readBody({ row, place }: PlacedRow, taken: ReadonlySet<string>, problems: Problems): BodyMeasure {
  const faults = [
    ...(/^[a-z0-9-]+$/.test(row['id']!) ? [] : ['id has small letters, digits and hyphens only']),
    ...(taken.has(row['id']!) ? [`${row['id']} is a test of tests.csv, too`] : []),
    ...['group', 'units', ...languageNames].filter((name) => row[name] === '').map((name) => `${name} is empty`),
    ...(row['special'] === '' && row['aliases'] === '' ? ['special or aliases must say where its readings are'] : []),
  ];
  problems.push(...faults.map((fault) => `${place}: ${fault}`));
  return {
    id: row['id']!,
    names: { en: row['en']!, de: row['de']!, es: row['es']!, ar: row['ar']! },
    unit: listedCells(row['units']!)[0] ?? '',
    units: listedCells(row['units']!),
    field: row['special'] || undefined,
    types: listedCells(row['aliases']!),
  };
}

/** Whether the last digit of a LOINC code is the check digit of the others. */
function isLoinc(code: string): boolean {
  const [, digits = '', check = ''] = /^(\d{1,7})-(\d)$/.exec(code) ?? [];
  const sum = [...digits]
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, one) => total + (one > 9 ? one - 9 : one), 0);
  return digits !== '' && Number(check) === (10 - (sum % 10)) % 10;
}

function readCode(
  { row, place }: PlacedRow,
  tests: ReadonlyMap<string, LabTest>,
  problems: Problems,
): readonly TestCode[] {
  const test = tests.get(row['test']!);
  const faults = [
    ...(isLoinc(row['loinc']!) ? [] : [`${row['loinc']} is no LOINC code: its check digit is wrong`]),
    ...(test ? [] : [`there is no test ${row['test']} in tests.csv`]),
    ...(row['checked'] === '' ? ['checked is empty: say where the code was compared'] : []),
    ...(row['loinc_name'] === '' ? ['loinc_name is empty: give the official name'] : []),
  ];
  problems.push(...faults.map((fault) => `${place}: ${fault}`));
  return test && faults.length === 0
    ? [
        {
          code: row['loinc']!,
          test,
          system: row['system']!,
          series: row['series']!,
          method: row['method']!,
        },
      ]
    : [];
}

const spelledList = Joi.object().pattern(Joi.string(), Joi.array().items(Joi.string().max(40)));
const spellingsSchema = Joi.object({ every: spelledList, enzymes: spelledList, international: spelledList });

type Written = Partial<Record<keyof Spellings, Readonly<Record<string, readonly string[]>>>>;

/** Each spelling as it is written, and in small letters where that leads to one unit only. */
function tableOf(units: Readonly<Record<string, readonly string[]>> = {}): ReadonlyMap<string, string> {
  const exact = Object.entries(units).flatMap(([unit, written]) =>
    written.map((one) => [one.replace(/\s+/g, ''), unit] as const),
  );
  const small = exact
    .map(([written, unit]) => [written.toLowerCase(), unit] as const)
    .filter(([written, unit]) => exact.every(([other, to]) => other.toLowerCase() !== written || to === unit));
  return new Map([...small, ...exact]);
}

function readSpellings(file: string, problems: Problems): Written {
  if (!existsSync(file)) {
    return {};
  }
  const { value, problems: faults, lineOf } = readYaml(readTestsFile(file, problems));
  problems.push(...faults.map(({ line, message }) => `${file}:${line}: ${message}`));
  const read = faults.length > 0 ? { value: {} } : readShape<Written>(spellingsSchema, value ?? {});
  if ('faults' in read) {
    problems.push(...read.faults.map(({ path, reason }) => `${file}:${lineOf(path)}: ${reason}`));
    return {};
  }
  const unknown = Object.entries(read.value).flatMap(([kind, units]) =>
    Object.keys(units ?? {})
      .filter((unit) => readUnit(unit) === undefined)
      .map((unit) => `${file}:${lineOf([kind, unit])}: ${unit} is no unit that the service knows`),
  );
  problems.push(...unknown);
  return read.value;
}

function readGrowthRow({ row, place }: PlacedRow, problems: Problems): GrowthRow {
  const [month = 0, ...lms] = ['month', ...LMS].map((name) => (row[name] === '' ? Number.NaN : Number(row[name])));
  const [l = 0, m = 0, s = 0, otherL = 0, otherM = 0, otherS = 0] = lms;
  const measure = row['measure']!;
  const faults = [
    ...(Object.hasOwn(GROWTH_UNITS, measure) ? [] : [`measure is one of ${Object.keys(GROWTH_UNITS).join(', ')}`]),
    ...(Number.isInteger(month) && month >= 0 && month <= LAST_MONTH ? [] : [`month is a number up to ${LAST_MONTH}`]),
    ...(lms.every(Number.isFinite) && [m, s, otherM, otherS].every((one) => one > 0) ? [] : ['l, m and s are numbers']),
  ];
  problems.push(...faults.map((fault) => `${place}: ${fault}`));
  return { measure, month, male: { l, m, s }, female: { l: otherL, m: otherM, s: otherS } };
}

/** The rows of `growth.csv`; a later folder that has the file replaces them all. */
function readGrowth(file: string, problems: Problems): ReadonlyMap<string, GrowthTable> {
  const rows = readTable(file, GROWTH_COLUMNS, problems).map((row) => readGrowthRow(row, problems));
  return new Map(
    Object.entries(GROWTH_UNITS).map(([measure, unit]) => {
      const own = rows.filter((row) => row.measure === measure);
      const wrong = own.findIndex(({ month }, index) => index > 0 && month < own[index - 1]!.month);
      problems.push(...(wrong < 0 ? [] : [`${file}: the months of ${measure} are in order`]));
      return [measure, { unit, rows: own }] as const;
    }),
  );
}

function repeatedOf(rows: readonly PlacedRow[], column: string): readonly string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ row, place }) => {
    const value = row[column]!;
    const again = seen.has(value);
    seen.add(value);
    return again ? [`${place}: ${value} stands in this file twice`] : [];
  });
}

/**
 * Reads the tests of all folders. A row of a later folder replaces the row of the same test, or the same code, of an
 * earlier one.
 * @param problems gets every problem as `file:line: reason`
 */
export function loadLabTests(folders: readonly string[], problems: Problems): LabTests {
  const tests = new Map<string, LabTest>();
  const codes = new Map<string, TestCode>();
  const body = new Map<string, PlacedRow>();
  const spellings: Written[] = [];
  let growth: ReadonlyMap<string, GrowthTable> = new Map();
  for (const folder of folders.map((one) => join(one, TESTS_FOLDER)).filter((one) => existsSync(one))) {
    const [testFile, codeFile] = [join(folder, 'tests.csv'), join(folder, 'codes.csv')];
    const testRows = existsSync(testFile) ? readTable(testFile, TEST_COLUMNS, problems) : [];
    const codeRows = existsSync(codeFile) ? readTable(codeFile, CODE_COLUMNS, problems) : [];
    problems.push(...repeatedOf(testRows, 'id'), ...repeatedOf(codeRows, 'loinc'));
    testRows.forEach((row) => tests.set(row.row['id']!, readLabTest(row, problems)));
    codeRows.flatMap((row) => readCode(row, tests, problems)).forEach((one) => codes.set(one.code, one));
    const bodyFile = join(folder, 'body.csv');
    const bodyRows = existsSync(bodyFile) ? readTable(bodyFile, TEST_COLUMNS, problems) : [];
    problems.push(...repeatedOf(bodyRows, 'id'));
    bodyRows.forEach((row) => body.set(row.row['id']!, row));
    const growthFile = join(folder, 'growth.csv');
    growth = existsSync(growthFile) ? readGrowth(growthFile, problems) : growth;
    spellings.push(readSpellings(join(folder, 'spellings.yaml'), problems));
  }
  const all = (kind: keyof Spellings): ReadonlyMap<string, string> =>
    new Map(spellings.flatMap((one) => [...tableOf(one[kind])]));
  const written = { every: all('every'), enzymes: all('enzymes'), international: all('international') };
  const ids = new Set(tests.keys());
  const measures = [...body.values()].map((row) => readBody(row, ids, problems));
  return { ...labTestsOf([...tests.values()], [...codes.values()], written, measures), growth };
}
