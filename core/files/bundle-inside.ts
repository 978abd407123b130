/**
 * bundle-inside: the resources inside Parameters, or inside Bundles that stand in a Bundle, as one Bundle (pure). Programs
 * that ask for several things at once get such answers.
 */
import { stringify } from 'lossless-json';
import { isObject, parseExactJson, type JsonObject as Members } from '../base/json';
import type { Json } from '../base/types';
import { textAtStart } from './sniff';

function listOfMembers(value: Json | undefined): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** So deep may they stand inside each other. */
const DEEPEST = 20;

/** Whether a Bundle is a page of a search after which others come. */
function hasMorePages({ link }: Members): boolean {
  return listOfMembers(link).some(({ relation }) => relation === 'next');
}

const MORE_PAGES: Members = {
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'information',
      code: 'informational',
      details: { coding: [{ system: 'urn:svc:mended', code: 'more_pages' }] },
    },
  ],
};

/** The entries for a resource: those inside of it, if it holds others together, else itself. */
function entriesFor(entry: Members, depth: number): readonly Members[] {
  const { resource } = entry;
  if (!isObject(resource) || depth > DEEPEST) {
    return [entry];
  }
  if (resource['resourceType'] === 'Parameters') {
    return listOfMembers(resource['parameter']).flatMap((one) => inParameter(one, depth + 1));
  }
  if (resource['resourceType'] !== 'Bundle' || resource['type'] === 'document') {
    return [entry];
  }
  const inside = listOfMembers(resource['entry']).flatMap((one) => entriesFor(one, depth + 1));
  return hasMorePages(resource) ? [...inside, { resource: MORE_PAGES }] : inside;
}

function inParameter(parameter: Members, depth: number): readonly Members[] {
  return [
    ...(isObject(parameter['resource']) ? entriesFor({ resource: parameter['resource'] }, depth) : []),
    ...listOfMembers(parameter['part']).flatMap((part) => (depth > DEEPEST ? [] : inParameter(part, depth + 1))),
  ];
}

/** All resources that stand directly in it. */
function findResources({ resourceType, entry, parameter }: Members): readonly Members[] {
  const inParts = (one: Members, depth: number): readonly (Json | undefined)[] => [
    one['resource'],
    ...(depth > DEEPEST ? [] : listOfMembers(one['part']).flatMap((part) => inParts(part, depth + 1))),
  ];
  const all =
    resourceType === 'Bundle'
      ? listOfMembers(entry).map(({ resource }) => resource)
      : listOfMembers(parameter).flatMap((one) => inParts(one, 0));
  return all.filter(isObject);
}

/** The one Bundle that stands in it, beside nothing else: it keeps what it is. */
function onlyBundle(root: Members): Members | undefined {
  const [first, ...more] = findResources(root);
  return more.length === 0 && first?.['resourceType'] === 'Bundle' ? first : undefined;
}

/** Entries that were asked for, and not what answers the request around them. */
function withoutAnswers({ fullUrl, resource, search }: Members): Members {
  return Object.fromEntries(
    Object.entries({ fullUrl, resource, search }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

const PARAMETERS = /"resourceType"\s*:\s*"Parameters"/;
const BUNDLE = /"resourceType"\s*:\s*"Bundle"/;

/** Whether a text has the words more than once, or the first of two kinds. */
function mayHold(text: string): boolean {
  const first = BUNDLE.exec(text);
  return PARAMETERS.test(text) || (first !== null && BUNDLE.test(text.slice(first.index + first[0].length)));
}

/** A history, a transaction and a document mean more than their entries. */
const WHOLE = new Set(['document', 'history', 'transaction', 'batch', 'message']);

/** Longer texts are left to the processes that read documents, because others are read between requests. */
const LONGEST = 5_000_000;

/** Whether it is Parameters that are too long to be read between requests. */
export function isLongParameters(bytes: Buffer): boolean {
  return bytes.length > LONGEST && /^\s*\{/.test(textAtStart(bytes)) && PARAMETERS.test(textAtStart(bytes));
}

function isWhole({ resourceType, type }: Members): boolean {
  return resourceType === 'Bundle' && WHOLE.has(String(type));
}

/** The Bundle around which there is nothing but other Bundles and Parameters; of very many, one of the outer ones. */
function innermostBundle(root: Members): Members {
  let inner = root;
  for (let depth = 0; depth < DEEPEST && !isWhole(inner); depth += 1) {
    const only = onlyBundle(inner);
    if (only === undefined) {
      return inner;
    }
    inner = only;
  }
  return inner;
}

/** Its entries with what is inside of them; undefined when it holds its resources itself. */
function unfoldedEntries(root: Members): readonly Members[] | undefined {
  const own = listOfMembers(root['entry']);
  const inside =
    root['resourceType'] === 'Bundle' ? own.flatMap((one) => entriesFor(one, 1)) : entriesFor({ resource: root }, 0);
  const isSame = own.length === inside.length && own.every((one, at) => one === inside[at]);
  return isWhole(root) || inside.length === 0 || isSame ? undefined : inside;
}

function unfolded(text: string): Members | undefined {
  const root = parseExactJson(text) as Json;
  if (!isObject(root)) {
    return undefined;
  }
  const inner = innermostBundle(root);
  const inside = unfoldedEntries(inner);
  if (inside === undefined) {
    return inner === root ? undefined : inner;
  }
  const entries = hasMorePages(inner) ? [...inside, { resource: MORE_PAGES }] : inside;
  return { resourceType: 'Bundle', type: 'collection', entry: entries.map(withoutAnswers) };
}

/**
 * @returns undefined when the text holds its resources itself, is no JSON, or is nested more deeply than can be read
 */
export function bundleInside(bytes: Buffer, longest = LONGEST): Buffer | undefined {
  const text = bytes.length > longest ? '' : bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (!mayHold(text)) {
    return undefined;
  }
  try {
    const bundle = unfolded(text);
    return bundle && Buffer.from(stringify(bundle) ?? '');
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}
