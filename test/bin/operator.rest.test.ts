/**
 * operator: the commands of svc for the operator of the service: accounts, doctor, completion, export and import, JSON
 * for scripts.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { coloured } from '../../core/base/colours';
import { inProject } from '../../core/base/paths';
import { openDatabase } from '../../core/db/open';
import { insertPasskey } from '../../core/tokens/passkeys-store';
import { insertSecondFactor, replaceRecoveryCodes } from '../../core/tokens/second-factors-store';
import { loadConfig } from '../../core/config/load';
import { checkDatabase } from '../../core/doctor/database-checks';
import type { Finding } from '../../core/doctor/finding';
import { checkMachine } from '../../core/doctor/machine-checks';
import { ownApp } from '../support/app-folder';
import { httpClient } from '../support/client';
import { openTestDatabase, databases } from '../support/databases';
import { ui } from '../support/server';
import { command, environment, serve, svc } from '../support/svc';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

for (const leg of databases) {
  describe(`svc for operators on ${leg.name}`, () => {
    let url: string;
    let drop: () => Promise<void>;
    let settings: Record<string, string>;
    before(async () => {
      ({ url, drop } = await leg.create());
      settings = { SVC_DATABASE_URL: url };
    });
    after(() => drop());

    const withPassword = (args: readonly string[], password: string): Promise<{ stdout: string; stderr: string }> => {
      const running = promisify(execFile)(inProject('bin', 'svc'), [...args], { env: environment(settings) });
      running.child.stdin?.end(`${password}\n`);
      return running;
    };

    it('accounts create makes the first account, which signs in; before anything else was done', async () => {
      const made = await command(
        ['accounts', 'create', 'First@people.example', '--name', 'First Person', '--json'],
        settings,
      );
      expect(made.code, made.stderr).to.equal(0);
      const { password } = JSON.parse(made.stdout) as { password: string };
      await withPassword(['accounts', 'create', 'second@people.example', '--password-stdin'], 'ten green bottles');
      const served = await serve(settings);
      const call = httpClient(served.url);
      for (const [username, secret] of [
        ['First@people.example', password],
        ['second@people.example', 'ten green bottles'],
      ] as const) {
        const answer = await call(ui, 'POST', '/oauth/internal/session_create', {
          form: { username, password: secret },
        });
        expect(answer.status, answer.text).to.equal(200);
        expect(
          (await call(ui, 'POST', '/oauth/internal/session_create', { form: { username, password: 'wrong' } })).status,
        ).to.equal(403);
      }
      await served.stop();
    });

    const refused: readonly { readonly args: readonly string[]; readonly says: string }[] = [
      { args: ['create', 'First@people.example'], says: 'in use already' },
      { args: ['create', 'administration'], says: 'no e-mail address' },
      { args: ['create', 'third@people.example', '--email', 'nowhere'], says: 'nowhere is no e-mail address' },
      { args: ['create', 'admin@apps.svc.example'], says: 'in use already' },
      { args: ['create', 'third@people.example', '--name', 'x'.repeat(151)], says: 'at most 150 characters' },
      { args: ['create', 'third@people.example', '--name', 'Two\nlines'], says: 'one line' },
      { args: ['unlock', 'nobody@people.example'], says: 'there is no account' },
    ];
    for (const { args, says } of refused) {
      it(`accounts ${args.join(' ')} is refused`, async () => {
        const ran = await command(['accounts', ...args], settings);
        expect(ran.code).to.equal(1);
        expect(ran.stderr).to.contain(says);
      });
    }

    it('accounts create refuses a short password and makes nothing', async () => {
      const failure = await withPassword(
        ['accounts', 'create', 'third@people.example', '--password-stdin'],
        'short',
      ).catch((error: { code: number; stderr: string }) => error);
      expect((failure as { code: number }).code).to.equal(1);
      expect(failure.stderr).to.contain('at least 8 characters');
      expect((await command(['accounts', 'list', 'third'], settings)).stdout).to.equal('');
    });

    it('accounts list finds by id and name, in lines and in JSON', async () => {
      expect((await command(['accounts', 'list'], settings)).stdout.trim().split('\n').length).to.equal(2);
      const [only, ...rest] = lines((await command(['accounts', 'list', 'FIRST PER', '--json'], settings)).stdout);
      expect(rest).to.equal([]);
      expect(only).to.include({
        id: 'first@people.example',
        state: 'active',
        failed_logins: 1,
        auth_systems: ['password'],
      });
      expect(Object.keys(only!).some((name) => /secret|password_hash/.test(name))).to.be.false();
    });

    it('accounts unlock ends a lock-out, and what was done stands in the audit log', async () => {
      const served = await serve(settings);
      const call = httpClient(served.url);
      const signIn = async (password: string): Promise<number> =>
        (
          await call(ui, 'POST', '/oauth/internal/session_create', {
            form: { username: 'second@people.example', password },
          })
        ).status;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await signIn('wrong');
      }
      expect(await signIn('ten green bottles')).to.equal(403);
      const unlocked = await command(['accounts', 'unlock', 'second@people.example'], settings);
      expect(unlocked.stdout).to.contain('can sign in again');
      expect(await signIn('ten green bottles')).to.equal(200);
      expect(
        (await command(['accounts', 'unlock', 'second@people.example', '--json'], settings)).stdout.trim(),
      ).to.equal('{"id":"second@people.example","unlocked":false}');
      await served.stop();
      const database = await openDatabase(url, 1);
      const rows = await direct(database)('audit')
        .where({ account_id: 'second@people.example', method: 'SVC' })
        .orderBy('seq')
        .pluck('function_name');
      expect(rows).to.equal(['account_create', 'account_set_state', 'account_set_state']);
      await database.close();
      const whole = await command(['verify-audit'], settings);
      expect(whole.code, whole.stdout + whole.stderr).to.equal(0);
    });

    it('accounts second-factor-off lets a person who lost everything sign in with the password only', async () => {
      const database = await openDatabase(url, 1);
      const id = 'second@people.example';
      await database.transaction(async (trx) => {
        await insertSecondFactor(trx, id, { secret: 'sealed', step: 1, since: '2026-01-01T00:00:00.000000Z' });
        await replaceRecoveryCodes(trx, id, ['a', 'b']);
        await insertPasskey(trx, id, 'hash', {
          id: 'p',
          credentialId: 'c',
          publicKey: 'k',
          counter: 0,
          transports: [],
          name: 'Key',
          createdAt: '2026-01-01T00:00:00.000000Z',
        });
      });
      const off = await command(['accounts', 'second-factor-off', 'Second@people.example'], settings);
      expect(off.stdout, off.stderr).to.equal(`${id} signs in with the password only\n`);
      expect(await direct(database)('second_factor')).to.equal([]);
      expect(await direct(database)('recovery_code')).to.equal([]);
      expect(await direct(database)('passkey')).to.equal([]);
      const rows = await direct(database)('audit').where({ account_id: id, method: 'SVC' }).pluck('function_name');
      expect(rows).to.include('account_second_factor_end');
      await database.close();
      const again = await command(['accounts', 'second-factor-off', id, '--json'], settings);
      expect(JSON.parse(again.stdout)).to.equal({ id, changed: false });
      const unknown = await command(['accounts', 'second-factor-off', 'nobody@people.example'], settings);
      expect([unknown.code, unknown.stderr.includes('there is no account')]).to.equal([1, true]);
    });

    it('accounts unlock does not bring back a retired account', async () => {
      const database = await openDatabase(url, 1);
      await direct(database)('account').where({ id: 'first@people.example' }).update({ state: 'retired' });
      await database.close();
      const ran = await command(['accounts', 'unlock', 'first@people.example'], settings);
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.contain('retired');
    });

    it('migrate, sync-apps and clean-up print what scripts can read', async () => {
      for (const args of [
        ['migrate', '--status'],
        ['migrate', '--dry-run'],
        ['migrate'],
        ['sync-apps', '--dry-run'],
        ['sync-apps'],
        ['clean-up'],
      ]) {
        const ran = await command([...args, '--json'], settings);
        expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).to.equal(0);
        expect(typeof JSON.parse(ran.stdout), args.join(' ')).to.equal('object');
      }
    });

    const examine = async (
      more: Readonly<Record<string, string>> = {},
    ): Promise<{ code: number; byCheck: Map<string, Finding> }> => {
      const ran = await command(['doctor', '--json'], { ...settings, ...more });
      return {
        code: ran.code,
        byCheck: new Map((JSON.parse(ran.stdout) as Finding[]).map((finding) => [finding.check, finding])),
      };
    };

    it('doctor finds nothing wrong with a sound installation', async () => {
      const { code, byCheck } = await examine();
      expect(code).to.equal(0);
      expect([...byCheck].filter(([, { state }]) => state === 'problem')).to.equal([]);
      expect([...byCheck.keys()]).to.equal([
        'settings',
        'database',
        'migrations',
        'keys',
        'clock',
        'outbox',
        'imports',
        'sealed contents',
        'files',
        'disk',
        'mail',
        'audit heads',
        'readers',
        'text of pictures',
        'address',
        'proxies',
        'website',
      ]);
      expect(byCheck.get('website')?.state).to.equal('fine');
      const without = (await examine({ SVC_WEBSITE: '0' })).byCheck.get('website');
      expect(without?.state).to.equal('warning');
      expect(without?.advice).to.contain('SVC_UI_BASE_URL');
      expect(
        (await examine({ SVC_WEBSITE: '0', SVC_UI_BASE_URL: 'https://www.people.example' })).byCheck.get('website'),
      ).to.include({
        state: 'fine',
      });
    });

    it('doctor names what is wrong, and what to do', async () => {
      const wrongKey = await examine({ SVC_SECRET_KEY: 'quite another key: 0123456789' });
      expect(wrongKey.code).to.equal(1);
      expect(wrongKey.byCheck.get('keys')).to.include({ state: 'problem' });
      expect(wrongKey.byCheck.get('keys')?.found).to.match(
        /^the secrets of (\d+) of \1 apps and the key of the audit log cannot be opened$/,
      );
      const open = await examine({ SVC_HOST: '0.0.0.0' });
      expect(open.byCheck.get('address')?.advice).to.contain('SVC_BASE_URL');
      const changed = await examine({
        SVC_SECRET_KEY: 'quite another key: 0123456789,only for tests: 0123456789abcdef',
      });
      expect(changed.byCheck.get('key change')?.advice).to.equal('run svc rotate-key');
      const proxied = { SVC_BASE_URL: 'https://records.example' };
      expect((await examine(proxied)).byCheck.get('proxies')?.advice).to.contain('SVC_TRUSTED_PROXIES');
      expect((await examine({ ...proxied, SVC_TRUSTED_PROXIES: '::1' })).byCheck.get('proxies')).to.include({
        state: 'fine',
      });
      expect((await examine({ SVC_BASE_URL: 'http://records.example' })).byCheck.get('address')).to.include({
        state: 'problem',
      });
      expect((await examine({ SVC_SMTP_URL: 'smtp://127.0.0.1:9' })).byCheck.get('mail')).to.include({
        state: 'problem',
      });

      const database = await openDatabase(url, 1);
      const delivery = {
        id: '01999999-0000-7000-8000-000000000001',
        kind: 'mail',
        subject: 's',
        payload: '',
        created_at: '2020-01-01T00:00:00.000000Z',
        due_at: '2020-01-01T00:00:00.000000Z',
        attempts: 0,
      };
      await direct(database)('outbox').insert(delivery);
      await direct(database)('installation').insert({
        name: 'import:01999999-0000-7000-8000-000000000001',
        content: '{}',
        changed_at: '2020-01-01T00:00:00.000000Z',
      });
      const late = await examine();
      expect(late.byCheck.get('outbox')).to.include({ state: 'problem' });
      expect(late.byCheck.get('imports')).to.include({ state: 'warning' });
      await direct(database)('outbox').update({ dead_at: '2020-01-02T00:00:00.000000Z' });
      expect((await examine()).byCheck.get('outbox')).to.include({ state: 'warning' });
      // An id that is given twice still means one delivery.
      const dropped = await command(['outbox', 'drop', delivery.id, delivery.id], settings);
      expect([dropped.code, dropped.stdout, dropped.stderr]).to.equal([0, '1 dropped\n', '']);
      await direct(database)('installation').where('name', 'like', 'import:%').delete();
      await direct(database)
        .raw('drop index `fact_procedure$id` on `fact_procedure`')
        .catch(() => direct(database).raw('drop index `fact_procedure$id`'));
      const behind = await examine();
      expect(behind.byCheck.get('migrations')).to.include({ state: 'problem' });
      expect(behind.byCheck.get('migrations')?.advice).to.contain('svc migrate');
      await database.close();
      await command(['migrate'], settings);
      expect((await examine()).code).to.equal(0);
    });
  });
}

describe('svc doctor', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('says that the database does not answer, or is not there yet, and makes none', async () => {
    const away = await command(['doctor'], { SVC_DATABASE_URL: 'mysql://root@127.0.0.1:1/none' });
    expect(away.code).to.equal(1);
    expect(away.stdout).to.match(/problem\s+database .*does not answer/);
    const file = join(folder, 'none.sqlite');
    const missing = await command(['doctor'], { SVC_DATABASE_URL: `sqlite:${file}` });
    expect(missing.code).to.equal(1);
    expect(missing.stdout).to.contain('is not there yet');
    expect(readdirSync(folder)).to.equal([]);
  });

  it('says that a file cannot be opened, and what it needs', async () => {
    const settings = { SVC_DATABASE_URL: `sqlite:${folder}` };
    const ran = await command(['doctor'], settings);
    expect(ran.stdout).to.contain(`${folder} cannot be opened`).and.to.contain('the right to write there');
    const missing = await command(['import', join(folder, 'none.tar.gz')], {
      SVC_DATABASE_URL: `sqlite:${join(folder, 'import.sqlite')}`,
    });
    expect([missing.code, missing.stderr]).to.equal([1, `svc: ${join(folder, 'none.tar.gz')} is not there\n`]);
    expect(existsSync(join(folder, 'import.sqlite'))).to.be.false();
  });

  it('says that demographics come with the service where the folders have none', async () => {
    const formats = join(folder, 'formats');
    mkdirSync(join(formats, 'note'), { recursive: true });
    writeFileSync(
      join(formats, 'note/document.yaml'),
      'document: note\nidentify: { root: Note, namespace: "urn:test:note" }\n',
    );
    const ran = await command(['check'], { SVC_PIPELINE_CONFIG_DIR: formats });
    expect([ran.code, ran.stderr]).to.equal([
      0,
      'svc: warning: SVC_PIPELINE_CONFIG_DIR: no folder has a format of the type ' +
        'https://svc.example/vocab/xml/documents#Demographics, which every record needs: the one that comes with ' +
        'the service is used\n',
    ]);
  });

  it('takes no password for an account that is shorter than the setting says', async () => {
    const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'short.sqlite')}`, SVC_PASSWORD_LEAST: '12' };
    for (const [args, input, code] of [
      [['accounts', 'create', 'ann@people.example', '--password-stdin'], 'eleven char\n', 1],
      [['accounts', 'create', 'ann@people.example', '--password-stdin'], 'twelve chars\n', 0],
      [['accounts', 'reset', 'ann@people.example', '--password-stdin'], 'eleven char\n', 1],
      [['accounts', 'create', 'ben@people.example'], '', 0],
    ] as const) {
      const ran = await svc([...args], settings, input);
      expect(ran.code, ran.stderr).to.equal(code);
      expect(ran.stderr.includes('at least 12 characters')).to.equal(code === 1);
    }
  });

  it('says what is odd about an app and goes on', async () => {
    const odd = ownApp({ description: '', colour: 'blue' });
    try {
      const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'odd.sqlite')}`, SVC_MANIFESTS_DIR: odd.folders };
      for (const args of [['check'], ['migrate'], ['sync-apps']]) {
        const ran = await command(args, settings);
        expect(ran.code, ran.stderr).to.equal(0);
        if (args[0] !== 'migrate') {
          const lines = ran.stderr.split('\n').filter((line) => line.startsWith('svc: warning: '));
          expect(lines.map((line) => line.replace(/^svc: warning: .*manifest\.json: /, ''))).to.equal([
            'the key colour is not known and has no effect',
            'it has no description',
          ]);
        }
      }
    } finally {
      odd.remove();
    }
  });

  it('misses a key file that is gone, and makes no new one', async () => {
    const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'keyed.sqlite')}`, SVC_SECRET_KEY: '' };
    await command(['migrate'], settings);
    const early = await command(['doctor'], settings);
    expect([early.code, early.stdout.includes('secret.key is made when the service first needs it')]).to.equal([
      0,
      true,
    ]);
    await command(['sync-apps'], settings);
    expect((await command(['doctor'], settings)).code).to.equal(0);
    renameSync(join(folder, 'secret.key'), join(folder, 'lost.key'));
    const ran = await command(['doctor'], settings);
    expect(ran.code).to.equal(1);
    expect(ran.stdout).to.contain('secret.key is missing');
    const started = await command(['sync-apps'], settings);
    expect([started.code, started.stderr]).to.equal([
      1,
      `svc: ${join(folder, 'secret.key')} is gone, but ${join(folder, 'keyed.sqlite')} holds secrets that were ` +
        'sealed with it: restore the file, or give its text in SVC_SECRET_KEY\n',
    ]);
    expect(existsSync(join(folder, 'secret.key'))).to.be.false();
    renameSync(join(folder, 'lost.key'), join(folder, 'secret.key'));
    expect((await command(['sync-apps'], settings)).code).to.equal(0);
  });

  it('misses the key of the audit log when apps alone were sealed anew', async () => {
    const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'audited.sqlite')}` };
    await command(['migrate'], settings);
    await command(['accounts', 'list'], settings);
    const other = { ...settings, SVC_SECRET_KEY: 'quite another key: 0123456789' };
    expect((await command(['sync-apps'], other)).code).to.equal(0);
    const ran = await command(['doctor'], other);
    expect(ran.code).to.equal(1);
    expect(ran.stdout).to.match(/problem +keys +the key of the audit log cannot be opened/);
  });

  it('says which setting is wrong', async () => {
    const ran = await command(['doctor', '--json'], { SVC_PORT: 'eighty' });
    expect(ran.code).to.equal(1);
    expect(JSON.parse(ran.stdout)).to.equal([
      {
        check: 'settings',
        state: 'problem',
        found: 'SVC_PORT: must be a number',
        advice: 'docs/settings.md lists every setting',
      },
    ]);
  });

  it('notices a clock that runs away', async () => {
    for (const leg of databases.filter(({ name }) => name === 'mysql')) {
      const { database, drop } = await openTestDatabase(leg);
      for (const [skew, state] of [
        [0, 'fine'],
        [5000, 'warning'],
        [300_000, 'problem'],
      ] as const) {
        const models = { all: [], byName: new Map() } as never;
        const findings = await checkDatabase({
          database,
          models,
          sealing: 'unreadable',
          clock: { now: () => Date.now() + skew },
        });
        expect(findings.find(({ check }) => check === 'clock')?.state).to.equal(state);
      }
      await drop();
    }
  });

  it('tells a mail server that answers from one that only listens', async () => {
    const greet = (greeting: string): Promise<Server> =>
      new Promise((resolve) => {
        const server = createServer((socket) => {
          socket.write(greeting);
          socket.on('data', (data) =>
            socket.write(data.toString().startsWith('QUIT') ? '221 bye\r\n' : '250 fine\r\n'),
          );
          socket.on('error', () => undefined);
        });
        server.listen(0, '127.0.0.1', () => resolve(server));
      });
    for (const [greeting, state] of [
      ['220 here\r\n', 'fine'],
      ['554 no\r\n', 'problem'],
    ] as const) {
      const server = await greet(greeting);
      const { port } = server.address() as { port: number };
      const findings = await checkMachine(loadConfig({ SVC_SMTP_URL: `smtp://127.0.0.1:${port}` }));
      expect(findings.find(({ check }) => check === 'mail')?.state).to.equal(state);
      server.close();
    }
  });
});

describe('colours', () => {
  it('are for terminals that have them', () => {
    expect(coloured({ isTTY: true, hasColors: () => true }, 'red', 'text')).to.equal('\u001b[31mtext\u001b[39m');
    expect(coloured({ isTTY: true, hasColors: () => false }, 'red', 'text')).to.equal('text');
    expect(coloured({}, 'red', 'text')).to.equal('text');
  });
});

const complete = async (words: string): Promise<readonly string[]> => {
  const script =
    `eval "$(${inProject('bin', 'svc')} completion bash)"; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} ` +
    `- 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: environment({}) });
  return stdout.split('\n').filter((word) => word !== '');
};

describe('svc completion', () => {
  it('completes commands, commands of commands and options in bash', async () => {
    expect(await complete('svc ""')).to.include([
      'serve',
      'export',
      'import',
      'backup',
      'accounts',
      'doctor',
      'sync_apps',
    ]);
    expect(await complete('svc exp')).to.equal(['export']);
    expect(await complete('svc accounts ""')).to.include(['list', 'create', 'unlock']);
    expect(await complete('svc accounts create somebody@people.example --pass')).to.equal(['--password-stdin']);
    expect(await complete('svc completion ""')).to.include(['bash', 'zsh']);
    expect(await complete('svc serve --w')).to.equal(['--workers']);
  });

  it('wraps the same for zsh, and knows no other shell', async () => {
    expect((await command(['completion', 'zsh'])).stdout)
      .to.contain('bashcompinit')
      .and.to.contain('complete -o default -F _svc');
    expect((await command(['completion', 'fish'])).code).to.equal(2);
  });
});
