/** generic: the report of one data model, as SDMJ, SDMX or RDF. */
import { effectiveId } from '../../core/auth/principal';
import { errors } from '../../core/base/errors';
import { factTables } from '../../core/facts/model/fact-tables';
import type { Model } from '../../core/facts/model/model';
import { parseQuery, planFor, reportOf, type ReportQuery } from '../../core/facts/model/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { ReportFailure, type ReportPage, type SerializerMethod } from '../../core/pipeline/report-modules';
import { aggregateElement, aggregateJson, toSdmj, toSdmx } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import type { ReportScope } from '../../core/sharing/containment';
import { runAggregate, runReport, type AggregatePage, type FactPage } from '../../core/facts/run-report';
import { element, writeXml } from '../../core/xml/write';
import { notInThatFormat, reportFormat, type ReportFormat } from './formats';
import { graphText } from './rdf';
import { requireModel, scopeOf, type InScope } from './scope';

/** A finished report: the media type is exactly the one asked for. */
export type GenericReport = {
  readonly type: ReportFormat;
  readonly body: string;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
};

const methods: Readonly<Record<ReportFormat, SerializerMethod>> = {
  'application/json': 'to_json',
  'application/xml': 'to_xml',
  'text/xml': 'to_xml',
  'application/rdf+xml': 'to_rdf',
};

function aggregateBody(format: ReportFormat, { plan }: ReportQuery, { rows }: AggregatePage): string {
  if (format === 'application/json') {
    return JSON.stringify(rows.map((row) => aggregateJson(plan, row)));
  }
  return format === 'application/rdf+xml'
    ? notInThatFormat()
    : writeXml(
        element(
          'AggregateReports',
          {},
          rows.map((row) => aggregateElement(plan, row)),
        ),
      );
}

function hasOwn({ reader }: Services, { serializers }: Model, format: ReportFormat): boolean {
  return serializers !== undefined && reader.writes(serializers, methods[format]);
}

/** A report to write, and its caller. */
type Wanted = { readonly model: Model; readonly format: ReportFormat; readonly owner: string | undefined };

async function ownBody(
  services: Services,
  { model: { name, serializers = '' }, format, owner }: Wanted,
  page: ReportPage,
): Promise<string> {
  try {
    return await services.reader.write(serializers, methods[format], page, owner);
  } catch (error) {
    if (error instanceof ReportFailure) {
      services.log.error(
        { module: serializers, method: methods[format], reason: error.message },
        'a module that writes reports failed',
      );
      throw errors.reportFailed(name);
    }
    throw error;
  }
}

async function factsBody(
  services: Services,
  wanted: Wanted,
  scope: ReportScope,
  { facts, total }: FactPage,
): Promise<string> {
  const { model, format } = wanted;
  if (hasOwn(services, model, format)) {
    return ownBody(services, wanted, {
      facts,
      total,
      record: { id: scope.recordId },
      carenet: scope.carenetId === undefined ? null : { id: scope.carenetId },
    });
  }
  switch (format) {
    case 'application/json':
      return JSON.stringify(facts.map((fact) => toSdmj(services.models(), fact, false)));
    case 'application/rdf+xml':
      return graphText(services, scope.recordId, model, facts);
    default:
      return writeXml(toSdmx(services.models(), facts));
  }
}

function requireFormat(services: Services, model: Model, format: ReportFormat): void {
  if (format === 'application/rdf+xml' && !model.rdf && !hasOwn(services, model, format)) {
    notInThatFormat();
  }
}

/** One page of the model's facts, or its aggregates (specification 4.9). */
export async function readGeneric({
  params,
  query,
  principal,
  services,
}: Call<InScope, RawQuery>): Promise<GenericReport> {
  const format = reportFormat(query['response_format']);
  const parsed = parseQuery(query, services.config.maxLimit);
  const model = requireModel(services, params['DATA_MODEL'] ?? '');
  const { fields, source } = reportOf(services.models(), model);
  const asked = planFor(parsed, fields);
  requireFormat(services, model, format);
  const scope = await scopeOf(services, params);
  const tables = factTables(services.models());
  const { limit, offset } = asked.echo;
  if (asked.plan.aggregate) {
    if (format === 'application/rdf+xml') {
      notInThatFormat();
    }
    const page = await runAggregate(services.database, source, scope, asked.plan);
    return { type: format, body: aggregateBody(format, asked, page), total: page.total, limit, offset };
  }
  const page = await runReport(services.database, tables, source, scope, asked.plan);
  return {
    type: format,
    body: await factsBody(services, { model, format, owner: effectiveId(principal) ?? undefined }, scope, page),
    total: page.total,
    limit,
    offset,
  };
}
