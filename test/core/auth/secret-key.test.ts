/** secret-key: the setting, a file made once, or a refusal to start. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { secretKeyOf } from '../../../core/auth/secret-key';
import { SetupError } from '../../../core/base/errors';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('secret key', () => {
  let folder: string;
  before(() => { folder = mkdtempSync(join(tmpdir(), 'svc-key-')); });
  after(() => rmSync(folder, { recursive: true }));

  it('is the setting when there is one', () => {
    expect(secretKeyOf({ secretKey: 'a key of the operator', databaseUrl: 'mysql://x/y' })).to.equal('a key of the operator');
  });

  it('is required with MySQL', () => {
    expect(() => secretKeyOf({ secretKey: '', databaseUrl: 'mysql://root@127.0.0.1/svc' })).to.throw(SetupError, /SVC_SECRET_KEY: required with MySQL/);
  });

  it('is made once beside the database file, readable by its owner only', () => {
    const config = { secretKey: '', databaseUrl: `sqlite:${join(folder, 'a', 'svc.sqlite')}` };
    const key = secretKeyOf(config);
    expect(key).to.match(/^[\w-]{43}$/);
    expect(secretKeyOf(config)).to.equal(key);
    const file = join(folder, 'a', 'secret.key');
    expect(readFileSync(file, 'utf8').trim()).to.equal(key);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(folder, 'a'))).to.equal(['secret.key']);
  });

  it('is new each time for a database in memory', () => {
    const config = { secretKey: '', databaseUrl: 'sqlite::memory:' };
    expect(secretKeyOf(config)).to.not.equal(secretKeyOf(config));
  });

  it('that became too short is refused instead of replaced', () => {
    const config = { secretKey: '', databaseUrl: `sqlite:${join(folder, 'b', 'svc.sqlite')}` };
    secretKeyOf(config);
    writeFileSync(join(folder, 'b', 'secret.key'), '\n');
    expect(() => secretKeyOf(config)).to.throw(SetupError, /restore the file/);
  });

  it('is one for processes that start at once', async () => {
    const module = require.resolve('../../../core/auth/secret-key');
    const script = `process.stdout.write(require(${JSON.stringify(module)}).secretKeyOf({ secretKey: '', databaseUrl: ${JSON.stringify(`sqlite:${join(folder, 'c', 'svc.sqlite')}`)} }))`;
    const runs = await Promise.all(Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['-e', script])));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).to.equal(1);
  });
});
