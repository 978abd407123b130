/**
 * receive: receives a form with files that may be large. Its fields are read like those of any form. A file of many
 * documents is sealed and written to the disk while it is received, and is never in memory as a whole.
 */
import Boom from '@hapi/boom';
import type { Lifecycle, Request } from '@hapi/hapi';
import { Dispenser } from '@hapi/pez';
import type { PassThrough, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, errors } from '../../../core/base/errors';
import { newToken } from '../../../core/base/ids';
import type { Hold } from '../../../core/base/turns/room';
import { holdBytes, holdUntilAnswered } from '../../../core/http/held-bytes';
import { MOST_FILE_BYTES } from '../../../core/files/envelope';
import { incomingKey } from '../../../core/files/form-hash';
import { readPieces, removeEarlier, removeIncoming, writePieces } from '../../../core/files/incoming';
import { BEGINNING_BYTES, intakesFor, mayBeTable } from '../../../core/pipeline/intake/intake';
import type { Config } from '../../../core/config/schema';
import type { LazyServices, Services } from '../../../core/services';
import { CRUMB, crumbOf, sessionCookie } from './cookies';
import type { PageSpec, PersonVisit, SentFile } from './page';
import { ReceivedFile, sentName } from './received-file';
import { cookieOf } from './session-scheme';
import { BYTES_AT_ONCE, MOST_AT_ONCE, newSeveralFiles, type SeveralFiles } from './several-files';
import { visitOf } from './visit';
import { pageOf } from './where';

const FORM_BYTES = 262_144;
/** Somebody who sends more files than can be sent is told so. */
const MOST_PARTS = 5 * MOST_AT_ONCE;
/** How many bytes of a file may wait to be written. */
const WAITING_BYTES = 1_048_576;
/** The dispenser is given at most this much at once. */
const MOUTHFUL_BYTES = 65_536;
/** About how long the disk needs to write a part of them. */
const WRITING_MILLISECONDS = 2;
const PIECE_BYTES = 1_048_576;

type Part = PassThrough & {
  readonly name: string;
  readonly filename: string;
  readonly headers: Record<string, string>;
};

type Receiving = {
  readonly services: Services;
  readonly visit: PersonVisit;
  readonly recordId: string;
  /** The crumb of this session. */ readonly crumb: string;
  /** What they hold of the memory of the process. */ readonly held: Hold;
  /** How many more bytes the files of this form may have in memory. */ memory: number;
  /** How many more bytes they may have on the disk. */ disk: number;
  /** Whether every file goes to the disk. */ readonly archive: boolean;
  /** More files of a field than this become one archive. */ readonly several: number;
  /** That archive. */ packed?: SeveralFiles;
  /** The removal of what was sent before this form; not set until a file of the form goes to the disk. */
  cleared?: Promise<void>;
};

async function* inPieces(first: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let held = [...first];
  let length = held.reduce((sum, one) => sum + one.length, 0);
  for (;;) {
    const next = await rest.next();
    if (next.done === true || length >= PIECE_BYTES) {
      yield Buffer.concat(held);
      [held, length] = [[], 0];
    }
    if (next.done === true) {
      return;
    }
    held.push(next.value);
    length += next.value.length;
  }
}

/** Writes a file to the disk, piece by piece. */
async function toDisk(
  receiving: Receiving,
  pieces: AsyncIterable<Buffer>,
): Promise<{ readonly token: string; readonly size: number }> {
  const { services, visit, recordId } = receiving;
  const token = newToken();
  const key = incomingKey(visit.person.principal, recordId, token);
  // Once a form: the files of one form wait for each other on the disk.
  await (receiving.cleared ??= removeEarlier(services, key, services.clock.now()));
  const writer = await writePieces(services, key, 'file');
  let size = 0;
  try {
    for await (const piece of pieces) {
      size += piece.length;
      receiving.disk -= piece.length;
      if (receiving.disk < 0) {
        throw Boom.entityTooLarge();
      }
      await writer.add(piece);
    }
  } catch (error) {
    await writer.end().catch(() => undefined);
    await removeIncoming(services, key, 'file');
    throw error;
  }
  await writer.end();
  return { token, size };
}

