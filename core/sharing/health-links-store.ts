/**
 * health-links-store: links that show a record or a carenet to others, with their numbers of openings and wrong passcodes.
 */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable, toColumns } from '../db/columns';
import type { Reads, Transaction } from '../db/database';
import type { ContentKey, ContentPlace, Contents, Sealer } from '../sealing/contents-store';
import { openTexts, sealTexts, type StoredTexts } from '../sealing/sealed-texts-store';

/** One use of a link; `by` is the name that the person gave. */
export type Opening = { readonly at: Timestamp; readonly by: string };

/** What makes a link one that clinics scan. */
export type ClinicTerms = {
  /** The kinds of facts that it shows. */ readonly kinds: readonly string[];
  /** How often it can be opened. */ readonly most: number;
  /** Whether what the person wrote in their own words goes along. */ readonly words: boolean | null;
  /** Whether the maker is told by mail when it is opened first. */ readonly tells: boolean;
  /** The language of what is written for the clinic. */ readonly language: string;
};

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
  /** How often it may be opened; null: as often as anybody likes. */ readonly mostOpenings: number | null;
  /** The last ones, the newest first. */ readonly opened: readonly Opening[];
  /** Wrong passcodes. */ readonly failures: number;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
  /** Null for a link of another kind. */ readonly clinic: ClinicTerms | null;
};

/** What people wrote about a link: its label, and as JSON the last openings with the names of those who opened it. */
export const LINK_TEXTS = ['label', 'opened'] as const;
type LinkTexts = (typeof LINK_TEXTS)[number];

function linkPlace(id: Id): ContentPlace {
  return ['health_link', id];
}

const columns = columnsNamed(
  'id',
  'sealed',
  'recordId',
  'carenetId',
  'accountId',
  'label',
  'passcode',
  'lineages',
  'openings',
  'mostOpenings',
  'opened',
  'failures',
  'createdAt',
  'expiresAt',
  'clinic',
);

type Counted = Record<'openings' | 'failures', number | string>;
/** The texts of a link as they are stored, and the key of its record. */
type Written = StoredTexts<LinkTexts> & { readonly contentKey: ContentKey };
type Row = Omit<HealthLink, keyof Counted | keyof Written | 'lineages' | 'makerName' | 'clinic'> &
  Counted &
  Written & { readonly lineages: string; readonly makerName: string | null; readonly clinic: string | null };

function selectLinks(on: Reads) {
  return (
    on('health_link as link')
      .leftJoin('carenet', 'carenet.id', 'link.carenet_id')
      .leftJoin('account', 'account.id', 'link.account_id')
      // A record that is being forgotten has no links.
      .join('record', 'record.id', 'link.record_id')
      .select({
        ...inTable('link', columns),
        sealed_texts: 'link.sealed_texts',
        contentKey: 'record.content_key',
        carenetName: 'carenet.name',
        makerName: 'account.full_name',
      })
  );
}

/** @throws UnreadableContent */
function toTexts(contents: Contents, id: Id, { contentKey, ...row }: Written): Pick<HealthLink, LinkTexts> {
  const { label, opened } = openTexts(contents.under(contentKey), linkPlace(id), LINK_TEXTS, row);
  return { label, opened: JSON.parse(opened) as readonly Opening[] };
}

function toCounts({ openings, failures }: Counted): Pick<HealthLink, keyof Counted> {
  return {
    openings: Number(openings),
    failures: Number(failures),
  };
}

function toLink(contents: Contents, { contentKey, sealed_texts: sealed, ...row }: Row): HealthLink {
  return {
    ...row,
    ...toCounts(row),
    ...toTexts(contents, row.id, { label: row.label, opened: row.opened, sealed_texts: sealed, contentKey }),
    makerName: row.makerName || row.accountId,
    lineages: JSON.parse(row.lineages) as readonly Id[],
    clinic: row.clinic === null ? null : (JSON.parse(row.clinic) as ClinicTerms),
  };
}

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
  | 'clinic'
  | 'mostOpenings'
> & {
  readonly secretHash: string;
};

export function insertLink(trx: Transaction, sealer: Sealer, link: NewHealthLink): Promise<unknown> {
  const texts = sealTexts(sealer, linkPlace(link.id), LINK_TEXTS, { label: link.label, opened: '[]' });
  return trx('health_link').insert({
    secret_hash: link.secretHash,
    sealed_texts: texts.sealed_texts,
    ...toColumns(columns, {
      ...link,
      label: texts.label,
      opened: texts.opened,
      lineages: JSON.stringify(link.lineages),
      clinic: link.clinic && JSON.stringify(link.clinic),
      openings: 0,
      failures: 0,
    }),
  });
}

/** Which kind of links is meant: those that clinics scan, or those that people and apps open. */
export type LinkKind = 'clinic' | 'given';

