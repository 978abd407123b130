/**
 * checks: what must be true after every crash: nothing acknowledged is lost, nothing is half done, everything is in the
 * audit log.
 */
import { sha256 } from '../../core/base/ids';
import type { Database } from '../../core/db/database';
import { openedRows } from '../support/contents';
import { child } from '../support/world';
import type { KnownDocument, Ledger } from './ledger';
import type { Arrivals } from './mailbox';
import type { Value } from '../../core/db/connection';

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => String(value ?? '');

const rowsOf = (database: Database, sql: string, values: readonly Value[] = []): Promise<readonly Row[]> =>
  database.reads.rows<Row>(sql, values);

/** Queries for what one transaction would have kept together; each row is a fault. */
const halfDone: Readonly<Record<string, string>> = {
  'a version without its lineage':
    'select d.id from document d left join document_lineage l on l.id = d.lineage_id where l.id is null',
  'a lineage whose latest version is missing or replaced':
    'select l.id from document_lineage l left join document d on d.id = l.latest_id where d.id is null or ' +
    'd.replaced_by_id is not null or d.lineage_id <> l.id or d.created_at <> l.latest_created_at',
  'a replaced version without its successor':
    'select o.id from document o left join document n on n.id = o.replaced_by_id where o.replaced_by_id is not ' +
    'null and (n.id is null or n.replaces_id <> o.id or o.suppressed_at is null or o.suppressor_id is null)',
  'a successor whose predecessor is not suppressed':
    'select n.id from document n left join document o on o.id = n.replaces_id where n.replaces_id is not null and ' +
    '(o.id is null or o.replaced_by_id <> n.id or o.suppressed_at is null)',
  'two lineages in one chain':
    'select n.id from document n join document o on o.id = n.replaces_id where n.lineage_id <> o.lineage_id',
  'a lineage with two versions that nothing replaces':
    'select lineage_id as id from document where replaced_by_id is null group by lineage_id having count(*) <> 1',
  'a document without its facts':
    "select d.id from document d left join fact_procedure f on f._document_id = d.id where d.type like '%#Procedure' and d.replaced_by_id is null and f._id is null",
  'facts of a replaced version or of no document':
    'select f._id as id from fact_procedure f left join document d on d.id = f._document_id where d.id is null or ' +
    'd.replaced_by_id is not null or f._record_id <> d.record_id or f._lineage_id <> d.lineage_id',
  'facts twice': 'select _document_id as id from fact_procedure group by _document_id having count(*) > 1',
  'a status without its history':
    "select l.id from document_lineage l where l.status <> 'active' and not exists (select 1 from document_status s where s.lineage_id = l.id and s.status = l.status)",
  'an external id twice':
    'select external_id as id from document where external_id is not null group by record_id, external_app_id, ' +
    'external_id having count(*) > 1',
  'an app document twice':
    'select external_id as id from app_document where external_id is not null group by app_id, scope, external_id having count(*) > 1',
  'a message twice':
    'select external_id as id from record_message group by record_id, sender_id, external_id having count(*) > 1',
  'a message without its copies':
    'select r.id from record_message r where r.delivered_at is not null and (select count(*) from message m where ' +
    'm.record_message_id = r.id) <> 2',
  'a copy without its message':
    'select m.id from message m left join record_message r on r.id = m.record_message_id where ' +
    'm.record_message_id is not null and (r.id is null or r.delivered_at is null)',
  'a record whose demographics are missing':
    'select r.id from record r left join demographics d on d.record_id = r.id where r.demographics_lineage_id is ' +
    'null or d.record_id is null',
};

const number = async (database: Database, sql: string): Promise<number> =>
  Number((await rowsOf(database, sql))[0]?.['n'] ?? 0);

const checkHalfDone = async (database: Database): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [what, sql] of Object.entries(halfDone)) {
    const rows = await rowsOf(database, sql);
    faults.push(...rows.slice(0, 3).map((row) => `${what}: ${text(row['id'])}`));
  }
  return faults;
};

/** Compares the facts with those that the stylesheet makes of the document. */
const wrongFacts = ({ body }: KnownDocument, row: Row): string | undefined => {
  if (row['fact_id'] === null) {
    return 'has no facts';
  }
  const expected = [child(body, 'name'), child(body, 'comments') ?? '', '2024-03-05T13:00:00.000000Z'];
  const found = [text(row['fact_name']), text(row['fact_comments']), text(row['fact_date'])];
  return expected.join() === found.join() ? undefined : `has other facts: ${found.join().slice(0, 100)}`;
};

