/** documents: the documents of a record, or of a carenet, which a person can search by the words that they remember. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { documentLine, ownDate, titleOf } from '../../words/kinds';
import { dateWords, type Fact } from '../../words/facts';
import { operations } from '../../http/operations';
import { page, shown, type PersonVisit } from '../../http/page';
import { Came, doSeveral, readCircles, Several, Tick, type Outcome } from './several';
import {
  askedKind,
  askedSender,
  careDay,
  isOrdered,
  kindWords,
  orderedPage,
  senderNameOf,
  sortOf,
  sorts,
  type Document,
  type People,
} from './ordered';
import { Tags } from './tags';
import { Field, Select } from '../../parts/form';
import { Head, Line, Part, Tag } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { addressWith, Pager } from '../../parts/pager';
import { Icon } from '../../parts/icons';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dayIn } from '../../words/zoned';

const PAGE = 50;

const statuses = ['active', 'archived', 'void'] as const;
type Status = (typeof statuses)[number];

const MOST_LETTERS = 200;

const views = ['list', 'grid'] as const;
type View = (typeof views)[number];

function chosenView({ query }: PersonVisit): View {
  return views.find((known) => known === query['view']) ?? 'list';
}

function tagOf({ query }: PersonVisit): string {
  return (query['tag'] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_LETTERS / 2);
}

/** What stays in the address from one view and page to the next. */
function keptQuery(visit: PersonVisit) {
  return {
    q: searchedText(visit),
    status: chosenStatus(visit) === 'active' ? '' : chosenStatus(visit),
    view: chosenView(visit) === 'list' ? '' : chosenView(visit),
    tag: tagOf(visit),
    texts: visit.query['texts'] === '1' ? '1' : '',
    sort: sortOf(visit) === 'added' ? '' : sortOf(visit),
    kind: askedKind(visit),
    from_whom: askedSender(visit),
  };
}

