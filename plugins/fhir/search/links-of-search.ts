/**
 * links-of-search: reads the parameters of a search that lead to other resources: `encounter.status=finished` (what the
 * resource names) and `_has:Observation:encounter:code=718-7` (what names the resource), both in several steps (pure).
 */
import type { SearchParameter } from './supported';

/** A search of other resources, by which those that name them, or that they name, are found. */
export type Link = {
  /** The parameter as it was given. */
  readonly given: string;
  /** True: the others name the resource (`_has`). */
  readonly isReverse: boolean;
  /** The types of the others. */
  readonly types: readonly string[];
  /** True when the client has named the type. */
  readonly isNamed: boolean;
  /** The reference parameter between the two: of the others where these name the resource, else of the resource. */
  readonly reference: string;
  /** What the others have to meet: a parameter with its modifier, and its value. */
  readonly parameter: string;
  readonly value: string;
};

/** The search parameters of a type; undefined for one that is not searched. */
export type ParametersOf = (type: string) => ReadonlyMap<string, SearchParameter> | undefined;

type Known = { readonly parametersOf: ParametersOf; readonly types: readonly string[] };

const HAS = /^_has:([A-Z][A-Za-z]{1,60}):([\w-]{1,60}):(\S{1,240})$/;
const CHAIN = /^([\w-]{1,60})(?::([A-Z][A-Za-z]{1,60}))?\.(\S{1,240})$/;
/** A parameter that leads no further, with its modifier. */
const PLAIN = /^([\w-]{1,60})(?::[\w-]{1,60})?$/;

/** Each step is a search of its own. */
const MOST_STEPS = 3;

/** What is asked of the others, and how many steps led to them. */
type Step = { readonly parameter: string; readonly value: string; readonly number: number };

function isReference(parameters: ReadonlyMap<string, SearchParameter> | undefined, name: string): boolean {
  return parameters?.get(name)?.type === 'reference';
}

/** Whether resources of a type can be asked so. */
function isAsked(known: Known, type: string, { parameter, value, number }: Step): boolean {
  const [parameters, name] = [known.parametersOf(type), PLAIN.exec(parameter)?.[1]];
  if (!parameters) {
    return false;
  }
  return name === undefined
    ? number < MOST_STEPS && readLink(known, parameters, parameter, value, number + 1) !== undefined
    : parameters.has(name);
}

function hasOf(known: Known, given: string, value: string, number: number): Link | undefined {
  const [, type = '', reference = '', parameter = ''] = HAS.exec(given) ?? [];
  const isKnown = isReference(known.parametersOf(type), reference) || (type === 'Provenance' && reference === 'target');
  return isKnown && isAsked(known, type, { parameter, value, number })
    ? { given, isReverse: true, types: [type], isNamed: true, reference, parameter, value }
    : undefined;
}

function chainOf(
  known: Known,
  own: ReadonlyMap<string, SearchParameter>,
  given: string,
  value: string,
  number: number,
): Link | undefined {
  const [, reference = '', type, parameter = ''] = CHAIN.exec(given) ?? [];
  if (!isReference(own, reference)) {
    return undefined;
  }
  const isLast = PLAIN.test(parameter);
  // The patient of a resource is a Patient. A step that another follows leads to one type.
  const meant =
    isLast && reference !== 'patient' ? undefined : known.types.find((one) => one.toLowerCase() === reference);
  const named = type ?? meant;
  if (named === undefined && !isLast) {
    return undefined;
  }
  const led = (named === undefined ? known.types : [named]).filter((one) =>
    isAsked(known, one, { parameter, value, number }),
  );
  return led.length === 0
    ? undefined
    : { given, isReverse: false, types: led, isNamed: named !== undefined, reference, parameter, value };
}

/** Whether a parameter leads to other resources at all, in one step or more. */
export function isLink(given: string): boolean {
  return given.startsWith('_has:') || /^[\w-]+(?::[A-Z]\w*)?\./.test(given);
}

function readLink(
  known: Known,
  own: ReadonlyMap<string, SearchParameter>,
  given: string,
  value: string,
  number: number,
): Link | undefined {
  return given.startsWith('_has:') ? hasOf(known, given, value, number) : chainOf(known, own, given, value, number);
}

/** Reads such a parameter; undefined for one that names no type, reference or parameter that is known. */
export function linkOf(
  known: Known,
  own: ReadonlyMap<string, SearchParameter>,
  given: string,
  value: string,
): Link | undefined {
  return readLink(known, own, given, value, 1);
}
