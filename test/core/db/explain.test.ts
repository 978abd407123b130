/** explain: no statement of any route scans a table that grows with the installation. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { searchDefinitionsOf } from '../../../core/fhir/search-definitions';
import { cleanUp } from '../../../core/auth/clean-up';
import { inProject } from '../../../core/base/paths';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Database, Reads } from '../../../core/db/database';
import { migrations } from '../../../core/db/migrations';
import { findContent, findDocument } from '../../../core/documents/store';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { callEverything } from '../../support/every-call';
import { startFhir, type FhirGround } from '../../support/fhir';
import { fillTables, smallTables } from '../../support/filler';
import { until } from '../../support/receiver';
import { admin, medications, ui, type TestService } from '../../support/server';
import { watchStatements, type Watched } from '../../../core/db/watch';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Statements that may scan a table, and why. */
const allowed: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /instr\(/, why: 'searches by a part of a name, for admin apps only: no index helps there' },
  {
    pattern:
      /from `freed_username` .*order by `freed_at`|where not exists \(select 1 from `export_job`|`job`\.`carenet_id` is not null/,
    why: 'a job in the background goes through rows that end by themselves within a day',
  },
];

const explained = /^\s*(?:select|update|delete|\(?\s*select|with)\b/i;

/** Alias or name in the statement -> table. */
const tablesOf = (sql: string, known: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [, table = '', alias] of sql.matchAll(
    /\b(?:from|join|update)\s+`?(\w+)`?(?:\s+(?:as\s+)?`?(?!(?:where|on|left|inner|join|order|group|limit|set|union|cross)\b)(\w+)`?)?/gi,
  )) {
    if (known.has(table)) {
      found.set(alias ?? table, table);
      found.set(table, table);
    }
  }
  return found;
};

