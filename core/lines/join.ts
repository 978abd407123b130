/**
 * join: which statements are one line (pure). Levels are tried from the strongest to the weakest, and within a level all
 * joins are looked at before any is made, so that the order in which statements came changes nothing.
 */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { SameRule } from '../facts/model/same';
import { apart, fitsRule, fitting, isByDay, type Comparing } from './apart';
import { resultNames, toldText, type Told, type Traits, type Wording } from './told';

/** A statement with what the rules say of it. */
export type Item = {
  readonly told: Told;
  readonly traits: Traits;
  /** For each rule, the texts that it shares with others. */ readonly keys: readonly (readonly string[])[];
};

export type Joining = Comparing & {
  readonly equal: readonly SameRule[];
  readonly wording: Wording;
  /** Pairs of statements of which the person says that they are one. */ readonly same: readonly (readonly [Id, Id])[];
  /** Collects the names of the rules that join each statement to others. */ readonly joined: Map<Id, Set<string>>;
  /** Collects what would have joined each statement to others, if that line did not hold what is kept apart. */
  readonly refused: Map<Id, Set<string>>;
};

/** Statements that are joined. */
export type Part = readonly Item[];

const BY_PERSON = 'own words';

/** Sets of numbers that grow together. */
type Unions = { readonly find: (at: number) => number; readonly join: (one: number, other: number) => void };

export function unions(above: number[]): Unions {
  const find = (at: number): number => {
    let root = at;
    while (above[root] !== root) {
      root = above[root]!;
    }
    above[at] = root;
    return root;
  };
  return {
    find,
    join: (one, other) => {
      const [a, b] = [find(one), find(other)];
      above[Math.max(a, b)] = Math.min(a, b);
    },
  };
}

/** A join of two statements, which also holds for all that are alike to them. */
type Edge = {
  readonly one: number;
  readonly other: number;
  readonly bucket: string;
  readonly alike: readonly number[];
};

/** Pairs whose joins were not made at a stronger level. They are not tried again. */
type Blocked = {
  readonly add: (at: number, bucket: string) => void;
  readonly nameOf: (at: number) => string;
  readonly has: (one: number, other: number) => boolean;
};

function newBlocked(): Blocked {
  const buckets = new Map<number, Set<string>>();
  return {
    add: (at, bucket) => {
      buckets.set(at, (buckets.get(at) ?? new Set()).add(bucket));
    },
    nameOf: (at) => [...(buckets.get(at) ?? [])].sort().join(' '),
    has: (one, other) => {
      const [mine, its] = [buckets.get(one), buckets.get(other)];
      return mine !== undefined && its !== undefined && [...mine].some((bucket) => its.has(bucket));
    },
  };
}

/** What is counted for a day: the tests of a source on it. */
export function dayNames(rule: SameRule, told: Told, { codes, wording }: Joining): readonly string[] {
  const day = toldText(told.values, rule.day!).slice(0, 10);
  return resultNames(rule, told, codes, wording).map((name) => `${told.source}|${day}|${name}`);
}

/**
 * Whether a statement is the only result of its test and day in its source. Where a source has several, the day alone
 * joins none of them.
 */
function singleResults(items: readonly Item[], rule: SameRule, joining: Joining): (at: number) => boolean {
  const named = items.map(({ told }) => dayNames(rule, told, joining));
  const counts = new Map<string, number>();
  named.flat().forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return (at) => named[at]!.every((name) => counts.get(name) === 1);
}

/** Whether a statement is the only one of its document that a rule with its keys looks at. */
function singleInDocument(items: readonly Item[], number: number): (at: number) => boolean {
  const named = items.map(({ told, keys }) => keys[number]!.map((key) => `${told.documentId}|${key}`));
  const counts = new Map<string, number>();
  named.flat().forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return (at) => named[at]!.every((name) => counts.get(name) === 1);
}

