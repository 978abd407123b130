/**
 * incoming: keeps a large file that somebody has sent and not added yet. It is sealed piece by piece on this machine,
 * never whole in memory and never unencrypted on a disk. The state of the work on it is kept beside it.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Sealing } from '../auth/sealing';
import { newToken } from '../base/ids';
import { newOneByOne } from '../base/turns/one-by-one';
import { errors } from '../base/errors';
import type { Config } from '../config/schema';

type IncomingParts = {
  readonly config: Pick<Config, 'uploadDir' | 'uploadTotalBytes' | 'maxUploadBytes' | 'bringInMegabytes'>;
  readonly sealing: Sealing;
};

/** The file itself, the documents in it, and the state of the work. */
type IncomingPart = 'file' | 'documents' | 'state';

const LENGTH_BYTES = 4;
/** No piece that this service wrote is longer. */
const LONGEST_PIECE = 268_435_456;
const KEPT_MILLISECONDS = 1_800_000;
/** The space of one person, by the size of the largest file: the file and the documents that were found in it. */
const FILES_EACH = 3;
/** The space is measured again after this many bytes. */
const LOOK_BYTES = 16_777_216;
/** Work on a file is reported more often than this. */
const WORKING_MILLISECONDS = 30_000;
/** The person, the form and the part in the name of a file. Earlier releases wrote no person. */
const NAME = /^((?:[0-9a-f]{32}-)?[0-9a-f]{64})\.(?:file|documents|state)/;

/** @throws Error when somebody else made the folder, because they could watch the files in it */
async function ready({ uploadDir: folder }: Pick<Config, 'uploadDir'>): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = userInfo();
  const found = await lstat(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) {
    throw new Error(`the folder of incoming files (${folder}) belongs to somebody else`);
  }
  return folder;
}

function personIn(key: string): string {
  return key.slice(0, key.indexOf('-') + 1);
}

/** Name of a file -> its length. */
async function sizesIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.filter((name) => NAME.test(name)).map(async (name) => [name, await sizeOf(join(folder, name))] as const),
  );
  return new Map(sizes);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** @throws AppError too_large when the person has no room left, unavailable when nobody has */
async function requireRoom({ config }: IncomingParts, key: string): Promise<void> {
  const sizes = [...(await sizesIn(await ready(config)))];
  const sum = (some: readonly (readonly [string, number])[]): number => some.reduce((all, [, size]) => all + size, 0);
  const room = FILES_EACH * Math.max(config.maxUploadBytes, config.bringInMegabytes * 1_000_000);
  if (sum(sizes.filter(([name]) => name.startsWith(personIn(key)))) > room) {
    throw errors.tooLarge(`${room} bytes of files that wait to be added`);
  }
  if (sum(sizes) > config.uploadTotalBytes) {
    throw errors.unavailable('too many files wait to be added');
  }
}

/** @param key of `incomingKey`: it names the file and reveals nothing */
async function pathOf({ config }: Pick<IncomingParts, 'config'>, key: string, part: IncomingPart): Promise<string> {
  return join(await ready(config), `${key}.${part}`);
}

function writeOut(stream: WriteStream, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));
}

export type PieceWriter = {
  /** @returns where the piece begins */ readonly add: (piece: Buffer) => Promise<number>;
  readonly end: () => Promise<void>;
};

/**
 * Writes a part from its beginning; an earlier one is replaced.
 * @throws AppError too_large or unavailable, here and while it is written, when there is no room for it
 */
export async function writePieces(parts: IncomingParts, key: string, part: IncomingPart): Promise<PieceWriter> {
  await requireRoom(parts, key);
  const stream = createWriteStream(await pathOf(parts, key, part), { mode: 0o600 });
  stream.on('error', () => undefined);
  let at = 0;
  let looked = 0;
  return {
    add: async (piece) => {
      const sealed = parts.sealing.sealBytes(piece);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(sealed.length);
      const begins = at;
      at += LENGTH_BYTES + sealed.length;
      await writeOut(stream, Buffer.concat([length, sealed]));
      if (at - looked > LOOK_BYTES) {
        looked = at;
        await requireRoom(parts, key);
      }
      return begins;
    },
    end: async () => {
      stream.end();
      await finished(stream);
    },
  };
}

async function pieceFrom(
  { sealing }: IncomingParts,
  file: FileHandle,
  from: number,
): Promise<{ readonly piece: Buffer; readonly next: number } | undefined> {
  const length = Buffer.alloc(LENGTH_BYTES);
  const { bytesRead } = await file.read(length, 0, LENGTH_BYTES, from);
  if (bytesRead < LENGTH_BYTES) {
    return undefined;
  }
  const sealed = Buffer.alloc(Math.min(length.readUInt32BE(), LONGEST_PIECE));
  await file.read(sealed, 0, sealed.length, from + LENGTH_BYTES);
  return { piece: sealing.openBytes(sealed), next: from + LENGTH_BYTES + sealed.length };
}

