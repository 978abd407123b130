/** ids: new identifiers, tokens and secrets. */
import { hash, randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Id } from './types';

/** Random bytes are fetched for many ids at once, because the call costs ten times as much as making an id. */
const RANDOM_BYTES = 4096;
const ID_BYTES = 16;
let drawn = Buffer.alloc(0);
let used = 0;

function nextRandom(): Buffer {
  if (used + ID_BYTES > drawn.length) {
    drawn = randomBytes(RANDOM_BYTES);
    used = 0;
  }
  used += ID_BYTES;
  return drawn.subarray(used - ID_BYTES, used);
}

/** A new id. Ids grow with time by the millisecond; within one they are unpredictable (74 random bits). */
export function newId(): Id {
  return v7({ random: nextRandom() });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a value has the form of every id here. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' && uuid.test(value);
}

/**
 * A URL-safe text of 160 random bits for tokens, token secrets and primary secrets. None begins with a hyphen, which a
 * command line would read as an option; that costs a fiftieth of a bit.
 */
export function newToken(): string {
  const token = randomBytes(20).toString('base64url');
  return token.startsWith('-') ? newToken() : token;
}

/** Six random decimal digits: what a person types in. */
export function newDigits(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

/** The hash of an attachment in FHIR; it protects nothing. */
export function sha1(data: Buffer): string {
  return hash('sha1', data, 'hex');
}

/** Letters and digits, without those that look alike. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Groups of four characters with hyphens between them, 20 random bits each: what a person copies from paper. */
export function newLetterCode(groups: number): string {
  return Array.from({ length: groups }, () =>
    Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-');
}

/** A code without spaces and hyphens, in capitals, as it is compared. */
export function plainLetterCode(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

export function sha256(data: string | Buffer): string {
  return hash('sha256', data, 'hex');
}

/**
 * The id that is derived from these words alone, always the same one for the same words: a UUID of version 8, made from
 * their SHA-256.
 */
export function derivedId(...words: readonly string[]): Id {
  const bytes = hash('sha256', JSON.stringify(words), 'buffer').subarray(0, ID_BYTES);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