function singleIn({ items, rule, number, joining }: Level): (at: number) => boolean {
  if (rule.single) {
    return singleInDocument(items, number);
  }
  return isByDay(rule) ? singleResults(items, rule, joining) : () => true;
}

/** One level, for all statements. */
type Level = {
  readonly items: readonly Item[];
  readonly rule: SameRule;
  readonly number: number;
  readonly blocked: Blocked;
  readonly joining: Joining;
};

/** Statements that are alike in all that a level looks at. */
function classesOf({ items, rule, blocked }: Level, members: readonly number[]): readonly (readonly number[])[] {
  const keyOf = (at: number): string =>
    `${items[at]!.traits.signature} ${fitting(rule, items[at]!.told)} ${blocked.nameOf(at)}`;
  return [...groupedBy(members, keyOf).values()];
}

function isJoin({ items, rule, blocked, joining }: Level, one: number, other: number): boolean {
  const [a, b] = [items[one]!, items[other]!];
  return !blocked.has(one, other) && fitsRule(rule, a.told, b.told) && !apart(a.traits, b.traits, rule, joining);
}

/** The joins among statements that share a key: each class with itself, and classes with each other. */
function edgesIn(level: Level, members: readonly number[], bucket: string): readonly Edge[] {
  const classes = classesOf(level, members);
  const edges: Edge[] = [];
  classes.forEach((own, index) => {
    const [first = 0, ...others] = own;
    if (others.length > 0 && isJoin(level, first, others[0]!)) {
      others.forEach((other) => edges.push({ one: first, other, bucket, alike: [first, other] }));
    }
    for (const its of classes.slice(index + 1)) {
      if (isJoin(level, first, its[0]!)) {
        edges.push({ one: first, other: its[0]!, bucket, alike: [...own, ...its] });
      }
    }
  });
  return edges;
}

function edgesOf(level: Level): readonly Edge[] {
  const { items, number } = level;
  const isSingle = singleIn(level);
  const buckets = new Map<string, number[]>();
  items.forEach(({ keys }, at) => {
    for (const key of isSingle(at) ? keys[number]! : []) {
      const members = buckets.get(key) ?? [];
      members.push(at);
      buckets.set(key, members);
    }
  });
  return [...buckets].flatMap(([key, members]) =>
    members.length > 1 ? edgesIn(level, members, `${number} ${key}`) : [],
  );
}

/** Whether statements that would become one line hold two of different lines that are kept apart. */
function holdsApart(
  members: readonly number[],
  lineOf: (at: number) => number,
  isApart: (one: number, other: number) => boolean,
  keyOf: (at: number) => string,
): boolean {
  const kinds = [...groupedBy(members, keyOf).values()].map((own) => ({
    first: own[0]!,
    second: own[1],
    lines: new Set(own.map(lineOf)),
  }));
  return kinds.some(({ first, second, lines }, index) => {
    if (lines.size > 1 && second !== undefined && isApart(first, second)) {
      return true;
    }
    return kinds.slice(index + 1).some((other) => {
      const isOneLine = lines.size === 1 && other.lines.size === 1 && lines.has([...other.lines][0]!);
      return !isOneLine && isApart(first, other.first);
    });
  });
}

type Growing = { readonly above: number[]; readonly blocked: Blocked };

function note(notes: Map<Id, Set<string>>, { told: { id } }: Item, name: string): void {
  notes.set(id, (notes.get(id) ?? new Set()).add(name));
}

/** Statements without an amount that are one with a statement that has one say what it says. */
function withAmounts(items: readonly Item[], above: number[]): readonly Item[] {
  const { find } = unions(above);
  const amounts = new Map<number, Set<string>>();
  items.forEach(({ traits }, at) => {
    if (traits.amounts !== '') {
      amounts.set(find(at), (amounts.get(find(at)) ?? new Set()).add(traits.amounts));
    }
  });
  return items.map((item, at) => {
    const [only = '', ...others] = item.traits.amounts === '' ? (amounts.get(find(at)) ?? []) : [];
    const signature = `${item.traits.signature}${only}`;
    return only === '' || others.length > 0 ? item : { ...item, traits: { ...item.traits, amounts: only, signature } };
  });
}

