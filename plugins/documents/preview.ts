/** preview: a document as it would be stored, without storing it, and what a form has made of it. */
import { errors } from '../../core/base/errors';
import type { Id, Json } from '../../core/base/types';
import { looksLikeJson } from '../../core/fhir/json-to-xml';
import type { InRecord, InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { requireDocument } from '../../core/records/read-documents';
import { FHIR_JSON, isXmlType } from '../../core/records/media-type';
import { toSdmj } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import type { Fact } from '../../core/storage/plans';
import type { LeftOut } from '../../core/pipeline/steps';
import { findKept, formHash, keepFile, type FileInfo, type KeptFile } from './kept-files';

export type Preview = {
  /** Of the form that adds it. */ readonly form: string;
  readonly type: string;
  /** Name of the format; null: no format is known for it, and it is kept without facts. */ readonly format:
    string | null;
  /** As reports answer them. */ readonly facts: readonly Json[];
  readonly leftOut: readonly LeftOut[];
};

/** The document that a form has added, null: none yet. */
export type FormState = { readonly documentId: Id | null };

export type Typed = {
  readonly facts: readonly Json[];
  readonly digest: string;
  readonly label: string | null;
  readonly latest: boolean;
};

const factsOf = ({ models }: Services, facts: readonly Fact[]): readonly Json[] =>
  facts.map((fact) => toSdmj(models(), fact));

/** Browsers guess the media type by the ending of the name; what the file begins with is sure. */
const mediaTypeOf = (declared: string, bytes: Buffer): string => {
  if (looksLikeJson(bytes)) {
    return FHIR_JSON;
  }
  const plain = declared.split(';')[0]!.trim();
  return isXmlType(plain) ? plain : '';
};

/** @throws AppError as document_create does; nothing is kept then */
export const previewDocument = async ({
  params,
  query,
  body,
  principal,
  services,
}: Call<InRecord, FileInfo, Buffer>): Promise<Preview> => {
  const mediaType = mediaTypeOf(query.mediaType, body);
  const { read } = await services.pipeline.read({ bytes: body, mediaType, principal });
  const form = await keepFile(services, principal, params.RECORD_ID, { name: query.name, mediaType, bytes: body });
  return {
    form,
    type: read.type,
    format: read.entry,
    facts: factsOf(services, read.facts),
    leftOut: read.leftOut,
  };
};

type OfForm = { readonly form: string };

/** @throws errors.notFound when it was added, when it is too old, and in another session or record */
export const readKept = async ({ params, query, principal, services }: Call<InRecord, OfForm>): Promise<KeptFile> => {
  const kept = await findKept(services, principal, params.RECORD_ID, query.form);
  if (!kept) {
    throw errors.notFound('file');
  }
  return kept;
};

export const findForm = async ({ params, query, principal, services }: Call<InRecord, OfForm>): Promise<FormState> => {
  const { stores, database } = services;
  const id = await stores.forms.findFormResult(database.reads, formHash(principal, params.RECORD_ID, query.form));
  return { documentId: id ?? null };
};

/** Forms make documents that hold facts as they are. */
const typedType = (vocabBase: string): string => `${vocabBase}/xml/documents#Models`;

/** Read from its content, so that it is the very version that is corrected. */
export const readTyped = async ({ params, principal, services }: Call<InRecordDocument>): Promise<Typed> => {
  const { stores, database, pipeline } = services;
  const scope = { recordId: params.RECORD_ID };
  const row = await requireDocument(services, scope, params.DOCUMENT_ID);
  if (row.type !== typedType(services.config.vocabBase)) {
    throw errors.notFound('document that was typed in');
  }
  const content = await stores.documents.findContent(database.reads, scope, params.DOCUMENT_ID);
  if (!content) {
    throw errors.notFound('document');
  }
  const { read } = await pipeline.read({ bytes: content.content, mediaType: content.mediaType, principal });
  return {
    facts: factsOf(services, read.facts),
    digest: content.digest,
    label: row.label,
    latest: row.replacedById === null,
  };
};
