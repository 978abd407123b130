/** search: finds what a record or carenet says: values first, then documents, visits, and everything else. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import { languages, type Language } from '../../../../core/base/languages';
import type { Model } from '../../../../core/facts/model/model';
import type { ValueOf } from '../../../../core/http/route';
import {
  factAddress,
  factDate,
  factLine,
  factTitle,
  isReading,
  modelTitle,
  readings,
  text,
  type Fact,
} from '../../words/facts';
import { documentKind, documentLine, titleOf } from '../../words/kinds';
import { commaSeparated, websiteTexts } from '../../words/words';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { EntryRow } from '../../parts/entry-row';
import { Icon } from '../../parts/icons';
import { Tag } from '../../parts/layout';
import { factsOnce } from '../../words/said-once';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { visitAddress, visitDate, visitPlace, visitTitle } from '../../words/visits';
import { PeopleNamed, type Person } from '../visits/person-rows';
import { lookOf } from './timeline-days';

type Document = ValueOf<typeof operations.documents.recordDocumentSearch>['documents'][number];

const MOST_LETTERS = 200;
const FACTS = 60;
const DOCUMENTS = 12;
const PEOPLE = 12;
const VISIT = 'Encounter';

/** Models whose facts are values. */
const VALUES = ['LabResult', 'VitalSigns', 'Measurement'];

function asWords(said: string): string {
  return said.toLowerCase().replaceAll('-', ' ');
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
      typed.filter((word) => asWords(said).includes(word)).map((word) => `${word}*${asWords(name)}`),
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
  const asked = q.toLowerCase().split(/\s+/);
  const named = said.find(({ label }) => asked.some((word) => word.length > 2 && label.toLowerCase().includes(word)));
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

/** What a reading is called and its value in words; other facts have their title and line. */
function foundWords(found: Found, model: Model, fact: Fact): readonly [title: string, line: string] {
  const { words } = found.visit;
  if (model.name === VISIT) {
    return [visitTitle(fact, words), commaSeparated(visitPlace(fact), words)];
  }
  const reading = model.fields.some(isReading) ? readingOf(found, model, fact) : undefined;
  const said = readings(model, fact, words).find(({ field }) => field === reading);
  return said
    ? [words.say('document.named', { label: said.label, value: said.value }), '']
    : [factTitle(model, fact, words), factLine(model, fact, words)];
}

function FactRow({ found, fact }: { readonly found: Found; readonly fact: Fact }): JSX.Element | null {
  const { visit, whose } = found;
  const model = visit.models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const { hue, icon } = lookOf(model.name);
  const [title, line] = foundWords(found, model, fact);
  const isVisit = model.name === VISIT;
  return (
    <EntryRow
      kind={isVisit ? 'Visit' : model.name}
      id={fact.__id__}
      value={VALUES.includes(model.name) ? measuredValue(found, model, fact) : ''}
      icon={isVisit ? 'visit' : icon}
      hue={isVisit ? 'k-visit' : hue}
      address={isVisit ? visitAddress(whose, fact) : factAddress(whose.base, fact)}
      title={title}
      line={line}
      end={isVisit ? visitDate(fact, visit.words) : factDate(model, fact, visit.words, 'day')}
    />
  );
}

type CardProps = {
  readonly found: Found;
  readonly id: string;
  readonly title: string;
  readonly models: (name: string) => boolean;
};

/** The facts of some models, the newest first, what several documents say in the same words once. */
function Facts({ found, id, title, models }: CardProps): JSX.Element | null {
  const { visit, counts, whose } = found;
  const own = found.facts.filter(({ __modelname__: name }) => models(name));
  const statements = factsOnce(own, visit);
  const names = [...new Set(own.map(({ __modelname__: name }) => name))].filter((name) => name !== VISIT);
  return statements.length === 0 ? null : (
    <section class="card gap" id={id}>
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="list ic-list">
        {statements.map(({ fact }) => (
          <FactRow found={found} fact={fact} />
        ))}
      </ul>
      <p class="more line">
        {names.map((name) => (
          <a href={`${whose.base}data/${name}`}>
            {modelTitle(visit.models.find(name)!, visit.words)}{' '}
            <span class="soft">{visit.words.number(counts[name] ?? 0)}</span>
          </a>
        ))}
      </p>
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
        \u201c{before}
        <mark>{said}</mark>
        {after}\u201d
      </bdi>{' '}
      {at > 1 && <>{say('search.on-page', { number: at })} </>}
      {byMachine && <Tag tone="off">{say('search.by-machine')}</Tag>}
    </p>
  );
}

function FoundDocuments({ found }: { readonly found: Found }): JSX.Element | null {
  const { visit, whose, documents, documentCount, q } = found;
  const { say, date } = visit.words;
  return documents.length === 0 ? null : (
    <section class="card gap" id="documents">
      <header>
        <h2>{say('search.documents')}</h2>
        <span class="soft small">{visit.words.number(documentCount)}</span>
      </header>
      <ul class="list ic-list">
        {documents.map((document) => (
          <EntryRow
            kind="Document"
            id={document.id}
            icon="document"
            hue="k-doc"
            address={`${whose.base}documents/${encodeURIComponent(document.id)}`}
            title={titleOf(document, visit)}
            line={documentLine(document, visit) || documentKind(document, visit)}
            end={date(document.createdAt, 'short-day')}
          >
            {document.quote && <Quoted visit={visit} quote={document.quote} />}
          </EntryRow>
        ))}
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

function Answers({ found }: { readonly found: Found }): JSX.Element {
  const { say } = found.visit.words;
  return found.facts.length + found.documents.length + found.people.length === 0 ? (
    <section class="card empty gap" role="status">
      <h2>{say('search.nothing')}</h2>
      <p>{say('search.how')}</p>
    </section>
  ) : (
    <>
      <Facts found={found} id="values" title={say('search.values')} models={(name) => VALUES.includes(name)} />
      <FoundDocuments found={found} />
      <Facts found={found} id="visits" title={say('search.visits')} models={(name) => name === VISIT} />
      <PeopleNamed visit={found.visit} whose={found.whose} people={found.people.slice(0, PEOPLE)} />
      <Facts
        found={found}
        id="others"
        title={say('search.others')}
        models={(name) => !VALUES.includes(name) && name !== VISIT}
      />
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