const NAME_CHARACTERS = 255;
function lastOf(name: string): string {
  return [...(name.toWellFormed().split(/[\\/]/).at(-1) ?? '')].slice(-NAME_CHARACTERS).join('');
}

async function receiveFile(receiving: Receiving, part: Part): Promise<SentFile> {
  const { services } = receiving;
  const chunks = (part as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let ended = false;
  const take = async (): Promise<void> => {
    const next = await chunks.next();
    ended = next.done === true;
    if (!ended) {
      const chunk = next.value as Buffer;
      receiving.held.more(chunk.length);
      first.push(chunk);
      length += chunk.length;
    }
  };
  while (!ended && length < BEGINNING_BYTES) {
    await take();
  }
  const sent = { name: sentName(part.filename), mediaType: part.headers['content-type'] ?? '' };
  const beginning = Buffer.concat(first).subarray(0, BEGINNING_BYTES);
  const name = lastOf(sent.name);
  const isUnknown = intakesFor(services.reader.entries.intakes, name, beginning).length === 0;
  if (receiving.archive || (length > 0 && (!isUnknown || mayBeTable(name, beginning)))) {
    const { token, size } = await toDisk(receiving, inPieces(first, chunks));
    return { ...sent, name, bytes: Buffer.alloc(0), incoming: { token, size, beginning, isUnknown } };
  }
  while (!ended) {
    await take();
    if (length > Math.min(receiving.memory, MOST_FILE_BYTES)) {
      throw Boom.entityTooLarge();
    }
  }
  receiving.memory -= length;
  return { ...sent, bytes: Buffer.concat(first) };
}

/** The bytes of a file, all in memory. @throws 413 when there are more than `most` */
async function bytesOf(chunks: AsyncIterable<Buffer>, most: number, held?: Hold): Promise<Buffer> {
  const all: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held?.more(chunk.length);
    length += chunk.length;
    if (length > most) {
      throw Boom.entityTooLarge();
    }
    all.push(chunk);
  }
  return Buffer.concat(all);
}

/** A file that was received before it was known how many would come; one on the disk leaves it. */
async function takeBack(receiving: Receiving, { bytes, incoming }: SentFile): Promise<Buffer> {
  if (incoming === undefined) {
    return bytes;
  }
  const { services, visit, recordId } = receiving;
  const key = incomingKey(visit.person.principal, recordId, incoming.token);
  const taken = await bytesOf(readPieces(services, key, 'file'), BYTES_AT_ONCE);
  await removeIncoming(services, key, 'file');
  return taken;
}

/** Begins the archive of many files, with those that came before. */
async function beginSeveral(receiving: Receiving, before: readonly SentFile[]): Promise<SeveralFiles> {
  const several = newSeveralFiles(async (bytes) => {
    let beginning = Buffer.alloc(0);
    async function* watched(): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        beginning = beginning.length < BEGINNING_BYTES ? Buffer.concat([beginning, chunk]) : beginning;
        yield chunk;
      }
    }
    const stored = await toDisk(receiving, inPieces([], watched()));
    return { ...stored, beginning: beginning.subarray(0, BEGINNING_BYTES) };
  }, new Date(receiving.services.clock.now()));
  receiving.packed = several;
  for (const file of before) {
    await several.add(file.name, await takeBack(receiving, file));
  }
  return several;
}

type Fields = Record<string, (string | ReceivedFile)[]>;

function addTo(fields: Fields, name: string, value: string | ReceivedFile): void {
  (fields[name] ??= []).push(value);
}

/** A table is read in the background, and so are the files that come with it. */
function isWaitingTable({ name, incoming }: SentFile): boolean {
  return incoming !== undefined && /\.(?:csv|tsv)$/i.test(name);
}

