/**
 * readme: every command of README.md works as it is written there (`npm ci` was run before this test), and so does the
 * package.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject, projectRoot } from '../../core/base/paths';
import { freePort } from '../support/ports';
import { environment } from '../support/svc';
import { TOOLS } from '../tools/run';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const text = readFileSync(inProject('README.md'), 'utf8');
const scripts = (JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

/** The lines of shell blocks, and the commands in tables and sentences. */
const commands: readonly string[] = [
  ...new Set([
    ...[...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((match) => match[1]!.trim().split('\n')),
    ...[...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`((?:bin\/svc|npm|du|source) [^`]+)`/g)].map(
      (match) => match[1]!,
    ),
  ]),
].map((command) => command.replace(/^npm ci && /, ''));

type Run = (record: string) => Promise<string>;

describe('README.md', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let port: number;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
    port = await freePort();
    env = environment({
      SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}`,
      SVC_PORT: String(port),
      SVC_MAIL_DIR: join(folder, 'mail'),
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const shell = async (command: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-c', command], {
      cwd: projectRoot,
      env,
      maxBuffer: 1 << 26,
    });
    return stdout;
  };

  /** Starts the service as in the README, runs `work` with it, and stops it. */
  const whileStarted = <T>(work: (url: string) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const child = spawn('npm', ['start'], { cwd: projectRoot, env, detached: true });
      let said = '';
      child.on('error', reject);
      let working = false;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      void ended.then(([code]) => {
        if (!working) {
          reject(new Error(`npm start ended with ${code}: ${said}`));
        }
      });
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const url = /svc listening on (\S+)/.exec(said)?.[1];
        if (url) {
          said = '';
          working = true;
          work(url)
            .finally(async () => {
              process.kill(-child.pid!, 'SIGTERM');
              await ended;
            })
            .then(resolve, reject);
        }
      });
    });

  /** Commands that depend on earlier ones, or take too long to run here. */
  const special: Readonly<Record<string, Run>> = {
    'npm start': () => Promise.resolve('run with the demo below'),
    'npm test': () => Promise.resolve(scripts['test'] ?? ''),
    'npm run test:rest': () => Promise.resolve(scripts['test:rest'] ?? ''),
    'npm run tool restore': () => Promise.resolve(TOOLS['restore']?.says ?? ''),
    'npm run --silent tool start-time': () => Promise.resolve(TOOLS['start-time']?.says ?? ''),
    'bin/svc reset --yes': async () => {
      await shell('bin/svc reset --yes');
      return shell('bin/svc demo');
    },
    'bin/svc export RECORD FILE': (record) => shell(`bin/svc export ${record} ${join(folder, 'record.tar.gz')}`),
    'bin/svc import FILE': () => shell(`bin/svc import --quiet ${join(folder, 'record.tar.gz')}`),
    'bin/svc put RECORD FILE...': (record) =>
      shell(`bin/svc put ${record} pipeline-config/procedure/sample-appendectomy.xml`),
    'bin/svc reload': () => whileStarted(() => shell('bin/svc reload')),
    'bin/svc backup var/copy.sqlite': () => shell(`bin/svc backup ${join(folder, 'copy.sqlite')}`),
    'npm pack --dry-run': () => shell('npm pack --dry-run --ignore-scripts'),
  };

  it('starts, fills the database beside it, and answers the signed line within the first five minutes', async () => {
    await whileStarted(async (url) => {
      const demo = await shell('bin/svc demo');
      const curl = /^ {2}(curl .*)$/m.exec(demo)?.[1];
      expect(curl, demo).to.exist();
      expect(await shell(curl!.replace('curl ', 'curl -s -f '))).to.match(/"group":\s*"2023"/);
      expect(await (await fetch(`${url}/docs`)).text()).to.contain('API reference');
      expect(demo).to.match(/app {7}(\S+) {3}token (\S+) {3}token secret (\S+)/);
      const secret = (await shell('bin/svc apps secret medications')).trim();
      expect(secret.length).to.be.above(15);
      expect(demo).to.not.contain(secret);
    });
  });

  it('has commands to run', () => {
    expect(commands.length).to.be.above(15);
  });

  for (const command of commands) {
    it(`\`${command}\``, async () => {
      const record = (
        await promisify(execFile)(
          'node',
          [
            '-e',
            `const { Sqlite: D } = require('./dist/core/db/sqlite/better-sqlite.js'); process.stdout.write(String(new D(${JSON.stringify(join(folder, 'svc.sqlite'))}).prepare('select id from record order by seq').pluck().get()))`,
          ],
          { cwd: projectRoot },
        )
      ).stdout;
      const run = special[command];
      const execute = async (): Promise<string> => (run ? run(record) : shell(command));
      const said = command === 'bin/svc demo' ? 'run above' : await execute();
      expect(said.length + (command.startsWith('source') ? 1 : 0)).to.be.above(0);
    });
  }
});

describe('the package', () => {
  it('works where only it and its dependencies are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-package-'));
    const run = promisify(execFile);
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
      cwd: projectRoot,
      maxBuffer: 1 << 26,
    });
    await run('tar', ['xzf', join(folder, stdout.trim()), '-C', folder]);
    await run('ln', ['-s', inProject('node_modules'), join(folder, 'package', 'node_modules')]);
    const svc = join(folder, 'package', 'bin', 'svc');
    expect((await run(svc, ['check'], { env: environment({}) })).stdout).to.contain('all fine');
    expect((await run(svc, ['routes', '--openapi'], { env: environment({}), maxBuffer: 1 << 26 })).stdout).to.contain(
      'as a test saw it',
    );
    rmSync(folder, { recursive: true, force: true });
  });
});
