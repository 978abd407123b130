/** decrypt: opens a file of a link: compact JWE with `dir` and A256GCM, deflated or not (RFC 7516, 7518). */
import { createDecipheriv } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import { bytesInParts, mapInSlices } from '../base/turns/slices';
import { LinkRefused } from './failures';

/** The most bytes of one file, inflated. */
export const MOST_OF_FILE = 20_000_000;
const AT_ONCE = 1_048_576;
const [IV_BYTES, TAG_BYTES] = [12, 16];

const inflated = promisify(inflateRaw);

/** Inflates at most so many bytes. @throws LinkRefused */
export async function inflate(bytes: Buffer, most = MOST_OF_FILE): Promise<Buffer> {
  try {
    return await inflated(bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw new LinkRefused((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'large' : 'sealed');
  }
}

type Header = { readonly alg?: unknown; readonly enc?: unknown; readonly zip?: unknown; readonly cty?: unknown };

function headerIn(coded: string): Header {
  try {
    return (JSON.parse(Buffer.from(coded, 'base64url').toString('utf8')) ?? {}) as Header;
  } catch {
    throw new LinkRefused('sealed');
  }
}

type Opened = { readonly content: Buffer; /** Empty when it is not said. */ readonly contentType: string };

/** @throws LinkRefused when it is not such a file, or another key has closed it */
export async function decryptFile(text: string, key: Buffer): Promise<Opened> {
  const parts = text.trim().split('.', 6);
  const [head = '', encrypted, ...coded] = parts;
  const { alg, enc, zip, cty } = headerIn(head);
  const [iv, sealed, tag] = coded.map((part) => Buffer.from(part, 'base64url'));
  const isOurs = alg === 'dir' && enc === 'A256GCM' && encrypted === '' && (zip === undefined || zip === 'DEF');
  if (parts.length !== 5 || !isOurs || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES) {
    throw new LinkRefused('sealed');
  }
  const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(head, 'ascii')).setAuthTag(tag);
  const opened = await mapInSlices(bytesInParts(sealed!, AT_ONCE), (part) => cipher.update(part));
  try {
    cipher.final();
  } catch {
    throw new LinkRefused('sealed');
  }
  const content = Buffer.concat(opened);
  return {
    content: zip === 'DEF' ? await inflate(content) : content,
    contentType: typeof cty === 'string' ? cty.split(';')[0]!.trim().toLowerCase() : '',
  };
}
