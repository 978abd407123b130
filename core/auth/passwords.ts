/** passwords: hashes and checks passwords with argon2id. A check costs the same whether the account exists or not. */
import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';
import { errors } from '../base/errors';
import { limitInTurn, type TurnOwner } from '../base/turns/limit';
import { faultInWords, MAX_PASSWORD_BYTES, normalPassword, passwordFault } from './password-rule';

export type Passwords = {
  /**
   * What is wrong with a password that is to be set; undefined: nothing.
   * @param names full name, user name and addresses of the person
   */
  readonly problem: (password: string, names: readonly string[]) => string | undefined;
  /**
   * @param asker who asks, here and below: askers take turns. @throws errors.unavailable when too many wait
   */
  readonly hash: (password: string, asker?: Asker) => Promise<string>;
  /** @param stored null for an unknown user; the result is false after the same work */
  readonly verify: (stored: string | null, password: string, asker?: Asker) => Promise<boolean>;
};

/**
 * Whose turn it is: first that of a network, and among those who ask from there that of a name. 600 wrong passwords, at
 * some 40 ms each, would otherwise keep a right one waiting for 25 s. Turns by app do not help: the website is one.
 */
type Asker = TurnOwner;

/** The work of one hash. */
export type HashCost = Pick<Options, 'memoryCost' | 'timeCost' | 'parallelism'>;

/** 19 MiB and two rounds, as OWASP recommends; argon2id is the library's default algorithm. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At most this many passwords may wait for their check: a minute of work for one processor. */
const MAX_WAITING = 1000;

/**
 * @param least characters that a new password must have, SVC_PASSWORD_LEAST
 * @param cost work of each hash; no setting lowers it, only tests that start hundreds of services do
 */
export function makePasswords(least: number, cost: HashCost = COST): Passwords {
  // Each hash takes 19 MiB: running more at once than there are processors would cost memory and gain nothing.
  const turn = limitInTurn(availableParallelism(), MAX_WAITING, () => errors.unavailable('too many sign in at once'));
  let nobody: Promise<string> | undefined;
  return {
    problem: (password, names) => {
      const fault = passwordFault(password, least, names);
      return fault && faultInWords(fault, least);
    },
    hash: (password, asker = '') => turn(asker, () => hash(normalPassword(password), cost)),
    verify: async (stored, password, asker = '') => {
      const tooLong = Buffer.byteLength(normalPassword(password)) > MAX_PASSWORD_BYTES;
      nobody ??= hash('the hash that stands in for unknown users', cost);
      const expected = stored ?? (await nobody);
      const matches = await turn(asker, () => verify(expected, tooLong ? '' : normalPassword(password)));
      return matches && stored !== null && !tooLong;
    },
  };
}
