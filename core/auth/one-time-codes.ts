/**
 * one-time-codes: the codes of a second factor, which an app shows for half a minute (RFC 6238) or which are on paper.
 */
import { Secret, TOTP } from 'otpauth';
import { newLetterCode, plainLetterCode, sha256 } from '../base/ids';
import type { PrincipalId } from '../base/types';

const SECONDS = 30;
/** A code of the half minute before or after is accepted, too: clocks differ, and people type slowly. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Recovery codes have 80 random bits, so that nobody can find one by trying out hashes. */
const RECOVERY_GROUPS = 4;

/** What apps show above the code. */
const ISSUER = 'Health record';

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: SECONDS });
}

/** A new secret in base 32, as people type it into an app. */
export function newTimeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The link that an app reads from a picture or opens. @param name name of the account, as the app shows it */
export function timeSecretLink(secret: string, name: string): string {
  return totp(secret, name).toString();
}

/**
 * @param now in milliseconds
 * @returns the number of the half minute to which the code belongs; undefined when it is not accepted now
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / SECONDS) + delta;
}

/** The six digits that a person typed, without spaces; undefined when they typed something else. */
export function asTimeCode(typed: string): string | undefined {
  const code = typed.replace(/\s/g, '');
  return /^\d{6}$/.test(code) ? code : undefined;
}

export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => newLetterCode(RECOVERY_GROUPS));
}

/** The hash of a recovery code; nothing else of it is kept. */
export function recoveryHash(accountId: PrincipalId, typed: string): string {
  return sha256(`recovery ${accountId} ${plainLetterCode(typed)}`);
}
