/**
 * incoming: a file of many documents that was sent to a door. It is first read and shown; then its documents are stored
 * one after the other.
 */
import { AppError, errors } from '../../core/base/errors';
import type { Json } from '../../core/base/types';
import { sha256 } from '../../core/base/ids';
import { Lanes, type Turn } from '../../core/base/turns/lanes';
import { newOneByOne } from '../../core/base/turns/one-by-one';
import { OPERATOR } from '../../core/accounts/operator';
import { effectiveId } from '../../core/auth/principal';
import { countByModel } from '../../core/facts/model/fact';
import type { Scalar } from '../../core/facts/model/model';
import { mediaTypeOf } from '../../core/documents/media-type';
import {
  addCounts,
  NO_READINGS,
  readingsBeyond,
  type ReadingCounts,
  type ReadingsRule,
} from '../../core/documents/readings';
import {
  readPiece,
  readPieces,
  readState,
  removeIncoming,
  rewriteState,
  writePieces,
  writeState,
  type PieceWriter,
} from '../../core/files/incoming';
import { WEBSITE_APP } from '../../core/apps/website-app';
import { MOST_FILE_BYTES, wrapFile } from '../../core/files/envelope';
import { incomingKey } from '../../core/files/form-hash';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import {
  asksForZone,
  contentOf,
  FileRefusal,
  intakeBytes,
  intakesFor,
  mayBeTable,
  runIntake,
  type Intake,
  type IntakeDocument,
  type LeftOutOfFile,
} from '../../core/pipeline/intake/intake';
import { readMended } from '../../core/pipeline/mended-file';
import type { LeftOut } from '../../core/base/left-out';
import type { ReadDocument } from '../../core/pipeline/steps';
import { planImport, storeImported, type ImportScope } from '../../core/records/imported';
import { otherPerson, type OtherPerson } from '../../core/records/other-person';
import { toSdmj } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import { keepFile } from './kept-files';
import { requireLabel } from './from-form';
import { findPersonValues } from './preview';

type RefusedInFile = {
  readonly label: string;
  /** Type of the FHIR resource in it, where the intake says so. */ readonly resource?: string;
  readonly code: string;
  readonly words: string;
  /** It can be kept as a file, in which nothing is read. */ readonly isOffered?: true;
};

/** What is known of the file so far. */
export type Incoming = {
  readonly name: string;
  /** How many files a person sent at once, if the door made this one of them. */ readonly several?: number;
  readonly size: number;
  /** Its first bytes as base64: they tell which format can read it. */ readonly beginning: string;
  /** Whether a person can say at a page what its columns are. */ readonly isTable: boolean;
  /** The table as a person has described it. */ readonly described?: Intake;
  /** `sent`: it waits to be read; `refused`: the whole file was refused. */
  readonly phase: 'sent' | 'reading' | 'read' | 'adding' | 'added' | 'refused';
  /** When the work last reported, in milliseconds. If this is long ago, the work has stopped. */ readonly at: number;
  /** Name of the format. */ readonly intake: string | null;
  /** The time zone in which times without a zone were read. */ readonly timeZone: string | null;
  /** How many bytes were read. */ readonly taken: number;
  /** How many documents there are. */ readonly documents: number;
  /** How many of its files cannot be read and can be kept as files. */ readonly files: number;
  /** Whether the person wants to keep those. */ readonly asFiles: boolean;
  /** The byte at which the next one to be stored begins in the part `documents`. */ readonly next: number;
  /** The types of these documents. */ readonly types: readonly string[];
  /** Name of a model -> how many facts. */ readonly counts: Readonly<Record<string, number>>;
  /** The first facts, as reports answer them. */ readonly facts: readonly Json[];
  /** The person of the first document that is not about the person of the record. */
  readonly otherPerson: OtherPerson | null;
  /** How many documents are not about the person of the record. */ readonly ofOthers: number;
  /** Names of documents of a kind that is not known, so that nothing in them is read; at most MOST_TOLD. */
  readonly unknown: readonly string[];
  readonly unknownCount: number;
  readonly leftOut: readonly LeftOutOfFile[];
  /** What the documents in it say and no fact does, grouped. */ readonly unsaid: readonly LeftOut[];
  /** Documents in it that cannot be stored. */ readonly refused: readonly RefusedInFile[];
  readonly refusedCount: number;
  /** Why the whole file is refused; `reason` is a word of its format. */
  readonly refusal: { readonly code: string; readonly words: string; readonly reason?: string } | null;
  /** For a file of readings: how many of them the record lacks, and has. */ readonly readings: ReadingCounts | null;
  /** How many documents were stored, found there or refused so far. */ readonly done: number;
  readonly stored: number;
  /** How many of the stored ones are new versions. */ readonly renewed: number;
  /** How many documents were in the record already. */ readonly there: number;
};