/** Makes the joins of a level, but for those of a line that would hold what is kept apart. */
function grow(
  items: readonly Item[],
  edges: readonly Edge[],
  rule: SameRule | undefined,
  growing: Growing,
  joining: Joining,
): void {
  const { above, blocked } = growing;
  const now = unions(above);
  const then = unions([...above]);
  edges.forEach(({ one, other, alike }) => {
    then.join(one, other);
    alike.forEach((at) => then.join(one, at));
  });
  const grown = new Set(
    edges
      .filter(({ one, alike }) => alike.some((at) => now.find(one) !== now.find(at)))
      .map(({ one }) => then.find(one)),
  );
  const members = groupedBy(
    items.map((_, at) => at).filter((at) => grown.has(then.find(at))),
    (at) => then.find(at),
  );
  const lines = items.map((_, at) => now.find(at));
  const isFar = (one: Item, other: Item): boolean =>
    rule !== undefined && isByDay(rule) && !fitsRule(rule, one.told, other.told);
  const isApart = (one: number, other: number): boolean =>
    apart(items[one]!.traits, items[other]!.traits, rule, joining) !== false ||
    blocked.has(one, other) ||
    isFar(items[one]!, items[other]!);
  const keyOf = (at: number): string =>
    `${items[at]!.traits.signature} ${rule ? fitting(rule, items[at]!.told) : ''} ${blocked.nameOf(at)}`;
  const refused = new Set(
    [...members].filter(([, own]) => holdsApart(own, (at) => lines[at]!, isApart, keyOf)).map(([root]) => root),
  );
  const wanted = edges.map((edge) => ({ edge, isRefused: refused.has(then.find(edge.one)) }));
  for (const { edge, isRefused } of wanted) {
    const { one, bucket, alike } = edge;
    for (const at of alike) {
      if (isRefused) {
        blocked.add(at, bucket);
        note(joining.refused, items[at]!, bucket);
      } else {
        now.join(one, at);
        note(joining.joined, items[at]!, rule?.name ?? BY_PERSON);
      }
    }
  }
}

/** Joins statements level by level, what the person says first. */
export function joinByLevels(items: readonly Item[], joining: Joining): readonly Part[] {
  const growing: Growing = { above: items.map((_, at) => at), blocked: newBlocked() };
  const places = new Map(items.map(({ told }, at) => [told.id, at]));
  const said = joining.same.flatMap(([one, other]): readonly Edge[] => {
    const [a, b] = [places.get(one), places.get(other)];
    return a === undefined || b === undefined ? [] : [{ one: a, other: b, bucket: BY_PERSON, alike: [a, b] }];
  });
  grow(items, said, undefined, growing, joining);
  let told = withAmounts(items, growing.above);
  joining.equal.forEach((rule, number) => {
    const edges = edgesOf({ items: told, rule, number, blocked: growing.blocked, joining });
    if (edges.length > 0) {
      grow(told, edges, rule, growing, joining);
      told = withAmounts(items, growing.above);
    }
  });
  const { find } = unions(growing.above);
  const parts = groupedBy(
    told.map((item, at) => [item, find(at)] as const),
    ([, root]) => root,
  );
  return [...parts.values()].map((own) => own.map(([item]) => item));
}

/** Parts by the rule and text that lead to them, with one of the statements that are alike in what keeps them apart. */
type Reachable = ReadonlyMap<string, ReadonlyMap<Part, ReadonlyMap<string, Item>>>;

