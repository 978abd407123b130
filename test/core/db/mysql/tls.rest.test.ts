/**
 * tls: the connection to the database is encrypted when the setting says so, to a server whose certificate is trusted
 * and names the host.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { openDatabase } from '../../../../core/db/open';
import { makeAuthority, type Authority } from '../../../support/certificates';
import { findMariadb, startMariadb, type Mariadb } from '../../../support/mariadb';
import { environment, svc } from '../../../support/svc';
import { direct } from '../../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const program = findMariadb();
if (!program && process.env['SVC_REQUIRE_MYSQL'] === '1') {
  throw new Error('SVC_REQUIRE_MYSQL=1, but mariadbd is not installed: apt-get install mariadb-server');
}

/** A process of its own, because Node reads its trusted certificate authorities at the start. */
const cipherScript = `
  const { openDatabase } = require(${JSON.stringify(inProject('dist', 'core', 'db', 'open.js'))});
  const cipher = (database) => database.reads.rows("select sleep(0.2) as slept, variable_value as cipher from information_schema.session_status where variable_name = 'ssl_cipher'", []);
  (async () => {
    const database = await openDatabase(process.env.SVC_DATABASE_URL, 3);
    const rows = await Promise.all([cipher(database), cipher(database), cipher(database)]);
    await database.close();
    process.stdout.write(rows.map(([row]) => row.cipher).join(' '));
  })().catch((error) => { process.stderr.write(error.problems.join('\\n')); process.exitCode = 1; });
`;

describe('an encrypted way to the database', { skip: !program }, () => {
  let folder: string;
  let authority: Authority;
  let server: Mariadb;
  let url: string;
  const trusting = (): Record<string, string> => ({ NODE_EXTRA_CA_CERTS: authority.file });
  const onServer = async (...statements: readonly string[]): Promise<void> => {
    const database = await openDatabase(`${server.url}/information_schema`, 1);
    for (const statement of statements) {
      await direct(database).raw(statement);
    }
    await database.close();
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-tls-'));
    authority = makeAuthority(folder);
    authority.certify('localhost');
    server = await startMariadb(program!, [
      `--ssl-cert=${join(folder, 'server.pem')}`,
      `--ssl-key=${join(folder, 'server.key')}`,
    ]);
    await onServer(
      'create database svc',
      "create user svc@'127.0.0.1' identified by 'hidden' require ssl",
      "grant all on svc.* to svc@'127.0.0.1'",
    );
    url = `${server.url.replace('root@127.0.0.1', 'svc:hidden@localhost')}/svc`;
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is taken by every connection when the certificate is trusted', async () => {
    const ran = await promisify(execFile)(process.execPath, ['-e', cipherScript], {
      env: environment({ ...trusting(), SVC_DATABASE_URL: `${url}?tls=1` }),
    });
    expect(ran.stdout).to.match(/^(TLS_\w+|[A-Z\d]+(-[A-Z\d]+)+)( \1){2}$/);
  });

  it('serves the command line', async () => {
    const settings = { ...trusting(), SVC_DATABASE_URL: `${url}?tls=1` };
    const migrated = await svc(['migrate'], settings);
    expect(migrated.code, migrated.stderr).to.equal(0);
    const examined = await svc(['doctor', '--json'], settings);
    expect(examined.stdout).to.contain(' answers').and.to.not.contain('hidden');
  });

  it('is not taken unless it is asked for', async () => {
    // The database requires encryption from this user.
    await expect(openDatabase(url, 1)).to.reject(/^SVC_DATABASE_URL: the database does not answer: Access denied/);
  });

  it('is refused when nobody vouches for the certificate, whatever else Node is told', async () => {
    await expect(openDatabase(`${url}?tls=1`, 1)).to.reject(
      /^SVC_DATABASE_URL: no encrypted connection to the database \(.*certificate.*\): its certificate must /,
    );
    const ran = await svc(['migrate'], {
      SVC_DATABASE_URL: `${url}?tls=1`,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    });
    expect(ran.code).to.equal(1);
    expect(ran.stderr)
      .to.match(/^svc: SVC_DATABASE_URL: no encrypted connection to the database \(.*NODE_EXTRA_CA_CERTS names\n$/)
      .and.to.not.contain('hidden');
  });

  it('is refused when the certificate names another host', async () => {
    authority.certify('other.example');
    await onServer('flush ssl');
    const ran = await svc(['migrate'], { ...trusting(), SVC_DATABASE_URL: `${url}?tls=1` });
    expect(ran.code).to.equal(1);
    expect(ran.stderr).to.match(
      /^svc: SVC_DATABASE_URL: no encrypted connection to the database \(.*localhost.*other\.example\)/,
    );
  });

  it('is refused when the server has none', async () => {
    const plain = await startMariadb(program!, ['--skip-ssl']);
    try {
      const ran = await svc(['migrate'], {
        ...trusting(),
        SVC_DATABASE_URL: `${plain.url.replace('127.0.0.1', 'localhost')}/mysql?tls=1`,
      });
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.match(
        /^svc: SVC_DATABASE_URL: no encrypted connection to the database \(Server does not support secure connection\)/,
      );
    } finally {
      await plain.stop();
    }
  });
});
