/** one-time-codes: codes of a second factor: those that an app shows for half a minute (RFC 6238), and those on paper. */
import { Secret, TOTP } from 'otpauth';
import { newLetterCode, plainLetterCode, sha256 } from '../base/ids';
import type { PrincipalId } from '../base/types';

const SECONDS = 30;
/** A code of the half minute before or after counts too: clocks differ, and people type slowly. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 random bits: its hash cannot be turned back by trying. */
const RECOVERY_GROUPS = 4;

/** What apps show above the code. */
const ISSUER = 'Health record';

const totp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: SECONDS });

/** In base 32, as people type it into an app. */
export const newTimeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an app reads from a picture or a link. @param name of the account, as the app shows it */
export const timeSecretLink = (secret: string, name: string): string => totp(secret, name).toString();

/**
 * @param now in milliseconds
 * @returns number of the half minute that the code is of; undefined: of none that counts now
 */
export const stepOfCode = (secret: string, code: string, now: number): number | undefined => {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / SECONDS) + delta;
};

/** What was typed as six digits, spaces left out; undefined: it is meant as something else. */
export const asTimeCode = (typed: string): string | undefined => {
  const code = typed.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : undefined;
};

export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => newLetterCode(RECOVERY_GROUPS));

/** All that is kept of a recovery code. */
export const recoveryHash = (accountId: PrincipalId, typed: string): string =>
  sha256(`recovery ${accountId} ${plainLetterCode(typed)}`);
