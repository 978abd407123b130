/**
 * page-key: a key of this installation for what pages show and take back: it proves that the service itself wrote it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { toTimestamp, type Clock } from '../base/clock';
import type { Database } from '../db/database';
import { keepInstallationText } from '../audit/store';
import type { Sealing } from './sealing';

/** A proof for a text, and for one purpose only; in base64url. */
export type Prove = (purpose: string, text: string) => string;

const NAME = 'page_key';

type Parts = { readonly database: Database; readonly sealing: Sealing; readonly clock: Clock };

/** The key is made once. It is the same in every process, and stays when `SVC_SECRET_KEY` changes. */
export async function openPageKey({ database, sealing, clock }: Parts): Promise<Prove> {
  const kept = (await database.reads('installation').where({ name: NAME }).first('content')) as
    { content: string } | undefined;
  const sealed =
    kept?.content ??
    (await database.transaction((trx) =>
      keepInstallationText(trx, NAME, sealing.seal(randomBytes(32).toString('base64url')), toTimestamp(clock.now())),
    ));
  const key = Buffer.from(sealing.open(sealed), 'base64url');
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
}
