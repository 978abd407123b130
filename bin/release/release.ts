/**
 * release: `npm run release`: writes the files of a release to `release/`: the package (for machines that compile), the
 * archive with compiled engines (for machines that do not), the list of its parts (CycloneDX), the notes of the
 * CHANGELOG, and the digests of all of them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { projectRoot } from '../../core/base/paths';
import { slim } from './slim';

const version = (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version;
const name = `svc-${version}`;
/** Compiled engines work on one system, one kind of processor and one major version of Node.js only. */
const platform = `${process.platform}-${process.arch}-node${process.versions.node.split('.')[0]}`;
const target = join(projectRoot, 'release');

function npm(folder: string, ...words: readonly string[]): string {
  return execFileSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function reportStep(line: string): void {
  process.stderr.write(`release: ${line}\n`);
}

/** The package as npm makes it, under the service's own short name. */
function makePackage(): string {
  const [made] = JSON.parse(npm(projectRoot, 'pack', '--json', '--ignore-scripts', '--pack-destination', target)) as {
    filename: string;
  }[];
  const path = join(target, `${name}.tgz`);
  renameSync(join(target, made!.filename), path);
  return path;
}

/** The same files with all packages that run, engines compiled, and nothing for development. */
async function makeArchive(packagePath: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'svc-release-'));
  try {
    const folder = join(work, name);
    mkdirSync(folder);
    await extract({ file: packagePath, cwd: folder, strip: 1 });
    for (const file of ['package-lock.json', '.npmrc']) {
      cpSync(join(projectRoot, file), join(folder, file));
    }
    cpSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    npm(folder, 'prune', '--omit=dev', '--ignore-scripts');
    slim(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'node_modules', '.made-for'), `${process.versions.modules}\n`);
    const file = join(target, `${name}-${platform}.tar.gz`);
    await create({ file, cwd: work, gzip: { level: 9 }, portable: true, mtime: new Date(0) }, [name]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The part of the CHANGELOG about this release, or else about what is not released yet. */
export function notesOf(changelog: string, wanted: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((text) => text.startsWith(`${wanted} `) || text.startsWith(`${wanted}\n`)) ?? parts[0] ?? '';
  return `# ${part.trim()}\n`;
}

function digests(): string {
  return readdirSync(target)
    .filter((file) => file !== 'SHA256SUMS')
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(target, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}

async function makeRelease(): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  reportStep('the package');
  const packagePath = makePackage();
  reportStep(`the archive with compiled engines for ${platform}`);
  await makeArchive(packagePath);
  reportStep('the list of its parts');
  writeFileSync(
    join(target, `${name}.cdx.json`),
    npm(projectRoot, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'),
  );
  writeFileSync(join(target, 'NOTES.md'), notesOf(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'), version));
  writeFileSync(join(target, 'SHA256SUMS'), digests());
  for (const file of readdirSync(target).sort()) {
    process.stdout.write(`${join('release', file)}\n`);
  }
}

if (require.main === module) {
  void makeRelease();
}
