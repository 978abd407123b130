/** kinds: names documents and their kinds, by the facts in them, else by their type. */
import type { About as Said } from '../../../core/facts/about';
import type { ValueOf } from '../../../core/http/route';
import {
  dateField,
  dateWords,
  factDate,
  factLine,
  factTitle,
  isMeasured,
  modelName,
  modelTitle,
  readings,
  shortened,
  type Fact,
} from './facts';
import { measureWords } from './measure-words';
import type { operations } from '../http/operations';
import type { Visit } from '../http/page';
import { kindName } from './type-words';
import { visitDate, visitPlace, visitTitle } from './visits';
import { commaSeparated, joinedBy } from './words';

type FoundDocument = ValueOf<typeof operations.documents.recordDocumentSearch>['documents'][number];
type Contents = readonly Pick<FoundDocument['contents'][number], 'model' | 'count'>[];
type About = Pick<FoundDocument, 'type' | 'label' | 'about' | 'contents'>;
type Named = Pick<FoundDocument, 'type' | 'label' | 'about' | 'createdAt'>;

/** How many kinds are named at most. */
const NAMED = 3;

/** The name of a kind within a sentence. German names keep their capital letters, and so do names with several. */
function insideSentence(name: string, { words: { language, locale } }: Visit): string {
  return language === 'de' || /^.\p{Lu}/u.test(name)
    ? name
    : `${name.charAt(0).toLocaleLowerCase(locale)}${name.slice(1)}`;
}

function joined(names: readonly string[], visit: Visit): string {
  const { locale, say } = visit.words;
  const said = names.map((name, index) => (index === 0 ? name : insideSentence(name, visit)));
  return said.length > NAMED
    ? say('documents.and-more', {
        names: commaSeparated(said.slice(0, NAMED), visit.words),
        count: said.length - NAMED,
      })
    : new Intl.ListFormat(locale).format(said);
}

/** The names of several kinds, beginning with the most frequent ones. */
function manyKinds(contents: Contents, visit: Visit): string {
  return joined(
    [...contents]
      .sort((a, b) => b.count - a.count)
      .flatMap(({ model }) => {
        const found = visit.models.find(model);
        return found ? [modelTitle(found, visit.words)] : [];
      }),
    visit,
  );
}

/** "Allergy", "Medicines, problems and vaccinations", "Clinical document". */
export function documentKind(
  { type, contents }: Pick<About, 'type'> & { readonly contents: Contents },
  visit: Visit,
): string {
  const [only] = contents;
  const model = only && visit.models.find(only.model);
  if (!model) {
    return kindName(type, visit.models, visit.words);
  }
  if (contents.length > 1) {
    return manyKinds(contents, visit);
  }
  return only.count === 1 ? modelName(model, visit.words) : modelTitle(model, visit.words);
}

function firstFact({ contents }: About): Fact | undefined {
  return contents.length === 1 ? (contents[0]!.first as unknown as Fact) : undefined;
}

const RESULT = 'LabResult';

/** Longer titles are cut, because they are shown in lists and headings. */
const LONGEST_TITLE = 120;

/** The name of a document whose date is shown next to it: its label, else its own title, else its kind. */
export function undatedName({ type, label, about }: Omit<Named, 'createdAt'>, visit: Visit): string {
  return label ?? (saidTitle(about, visit) || kindName(type, visit.models, visit.words));
}

/** The name of a document without a title: its kind, with its own date or the day on which it was added. */
function untitledName({ type, about, createdAt }: Named, { models, words }: Visit): string {
  const kind = kindName(type, models, words);
  return about?.date === undefined
    ? words.say('kind.added-on', { kind, date: words.date(createdAt) })
    : words.say('kind.of-date', { kind, date: dateWords(about.date.slice(0, 10), words) });
}

/** The name of a document of which nothing else is shown: its label, else its own title, else its kind and its date. */
export function documentName(document: Named, visit: Visit): string {
  return document.label ?? (saidTitle(document.about, visit) || untitledName(document, visit));
}

export function saidTitle(about: Said | null, { words }: Pick<Visit, 'words'>): string {
  return shortened(measureWords(about?.title ?? about?.kind ?? '', words), LONGEST_TITLE);
}

