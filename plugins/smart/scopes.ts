/** scopes: which scopes there are, and what of those that an app asks for its manifest lets it have. */
import {
  covers,
  parseScope,
  parseScopes,
  wordsOf,
  type ScopeLetter,
  type SmartScope,
} from '../../core/auth/smart-scopes';
import { contextScopes } from '../../core/apps/smart-client';
import { resourceTypes } from '../../core/fhir/elements';

const LETTERS: readonly ScopeLetter[] = ['c', 'r', 'u', 'd', 's'];

/** Every choice of letters in their order. */
const rights: readonly string[] = Array.from({ length: 2 ** LETTERS.length - 1 }, (_, index) =>
  LETTERS.filter((_letter, place) => ((index + 1) >> place) % 2 === 1).join(''),
);

/** All scopes that this service could grant, as the authorization server wants to have them listed. */
export const everyScope = (): readonly string[] => [
  ...contextScopes,
  ...['*', ...resourceTypes()].flatMap((type) =>
    [...rights, 'read', 'write', '*'].map((right) => `patient/${type}.${right}`),
  ),
];

/** What discovery says is supported: nobody wants to read all of them. */
export const shownScopes: readonly string[] = [
  ...contextScopes,
  ...['patient/*.rs', 'patient/*.cruds', 'patient/*.read', 'patient/*.write'],
];

/** What both let do. */
const common = (asked: SmartScope, allowed: SmartScope): string | undefined => {
  const type = asked.type === '*' ? allowed.type : asked.type;
  const letters = LETTERS.filter((letter) => asked.letters.has(letter) && allowed.letters.has(letter));
  const meets = allowed.type === '*' || allowed.type === type;
  return meets && letters.length > 0 ? `patient/${type}.${letters.join('')}` : undefined;
};

const isType = (type: string): boolean => type === '*' || resourceTypes().includes(type);

/**
 * What an app gets of what it asks for: scopes that its ceiling covers as they were written, of the others what both let do.
 * @returns separated by spaces; empty when nothing is left, or nothing of the resources that were asked for
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
  const askedForData = parseScopes(asked).length > 0;
  return askedForData && parseScopes(granted.join(' ')).length === 0 ? '' : [...new Set(granted)].join(' ');
};
