/** service: audit rows of one record, by the older lists or by the query operators (specification 4.9). */
import { errors } from '../../core/base/errors';
import { reportPlan, type ReportEcho, type ReportFields } from '../../core/datamodel/report-plan';
import type { InRecord, InRecordDocument, Page, RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { ReportField, ReportFilter } from '../../core/storage/plans';
import { runAuditAggregate, runAuditQuery, type AuditGroups, type AuditPage } from '../../core/storage/run-audit';

export type AuditReport = { readonly vocabBase: string; readonly echo: ReportEcho } & (
  | { readonly kind: 'entries'; readonly page: AuditPage }
  | { readonly kind: 'groups'; readonly groups: AuditGroups }
);

const text = (column: string): ReportField => ({ kind: 'string', columns: [column] });
const time: ReportField = { kind: 'datetime', columns: ['requested_at'] };
const functionName = text('function_name');

const fields: ReportFields = new Map<string, ReportField>([
  ['document_id', text('document_id')], ['external_id', text('external_id')], ['request_date', time], ['created_at', time],
  ['function_name', functionName], ['principal_email', text('principal_id')], ['proxied_by_email', text('proxy_id')], ['record_id', text('record_id')],
]);

/** What earlier releases called the same function. */
const formerNames: Readonly<Record<string, string>> = { record_specific_document: 'record_document' };

const withPresentNames = (filter: ReportFilter): ReportFilter =>
  filter.field === functionName ? { ...filter, values: filter.values.map((value) => formerNames[String(value)] ?? value) } : filter;

/** Every bad argument is 400; another record than that of the path is one. */
export const queryAudits = async ({ params, query, services }: Call<InRecord, RawQuery>): Promise<AuditReport> => {
  const { database, config } = services;
  if (query['record_id'] !== undefined && query['record_id'] !== params.RECORD_ID) {
    throw errors.invalidQuery('record_id can only be the record of the path');
  }
  const { plan, echo } = reportPlan(query, fields, config.maxLimit);
  const checked = { ...plan, filters: plan.filters.map(withPresentNames) };
  const report = { vocabBase: config.vocabBase, echo };
  return plan.aggregate
    ? { ...report, kind: 'groups', groups: await runAuditAggregate(database, params.RECORD_ID, { ...checked, aggregate: plan.aggregate }) }
    : { ...report, kind: 'entries', page: await runAuditQuery(database, params.RECORD_ID, checked) };
};

/** The older lists: paged, always newest first; an order that was asked for is only repeated. */
const list = async ({ config, database }: Services, recordId: string, page: Page, wanted: Readonly<Record<string, string>>): Promise<AuditReport> => {
  const limit = Math.min(page.limit, config.maxLimit);
  const filters = Object.entries(wanted).map(([name, value]): ReportFilter => withPresentNames({ field: fields.get(name) ?? functionName, values: [value] }));
  return {
    kind: 'entries',
    vocabBase: config.vocabBase,
    echo: { limit, offset: page.offset, orderBy: page.order_by ?? '-created_at', filters: Object.entries(wanted).map(([name, value]) => ({ name, value })) },
    page: await runAuditQuery(database, recordId, { filters, limit, offset: page.offset }),
  };
};

export const listRecordAudits = ({ params, query, services }: Call<InRecord, Page>): Promise<AuditReport> =>
  list(services, params.RECORD_ID, query, {});

export const listDocumentAudits = ({ params, query, services }: Call<InRecordDocument, Page>): Promise<AuditReport> =>
  list(services, params.RECORD_ID, query, { document_id: params.DOCUMENT_ID });

/** Unknown documents and names have no audits: the list is empty then. */
export const listFunctionAudits = ({ params, query, services }: Call<InRecordDocument & { FUNCTION_NAME: string }, Page>): Promise<AuditReport> =>
  list(services, params.RECORD_ID, query, { document_id: params.DOCUMENT_ID, function_name: params.FUNCTION_NAME });
