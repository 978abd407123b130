/**
 * kept-search: turns the filters of a search into conditions on kept resources, by the rows that their search
 * parameters made of them (pure).
 */
import { errors } from '../../../core/base/errors';
import { allOf, anyOf, marks, NEVER, type Condition } from '../../../core/db/condition';
import { pointMeets, shortStamp, type SoughtDate } from '../../../core/fhir/search-dates';
import { readReference, readToken, splitAt, unescaped, wantsMissing, type Filter } from './search-query';
import { groupedBy } from '../../../core/base/grouped-by';
import { rowNamesOf, searchDefinitionsOf } from '../../../core/fhir/search-definitions';
import {
  BETWEEN,
  IN_BASE_UNITS,
  numberRange,
  OF_TYPE,
  plainText,
  shortSystem,
  TEXT,
  WORD_LENGTH,
} from '../../../core/fhir/search-values';
import { addressesAbove, OWN_PATIENT, shortBeginnings } from '../../../core/fhir/code-systems';
import { inBaseUnits, UCUM } from '../../../core/fhir/ucum';
import { placesOf, metByRows, notMet, type SoughtCondition } from '../../../core/documents/sought-rows-store';
import { impliedSystem, wantsOf, type Edge, type Reading } from './sought';

/** The beginning of a text, as rows hold it. */
export function cut(text: string): string {
  return Array.from(text).slice(0, WORD_LENGTH).join('');
}

/** The test of a system; undefined where it may be any. A plain code has none, and is of one of FHIR's own. */
function systemTest(system: string | undefined): Condition | undefined {
  if (system === undefined) {
    return undefined;
  }
  if (system === '') {
    return { text: "coalesce(found.system, '') = ''", values: [] };
  }
  return impliedSystem(system)
    ? { text: '(found.system = ? or found.system is null)', values: [shortSystem(system)] }
    : { text: 'found.system = ?', values: [shortSystem(system)] };
}

function tokenTest(value: string): Condition {
  const { system, code } = readToken(value);
  if (code === '') {
    return system ? { text: 'found.system = ?', values: [shortSystem(system)] } : NEVER;
  }
  const ofSystem = systemTest(system);
  return ofSystem
    ? { text: `found.word = ? and ${ofSystem.text}`, values: [cut(code), ...ofSystem.values] }
    : { text: 'found.word = ?', values: [cut(code)] };
}

/** The number and the type of an identifier, as its rows hold them. */
type TypedNumber = { readonly word: string; readonly exact: string };

/** Reads `system|code|number`, the first two of the type of an identifier. @throws errors.invalidParameter */
export function readTypedNumber(name: string, value: string): TypedNumber {
  const [system = '', code = '', number = '', ...more] = splitAt(value, '|').map(unescaped);
  if (code === '' || number === '' || more.length > 0) {
    throw errors.invalidParameter(name, 'with :of-type it is a system, a code and a number with | between them');
  }
  return { word: cut(number), exact: cut(code) + BETWEEN + shortSystem(system) };
}

function ofTypeTest(name: string, value: string): RowTest {
  const { word, exact } = readTypedNumber(name, value);
  return { text: 'found.word = ? and found.exact = ?', values: [word, exact], behind: OF_TYPE };
}

function beginsWith(word: string): Condition {
  return { text: 'found.word >= ? and found.word < ?', values: [word, `${word}\u{10FFFF}`] };
}

function stringTest(value: string, modifier: string): Condition {
  const text = unescaped(value);
  if (modifier === 'exact') {
    return { text: 'found.word = ? and found.exact = ?', values: [cut(plainText(text)), text] };
  }
  const plain = cut(plainText(text));
  return modifier === 'contains' ? { text: 'instr(found.word, ?) > 0', values: [plain] } : beginsWith(plain);
}

/** The addresses that an address with a modifier means, as rows hold them: these, and all with these beginnings. */
export function meantAddresses(
  value: string,
  modifier: string,
): { readonly words: readonly string[]; readonly beginnings: readonly string[] } {
  const address = unescaped(value);
  const words = (modifier === 'above' ? addressesAbove(address) : [address]).map(shortSystem);
  const folder = address.replace(/\/$/, '');
  const inside = modifier === 'below' ? [`${folder}/`, `${folder}|`] : [];
  return { words, beginnings: inside.flatMap(shortBeginnings).map(cut) };
}

