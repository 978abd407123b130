/** service: audit rows of one record, by the older lists or by the query operators (specification 4.9). */
import type { Principal } from '../../core/auth/principal';
import { errors } from '../../core/base/errors';
import { reportPlan, type ReportEcho, type ReportFields } from '../../core/facts/model/report-plan';
import type { InRecord, InRecordDocument, Page, RawQuery } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import type { ReportField, ReportFilter } from '../../core/facts/plans';
import {
  runAuditAggregate,
  runAuditQuery,
  type AuditEntry,
  type AuditGroups,
  type AuditPage,
  type AuditPlan,
} from '../../core/audit/report-store';

export type AuditReport = { readonly vocabBase: string; readonly echo: ReportEcho } & (
  { readonly kind: 'entries'; readonly page: AuditPage } | { readonly kind: 'groups'; readonly groups: AuditGroups }
);

function textField(column: string): ReportField {
  return { kind: 'string', columns: [column] };
}
const time: ReportField = { kind: 'datetime', columns: ['requested_at'] };
const functionName = textField('function_name');
const externalId = textField('external_id');

/** The fields of a query of audits (specification 4.9). */
export const fields: ReportFields = new Map<string, ReportField>([
  ['document_id', textField('document_id')],
  ['external_id', externalId],
  ['request_date', time],
  ['created_at', time],
  ['function_name', functionName],
  ['principal_email', textField('principal_id')],
  ['proxied_by_email', textField('proxy_id')],
  ['record_id', textField('record_id')],
]);

/**
 * The names of each function: the present one, earlier ones, and those of the fact sheets. A query for one name finds
 * the entries of all.
 */
const synonyms: readonly (readonly string[])[] = [
  ['record_document', 'record_specific_document'],
  ['record_app_specific_document', 'record_app_document'],
];

function withSynonyms(filter: ReportFilter): ReportFilter {
  return filter.field === functionName
    ? {
        ...filter,
        values: filter.values.flatMap(
          (value): ReportFilter['values'] => synonyms.find((names) => names.includes(String(value))) ?? [value],
        ),
      }
    : filter;
}

/**
 * Hides the external ids of other apps from an app: in their rows the id is empty and the URL ends before it
 * (specification 4.5).
 */
function withoutForeignIds(principal: Principal, page: AuditPage): AuditPage {
  const foreign = ({ external_id: id, app_id: appId }: AuditEntry): boolean =>
    principal.kind === 'access_token' && id !== null && appId !== principal.app.id;
  const hidden = (entry: AuditEntry): AuditEntry => ({
    ...entry,
    external_id: null,
    url: entry.url.replace(/\/external\/.*$/, '/external/'),
  });
  return { ...page, entries: page.entries.map((entry) => (foreign(entry) ? hidden(entry) : entry)) };
}

/** A query of an app about external ids sees the app's own calls only, so that it cannot guess those of others. */
function withinOwnIds(principal: Principal, plan: AuditPlan): AuditPlan {
  const asked = [plan.group?.field, plan.aggregate?.field, plan.order?.by, ...plan.filters.map(({ field }) => field)];
  return principal.kind === 'access_token' && asked.includes(externalId)
    ? { ...plan, filters: [...plan.filters, { field: textField('app_id'), values: [principal.app.id] }] }
    : plan;
}

/** 400 for every bad argument, also for a `record_id` that is not that of the path. */
export async function queryAudits({
  params,
  query,
  principal,
  services,
}: Call<InRecord, RawQuery>): Promise<AuditReport> {
  const { database, config } = services;
  if (query['record_id'] !== undefined && query['record_id'] !== params.RECORD_ID) {
    throw errors.invalidQuery('record_id can only be the record of the path');
  }
  const { plan, echo } = reportPlan(query, fields, config.maxLimit);
  const checked = withinOwnIds(principal, { ...plan, filters: plan.filters.map(withSynonyms) });
  const report = { vocabBase: config.vocabBase, echo };
  return plan.aggregate
    ? {
        ...report,
        kind: 'groups',
        groups: await runAuditAggregate(database, params.RECORD_ID, { ...checked, aggregate: plan.aggregate }),
      }
    : {
        ...report,
        kind: 'entries',
        page: withoutForeignIds(principal, await runAuditQuery(database, params.RECORD_ID, checked)),
      };
}

type Asked = { readonly recordId: string; readonly page: Page; readonly wanted?: Readonly<Record<string, string>> };

/** A page of an older list, always the newest first: `order_by` has no effect, and the answer only repeats it. */
async function list(
  { services, principal }: Pick<Call, 'services' | 'principal'>,
  { recordId, page, wanted = {} }: Asked,
): Promise<AuditReport> {
  const { limit, offset } = pageOf(services, page);
  const filters = Object.entries(wanted).map(([name, value]): ReportFilter =>
    withSynonyms({ field: fields.get(name) ?? functionName, values: [value] }),
  );
  return {
    kind: 'entries',
    vocabBase: services.config.vocabBase,
    echo: {
      limit,
      offset,
      orderBy: page.order_by || '-created_at',
      filters: Object.entries(wanted).map(([name, value]) => ({ name, value })),
    },
    page: withoutForeignIds(principal, await runAuditQuery(services.database, recordId, { filters, limit, offset })),
  };
}

export function listRecordAudits(call: Call<InRecord, Page>): Promise<AuditReport> {
  return list(call, { recordId: call.params.RECORD_ID, page: call.query });
}

export function listDocumentAudits(call: Call<InRecordDocument, Page>): Promise<AuditReport> {
  return list(call, {
    recordId: call.params.RECORD_ID,
    page: call.query,
    wanted: { document_id: call.params.DOCUMENT_ID },
  });
}

/** Empty for an unknown document or function. */
export function listFunctionAudits(
  call: Call<InRecordDocument & { FUNCTION_NAME: string }, Page>,
): Promise<AuditReport> {
  return list(call, {
    recordId: call.params.RECORD_ID,
    page: call.query,
    wanted: { document_id: call.params.DOCUMENT_ID, function_name: call.params.FUNCTION_NAME },
  });
}
