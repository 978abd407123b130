/** load: settings that cannot work, each with its reason, and what a .env file may contain. */
import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { SetupError } from '../../../core/base/errors';
import { loadConfig, readDotEnv } from '../../../core/config/load';
import { removeFolder, writeFolder } from '../../support/formats';

export const lab = Lab.script();
const { describe, it } = lab;

describe('readDotEnv', () => {
  it('reads lines, and takes a missing file as none', () => {
    const folder = writeFolder({ '.env': '# a comment\nSVC_PORT=8001\n' });
    expect(readDotEnv(join(folder, '.env'))).to.equal({ SVC_PORT: '8001' });
    expect(readDotEnv(join(folder, 'none'))).to.equal({});
    removeFolder(folder);
  });

  it('names lines that are no settings, and never what they say', () => {
    const allowed =
      '\uFEFF# a comment\r\n\r\nexport SVC_PORT=8001 # why\r\n  SVC_HOST: 127.0.0.1\nSVC_SECRET_KEY="two\nlines ' +
      '\\" and a quote\n"\nSVC_LOG_LEVEL=\nOTHER.NAME-1=it\'s\n';
    const folder = writeFolder({
      'good.env': allowed,
      'bad.env': "SVC_PORT=1\nSVC_SECRET_KEY hidden\nSVC_NOTE='a\nhidden'\n[svc]\nSVC_HOST : hidden\n",
    });
    expect(Object.keys(readDotEnv(join(folder, 'good.env')))).to.equal([
      'SVC_PORT',
      'SVC_HOST',
      'SVC_SECRET_KEY',
      'SVC_LOG_LEVEL',
      'OTHER.NAME-1',
    ]);
    const bad = join(folder, 'bad.env');
    const problems = [2, 5, 6].map(
      (line) => `${bad}:${line}: this line is no setting: write NAME=value, or put # before it`,
    );
    expect(() => readDotEnv(bad)).to.throw(SetupError, problems.join('\n'));
    removeFolder(folder);
  });

  it('names a folder that is called so', () => {
    const folder = writeFolder({});
    mkdirSync(join(folder, '.env'));
    expect(() => readDotEnv(join(folder, '.env'))).to.throw(
      SetupError,
      `${join(folder, '.env')}: this is a folder: settings are lines of a file`,
    );
    removeFolder(folder);
  });
});

