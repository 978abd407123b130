/** visits: a database with the facts of one test model, for tests of code that reads facts from several tables. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFacts } from '../../core/facts/model/fact';
import { factTables } from '../../core/facts/model/fact-tables';
import { loadModels } from '../../core/facts/model/models';
import type { Json } from '../../core/base/types';
import { applyPlans } from '../../core/facts/apply-plan';
import type { TablePlan } from '../../core/facts/plans';
import { insertFacts, type FactTables } from '../../core/facts/store';
import { openTestDatabase, type DatabaseLeg, type OpenDatabase } from './databases';
import { direct } from './direct';

const MODEL = `__modelname__: Visit
name: String
happened: Date
kids:
  - __modelname__: Kid
    n: Number
    pets: [{ __modelname__: Pet, n: Number }]
    toys: [{ __modelname__: Toy, n: Number }]
    books: [{ __modelname__: Book, n: Number }]
    games: [{ __modelname__: Game, n: Number }]
`;

export type Visits = OpenDatabase & {
  readonly tables: FactTables;
  readonly plan: TablePlan;
  /** Stores a document of the record `r` with these visits. */
  readonly put: (visits: readonly Readonly<Record<string, Json>>[]) => Promise<void>;
};

const CREATED = '2020-01-01T00:00:00.000000Z';

export const openVisits = async (leg: DatabaseLeg): Promise<Visits> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-visits-'));
  writeFileSync(join(folder, 'visit.yaml'), MODEL);
  const { models } = loadModels([folder], 'x');
  rmSync(folder, { recursive: true });
  const tables = factTables(models);
  const open = await openTestDatabase(leg);
  await applyPlans(open.database, [...tables.values()]);
  let documents = 0;
  return {
    ...open,
    tables,
    plan: tables.get('Visit')!,
    put: async (visits) => {
      documents += 1;
      const [documentId, lineageId] = [`document ${documents}`, `lineage ${documents}`];
      await direct(open.database)('document_lineage').insert({
        id: lineageId,
        record_id: 'r',
        type: 't',
        latest_id: documentId,
        latest_created_at: CREATED,
        status: 'active',
        nevershare: 0,
        created_at: CREATED,
      });
      const facts = readFacts(
        models,
        visits.map((visit) => ({ __modelname__: 'Visit', ...visit })),
        'all',
      );
      await insertFacts(
        direct(open.database),
        tables,
        { recordId: 'r', documentId, lineageId, createdAt: CREATED },
        facts,
      );
    },
  };
};

/** `count` nested facts. */
export const kids = (count: number): Json =>
  Array.from({ length: count }, (_, n) => ({ __modelname__: 'Kid', n })) as Json;
