/**
 * message-author: who wrote a message that the website sent for a person. The message's id names the author, because
 * only the sender chooses it.
 */
import type { PrincipalId } from '../base/types';
import { WEBSITE_APP } from './website-app';

const BEGIN = 'by ';

/**
 * The id under which the website sends a person's message; `once` is the same when a form is sent twice. Ids have at
 * most 250 characters, so an account id that makes it longer is left out.
 */
export function idWithAuthor(accountId: PrincipalId, once: string): string {
  const id = `${BEGIN}${accountId} ${once}`;
  return [...id].length > 250 ? once : id;
}

type Sent = { readonly senderId: PrincipalId; readonly externalId: string | null };

/** The person who wrote the message, or else the app that sent it. */
export function authorOf({ senderId, externalId }: Sent): PrincipalId {
  const written = senderId === WEBSITE_APP && externalId?.startsWith(BEGIN) ? externalId.slice(BEGIN.length) : '';
  return written.slice(0, Math.max(0, written.lastIndexOf(' '))) || senderId;
}
