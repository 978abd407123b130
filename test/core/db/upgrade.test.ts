/**
 * upgrade: a database that an earlier state of the service has written is migrated at the start, and everything in it
 * is still there and works.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { openDatabase } from '../../../core/db/open';
import { migrationStates } from '../../../core/db/migrations/migrate';
import { Sqlite } from '../../../core/db/sqlite/better-sqlite';
import { databases, type DatabaseLeg, type TestDatabase } from '../../support/databases';
import type { Credentials } from '../../support/client';
import { direct } from '../../support/direct';
import { admin, medications, startService, type TestService } from '../../support/server';
import { auditHead, command } from '../../support/svc';
import { attribute, createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type People = {
  readonly recordId: string;
  /** The app's token for Alice's record. */
  readonly token: { readonly key: string; readonly secret: string };
  /** Ids of a procedure, of laboratory results, and of the version that replaced the procedure. */
  readonly documents: readonly [string, string, string];
  readonly label: string;
  readonly facts: { readonly procedures: number; readonly labs: number };
};

const fixture = (name: string): string => readFileSync(inProject('test/fixtures/upgrade', name), 'utf8');
const people = JSON.parse(fixture('people.json')) as Readonly<Record<string, People>>;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';

/** Writes the dump into an empty database. */
const fill = async ({ name }: DatabaseLeg, { url }: TestDatabase): Promise<void> => {
  if (name === 'sqlite') {
    const file = new Sqlite(url.replace('sqlite:', ''));
    file.exec(fixture('sqlite.sql'));
    file.close();
    return;
  }
  const database = await openDatabase(url, 1);
  for (const statement of fixture('mysql.sql').split(/;\n/)) {
    if (statement.trim() !== '') {
      await direct(database).raw(statement.replaceAll('?', '\\?'));
    }
  }
  await database.close();
};

/** The tokens of the dump were valid for one day only; here they do not expire. */
const keepTokens = async ({ url }: TestDatabase): Promise<void> => {
  const database = await openDatabase(url, 1);
  for (const table of ['access_token', 'session_token']) {
    await direct(database)(table).update({ expires_at: '9999-12-31T00:00:00.000000Z' });
  }
  await database.close();
};

/** The tables of the dump use a collation that MySQL does not have. */
const isMariadb = async ({ url }: TestDatabase): Promise<boolean> => {
  const database = await openDatabase(url, 1);
  const [row] = await database.reads.rows<{ version: string }>('select version() as version', []);
  await database.close();
  return row!.version.includes('MariaDB');
};

