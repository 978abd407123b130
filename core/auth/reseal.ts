/**
 * reseal: seals every stored secret with the current key while the service runs. It skips a secret that another request
 * changes meanwhile, because that request uses the current key, too.
 */
import type { Database } from '../db/database';
import type { Sealing } from './sealing';

/** Every column that holds sealed texts, with the key of its table. */
export const sealedColumns: readonly { readonly table: string; readonly key: string; readonly column: string }[] = [
  { table: 'app', key: 'id', column: 'consumer_secret' },
  { table: 'account', key: 'id', column: 'primary_secret' },
  { table: 'account', key: 'id', column: 'secondary_secret' },
  { table: 'second_factor', key: 'account_id', column: 'secret' },
  { table: 'session_token', key: 'token_hash', column: 'secret' },
  { table: 'access_token', key: 'token_hash', column: 'secret' },
  { table: 'request_token', key: 'token_hash', column: 'secret' },
  { table: 'request_token', key: 'token_hash', column: 'verifier' },
  { table: 'smart_request', key: 'request_hash', column: 'content' },
  { table: 'smart_code', key: 'code_hash', column: 'content' },
  { table: 'record', key: 'id', column: 'content_key' },
  { table: 'health_link', key: 'id', column: 'sealed' },
  { table: 'record_invitation', key: 'id', column: 'sealed' },
  { table: 'outbox', key: 'id', column: 'payload' },
  { table: 'installation', key: 'name', column: 'content' },
];

/**
 * The form of a sealed text: a key id, a dot, and base64url at least as long as that of an empty text. Other texts in
 * these columns are no secrets.
 */
const SEALED = /^[\w-]{8}\.[\w-]{38,}$/;
const PART = 500;

type ResealCounts = {
  readonly resealed: number;
  /** The number of texts sealed with an unknown key. */ readonly unreadable: number;
  readonly current: number;
};

/**
 * @param dryRun true to count only
 * @param step called once for each text
 */
export async function reseal(
  { reads, write }: Database,
  sealing: Sealing,
  dryRun: boolean,
  step: () => void = () => undefined,
): Promise<ResealCounts> {
  const counts = { resealed: 0, unreadable: 0, current: 0 };
  const one = async (table: string, key: string, column: string, id: string, sealed: string): Promise<void> => {
    if (sealing.isCurrent(sealed)) {
      counts.current += 1;
      return;
    }
    let plain: string;
    try {
      plain = sealing.open(sealed);
    } catch {
      counts.unreadable += 1;
      return;
    }
    if (!dryRun) {
      await write((trx) =>
        trx(table)
          .where({ [key]: id, [column]: sealed })
          .update({ [column]: sealing.seal(plain) }),
      );
    }
    counts.resealed += 1;
  };
  for (const { table, key, column } of sealedColumns) {
    let after = '';
    for (;;) {
      const rows = (await reads(table)
        .where(key, '>', after)
        .whereNotNull(column)
        .orderBy(key)
        .limit(PART)
        .select({ id: key, sealed: column })) as { id: string; sealed: string }[];
      if (rows.length === 0) {
        break;
      }
      for (const { id, sealed } of rows.filter((row) => SEALED.test(row.sealed))) {
        await one(table, key, column, id, sealed);
        step();
      }
      after = rows.at(-1)!.id;
    }
  }
  return counts;
}
