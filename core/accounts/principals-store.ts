/** principals-store: the one namespace of ids that accounts and apps share. */
import type { AccountState, PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';

export type PrincipalKind = 'account' | 'userapp' | 'adminapp' | 'uiapp';

export type NewPrincipal = {
  readonly id: PrincipalId;
  readonly kind: PrincipalKind;
  /** Full name of an account, name of an app. */
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly createdBy: PrincipalId | null;
};

export type PrincipalRow = {
  readonly id: PrincipalId;
  readonly kind: PrincipalKind;
  readonly name: string;
  /** Null for an app. */
  readonly accountState: AccountState | null;
  /** It can never sign again: a retired account, or an app that was deleted. */
  readonly retired: boolean;
};

/** Fails with the driver's duplicate error when an account or app has the id. */
export async function insertPrincipal(
  trx: Transaction,
  { id, kind, name, createdAt, createdBy }: NewPrincipal,
): Promise<void> {
  await trx('principal').insert({ id, kind, name, created_at: createdAt, created_by: createdBy });
}

export async function renamePrincipal(trx: Transaction, id: PrincipalId, name: string): Promise<void> {
  await trx('principal').where({ id }).update({ name });
}

export async function findPrincipal(on: Reads, principalId: PrincipalId): Promise<PrincipalRow | undefined> {
  const row = (await on('principal')
    .leftJoin('account', 'account.id', 'principal.id')
    .leftJoin('app', 'app.id', 'principal.id')
    .where('principal.id', principalId)
    .first('principal.id', 'principal.kind', 'principal.name', 'account.state', 'app.retired_at')) as
    | { id: string; kind: PrincipalKind; name: string; state: AccountState | null; retired_at: string | null }
    | undefined;
  return (
    row && {
      id: row.id,
      kind: row.kind,
      name: row.name,
      accountState: row.state,
      retired: row.state === 'retired' || row.retired_at !== null,
    }
  );
}
