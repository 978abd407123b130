/**
 * jwe: encrypts a file of a health link as the guide for such links requires: as compact JWE with `dir`, A256GCM and
 * DEFLATE (RFC 7516, 7518).
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

export const JWE_KEY_BYTES = 32;
const IV_BYTES = 12;

/** @param key 32 bytes @param contentType media type of the content */
export const encryptFile = (content: string | Buffer, key: Buffer, contentType: string): string => {
  const head = { alg: 'dir', enc: 'A256GCM', zip: 'DEF', cty: contentType };
  const header = Buffer.from(JSON.stringify(head), 'utf8').toString('base64url');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  // The header is authenticated in addition to the content, in exactly the form that is sent.
  cipher.setAAD(Buffer.from(header, 'ascii'));
  const sealed = Buffer.concat([cipher.update(deflateRawSync(content)), cipher.final()]);
  const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  // With `dir` the key itself encrypts the content, so the second part, an encrypted key, is empty.
  return [header, '', ...parts].join('.');
};
