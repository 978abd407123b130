/**
 * kept-search: turns the filters of a search into conditions on kept resources, by the rows that their search
 * parameters made of them (pure).
 */
import { errors } from '../../../core/base/errors';
import { anyOf, marks, NEVER, type Condition } from '../../../core/db/condition';
import { pointMeets, type SoughtDate } from '../../../core/fhir/search-dates';
import { readReference, readToken, splitAt, unescaped, wantsMissing, type Filter } from './search-query';
import { numberRange, plainText, WORD_LENGTH } from '../../../core/fhir/search-values';
import { impliedSystem, wantsOf, type Edge, type Reading } from './sought';

const cut = (text: string): string => Array.from(text).slice(0, WORD_LENGTH).join('');

const tokenTest = (value: string): Condition => {
  const { system, code } = readToken(value);
  if (system === undefined) {
    return { text: 'found.word = ?', values: [cut(code)] };
  }
  if (code === '') {
    return system === '' ? NEVER : { text: 'found.system = ?', values: [cut(system)] };
  }
  if (system === '') {
    return { text: "found.word = ? and coalesce(found.system, '') = ''", values: [cut(code)] };
  }
  return impliedSystem(system)
    ? { text: 'found.word = ? and (found.system = ? or found.system is null)', values: [cut(code), cut(system)] }
    : { text: 'found.word = ? and found.system = ?', values: [cut(code), cut(system)] };
};

const stringTest = (value: string, modifier: string): Condition => {
  const text = unescaped(value);
  if (modifier === 'exact') {
    return { text: 'found.word = ? and found.exact = ?', values: [cut(plainText(text)), text] };
  }
  const plain = cut(plainText(text));
  return modifier === 'contains'
    ? { text: 'instr(found.word, ?) > 0', values: [plain] }
    : { text: 'found.word >= ? and found.word < ?', values: [plain, `${plain}\u{10FFFF}`] };
};

const EDGES: Readonly<Record<Edge, string>> = {
  startsFrom: 'found.low >= ?',
  startsBefore: 'found.low < ?',
  endsBy: 'found.high <= ?',
  endsAfter: 'found.high > ?',
};

const dateTest = (date: SoughtDate): Condition => {
  const lists = wantsOf(date).map((wants) => ({
    text: wants.map(({ edge }) => EDGES[edge]).join(' and '),
    values: wants.map(({ stamp }) => stamp),
  }));
  const { text, values } = anyOf(lists);
  return date.prefix === 'ne' ? { text: `not (${text})`, values } : { text, values };
};

/** Compares what was measured, from `num_from` to `num_to`, with the number that was written. */
const numberTest = (name: string, value: string): Condition => {
  const [, prefix = 'eq', digits] =
    /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.exec(value) ?? [];
  if (digits === undefined) {
    throw errors.invalidParameter(name, 'it must be a number such as 5.4, with or without a prefix such as gt');
  }
  const number = Number(digits);
  const { from, to } = numberRange(digits);
  const tenth = Math.abs(number) / 10;
  const tests: Readonly<Record<string, Condition>> = {
    eq: { text: 'found.num_from >= ? and found.num_to < ?', values: [from, to] },
    ne: { text: 'not (found.num_from >= ? and found.num_to < ?)', values: [from, to] },
    gt: { text: 'found.num_to > ?', values: [number] },
    lt: { text: 'found.num_from < ?', values: [number] },
    ge: { text: 'found.num_to >= ?', values: [number] },
    le: { text: 'found.num_from <= ?', values: [number] },
    sa: { text: 'found.num_from > ?', values: [number] },
    eb: { text: 'found.num_to < ?', values: [number] },
    ap: { text: 'found.num_from <= ? and found.num_to >= ?', values: [number + tenth, number - tenth] },
  };
  return tests[prefix]!;
};

/** `5.4|http://unitsofmeasure.org|mg`, `5.4||mg` (a code or a unit) or `5.4`. */
const quantityTest = (name: string, value: string): Condition => {
  const [number = '', system = '', code = ''] = splitAt(value, '|').map(unescaped);
  const { text, values } = numberTest(name, number);
  return {
    text: [text, ...(system === '' ? [] : ['found.system = ?']), ...(code === '' ? [] : ['found.word = ?'])].join(
      ' and ',
    ),
    values: [...values, ...(system === '' ? [] : [cut(system)]), ...(code === '' ? [] : [cut(code)])],
  };
};

const referenceTest = (value: string, { base }: Reading): Condition => {
  const text = unescaped(value);
  const found = readReference(value, base);
  if (!found) {
    return { text: 'found.word = ?', values: [cut(text)] };
  }
  return found.type === undefined
    ? { text: 'found.word like ?', values: [`%/${cut(found.id).replace(/[%_\\]/g, '')}`] }
    : { text: 'found.word = ?', values: [cut(`${found.type}/${found.id}`)] };
};

