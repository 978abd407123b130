/** scopes: what a person reads of the scopes that an app would get: what it could read and add, in their words. */
import type { JSX } from 'preact';
import { parseScopes, type ScopeLetter, type SmartScope } from '../../../core/auth/smart-scopes';
import type { Visit } from '../page';
import { resourceKindName } from '../resource-kinds';
import { Signs } from './app';
import { Part } from './layout';

const having = (scopes: readonly SmartScope[], letters: readonly ScopeLetter[]): readonly string[] => [
  ...new Set(scopes.filter((scope) => letters.some((letter) => scope.letters.has(letter))).map(({ type }) => type)),
];

const listed = ({ words }: Visit, types: readonly string[]): string => {
  const names = types.map((type) => resourceKindName(type, words) ?? type);
  return new Intl.ListFormat(words.language).format([...new Set(names)]);
};

const right = (visit: Visit, types: readonly string[], all: string, some: string): readonly string[] => {
  if (types.length === 0) {
    return [];
  }
  return [types.includes('*') ? visit.words.say(all) : visit.words.say(some, { what: listed(visit, types) })];
};

/** @param scopes as they were granted */
export const ScopeRights = ({
  visit,
  scopes,
}: {
  readonly visit: Visit;
  readonly scopes: readonly string[];
}): JSX.Element => {
  const { say } = visit.words;
  const parsed = parseScopes(scopes.join(' '));
  const adds = having(parsed, ['c']);
  const can = [
    ...right(visit, having(parsed, ['r', 's']), 'app.can-read-chosen', 'smart.can-read'),
    ...right(visit, adds, 'app.can-add-chosen', 'smart.can-add'),
    ...(scopes.includes('openid') ? [say('smart.can-know')] : []),
    ...(scopes.includes('offline_access') ? [say('smart.can-return')] : []),
  ];
  const cannot = [
    ...(adds.length === 0 ? ['smart.cannot-add'] : []),
    'app.cannot-share',
    'app.cannot-delete',
    'app.cannot-password',
  ];
  return (
    <>
      <Part title={say('app.can')}>
        <Signs texts={can} />
      </Part>
      <Part title={say('app.cannot')}>
        <Signs off texts={cannot.map((text) => say(text))} />
      </Part>
    </>
  );
};