/** Aliases of tables that are scanned, as the plan of each database reports them. */
const fullScans = async (on: Reads, sqlite: boolean, { sql, values }: Watched): Promise<readonly string[]> => {
  if (sqlite) {
    const rows = await on.rows<{ detail: string }>(`explain query plan ${sql}`, values);
    const named = (pattern: RegExp): string[] => rows.flatMap(({ detail }) => pattern.exec(detail)?.[1] ?? []);
    // The rows of a subquery are all read. Its name may be that of a table.
    const subqueries = named(/^(?:CO-ROUTINE|MATERIALIZE) (\w+)/);
    const scans = named(/^SCAN (\w+)/);
    subqueries.filter((name) => scans.includes(name)).forEach((name) => scans.splice(scans.indexOf(name), 1));
    // An index of the facts in which others are nested leads to all that are in none, those of other records too.
    const ofNone = /_parent_id`? is null/.test(sql) ? named(/^SEARCH (\w+) USING INDEX \w+\$(?:only_)?parent /) : [];
    return [...scans, ...ofNone];
  }
  const rows = await on.rows<{ table: string | null; type: string | null; rows: number | string | null }>(
    `explain format=traditional ${sql}`,
    values,
  );
  return rows.flatMap(({ table, type, rows: read }) =>
    table !== null && (type === 'ALL' || type === 'index') && Number(read) > 100 ? [table] : [],
  );
};

const problemsOf = async (
  { reads, dialect }: Database,
  statements: Iterable<Watched>,
  growing: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const statement of statements) {
    const tables = tablesOf(statement.sql, growing);
    const scans = await fullScans(reads, dialect.name === 'sqlite', statement);
    const read = scans.flatMap((alias) => tables.get(alias) ?? []);
    if (read.length > 0 && !allowed.some(({ pattern }) => pattern.test(statement.sql))) {
      problems.push(`${read.join(', ')}: ${statement.sql.replace(/\s+/g, ' ')}`);
    }
  }
  return problems;
};

/** Routes that this test cannot make succeed. The statements that they run before they refuse are still checked. */
const neverAnswered: Readonly<Record<string, string>> = {
  update_document_meta: 'not implemented',
  documents_delete: 'not implemented',
  carenet_app_permissions: 'not implemented',
  coding_systems_list: 'not implemented',
  coding_system_query: 'no coding system is loaded',
  account_check_secrets: 'secrets leave by mail only',
  account_initialize: 'secrets leave by mail only',
  surl_verify: 'needs a signed address',
  subscription_delete: 'needs the id of a subscription',
  account_inbox_message_attachment_accept: 'needs a message with an attachment',
};

/**
 * Searches by every parameter of every type, in both directions where it can sort, and for documents by their time of
 * care.
 */
const searchAll = async (recordId: string, get: (path: string) => Promise<Answer>): Promise<void> => {
  type Searched = { readonly type: string; readonly searchParam?: readonly { name: string; type: string }[] };
  const metadata = JSON.parse((await get('/metadata')).text) as { rest: readonly [{ resource: readonly Searched[] }] };
  const values: Readonly<Record<string, string>> = {
    date: 'ge2001-01',
    reference: `Patient/${recordId}`,
    number: '5.4',
    quantity: '5.4',
  };
  const valueFor = (type: string, name: string, kind: string): string => {
    const parts = searchDefinitionsOf(type).find((one) => one.name === name)?.composites[0]?.parts;
    return kind === 'composite' && parts
      ? parts.map((part) => values[part.type] ?? 'x').join('$')
      : (values[kind] ?? 'x');
  };
  for (const { type, searchParam = [] } of metadata.rest[0].resource) {
    for (const { name, type: kind } of searchParam) {
      await get(`/${type}?${name}=${valueFor(type, name, kind)}`);
      if (kind === 'date') {
        await get(`/${type}?_sort=-${name}&_count=2&_revinclude=Provenance:target`);
      }
    }
  }
  await get(`/DocumentReference/$docref?patient=${recordId}&start=2001&end=2099`);
};

/** Makes the FHIR door read all of a record. Its operations have no routes of their own, so they are called here. */
const walkRecord = async ({ call, put, recordId, service }: FhirGround, token: string): Promise<void> => {
  const sample = inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml');
  await put(readFileSync(sample, 'utf8'), 'application/fhir+xml');
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const answer = await call(path, { token, headers });
    expect(answer.status, answer.text).to.be.below(300);
    return answer;
  };
  const whole = `/Patient/${recordId}`;
  const asked = ['$everything', '$everything?_since=2020&start=2001&end=2099', '$everything?_count=5', '$summary'];
  for (const path of asked) {
    await get(`${whole}/${path}`);
  }
  await searchAll(recordId, get);
  const begun = await get(`${whole}/$export`, { prefer: 'respond-async' });
  const below = (url: unknown): string => String(url).slice(`${service.services.baseUrl()}/fhir`.length);
  const status = below(begun.headers['content-location']);
  await until(async () => (await get(status)).status === 200);
  const { output } = JSON.parse((await get(status)).text) as { output: readonly { url: string }[] };
  await get(below(output[0]!.url));
  await call(status, { method: 'DELETE', token });
};

for (const leg of databases) {
  describe(`the statements of all routes on ${leg.name}`, () => {
    let service: TestService;
    let statuses: ReadonlyMap<string, ReadonlySet<number>>;
    const statements = new Map<string, Watched>();

    before(async () => {
      const ground = await startFhir(leg, {
        SVC_CALLBACK_ALLOW_PRIVATE: '1',
        SVC_AUTH_SYSTEMS: 'directory',
        SVC_RATE_CONSUMER_PER_MINUTE: '0',
        SVC_RATE_ACCOUNT_PER_MINUTE: '0',
      });
      service = ground.service;
      const { database, models, clock } = service.services;
      await fillTables(database, [...factTables(models()).values()], 1000);
      const note = ({ sql, values }: Watched): void => {
        if (explained.test(sql)) {
          statements.set(sql.replace(/\?(?:, ?\?)+/g, '?+'), { sql, values });
        }
      };
      const stop = watchStatements(note);
      statuses = await callEverything(service);
      for (const token of [ground.token, ground.carenetToken]) {
        await walkRecord(ground, token);
      }
      // Simultaneous callers are looked up in one statement.
      await Promise.all([admin, ui, medications].map((signer) => service.call(signer, 'GET', '/apps/')));
      await findDocument(database.reads, { recordId: 'some' }, 'one');
      await findContent(database.reads, service.services.contents, { recordId: 'some' }, 'one');
      await cleanUp(database, clock);
      stop();
    });
    after(() => service.stop());

    it('are reached: every route answers somebody', () => {
      const unanswered = [...statuses]
        .filter(([name, seen]) => ![...seen].some((status) => status < 400) && neverAnswered[name] === undefined)
        .map(([name, seen]) => `${name} ${[...seen].join(' ')}`);
      expect(unanswered).to.equal([]);
      expect(statements.size).to.be.above(150);
      const reads = (form: RegExp): number => [...statements.keys()].filter((sql) => form.test(sql)).length;
      expect(reads(/from fhir_resource as kept join document_lineage/)).to.be.above(2);
      expect(reads(/select 1 from fhir_resource where record_id = \?/)).to.equal(1);
      // Documents by their time of care are found among those of the record.
      expect([...statements.keys()].some((sql) => sql.includes('about_start') && /limit/.test(sql))).to.be.true();
    });

    it('find their rows by an index, whatever the installation holds', async () => {
      const { database, models } = service.services;
      const growing = new Set(
        [
          ...migrations.flatMap(({ tables }) => tables.map(({ table }) => table)),
          ...[...factTables(models()).values()].map(({ table }) => table),
        ].filter((table) => !smallTables.includes(table)),
      );
      expect(await problemsOf(database, statements.values(), growing)).to.equal([]);
    });

    it('would be noticed if one did not', async () => {
      const bad = {
        sql: 'select `label` from `document_lineage` as `lineage` where `lineage`.`label` = ?',
        values: ['x'],
      };
      expect(await problemsOf(service.services.database, [bad], new Set(['document_lineage']))).to.have.length(1);
    });
  });
}
