/** envelope: what surrounds the items of every minimal report and of audits (specification 2.15, 2.17). */
import type { ReportEcho } from '../facts/model/report-plan';
import { documentElement } from '../documents/document-element';
import type { DocumentMeta } from '../documents/document-meta';
import { documentsNamespace } from '../documents/document-types';
import { element, type XmlElement } from '../xml/write';

/** One fact or group: its item, and the document that it comes from. */
export type ReportItem = {
  readonly item: XmlElement;
  readonly document?: DocumentMeta;
  /** Instead of a document: a fact that is seen by its kind, whose document stays closed. */
  readonly seenIn?: { readonly id: string; readonly recordId: string };
};

export type MinimalReport = {
  readonly vocabBase: string;
  readonly echo: ReportEcho;
  /** Facts or groups before paging. */
  readonly total: number;
  readonly items: readonly ReportItem[];
};

/** Groups have no document, but the format requires one. */
const noDocument = element('Document', { id: '', type: '', digest: '', size: '', record_id: '' }, [
  element('nevershare', {}, 'false'),
]);

/** A fact that is seen by its kind comes from an active document of the record, of which nothing else is said. */
function closedDocument({ id, recordId }: NonNullable<ReportItem['seenIn']>): XmlElement {
  return element('Document', { id, type: '', digest: '', size: '', record_id: recordId }, [
    element('status', {}, 'active'),
    element('nevershare', {}, 'false'),
  ]);
}

function metaOf({ document, seenIn }: ReportItem): XmlElement {
  if (document) {
    return withoutLatest(documentElement(document));
  }
  return seenIn ? closedDocument(seenIn) : noDocument;
}

/** Reports show what a document is, not what later became of it. */
function withoutLatest(document: XmlElement): XmlElement {
  return {
    ...document,
    children: document.children.filter((child) => typeof child === 'string' || child.name !== 'latest'),
  };
}

function optional(name: string, value: string | undefined): XmlElement | false {
  return value !== undefined && element(name, { value });
}

function queryParams({
  groupBy,
  dateGroup,
  aggregateBy,
  dateRange,
  valueRange,
  timeZone,
  filters,
}: ReportEcho): XmlElement {
  return element('QueryParams', {}, [
    optional('GroupBy', groupBy),
    optional('DateGroup', dateGroup),
    optional('AggregateBy', aggregateBy),
    optional('DateRange', dateRange),
    optional('ValueRange', valueRange),
    optional('TimeZone', timeZone),
    filters.length > 0 &&
      element(
        'Filters',
        {},
        filters.map(({ name, value }) => element('Filter', { name, value })),
      ),
  ]);
}

type Frame = Pick<MinimalReport, 'vocabBase' | 'echo' | 'total'>;

/** Puts the report's frame around its items, each with what is known about its origin. */
export function reportsFrame(
  { vocabBase, echo, total }: Frame,
  items: readonly { readonly meta: readonly XmlElement[]; readonly item: XmlElement }[],
): XmlElement {
  return element('Reports', { xmlns: documentsNamespace(vocabBase) }, [
    element('Summary', { total_document_count: total, limit: echo.limit, offset: echo.offset, order_by: echo.orderBy }),
    queryParams(echo),
    ...items.map(({ meta, item }) => element('Report', {}, [element('Meta', {}, meta), element('Item', {}, [item])])),
  ]);
}

export function reportsElement(report: MinimalReport): XmlElement {
  return reportsFrame(
    report,
    report.items.map((one) => ({ item: one.item, meta: [metaOf(one)] })),
  );
}
