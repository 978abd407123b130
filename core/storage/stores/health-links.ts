/**
 * health-links: links that show a record or a carenet to others, with their numbers of openings and wrong passcodes.
 */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import { columnsOf, inTable, toColumns } from '../columns';
import type { Reads, Transaction } from '../database';

/** One use of a link; `by` is the name that the person gave. */
export type Opening = { readonly at: Timestamp; readonly by: string };

export type HealthLink = {
  readonly id: Id;
  /** Sealed JSON. */ readonly sealed: string;
  readonly recordId: Id;
  readonly carenetId: Id | null;
  /** Null without a carenet, and when the carenet no longer exists. */ readonly carenetName: string | null;
  readonly accountId: PrincipalId;
  readonly makerName: string;
  readonly label: string;
  /** A hash. */ readonly passcode: string | null;
  readonly lineages: readonly Id[];
  readonly openings: number;
  /** The last ones, the newest first. */ readonly opened: readonly Opening[];
  /** Wrong passcodes. */ readonly failures: number;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
};

const columns = columnsOf(
  'id',
  'sealed',
  'recordId',
  'carenetId',
  'accountId',
  'label',
  'passcode',
  'lineages',
  'openings',
  'opened',
  'failures',
  'createdAt',
  'expiresAt',
);

type Counted = Record<'openings' | 'failures', number | string> & { readonly opened: string };
type Row = Omit<HealthLink, keyof Counted | 'lineages' | 'makerName'> &
  Counted & { readonly lineages: string; readonly makerName: string | null };

const select = (on: Reads) =>
  on('health_link as link')
    .leftJoin('carenet', 'carenet.id', 'link.carenet_id')
    .leftJoin('account', 'account.id', 'link.account_id')
    .select({ ...inTable('link', columns), carenetName: 'carenet.name', makerName: 'account.full_name' });

const toCounts = ({ openings, opened, failures }: Counted): Pick<HealthLink, keyof Counted> => ({
  openings: Number(openings),
  opened: JSON.parse(opened) as readonly Opening[],
  failures: Number(failures),
});

const toLink = (row: Row): HealthLink => ({
  ...row,
  ...toCounts(row),
  makerName: row.makerName || row.accountId,
  lineages: JSON.parse(row.lineages) as readonly Id[],
});

export type NewHealthLink = Pick<
  HealthLink,
  | 'id'
  | 'sealed'
  | 'recordId'
  | 'carenetId'
  | 'accountId'
  | 'label'
  | 'passcode'
  | 'lineages'
  | 'createdAt'
  | 'expiresAt'
> & {
  readonly secretHash: string;
};

export const insertLink = (trx: Transaction, link: NewHealthLink): Promise<unknown> =>
  trx('health_link').insert({
    secret_hash: link.secretHash,
    ...toColumns(columns, {
      ...link,
      lineages: JSON.stringify(link.lineages),
      openings: 0,
      opened: '[]',
      failures: 0,
    }),
  });

/** @param most the most links that are read; a caller that inserts a link has locked the record */
export const listLinks = async (on: Reads, recordId: Id, most: number): Promise<readonly HealthLink[]> =>
  (
    (await select(on)
      .where('link.record_id', recordId)
      .orderBy([{ column: 'link.created_at', order: 'desc' }, { column: 'link.id' }])
      .limit(most)) as Row[]
  ).map(toLink);

export const findLink = async (on: Reads, secretHash: string): Promise<HealthLink | undefined> => {
  const row = (await select(on).where('link.secret_hash', secretHash).first()) as Row | undefined;
  return row && toLink(row);
};

/** How many openings are stored with a link; the audit of the record has all of them. */
const OPENINGS_TOLD = 20;

/**
 * Locks the link, so that nobody else counts an opening of it or ends it meanwhile.
 * @param mostFailures the answer is undefined for a link that this number of wrong passcodes has ended
 */
export const lockLink = async (
  trx: Transaction,
  id: Id,
  mostFailures: number,
): Promise<Pick<HealthLink, 'openings' | 'opened' | 'failures'> | undefined> => {
  const row = (await trx('health_link')
    .where({ id })
    .andWhere('failures', '<', mostFailures)
    .forUpdate()
    .first('openings', 'opened', 'failures')) as Counted | undefined;
  return row && toCounts(row);
};

/** Counts an opening. The transaction must have locked the link. */
export const countOpening = (
  trx: Transaction,
  id: Id,
  { openings, opened }: Pick<HealthLink, 'openings' | 'opened'>,
  opening: Opening,
): Promise<unknown> =>
  trx('health_link')
    .where({ id })
    .update({ openings: openings + 1, opened: JSON.stringify([opening, ...opened].slice(0, OPENINGS_TOLD)) });

/** Counts a wrong passcode. The transaction must have locked the link. */
export const countWrongPasscode = (trx: Transaction, id: Id, failures: number): Promise<unknown> =>
  trx('health_link')
    .where({ id })
    .update({ failures: failures + 1 });

/** @returns false when the record had no such link */
export const deleteLink = async (trx: Transaction, recordId: Id, id: Id): Promise<boolean> =>
  (await trx('health_link').where({ record_id: recordId, id }).delete()) === 1;
