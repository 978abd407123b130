/**
 * readme: docs/settings.md lists every setting, CONTRIBUTING.md names files that exist, and the package holds what it
 * should.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject, projectRoot } from '../../core/base/paths';
import { TOOLS } from '../tools/run';
import { settingsPage } from '../tools/settings';

export const lab = Lab.script();
const { describe, it } = lab;

const scripts = (JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

describe('docs/settings.md', () => {
  it('is what the schema of the settings says', () => {
    const page = readFileSync(inProject('docs/settings.md'), 'utf8');
    expect(page).to.contain('| `SVC_PORT` | `8000` | port to listen on');
    expect(page).to.equal(settingsPage());
  });
});

describe('CONTRIBUTING.md', () => {
  const page = readFileSync(inProject('CONTRIBUTING.md'), 'utf8');

  it('names scripts and files that are there', () => {
    const named = [...page.matchAll(/`npm run ([\w:]+)`/g)].map(([, name]) => name!);
    expect(named.length).to.be.above(6);
    expect(named.filter((name) => scripts[name] === undefined)).to.equal([]);
    const files = [
      ...page.matchAll(/\]\(([\w./-]+)\)/g),
      ...page.matchAll(/`((?:core|test|bin|plugins)\/[\w./-]+)`/g),
    ].map(([, path]) => path!);
    expect(files.length).to.be.above(10);
    expect(files.filter((path) => !existsSync(inProject(path)))).to.equal([]);
  });
});

describe('npm run tool', () => {
  const pages = execFileSync('git', ['ls-files', '*.md', '*.ts', '.ci/run'], { cwd: projectRoot, encoding: 'utf8' });

  it('has every tool that a document or a comment names', () => {
    const named = pages
      .split('\n')
      .filter((path) => path !== '' && existsSync(inProject(path)))
      .flatMap((path) => [
        ...readFileSync(inProject(path), 'utf8').matchAll(/npm run (?:--silent )?tool ([a-z][\w-]*)/g),
      ])
      .map(([, name]) => name!);
    expect(named.length).to.be.above(20);
    expect(named.filter((name) => TOOLS[name] === undefined)).to.equal([]);
  });

  it('leads to files that are there', () => {
    const paths = Object.values(TOOLS).flatMap(({ command }) => command.filter((word) => word.startsWith('/')));
    expect(paths.filter((path) => !existsSync(path))).to.equal([]);
  });
});

describe('the package', () => {
  it('holds what is needed and nothing else', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: projectRoot,
      maxBuffer: 1 << 26,
    });
    const files = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path);
    expect(files).to.include([
      'bin/svc',
      'dist/bin/main.js',
      'core/http/reference/examples.json',
      'plugins/reports/ontology.owl',
      'datamodels/medication.yaml',
      'pipeline-config/lab/transform.xsl',
      'manifests/admin/administration/manifest.json',
      'docs/operating.md',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
    ]);
    expect(
      files.filter((path) => /(^|\/)test\/|\.test\.|\.ts$|\.map$|^var\/|\.sqlite|secret\.key$|\.env/.test(path)),
    ).to.equal([]);
  });
});
