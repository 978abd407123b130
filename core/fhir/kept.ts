/**
 * kept: makes of a document of FHIR the resources that are kept of it, as they came: only their ids, their `meta`, the
 * person and references inside the document are marked, to be filled in when it is stored (pure).
 */
import type { SearchValue } from '../documents/kept-resources-store';
import { areUnlikeNames, isNewbornName, wordsOfName } from '../base/words/names';
import { markOf } from './kept-marks';
import { fhirType } from './elements';
import { resourceOf, type FromXml, type JsonObject, type JsonValue, type Tree } from './from-xml';
import { FHIR } from './json-to-xml';
import { asWritten, narrativesIn, writtenNarratives } from './narrative-markup';
import { child, childValue } from './outline';
import { profilesFor, profilesOf } from './profiles';
import { isServed } from './search-definitions';
import { storedValuesOf } from './search-values';
import { resourceText } from './write';

/** A resource of a document, before its id is known. */
export type KeptResource = {
  /** The index of its part in the outline of the document. */
  readonly part: number;
  readonly type: string;
  /** What names it among all versions of the document. */
  readonly key: string;
  /** JSON with marks. */
  readonly text: string;
  readonly values: readonly SearchValue[];
  /** True: something that FHIR does not allow was left out of it. */
  readonly isMended: boolean;
};

type Part = {
  readonly index: number;
  readonly resource: Tree;
  readonly fullUrl: string;
  readonly id: string;
};

function versionless(reference: string): string {
  return reference.replace(/\/_history\/[^/]*$/, '');
}

function readParts(root: Tree): readonly Part[] {
  if (root.name !== 'Bundle') {
    return [{ index: 0, resource: root, fullUrl: '', id: childValue(root, 'id') }];
  }
  return root.elements
    .filter(({ name }) => name === 'entry')
    .flatMap((entry, index) => {
      const resource = child(entry, 'resource')?.elements[0];
      return resource
        ? [{ index, resource, fullUrl: childValue(entry, 'fullUrl'), id: childValue(resource, 'id') }]
        : [];
    });
}

/** The elements of a resource that say whom it is about. */
const SUBJECTS: readonly string[] = ['subject', 'patient', 'beneficiary', 'individual', 'for'];

function subjectOf(resource: Tree): string {
  return (
    SUBJECTS.map((name) => versionless(childValue(child(resource, name), 'reference'))).find((one) => one !== '') ?? ''
  );
}

function leadsToPatient(reference: string): boolean {
  return /(?:^|\/)Patient(?:\/[^/]+$|\?.)/.test(reference);
}

/** The name of a subject that has no more than a name; empty where it has a reference. */
function subjectName(resource: Tree): string {
  const subjects = SUBJECTS.map((name) => child(resource, name));
  const named = subjects.find((one) => childValue(one, 'reference') === '' && childValue(one, 'display') !== '');
  return subjectOf(resource) === '' ? childValue(named, 'display') : '';
}

function allValues({ attributes, elements }: Tree): readonly string[] {
  const own = attributes.get('value');
  return [...(own === undefined ? [] : [own]), ...elements.flatMap(allValues)];
}

/** The words of the person's name, or of the first name of a subject in a document without a Patient. */
function ownNameIn(parts: readonly Part[], person: Part | undefined): readonly string[] {
  if (person) {
    const names = person.resource.elements.filter(({ name }) => name === 'name');
    return wordsOfName(names.flatMap(allValues).join(' '));
  }
  const displays = parts.flatMap(({ resource }) => SUBJECTS.map((one) => childValue(child(resource, one), 'display')));
  return wordsOfName(displays.find((one) => one !== '') ?? '');
}

/** Whether a name is another one than the person's: no word in common, or a newborn child with its mother's name. */
function isOtherName(own: readonly string[], name: string): boolean {
  const theirs = wordsOfName(name);
  return areUnlikeNames(own, theirs) || isNewbornName(own, theirs);
}

/** A condition in the place of a reference. Where it was sent to be stored, it was found to be met by the person. */
function isConditional(reference: string): boolean {
  return /(?:^|\/)Patient\?./.test(reference);
}

/** "Patient/1" and "https://h.example/fhir/Patient/1" mean the same patient. */
function isSameAddress(one: string, other: string): boolean {
  return one === other || `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`);
}