function ofKind(query: Knex.QueryBuilder, kind: LinkKind): Knex.QueryBuilder {
  return kind === 'clinic' ? query.whereNotNull('link.clinic') : query.whereNull('link.clinic');
}

/** @param most the most links that are read; a caller that inserts a link has locked the record */
export async function listLinks(
  on: Reads,
  contents: Contents,
  recordId: Id,
  most: number,
  kind: LinkKind = 'given',
): Promise<readonly HealthLink[]> {
  return (
    (await ofKind(selectLinks(on), kind)
      .where('link.record_id', recordId)
      .orderBy([{ column: 'link.created_at', order: 'desc' }, { column: 'link.id' }])
      .limit(most)) as Row[]
  ).map((row) => toLink(contents, row));
}

/** The links for clinics that have not expired, in the record and its carenets. Some may have been opened to their end. */
export async function unexpiredClinicLinks(
  on: Reads,
  contents: Contents,
  recordId: Id,
  now: Timestamp,
): Promise<readonly HealthLink[]> {
  return (
    (await ofKind(selectLinks(on), 'clinic')
      .where('link.record_id', recordId)
      .andWhere('link.expires_at', '>', now)
      .orderBy([{ column: 'link.created_at', order: 'desc' }, { column: 'link.id' }])) as Row[]
  ).map((row) => toLink(contents, row));
}

export async function findLink(
  on: Reads,
  contents: Contents,
  secretHash: string,
  kind: LinkKind = 'given',
): Promise<HealthLink | undefined> {
  const row = (await ofKind(selectLinks(on), kind).where('link.secret_hash', secretHash).first()) as Row | undefined;
  return row && toLink(contents, row);
}

/** How many openings are stored with a link; the audit of the record has all of them. */
const OPENINGS_TOLD = 20;

/** A link that is locked, with what its openings are counted in. */
export type LockedLink = Pick<HealthLink, 'openings' | 'failures' | 'label' | 'opened'> & {
  readonly contentKey: ContentKey;
};

/**
 * Locks the link, so that nobody else counts an opening of it or ends it meanwhile.
 * @param mostFailures the answer is undefined for a link that this number of wrong passcodes has ended
 */
export async function lockLink(
  trx: Transaction,
  contents: Contents,
  { id, recordId }: Pick<HealthLink, 'id' | 'recordId'>,
  mostFailures: number,
): Promise<LockedLink | undefined> {
  const row = (await trx('health_link')
    .where({ id })
    .andWhere('failures', '<', mostFailures)
    .forUpdate()
    .first('openings', 'failures', ...LINK_TEXTS, 'sealed_texts')) as (Counted & StoredTexts<LinkTexts>) | undefined;
  const record = (await trx('record').where({ id: recordId }).first({ contentKey: 'content_key' })) as
    { readonly contentKey: ContentKey } | undefined;
  return row && record && { ...toCounts(row), ...toTexts(contents, id, { ...row, ...record }), ...record };
}

/** Whether a link has not expired, as the transaction that has locked it sees it. */
export async function standsAt(trx: Transaction, id: Id, now: Timestamp): Promise<boolean> {
  return (await trx('health_link').where({ id }).andWhere('expires_at', '>', now).first('id')) !== undefined;
}

/** Counts an opening. The transaction must have locked the link. */
export function countOpening(
  trx: Transaction,
  contents: Contents,
  id: Id,
  { openings, label, opened, contentKey }: LockedLink,
  opening: Opening,
): Promise<unknown> {
  const texts = { label, opened: JSON.stringify([opening, ...opened].slice(0, OPENINGS_TOLD)) };
  return trx('health_link')
    .where({ id })
    .update({
      openings: openings + 1,
      ...sealTexts(contents.under(contentKey), linkPlace(id), LINK_TEXTS, texts),
    });
}

/** Counts a wrong passcode. The transaction must have locked the link. */
export function countWrongPasscode(trx: Transaction, id: Id, failures: number): Promise<unknown> {
  return trx('health_link')
    .where({ id })
    .update({ failures: failures + 1 });
}

/** @returns false when the record had no such link */
export async function deleteLink(trx: Transaction, recordId: Id, id: Id): Promise<boolean> {
  return (await trx('health_link').where({ record_id: recordId, id }).whereNull('clinic').delete()) === 1;
}

/**
 * Ends a link that clinics scan. Its row remains, so that the record shows who fetched it, and that somebody tried to
 * when it had ended.
 * @returns false when the record had no such link, or it had ended
 */
export async function expireLink(trx: Transaction, recordId: Id, id: Id, now: Timestamp): Promise<boolean> {
  return (
    (await trx('health_link')
      .where({ record_id: recordId, id })
      .whereNotNull('clinic')
      .andWhere('expires_at', '>', now)
      .update({ expires_at: now })) === 1
  );
}
