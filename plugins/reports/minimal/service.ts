/** service: reads minimal reports, whose items are facts or readings with the documents that they come from. */
import { errors } from '../../../core/base/errors';
import type { Id } from '../../../core/base/types';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Model } from '../../../core/facts/model/model';
import { fieldsOf, reportPlan, type ReportQuery } from '../../../core/facts/model/report-plan';
import type { RawQuery } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { withRelations, type DocumentMeta } from '../../../core/documents/document-meta';
import type { MinimalReport, ReportItem } from '../../../core/reports/envelope';
import { aggregateElement } from '../../../core/reports/sdm';
import type { Services } from '../../../core/services';
import type { ReportField, ReportSource } from '../../../core/facts/plans';
import type { ReportScope } from '../../../core/sharing/containment';
import { runAggregate, runBranches, runReport } from '../../../core/facts/run-report';
import type { XmlElement } from '../../../core/xml/write';
import { scopeOf, type InScope } from '../scope';
import type { MinimalDefinition } from './definitions';
import { readingBranches, readingFields, readingItem } from './readings';
import * as documentStore from '../../../core/documents/store';

type Item = { readonly element: XmlElement; readonly documentId: Id };
type Report = { readonly source: ReportSource; readonly query: ReportQuery; readonly scope: ReportScope };
type Read = (
  services: Services,
  report: Report,
) => Promise<{ readonly items: readonly Item[]; readonly total: number }>;

function requireReportModel(services: Services, name: string): Model {
  const model = services.models().find(name);
  if (!model) {
    throw errors.notFound('report');
  }
  return model;
}

/** The report's own names take precedence. A name whose columns the model in force lacks is always empty. */
function allFields(
  model: Model,
  own: Readonly<Record<string, ReportField>>,
  made: ReadonlySet<string>,
): ReadonlyMap<string, ReportField> {
  const known = new Set([...model.columns.map(({ name }) => name), ...made]);
  const present = ({ columns, matches, ...field }: ReportField): ReportField => ({
    ...field,
    columns: columns.filter((name) => known.has(name)),
    ...(matches ? { matches: matches.filter((name) => known.has(name)) } : {}),
  });
  return new Map([...fieldsOf(model), ...Object.entries(own).map(([name, field]) => [name, present(field)] as const)]);
}

async function documentsOfItems(
  services: Services,
  scope: ReportScope,
  items: readonly Item[],
): Promise<ReadonlyMap<Id, DocumentMeta>> {
  const { database, config } = services;
  const rows = await documentStore.findDocuments(database.reads, scope, [
    ...new Set(items.map(({ documentId }) => documentId)),
  ]);
  const described = await withRelations(database.reads, config.vocabBase, rows, scope.carenetId);
  return new Map(described.map((document) => [document.id, document]));
}

async function factItems(
  services: Services,
  report: Report,
  read: Read,
): Promise<{ items: readonly ReportItem[]; total: number }> {
  const { items, total } = await read(services, report);
  const documents = await documentsOfItems(services, report.scope, items);
  return {
    total,
    items: items.map(({ element, documentId }) => ({
      item: element,
      ...(documents.has(documentId)
        ? { document: documents.get(documentId)! }
        : { seenIn: { id: documentId, recordId: report.scope.recordId } }),
    })),
  };
}

async function groupItems(
  { database }: Services,
  { source, query: { plan }, scope }: Report,
): Promise<{ items: readonly ReportItem[]; total: number }> {
  const { rows, total } = await runAggregate(database, source, scope, plan);
  return { total, items: rows.map((row) => ({ item: aggregateElement(plan, row) })) };
}

async function makeMinimalReport(services: Services, report: Report, read: Read): Promise<MinimalReport> {
  const { items, total } = report.query.plan.aggregate
    ? await groupItems(services, report)
    : await factItems(services, report, read);
  return { vocabBase: services.config.vocabBase, echo: report.query.echo, total, items };
}

/** Path parameters that are filters too. */
export type More = (params: Readonly<Record<string, string>>, query: RawQuery) => RawQuery;

const asSent: More = (_params, query) => query;

/** A report with one item for each fact. */
export function readMinimalFacts(definition: MinimalDefinition, more: More = asSent) {
  return async ({ params, query, services }: Call<InScope, RawQuery>): Promise<MinimalReport> => {
    const model = requireReportModel(services, definition.model);
    const tables = factTables(services.models());
    const read: Read = async (_services, { source, scope, query: { plan } }) => {
      const { facts, total } = await runReport(services.database, tables, source, scope, plan);
      return { total, items: facts.map((fact) => ({ element: definition.item(fact), documentId: fact.documentId })) };
    };
    const asked = reportPlan(
      more(params, query),
      allFields(model, definition.fields, new Set()),
      services.config.maxLimit,
    );
    return makeMinimalReport(
      services,
      { source: { table: tables.get(model.name)! }, query: asked, scope: await scopeOf(services, params) },
      read,
    );
  };
}

/** Vital signs, with one item for each reading. */
export function readReadings(more: More = asSent) {
  return async ({ params, query, services }: Call<InScope, RawQuery>): Promise<MinimalReport> => {
    const model = requireReportModel(services, 'VitalSigns');
    const branches = readingBranches(model);
    if (branches.length === 0) {
      throw errors.notFound('report');
    }
    const read: Read = async ({ database }, { source, scope, query: { plan } }) => {
      const { rows, total } = await runBranches(database, source, scope, plan);
      return {
        total,
        items: rows.map((row) => ({ element: readingItem(row), documentId: String(row['_document_id']) })),
      };
    };
    const made = new Set(Object.keys(branches[0]!.columns));
    const asked = reportPlan(more(params, query), allFields(model, readingFields, made), services.config.maxLimit);
    const source = { table: factTables(services.models()).get(model.name)!, branches };
    return makeMinimalReport(services, { source, query: asked, scope: await scopeOf(services, params) }, read);
  };
}

/** The code of the path is a filter that the query cannot change. */
export const labCode: More = (params, query) => ({ ...query, lab_code: params['LAB_CODE'] ?? '' });

/** The category of the path, with underscores for spaces, unless the query names one. */
export const pathCategory: More = (params, query) => ({
  category: (params['CATEGORY'] ?? '').replaceAll('_', ' '),
  ...query,
});