/** Finds the part of the document to which a reference leads. */
function makeFinder(parts: readonly Part[]): (reference: string, from: Part) => Part | undefined {
  const byUrl = new Map<string, Part>();
  const byName = new Map<string, Part | null>();
  for (const part of parts) {
    if (part.fullUrl !== '' && !byUrl.has(part.fullUrl)) {
      byUrl.set(part.fullUrl, part);
    }
    const name = `${part.resource.name}/${part.id}`;
    if (part.id !== '') {
      const other = byName.get(name);
      byName.set(name, other === undefined || other?.fullUrl === part.fullUrl ? (other ?? part) : null);
    }
  }
  return (given, from) => {
    const reference = versionless(given);
    const base = /^(https?:\/\/.*\/)[A-Z][A-Za-z]+\/[^/]+$/.exec(from.fullUrl)?.[1] ?? '';
    return byUrl.get(reference) ?? byUrl.get(`${base}${reference}`) ?? byName.get(reference) ?? undefined;
  };
}

type Document = {
  readonly parts: readonly Part[];
  readonly find: (reference: string, from: Part) => Part | undefined;
  /** The Patient of whom the document tells, if it is one of its parts. */
  readonly person: Part | undefined;
  /** How the first resource names its subject, in a document without a Patient. */
  readonly firstNamed: string;
  readonly ownName: readonly string[];
  readonly isHistory: boolean;
  /** Whether subjects lead to the person: then one that leads to another id is somebody else. */
  readonly isLedTo: boolean;
};

function documentInTree(root: Tree): Document {
  const parts = readParts(root);
  const find = makeFinder(parts);
  const patients = parts.filter(({ resource }) => resource.name === 'Patient');
  const [first] = parts;
  const named = first?.resource.name === 'Composition' ? find(subjectOf(first.resource), first) : undefined;
  const subjects = parts.map(({ resource }) => subjectOf(resource)).filter((one) => one !== '');
  const person = named?.resource.name === 'Patient' ? named : patients[0];
  return {
    parts,
    find,
    person,
    isLedTo: (person?.id ?? '') !== '' && parts.some((part) => find(subjectOf(part.resource), part) === person),
    firstNamed: patients.length > 0 ? '' : (subjects[0] ?? ''),
    ownName: ownNameIn(parts, person),
    isHistory: root.name === 'Bundle' && childValue(root, 'type') === 'history',
  };
}

/** Whether a reference names the person of the document. */
function namesPerson({ find, person, firstNamed }: Document, reference: string, from: Part): boolean {
  const found = find(reference, from);
  if (found) {
    return (
      person !== undefined &&
      (found === person || (found.resource.name === 'Patient' && found.id !== '' && found.id === person.id))
    );
  }
  const named = versionless(reference);
  return firstNamed !== '' && leadsToPatient(named) && isSameAddress(named, firstNamed);
}

