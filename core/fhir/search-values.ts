/**
 * search-values: what of a resource its search parameters find, by the standard's own definitions: one row for each
 * value (pure). Ids that are not known yet are marked, as in the text of the resource.
 */
import { isLosslessNumber } from 'lossless-json';
import { cutText } from '../base/utf8';
import type { SearchValue } from '../documents/kept-resources-store';
import { OWN_PATIENT, shortAddress } from './code-systems';
import type { JsonObject, JsonValue } from './from-xml';
import { intervalIn, shortStamp } from './search-dates';
import {
  isServed,
  ownDefinitionsOf,
  pathsOfPart,
  searchDefinitionsOf,
  type Composite,
  type CompositePart,
  type SearchDefinition,
  type SearchPath,
  type Step,
} from './search-definitions';
import { inBaseUnits, UCUM } from './ucum';

/**
 * The number of the rows that are made of a resource. It is raised whenever other rows are made of the same one, so that
 * stored documents are read anew.
 */
export const EDITION = 6;

/** Sorts before, or after, every time. */
const OPEN_START = '';
const OPEN_END = '~';

/** The most characters of a word, which an index holds. */
export const WORD_LENGTH = 150;
const EXACT_LENGTH = 2000;

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The text of a simple value. What is made of facts may have plain numbers. */
function simpleText(value: JsonValue | number | undefined): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  return isLosslessNumber(value) || typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined;
}

/** A text as searches compare it: in lower case, without accents and with single spaces. */
export function plainText(text: string): string {
  const unmarked = /\P{ASCII}/u.test(text) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  return unmarked.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** An address as its rows hold it. */
export function shortSystem(system: string): string {
  return cutText(shortAddress(system), WORD_LENGTH);
}

/** What stands behind the name of a parameter in its further rows: words for codes, and amounts in base units. */
export const TEXT = ':text';
export const IN_BASE_UNITS = ':si';
/** What stands behind it in rows of identifiers: the number as word, and in `exact` what kind of number it is. */
export const OF_TYPE = ':of-type';
/** What stands between a code and its system where both are one text. */
export const BETWEEN = '|';

type Value = Omit<SearchValue, 'name'> & { readonly behind?: string };
type Values = readonly Value[];

const NOTHING: readonly JsonValue[] = [];

function valueList(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value;
  }
  return value === undefined ? NOTHING : [value];
}

function valuesInside(object: JsonObject, name: string): readonly JsonValue[] {
  return valueList(object[name]);
}

/** The words for a code, by which `:text` finds it. */
function wordValues(value: JsonValue | undefined): Values {
  const text = simpleText(value);
  return text === undefined ? [] : [{ word: cutText(plainText(text), WORD_LENGTH), behind: TEXT }];
}

/** An identifier under each code of its type, and by the words for its type. */
function typesOf({ type, value }: JsonObject): Values {
  const number = simpleText(value);
  if (!isJsonObject(type)) {
    return [];
  }
  const coded = number === undefined ? [] : valuesInside(type, 'coding').filter(isJsonObject);
  return [
    ...coded.map(({ code, system }) => ({
      word: cutText(number!, WORD_LENGTH),
      exact: cutText(simpleText(code) ?? '', WORD_LENGTH) + BETWEEN + shortSystem(simpleText(system) ?? ''),
      behind: OF_TYPE,
    })),
    ...wordValues(type['text']),
  ];
}

function tokensOf(value: JsonValue, type: string): Values {
  if (!isJsonObject(value)) {
    const word = simpleText(value);
    return word === undefined ? [] : [{ word: cutText(word, WORD_LENGTH) }];
  }
  if (type === 'CodeableConcept') {
    return [
      ...valuesInside(value, 'coding').flatMap((coding) => tokensOf(coding, 'Coding')),
      ...wordValues(value['text']),
    ];
  }
  const further = type === 'Identifier' ? typesOf(value) : wordValues(type === 'Coding' ? value['display'] : undefined);
  const word = simpleText(value[type === 'Coding' ? 'code' : 'value']);
  const system = type === 'ContactPoint' ? '' : (simpleText(value['system']) ?? '');
  return [
    ...(word === undefined ? [] : [{ word: cutText(word, WORD_LENGTH), system: shortSystem(system) }]),
    ...further,
  ];
}

