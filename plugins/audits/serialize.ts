/** serialize: audits as a report. Each of its items is an entry or a group. */
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { reportsFrame } from '../../core/reports/envelope';
import type { AggregateRow, Scalar } from '../../core/facts/plans';
import type { AuditEntry } from '../../core/audit/report-store';
import { element, type XmlElement } from '../../core/xml/write';
import type { AuditReport } from './service';

function orEmpty(value: string | null): string {
  return value ?? '';
}

/** Every attribute is there, empty when nothing is known. */
function entryElement(entry: AuditEntry): XmlElement {
  return element('AuditEntry', {}, [
    element('BasicInfo', {
      datetime: wireTime(entry.requested_at),
      view_func: entry.function_name,
      request_successful: Number(entry.successful) === 1,
    }),
    element('PrincipalInfo', {
      effective_principal: orEmpty(entry.principal_id),
      proxied_principal: orEmpty(entry.proxy_id),
    }),
    element('Resources', {
      carenet_id: orEmpty(entry.carenet_id),
      record_id: orEmpty(entry.record_id),
      pha_id: orEmpty(entry.app_id),
      document_id: orEmpty(entry.document_id),
      external_id: orEmpty(entry.external_id),
      message_id: orEmpty(entry.message_id),
    }),
    element('RequestInfo', {
      req_url: entry.url,
      req_ip_address: entry.ip_address,
      req_domain: entry.domain,
      req_method: entry.method,
      // Only what was fetched by a link has a recipient.
      ...(entry.recipient === null ? {} : { recipient: entry.recipient }),
    }),
    element('ResponseInfo', { resp_code: Number(entry.status) }),
    // The row stands for this number of further calls of the same minute that are like an earlier entry.
    entry.repeats !== null && element('Repeated', { times: Number(entry.repeats) }),
    // The row came with an imported archive: this service did not see the call.
    entry.imported_by !== null &&
      element('Imported', { imported_by: entry.imported_by, imported_at: wireTime(entry.imported_at ?? '') }),
  ]);
}

/** Text of a value; a timestamp in its wire form. */
function shownScalar(value: Scalar | undefined): string | undefined {
  if (value === null || value === undefined) {
    return undefined;
  }
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/.test(text) ? wireTime(text) : text;
}

function groupElement({ value, group }: AggregateRow): XmlElement {
  return element('AggregateReport', { value: shownScalar(value) ?? '', group: shownScalar(group) });
}

export const auditReply: Serializer<AuditReport> = xml('Reports', (report) => {
  const { total, items } =
    report.kind === 'entries'
      ? { total: report.page.total, items: report.page.entries.map(entryElement) }
      : { total: report.groups.total, items: report.groups.rows.map(groupElement) };
  return reportsFrame(
    { ...report, total },
    items.map((item) => ({ item, meta: [] })),
  );
});
