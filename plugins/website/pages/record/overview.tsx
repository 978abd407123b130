/**
 * overview: the first page of a record or carenet: who the person is, first of all their allergies, and what else
 * matters most.
 */
import type { JSX } from 'preact';
import type { Model } from '../../../../core/facts/model/model';
import { standingFields } from '../../../../core/lines/standing';
import type { ValueOf } from '../../../../core/http/route';
import {
  factDate,
  factLine,
  factTitle,
  modelTitle,
  factAddress,
  saidColumns,
  text,
  type Fact,
} from '../../words/facts';
import { DISEASE_FIELDS } from '../../words/diseases';
import { documentKind, saidOf, titleOf } from '../../words/kinds';
import { DENIAL, deniedBy } from '../../../../core/lines/denials';
import { deniedIn, type Source } from '../lines/line-words';
import { addPath } from '../quick/nav';
import { Thumb } from '../documents/rows';
import { NewestVisits } from '../visits/overview-visits';
import { documentsToShow, isNews, readNews, tickOff, WhatChanged, type Newest, type News } from './overview-changes';
import { Latest, readingsOf, Results } from './overview-latest';
import { dosesOf, DosesRow } from './overview-vaccines';
import { operations } from '../../http/operations';
import { pathOfModel } from '../../parts/places';
import { AlsoCalled } from '../../parts/also-called';
import { Icon, Tile, type IconName } from '../../parts/icons';
import { ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Check, Head, Line, Pairs, Part, Rows, Tag } from '../../parts/layout';
import { deniable, Denials, NoneKnown, type Denial } from '../../parts/none-known';
import { PrintButton } from '../../parts/printed';
import { missingWords } from '../../words/said-once';
import { checkWords } from '../../unlikely';
import { entriesOf, LINED, lineWords, standingOfEntry, type Entry } from './overview-lines';
import { statusWords, withoutStatus } from '../../words/standing';
import { Avatar, hueOf, monthsOf } from '../../parts/who';
import { forBoth, whoseNamed, type Whose } from '../../parts/whose';
import { commaSeparated, isZone } from '../../words/words';

type Overview = ValueOf<typeof operations.reports.recordOverview>;
type Messages = ValueOf<typeof operations.messaging.accountLettersWaiting>;
type Person = Readonly<Record<string, unknown>> | undefined;

type Read = {
  readonly visit: PersonVisit;
  readonly from: Whose;
  readonly overview: Overview;
  readonly documents: Newest;
  readonly messages: Messages;
  readonly person: Person;
  /** Undefined in a circle. */ readonly news: News | undefined;
};

const VACCINE = 'Immunization';
/** How many rows of a list are shown before the link to all. */
const ROWS = 12;
/** More than are shown: readings of one day stand for each other. */
const NEWEST_DOCUMENTS = 12;
const MESSAGES = 50;
const WAITING = 3;
/** How many facts of a model the operation reads at most. */
const READ = 200;

/** The newest documents of a circle, in which nobody is told what changed. */
async function newestInCircle({ ask }: PersonVisit, params: Whose['params']) {
  const query = { limit: String(NEWEST_DOCUMENTS) };
  return { documents: await ask(operations.documents.carenetDocumentSearch, { params, query }), news: undefined };
}

async function readOverview(visit: PersonVisit): Promise<Read> {
  const { ask, models, words } = visit;
  const { kind, params } = whoseNamed(visit, '');
  const query = {
    lists: LINED.flatMap((name) => {
      const model = models.find(name);
      return model ? [[name, ...saidColumns(model, [...standingFields, ...DISEASE_FIELDS])].join('*')] : [];
    }).join('|'),
    readings: readingsOf(models, words),
  };
  const [overview, { documents, news }, inbox] = await Promise.all([
    ask(kind === 'record' ? operations.reports.recordOverview : operations.reports.carenetOverview, { params, query }),
    kind === 'record' ? readNews(visit) : newestInCircle(visit, params),
    kind === 'record'
      ? ask(operations.messaging.accountLettersWaiting, {
          params: ownAccount(visit),
          query: { limit: String(MESSAGES), record: params['RECORD_ID'] ?? '' },
        })
      : undefined,
  ]);
  return {
    visit,
    from: whoseNamed(visit, overview.label, overview.carenet ?? '', overview.as),
    overview,
    documents,
    messages: inbox ?? [],
    person: overview.person ?? undefined,
    news,
  };
}