/** The state of a file as doors see it. */
export type IncomingSeen = Omit<Incoming, 'next' | 'beginning' | 'described'> & {
  /** Whether it is known what its columns are, or how it is read. */ readonly isKnown: boolean;
};

export type OfIncoming = { form: string };
/** `as_files`: what cannot be read is kept as files; the first call decides. */
export type ToAdd = OfIncoming & { readonly as_files?: boolean };
/** `time_zone`: the zone of times that name none (IANA name). */
export type ToRead = OfIncoming & { readonly time_zone: string };
/** `beginning` as base64. */
export type NewIncoming = OfIncoming & {
  readonly name: string;
  readonly several?: number;
  readonly size: number;
  readonly beginning: string;
};

/** The most facts that are shown before the documents are added. */
const SAMPLE = 50;
/** The most entries of each list of what was left out or refused. */
const MOST_TOLD = 100;
/** The state is written at most this often while it changes, and at least every BEAT_MILLISECONDS while it does not. */
const TELL_MILLISECONDS = 500;
const BEAT_MILLISECONDS = 5000;

/** How the file is read: as a person has described it, else as a format knows it. */
function intakeFor({ reader }: Services, { name, beginning, described }: Incoming): Intake | undefined {
  return described ?? intakesFor(reader.entries.intakes, name, Buffer.from(beginning, 'base64'))[0];
}

function seen(services: Services, state: Incoming): IncomingSeen {
  const { next: _next, beginning: _beginning, described: _described, ...rest } = state;
  return { ...rest, isKnown: intakeFor(services, state) !== undefined };
}

export function incomingKeyOf(
  { principal, params }: Pick<Call<InRecord>, 'principal' | 'params'>,
  form: string,
): string {
  return incomingKey(principal, params.RECORD_ID, form);
}

function newState(
  { name, several, size, beginning, described }: Omit<NewIncoming, 'form'> & Pick<Incoming, 'described'>,
  now: number,
): Incoming {
  return {
    name,
    ...(several === undefined ? {} : { several }),
    size,
    beginning,
    isTable: mayBeTable(name, Buffer.from(beginning, 'base64')),
    ...(described === undefined ? {} : { described }),
    phase: 'sent',
    at: now,
    intake: null,
    timeZone: null,
    taken: 0,
    documents: 0,
    files: 0,
    asFiles: false,
    next: 0,
    types: [],
    counts: {},
    facts: [],
    otherPerson: null,
    ofOthers: 0,
    unknown: [],
    unknownCount: 0,
    leftOut: [],
    unsaid: [],
    refused: [],
    refusedCount: 0,
    refusal: null,
    readings: null,
    done: 0,
    stored: 0,
    renewed: 0,
    there: 0,
  };
}

export async function requireState(services: Services, key: string): Promise<Incoming> {
  const state = await readState<Incoming>(services, key);
  if (!state) {
    throw errors.notFound('file');
  }
  // An earlier release may have begun the work.
  return { ...newState(state, state.at), ...state };
}

export async function readIncoming(call: Call<InRecord, OfIncoming>): Promise<IncomingSeen> {
  return seen(call.services, await requireState(call.services, incomingKeyOf(call, call.query.form)));
}

/** Notes that a door has received a file; its bytes are stored under the token of the form already. */
export async function beginIncoming(call: Call<InRecord, unknown, NewIncoming>): Promise<void> {
  const { services, body } = call;
  await writeState(services, incomingKeyOf(call, body.form), newState(body, services.clock.now()));
}

/** A list with one more part of the file; above the limit the parts are only counted. */
function withLeftOut(all: readonly LeftOutOfFile[], one: LeftOutOfFile): readonly LeftOutOfFile[] {
  const last = all.at(-1);
  if (all.length < MOST_TOLD || last === undefined) {
    return [...all, one];
  }
  const count = last.count + one.count;
  return [...all.slice(0, -1), { what: 'Others', count, words: 'there are more than can be named', reason: 'others' }];
}

