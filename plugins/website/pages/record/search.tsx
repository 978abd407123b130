/** search: finds what a record or carenet says: values first, then documents, visits, and everything else. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import { foldedForms, foldedText, saysForm } from '../../../../core/base/words/folded-text';
import { languages, type Language } from '../../../../core/base/languages';
import type { Model } from '../../../../core/facts/model/model';
import type { ValueOf } from '../../../../core/http/route';
import { dateWords, isReading, modelTitle, readings, text, type Fact } from '../../words/facts';
import { documentKind, documentLine, ownDate, titleOf } from '../../words/kinds';
import { websiteTexts } from '../../words/words';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Icon } from '../../parts/icons';
import { Line, Tag } from '../../parts/layout';
import { CalledWrong } from '../../parts/fact';
import { Thumb } from '../documents/rows';
import { factsOnce } from '../../words/said-once';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { EntryOfFact } from '../visits/fact-entry';
import { PeopleNamed, type Person } from '../visits/person-rows';
import { VisitRow } from '../visits/visit-row';
import { coursesOf, nearestFirst, ValueRows, type FoundValue } from './found-value';

type Document = ValueOf<typeof operations.documents.recordDocumentSearch>['documents'][number];

const MOST_LETTERS = 200;
const FACTS = 60;
const DOCUMENTS = 12;
const PEOPLE = 12;
const VISIT = 'Encounter';

/** Models whose facts are values. */
const VALUES = ['LabResult', 'VitalSigns', 'Measurement'];

function asWords(said: string): string {
  return foldedText(said).replaceAll('-', ' ');
}

/**
 * For words of any language of the website, the English names that formats write: `blutzucker*blood glucose`, several
 * with `|` between them.
 */
function meaningsOf(q: string): string {
  const typed = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => [...word].length > 2);
  const all = websiteTexts.read();
  const found = Object.keys(languages).flatMap((language) =>
    Object.entries(all[language as Language]['measures'] ?? {}).flatMap(([name, said]) =>
      typed.filter((word) => saysForm(asWords(said), foldedForms(word))).map((word) => `${word}*${asWords(name)}`),
    ),
  );
  return [...new Set(found)].slice(0, 40).join('|');
}

type Found = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly q: string;
  readonly facts: readonly Fact[];
  readonly counts: Readonly<Record<string, number>>;
  readonly documents: readonly Document[];
  readonly documentCount: number;
  readonly people: readonly Person[];
};

/** The field, which is the first thing on the page. */
function Field({ visit, q }: { readonly visit: PersonVisit; readonly q: string }): JSX.Element {
  const { say } = visit.words;
  return (
    <form class="line" role="search" aria-label={say('search.find')} method="get" action={visit.path}>
      <div class="search grow">
        <Icon name="search" />
        <label class="unseen" for="q">
          {say('search.label')}
        </label>
        <input id="q" name="q" type="search" value={q} autocomplete="off" dir="auto" maxLength={MOST_LETTERS} />
      </div>
      <button class="button">{say('search.find')}</button>
    </form>
  );
}

/** The reading that the words ask for, or the first. */
function readingOf({ visit, q }: Found, model: Model, fact: Fact): string | undefined {
  const said = readings(model, fact, visit.words);
  const asked = q.split(/\s+/).filter((word) => word.length > 2);
  const named = said.find(({ label }) => asked.some((word) => saysForm(label, foldedForms(word))));
  return (named ?? said[0])?.field;
}

function measured(fact: Fact, base: string): string {
  const [value, unit] = [fact[`${base}_value`], text(fact[`${base}_unit`])];
  return value === null || value === undefined || value === '' ? '' : `${String(value as number)} ${unit}`.trim();
}

/** Number and unit as a report prints them: `231 mg/dL`, `132/84 mm[Hg]`. */
function measuredValue(found: Found, model: Model, fact: Fact): string {
  const reading = model.fields.some(isReading) ? readingOf(found, model, fact) : undefined;
  if (reading !== undefined && `${reading}_systolic_value` in fact) {
    const [upper, lower] = [fact[`${reading}_systolic_value`], fact[`${reading}_diastolic_value`]];
    return `${String(upper as number)}/${String(lower as number)} ${text(fact[`${reading}_systolic_unit`])}`;
  }
  if (reading !== undefined) {
    return measured(fact, reading);
  }
  const field = model.fields.find(({ type }) => type === 'QuantitativeResult' || type === 'ValueAndUnit');
  if (field !== undefined) {
    return measured(fact, `${field.name}_value`) || measured(fact, field.name);
  }
  return fact['value'] === null || fact['value'] === undefined
    ? ''
    : `${String(fact['value'] as number)} ${text(fact['unit'])}`.trim();
}

