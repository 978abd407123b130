/** own-words: what the person says of statements, and which of several words counts (pure). */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { PersonSays } from './apart';
import { codingKey } from './codings';
import type { Traits } from './told';

export const VERDICTS = ['same', 'different', 'stopped', 'taking', 'wrong', 'is-test'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type OwnWord = {
  readonly id: Id;
  readonly documentId: Id;
  readonly verdict: Verdict;
  readonly date: string;
  /** Which test a name means, of `is-test`. */ readonly test?: string;
  /** The statements of the model that it is about. */ readonly about: readonly Id[];
};

/** The later date first, then the later version. */
export function newestWordFirst(words: readonly OwnWord[]): readonly OwnWord[] {
  const isLess = (one: string, other: string): number => Number(one > other) - Number(one < other);
  return [...words].sort((a, b) => isLess(b.date, a.date) || isLess(b.documentId, a.documentId) || isLess(b.id, a.id));
}

type Pair = readonly [Id, Id];

function pairKey(one: Id, other: Id): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function pairsOfIds(ids: readonly Id[]): readonly Pair[] {
  return ids.flatMap((one, at) => ids.slice(at + 1).map((other): Pair => [one, other]));
}

/** What the person says of pairs: the latest word about each. */
export function pairsSaid(words: readonly OwnWord[]): {
  readonly same: readonly Pair[];
  readonly different: readonly Pair[];
} {
  const said = newestWordFirst(words)
    .filter(({ verdict }) => verdict === 'same' || verdict === 'different')
    .flatMap(({ verdict, about }) => pairsOfIds([...new Set(about)]).map((pair) => ({ verdict, pair })));
  const latest = [...groupedBy(said, ({ pair: [one, other] }) => pairKey(one, other)).values()].map(
    ([first]) => first!,
  );
  const of = (wanted: Verdict): readonly Pair[] =>
    latest.filter(({ verdict }) => verdict === wanted).map(({ pair }) => pair);
  return { same: of('same'), different: of('different') };
}

/** Reads the marks of statements that the person tells apart. */
export function marksOf(different: readonly Pair[]): (id: Id) => string {
  const named = new Set(different.flat());
  return (id) => (named.has(id) ? id : '');
}

/** @param traitsOf the traits of the statements that are there */
export function personSays(
  { same, different }: ReturnType<typeof pairsSaid>,
  traitsOf: (id: Id) => Traits | undefined,
): PersonSays {
  const keys = new Set(different.map(([one, other]) => pairKey(one, other)));
  const names = new Map<string, string>();
  const codeOf = (key: string): string => {
    const next = names.get(key);
    return next === undefined || next === key ? key : codeOf(next);
  };
  for (const [one, other] of same) {
    for (const mine of traitsOf(one)?.codings ?? []) {
      for (const its of traitsOf(other)?.codings.filter(({ system }) => system === mine.system) ?? []) {
        const [a, b] = [codeOf(codingKey(mine)), codeOf(codingKey(its))].sort();
        names.set(b!, a!);
      }
    }
  }
  return {
    areDifferent: (one, other) => one !== '' && other !== '' && keys.has(pairKey(one, other)),
    codeOf,
  };
}

/** Statements that the person calls wrong. */
export function wrongStatements(words: readonly OwnWord[]): ReadonlySet<Id> {
  return new Set(words.filter(({ verdict }) => verdict === 'wrong').flatMap(({ about }) => about));
}
