/**
 * nonces-aside: claims nonces in a second file while another process locks the database. They stay there until they
 * expire. After each claim in one of the two places, the other place is checked. So if two requests bring the same
 * nonce at the same time, at least one sees the other and is refused, wherever they claimed it.
 */
import type { Clock } from '../base/clock';
import type { Aside } from '../db/aside';
import type { Database } from '../db/database';
import { isLocked } from '../db/db-errors';
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
    // The audit row may be written to the database if the lock has ended by then, so it does not make this claim
    // durable.
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

/** Deletes the expired nonces of the second file. The time of the database decides, as `noncesEnd` says. */
export const cleanUpAside = async (database: Database, clock: Clock, aside: Aside): Promise<void> => {
  const other = await aside.found();
  const end = await noncesEnd(database, clock);
  await other?.write((trx) => trx('nonce').where('expires_at', '<', end).delete());
};
