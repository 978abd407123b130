/**
 * seen-search: whether a resource that is stored nowhere meets the filters of a search, by the rows that its search
 * parameters would have (pure). Each test here says the same as its namesake in kept-search, which the database runs.
 */
import type { SearchValue } from '../../../core/documents/kept-resources-store';
import { shortStamp, type SoughtDate } from '../../../core/fhir/search-dates';
import { rowNamesOf } from '../../../core/fhir/search-definitions';
import { BETWEEN, IN_BASE_UNITS, OF_TYPE, plainText, shortSystem, TEXT } from '../../../core/fhir/search-values';
import { inBaseUnits, UCUM } from '../../../core/fhir/ucum';
import { BEGINS, cut, ENDS, meantAddresses, readAmount, readTypedNumber, referred, type Amount } from './kept-search';
import { readReference, readToken, splitAt, unescaped, wantsMissing, type Filter } from './search-query';
import { impliedSystem, wantsOf, type Edge, type Reading } from './sought';

type Row = SearchValue;
type RowTest = ((row: Row) => boolean) & { readonly behind?: string };
/** The test of a unit: in a row of its own, or beside the code of a composite. */
type UnitTest = (system: string, code: string) => (row: Row) => boolean;

function never(): boolean {
  return false;
}

function hasSystem({ system: own }: Row, system: string | undefined): boolean {
  if (system === undefined) {
    return true;
  }
  if (system === '') {
    return (own ?? '') === '';
  }
  return own === shortSystem(system) || (own === undefined && impliedSystem(system));
}

function tokenTest(value: string): RowTest {
  const { system, code } = readToken(value);
  if (code === '') {
    return system ? (row) => row.system === shortSystem(system) : never;
  }
  const word = cut(code);
  return (row) => row.word === word && hasSystem(row, system);
}

function stringTest(value: string, modifier: string): RowTest {
  const text = unescaped(value);
  const plain = cut(plainText(text));
  switch (modifier) {
    case 'exact':
      return (row) => row.word === plain && row.exact === text;
    case 'contains':
      return (row) => row.word?.includes(plain) ?? false;
    default:
      return (row) => row.word?.startsWith(plain) ?? false;
  }
}

function ofTypeTest(name: string, value: string): RowTest {
  const { word, exact } = readTypedNumber(name, value);
  return Object.assign((row: Row): boolean => row.word === word && row.exact === exact, { behind: OF_TYPE });
}

/** Whether an address, as rows hold it, is one that a search means. */
export function isMeantAddress(value: string, modifier: string): (word: string) => boolean {
  const { words, beginnings } = meantAddresses(value, modifier);
  return (word) => words.includes(word) || beginnings.some((one) => word.startsWith(one));
}

function uriTest(value: string, modifier: string): RowTest {
  const isMeant = isMeantAddress(value, modifier);
  return ({ word }) => word !== undefined && isMeant(word);
}

const EDGES: Readonly<Record<Edge, (low: string, high: string, stamp: string) => boolean>> = {
  startsFrom: (low, _, stamp) => low >= stamp,
  startsBefore: (low, _, stamp) => low < stamp,
  endsBy: (_, high, stamp) => high <= stamp,
  endsAfter: (_, high, stamp) => high > stamp,
};

/** @param start the part of the row with the beginning of the time */
function dateTest(date: SoughtDate, start: 'word' | 'low' = 'word'): RowTest {
  const lists = wantsOf(date);
  return (row) => {
    const { [start]: low, high } = row;
    if (low === undefined || high === undefined) {
      return false;
    }
    const isMet = lists.some((wants) => wants.every(({ edge, stamp }) => EDGES[edge](low, high, shortStamp(stamp))));
    return isMet !== (date.prefix === 'ne');
  };
}

/** Compares a number, whose interval a function may bring to other units, with what was measured. */
function amountTest({ prefix, range, number }: Amount, of = (amount: number): number => amount): RowTest {
  const [low, high, exact] = [of(range.from), of(range.to), of(number)];
  const tenth = Math.abs(number) / 10;
  const tests: Readonly<Record<string, (from: number, to: number) => boolean>> = {
    eq: (from, to) => from >= low && to < high,
    ne: (from, to) => !(from >= low && to < high),
    gt: (_, to) => to > exact,
    lt: (from) => from < exact,
    ge: (_, to) => to >= exact,
    le: (from) => from <= exact,
    sa: (from) => from > exact,
    eb: (_, to) => to < exact,
    ap: (from, to) => from <= of(number + tenth) && to >= of(number - tenth),
  };
  const test = tests[prefix]!;
  return ({ from, to }) => from !== undefined && to !== undefined && test(from, to);
}

const unitAlone: UnitTest = (system, code) => (row) =>
  (system === '' || row.system === shortSystem(system)) && (code === '' || row.word === cut(code));

/** The code and the system of the second part of a composite. An empty one may be anything. */
const besides: UnitTest = (system, code) => {
  const end = `${BETWEEN}${shortSystem(system)}`;
  return ({ exact }) => {
    if (code === '' && system === '') {
      return true;
    }
    if (system !== '') {
      return code === '' ? (exact?.endsWith(end) ?? false) : exact === `${cut(code)}${end}`;
    }
    return exact?.startsWith(`${cut(code)}${BETWEEN}`) ?? false;
  };
};

