/** preview: reads a file as it would be stored without storing it, and tells which document a form has added. */
import { effectiveId } from '../../core/auth/principal';
import { errors } from '../../core/base/errors';
import type { Id, Json } from '../../core/base/types';
import { deviceFormHash, formHash } from '../../core/files/form-hash';
import { wrapFile } from '../../core/files/envelope';
import { looksLikeDocument, sniffMediaType } from '../../core/files/sniff';
import { looksLikeJson } from '../../core/fhir/json-to-xml';
import type { InRecord, InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { FHIR_JSON, isXmlType } from '../../core/documents/media-type';
import type { Scalar } from '../../core/facts/model/model';
import { otherPerson, type OtherPerson } from '../../core/records/other-person';
import { toSdmj } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import type { About } from '../../core/facts/about';
import type { KnownDocument } from '../../core/documents/store';
import type { Fact } from '../../core/facts/plans';
import { readLeftOut } from '../../core/documents/left-out-store';
import { isLeftByPerson, recognizedAgain } from '../../core/pipeline/leaving-out';
import { readMended } from '../../core/pipeline/mended-file';
import type { LeftOut } from '../../core/pipeline/steps';
import { knownDocument } from './already';
import { offeredFacts, type Offered } from './left-out/left-out';
import { drawFile, type OnePage } from './pictures';
import type { Signature } from '../../core/received/health-card';
import { findKept, keepFile, type Asked, type FileInfo, type KeptFile } from './kept-files';
import * as documentStore from '../../core/documents/store';
import * as formStore from '../../core/records/forms-store';
import * as recordStore from '../../core/records/store';

export type Preview = {
  /** Token of the form that adds the file. */
  readonly form: string;
  readonly type: string;
  /** Name of the format; null when no format has its type, so that it would be stored without facts. */
  readonly format: string | null;
  /** As SDMJ. */
  readonly facts: readonly Json[];
  /** How the form offers each of the facts. */ readonly offered: readonly Offered[];
  readonly leftOut: readonly LeftOut[];
  /** What the document says that it is as a whole. */
  readonly about: About | null;
  /** Whom the document is about, if that is not the person of the record. */
  readonly otherPerson: OtherPerson | null;
  /** Media type of a file that is no document itself, such as a picture: a document will contain it. */
  readonly file: string | null;
  /** What the record has already: the very file, or a document that contains it. */
  readonly known: KnownDocument | null;
};

/** `asFile`: the file could not be read, and is to be kept as a file. */
export type ToPreview = FileInfo & {
  readonly asFile?: boolean;
  /** The host that it was fetched from by a link. */ readonly from?: string;
  readonly signature?: Signature;
};

/** The document that a form has added; null when it has added none yet. */
export type FormState = { readonly documentId: Id | null };

/** The facts that a person typed into a form. */
export type Typed = {
  readonly facts: readonly Json[];
  readonly digest: string;
  readonly label: string | null;
  readonly latest: boolean;
};

function previewFacts({ models }: Services, facts: readonly Fact[]): readonly Json[] {
  return facts.map((fact) => toSdmj(models(), fact));
}

/** Browsers guess the media type from the name of a file. JSON is recognized by its first character instead. */
function previewedMediaType(declared: string, bytes: Buffer): string {
  if (looksLikeJson(bytes)) {
    return FHIR_JSON;
  }
  const plain = declared.split(';')[0]!.trim();
  return isXmlType(plain) ? plain : '';
}

const OF_ANY_KIND = 'application/octet-stream';

/**
 * The media type of a file that a document can contain; undefined for a document and for every other file, unless it is
 * to be kept as a file.
 */
function typeOfFile(bytes: Buffer, asFile = false): string | undefined {
  return asFile || !looksLikeDocument(bytes)
    ? (sniffMediaType(bytes) ?? (asFile ? OF_ANY_KIND : undefined))
    : undefined;
}

/** What a person says about a file. Without a title, its name is used instead. */
type FileWords = { readonly title?: string; readonly date?: string; readonly kind?: string };

function wrapped(
  { config }: Services,
  { name, bytes, asFile = false }: Pick<KeptFile, 'name' | 'bytes' | 'asFile'>,
  { title, date, kind }: FileWords,
): Buffer {
  return wrapFile(
    {
      bytes,
      title: title?.trim() || name.trim() || 'file',
      ...(date ? { date } : {}),
      ...(kind ? { kind } : {}),
      anyKind: asFile,
    },
    config.vocabBase,
  );
}

function wrappedFile(services: Services, file: Pick<KeptFile, 'name' | 'bytes' | 'asFile'>) {
  return {
    bytes: wrapped(services, file, {}),
    mediaType: '',
  };
}

/** What the demographics say of the person of the record, by column. */
export async function findPersonValues(
  { database }: Services,
  recordId: Id,
): Promise<Readonly<Record<string, Scalar>>> {
  return (await recordStore.findDemographics(database.reads, recordId))?.values ?? {};
}

async function otherPersonIn(services: Services, recordId: Id, about: About | undefined): Promise<OtherPerson | null> {
  return about?.subject === undefined && about?.born === undefined
    ? null
    : (otherPerson(about, await findPersonValues(services, recordId)) ?? null);
}

/**
 * Reads a file and keeps it for the form that adds it.
 * @throws AppError as document_create does; nothing is kept then
 */
export async function previewDocument({
  params,
  query,
  body,
  principal,
  services,
}: Call<InRecord, ToPreview, Buffer>): Promise<Preview> {
  const { asFile } = query;
  const file = typeOfFile(body, asFile) ?? null;
  const owner = effectiveId(principal) ?? undefined;
  const { bytes, done } =
    file === null
      ? await readMended(services.reader, body, owner, (content) =>
          services.pipeline.read({
            bytes: content,
            mediaType: previewedMediaType(query.mediaType, content),
            principal,
          }),
        )
      : {
          bytes: body,
          done: await services.pipeline.read({ ...wrappedFile(services, { ...query, bytes: body }), principal }),
        };
  const { read } = done;
  const other = await otherPersonIn(services, params.RECORD_ID, read.about);
  const form = await keepFile(services, principal, params.RECORD_ID, {
    name: query.name,
    mediaType: file ?? previewedMediaType(query.mediaType, bytes),
    bytes,
    ...(asFile ? { asFile } : {}),
    ...cameFrom(query, other !== null),
  });
  const known = (await knownDocument(services, params.RECORD_ID, bytes, file !== null, owner)) ?? null;
  return {
    form,
    type: read.type,
    format: read.entry,
    facts: previewFacts(services, read.facts),
    offered: await offeredFacts(services, read.facts, known?.id),
    leftOut: read.leftOut,
    about: read.about ?? null,
    otherPerson: other,
    file,
    known,
  };
}

/** What is kept of a file that came by a link, and what its person has to confirm. */
function cameFrom({ from, signature }: ToPreview, isOther: boolean): Pick<KeptFile, 'from' | 'asks'> {
  const asks: readonly Asked[] = [
    ...(isOther ? (['other'] as const) : []),
    ...(signature === 'wrong' ? (['signature'] as const) : []),
  ];
  return from === undefined ? {} : { from, asks };
}

type OfForm = { readonly form: string };

export type KeptDocument = KeptFile & { /** As in a preview. */ readonly file: string | null };

/**
 * The document that the form would add, which is the file itself or a document that contains it.
 * @throws errors.notFound when the file was added or has expired, and in another session or record
 */
export async function readKept({
  params,
  query,
  principal,
  services,
}: Call<InRecord, OfForm & FileWords>): Promise<KeptDocument> {
  const kept = await findKept(services, principal, params.RECORD_ID, query.form);
  if (!kept) {
    throw errors.notFound('file');
  }
  const file = typeOfFile(kept.bytes, kept.asFile) ?? null;
  return file === null ? { ...kept, file } : { ...kept, mediaType: '', bytes: wrapped(services, kept, query), file };
}

/** A page of a kept file as a picture. It is drawn anew each time. @throws errors.notFound where there is none */
export async function readKeptPicture({
  params,
  query,
  principal,
  services,
}: Call<InRecord, OfForm & OnePage>): Promise<Buffer> {
  const kept = await findKept(services, principal, params.RECORD_ID, query.form);
  const picture = kept && (await drawFile(services, kept.bytes, query.page, effectiveId(principal) ?? ''));
  if (!picture || picture.problem !== null) {
    throw errors.notFound('picture');
  }
  return picture.png;
}

/** Which document the form has added. */
export async function findForm({
  params,
  query,
  principal,
  services,
}: Call<InRecord, OfForm & { device: boolean }>): Promise<FormState> {
  const hash = (query.device ? deviceFormHash : formHash)(principal, params.RECORD_ID, query.form);
  const id = await formStore.findFormResult(services.database.reads, hash);
  return { documentId: id ?? null };
}

/** The type of the documents that forms make: they contain facts as SDMX. */
function typeOfTyped(vocabBase: string): string {
  return `${vocabBase}/xml/documents#Models`;
}

/**
 * The facts of a document that was typed into a form. They are read from the content of this version, because only the
 * latest version has stored facts. 404 for other documents.
 */
export async function readTyped({ params, principal, services }: Call<InRecordDocument>): Promise<Typed> {
  const { contents, database, pipeline } = services;
  const found = await documentStore.findCorrectable(database.reads, contents, params.RECORD_ID, params.DOCUMENT_ID);
  if (found?.type !== typeOfTyped(services.config.vocabBase)) {
    throw errors.notFound('document that was typed in');
  }
  const { content, mediaType, digest, label, latest } = found;
  const { read } = await pipeline.read({ bytes: content, mediaType, principal });
  const before = isLeftByPerson(found) ? await readLeftOut(database.reads, contents, params.DOCUMENT_ID) : [];
  const { out } = recognizedAgain(read.facts, before);
  const facts = read.facts.filter((fact) => !out.has(fact));
  return { facts: previewFacts(services, facts), digest, label, latest };
}
