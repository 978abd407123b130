/**
 * leaving-out: facts of a document that its person does not want in the record (pure). They stay in the document, and
 * out of everything that is made of it.
 */
import { sha256 } from '../base/ids';
import { groupedBy } from '../base/grouped-by';
import { errors } from '../base/errors';
import { BY_PERSON, type LeftOut } from '../base/left-out';
import type { LeftOutFact } from '../documents/left-out-store';
import type { Models } from '../facts/model/model';
import { contentOf } from '../facts/model/statement-keys';
import { readReference, statementReference, type Fact } from '../facts/plans';
import { everyFact, keyIn } from './identified';
import type { ReadDocument } from './steps';

/** The built-in model of the person, who is no fact that a record could do without. */
const PERSON = 'Demographics';

/** Whether a person left something out of a version of a document. */
export function isLeftByPerson({ leftOut }: { readonly leftOut: readonly LeftOut[] }): boolean {
  return leftOut.some(({ reason }) => reason === BY_PERSON);
}

const NAME_LETTERS = 16;

function textOfContent({ model, ...fact }: LeftOutFact['fact']): string {
  return JSON.stringify([model, contentOf({ model, ...fact })]);
}

/**
 * The name by which a form means a fact: the same as long as the document says the same of it. A name that was made up
 * is that of no fact.
 */
export function factName(fact: LeftOutFact['fact']): string {
  return sha256(JSON.stringify([fact.statement, textOfContent(fact)])).slice(0, NAME_LETTERS);
}

export function mayBeLeftOut({ model }: Pick<Fact, 'model'>): boolean {
  return model !== PERSON;
}

/** What a person left out at a form. */
export type Unticked = {
  /** Names of facts. */ readonly names: readonly string[];
  /** Models of which all facts are left out that had no tick of their own. */ readonly restOf: readonly string[];
  /** Names of the facts that had one. */ readonly offered: readonly string[];
};

/** The facts that a form leaves out. @throws errors.invalidBody for the name of none, or of the person */
export function untickedFacts(facts: readonly Fact[], { names, restOf, offered }: Unticked): ReadonlySet<Fact> {
  if (names.length + restOf.length === 0) {
    return new Set();
  }
  const byName = new Map(facts.filter(mayBeLeftOut).map((fact) => [factName(fact), fact]));
  const named = names.map((name) => byName.get(name));
  if (named.includes(undefined) || offered.some((name) => !byName.has(name))) {
    throw errors.invalidBody('a fact that is to be left out is none of this document: look at it anew');
  }
  const own = new Set(offered);
  const rest = [...byName].filter(([name, { model }]) => restOf.includes(model) && !own.has(name));
  return new Set([...(named as readonly Fact[]), ...rest.map(([, fact]) => fact)]);
}

/** What two facts must have in common to be one, in the order in which it is asked. */
const SAME: readonly ((fact: LeftOutFact['fact']) => string | undefined)[] = [
  (fact) => `${fact.statement} ${textOfContent(fact)}`,
  textOfContent,
  ({ model, statement }) => statementReference({ model, statement }),
];

/** Whether a fact says all that another one said, and perhaps more. */
function saysAsMuch({ model, values }: Fact, before: LeftOutFact['fact']): boolean {
  const said = Object.entries(before.values).filter(([, value]) => value !== null);
  return model === before.model && said.length > 0 && said.every(([name, value]) => values[name] === value);
}

/** What is left out of a reading, and how each of them is kept. */
type Recognized = { readonly out: ReadonlySet<Fact>; readonly kept: readonly LeftOutFact[] };

function pairsBy(
  facts: readonly Fact[],
  before: readonly LeftOutFact[],
  found: Map<LeftOutFact, Fact>,
  keyOf: (fact: LeftOutFact['fact']) => string | undefined,
): void {
  const taken = new Set(found.values());
  const open = groupedBy(
    facts.filter((fact) => !taken.has(fact)),
    keyOf,
  );
  const left = new Map([...open].map(([key, list]) => [key, [...list]]));
  for (const one of before.filter((each) => !found.has(each))) {
    const fact = left.get(keyOf(one.fact))?.shift();
    if (fact) {
      found.set(one, fact);
    }
  }
}

/** The facts that the source's statement of one that was not found became, such as facts of another model. */
function becameOf(facts: readonly Fact[], { fact }: LeftOutFact): readonly Fact[] {
  const key = keyIn(fact);
  return key === undefined ? [] : facts.filter((one) => keyIn(one) === key);
}

/**
 * Finds in a document that was read anew what was left out of it before. A fact that says the same is found first, then
 * the same statement whatever it says now, then one that says the same and more; last, what its source calls by the same
 * id. What is not found stays named.
 */
export function recognizedAgain(facts: readonly Fact[], before: readonly LeftOutFact[]): Recognized {
  const found = new Map<LeftOutFact, Fact>();
  const own = facts.filter(mayBeLeftOut);
  SAME.forEach((keyOf) => pairsBy(own, before, found, keyOf));
  for (const one of before.filter((each) => !found.has(each))) {
    const taken = new Set(found.values());
    const fuller = own.find((fact) => !taken.has(fact) && saysAsMuch(fact, one.fact));
    if (fuller) {
      found.set(one, fuller);
    }
  }
  const became = new Map(before.map((one) => [one, found.has(one) ? [found.get(one)!] : becameOf(own, one)]));
  const out = new Set([...became.values()].flat());
  const gone = before.filter((one) => became.get(one)!.length === 0);
  return { out, kept: [...asLeftOut(out), ...gone.map(({ fact }) => ({ fact, isGone: true as const }))] };
}

