/** fact: turns SDMJ into typed facts that are checked against their models, or reports every field that is wrong. */
import { ownWordProblems } from '../own-word';
import { errors, type Problem } from '../../base/errors';
import { isObject, type JsonObject } from '../../base/json';
import { nearest } from '../../base/nearest';
import type { Json } from '../../base/types';
import { hasRoomFor, isPrecision, withinRoom } from '../partial-dates';
import {
  allChildren,
  isDate,
  statementReference,
  type Clock,
  type Fact,
  type GivenCode,
  type PartialDate,
  type Scalar,
} from '../plans';
import { readColumn } from './column-values';
import { clockOf, parsePartialDate } from './dates';
import { withDosage } from './dosage-fields';
import type { Column, Model, Models, Relation } from './model';
import { refersToOthers } from './references';
import { withStatements } from './statement-keys';

export { childrenIn, type Fact, type StoredFact } from '../plans';

/** Where the author of a transform wrote this name, in words; undefined where that is not known. */
export type PlaceOf = (name: string) => string | undefined;
type Found = {
  readonly place: string;
  readonly problems: Problem[];
  readonly models: Models;
  readonly placeOf: PlaceOf;
};

/** A name from a document as it may appear in a message: names are no health data, but only real names are repeated. */
function nameInWords(name: Json | undefined): string {
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : 'with this name';
}

/** An unknown name as it was written, with its place and the name that was probably meant. */
function strayName(name: Json | undefined, known: readonly string[], placeOf: PlaceOf): string {
  const words = nameInWords(name);
  if (words !== name) {
    return words;
  }
  const place = placeOf(words);
  const near = nearest(words, known);
  return `${words}${place === undefined ? '' : `, which stands in ${place}`}${near.length === 0 ? '' : `; the nearest: ${near.join(', ')}`}`;
}

function report({ place, problems }: Found, reason: string): void {
  problems.push({ message: `${place}: ${reason}` });
}

type ReadValues = Pick<Fact, 'values' | 'partialDates'>;

/** Midnight on the sender's clock is how many write a day; in UTC it could be the day before. */
const DAY_OF_SENDER = /^(\d{4}-\d{2}-\d{2})(?:T00:00:00(?:\.0+)?)?[+-](?:0\d|1[0-3]):[0-5]\d$/;

/** The text that a document gives for a column, with the first day of a month or a year, and a day for such a midnight. */
function datedText(column: Column, said: Json | undefined): Json | undefined {
  if (!isDate(column) || typeof said !== 'string') {
    return said;
  }
  const text = said.trim();
  return parsePartialDate(text)?.day ?? text.replace(DAY_OF_SENDER, '$1');
}

/** How the text of a date is meant: as a month, a year, or a time by another clock than that of UTC. */
function howMeant(column: Column, said: Json | undefined, value: Scalar): PartialDate | Clock | undefined {
  if (!isDate(column) || typeof said !== 'string' || value === null) {
    return undefined;
  }
  const text = said.trim();
  const isTime = column.kind === 'datetime' && !DAY_OF_SENDER.test(text);
  return parsePartialDate(text)?.precision ?? (isTime ? clockOf(text) : undefined);
}

/** Reads the columns of a fact. A date may be a year or a month, of which the first day is stored. */
function readColumns(columns: readonly Column[], given: JsonObject, found: Found): ReadValues {
  const values: Record<string, Scalar> = {};
  const meant: Record<string, PartialDate | Clock> = {};
  for (const column of columns) {
    const said = Object.hasOwn(given, column.name) ? given[column.name] : undefined;
    const { value, problem } = readColumn(column, datedText(column, said));
    if (problem !== undefined) {
      report(found, `${column.name} ${problem}`);
    }
    const how = howMeant(column, said, value);
    values[column.name] = value;
    if (how !== undefined) {
      meant[column.name] = how;
    }
  }
  const partialDates = withinRoom(meant);
  if (!hasRoomFor(partialDates)) {
    const count = Object.keys(partialDates).length;
    report(
      found,
      `${count} dates say only a month or a year${Object.values(partialDates).every(isPrecision) ? '' : ' or no zone'}, which is more than one fact has room for`,
    );
  }
  return { values: withDosage(columns, values), ...(Object.keys(partialDates).length > 0 && { partialDates }) };
}

