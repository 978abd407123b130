/**
 * secret-key: the key comes from the setting or from a file that is made once; otherwise the service refuses to start.
 */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { presentSecretKeys, secretKeysOf } from '../../../core/auth/secret-key';
import { makeSealing } from '../../../core/auth/sealing';
import { SetupError } from '../../../core/base/errors';
import { loadConfig } from '../../../core/config/load';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('secret key', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const settings = (database: string, secretKey = '') => ({ secretKey, databaseUrl: database });
  const inFolder = (name: string): string => `sqlite:${join(folder, name, 'svc.sqlite')}`;

  it('is the setting when there is one, and others stand behind commas', () => {
    expect(secretKeysOf(settings('mysql://x/y', 'a key of the operator'))).to.equal(['a key of the operator']);
    expect(secretKeysOf(settings('mysql://x/y', 'a key of the operator,the key before it,one more before'))).to.equal([
      'a key of the operator',
      'the key before it',
      'one more before',
    ]);
  });

  it('is what a file holds, or what a command prints once', () => {
    const file = join(folder, 'elsewhere.key');
    writeFileSync(file, 'a key of the operator\n');
    const none = settings('mysql://x/y');
    expect(secretKeysOf({ ...none, secretKeyFile: file })).to.equal(['a key of the operator']);
    writeFileSync(file, 'a key of the operator\nthe key, as it was\n');
    expect(secretKeysOf({ ...none, secretKeyFile: file })).to.equal(['a key of the operator', 'the key, as it was']);
    const counted = join(folder, 'runs');
    const command = { ...none, secretKeyCommand: `echo run >> '${counted}'; echo 'a key that is printed'` };
    expect([secretKeysOf(command), presentSecretKeys(command)]).to.equal([
      ['a key that is printed'],
      ['a key that is printed'],
    ]);
    expect(readFileSync(counted, 'utf8')).to.equal('run\n');
  });

  for (const [place, problem] of [
    [{ secretKeyFile: '/nowhere/at/all' }, /^\/nowhere\/at\/all: the secret key cannot be read \(ENOENT\)/],
    [{ secretKeyFile: '/dev/null' }, /^\/dev\/null: the key is shorter than 16 characters/],
    [{ secretKeyCommand: 'exit 3' }, /^SVC_SECRET_KEY_COMMAND: the command failed \(exit code 3\)/],
    [{ secretKeyCommand: 'echo short' }, /^SVC_SECRET_KEY_COMMAND: the key is shorter/],
    [{ secretKeyCommand: 'echo 0123456789abcdef; echo more' }, /^SVC_SECRET_KEY_COMMAND: the key is shorter/],
    [{ secretKeyCommand: 'echo "# made in November"; echo 0123456789abcdef' }, /a line begins with # or -----/],
    [
      { secretKeyCommand: 'echo "-----BEGIN PRIVATE KEY-----"; echo 0123456789abcdef' },
      /a line begins with # or -----/,
    ],
  ] as const) {
    it(`stops the start for ${JSON.stringify(place)}`, () => {
      expect(() => secretKeysOf({ ...settings('mysql://x/y'), ...place })).to.throw(SetupError, problem);
    });
  }

  it('comes from one place', () => {
    expect(() => loadConfig({ SVC_SECRET_KEY: 'a key of the operator', SVC_SECRET_KEY_COMMAND: 'true' })).to.throw(
      SetupError,
      'SVC_SECRET_KEY_COMMAND: SVC_SECRET_KEY gives the key already: set one of them only',
    );
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

  it('from the file opens what a key on a further line sealed', () => {
    const sealed = makeSealing(['the key that was before']).seal('secret');
    appendFileSync(join(folder, 'a', 'secret.key'), 'the key that was before\n');
    expect(makeSealing(secretKeysOf(settings(inFolder('a')))).open(sealed)).to.equal('secret');
  });

  it('is new each time for a database in memory', () => {
    const config = settings('sqlite::memory:');
    expect(secretKeysOf(config)).to.not.equal(secretKeysOf(config));
    expect(presentSecretKeys(config)?.length).to.equal(1);
  });

  const spoiled: readonly { readonly how: string; readonly text: string; readonly says: RegExp }[] = [
    { how: 'became too short', text: '\n', says: /restore the file/ },
    {
      how: 'got an empty line',
      text: 'a key of the operator\n\nanother key of the operator\n',
      says: /restore the file/,
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
      `${join(folder, 'd', 'secret.key')}: the secret key cannot be read (EISDIR): this user must be allowed to, ` +
        'or give its text in SVC_SECRET_KEY',
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