function uriTest(value: string, modifier: string): Condition {
  const { words, beginnings } = meantAddresses(value, modifier);
  const isOne = { text: `found.word in (${marks(words)})`, values: words };
  return anyOf([isOne, ...beginnings.map(beginsWith)]);
}

const EDGES: Readonly<Record<Edge, string>> = {
  startsFrom: '{} >= ?',
  startsBefore: '{} < ?',
  endsBy: 'found.high <= ?',
  endsAfter: 'found.high > ?',
};

/** @param start the column with the beginning of the time */
function dateTest(date: SoughtDate, start = 'found.word'): Condition {
  const lists = wantsOf(date).map((wants) => ({
    text: wants.map(({ edge }) => EDGES[edge].replace('{}', start)).join(' and '),
    values: wants.map(({ stamp }) => shortStamp(stamp)),
  }));
  const { text, values } = anyOf(lists);
  return date.prefix === 'ne' ? { text: `not (${text})`, values } : { text, values };
}

/** A number of a search. */
export type Amount = {
  readonly prefix: string;
  readonly number: number;
  readonly range: ReturnType<typeof numberRange>;
};

/** @throws errors.invalidParameter */
export function readAmount(name: string, value: string): Amount {
  const [, prefix = 'eq', digits] =
    /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)$/.exec(value) ?? [];
  if (digits === undefined || !Number.isFinite(Number(digits))) {
    throw errors.invalidParameter(name, 'it must be a number such as 5.4, with or without a prefix such as gt');
  }
  return { prefix, number: Number(digits), range: numberRange(digits) };
}

/** Compares a number, whose interval a function may bring to other units, with what was measured. */
function amountTest(name: string, value: string, of = (amount: number): number => amount): Condition {
  const { prefix, number, range } = readAmount(name, value);
  const [from, to, exact] = [of(range.from), of(range.to), of(number)];
  const tenth = Math.abs(number) / 10;
  const tests: Readonly<Record<string, Condition>> = {
    eq: { text: 'found.num_from >= ? and found.num_to < ?', values: [from, to] },
    ne: { text: 'not (found.num_from >= ? and found.num_to < ?)', values: [from, to] },
    gt: { text: 'found.num_to > ?', values: [exact] },
    lt: { text: 'found.num_from < ?', values: [exact] },
    ge: { text: 'found.num_to >= ?', values: [exact] },
    le: { text: 'found.num_from <= ?', values: [exact] },
    sa: { text: 'found.num_from > ?', values: [exact] },
    eb: { text: 'found.num_to < ?', values: [exact] },
    ap: { text: 'found.num_from <= ? and found.num_to >= ?', values: [of(number + tenth), of(number - tenth)] },
  };
  return tests[prefix]!;
}

/** A test of rows, and what stands behind the name of the parameter in these rows. */
type RowTest = Condition & { readonly behind?: string };

/** The test of a unit: in a row of its own, or beside the code of a composite. */
type UnitTest = (system: string, code: string) => Condition;

const unitAlone: UnitTest = (system, code) => ({
  text: [...(system === '' ? [] : ['found.system = ?']), ...(code === '' ? [] : ['found.word = ?'])].join(' and '),
  values: [...(system === '' ? [] : [shortSystem(system)]), ...(code === '' ? [] : [cut(code)])],
});

/** The code and the system of the second part of a composite. An empty one may be anything. */
const besides: UnitTest = (system, code) => {
  if (code === '' && system === '') {
    return { text: '', values: [] };
  }
  if (system !== '') {
    const end = `${BETWEEN}${shortSystem(system)}`;
    return code === ''
      ? { text: `substr(found.exact, -${Array.from(end).length}) = ?`, values: [end] }
      : { text: 'found.exact = ?', values: [`${cut(code)}${end}`] };
  }
  return { text: 'instr(found.exact, ?) = 1', values: [`${cut(code)}${BETWEEN}`] };
};

/**
 * `5.4|http://unitsofmeasure.org|mg`, `5.4||mg` (a code or a unit) or `5.4`. With a unit of UCUM all units of its
 * dimension are found.
 */