function readChild({ field, model: name }: Relation, given: Json, number: number, found: Found): Fact | undefined {
  const model = found.models.find(name);
  const place = `${found.place}, ${field}${number > 0 ? ` ${number}` : ''}`;
  if (!model || !isObject(given) || given['__modelname__'] !== model.name) {
    report({ ...found, place }, `must be ${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`);
    return undefined;
  }
  return readFact(model, given, { ...found, place });
}

function readChildren(relation: Relation, given: Json | undefined, found: Found): Fact | readonly Fact[] | null {
  if (!relation.many) {
    // A list of one and a single model are both accepted here, whatever SDMX calls them: the definition decides.
    const single = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const empty =
      single === undefined || single === null || single === '' || (Array.isArray(single) && single.length === 0);
    return empty ? null : (readChild(relation, single as Json, 0, found) ?? null);
  }
  if (given === undefined || given === null || given === '') {
    return [];
  }
  const list = Array.isArray(given) ? (given as readonly Json[]) : [given];
  return list.flatMap((child, index) => readChild(relation, child, index + 1, found) ?? []);
}

const STATEMENT = '__statement__';
const PART = '__part__';
const LABEL = '__label__';
const SENT = '__sent__';
const CODINGS = '__codings__';
const MARKERS = ['__modelname__', '__documentid__', STATEMENT, PART, LABEL, SENT, CODINGS];

function reportUnknownFields(model: Model, given: JsonObject, found: Found): void {
  const fields = [...model.columns.map(({ name }) => name), ...model.relations.map(({ field }) => field)];
  const known = new Set([...MARKERS, ...fields]);
  for (const name of Object.keys(given)) {
    if (!known.has(name)) {
      report(found, `${model.name} has no field ${strayName(name, fields, found.placeOf)}`);
    }
  }
}

