/** quiet-log: a day's work at the most verbose log level leaves no secret, token or document text in the log. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { httpClient } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { sleep } from '../support/receiver';
import { admin, medications, ui } from '../support/server';
import { serve, type Served } from '../support/svc';
import {
  attribute,
  authorizeApp,
  createAccount,
  createRecord,
  demographics,
  PASSWORD,
  signIn,
  succeeded,
} from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const DIAGNOSIS = 'an-unmistakable-diagnosis';
const WRONG = 'a wrong password that somebody typed';

for (const leg of databases) {
  describe(`the log on ${leg.name}`, () => {
    let database: TestDatabase;
    let served: Served;
    const secrets = new Map<string, string>();

    before(async () => {
      database = await leg.create();
      served = await serve({ SVC_DATABASE_URL: database.url, SVC_LOG_LEVEL: 'trace' });
    });
    after(async () => {
      await served.stop();
      await database.drop();
    });

    it('speaks, but never of secrets, tokens, names or documents', async () => {
      const call = httpClient(served.url);
      await createAccount(call, 'alice@example.org', 'Alice Unmistakable');
      const recordId = await createRecord(call, 'alice@example.org', 'Given-Unmistakable', 'Family-Unmistakable');
      const alice = await signIn(call, 'alice@example.org');
      const app = await authorizeApp(call, medications!, alice, { record_id: recordId });
      const documents = `/records/${recordId}/documents/`;
      const posted = succeeded(
        await call(app, 'POST', documents, { body: `<Procedure xmlns="${NS}"><name>${DIAGNOSIS}</name></Procedure>` }),
      );
      const id = attribute(posted.text, 'Document', 'id');
      await call(app, 'GET', `${documents}${id}`);
      await call(app, 'PUT', `${documents}${id}/label`, { body: DIAGNOSIS, type: 'text/plain' });
      await call(app, 'POST', `${documents}${id}/set-status`, { form: { status: 'void', reason: DIAGNOSIS } });
      // Refusals and failures write the most to the log.
      await call(app, 'POST', documents, { body: `<Procedure xmlns="${NS}"><wrong>${DIAGNOSIS}</wrong></Procedure>` });
      await call(app, 'POST', documents, { body: `<Procedure ${DIAGNOSIS}` });
      await call(app, 'GET', `${documents}?type=${DIAGNOSIS}&order_by=${DIAGNOSIS}&status=${DIAGNOSIS}`);
      await call(app, 'GET', `/records/${recordId}/reports/Procedure/?name=${DIAGNOSIS}&date_range=${DIAGNOSIS}*x*`);
      await call(ui, 'POST', '/oauth/internal/session_create', {
        form: { username: 'alice@example.org', password: WRONG },
      });
      await call(admin, 'POST', '/accounts/alice%40example.org/inbox/', {
        form: { subject: DIAGNOSIS, body: DIAGNOSIS },
      });
      await call(
        admin,
        'GET',
        '/accounts/alice%40example.org/check-secrets/primary-unmistakable?secondary_secret=123456',
      );
      await call(admin, 'POST', '/records/', {
        body: demographics('Given-Unmistakable', DIAGNOSIS).replace('female', 'wrong'),
      });
      await call({ ...app, consumer: { key: app.consumer.key, secret: WRONG } }, 'GET', documents);
      await call({ ...app, token: { key: app.token!.key, secret: WRONG } }, 'GET', documents);
      await call(
        { ...ui!, consumer: { key: ui!.consumer.key, secret: 'no secret' } },
        'POST',
        '/oauth/internal/session_create',
        {
          form: { username: 'Alice Unmistakable', password: WRONG },
        },
      );
      const wrongly = { consumer: { key: admin!.consumer.key, secret: 'no secret' } };
      await call(
        wrongly,
        'GET',
        '/accounts/alice%40example.org/check-secrets/primary-unmistakable?secondary_secret=654321',
      );
      await call(wrongly, 'POST', '/accounts/alice%40example.org/inbox/', { form: { subject: `${DIAGNOSIS} & 5%` } });
      const secret = /<secret>([^<]+)</.exec(
        (await call(admin, 'POST', '/accounts/alice%40example.org/forgot-password')).text,
      )?.[1];
      await sleep(300);

      for (const [name, signer] of Object.entries({ admin: admin!, ui: ui!, medications: medications!, alice, app })) {
        secrets.set(`the consumer secret of ${name}`, signer.consumer.secret);
        if (signer.token) {
          secrets.set(`the token of ${name}`, signer.token.key).set(`the token secret of ${name}`, signer.token.secret);
        }
      }
      secrets
        .set('a password', PASSWORD)
        .set('a wrong password', WRONG)
        .set('text of a document', DIAGNOSIS)
        .set('a wrong code', '654321')
        .set('a name', 'Unmistakable')
        .set('a primary secret', 'primary-unmistakable')
        .set('the key of the installation', 'only for tests: 0123456789abcdef');
      if (secret) {
        secrets.set('a secondary secret', `"${secret}"`);
      }
      const log = served.stderr() + served.stdout();
      expect(log.split('\n').length, 'lines of the log').to.be.above(20);
      // Stderr also has one line that is no log entry: it says how to make the first account.
      const isWelcome = (line: string): boolean => line.startsWith('Nobody has an account yet.');
      const lines = served.stderr().trim().split('\n');
      expect(lines.filter(isWelcome)).to.have.length(1);
      for (const line of lines.filter((one) => !isWelcome(one))) {
        expect(() => JSON.parse(line) as unknown, line).to.not.throw();
      }
      // The log names the base string that the callers should have signed, with their values masked.
      const told = (parts: readonly string[]): void => {
        const encoded = parts.map(encodeURIComponent);
        const line = log.split('\n').find((one) => encoded.every((part) => one.includes(part)));
        expect(line, parts.join(' ')).to.contain('another base string was expected');
      };
      told([`${served.url}/oauth/internal/session_create`, 'password=%2A%2A%2A', 'username=xxxxx%20xxxxxxxxxxxx']);
      told(['/check-secrets/', 'secondary_secret=%2A%2A%2A']);
      told(['/inbox/', `subject=${encodeURIComponent(DIAGNOSIS.replace(/\w/g, 'x'))}%20%26%20x%25`]);
      for (const [what, text] of secrets) {
        for (const form of [text, encodeURIComponent(text), Buffer.from(text).toString('base64')]) {
          expect(log.includes(form), what).to.be.false();
        }
      }
    });
  });
}
