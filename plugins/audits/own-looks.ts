/**
 * own-looks: how often a person looked at their record on each day of a page of its history. These looks stand below
 * what others did, and outnumber it, so they are counted and not listed.
 */
import { offsetAt } from '../../core/base/time-zones';
import { daysInZone, type Days } from '../../core/base/days-in-zone';
import { WEBSITE_APP } from '../../core/apps/website-app';
import { countDays, seekRows, type AuditEntry, type AuditRows } from '../../core/audit/report-store';
import type { ReportField, ReportFilter } from '../../core/facts/plans';
import type { ListPart, Place } from '../../core/db/page';
import type { Services } from '../../core/services';
import type { Pages } from '../../core/http/places';

/** Looks of a person, by the days of their time zone, the newest first. */
export type OwnLooks = {
  readonly days: readonly { readonly day: string; readonly count: number }[];
  /** The newest of them. */ readonly entries: readonly AuditEntry[];
  /** Whether older days than these have looks, too. */ readonly more: boolean;
};

export const noLooks: OwnLooks = { days: [], entries: [], more: false };

const MOST_DAYS = 100;
const MOST_ENTRIES = 100;
const DAY_MS = 86_400_000;

/** A column of the audit log as reports name fields. */
export function auditField(name: string, kind: ReportField['kind'] = 'string'): ReportField {
  return { kind, columns: [name] };
}

/** Whose looks are meant, and which functions only look: a page that was sent reads, too. */
export type Looking = { readonly account: string; readonly functions: readonly string[] };

/** What a look of a person at the website is. What apps do for them stands by itself. */
export function looksOf({ account, functions }: Looking): readonly ReportFilter[] {
  return [
    { field: auditField('principal_id'), values: [account] },
    { field: auditField('proxy_id'), values: [WEBSITE_APP] },
    { field: auditField('function_name'), values: functions },
    { field: auditField('successful', 'number'), values: [1] },
  ];
}

function dayAt(zone: string, time: string): string {
  const moment = Date.parse(time);
  return new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 10);
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

export type ListedPage = {
  /** What the page lists, and where it began. */ readonly part: ListPart<AuditEntry>;
  readonly place: Place | undefined;
  readonly pages: Pages;
  /** What the whole list has, and its times. */ readonly asked: AuditRows;
  readonly within: readonly [string, string];
};

/** The time of the listed entry before the first one of the page. */
function timeBefore({ part, place }: ListedPage): string | undefined {
  const [time] = (place?.back === false ? place.keys : part.beyond) ?? [];
  return time === undefined ? undefined : String(time);
}

/** The days that a page tells of: each day of the list, and each day between, is on a page. */
function listedDays(zone: string, listed: ListedPage): Days {
  const { part, pages } = listed;
  const [newest, oldest] = [part.rows[0], part.rows.at(-1)];
  if (!newest || !oldest) {
    return {};
  }
  const from = pages.next === undefined ? {} : { from: dayAt(zone, oldest.requested_at) };
  if (pages.previous === undefined) {
    return from;
  }
  const [first, last] = [newest.requested_at, timeBefore(listed) ?? newest.requested_at].map((time) =>
    dayAt(zone, time),
  ) as [string, string];
  return { ...from, to: first === last ? first : dayBefore(last) };
}

/** Counts the looks of a person on the days of a page, whole days, and reads the newest of these looks. */
export async function readOwnLooks(
  { database }: Services,
  recordId: string,
  { zone, ...looking }: Looking & { readonly zone: string },
  listed: ListedPage,
): Promise<OwnLooks> {
  const { from, to } = daysInZone(zone, listedDays(zone, listed));
  const time = auditField('requested_at', 'datetime');
  const { filters, ranges = [] } = listed.asked;
  const asked: AuditRows = {
    filters: [...filters, ...looksOf(looking)],
    ranges: [...ranges, { field: time, ...(from ? { from } : {}), ...(to ? { to } : {}) }],
  };
  const [days, { rows: entries }] = await Promise.all([
    countDays(database, recordId, asked, { zone, within: listed.within, most: MOST_DAYS + 1 }),
    seekRows(database, recordId, asked, { limit: MOST_ENTRIES }),
  ]);
  return { days: days.slice(0, MOST_DAYS), entries, more: days.length > MOST_DAYS };
}
