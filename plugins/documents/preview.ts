/** preview: a document as it would be stored, without storing it, and what a form has made of it. */
import { errors } from '../../core/base/errors';
import type { Id, Json } from '../../core/base/types';
import { formHash } from '../../core/files/form-hash';
import { wrapFile } from '../../core/files/envelope';
import { looksLikeDocument, sniffMediaType } from '../../core/files/sniff';
import { looksLikeJson } from '../../core/fhir/json-to-xml';
import type { InRecord, InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { FHIR_JSON, isXmlType } from '../../core/documents/media-type';
import { otherPerson, type OtherPerson } from '../../core/records/other-person';
import { toSdmj } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import type { About } from '../../core/storage/about';
import type { Fact } from '../../core/storage/plans';
import type { LeftOut } from '../../core/pipeline/steps';
import { findKept, keepFile, type FileInfo, type KeptFile } from './kept-files';

export type Preview = {
  /** Of the form that adds it. */ readonly form: string;
  readonly type: string;
  /** Name of the format; null: no format is known for it, and it is kept without facts. */ readonly format:
    string | null;
  /** As reports answer them. */ readonly facts: readonly Json[];
  readonly leftOut: readonly LeftOut[];
  /** What the document says that it is as a whole. */ readonly about: About | null;
  /** Whom it tells of, where that is not the person of the record. */ readonly otherPerson: OtherPerson | null;
  /** Media type of a file that is no document itself: a document will hold it as it is. */ readonly file:
    string | null;
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

/** Undefined: it is a document itself, or nothing that a document can hold. */
const typeOfFile = (bytes: Buffer): string | undefined =>
  looksLikeDocument(bytes) ? undefined : sniffMediaType(bytes);

/** How a file is called in the document that holds it; the name of the file when nothing is said. */
type FileWords = { readonly title?: string; readonly date?: string; readonly kind?: string };

const wrapped = (
  { config }: Services,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  { title, date, kind }: FileWords,
): Buffer =>
  wrapFile(
    { bytes, title: title?.trim() || name.trim() || 'file', ...(date ? { date } : {}), ...(kind ? { kind } : {}) },
    config.vocabBase,
  );

const otherPersonIn = async (
  { stores, database }: Services,
  recordId: Id,
  about: About | undefined,
): Promise<OtherPerson | null> => {
  if (about?.subject === undefined && about?.born === undefined) {
    return null;
  }
  const person = await stores.records.findDemographics(database.reads, recordId);
  return otherPerson(about, person?.values ?? {}) ?? null;
};

/** @throws AppError as document_create does; nothing is kept then */
export const previewDocument = async ({
  params,
  query,
  body,
  principal,
  services,
}: Call<InRecord, FileInfo, Buffer>): Promise<Preview> => {
  const file = typeOfFile(body) ?? null;
  const mediaType = file ?? mediaTypeOf(query.mediaType, body);
  const { read } = await services.pipeline.read(
    file === null
      ? { bytes: body, mediaType, principal }
      : { bytes: wrapped(services, { name: query.name, bytes: body }, {}), mediaType: '', principal },
  );
  const form = await keepFile(services, principal, params.RECORD_ID, { name: query.name, mediaType, bytes: body });
  return {
    form,
    type: read.type,
    format: read.entry,
    facts: factsOf(services, read.facts),
    leftOut: read.leftOut,
    about: read.about ?? null,
    otherPerson: await otherPersonIn(services, params.RECORD_ID, read.about),
    file,
  };
};

type OfForm = { readonly form: string };

export type KeptDocument = KeptFile & { /** As in a preview. */ readonly file: string | null };

/**
 * What is to be stored: the file itself, or the document that holds it.
 * @throws errors.notFound when it was added, when it is too old, and in another session or record
 */
export const readKept = async ({
  params,
  query,
  principal,
  services,
}: Call<InRecord, OfForm & FileWords>): Promise<KeptDocument> => {
  const kept = await findKept(services, principal, params.RECORD_ID, query.form);
  if (!kept) {
    throw errors.notFound('file');
  }
  const file = typeOfFile(kept.bytes) ?? null;
  return file === null
    ? { ...kept, file }
    : { name: kept.name, mediaType: '', bytes: wrapped(services, kept, query), file };
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
  const { stores, contents, database, pipeline } = services;
  const found = await stores.documents.findCorrectable(database.reads, contents, params.RECORD_ID, params.DOCUMENT_ID);
  if (found?.type !== typedType(services.config.vocabBase)) {
    throw errors.notFound('document that was typed in');
  }
  const { content, mediaType, digest, label, latest } = found;
  const { read } = await pipeline.read({ bytes: content, mediaType, principal });
  return { facts: factsOf(services, read.facts), digest, label, latest };
};
