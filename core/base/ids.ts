/** ids: new identifiers, tokens and secrets. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Id } from './types';

/** Drawn for many ids at once: the call costs ten times what is made of it. */
const RANDOM_BYTES = 4096;
const ID_BYTES = 16;
let drawn = Buffer.alloc(0);
let used = 0;

const nextRandom = (): Buffer => {
  if (used + ID_BYTES > drawn.length) {
    drawn = randomBytes(RANDOM_BYTES);
    used = 0;
  }
  used += ID_BYTES;
  return drawn.subarray(used - ID_BYTES, used);
};

/** In the order of time by the millisecond, and unpredictable within it: 74 random bits. */
export const newId = (): Id => v7({ random: nextRandom() });

/**
 * 160 random bits but for a fiftieth of one, URL-safe: tokens, token secrets and primary secrets. None begins with a hyphen: on a command
 * line it would be read as an option.
 */
export const newToken = (): string => {
  const token = randomBytes(20).toString('base64url');
  return token.startsWith('-') ? newToken() : token;
};

/** Six random decimal digits: what a person types in. */
export const newDigits = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
