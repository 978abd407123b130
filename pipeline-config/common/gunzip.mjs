/** gunzip: unpacks a stream that is packed by gzip; any other stream passes unchanged. */
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { peek } from './beginning.mjs';
import { invalidFile } from './invalid-file.mjs';
import { isSuspect } from './suspect.mjs';

const GZIP = Buffer.from([0x1f, 0x8b]);

/** @throws invalid_file when it is damaged, cut off or made to unpack without end */
export async function* unpacked(chunks) {
  const { beginning, all } = await peek(chunks, GZIP.length);
  if (!beginning.subarray(0, GZIP.length).equals(GZIP)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  // The loop below also throws its errors.
  pipeline(Readable.from(all), gunzip, () => undefined);
  let count = 0;
  try {
    for await (const piece of gunzip) {
      count += piece.length;
      if (isSuspect(count, gunzip.bytesWritten)) {
        throw invalidFile('it unpacks to far more than a file about health has');
      }
      yield piece;
    }
  } catch (error) {
    throw String(error.code).startsWith('Z_') ? invalidFile('it is packed, and damaged or cut off') : error;
  }
}
