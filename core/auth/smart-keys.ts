/**
 * smart-keys: the keys that sign id tokens, the newest first. They are sealed in the database, so that all processes
 * share them.
 */
import { createPublicKey, generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Database } from '../db/database';
import { keepInstallationText, moveInstallationText } from '../audit/store';
import type { Sealing } from './sealing';

type SmartKeys = { readonly keys: readonly JsonWebKey[] };

type Parts = { readonly database: Database; readonly sealing: Sealing; readonly clock: Clock };

const NAME = 'smart_keys';
const BITS = 2048;

/** At most this many keys are published. The tokens of a key have expired long before the third change after it. */
const KEPT = 3;

async function newRsaKey(): Promise<JsonWebKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  const { n = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: sha256(n).slice(0, 16) };
}

async function sealedKeys({ reads }: Database): Promise<string | undefined> {
  return ((await reads('installation').where({ name: NAME }).first('content')) as { content: string } | undefined)
    ?.content;
}

/**
 * The keys as they are stored, sealed. They are made when there are none. The sealed text changes only when the keys or
 * SVC_SECRET_KEY change.
 */
export async function storedKeys(parts: Parts): Promise<string> {
  const { database, sealing, clock } = parts;
  const stored = await sealedKeys(database);
  if (stored !== undefined) {
    return stored;
  }
  const made = sealing.seal(JSON.stringify({ keys: [await newRsaKey()] } satisfies SmartKeys));
  return database.transaction((trx) => keepInstallationText(trx, NAME, made, toTimestamp(clock.now())));
}

/** @throws SetupError when the keys were sealed under another SVC_SECRET_KEY */
export function openKeys({ sealing }: Pick<Parts, 'sealing'>, stored: string): SmartKeys {
  try {
    return JSON.parse(sealing.open(stored)) as SmartKeys;
  } catch {
    throw new SetupError([
      'the keys of id tokens cannot be opened: they were sealed under another SVC_SECRET_KEY, or changed since',
    ]);
  }
}

/** Makes a new key that signs from now on; the previous ones stay published. @returns the new key's name */
export async function renewKeys(parts: Parts): Promise<string> {
  const { database, sealing, clock } = parts;
  const stored = await storedKeys(parts);
  const key = await newRsaKey();
  const next = sealing.seal(JSON.stringify({ keys: [key, ...openKeys(parts, stored).keys].slice(0, KEPT) }));
  const moved = await database.transaction((trx) =>
    moveInstallationText(trx, NAME, stored, next, toTimestamp(clock.now())),
  );
  return moved ? String(key['kid']) : renewKeys(parts);
}
