/**
 * invitations: mails that tell somebody that a person shares a record with them. Each is written when it leaves: who
 * cannot see the record any more by then, or could before, gets none.
 */
import { countAction } from '../auth/attempts';
import type { Clock } from '../base/clock';
import type { Id, Json, PrincipalId, Timestamp } from '../base/types';
import type { Config } from '../config/schema';
import type { Database, Transaction } from '../storage/database';
import { findAccount } from '../storage/stores/accounts';
import { memberSince, sharedSince } from '../storage/stores/sharing';
import { unexpected, writeLetter } from './letters';
import type { Mail } from './mail';
import type { Outbox } from './outbox';

export type Invitation = {
  readonly from: PrincipalId;
  readonly to: PrincipalId;
  /** Exactly one of them. */ readonly given: { readonly recordId: Id } | { readonly carenetId: Id };
  /** When it was given: a share or membership of another time is no news. */ readonly at: Timestamp;
  /** Where the other person finds it. */ readonly link: string;
};

/** What became of a share: whether a mail tells of it, which it does to people who could not see so much before. */
export type Told = { readonly told: boolean };

export type InvitationParts = {
  readonly config: Pick<Config, 'language' | 'mailFrom' | 'rateAccountPerMinute'>;
  readonly database: Database;
  readonly clock: Clock;
};

/** Hands it over with the share or membership that it tells of. */
export const addInvitation = (outbox: Outbox, trx: Transaction, invitation: Invitation): Promise<void> =>
  outbox.add(trx, { kind: 'mail', payload: { invitation } });

/**
 * Undefined when there is nothing to tell any more, and beyond SVC_RATE_ACCOUNT_PER_MINUTE mails from one person to
 * another in a minute. It names the person, and no record.
 */
const writeInvitation = async (parts: InvitationParts, invitation: Invitation): Promise<Mail | undefined> => {
  const { given, from, to, at, link } = invitation;
  const { database } = parts;
  const { reads } = database;
  const since =
    'recordId' in given ? await sharedSince(reads, given.recordId, to) : await memberSince(reads, given.carenetId, to);
  const bucket = { name: `invitation ${from} ${to}`.slice(0, 300), limit: parts.config.rateAccountPerMinute };
  if (since !== at || !(await database.write((trx) => countAction(trx, parts.clock, bucket)))) {
    return undefined;
  }
  const [owner, guest] = [await findAccount(reads, from), await findAccount(reads, to)];
  const text = 'recordId' in given ? 'shared.whole' : 'shared.part';
  const values = { owner: owner?.fullName || from, link };
  return guest && writeLetter(parts.config, guest, 'shared.subject', [[text, values], unexpected]);
};

/** The mail of a payload of the outbox, which may be an invitation; undefined when nothing is to be sent. */
export const mailIn = async (parts: InvitationParts, payload: Json): Promise<Mail | undefined> => {
  const { invitation, ...mail } = payload as Partial<Mail> & { readonly invitation?: Invitation };
  return invitation ? writeInvitation(parts, invitation) : (mail as Mail);
};