describe('loadConfig', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ['SVC_DATABASE_URL', 'mysql:/me:hidden@host/db', 'write mysql://user'],
    ['SVC_DATABASE_URL', 'mysql://h/', 'write mysql://user'],
    ['SVC_DATABASE_URL', 'mysql://me@10.0.0.1/db?tls=1', 'with tls=1 write the name'],
    ['SVC_BASE_URL', 'https://phr.example/?a=b', 'must be an address without a query'],
    ['SVC_BASE_URL', 'https://phr.example#a', 'must be an address without a query'],
    ['SVC_BASE_URL', 'https://phr.example:99999', 'must be an address with a port'],
    ['SVC_BASE_URL', 'https://me:hidden@phr.example', 'must be an address without a user'],
    ['SVC_VOCAB_BASE', 'https://x.example/a&b', 'must be an address without & <'],
    ['SVC_VOCAB_BASE', "https://x.example/a'b", 'must be an address without & <'],
    [
      'SVC_VOCAB_BASE',
      'https://x.example/a b',
      'must be an address that begins with http:// or https://, without spaces',
    ],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nowhere', 'must be an address that begins with http:// or https://'],
    ['SVC_SMTP_URL', 'smtp:host', 'write smtp://host:port'],
    ['SVC_MAIL_DIR', __filename, `${__filename} is no folder`],
    ['SVC_PIPELINE_CONFIG_DIR', `${__filename}/x`, 'there is no folder'],
    ['SVC_PORTT', '1', 'there is no such setting; the nearest: SVC_PORT'],
    ['SVC_SECRET_KEY', 'hidden', 'must be at least 16 characters'],
    ['SVC_SECRET_KEY', 'the newer key hidden,short', 'must be at least 16 characters'],
    ['SVC_SECRET_KEY', 'the newer key hidden, the older key hidden', 'must be one line, without white space'],
    ['SVC_SECRET_KEY_OTHERS', 'hidden', 'there is no such setting any more: write these keys into SVC_SECRET_KEY'],
    ['SVC_UPLOAD_DIR', '/srv/files', 'there is no such setting any more: files that wait lie in uploads beside'],
    ['SVC_UI_BASE_URL', 'https://u:hidden@phr.example:99999', 'must be an address with a port'],
  ];
  for (const [name, value, reason] of refused) {
    it(`refuses ${name}=${value} and never repeats a password`, () => {
      let problem = 'it was taken';
      try {
        loadConfig({ [name]: value });
      } catch (error) {
        problem = (error as SetupError).problems.join('\n');
      }
      expect(problem.startsWith(`${name}: ${reason}`), problem).to.be.true();
      expect(problem).to.not.contain('hidden');
    });
  }

  it('takes addresses with a path, and several database servers', () => {
    const given = {
      SVC_BASE_URL: 'https://phr.example/svc/',
      SVC_VOCAB_BASE: 'https://x.example/v/',
      SVC_UI_BASE_URL: 'https://phr.example/#',
      SVC_DATABASE_URL: 'mysql://me:s%40c@one:3307,two/db',
      SVC_SMTP_URL: 'smtps://me:pw@[::1]:465',
    };
    expect(loadConfig(given)).to.include({
      baseUrl: 'https://phr.example/svc',
      vocabBase: 'https://x.example/v',
      uiBaseUrl: 'https://phr.example/#',
      databaseUrl: given.SVC_DATABASE_URL,
      smtpUrl: given.SVC_SMTP_URL,
    });
    expect(loadConfig({ SVC_DATABASE_URL: 'sqlite:/srv/x.sqlite' }).databaseUrl).to.equal('sqlite:/srv/x.sqlite');
    expect(loadConfig({ SVC_DATABASE_URL: 'sqlite:///srv/x.sqlite' }).databaseUrl).to.equal('sqlite:///srv/x.sqlite');
  });

  it('keeps files that wait on the disk of the database or of the heads, whose folder is there for long', () => {
    const mysql = { SVC_DATABASE_URL: 'mysql://me:pw@db/svc' };
    const head = { SVC_AUDIT_HEAD: join(tmpdir(), 'audit.head') };
    const syslog = { SVC_AUDIT_HEAD: 'syslog:', SVC_AUDIT_SYSLOG: 'tls://[::1]:6514' };
    expect(loadConfig({ ...head, SVC_DATABASE_URL: 'sqlite:/srv/svc/x.sqlite' }).uploadDir).to.equal(
      '/srv/svc/uploads',
    );
    expect(loadConfig({ ...head, ...mysql }).uploadDir).to.equal(join(tmpdir(), 'uploads'));
    expect(loadConfig({ ...syslog, ...mysql }).uploadDir).to.equal(join(tmpdir(), `svc-uploads-${userInfo().uid}`));
  });

  it('wants the audit log told to a server or a file that can be', () => {
    for (const [settings, says] of [
      [{ SVC_AUDIT_HEAD: 'syslog:' }, /SVC_AUDIT_HEAD: syslog: needs the address/],
      [{ SVC_AUDIT_HEAD: '/' }, /SVC_AUDIT_HEAD: this is a folder: name a file/],
      [
        { SVC_AUDIT_HEAD: '/nowhere/at/all/audit.head' },
        /SVC_AUDIT_HEAD: there is no folder \/nowhere\/at\/all: make it/,
      ],
      [{ SVC_AUDIT_HEAD: '/etc/hostname/audit.head' }, /SVC_AUDIT_HEAD: there is no folder \/etc\/hostname/],
      [{ SVC_AUDIT_SYSLOG: 'http://logs.example:514' }, /SVC_AUDIT_SYSLOG: must be udp/],
      [{ SVC_AUDIT_SYSLOG: 'tcp://logs.example' }, /SVC_AUDIT_SYSLOG: must be udp/],
      [{ SVC_AUDIT_ANONYMOUS_DAYS: '-1' }, /SVC_AUDIT_ANONYMOUS_DAYS/],
    ] as const) {
      expect(() => loadConfig(settings)).to.throw(says);
    }
    // The service makes the folder of its database.
    const beside = { SVC_DATABASE_URL: 'sqlite:/nowhere/svc.sqlite', SVC_AUDIT_HEAD: '/nowhere/audit.head' };
    expect(loadConfig(beside).auditHead).to.equal('/nowhere/audit.head');
    expect(loadConfig({ SVC_AUDIT_HEAD: 'syslog:', SVC_AUDIT_SYSLOG: 'tls://[::1]:6514' })).to.include({
      auditHead: 'syslog:',
      auditSyslog: 'tls://[::1]:6514',
      auditAnonymousDays: 90,
    });
  });
});
