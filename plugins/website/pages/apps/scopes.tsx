/** scopes: puts the scopes that an app would get into words: what it could read and add. */
import type { JSX } from 'preact';
import { parseScopes, type ScopeLetter, type SmartScope } from '../../../../core/tokens/smart-scopes';
import { codeOf } from '../../../../core/tokens/granular-scopes';
import type { Visit } from '../../http/page';
import { resourceKindNames } from '../../words/resource-kinds';
import { Signs } from './app-parts';
import { Part } from '../../parts/layout';
import { listText } from '../../parts/list';

/**
 * Types of resources for which the scopes have one of the letters; `*` is every type, and `Observation?laboratory` a part
 * of one.
 */
export function typesHaving(scopes: readonly SmartScope[], letters: readonly ScopeLetter[]): readonly string[] {
  const having = scopes.filter((scope) => letters.some((letter) => scope.letters.has(letter)));
  const whole = new Set(having.filter(({ category }) => category === '').map(({ type }) => type));
  const parts = having.filter(({ type, category }) => category !== '' && !whole.has(type));
  return [...whole, ...new Set(parts.map(({ type, category }) => `${type}?${codeOf(category)}`))];
}

/** The types in the words of people: "medicines and problems". */
export function typesInWords({ words }: Visit, types: readonly string[]): string {
  const names = types.flatMap((type) => {
    const [, part] = type.split('?');
    return part === undefined ? resourceKindNames(type, words) : [words.say(`smart.part-${part}`)];
  });
  return listText([...new Set(names)], words);
}

function right(visit: Visit, types: readonly string[], all: string, some: string): readonly string[] {
  if (types.length === 0) {
    return [];
  }
  return [types.includes('*') ? visit.words.say(all) : visit.words.say(some, { what: typesInWords(visit, types) })];
}

/**
 * @param scopes the granted scopes
 * @param chosen whether the person chooses a record or a carenet above this text
 */
export function ScopeRights({
  visit,
  scopes,
  chosen = true,
}: {
  readonly visit: Visit;
  readonly scopes: readonly string[];
  readonly chosen?: boolean;
}): JSX.Element {
  const { say } = visit.words;
  const parsed = parseScopes(scopes.join(' '));
  const adds = typesHaving(parsed, ['c']);
  const can = [
    ...right(
      visit,
      typesHaving(parsed, ['r', 's']),
      chosen ? 'app.can-read-chosen' : 'app.can-read-all',
      'smart.can-read',
    ),
    ...(chosen
      ? right(visit, adds, 'app.can-add-chosen', 'smart.can-add')
      : right(visit, adds, 'app.can-add', 'smart.can-add-all')),
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
}
