/**
 * stated-person: completes a Patient with what documents say of the person. The demographics are the person's own word:
 * what they say stays, and a document of somebody who was born on another day says nothing. No identifiers are taken from
 * documents, because every app would learn social security numbers (pure).
 */
import { sha256 } from '../../../core/base/ids';
import { filled, type Versioned } from '../../../core/fhir/resource';

/** What one document says of the person. */
type Stated = { readonly resource: Versioned; readonly updatedAt: string };

type Item = {
  readonly url?: string;
  readonly use?: string;
  readonly value?: string;
  readonly period?: { readonly end?: string };
};

function itemsOf(resource: Versioned, name: string): readonly Item[] {
  return (resource[name] ?? []) as readonly Item[];
}

/** The words of an extension of US Core that has several parts. */
function extensionWords(extension: Item | undefined): string {
  const { extension: parts = [] } = (extension ?? {}) as {
    readonly extension?: readonly { readonly url: string; readonly valueString?: string }[];
  };
  return (parts.find(({ url }) => url === 'text')?.valueString ?? '').toLowerCase();
}

/** The extensions of the demographics, each with the codes that the newest document has for the same words, and others. */
function extensionsOf(own: readonly Item[], stated: readonly Versioned[]): readonly Item[] {
  const found = new Map<string, readonly Item[]>();
  for (const resource of stated) {
    const urls = new Set(itemsOf(resource, 'extension').map(({ url = '' }) => url));
    for (const url of urls) {
      const said = itemsOf(resource, 'extension').filter((one) => one.url === url);
      const before = own.find((one) => one.url === url);
      if (!found.has(url) && (!before || extensionWords(before) === extensionWords(said[0]))) {
        found.set(url, said);
      }
    }
  }
  return [...own.filter(({ url = '' }) => !found.has(url)), ...[...found.values()].flat()];
}

const FORMER = ['old', 'maiden', 'nickname'];

/** Names and addresses that are said to be former ones, or other names. The present ones are those of the demographics. */
function formerOf(stated: readonly Versioned[], name: string, now: string): readonly Item[] {
  const all = stated
    .flatMap((resource) => itemsOf(resource, name))
    .filter(({ use = '', period }) => FORMER.includes(use) || (period?.end !== undefined && period.end < now));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Elements of which each document that has one says all. */
const WHOLE = ['maritalStatus', 'communication', 'telecom', 'generalPractitioner'];
const CHOICES = ['deceased', 'multipleBirth'];

/** The elements that the newest document with one says, where the Patient has none. */
function wholeOf(patient: Versioned, stated: readonly Versioned[]): Readonly<Record<string, unknown>> {
  const saying = (isOne: (name: string) => boolean): Readonly<Record<string, unknown>> => {
    const newest = stated.find((resource) => Object.keys(resource).some(isOne));
    return Object.fromEntries(Object.entries(newest ?? {}).filter(([name]) => isOne(name)));
  };
  const isPlain = (wanted: string) => (name: string) => name === wanted || name === `_${wanted}`;
  const isChoice = (wanted: string) => (name: string) => name.replace(/^_/, '').startsWith(wanted);
  return Object.assign(
    {},
    ...WHOLE.filter((name) => itemsOf(patient, name).length === 0).map((name) => saying(isPlain(name))),
    ...CHOICES.map((name) => saying(isChoice(name))),
  ) as Readonly<Record<string, unknown>>;
}

/** An address of now, where the demographics have none. */
function addressesOf(patient: Versioned, stated: readonly Versioned[], now: string): readonly Item[] {
  const own = itemsOf(patient, 'address');
  const former = formerOf(stated, 'address', now);
  const isFormer = new Set(former.map((one) => JSON.stringify(one)));
  const present = stated
    .map((resource) => itemsOf(resource, 'address').filter((one) => !isFormer.has(JSON.stringify(one))))
    .find((some) => some.length > 0);
  return [...(own.length > 0 ? own : (present ?? [])), ...former];
}

function isOfSamePerson(patient: Versioned, { birthDate }: Versioned): boolean {
  const own = String(patient['birthDate'] ?? '');
  const said = typeof birthDate === 'string' ? birthDate : '';
  return own.startsWith(said) || said.startsWith(own);
}

/**
 * The Patient with what documents say beside the demographics, in a version of its own.
 * @param stated the newest first
 * @param now the time of the call, as FHIR writes it
 */
export function completedPatient(patient: Versioned, all: readonly Stated[], now: string): Versioned {
  const meant = all.filter(({ resource }) => isOfSamePerson(patient, resource));
  const stated = meant.map(({ resource }) => resource);
  const completed = filled({
    ...patient,
    ...wholeOf(patient, stated),
    extension: extensionsOf(itemsOf(patient, 'extension'), stated),
    name: [...itemsOf(patient, 'name'), ...formerOf(stated, 'name', now)],
    address: addressesOf(patient, stated, now),
  });
  const { meta: _, ...said } = completed;
  const { meta, ...before } = patient;
  if (JSON.stringify(said) === JSON.stringify(before)) {
    return patient;
  }
  const times = [meta.lastUpdated ?? '', ...meant.map(({ updatedAt }) => updatedAt)];
  const [tag, lastUpdated] = [sha256(JSON.stringify(said)).slice(0, 8), times.sort().at(-1)!];
  return { ...completed, meta: { ...meta, versionId: `${meta.versionId}-${tag}`, lastUpdated } };
}