/** The test that a row meets one value of a filter. @throws errors.invalidParameter */
const testOf = ({ name, modifier, parameter }: Filter, value: string, reading: Reading): Condition => {
  switch (parameter.type) {
    case 'token':
      return tokenTest(value);
    case 'string':
      return stringTest(value, modifier);
    case 'date':
      return dateTest(reading.dateOf(name, value));
    case 'number':
      return numberTest(name, value);
    case 'quantity':
      return quantityTest(name, value);
    case 'reference':
      return modifier === 'identifier'
        ? { text: `(${tokenTest(value).text}) and found.exact = 'identifier'`, values: tokenTest(value).values }
        : referenceTest(value, reading);
    case 'uri':
      return { text: 'found.word = ?', values: [cut(unescaped(value))] };
  }
};

/** The condition that the resource has a row of this search parameter that passes a test. */
const hasRow = (recordId: string, name: string, test: Condition | undefined): Condition => ({
  text: `kept.seq in (select found.resource from fhir_value as found where found.record_id = ? and found.name = ?${test ? ` and (${test.text})` : ''})`,
  values: [recordId, name, ...(test?.values ?? [])],
});

const not = ({ text, values }: Condition): Condition => ({ text: `not (${text})`, values });

/** A token or reference of many values is one list, which an index finds. */
const listTest = (filter: Filter, reading: Reading): Condition => {
  const { parameter, values } = filter;
  const isPlain =
    parameter.type === 'token' &&
    filter.modifier !== 'identifier' &&
    values.every((value) => splitAt(value, '|').length === 1);
  return isPlain && values.length > 1
    ? { text: `found.word in (${marks(values)})`, values: values.map((value) => cut(unescaped(value))) }
    : anyOf([...new Set(values)].map((value) => testOf(filter, value, reading)));
};

const NAMED = 'kept.updated_at';

const ofAll = ({ name, values }: Filter, reading: Reading): Condition | undefined => {
  if (name === '_id') {
    return values.length === 0 ? NEVER : { text: `kept.id in (${marks(values)})`, values: values.map(unescaped) };
  }
  return name === '_lastUpdated'
    ? anyOf(
        values.map((value) => {
          const compared = pointMeets(reading.dateOf(name, value));
          return { text: compared.text.replaceAll('{}', NAMED), values: compared.values };
        }),
      )
    : undefined;
};

/** The conditions on kept resources of one type that the filters of a search set. @throws errors.invalidParameter */
export const keptConditions = (type: string, filters: readonly Filter[], reading: Reading): readonly Condition[] =>
  filters.map((filter) => {
    const common = ofAll(filter, reading);
    if (common) {
      return common;
    }
    const name = `${type}.${filter.name}`;
    const missing = wantsMissing(filter);
    if (missing !== undefined) {
      const some = hasRow(reading.recordId, name, undefined);
      return missing ? not(some) : some;
    }
    const found = hasRow(reading.recordId, name, listTest(filter, reading));
    return filter.modifier === 'not' ? not(found) : found;
  });

/** The condition that resources refer to others by one parameter. @param targets such as `Encounter/1` */
export const referringCondition = (recordId: string, name: string, targets: readonly string[]): Condition =>
  targets.length === 0 ? NEVER : hasRow(recordId, name, { text: `found.word in (${marks(targets)})`, values: targets });

/** Search parameters that say when care began and when it ended, for all types. */
const BEGINS = [
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
const ENDS = [...BEGINS.filter((name) => !['onset-date', 'onset'].includes(name)), 'abatement-date'];

/**
 * The conditions on care between two dates. Resources without a date of their own belong to any time.
 * @throws errors.invalidParameter for a text that is no date
 */
export const careConditions = (
  types: readonly string[],
  { start, end }: { readonly start: string; readonly end: string },
  reading: Reading,
): readonly Condition[] => {
  const meets = (ends: readonly string[], value: string): Condition => {
    const names = types.flatMap((type) => ends.map((name) => `${type}.${name}`));
    const dated = 'select 1 from fhir_value as found where found.resource = kept.seq and found.name in';
    const { text, values } = dateTest(reading.dateOf('start', value));
    return {
      text: `not exists (${dated} (${marks(names)})) or exists (${dated} (${marks(names)}) and (${text}))`,
      values: [...names, ...names, ...values],
    };
  };
  return [...(start === '' ? [] : [meets(ENDS, `ge${start}`)]), ...(end === '' ? [] : [meets(BEGINS, `le${end}`)])];
};