function quantityTest(name: string, value: string, unit: UnitTest = unitAlone): RowTest {
  const [number = '', system = '', code = ''] = splitAt(value, '|').map(unescaped);
  const base = system === UCUM ? inBaseUnits(code) : undefined;
  if (base) {
    const { text, values } = amountTest(name, number, base.of);
    const measured =
      unit === unitAlone
        ? { text: 'found.word = ?', values: [base.dimension] }
        : { text: 'found.exact = ?', values: [`${base.dimension}${BETWEEN}`] };
    return {
      text: `(${text}) and ${measured.text}`,
      values: [...values, ...measured.values],
      behind: IN_BASE_UNITS,
    };
  }
  const { text, values } = amountTest(name, number);
  const measured = unit(system, code);
  return measured.text === ''
    ? { text, values }
    : { text: `(${text}) and ${measured.text}`, values: [...values, ...measured.values] };
}

function secondTest(filter: Filter, type: string, value: string, reading: Reading): RowTest {
  switch (type) {
    case 'quantity':
      return quantityTest(filter.name, value, besides);
    case 'date':
      return dateTest(reading.dateOf(filter.name, value), 'found.low');
    case 'string': {
      const plain = cut(plainText(unescaped(value)));
      return { text: 'instr(found.exact, ?) = 1', values: [plain] };
    }
    case 'reference': {
      const found = readReference(value, reading.base);
      const name = found?.type === undefined ? unescaped(value) : `${found.type}/${found.id}`;
      return { text: 'found.exact = ?', values: [cut(name)] };
    }
    default: {
      const { system, code } = readToken(value);
      return system === ''
        ? { text: 'found.exact = ?', values: [`${cut(code)}${BETWEEN}`] }
        : besides(system ?? '', code);
    }
  }
}

/** The test for both parts of a composite, which are written `first$second`. @throws errors.invalidParameter */
function compositeTest(filter: Filter, value: string, reading: Reading): RowTest {
  const [first = '', second = '', ...more] = splitAt(value, '$');
  if (first === '' || second === '' || more.length > 0) {
    throw errors.invalidParameter(filter.name, 'it must be two values with a $ between them');
  }
  const [one, other] = [tokenTest(first), secondTest(filter, filter.parameter.second ?? '', second, reading)];
  return {
    text: other.text === '' ? one.text : `(${one.text}) and (${other.text})`,
    values: [...one.values, ...other.values],
    ...(other.behind === undefined ? {} : { behind: other.behind }),
  };
}

/** A reference as rows hold it. */
export function referred(recordId: string, name: string): string {
  return name === `Patient/${recordId}` ? OWN_PATIENT : cut(name);
}

function referenceTest(value: string, { base, recordId }: Reading): Condition {
  const text = unescaped(value);
  const found = readReference(value, base);
  if (!found) {
    return { text: 'found.word = ?', values: [cut(text)] };
  }
  if (found.type !== undefined) {
    return { text: 'found.word = ?', values: [referred(recordId, `${found.type}/${found.id}`)] };
  }
  const ending = { text: 'found.word like ?', values: [`%/${cut(found.id).replace(/[%_\\]/g, '')}`] };
  return found.id === recordId ? anyOf([ending, { text: 'found.word = ?', values: [OWN_PATIENT] }]) : ending;
}

/** The test that a row meets one value of a filter. @throws errors.invalidParameter */
function testOf(filter: Filter, value: string, reading: Reading): RowTest {
  const { name, modifier, parameter } = filter;
  if (modifier === 'text') {
    return { ...stringTest(value, ''), behind: TEXT };
  }
  if (modifier === 'of-type') {
    return ofTypeTest(name, value);
  }
  switch (parameter.type) {
    case 'token':
      return tokenTest(value);
    case 'string':
      return stringTest(value, modifier);
    case 'date':
      return dateTest(reading.dateOf(name, value));
    case 'number':
      return amountTest(name, value);
    case 'quantity':
      return quantityTest(name, value);
    case 'reference':
      return modifier === 'identifier'
        ? { text: `(${tokenTest(value).text}) and found.exact = 'identifier'`, values: tokenTest(value).values }
        : referenceTest(value, reading);
    case 'uri':
      return uriTest(value, modifier);
    case 'composite':
      return compositeTest(filter, value, reading);
  }
}

/** The condition that the resource has a row of one of these search parameters that passes a test. */
function hasRow(
  recordId: string,
  names: readonly string[],
  test: Condition | undefined,
  oneOf?: 'resource' | 'word',
): SoughtCondition {
  const places = placesOf(recordId, names);
  const passed = `found.place in (${marks(names)})${test ? ` and (${test.text})` : ''}`;
  const values = [...places, ...(test?.values ?? [])];
  return metByRows({
    list: { text: `select found.resource as seq from search_value as found where ${passed}`, values },
    each: {
      text: `exists (select 1 from search_value as found where found.resource = kept.seq and ${passed})`,
      values,
    },
    isNot: false,
    ...(names.length === 1 && test ? { of: { name: names[0]!, test, ...(oneOf ? { oneOf } : {}) } } : {}),
  });
}

