/** sealing: secrets that must be read again are kept encrypted (AES-256-GCM) under the installation's key. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretKeys } from './secret-key';

export type Sealing = {
  readonly seal: (plain: string) => string;
  /** @throws Error when the text was sealed under another key or changed since */
  readonly open: (sealed: string) => string;
  /** True for a text that was sealed under the key that seals now. */
  readonly isCurrent: (sealed: string) => boolean;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

type Key = { readonly id: string; readonly bytes: Buffer };

const keyOf = (secretKey: string): Key => {
  const bytes = Buffer.from(hkdfSync('sha256', secretKey, 'personal-health-records-service', 'sealing 1', 32));
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes };
};

/**
 * Sealed text is `<key id>.<base64url of iv, tag and ciphertext>`; the key id tells which key a text needs.
 * @param secretKeys the first one seals, all of them open, so that a key can be changed while the service runs
 */
export const makeSealing = ([sealing, ...others]: SecretKeys): Sealing => {
  const first = keyOf(sealing);
  const keys = [first, ...others.map(keyOf)];
  return {
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.bytes, iv, { authTagLength: TAG_BYTES });
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${first.id}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },
    open: (sealed) => {
      const [id, content = ''] = sealed.split('.');
      const key = keys.find((one) => one.id === id);
      if (!key) {
        throw new Error('a stored secret was sealed under another SVC_SECRET_KEY');
      }
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: (sealed) => sealed.startsWith(`${first.id}.`),
  };
};
