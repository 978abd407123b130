/** secret-key: the setting, a file made once, or a refusal to start. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { presentSecretKeys, secretKeysOf } from '../../../core/auth/secret-key';
import { makeSealing } from '../../../core/auth/sealing';
import { SetupError } from '../../../core/base/errors';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('secret key', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const settings = (database: string, secretKey = '', secretKeyOthers: readonly string[] = []) => ({
    secretKey,
    secretKeyOthers,
    databaseUrl: database,
  });
  const inFolder = (name: string): string => `sqlite:${join(folder, name, 'svc.sqlite')}`;

  it('is the setting when there is one, and the others after it', () => {
    expect(secretKeysOf(settings('mysql://x/y', 'a key of the operator'))).to.equal(['a key of the operator']);
    expect(secretKeysOf(settings('mysql://x/y', 'a key of the operator', ['the next key', 'one more']))).to.equal([
      'a key of the operator',
      'the next key',
      'one more',
    ]);
  });

  it('is required with MySQL', () => {
    expect(() => secretKeysOf(settings('mysql://root@127.0.0.1/svc'))).to.throw(
      SetupError,
      /SVC_SECRET_KEY: required with MySQL/,
    );
  });

  it('is made once beside the database file, readable by its owner only', () => {
    const config = settings(inFolder('a'));
    expect(presentSecretKeys(config)).to.be.undefined();
    const [key] = secretKeysOf(config);
    expect(key).to.match(/^[\w-]{43}$/);
    expect(secretKeysOf(config)).to.equal([key]);
    expect(presentSecretKeys(config)).to.equal([key]);
    const file = join(folder, 'a', 'secret.key');
    expect(readFileSync(file, 'utf8').trim()).to.equal(key);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(folder, 'a'))).to.equal(['secret.key']);
  });

  it('from the file opens what the others of the setting sealed', () => {
    const sealed = makeSealing(['the key that comes next']).seal('secret');
    expect(makeSealing(secretKeysOf(settings(inFolder('a'), '', ['the key that comes next']))).open(sealed)).to.equal(
      'secret',
    );
  });

  it('is new each time for a database in memory', () => {
    const config = settings('sqlite::memory:');
    expect(secretKeysOf(config)).to.not.equal(secretKeysOf(config));
    expect(presentSecretKeys(config)?.length).to.equal(1);
  });

  const spoiled: readonly { readonly how: string; readonly text: string; readonly says: RegExp }[] = [
    { how: 'became too short', text: '\n', says: /restore the file/ },
    {
      how: 'has several lines',
      text: 'a key of the operator\nanother key of the operator\n',
      says: /name the others in SVC_SECRET_KEY_OTHERS/,
    },
  ];
  for (const { how, text, says } of spoiled) {
    it(`that ${how} is refused instead of replaced`, () => {
      const config = settings(inFolder('b'));
      secretKeysOf(config);
      writeFileSync(join(folder, 'b', 'secret.key'), text);
      expect(() => secretKeysOf(config)).to.throw(SetupError, says);
      rmSync(join(folder, 'b'), { recursive: true });
    });
  }

  it('that cannot be read is named', () => {
    mkdirSync(join(folder, 'd', 'secret.key'), { recursive: true });
    expect(() => secretKeysOf(settings(inFolder('d')))).to.throw(
      SetupError,
      `${join(folder, 'd', 'secret.key')}: the secret key cannot be read (EISDIR): this user must be allowed to, or give its text in SVC_SECRET_KEY`,
    );
  });

  it('is one for processes that start at once', async () => {
    const module = require.resolve('../../../core/auth/secret-key');
    const script = `process.stdout.write(require(${JSON.stringify(module)}).secretKeysOf(${JSON.stringify(settings(inFolder('c')))})[0])`;
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['-e', script])),
    );
    expect(new Set(runs.map(({ stdout }) => stdout)).size).to.equal(1);
  });
});