/** The facts of a new version that say the same as what was left out of the former. */
export function saidAgain(facts: readonly Fact[], before: readonly LeftOutFact[]): ReadonlySet<Fact> {
  const found = new Map<LeftOutFact, Fact>();
  const own = facts.filter(mayBeLeftOut);
  SAME.slice(0, 2).forEach((keyOf) => pairsBy(own, before, found, keyOf));
  return new Set(found.values());
}

/** As they are kept, in the order of the document. */
export function asLeftOut(facts: Iterable<Fact>): readonly LeftOutFact[] {
  return [...facts].map(({ model, statement, values, partialDates, children }) => ({
    fact: { model, statement, values, ...(partialDates ? { partialDates } : {}), children },
  }));
}

type Columns = { readonly needed: readonly string[]; readonly others: readonly string[] };

/** The columns of a model that refer to other facts: those that it needs, and the others. */
function referringColumns(models: Models, model: string): Columns {
  const columns = (models.find(model)?.columns ?? []).filter(({ statement }) => statement === true);
  return {
    needed: columns.filter(({ required }) => required).map(({ name }) => name),
    others: columns.filter(({ required }) => !required).map(({ name }) => name),
  };
}

/**
 * A fact without what refers to facts that are left out; undefined for one that cannot be without them, such as a panel
 * without any of its results.
 */
function withoutReferences(models: Models, fact: Fact, gone: ReadonlySet<string>): Fact | undefined {
  const { needed, others } = referringColumns(models, fact.model);
  const isGone = (name: string): boolean => gone.has(referenceIn(fact.values[name]));
  if (needed.some(isGone)) {
    return undefined;
  }
  const emptied = others.filter(isGone).map((name) => [name, null] as const);
  let isEmptied = false;
  const children = Object.entries(fact.children).map(([field, inside]) => {
    const before = [inside ?? []].flat() as readonly Fact[];
    const after = before.flatMap((child) => withoutReferences(models, child, gone) ?? []);
    isEmptied ||= before.length > 0 && after.length === 0;
    return [field, Array.isArray(inside) ? after : (after[0] ?? null)] as const;
  });
  return isEmptied
    ? undefined
    : { ...fact, values: { ...fact.values, ...Object.fromEntries(emptied) }, children: Object.fromEntries(children) };
}

function referenceIn(value: Fact['values'][string] | undefined): string {
  const meant = readReference(String(value ?? ''));
  return meant ? statementReference(meant) : '';
}

/** The resources of a document of FHIR that are those of some facts, by the numbers of their parts, from 0. */
function ownParts({ kept = [] }: ReadDocument, facts: Iterable<Fact>): ReadonlySet<number> {
  const stated = kept.filter(({ type }) => type !== 'Patient');
  const byKey = new Map(stated.map(({ key, part }) => [key, part]));
  const only = stated.length === 1 ? stated[0]!.part : undefined;
  const parts = new Set<number>();
  for (const fact of facts) {
    for (const inside of everyFact(fact)) {
      const own = byKey.get(keyIn(inside) ?? '') ?? only;
      [...(own === undefined ? [] : [own]), ...(inside.parts ?? []).map((number) => number - 1)].forEach((part) =>
        parts.add(part),
      );
    }
  }
  return parts;
}

/** The parts of which only facts were made that are left out. */
function partsWithout(read: ReadDocument, stays: readonly Fact[], out: Iterable<Fact>): ReadonlySet<number> {
  const used = ownParts(read, stays);
  return new Set([...ownParts(read, out)].filter((part) => !used.has(part)));
}

/**
 * A reading without some of its facts: they are in no table, no resource and no search, and their identifiers are not
 * known. That a list of the sender has them is kept, so that an older statement is not taken for one that is missing in
 * the list.
 */
export function withoutFacts(models: Models, read: ReadDocument, out: ReadonlySet<Fact>): ReadDocument {
  if (out.size === 0) {
    return read;
  }
  const gone = new Set([...out].map(statementReference));
  const stay = read.facts.filter((fact) => !out.has(fact));
  const referring = stay.map((fact) => withoutReferences(models, fact, gone));
  const facts = referring.filter((fact) => fact !== undefined);
  const withheld = [...out, ...stay.filter((_fact, index) => referring[index] === undefined)];
  const parts = partsWithout(read, facts, withheld);
  const counts = groupedBy([...out], ({ model }) => model);
  return {
    ...read,
    facts,
    withheld,
    ...(read.kept
      ? {
          kept: read.kept.filter(({ part }) => !parts.has(part)),
          unkept: read.kept.filter(({ part }) => parts.has(part)),
        }
      : {}),
    ...(read.outline
      ? { outline: read.outline.map((part, index) => (parts.has(index) ? { ...part, identifiers: [] } : part)) }
      : {}),
    leftOut: [
      ...read.leftOut,
      ...[...counts].map(([model, list]) => ({ model, reason: BY_PERSON, count: list.length })),
    ],
  };
}
