/** bulk: writes other people's records by the million, straight into the tables. */
import { writeCheckpoint, type Head } from '../../core/audit/checkpoints';
import { chainStart, hashedColumns, rowHash, type AuditFacts, type AuditRow } from '../../core/audit/row';
import type { AuditSigner } from '../../core/audit/signer';
import { toTimestamp } from '../../core/base/clock';
import { newId, sha256 } from '../../core/base/ids';
import type { Id } from '../../core/base/types';
import type { Database, Transaction } from '../../core/db/database';
import { insertRows } from '../../core/db/insert-rows';
import { direct } from '../support/direct';

const TYPE = 'https://svc.example/vocab/xml/documents#Procedure';
const PER_RECORD = 100;
const PER_TRANSACTION = 1000;
const content = Buffer.from(
  '<Procedure xmlns="https://svc.example/vocab/xml/documents#"><name>Appendectomy</name></Procedure>',
);
const digest = sha256(content);
const person = (number: number): string => `person-${number}@bulk.example`;

const documentColumns = [
  'id',
  'record_id',
  'lineage_id',
  'type',
  'media_type',
  'size',
  'digest',
  'creator_id',
  'created_at',
  'entry',
  'content',
] as const;
const lineageColumns = [
  'id',
  'record_id',
  'type',
  'latest_id',
  'latest_created_at',
  'status',
  'nevershare',
  'created_at',
] as const;
const factColumns = [
  '_id',
  '_record_id',
  '_document_id',
  '_lineage_id',
  '_created_at',
  'date_performed',
  'name',
  'name_value',
] as const;
const measurementColumns = [
  '_id',
  '_record_id',
  '_document_id',
  '_lineage_id',
  '_created_at',
  'type',
  'value',
  'unit',
  'datetime',
] as const;

type Part = {
  readonly recordId: (number: number) => Id;
  readonly first: number;
  readonly count: number;
  readonly facts: number;
};

const writePart = async (trx: Transaction, { recordId, first, count, facts }: Part): Promise<void> => {
  const documents = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    record: recordId(first + index),
    at: toTimestamp(Date.UTC(2015, 0, 1) + (first + index) * 1000),
  }));
  await insertRows(
    trx,
    'document',
    documentColumns,
    documents.map(({ id, record, at }) => ({
      id,
      record_id: record,
      lineage_id: id,
      type: TYPE,
      media_type: 'application/xml',
      size: content.length,
      digest,
      creator_id: person(0),
      created_at: at,
      entry: 'procedure',
      content,
    })),
  );
  await insertRows(
    trx,
    'document_lineage',
    lineageColumns,
    documents.map(({ id, record, at }) => ({
      id,
      record_id: record,
      type: TYPE,
      latest_id: id,
      latest_created_at: at,
      status: 'active',
      nevershare: 0,
      created_at: at,
    })),
  );
  await insertRows(
    trx,
    'fact_procedure',
    factColumns,
    documents.flatMap(({ id, record, at }) =>
      Array.from({ length: facts }, () => ({
        _id: newId(),
        _record_id: record,
        _document_id: id,
        _lineage_id: id,
        _created_at: at,
        date_performed: at,
        name: 'Appendectomy',
        name_value: '80146002',
      })),
    ),
  );
};

const inParts = async (
  from: number,
  to: number,
  work: (first: number, count: number) => Promise<void>,
): Promise<void> => {
  for (let first = from; first < to; first += PER_TRANSACTION) {
    await work(first, Math.min(PER_TRANSACTION, to - first));
  }
};

const addRecords = (database: Database, from: number, to: number): Promise<void> =>
  inParts(from, to, (first, count) =>
    database.transaction(async (trx) => {
      await insertRows(
        trx,
        'record',
        ['id', 'label', 'search_label', 'owner_id', 'creator_id', 'created_at'],
        Array.from({ length: count }, (_, index) => ({
          id: `bulk-${first + index}`,
          label: `Person ${first + index}`,
          search_label: `person ${first + index}`,
          owner_id: person(first + index),
          creator_id: person(0),
          created_at: toTimestamp(Date.UTC(2015, 0, 1)),
        })),
      );
    }),
  );

