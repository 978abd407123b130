/**
 * mysql-url: what SVC_DATABASE_URL says of a database server: hosts, user, database, and whether the way there is
 * encrypted.
 */
import { isIP } from 'node:net';
import { SetupError } from '../base/errors';

export type MysqlHost = { readonly host: string; readonly port: number };

/**
 * `ssl` is the driver's option: with it, the server's certificate must come from an authority that Node trusts, and
 * must name the host.
 */
type MysqlAddress = {
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly MysqlHost[];
  readonly database: string;
  readonly ssl?: { readonly verifyIdentity: true };
};

const malformed = new SetupError([
  'SVC_DATABASE_URL: write mysql://user:pass@host:port/db, several host:port separated by commas; special ' +
    'characters in user, pass and db as %XX; ?tls=1 after it, and no other option, encrypts',
]);

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformed;
  }
}

/** `host`, `host:port` or `[IPv6]:port`. */
function parseHost(text: string): MysqlHost {
  const [, address, name, port = '3306'] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = address ?? name;
  if (host === undefined || Number(port) > 65_535) {
    throw malformed;
  }
  return { host, port: Number(port) };
}

/** Refuses IP addresses: the driver would compare the certificate with the name localhost, which proves nothing. */
function refuseAddresses(hosts: readonly MysqlHost[]): void {
  const address = hosts.find(({ host }) => isIP(host) !== 0);
  if (address) {
    throw new SetupError([
      `SVC_DATABASE_URL: with tls=1 write the name that the server's certificate has, not the address ${address.host}`,
    ]);
  }
}

/**
 * Reads `mysql://user:pass@host:port[,host:port]/db[?tls=1]`.
 * @throws SetupError that says what may be written, and never holds the password
 */
export function parseMysqlUrl(url: string): MysqlAddress {
  // Several hosts do not fit the URL grammar, so they are taken out before the rest is parsed.
  const match = /^mysql:\/\/(?:([^@/]*)@)?([^@/]+)\/([^?/]+)(\?tls=1)?$/.exec(url);
  if (!match) {
    throw malformed;
  }
  const [user = '', ...password] = (match[1] ?? '').split(':');
  const hosts = (match[2] ?? '').split(',').map(parseHost);
  const address = {
    user: unescaped(user),
    password: unescaped(password.join(':')),
    hosts,
    database: unescaped(match[3] ?? ''),
  };
  if (match[4] === undefined) {
    return address;
  }
  refuseAddresses(hosts);
  return { ...address, ssl: { verifyIdentity: true } };
}