/** Counts what a document left out with what others did, by kind, reason and place; above the limit without the place. */
export function joinLeftOut(all: readonly LeftOut[], more: readonly LeftOut[], most: number): readonly LeftOut[] {
  const groups = new Map(all.map((one) => [groupOf(one, one.where), one]));
  for (const one of more) {
    const isRoom = groups.has(groupOf(one, one.where)) || groups.size < most;
    const { where: _, ...anywhere } = one;
    const kept: LeftOut = isRoom ? one : anywhere;
    const key = groupOf(kept, kept.where);
    groups.set(key, { ...kept, count: (groups.get(key)?.count ?? 0) + one.count });
  }
  return [...groups.values()];
}

function groupOf({ model, reason }: LeftOut, where: string | undefined): string {
  return JSON.stringify([model, reason, where]);
}

type Telling = {
  /** @throws AppError not_found when a later file has replaced this one */ readonly get: () => Incoming;
  /** The change is written within TELL_MILLISECONDS. */ readonly change: (more: Partial<Incoming>) => void;
  /** Writes the state now. */ readonly tell: () => Promise<void>;
  readonly stop: () => void;
};

/** Keeps the state of a file while it is worked on, and writes it again and again, so that other processes see it. */
function telling(services: Services, key: string, begun: Incoming): Telling {
  let state = begun;
  let written = Promise.resolve();
  let last = 0;
  let isGone = false;
  const tell = (): Promise<void> => {
    last = Date.now();
    state = { ...state, at: services.clock.now() };
    written = written
      .catch(() => undefined)
      .then(async () => {
        isGone ||= !(await rewriteState(services, key, state));
      });
    return written;
  };
  const beat = setInterval(() => void tell().catch(() => undefined), BEAT_MILLISECONDS);
  beat.unref();
  return {
    get: () => {
      if (isGone) {
        throw errors.notFound('file');
      }
      return state;
    },
    change: (more) => {
      state = { ...state, ...more };
      if (Date.now() - last > TELL_MILLISECONDS) {
        tell().catch(() => undefined);
      }
    },
    tell,
    stop: () => clearInterval(beat),
  };
}

/**
 * The first line of a document in the part `documents`: what it is called, and the external id under which it is
 * stored.
 */
type Head = {
  readonly label?: string;
  readonly name?: string;
  readonly resource?: string;
  readonly once: string;
  readonly renewed: boolean;
  readonly readings?: ReadingsRule;
  /** It holds a file that could not be read. */ readonly asFile?: boolean;
};

type Offered = { readonly isOffered?: true };

function packedPiece(head: Head, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]);
}

function unpackedPiece(piece: Buffer): Head & { readonly bytes: Buffer } {
  const end = piece.indexOf('\n');
  return { ...(JSON.parse(piece.subarray(0, end).toString('utf8')) as Head), bytes: piece.subarray(end + 1) };
}

function withRefusal(
  state: Incoming,
  { name = '', resource }: Pick<Head, 'name' | 'resource'>,
  { code, message }: AppError,
  offered: Offered,
): Partial<Incoming> {
  return {
    refused: [
      ...state.refused,
      { label: name, ...(resource === undefined ? {} : { resource }), code, words: message, ...offered },
    ].slice(0, MOST_TOLD),
    refusedCount: state.refusedCount + 1,
  };
}

/** What the website or the operator stored in the record before. */
function importScope({ params }: Pick<Call<InRecord>, 'params'>): ImportScope {
  return {
    recordId: params.RECORD_ID,
    appIds: [WEBSITE_APP, OPERATOR],
  };
}

/** So many bytes of the tables of an archive are held; what later ones repeat of them may be counted twice. */
const MOST_SAID = 32_000_000;
/** What the tables of an archive have said so far, so that what several of them say is counted once. */
class SaidInArchive {
  readonly #texts = new Map<string, string[]>();
  #bytes = 0;

  /** The document with only those of its readings that no earlier table has; undefined if it has none. */
  addNew({ once, readings = {} }: Pick<Head, 'once' | 'readings'>, bytes: Buffer): Buffer | undefined {
    const known = this.#texts.get(once) ?? [];
    const text = bytes.toString('utf8');
    if (this.#bytes < MOST_SAID) {
      this.#texts.set(once, [...known, text]);
      this.#bytes += text.length;
    }
    const rest = known.length === 0 ? text : readingsBeyond(known, text, readings);
    return rest === undefined ? undefined : Buffer.from(rest);
  }
}