function stringsOf(value: JsonValue): Values {
  const text = simpleText(value);
  if (text !== undefined) {
    return [{ word: cutText(plainText(text), WORD_LENGTH), exact: cutText(text, EXACT_LENGTH) }];
  }
  return isJsonObject(value)
    ? Object.entries(value)
        .filter(([name]) => !['use', 'period', 'extension', 'id', 'system', 'rank', 'type'].includes(name))
        .flatMap(([, one]) => valueList(one).flatMap((item) => (item === null ? [] : stringsOf(item))))
    : [];
}

function timesIn(value: JsonValue | undefined): { readonly word: string; readonly high: string } | undefined {
  const text = simpleText(value);
  const interval = text === undefined ? undefined : intervalIn(text);
  return interval && { word: shortStamp(interval.start), high: shortStamp(interval.end) };
}

function around(times: readonly { readonly word: string; readonly high: string }[]): Values {
  return times.length === 0
    ? []
    : [
        {
          word: times.map(({ word }) => word).sort()[0]!,
          high: times
            .map(({ high }) => high)
            .sort()
            .at(-1)!,
        },
      ];
}

function periodOf(value: JsonObject): Values {
  const [start, end] = [timesIn(value['start']), timesIn(value['end'])];
  return start || end ? [{ word: start?.word ?? OPEN_START, high: end?.high ?? OPEN_END }] : [];
}

function datesOf(value: JsonValue, type: string): Values {
  if (!isJsonObject(value)) {
    const times = timesIn(value);
    return times ? [times] : [];
  }
  if (type === 'Timing') {
    const bounds = isJsonObject(value['repeat']) ? value['repeat']['boundsPeriod'] : undefined;
    const events = valuesInside(value, 'event').flatMap((event) => timesIn(event) ?? []);
    return isJsonObject(bounds) ? periodOf(bounds) : around(events);
  }
  return periodOf(value);
}

/** Half a unit of the last digit: `7.50` means 7.495 up to 7.505. */
function halfOf(digits: string): number {
  const [, fraction = '', exponent = '0'] = /^[+-]?\d+(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  return 0.5 * 10 ** (Number(exponent) - fraction.length);
}

export function numberRange(digits: string): { readonly from: number; readonly to: number } {
  const [value, half] = [Number(digits), halfOf(digits)];
  return { from: value - half, to: value + half };
}

function numbersOf(value: JsonValue): Values {
  const text = simpleText(value);
  return text === undefined || !Number.isFinite(Number(text)) ? [] : [{ from: Number(text), to: Number(text) }];
}

const limits = new Map<string, readonly [number, number]>([
  ['<', [-Number.MAX_VALUE, 0]],
  ['<=', [-Number.MAX_VALUE, 0]],
  ['>', [0, Number.MAX_VALUE]],
  ['>=', [0, Number.MAX_VALUE]],
]);

type Amount = { readonly from: number; readonly to: number };

/** The databases keep no number beyond these ends; open ends are at them. */
function withinDoubles(number: number): number {
  return Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, number));
}

/** An amount in base units, if its unit is one of UCUM that is understood. */
function inBase({ from, to }: Amount, { code, system }: JsonObject): Values {
  const unit = simpleText(system) === UCUM ? inBaseUnits(simpleText(code) ?? '') : undefined;
  return unit
    ? [
        {
          from: withinDoubles(unit.of(from)),
          to: withinDoubles(unit.of(to)),
          word: unit.dimension,
          behind: IN_BASE_UNITS,
        },
      ]
    : [];
}

/** A quantity under its code, under its unit in words, and in base units. */
function quantityOf(value: JsonObject): Values {
  const [number] = numbersOf(value['value'] ?? null);
  if (!number) {
    return [];
  }
  const [low, high] = limits.get(simpleText(value['comparator']) ?? '') ?? [0, 0];
  const range = { from: low === 0 ? number.from! : low, to: high === 0 ? number.to! : high };
  const [code, unit, system] = [
    simpleText(value['code']),
    simpleText(value['unit']),
    simpleText(value['system']) ?? '',
  ];
  const currency = simpleText(value['currency']);
  const coded = code ?? currency;
  return [
    { ...range, system: shortSystem(system), ...(coded === undefined ? {} : { word: cutText(coded, WORD_LENGTH) }) },
    ...(unit === undefined || unit === coded ? [] : [{ ...range, system: '', word: cutText(unit, WORD_LENGTH) }]),
    ...inBase(range, value),
  ];
}