function FactRow({ found: { visit, whose }, fact }: { readonly found: Found; readonly fact: Fact }): JSX.Element {
  return fact.__modelname__ === VISIT ? (
    <VisitRow visit={visit} whose={whose} fact={fact} />
  ) : (
    <EntryOfFact visit={visit} whose={whose} fact={fact}>
      <CalledWrong fact={fact} words={visit.words} />
    </EntryOfFact>
  );
}

type CardProps = {
  readonly found: Found;
  readonly id: string;
  readonly title: string;
  readonly models: (name: string) => boolean;
};

/** Where all facts of the found models are, with how many of each were found. */
function AllOf({ found: { visit, whose, counts }, names }: Pick<CardProps, 'found'> & { names: readonly string[] }) {
  return (
    <p class="more line">
      {names.map((name) => (
        <a href={`${whose.base}data/${name}`}>
          {modelTitle(visit.models.find(name)!, visit.words)}{' '}
          <span class="soft">{visit.words.number(counts[name] ?? 0)}</span>
        </a>
      ))}
    </p>
  );
}

function factsOf({ facts, visit }: Found, models: CardProps['models']): readonly Fact[] {
  const own = facts.filter(({ __modelname__: name }) => models(name));
  return factsOnce(own, visit).map(({ fact }) => fact);
}

function readFactNames(facts: readonly Fact[]): readonly string[] {
  return [...new Set(facts.map(({ __modelname__: name }) => name))].filter((name) => name !== VISIT);
}

/** The facts of some models, the newest first, what several documents say in the same words once. */
function Facts({ found, id, title, models }: CardProps): JSX.Element | null {
  const facts = factsOf(found, models);
  return facts.length === 0 ? null : (
    <section class="card s6" id={id}>
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="list ic-list">
        {facts.map((fact) => (
          <FactRow found={found} fact={fact} />
        ))}
      </ul>
      <AllOf found={found} names={readFactNames(facts)} />
    </section>
  );
}

function isValue(name: string): boolean {
  return VALUES.includes(name);
}

/** Neither a value nor a visit; a file is found as its document. */
function isOther(name: string): boolean {
  return !isValue(name) && name !== VISIT && name !== 'StoredFile';
}

/** The values, those of one name together. */
function Values({ found }: { readonly found: Found }): JSX.Element | null {
  const { visit, whose } = found;
  const facts = factsOf(found, isValue);
  const values = facts.flatMap((fact): readonly FoundValue[] => {
    const model = visit.models.find(fact.__modelname__);
    const reading = model?.fields.some(isReading) === true ? readingOf(found, model, fact) : undefined;
    return model ? [{ fact, model, reading }] : [];
  });
  return values.length === 0 ? null : (
    <section class="card k-lab gap" id="values">
      <header>
        <div class="t">
          <h2>{visit.words.say('search.values')}</h2>
          <p class="by">
            <bdi>{visit.words.say('search.values-of', { words: found.q })}</bdi>
          </p>
        </div>
      </header>
      <ValueRows
        visit={visit}
        base={whose.base}
        courses={nearestFirst(coursesOf(visit, values), found.q.split(/\s+/).flatMap(foldedForms))}
        plainOf={({ model, fact }) => measuredValue(found, model, fact)}
      />
      <AllOf found={found} names={readFactNames(facts)} />
    </section>
  );
}

type Quote = NonNullable<Document['quote']>;

/** The place in a file that says what was looked for. */
function Quoted({ visit, quote }: { readonly visit: PersonVisit; readonly quote: Quote }): JSX.Element {
  const { say } = visit.words;
  const { before, said, after, page: at, byMachine } = quote;
  return (
    <p class="by" data-quote={at}>
      <bdi>
        {'\u201c'}
        {before}
        <mark>{said}</mark>
        {after}
        {'\u201d'}
      </bdi>{' '}
      {at > 1 && <>{say('search.on-page', { number: at })} </>}
      {byMachine && <Tag tone="off">{say('search.by-machine')}</Tag>}
    </p>
  );
}

/** The day of care, as a person, the document or its facts say it, or else on which it was added. */
function dayWords(document: Document, visit: PersonVisit): string {
  const { own, about, createdAt } = document;
  const { words } = visit;
  const care = own.date ?? about?.date?.slice(0, 10);
  return care === undefined
    ? ownDate(document, visit, 'day') || words.say('overview.added', { date: words.date(createdAt, 'short-day') })
    : dateWords(care, words);
}