const wrongWith = (known: KnownDocument, row: Row | undefined): string | undefined => {
  if (!row) {
    return 'is lost';
  }
  if (
    Buffer.compare(row['content'] as Buffer, Buffer.from(known.body, 'utf8')) !== 0 ||
    text(row['digest']) !== sha256(known.body)
  ) {
    return 'has other content';
  }
  if (known.externalId !== null && text(row['external_id']) !== known.externalId) {
    return 'has another external id';
  }
  if (known.replacedBy !== 'maybe' && text(row['replaced_by_id']) !== (known.replacedBy ?? '')) {
    return `is replaced by ${text(row['replaced_by_id']) || 'nothing'}, not by ${known.replacedBy ?? 'nothing'}`;
  }
  if (known.replacedBy === undefined && known.status !== undefined && text(row['status']) !== known.status) {
    return `is ${text(row['status'])}, not ${known.status}`;
  }
  return row['replaced_by_id'] === null ? wrongFacts(known, row) : undefined;
};

/** Every acknowledged document exists byte for byte, with its facts, status and successor. */
const checkDocuments = async (database: Database, known: readonly KnownDocument[]): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (let start = 0; start < known.length; start += 500) {
    const part = known.slice(start, start + 500);
    const rows = await rowsOf(
      database,
      `select d.id, d.digest, d.external_id, d.replaced_by_id, l.status,
      f._id as fact_id, f.name as fact_name, f.comments as fact_comments, f.date_performed as fact_date
      from document d join document_lineage l on l.id = d.lineage_id left join fact_procedure f on f._document_id = d.id where d.id in (${part.map(() => '?').join(',')})`,
      part.map(({ id }) => id),
    );
    const contents = new Map(
      (
        await openedRows(database, 'document', [
          `id in (${part.map(() => '?').join(',')})`,
          ...part.map(({ id }) => id),
        ])
      ).map((row) => [row['id'], row['content']]),
    );
    const found = new Map(rows.map((row) => [text(row['id']), { ...row, content: contents.get(text(row['id'])) }]));
    for (const document of part) {
      const wrong = wrongWith(document, found.get(document.id));
      if (wrong) {
        faults.push(`document ${document.id} ${wrong}; ${document.history.join(', ')}`);
      }
    }
  }
  return faults;
};

/** Every acknowledged message exists with its text, and every app document byte for byte. */
const checkKept = async (database: Database, ledger: Ledger): Promise<readonly string[]> => {
  const messages = new Map(
    (await openedRows(database, 'record_message')).map((row) => [
      text(row['external_id']),
      `${text(row['subject'])} ${text(row['body'])}`,
    ]),
  );
  const stored = new Map(
    (await openedRows(database, 'app_document')).map((row) => [text(row['external_id']), text(row['content'])]),
  );
  return [
    ...[...ledger.messages]
      .filter((id) => messages.get(id) !== `${id} hello`)
      .map((id) => `message ${id} is lost or changed`),
    ...[...ledger.appDocuments]
      .filter(([id, body]) => stored.get(id) !== body)
      .map(([id]) => `app document ${id} is lost or changed`),
  ];
};

/**
 * Every response that arrived has an audit row with its status. While the database is down, the service cannot tell
 * whose credentials a call has, so its refusal is audited as an anonymous call: the first one of a path and minute has
 * a row, and the count of the others is lost when the process is killed.
 */
const checkAudit = async (database: Database, told: Ledger['told'], since: string): Promise<readonly string[]> => {
  const rows = await rowsOf(
    database,
    'select function_name, document_id, external_id, message_id, status, app_id, account_id, requested_at from audit where requested_at >= ?',
    [since],
  );
  const counts = new Map<string, number>();
  for (const row of rows) {
    const isStrangers = row['app_id'] === null && row['account_id'] === null;
    const answers = isStrangers && Number(row['status']) === 503 ? Infinity : 1;
    for (const column of ['document_id', 'external_id', 'message_id'] as const) {
      const key = `${text(row['function_name'])} ${column} ${text(row[column])} ${text(row['status'])}`;
      counts.set(key, (counts.get(key) ?? 0) + answers);
    }
  }
  const faults: string[] = [];
  for (const { call, column, value, status, said } of told) {
    const key = `${call} ${column} ${value} ${status}`;
    const left = counts.get(key) ?? 0;
    if (left <= 0) {
      const others = rows.filter((row) => text(row[column]) === value).map((row) => JSON.stringify(row));
      faults.push(`an answer without its audit row: ${key}, at ${said}; rows: ${others.join(' ') || 'none'}`);
    }
    counts.set(key, left - 1);
  }
  return faults;
};