function quantitiesOf(value: JsonValue, type: string): Values {
  if (!isJsonObject(value)) {
    return [];
  }
  if (type === 'Range') {
    const [low, high] = [value['low'], value['high']].map((one) =>
      isJsonObject(one) ? quantityOf(one)[0] : undefined,
    );
    const some = low ?? high;
    const range = { from: low?.from ?? -Number.MAX_VALUE, to: high?.to ?? Number.MAX_VALUE };
    const ends = [value['low'], value['high']].filter(isJsonObject);
    return some ? [{ ...some, ...range }, ...(ends[0] ? inBase(range, ends[0]) : [])] : [];
  }
  return type === 'SampledData' ? [] : quantityOf(value);
}

/** An address that names a version behind a bar is found with it and without it. */
function addressesIn(text: string): readonly string[] {
  const [address = '', version] = text.split('|');
  return version === undefined || address === '' ? [text] : [text, address];
}

function referencesOf(value: JsonValue): Values {
  if (!isJsonObject(value)) {
    const text = simpleText(value);
    return text === undefined ? [] : addressesIn(text).map((word) => ({ word: cutText(word, WORD_LENGTH) }));
  }
  const reference = simpleText(value['reference']);
  const identifier = isJsonObject(value['identifier']) ? tokensOf(value['identifier'], 'Identifier') : [];
  return [
    ...(reference === undefined || reference.startsWith('#')
      ? []
      : [{ word: cutText(versionless(reference), WORD_LENGTH) }]),
    ...identifier.map((one) => ({ ...one, exact: 'identifier' })),
  ];
}

function versionless(reference: string): string {
  return reference.replace(/\/_history\/[^/]*$/, '');
}

function valuesByType({ type }: Pick<SearchDefinition, 'type'>, path: SearchPath, value: JsonValue): Values {
  switch (type) {
    case 'token':
      return tokensOf(value, path.type);
    case 'string':
      return stringsOf(value);
    case 'date':
      return datesOf(value, path.type);
    case 'number':
      return numbersOf(value);
    case 'quantity':
      return quantitiesOf(value, path.type);
    case 'reference':
      return referencesOf(value).filter(({ word = '', system }) => isTarget(path, word, system));
    case 'uri':
      return referencesOf(value).map((one) => (one.word === undefined ? one : { ...one, word: shortSystem(one.word) }));
    default:
      return [];
  }
}

function isTarget({ target }: SearchPath, word: string, system: string | undefined): boolean {
  return target === undefined || system !== undefined || `/${word}`.includes(`/${target}/`);
}

/** Whether a value is a contact or an extension of the kind that a step means. */
function isMeant({ system, url }: Step, value: JsonValue): boolean {
  const isAny = system === undefined && url === undefined;
  return (
    isAny ||
    (isJsonObject(value) &&
      (system === undefined || value['system'] === system) &&
      (url === undefined || value['url'] === url))
  );
}

function atPath(values: readonly JsonValue[], steps: readonly Step[]): readonly JsonValue[] {
  let found = values;
  for (const step of steps) {
    const next: JsonValue[] = [];
    for (const value of found) {
      for (const inner of isJsonObject(value) ? valuesInside(value, step.name) : NOTHING) {
        if (inner !== null && isMeant(step, inner)) {
          next.push(inner);
        }
      }
    }
    found = next;
    if (found.length === 0) {
      return NOTHING;
    }
  }
  return found;
}

/** The references of a resource that a search parameter finds. */
export function referencesBy(type: string, resource: JsonObject, name: string): readonly string[] {
  const definition = searchDefinitionsOf(type).find((one) => one.name === name && one.type === 'reference');
  const values = (definition?.paths ?? []).flatMap((path) =>
    atPath([resource], path.steps).flatMap((value) => (definition ? valuesByType(definition, path, value) : [])),
  );
  return [...new Set(values.flatMap(({ word, system }) => (word === undefined || system !== undefined ? [] : [word])))];
}

/** The second part of a composite: a code, a unit, a text or a reference stands beside the first in one text. */
function secondOf(type: string, { word = '', system, behind, ...range }: Value): Value {
  const isCoded = type === 'token' || type === 'quantity';
  const text = isCoded ? `${word}${BETWEEN}${behind === undefined ? (system ?? '') : ''}` : word;
  return {
    ...range,
    ...(type === 'date' ? { low: word } : { exact: text }),
    ...(behind === undefined ? {} : { behind }),
  };
}

