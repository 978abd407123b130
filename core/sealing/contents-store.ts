/**
 * contents-store: seals personal contents (AES-256-GCM) under a random key of their record. The row of the record holds
 * this key, sealed under the service's key. Without the record's key nobody can read its sealed contents in any copy of
 * the rows.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Reads, Transaction } from '../db/connection';
import type { Dialect } from '../db/dialect';
import { insertRow } from '../db/insert-rows';

/** A key as it is stored, sealed under the service's key. Null: the contents are stored in clear. */
export type ContentKey = string | null;

/**
 * Where a content belongs: the table, and the values that name the row there. A content that was moved elsewhere does
 * not open.
 */
export type ContentPlace = readonly [table: string, ...names: string[]];

/** Content as a row stores it; `sealed` is null when the content is in clear. */
export type StoredContent = { readonly content: Buffer; readonly sealed: number | null };

/**
 * Thrown for a content that was changed since it was sealed, is in another place, or needs a key that is not available.
 */
export class UnreadableContent extends Error {
  override readonly name = 'UnreadableContent';
  readonly code = 'content_unreadable';
  /** Table and ids: enough to find the row, and nothing of its content. */
  readonly what: string;

  constructor(place: ContentPlace) {
    const what = place.filter((name) => name !== '').join(' ');
    super(`the stored content of ${what} does not open: it was changed, or needs another key`);
    this.what = what;
  }
}

/** Seals and opens what belongs to one key. */
export type Sealer = {
  readonly seal: (place: ContentPlace, plain: Buffer) => StoredContent;
  /** @throws UnreadableContent */
  readonly open: (place: ContentPlace, stored: StoredContent) => Buffer;
};

export type Contents = {
  readonly under: (key: ContentKey) => Sealer;
  /** A key for a new record; null in a database of an earlier release until `svc seal` has begun. */
  readonly newKey: (on: Reads) => Promise<ContentKey>;
  /** Seals contents that belong to no record; they are stored in clear as long as `newKey` is null. */
  readonly common: (on: Reads) => Promise<Sealer>;
  /** Makes the common key; from then on new records get keys. Does nothing when there is a common key. */
  readonly begin: (trx: Transaction, dialect: Pick<Dialect, 'insertIgnore'>, now: string) => Promise<void>;
};

/** Seals and opens keys. */
type KeySealing = {
  readonly seal: (plain: string) => string;
  readonly open: (sealed: string) => string;
};

const [KEY_BYTES, IV_BYTES, TAG_BYTES] = [32, 12, 16];
const HEAD_BYTES = IV_BYTES + TAG_BYTES;
const ALGORITHM = 'aes-256-gcm';
/** Name of the row that holds the common key. While this row is missing, nothing new is sealed. */
export const COMMON_KEY = 'content_key';
/**
 * At most this many opened keys stay in memory, since some records are in use all the time. They are found only by
 * their sealed text.
 */
const KEPT_KEYS = 500;

function placeBytes(place: ContentPlace): Buffer {
  return Buffer.from(JSON.stringify(place), 'utf8');
}

/** So many random values are asked of the system at once: each call takes as long as sealing a small content. */
const IVS_AT_ONCE = 128;

let fresh = Buffer.alloc(0);

/** Random bytes that no other content has. */
function newIv(): Buffer {
  if (fresh.length === 0) {
    fresh = randomBytes(IV_BYTES * IVS_AT_ONCE);
  }
  const iv = fresh.subarray(0, IV_BYTES);
  fresh = fresh.subarray(IV_BYTES);
  return iv;
}

function encrypt(key: KeyObject, place: ContentPlace, plain: Buffer): Buffer {
  const iv = newIv();
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(placeBytes(place));
  // In GCM mode `final` returns no further bytes.
  const content = cipher.update(plain);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), content]);
}

function decrypt(key: KeyObject, place: ContentPlace, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(placeBytes(place))
    .setAuthTag(sealed.subarray(IV_BYTES, HEAD_BYTES));
  const plain = decipher.update(sealed.subarray(HEAD_BYTES));
  // This fails when the content was changed.
  decipher.final();
  return plain;
}

/** Opens a key once and keeps it for later contents. */
function keyRing(sealing: KeySealing): (sealed: string) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (sealed) => {
    const known = kept.get(sealed);
    if (known) {
      return known;
    }
    if (kept.size >= KEPT_KEYS) {
      kept.clear();
    }
    const key = createSecretKey(sealing.open(sealed), 'base64url');
    kept.set(sealed, key);
    return key;
  };
}

async function findCommon(on: Reads): Promise<ContentKey> {
  return (
    ((await on('installation').where('name', COMMON_KEY).first('content')) as { content: string } | undefined)
      ?.content ?? null
  );
}

export function makeContents(sealing: KeySealing): Contents {
  const keyOf = keyRing(sealing);
  const makeKey = (): string => sealing.seal(randomBytes(KEY_BYTES).toString('base64url'));
  let common: ContentKey = null;
  const findOnce = async (on: Reads): Promise<ContentKey> => {
    common ??= await findCommon(on);
    return common;
  };
  const under = (key: ContentKey): Sealer => ({
    seal: (place, plain) =>
      key === null ? { content: plain, sealed: null } : { content: encrypt(keyOf(key), place, plain), sealed: 1 },
    open: (place, { content, sealed }) => {
      if (!sealed) {
        return content;
      }
      try {
        return decrypt(keyOf(key!), place, content);
      } catch {
        throw new UnreadableContent(place);
      }
    },
  });
  return {
    under,
    common: async (on) => under(await findOnce(on)),
    newKey: async (on) => ((await findOnce(on)) === null ? null : makeKey()),
    begin: async (trx, { insertIgnore }, now) => {
      if ((await findCommon(trx)) === null) {
        await insertRow(trx, 'installation', { name: COMMON_KEY, content: makeKey(), changed_at: now }, insertIgnore);
      }
    },
  };
}
