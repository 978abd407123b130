/**
 * unpack: reads the files of an archive one after the other; a whole file is in memory only if the caller asks for it.
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Parser, type ReadEntry } from 'tar';
import { SetupError } from '../base/errors';

export type Unpacked = {
  /** The name inside the folder of the archive. */
  readonly name: string;
  readonly size: number;
  readonly pieces: () => AsyncIterable<Buffer>;
  readonly whole: () => Promise<Buffer>;
};

/** Allows only plain files of one folder, so that a hostile archive reaches nothing else on disk. */
const plainName = /^record-[0-9a-zA-Z-]{1,64}\/((?:[A-Za-z][A-Za-z0-9_-]*\/)?[A-Za-z0-9_][A-Za-z0-9_.-]*)$/;

function plainEntryName(entry: ReadEntry): string {
  const name = plainName.exec(entry.path)?.[1];
  if (name === undefined || (entry.type !== 'File' && entry.type !== 'OldFile')) {
    throw new SetupError(['the archive holds something that svc export never writes']);
  }
  return name;
}

function wrap(entry: ReadEntry): Unpacked {
  const pieces = (): AsyncIterable<Buffer> => entry as unknown as AsyncIterable<Buffer>;
  return {
    name: plainEntryName(entry),
    size: entry.size,
    pieces,
    whole: async () => {
      const all: Buffer[] = [];
      for await (const piece of pieces()) {
        all.push(piece);
      }
      return Buffer.concat(all);
    },
  };
}

function notWhole(file: string, error: Error): SetupError {
  return new SetupError([`${file} is not a whole archive: ${error.message}`]);
}

/**
 * Calls `handle` with every file of the archive, in order; each call begins when the one before has ended.
 * @throws SetupError when the archive is cut off or is none, and what `handle` throws
 */
export function unpack(file: string, handle: (entry: Unpacked) => Promise<void>): Promise<void> {
  return unpackPieces(file, createReadStream(file) as AsyncIterable<Buffer>, handle);
}

/**
 * As `unpack`, for bytes that come from elsewhere.
 * @param file how errors call it
 */
export async function unpackPieces(
  file: string,
  pieces: AsyncIterable<Buffer>,
  handle: (entry: Unpacked) => Promise<void>,
): Promise<void> {
  let failure: Error | undefined;
  let queue: Promise<void> = Promise.resolve();
  let entries = 0;
  let current: ReadEntry | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
  };
  const parser = new Parser({ strict: true });
  parser.on('entry', (entry: ReadEntry) => {
    entries += 1;
    queue = queue.then(async () => {
      try {
        if (!failure) {
          current = entry;
          await handle(wrap(entry));
        }
      } catch (error) {
        fail(error as Error);
      }
      // Skips what was not read; otherwise the parser would wait for ever.
      entry.resume();
    });
  });
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.on('error', (error: Error) => {
      fail(notWhole(file, error));
      resolve();
    });
  });
  try {
    for await (const piece of pieces) {
      if (failure) {
        break;
      }
      if (!parser.write(piece)) {
        await Promise.race([once(parser, 'drain'), ended]);
      }
    }
  } catch (error) {
    fail((error as NodeJS.ErrnoException).code === undefined ? (error as Error) : notWhole(file, error as Error));
  }
  if (failure) {
    // Whoever reads this file would wait for its rest for ever.
    (current as ReadEntry | undefined)?.destroy(failure);
  } else {
    parser.end();
    await ended;
  }
  await queue;
  if (failure) {
    throw failure;
  }
  if (entries === 0) {
    throw notWhole(file, new Error('there is nothing in it'));
  }
}