function reachable(parts: readonly Part[]): Reachable {
  const found = new Map<string, Map<Part, Map<string, Item>>>();
  for (const part of parts) {
    for (const item of part) {
      for (const name of joinKeys(item)) {
        const at = found.get(name) ?? new Map<Part, Map<string, Item>>();
        found.set(name, at.set(part, (at.get(part) ?? new Map<string, Item>()).set(item.traits.signature, item)));
      }
    }
  }
  return found;
}

/** The texts of an item with the number of their rule. */
function joinKeys({ keys }: Item): readonly string[] {
  return keys.flatMap((own, number) => own.map((key) => `${number} ${key}`));
}

/** The levels that lead to a part, the strongest first; undefined stands for words of the person. */
type Reach = { readonly part: Part; readonly rules: readonly (SameRule | undefined)[] };

/** The parts to which some level leads a group. */
function reachOf(group: Part, at: Reachable, joining: Joining): readonly Reach[] {
  const found = new Map<Part, Set<SameRule>>();
  joining.equal.forEach((rule, number) => {
    for (const item of group) {
      const others = item.keys[number]!.flatMap((key) => [...(at.get(`${number} ${key}`) ?? [])]);
      for (const [part, kinds] of others) {
        const leads = (other: Item): boolean =>
          fitsRule(rule, item.told, other.told) && !apart(item.traits, other.traits, rule, joining);
        if ([...kinds.values()].some(leads)) {
          found.set(part, (found.get(part) ?? new Set()).add(rule));
        }
      }
    }
  });
  return [...found].map(([part, rules]) => ({ part, rules: [...rules] }));
}

/** Where the person says that a group belongs; undefined where the person says nothing. */
function saidReach(group: Part, places: ReadonlyMap<Id, Part>, { same }: Joining): readonly Reach[] | undefined {
  const own = new Set(group.map(({ told }) => told.id));
  const others = same.filter(([one, other]) => own.has(one) !== own.has(other));
  const parts = new Set(others.map(([one, other]) => places.get(own.has(one) ? other : one)));
  parts.delete(undefined);
  return parts.size === 0 ? undefined : [...parts].map((part) => ({ part: part!, rules: [undefined] }));
}

function isKeptApart(groups: readonly Part[], rule: SameRule | undefined, joining: Joining): boolean {
  const items = groups.flatMap((own, line) => own.map((item) => ({ item, line })));
  return holdsApart(
    items.map((_, at) => at),
    (at) => items[at]!.line,
    (one, other) => apart(items[one]!.item.traits, items[other]!.item.traits, rule, joining) !== false,
    (at) => items[at]!.item.traits.signature,
  );
}

/**
 * Adds groups to the parts to which they lead. A group that leads to several parts is added to none, because it must not
 * make one of them; nor are groups that are kept apart from each other.
 */
export function attach(parts: readonly Part[], groups: readonly Part[], joining: Joining): readonly Part[] {
  const at = reachable(parts);
  const said = joining.same.length === 0 ? [] : parts;
  const places = new Map(said.flatMap((part) => part.map(({ told }) => [told.id, part] as const)));
  const reaches = groups.map((group) => ({
    group,
    reach: saidReach(group, places, joining) ?? reachOf(group, at, joining),
  }));
  const byPart = groupedBy(
    reaches.filter(({ reach }) => reach.length === 1),
    ({ reach }) => reach[0]!.part,
  );
  const added = new Set<Part>();
  const grown = parts.map((part): Part => {
    const own = byPart.get(part) ?? [];
    const together = [part, ...own.map(({ group }) => group)];
    if (own.length === 0 || own.some(({ reach }) => isKeptApart(together, reach[0]!.rules[0], joining))) {
      return part;
    }
    for (const { group, reach } of own) {
      added.add(group);
      for (const { name } of reach[0]!.rules.map((one) => one ?? { name: BY_PERSON })) {
        [...part, ...group].forEach((item) => note(joining.joined, item, name));
      }
    }
    return together.flat();
  });
  return [...grown, ...groups.filter((group) => !added.has(group))];
}