/** Whether a resource is about somebody else, or something else. */
function isOfOther(document: Document, part: Part): boolean {
  const subject = subjectOf(part.resource);
  if (subject === '') {
    return isOtherName(document.ownName, subjectName(part.resource));
  }
  if (subject.startsWith('#')) {
    return false;
  }
  const found = document.find(subject, part);
  if (found) {
    return found.resource.name === 'Patient'
      ? !namesPerson(document, subject, part)
      : part.resource.name !== 'Provenance';
  }
  if (/^(?:Group|Device|Location)\//.test(subject)) {
    return true;
  }
  if (document.isLedTo && leadsToPatient(subject) && !isConditional(subject)) {
    const ids = document.parts.filter(({ resource }) => resource.name === 'Patient').map(({ id }) => id);
    return !ids.includes(subject.replace(/^.*\//, ''));
  }
  return document.firstNamed !== '' && !isSameAddress(subject, document.firstNamed);
}

function isKept(document: Document, part: Part): boolean {
  const { resource, fullUrl } = part;
  const isLatest = !document.isHistory || fullUrl === '' || document.find(fullUrl, part) === part;
  // The person completes the Patient of the record.
  const isWanted = isServed(resource.name) || part === document.person;
  return resource.namespace === FHIR && isWanted && isLatest && !isOfOther(document, part);
}

function partKey({ fullUrl, resource, id, index }: Part): string {
  if (fullUrl !== '') {
    return fullUrl;
  }
  return id === '' ? `#${index}` : `${resource.name}/${id}`;
}

const PERSON = `Patient/${markOf('patient')}`;

/** The narratives by their trees. */
function narrativesOf(root: Tree, text: string): ReadonlyMap<Tree, ReturnType<typeof narrativesIn>[number]> {
  const written = narrativesIn(text);
  const found = new Map<Tree, (typeof written)[number]>();
  const visit = (tree: Tree): void => {
    for (const element of tree.elements) {
      const narrative = written[found.size];
      if (element.name === 'div' && narrative) {
        found.set(element, narrative);
      } else {
        visit(element);
      }
    }
  };
  visit(root);
  return found;
}

/**
 * The profiles that a resource claims: those that came, and those of IPA and US Core that it meets. Of these two it
 * claims no others.
 */
function profilesIn(resource: JsonObject, came: readonly JsonValue[]): JsonValue[] {
  const type = resource['resourceType'] as string;
  const met = profilesOf(resource as unknown as Parameters<typeof profilesOf>[0]);
  const known = new Set(profilesFor(type));
  const others = came.filter(
    (one) => typeof one !== 'string' || !known.has(one.split('|')[0]!) || met.includes(one.split('|')[0]!),
  );
  const claimed = new Set(others.map((one) => String(one).split('|')[0]!));
  return [...others, ...met.filter((one) => !claimed.has(one))];
}

/** `meta` as it came, with the version and the document; what came of these goes. */
function keptMeta(resource: JsonObject): JsonObject {
  const came = (resource['meta'] ?? {}) as JsonObject;
  const { versionId: _v, lastUpdated: _l, source: _s, profile, _profile: more, ...rest } = came;
  const profiles = profilesIn(resource, (profile ?? []) as readonly JsonValue[]);
  return {
    versionId: markOf('version'),
    lastUpdated: markOf('updated'),
    source: markOf('source'),
    ...(profiles.length === 0 ? {} : { profile: profiles }),
    ...(more === undefined || profiles.length !== ((profile ?? []) as readonly JsonValue[]).length
      ? {}
      : { _profile: more }),
    ...rest,
  };
}

function withMarks(resource: JsonObject): JsonObject {
  const { resourceType, id: _, meta: _m, ...rest } = resource;
  return { resourceType: resourceType!, id: markOf('id'), meta: keptMeta(resource), ...rest };
}

/** Whether a path leads to the reference that says whom a resource is about. */
function isSubject(path: readonly string[]): boolean {
  return path.length === 2 && SUBJECTS.includes(path[0]!) && path[1] === 'reference';
}

/** The resource with the certainty that its own words say, if it has none: who reads codes alone would take it as sure. */
function withCertainty(json: JsonObject, certainty: JsonObject | undefined): JsonObject {
  return certainty === undefined || json['verificationStatus'] !== undefined
    ? json
    : { ...json, verificationStatus: { coding: [certainty] } };
}

/**
 * The resources of a document that are about its person, with those to which they refer.
 * @param text its XML
 * @param divs the narratives as they were written in JSON; empty for a document that came as XML
 * @param certainties codes of how certain it is, by the index of the part that says it in its words
 */
export function keptResources(
  root: Tree,
  text: string,
  divs: readonly string[],
  certainties: ReadonlyMap<number, JsonObject>,
): readonly KeptResource[] {
  const document = documentInTree(root);
  const kept = document.parts.filter((part) => isKept(document, part));
  const indexes = new Set(kept.map(({ index }) => index));
  const narratives = narrativesOf(root, text);
  const written = writtenNarratives(divs);
  const keys = new Set<string>();
  return kept.flatMap((part): readonly KeptResource[] => {
    let isMended = false;
    const refer = (reference: string, path: readonly string[]): string => {
      if (reference.startsWith('#')) {
        return reference;
      }
      const isOwn = isConditional(reference) || (isSubject(path) && leadsToPatient(versionless(reference)));
      if (isOwn || namesPerson(document, reference, part)) {
        return PERSON;
      }
      const target = document.find(reference, part);
      return target && indexes.has(target.index) ? `${target.resource.name}/${markOf(target.index)}` : reference;
    };
    const from: FromXml = {
      narrative: (div) => {
        const narrative = narratives.get(div);
        isMended ||= narrative?.isChanged !== false;
        return narrative && asWritten(narrative.text, written);
      },
      refer,
      leave: () => (isMended = true),
    };
    const json = resourceOf(from, part.resource);
    if (!json || !fhirType(part.resource.name)) {
      return [];
    }
    const marked = withMarks(withCertainty(json, certainties.get(part.index)));
    let key = partKey(part);
    key = keys.has(key) ? `${key} ${part.index}` : key;
    keys.add(key);
    const { name: type } = part.resource;
    return [
      {
        part: part.index,
        type,
        key,
        text: resourceText(marked),
        values: storedValuesOf(type, marked, PERSON),
        isMended,
      },
    ];
  });
}
