/** form-hash: what a form of a door names: its token means something in its own session and record only. */
import type { Principal } from '../auth/principal';
import { derivedId, sha256 } from '../base/ids';
import type { Id } from '../base/types';

export const sessionOf = (principal: Principal): string => (principal.kind === 'account' ? principal.sessionHash : '');

/** A form belongs to the session and the record that it was shown for: in another one its token means nothing. */
export const formHash = (principal: Principal, recordId: Id, token: string): string =>
  sha256(JSON.stringify([sessionOf(principal), recordId, token]));

/** The id of what a form makes under a name: sent twice, it means the same thing both times. */
export const idByForm = (principal: Principal, recordId: Id, token: string, name: string): Id =>
  derivedId('form', formHash(principal, recordId, token), name);
