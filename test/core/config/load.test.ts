/** load: settings that cannot work, each with its reason, and what a .env file may be. */
import { mkdirSync } from 'node:fs';
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

  it('names a folder that is called so', () => {
    const folder = writeFolder({});
    mkdirSync(join(folder, '.env'));
    expect(() => readDotEnv(join(folder, '.env'))).to.throw(SetupError, `${join(folder, '.env')}: this is a folder; settings are lines of a file`);
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
    ['SVC_VOCAB_BASE', 'https://x.example/a&b', 'must be an address without & <'],
    ['SVC_PLATFORM_BASE', 'https://x.example/a\'b', 'must be an address without & <'],
    ['SVC_VOCAB_BASE', 'https://x.example/a b', 'must be a valid uri'],
    ['SVC_SMTP_URL', 'smtp:host', 'write smtp://host:port'],
    ['SVC_DEFAULT_CARENETS', 'Family,Work, Family', 'must not have a name twice'],
    ['SVC_DEFAULT_CARENETS', 'x'.repeat(41), 'must be names of at most 40 characters'],
    ['SVC_MAIL_DIR', __filename, `${__filename} is no folder`],
    ['SVC_PIPELINE_CONFIG_DIR', `${__filename}/x`, 'there is no folder'],
    ['SVC_REQUIRE_BODY_HSAH', '1', 'there is no such setting'],
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
    const given = { SVC_BASE_URL: 'https://phr.example/svc/', SVC_VOCAB_BASE: 'https://x.example/v/', SVC_UI_BASE_URL: 'https://phr.example/#', SVC_DATABASE_URL: 'mysql://me:s%40c@one:3307,two/db', SVC_SMTP_URL: 'smtps://me:pw@[::1]:465' };
    expect(loadConfig(given)).to.include({ baseUrl: 'https://phr.example/svc', vocabBase: 'https://x.example/v', uiBaseUrl: 'https://phr.example/#', databaseUrl: given.SVC_DATABASE_URL, smtpUrl: given.SVC_SMTP_URL });
    expect(loadConfig({ SVC_DATABASE_URL: 'sqlite:/srv/x.sqlite' }).databaseUrl).to.equal('sqlite:/srv/x.sqlite');
    expect(loadConfig({ SVC_DATABASE_URL: 'sqlite:///srv/x.sqlite' }).databaseUrl).to.equal('sqlite:///srv/x.sqlite');
  });
});
