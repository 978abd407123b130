/** envelope: what surrounds the items of every minimal report (specification 2.15). */
import type { ReportEcho } from '../datamodel/report-plan';
import { documentElement } from '../records/document-element';
import type { DocumentMeta } from '../records/document-meta';
import { element, type XmlElement } from '../xml/write';

/** One fact or group: its item, and the document that it comes from. */
export type ReportItem = { readonly item: XmlElement; readonly document?: DocumentMeta };

export type MinimalReport = {
  readonly vocabBase: string;
  readonly echo: ReportEcho;
  /** Facts or groups before paging. */
  readonly total: number;
  readonly items: readonly ReportItem[];
};

/** Groups have no document, and the format wants one. */
const noDocument = element('Document', { id: '', type: '', digest: '', size: '', record_id: '' }, [element('nevershare', {}, 'false')]);

/** Reports show what a document is, not what has become of it. */
const withoutLatest = (document: XmlElement): XmlElement =>
  ({ ...document, children: document.children.filter((child) => typeof child === 'string' || child.name !== 'latest') });

const optional = (name: string, value: string | undefined): XmlElement | false => value !== undefined && element(name, { value });

const queryParams = ({ groupBy, dateGroup, aggregateBy, dateRange, filters }: ReportEcho): XmlElement =>
  element('QueryParams', {}, [
    optional('GroupBy', groupBy),
    optional('DateGroup', dateGroup),
    optional('AggregateBy', aggregateBy),
    optional('DateRange', dateRange),
    filters.length > 0 && element('Filters', {}, filters.map(({ name, value }) => element('Filter', { name, value }))),
  ]);

export const reportsElement = ({ vocabBase, echo, total, items }: MinimalReport): XmlElement =>
  element('Reports', { xmlns: `${vocabBase}/xml/documents#` }, [
    element('Summary', { total_document_count: total, limit: echo.limit, offset: echo.offset, order_by: echo.orderBy }),
    queryParams(echo),
    ...items.map(({ item, document }) => element('Report', {}, [
      element('Meta', {}, [document ? withoutLatest(documentElement(document)) : noDocument]),
      element('Item', {}, [item]),
    ])),
  ]);
