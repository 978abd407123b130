/**
 * history: the audit rows of a record with the names of people, carenets and documents in them, and whether the log is
 * unbroken.
 */
import { checkRecord, type RecordCheck } from '../../core/audit/record-check';
import { toTimestamp } from '../../core/base/clock';
import type { Id, PrincipalId, Timestamp } from '../../core/base/types';
import type { InRecord } from '../../core/http/inputs';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import { requireRecord } from '../../core/records/require';
import type { ReportFilter } from '../../core/facts/plans';
import { seekAudit, type AuditEntry } from '../../core/audit/report-store';
import {
  carenetNames,
  documentNames,
  extentOfAudit,
  findNames,
  peopleInAudit,
  type NamedDocument,
} from '../../core/audit/history-store';
import { auditField, looksOf, noLooks, readOwnLooks, type ListedPage, type Looking, type OwnLooks } from './own-looks';

export type HistoryQuery = Seeking & {
  readonly who?: string;
  /** Whose calls are left out. */ readonly not?: string;
  /** Whose looks at the website are counted by day, in `zone`, and not listed. */ readonly folded?: string;
  /** Names of the functions that only look, separated by `|`. */ readonly looks: string;
  readonly zone: string;
  /** Names of functions, separated by `|`. */ readonly functions?: string;
  /** True: only refused calls; false: only the others. */ readonly refused?: boolean;
  readonly from?: Timestamp;
  readonly to?: Timestamp;
  /** True: the log is checked as well. Only one of several pages needs that. */ readonly check: boolean;
};

export type History = {
  readonly record: { readonly id: Id; readonly label: string };
  readonly entries: readonly AuditEntry[];
  readonly pages: Pages;
  /** How many entries fit the query. */ readonly found: number;
  readonly total: number;
  readonly since: Timestamp | null;
  readonly people: readonly { readonly id: PrincipalId; readonly name: string }[];
  readonly names: ReadonlyMap<PrincipalId, string>;
  readonly carenets: ReadonlyMap<Id, string>;
  readonly documents: ReadonlyMap<Id, NamedDocument>;
  readonly check: RecordCheck;
  /** What `folded` asks for. */ readonly own: OwnLooks;
};

const notChecked: RecordCheck = { unbroken: false, whole: false, checked: 0 };

function filtersOf({ who, functions, refused }: HistoryQuery): readonly ReportFilter[] {
  return [
    ...(who === undefined ? [] : [{ field: auditField('principal_id'), values: [who] }]),
    ...(functions === undefined ? [] : [{ field: auditField('function_name'), values: functions.split('|') }]),
    ...(refused === undefined ? [] : [{ field: auditField('successful', 'number'), values: [refused ? 0 : 1] }]),
  ];
}

function idsIn(entries: readonly AuditEntry[], ...columns: readonly (keyof AuditEntry)[]): readonly string[] {
  return [
    ...new Set(
      entries.flatMap((entry) => columns.flatMap((name) => (entry[name] === null ? [] : [String(entry[name])]))),
    ),
  ];
}

function lookingIn({ folded, looks }: HistoryQuery): Looking | undefined {
  return folded === undefined ? undefined : { account: folded, functions: looks.split('|') };
}

async function ownLooksOf(
  services: Services,
  recordId: Id,
  query: HistoryQuery,
  listed: ListedPage,
): Promise<OwnLooks> {
  const looking = lookingIn(query);
  return looking === undefined ? noLooks : readOwnLooks(services, recordId, { ...looking, zone: query.zone }, listed);
}

/** A page of the audit rows that fit the query, the newest first. 404 for an unknown record. */
export async function readAuditHistory({ params, query, services }: Call<InRecord, HistoryQuery>): Promise<History> {
  const { database, isAuditSignature } = services;
  const { reads } = database;
  const record = await requireRecord(services, params.RECORD_ID);
  const { from, to } = query;
  const range = { field: auditField('requested_at', 'datetime'), ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const { seek, pagesOf } = openPlace(services, `history ${record.id}`, query);
  const looking = lookingIn(query);
  const asked = {
    filters: filtersOf(query),
    ...(from || to ? { ranges: [range] } : {}),
    ...(looking === undefined ? {} : { without: looksOf(looking) }),
    ...(query.not === undefined ? {} : { except: [{ field: auditField('principal_id'), values: [query.not] }] }),
  };
  const [{ part, total: found }, extent, people, carenets, check] = await Promise.all([
    seekAudit(database, record.id, asked, seek),
    extentOfAudit(reads.long, record.id),
    peopleInAudit(reads.long, record.id),
    carenetNames(reads, record.id),
    query.check ? checkRecord({ database, verify: isAuditSignature }, record.id) : notChecked,
  ]);
  const pages = pagesOf(part);
  const own = await ownLooksOf(services, record.id, query, {
    part,
    place: seek.place,
    pages,
    asked,
    within: [extent.since ?? '', toTimestamp(services.clock.now())],
  });
  const entries = part.rows;
  const said = [...entries, ...own.entries];
  const [names, documents] = await Promise.all([
    findNames(reads, [...new Set([...people, ...idsIn(said, 'principal_id', 'proxy_id', 'app_id', 'account_id')])]),
    documentNames(reads, record.id, idsIn(said, 'document_id')),
  ]);
  return {
    record: { id: record.id, label: record.label },
    entries,
    pages,
    found,
    total: extent.total,
    since: extent.since,
    people: people.map((id) => ({ id, name: names.get(id) ?? id })),
    names,
    carenets,
    documents,
    check,
    own,
  };
}
