/**
 * scopes: lists the scopes that exist, and reduces the scopes that an app asks for to those that its manifest allows.
 */
import {
  covers,
  parseScope,
  parseSystemScope,
  parseSystemScopes,
  parseScopes,
  scopeWords,
  type ScopeLetter,
  type SmartScope,
} from '../../core/tokens/smart-scopes';
import { categoriesOf, granularTypes, isWithin, type Category } from '../../core/tokens/granular-scopes';
import { contextScopes } from '../../core/apps/smart-client';
import { resourceTypes } from '../../core/fhir/elements';

const LETTERS: readonly ScopeLetter[] = ['c', 'r', 'u', 'd', 's'];

/** The combinations that only read. */
const READING: readonly string[] = ['r', 's', 'rs'];

/** Every combination of the letters, in their order. */
const rights: readonly string[] = Array.from({ length: 2 ** LETTERS.length - 1 }, (_, index) =>
  LETTERS.filter((_letter, place) => ((index + 1) >> place) % 2 === 1).join(''),
);

/** All scopes that this service can grant. The authorization server needs the whole list. */
export function everyScope(): readonly string[] {
  return [
    ...contextScopes,
    ...['*', ...resourceTypes()].flatMap((type) =>
      [...rights, 'read', 'write', '*'].map((right) => `patient/${type}.${right}`),
    ),
    ...['*', ...resourceTypes()].flatMap((type) => READING.concat('read').map((right) => `system/${type}.${right}`)),
    ...granularTypes.flatMap((type) =>
      categoriesOf(type).flatMap((category) =>
        ['patient', 'system'].flatMap((of) => READING.map((right) => `${of}/${type}.${right}?category=${category}`)),
      ),
    ),
  ];
}

/** The scopes that the discovery document names: the whole list would be too long to read. */
export const shownScopes: readonly string[] = [
  ...contextScopes,
  ...['patient/*.rs', 'patient/*.cruds', 'patient/*.read', 'patient/*.write'],
  ...granularTypes.flatMap((type) =>
    categoriesOf(type)
      .filter((category) => category.includes('|'))
      .map((category) => `patient/${type}.rs?category=${category}`),
  ),
];

/** The scope that covers what both scopes allow; undefined when that is nothing. */
function common(asked: SmartScope, allowed: SmartScope): string | undefined {
  const type = asked.type === '*' ? allowed.type : asked.type;
  const letters = LETTERS.filter((letter) => asked.letters.has(letter) && allowed.letters.has(letter));
  const meets = allowed.type === '*' || asked.type === '*' || allowed.type === type;
  const category = narrower(asked.category, allowed.category);
  if (!meets || letters.length === 0 || category === undefined) {
    return undefined;
  }
  return `patient/${type}.${letters.join('')}${category === '' ? '' : `?category=${category}`}`;
}

/** The category that is within both; empty: all of the type. Undefined when nothing needs to be in both. */
function narrower(one: Category, other: Category): Category | undefined {
  if (one === '' || other === '') {
    return one || other;
  }
  if (isWithin(one, other)) {
    return one;
  }
  return isWithin(other, one) ? other : undefined;
}

/** A scope that asks for data, known or not, such as `patient/Observation.rs?category=laboratory`. */
const OF_DATA = /^(?:patient|user|system)\//;

function isType(type: string): boolean {
  return type === '*' || resourceTypes().includes(type);
}

/**
 * The scopes that an app gets of those that it asks for. A scope that the ceiling covers is granted as it was written.
 * Of any other scope, the app gets the part that the ceiling allows, too.
 * @returns scopes separated by spaces; empty when nothing is left, or when scopes of resources were asked for and none
 * of them is left
 */
export function grantable(asked: string, ceiling: string): string {
  const allowed = scopeWords(ceiling);
  const allowedScopes = parseScopes(ceiling);
  const granted = scopeWords(asked).flatMap((word) => {
    const scope = parseScope(word);
    if (!scope) {
      return allowed.includes(word) && contextScopes.some((known) => known === word) ? [word] : [];
    }
    if (!isType(scope.type)) {
      return [];
    }
    return covers(allowedScopes, scope) ? [word] : allowedScopes.flatMap((one) => common(scope, one) ?? []);
  });
  const askedForData = scopeWords(asked).some((word) => OF_DATA.test(word));
  return askedForData && parseScopes(granted.join(' ')).length === 0 ? '' : [...new Set(granted)].join(' ');
}

/**
 * The first scope that an app which acts by itself may not have, or the empty text when it asks for none.
 * @returns undefined when it may have all that it asks for
 */
export function beyondSystem(asked: string, ceiling: string): string | undefined {
  const allowed = parseSystemScopes(ceiling);
  const words = scopeWords(asked);
  return words.length === 0
    ? ''
    : words.find((word) => {
        const scope = parseSystemScope(word);
        return !scope || !isType(scope.type) || !covers(allowed, scope);
      });
}
