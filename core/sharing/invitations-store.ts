/** invitations-store: invitations to a record that wait for an answer. */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable, toColumns } from '../db/columns';
import type { Reads, Transaction } from '../db/database';

export type InvitationRow = {
  readonly id: Id;
  readonly recordId: Id;
  /** Who invites. */ readonly accountId: PrincipalId;
  readonly secretHash: string;
  readonly sealed: string;
  readonly gives: string;
  readonly guestId: PrincipalId | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

/** An invitation with the names of both, as their accounts say them. */
export type Invited = InvitationRow & {
  readonly inviterName: string | null;
  readonly guestName: string | null;
  readonly guestEmail: string | null;
  readonly guestUnconfirmed: number | null;
};

const columns = columnsNamed(
  'id',
  'recordId',
  'accountId',
  'secretHash',
  'sealed',
  'gives',
  'guestId',
  'createdAt',
  'expiresAt',
);

/** An invitation ends when its maker may no longer share the record. */
function live(on: Reads, now: Timestamp) {
  return on('record_invitation as invitation')
    .join('record', 'record.id', 'invitation.record_id')
    .leftJoin('record_share as share', {
      'share.record_id': 'invitation.record_id',
      'share.account_id': 'invitation.account_id',
    })
    .leftJoin('account as inviter', 'inviter.id', 'invitation.account_id')
    .leftJoin('account as guest', 'guest.id', 'invitation.guest_id')
    .where('invitation.expires_at', '>', now)
    .whereRaw('(record.owner_id = invitation.account_id or share.account_id is not null)')
    .select({
      ...inTable('invitation', columns),
      inviterName: 'inviter.full_name',
      guestName: 'guest.full_name',
      guestEmail: 'guest.contact_email',
      guestUnconfirmed: 'guest.unconfirmed_email',
    });
}

export async function listInvitations(on: Reads, recordId: Id, now: Timestamp): Promise<readonly Invited[]> {
  return (await live(on, now)
    .where('invitation.record_id', recordId)
    .orderBy([{ column: 'invitation.created_at', order: 'desc' }, { column: 'invitation.id' }])
    .limit(100)) as Invited[];
}

export async function findBySecret(on: Reads, secretHash: string, now: Timestamp): Promise<Invited | undefined> {
  return (await live(on, now).where('invitation.secret_hash', secretHash).first()) as Invited | undefined;
}

/** How many invitations of an account wait. */
export async function countOpen(on: Reads, accountId: PrincipalId, now: Timestamp): Promise<number> {
  const row = (await on('record_invitation')
    .where({ account_id: accountId })
    .where('expires_at', '>', now)
    .count({ n: '*' })
    .first()) as { n: number | string };
  return Number(row.n);
}

export function insertInvitation(trx: Transaction, row: InvitationRow): Promise<unknown> {
  return trx('record_invitation').insert(toColumns(columns, row));
}

/** Gives an invitation another link and end. @returns false when somebody has come, or it has ended */
export async function renewInvitation(
  trx: Transaction,
  id: Id,
  link: Pick<InvitationRow, 'secretHash' | 'expiresAt'>,
): Promise<boolean> {
  const row = { secret_hash: link.secretHash, expires_at: link.expiresAt };
  return (await trx('record_invitation').where({ id }).whereNull('guest_id').update(row)) > 0;
}

/** Takes the place of the guest. @returns false when somebody else has come, or the invitation has ended */
export async function takeInvitation(trx: Transaction, id: Id, guestId: PrincipalId): Promise<boolean> {
  return (await trx('record_invitation').where({ id }).whereNull('guest_id').update({ guest_id: guestId })) > 0;
}

/** @returns false when it was not there */
export async function deleteInvitation(trx: Transaction, recordId: Id, id: Id): Promise<boolean> {
  return (await trx('record_invitation').where({ record_id: recordId, id }).delete()) > 0;
}
