/** line-words: a line in words: its facts, what each source is called, and what it says of the standing. */
import type { Model } from '../../../../core/facts/model/model';
import { PARTIAL_DATES } from '../../../../core/facts/partial-dates';
import type { StoredFact } from '../../../../core/facts/plans';
import { countsInLine } from '../../../../core/lines/heard';
import type { Line, Says } from '../../../../core/lines/lines';
import type { Told } from '../../../../core/lines/told';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { dateWords, factLine, factTitle, knownDate, text, type Fact } from '../../words/facts';
import { documentName } from '../../words/kinds';
import { statusWords, withoutStatus } from '../../words/standing';
import { commaSeparated } from '../../words/words';

type LineView = Exclude<ValueOf<typeof operations.lines.recordLine>, { readonly location: string }>;
type Document = LineView['documents'][number];
/** What names a document as a source. */
export type Source = Document;

/** A stored fact as the website's words read it. */
function factOf(model: Model, fact: StoredFact): Fact {
  return {
    ...fact.values,
    ...(fact.partialDates && { [PARTIAL_DATES]: fact.partialDates }),
    __modelname__: model.name,
    __documentid__: fact.documentId,
    ...(fact.isSeenByKind && { __closed__: true }),
    __id__: fact.id,
  };
}

export function shownFact(model: Model, { facts }: Told): Fact {
  return factOf(model, facts[0]!);
}

export function titleOf(model: Model, told: Told, { words }: PersonVisit): string {
  return factTitle(model, shownFact(model, told), words);
}

/** What the statements of a line call it that count for it. */
export function namesOf(model: Model, { says }: Line, visit: PersonVisit): readonly string[] {
  return says.filter(countsInLine).map(({ told }) => titleOf(model, told, visit));
}

/** What a statement says beside its name and its standing. */
export function detailsOf(model: Model, told: Told, { words }: PersonVisit): string {
  return factLine(model, withoutStatus(shownFact(model, told)), words);
}

export function statusOf(model: Model, told: Told, { words }: PersonVisit): string {
  return statusWords(model, shownFact(model, told), words);
}

/** The date of a statement, which is a month or a year where its source says no more. */
export function dateOf(model: Model, { told, date }: Says, { words }: PersonVisit): string {
  const fact = shownFact(model, told);
  const [field] = model.fields.filter(
    ({ name, type }) => date !== '' && (type === 'Date' || type === 'DateOnly') && text(fact[name]).startsWith(date),
  );
  return dateWords(field && told.said === '' ? knownDate(fact, field.name) : date, words, 'day');
}

/** The begin or end of a line as its source says it, which may be a month or a year. */
export function dayAsSaid(model: Model, { says }: Line, column: string, day: string, { words }: PersonVisit): string {
  const fact = says.map(({ told }) => shownFact(model, told)).find((one) => text(one[column]).startsWith(day));
  return dateWords(fact ? knownDate(fact, column) : day, words, 'day');
}

/**
 * When an event happened, and of a thing that goes on when it was last said; empty where nobody says. The date of the
 * paper in which an event stands is none of its own.
 */
export function lineDay(model: Model, line: Line, visit: PersonVisit): string {
  const { say } = visit.words;
  if (model.same?.what === 'event') {
    return line.first === '' ? '' : dayAsSaid(model, line, model.same.when?.date ?? '', line.first, visit);
  }
  return line.last === '' ? '' : say('lines.last-said', { date: dateWords(line.last, visit.words, 'day') });
}

/** The person's label of the document, else the organization, else the author, else its kind with its date. */
export function sourceName(document: Document | undefined, visit: PersonVisit): string {
  const about = document?.about;
  return document ? (document.label ?? about?.from ?? about?.author ?? datedName(document, visit)) : '';
}

/** Where and when somebody says that there are none. A document that is only this says it by its own name. */
export function deniedIn(document: Source | undefined, visit: PersonVisit): string {
  if (!document) {
    return '';
  }
  const { about, createdAt } = document;
  const date = dateWords(about?.date?.slice(0, 10) ?? createdAt.slice(0, 10), visit.words, 'day');
  const from = about?.from ?? about?.author ?? '';
  return from === '' ? visit.words.say('lines.said-at', { date }) : commaSeparated([from, date], visit.words);
}

/** The kind of a paper with the date that its sender gives it, unless that stands in it. */
function datedName(document: Document, visit: PersonVisit): string {
  const name = documentName(document, visit);
  const date = dateWords(document.about?.date?.slice(0, 10) ?? '', visit.words, 'day');
  return date === '' || name.includes(date) ? name : commaSeparated([name, date], visit.words);
}

/** What a source is called: a document that stays closed by its date only. */
export function sourceOf(says: Says, view: LineView, visit: PersonVisit): string {
  const name = sourceName(documentOf(says, view), visit);
  const date = view.paperDates.get(says.told.documentId);
  return name === '' && date !== undefined
    ? visit.words.say('lines.paper-of', { date: dateWords(date, visit.words, 'day') })
    : name;
}

/** The document of a statement. */
function documentOf({ told }: Says, { documents }: LineView): Document | undefined {
  return documents.find(({ id }) => id === told.documentId);
}

export type { LineView };
