/** password-rule: which passwords a person may choose. */
import { readFileSync } from 'node:fs';
import { inProject } from '../base/paths';

/** What is wrong with a new password. Pages have a text for each. */
type PasswordFault = 'short' | 'long' | 'common' | 'name';

export const MAX_PASSWORD_BYTES = 1024;

/** Shorter names occur in many words by chance. */
const SHORTEST_NAME = 4;

export function normalPassword(password: string): string {
  return password.normalize('NFC');
}

let common: ReadonlySet<string> | undefined;

/** The 10,000 commonest passwords, in lower case. Lines that begin with `#` and a space are comments. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(inProject('core', 'auth', 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  );
  return common;
}

/** The parts of names and addresses that a password must not hold: words, and what stands before an @. */
function nameParts(names: readonly string[]): readonly string[] {
  return names
    .map((name) => name.normalize('NFC').toLowerCase())
    .flatMap((name) => [name, ...name.replace(/@.*$/, '').split(/[\s._+-]+/u)])
    .filter((part) => [...part].length >= SHORTEST_NAME);
}

/**
 * What is wrong with a new password; undefined when nothing is.
 * @param least characters, SVC_PASSWORD_LEAST
 * @param names full name, user name and addresses of the person
 */
export function passwordFault(password: string, least: number, names: readonly string[]): PasswordFault | undefined {
  const normal = normalPassword(password);
  if ([...normal].length < least) {
    return 'short';
  }
  if (Buffer.byteLength(normal) > MAX_PASSWORD_BYTES) {
    return 'long';
  }
  const plain = normal.toLowerCase();
  if (commonPasswords().has(plain)) {
    return 'common';
  }
  return nameParts(names).some((part) => plain.includes(part)) ? 'name' : undefined;
}

/** The fault in words, for the interface and the command line. */
export function faultInWords(fault: PasswordFault, least: number): string {
  return {
    short: `it must have at least ${least} characters`,
    long: `it must have at most ${MAX_PASSWORD_BYTES} bytes`,
    common: 'it is one of the 10,000 commonest passwords',
    name: 'it must not hold the name or the address of its person',
  }[fault];
}
