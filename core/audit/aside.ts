/**
 * aside: keeps audit rows while another process's lock keeps them out of the database. They are durable in a second
 * file, in chains of their own whose ends are kept outside like all others. When the lock is gone, they are moved into
 * the log unchanged.
 */
import type { Clock } from '../base/clock';
import type { Aside } from '../db/aside';
import type { Database } from '../db/database';
import { isLocked } from '../db/db-errors';
import { moveAudit } from './aside-store';
import type { AuditSigner } from './signer';
import { makeAuditWriter, type AuditWriter } from './writer';

type Parts = {
  readonly database: Database;
  readonly signer: AuditSigner;
  readonly clock: Clock;
  readonly aside: Aside;
};

/**
 * Moves the rows of the second file into the log, whichever process wrote them. Two processes may do so at the same
 * time.
 * @returns how many rows were moved
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

/**
 * Makes an audit writer that uses the second file while the log is locked. Rows that an earlier process left there are
 * moved into the log, too.
 */
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
      // If the log is still locked, the next start moves the rows.
      await bringIn(parts).catch(() => undefined);
    },
  };
};
