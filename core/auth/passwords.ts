/** passwords: argon2id hashes; the work is the same whether the account exists or not. */
import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';
import { limit } from '../base/limit';

export type Passwords = {
  /** Undefined when the password may be set, else what is wrong with it. */
  readonly problem: (password: string) => string | undefined;
  readonly hash: (password: string) => Promise<string>;
  /** @param stored null for an unknown user: false after the same work */
  readonly verify: (stored: string | null, password: string) => Promise<boolean>;
};

/** 19 MiB and two rounds, the size that OWASP recommends; argon2id is the library's default algorithm. */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MAX_PASSWORD_BYTES = 1024;

const normal = (password: string): string => password.normalize('NFC');

/** Undefined when the password may be set, else what is wrong with it. @param least characters, SVC_PASSWORD_LEAST */
export const passwordProblem = (password: string, least: number): string | undefined => {
  if ([...normal(password)].length < least) {
    return `it must have at least ${least} characters`;
  }
  return Buffer.byteLength(normal(password)) > MAX_PASSWORD_BYTES
    ? `it must have at most ${MAX_PASSWORD_BYTES} bytes`
    : undefined;
};

/** @param least characters of a password that is set, SVC_PASSWORD_LEAST */
export const makePasswords = (least: number): Passwords => {
  // Each takes 19 MiB: more at once than there are processors would cost memory and gain nothing.
  const turn = limit(availableParallelism());
  let nobody: Promise<string> | undefined;
  return {
    problem: (password) => passwordProblem(password, least),
    hash: (password) => turn(() => hash(normal(password), options)),
    verify: async (stored, password) => {
      const tooLong = Buffer.byteLength(normal(password)) > MAX_PASSWORD_BYTES;
      nobody ??= hash('the hash that stands in for unknown users', options);
      const expected = stored ?? (await nobody);
      const matches = await turn(() => verify(expected, tooLong ? '' : normal(password)));
      return matches && stored !== null && !tooLong;
    },
  };
};
