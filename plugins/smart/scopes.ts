/**
 * scopes: lists the scopes that exist, and reduces the scopes that an app asks for to those that its manifest allows.
 */
import {
  covers,
  parseScope,
  parseScopes,
  wordsOf,
  type ScopeLetter,
  type SmartScope,
} from '../../core/tokens/smart-scopes';
import { contextScopes } from '../../core/apps/smart-client';
import { resourceTypes } from '../../core/fhir/elements';

const LETTERS: readonly ScopeLetter[] = ['c', 'r', 'u', 'd', 's'];

/** Every combination of the letters, in their order. */
const rights: readonly string[] = Array.from({ length: 2 ** LETTERS.length - 1 }, (_, index) =>
  LETTERS.filter((_letter, place) => ((index + 1) >> place) % 2 === 1).join(''),
);

/** All scopes that this service can grant. The authorization server needs the whole list. */
export const everyScope = (): readonly string[] => [
  ...contextScopes,
  ...['*', ...resourceTypes()].flatMap((type) =>
    [...rights, 'read', 'write', '*'].map((right) => `patient/${type}.${right}`),
  ),
];

/** The scopes that the discovery document names: the whole list would be too long to read. */
export const shownScopes: readonly string[] = [
  ...contextScopes,
  ...['patient/*.rs', 'patient/*.cruds', 'patient/*.read', 'patient/*.write'],
];

/** The scope that covers what both scopes allow; undefined when that is nothing. */
const common = (asked: SmartScope, allowed: SmartScope): string | undefined => {
  const type = asked.type === '*' ? allowed.type : asked.type;
  const letters = LETTERS.filter((letter) => asked.letters.has(letter) && allowed.letters.has(letter));
  const meets = allowed.type === '*' || allowed.type === type;
  return meets && letters.length > 0 ? `patient/${type}.${letters.join('')}` : undefined;
};

/** A scope that asks for data, known or not, such as `patient/Observation.rs?category=laboratory`. */
const OF_DATA = /^(?:patient|user|system)\//;

const isType = (type: string): boolean => type === '*' || resourceTypes().includes(type);

/**
 * The scopes that an app gets of those that it asks for. A scope that the ceiling covers is granted as it was written.
 * Of any other scope, the app gets the part that the ceiling allows, too.
 * @returns scopes separated by spaces; empty when nothing is left, or when scopes of resources were asked for and none
 * of them is left
 */
export const grantable = (asked: string, ceiling: string): string => {
  const allowed = wordsOf(ceiling);
  const allowedScopes = parseScopes(ceiling);
  const granted = wordsOf(asked).flatMap((word) => {
    const scope = parseScope(word);
    if (!scope) {
      return allowed.includes(word) && contextScopes.some((known) => known === word) ? [word] : [];
    }
    if (!isType(scope.type)) {
      return [];
    }
    return covers(allowedScopes, scope) ? [word] : allowedScopes.flatMap((one) => common(scope, one) ?? []);
  });
  const askedForData = wordsOf(asked).some((word) => OF_DATA.test(word));
  return askedForData && parseScopes(granted.join(' ')).length === 0 ? '' : [...new Set(granted)].join(' ');
};
