/** run-report: what a report sees while others write, and how it finds the first page of a long one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readFacts } from '../../../core/facts/model/fact';
import { factTables } from '../../../core/facts/model/fact-tables';
import { loadModels, type Models } from '../../../core/facts/model/models';
import { applyPlans } from '../../../core/facts/apply-plan';
import type { Database } from '../../../core/db/database';
import { mysqlDialect } from '../../../core/db/dialect';
import { factDialect } from '../../../core/facts/fact-dialect';
import { allChildren, type ReportPlan, type StoredFact } from '../../../core/facts/plans';
import { runReport } from '../../../core/facts/run-report';
import { deleteFacts, insertFactRows, insertFacts, type NewFact } from '../../../core/facts/store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import type { Value } from '../../../core/db/connection';
import { readsOn } from '../../../core/db/session';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach, afterEach } = lab;

const loadTestModels = (): Models => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
  writeFileSync(
    join(folder, 'm.yaml'),
    '__modelname__: Visit\nname: String\nkids: [{ __modelname__: Kid, n: Number }]',
  );
  const { models } = loadModels([folder], 'x');
  rmSync(folder, { recursive: true });
  return models;
};

const models = loadTestModels();
const tables = factTables(models);
const visits = tables.get('Visit')!;
const CREATED = '2020-01-01T00:00:00.000000Z';
const newestFirst: ReportPlan = {
  status: 'active',
  filters: [],
  limit: 100,
  offset: 0,
  order: { by: { kind: 'datetime', columns: ['_created_at'] }, descending: true },
};

const open = async (leg: (typeof databases)[number]): Promise<OpenDatabase> => {
  const opened = await openTestDatabase(leg);
  await applyPlans(opened.database, [...tables.values()]);
  return opened;
};

/** The database methods that a request for the version only must not use. */
const unused = {
  transaction: () => Promise.reject(new Error('unused')),
  write: () => Promise.reject(new Error('unused')),
};

const put = async (database: Database, document: string, name: string, createdAt = CREATED): Promise<void> => {
  const visit = (n: number) => ({
    __modelname__: 'Visit',
    name: `${name} ${n}`,
    kids: [
      { __modelname__: 'Kid', n },
      { __modelname__: 'Kid', n: n + 1 },
    ],
  });
  await insertFacts(
    direct(database),
    tables,
    { recordId: 'r', documentId: document, lineageId: `${document} line`, createdAt },
    readFacts(models, [visit(1), visit(2)], 'all'),
  );
};

const addDocument = async (database: Database, document: string, name: string, createdAt = CREATED): Promise<void> => {
  await direct(database)('document_lineage').insert({
    id: `${document} line`,
    record_id: 'r',
    type: 't',
    latest_id: document,
    latest_created_at: createdAt,
    status: 'active',
    nevershare: 0,
    created_at: createdAt,
  });
  await put(database, document, name, createdAt);
};

const namesOf = (facts: readonly StoredFact[]): readonly unknown[] =>
  facts.map((fact) => [fact.values['name'], ...allChildren(fact).map(({ values }) => values['n'])]);

