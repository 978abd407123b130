/** ids: new identifiers, tokens and secrets. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Id } from './types';

export const newId = (): Id => v7();

/** 160 random bits, URL-safe: tokens, token secrets and primary secrets. */
export const newToken = (): string => randomBytes(20).toString('base64url');

/** Six random decimal digits: what a person types in. */
export const newDigits = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
