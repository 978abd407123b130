/**
 * own-types: reads the resources that are not made of facts: the record, the person who reads it, its documents, and
 * the people and apps that stored them.
 */
import { binaryOf, documentReferenceOf, provenanceOf, referenceHistory } from '../map/document-reference';
import { patientOf, relatedPersonOf, type PatientFacts } from '../map/patient';
import { completedPatient } from '../map/stated-person';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { effectiveId } from '../../../core/auth/principal';
import { parseExactJson } from '../../../core/base/json';
import { instant, type Versioned } from '../../../core/fhir/resource';
import { demographicsOf } from '../../../core/pipeline/stages/store-document';
import type { DocumentRow } from '../../../core/documents/store';
import type { RecordRow } from '../../../core/records/store';
import { requireRecord } from '../../../core/records/require';
import type { Asking } from '../asking';
import { pageOfStates, pageOfVersions, type HistoryPage, type HistoryRange } from './histories';
import * as accountStore from '../../../core/accounts/store';
import * as referenceStore from './document-references-store';
import * as keptStore from '../../../core/documents/kept-resources-store';
import * as documentStore from '../../../core/documents/store';
import * as recordStore from '../../../core/records/store';

/**
 * How resources of a type are read. The answer is undefined or empty both for a resource that does not exist and for
 * one that the caller may not see.
 */
export type ResourceReader = {
  readonly read: (asking: Asking, id: string) => Promise<Versioned | undefined>;
  readonly version: (asking: Asking, id: string, versionId: string) => Promise<Versioned | undefined>;
  /** Undefined if there is no such resource. */
  readonly history: (asking: Asking, id: string, range: HistoryRange) => Promise<HistoryPage | undefined>;
};

/** A reader whose history is all states of a resource, which are few. @param states the newest first */
function readerOfStates(
  read: ResourceReader['read'],
  states: (asking: Asking, id: string) => Promise<readonly Versioned[]>,
): ResourceReader {
  return {
    read,
    version: async (asking, id, versionId) =>
      (await states(asking, id)).find(({ meta }) => meta.versionId === versionId),
    history: async (asking, id, range) => {
      const all = await states(asking, id);
      return all.length === 0 ? undefined : pageOfStates(all, range);
    },
  };
}

function readerOfOneState(read: ResourceReader['read']): ResourceReader {
  return readerOfStates(read, async (asking, id) => {
    const resource = await read(asking, id);
    return resource ? [resource] : [];
  });
}

/** The demographics as they are now, if the scope contains their document; a whole record always does. */
async function currentFacts(
  { services: { config, database }, scope }: Asking,
  { id, demographicsId }: RecordRow,
): Promise<PatientFacts | undefined> {
  if (demographicsId === null) {
    return undefined;
  }
  const [isHeld, demographics] = await Promise.all([
    scope.carenetId === undefined || documentStore.findDocument(database.reads, scope, demographicsId),
    recordStore.findDemographics(database.reads, id),
  ]);
  return isHeld && demographics && { ...demographics, vocabBase: config.vocabBase };
}

/** So many documents are looked at for what they say of the person. */
const MOST_PERSONS = 20;

/** The Patient with what the documents in the scope say of the person. */
async function completed({ services, scope }: Asking, patient: Versioned): Promise<Versioned> {
  const { database, contents, clock } = services;
  const rows = await keptStore.personsStated(database.reads, contents, scope, MOST_PERSONS);
  const stated = rows.map((row) => ({
    resource: parseExactJson(row.text) as unknown as Versioned,
    updatedAt: instant(row.updatedAt),
  }));
  return completedPatient(patient, stated, new Date(clock.now()).toISOString());
}

const readPatient: ResourceReader['read'] = async (asking, id) => {
  if (id !== asking.scope.recordId) {
    return undefined;
  }
  const record = await requireRecord(asking.services, id);
  const facts = await currentFacts(asking, record);
  const patient = patientOf(record, facts);
  return facts === undefined ? patient : completed(asking, patient);
};

async function earlierPatient(
  { services, scope, principal }: Asking,
  record: RecordRow,
  { id, createdAt }: DocumentRow,
): Promise<Versioned | undefined> {
  const content = await documentStore.findContent(services.database.reads, services.contents, scope, id);
  const values =
    content && demographicsOf(await services.reader.read(content.content, effectiveId(principal) ?? undefined));
  return values && patientOf(record, { documentId: id, createdAt, values, vocabBase: services.config.vocabBase });
}

/** Callers who see a record through a carenet see only the latest version. */
const patientHistory: ResourceReader['history'] = async (asking, id, range) => {
  const current = await readPatient(asking, id);
  const { services, scope } = asking;
  const record = current && (await requireRecord(services, id));
  if (!current || !record?.demographicsLineageId || scope.carenetId !== undefined) {
    return current && pageOfStates([current], range);
  }
  return pageOfVersions(asking, { lineageId: record.demographicsLineageId, current }, range, (row) =>
    earlierPatient(asking, record, row),
  );
};

const patientVersion: ResourceReader['version'] = async (asking, id, versionId) => {
  const current = await readPatient(asking, id);
  const { services, scope } = asking;
  if (!current || current.meta.versionId === versionId || scope.carenetId !== undefined) {
    return current?.meta.versionId === versionId ? current : undefined;
  }
  const record = await requireRecord(services, id);
  const row = await documentStore.findDocument(services.database.reads, scope, versionId);
  return row && row.lineageId === record.demographicsLineageId ? earlierPatient(asking, record, row) : undefined;
};

const readRelatedPerson: ResourceReader['read'] = async ({ services, principal, scope }, id) => {
  const { database } = services;
  const record = await requireRecord(services, scope.recordId);
  if (
    principal.accountId === null ||
    record.ownerId === principal.accountId ||
    id !== relatedPersonId(record.id, principal.accountId)
  ) {
    return undefined;
  }
  const account = await accountStore.findAccount(database.reads, principal.accountId);
  return account && relatedPersonOf(id, record, account);
};

function findReference({ services: { database }, scope }: Asking, id: string) {
  return referenceStore.findReference(database.reads, scope, id);
}

export const readDocumentReference: ResourceReader['read'] = async (asking, id) => {
  const row = await findReference(asking, id);
  return row && documentReferenceOf(row);
};

async function documentReferenceStates(asking: Asking, id: string): Promise<readonly Versioned[]> {
  const row = await findReference(asking, id);
  if (!row) {
    return [];
  }
  if (asking.scope.carenetId !== undefined) {
    return [documentReferenceOf(row)];
  }
  const { database } = asking.services;
  return referenceHistory(row, await referenceStore.statusMarks(database.reads, row.lineageId));
}

const readProvenance: ResourceReader['read'] = async (asking, id) => {
  const row = await findReference(asking, id);
  return row && provenanceOf(row);
};

const readBinary: ResourceReader['read'] = async (asking, id) => {
  const { services, scope } = asking;
  const row = await findReference(asking, id);
  const content = row && (await documentStore.findContent(services.database.reads, services.contents, scope, id));
  return content && binaryOf(row, content);
};

export const ownReaders: Readonly<Record<string, ResourceReader>> = {
  Patient: { read: readPatient, version: patientVersion, history: patientHistory },
  RelatedPerson: readerOfOneState(readRelatedPerson),
  DocumentReference: readerOfStates(readDocumentReference, documentReferenceStates),
  Provenance: readerOfOneState(readProvenance),
  Binary: readerOfOneState(readBinary),
};
