/** search-query: reads the parameters of a FHIR search, checked against what a type supports (pure). */
import { errors } from '../../../core/base/errors';
import { countOf } from '../../../core/base/count';
import { codesOfValueSet } from '../../../core/fhir/bindings';
import { relatedCodes } from '../../../core/fhir/code-systems';
import { isLink, linkOf, type Link, type ParametersOf } from './links-of-search';
import type { SearchParameter } from './supported';

/** One parameter that filters. A resource must meet all filters; it meets a filter by any of its values. */
export type Filter = {
  readonly name: string;
  /** The text after the parameter's colon; empty when there is none. */
  readonly modifier: string;
  /** The values as received, with their escapes. */
  readonly values: readonly string[];
  readonly parameter: SearchParameter;
};

type Summary = 'true' | 'text' | 'data' | 'count' | 'false';

/** How much of each resource the client asked for. */
export type Shown = { readonly summary: Summary; readonly elements: readonly string[] };

export type Sort = { readonly name: string; readonly descending: boolean };

/** A parameter that was not used, and why. */
export type Unused = { readonly name: string; readonly reason: string };

export type SearchQuery = {
  readonly filters: readonly Filter[];
  readonly sort: readonly Sort[];
  /** The largest number of matches on a page. */
  readonly count: number;
  readonly total: 'none' | 'estimate' | 'accurate' | undefined;
  readonly includes: readonly string[];
  readonly reverseIncludes: readonly string[];
  /** Those of both that are applied to what was included, too. */
  readonly again: { readonly includes: readonly string[]; readonly reverseIncludes: readonly string[] };
  /** Parameters that lead to other resources. */
  readonly links: readonly Link[];
  readonly shown: Shown;
  readonly unused: readonly Unused[];
  /** Of what documents state, only so many that have the same code and words; not for a large record. */
  readonly ofEachCode?: number;
  /** The pairs that were used, for the self link. */
  readonly used: URLSearchParams;
};

const USUAL_COUNT = 50;
const MOST = 1000;
/** The largest number of values in all parameters of a search together. */
const MOST_VALUES = 500;

/** Parameters that choose the form of the answer; they are not part of the search itself. */
export const formOnly = ['_format', '_pretty'];

/** Splits a text at a character, except where a backslash escapes it. */
export function splitAt(text: string, separator: string): readonly string[] {
  const parts: string[] = [''];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character === '\\' && index + 1 < text.length) {
      parts[parts.length - 1] += character + text[(index += 1)]!;
    } else if (character === separator) {
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  return parts;
}

function escaped(text: string): string {
  return text.replace(/[\\$,|]/g, '\\$&');
}

export function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/**
 * Reads `system|code`. The system is undefined when the value names none, and empty in `|code`, which means a code
 * without a system.
 */
export function readToken(value: string): { readonly system: string | undefined; readonly code: string } {
  const [first = '', second] = splitAt(value, '|').map(unescaped);
  return second === undefined ? { system: undefined, code: first } : { system: first, code: second };
}

/**
 * The id in `id`, `Type/id`, `Type/id/_history/1` or an address below the service's own base; undefined for a reference
 * that leads elsewhere.
 */
