/**
 * seal: `svc seal --check` names the rows that cannot be opened and shows nothing of their content; a service that
 * meets one logs it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases, type TestDatabase } from '../support/databases';
import { openDatabase } from '../../core/db/open';
import { httpClient } from '../support/client';
import { admin, medications } from '../support/server';
import { command, serve } from '../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BODY = '<Note xmlns="https://notes.example/">rarely-4711</Note>';

for (const leg of databases) {
  describe(`svc seal on ${leg.name}`, () => {
    let made: TestDatabase;
    let settings: Readonly<Record<string, string>>;
    before(async () => {
      made = await leg.create();
      settings = { SVC_DATABASE_URL: made.url };
    });
    after(() => made.drop());

    it('has nothing to do where the service has sealed from the beginning', async () => {
      expect((await command(['migrate'], settings)).code).to.equal(0);
      const served = await serve({ ...settings, SVC_LOG_LEVEL: 'error' });
      const call = httpClient(served.url);
      await createAccount(call, ALICE);
      const recordId = await createRecord(call, ALICE);
      const app = await authorizeApp(call, medications!, await signIn(call, ALICE), { record_id: recordId });
      const documents = `/records/${recordId}/documents/`;
      const id = attribute(succeeded(await call(app, 'POST', documents, { body: BODY })).text, 'Document', 'id');
      succeeded(await call(admin, 'POST', `/accounts/${ALICE}/inbox/`, { form: { subject: 'x', body: 'y' } }));
      expect((await command(['seal', '--check'], settings)).stdout).to.equal(
        '3 sealed, 0 in clear, 0 that cannot be read\n',
      );
      expect((await command(['seal'], settings)).stdout).to.match(/^0 sealed; /);

      const database = await openDatabase(made.url, 1);
      await database.write((trx) =>
        trx.change('update document set content = ? where id = ?', [Buffer.from(BODY), id]),
      );
      const answer = await call(app, 'GET', `${documents}${id}`);
      expect([answer.status, answer.text.includes('rarely-4711')]).to.equal([500, false]);
      const checked = await command(['seal', '--check'], settings);
      expect(checked.code).to.equal(1);
      expect(checked.stdout).to.equal('3 sealed, 0 in clear, 1 that cannot be read\n');
      expect(checked.stderr).to.contain(`document ${recordId} ${id} is not what was stored`);

      // Bytes that were written without sealing are found by their digest.
      await database.write((trx) =>
        trx.change('update document set content = ?, sealed = null where id = ?', [Buffer.from(`${BODY} `), id]),
      );
      await database.close();
      const clear = await command(['seal', '--check'], settings);
      expect(clear.stderr).to.contain(`document ${id} is not what was stored: its digest differs`);
      const other = await command(['seal', '--check'], { ...settings, SVC_SECRET_KEY: 'another key: 0123456789' });
      expect([other.code, other.stdout]).to.equal([1, '2 sealed, 1 in clear, 3 that cannot be read\n']);
      const doctor = await command(['doctor'], settings);
      expect(doctor.stdout).to.match(/sealed contents\s+every record has a key/);

      expect(await served.stop()).to.equal(0);
      const line = served
        .stderr()
        .split('\n')
        .find((text) => text.includes('content_unreadable'));
      expect(line).to.contain(`document ${recordId} ${id}`);
      expect(served.stderr()).to.not.contain('rarely-4711');
    });
  });
}