/**
 * What a document says about itself in addition to its title: its kind, its origin and its date, each only if the title
 * does not contain it.
 */
export function saidOf({ label, about }: Pick<About, 'label' | 'about'>, { words }: Visit): string {
  if (about === null) {
    return '';
  }
  const title = label ?? about.title ?? about.kind ?? '';
  const isNew = (text: string | undefined): text is string =>
    text !== undefined && !title.toLowerCase().includes(text.toLowerCase());
  const own = label === null ? undefined : about.title;
  const parts = [own, own?.toLowerCase().includes(about.kind?.toLowerCase() ?? '') ? undefined : about.kind, about.from]
    .filter(isNew)
    .map((text) => shortened(text, LONGEST_TITLE));
  return commaSeparated([...parts, about.date === undefined ? '' : dateWords(about.date.slice(0, 10), words)], words);
}

/** The text next to the name that `nameOf` gives. It does not repeat a date in the name. */
export function besideName(document: Named, visit: Visit): string {
  const { label, about, createdAt } = document;
  if (label === null && saidTitle(about, visit) === '') {
    return shortened(about?.from ?? '', LONGEST_TITLE);
  }
  return saidOf(document, visit) || visit.words.say('overview.added', { date: visit.words.date(createdAt) });
}

/**
 * A document in one line: what it says about itself, or its first fact. Empty if it says neither, or has facts of
 * several kinds.
 */
export function documentLine(document: About, visit: Visit): string {
  const fact = firstFact(document);
  // A document that contains a file says no more about itself than its fact does.
  if (document.about !== null && (!fact || document.about.from !== undefined)) {
    return saidOf(document, visit);
  }
  const model = fact && visit.models.find(fact.__modelname__);
  if (!fact || !model) {
    return '';
  }
  const title = factTitle(model, fact, visit.words);
  const line = factLine(model, fact, visit.words);
  const others = document.contents[0]!.count - 1;
  // Words of the title are not repeated.
  const shown = titleOf(document, visit);
  const said = commaSeparated(
    [title, line].filter((text) => text !== modelName(model, visit.words) && !shown.includes(text)),
    visit.words,
  );
  return others > 0
    ? joinedBy(' · ', [said, visit.words.say('documents.others', { count: others })].filter(Boolean), visit.words)
    : said;
}

const VISIT = 'Encounter';

/** "Visit: check-up, Bayside Practice, 3 May 2024": what a person knows a visit by. */
function visitName(fact: Fact, { words }: Visit): string {
  const [place = ''] = visitPlace(fact);
  return commaSeparated([visitTitle(fact, words), place, visitDate(fact, words)].filter(Boolean), words);
}

/** The title of a document: its label, else its own title, else its first fact, else its kind. */
export function titleOf(document: About, visit: Visit): string {
  const fact = firstFact(document);
  const model = fact && visit.models.find(fact.__modelname__);
  const said = document.label ?? saidTitle(document.about, visit);
  if (said !== '') {
    return said;
  }
  if (!fact || !model) {
    return documentKind(document, visit);
  }
  if (model.name === VISIT && document.contents[0]!.count === 1) {
    return visitName(fact, visit);
  }
  // If there are many readings, the title names what was measured instead of the first value.
  const [reading] = document.contents[0]!.count > 1 ? readings(model, fact, visit.words) : [];
  return reading?.label ?? factTitle(model, fact, visit.words);
}

/** The date of the first fact, if the document has facts of only one kind and they have a date. */
export function ownDate({ about, contents }: Pick<About, 'about' | 'contents'>, visit: Visit, exact?: 'day'): string {
  // The line of such a document shows the date already.
  if (about?.from !== undefined) {
    return '';
  }
  const [only] = contents;
  const model = only && visit.models.find(only.model);
  if (!model || contents.length > 1 || dateField(model) === undefined) {
    return '';
  }
  const fact = only.first as unknown as Fact;
  if (only.count === 1) {
    return factDate(model, fact, visit.words, exact);
  }
  const date = isMeasured(model) || model.name === RESULT ? factDate(model, fact, visit.words, 'day') : '';
  return date === '' ? '' : visit.words.say('documents.first', { date });
}
