/** sealing: encrypts secrets that the service must read again with the installation's key (AES-256-GCM). */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretKeys } from './secret-key';

export type Sealing = {
  readonly seal: (plain: string) => string;
  /** @throws Error when the text was sealed under another key or changed since */
  readonly open: (sealed: string) => string;
  /** Seals content; the result is some forty bytes longer than the content. */
  readonly sealBytes: (plain: Buffer) => Buffer;
  /** @throws Error as `open` does */
  readonly openBytes: (sealed: Buffer) => Buffer;
  /** True when the text is sealed under the key that is used for sealing now. */
  readonly isCurrent: (sealed: string) => boolean;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 8;

type Key = { readonly id: string; readonly bytes: Buffer };

function deriveKey(secretKey: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, 'personal-health-records-service', 'sealing 1', 32));
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, KEY_ID_BYTES), bytes };
}

function encrypt({ bytes }: Key, plain: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, iv, { authTagLength: TAG_BYTES });
  const content = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]);
}

function decrypt(key: Key | undefined, sealed: Buffer): Buffer {
  if (!key) {
    throw new Error('a stored secret was sealed under another SVC_SECRET_KEY');
  }
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/**
 * A sealed text is `<key id>.<base64url of iv, tag and ciphertext>`. Sealed content consists of the same parts as
 * bytes, without the dot. The key id names the key that opens it.
 * @param secretKeys the first key seals and all of them open, so that the key can be changed while the service runs
 */
export function makeSealing([sealing, ...others]: SecretKeys): Sealing {
  const first = deriveKey(sealing);
  const keys = [first, ...others.map(deriveKey)];
  const find = (id: string | undefined): Key | undefined => keys.find((one) => one.id === id);
  return {
    seal: (plain) => `${first.id}.${encrypt(first, Buffer.from(plain, 'utf8')).toString('base64url')}`,
    open: (sealed) => {
      const [id, content = ''] = sealed.split('.');
      return decrypt(find(id), Buffer.from(content, 'base64url')).toString('utf8');
    },
    sealBytes: (plain) => Buffer.concat([Buffer.from(first.id, 'latin1'), encrypt(first, plain)]),
    openBytes: (sealed) =>
      decrypt(find(sealed.subarray(0, KEY_ID_BYTES).toString('latin1')), sealed.subarray(KEY_ID_BYTES)),
    isCurrent: (sealed) => sealed.startsWith(`${first.id}.`),
  };
}
