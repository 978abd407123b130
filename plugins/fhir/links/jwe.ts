/**
 * jwe: encrypts a file of a health link as the guide for such links requires: as compact JWE with `dir`, A256GCM and
 * DEFLATE (RFC 7516, 7518).
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { bytesInParts, mapInSlices } from '../../../core/base/turns/slices';

export const JWE_KEY_BYTES = 32;
const IV_BYTES = 12;
/** How many bytes are worked on at once. Base64url writes each three of them as four characters. */
const AT_ONCE = 3 * 65_536;

const deflate = promisify(deflateRaw);

async function base64url(bytes: Buffer): Promise<string> {
  return (await mapInSlices(bytesInParts(bytes, AT_ONCE), (part) => part.toString('base64url'))).join('');
}

/**
 * @param key 32 bytes
 * @param contentType media type of the content
 * @param more whether it is compressed first, which not every reader undoes
 */
export async function encryptFile(
  content: Buffer,
  key: Buffer,
  contentType: string,
  { zip = true }: { readonly zip?: boolean } = {},
): Promise<string> {
  const head = { alg: 'dir', enc: 'A256GCM', ...(zip ? { zip: 'DEF' } : {}), cty: contentType };
  const header = Buffer.from(JSON.stringify(head), 'utf8').toString('base64url');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  // The header is authenticated in addition to the content, in exactly the form that is sent.
  cipher.setAAD(Buffer.from(header, 'ascii'));
  const sealed = await mapInSlices(bytesInParts(zip ? await deflate(content) : content, AT_ONCE), (part) =>
    cipher.update(part),
  );
  const whole = Buffer.concat([...sealed, cipher.final()]);
  const parts = [await base64url(iv), await base64url(whole), await base64url(cipher.getAuthTag())];
  // With `dir` the key itself encrypts the content, so the second part, an encrypted key, is empty.
  return [header, '', ...parts].join('.');
}
