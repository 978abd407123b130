/**
 * nonces-aside: while another process locks the database, nonces are claimed in a second file, and stay there until they
 * expire. Each claim in one of the two places is followed by a look into the other. So if two requests bring the same nonce
 * at the same time, at least one sees the other and is refused, wherever they claimed it.
 */
import type { Clock } from '../base/clock';
import type { Aside } from '../storage/aside';
import type { Database } from '../storage/database';
import { isLocked } from '../storage/db-errors';
import { makeNonces, noncesEnd, type Nonce, type Nonces } from './nonces';

export const makeNoncesWithAside = (database: Database, clock: Clock, aside: Aside): Pick<Nonces, 'claim'> => {
  const main = makeNonces(database, clock);
  const others = new WeakMap<Database, Nonces>();

  const noncesOn = (other: Database): Nonces => {
    const known = others.get(other) ?? makeNonces(other, clock);
    others.set(other, known);
    return known;
  };

  const claimAside = async (nonce: Nonce): Promise<boolean> => {
    const other = await aside.open();
    if (!(await noncesOn(other).claim(nonce))) {
      return false;
    }
    // The audit row may go to the database, if the lock has ended by then, so it does not make this claim durable.
    await other.durable();
    return !(await main.isClaimed(nonce));
  };

  return {
    claim: async (nonce) => {
      try {
        if (!(await main.claim(nonce))) {
          return false;
        }
      } catch (error) {
        if (!isLocked(error)) {
          throw error;
        }
        return claimAside(nonce);
      }
      const other = await aside.found();
      return other === undefined || !(await noncesOn(other).isClaimed(nonce));
    },
  };
};

/** Deletes those of the second file that have expired; by the time of the database, as `noncesEnd` says. */
export const cleanUpAside = async (database: Database, clock: Clock, aside: Aside): Promise<void> => {
  const other = await aside.found();
  const end = await noncesEnd(database, clock);
  await other?.write((trx) => trx('nonce').where('expires_at', '<', end).delete());
};