export function readReference(
  value: string,
  base: string,
): { readonly type: string | undefined; readonly id: string } | undefined {
  const text = unescaped(value);
  const relative = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text;
  const [, type, id] =
    /^(?:([A-Z][A-Za-z]+)\/)?([A-Za-z0-9\-.]{1,64})(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/.exec(relative) ?? [];
  return id === undefined ? undefined : { type, id };
}

type Reading = {
  readonly supported: ReadonlyMap<string, SearchParameter>;
  readonly sortable: readonly string[];
  /** What `_include` and `_revinclude` may name. */
  readonly includes: readonly string[];
  readonly reverseIncludes: readonly string[];
  /** True when the client sent `Prefer: handling=strict`. */
  readonly strict: boolean;
  /** The parameters of other types, and all these types; absent: no parameter leads to other resources. */
  readonly others?: { readonly parametersOf: ParametersOf; readonly types: readonly string[] };
};

type Collected = { -readonly [Key in keyof SearchQuery]: SearchQuery[Key] };

function readCount(value: string): number {
  const count = countOf(value);
  if (count === undefined) {
    throw errors.invalidParameter('_count', 'it must be a whole number that is not negative');
  }
  return Math.min(count, MOST);
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if (!(allowed as readonly string[]).includes(value)) {
    throw errors.invalidParameter(name, `it can be ${allowed.join(', ')}`);
  }
  return value as T;
}

const SUMMARIES: readonly Summary[] = ['true', 'text', 'data', 'count', 'false'];

/** The values of `_summary` outside searches, where there is nothing to count. */
export const OF_RESOURCES: readonly Summary[] = SUMMARIES.filter((name) => name !== 'count');

/** @throws errors.invalidParameter */
export function readShown(pairs: URLSearchParams, summaries: readonly Summary[] = SUMMARIES): Shown {
  return {
    summary: oneOf('_summary', pairs.get('_summary') || 'false', summaries),
    elements: pairs
      .getAll('_elements')
      .flatMap((names) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}

/** More parameters would change little, and each costs a comparison of every match. */
const MOST_SORTS = 4;

/** Those of the named parameters by which the results can be sorted, in their order. */
function readSort(value: string, { sortable }: Reading, unused: (reason: string) => void): readonly Sort[] {
  const known = value.split(',').flatMap((part): readonly Sort[] => {
    const name = part.replace(/^-/, '');
    if (!sortable.includes(name)) {
      unused(`the results cannot be sorted by ${/^_?[a-z-]{1,40}$/.test(name) ? name : 'that'}`);
      return [];
    }
    return [{ name, descending: part.startsWith('-') }];
  });
  if (known.length > MOST_SORTS) {
    unused(`the results are sorted by the first ${MOST_SORTS} parameters`);
  }
  return known.slice(0, MOST_SORTS);
}

/**
 * Whether a name of `_include` or `_revinclude` is known: `*`, `Type:*`, or `Type:parameter`, which a type may follow.
 */
function isInclude(value: string, known: readonly string[]): boolean {
  const [source = '', name] = value.split(':');
  return (
    value === '*' ||
    known.some((one) => one === `${source}:${name ?? ''}` || (name === '*' && one.startsWith(`${source}:`)))
  );
}

/** The values of a reference parameter with a type after its colon: `subject:Patient=1` means `subject=Patient/1`. */
function typedOf(name: string, type: string, values: readonly string[]): readonly string[] {
  if (values.some((value) => value.includes('/'))) {
    throw errors.invalidParameter(name, `with :${type} it is an id`);
  }
  return values.map((value) => `${type}/${value}`);
}

/** The codes of a value set that a search names. @throws errors.invalidParameter for one that is not held here */
function codesIn(name: string, set: string): readonly string[] {
  const codes = codesOfValueSet(unescaped(set));
  if (!codes) {
    throw errors.invalidParameter(name, 'this value set is not held here: name its codes instead');
  }
  return [...codes].flatMap(([system, all]) => all.map((code) => `${escaped(system)}|${escaped(code)}`));
}

/** A code and those above or below it. @throws errors.invalidParameter for one whose hierarchy is not held here */
function codesAlong(name: string, value: string, way: 'above' | 'below'): readonly string[] {
  const { system, code } = readToken(value);
  const found = relatedCodes(system, code, way);
  if (found.length === 0) {
    throw errors.invalidParameter(name, 'the hierarchy of this code is not held here: name the codes instead');
  }
  return found.map((one) => `${escaped(one.system)}|${escaped(one.code)}`);
}

type Meaning = { readonly modifier: string; readonly codesOf: (name: string, value: string) => readonly string[] };

/** The modifiers that mean several codes: these codes, and the modifier that is left. */
const OF_SEVERAL: Readonly<Record<string, Meaning>> = {
  in: { modifier: '', codesOf: codesIn },
  'not-in': { modifier: 'not', codesOf: codesIn },
  above: { modifier: '', codesOf: (name, value) => codesAlong(name, value, 'above') },
  below: { modifier: '', codesOf: (name, value) => codesAlong(name, value, 'below') },
};

function filterOf(name: string, modifier: string, value: string, parameter: SearchParameter): Filter {
  const values = splitAt(value, ',').filter((one) => one !== '');
  if (parameter.type === 'token' && Object.hasOwn(OF_SEVERAL, modifier) && parameter.modifiers.includes('not')) {
    const { modifier: left, codesOf } = OF_SEVERAL[modifier]!;
    return { name, modifier: left, values: values.flatMap((one) => codesOf(name, one)), parameter };
  }
  if (parameter.type === 'reference' && /^[A-Z][A-Za-z]{1,60}$/.test(modifier)) {
    return { name, modifier: '', values: typedOf(name, modifier, values), parameter };
  }
  if (modifier !== '' && !parameter.modifiers.includes(modifier)) {
    throw errors.invalidParameter(name, 'it does not take this modifier');
  }
  return { name, modifier, values, parameter };
}

/**
 * Whether a filter with `:missing` asks for resources that lack the element; undefined for any other filter.
 * @throws errors.invalidParameter
 */
export function wantsMissing({ name, modifier, values }: Filter): boolean | undefined {
  if (modifier !== 'missing') {
    return undefined;
  }
  if (values.length !== 1 || !['true', 'false'].includes(values[0]!)) {
    throw errors.invalidParameter(name, 'with :missing it is true or false');
  }
  return values[0] === 'true';
}

/** A parameter's name in a form that a message may repeat. */
export function shownName(name: string): string {
  return /^[\w:.-]{1,60}$/.test(name) ? name : 'without a readable name';
}

/** Modifiers that ask to include what is named by, or names, resources that were included. */
const again = ['iterate', 'recurse'];

function takeResult(
  given: string,
  value: string,
  query: Collected,
  reading: Reading,
  unused: (reason: string) => void,
): boolean {
  const [name = '', modifier] = given.split(':');
  const isInclusion = name === '_include' || name === '_revinclude';
  const isAgain = isInclusion && modifier !== undefined && again.includes(modifier);
  if (modifier !== undefined && !isAgain) {
    return false;
  }
  switch (name) {
    case '_count':
      query.count = readCount(value);
      return true;
    case '_sort':
      query.sort = readSort(value, reading, unused);
      return true;
    case '_total':
      query.total = oneOf('_total', value, ['none', 'estimate', 'accurate'] as const);
      return true;
    case '_include':
      if (isInclude(value, isAgain ? reading.reverseIncludes : reading.includes)) {
        query.includes = [...query.includes, value];
        query.again = isAgain ? { ...query.again, includes: [...query.again.includes, value] } : query.again;
      } else {
        unused('this type does not include that');
      }
      return true;
    case '_revinclude':
      if (isInclude(value, reading.reverseIncludes)) {
        query.reverseIncludes = [...query.reverseIncludes, value];
        query.again = isAgain
          ? { ...query.again, reverseIncludes: [...query.again.reverseIncludes, value] }
          : query.again;
      } else {
        unused('nothing of that kind refers to this type');
      }
      return true;
    case '_summary':
    case '_elements':
      return true;
    default:
      return false;
  }
}

function checkValues(name: string, filters: readonly Filter[]): void {
  const count = filters.reduce((sum, { values }) => sum + Math.max(values.length, 1), 0);
  if (count > MOST_VALUES) {
    throw errors.invalidParameter(name, `a search can have ${MOST_VALUES} values`);
  }
}

function sortText(sorts: readonly Sort[]): string {
  return sorts.map(({ name, descending }) => (descending ? `-${name}` : name)).join(',');
}

/**
 * Reads a search. Parameters that it cannot use are listed in `unused`, or refused when the client asks for that.
 * @throws errors.invalidParameter for values, modifiers and, when `strict`, names that cannot be used
 */
export function readSearch(pairs: URLSearchParams, reading: Reading): SearchQuery {
  const unused: Unused[] = [];
  const used = new URLSearchParams();
  const query: Collected = {
    filters: [],
    sort: [],
    count: USUAL_COUNT,
    total: undefined,
    includes: [],
    reverseIncludes: [],
    again: { includes: [], reverseIncludes: [] },
    links: [],
    shown: readShown(pairs),
    unused,
    used,
  };
  for (const [given, value] of pairs) {
    if (formOnly.includes(given) || value === '') {
      continue;
    }
    const leave = (reason: string): void => {
      if (reading.strict) {
        throw errors.invalidParameter(shownName(given), reason);
      }
      unused.push({ name: shownName(given), reason });
    };
    const known = unused.length;
    if (!takeResult(given, value, query, reading, leave)) {
      const [, name = '', modifier = ''] = /^([^:]*)(?::(.*))?$/s.exec(given) ?? [];
      const parameter = reading.supported.get(name);
      const link = reading.others && linkOf(reading.others, reading.supported, given, value);
      if (link) {
        query.links = [...query.links, link];
      } else if (isLink(given)) {
        leave('it leads to nothing that is known here; in several steps a type is named in each');
      } else if (parameter) {
        query.filters = [...query.filters, filterOf(name, modifier, value, parameter)];
        checkValues(name, query.filters);
      } else {
        leave('this type is not searched by it');
      }
    }
    if (unused.length === known) {
      used.append(given, value);
    } else if (given === '_sort' && query.sort.length > 0) {
      // The next page must have the order of this one.
      used.append(given, sortText(query.sort));
    }
  }
  return query;
}