type Reading = {
  readonly call: Call<InRecord>;
  readonly said: SaidInArchive;
  readonly intake: Intake;
  readonly told: Telling;
  readonly documents: PieceWriter;
  /** The person of the record, by column of the demographics. */ readonly person: Readonly<Record<string, Scalar>>;
  /** The zone of times that name none. */ readonly timeZone: string;
};

/** What refuses a document because of itself. */
const UNREADABLE = ['invalid_document', 'transform_failed'];

/** Offers a file that cannot be read as a document that holds it. It is only stored if the person says so. */
async function offerAsFile({ call, intake, told, documents }: Reading, given: Buffer, title: string): Promise<Offered> {
  const { documents: read, files } = told.get();
  const isFull = read + files >= call.services.config.uploadDocuments;
  if (given.length === 0 || given.length > MOST_FILE_BYTES || isFull) {
    return {};
  }
  const bytes = wrapFile({ bytes: given, title: title || 'file', anyKind: true }, call.services.config.vocabBase);
  const once = `${intake.name}/${sha256(bytes)}`;
  await documents.add(packedPiece({ name: title, once, renewed: false, asFile: true }, bytes));
  told.change({ files: files + 1 });
  return { isOffered: true };
}

type Found = {
  readonly head: Head;
  readonly bytes: Buffer;
  readonly read: ReadDocument;
  readonly counts?: ReadingCounts;
};

/** How many readings of a document are new; those that an earlier table of the same archive has are counted there. */
async function countReadings({ call, said }: Reading, head: Head, bytes: Buffer, isInArchive: boolean) {
  const counted = isInArchive ? said.addNew(head, bytes) : bytes;
  return counted === undefined
    ? NO_READINGS
    : (await planImport(call.services, importScope(call), { ...head, bytes: counted })).counts;
}

/**
 * Reads one document of the file as it would be stored. If it cannot be stored, it is noted as refused, and the work
 * continues with the others.
 */
async function lookInto(reading: Reading, item: IntakeDocument): Promise<Found | undefined> {
  const { call, intake, told } = reading;
  const { services, principal } = call;
  const name = item.name ?? item.label ?? ('file' in item ? item.file.title : '');
  try {
    const given = intakeBytes(item, services.config.vocabBase);
    const { bytes, done } = await readMended(services.reader, given, effectiveId(principal) ?? undefined, (content) =>
      services.pipeline.read({ bytes: content, mediaType: mediaTypeOf(content), principal }),
    );
    const { read } = done;
    // A document of an unknown kind says nothing by which it could be called.
    const label = item.label ?? (read.entry === null ? item.name : undefined);
    const head: Head = {
      ...(label === undefined ? {} : { label }),
      ...(name === '' ? {} : { name }),
      ...(item.resource === undefined ? {} : { resource: item.resource }),
      once: `${item.of ?? intake.name}/${item.key ?? sha256(given)}`,
      renewed: item.key !== undefined,
      ...(item.readings === undefined ? {} : { readings: item.readings }),
    };
    const counts = head.readings && (await countReadings(reading, head, bytes, item.of !== undefined));
    return { head, bytes, read, ...(counts ? { counts } : {}) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) {
      throw error;
    }
    const offered = UNREADABLE.includes(error.code) ? await offerAsFile(reading, contentOf(item), name) : {};
    told.change(withRefusal(told.get(), { ...item, name }, error, offered));
    return undefined;
  }
}

/** Notes that times without a zone were read, once an archive turns out to have a table with such times. */
function noteZone({ call, told, timeZone }: Reading, { of }: IntakeDocument): void {
  const table = call.services.reader.entries.intakes.find(({ name }) => name === of);
  if (table && told.get().timeZone === null && asksForZone(table)) {
    told.change({ timeZone });
  }
}

function withPerson({ otherPerson: first, ofOthers }: Incoming, other: OtherPerson | undefined): Partial<Incoming> {
  return other === undefined ? {} : { otherPerson: first ?? other, ofOthers: ofOthers + 1 };
}

function withUnknown({ unknown, unknownCount }: Incoming, { label, name = '' }: Head): Partial<Incoming> {
  return { unknown: [...unknown, label ?? name].slice(0, MOST_TOLD), unknownCount: unknownCount + 1 };
}

