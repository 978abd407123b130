/** documents: the documents of a record, or of a carenet, which a person can search by the words that they remember. */
import { hash } from 'node:crypto';
import type { JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { zipOfChosen } from '../record/files-zip';
import { addressAfter, Came, doSeveral, idsToDownload, outcomeIn, readCircles, Several } from './several';
import {
  careDay,
  featuresIn,
  isAskedFor,
  isNarrowed,
  putInOrder,
  sortOf,
  type Document,
  type Features,
  type Key,
  type People,
} from './ordered';
import {
  Chips,
  keptQuery,
  OfDay,
  OtherStatuses,
  SearchField,
  statusAsked,
  ViewAndOrder,
  viewOf,
  searchedWords,
} from './narrow';
import { DocumentList, listedEntries, NAMED_OF_DEVICE, type Entry } from './rows';
import { Icon, Tile } from '../../parts/icons';
import { Head } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { Pager } from '../../parts/pager';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dateWords } from '../../words/facts';
import { documentName } from '../../words/kinds';

/** How many lines a page has. */
const PAGE = 50;

/** Says what can be searched for when a search found nothing. */
function None({ visit, whose }: { readonly visit: PersonVisit; readonly whose: Whose }): JSX.Element {
  const { say } = visit.words;
  const searched = searchedWords(visit) !== '';
  const filtered = searched || isNarrowed(visit) || statusAsked(visit) !== 'active';
  const why = searched ? say('documents.none-found') : '';
  return (
    <Nothing
      visit={visit}
      whose={whose}
      title={say('documents.none')}
      why={filtered ? why : say(`documents.none-${whose.kind}`)}
      all={filtered ? say('documents.all') : undefined}
    />
  );
}

type Found = ValueOf<typeof operations.documents.recordDocumentSearch>;

type Read = {
  /** Of what is asked for. */ readonly total: number;
  /** Older documents that were not put into order. */ readonly left: number;
  readonly days: readonly [first: string, last: string] | undefined;
  readonly people: People;
  readonly features: readonly Features[];
  /** Of all documents that the words found. */ readonly names: ReadonlyMap<string, string>;
  readonly entries: readonly Entry[];
  readonly documents: ReadonlyMap<string, Document>;
  readonly pages: Found['pages'];
};

/** The sentence that says how many documents there are, and of which days. */
function howMany(visit: PersonVisit, { total, days }: Read): string {
  const { say } = visit.words;
  if (searchedWords(visit) !== '' || isNarrowed(visit)) {
    return say('documents.count-found', { count: total });
  }
  if (statusAsked(visit) !== 'active' || days === undefined || total < 2) {
    return say(`documents.count-${statusAsked(visit)}`, { count: total });
  }
  const [from, to] = days;
  return say('documents.count-days', {
    count: total,
    from: visit.words.date(`${from.slice(0, 4)}-01-01`, 'year'),
    to: dateWords(to, visit.words),
  });
}

type Find = typeof operations.documents.recordDocumentSearch | typeof operations.documents.carenetDocumentSearch;

function findIn({ kind }: Whose): Find {
  return kind === 'record' ? operations.documents.recordDocumentSearch : operations.documents.carenetDocumentSearch;
}

function askDocuments(visit: PersonVisit, whose: Whose, query: Readonly<Record<string, string>>) {
  return visit.ask(findIn(whose), {
    params: whose.params,
    query: {
      q: searchedWords(visit),
      status: statusAsked(visit),
      language: visit.words.language,
      zone: visit.words.zone,
      limit: String(PAGE),
      texts: String(visit.query['texts'] === '1'),
      ...query,
    },
  });
}

/** How many lines a place remembers, so that it is found even if some of them have gone meanwhile. */
const REMEMBERED = 5;
const MARK_BYTES = 9;

/** A line in a place: nobody can tell from it which document it was. */
function placeMark({ keys }: Entry): string {
  return hash('sha256', keys[0]!.id, 'buffer').toString('base64url', 0, MARK_BYTES);
}

