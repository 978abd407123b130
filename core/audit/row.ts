/** row: one request as its audit row, and the hash that chains it to the row before (pure). */
import { effectiveId, proxyId, type Principal } from '../auth/principal';
import { sha256 } from '../base/ids';
import type { PrincipalId, Timestamp } from '../base/types';

/** Columns of the audit table in the order in which they are hashed; `hash` itself comes last. */
export const hashedColumns = [
  'writer_id',
  'writer_seq',
  'id',
  'requested_at',
  'function_name',
  'successful',
  'principal_id',
  'proxy_id',
  'ui_app_id',
  'consumer_key',
  'record_id',
  'carenet_id',
  'app_id',
  'account_id',
  'document_id',
  'external_id',
  'message_id',
  'url',
  'ip_address',
  'domain',
  'method',
  'status',
  'content_type',
] as const;

/**
 * Columns that only special rows fill. They are hashed only if one of them is filled, so that the rows of earlier
 * releases keep their hashes.
 */
export const markColumns = ['repeats', 'imported_by', 'imported_at'] as const;

/**
 * The name that somebody gave who fetched something by a link. It is hashed only where it is filled, whether or not
 * there are marks.
 */
const RECIPIENT = 'recipient';

/** Every column that a row may fill, but for its hash. */
export const rowColumns = [...hashedColumns, ...markColumns, RECIPIENT] as const;

export type AuditColumn = (typeof hashedColumns)[number];
type Marks = Partial<Record<(typeof markColumns)[number] | typeof RECIPIENT, string | number | null>>;
/** What is recorded about one request, before the writer gives it its place in the chain. */
export type AuditFacts = Readonly<
  Record<Exclude<AuditColumn, 'writer_id' | 'writer_seq'>, string | number | null> & Marks
>;
/** The columns that say what a call was about, empty. */
export const aboutNothing = {
  record_id: null,
  carenet_id: null,
  app_id: null,
  account_id: null,
  document_id: null,
  external_id: null,
  message_id: null,
} as const;

export type AuditRow = Readonly<Record<AuditColumn, string | number | null> & Marks> & { readonly hash: string };

/** The hash before a chain's first row. */
export function chainStart(writerId: string): string {
  return sha256(`audit chain ${writerId}`);
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/**
 * Hash of a row over the hash before it; numbers and their text are one, because drivers differ in what they return.
 */
export function rowHash(
  previous: string,
  row: Readonly<Record<AuditColumn, unknown> & Partial<Record<keyof Marks, unknown>>>,
): string {
  const values = hashedColumns.map((name) => textOrNull(row[name]));
  const marks = markColumns.map((name) => textOrNull(row[name]));
  const marked = marks.every((mark) => mark === null) ? values : [...values, ...marks];
  const recipient = textOrNull(row[RECIPIENT]);
  const hashed = recipient === null ? marked : [...marked, recipient];
  return sha256(`${previous}\n${JSON.stringify(hashed)}`);
}

export type Seen = {
  readonly id: string;
  readonly requestedAt: Timestamp;
  readonly spec: { readonly name: string; readonly path: string };
  readonly params: Readonly<Record<string, string>>;
  readonly noted: {
    readonly documentId?: string;
    readonly recordId?: string;
    readonly carenetId?: string;
    readonly appId?: PrincipalId;
    /** A wrong secret was tried at something that stops taking tries: each try has a row of its own. */
    readonly guessed?: boolean;
    /** Who fetched something by a link, as they called themselves. */ readonly recipient?: string;
  };
  readonly principal: Principal;
  readonly consumerKey: string | null;
  readonly method: string;
  readonly ipAddress: string;
  readonly status: number;
  readonly contentType: string;
  /** For a door with pages: the page's address, and the app that acts for the door. */
  readonly door?: { readonly url: string; readonly appId: PrincipalId };
  /** True when refused credentials name somebody who is known here. */ readonly named?: boolean;
};

/**
 * Whether a call was refused and had no credentials, or credentials that belong to nobody. Such calls may be counted
 * together; guesses at a secret are not, so that the owner of a record sees each of them.
 */
export function isStrangers({
  principal,
  status,
  noted: { guessed = false },
  named = false,
}: Pick<Seen, 'principal' | 'status' | 'named' | 'noted'>): boolean {
  return principal.kind === 'anonymous' && status >= 400 && !named && !guessed;
}

/** Path parameters that are secrets: the row keeps their name instead. */
const secretParameters = new Set([
  'PRIMARY_SECRET',
  'REQTOKEN_ID',
  'EMAIL_SECRET',
  'SMART_REQUEST',
  'HEALTH_LINK',
  'LINK_TICKET',
  'INVITATION_SECRET',
]);

/** Those of paths that programs outside read, which show that there is something that nobody is told. */
const HIDDEN: Readonly<Record<string, string>> = { CLINIC_SECRET: '***' };

/** A path with its parameters, except those that are secrets. */
export function redactedPath(path: string, params: Seen['params']): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    secretParameters.has(name) ? placeholder : (HIDDEN[name] ?? encodeURIComponent(params[name] ?? '')),
  );
}

/**
 * Cuts a text. If the cut splits a character, the remaining half is replaced, because it could be hashed but not
 * stored.
 */
function cutText(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}

function clip(text: string | null | undefined, length: number): string | null {
  return text ? cutText(text, length) : null;
}

/** At most this many characters of the path are kept for a refused call that nobody has signed. */
const STRANGERS_PATH = 300;

/** The row of one request. It never has credentials, a query string or anything from the body. */
export function auditFacts(seen: Seen): AuditFacts {
  const { params, noted, principal, door } = seen;
  return {
    id: seen.id,
    requested_at: seen.requestedAt,
    function_name: seen.spec.name,
    successful: seen.status < 400 ? 1 : 0,
    principal_id: effectiveId(principal),
    proxy_id: door && principal.kind === 'account' ? door.appId : proxyId(principal),
    ui_app_id: principal.kind === 'account' ? principal.uiAppId : null,
    consumer_key: clip(seen.consumerKey, 200),
    record_id: clip(params['RECORD_ID'] ?? params['record_id'] ?? noted.recordId, 36),
    carenet_id: clip(params['CARENET_ID'] ?? noted.carenetId, 36),
    app_id: clip(params['PHA_EMAIL'] ?? params['APP_ID'] ?? params['pha_email'] ?? noted.appId, 255),
    account_id: clip(params['ACCOUNT_EMAIL'] ?? params['ACCOUNT_ID'] ?? params['OTHER_ACCOUNT_ID'], 255),
    document_id: clip(noted.documentId ?? params['DOCUMENT_ID'] ?? params['DOCUMENT_ID_0'], 36),
    external_id: clip(params['EXTERNAL_ID'], 250),
    message_id: clip(params['MESSAGE_ID'], 250),
    url: cutText(door?.url ?? redactedPath(seen.spec.path, params), isStrangers(seen) ? STRANGERS_PATH : 2000),
    ip_address: cutText(seen.ipAddress, 45),
    domain: '',
    method: cutText(seen.method, 10),
    status: seen.status,
    content_type: cutText(seen.contentType, 100),
    recipient: noted.recipient ?? null,
  };
}
