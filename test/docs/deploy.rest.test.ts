/**
 * deploy: docs/deploy is followed word by word in an empty tree. Whoever knows the secrets that earlier releases shipped
 * is refused there, and the operator's commands of the guide work.
 */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse as parseEnv } from 'dotenv';
import { parse } from 'yaml';
import { inProject } from '../../core/base/paths';
import { httpClient } from '../support/client';
import { databases } from '../support/databases';
import { bundled, formerly, knows, signerWith } from '../support/former-secrets';
import { serve, type Served } from '../support/svc';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const BASE = 'https://records.example';
const guide = readFileSync(inProject('docs/deploy/README.md'), 'utf8');

/** The shell commands of a section, block by block. */
const blocksOf = (heading: string): readonly string[] => {
  const section = guide.slice(guide.indexOf(`\n## ${heading}\n`) + 1).split('\n## ')[0]!;
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
};

/** Programs of a server that no test may run; `runuser` runs its command as the user who is there. */
const stubs: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  chown: 'exit 0',
  systemctl: 'exit 0',
  docker: 'exit 0',
  runuser: 'shift 3; exec "$@"',
};

describe('docs/deploy, followed word by word in an empty tree,', () => {
  let root: string;
  let opt: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-server-'));
    opt = join(root, 'opt/svc');
    mkdirSync(join(opt, 'bin'), { recursive: true });
    for (const name of ['node_modules', 'core', 'plugins', 'datamodels', 'pipeline-config']) {
      symlinkSync(inProject(name), join(opt, name));
    }
    for (const name of ['package.json', 'dist', 'bin/svc', 'manifests', 'docs/deploy']) {
      cpSync(inProject(name), join(opt, name), { recursive: true });
    }
    for (const made of ['etc/systemd/system', 'var/lib/svc', 'run/credentials', 'stubs']) {
      mkdirSync(join(root, made), { recursive: true });
    }
    for (const [name, does] of Object.entries(stubs)) {
      writeFileSync(join(root, 'stubs', name), `#!/bin/sh\n${does}\n`);
      chmodSync(join(root, 'stubs', name), 0o755);
    }
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Paths of the guide lie below the empty tree. */
  const inRoot = (text: string): string => text.replace(/(^|[\s:=])\/(etc|opt|var)\//gm, `$1${root}/$2/`);
  const shell = (script: string): Promise<{ readonly stdout: string }> =>
    promisify(execFile)('bash', ['-e', '-c', inRoot(script)], {
      cwd: opt,
      env: { HOME: root, PATH: `${join(root, 'stubs')}:${process.env['PATH'] ?? ''}` },
    });

  const refusesStrangers = async ({ url }: Served): Promise<void> => {
    const call = httpClient(url, BASE);
    for (const app of bundled) {
      for (const [method, path] of [
        ['GET', knows],
        ['GET', '/records/search?label=a'],
        ['POST', '/accounts/'],
        ['POST', '/oauth/internal/session_create'],
        ['POST', '/oauth/request_token'],
        ['POST', `/apps/${encodeURIComponent(app.id)}/records/x/access_token`],
      ] as const) {
        expect((await call(formerly(app), method, path)).status, `${method} ${path} as ${app.id}`).to.equal(403);
      }
    }
  };

  it('is safe under systemd', async () => {
    const [install = '', operate = ''] = blocksOf('Under systemd');
    await shell(install);
    const unit = inRoot(readFileSync(join(root, 'etc/systemd/system/svc.service'), 'utf8'));
    const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)![1]!;
    const [credential = '', source = ''] = valueOf('LoadCredential').split(':');
    cpSync(source, join(root, 'run/credentials', credential));
    const [program = '', command, ...args] = valueOf('ExecStart').split(' ');
    expect(command).to.equal('serve');
    const [name = '', value = ''] = valueOf('Environment').split('=');
    const served = await serve(
      {
        ...parseEnv(readFileSync(valueOf('EnvironmentFile'), 'utf8')),
        [name]: value.replace('%d', join(root, 'run/credentials')),
        SVC_SECRET_KEY: '',
      },
      args,
      program,
    );
    try {
      await refusesStrangers(served);
      const secret = (await shell(`${operate.replace(/^svc doctor$/m, '')}\nsvc apps secret administration`)).stdout;
      const call = httpClient(served.url, BASE);
      expect((await call(signerWith(bundled[0]!, secret.trim()), 'GET', knows)).status).to.equal(200);
      const looked = await shell(operate).catch((error: unknown) => error as { readonly stdout: string });
      expect(looked.stdout).to.contain('the secrets of 4 apps').and.to.not.contain('everybody knows');
    } finally {
      expect(await served.stop()).to.equal(0);
    }
    expect(served.stderr()).to.not.contain('an app could not be registered');
  });

  for (const leg of databases) {
    it(`is safe in containers, on ${leg.name}`, async () => {
      const [install = ''] = blocksOf('Containers');
      await shell(install);
      const folder = join(opt, 'docs/deploy');
      const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as {
        services: { svc: { command: string; environment: Record<string, string>; volumes: string[] } };
      };
      const { command, environment, volumes } = compose.services.svc;
      const image = readFileSync(inProject('Containerfile'), 'utf8');
      const built = Object.fromEntries(
        [...image.matchAll(/\b(SVC_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, inRoot(value!)]),
      );
      // The volumes and secrets of the container lie elsewhere here.
      expect(volumes).to.include('./manifests:/etc/svc/manifests:ro');
      expect(existsSync(join(folder, 'manifests'))).to.be.true();
      const { url, drop } = await leg.create();
      const served = await serve(
        {
          ...built,
          ...parseEnv(readFileSync(join(folder, 'secrets/svc.env'), 'utf8')),
          ...environment,
          SVC_MANIFESTS_DIR: environment['SVC_MANIFESTS_DIR']!.replace('/etc/svc', folder).replace('/opt/svc', opt),
          SVC_SECRET_KEY_FILE: join(folder, 'secrets/secret-key'),
          SVC_SECRET_KEY: '',
          SVC_DATABASE_URL: url,
        },
        command.split(' ').slice(1),
        join(opt, 'bin/svc'),
      );
      try {
        expect(served.url).to.contain('0.0.0.0');
        await refusesStrangers(served);
      } finally {
        expect(await served.stop()).to.equal(0);
        await drop();
      }
    });
  }
});
