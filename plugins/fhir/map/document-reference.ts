/**
 * document-reference: expresses a stored document as a DocumentReference, a Binary and a Provenance, which all have its
 * id (pure). A DocumentReference changes when the document's status changes, when the document is replaced, and when it
 * gets another label. The version ids are derived from these.
 */
import { sha256 } from '../../../core/base/ids';
import { FHIR } from '../../../core/fhir/json-to-xml';
import type { DocumentStatus, Timestamp } from '../../../core/base/types';
import type { ReferencedRow } from '../read/document-references-store';
import type { NamedPrincipal } from '../../../core/documents/store';
import { withProfiles } from '../../../core/fhir/profiles';
import {
  concept,
  filled,
  filledList,
  instant,
  reference,
  type Meta,
  type Versioned,
} from '../../../core/fhir/resource';

/** What FHIR shows of a document. */
export type ReferencedDocument = Omit<ReferencedRow, 'seq' | 'lineageId'>;

/** The only category of clinical notes that US Core defines. */
export const CATEGORY = {
  system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
  code: 'clinical-note',
  display: 'Clinical Note',
} as const;

/** The code system of the types of resources. Their namespace is none. */
export const RESOURCE_TYPES = 'http://hl7.org/fhir/resource-types';

/** A document type as a code of its namespace. */
function typeCoding(type: string): { readonly system?: string; readonly code: string } {
  const mark = type.lastIndexOf('#');
  if (mark < 0) {
    return { code: type };
  }
  const namespace = type.slice(0, mark);
  return { system: namespace === FHIR ? RESOURCE_TYPES : namespace, code: type.slice(mark + 1) };
}

/** `MedicationRequest` -> `Medication Request`. */
export function spacedWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2');
}

type ReferenceStatus = 'current' | 'superseded' | 'entered-in-error';

function referenceStatus({ status, replacedAt }: Pick<ReferencedDocument, 'status' | 'replacedAt'>): ReferenceStatus {
  if (status === 'void') {
    return 'entered-in-error';
  }
  return replacedAt === null ? 'current' : 'superseded';
}

/**
 * The part of a version id that changes with a document's label, and with what its format says about it: neither has a
 * time of its own.
 */
function wordsTag({ label, about }: Pick<ReferencedDocument, 'label' | 'about'>): string {
  return label === null && about === null
    ? ''
    : `-${sha256(about === null ? label! : JSON.stringify([label, about])).slice(0, 8)}`;
}

function referenceMeta(document: ReferencedDocument): Meta {
  const { createdAt, changes, changedAt, replacedAt } = document;
  const number = 1 + changes + (replacedAt === null ? 0 : 1);
  const latest = [createdAt, changedAt ?? '', replacedAt ?? ''].sort().at(-1)!;
  return { versionId: `${number}${wordsTag(document)}`, lastUpdated: instant(latest) };
}

/**
 * The document's own statement of what it is, and its format. Documents were found by their format before formats said
 * more.
 */
function documentType({ type, about }: ReferencedDocument): object {
  const format = typeCoding(type);
  return {
    coding: filledList([
      about?.code === undefined ? undefined : filled({ system: about.system, code: about.code }),
      format,
    ]),
    text: about?.kind ?? about?.title ?? spacedWords(format.code),
  };
}

/** Names an account or an app by its id and name, because neither is a resource. */
function whoOf({ id, name }: NamedPrincipal): object {
  return { identifier: { value: id }, display: name };
}

/** What a document says of its time as FHIR says it: of a time without a zone only the day, since its moment is not known. */
function dateTimeOf(said: string | undefined): string | undefined {
  return said?.replace(/^(\d{4}-\d\d-\d\d)T[\d:.]+$/, '$1');
}

/** The code system of the formats of documents. */
export const FORMATS = 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode';

function identifierOf(system: string | undefined, value: string | undefined): object | undefined {
  return value === undefined ? undefined : filled({ system, value });
}

/** The visit by the sender's number, which its Encounter has, too: the document does not say that it is a resource. */
function visitReference(about: ReferencedDocument['about']): object | undefined {
  const identifier = identifierOf(about?.visit_system, about?.visit);
  return identifier && { type: 'Encounter', identifier };
}

type Contained = {
  readonly contained: readonly object[];
  /** How the resource refers to the person. */ readonly writer: object | undefined;
  readonly house: object | undefined;
};

/** Who wrote a document, by its own words, and an organization, as resources inside of another. */
function containedOf(author: string | undefined, organization: string | undefined): Contained {
  const named = (id: string, display: string | undefined): object | undefined =>
    display === undefined ? undefined : { reference: `#${id}`, display };
  return {
    contained: filledList([
      author === undefined ? undefined : { resourceType: 'Practitioner', id: 'writer', name: [{ text: author }] },
      organization === undefined ? undefined : { resourceType: 'Organization', id: 'house', name: organization },
    ]),
    writer: named('writer', author),
    house: named('house', organization),
  };
}

