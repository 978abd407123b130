/** plans-of-many: what pages ask of documents and statements is found by them, however much the record holds. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { watchStatements, type Watched } from '../../../core/db/watch';
import { saidIn } from '../../../core/facts/facts-across';
import { factTables } from '../../../core/facts/model/fact-tables';
import { readSayers } from '../../../core/facts/sent-store';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('what pages ask of many facts', () => {
  let service: TestService;
  before(async () => {
    service = await startService(sqliteMemory);
  });
  after(() => service.stop());

  /** How SQLite looks for the rows of the one statement that is asked. */
  const planOf = async (ask: () => Promise<unknown>): Promise<readonly string[]> => {
    const asked: Watched[] = [];
    const stop = watchStatements((one) => void asked.push(one));
    await ask().finally(stop);
    expect(asked).to.have.length(1);
    const { reads } = service.services.database;
    const rows = await reads.rows<{ detail: string }>(`explain query plan ${asked[0]!.sql}`, asked[0]!.values);
    return rows.map(({ detail }) => detail);
  };

  it('is who else says a statement: found by the statement, then by its line', async () => {
    const plan = await planOf(() => readSayers(service.services.database.reads, { recordId: 'r' }, ['a', 'b']));
    expect(plan[0]).to.match(/^SEARCH sent USING .*\(record_id=\? AND statement_id=\?\)$/);
    expect(plan[1]).to.match(/^SEARCH other USING .*\(record_id=\? AND line=\?\)$/);
  });

  it('is how many facts a document has: counted in an index, but for those that may be nested', async () => {
    const tables = factTables(service.services.models());
    const [vitals, visits] = [tables.get('VitalSigns')!, tables.get('Encounter')!];
    const counting = (table: typeof vitals) => () => saidIn(service.services.database.reads, [table], ['a', 'b']);
    expect((await planOf(counting(vitals)))[0]).to.match(/USING COVERING INDEX fact_vitalsigns\$document /);
    expect((await planOf(counting(visits)))[0]).to.match(/USING INDEX fact_encounter\$document /);
  });
});
