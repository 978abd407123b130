/**
 * links-of-search: reads the parameters of a search that lead to other resources: `encounter.status=finished` (what the
 * resource names) and `_has:Observation:encounter:code=718-7` (what names the resource), both of one step (pure).
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

const HAS = /^_has:([A-Z][A-Za-z]{1,60}):([\w-]{1,60}):([\w-]{1,60}(?::[\w-]{1,60})?)$/;
const CHAIN = /^([\w-]{1,60})(?::([A-Z][A-Za-z]{1,60}))?\.([\w-]{1,60}(?::[\w-]{1,60})?)$/;

function parameterName(parameter: string): string {
  return parameter.split(':')[0]!;
}

function isReference(parameters: ReadonlyMap<string, SearchParameter> | undefined, name: string): boolean {
  return parameters?.get(name)?.type === 'reference';
}

function hasOf({ parametersOf }: Known, given: string, value: string): Link | undefined {
  const [, type = '', reference = '', parameter = ''] = HAS.exec(given) ?? [];
  const parameters = parametersOf(type);
  const isKnown =
    isReference(parameters, reference) || (type === 'Provenance' && reference === 'target' && parameters !== undefined);
  return isKnown && parameters!.has(parameterName(parameter))
    ? { given, isReverse: true, types: [type], isNamed: true, reference, parameter, value }
    : undefined;
}

function chainOf(
  { parametersOf, types }: Known,
  own: ReadonlyMap<string, SearchParameter>,
  given: string,
  value: string,
): Link | undefined {
  const [, reference = '', type, parameter = ''] = CHAIN.exec(given) ?? [];
  if (!isReference(own, reference)) {
    return undefined;
  }
  // The patient of a resource is a Patient.
  const named = type ?? (reference === 'patient' ? 'Patient' : undefined);
  const led = (named === undefined ? types : [named]).filter((one) => parametersOf(one)?.has(parameterName(parameter)));
  return led.length === 0
    ? undefined
    : { given, isReverse: false, types: led, isNamed: named !== undefined, reference, parameter, value };
}

/** Whether a parameter leads to other resources at all, in one step or more. */
export function isLink(given: string): boolean {
  return given.startsWith('_has:') || /^[\w-]+(?::[A-Z]\w*)?\./.test(given);
}

/** Reads such a parameter; undefined for one that names no type, reference or parameter that is known. */
export function linkOf(
  known: Known,
  own: ReadonlyMap<string, SearchParameter>,
  given: string,
  value: string,
): Link | undefined {
  return given.startsWith('_has:') ? hasOf(known, given, value) : chainOf(known, own, given, value);
}