/** The place after or before some lines, the nearest first. */
function placeAt(side: 'a' | 'b', entries: readonly Entry[]): string {
  return `${side}.${entries.slice(0, REMEMBERED).map(placeMark).join('')}`;
}

const MARK_LETTERS = (MARK_BYTES * 4) / 3;

/** Where a page begins and ends: after or before the lines that its place names; else it is the first one. */
function pageRange(place: string, entries: readonly Entry[]): readonly [from: number, to: number] {
  const [, side, text = ''] = /^([ab])\.([\w-]+)$/.exec(place) ?? [];
  if (side === undefined || text.length % MARK_LETTERS !== 0) {
    return [0, PAGE];
  }
  const places = new Map(entries.map((entry, at) => [placeMark(entry), at]));
  const marks = Array.from({ length: text.length / MARK_LETTERS }, (_, at) =>
    text.slice(at * MARK_LETTERS, (at + 1) * MARK_LETTERS),
  );
  const known = marks.map((mark) => places.get(mark)).find((at) => at !== undefined);
  if (known === undefined) {
    return [0, PAGE];
  }
  const [from, to] = side === 'a' ? [known + 1, known + 1 + PAGE] : [Math.max(0, known - PAGE), known];
  return from < Math.min(to, entries.length) ? [from, to] : [0, PAGE];
}

/** A part of the lines. What is added or removed meanwhile makes no line be skipped or come twice. */
function partOf({ query }: PersonVisit, entries: readonly Entry[]) {
  const [before, end] = pageRange(query['place'] ?? '', entries);
  const part = entries.slice(before, end);
  return {
    part,
    pages: {
      before,
      ...(before > 0 ? { previous: placeAt('b', entries.slice(before)) } : {}),
      ...(end < entries.length ? { next: placeAt('a', [...part].reverse()) } : {}),
    },
  };
}

function byId(documents: readonly Document[]): ReadonlyMap<string, Document> {
  return new Map(documents.map((document) => [document.id, document]));
}

/** The documents of the lines of a page. */
async function readWhole(visit: PersonVisit, whose: Whose, part: readonly Entry[]) {
  const ids = part.flatMap(({ keys }) => keys.slice(0, NAMED_OF_DEVICE).map(({ id }) => id)).slice(0, 5 * PAGE);
  return ids.length === 0
    ? new Map<string, Document>()
    : byId((await askDocuments(visit, whose, { ids: ids.join(',') })).documents);
}

/** Documents by their titles: these are made of what they say, so all of them are read. */
async function readTitles(visit: PersonVisit, whose: Whose): Promise<ReadonlyMap<string, Document>> {
  return sortOf(visit) === 'title' ? byId((await askDocuments(visit, whose, { all: 'true' })).documents) : new Map();
}

/** Whether more documents than can be put in order may stand as they were added. */
function isAsAdded(visit: PersonVisit): boolean {
  return !isNarrowed(visit) && (visit.query['sort'] === undefined || sortOf(visit) === 'added');
}

/** A page of very many documents, by the day on which they were added; they cannot be narrowed down. */
async function readAsAdded(visit: PersonVisit, whose: Whose): Promise<Read> {
  const { total, documents, pages } = await askDocuments(visit, whose, { place: visit.query['place'] ?? '' });
  return {
    total,
    left: 0,
    days: undefined,
    people: [],
    features: [],
    names: new Map(documents.map((document) => [document.id, documentName(document, visit)])),
    entries: documents.map((document) => ({ keys: [{ ...document, newest: undefined }] })),
    documents: byId(documents),
    pages,
  };
}