function isFilled(value: Scalar | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

function checkOneOf({ oneof }: Model, values: Readonly<Record<string, Scalar>>, found: Found): void {
  if (oneof && !oneof.some(({ columns }) => columns.some((column) => isFilled(values[column])))) {
    report(found, `one of ${oneof.map(({ field }) => field).join(', ')} is required`);
  }
}

/** The source's key of the statement; empty where it gives none. */
function readStatement(given: JsonObject, found: Found): string {
  const key = given[STATEMENT] ?? '';
  if (typeof key !== 'string') {
    report(found, `${STATEMENT} must be text`);
    return '';
  }
  return key;
}

/**
 * The numbers, without repeats, of the document's parts from which the fact was made; empty where the transform names
 * none.
 */
function readParts(given: JsonObject, found: Found): readonly number[] {
  const said = given[PART] ?? '';
  if (typeof said !== 'string' || !/^(?:\d{1,9}(?: +|$))*$/.test(said)) {
    report(found, `${PART} must be numbers with spaces between them`);
    return [];
  }
  return [...new Set(said.split(' ').filter((number) => number !== ''))].map(Number);
}

/** The sender's id of a statement, which is text in each of its members. */
function readSent(given: JsonObject, found: Found): Pick<Fact, 'sent'> {
  const said = given[SENT];
  if (said === undefined || said === null) {
    return {};
  }
  const { system = '', value = '', ...more } = isObject(said) ? said : { system: null };
  const names = ['sender', 'said', 'version'];
  const isRight = Object.entries(more).every(([name, text]) => names.includes(name) && typeof text === 'string');
  if (typeof system !== 'string' || typeof value !== 'string' || !isRight) {
    report(found, `${SENT} must have the texts system and value, and may have sender, said and version`);
    return {};
  }
  return { sent: { system, value, ...(more as Readonly<Record<string, string>>) } };
}

/** No system and no code is longer; one that is says nothing, because a part of it would be another code. */
const LONGEST_CODE = 255;

function readGivenCode(said: Json): GivenCode | undefined {
  const { system, code } = isObject(said) ? said : {};
  return typeof system === 'string' && typeof code === 'string'
    ? { system: system.trim(), code: code.trim() }
    : undefined;
}

/** The codes that a source gives beside those in columns. */
function readCodings(model: Model, given: JsonObject, found: Found): Pick<Fact, 'codings'> {
  const said = given[CODINGS];
  if (said === undefined || said === null) {
    return {};
  }
  const entries = isObject(said) ? Object.entries(said) : [[CODINGS, null] as const];
  const codings = entries.flatMap(([column, list]) => {
    const codes = Array.isArray(list) ? (list as readonly Json[]).map(readGivenCode) : [undefined];
    if (codes.includes(undefined) || !model.columns.some(({ name }) => name === column)) {
      report(found, `${CODINGS} must have lists of a system and a code, by columns of ${model.name}`);
      return [];
    }
    const usable = codes.filter(
      (one): one is GivenCode =>
        one !== undefined && one.code !== '' && Math.max(one.code.length, one.system.length) <= LONGEST_CODE,
    );
    return usable.length === 0 ? [] : [[column, usable] as const];
  });
  return codings.length === 0 ? {} : { codings: Object.fromEntries(codings) };
}

function readFact(model: Model, given: JsonObject, found: Found): Fact {
  reportUnknownFields(model, given, found);
  const read = readColumns(model.columns, given, found);
  checkOneOf(model, read.values, found);
  const children: Record<string, Fact | readonly Fact[] | null> = {};
  for (const relation of model.relations) {
    children[relation.field] = readChildren(
      relation,
      Object.hasOwn(given, relation.field) ? given[relation.field] : undefined,
      found,
    );
  }
  ownWordProblems(model.name, { values: read.values, children }).forEach((problem) => report(found, problem));
  const parts = readParts(given, found);
  return {
    model: model.name,
    statement: readStatement(given, found),
    ...(parts.length === 0 ? {} : { parts }),
    ...readSent(given, found),
    ...readCodings(model, given, found),
    ...read,
    children,
  };
}

function isAllowed(model: Model, allowed: readonly string[] | 'all'): boolean {
  return allowed === 'all' ? !model.builtin : allowed.some((name) => name.toLowerCase() === model.name.toLowerCase());
}

function allowedNames(models: Models, allowed: readonly string[] | 'all'): readonly string[] {
  return models.all.filter((model) => isAllowed(model, allowed)).map(({ name }) => name);
}

function readTop(given: Json, number: number, allowed: readonly string[] | 'all', found: Found): readonly Fact[] {
  const name = isObject(given) ? given['__modelname__'] : undefined;
  const model = typeof name === 'string' ? found.models.find(name) : undefined;
  if (!isObject(given) || typeof name !== 'string' || name === '') {
    report({ ...found, place: `fact ${number}` }, 'needs the name of its model: __modelname__');
    return [];
  }
  if (model?.name !== name || !isAllowed(model, allowed)) {
    report(
      { ...found, place: `fact ${number}` },
      model?.name === name
        ? `this kind of document may not hold the model ${name}: store in its document.yaml does not name it`
        : `there is no model ${strayName(name, allowedNames(found.models, allowed), found.placeOf)}`,
    );
    return [];
  }
  return [readFact(model, given, { ...found, place: `${name} ${number}` })];
}

type Referring = {
  /** The key of the fact with this label, once statements have their keys; undefined when no fact has the label. */
  readonly named: (label: string) => string | undefined;
  readonly models: Models;
  readonly problems: Problem[];
};

/** A fact in which the labels of other facts are replaced by their keys, also in nested facts. */
function withReferences(fact: Fact, referring: Referring): Fact {
  const { named, models, problems } = referring;
  const columns = models.find(fact.model)?.columns.filter((column) => column.statement === true) ?? [];
  const meant = columns.flatMap(({ name }): readonly (readonly [string, Scalar])[] => {
    const label = fact.values[name];
    if (typeof label !== 'string') {
      return [];
    }
    const reference = named(label);
    if (reference === undefined) {
      problems.push({ message: `${fact.model}: ${name} must be the label of a fact of this document` });
    }
    return [[name, reference ?? null]];
  });
  const within = (child: Fact): Fact => withReferences(child, referring);
  return {
    ...fact,
    values: { ...fact.values, ...Object.fromEntries(meant) },
    children: Object.fromEntries(
      Object.entries(fact.children).map(([field, inside]) => {
        if (inside === null) {
          return [field, null];
        }
        return [field, Array.isArray(inside) ? (inside as readonly Fact[]).map(within) : within(inside as Fact)];
      }),
    ),
  };
}

/** Models whose facts refer to other facts, themselves or in nested facts. */
function referringModels(models: Models): ReadonlySet<string> {
  return new Set(models.all.map(({ name }) => name).filter((name) => refersToOthers(models, name)));
}

/** How many times keys are computed anew because facts refer to facts that refer to others. */
const MOST_ROUNDS = 8;

/**
 * Gives all statements their keys. The key of a fact that refers to others may depend on their keys, so keys are
 * computed until those that are referred to no longer change.
 */
function keyedFacts(
  facts: readonly Fact[],
  list: readonly Json[],
  models: Models,
  problems: Problem[],
): readonly Fact[] {
  const together = (name: string): boolean => models.find(name)?.fhir?.together ?? false;
  const referring = referringModels(models);
  const labels = list.flatMap((given, index) => {
    const label = isObject(given) ? given[LABEL] : undefined;
    return typeof label === 'string' ? [{ label, index }] : [];
  });
  const referencesIn = (found: readonly Fact[]): ReadonlyMap<string, string> =>
    new Map(labels.map(({ label, index }) => [label, statementReference(found[index]!)]));
  let found = withStatements(facts, together);
  if (!facts.some(({ model }) => referring.has(model))) {
    return found;
  }
  let references = referencesIn(found);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const used = new Map<string, string | undefined>();
    const named = (label: string): string | undefined => {
      used.set(label, references.get(label));
      return used.get(label);
    };
    const resolved = facts.map((fact) =>
      referring.has(fact.model) ? withReferences(fact, { named, models, problems }) : fact,
    );
    found = withStatements(resolved, together);
    references = referencesIn(found);
    if (problems.length > 0 || [...used].every(([label, reference]) => references.get(label) === reference)) {
      return found;
    }
  }
  problems.push({ message: `facts refer to each other in a circle, or through more than ${MOST_ROUNDS - 1} others` });
  return found;
}