function FoundDocuments({ found }: { readonly found: Found }): JSX.Element | null {
  const { visit, whose, documents, documentCount, q } = found;
  const { say } = visit.words;
  return documents.length === 0 ? null : (
    <section class="card gap" id="documents">
      <header>
        <h2>{say('search.documents')}</h2>
        <span class="soft small">{visit.words.number(documentCount)}</span>
      </header>
      <ul class="list docs found">
        {documents.map((document, at) => {
          const address = `${whose.base}documents/${encodeURIComponent(document.id)}`;
          const line = document.quote ? (document.about?.from ?? '') : documentLine(document, visit);
          return (
            <li data-kind="Document" data-id={document.id}>
              <span />
              <Thumb address={address} document={document} at={at} />
              <div>
                <a class="name" href={address}>
                  <bdi>{titleOf(document, visit)}</bdi>
                </a>
                <Line text={line || documentKind(document, visit)} />
                {document.quote && <Quoted visit={visit} quote={document.quote} />}
              </div>
              <span class="end">{dayWords(document, visit)}</span>
            </li>
          );
        })}
      </ul>
      {documentCount > documents.length && (
        <p class="more">
          <a href={`${whose.base}documents/?${new URLSearchParams({ q, texts: '1' }).toString()}`}>
            {say('search.all', { count: documentCount })}
          </a>
        </p>
      )}
    </section>
  );
}

/** How much was found of each kind, each a link to its place on the page. */
function Chips({ found }: { readonly found: Found }): JSX.Element | null {
  const { say, number } = found.visit.words;
  const countOf = (models: (name: string) => boolean): number =>
    Object.entries(found.counts).reduce((sum, [name, count]) => (models(name) ? sum + count : sum), 0);
  const places = (
    [
      ['values', 'search.values', countOf(isValue)],
      ['documents', 'search.documents', found.documentCount],
      ['visits', 'search.visits', countOf((name) => name === VISIT)],
      ['others', 'search.others', countOf(isOther)],
      ['people', 'people.title', found.people.length],
    ] as const
  ).filter(([, , count]) => count > 0);
  return places.length < 2 ? null : (
    <nav class="chips roll gap no-print" aria-label={say('search.kinds')}>
      {places.map(([id, text, count]) => (
        <a class="chip" href={`#${id}`}>
          {say(text)} <span class="soft">{number(count)}</span>
        </a>
      ))}
    </nav>
  );
}

function Answers({ found }: { readonly found: Found }): JSX.Element {
  const { visit, whose } = found;
  const { say } = visit.words;
  return found.facts.length + found.documents.length + found.people.length === 0 ? (
    <section class="card empty gap" role="status">
      <h2>{say('search.nothing')}</h2>
      <p>{say('search.how')}</p>
    </section>
  ) : (
    <>
      <Chips found={found} />
      <Values found={found} />
      <FoundDocuments found={found} />
      <div class="cards gap">
        <Facts found={found} id="visits" title={say('search.visits')} models={(name) => name === VISIT} />
        <Facts found={found} id="others" title={say('search.others')} models={isOther} />
        {found.people.length > 0 && (
          <div class="s6" id="people">
            <PeopleNamed visit={visit} whose={whose} people={found.people.slice(0, PEOPLE)} />
          </div>
        )}
      </div>
    </>
  );
}

async function findAll(visit: PersonVisit, whose: Whose, q: string): Promise<Found> {
  const { params, kind } = whose;
  const common = { q, language: visit.words.language, zone: visit.words.zone };
  const [{ facts, counts }, { documents, total }, people] = await Promise.all([
    visit.ask(kind === 'record' ? operations.reports.recordFind : operations.reports.carenetFind, {
      params,
      query: { ...common, means: meaningsOf(q), limit: String(FACTS) },
    }),
    visit.ask(
      kind === 'record' ? operations.documents.recordDocumentSearch : operations.documents.carenetDocumentSearch,
      { params, query: { ...common, limit: String(DOCUMENTS), texts: 'true' } },
    ),
    visit.ask(kind === 'record' ? operations.reports.recordPeople : operations.reports.carenetPeople, {
      params,
      query: { q },
    }),
  ]);
  return {
    visit,
    whose,
    q,
    facts: facts as unknown as readonly Fact[],
    counts,
    documents,
    documentCount: total,
    people,
  };
}

async function lookAtSearch(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const q = (visit.query['q'] ?? '').trim();
  if ([...q].length > MOST_LETTERS) {
    throw errors.invalidParameter('q', `it can have ${MOST_LETTERS} characters`);
  }
  const { say } = visit.words;
  const title = say('search.title');
  return shown(
    title,
    <>
      <h1 class="unseen">{title}</h1>
      <Field visit={visit} q={q} />
      {q === '' ? <p class="by gap">{say('search.how')}</p> : <Answers found={await findAll(visit, whose, q)} />}
      {q !== '' && <p class="by gap">{say('search.files')}</p>}
    </>,
    { record: whose.frame },
  );
}

export const search = forBoth((begin) => page({ path: `${begin}/search`, show: lookAtSearch }));
