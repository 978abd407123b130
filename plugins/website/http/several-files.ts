/**
 * several-files: many files that are sent at once become one archive on the disk, which is read like the archive of a
 * portal: in the background, with progress, and with only one file in memory.
 */
import { openZip } from '../../../core/archive/zip-file';
import type { SentFile } from './page';

/** How many files can be sent at once. */
export const MOST_AT_ONCE = 200;
/** How many bytes they have together. */
export const BYTES_AT_ONCE = 104_857_600;

type Stored = { readonly token: string; readonly size: number; readonly beginning: Buffer };

export type SeveralFiles = {
  /** Of more than can be sent at once nothing is kept. @throws AppError when the disk refuses it */
  readonly add: (name: string, bytes: Buffer) => Promise<void>;
  readonly end: (nameOf: (count: number) => string) => Promise<SentFile>;
  readonly abandon: () => Promise<void>;
};

/** Names that begin with a point are those of files that programs leave behind. */
function entryName(name: string, number: number): string {
  return name.replace(/^[.\s]+/, '').replace(/\p{Cc}/gu, ' ') || `file-${number}`;
}

/** @param store writes the archive to the disk while it is made */
export function newSeveralFiles(
  store: (bytes: AsyncIterable<Buffer>) => Promise<Stored>,
  modified: Date,
): SeveralFiles {
  const zip = openZip();
  const stored = store(zip.bytes);
  stored.catch(() => undefined);
  let [count, room] = [0, BYTES_AT_ONCE];
  const isTooMuch = (): boolean => count > MOST_AT_ONCE || room < 0;
  const abandon = async (): Promise<void> => {
    zip.abandon(new Error('the files are not kept'));
    await stored.catch(() => undefined);
  };
  return {
    add: async (name, bytes) => {
      count += 1;
      room -= bytes.length;
      if (isTooMuch()) {
        return abandon();
      }
      // A disk that refuses more bytes takes none of this file.
      await Promise.race([stored, zip.add({ path: entryName(name, count), content: bytes, modified })]);
    },
    end: async (nameOf) => {
      if (isTooMuch()) {
        return { name: '', mediaType: '', bytes: Buffer.alloc(0), tooMany: true };
      }
      zip.end();
      const { token, size, beginning } = await stored;
      return {
        name: nameOf(count),
        mediaType: 'application/zip',
        bytes: Buffer.alloc(0),
        incoming: { token, size, beginning, isUnknown: false, several: count },
      };
    },
    abandon,
  };
}