/** Many codes of one system, or many references, are one list, which an index finds. */
function listedConditions(filter: Filter, { base, recordId }: Reading): readonly Condition[] | undefined {
  const { parameter, values, modifier } = filter;
  if (values.length < 2 || !['', 'not'].includes(modifier)) {
    return undefined;
  }
  if (parameter.type === 'token') {
    const tokens = values.map(readToken);
    return tokens.every(({ code }) => code !== '')
      ? [...groupedBy(tokens, ({ system }) => system)].map(([system, all]) => {
          const words = [...new Set(all.map(({ code }) => cut(code)))];
          const text = `found.word in (${marks(words)})`;
          const ofSystem = systemTest(system);
          return ofSystem
            ? { text: `${text} and ${ofSystem.text}`, values: [...words, ...ofSystem.values] }
            : { text, values: words };
        })
      : undefined;
  }
  const found = parameter.type === 'reference' ? values.map((value) => readReference(value, base)) : [];
  const names = found.flatMap((one) => (one?.type === undefined ? [] : [referred(recordId, `${one.type}/${one.id}`)]));
  return names.length === values.length ? [{ text: `found.word in (${marks(names)})`, values: names }] : undefined;
}

function testsOf(filter: Filter, reading: Reading): readonly RowTest[] {
  return (
    listedConditions(filter, reading) ?? [...new Set(filter.values)].map((value) => testOf(filter, value, reading))
  );
}

/** A database takes long to plan a statement with more tests than this. */
const MOST_TESTS = 250;

/** @throws errors.invalidParameter for a search that is too long to plan */
function checkLength(filters: readonly Filter[], reading: Reading): void {
  let size = 0;
  for (const filter of filters.filter(({ name }) => name !== '_id')) {
    // A date is compared at both ends.
    const each = filter.parameter.type === 'date' ? 2 : 1;
    size += each * (listedConditions(filter, reading)?.length ?? new Set(filter.values).size);
    if (size > MOST_TESTS) {
      throw errors.invalidParameter(filter.name, 'the search asks for too much at once: send fewer values');
    }
  }
}

/** Rows of these types say nothing but a word and its system, and no resource has the same row twice. */
const WORDS_ONLY: readonly string[] = ['token', 'uri', 'reference'];

function oneRowOf(type: string, { name, modifier, parameter }: Filter): 'resource' | 'word' | undefined {
  if (WORDS_ONLY.includes(parameter.type) && modifier !== 'of-type') {
    return 'word';
  }
  return parameter.type === 'date' && hasOneRow(type, name) ? 'resource' : undefined;
}

/** The condition that the resource meets one of the values of a filter. @throws errors.invalidParameter */
function meetsOne(type: string, filter: Filter, reading: Reading): SoughtCondition {
  const tests = testsOf(filter, reading);
  const [first, ...others] = [...groupedBy(tests, ({ behind = '' }) => behind)].map(([behind, all]) =>
    hasRow(
      reading.recordId,
      rowNamesOf(filter.name).map((name) => `${type}.${name}${behind}`),
      anyOf(all),
      oneRowOf(type, filter),
    ),
  );
  return first && others.length === 0 ? first : anyOf(first ? [first, ...others] : []);
}

/** When resources were changed last. */
function changedWhen(type: string, values: readonly string[], { recordId, dateOf }: Reading): SoughtCondition {
  const compared = values.map((value) => pointMeets(dateOf('_lastUpdated', value)));
  const of = (column: string): Condition =>
    anyOf(compared.map(({ text, values: stamps }) => ({ text: text.replaceAll('{}', column), values: stamps })));
  const listed = of('changed.updated_at');
  const each = of('kept.updated_at');
  return {
    ...each,
    sought: {
      list: {
        text: `select changed.seq as seq from fhir_resource as changed where changed.record_id = ? and changed.type = ? and ${listed.text}`,
        values: [recordId, type, ...listed.values],
      },
      // The plus keeps SQLite from sorting all that was changed since.
      each: of('+kept.updated_at'),
      isNot: false,
    },
  };
}