/** A page of the list, and what it can be narrowed down to. */
async function readDocuments(visit: PersonVisit, whose: Whose): Promise<Read> {
  const [found, titles, people] = await Promise.all([
    askDocuments(visit, whose, { all: 'true', keys: 'true' }),
    readTitles(visit, whose),
    visit.ask(whose.kind === 'record' ? operations.reports.recordPeople : operations.reports.carenetPeople, {
      params: whose.params,
      query: {},
    }),
  ]);
  if (found.total > found.keys.length && isAsAdded(visit)) {
    return readAsAdded(visit, whose);
  }
  const featuresOf = featuresIn(visit, people);
  const known = found.keys.map((key) => ({ key, features: featuresOf(key) }));
  const wanted = known.filter(({ features }) => isAskedFor(visit, features)).map(({ key }) => key);
  const entries = listedEntries(visit, putInOrder(visit, wanted, titles));
  const { part, pages } = partOf(visit, entries);
  const days = wanted.flatMap((key: Key) => careDay(key, visit) ?? []).sort();
  return {
    total: wanted.length,
    left: found.total - found.keys.length,
    days: days.length === 0 ? undefined : [days[0]!, days.at(-1)!],
    people,
    features: known.map(({ features }) => features),
    names: new Map(found.keys.map((key) => [key.id, documentName(key, visit)])),
    entries: part,
    documents: titles.size > 0 ? titles : await readWhole(visit, whose, part),
    pages,
  };
}

function AddButton({ visit, whose }: { readonly visit: PersonVisit; readonly whose: Whose }): JSX.Element | null {
  return whose.kind === 'record' ? (
    <span class="buttons no-print">
      <a class="button first" href={`${whose.base}add`}>
        <Icon name="add" />
        {visit.words.say('frame.add')}
      </a>
    </span>
  ) : null;
}

async function listOfDocuments(visit: PersonVisit, outcome = outcomeIn(visit)) {
  const { say } = visit.words;
  const whose = await whoseOf(visit);
  const found = await readDocuments(visit, whose);
  const { entries, documents, pages, left, total } = found;
  const title = say('frame.documents');
  const canChoose = whose.kind === 'record' && statusAsked(visit) === 'active' && entries.length > 0;
  return shown(
    title,
    <>
      <Head
        title={title}
        avatar={<Tile name="document" kind="k-doc" />}
        action={<AddButton visit={visit} whose={whose} />}
      >
        {howMany(visit, found)}
      </Head>
      {outcome && <Came visit={visit} outcome={outcome} nameOf={(id) => found.names.get(id)} />}
      <SearchField visit={visit} />
      <Chips visit={visit} people={found.people} features={found.features} />
      <OfDay visit={visit} />
      {found.features.length === 0 && total > 0 && <p class="gap">{say('documents.as-added')}</p>}
      {left > 0 && <p class="gap">{say('documents.left', { count: left })}</p>}
      {entries.length > 0 && <ViewAndOrder visit={visit} />}
      {entries.length === 0 && <None visit={visit} whose={whose} />}
      <DocumentList
        visit={visit}
        whose={whose}
        entries={entries}
        documents={documents}
        isGrid={viewOf(visit) === 'grid'}
      />
      {canChoose && <Several visit={visit} circles={await readCircles(visit)} />}
      <Pager visit={visit} pages={pages} shown={entries.length} total={total} query={keptQuery(visit)} />
      {whose.kind === 'record' && <OtherStatuses visit={visit} />}
    </>,
    { record: whose.frame, ...(outcome && 'lacks' in outcome ? { status: 400 } : {}) },
  );
}

/** Does something with the chosen documents; the list then tells what came of it. */
async function withSeveral(visit: PersonVisit): Promise<Answer> {
  const ids = await idsToDownload(visit);
  if (ids) {
    return zipOfChosen(visit, ids);
  }
  const outcome = await doSeveral(visit);
  return 'lacks' in outcome ? listOfDocuments(visit, outcome) : go(addressAfter(visit, outcome));
}

export const documents = forBoth((begin) =>
  page({
    path: `${begin}/documents/`,
    show: (visit) => listOfDocuments(visit),
    ...(begin === '/records/{RECORD_ID}' ? { submit: withSeveral } : {}),
  }),
);