function quantityTest(name: string, value: string, unit: UnitTest = unitAlone): RowTest {
  const [number = '', system = '', code = ''] = splitAt(value, '|').map(unescaped);
  const amount = readAmount(name, number);
  const base = system === UCUM ? inBaseUnits(code) : undefined;
  if (base) {
    const test = amountTest(amount, base.of);
    const isMeasured = (row: Row): boolean =>
      unit === unitAlone ? row.word === base.dimension : row.exact === `${base.dimension}${BETWEEN}`;
    return Object.assign((row: Row): boolean => test(row) && isMeasured(row), { behind: IN_BASE_UNITS });
  }
  const [test, isMeasured] = [amountTest(amount), unit(system, code)];
  return (row) => test(row) && isMeasured(row);
}

function secondTest({ name, parameter }: Filter, value: string, reading: Reading): RowTest {
  switch (parameter.second) {
    case 'quantity':
      return quantityTest(name, value, besides);
    case 'date':
      return dateTest(reading.dateOf(name, value), 'low');
    case 'string': {
      const plain = cut(plainText(unescaped(value)));
      return ({ exact }) => exact?.startsWith(plain) ?? false;
    }
    case 'reference': {
      const found = readReference(value, reading.base);
      const wanted = found?.type === undefined ? unescaped(value) : `${found.type}/${found.id}`;
      return ({ exact }) => exact === cut(wanted);
    }
    default: {
      const { system, code } = readToken(value);
      return system === '' ? ({ exact }) => exact === `${cut(code)}${BETWEEN}` : besides(system ?? '', code);
    }
  }
}

function compositeTest(filter: Filter, value: string, reading: Reading): RowTest {
  const [first = '', second = ''] = splitAt(value, '$');
  const [one, other] = [tokenTest(first), secondTest(filter, second, reading)];
  const both = (row: Row): boolean => one(row) && other(row);
  return other.behind === undefined ? both : Object.assign(both, { behind: other.behind });
}

function referenceTest(value: string, { base, recordId }: Reading): RowTest {
  const found = readReference(value, base);
  if (!found) {
    const text = cut(unescaped(value));
    return ({ word }) => word === text;
  }
  if (found.type !== undefined) {
    const name = referred(recordId, `${found.type}/${found.id}`);
    return ({ word }) => word === name;
  }
  const own = found.id === recordId ? referred(recordId, `Patient/${recordId}`) : undefined;
  return ({ word }) => word !== undefined && (word === own || word.endsWith(`/${cut(found.id)}`));
}

function testOf(filter: Filter, value: string, reading: Reading): RowTest {
  const { name, modifier, parameter } = filter;
  if (modifier === 'text') {
    const test = stringTest(value, '');
    return Object.assign((row: Row): boolean => test(row), { behind: TEXT });
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
      return amountTest(readAmount(name, value));
    case 'quantity':
      return quantityTest(name, value);
    case 'reference': {
      const token = tokenTest(value);
      return modifier === 'identifier'
        ? (row) => row.exact === 'identifier' && token(row)
        : referenceTest(value, reading);
    }
    case 'uri':
      return uriTest(value, modifier);
    case 'composite':
      return compositeTest(filter, value, reading);
  }
}

/** What a search looks at. */
type Sought = { readonly id: string; readonly values: readonly SearchValue[] };

function meetsFilter(filter: Filter, reading: Reading): (sought: Sought) => boolean {
  const { name, modifier, values: wanted } = filter;
  if (name === '_id') {
    const ids = new Set(wanted.map(unescaped));
    return ({ id }) => ids.has(id);
  }
  const names = rowNamesOf(name);
  const missing = wantsMissing(filter);
  if (missing !== undefined) {
    return ({ values }) => values.some((row) => names.includes(row.name)) !== missing;
  }
  const tests = wanted.map((value) => testOf(filter, value, reading));
  const meets = ({ values }: Sought): boolean =>
    values.some((row) =>
      tests.some((test) => names.some((one) => row.name === `${one}${test.behind ?? ''}`) && test(row)),
    );
  return modifier === 'not' ? (sought) => !meets(sought) : meets;
}

/** Whether a resource meets all filters of a search. */
export function meetsFilters(filters: readonly Filter[], reading: Reading): (sought: Sought) => boolean {
  const all = filters.map((filter) => meetsFilter(filter, reading));
  return (sought) => all.every((meets) => meets(sought));
}

/** Whether a resource is about care between two dates. One without a date of its own belongs to any time. */
export function meetsCare(
  { start, end }: { readonly start: string; readonly end: string },
  reading: Reading,
): (values: readonly SearchValue[]) => boolean {
  const sides = [
    ...(start === '' ? [] : [{ names: ENDS, test: dateTest(reading.dateOf('start', `ge${start}`)) }]),
    ...(end === '' ? [] : [{ names: BEGINS, test: dateTest(reading.dateOf('end', `le${end}`)) }]),
  ];
  return (values) =>
    sides.every(({ names, test }) => {
      const dated = values.filter(({ name }) => names.includes(name));
      return dated.length === 0 || dated.some(test);
    });
}
