/** audit: `svc verify-audit` and `svc forget` as an operator runs them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openDatabase } from '../../core/db/open';
import { httpClient } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { admin } from '../support/server';
import { command, serve } from '../support/svc';
import { attribute, demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`an operator on ${leg.name}`, () => {
    let database: TestDatabase;
    let settings: Record<string, string>;
    let recordId: string;

    before(async () => {
      database = await leg.create();
      settings = { SVC_DATABASE_URL: database.url };
      const served = await serve(settings);
      const call = httpClient(served.url);
      recordId = attribute(
        succeeded(await call(admin, 'POST', '/records/', { body: demographics('Ann', 'Lee') })).text,
        'Record',
        'id',
      );
      succeeded(await call(admin, 'GET', `/records/${recordId}`));
      await served.stop();
    });
    after(() => database.drop());

    const change = async (sql: string): Promise<void> => {
      const open = await openDatabase(database.url, 1);
      await direct(open).raw(sql);
      await open.close();
    };

    it('finds the log of a stopped service complete and signed for', async () => {
      const ran = await command(['verify-audit'], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.match(
        /^2 rows in 1 chains, \d+ signed checkpoints, 0 rows not signed for yet, 0 problems$/m,
      );
    });

    it('refuses to reprocess a record that is not there', async () => {
      const ran = await command(['reprocess', '--record', 'nothing'], settings);
      expect([ran.code, ran.stdout]).to.equal([1, '']);
      expect(ran.stderr).to.contain('there is no record nothing');
    });

    it('must mean it to forget a record, which must be there', async () => {
      expect((await command(['forget', recordId], settings)).code).to.equal(2);
      expect((await command(['forget'], settings)).code).to.equal(2);
      const unknown = await command(['forget', 'nothing', '--yes'], settings);
      expect(unknown.code).to.equal(1);
      expect(unknown.stderr).to.contain('there is no record nothing');
    });

    it('forgets a record, and the log says so', async () => {
      const ran = await command(['forget', recordId, '--yes'], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.equal(`record ${recordId} removed with 1 documents\n`);
      const verified = await command(['verify-audit'], settings);
      expect(verified.stdout).to.contain('3 rows in 2 chains').and.to.contain('0 problems');
    });

    it('is told which row was changed', async () => {
      await change("update audit set principal_id = 'somebody@example.org' where function_name = 'record'");
      const ran = await command(['verify-audit'], settings);
      expect(ran.code).to.equal(1);
      expect(ran.stdout).to.contain('1 problems');
      const machine = await command(['verify-audit', '--json'], settings);
      expect(machine.code).to.equal(1);
      const { rows, problems } = JSON.parse(machine.stdout) as {
        rows: number;
        problems: { writerSeq: number; problem: string }[];
      };
      expect([rows, problems.map(({ writerSeq, problem }) => `${writerSeq} ${problem}`)]).to.equal([
        3,
        ['2 the row, or its place, was changed'],
      ]);
      expect(ran.stderr).to.match(
        /chain [0-9a-f-]{36}, row 2 \(id [0-9a-f-]{36}\): the row, or its place, was changed/,
      );
    });
  });
}
