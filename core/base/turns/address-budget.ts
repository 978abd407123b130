/**
 * address-budget: limits what strangers may ask of a process, by the network that they call from. It is kept in memory,
 * so that a flood writes nothing.
 */
import type { Clock } from '../clock';
import { errors } from '../errors';
import { limitInTurn } from './limit';
import { networkOf } from '../networks';
import { TokenBucket } from './token-bucket';

/** How many networks are counted apart; all further ones are counted together. */
const NETWORKS = 10_000;
/** How many calls of all networks wait. */
const WAITING = 50;

/** Takes more from the budget of the caller. @throws AppError too_many_requests when nothing is left */
export type Spend = (cost: number) => void;

/**
 * Does work for a caller from this address. Only one work runs at a time, and networks take turns.
 * @throws AppError too_many_requests when the network has used up its budget; unavailable when too many wait
 */
export type AddressBudget = <T>(address: string, work: (spend: Spend) => Promise<T>) => Promise<T>;

/** @param eachMinute what one network may ask in a minute; 0 means any number */
export function makeAddressBudget(clock: Clock, eachMinute: number): AddressBudget {
  const buckets = new Map<string, TokenBucket>();
  const inTurn = limitInTurn(1, WAITING, () => errors.unavailable('too many ask at once'));
  const bucketOf = (network: string): TokenBucket => {
    if (!buckets.has(network) && buckets.size >= NETWORKS) {
      [...buckets].filter(([, one]) => one.isFull(clock.now())).forEach(([name]) => buckets.delete(name));
    }
    const name = buckets.has(network) || buckets.size < NETWORKS ? network : '';
    const bucket = buckets.get(name) ?? new TokenBucket({ atOnce: eachMinute, eachMinute }, clock.now());
    buckets.set(name, bucket);
    return bucket;
  };
  return (address, work) => {
    const network = networkOf(address);
    const spend: Spend = (cost) => {
      if (eachMinute === 0) {
        return;
      }
      const bucket = bucketOf(network);
      if (!bucket.has(clock.now())) {
        throw errors.tooManyRequests(bucket.secondsUntilSome(clock.now()));
      }
      bucket.take(cost);
    };
    spend(1);
    return inTurn(network, () => work(spend));
  };
}
