/**
 * incoming: keeps a large file that somebody has sent and not added yet. It is sealed piece by piece on this machine,
 * never whole in memory and never unencrypted on a disk. The state of the work on it is kept beside it.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Sealing } from '../auth/sealing';
import { newToken } from '../base/ids';
import type { Config } from '../config/schema';

export type IncomingParts = { readonly config: Pick<Config, 'uploadDir'>; readonly sealing: Sealing };

/** The file itself, the documents in it, and the state of the work. */
export type IncomingPart = 'file' | 'documents' | 'state';

const LENGTH_BYTES = 4;
/** No piece that this service wrote is longer. */
const LONGEST_PIECE = 268_435_456;
const KEPT_MILLISECONDS = 1_800_000;

const folderOf = ({ uploadDir }: Pick<Config, 'uploadDir'>): string =>
  uploadDir || join(tmpdir(), `svc-uploads-${userInfo().uid}`);

/** @throws Error when somebody else made the folder, because they could watch the files in it */
const ready = async (config: IncomingParts['config']): Promise<string> => {
  const folder = folderOf(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = userInfo();
  const found = await lstat(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) {
    throw new Error('the folder of incoming files (SVC_UPLOAD_DIR) belongs to somebody else');
  }
  return folder;
};

/** @param key a hash: it names the file and reveals nothing */
const pathOf = async ({ config }: IncomingParts, key: string, part: IncomingPart): Promise<string> =>
  join(await ready(config), `${key}.${part}`);

const written = (stream: WriteStream, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));

export type PieceWriter = {
  /** @returns where the piece begins */ readonly add: (piece: Buffer) => Promise<number>;
  readonly end: () => Promise<void>;
};

/** Writes a part from its beginning; an earlier one is replaced. */
export const writePieces = async (parts: IncomingParts, key: string, part: IncomingPart): Promise<PieceWriter> => {
  const stream = createWriteStream(await pathOf(parts, key, part), { mode: 0o600 });
  stream.on('error', () => undefined);
  let at = 0;
  return {
    add: async (piece) => {
      const sealed = parts.sealing.sealBytes(piece);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(sealed.length);
      const begins = at;
      at += LENGTH_BYTES + sealed.length;
      await written(stream, Buffer.concat([length, sealed]));
      return begins;
    },
    end: async () => {
      stream.end();
      await finished(stream);
    },
  };
};

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
    const length = Buffer.alloc(LENGTH_BYTES);
    for (let at = from; ;) {
      const { bytesRead } = await file.read(length, 0, LENGTH_BYTES, at);
      if (bytesRead < LENGTH_BYTES) {
        return;
      }
      const sealed = Buffer.alloc(Math.min(length.readUInt32BE(), LONGEST_PIECE));
      await file.read(sealed, 0, sealed.length, at + LENGTH_BYTES);
      at += LENGTH_BYTES + sealed.length;
      yield parts.sealing.openBytes(sealed);
    }
  } finally {
    await file.close();
  }
}

/** Writes the state. A reader that comes meanwhile finds the earlier file or the new one, never half of it. */
export const writeState = async (parts: IncomingParts, key: string, state: object): Promise<void> => {
  const path = await pathOf(parts, key, 'state');
  const draft = `${path}-${newToken()}`;
  await writeFile(draft, parts.sealing.sealBytes(Buffer.from(JSON.stringify(state))), { mode: 0o600 });
  await rename(draft, path);
};

/** The state; undefined when there is none, or when it was removed. */
export const readState = async <S extends object>(parts: IncomingParts, key: string): Promise<S | undefined> => {
  try {
    return JSON.parse(parts.sealing.openBytes(await readFile(await pathOf(parts, key, 'state'))).toString('utf8')) as S;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
};

export const removeIncoming = async (parts: IncomingParts, key: string, part: IncomingPart): Promise<void> =>
  rm(await pathOf(parts, key, part), { force: true });

/**
 * Removes files that nobody has touched for half an hour.
 * @returns how many files
 */
export const tidyIncoming = async ({ config }: Pick<IncomingParts, 'config'>, now: number): Promise<number> => {
  const folder = folderOf(config);
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names.filter((one) => /^[0-9a-f]{64}\.(file|documents|state)/.test(one))) {
    const path = join(folder, name);
    const { mtimeMs = now } = (await stat(path).catch(() => undefined)) ?? {};
    // While a file is being worked on, its state is written again and again, so its other parts are treated as no older
    // than that.
    const newest = Math.max(mtimeMs, await touched(join(folder, `${name.slice(0, 64)}.state`)));
    if (newest < now - KEPT_MILLISECONDS) {
      await rm(path, { force: true });
      removed += 1;
    }
  }
  return removed;
};

const touched = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
