/**
 * sent-rows: what is kept of a document so that newer statements of its sender are told from older ones (pure). It
 * follows from the document alone: neither from the order in which documents came nor from the time.
 */
import { derivedId, sha256 } from '../base/ids';
import type { Id } from '../base/types';
import { parsePartialDate, parseTimestamp } from '../facts/model/dates';
import type { Fact } from '../facts/model/fact';
import type { Model, Models, Scalar } from '../facts/model/model';
import { contentOf } from '../facts/model/statement-keys';
import { dateColumn } from '../facts/model/table-plan';
import { DENIAL, deniedBy } from './denials';
import type { Sent, SentDocument, SentStatement, Source, TakenBack } from '../facts/sent';

/** What was read of a document. */
type Read = {
  readonly facts: readonly Fact[];
  readonly source?: Source;
  readonly takenBack?: readonly TakenBack[];
  /** Facts that the person left out. */ readonly withheld?: readonly Fact[];
};

type Owner = { readonly documentId: Id; readonly lineageId: Id };

/** Models of what goes on. Facts of others happen once, so two on different days are never the same statement. */
const THINGS: readonly string[] = ['Problem', 'Allergy', 'AllergyExclusion', 'Medication', 'Equipment'];

function isFilledScalar(value: Scalar | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

function plainSpelling(words: string): string {
  return words.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The words of the first field that names the fact, or the code where it has no words; undefined when none is filled. */
function namingWords({ fields, words }: Model, { values }: Fact): string | undefined {
  const naming = words?.title ?? fields.map(({ name }) => name);
  const texts = naming.flatMap((name) => {
    const type = fields.find((field) => field.name === name)?.type;
    if (type === 'CodedValue') {
      const [title, code] = [values[`${name}_title`], values[`${name}_identifier`]];
      return isFilledScalar(title)
        ? [title]
        : [isFilledScalar(code) ? `${values[`${name}_system`] ?? ''}|${code}` : null];
    }
    return type === 'String' || type === 'Text' ? [values[name]] : [];
  });
  const found = texts.find(isFilledScalar);
  return found === undefined ? undefined : plainSpelling(String(found));
}

/**
 * What a fact is called. Facts without words, such as vital signs, are called by what they measure, so that a set of
 * readings never takes the place of one that has more.
 */
function factCalled(model: Model, fact: Fact): string {
  const measured = (): string =>
    model.columns
      .filter(({ name, kind }) => (kind === 'number' || kind === 'integer') && isFilledScalar(fact.values[name]))
      .map(({ name }) => name)
      .join(' ');
  return namingWords(model, fact) ?? measured();
}

const LONGEST = 255;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Texts that senders write in the place of an id that they do not have. */
const NO_ID = /^(0+|0{8}(-0{4}){3}-0{12}|n\/?a|ni|none|null|unk(nown)?|nullflavou?r|undefined|-+)$/i;

/** Whether an id can name one statement. A root without an extension names one only if it is a UUID. */
function isUsable({ system, value }: Sent): boolean {
  const [own, around] = [value.trim(), system.trim()];
  const id = own === '' ? around : own;
  const named = own === '' ? UUID.test(around) : true;
  return named && !NO_ID.test(id) && own.length <= LONGEST && around.length <= LONGEST;
}

/** A date as text that sorts by time; empty for none. */
export function instantOf(written: string | undefined): string {
  const text = written ?? '';
  return parseTimestamp(parsePartialDate(text)?.day ?? text) ?? '';
}

const DIGITS = 18;

/** How old a statement is. Numbers of versions and dates do not compare, so the kind of age is part of the line. */
function ageOf({ version = '', said }: Sent, source: Source): { readonly kind: string; readonly said: string } {
  const date = instantOf(said ?? source.date);
  return new RegExp(`^\\d{1,${DIGITS}}$`).test(version)
    ? { kind: 'version', said: `${version.padStart(DIGITS, '0')} ${date}` }
    : { kind: 'date', said: date };
}

type Lined = Pick<SentStatement, 'system' | 'value' | 'line' | 'said'>;

/** @param when the day of something that happens once; empty for what goes on */
function sentLine(
  sent: Sent | undefined,
  source: Source,
  [model, name, when]: readonly [string, string, string],
): Lined {
  const usable = sent && isUsable(sent) ? sent : undefined;
  if (!usable) {
    return { system: null, value: null, line: null, said: instantOf(source.date) };
  }
  const { kind, said } = ageOf(usable, source);
  const { system, value, sender = source.sender ?? '' } = usable;
  const line =
    name === '' ? null : sha256(JSON.stringify([kind, model, plainSpelling(sender), system, value, name, when]));
  return { system, value, line, said };
}

/** Facts that a list of its sender need not have again: diagnoses of one visit, and medicines that were given once. */
function isOfMoment({ values }: Fact): boolean {
  return (
    values['category_identifier'] === 'encounter-diagnosis' || values['provenance_identifier'] === 'administration'
  );
}

/** An id whose giver is known means one thing, even where its date is corrected; any other id might be given again. */
function whenOf(model: Model, { values, sent }: Fact): string {
  const isOne = THINGS.includes(model.name) || sent?.sender !== undefined;
  const column = isOne ? undefined : dateColumn(model);
  return column === undefined ? '' : String(values[column] ?? '');
}

/** The model in whose list a statement stands: that there are no medicines is said in the list of medicines. */
function listModel({ name }: Model, { values }: Fact): string {
  const denied = name === DENIAL ? deniedBy(values) : 'Allergy';
  return denied === 'Allergy' ? name : denied;
}

function rowOf(model: Model, fact: Fact, source: Source, { lineageId }: Owner): SentStatement {
  const name = factCalled(model, fact);
  const isListed = THINGS.includes(model.name) && name !== '' && !isOfMoment(fact);
  return {
    statementId: derivedId(lineageId, fact.model, fact.statement),
    model: listModel(model, fact),
    name: isListed ? sha256(name) : null,
    ...sentLine(fact.sent, source, [model.name, name, whenOf(model, fact)]),
    content: sha256(JSON.stringify(contentOf(fact))),
  };
}

function rowOfTakenBack(said: TakenBack, source: Source, { lineageId }: Owner): SentStatement {
  const key = [said.model, said.system, said.value, plainSpelling(said.name)] as const;
  return {
    statementId: derivedId(lineageId, 'taken back', ...key),
    model: said.model,
    name: null,
    ...sentLine(said, source, [said.model, plainSpelling(said.name), '']),
    content: sha256(JSON.stringify(['taken back', ...key])),
  };
}

/**
 * What a list of its sender has and the person left out: it is not missing in that list, and takes the place of nothing.
 */
function rowsOfWithheld(models: Models, { source = {}, withheld = [] }: Read, owner: Owner): readonly SentStatement[] {
  return withheld.flatMap((fact) => {
    const model = models.find(fact.model);
    const row = model && !model.builtin ? rowOf(model, fact, source, owner) : undefined;
    return row?.name ? [{ ...row, system: null, value: null, line: null }] : [];
  });
}

/** The statements of a document that need a row: those that have an id, and those of lists. */
export function sentStatementsOf(models: Models, read: Read, owner: Owner): readonly SentStatement[] {
  const { source = {}, facts, takenBack = [] } = read;
  const isInLists = source.sender !== undefined && source.kind !== undefined;
  // Most documents name neither ids nor lists, and hashing each of their facts would be for nothing.
  const comparable = isInLists ? facts : facts.filter(({ sent }) => sent !== undefined && isUsable(sent));
  const rows = comparable.flatMap((fact) => {
    const model = models.find(fact.model);
    return model && !model.builtin ? [rowOf(model, fact, source, owner)] : [];
  });
  const said = [...rows, ...takenBack.map((one) => rowOfTakenBack(one, source, owner))];
  const kept = said.filter(({ line, name }) => line !== null || (isInLists && name !== null));
  const all = isInLists ? [...rowsOfWithheld(models, read, owner), ...kept] : kept;
  return [...new Map(all.map((row) => [row.statementId, row])).values()];
}

/** What is kept of the document itself; undefined where its sender says nothing by which others are compared. */
export function sentDocumentOf({ source }: Read, { documentId }: Owner): SentDocument | undefined {
  const says = source && (source.id ?? source.set ?? source.replaces ?? source.lists) !== undefined;
  return says ? { documentId, said: instantOf(source.date), source } : undefined;
}
