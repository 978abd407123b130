/** message-author: who wrote a message that the website sent for a person: it stands in the message's id, which only its sender chooses. */
import type { PrincipalId } from '../base/types';
import { WEBSITE_APP } from './website-app';

const BEGIN = 'by ';

/**
 * The id under which the website sends what a person wrote; `once` is the same when a form is sent twice. Ids have 250
 * characters: a longer account is left out.
 */
export const idWithAuthor = (accountId: PrincipalId, once: string): string => {
  const id = `${BEGIN}${accountId} ${once}`;
  return [...id].length > 250 ? once : id;
};

type Sent = { readonly senderId: PrincipalId; readonly externalId: string | null };

/** The person who wrote it, else the app that sent it. */
export const authorOf = ({ senderId, externalId }: Sent): PrincipalId => {
  const written = senderId === WEBSITE_APP && externalId?.startsWith(BEGIN) ? externalId.slice(BEGIN.length) : '';
  return written.slice(0, Math.max(0, written.lastIndexOf(' '))) || senderId;
};
