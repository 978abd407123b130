/**
 * bring-in: a person makes a new record of their own from an archive. Its documents are read again, as if they had been
 * added now (core/archive/brought.ts says what of it is believed). Until all are done the website owns the record, so
 * that it appears when it is whole.
 */
import { ArchiveRefused, readBrought, type Brought, type BroughtDocument } from '../../core/archive/brought';
import { WEBSITE_APP } from '../../core/apps/website-app';
import { effectiveId, proxyId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { AppError, errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import { limitInTurn } from '../../core/base/turns/limit';
import { newOneByOne } from '../../core/base/turns/one-by-one';
import type { Id, PrincipalId } from '../../core/base/types';
import type { Transaction } from '../../core/db/database';
import { mediaTypeOf } from '../../core/documents/media-type';
import * as documentStore from '../../core/documents/store';
import { incomingKey } from '../../core/files/form-hash';
import {
  readPiece,
  readPieces,
  readState,
  removeIncoming,
  rewriteState,
  writePieces,
  writeState,
} from '../../core/files/incoming';
import type { Call } from '../../core/http/route';
import { createRecord } from '../../core/records/create-record';
import { requireDocument } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import * as recordStore from '../../core/records/store';
import type { Services } from '../../core/services';
import * as sharingStore from '../../core/sharing/store';

type InAccount = { ACCOUNT_EMAIL: string };

type RefusedDocument = { readonly label: string; readonly words: string };

/** A record that the person has made of the same archive before. */
type MadeBefore = { readonly id: Id; readonly label: string; readonly at: string };

export type BringIn = {
  readonly name: string;
  readonly size: number;
  readonly phase: 'reading' | 'read' | 'adding' | 'added' | 'refused';
  /** When the work last reported, in milliseconds. */ readonly at: number;
  /** How many bytes were read. */ readonly taken: number;
  readonly archive: Brought | null;
  /** Where the document with the person begins in the part `documents`. */ readonly person: number | null;
  /** Where the next document begins. */ readonly next: number;
  readonly done: number;
  readonly stored: number;
  readonly refused: readonly RefusedDocument[];
  readonly refusedCount: number;
  readonly before: MadeBefore | null;
  readonly recordId: Id | null;
  /** Id of a first version in the archive -> the document that stands for it, where its name does not tell. */
  readonly stands: Readonly<Record<string, Id>>;
  readonly refusal: { readonly reason: string; readonly words: string } | null;
};

export type BringInSeen = {
  readonly now: BringIn | null;
  /** The names of records that were begun and are not whole. */ readonly unfinished: readonly string[];
};

export type OfBringIn = { form: string };
export type ToBringIn = OfBringIn & { readonly name: string; readonly size: number };
/** `again`: a second record, although there is one of the same archive. */
export type ToFinish = OfBringIn & { readonly again: boolean };

const MOST_TOLD = 100;
const TELL_MILLISECONDS = 500;
/** An archive unpacks to at most this many times its bytes, but for a small one. */
const UNPACKED = 100;
const SMALL_BYTES = 50_000_000;
/** How many records of one archive a person may make. */
const MOST_COPIES = 20;
const MOST_BEGUN = 100;
const MOST_CIRCLES = 100;
/** After this time, a record that was begun and never got whole is removed. */
const BEGUN_MILLISECONDS = 2 * 86_400_000;
const NAMED = 'brought/';

/** One archive is read at a time, because unpacking needs a whole processor. */
const inTurn = limitInTurn(1, 20, () => errors.unavailable('other archives are being read'));

function keyFor({ principal }: Pick<Call, 'principal'>, form: string): string {
  return incomingKey(principal, '', form);
}

function newState({ name, size }: Pick<ToBringIn, 'name' | 'size'>, at: number): BringIn {
  return {
    name,
    size,
    phase: 'reading',
    at,
    taken: 0,
    archive: null,
    person: null,
    next: 0,
    done: 0,
    stored: 0,
    refused: [],
    refusedCount: 0,
    before: null,
    recordId: null,
    stands: {},
    refusal: null,
  };
}

/** The beginning of the names of all records that an account has brought in, or of those of one archive. */
function broughtPrefix(accountId: PrincipalId, digest?: string): string {
  const own = `${NAMED}${sha256(accountId).slice(0, 32)}/`;
  return digest === undefined ? own : `${own}${sha256(digest).slice(0, 32)}/`;
}

/** The external id of a document of the archive: it is stored once, however often it is tried. */
function externalName(id: string) {
  return { appId: WEBSITE_APP, externalId: `${NAMED}${id}` };
}

export async function readBringIn(call: Call<InAccount, OfBringIn>): Promise<BringInSeen> {
  const { services, query, params } = call;
  const [state, made] = await Promise.all([
    query.form === '' ? undefined : readState<BringIn>(services, keyFor(call, query.form)),
    recordStore.findRecordsNamed(services.database.reads, WEBSITE_APP, broughtPrefix(params.ACCOUNT_EMAIL), MOST_BEGUN),
  ]);
  const begun = made.filter(({ id, ownerId }) => ownerId === WEBSITE_APP && id !== state?.recordId);
  return { now: state ?? null, unfinished: begun.map(({ label }) => label) };
}

function pieceOf(document: BroughtDocument, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(document)}\n`), bytes]);
}

function documentIn(piece: Buffer): { readonly document: BroughtDocument; readonly bytes: Buffer } {
  const end = piece.indexOf('\n');
  return {
    document: JSON.parse(piece.subarray(0, end).toString('utf8')) as BroughtDocument,
    bytes: piece.subarray(end + 1),
  };
}

/** The last record that was made of the archive and is whole. */
async function madeBefore({ database }: Services, accountId: PrincipalId, digest: string): Promise<MadeBefore | null> {
  const made = await recordStore.findRecordsNamed(
    database.reads,
    WEBSITE_APP,
    broughtPrefix(accountId, digest),
    MOST_COPIES,
  );
  const last = made.filter(({ ownerId }) => ownerId !== WEBSITE_APP).at(-1);
  return last ? { id: last.id, label: last.label, at: last.createdAt } : null;
}

/** Reads the archive, and writes its documents sealed into a part of their own. */
async function readArchive(call: Call<InAccount, unknown, ToBringIn>, key: string, begun: BringIn): Promise<BringIn> {
  const { services, params } = call;
  let state = begun;
  let told = 0;
  const tell = async (): Promise<void> => {
    if (Date.now() - told > TELL_MILLISECONDS) {
      told = Date.now();
      if (!(await rewriteState(services, key, { ...state, at: services.clock.now() }))) {
        throw errors.notFound('file');
      }
    }
  };
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of readPieces(services, key, 'file')) {
      yield piece;
      state = { ...state, taken: state.taken + piece.length };
      await tell();
    }
  };
  const { vocabBase, uploadDocuments, maxDocumentBytes } = services.config;
  const limits = {
    vocabBase,
    bytes: Math.max(SMALL_BYTES, Math.min(begun.size * UNPACKED, 4 * services.config.bringInMegabytes * 1_000_000)),
    documents: uploadDocuments,
    documentBytes: maxDocumentBytes,
  };
  const documents = await writePieces(services, key, 'documents');
  try {
    const archive = await readBrought(pieces(), limits, async (document, bytes) => {
      const at = await documents.add(pieceOf(document, bytes));
      state = { ...state, done: state.done + 1, person: document.isPerson ? at : state.person };
    });
    if (state.person === null) {
      throw new ArchiveRefused('person', 'it does not say whose record it is');
    }
    const before = await madeBefore(services, params.ACCOUNT_EMAIL, archive.digest);
    return { ...state, phase: 'read', archive, done: 0, before };
  } finally {
    await documents.end();
    await removeIncoming(services, key, 'file');
  }
}

/** Reads an archive that a door has received. A refusal is kept in the state, which `account_bring_in` answers. */
export async function readBringInFile(call: Call<InAccount, unknown, ToBringIn>): Promise<void> {
  const { services, body } = call;
  const key = keyFor(call, body.form);
  const begun = newState(body, services.clock.now());
  await writeState(services, key, begun);
  let after: BringIn;
  try {
    after = await inTurn(call.params.ACCOUNT_EMAIL, () => readArchive(call, key, begun));
  } catch (error) {
    const reason = error instanceof ArchiveRefused ? error.reason : 'other';
    const { message: words } = error instanceof AppError ? error : errors.internal();
    after = { ...begun, phase: 'refused', refusal: { reason, words } };
    await removeIncoming(services, key, 'documents');
    if (!(error instanceof AppError)) {
      await rewriteState(services, key, { ...after, at: services.clock.now() });
      throw error;
    }
  }
  await rewriteState(services, key, { ...after, at: services.clock.now() });
}

type Adding = Call<InAccount, unknown, ToFinish>;

/** Whether the same document came before: it was stored when this was tried the last time. */
function isThere(error: unknown): boolean {
  return error instanceof AppError && ['duplicate', 'already_replaced'].includes(error.code);
}

/** The name of the record to make, or of one that was begun and goes on. */
async function nameFor({ services, params }: Adding, { archive }: BringIn): Promise<string> {
  const names = broughtPrefix(params.ACCOUNT_EMAIL, archive!.digest);
  const made = await recordStore.findRecordsNamed(services.database.reads, WEBSITE_APP, names, MOST_COPIES);
  const whole = new Set(made.filter(({ ownerId }) => ownerId !== WEBSITE_APP).map(({ externalId }) => externalId));
  for (let number = 1; number <= MOST_COPIES; number += 1) {
    const name = `${names}${String(number).padStart(2, '0')}`;
    if (!whole.has(name)) {
      return name;
    }
  }
  throw errors.invalidState(`there are ${MOST_COPIES} records of this archive`);
}

/** Makes the record from the first version of the document with the person. Nobody sees it yet. */
async function beginRecord(call: Adding, key: string, state: BringIn): Promise<BringIn> {
  const { services, principal } = call;
  const found = await readPiece(services, key, 'documents', state.person!);
  if (!found) {
    throw errors.notFound('file');
  }
  const { document, bytes } = documentIn(found.piece);
  const externalId = await nameFor(call, state);
  const record = await createRecord(services, {
    bytes,
    mediaType: mediaTypeOf(bytes),
    principal,
    ownerId: WEBSITE_APP,
    external: { appId: WEBSITE_APP, externalId },
  });
  return { ...state, phase: 'adding', recordId: record.id, stands: { [document.id]: record.demographicsLineageId! } };
}

async function sayBeside(call: Adding, recordId: Id, lineageId: Id, document: BroughtDocument): Promise<void> {
  const { services, principal } = call;
  const { label, date, kind, tags, status, reason, nevershare } = document;
  const write = async (trx: Transaction): Promise<void> => {
    await documentStore.setLabel(trx, lineageId, label);
    await documentStore.setOwn(trx, lineageId, { date, kind, tags });
    await documentStore.setNevershare(trx, lineageId, nevershare);
    if (status !== (await documentStore.lockStatus(trx, lineageId))) {
      const change = {
        status,
        reason,
        changedBy: effectiveId(principal)!,
        changedAt: toTimestamp(services.clock.now()),
      };
      await documentStore.setStatus(trx, lineageId, change, proxyId(principal));
    }
  };
  await changeRecord(services, recordId, write);
}

/** The first version that was stored of a document, if there is one. */
async function firstStored(
  { services }: Adding,
  recordId: Id,
  state: BringIn,
  firstId: string,
): Promise<Id | undefined> {
  return (
    state.stands[firstId] ??
    (await documentStore.findDocumentByExternalId(services.database.reads, recordId, externalName(firstId)))?.id
  );
}

/** Stores a version of a document, unless it is there already, and what is said beside it; answers its id. */
async function storeBrought(call: Adding, state: BringIn, document: BroughtDocument, bytes: Buffer): Promise<Id> {
  const { services, principal } = call;
  const recordId = state.recordId!;
  const scope = { recordId };
  const found = async (): Promise<Id | undefined> =>
    document.isPerson ? firstStored(call, recordId, state, document.id) : findNamed();
  const findNamed = async (): Promise<Id | undefined> =>
    (await documentStore.findDocumentByExternalId(services.database.reads, recordId, externalName(document.id)))?.id;
  const create = async (): Promise<Id | undefined> => {
    const first = await firstStored(call, recordId, state, document.firstId);
    const earlier = first && (await requireDocument(services, scope, first)).latest.id;
    const { id } = await services.pipeline.create({
      recordId,
      bytes,
      mediaType: mediaTypeOf(bytes),
      principal,
      external: externalName(document.id),
      ...(earlier === undefined ? { label: document.label } : { replaces: earlier }),
      ...(document.nevershare ? { nevershare: true } : {}),
      ...(document.isPerson ? {} : { leaving: { before: document.leftOut ?? [] } }),
    });
    return id;
  };
  const id =
    (await found()) ??
    (await create().catch(async (error: unknown) => {
      const there = isThere(error) ? await found() : undefined;
      if (there === undefined) {
        throw error;
      }
      return there;
    }));
  if (document.isLast) {
    await sayBeside(call, recordId, (await requireDocument(services, scope, id!)).lineageId, document);
  }
  return id!;
}

/** Makes the record visible: its circles, empty, and its owner. */
async function finishRecord({ services, params }: Adding, recordId: Id, { circles }: Brought): Promise<void> {
  const { database, clock } = services;
  const first = { limit: MOST_CIRCLES, offset: 0 };
  const there = new Set((await sharingStore.listCarenets(database.reads, recordId, first)).map(({ name }) => name));
  const others = circles.filter((one) => !there.has(one));
  await database.transaction(async (trx) => {
    if (!(await recordStore.setRecordOwner(trx, recordId, params.ACCOUNT_EMAIL))) {
      throw errors.notFound('record');
    }
    await sharingStore.insertCarenets(trx, recordId, others, toTimestamp(clock.now()));
  });
}

function refusedOne(state: BringIn, document: BroughtDocument, words: string): BringIn {
  return {
    ...state,
    refused: [...state.refused, { label: document.label ?? '', words }].slice(0, MOST_TOLD),
    refusedCount: state.refusedCount + 1,
  };
}

async function addOne(call: Adding, key: string, state: BringIn): Promise<BringIn> {
  const { services, note } = call;
  const recordId = state.recordId!;
  note({ recordId });
  if (state.done === state.archive!.documents) {
    await finishRecord(call, recordId, state.archive!);
    return { ...state, phase: 'added' };
  }
  const found = await readPiece(services, key, 'documents', state.next);
  if (!found) {
    throw errors.notFound('file');
  }
  const { document, bytes } = documentIn(found.piece);
  const next = { ...state, done: state.done + 1, next: found.next };
  try {
    const id = await storeBrought(call, state, document, bytes);
    note({ documentId: id });
    // When the first version was refused, a later one stands for it.
    const known = document.id === document.firstId || (await firstStored(call, recordId, state, document.firstId));
    return {
      ...next,
      stored: state.stored + 1,
      ...(known ? {} : { stands: { ...state.stands, [document.firstId]: id } }),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) {
      throw error;
    }
    return refusedOne(next, document, error.message);
  }
}

async function addNext(call: Adding, key: string): Promise<BringIn> {
  const { services, body } = call;
  const state = await readState<BringIn>(services, key);
  if (!state) {
    throw errors.notFound('file');
  }
  const mustAsk = state.phase === 'read' && state.before !== null && !body.again;
  if (mustAsk || !['read', 'adding'].includes(state.phase)) {
    return state;
  }
  const after =
    state.phase === 'read'
      ? await beginRecord(call, key, state).catch((error: unknown): BringIn => {
          if (error instanceof AppError && error.code === 'invalid_document') {
            return { ...state, phase: 'refused', refusal: { reason: 'person', words: error.message } };
          }
          throw error;
        })
      : await addOne(call, key, state);
  await rewriteState(services, key, { ...after, at: services.clock.now() });
  if (['added', 'refused'].includes(after.phase)) {
    await removeIncoming(services, key, 'documents');
  }
  return after;
}

/** A form that is sent twice does nothing twice. */
const oneByOne = newOneByOne();

/**
 * Does the next step: makes the record, stores the next document, or makes the record visible. 404 for an unknown file.
 * @returns the state; its phase is `added` when the record is whole
 */
export function addNextBroughtIn(call: Adding): Promise<BringIn> {
  const key = keyFor(call, call.body.form);
  return oneByOne(key, () => addNext(call, key));
}

/** Removes records that were begun and have not become whole for two days. */
export async function sweepBroughtIn(services: Services): Promise<void> {
  const before = toTimestamp(services.clock.now() - BEGUN_MILLISECONDS);
  for (const id of await recordStore.listBegun(services.database.reads, WEBSITE_APP, NAMED, before)) {
    await services.forget(id);
  }
}
