/**
 * certificates: a private certificate authority and certificates from it, made by openssl in a folder that the caller
 * removes.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type Authority = {
  /** The file for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /** Writes `server.pem` and `server.key` for a name, and replaces those of an earlier name. */
  readonly certify: (name: string) => void;
};

export const makeAuthority = (folder: string): Authority => {
  const make = (name: string, subject: string, more: readonly string[]): void => {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${subject}`,
        '-keyout',
        join(folder, `${name}.key`),
        '-out',
        join(folder, `${name}.pem`),
        ...more,
      ],
      { stdio: 'pipe' },
    );
  };
  make('authority', 'authority of a test', []);
  return {
    file: join(folder, 'authority.pem'),
    certify: (name) =>
      make('server', name, [
        '-CA',
        join(folder, 'authority.pem'),
        '-CAkey',
        join(folder, 'authority.key'),
        '-addext',
        `subjectAltName=DNS:${name}`,
      ]),
  };
};