/** Reads one document of the file and keeps it. @throws AppError when the file as a whole goes no further */
async function readOne(reading: Reading, item: IntakeDocument): Promise<void> {
  const { call, told, documents, person } = reading;
  const most = call.services.config.uploadDocuments;
  if (told.get().documents + told.get().refusedCount >= most) {
    throw new FileRefusal(`it holds more than ${most} documents: send it in parts`, 'many');
  }
  const found = await lookInto(reading, item);
  if (!found) {
    return;
  }
  await documents.add(packedPiece(found.head, found.bytes));
  noteZone(reading, item);
  const { facts, counts, types, documents: before, readings } = told.get();
  const { read } = found;
  const more = read.facts.slice(0, SAMPLE - facts.length).map((fact) => toSdmj(call.services.models(), fact));
  told.change({
    documents: before + 1,
    types: types.includes(read.type) ? types : [...types, read.type],
    counts: countByModel(read.facts, { ...counts }),
    facts: [...facts, ...more],
    ...withPerson(told.get(), otherPerson(read.about, person)),
    ...(read.entry === null ? withUnknown(told.get(), found.head) : {}),
    unsaid: joinLeftOut(told.get().unsaid, read.leftOut, MOST_TOLD),
    ...(found.counts ? { readings: addCounts(readings ?? NO_READINGS, found.counts) } : {}),
  });
}

async function* counted(pieces: AsyncIterable<Buffer>, told: Telling): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece;
    told.change({ taken: told.get().taken + piece.length });
  }
}

async function readAll(call: Call<InRecord, unknown, ToRead>, key: string, told: Telling, turn: Turn): Promise<void> {
  const { services, body } = call;
  const timeZone = body.time_zone;
  const { name } = told.get();
  const intake = intakeFor(services, told.get());
  if (!intake) {
    throw errors.invalidDocument('no format takes in such a file');
  }
  told.change({ phase: 'reading', intake: intake.name, timeZone: asksForZone(intake) ? timeZone : null });
  await told.tell();
  const person = await findPersonValues(services, call.params.RECORD_ID);
  const documents = await writePieces(services, key, 'documents');
  const reading: Reading = { call, said: new SaidInArchive(), intake, told, documents, person, timeZone };
  try {
    const chunks = counted(readPieces(services, key, 'file'), told);
    for await (const item of runIntake(intake, { name, chunks }, { ...services.config, timeZone })) {
      if ('leftOut' in item) {
        const { unread } = item;
        const offered = unread === undefined ? {} : await offerAsFile(reading, Buffer.from(unread.bytes), unread.title);
        told.change({ leftOut: withLeftOut(told.get().leftOut, { ...item.leftOut, ...offered }) });
      } else {
        await readOne(reading, item);
      }
      await turn.pause();
    }
  } finally {
    await documents.end();
  }
  // The columns of a table can still be described in another way.
  if (!told.get().isTable) {
    await removeIncoming(services, key, 'file');
  }
}

/** Larger files wait for each other in a queue of their own, so that small ones need not wait for them. */
const LARGE_BYTES = 5_000_000;

/**
 * This process reads one large and one small file at a time, because each needs another process with some hundred
 * megabytes. A person has one file in each queue; the others take turns, however many documents a file holds.
 */
const turns = {
  large: new Lanes({ milliseconds: 5000, begun: 3 }),
  small: new Lanes({ milliseconds: 2000, begun: 4 }),
};

function laneFor(size: number): Lanes {
  return turns[size > LARGE_BYTES ? 'large' : 'small'];
}

/** Does other work on a file in its turn. */
export function inTurn<T>(call: Pick<Call<InRecord>, 'principal'>, size: number, work: () => Promise<T>): Promise<T> {
  return laneFor(size).run(effectiveId(call.principal) ?? '', work);
}

/**
 * Reads the file to its end. A refusal of the file is kept in its state, which `document_incoming` answers. 404 for an
 * unknown file.
 */
export async function readIncomingFile(call: Call<InRecord, unknown, ToRead>): Promise<void> {
  const { services, body } = call;
  const key = incomingKeyOf(call, body.form);
  const begun = await requireState(services, key);
  if (begun.phase !== 'sent' && begun.phase !== 'reading') {
    return;
  }
  const told = telling(services, key, newState(begun, 0));
  try {
    const owner = effectiveId(call.principal) ?? key;
    await laneFor(begun.size).run(owner, (turn) => readAll(call, key, told, turn));
    told.change({ phase: 'read' });
  } catch (error) {
    const known = error instanceof AppError;
    const { code, message } = known ? error : errors.internal();
    const reason = error instanceof FileRefusal ? error.reason : undefined;
    const refusal = { code, words: message, ...(reason === undefined ? {} : { reason }) };
    told.change({ phase: 'refused', refusal });
    if (!known) {
      throw error;
    }
  } finally {
    told.stop();
    await told.tell();
  }
}