function ofAll(type: string, { name, values }: Filter, reading: Reading): SoughtCondition | undefined {
  if (name === '_id') {
    return values.length === 0 ? NEVER : { text: `kept.id in (${marks(values)})`, values: values.map(unescaped) };
  }
  return name === '_lastUpdated' ? changedWhen(type, values, reading) : undefined;
}

function meetsFilter(type: string, filter: Filter, reading: Reading): SoughtCondition {
  const common = ofAll(type, filter, reading);
  if (common) {
    return common;
  }
  const missing = wantsMissing(filter);
  if (missing !== undefined) {
    const names = rowNamesOf(filter.name).map((name) => `${type}.${name}`);
    const some = hasRow(reading.recordId, names, undefined);
    return missing ? notMet(some) : some;
  }
  const found = meetsOne(type, filter, reading);
  return filter.modifier === 'not' ? notMet(found) : found;
}

/** Whether a resource has one row of a date at most: all its elements are the same choice, and occur once. */
export function hasOneRow(type: string, name: string): boolean {
  const [paths = []] = searchDefinitionsOf(type).flatMap((one) => (one.name === name ? [one.paths] : []));
  const stems = paths.map(({ steps }) => steps[0]!.name.replace(/(?:DateTime|Instant|Period|Timing|Date)$/, ''));
  return paths.every(({ steps }) => steps.length === 1 && !steps[0]!.many) && new Set(stems).size === 1;
}

/** Both ends of a time are tests of one row, where a resource has no other: separately each would find half of a record. */
function isRange(type: string, filters: readonly Filter[]): boolean {
  const { name } = filters[0]!;
  return (
    filters.length > 1 &&
    filters.every(({ parameter, modifier }) => parameter.type === 'date' && modifier === '') &&
    name !== '_lastUpdated' &&
    hasOneRow(type, name)
  );
}

/** The conditions on kept resources of one type that the filters of a search set. @throws errors.invalidParameter */
export function keptConditions(type: string, filters: readonly Filter[], reading: Reading): readonly SoughtCondition[] {
  checkLength(filters, reading);
  return [...groupedBy(filters, ({ name }) => name)].flatMap(([name, same]) =>
    isRange(type, same)
      ? [
          hasRow(
            reading.recordId,
            [`${type}.${name}`],
            allOf(same.map((one) => anyOf(testsOf(one, reading)))),
            'resource',
          ),
        ]
      : same.map((one) => meetsFilter(type, one, reading)),
  );
}

/** The condition that resources refer to others by one parameter. @param targets such as `Encounter/1` */
export function referringCondition(recordId: string, name: string, targets: readonly string[]): Condition {
  return targets.length === 0
    ? NEVER
    : hasRow(recordId, [name], {
        text: `found.word in (${marks(targets)})`,
        values: targets.map((target) => referred(recordId, target)),
      });
}

/** Search parameters that say when care began, for all types. */
export const BEGINS = [
  'date',
  'effective',
  'authoredon',
  'authored',
  'whenhandedover',
  'onset-date',
  'onset',
  'period',
  'created',
  'start-date',
  'sent',
  'started',
  'datewritten',
  'occurrence',
  'collected',
  'event-date',
];
/** Those that say when it ended. */
export const ENDS = [...BEGINS.filter((name) => !['onset-date', 'onset'].includes(name)), 'abatement-date'];

/**
 * The conditions on care between two dates. Resources without a date of their own belong to any time.
 * @throws errors.invalidParameter for a text that is no date
 */
export function careConditions(
  types: readonly string[],
  { start, end }: { readonly start: string; readonly end: string },
  reading: Reading,
): readonly Condition[] {
  const meets = (ends: readonly string[], value: string): Condition => {
    const names = placesOf(
      reading.recordId,
      types.flatMap((type) => ends.map((name) => `${type}.${name}`)),
    );
    const dated = 'select 1 from search_value as found where found.resource = kept.seq and found.place in';
    const { text, values } = dateTest(reading.dateOf('start', value));
    return {
      text: `not exists (${dated} (${marks(names)})) or exists (${dated} (${marks(names)}) and (${text}))`,
      values: [...names, ...names, ...values],
    };
  };
  return [...(start === '' ? [] : [meets(ENDS, `ge${start}`)]), ...(end === '' ? [] : [meets(BEGINS, `le${end}`)])];
}
