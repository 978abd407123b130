/**
 * aside: audit rows that a lock of another process keeps out of the database. They are durable in a second file, in
 * chains of their own whose ends are told outside like all others, and are brought into the log, as they are, when the
 * lock is gone.
 */
import type { Clock } from '../base/clock';
import type { Aside } from '../storage/aside';
import type { Database } from '../storage/database';
import { isLocked } from '../storage/db-errors';
import { moveAudit } from '../storage/stores/audit-aside';
import type { AuditSigner } from './signer';
import { makeAuditWriter, type AuditWriter } from './writer';

type Parts = {
  readonly database: Database;
  readonly signer: AuditSigner;
  readonly clock: Clock;
  readonly aside: Aside;
};

/**
 * Brings in what is aside, whichever process wrote it, and answers how many rows that were. Two that do so at once do no harm.
 * @throws errors.unavailable while the database is locked
 */
export const bringIn = async ({ database, signer, aside }: Omit<Parts, 'clock'>): Promise<number> => {
  const other = await aside.found();
  if (!other) {
    return 0;
  }
  for (let rows = 0; ;) {
    const moved = await moveAudit(other, database, signer.outside.handOver);
    rows += moved.rows;
    if (!moved.more) {
      return rows;
    }
  }
};

const AGAIN_MILLISECONDS = 500;

/** Rows that an earlier process left aside are brought in, too. */
export const makeAuditWithAside = (parts: Parts): AuditWriter => {
  const { database, signer, clock, aside } = parts;
  const main = makeAuditWriter(parts);
  let late: Promise<AuditWriter> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let bringing: Promise<unknown> = Promise.resolve();

  const makeLate = async (): Promise<AuditWriter> => {
    const { write, transaction, durable, ...rest } = await aside.open();
    // The checkpoints of the signer belong to the log of the database. Rows go to syslog once they are in that log.
    const { keep, settled } = signer.outside;
    return makeAuditWriter({
      database: { ...rest, write, transaction, durable, reads: database.reads },
      signer: { ...signer, outside: { keep, settled } },
      clock,
    });
  };

  const bringInSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      bringing = bringIn(parts).catch(bringInSoon);
    }, AGAIN_MILLISECONDS).unref();
  };

  aside.found()?.then(bringInSoon, bringInSoon);

  return {
    write: async (facts) => {
      try {
        await main.write(facts);
      } catch (error) {
        if (!isLocked(error)) {
          throw error;
        }
        late ??= makeLate().catch((failure: unknown) => {
          late = undefined;
          throw failure;
        });
        await (await late).write(facts);
        // The nonce of the call may be in the database, and nothing else has made it durable.
        await database.durable();
        bringInSoon();
      }
    },
    drain: async () => {
      await main.drain();
      await (await late?.catch(() => undefined))?.drain();
      clearTimeout(timer);
      await bringing;
      // When the log is still locked, the next start brings the rows in.
      await bringIn(parts).catch(() => undefined);
    },
  };
};
