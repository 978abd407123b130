/**
 * form-hash: hashes and ids for the forms of a door. The token of a form is valid only in its own session and record.
 */
import { effectiveId, type Principal } from '../auth/principal';
import { derivedId, sha256 } from '../base/ids';
import type { Id } from '../base/types';

export function sessionOf(principal: Principal): string {
  return principal.kind === 'account' ? principal.sessionHash : '';
}

/**
 * A form belongs to the session and the record for which it was shown: in another one, its token gives another hash.
 */
export function formHash(principal: Principal, recordId: Id, token: string): string {
  return sha256(JSON.stringify([sessionOf(principal), recordId, token]));
}

/**
 * What a device of a person sends until it knows that it arrived, perhaps in another session: it belongs to the account
 * and the record.
 */
export function deviceFormHash(principal: Principal, recordId: Id, token: string): string {
  return sha256(JSON.stringify(['device', effectiveId(principal), recordId, token]));
}

/** The id of something that a form makes under a name. A form that is sent twice gives the same id both times. */
export function idByForm(principal: Principal, recordId: Id, token: string, name: string): Id {
  return derivedId('form', formHash(principal, recordId, token), name);
}

/**
 * The name under which a file is kept on the disk until it is added: a hash of the person, so that their files can be
 * counted, and the hash of the form.
 */
export function incomingKey(principal: Principal, recordId: Id, token: string): string {
  return `${sha256(JSON.stringify(['incoming', effectiveId(principal)])).slice(0, 32)}-${formHash(principal, recordId, token)}`;
}