for (const leg of databases) {
  describe(`a report on ${leg.name}`, () => {
    let opened: OpenDatabase;
    beforeEach(async () => {
      opened = await open(leg);
    });
    afterEach(() => opened.drop());

    /** The database, except that `meanwhile` runs between the first statement of a report and the next. */
    const disturbed = (meanwhile: () => Promise<void>): Database => {
      let due = true;
      const { long } = opened.database.reads;
      const disturbedOnce = async (sql: string, values: readonly Value[] = []): Promise<readonly never[]> => {
        const rows = await long.rows<never>(sql, values);
        if (due) {
          due = false;
          await meanwhile();
        }
        return rows;
      };
      const plain: Parameters<typeof readsOn>[0] = {
        database: opened.database.dialect.name,
        rows: opened.database.reads.rows,
        run: async (sql, values) => ({ rows: await opened.database.reads.rows(sql, values), changed: 0 }),
      };
      const slow = readsOn({
        database: opened.database.dialect.name,
        rows: disturbedOnce,
        run: async (sql, values) => ({ rows: await disturbedOnce(sql, values), changed: 0 }),
      });
      return { ...opened.database, reads: Object.assign(readsOn(plain), { long: slow }) };
    };

    it('is whole, and nested facts with it, when a document is replaced while its page is looked for', async () => {
      const { database } = opened;
      await addDocument(database, 'd1', 'old');
      await addDocument(database, 'd2', 'other');
      const replacing = disturbed(async () => {
        await deleteFacts(direct(database), database.dialect, tables, 'd1');
        await put(database, 'd1', 'new');
      });
      const { facts, total } = await runReport(replacing, tables, { table: visits }, { recordId: 'r' }, newestFirst);
      expect(namesOf(facts)).to.equal([
        ['other 1', 1, 2],
        ['other 2', 2, 3],
        ['new 1', 1, 2],
        ['new 2', 2, 3],
      ]);
      expect(total).to.equal(4);
    });

    it('gives an empty page where everything is gone by then', async () => {
      const { database } = opened;
      await addDocument(database, 'd1', 'old');
      const gone = disturbed(async () => {
        await deleteFacts(direct(database), database.dialect, tables, 'd1');
      });
      expect(await runReport(gone, tables, { table: visits }, { recordId: 'r' }, newestFirst)).to.equal({
        facts: [],
        total: 0,
      });
    });

    it('is whole however many facts it has', async () => {
      const { database } = opened;
      await addDocument(database, 'd1', 'first');
      const MANY = 150_000;
      const fact = (number: number): NewFact => ({
        base: [`id ${number}`, 'r', 'd1', 'd1 line', null, CREATED, null, null],
        values: { name: `many ${number}` },
      });
      for (let number = 0; number < MANY; number += 10_000) {
        await insertFactRows(
          direct(database),
          visits,
          Array.from({ length: 10_000 }, (_, index) => fact(number + index)),
        );
      }
      const { facts, total } = await runReport(
        database,
        tables,
        { table: visits },
        { recordId: 'r' },
        { ...newestFirst, limit: Number.MAX_SAFE_INTEGER },
      );
      expect([total, facts.length]).to.equal([MANY + 2, MANY + 2]);
      expect(namesOf([facts[1]!, facts[MANY + 1]!])).to.equal([['first 2', 2, 3], [`many ${MANY - 1}`]]);
    });

    it('counts beyond its page what is active, archived or void, each for itself', async () => {
      const { database } = opened;
      for (const [document, status] of [
        ['d1', 'active'],
        ['d2', 'void'],
        ['d3', 'archived'],
        ['d4', 'active'],
        ['d5', 'archived'],
        ['d6', 'archived'],
      ] as const) {
        await addDocument(database, document, document);
        await direct(database)('document_lineage').where({ latest_id: document }).update({ status });
      }
      const totalOf = async (status: ReportPlan['status']): Promise<number> =>
        (await runReport(database, tables, { table: visits }, { recordId: 'r' }, { ...newestFirst, status, limit: 1 }))
          .total;
      expect([await totalOf('active'), await totalOf('void'), await totalOf('archived')]).to.equal([4, 2, 6]);
    });
  });

  describe(`the first page of a long report on ${leg.name}`, () => {
    const DOCUMENTS = 300;
    let opened: OpenDatabase;
    before(async () => {
      opened = await open(leg);
      for (let number = 0; number < DOCUMENTS; number += 1) {
        await addDocument(
          opened.database,
          `d${number}`,
          `${number}`,
          `2020-01-01T00:00:00.${String(number).padStart(6, '0')}Z`,
        );
      }
    });
    after(() => opened.drop());

    it('is read in its order from an index, and in the order of its facts within a document', async () => {
      const { database } = opened;
      const { facts, total } = await runReport(
        database,
        tables,
        { table: visits },
        { recordId: 'r' },
        { ...newestFirst, limit: 3 },
      );
      expect(facts.map(({ values }) => values['name'])).to.equal(['299 1', '299 2', '298 1']);
      expect(total).to.equal(2 * DOCUMENTS);
      const text =
        'select fact._seq from `fact_visit` as fact where fact._record_id = ? order by fact._created_at desc, fact._seq asc limit 3';
      if (database.dialect.name === 'sqlite') {
        const plan = await database.reads.rows<{ detail: string }>(`explain query plan ${text}`, ['r']);
        expect(plan.map(({ detail }) => detail).join('; ')).to.match(
          /USING COVERING INDEX fact_visit\$record .*; USE TEMP B-TREE FOR LAST TERM OF ORDER BY/,
        );
      } else if (factDialect(database.dialect).descends) {
        const [plan] = await database.reads.rows<{ key: string; Extra: string }>(`explain format=traditional ${text}`, [
          'r',
        ]);
        expect(plan?.key).to.equal('fact_visit$newest');
        expect(plan?.Extra).not.to.include('filesort');
      }
    });
  });
}

describe('servers that keep no index in descending order', () => {
  it('are known by their version', () => {
    const descends = (version: string): boolean => factDialect(mysqlDialect(version, unused)).descends;
    expect(['10.5.23-MariaDB', '10.7.8-MariaDB-1:10.7.8', '5.7.44'].map(descends)).to.equal([false, false, false]);
    expect(['10.8.2-MariaDB', '10.11.6-MariaDB-0+deb12u1', '11.4.2-MariaDB', '8.0.36', '9.1.0'].map(descends)).to.equal(
      [true, true, true, true, true],
    );
  });
});
