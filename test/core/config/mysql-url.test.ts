/** mysql-url: which URLs are accepted, and which are refused without showing the password. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { SetupError } from '../../../core/base/errors';
import { parseMysqlUrl } from '../../../core/config/mysql-url';

export const lab = Lab.script();
const { describe, it } = lab;

const refusal = (url: string): string => {
  try {
    return `read as ${JSON.stringify(parseMysqlUrl(url))}`;
  } catch (error) {
    return error instanceof SetupError ? error.problems.join('\n') : String(error);
  }
};

describe('the address of a database server', () => {
  it('has hosts, user, password and database', () => {
    expect(parseMysqlUrl('mysql://ann:s%40c:t@one:3307,[::1]:3308,two/my%2Fdb')).to.equal({
      user: 'ann',
      password: 's@c:t',
      hosts: [
        { host: 'one', port: 3307 },
        { host: '::1', port: 3308 },
        { host: 'two', port: 3306 },
      ],
      database: 'my/db',
    });
    expect(parseMysqlUrl('mysql://127.0.0.1/db')).to.equal({
      user: '',
      password: '',
      hosts: [{ host: '127.0.0.1', port: 3306 }],
      database: 'db',
    });
  });

  it('is encrypted with tls=1, and certificate and name are verified', () => {
    expect(parseMysqlUrl('mysql://ann:secret@one,two:3307/db?tls=1')).to.equal({
      user: 'ann',
      password: 'secret',
      hosts: [
        { host: 'one', port: 3306 },
        { host: 'two', port: 3307 },
      ],
      database: 'db',
      ssl: { verifyIdentity: true },
    });
  });

  it('has no other option', () => {
    for (const options of [
      '?',
      '?tls',
      '?tls=0',
      '?tls=true',
      '?tls=1&',
      '?tls=1&charset=latin1',
      '?charset=latin1&tls=1',
      '?ssl=1',
      '?TLS=1',
      '?tls=1#',
    ]) {
      expect(refusal(`mysql://ann:secret@one/db${options}`), options)
        .to.match(/^SVC_DATABASE_URL: write mysql:\/\/.*\?tls=1/)
        .and.to.not.contain('ann:secret');
    }
  });

  it('names its hosts as their certificates do', () => {
    for (const hosts of ['10.0.0.1', 'one,10.0.0.1:3306', '[::1]:3306']) {
      expect(refusal(`mysql://ann:secret@${hosts}/db?tls=1`), hosts).to.match(
        /^SVC_DATABASE_URL: with tls=1 write the name that the server's certificate has, not the address (10\.0\.0\.1|::1)$/,
      );
    }
  });

  it('is refused when it is none', () => {
    for (const url of [
      'mysql://one',
      'mysql://one/',
      'mysql://one:port/db',
      'mysql://one:70000/db',
      'mysql://a:%zz@one/db',
      'mysql://one,/db',
    ]) {
      expect(refusal(url), url).to.match(/^SVC_DATABASE_URL: write mysql:\/\//);
    }
  });
});
