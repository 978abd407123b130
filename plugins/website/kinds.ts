/** kinds: what a document is, in words: by the facts that it has, else by its type. */
import type { About as Said } from '../../core/storage/about';
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
import type { ValueOfOperation } from './operations';
import type { Visit } from './page';
import { kindName } from './type-words';
import { commaSeparated } from './words';

type FoundDocument = ValueOfOperation<'record_document_search'>['documents'][number];
type Contents = FoundDocument['contents'];
type About = Pick<FoundDocument, 'type' | 'label' | 'about' | 'contents'>;
type Named = Pick<FoundDocument, 'type' | 'label' | 'about' | 'createdAt'>;

/** How many kinds are named at most. */
const NAMED = 3;

/** Within a sentence; German keeps its capitals, and so does what is written with several. */
const inside = (name: string, { words: { language, locale } }: Visit): string =>
  language === 'de' || /^.\p{Lu}/u.test(name) ? name : `${name.charAt(0).toLocaleLowerCase(locale)}${name.slice(1)}`;

const joined = (names: readonly string[], visit: Visit): string => {
  const { locale, say } = visit.words;
  const said = names.map((name, index) => (index === 0 ? name : inside(name, visit)));
  return said.length > NAMED
    ? say('documents.and-more', {
        names: commaSeparated(said.slice(0, NAMED), visit.words),
        count: said.length - NAMED,
      })
    : new Intl.ListFormat(locale).format(said);
};

/** Several kinds, those first of which there is most. */
const manyKinds = (contents: Contents, visit: Visit): string =>
  joined(
    [...contents]
      .sort((a, b) => b.count - a.count)
      .flatMap(({ model }) => {
        const found = visit.models.find(model);
        return found ? [modelTitle(found, visit.words)] : [];
      }),
    visit,
  );

/** "Allergy", "Medicines, problems and vaccinations", "Clinical document". */
export const kindOf = ({ type, contents }: About, visit: Visit): string => {
  const [only] = contents;
  const model = only && visit.models.find(only.model);
  if (!model) {
    return kindName(type, visit.models, visit.words);
  }
  if (contents.length > 1) {
    return manyKinds(contents, visit);
  }
  return only.count === 1 ? modelName(model, visit.words) : modelTitle(model, visit.words);
};

const firstFact = ({ contents }: About): Fact | undefined =>
  contents.length === 1 ? (contents[0]!.first as unknown as Fact) : undefined;

/** Longer titles are cut: they stand in lists and headings. */
const LONGEST_TITLE = 120;

/** What somebody called a document, else what it says that it is, else its kind: where its date stands beside it. */
export const undatedName = ({ type, label, about }: Omit<Named, 'createdAt'>, visit: Visit): string =>
  label ?? (saidTitle(about, visit) || kindName(type, visit.models, visit.words));

/** The name of a document without a title: its kind, with its own date or the day on which it was added. */
const untitledName = ({ type, about, createdAt }: Named, { models, words }: Visit): string => {
  const kind = kindName(type, models, words);
  return about?.date === undefined
    ? words.say('kind.added-on', { kind, date: words.date(createdAt) })
    : words.say('kind.of-date', { kind, date: dateWords(about.date.slice(0, 10), words) });
};

/** What somebody called a document, else what it says that it is, else its kind and its date: of documents that are only named. */
export const nameOf = (document: Named, visit: Visit): string =>
  document.label ?? (saidTitle(document.about, visit) || untitledName(document, visit));

export const saidTitle = (about: Said | null, { words }: Pick<Visit, 'words'>): string =>
  shortened(measureWords(about?.title ?? about?.kind ?? '', words), LONGEST_TITLE);

/** What a document says beside its title: its kind, where it is from and of when, each only if the title does not say it. */
export const saidOf = ({ label, about }: Pick<About, 'label' | 'about'>, { words }: Visit): string => {
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
};

/** What stands beside the name of a document that is only named; a date of its name is not said again. */
export const besideName = (document: Named, visit: Visit): string => {
  const { label, about, createdAt } = document;
  if (label === null && saidTitle(about, visit) === '') {
    return shortened(about?.from ?? '', LONGEST_TITLE);
  }
  return saidOf(document, visit) || visit.words.say('overview.added', { date: visit.words.date(createdAt) });
};

/** What a document says first, in one line; empty when it says several kinds of things or nothing. */
export const lineOf = (document: About, visit: Visit): string => {
  const fact = firstFact(document);
  // A file says no more of itself than its fact does.
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
  // What its title says already is not said again.
  const shown = titleOf(document, visit);
  const said = commaSeparated(
    [title, line].filter((text) => text !== modelName(model, visit.words) && !shown.includes(text)),
    visit.words,
  );
  return others > 0 ? [said, visit.words.say('documents.others', { count: others })].filter(Boolean).join(' · ') : said;
};

/** What a document is called: its label, else the title that it says, else what it says first, else its kind. */
export const titleOf = (document: About, visit: Visit): string => {
  const fact = firstFact(document);
  const model = fact && visit.models.find(fact.__modelname__);
  const said = document.label ?? saidTitle(document.about, visit);
  if (said !== '') {
    return said;
  }
  if (!fact || !model) {
    return kindOf(document, visit);
  }
  // Of many readings the title says what was read, not the number that stands first.
  const [reading] = document.contents[0]!.count > 1 ? readings(model, fact, visit.words) : [];
  return reading?.label ?? factTitle(model, fact, visit.words);
};

/** When the fact was, if the document has facts of one kind with a date of their own; of several, when the first was. */
export const ownDate = (
  { about, contents }: Pick<About, 'about' | 'contents'>,
  visit: Visit,
  exact?: 'day',
): string => {
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
  const date = isMeasured(model) ? factDate(model, fact, visit.words, 'day') : '';
  return date === '' ? '' : visit.words.say('documents.first', { date });
};
