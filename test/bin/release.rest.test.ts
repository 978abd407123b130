/**
 * release: the archive with compiled engines starts on a machine that has only Node.js: no packages, no compiler, no
 * sources.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { extract } from 'tar';
import { inProject, projectRoot } from '../../core/base/paths';
import { notesOf } from '../../bin/release/release';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const BWRAP = '/usr/bin/bwrap';
const words = (text: string): readonly string[] => text.split(' ');
const present = (path: string): readonly string[] => (existsSync(path) ? ['--ro-bind', path, path] : []);

describe('npm run release', { skip: !existsSync(BWRAP) }, () => {
  let folder: string;
  const made = inProject('release');
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-release-test-'));
    await promisify(execFile)('npm', ['run', '--silent', 'release'], { cwd: projectRoot, maxBuffer: 1 << 26 });
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  });

  const archive = (): string => readdirSync(made).find((name) => name.endsWith('.tar.gz'))!;

  it('makes files whose digests fit, and a list of parts', () => {
    const lines = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(lines).to.have.length(readdirSync(made).length - 1);
    for (const line of lines) {
      const [digest, file] = line.split('  ') as [string, string];
      expect(
        createHash('sha256')
          .update(readFileSync(join(made, file)))
          .digest('hex'),
      ).to.equal(digest);
    }
    const parts = readdirSync(made).find((name) => name.endsWith('.cdx.json'))!;
    const list = JSON.parse(readFileSync(join(made, parts), 'utf8')) as {
      bomFormat: string;
      components: readonly { name: string }[];
    };
    expect(list.bomFormat).to.equal('CycloneDX');
    const names = list.components.map(({ name }) => name);
    expect(names).to.include(['@hapi/hapi', 'knex', 'libxml2-wasm']);
    expect(names).to.not.include('eslint');
  });

  it('takes the notes of the release, or the unreleased ones while it has none', () => {
    const changelog = '# Changelog\n\n## Unreleased\n- new\n\n## 1.0.0 - 2026-12-01\n- old\n';
    expect(notesOf(changelog, '1.0.0')).to.equal('# 1.0.0 - 2026-12-01\n- old\n');
    expect(notesOf(changelog, '1.1.0')).to.equal('# Unreleased\n- new\n');
  });

  it('serves from the archive in a tree without packages, compiler and sources', async () => {
    await extract({ file: join(made, archive()), cwd: folder });
    const [name] = readdirSync(folder);
    mkdirSync(join(folder, 'var'));
    const child = spawn(
      BWRAP,
      [
        ...words('--unshare-user --unshare-pid --die-with-parent --proc /proc --dev /dev --tmpfs /tmp'),
        ...words('/bin/sh /bin/env /usr/bin/env /lib /lib64').flatMap(present),
        ...words('/usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu').flatMap(present),
        ...['--ro-bind', process.execPath, '/usr/bin/node', '--ro-bind', join(folder, name!), '/opt/svc'],
        ...['--bind', join(folder, 'var'), '/data', '--chdir', '/opt/svc'],
        ...words('--clearenv --setenv PATH /usr/bin:/bin --setenv SVC_PORT 0 --setenv SVC_MAIL_DIR /data/mail'),
        ...words('--setenv SVC_DATABASE_URL sqlite:/data/svc.sqlite --setenv SVC_AUDIT_HEAD /data/audit.head'),
        ...words('bin/svc serve'),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const url = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        const found = /svc listening on (\S+)/.exec(out)?.[1];
        if (found !== undefined) {
          resolve(found);
        }
      });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)));
    });
    try {
      expect(await (await fetch(new URL('/version', url))).text()).to.equal('2.0.0');
      expect((await fetch(new URL('/my/welcome', url))).status).to.equal(200);
    } finally {
      child.kill('SIGTERM');
    }
  });
});
