/** sealing: secrets that must be read again are kept encrypted (AES-256-GCM) under the installation's key (decisions 19). */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export type Sealing = {
  readonly seal: (plain: string) => string;
  /** @throws Error when the text was sealed under another key or changed since */
  readonly open: (sealed: string) => string;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Sealed text is `<key id>.<base64url of iv, tag and ciphertext>`; the key id tells which key a text needs. */
export const makeSealing = (secretKey: string): Sealing => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'personal-health-records-service', 'sealing 1', 32));
  const keyId = createHash('sha256').update(key).digest('base64url').slice(0, 8);
  return {
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },
    open: (sealed) => {
      const [id, content = ''] = sealed.split('.');
      if (id !== keyId) {
        throw new Error('a stored secret was sealed under another SVC_SECRET_KEY');
      }
      const bytes = Buffer.from(content, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
};