/** Adds the documents number `from` to `to` of an installation, a hundred to a record, with `facts` facts each. */
export const addDocuments = async (database: Database, from: number, to: number, facts: number): Promise<void> => {
  await addRecords(database, Math.floor(from / PER_RECORD), Math.ceil(to / PER_RECORD));
  await inParts(from, to, (first, count) =>
    database.transaction((trx) =>
      writePart(trx, { recordId: (number) => `bulk-${Math.floor(number / PER_RECORD)}`, first, count, facts }),
    ),
  );
};

/** Adds documents with `facts` facts each to one record. */
export const addToRecord = (database: Database, recordId: Id, documents: number, facts: number): Promise<void> =>
  inParts(0, documents, (first, count) =>
    database.transaction((trx) => writePart(trx, { recordId: () => recordId, first, count, facts })),
  );

/** Adds measurements an hour apart to one record, all from the given document. */
export const addMeasurements = (database: Database, recordId: Id, documentId: Id, count: number): Promise<void> =>
  inParts(0, count, (first, part) =>
    database.transaction(async (trx) => {
      await insertRows(
        trx,
        'fact_measurement',
        measurementColumns,
        Array.from({ length: part }, (_, index) => {
          const at = toTimestamp(Date.UTC(2010, 0, 1) + (first + index) * 3_600_000);
          return {
            _id: newId(),
            _record_id: recordId,
            _document_id: documentId,
            _lineage_id: documentId,
            _created_at: at,
            type: 'HBA1C',
            value: 4 + (index % 40) / 10,
            unit: '%',
            datetime: at,
          };
        }),
      );
    }),
  );

/** Puts the first `count` documents of a record into a carenet, one by one. */
export const addPlacements = async (database: Database, carenetId: Id, recordId: Id, count: number): Promise<void> => {
  const lineages = (await direct(database)('document_lineage')
    .where({ record_id: recordId })
    .orderBy('seq')
    .limit(count)
    .pluck('id')) as Id[];
  await inParts(0, lineages.length, (first, part) =>
    database.transaction(async (trx) => {
      await insertRows(
        trx,
        'carenet_preference',
        ['carenet_id', 'lineage_id', 'shared', 'changed_at'],
        lineages
          .slice(first, first + part)
          .map((id) => ({ carenet_id: carenetId, lineage_id: id, shared: 1, changed_at: toTimestamp(Date.now()) })),
        database.dialect.insertIgnore,
      );
    }),
  );
};

/**
 * Adds audit rows of other records, a thousand to each record, in chains of a million rows. They are hashed and signed
 * like the service's own, so that `svc verify-audit` finds nothing wrong.
 */
export const addAudits = async (database: Database, signer: AuditSigner, from: number, to: number): Promise<void> => {
  for (let first = from; first < to; first += PER_CHAIN) {
    await addChain(database, signer, first, Math.min(to, first + PER_CHAIN));
  }
};

const PER_CHAIN = 1_000_000;
const auditColumns = [...hashedColumns, 'hash'] as const;

const auditOf = (number: number): AuditFacts => ({
  id: newId(),
  requested_at: toTimestamp(Date.UTC(2015, 0, 1) + number * 10),
  function_name: 'record_document',
  successful: 1,
  principal_id: person(number % 1000),
  proxy_id: null,
  ui_app_id: null,
  consumer_key: null,
  record_id: `bulk-${Math.floor(number / 1000)}`,
  carenet_id: null,
  app_id: null,
  account_id: null,
  document_id: `document-${number % 100}`,
  external_id: null,
  message_id: null,
  url: '/records/x/documents/y',
  ip_address: '127.0.0.1',
  domain: '',
  method: 'GET',
  status: 200,
  content_type: 'application/xml',
});

const addChain = async (database: Database, signer: AuditSigner, from: number, to: number): Promise<void> => {
  const writerId = newId();
  let head: Head = { writerId, seq: 0, hash: chainStart(writerId) };
  const sign = (): Promise<void> => writeCheckpoint(database, signer, head, toTimestamp(Date.now()));
  const next = (number: number): AuditRow => {
    const linked = { ...auditOf(number), writer_id: writerId, writer_seq: head.seq + 1 };
    head = { writerId, seq: head.seq + 1, hash: rowHash(head.hash, linked) };
    return { ...linked, hash: head.hash };
  };
  await sign();
  await inParts(from, to, (first, count) =>
    database.transaction(async (trx) => {
      await insertRows(
        trx,
        'audit',
        auditColumns,
        Array.from({ length: count }, (_, index) => next(first + index)),
      );
    }),
  );
  await sign();
};
