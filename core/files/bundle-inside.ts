/**
 * bundle-inside: the resources inside Parameters, or inside Bundles that stand in a Bundle, as one Bundle (pure). Programs
 * that ask for several things at once get such answers.
 */
import { parse, stringify } from 'lossless-json';

type Members = { readonly [name: string]: unknown };

function isJsonMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOfMembers(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isJsonMembers) : [];
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
  if (!isJsonMembers(resource) || depth > DEEPEST) {
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
    ...(isJsonMembers(parameter['resource']) ? entriesFor({ resource: parameter['resource'] }, depth) : []),
    ...listOfMembers(parameter['part']).flatMap((part) => (depth > DEEPEST ? [] : inParameter(part, depth + 1))),
  ];
}

/** All resources that stand directly in it. */
function findResources({ resourceType, entry, parameter }: Members): readonly Members[] {
  const inParts = (one: Members, depth: number): readonly unknown[] => [
    one['resource'],
    ...(depth > DEEPEST ? [] : listOfMembers(one['part']).flatMap((part) => inParts(part, depth + 1))),
  ];
  const all =
    resourceType === 'Bundle'
      ? listOfMembers(entry).map(({ resource }) => resource)
      : listOfMembers(parameter).flatMap((one) => inParts(one, 0));
  return all.filter(isJsonMembers);
}

/** The one Bundle of which a file consists: it keeps what it is. */
function onlyBundle(root: Members): Members | undefined {
  const [first, ...more] = findResources(root);
  return more.length === 0 && first?.['resourceType'] === 'Bundle' ? first : undefined;
}

/** Entries that were asked for, and not what answers the request around them. */
function withoutAnswers({ fullUrl, resource, search }: Members): Members {
  return Object.fromEntries(Object.entries({ fullUrl, resource, search }).filter(([, value]) => value !== undefined));
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

/** Longer texts are left as they are, because they are read between other requests. */
const LONGEST = 5_000_000;

function parseOrNothing(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @returns undefined when the text holds its resources itself, or is no JSON */
export function bundleInside(bytes: Buffer): Buffer | undefined {
  const text = bytes.length > LONGEST ? '' : bytes.toString('utf8').replace(/^\uFEFF/, '');
  const root = mayHold(text) ? parseOrNothing(text) : undefined;
  if (!isJsonMembers(root) || (root['resourceType'] === 'Bundle' && WHOLE.has(String(root['type'])))) {
    return undefined;
  }
  const only = onlyBundle(root);
  if (only) {
    const whole = Buffer.from(stringify(only) ?? '');
    return bundleInside(whole) ?? whole;
  }
  const own = listOfMembers(root['entry']);
  const inside =
    root['resourceType'] === 'Bundle' ? own.flatMap((one) => entriesFor(one, 1)) : entriesFor({ resource: root }, 0);
  if (inside.length === 0 || (own.length === inside.length && own.every((one, at) => one === inside[at]))) {
    return undefined;
  }
  const entries = hasMorePages(root) ? [...inside, { resource: MORE_PAGES }] : inside;
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries.map(withoutAnswers) };
  return Buffer.from(stringify(bundle) ?? '');
}
