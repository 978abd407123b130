/** svc: the command line: its output, its refusals and its exit codes. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { databases } from '../support/databases';
import { command, environment, serve, svc } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/**
 * Runs a command in this process where possible. A command that keeps running, and one that prints help, gets a process
 * of its own.
 */
const runnerFor = (args: readonly string[]): typeof command =>
  args[0] === undefined || args[0] === 'serve' || args.includes('--help') ? svc : command;

describe('svc', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-bin-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const commands: readonly {
    args: readonly string[];
    settings?: Record<string, string>;
    code: number;
    stdout?: string;
    stderr?: string;
    never?: string;
  }[] = [
    { args: ['--help'], code: 0, stdout: 'serve' },
    { args: ['serve', '--help'], code: 0, stdout: '--workers' },
    { args: [], code: 2, stderr: 'Usage' },
    { args: ['dance'], code: 2, stderr: "unknown command 'dance'" },
    ...(
      [
        ['serv', '(Did you mean serve?)'],
        ['pt', '(Did you mean put?)'],
        ['Verify-Adit', '(Did you mean verify-audit?)'],
        ['export-archive', '(svc --help for usage)'],
      ] as const
    ).map(([typed, stderr]) => ({ args: [typed], code: 2, stderr, never: 'add --help' })),
    { args: ['records', 'lst'], code: 2, stderr: '(svc records --help for usage)' },
    { args: ['routes', '--wrong'], code: 2, stderr: 'unknown option' },
    { args: ['serve', '--workers', 'many'], code: 2, stderr: 'whole number' },
    { args: ['reset'], code: 2, stderr: '--yes' },
    { args: ['ingest'], code: 2, stderr: '(svc ingest --help for usage)' },
    { args: ['routes'], code: 0, stdout: 'document_create' },
    { args: ['check'], settings: { SVC_PORT: 'eighty' }, code: 1, stderr: 'SVC_PORT' },
    { args: ['check'], settings: { SVC_PROT: '80' }, code: 1, stderr: 'SVC_PROT: there is no such setting' },
    {
      args: ['check'],
      settings: { SVC_MANIFESTS_DIR: '/no/such/folder', SVC_MAX_LIMIT: 'x' },
      code: 1,
      stderr: 'SVC_MANIFESTS_DIR: there is no folder /no/such/folder',
    },
    {
      args: ['check'],
      settings: { SVC_DATABASE_URL: 'mysql://me@127.0.0.1/db', SVC_SECRET_KEY: '' },
      code: 1,
      stderr: 'SVC_SECRET_KEY: required with MySQL',
    },
    {
      args: ['doctor'],
      settings: { SVC_DATABASE_URL: 'sqlite::memory:', SVC_SECRET_KEY: '' },
      code: 1,
      stdout: 'svc migrate',
      never: 'cannot be backed up',
    },
    ...['hidden, with a comma', 'hidden in\ntwo lines', ' hidden after a space'].map((key) => ({
      args: ['routes', '--openapi'],
      settings: { SVC_SECRET_KEY: key },
      code: 1,
      stderr: 'SVC_SECRET_KEY: must be one line, without white space',
      never: 'hidden',
    })),
    {
      args: ['demo'],
      settings: { SVC_DATABASE_URL: 'sqlite::memory:' },
      code: 1,
      stderr: 'a database in memory ends with svc demo',
    },
    { args: ['routes', '--openapi'], settings: { SVC_HOST: '::1' }, code: 0, stdout: '"http://[::1]:8000"' },
    { args: ['routes', '--json', '--openapi'], code: 2, stderr: 'cannot be used with' },
    { args: ['migrate', '--status', '--dry-run'], code: 2, stderr: 'cannot be used with' },
    { args: ['outbox', 'drop'], code: 2, stderr: 'name ids, or say --dead or --all' },
    {
      args: ['migrate'],
      settings: { SVC_DATABASE_URL: 'sqlite:/proc/no/such.sqlite' },
      code: 1,
      stderr: 'SVC_DATABASE_URL: the folder /proc/no cannot be made (ENOENT)',
    },
    {
      args: ['check'],
      settings: { SVC_AUTH_SYSTEMS: 'hospital,password' },
      code: 1,
      stderr: 'SVC_AUTH_SYSTEMS: must not name password',
    },
    {
      args: ['check'],
      settings: { SVC_TRUSTED_PROXIES: '127.0.0.1, proxy' },
      code: 1,
      stderr: 'SVC_TRUSTED_PROXIES: must be IP addresses or networks such as 10.0.0.0/8',
    },
    {
      args: ['check'],
      settings: { SVC_DATABASE_URL: 'postgres://me:hidden@host/db' },
      code: 1,
      stderr: 'SVC_DATABASE_URL: write sqlite:PATH',
      never: 'hidden',
    },
    {
      args: ['check'],
      settings: { SVC_DATABASE_URL: 'mysql://me:hidden@host:port/db' },
      code: 1,
      stderr: 'svc: SVC_DATABASE_URL: write mysql://user',
      never: 'hidden',
    },
    {
      args: ['serve'],
      settings: { SVC_DATABASE_URL: 'sqlite://var/x.sqlite' },
      code: 1,
      stderr: 'SVC_DATABASE_URL: write sqlite:PATH without //',
    },
    {
      args: ['check'],
      settings: { SVC_VOCAB_BASE: 'https://x.example/v#' },
      code: 1,
      stderr: 'SVC_VOCAB_BASE: must be an address without a query',
    },
    {
      args: ['check'],
      settings: { SVC_SMTP_URL: 'smtp://u:hidden@h:99999' },
      code: 1,
      stderr: 'SVC_SMTP_URL: write smtp://host:port',
      never: 'hidden',
    },
    { args: ['serve'], settings: { SVC_HOST: 'no host' }, code: 1, stderr: 'SVC_HOST: ' },
    {
      args: ['migrate'],
      settings: { SVC_DATABASE_URL: 'mysql://me@127.0.0.1:port/db' },
      code: 1,
      stderr: 'SVC_DATABASE_URL: write mysql://',
    },
    {
      args: ['clean-up'],
      settings: { SVC_DATABASE_URL: 'sqlite::memory:' },
      code: 1,
      stderr: 'run svc migrate',
      never: 'select',
    },
    {
      args: ['ingest', '/no/such/file', inProject('pipeline-config/procedure/sample-appendectomy.xml')],
      code: 1,
      stdout: 'validation  passed',
      stderr: '/no/such/file: there is no such file',
    },
    {
      args: ['migrate'],
      settings: { SVC_DATABASE_URL: 'mysql://root@127.0.0.1:1/none' },
      code: 1,
      stderr: 'the database does not answer',
    },
  ];
  for (const { args, settings, code, stdout, stderr, never } of commands) {
    it(`${args.join(' ') || '(nothing)'} ${settings ? JSON.stringify(settings) : ''} ends with ${code}`, async () => {
      const ran = await runnerFor(args)(args, settings);
      expect(ran.code, ran.stderr).to.equal(code);
      if (stdout) {
        expect(ran.stdout).to.contain(stdout);
      }
      if (stderr) {
        expect(ran.stderr).to.contain(stderr);
      }
      if (never) {
        expect(`${ran.stdout}${ran.stderr}`).to.not.contain(never);
      }
    });
  }

  const inShell = (line: string, settings: Readonly<Record<string, string>>): ReturnType<typeof spawnSync> =>
    spawnSync('bash', ['-c', line], { cwd: inProject(), env: environment(settings), encoding: 'utf8' });

  it('a reader that goes away early ends no work and takes nothing from its exit code', () => {
    const file = join(folder, 'unread.sqlite');
    const made = inShell('bin/svc migrate | true; exit ${PIPESTATUS[0]}', { SVC_DATABASE_URL: `sqlite:${file}` });
    expect([made.status, made.stderr]).to.equal([0, '']);
    expect(inShell('bin/svc migrate', { SVC_DATABASE_URL: `sqlite:${file}` }).stdout).to.equal(
      'the database is up to date\n',
    );
    expect(
      inShell('bin/svc doctor | true; exit ${PIPESTATUS[0]}', {
        SVC_DATABASE_URL: `sqlite:${join(folder, 'none.sqlite')}`,
      }).status,
    ).to.equal(1);
    expect(inShell('bin/svc check 2>&1 | true; exit ${PIPESTATUS[0]}', { SVC_PORT: 'eighty' }).status).to.equal(1);
  });

  it('says when its standard output cannot be written', { skip: !existsSync('/dev/full') }, () => {
    const ran = inShell('bin/svc routes > /dev/full', {});
    expect([ran.status, ran.stderr]).to.equal([1, 'svc: standard output cannot be written (ENOSPC)\n']);
  });

  it('says when the packages were installed with another Node.js', () => {
    const other = join(folder, 'other');
    const start = (madeFor: string): ReturnType<typeof spawnSync> => {
      writeFileSync(join(other, 'node_modules', '.made-for'), `${madeFor}\n`);
      return spawnSync(process.execPath, [join(other, 'bin', 'svc')], { encoding: 'utf8' });
    };
    for (const part of ['bin', 'node_modules', join('dist', 'bin')]) {
      mkdirSync(join(other, part), { recursive: true });
    }
    cpSync(inProject('bin', 'svc'), join(other, 'bin', 'svc'));
    writeFileSync(join(other, 'dist', 'bin', 'main.js'), "process.stdout.write('started')");
    expect(start(process.versions.modules)).to.include({ status: 0, stdout: 'started' });
    expect(start('1')).to.include({
      status: 1,
      stdout: '',
      stderr: `svc: the packages were installed with another Node.js than this one (${process.version}): run npm ci\n`,
    });
  });

  it('--version is that of the package, so is that of the API reference, and so is the first dated heading of the changelog', async () => {
    const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { version: string };
    expect(await svc(['--version'])).to.include({ code: 0, stdout: `${version}\n`, stderr: '' });
    const described = JSON.parse((await command(['routes', '--openapi'])).stdout) as { info: { version: string } };
    expect(described.info.version).to.equal(version);
    const newest = /^## (.*)$/m.exec(readFileSync(inProject('CHANGELOG.md'), 'utf8'))![1]!;
    expect(newest).to.match(/^(Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/);
    const dated = /^## (\S+) - \d{4}-\d\d-\d\d$/m.exec(readFileSync(inProject('CHANGELOG.md'), 'utf8'))![1]!;
    expect(dated).to.equal(version);
    const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    expect([lock.version, lock.packages['']!.version]).to.equal([version, version]);
  });

  it('routes --json is a list of method, path, name and access', async () => {
    const rows = JSON.parse((await command(['routes', '--json'])).stdout) as Record<string, string>[];
    expect(rows.length).to.be.above(20);
    for (const row of rows) {
      expect(Object.keys(row)).to.equal(['method', 'path', 'name', 'access']);
    }
  });

  it('ingest prints each stage, and exits 1 for what is refused', async () => {
    const good = await command(['ingest', inProject('pipeline-config/procedure/sample-appendectomy.xml')]);
    expect(good.code, good.stderr).to.equal(0);
    expect(good.stdout).to.contain('validation  passed').and.to.contain('name: Appendectomy');
    const bad = await command(['ingest', inProject('pipeline-config/procedure/invalid-no-name.xml')]);
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.contain('invalid_document');
    expect(bad.stderr).to.equal('svc: 1 of 1 file refused\n');
  });

  it('serve tells all problems of models and formats at once, and nothing on stdout', async () => {
    const put = (name: string, text: string): void => {
      mkdirSync(join(folder, 'wrong', name, '..'), { recursive: true });
      writeFileSync(join(folder, 'wrong', name), text);
    };
    put('models/a.yaml', '__modelname__: A\nlimit: String\n');
    put('formats/b/document.yaml', 'document: b\nidentify: { root: B }\nvalidate: { schema: none.xsd }\n');
    const ran = await svc(['serve'], {
      SVC_DATABASE_URL: 'sqlite::memory:',
      SVC_DATAMODELS_DIR: join(folder, 'wrong/models'),
      SVC_PIPELINE_CONFIG_DIR: join(folder, 'wrong/formats'),
    });
    expect(ran.code).to.equal(1);
    expect(ran.stdout).to.equal('');
    expect(ran.stderr)
      .to.match(/a\.yaml:2: .*limit/)
      .and.to.match(/none\.xsd/);
  });

  it('check names file, line and reason of everything that is wrong, all in one run', async () => {
    const pipeline = join(folder, 'pipeline');
    const models = join(folder, 'models');
    const manifests = join(folder, 'manifests');
    const put = (path: string, text: string): void => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text);
    };
    const entry = (name: string, more: string): string =>
      `document: ${name}\nidentify: { root: ${name}, namespace: "urn:x" }\n${more}`;
    put(join(pipeline, 'bad-yaml/document.yaml'), 'document: [unclosed\nidentify: {');
    put(
      join(pipeline, 'unknown-model/document.yaml'),
      entry('UnknownModel', 'transform: { stylesheet: t.xsl }\nstore: { models: [Nowhere] }\n'),
    );
    put(
      join(pipeline, 'unknown-model/t.xsl'),
      '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template ' +
        'match="/"><Models/></xsl:template></xsl:stylesheet>',
    );
    put(join(pipeline, 'bad-schema/document.yaml'), entry('BadSchema', 'validate: { schema: s.xsd }\n'));
    put(
      join(pipeline, 'bad-schema/s.xsd'),
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<xs:element name="a" type="missing"/>\n</xs:schema>',
    );
    put(
      join(pipeline, 'bad-stylesheet/document.yaml'),
      entry('BadStylesheet', 'transform: { stylesheet: t.xsl }\nstore: { models: [Procedure] }\n'),
    );
    put(
      join(pipeline, 'bad-stylesheet/t.xsl'),
      '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">\n<xsl:template match="/["/>\n</xsl:stylesheet>',
    );
    put(join(pipeline, 'twin-a/document.yaml'), 'document: twin-a\nidentify: { root: Twin, namespace: "urn:x" }\n');
    put(join(pipeline, 'twin-b/document.yaml'), 'document: twin-b\nidentify: { root: Twin, namespace: "urn:x" }\n');
    put(join(models, 'reserved.yaml'), '__modelname__: Reserved\nlimit: String\n');
    put(join(models, 'ending.yml'), '__modelname__: Ending\n');
    put(join(pipeline, 'ending/document.yml'), entry('Ending', ''));
    put(join(manifests, 'users/kind/manifest.json'), '{}');
    put(join(manifests, 'user/wrong/manifest.json'), '{ "name": "No id" }');
    put(join(manifests, 'user/wrong/credentials.json'), '{ "consumer_key": "k", "consumer_secret": "s" }');
    const ran = await command(['check'], {
      SVC_PIPELINE_CONFIG_DIR: `${inProject('pipeline-config')}:${pipeline}`,
      SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${models}`,
      SVC_MANIFESTS_DIR: `${inProject('manifests')}:${manifests}`,
    });
    expect(ran.code).to.equal(1);
    const expected: readonly RegExp[] = [
      /bad-yaml\/document\.yaml:\d+: /,
      /unknown-model\/document\.yaml:4: .*Nowhere/,
      /bad-schema\/s\.xsd:2: /,
      /bad-stylesheet\/t\.xsl:2: /,
      /twin-b\/document\.yaml:\d+: .*twin-a\/document\.yaml/,
      /reserved\.yaml:2: .*limit/,
      /wrong\/manifest\.json.*id/,
      /ending\.yml:1: .*name it ending\.yaml/,
      /ending\/document\.yml:1: .*name it document\.yaml/,
      /users\/kind\/manifest\.json:1: .*user\/NAME/,
    ];
    for (const pattern of expected) {
      expect(ran.stderr).to.match(pattern);
    }
  });

  for (const args of [
    ['sync-apps', '--dry-run'],
    ['rotate-key', '--check'],
    ['verify-audit'],
    ['export', 'x', 'x.tar.gz'],
    ['forget', 'x', '--yes'],
    ['clean-up'],
    ['reprocess'],
    ['outbox', 'list'],
    ['import', '/no/such/file'],
    ['codes', 'load', 'x', inProject('README.md')],
    ['serve'],
    ['serve', '--workers', '2'],
  ]) {
    it(`${args.join(' ')} makes neither a database nor a key where there is none`, async () => {
      const empty = mkdtempSync(join(folder, 'empty-'));
      const ran = await runnerFor(args)(args, {
        SVC_DATABASE_URL: `sqlite:${join(empty, 'none.sqlite')}`,
        SVC_SECRET_KEY: '',
        SVC_PORT: '0',
        SVC_AUTO_MIGRATE: '0',
      });
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.contain(
        args[0] === 'import'
          ? '/no/such/file is not there'
          : `SVC_DATABASE_URL: there is no database ${join(empty, 'none.sqlite')}`,
      );
      expect(readdirSync(empty)).to.equal([]);
    });
  }

  it('migrate plans for a database that is not there yet, and makes neither it nor a key', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    for (const option of ['--status', '--dry-run']) {
      const ran = await command(['migrate', option], {
        SVC_DATABASE_URL: `sqlite:${join(empty, 'none.sqlite')}`,
        SVC_SECRET_KEY: '',
      });
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout)
        .to.match(/^pending +001-principals$/m)
        .and.to.not.contain('applied');
    }
    expect(readdirSync(empty)).to.equal([]);
  });

  it('serve makes no key beside a file that is no database', async () => {
    const other = mkdtempSync(join(folder, 'other-'));
    writeFileSync(
      join(other, 'notes'),
      'these are notes and no database, and they are long enough to be looked at as one: '.repeat(20),
    );
    for (const args of [['serve'], ['accounts', 'list'], ['migrate']]) {
      const ran = await runnerFor(args)(args, {
        SVC_DATABASE_URL: `sqlite:${join(other, 'notes')}`,
        SVC_SECRET_KEY: '',
      });
      expect([ran.code, ran.stderr.includes('cannot be opened')], ran.stderr).to.equal([1, true]);
    }
    expect(readdirSync(other)).to.equal(['notes']);
  });

  it('reset leaves a database alone that is being served', async () => {
    const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'served.sqlite')}` };
    const served = await serve(settings);
    const ran = await command(['reset', '--yes'], settings);
    expect([ran.code, ran.stderr]).to.equal([
      1,
      `svc: ${join(folder, 'served.sqlite')} is in use: stop the service first\n`,
    ]);
    expect(await served.stop()).to.equal(0);
    expect((await command(['reset', '--yes'], settings)).code).to.equal(0);
    expect((await command(['verify-audit'], settings)).code).to.equal(0);
  });

  it('reset takes an empty file as the database without tables that it is, and says what to do with a damaged one', async () => {
    const file = join(folder, 'blank.sqlite');
    const settings = { SVC_DATABASE_URL: `sqlite:${file}` };
    writeFileSync(file, '');
    const blank = await command(['reset', '--yes'], settings);
    expect(blank.code, blank.stderr).to.equal(0);
    const whole = readFileSync(file);
    for (const damaged of [
      Buffer.from('hello'),
      Buffer.from(whole).fill(0x5a, 100, 4096),
      Buffer.from(whole).fill(0x5a, 4096),
      whole.subarray(0, 8192),
    ]) {
      writeFileSync(file, damaged);
      const ran = await command(['reset', '--yes'], settings);
      expect([ran.code, ran.stderr]).to.equal([
        1,
        `svc: ${file} is damaged or no SQLite database: move it away, or put a backup in its place with svc restore\n`,
      ]);
    }
  });

  it('check tells what models with __override__ refuse of earlier formats; those of the deployer must fit them', async () => {
    const [first, own, models] = ['first', 'own', 'strict'].map((name) => join(folder, 'override', name)) as [
      string,
      string,
      string,
    ];
    for (const name of ['common', 'allergy', 'problem']) {
      cpSync(inProject('pipeline-config', name), join(first, name), { recursive: true });
    }
    mkdirSync(own);
    cpSync(inProject('docs/strict-vocabularies'), models, { recursive: true });
    const settings = {
      SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${models}`,
      SVC_PIPELINE_CONFIG_DIR: `${first}:${own}`,
    };
    const designed = await command(['check'], settings);
    expect(designed.code, designed.stderr).to.equal(0);
    const told = designed.stderr.split('\n').filter((line) => line.includes('__override__'));
    expect(told.length).to.equal(6);
    told.forEach((line) => expect(line).to.match(/^svc: warning: .*sample-[a-z0-9-]+\.xml:1: .*do(?:es)? not fit/));
    expect(designed.stdout).to.contain('6 of them refused').and.to.contain('all fine');

    // A sample that no model takes is a fault, with an override or without.
    const wrong = join(first, 'problem', 'sample-wrong.xml');
    writeFileSync(
      wrong,
      readFileSync(join(first, 'problem', 'sample-least.xml'), 'utf8').replace('</Problem>', '<no/></Problem>'),
    );
    const broken = await command(['check'], settings);
    expect(broken.code).to.equal(1);
    expect(broken.stderr).to.contain(`svc: ${wrong}:`).and.to.contain('svc: 1 problem found');
    rmSync(wrong);

    ['common', 'problem'].forEach((name) => cpSync(join(first, name), join(own, name), { recursive: true }));
    const definition = join(own, 'problem', 'document.yaml');
    writeFileSync(definition, `${readFileSync(definition, 'utf8')}\noverride: true\n`);
    const unfit = await command(['check'], settings);
    expect(unfit.code).to.equal(1);
    expect(unfit.stderr)
      .to.contain(`svc: ${join(own, 'problem', 'sample-icd-10.xml')}:`)
      .and.to.contain('svc: 2 problems found');
  });

  it('check says that all is fine, and leaves nothing behind', async () => {
    const copy = join(folder, 'copy');
    cpSync(inProject('manifests'), copy, { recursive: true });
    const database = join(folder, 'never.sqlite');
    const ran = await command(['check'], { SVC_DATABASE_URL: `sqlite:${database}`, SVC_MANIFESTS_DIR: copy });
    expect(ran.code, ran.stderr).to.equal(0);
    expect(ran.stdout).to.contain('all fine');
    expect(() => cpSync(database, `${database}.copy`)).to.throw();
  });
});

for (const leg of databases) {
  describe(`svc serve on ${leg.name}`, () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'svc-serve-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('prints one line, answers, and drains on SIGTERM', async () => {
      const { url, drop } = await leg.create();
      const served = await serve({ SVC_DATABASE_URL: url });
      expect((await fetch(`${served.url}/health/ready`)).status).to.equal(200);
      expect(await (await fetch(`${served.url}/version`)).text()).to.match(/^\d+\.\d+\.\d+$/);
      expect(await served.stop()).to.equal(0);
      expect(served.stdout().trim().split('\n').length).to.equal(1);
      await drop();
    });

    it('says once that its port is taken and ends', async () => {
      const { url, drop } = await leg.create();
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const port = String((other.address() as AddressInfo).port);
      const ran = await svc(['serve'], { SVC_DATABASE_URL: url, SVC_PORT: port });
      expect([ran.code, ran.stdout, ran.stderr]).to.equal([
        1,
        '',
        `svc: SVC_PORT: ${port} is in use on 127.0.0.1: stop what listens there, or set another port (0 takes a free one)\n`,
      ]);
      other.close();
      await drop();
    });

    it('migrates, syncs, resets and cleans up', async () => {
      const { url, drop } = await leg.create();
      const settings = { SVC_DATABASE_URL: url };
      for (const args of [
        ['migrate'],
        ['migrate', '--status'],
        ['sync-apps', '--dry-run'],
        ['sync_apps'],
        ['clean-up'],
        ['reset', '--yes'],
        ['reprocess'],
      ]) {
        const ran = await runnerFor(args)(args, settings);
        expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).to.equal(0);
      }
      expect((await command(['sync-apps'], settings)).stdout).to.contain('0 added, 0 updated, 0 removed');
      const models = join(folder, 'new-models');
      mkdirSync(models);
      writeFileSync(join(models, 'new.yaml'), '__modelname__: New\na: String\n');
      const refused = await svc(['serve'], {
        ...settings,
        SVC_AUTO_MIGRATE: '0',
        SVC_PORT: '0',
        SVC_DATAMODELS_DIR: `datamodels:${models}`,
      });
      expect([refused.code, refused.stdout]).to.equal([1, '']);
      expect(refused.stderr).to.contain('run svc migrate').and.to.contain('fact_new');
      rmSync(models, { recursive: true });
      await drop();
    });
  });
}
