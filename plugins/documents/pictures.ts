/** pictures: the pages of a document's file as pictures, drawn when they are first asked for and kept sealed. */
import { effectiveId, type Principal } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { DocumentRow } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';
import { findPicture, keepPicture, type KeptPicture } from '../../core/documents/pictures-store';
import { unwrapFile, type UnwrappedFile } from '../../core/files/envelope';
import { pictureKindOf } from '../../core/files/picture-kind';
import type { Call } from '../../core/http/route';
import type { Drawing, ToDraw } from '../../core/pipeline/pictures/picture-messages';
import { requireShown } from '../../core/records/read-documents';
import * as recordStore from '../../core/records/store';
import type { Services } from '../../core/services';
import { scopeOf, type InScope } from './find';

/** `page`: from 1; 0 is the small picture of the first one. */
export type OnePage = { readonly page: number };

/** What is known of the pictures of a document. */
export type PictureFacts = {
  readonly pages: number;
  /** Sides of the first page, as it is drawn small. */
  readonly width: number;
  readonly height: number;
  readonly problem: string | null;
};

const SMALL = { width: 400, height: 400 };
const LARGE = { width: 1200, height: 1700 };

/** The box into which a page is drawn. */
function drawingBox(page: number): ToDraw['box'] {
  return page === 0 ? SMALL : LARGE;
}

/** What could not be drawn is tried again after a day: the next release may be able to. */
const DAY_MILLISECONDS = 86_400_000;
/** A page of the website waits this long for what it can show without. */
const PATIENCE_MILLISECONDS = 4000;

const NOTHING = Buffer.alloc(0);

function ownerOf(principal: Principal): string {
  return effectiveId(principal) ?? '';
}

function toKeep(drawing: Drawing): KeptPicture {
  return 'drawn' in drawing
    ? { ...drawing.drawn, png: Buffer.from(drawing.drawn.png), problem: null }
    : { png: NOTHING, pages: 0, width: 0, height: 0, problem: drawing.problem };
}

/** Draws a page of a file. @param page from 1; 0 for the small picture of the first one */
export async function drawFile(services: Services, bytes: Buffer, page: number, owner: string): Promise<KeptPicture> {
  const kind = pictureKindOf(bytes);
  return toKeep(
    kind === undefined
      ? { problem: 'none' }
      : await services.pictures.draw({ bytes, kind, page: Math.max(1, page), box: drawingBox(page) }, owner),
  );
}

/** Reads the file of a document, if it has one. @throws what the reader throws */
type ReadFileOf = () => Promise<UnwrappedFile | undefined>;

/** @param stored the document */
function fileIn({ config, reader }: Services, stored: Buffer, owner: string): ReturnType<ReadFileOf> {
  return unwrapFile((bytes, namespace) => reader.heldFile(bytes, namespace, owner), stored, config.vocabBase);
}

/** Keeps a picture, unless the record is being forgotten. */
async function keep(services: Services, document: DocumentRow, page: number, picture: KeptPicture): Promise<void> {
  const { database, contents, clock } = services;
  const { id: documentId, recordId, lineageId } = document;
  await database.transaction(async (trx) => {
    const record = await recordStore.lockRecord(trx, recordId, false);
    if (record) {
      const place = { recordId, documentId, lineageId, page };
      await keepPicture(trx, contents, record.contentKey, place, picture, toTimestamp(clock.now()));
    }
  });
}

async function pictureOf(
  services: Services,
  document: DocumentRow,
  page: number,
  readFile: ReadFileOf,
  owner: string,
): Promise<KeptPicture> {
  const { database, contents, clock } = services;
  const place = { recordId: document.recordId, documentId: document.id, page };
  const since = toTimestamp(clock.now() - DAY_MILLISECONDS);
  const known = await findPicture(database.reads, contents, place, since);
  if (known) {
    return known;
  }
  const file = await readFile();
  if (!file || pictureKindOf(file.bytes) === undefined) {
    return toKeep({ problem: 'none' });
  }
  const picture = await drawFile(services, file.bytes, page, owner);
  if (picture.problem !== 'none') {
    await keep(services, document, page, picture);
  }
  return picture;
}

/** A page as PNG. @throws AppError not_found where there is none, unavailable; UnreadableContent */
export async function readPicture({ params, query, principal, services }: Call<InScope, OnePage>): Promise<Buffer> {
  const scope = await scopeOf(services, params);
  const document = await requireShown(services, scope, params['DOCUMENT_ID'] ?? '');
  const owner = ownerOf(principal);
  const { database, contents } = services;
  const readFile: ReadFileOf = async () => {
    const stored = await documentStore.findContent(database.reads, contents, scope, document.id);
    return stored && fileIn(services, stored.content, owner);
  };
  const { png, problem } = await pictureOf(services, document, query.page, readFile, owner);
  if (problem !== null) {
    throw errors.notFound('picture');
  }
  return png;
}

function waitFor<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * How many pages can be shown, or why none can. Null for a document without a file that has pictures, and when that is
 * not known soon: the pictures are made meanwhile.
 */
export async function lookAtPictures(
  services: Services,
  document: DocumentRow,
  stored: Buffer,
  owner: string,
): Promise<PictureFacts | null> {
  // A page can be shown without its pictures, whatever keeps them from being made. Their own address says it.
  const making = pictureOf(services, document, 0, () => fileIn(services, stored, owner), owner).catch(() => undefined);
  const found = await waitFor(making, PATIENCE_MILLISECONDS);
  if (!found || found.problem === 'none') {
    return null;
  }
  const { pages, width, height, problem } = found;
  return { pages, width, height, problem };
}