const STATUS_STEPS =
  "select status, coalesce(lag(status) over (partition by lineage_id order by seq), 'active') as status_before from document_status";

/**
 * Every mail and ping was written in the transaction that caused it: one mail for each copy of a message, one ping for
 * each change of a watched fact and subscription. Setting the same status again is no change.
 */
const checkOwed = async (database: Database, before: { readonly mails: number }): Promise<readonly string[]> => {
  const faults: string[] = [];
  // One statement sees one snapshot. What was under way when its caller gave up may still be committed.
  const [row] = await rowsOf(
    database,
    `select (select count(*) from message) as copies, (select count(*) from outbox where kind = 'mail') as mails,
    (select count(*) from document where type like '%#Procedure') + (select count(*) from (${STATUS_STEPS}) steps where status <> status_before) as changes,
    (select count(*) from subscription) as watches, (select count(*) from outbox where kind = 'ping') as pings`,
  );
  const [copies, mails, changes, watches, pings] = ['copies', 'mails', 'changes', 'watches', 'pings'].map((name) =>
    Number(row?.[name]),
  ) as [number, number, number, number, number];
  if (mails - before.mails !== copies) {
    faults.push(`${copies} copies owe as many mails, there are ${mails - before.mails}`);
  }
  if (pings !== changes * watches) {
    faults.push(`${changes} changes owe ${watches} pings each, there are ${pings}`);
  }
  return faults;
};

/** What is checked: everything, or what the last round may have changed. */
export type Extent = {
  readonly documents: readonly KnownDocument[];
  readonly told: Ledger['told'];
  /** Audit rows since this time. */ readonly since: string;
};

export const everything = (ledger: Ledger): Extent => ({
  documents: [...ledger.documents.values()],
  told: ledger.told,
  since: '',
});

/** Every check that needs only the database. */
export const checkAll = async (
  database: Database,
  ledger: Ledger,
  before: { readonly mails: number },
  { documents, told, since } = everything(ledger),
): Promise<readonly string[]> => [
  ...ledger.surprises.splice(0).map((what) => `an answer that no rule allows: ${what}`),
  ...(await checkHalfDone(database)),
  ...(await checkDocuments(database, documents)),
  ...(await checkKept(database, ledger)),
  ...(await checkAudit(database, told, since)),
  ...(await checkOwed(database, before)),
];

export const countMails = (database: Database): Promise<number> =>
  number(database, "select count(*) as n from outbox where kind = 'mail'");
export const countUnsent = (database: Database): Promise<number> =>
  number(database, 'select count(*) as n from outbox where sent_at is null');

/** A period in which something failed, in milliseconds. */
export type Trouble = { readonly from: number; readonly to: number };

/**
 * Whether a delivery was repeated without a failure in between, in which the outcome of the first one could have got
 * lost.
 */
const withoutReason = (times: readonly number[], troubles: readonly Trouble[]): boolean =>
  times.slice(1).some((second, index) => !troubles.some(({ from, to }) => to >= times[index]! && from <= second));

/**
 * When nothing waits any more: every delivery has arrived under its own key, only once unless something failed in
 * between, and no other delivery has arrived.
 */
export const checkSent = async (
  database: Database,
  arrivals: { readonly mail: Arrivals; readonly ping: Arrivals },
  troubles: readonly Trouble[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const kind of ['mail', 'ping'] as const) {
    const owed = new Set(
      (await rowsOf(database, 'select id from outbox where kind = ?', [kind])).map((row) => text(row['id'])),
    );
    faults.push(...[...owed].filter((id) => !arrivals[kind].has(id)).map((id) => `${kind} ${id} never arrived`));
    for (const [id, times] of arrivals[kind]) {
      if (!owed.has(id)) {
        faults.push(`${kind} ${id} arrived and was never owed`);
      } else if (withoutReason(times, troubles)) {
        faults.push(`${kind} ${id} arrived ${times.length} times although nothing had failed`);
      }
    }
  }
  return faults;
};
