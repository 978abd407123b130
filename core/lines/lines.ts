/**
 * lines: one list of all that was said of a model: what is the same stands in one line, with who says it and where they
 * differ (pure). Nothing follows from the order in which documents came, nor from the clock but the given one.
 */
import { TEST_SERIES, type CodeTables } from '../facts/code-tables';
import { groupedBy } from '../base/grouped-by';
import { sliced, sortedInSlices } from '../base/turns/slices';
import type { Id } from '../base/types';
import type { Model } from '../facts/model/model';
import { dateColumn } from '../facts/model/table-plan';
import type { SameRules } from '../facts/model/same';
import { apart, fitsRule, isByDay } from './apart';
import { codeReader } from './codings';
import { differsIn, type Differs } from './differs';
import { byTimes, ownDay, saidDay, standOf, timeOf, type LineStanding, type Time, type Voice } from './history';
import { clustersOf } from './clusters';
import { formerOf, settledOf } from './former';
import { attach, joinByLevels, type Item, type Joining, type Part } from './join';
import { marksOf, newestWordFirst, pairsSaid, personSays, wrongStatements, type OwnWord } from './own-words';
import { saidStanding } from './standing';
import { BETWEEN, firstText, keysOf, newWording, traitReader, type Told } from './told';

export type Says = {
  readonly told: Told;
  /** Its own date, else that of its care, else that of its document. */ readonly date: string;
  /** Whether the person calls it wrong. */ readonly isWrong: boolean;
  /** Whether a corrected result takes its place: then it is history. */ readonly isFormer: boolean;
  /** The rules that join it to others of the line. */ readonly rules: readonly string[];
};

export type Line = {
  /** The least id of its statements. */ readonly id: Id;
  readonly standing: LineStanding;
  /** True when everybody who says something says that it is to come. */ readonly isPlanned: boolean;
  readonly isConflict: boolean;
  /** Whether sources contradict each other about the standing. */ readonly isStandingConflict: boolean;
  /** How many sources say it. */ readonly sources: number;
  readonly first: string;
  readonly last: string;
  /** The newest first. */ readonly says: readonly Says[];
  /** The statement whose words the line has. */ readonly shown: Told;
  readonly times: readonly Time[];
  readonly differs: readonly Differs[];
  /** Lines that are perhaps the same. */ readonly perhaps: readonly Id[];
  /** The words of the person about it, the newest first. */ readonly ownWords: readonly OwnWord[];
  readonly group: string;
  readonly words: string;
};

type LinesInput = {
  readonly model: Model;
  readonly codes?: CodeTables | undefined;
  readonly statements: readonly Told[];
  readonly words: readonly OwnWord[];
  /** Milliseconds. */ readonly now: number;
};

