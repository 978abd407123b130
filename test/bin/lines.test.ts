/** lines: `svc lines` prints what a record has of a model, who says it, and which rules join it. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { command, type Ran } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`svc lines on ${leg.name}`, () => {
    let settings: Readonly<Record<string, string>>;
    let drop: () => Promise<void>;
    let recordId: string;
    const svc = (...args: readonly string[]): Promise<Ran> => command(args, settings);

    before(async () => {
      const made = await leg.create();
      drop = made.drop;
      settings = { SVC_DATABASE_URL: made.url };
      await svc('reset', '--yes');
      const account = ['accounts', 'create', 'ann@people.example', '--record'];
      const { stdout } = await svc(...account, inProject('pipeline-config/demographics/sample-full.xml'));
      recordId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout)![0];
      for (const sample of ['medication/sample-metformin.xml', 'ccda/sample-clinic-summary.xml']) {
        const put = await svc('put', recordId, inProject('pipeline-config', sample));
        expect(put.code, put.stderr).to.equal(0);
      }
    });
    after(() => drop());

    it('prints each line with its standing and words, and below it each statement with its document', async () => {
      const { code, stdout } = await svc('lines', recordId, 'Medication');
      expect(code).to.equal(0);
      const lines = stdout.trimEnd().split('\n');
      const heads = lines.filter((line) => /^[0-9a-f-]{36} {2}(open|over|undone|unclear) +\S/.test(line));
      const rows = lines.filter((line) => /^ {2}[0-9a-f-]{36} {2}[0-9a-f-]{36} {2}\S/.test(line));
      expect(heads.length).to.be.above(2);
      expect(rows.length).to.be.at.least(heads.length);
      expect(stdout.toLowerCase()).to.contain('metformin');
    });

    it('refuses a record and a model that do not exist', async () => {
      for (const args of [
        ['lines', '01a00000-0000-7000-8000-000000000000', 'Medication'],
        ['lines', recordId, 'Nothing'],
      ]) {
        const { code, stdout, stderr } = await svc(...args);
        expect([code === 0, stdout], args.join(' ')).to.equal([false, '']);
        expect(stderr).to.match(/^svc: /);
      }
    });
  });
}