/**
 * The pieces from a place on, one at a time.
 * @throws Error when a piece was changed, or the file does not exist
 */
export async function* readPieces(
  parts: IncomingParts,
  key: string,
  part: IncomingPart,
  from = 0,
): AsyncGenerator<Buffer> {
  const file = await open(await pathOf(parts, key, part), 'r');
  try {
    for (let found = await pieceFrom(parts, file, from); found; found = await pieceFrom(parts, file, found.next)) {
      yield found.piece;
    }
  } finally {
    await file.close();
  }
}

/** The piece at a place, and the place of the next one; undefined behind the last one. @throws as `readPieces` */
export async function readPiece(
  parts: IncomingParts,
  key: string,
  part: IncomingPart,
  from: number,
): Promise<{ readonly piece: Buffer; readonly next: number } | undefined> {
  const file = await open(await pathOf(parts, key, part), 'r');
  try {
    return await pieceFrom(parts, file, from);
  } finally {
    await file.close();
  }
}

/** Writes the state. A reader that comes meanwhile finds the earlier file or the new one, never half of it. */
export async function writeState(parts: IncomingParts, key: string, state: object): Promise<void> {
  const path = await pathOf(parts, key, 'state');
  const draft = `${path}-${newToken()}`;
  await writeFile(draft, parts.sealing.sealBytes(Buffer.from(JSON.stringify(state))), { mode: 0o600 });
  await rename(draft, path);
}

/** The state; undefined when there is none, or when it was removed. */
export async function readState<S extends object>(parts: IncomingParts, key: string): Promise<S | undefined> {
  try {
    return JSON.parse(parts.sealing.openBytes(await readFile(await pathOf(parts, key, 'state'))).toString('utf8')) as S;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Writing a state again and removing it wait for each other, so that nothing that was removed comes back. */
const stateByState = newOneByOne();

/**
 * Writes the state again if the file is still there: a later one of the same person replaces it.
 * @returns false when it is gone
 */
export async function rewriteState(parts: IncomingParts, key: string, state: object): Promise<boolean> {
  return stateByState(key, async () => {
    const isThere = (await sizeOf(await pathOf(parts, key, 'state'))) > 0;
    await (isThere ? writeState(parts, key, state) : undefined);
    return isThere;
  });
}

/** Whether the documents of a file are being stored now. */
async function isBeingAdded(parts: IncomingParts, key: string, now: number): Promise<boolean> {
  const state = await readState<{ phase?: string; at?: number }>(parts, key).catch(() => undefined);
  return state?.phase === 'adding' && now - (state.at ?? 0) < WORKING_MILLISECONDS;
}

/**
 * Removes what the same person sent before and has not begun to add.
 * @param key of the file that comes now
 */
export async function removeEarlier(parts: IncomingParts, key: string, now: number): Promise<void> {
  const names = [...(await sizesIn(await ready(parts.config))).keys()];
  const earlier = new Set(
    names
      .flatMap((name) => (name.startsWith(personIn(key)) ? (NAME.exec(name)?.[1] ?? []) : []))
      .filter((one) => one !== key),
  );
  for (const one of earlier) {
    if (!(await isBeingAdded(parts, one, now))) {
      const remove = (part: IncomingPart): Promise<void> => removeIncoming(parts, one, part);
      await Promise.all([stateByState(one, () => remove('state')), remove('file'), remove('documents')]);
    }
  }
}

export async function removeIncoming(parts: IncomingParts, key: string, part: IncomingPart): Promise<void> {
  return rm(await pathOf(parts, key, part), { force: true });
}

/**
 * Removes files that nobody has touched for half an hour.
 * @returns how many files
 */
export async function tidyIncoming(
  { config }: { readonly config: Pick<Config, 'uploadDir'> },
  now: number,
): Promise<number> {
  const folder = config.uploadDir;
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names.filter((one) => NAME.test(one))) {
    const path = join(folder, name);
    const { mtimeMs = now } = (await stat(path).catch(() => undefined)) ?? {};
    // While a file is being worked on, its state is written again and again, so its other parts are treated as no older
    // than that.
    const newest = Math.max(mtimeMs, await touched(join(folder, `${NAME.exec(name)![1]}.state`)));
    if (newest < now - KEPT_MILLISECONDS) {
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
}

async function touched(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}