function listedFacts({ overview }: Read, name: string): readonly Fact[] {
  return (overview.lists[name] ?? []) as readonly Fact[];
}

/** The facts with the newest first, by their own date. Facts without a date come last. */
function sortByField(facts: readonly Fact[], field: string): readonly Fact[] {
  return [...facts].sort((a, b) => {
    const [one, other] = [text(a[field]), text(b[field])];
    return Number(one < other) - Number(one > other);
  });
}

/** The age of children is given in months until they are two. */
const MONTHS = 24;

function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function bornWords(born: string, { words: { say, date }, now }: PersonVisit): string {
  const months = monthsOf(born, now);
  return months < MONTHS
    ? say('overview.born-months', { born: date(born), age: Math.max(0, months) })
    : say('overview.born', { born: date(born), age: Math.floor(months / 12) });
}

/** "Born 17 April 1968, 57 years old. Female. Strandgaten 12, Bergen. Speaks Norwegian." */
function whoWords({ visit, person }: Read): string {
  const { say, locale } = visit.words;
  if (!person) {
    return '';
  }
  const [born, sex, speaks] = [text(person['bday']), text(person['gender']), text(person['preferred_language'])];
  const blood = text(person['blood_group']);
  const address = ['street', 'city', 'country'].map((part) => text(person[`adr_${part}`])).filter(Boolean);
  return [
    born && bornWords(born, visit),
    sex === 'female' || sex === 'male' ? `${say(`form.${sex}`)}.` : '',
    address.length > 0 ? `${commaSeparated(address, visit.words)}.` : '',
    speaks && say('overview.speaks', { language: languageName(speaks, locale) }),
    blood && say('details.blood-is', { group: blood }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The place in the document; of what several say, the page of the line, which leads on to each of them. */
function linkOf({ from }: Read, { fact, line }: Entry): string | undefined {
  return line.sources > 1 || line.conflict
    ? `${from.base}list/${fact.__modelname__}/${line.id}`
    : factAddress(from.base, fact);
}

/** The small button of a card that adds to it; nothing in a carenet. */
function Plus({ read: { from }, model, text }: PlusProps): JSX.Element | null {
  return from.kind === 'carenet' ? null : (
    <a class="plus" href={`${from.base}${addPath(model)}`}>
      <Icon name="add" />
      <span class="unseen">{text}</span>
    </a>
  );
}

type PlusProps = { readonly read: Read; readonly model: string; readonly text: string };

/** What sources say of there being no allergies, medicines or problems. */
function denialsOf(read: Read, denied: string): readonly Denial[] {
  const { visit } = read;
  const model = visit.models.find(DENIAL);
  const entries = entriesOf(listedFacts(read, DENIAL)).filter(
    (entry) => deniedBy(entry.fact) === denied && standingOfEntry(entry) === 'open',
  );
  return model
    ? entries.map((entry) => {
        const source = entry.fact['__source__'] as unknown as Source | undefined;
        const to = entry.fact['__closed__'] === true ? undefined : linkOf(read, entry);
        return {
          id: entry.fact.__id__,
          title: factTitle(model, entry.fact, visit.words),
          said: [deniedIn(source, visit), missingWords(entry.missingSince, visit.words)].filter(Boolean).join('. '),
          ...(to === undefined ? {} : { to }),
        };
      })
    : [];
}

/** Beside what is there, that somebody says that there is none; each thing once. */
function Contradicted({ read: { visit }, denials }: { readonly read: Read; readonly denials: readonly Denial[] }) {
  const said = [...new Set(denials.map((one) => (one.said === '' ? one.title : `${one.title} (${one.said})`)))];
  return said.length === 0 ? null : (
    <p class="more">{visit.words.say('overview.contradicted', { said: commaSeparated(said, visit.words) })}</p>
  );
}

/**
 * What else is known about allergies: a statement that there are none, and the number of those that are over or not
 * shown here.
 */
function MoreOfAllergies({
  read: all,
  open,
  others,
  denials,
}: {
  readonly read: Read;
  readonly open: number;
  readonly others: number;
  readonly denials: readonly Denial[];
}): JSX.Element {
  const { say } = all.visit.words;
  const facts = listedFacts(all, 'Allergy');
  const there = `${all.from.base}${pathOfModel(all.visit.models.find('Allergy')!)}`;
  return (
    <>
      {open > 0 && <Contradicted read={all} denials={denials} />}
      {others > 0 && (
        <p class="small">
          <a href={there}>{say('overview.allergies-over', { count: others })}</a>
        </p>
      )}
      {facts.length > READ && (
        <p class="small">
          <a href={there}>{say('overview.not-all', { count: READ })}</a>
        </p>
      )}
    </>
  );
}

function AllergyRow({
  visit: { words },
  model,
  entry,
}: {
  readonly visit: PersonVisit;
  readonly model: Model;
  readonly entry: Entry;
}): JSX.Element {
  const { fact, line } = entry;
  const title = factTitle(model, fact, words);
  const names = line.others.map((other) => factTitle(model, other, words));
  const missing = missingWords(entry.missingSince, words);
  return (
    <li data-kind={model.name} data-id={fact.__id__}>
      <b>
        <bdi>{title}</bdi>
      </b>
      <AlsoCalled title={title} names={names} words={words} />
      <span>
        <bdi>{lineWords(model, entry, words) || words.say('overview.no-reaction')}</bdi>
      </span>
      {line.sources > 1 && <span>{words.say('overview.said-in', { count: line.sources })}</span>}
      {missing !== '' && <span>{missing}</span>}
      {line.conflict && <span>{words.say('lines.differ')}</span>}
    </li>
  );
}

/** The band with the allergies, which stands above everything else. */
function Band({ read: all, model, there, more }: BandProps): JSX.Element {
  const { say } = all.visit.words;
  return (
    <section class="allergies" data-kind="Allergy">
      <h2>
        <Icon name="alert" />
        <a href={`${all.from.base}${pathOfModel(model)}`}>{say('overview.allergies')}</a>
      </h2>
      <ul>
        {there.map((entry) => (
          <AllergyRow visit={all.visit} model={model} entry={entry} />
        ))}
      </ul>
      <Plus read={all} model="Allergy" text={say('overview.add-allergy')} />
      {more}
    </section>
  );
}

type BandProps = {
  readonly read: Read;
  readonly model: Model;
  readonly there: readonly Entry[];
  readonly more: JSX.Element;
};

/**
 * This part is always shown: the allergies, or that somebody said that there are none, or that nobody said anything.
 */
function Allergies({ read: all }: { readonly read: Read }): JSX.Element {
  const { visit, from } = all;
  const { say } = visit.words;
  const model = visit.models.find('Allergy');
  const entries = entriesOf(listedFacts(all, 'Allergy'));
  const there = entries.filter((entry) => standingOfEntry(entry) === 'open');
  const denials = denialsOf(all, 'Allergy');
  const title = say('overview.allergies');
  const others = entries.length - there.length;
  const more = <MoreOfAllergies read={all} open={there.length} others={others} denials={denials} />;
  if (model && there.length > 0) {
    return <Band read={all} model={model} there={there} more={more} />;
  }
  return (
    <Part title={title}>
      {denials.length > 0 ? (
        <Denials denials={denials} />
      ) : (
        <p>{say(from.kind === 'carenet' ? 'overview.allergies-not-here' : 'overview.allergies-unknown')}</p>
      )}
      {more}
      {denials.length === 0 && from.kind === 'record' && !isBeginning(all) && (
        <div class="buttons">
          <a class="button little" href={`${from.base}${addPath('Allergy')}`}>
            {say('overview.add-allergy')}
          </a>
          {entries.length === 0 && <NoneKnown visit={visit} base={from.base} model="Allergy" />}
        </div>
      )}
    </Part>
  );
}

/** Unread messages about this record. The others wait in the inbox, whose number is above every page. */
function WaitingMessages({ read: { visit, messages: unread } }: { readonly read: Read }): JSX.Element | null {
  const { say, date } = visit.words;
  return unread.length === 0 ? null : (
    <div class="no-print">
      <Part title={say('overview.waits')} mark={<Tag tone="wait">{visit.words.number(unread.length)}</Tag>}>
        <Rows kind="two">
          {unread.slice(0, WAITING).map(({ message, from: sender }) => (
            <li>
              <div>
                <a class="name" href={`${visit.site}/inbox/${encodeURIComponent(message.id)}`}>
                  {say('overview.message')} <bdi>{message.subject}</bdi>
                </a>
                <p class="by">
                  <bdi>{sender}</bdi>
                  {message.attachments.length > 0 &&
                    `. ${say('overview.attachments', { count: message.attachments.length })}`}
                </p>
              </div>
              <span class="by">{date(message.receivedAt, 'time')}</span>
            </li>
          ))}
        </Rows>
        {unread.length > WAITING && (
          <p class="more">
            <a href={`${visit.site}/inbox/`}>{say('overview.all-messages')}</a>
          </p>
        )}
      </Part>
    </div>
  );
}

type Listing = {
  readonly name: string;
  readonly hue: string;
  readonly icon: IconName;
  readonly date: string;
  /** The text that counts the facts that are over. */ readonly over:
    'overview.over' | 'overview.stopped' | 'overview.not-given';
  /** What is said, and offered, when there are none; a list without these is left out then. */
  readonly none?: string;
  readonly add?: string;
};

function Row({
  read: all,
  model,
  entry,
}: {
  readonly read: Read;
  readonly model: Model;
  readonly entry: Entry;
}): JSX.Element {
  const { visit } = all;
  const { fact, line: joined } = entry;
  const missing = missingWords(entry.missingSince, visit.words);
  const date = factDate(model, fact, visit.words, 'day');
  const line = factLine(model, withoutStatus(fact), visit.words);
  const status = statusWords(model, fact, visit.words);
  const title = factTitle(model, fact, visit.words);
  const names = joined.others.map((other) => factTitle(model, other, visit.words));
  return (
    <li data-kind={model.name} data-id={fact.__id__}>
      <div>
        <a class="name" href={linkOf(all, entry)}>
          <bdi>{title}</bdi>
        </a>
        <AlsoCalled title={title} names={names} words={visit.words} />
        <Line text={line} />
        {missing !== '' && <p class="by">{missing}</p>}
        {joined.conflict && <Tag tone="alert">{visit.words.say('lines.differ')}</Tag>}
        {joined.standing === 'unclear' && <Tag tone="wait">{visit.words.say('lines.unclear')}</Tag>}
      </div>
      <span class="end below">
        {date}
        {status !== '' && (
          <>
            {date !== '' && <br />}
            <bdi>{visit.words.say('overview.status', { status })}</bdi>
          </>
        )}
        {joined.sources > 1 && (
          <>
            {(date !== '' || status !== '') && <br />}
            {visit.words.say('overview.said-in', { count: joined.sources })}
          </>
        )}
      </span>
    </li>
  );
}

/** The rows of a card: vaccinations by disease, of which the unclear ones stand alone; of all else a row for each line. */
function cardRows(all: Read, model: Model, open: readonly Entry[]): readonly JSX.Element[] {
  const isVaccine = model.name === VACCINE;
  const isUnclear = ({ line }: Entry): boolean => line.standing === 'unclear';
  const doses = isVaccine
    ? dosesOf(
        open.filter((entry) => !isUnclear(entry)),
        all.visit,
      )
    : [];
  return [
    ...doses.map((one) => <DosesRow visit={all.visit} model={model} doses={one} to={linkOf(all, one.given[0])} />),
    ...open
      .filter((entry) => !isVaccine || isUnclear(entry))
      .map((entry) => <Row read={all} model={model} entry={entry} />),
  ];
}

/** The facts that have not ended, then the number of those that somebody said are over. */
function Listed({ read: all, listing }: ListedProps): JSX.Element | null {
  const { visit, from } = all;
  const { say } = visit.words;
  const model = visit.models.find(listing.name);
  if (!model) {
    return null;
  }
  const facts = sortByField(listedFacts(all, listing.name), listing.date);
  const entries = entriesOf(facts);
  const open = entries.filter((entry) => standingOfEntry(entry) === 'open');
  const rows = cardRows(all, model, open);
  const ahead = entries.filter((entry) => standingOfEntry(entry) === 'planned');
  const planned = ahead.length;
  const check = ahead.map(({ fact }) => checkWords(model, fact, visit.words)).find((said) => said !== '');
  const over = entries.length - open.length - planned;
  const there = `${from.base}${pathOfModel(model)}`;
  const { none, add } = listing;
  const denials = denialsOf(all, listing.name);
  const denied = deniable(listing.name);
  if (facts.length === 0 && denials.length === 0 && (from.kind === 'carenet' || none === undefined)) {
    return null;
  }
  return (
    <section class={`card ${listing.hue}`} data-kind={model.name}>
      <header>
        <Tile name={listing.icon} />
        <h2>
          <a href={there}>{modelTitle(model, visit.words)}</a>
        </h2>
        {add !== undefined && <Plus read={all} model={model.name} text={say(add)} />}
      </header>
      {facts.length === 0 && denials.length === 0 && none !== undefined && <p>{say(none)}</p>}
      {facts.length > 0 && open.length === 0 && denials.length === 0 && <p>{say('overview.none-open')}</p>}
      {open.length === 0 && denials.length > 0 && <Denials denials={denials} />}
      {facts.length === 0 && denials.length === 0 && denied && !isBeginning(all) && (
        <NoneKnown visit={visit} base={from.base} model={denied} />
      )}
      {open.length > 0 && <ul class="list">{rows.slice(0, ROWS)}</ul>}
      {open.length > 0 && <Contradicted read={all} denials={denials} />}
      {(rows.length > ROWS || over > 0 || planned > 0) && (
        <div class="more line">
          {rows.length > ROWS && facts.length <= READ && (
            <a href={there}>{say('overview.more', { count: rows.length - ROWS })}</a>
          )}
          {facts.length > READ && <a href={there}>{say('overview.not-all', { count: READ })}</a>}
          {planned > 0 && facts.length <= READ && <a href={there}>{say('overview.planned', { count: planned })}</a>}
          {check !== undefined && facts.length <= READ && <Check text={check} />}
          {over > 0 && facts.length <= READ && <a href={there}>{say(listing.over, { count: over })}</a>}
        </div>
      )}
    </section>
  );
}

type ListedProps = { readonly read: Read; readonly listing: Listing };

const medicines: Listing = {
  name: 'Medication',
  hue: 'k-med',
  icon: 'pill',
  date: 'startDate',
  over: 'overview.stopped',
  none: 'overview.no-medicine',
  add: 'overview.add-medicine',
};
const problems: Listing = {
  name: 'Problem',
  hue: 'k-prob',
  icon: 'problem',
  date: 'startDate',
  over: 'overview.over',
  none: 'overview.no-problem',
  add: 'overview.add-problem',
};
/** The cards at the end. */
const second: readonly Listing[] = [
  {
    name: VACCINE,
    hue: 'k-vac',
    icon: 'vaccine',
    date: 'date',
    over: 'overview.not-given',
    none: 'overview.no-vaccine',
    add: 'overview.add-vaccine',
  },
  { name: 'Equipment', hue: 'k-doc', icon: 'device', date: 'date_started', over: 'overview.stopped' },
];

function Documents({ read: { visit, from, documents } }: { readonly read: Read }): JSX.Element | null {
  const { say, date } = visit.words;
  const some = documentsToShow(documents, visit);
  return documents.total === 0 ? null : (
    <section class="card k-doc" data-kind="Document">
      <header>
        <Tile name="document" />
        <h2>
          <a href={`${from.base}documents/`}>{say('overview.documents')}</a>
        </h2>
        {from.kind === 'record' && (
          <a class="plus" href={`${from.base}add`}>
            <Icon name="add" />
            <span class="unseen">{say('overview.add-file')}</span>
          </a>
        )}
      </header>
      <ul class="list ic-list with-pages">
        {some.map((document, at) => {
          const address = `${from.base}documents/${encodeURIComponent(document.id)}`;
          const [title, kind, said] = [
            titleOf(document, visit),
            documentKind(document, visit),
            saidOf(document, visit),
          ];
          return (
            <li data-kind="Document" data-id={document.id}>
              <Thumb address={address} document={document} at={at} />
              <div>
                <a class="name" href={address}>
                  <bdi>{title}</bdi>
                </a>
                <Line text={said} />
                <p class="by">{say('overview.added', { date: date(document.createdAt) })}</p>
              </div>
              {kind !== title && (
                <span class="end below">
                  <bdi>{kind}</bdi>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {documents.total > some.length && (
        <p class="more">
          <a href={`${from.base}documents/`}>{say('overview.all-documents', { count: documents.total })}</a>
        </p>
      )}
    </section>
  );
}

/** Whom to call in an emergency, and the insurance, where somebody wrote them down. */
function OwnDetails({ read: { visit, person } }: { readonly read: Read }): JSX.Element | null {
  const { say } = visit.words;
  const contacts = text(person?.['emergency_contacts']).split('\n').filter(Boolean);
  const insurance = text(person?.['insurance']);
  return contacts.length === 0 && insurance === '' ? null : (
    <section class="card k-who">
      <header>
        <Tile name="person" />
        <h2>{say('details.title')}</h2>
      </header>
      <Pairs
        pairs={[
          ...contacts.map((line) => [say('details.contacts'), <bdi>{line}</bdi>] as const),
          ...(insurance === '' ? [] : [[say('details.insurance'), <bdi>{insurance}</bdi>] as const]),
        ]}
      />
    </section>
  );
}

/** Links to every kind of fact in the record or carenet, also to those that this page does not show. */
function Kinds({ read: { visit, from, overview } }: { readonly read: Read }): JSX.Element | null {
  const models = overview.models.flatMap((name) => visit.models.find(name) ?? []);
  return models.length === 0 ? null : (
    <div class="no-print">
      <Part title={visit.words.say('overview.kinds')}>
        <div class="line-links">
          {models.map((model) => (
            <a href={`${from.base}data/${model.name}`}>{modelTitle(model, visit.words)}</a>
          ))}
        </div>
      </Part>
    </div>
  );
}

/** What a doctor asks first, the models that answer it, and how it is asked. */
const questions = [
  { model: 'Allergy', ask: 'overview.ask-allergies', icon: 'alert', hue: 'k-all' },
  { model: 'Medication', ask: 'overview.ask-medicines', icon: 'pill', hue: 'k-med' },
  { model: 'Problem', ask: 'overview.ask-problems', icon: 'problem', hue: 'k-prob' },
] as const;

function isAnswered(all: Read, { model }: (typeof questions)[number]): boolean {
  return listedFacts(all, model).length > 0 || denialsOf(all, model).length > 0;
}

/** Whether the page asks what a doctor asks first; then no card below asks it once more. */
function isBeginning(all: Read): boolean {
  const isOpen = questions.some((question) => !isAnswered(all, question));
  return all.from.kind === 'record' && isOpen && all.documents.total <= BEGUN;
}

/** A new record: what a doctor asks first, and how much of it is answered. */
function Beginning({ read: all }: { readonly read: Read }): JSX.Element | null {
  const { visit, from, documents } = all;
  const { say } = visit.words;
  const done = questions.filter((question) => isAnswered(all, question)).length;
  if (!isBeginning(all)) {
    return null;
  }
  return (
    <section class="card">
      <header>
        <h2>{say('overview.first')}</h2>
        <span class="soft">{say('overview.first-done', { done, all: questions.length })}</span>
      </header>
      <svg class="meter" viewBox="0 0 3 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width="3" height="1" />
        <rect class="on" width={done} height="1" />
      </svg>
      <ul class="list ic-list">
        {questions.map((question) => (
          <li>
            <Tile name={question.icon} kind={question.hue} />
            <span class="name">{say(question.ask)}</span>
            <span class="end below">
              {isAnswered(all, question) ? (
                <Tag tone="good">{say('overview.answered')}</Tag>
              ) : (
                <div class="buttons">
                  <a class="button little" href={`${from.base}${addPath(question.model)}`}>
                    {say('overview.answer')}
                    <span class="unseen">: {say(question.ask)}</span>
                  </a>
                  <NoneKnown visit={visit} base={from.base} model={question.model} />
                </div>
              )}
            </span>
          </li>
        ))}
      </ul>
      {documents.total === 0 && (
        <div class="more">
          <p>{say('overview.begin')}</p>
          <div class="buttons">
            <a class="button first" href={`${from.base}add`}>
              {say('overview.add-file')}
            </a>
          </div>
        </div>
      )}
    </section>
  );
}

/** A record with more documents than this is no longer at its beginning. */
const BEGUN = 3;

/** Cards side by side. */
function Cards({ read: all, listings }: { readonly read: Read; readonly listings: readonly Listing[] }) {
  return listings.map((listing) => <Listed read={all} listing={listing} />);
}

/** What is new, the problems and the medicines. */
function FirstCards({ read: all }: { readonly read: Read }): JSX.Element {
  const { visit, from, news, overview } = all;
  const isNew = news !== undefined && isNews(news);
  const differing = LINED.flatMap((name) => entriesOf(listedFacts(all, name)))
    .filter(({ line }) => line.conflict)
    .map((entry) => ({ fact: entry.fact, to: linkOf(all, entry) }));
  const results = (overview.latest['LabResult'] ?? []) as readonly Fact[];
  return (
    <div class="cards flow">
      {isNew && <WhatChanged visit={visit} base={from.base} news={news} results={results} differing={differing} />}
      {!isNew && <Listed read={all} listing={medicines} />}
      <Listed read={all} listing={problems} />
      {isNew && <Listed read={all} listing={medicines} />}
    </div>
  );
}

/** How many questions wait for an answer, as a link to them; a circle has none. */
function Questions({ read: { visit, from, overview } }: { readonly read: Read }): JSX.Element | null {
  const { say } = visit.words;
  return from.kind === 'carenet' || overview.questions === 0 ? null : (
    <p class="no-print">
      <a href={`${from.base}questions`}>{say('overview.questions', { count: overview.questions })}</a>
    </p>
  );
}

async function showOverview(visit: PersonVisit): Promise<Answer> {
  const all = await readOverview(visit);
  const { from, overview } = all;
  const { say } = visit.words;
  const part = from.kind === 'carenet';
  const latest = overview.latest as Readonly<Record<string, readonly Fact[]>>;
  const readings = { visit, base: from.base, latest, models: overview.models, own: !part };
  return shown(
    from.name,
    <>
      <Head
        title={<bdi>{from.name}</bdi>}
        avatar={<Avatar name={from.name} hue={hueOf(from.base)} />}
        action={
          <span class="buttons no-print">
            {(!part || overview.isOwner) && visit.settings.fhir && (
              <a class="button" href={`${from.base}clinic`}>
                {say('clinic.title')}
              </a>
            )}
            <PrintButton visit={visit} />
          </span>
        }
      >
        {part && `${say('overview.part', { carenet: overview.carenet ?? '' })} `}
        <bdi>{whoWords(all)}</bdi>{' '}
        {!part && (
          <a class="small no-print" href={`${from.base}details`}>
            {say('details.change')}
          </a>
        )}
      </Head>
      <Allergies read={all} />
      <Beginning read={all} />
      <WaitingMessages read={all} />
      <Questions read={all} />
      <FirstCards read={all} />
      <Latest {...readings} />
      <div class="cards flow">
        <Results {...readings} />
        <NewestVisits visit={visit} whose={from} facts={overview.visits} />
        <Documents read={all} />
        <Cards read={all} listings={second} />
        <OwnDetails read={all} />
      </div>
      <Kinds read={all} />
      {![visit.person.zone, visit.person.browserZone].some(isZone) && (
        <p class="soft small no-print">
          {say('overview.utc')} <a href={`${visit.site}/account`}>{say('overview.utc-choose')}</a>
        </p>
      )}
    </>,
    { record: { ...from.frame, born: text(all.person?.['bday']) }, script: true },
  );
}

export const overview = forBoth((begin) =>
  page({ path: `${begin}/`, show: showOverview, ...(begin === '/records/{RECORD_ID}' ? { submit: tickOff } : {}) }),
);
