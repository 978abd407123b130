/**
 * versions: a process of an earlier state, built from the git history, serves beside one of today that has migrated the
 * database under its load; and what a downgrade needs. Without git, its history or the compiler it prints that it is
 * skipped.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { httpClient, type Client, type Credentials } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { medications } from '../support/server';
import { command, serve, type Served } from '../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The state before releases were made: migrations up to 016. */
const EARLIER = '52594e7b';
const ALICE = 'alice@example.org';
const BASE = 'https://phr.example';
/** How many documents each process makes before the new one is started, and afterwards. */
const ENOUGH = 20;

/** @returns the `bin/svc` of the earlier state; undefined where it cannot be built */
const buildEarlier = (folder: string): string | undefined => {
  const git = (...words: string[]): Buffer =>
    execFileSync('git', words, { cwd: inProject(), stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
  try {
    git('cat-file', '-e', EARLIER);
  } catch {
    return undefined;
  }
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['x', '-C', folder], { input: git('archive', EARLIER) });
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));
  // Types are not checked, because it was written for other package versions; it only has to compile.
  const compiler = [inProject('node_modules/typescript/bin/tsc'), '-p', '.', '--noCheck', '--outDir', 'dist'];
  execFileSync(process.execPath, compiler, { cwd: folder, stdio: 'ignore' });
  return join(folder, 'bin', 'svc');
};

const behind = (url: string): Client => httpClient(url, BASE);

const note = (number: number): string =>
  `<Note xmlns="https://earlier.example/notes"><text>number ${number}</text></Note>`;

type Load = { readonly written: Map<string, string>; readonly refused: string[]; readonly stop: () => Promise<void> };

/** Creates documents through one process, one after another, until it is stopped. */
const beginLoad = (call: Client, app: Credentials, recordId: string, from: number): Load => {
  const written = new Map<string, string>();
  const refused: string[] = [];
  let going = true;
  const done = (async (): Promise<void> => {
    for (let number = from; going; number += 1) {
      const body = note(number);
      const answer = await call(app, 'POST', `/records/${recordId}/documents/`, { body });
      if (answer.status === 200) {
        written.set(attribute(answer.text, 'Document', 'id'), body);
      } else {
        refused.push(`${answer.status} ${answer.text}`);
      }
    }
  })().catch((error: unknown) => void refused.push(String(error)));
  return {
    written,
    refused,
    stop: () => {
      going = false;
      return done;
    },
  };
};

const reached = async (load: Load, count: number): Promise<void> => {
  while (load.written.size < count && load.refused.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

let folder: string;
let program: string | undefined;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-versions-'));
  program = buildEarlier(join(folder, 'earlier'));
  if (program === undefined) {
    process.stdout.write('skipped: the history of git, from which the earlier state is built, is not here\n');
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const leg of databases) {
  describe(`two versions on ${leg.name}`, () => {
    let database: TestDatabase;
    const running: Served[] = [];
    before(async () => {
      database = await leg.create();
    });
    after(async () => {
      await Promise.all(running.map(({ stop }) => stop()));
      await database.drop();
    });

    it('serve side by side under load, and lose nothing', async () => {
      if (program === undefined) {
        return;
      }
      const settings = { SVC_DATABASE_URL: database.url, SVC_MAIL_DIR: join(folder, 'mail'), SVC_BASE_URL: BASE };
      const earlier = await serve(settings, [], program);
      running.push(earlier);
      const one = behind(earlier.url);
      await createAccount(one, ALICE);
      const recordId = await createRecord(one, ALICE);
      const app = await authorizeApp(one, medications!, await signIn(one, ALICE), { record_id: recordId });
      const first = beginLoad(one, app, recordId, 0);
      await reached(first, ENOUGH);
      const backup = join(folder, 'before.sqlite');
      if (leg.name === 'sqlite') {
        const { code, stderr } = await command(['backup', backup], settings);
        expect(code, stderr).to.equal(0);
      }

      const today = await serve(settings);
      running.push(today);
      const two = behind(today.url);
      const second = beginLoad(two, app, recordId, 1_000_000);
      await Promise.all([reached(first, first.written.size + ENOUGH), reached(second, ENOUGH)]);
      await Promise.all([first.stop(), second.stop()]);
      expect([...first.refused, ...second.refused]).to.equal([]);
      const written = [...first.written, ...second.written];
      for (const [id, body] of written) {
        for (const call of [one, two]) {
          expect(succeeded(await call(app, 'GET', `/records/${recordId}/documents/${id}`)).text).to.equal(body);
        }
      }
      expect(await earlier.stop()).to.equal(0);

      // The earlier state cannot read sealed rows, so nothing is sealed until an operator asks for it.
      expect((await command(['seal', '--check'], settings)).stdout).to.match(/^0 sealed, /);
      const sealed = await command(['seal'], settings);
      expect([sealed.code, sealed.stderr.includes('svc:')]).to.equal([0, false]);
      const third = beginLoad(two, app, recordId, 2_000_000);
      await reached(third, ENOUGH);
      await third.stop();
      for (const [id, body] of [...written, ...third.written]) {
        expect(succeeded(await two(app, 'GET', `/records/${recordId}/documents/${id}`)).text).to.equal(body);
      }
      const checked = await command(['seal', '--check'], settings);
      expect([checked.code, checked.stdout]).to.equal([0, checked.stdout]);
      expect(checked.stdout).to.match(/^\d+ sealed, 0 in clear, 0 that cannot be read\n$/);

      await expect(serve(settings, [], program)).to.reject(/migrated by a newer release/);
      if (leg.name === 'sqlite') {
        const back = await serve({ ...settings, SVC_DATABASE_URL: `sqlite:${backup}` }, [], program);
        running.push(back);
        const [id, body] = [...first.written][0]!;
        const { text } = succeeded(await behind(back.url)(app, 'GET', `/records/${recordId}/documents/${id}`));
        expect(text).to.equal(body);
      }
    });
  });
}
