/** zip-file: writes a ZIP in a temporary folder, file by file, and gives it to be read once. */
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Readable, type PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { errors } from '../base/errors';
import { withTempFolder } from '../base/temp-folder';
import { limitInTurn } from '../base/turns/limit';
import type { OpenArchive } from './export';

/** One file of a ZIP: its path in it, its bytes or its text piece by piece, and its time. */
export type ZipEntry = {
  readonly path: string;
  readonly content: Buffer | AsyncIterable<string>;
  readonly modified: Date;
};

/** Files of these types do not become smaller. */
const PACKED = /\.(?:jpe?g|png|gif|webp|zip|docx|heic)$/i;

/** Writes one file and waits for its last byte, so that only one is in memory. */
async function addEntry(zip: ZipFile, { path, content, modified }: ZipEntry): Promise<void> {
  const options = { mtime: modified, mode: 0o100600, compress: !PACKED.test(path) };
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : Readable.from(content);
  const isRead = new Promise<void>((resolve, reject) => source.once('close', resolve).once('error', reject));
  zip.addReadStream(source, path, options);
  await isRead;
}

/** A ZIP that is written while its bytes are read. */
type OpenZip = {
  readonly bytes: AsyncIterable<Buffer>;
  /** Waits until the bytes before these were read. */ readonly add: (entry: PlainEntry) => Promise<void>;
  readonly end: () => void;
  /** Ends it before its time: whoever reads its bytes gets the error. */ readonly abandon: (error: Error) => void;
};
type PlainEntry = ZipEntry & { readonly content: Buffer };

/** Its files are not packed and say their length before their bytes, so that it can be read from its beginning on. */
export function openZip(): OpenZip {
  const zip = new ZipFile();
  zip.on('error', () => undefined);
  const bytes = zip.outputStream as PassThrough;
  return {
    bytes,
    add: async ({ path, content, modified }) => {
      zip.addBuffer(content, path, { mtime: modified, mode: 0o100600, compress: false });
      if (bytes.writableNeedDrain) {
        await once(bytes, 'drain');
      }
    },
    end: () => zip.end(),
    abandon: (error) => void bytes.destroy(error),
  };
}

async function addEntries(zip: ZipFile, entries: AsyncIterable<ZipEntry>): Promise<void> {
  for await (const entry of entries) {
    await addEntry(zip, entry);
  }
  zip.end();
}

async function packedArchive(scratch: string, entries: AsyncIterable<ZipEntry>): Promise<OpenArchive> {
  const file = join(scratch, 'files.zip');
  const zip = new ZipFile();
  // A source that fails is told of by its own promise, too.
  zip.on('error', () => undefined);
  const written = pipeline(zip.outputStream, createWriteStream(file, { mode: 0o600 }));
  const added = addEntries(zip, entries).catch((error: unknown) => {
    (zip.outputStream as Readable).destroy(error as Error);
    throw error;
  });
  await Promise.all([added, written]);
  const handle = await open(file);
  const { size } = await handle.stat();
  return { stream: handle.createReadStream(), bytes: size };
}

/** How many are made at the same time, and how many people wait for theirs. */
const AT_ONCE = 2;
const WAITING = 20;
const inTurn = limitInTurn(AT_ONCE, WAITING, () => errors.unavailable('other files are being packed'));

/**
 * The ZIP of these files. It is complete before its first byte is read, and its temporary folder is gone by then: a slow
 * reader holds nothing that anybody else can open. Times are written in UTC.
 * @param owner for whom it is made: people take turns
 * @throws errors.unavailable while too many wait
 */
export function writeZip(owner: string, entries: AsyncIterable<ZipEntry>): Promise<OpenArchive> {
  return inTurn(owner, () => withTempFolder(join(tmpdir(), 'files'), (scratch) => packedArchive(scratch, entries)));
}
