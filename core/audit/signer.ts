/**
 * signer: signs the audit log's checkpoints with this installation's own key (Ed25519), and keeps them outside the
 * database.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { keepInstallationText } from './store';
import { makeOutside, nowhere, type Outside } from './outside';
import type { AuditKey } from './key';

export type AuditSigner = AuditKey & {
  /** Keeps checkpoints outside the database. */ readonly outside: Outside;
};

const KEY_NAME = 'audit_key';

function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The sealed key as it is stored; undefined before the first start. */
export function sealedAuditKey({ reads }: Database): Promise<string | undefined> {
  return reads('installation')
    .where({ name: KEY_NAME })
    .first('content')
    .then((row: { content: string } | undefined) => row?.content);
}

function readAuditKey(pem: string): AuditKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  return {
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    verify: (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

type SignerOptions = {
  readonly config: Config;
  /** Warns an operator of failures outside the database. */ readonly warn?: (problem: string) => void;
};

function warnOnTerminal(problem: string): void {
  process.stderr.write(`svc: ${problem}\n`);
}

/**
 * The signer of this installation. Its key is made at the first start and kept sealed in the database, so that all
 * processes share it and the database alone is not enough to forge a signature.
 * @param options without them, nothing is kept outside the database
 * @throws SetupError when the key was sealed under another SVC_SECRET_KEY
 */
export async function openAuditSigner(
  database: Database,
  sealing: Sealing,
  clock: Clock,
  options?: SignerOptions,
): Promise<AuditSigner> {
  const sealed = await database.transaction((trx) =>
    keepInstallationText(trx, KEY_NAME, sealing.seal(newSigningKey()), toTimestamp(clock.now())),
  );
  let pem: string;
  try {
    pem = sealing.open(sealed);
  } catch {
    throw new SetupError([
      'the key of the audit log cannot be opened: it was sealed under another SVC_SECRET_KEY, or changed since',
    ]);
  }
  const key = readAuditKey(pem);
  const outside = options
    ? makeOutside({ database, clock, key, sealing, config: options.config, warn: options.warn ?? warnOnTerminal })
    : nowhere;
  return { ...key, outside };
}