export function documentReferenceOf(document: ReferencedDocument): Versioned {
  const { about } = document;
  const { contained, writer, house } = containedOf(about?.author, about?.from);
  const resource: Versioned = filled({
    resourceType: 'DocumentReference',
    id: document.id,
    meta: referenceMeta(document),
    contained,
    identifier: filledList([identifierOf(about?.identifier_system, about?.identifier)]),
    status: referenceStatus(document),
    type: documentType(document),
    category: [concept(CATEGORY)],
    subject: reference('Patient', document.recordId),
    date: instant(document.createdAt),
    // The Provenance says who stored the document.
    author: [writer ?? whoOf(document.creator)],
    custodian: house,
    relatesTo: filledList([
      document.replacesId === null
        ? undefined
        : { code: 'replaces', target: reference('DocumentReference', document.replacesId) },
    ]),
    description: document.label ?? about?.title,
    content: [
      {
        attachment: filled({
          contentType: document.mediaType,
          url: `Binary/${document.id}`,
          size: document.size,
          hash: document.sha1 === null ? undefined : Buffer.from(document.sha1, 'hex').toString('base64'),
          title: document.label ?? about?.title ?? spacedWords(typeCoding(document.type).code),
          creation: dateTimeOf(about?.date) ?? instant(document.createdAt),
        }),
        ...(about?.format === undefined ? {} : { format: { system: FORMATS, code: about.format } }),
      },
    ],
    context: filled({
      encounter: filledList([visitReference(about)]),
      period: filled({ start: dateTimeOf(about?.start), end: dateTimeOf(about?.end) }),
    }),
  });
  return withProfiles(resource);
}

export function binaryOf(
  document: Pick<ReferencedDocument, 'id' | 'createdAt'>,
  content: { readonly mediaType: string; readonly content: Buffer },
): Versioned {
  return {
    resourceType: 'Binary',
    id: document.id,
    // The bytes never change.
    meta: { versionId: '1', lastUpdated: instant(document.createdAt) },
    contentType: content.mediaType,
    securityContext: reference('DocumentReference', document.id),
    data: content.content.toString('base64'),
  };
}

/**
 * HL7's own code system of participants has no code for an app that passes on what somebody else wrote. That of US Core
 * has one.
 */
export const PARTICIPANTS = {
  author: {
    system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
    code: 'author',
    display: 'Author',
  },
  transmitter: {
    system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
    code: 'transmitter',
    display: 'Transmitter',
  },
} as const;

function agent(part: keyof typeof PARTICIPANTS, who: NamedPrincipal): object {
  return {
    type: concept(PARTICIPANTS[part]),
    who: whoOf(who),
  };
}

/** Who wrote the document by its own words, and for whom, where it names the organization. */
function writerOf({ about }: ReferencedDocument): {
  readonly contained: readonly object[];
  readonly agents: readonly object[];
} {
  if (about?.author === undefined || about.author_for === undefined) {
    return { contained: [], agents: [] };
  }
  const { contained, writer, house } = containedOf(about.author, about.author_for);
  return { contained, agents: [{ type: concept(PARTICIPANTS.author), who: writer, onBehalfOf: house }] };
}

/** @param targets references to the other resources that were made from the document */
export function provenanceOf(document: ReferencedDocument, targets: readonly string[] = []): Versioned {
  const { about } = document;
  const [{ contained, agents: writers }, lastUpdated] = [writerOf(document), instant(document.createdAt)];
  return withProfiles(
    filled({
      resourceType: 'Provenance',
      id: document.id,
      // A document that is read anew may name its writer, which it did not before.
      meta: { versionId: writers.length === 0 ? '1' : `1${wordsTag({ label: null, about })}`, lastUpdated },
      contained,
      target: [
        reference('DocumentReference', document.id),
        ...(document.isDemographics ? [reference('Patient', document.recordId)] : []),
        ...targets.map((target) => ({ reference: target })),
      ],
      recorded: instant(document.createdAt),
      activity: concept({
        system: 'http://terminology.hl7.org/CodeSystem/v3-DataOperation',
        ...(document.replacesId === null
          ? { code: 'CREATE', display: 'create' }
          : { code: 'UPDATE', display: 'revise' }),
      }),
      agent: [
        agent('author', document.creator),
        ...writers,
        ...(document.proxy ? [agent('transmitter', document.proxy)] : []),
      ],
      entity: filledList([
        document.replacesId === null
          ? undefined
          : { role: 'revision', what: reference('DocumentReference', document.replacesId) },
      ]),
    }),
  );
}

/** A change of a lineage's status. */
type StatusMark = { readonly status: DocumentStatus; readonly changedAt: Timestamp };

/**
 * The states of a DocumentReference, the newest first.
 * @param marks all changes of its lineage's status, the oldest first
 */
export function referenceHistory(document: ReferencedDocument, marks: readonly StatusMark[]): readonly Versioned[] {
  const before = marks.filter(({ changedAt }) => changedAt < document.createdAt);
  const events = [
    ...marks.slice(before.length).map(({ status, changedAt }) => ({ at: changedAt, status, replaced: false })),
    ...(document.replacedAt === null ? [] : [{ at: document.replacedAt, status: undefined, replaced: true }]),
  ].sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  const status = before.at(-1)?.status ?? 'active';
  let state: ReferencedDocument = { ...document, status, replacedAt: null, changes: 0, changedAt: null };
  const states = [documentReferenceOf(state)];
  for (const { at, status: next, replaced } of events) {
    state = replaced
      ? { ...state, replacedAt: at }
      : { ...state, status: next!, changes: state.changes + 1, changedAt: at };
    states.unshift(documentReferenceOf(state));
  }
  return states;
}