for (const leg of databases) {
  describe(`an earlier database on ${leg.name}`, () => {
    const { recordId, token, documents, label, facts } = people[leg.name]!;
    const record = `/records/${recordId}`;
    let made: TestDatabase;
    let service: TestService | undefined;
    let app: Credentials;

    before(async () => {
      made = await leg.create();
      if (leg.name !== 'sqlite' && !(await isMariadb(made))) {
        process.stdout.write('skipped: the earlier database is one of MariaDB\n');
        return;
      }
      await fill(leg, made);
      await keepTokens(made);
      const database = await openDatabase(made.url, 1);
      const missing = (await migrationStates(database)).filter(({ applied }) => !applied).map(({ name }) => name);
      await database.close();
      expect(missing[0]).to.equal('018-document-sha1');
      service = await startService(
        { name: leg.name, create: () => Promise.resolve(made) },
        { SVC_AUDIT_HEAD: auditHead },
      );
      app = { consumer: medications!.consumer, token };
    });
    after(async () => {
      await (service ? service.stop() : made.drop());
    });

    const whenThere = (title: string, test: (it: TestService) => Promise<void>): void => {
      it(title, async () => {
        if (service) {
          await test(service);
        }
      });
    };

    whenThere('has all migrations', async ({ services }) => {
      expect((await migrationStates(services.database)).filter(({ applied }) => !applied)).to.equal([]);
    });

    whenThere('still takes the token of an app, and gives it the same bytes', async ({ call }) => {
      const [first, , latest] = documents;
      const sample = readFileSync(inProject('pipeline-config/procedure/sample-appendectomy.xml'), 'utf8');
      for (const id of [first, latest]) {
        const { text } = succeeded(await call(app, 'GET', `${record}/documents/${id}`));
        expect(text).to.equal(sample.replaceAll('{vocab_base}', 'https://svc.example/vocab'));
      }
      const meta = succeeded(await call(app, 'GET', `${record}/documents/${documents[1]}/meta`)).text;
      expect(meta).to.contain(`<label>${label}</label>`);
    });

    whenThere('reports the facts that were stored', async ({ call }) => {
      const count = async (model: string): Promise<number> => {
        const { text } = succeeded(
          await call(app, 'GET', `${record}/reports/${model}/?response_format=application/json`),
        );
        return (JSON.parse(text) as readonly unknown[]).length;
      };
      expect([await count('Procedure'), await count('LabResult')]).to.equal([facts.procedures, facts.labs]);
    });

    whenThere('knows passwords, shares, messages and what apps stored', async ({ call }) => {
      const alice = await signIn(call, ALICE);
      expect(succeeded(await call(alice, 'GET', `/accounts/${ALICE}/inbox/`)).text).to.contain('hello');
      const bob = await signIn(call, BOB);
      succeeded(await call(bob, 'GET', `${record}/documents/`));
      const stored = `${record}/apps/${encodeURIComponent(medications!.consumer.key)}/documents/external/settings/meta`;
      succeeded(await call(app, 'GET', stored));
      await createAccount(call, 'carl@example.org');
      const carl = await signIn(call, 'carl@example.org');
      expect((await call(carl, 'GET', `${record}/documents/`)).status).to.equal(403);
    });

    whenThere('takes new documents, and replaces old ones', async ({ call }) => {
      const bytes = succeeded(await call(app, 'GET', `${record}/documents/${documents[2]}`)).bytes;
      succeeded(await call(app, 'POST', `${record}/documents/${documents[2]}/replace`, { body: bytes }));
      expect((await call(app, 'POST', `${record}/documents/${documents[2]}/replace`, { body: bytes })).status).to.equal(
        400,
      );
      succeeded(await call(app, 'POST', `${record}/documents/`, { body: bytes }));
    });

    whenThere(
      'seals what was in clear while it serves, so that no word of it is left, and reads it as before',
      async ({ call, services }) => {
        const settings = { SVC_DATABASE_URL: made.url };
        const { database } = services;
        expect((await command(['seal', '--check'], settings)).code).to.equal(1);
        const clear = (await database.reads('document').whereNull('sealed').select('id')) as readonly { id: string }[];
        expect(clear.length).to.be.above(3);
        const { code, stdout, stderr } = await command(['seal'], settings);
        expect(code, stderr).to.equal(0);
        expect(stdout).to.match(/^[1-9]\d* sealed; /);
        expect((await command(['seal'], settings)).stdout).to.match(/^0 sealed; /);
        const check = await command(['seal', '--check'], settings);
        expect(check.stdout + check.stderr).to.match(/ 0 in clear, 0 that cannot be read\n/);
        const rows = (await database.reads('document').select('content')) as readonly { content: Buffer }[];
        expect(rows.some(({ content }) => content.includes('<Procedure') || content.includes('xmlns'))).to.be.false();
        const sample = readFileSync(inProject('pipeline-config/procedure/sample-appendectomy.xml'), 'utf8');
        const { text } = succeeded(await call(app, 'GET', `${record}/documents/${documents[0]}`));
        expect(text).to.equal(sample.replaceAll('{vocab_base}', 'https://svc.example/vocab'));
        const alice = await signIn(call, ALICE);
        expect(succeeded(await call(alice, 'GET', `/accounts/${ALICE}/inbox/`)).text).to.contain('hello');
        const external = `${record}/apps/${encodeURIComponent(medications!.consumer.key)}/documents/external/settings`;
        const kept = attribute(succeeded(await call(app, 'GET', `${external}/meta`)).text, 'Document', 'id');
        const at = `${record}/apps/${encodeURIComponent(medications!.consumer.key)}/documents/${kept}`;
        expect(succeeded(await call(app, 'GET', at)).text.length).to.be.above(0);
        // The process that was already running seals everything that it writes from now on.
        succeeded(await call(app, 'POST', `${record}/documents/`, { body: '<Late xmlns="https://late.example/"/>' }));
        await createRecord(call, ALICE);
        expect(await database.reads('document').whereNull('sealed').first('id')).to.be.undefined();
        expect(await database.reads('record').whereNull('content_key').first('id')).to.be.undefined();
      },
    );

    whenThere('has an audit log that fits together', async ({ call }) => {
      succeeded(await call(admin, 'GET', '/apps/'));
      const { code, stdout, stderr } = await command(['verify-audit'], { SVC_DATABASE_URL: made.url });
      expect(code, `${stdout}${stderr}`).to.equal(0);
    });
  });
}
