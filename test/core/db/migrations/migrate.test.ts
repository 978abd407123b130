/** migrate: from an empty database to the newest version, once, however many processes try. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { systemClock } from '../../../../core/base/clock';
import { openDatabase } from '../../../../core/db/open';
import { migrateCore, migrationStates } from '../../../../core/db/migrations/migrate';
import { databases } from '../../../support/databases';
import { direct } from '../../../support/direct';

export const lab = Lab.script();
const { describe, it } = lab;

const svc = (url: string, ...command: string[]) =>
  promisify(execFile)(inProject('bin', 'svc'), command, {
    env: { ...process.env, SVC_DATABASE_URL: url, SVC_SECRET_KEY: 'only for tests: 0123456789' },
  });

for (const leg of databases) {
  describe(`migrations on ${leg.name}`, () => {
    it('apply once when three processes start at the same moment', async () => {
      const { url, drop } = await leg.create();
      await Promise.all([svc(url, 'migrate'), svc(url, 'migrate'), svc(url, 'migrate')]);
      const database = await openDatabase(url, 2);
      expect((await migrationStates(database)).every(({ applied }) => applied)).to.be.true();
      expect(await migrateCore(database, systemClock)).to.equal([]);
      await database.close();
      const again = await svc(url, 'migrate');
      expect(again.stdout).to.contain('up to date');
      await drop();
    });

    it('prints the plan and changes nothing with --dry-run', async () => {
      const { url, drop } = await leg.create();
      const { stdout } = await svc(url, 'migrate', '--dry-run');
      expect(stdout).to.contain('001-principals').and.to.contain('fact_medication');
      const database = await openDatabase(url, 2);
      expect(await database.dialect.columnsOf(direct(database), 'account')).to.equal([]);
      await database.close();
      await drop();
    });

    it('refuses a database that a newer release has migrated', async () => {
      const { url, drop } = await leg.create();
      await svc(url, 'migrate');
      const database = await openDatabase(url, 2);
      await direct(database)('migration').insert({
        name: '999-from-tomorrow',
        applied_at: '2026-01-01T00:00:00.000000Z',
      });
      await database.close();
      const refused = await svc(url, 'migrate').then(
        () => undefined,
        (error: { code: number; stderr: string }) => error,
      );
      expect(refused?.code).to.equal(1);
      expect(refused?.stderr).to.contain('999-from-tomorrow').and.to.contain('newer release');
      await drop();
    });
  });
}
