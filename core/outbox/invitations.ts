/**
 * invitations: mails that tell people that somebody shares a record with them. Each is written only when it is sent.
 * Nobody gets one who can no longer see the record by then, or could see it before.
 */
import { countAction } from '../auth/attempts';
import type { Clock } from '../base/clock';
import type { Id, Json, PrincipalId, Timestamp } from '../base/types';
import type { Config } from '../config/schema';
import type { Database, Transaction } from '../db/database';
import { findAccount } from '../accounts/store';
import { memberSince, sharedSince } from '../sharing/store';
import { unexpected, writeLetter } from './letters';
import type { Mail } from './mail';
import type { Outbox } from './kind';

export type Invitation = {
  readonly from: PrincipalId;
  readonly to: PrincipalId;
  /** Exactly one of them. */ readonly given: { readonly recordId: Id } | { readonly carenetId: Id };
  /** When access was given. If the share or membership has another time, the mail is not sent. */
  readonly at: Timestamp;
  /** The address at which the other person finds the record. */ readonly link: string;
};

/** The result of sharing: whether a mail tells of it. Only people who could not see as much before get a mail. */
export type Told = { readonly told: boolean };

type InvitationParts = {
  readonly config: Pick<Config, 'language' | 'mailFrom' | 'rateAccountPerMinute'>;
  readonly database: Database;
  readonly clock: Clock;
};

/** Adds the invitation in the transaction of its share or membership. */
export function addInvitation(outbox: Outbox, trx: Transaction, invitation: Invitation): Promise<void> {
  return outbox.add(trx, { kind: 'mail', payload: { invitation } });
}

/**
 * The mail, which names the person and no record. Undefined when there is nothing to tell any more, and for more than
 * SVC_RATE_ACCOUNT_PER_MINUTE mails from one person to another in a minute.
 */
async function writeInvitation(parts: InvitationParts, invitation: Invitation): Promise<Mail | undefined> {
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
}

/** The mail for a payload of the outbox, which may be an invitation; undefined when nothing is to be sent. */
export async function mailIn(parts: InvitationParts, payload: Json): Promise<Mail | undefined> {
  const { invitation, ...mail } = payload as Partial<Mail> & { readonly invitation?: Invitation };
  return invitation ? writeInvitation(parts, invitation) : (mail as Mail);
}