/** Receives one file: by itself, or into the archive of many. */
async function receiveInto(receiving: Receiving, part: Part, fields: Fields): Promise<void> {
  const before = (fields[part.name] ?? []).flatMap((one) => (typeof one === 'string' ? [] : [one.file]));
  if (receiving.packed === undefined && before.length < receiving.several) {
    const file = await receiveFile(receiving, part);
    const all = [...before, file];
    if (all.length > 1 && all.some(isWaitingTable)) {
      await beginSeveral(receiving, all);
      fields[part.name] = [];
    } else {
      addTo(fields, part.name, new ReceivedFile(file));
    }
    return;
  }
  const packed = receiving.packed ?? (await beginSeveral(receiving, before));
  fields[part.name] = [];
  const held = holdBytes(receiving.visit.person.principal.accountId);
  try {
    const bytes = await bytesOf(part as AsyncIterable<Buffer>, MOST_FILE_BYTES, held);
    await packed.add(lastOf(sentName(part.filename)), bytes);
  } finally {
    held.end();
  }
}

/** The bytes of a stream. Fails when none arrive for so many seconds. */
async function* impatient(stream: Readable, seconds: number): AsyncGenerator<Buffer> {
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Boom.clientTimeout()), seconds * 1000);
    });
    const next = await Promise.race([chunks.next(), silence]).finally(() => clearTimeout(timer));
    if (next.done === true) {
      return;
    }
    yield next.value;
  }
}

/** Why a part is not read; undefined where it is. */
function crumbRefusal({ crumb }: Receiving, fields: Fields, { headers }: Part): Error | undefined {
  if (fields[CRUMB]?.[0] !== crumb) {
    return Boom.forbidden();
  }
  // No browser encodes a file again (RFC 7578, 4.7), and decoded bytes could not be counted.
  return headers['content-transfer-encoding']?.toLowerCase() === 'base64' ? Boom.badRequest() : undefined;
}

/** Whether the form ended in the middle of a file, or its connection did. */
function isCutOff(error: unknown): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(String((error as { code?: unknown }).code));
}

/** Cuts what arrives at once into pieces that the dispenser may be given. */
function* mouthfuls(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += MOUTHFUL_BYTES) {
    yield chunk.subarray(at, at + MOUTHFUL_BYTES);
  }
}

/** What is known of the files of a form while it is read. */
class Parts {
  private readonly all: Part[] = [];

  add(part: Part): void {
    this.all.push(part);
  }

  get count(): number {
    return this.all.length;
  }

  /** Whether the bytes that come next belong to a file. */
  get inFile(): boolean {
    return this.all.at(-1)?.writableEnded === false;
  }

  /** How many bytes of the files wait to be written. */
  get waiting(): number {
    return this.all.reduce((sum, part) => sum + (part.destroyed ? 0 : part.readableLength), 0);
  }

  destroy(): void {
    this.all.forEach((part) => part.destroy());
  }
}

/**
 * Gives the dispenser a form, piece by piece. The dispenser keeps everything outside files in memory: fields, headers
 * of parts, and what comes before the first part. So these bytes are counted before it gets them.
 * @param failure what the dispenser has found so far
 */
async function feed(
  dispenser: Dispenser,
  stream: AsyncIterable<Buffer>,
  parts: Parts,
  failure: () => Error | undefined,
): Promise<void> {
  let outside = 0;
  for await (const chunk of stream) {
    for (const piece of mouthfuls(chunk)) {
      if (!parts.inFile && outside + piece.length > FORM_BYTES + MOUTHFUL_BYTES) {
        throw Boom.entityTooLarge();
      }
      const before = parts.inFile ? -1 : parts.count;
      dispenser.write(piece);
      // A piece in which a file begins or ends is not counted: there are no more of them than parts.
      outside += parts.count === before && !parts.inFile ? piece.length : 0;
      // The dispenser accepts everything that it is given, so it is given no more than the disk can write.
      while (parts.waiting > WAITING_BYTES && failure() === undefined) {
        await pause(WRITING_MILLISECONDS);
      }
      const failed = failure();
      if (failed !== undefined) {
        throw failed;
      }
    }
  }
}

/**
 * Reads the parts of a form. The crumb comes before all files, so that nothing is stored of a form that another page
 * sent.
 */