/** The rules of a model without a file: each statement is a line. */
function plainRules(model: Model): SameRules {
  const date = dateColumn(model);
  return {
    what: 'event',
    equal: [],
    unless: [],
    ...(date === undefined ? {} : { when: { date, same: 'day' as const } }),
    conflict: [{ kind: 'standing' }],
    perhaps: [],
    shows: 'newest',
  };
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

type Run = LinesInput & { readonly rules: SameRules; readonly joining: Joining; readonly wrong: ReadonlySet<Id> };

/** The columns of which the first filled one names a fact of the model. */
export function titleColumns({ words, fields, columns }: Model): readonly string[] {
  const names = words?.title ?? fields.map(({ name }) => name);
  return names
    .flatMap((name) => [name, `${name}_title`, `${name}_identifier`])
    .filter((name) => columns.some((column) => column.name === name));
}

const contents = new WeakMap<Told, string>();

/** Everything that a statement says, as text by which equal dates and words are ordered. */
function toldContent(told: Told): string {
  const known = contents.get(told);
  if (known !== undefined) {
    return known;
  }
  const filled = Object.entries(told.values).filter(([, value]) => value !== null);
  const others = Object.entries(told.also ?? {}).map(([name, codes]) => [
    name,
    codes.map((one) => JSON.stringify(one)).sort(),
  ]);
  const content = JSON.stringify([...filled, ...others].sort(([a], [b]) => compare(String(a), String(b))));
  contents.set(told, content);
  return content;
}

type Ordered = Voice & {
  readonly item: Item;
  readonly said: string;
  readonly own: string;
  readonly words: string;
  /** The rules that join it to others. */ readonly joined: string;
};

function compareNewest(a: Ordered, b: Ordered): number {
  return (
    compare(b.said, a.said) ||
    compare(b.own, a.own) ||
    compare(a.words, b.words) ||
    compare(toldContent(a.told), toldContent(b.told)) ||
    compare(a.joined, b.joined) ||
    compare(a.told.id, b.told.id)
  );
}

function itemReader({ joining, rules }: Run, traits: ReturnType<typeof traitReader>): (told: Told) => Item {
  const all = [...rules.equal, ...rules.perhaps];
  return (told) => ({
    told,
    traits: traits(told),
    keys: all.map((rule) => keysOf(rule, told, joining.codes, joining.wording)),
  });
}

/** What lends the line its words, standing and dates: not what its sender or the person takes back. */
function lends({ wrong }: Run, { id, isOlder }: Told): boolean {
  return !wrong.has(id) && isOlder !== true;
}

/**
 * Statements without a date of their own must not make one thing of two, so they are added to what the others became.
 * What lends nothing is added last.
 */
function joinParts(run: Run, items: readonly Item[]): readonly Part[] {
  const { rules, joining } = run;
  const active = items.filter(({ told }) => lends(run, told));
  const isDated = ({ told }: Item): boolean => rules.times === undefined || ownDay(told, rules) !== '';
  const dated = joinByLevels(active.filter(isDated), joining);
  const undated = active.filter((item) => !isDated(item));
  const parts = undated.length === 0 ? dated : attach(dated, joinByLevels(undated, joining), joining);
  const passive = items.filter(({ told }) => !lends(run, told));
  if (passive.length === 0) {
    return parts;
  }
  const single = passive.map((item): Part => [item]);
  const lone = new Set(single);
  const added = attach(parts, single, joining);
  const left = added.filter((part) => lone.has(part)).flat();
  return [...added.filter((part) => !lone.has(part)), ...joinByLevels(left, joining)];
}

/** The newest word about whether the medicine is taken. Both hold for the whole line. */
function wordOfStanding(words: readonly OwnWord[]): OwnWord | undefined {
  return words.find(({ verdict }) => verdict === 'stopped' || verdict === 'taking');
}

function wordingSaid(says: readonly Ordered[], { shows }: SameRules): Ordered {
  if (shows === 'newest') {
    return says[0]!;
  }
  const groups = [...groupedBy(says, ({ words }) => words).values()];
  const most = Math.max(...groups.map((group) => group.length));
  return groups.find((group) => group.length === most)![0]!;
}

type DrawnLine = Line & {
  readonly items: readonly Item[];
  /** One of those that are alike in all that keeps statements apart. */ readonly kinds: readonly Item[];
};

function orderedOf({ model, rules, joining, now }: Run, part: Part): readonly Ordered[] {
  const titles = titleColumns(model);
  return part
    .map((item): Ordered => {
      const { told } = item;
      const standing = saidStanding(model, told.values, now);
      const words = joining.wording.plain(firstText(told.values, titles));
      const joined = [...(joining.joined.get(told.id) ?? [])].sort().join(BETWEEN);
      const said = saidDay({ told, standing }, rules);
      return { item, told, standing, said, own: ownDay(told, rules), words, joined };
    })
    .sort(compareNewest);
}

function docDay({ said }: Told): string {
  return said.slice(0, 10);
}

function datesOf(ordered: readonly Ordered[]): { readonly first: string; readonly last: string } {
  const own = ordered.map((one) => one.own).filter((day) => day !== '');
  const all = [...own, ...ordered.map(({ told }) => docDay(told))];
  return { first: own.sort()[0] ?? '', last: all.sort().at(-1) ?? '' };
}

function saysOf({ wrong }: Run, ordered: readonly Ordered[], former: ReadonlySet<Told>): readonly Says[] {
  return ordered.map(({ told, own, joined }) => ({
    told,
    date: own === '' ? docDay(told) : own,
    isWrong: wrong.has(told.id),
    isFormer: former.has(told),
    rules: joined === '' ? [] : joined.split(BETWEEN),
  }));
}

type Heard = Pick<Line, 'standing' | 'isPlanned' | 'isConflict' | 'isStandingConflict' | 'times' | 'differs'>;

/** What is heard of a line in which nobody says anything that counts. */
const NOTHING: Heard = {
  standing: 'undone',
  isPlanned: false,
  isConflict: false,
  isStandingConflict: false,
  times: [],
  differs: [],
};

/** What the statements that count say together. */
function heardOf({ rules, joining }: Run, voices: readonly Voice[], ownWords: readonly OwnWord[]): Heard {
  if (voices.length === 0) {
    return NOTHING;
  }
  const spans = byTimes(voices, rules);
  const newest = spans.at(-1)!;
  const { standing, isPlanned, isConflict } = standOf(newest, wordOfStanding(ownWords), rules);
  const isStandingConflict = isConflict && rules.conflict.some(({ kind }) => kind === 'standing');
  const differs = differsIn(rules, settledOf(rules, newest), joining);
  const times = rules.times ? spans.map((span) => timeOf(span, rules)) : [];
  return {
    standing,
    isPlanned,
    isStandingConflict,
    isConflict: isStandingConflict || differs.length > 0,
    times: times.filter(({ from, until }) => from !== '' || until !== ''),
    differs,
  };
}

type WordsByStatement = ReadonlyMap<Id, readonly OwnWord[]>;

function wordsAbout(part: Part, words: WordsByStatement): readonly OwnWord[] {
  const said = words.size === 0 ? [] : part.flatMap(({ told }) => words.get(told.id) ?? []);
  return newestWordFirst([...new Map(said.map((word) => [word.id, word])).values()]);
}

function drawLine(run: Run, part: Part, words: WordsByStatement): DrawnLine {
  const { rules } = run;
  const ordered = orderedOf(run, part);
  const lending = ordered.filter(({ told }) => lends(run, told));
  const ownWords = wordsAbout(part, words);
  const former = formerOf(
    lending.map(({ told }) => told),
    rules,
    run.joining,
  );
  const heard = lending.filter(({ told }) => !former.has(told));
  const counting = lending.length > 0 ? lending : ordered;
  const shown = wordingSaid(heard.length > 0 ? heard : counting, rules);
  return {
    ...heardOf(run, heard, ownWords),
    ...datesOf(counting),
    items: ordered.map(({ item }) => item),
    kinds: [...new Map(ordered.map(({ item }) => [item.traits.signature, item])).values()],
    id: part.map(({ told }) => told.id).sort()[0]!,
    sources: new Set(part.map(({ told }) => told.source)).size,
    says: saysOf(run, ordered, former),
    shown: shown.told,
    perhaps: [],
    ownWords,
    group: groupOf(run, shown.told),
    words: shown.words,
  };
}

function groupOf({ rules: { group }, joining }: Run, told: Told): string {
  const codings = group ? joining.codes.codingsIn(told, group.columns) : [];
  return (
    codings.map((coding) => joining.codes.target(group!.through, coding)).find((target) => target !== undefined) ?? ''
  );
}

/** A line is asked about beside at most so many others. */
const MOST_PERHAPS = 20;

/** A value of one day alone is asked about only where its join was wanted and not made. */
function mayAsk({ joining }: Run, rule: SameRules['equal'][number], { told }: Item, name: string): boolean {
  return !isByDay(rule) || joining.refused.get(told.id)?.has(name) === true;
}

/** Lines that share what some rule compares, but were not joined, and that nothing keeps apart for good. */
function perhapsOf(run: Run, lines: readonly DrawnLine[]): ReadonlyMap<DrawnLine, ReadonlySet<DrawnLine>> {
  const rules = [...run.rules.equal, ...run.rules.perhaps];
  const buckets = new Map<string, Map<DrawnLine, Item>>();
  for (const line of lines) {
    for (const item of line.items.filter(({ told }) => lends(run, told))) {
      rules.forEach((rule, number) => {
        for (const key of item.keys[number]!) {
          const name = `${number} ${key}`;
          if (!mayAsk(run, rule, item, name)) {
            continue;
          }
          const bucket = buckets.get(name) ?? new Map<DrawnLine, Item>();
          buckets.set(name, bucket.has(line) ? bucket : bucket.set(line, item));
        }
      });
    }
  }
  const found = new Map<DrawnLine, Set<DrawnLine>>();
  for (const [name, bucket] of buckets) {
    const rule = rules[Number(name.slice(0, name.indexOf(' ')))]!;
    if (bucket.size > 1) {
      linkIn(run, [...bucket], rule, found);
    }
  }
  return found;
}

function linkIn(
  run: Run,
  bucket: readonly (readonly [DrawnLine, Item])[],
  rule: SameRules['equal'][number],
  found: Map<DrawnLine, Set<DrawnLine>>,
): void {
  bucket.forEach(([line, item], at) => {
    for (const [other, its] of bucket.slice(at + 1)) {
      const mine = found.get(line) ?? new Set();
      const theirs = found.get(other) ?? new Set();
      if (mine.size >= MOST_PERHAPS || theirs.size >= MOST_PERHAPS) {
        continue;
      }
      if (fitsRule(rule, item.told, its.told) && !areApart(run, line, other)) {
        found.set(line, mine.add(other));
        found.set(other, theirs.add(line));
      }
    }
  });
}

/** Whether something keeps two lines apart for good, so that there is nothing to ask. */
function areApart({ joining, rules }: Run, one: DrawnLine, other: DrawnLine): boolean {
  const rule = rules.equal[0];
  return one.kinds.some((a) => other.kinds.some((b) => apart(a.traits, b.traits, rule, joining) === 'never'));
}

function allSaid({ says, standing }: Line): string {
  return [standing, ...says.map(({ told, rules }) => `${told.said} ${toldContent(told)} ${rules.join()}`)].join(
    BETWEEN,
  );
}

function compareLines(a: Line, b: Line): number {
  return (
    compare(a.group, b.group) ||
    compare(a.words, b.words) ||
    compare(a.first, b.first) ||
    compare(toldContent(a.shown), toldContent(b.shown)) ||
    compare(allSaid(a), allSaid(b)) ||
    compare(a.id, b.id)
  );
}

function runOf(input: LinesInput): { readonly run: Run; readonly itemOf: (told: Told) => Item } {
  const { model, statements, words, codes = { systems: [], relations: {} } } = input;
  const rules = model.same ?? plainRules(model);
  const pairs = pairsSaid(words);
  const [reader, wording] = [codeReader(codes), newWording()];
  const traits = traitReader(rules, reader, wording, marksOf(pairs.different));
  const known = new Map(statements.map((told) => [told.id, told]));
  const through = [...rules.equal, ...rules.perhaps].flatMap(({ code, test, asks }) =>
    asks ? [] : [...(code?.through === undefined ? [] : [code.through]), ...(test ? [TEST_SERIES] : [])],
  );
  const joining: Joining = {
    codes: reader,
    wording,
    through: [...new Set(through)],
    equal: rules.equal,
    same: pairs.same,
    joined: new Map(),
    refused: new Map(),
    says: personSays(pairs, (id) => {
      const told = known.get(id);
      return told && traits(told);
    }),
  };
  const run: Run = { ...input, rules, joining, wrong: wrongStatements(words) };
  return { run, itemOf: itemReader(run, traits) };
}

/** The lines of statements that have nothing to do with others. */
function linesIn(run: Run, items: readonly Item[], words: WordsByStatement): readonly Line[] {
  const lines = joinParts(run, items)
    .map((part) => drawLine(run, part, words))
    .sort(compareLines);
  const perhaps = perhapsOf(run, lines);
  return lines.map((drawn): Line => {
    const { items: _items, kinds: _kinds, ...line } = drawn;
    return { ...line, perhaps: [...(perhaps.get(drawn) ?? [])].sort(compareLines).map(({ id }) => id) };
  });
}

/** Makes lines, not yet in their order, and yields how many statements were worked on since. */
function* lineSteps(input: LinesInput): Generator<number | undefined, readonly Line[]> {
  const { run, itemOf } = runOf(input);
  const said = input.words.flatMap((word) => [...new Set(word.about)].map((id) => ({ id, word })));
  const grouped = groupedBy(said, ({ id }) => id);
  const words = new Map([...grouped].map(([id, own]) => [id, own.map(({ word }) => word)]));
  const items: Item[] = [];
  for (const told of input.statements) {
    items.push(itemOf(told));
    yield;
  }
  const lines: Line[] = [];
  for (const [own, joining] of yield* clustersOf(items, run.joining)) {
    linesIn({ ...run, joining }, own, words).forEach((line) => lines.push(line));
    yield own.length;
  }
  return lines;
}

/** All lines of a model: every statement stands in exactly one of them. */
export function linesOf(input: LinesInput): readonly Line[] {
  const steps = lineSteps(input);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  return [...step.value].sort(compareLines);
}

/** The same in slices, so that nobody else waits for it. */
export async function linesInSlices(input: LinesInput): Promise<readonly Line[]> {
  const steps = lineSteps(input);
  let step = steps.next();
  while (step.done !== true) {
    const turn = sliced(step.value);
    if (turn) {
      await turn;
    }
    step = steps.next();
  }
  return sortedInSlices(step.value, compareLines);
}