type Kept = Head & { readonly bytes: Buffer };

async function storeIncoming(
  call: Call<InRecord>,
  kept: Kept,
): Promise<Pick<Incoming, 'stored' | 'renewed' | 'there'>> {
  const { services, principal, params, note } = call;
  const { label } = kept;
  const { documents, replaced, there } = await storeImported(services, importScope(call), kept, async (bytes, as) => {
    const document = await services.pipeline.create({
      recordId: params.RECORD_ID,
      bytes,
      mediaType: mediaTypeOf(bytes),
      principal,
      ...('externalId' in as ? { external: { appId: WEBSITE_APP, externalId: as.externalId } } : as),
      ...(label === undefined ? {} : { label: requireLabel([...label].slice(0, 100).join('')) }),
    });
    note({ documentId: document.id });
    return document;
  });
  return { stored: documents.length, renewed: replaced.length, there: there === undefined ? 0 : 1 };
}

async function storeOnce(call: Call<InRecord>, kept: Kept, state: Incoming): Promise<Partial<Incoming>> {
  try {
    const { stored, renewed, there } = await storeIncoming(call, kept);
    return { stored: state.stored + stored, renewed: state.renewed + renewed, there: state.there + there };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'permission_denied') {
      throw error;
    }
    return withRefusal(state, kept, error, {});
  }
}

/** Says that adding has begun before the first document is stored: who looks meanwhile is not asked once more. */
async function beginAdding(
  { services, body }: Call<InRecord, unknown, ToAdd>,
  key: string,
  read: Incoming,
): Promise<Incoming> {
  const state: Incoming = {
    ...read,
    asFiles: body.as_files ?? false,
    phase: 'adding',
    at: services.clock.now(),
  };
  await rewriteState(services, key, state);
  return state;
}

async function addNext(call: Call<InRecord, unknown, ToAdd>, key: string): Promise<IncomingSeen> {
  const { services, principal } = call;
  const begun = await requireState(services, key);
  if (effectiveId(principal) === null || !['read', 'adding'].includes(begun.phase)) {
    return seen(services, begun);
  }
  const state = begun.phase === 'read' ? await beginAdding(call, key, begun) : begun;
  const pieces = state.documents + state.files;
  const found = state.done < pieces ? await readPiece(services, key, 'documents', state.next) : undefined;
  const kept = found && unpackedPiece(found.piece);
  const change = kept && (state.asFiles || kept.asFile !== true) ? await storeOnce(call, kept, state) : {};
  const done = found ? state.done + 1 : pieces;
  const ended = done === pieces;
  const after: Incoming = {
    ...state,
    ...change,
    done,
    next: found?.next ?? state.next,
    at: services.clock.now(),
    phase: ended ? 'added' : 'adding',
  };
  await rewriteState(services, key, after);
  if (ended) {
    await Promise.all((['documents', 'file'] as const).map((part) => removeIncoming(services, key, part)));
  }
  return seen(services, after);
}

/** A form that is sent twice stores no document twice. */
const oneByOne = newOneByOne();

/**
 * Stores the next document of a file that was read. Calls for the same file wait for each other. 404 for an unknown
 * file.
 * @returns the state of the file; its phase is `added` when all documents are done
 */
export function addNextOfIncoming(call: Call<InRecord, unknown, ToAdd>): Promise<IncomingSeen> {
  const key = incomingKeyOf(call, call.body.form);
  return oneByOne(key, () => addNext(call, key));
}

/**
 * Keeps a file that was refused as a whole, for the form that adds it as a file. 404 for an unknown file.
 * @returns the token of that form
 */
export async function keepIncoming(call: Call<InRecord, unknown, OfIncoming>): Promise<{ readonly form: string }> {
  const { services, principal, params, body } = call;
  const key = incomingKeyOf(call, body.form);
  const { name, size, phase, isTable } = await requireState(services, key);
  const isOpen = phase === 'refused' || (isTable && ['sent', 'read'].includes(phase));
  if (!isOpen || size > MOST_FILE_BYTES) {
    throw errors.notFound('file');
  }
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(services, key, 'file')) {
    pieces.push(piece);
  }
  const file = { name, mediaType: '', bytes: Buffer.concat(pieces), asFile: true };
  return { form: await keepFile(services, principal, params.RECORD_ID, file) };
}