async function receiveParts(receiving: Receiving, stream: AsyncIterable<Buffer>, boundary: string): Promise<Fields> {
  const fields: Fields = Object.create(null) as Fields;
  const dispenser = new Dispenser({ boundary, maxParts: MOST_PARTS });
  const parts = new Parts();
  let failure: Error | undefined;
  let small = 0;
  let files: Promise<unknown> = Promise.resolve();
  const fail = (error: unknown): void => {
    failure ??= isCutOff(error) ? Boom.badRequest() : (error as Error);
    parts.destroy();
  };
  dispenser.on('error', fail);
  dispenser.on('field', (name: string, value: string) => {
    small += name.length + value.length;
    if (small > FORM_BYTES) {
      fail(Boom.entityTooLarge());
      return;
    }
    addTo(fields, name, value);
  });
  dispenser.on('part', (next: Part) => {
    const refusal = crumbRefusal(receiving, fields, next);
    if (refusal !== undefined) {
      fail(refusal);
      next.resume();
      return;
    }
    parts.add(next);
    next.on('error', () => undefined);
    files = files.then(() => receiveInto(receiving, next, fields));
    files.catch(fail);
  });
  const closed = new Promise<void>((resolve) => {
    dispenser.once('close', resolve);
    dispenser.once('error', () => resolve());
  });
  try {
    await feed(dispenser, stream, parts, () => failure);
    dispenser.end();
    await closed;
  } catch (error) {
    fail(error);
  }
  await files.catch(fail);
  if (failure !== undefined) {
    await receiving.packed?.abandon();
    throw failure;
  }
  if (receiving.packed) {
    const { say } = receiving.visit.words;
    const file = await receiving.packed.end((count) => `${say('add.several', { count })}.zip`);
    addTo(fields, 'file', new ReceivedFile(file));
  }
  return fields;
}

async function receiveText(stream: AsyncIterable<Buffer>): Promise<Fields> {
  const fields: Fields = Object.create(null) as Fields;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > FORM_BYTES) {
      throw Boom.entityTooLarge();
    }
    chunks.push(chunk);
  }
  for (const [name, value] of new URLSearchParams(Buffer.concat(chunks).toString('utf8'))) {
    addTo(fields, name, value);
  }
  return fields;
}

function boundaryOf(type: string): string | undefined {
  return /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(type)?.slice(1).find(Boolean);
}

/** As in hapi, a field that occurs once is a value and not a list. */
function asSent(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** How many bytes the files of a form may have on the disk. */
export function mostReceived(
  { receives, archive }: Pick<PageSpec, 'receives' | 'archive'>,
  { maxUploadBytes, bringInMegabytes }: Pick<Config, 'maxUploadBytes' | 'bringInMegabytes'>,
): number {
  if (!receives) {
    return 0;
  }
  return archive ? bringInMegabytes * 1_000_000 : maxUploadBytes;
}

async function receive(request: Request, spec: PageSpec, services: Services): Promise<Record<string, unknown>> {
  const { visit } = visitOf(request, spec, services);
  const person = visit as PersonVisit;
  const stream = impatient(request.payload as Readable, services.config.bodySeconds);
  const type = String(request.headers['content-type'] ?? '');
  const boundary = boundaryOf(type);
  if (boundary === undefined) {
    return asSent(await receiveText(stream));
  }
  try {
    await spec.receives!(person);
  } catch (error) {
    // hapi's own 403 is for forms that this site did not send.
    throw error instanceof AppError && error.status === 403 ? errors.notFound('page') : error;
  }
  const crumb = crumbOf(
    services.prove,
    cookieOf(request, sessionCookie(services.config)) ?? '',
    person.person.principal.accountId,
  );
  const receiving = {
    services,
    visit: person,
    recordId: visit.params['RECORD_ID'] ?? '',
    crumb,
    held: holdUntilAnswered(request, person.person.principal.accountId),
    memory: spec.files ? BYTES_AT_ONCE : 0,
    disk: mostReceived(spec, services.config),
    archive: spec.archive === true,
    several: spec.several ?? Infinity,
  };
  return asSent(await receiveParts(receiving, stream, boundary));
}

/** Reads the forms that hapi does not read, before `crumb` checks them. */
export function receiveForms({ services }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const spec = pageOf(request);
    if (request.method === 'post' && spec?.receives) {
      (request as { payload: unknown }).payload = await receive(request, spec, services());
    }
    return h.continue;
  };
}
