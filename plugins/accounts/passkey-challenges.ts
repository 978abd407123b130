/**
 * passkey-challenges: the challenges that passkeys sign. A challenge is sealed into the form, belongs to one account,
 * one session and one purpose, and expires soon. It can be answered once: the database keeps the answered ones.
 */
import Joi from 'joi';
import {
  passkeyPlace,
  readShownPasskey,
  type NoPasskeys,
  type PasskeyPlace,
  type ShownPasskey,
} from '../../core/auth/passkeys';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { sha256 } from '../../core/base/ids';
import type { Timestamp } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { InAccount } from './find';
import * as passkeyStore from '../../core/tokens/passkeys-store';

/** With the longest keys, an answer has some kilobytes. */
const ANSWER = 20_000;
const SEALED = 2000;
const MINUTES = 10 * 60_000;

export type SentPasskey = {
  /** The browser's answer, as JSON. */ readonly passkey: string;
  /** The sealed challenge that it answers. */ readonly ask: string;
};

const [passkey, ask] = [ANSWER, SEALED].map((most) => Joi.string().max(most).empty('')) as [
  Joi.StringSchema,
  Joi.StringSchema,
];
/** Fields of a form that accepts a passkey instead of a code. */
export const passkeyFields = { passkey, ask };
export const neededPasskeyFields = { passkey: passkey.required(), ask: ask.required() };

type Purpose = 'make' | 'show';
type Caller = Pick<Call<InAccount>, 'params' | 'principal' | 'services'>;

export type Challenge = { readonly text: string; readonly expiresAt: Timestamp };

type Sealed = {
  readonly passkeyOf: string;
  readonly session: string;
  readonly purpose: Purpose;
  readonly text: string;
  readonly expiresAt: Timestamp;
};

/** A sign-in that waits for its second factor has a session already. */
function sessionOf({ principal }: Caller): string {
  return principal.kind === 'account' ? principal.sessionHash : '';
}

export function sealChallenge(caller: Caller, purpose: Purpose, text: string): string {
  const { sealing, clock } = caller.services;
  const sealed: Sealed = {
    passkeyOf: caller.params.ACCOUNT_EMAIL,
    session: sessionOf(caller),
    purpose,
    text,
    expiresAt: toTimestamp(clock.now() + MINUTES),
  };
  return sealing.seal(JSON.stringify(sealed));
}

/**
 * @returns undefined for a challenge that is too old or made up, or that belongs to another account, session or purpose
 */
export function openChallenge(caller: Caller, purpose: Purpose, ask: string): Challenge | undefined {
  const { sealing, clock } = caller.services;
  try {
    const sealed = JSON.parse(sealing.open(ask)) as Sealed;
    const good =
      sealed.passkeyOf === caller.params.ACCOUNT_EMAIL &&
      sealed.session === sessionOf(caller) &&
      sealed.purpose === purpose &&
      fromTimestamp(sealed.expiresAt) > clock.now();
    return good ? { text: sealed.text, expiresAt: sealed.expiresAt } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns false when the challenge was answered before, correctly or not */
export function takeChallenge(trx: Transaction, { text, expiresAt }: Challenge): Promise<boolean> {
  return passkeyStore.takeChallenge(trx, sha256(`challenge ${text}`), expiresAt);
}

/** The address for which passkeys are made, or why there can be none. */
export function passkeyPlaceOf({ baseUrl }: Services): PasskeyPlace | NoPasskeys {
  return passkeyPlace(baseUrl());
}

/** Checks the answer of a passkey, as far as that needs no write to the database. */
export async function readPasskey(
  caller: Caller,
  { passkey, ask }: SentPasskey,
): Promise<{ readonly challenge: Challenge | undefined; readonly passkey: ShownPasskey | undefined }> {
  const { database } = caller.services;
  const [challenge, place] = [openChallenge(caller, 'show', ask), passkeyPlaceOf(caller.services)];
  if (challenge === undefined || typeof place === 'string') {
    return { challenge, passkey: undefined };
  }
  const passkeys = await passkeyStore.listPasskeys(database.reads, caller.params.ACCOUNT_EMAIL);
  return { challenge, passkey: await readShownPasskey(place, challenge.text, passkeys, passkey) };
}