function refuseFacts(problems: readonly Problem[]): void {
  if (problems.length > 0) {
    throw errors.invalidDocument(
      `${problems.length} of its fields do${problems.length === 1 ? 'es' : ''} not fit the data model`,
      problems,
    );
  }
}

/**
 * Reads what a transform yields, an object or a list of objects, into facts in document order (specification 2.16).
 * Values are text, as from XML, or native JSON; `__statement__` is the source's own key of a statement. `__part__` has
 * the numbers of the document's parts from which the fact was made. `__label__` is the text by which other facts of the
 * document refer to it in columns of the type Statement. `__sent__` is the sender's id of the statement (core/db/sent.ts), and
 * `__codings__` has the codes that the source gives beside those in columns.
 * @param allowed the models that may be at the top (`store.models`); they imply the nested ones
 * @param placeOf where a wrong name was written
 * @throws AppError invalid_document naming every wrong field by its place, never by its value
 */
export function readFacts(
  models: Models,
  sdmj: Json,
  allowed: readonly string[] | 'all',
  placeOf: PlaceOf = () => undefined,
): Fact[] {
  const problems: Problem[] = [];
  const list = Array.isArray(sdmj) ? (sdmj as readonly Json[]) : [sdmj];
  const facts = list.flatMap((given, index) =>
    readTop(given, index + 1, allowed, { place: '', problems, models, placeOf }),
  );
  refuseFacts(problems);
  const named = keyedFacts(facts, list, models, problems);
  refuseFacts(problems);
  return [...named];
}

/** The number of facts of each model, nested ones included, in order of appearance. */
export function countByModel(facts: readonly Fact[], counts: Record<string, number> = {}): Record<string, number> {
  for (const fact of facts) {
    counts[fact.model] = (counts[fact.model] ?? 0) + 1;
    countByModel(allChildren(fact), counts);
  }
  return counts;
}

/** The number of facts, nested ones included. */
export function countFacts(facts: readonly Fact[]): number {
  return facts.reduce((sum, fact) => sum + 1 + countFacts(allChildren(fact)), 0);
}

/**
 * How many facts state something, nested ones included, and how many only group others, as a panel groups its members.
 */
export function countStated(models: Models, facts: readonly Fact[]): { stated: number; together: number } {
  const referring = referringModels(models);
  const stated = countFacts(facts.filter(({ model }) => !referring.has(model)));
  return { stated, together: countFacts(facts) - stated };
}

/** The number of characters in the texts of the facts, nested ones included. */
export function countLetters(facts: readonly Fact[]): number {
  return facts.reduce(
    (sum, fact) =>
      Object.values(fact.values).reduce<number>(
        (all, value) => all + (typeof value === 'string' ? value.length : 0),
        sum,
      ) + countLetters(allChildren(fact)),
    0,
  );
}
