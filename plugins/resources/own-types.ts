/** own-types: the resources that are not made of facts: the record, who looks at it, its documents and who stored them. */
import { binaryOf, documentReferenceOf, provenanceOf, referenceHistory } from '../../core/fhir/document-reference';
import { patientOf, relatedPersonOf, type PatientFacts } from '../../core/fhir/patient';
import { relatedPersonId } from '../../core/auth/fhir-user';
import type { Versioned } from '../../core/fhir/resource';
import { demographicsOf } from '../../core/pipeline/stages/store';
import type { DocumentRow } from '../../core/storage/stores/documents';
import type { RecordRow } from '../../core/storage/stores/records';
import { requireRecord } from '../../core/records/require';
import type { Asking } from './asking';

/** How resources of a type are read. What does not exist and what the caller may not see are both undefined or an empty list. */
export type ResourceReader = {
  readonly read: (asking: Asking, id: string) => Promise<Versioned | undefined>;
  /** All versions that can be read, the newest first. */
  readonly history: (asking: Asking, id: string) => Promise<readonly Versioned[]>;
};

const onlyState =
  (read: ResourceReader['read']): ResourceReader['history'] =>
  async (asking, id) => {
    const resource = await read(asking, id);
    return resource ? [resource] : [];
  };

/** The demographics as they are now, if the scope contains their document. */
const currentFacts = async (
  { services: { stores, database }, scope }: Asking,
  { id, demographicsId }: RecordRow,
): Promise<PatientFacts | undefined> => {
  if (demographicsId === null) {
    return undefined;
  }
  const [document, demographics] = await Promise.all([
    stores.documents.findDocument(database.reads, scope, demographicsId),
    stores.records.findDemographics(database.reads, id),
  ]);
  return document && demographics && { ...demographics, createdAt: document.createdAt };
};

export const readPatient: ResourceReader['read'] = async (asking, id) => {
  if (id !== asking.scope.recordId) {
    return undefined;
  }
  const record = await requireRecord(asking.services, id);
  return patientOf(record, await currentFacts(asking, record));
};

/** How many earlier versions are read at most, because each is read from its document. */
const MOST_VERSIONS = 20;

const earlierPatient = async (
  { services, scope, principal }: Asking,
  record: RecordRow,
  { id, createdAt }: DocumentRow,
): Promise<Versioned | undefined> => {
  const content = await services.stores.documents.findContent(services.database.reads, services.contents, scope, id);
  const values = content && demographicsOf(await services.reader.read(content.content, principal.accountId));
  return values && patientOf(record, { documentId: id, createdAt, values });
};

const patientHistory: ResourceReader['history'] = async (asking, id) => {
  const current = await readPatient(asking, id);
  const { services, scope } = asking;
  const record = current && (await requireRecord(services, id));
  if (!current || !record?.demographicsLineageId || scope.carenetId !== undefined) {
    return current ? [current] : [];
  }
  const versions = await services.stores.documents.latestVersions(
    services.database.reads,
    record.demographicsLineageId,
    MOST_VERSIONS,
  );
  const earlier = await Promise.all(
    versions.filter((row) => row.id !== record.demographicsId).map((row) => earlierPatient(asking, record, row)),
  );
  return [current, ...earlier.filter((state) => state !== undefined)];
};

const readRelatedPerson: ResourceReader['read'] = async ({ services, principal, scope }, id) => {
  const { stores, database } = services;
  const record = await requireRecord(services, scope.recordId);
  if (record.ownerId === principal.accountId || id !== relatedPersonId(record.id, principal.accountId)) {
    return undefined;
  }
  const account = await stores.accounts.findAccount(database.reads, principal.accountId);
  return account && relatedPersonOf(id, record, account);
};

const findReference = ({ services: { stores, database }, scope }: Asking, id: string) =>
  stores.documentReferences.findReference(database.reads, scope, id);

export const readDocumentReference: ResourceReader['read'] = async (asking, id) => {
  const row = await findReference(asking, id);
  return row && documentReferenceOf(row);
};

const documentReferenceHistory: ResourceReader['history'] = async (asking, id) => {
  const row = await findReference(asking, id);
  if (!row) {
    return [];
  }
  if (asking.scope.carenetId !== undefined) {
    return [documentReferenceOf(row)];
  }
  const { stores, database } = asking.services;
  return referenceHistory(row, await stores.documentReferences.statusMarks(database.reads, row.lineageId));
};

const readProvenance: ResourceReader['read'] = async (asking, id) => {
  const row = await findReference(asking, id);
  return row && provenanceOf(row);
};

const readBinary: ResourceReader['read'] = async (asking, id) => {
  const { services, scope } = asking;
  const row = await findReference(asking, id);
  const content =
    row && (await services.stores.documents.findContent(services.database.reads, services.contents, scope, id));
  return content && binaryOf(row, content);
};

export const ownReaders: Readonly<Record<string, ResourceReader>> = {
  Patient: { read: readPatient, history: patientHistory },
  RelatedPerson: { read: readRelatedPerson, history: onlyState(readRelatedPerson) },
  DocumentReference: { read: readDocumentReference, history: documentReferenceHistory },
  Provenance: { read: readProvenance, history: onlyState(readProvenance) },
  Binary: { read: readBinary, history: onlyState(readBinary) },
};
