/**
 * operations: the operations that are measured. Every request is verified, nonce-checked, authorized and durably
 * audited, as in production.
 */
import { ui } from '../support/server';
import { PASSWORD } from '../support/world';
import { OWNER, type BenchWorld } from './bench-world';
import { clinicalDocument, factList, smallDocument } from './documents';
import type { Template } from './wire';

/** What the least implementation does in addition to its SQL statements. */
export type FloorWork =
  /** Responds over HTTP with the same bytes. */
  | 'http'
  /** The same, after the same XML work. */
  | 'http and xml'
  /** The same, after checking a password. */
  | 'http and argon2'
  /** The statements alone. */
  | 'sql';

export type Operation = {
  readonly name: string;
  readonly templates: readonly Template[];
  readonly floor: FloorWork | 'of its parts';
  readonly connections: number;
};

const MANY = 32;

/** The operations in the order of the table. */
export const operations = ({
  readers,
  writers,
  members,
  readId,
  writeId,
  documentIds,
  carenetId,
  fhir,
  // eslint-disable-next-line max-lines-per-function -- a list of operations is read as one table
}: BenchWorld): readonly Operation[] => {
  const read = (path: string): Template => ({ signers: readers, method: 'GET', path: `/records/${readId}/${path}` });
  const readEach = (part: string): Template => {
    const paths = documentIds.map((id) => `/records/${readId}/documents/${id}${part}`);
    return { signers: readers, method: 'GET', path: paths[0]!, paths };
  };
  const inCarenet = (path: string): Template => ({
    signers: members,
    method: 'GET',
    path: `/carenets/${carenetId}/${path}`,
  });
  const create = (body: Buffer): Template => ({
    signers: writers,
    method: 'POST',
    path: `/records/${writeId}/documents/`,
    body,
  });
  const one = (name: string, template: Template, floor: FloorWork = 'http', connections = MANY): Operation => ({
    name,
    templates: [template],
    floor,
    connections,
  });
  const asked = (bearers: readonly string[], path: string, more: Partial<Template> = {}): Template => ({
    signers: [],
    bearers,
    method: 'GET',
    path: `/fhir/${path}`,
    ...more,
  });
  const observations = fhir.observationIds.map((id) => `/fhir/Observation/${id}`);
  return [
    one('document_create, 2 kB, 1 fact', create(smallDocument()), 'http and xml'),
    one('document_create, 20 kB SDMX, 50 facts', create(factList(50)), 'http and xml'),
    one('document_create, C-CDA of 200 kB', create(clinicalDocument()), 'http and xml', 8),
    one('record_document', readEach('')),
    one('record_document_meta', readEach('/meta')),
    one('record_document_list', read('documents/?type=Procedure')),
    one('generic report, 100 facts', read('reports/Procedure/?limit=100')),
    one('minimal vitals, 100', read('reports/minimal/vitals/?limit=100')),
    one(
      'monthly average of 10,000 facts',
      read('reports/Measurement/?date_group=datetime*month&aggregate_by=avg*value'),
      'sql',
    ),
    one('carenet documents, 100', inCarenet('documents/')),
    one('carenet report, 100 facts', inCarenet('reports/Procedure/?limit=100')),
    one('audit query', read('audits/query/?limit=100&function_name=document_create')),
    one(
      'session_create',
      {
        signers: [ui!],
        method: 'POST',
        path: '/oauth/internal/session_create',
        form: { username: OWNER, password: PASSWORD },
      },
      'http and argon2',
      8,
    ),
    one('fhir_read', asked(fhir.bearers, `Observation/${fhir.observationIds[0]!}`, { paths: observations })),
    one('fhir_search, 100 Observations', asked(fhir.bearers, 'Observation?_count=100')),
    one('fhir_summary, 1,000 facts', asked(fhir.summaryBearers, `Patient/${fhir.summaryId}/$summary`), 'http', 1),
    {
      name: 'mixed, 80 % reads',
      floor: 'of its parts',
      connections: MANY,
      templates: [
        { ...readEach(''), weight: 8 },
        { ...readEach('/meta'), weight: 4 },
        { ...read('documents/?type=Procedure'), weight: 2 },
        { ...read('reports/Procedure/?limit=100'), weight: 2 },
        { ...create(smallDocument()), weight: 4 },
      ],
    },
  ];
};