/** The two views as links. */
function Views({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  return (
    <nav class="seg no-print" aria-label={visit.words.say('documents.view')}>
      {views.map((view) => (
        <a
          href={addressWith(visit, { ...keptQuery(visit), view: view === 'list' ? '' : view })}
          {...(view === chosenView(visit) ? { 'aria-current': 'true' as const } : {})}
        >
          {visit.words.say(`documents.view-${view}`)}
        </a>
      ))}
    </nav>
  );
}

function chosenStatus({ query }: PersonVisit): Status {
  return statuses.find((known) => known === query['status']) ?? 'active';
}
function searchedText({ query }: PersonVisit): string {
  return (query['q'] ?? '').trim().slice(0, MOST_LETTERS);
}

type FilterProps = { readonly visit: PersonVisit; readonly senders: People; readonly kinds: readonly string[] };

function Filters({ visit, senders, kinds }: FilterProps): JSX.Element {
  const { say } = visit.words;
  const all = { value: '', text: say('documents.any') };
  return (
    <form
      class="filters no-print"
      method="get"
      action={visit.path}
      role="search"
      aria-label={say('documents.search-label')}
    >
      <div class="side">
        <Field label={say('documents.search')} name="q" type="search" value={searchedText(visit)} dir="auto" />
        <Select
          label={say('documents.which')}
          name="status"
          value={chosenStatus(visit)}
          options={statuses.map((value) => ({ value, text: say(`documents.${value}`) }))}
        />
        <Select
          label={say('documents.sort')}
          name="sort"
          value={sortOf(visit)}
          options={sorts.map((value) => ({ value, text: say(`documents.sort-${value}`) }))}
        />
        {senders.length > 0 && (
          <Select
            label={say('documents.from-whom')}
            name="from_whom"
            value={askedSender(visit)}
            options={[all, ...senders.map(({ key, name }) => ({ value: key, text: name }))]}
          />
        )}
        {kinds.length > 0 && (
          <Select
            label={say('document.own-kind')}
            name="kind"
            value={kinds.find((kind) => kind.toLowerCase() === askedKind(visit).toLowerCase()) ?? ''}
            options={[all, ...kinds.map((kind) => ({ value: kind, text: kind }))]}
          />
        )}
        {tagOf(visit) !== '' && <input type="hidden" name="tag" value={tagOf(visit)} />}
        {chosenView(visit) === 'grid' && <input type="hidden" name="view" value="grid" />}
        <button class="button">{say('documents.show')}</button>
      </div>
    </form>
  );
}

/** The length of `2026-11-28`; of some days only month or year are known. */
const WHOLE_DAY = 10;

/** The day by which the list is sorted: of care, or on which the document was added. */
function ListedDay({ visit, document }: { readonly visit: PersonVisit; readonly document: Document }): JSX.Element {
  const { date, zone } = visit.words;
  const care = sortOf(visit) === 'care' ? careDay(document, visit) : undefined;
  return (
    <time datetime={care ?? dayIn(zone, document.createdAt)}>
      {care !== undefined && care.length < WHOLE_DAY
        ? dateWords(care, visit.words)
        : date(care ?? document.createdAt, 'short')}
    </time>
  );
}

function DocumentRow({
  visit,
  whose,
  document,
}: {
  visit: PersonVisit;
  whose: Whose;
  document: Document;
}): JSX.Element {
  const { date, rich, say } = visit.words;
  const [title, kind, line, own] = [
    titleOf(document, visit),
    kindWords(document, visit),
    documentLine(document, visit),
    document.own.date === null ? ownDate(document, visit, 'day') : date(document.own.date, 'day'),
  ];
  return (
    <li data-kind="Document" data-id={document.id}>
      <ListedDay visit={visit} document={document} />
      <div>
        <Chosen visit={visit} whose={whose} document={document} />
        <a class="name" href={`${whose.base}documents/${encodeURIComponent(document.id)}`}>
          <bdi>{title}</bdi>
        </a>
        {document.nevershare && whose.kind === 'record' && (
          <>
            {' '}
            <Tag tone="off">{say('documents.never')}</Tag>
          </>
        )}
        <Line text={line} />
        <Tags whose={whose} tags={document.own.tags} />
        {document.cameFrom !== null && (
          <p class="by">
            {rich('received.stored', { host: <bdi>{document.cameFrom}</bdi>, date: date(document.createdAt) })}
          </p>
        )}
      </div>
      <span class="by">
        {kind !== title && <bdi>{kind}</bdi>}
        {own !== '' && (
          <>
            {kind !== title && <br />}
            {own}
          </>
        )}
      </span>
    </li>
  );
}

/** The tick of a document with which something can be done. */
function Chosen({ visit, whose, document }: { visit: PersonVisit; whose: Whose; document: Document }) {
  return whose.kind === 'record' && document.status === 'active' ? (
    <>
      <Tick visit={visit} id={document.id} title={titleOf(document, visit)} />{' '}
    </>
  ) : null;
}

/** How many pictures are fetched at once. The others are, when somebody scrolls to them. */
const FETCHED = 12;

/** The room of a small picture, which has this shape when it is a page. */
const SMALL = { width: 283, height: 400 };

type InGrid = { visit: PersonVisit; whose: Whose; document: Document; /** Place on the page, from 0. */ at: number };

/** Files of which a picture can be made, by the type that their document gives. */
const PICTURED = /^(?:application\/pdf|image\/(?:jpeg|png|gif|webp|heic|tiff))$/;

function hasPicture({ contents }: Document): boolean {
  return contents.some(
    ({ model, first }) => model === 'StoredFile' && PICTURED.test(String((first as unknown as Fact)['media_type'])),
  );
}

/** A document by its first page, if it is a file that has one. */
function Tile({ visit, whose, document, at }: InGrid): JSX.Element {
  const address = `${whose.base}documents/${encodeURIComponent(document.id)}`;
  const title = titleOf(document, visit);
  const kind = kindWords(document, visit);
  return (
    <li data-kind="Document" data-id={document.id}>
      <a href={address}>
        {hasPicture(document) ? (
          <img
            class="page"
            src={`${address}/thumb.png`}
            alt=""
            {...SMALL}
            {...(at < FETCHED ? {} : { loading: 'lazy' as const })}
          />
        ) : (
          <span class="page none" aria-hidden="true">
            <Icon name="document" />
          </span>
        )}
        <b>
          <bdi>{title}</bdi>
        </b>
      </a>
      <span class="by">
        <Chosen visit={visit} whose={whose} document={document} />
        {kind !== title && (
          <>
            <bdi>{kind}</bdi>
            <br />
          </>
        )}
        <ListedDay visit={visit} document={document} />
      </span>
    </li>
  );
}

/** The heading under which a document stands in its order; empty in the order of titles. */
function headingOf(visit: PersonVisit, document: Document): string {
  const { number, say, zone } = visit.words;
  const year = (day: string): string => number(Number(day.slice(0, 4)), { useGrouping: false });
  const headings = {
    added: () => year(dayIn(zone, document.createdAt)),
    care: () => year(careDay(document, visit)),
    from: () => senderNameOf(document) || say('documents.no-sender'),
    title: () => say('documents.sort-title'),
  };
  return headings[sortOf(visit)]();
}

type Listing = { readonly visit: PersonVisit; readonly whose: Whose; readonly documents: readonly Document[] };

function Groups({ visit, whose, documents }: Listing): JSX.Element {
  const groups = groupedBy(documents, (document) => headingOf(visit, document));
  const hint = sortOf(visit) === 'added' ? { hint: visit.words.say('documents.added') } : {};
  return (
    <>
      {[...groups].map(([heading, own]) => (
        <Part title={<bdi>{heading}</bdi>} {...hint}>
          {chosenView(visit) === 'grid' ? (
            <ol class="thumbs">
              {own.map((document) => (
                <Tile visit={visit} whose={whose} document={document} at={documents.indexOf(document)} />
              ))}
            </ol>
          ) : (
            <ol class="rows dated">
              {own.map((document) => (
                <DocumentRow visit={visit} whose={whose} document={document} />
              ))}
            </ol>
          )}
        </Part>
      ))}
    </>
  );
}

/** Says what can be searched for when a search found nothing. */
function None({ visit, whose }: { readonly visit: PersonVisit; readonly whose: Whose }): JSX.Element {
  const { say } = visit.words;
  const searched = searchedText(visit) !== '';
  const filtered = searched || tagOf(visit) !== '' || chosenStatus(visit) !== 'active' || isOrdered(visit);
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

/** The sentence that says how many documents there are. */
function howMany(visit: PersonVisit, total: number): string {
  const { say } = visit.words;
  return searchedText(visit) === '' && !isOrdered(visit)
    ? say(`documents.count-${chosenStatus(visit)}`, { count: total })
    : say('documents.count-found', { count: total });
}

/** A page of the list, and what its filters offer. */
async function readDocuments(visit: PersonVisit, whose: Whose, isAnswer: boolean) {
  const ordered = isOrdered(visit);
  const [found, people] = await Promise.all([
    visit.ask(
      whose.kind === 'record' ? operations.documents.recordDocumentSearch : operations.documents.carenetDocumentSearch,
      {
        params: whose.params,
        query: {
          q: searchedText(visit),
          status: chosenStatus(visit),
          language: visit.words.language,
          zone: visit.words.zone,
          limit: String(PAGE),
          place: ordered ? '' : (visit.query['place'] ?? ''),
          tag: tagOf(visit),
          texts: String(visit.query['texts'] === '1'),
          all: String(ordered),
        },
      },
    ),
    // The answer to a form offers no senders, because its statements are counted with those of the form.
    isAnswer
      ? []
      : visit.ask(whose.kind === 'record' ? operations.reports.recordPeople : operations.reports.carenetPeople, {
          params: whose.params,
          query: {},
        }),
  ]);
  const kinds = [...new Set([...found.documents.map((document) => kindWords(document, visit)), askedKind(visit)])];
  return {
    ...(ordered ? orderedPage(visit, people, found, PAGE) : found),
    left: ordered ? found.total - found.documents.length : 0,
    senders: people.filter(({ documents }) => documents > 0),
    kinds: kinds.filter((kind) => kind !== '').sort(new Intl.Collator(visit.words.locale).compare),
  };
}

async function listOfDocuments(visit: PersonVisit, outcome?: Outcome) {
  const whose = await whoseOf(visit);
  const { total, documents, pages, left, ...offered } = await readDocuments(visit, whose, outcome !== undefined);
  const title = visit.words.say('frame.documents');
  const canChoose = whose.kind === 'record' && chosenStatus(visit) === 'active';
  const narrowed =
    searchedText(visit) !== '' || tagOf(visit) !== '' || chosenStatus(visit) !== 'active' || isOrdered(visit);
  return shown(
    title,
    <>
      <Head title={title}>{howMany(visit, total)}</Head>
      {outcome && <Came visit={visit} outcome={outcome} />}
      {(total > 0 || narrowed || whose.kind === 'record') && <Filters visit={visit} {...offered} />}
      {tagOf(visit) !== '' && (
        <p>
          <bdi>{visit.words.say('documents.tagged', { tag: tagOf(visit) })}</bdi>.{' '}
          <a href={visit.path}>{visit.words.say('documents.all')}</a>
        </p>
      )}
      {left > 0 && <p>{visit.words.say('documents.left', { count: left })}</p>}
      {documents.length > 0 && <Views visit={visit} />}
      {documents.length === 0 && <None visit={visit} whose={whose} />}
      <Groups visit={visit} whose={whose} documents={documents} />
      {canChoose && documents.length > 0 && <Several visit={visit} circles={await readCircles(visit)} />}
      <Pager visit={visit} pages={pages} shown={documents.length} total={total} query={keptQuery(visit)} />
    </>,
    { record: whose.frame },
  );
}

export const documents = forBoth((begin) =>
  page({
    path: `${begin}/documents/`,
    show: (visit) => listOfDocuments(visit),
    ...(begin === '/records/{RECORD_ID}'
      ? { submit: async (visit) => listOfDocuments(visit, await doSeveral(visit)) }
      : {}),
  }),
);
