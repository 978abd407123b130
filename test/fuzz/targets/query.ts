/** query: feeds the query of a report or of a FHIR search, and runs it on a database with empty tables. */
import { inProject } from '../../../core/base/paths';
import { pairsOf } from '../../../core/auth/signature';
import { factTables } from '../../../core/facts/model/fact-tables';
import { loadModels, type Models } from '../../../core/facts/model/models';
import { parseQuery, planFor, reportOf } from '../../../core/facts/model/report-plan';
import * as keptStore from '../../../core/documents/kept-resources-store';
import { keptConditions } from '../../../plugins/fhir/search/kept-search';
import { searchedAs } from '../../../plugins/fhir/read/supported-types';
import { readSoughtDate } from '../../../core/fhir/search-dates';
import { readSearch } from '../../../plugins/fhir/search/search-query';
import { queryFrom } from '../../../core/http/read-request';
import { toAppError } from '../../../core/http/to-app-error';
import { applyPlans } from '../../../core/facts/apply-plan';
import type { Database } from '../../../core/db/database';
import { runAggregate, runReport } from '../../../core/facts/run-report';
import { openTestDatabase, sqliteMemory } from '../../support/databases';
import { isCallers, type Target } from './target';

const BASE = 'https://records.example';
const RECORD = { recordId: 'record' };
const NOW = Date.parse('2026-06-01T00:00:00Z');

type Asked = { readonly models: Models; readonly database: Database };

const askReport = async ({ models, database }: Asked, name: string, query: URLSearchParams): Promise<void> => {
  const model = models.find(name);
  const parsed = parseQuery(queryFrom(query), 1000);
  if (model) {
    const { fields, source } = reportOf(models, model);
    const { plan } = planFor(parsed, fields);
    await (plan.aggregate
      ? runAggregate(database, source, RECORD, plan)
      : runReport(database, factTables(models), source, RECORD, plan));
  }
};

const askFhir = async ({ database }: Asked, type: string, pairs: URLSearchParams): Promise<void> => {
  const { search, sortable, includes, reverseIncludes } = searchedAs(type);
  const query = readSearch(pairs, {
    supported: new Map(search.map((one) => [one.name, one])),
    sortable,
    includes,
    reverseIncludes,
    strict: false,
  });
  const conditions = keptConditions(type, query.filters, {
    base: `${BASE}/fhir`,
    recordId: RECORD.recordId,
    dateOf: (name, text) => readSoughtDate(name, text, NOW),
  });
  const found = { types: [type], conditions };
  await keptStore.searchResources(
    database.reads,
    RECORD,
    found,
    [{ by: 'stored', descending: true }],
    undefined,
    query.count,
  );
};

/** Inputs of this target: `reports/Model?query`, or `Type?query` of a FHIR search. */
export const target: Target = {
  name: 'query',
  words: [
    'reports/VitalSigns?',
    'Observation?',
    'Condition?',
    'code=http://loinc.org|8480-6',
    'date=ge2024-01-31T10:00:00Z',
    ':missing=true',
    ':not=',
    ':exact=',
    '_sort=-date',
    '_count=',
    'date_range=measured_at*2020-01-01T00:00:00Z*',
    'value_range=',
    'group_by=',
    'date_group=date*month',
    'aggregate_by=avg*value',
    'order_by=-',
    'limit=',
    'offset=9007199254740993',
    '__proto__',
    '\\,',
    '|',
    '*',
    '%00',
    '%ff',
    '&',
  ],
  open: async () => {
    const { models } = loadModels([inProject('datamodels')], 'https://svc.example/vocab');
    const { database } = await openTestDatabase(sqliteMemory);
    await applyPlans(database, [...factTables(models).values()]);
    return async (input) => {
      const [place = '', ...query] = input.toString('utf8').split('?');
      const pairs = pairsOf(query.join('?'));
      const [, model] = /^reports\/(.*)$/s.exec(place) ?? [];
      try {
        await (model === undefined
          ? askFhir({ models, database }, place, pairs)
          : askReport({ models, database }, model, pairs));
      } catch (failure) {
        if (!isCallers(toAppError(failure))) {
          throw failure;
        }
      }
    };
  },
};