/** The values of a composite: each of its first part with each of its second part. */
function compositePairs({ base, parts }: Composite, resource: JsonObject): Values {
  return base.flatMap((path) =>
    atPath([resource], path.steps).flatMap((whole) => {
      const valuesOf = (part: CompositePart): Values =>
        pathsOfPart(path, part).flatMap((one) =>
          isJsonObject(whole) ? atPath([whole], one.steps).flatMap((value) => valuesByType(part, one, value)) : [],
        );
      const [first, second] = parts;
      const values = valuesOf(second)
        .filter(({ behind }) => behind !== TEXT)
        .map((one) => secondOf(second.type, one));
      const codes = values.length === 0 ? [] : valuesOf(first).filter(({ behind }) => behind === undefined);
      return codes.flatMap((code) => values.map((value) => ({ ...code, ...value })));
    }),
  );
}

/** Whether an element says anything but why it says nothing. */
function hasMeaning(value: JsonValue): boolean {
  return !isJsonObject(value) || Object.keys(value).some((name) => name !== 'extension' && name !== 'id');
}

/**
 * What says that the element is there, where nothing in it can be found, as in a reference that is only words. A date in
 * words compares with nothing, so it counts as missing.
 */
const PRESENT: Value = {};
const SAID_IN_WORDS: readonly SearchDefinition['type'][] = ['token', 'reference'];

function allValues(definition: SearchDefinition, resource: JsonObject): Values {
  const found = definition.paths.flatMap((path) =>
    atPath([resource], path.steps).flatMap((value) => {
      const values = valuesByType(definition, path, value);
      const isHidden =
        SAID_IN_WORDS.includes(definition.type) &&
        path.target === undefined &&
        values.every(({ behind }) => behind !== undefined);
      return isHidden && hasMeaning(value) ? [...values, PRESENT] : values;
    }),
  );
  return [...found, ...definition.composites.flatMap((composite) => compositePairs(composite, resource))];
}

/** What no other value of the resource has in common with a value. */
function valueKeyOf({ name, word, system, exact, low, high, from, to }: SearchValue): string {
  return [name, word, system === undefined ? '' : `+${system}`, exact, low, high, from, to].join('\u0000');
}

/** What is stored of a resource for searches: nothing of a person, whom no document completely describes. */
export function storedValuesOf(type: string, resource: JsonObject, own: string): readonly SearchValue[] {
  return isServed(type) ? searchValuesOf(type, resource, own) : [];
}

/** The elements of a resource of which one must be there, so that a parameter finds anything. */
function elementsSought({ paths, composites }: SearchDefinition): readonly string[] {
  const begins = [
    ...paths,
    ...composites.flatMap(({ base, parts }) =>
      base.flatMap((path) => (path.steps.length > 0 ? [path] : pathsOfPart(path, parts[1]))),
    ),
  ];
  return [...new Set(begins.flatMap(({ steps }) => (steps[0] === undefined ? [] : [steps[0].name])))];
}

type Sought = { readonly definition: SearchDefinition; readonly elements: readonly string[] };

const sought = new Map<string, readonly Sought[]>();

/** A resource has few of the elements that the parameters of its type look at. */
function soughtOf(type: string): readonly Sought[] {
  const known =
    sought.get(type) ??
    ownDefinitionsOf(type).map((definition) => ({ definition, elements: elementsSought(definition) }));
  sought.set(type, known);
  return known;
}

function namedValue({ name, type }: SearchDefinition, { behind, ...value }: Value, own: string): SearchValue {
  const isOwn = type === 'reference' && value.word === own && value.system === undefined;
  return {
    ...value,
    ...(isOwn ? { word: OWN_PATIENT } : {}),
    name: behind === undefined ? name : name + behind,
  };
}

/** Each value once. */
function differentValues(values: readonly SearchValue[]): readonly SearchValue[] {
  return values.length < 2 ? values : [...new Map(values.map((value) => [valueKeyOf(value), value])).values()];
}

/**
 * Everything by which searches find a resource, each value once.
 * @param own how the resource names the person of its record
 */
export function searchValuesOf(type: string, resource: JsonObject, own: string): readonly SearchValue[] {
  const found: SearchValue[] = [];
  for (const { definition, elements } of soughtOf(type)) {
    if (elements.some((name) => resource[name] !== undefined)) {
      const values = allValues(definition, resource).map((value) => namedValue(definition, value, own));
      found.push(...differentValues(values));
    }
  }
  return found;
}
