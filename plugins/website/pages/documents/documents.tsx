/** documents: the documents of a record, or of a carenet, which a person can search by the words that they remember. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { kindOf, lineOf, ownDate, titleOf } from '../../words/kinds';
import type { Fact } from '../../words/facts';
import { operations } from '../../http/operations';
import { page, shown, type PersonVisit } from '../../http/page';
import { Came, doSeveral, readCircles, Several, Tick, type Outcome } from './several';
import { Tags } from './tags';
import { Field, Select } from '../../parts/form';
import { Head, Line, Part, Tag } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { addressWith, Pager } from '../../parts/pager';
import { Icon } from '../../parts/icons';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dayIn } from '../../words/zoned';

type Found = ValueOf<typeof operations.documents.recordDocumentSearch>;
type Document = Found['documents'][number];

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
    q: textOf(visit),
    status: statusOf(visit) === 'active' ? '' : statusOf(visit),
    view: chosenView(visit) === 'list' ? '' : chosenView(visit),
    tag: tagOf(visit),
    texts: visit.query['texts'] === '1' ? '1' : '',
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

function statusOf({ query }: PersonVisit): Status {
  return statuses.find((known) => known === query['status']) ?? 'active';
}
function textOf({ query }: PersonVisit): string {
  return (query['q'] ?? '').trim().slice(0, MOST_LETTERS);
}

function Filters({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  return (
    <form
      class="filters no-print"
      method="get"
      action={visit.path}
      role="search"
      aria-label={say('documents.search-label')}
    >
      <div class="side">
        <Field label={say('documents.search')} name="q" type="search" value={textOf(visit)} dir="auto" />
        <Select
          label={say('documents.which')}
          name="status"
          value={statusOf(visit)}
          options={statuses.map((value) => ({ value, text: say(`documents.${value}`) }))}
        />
        {tagOf(visit) !== '' && <input type="hidden" name="tag" value={tagOf(visit)} />}
        {chosenView(visit) === 'grid' && <input type="hidden" name="view" value="grid" />}
        <button class="button">{say('documents.show')}</button>
      </div>
    </form>
  );
}

function Row({ visit, whose, document }: { visit: PersonVisit; whose: Whose; document: Document }): JSX.Element {
  const { date, rich, say, zone } = visit.words;
  const [title, kind, line, own] = [
    titleOf(document, visit),
    document.own.kind ?? kindOf(document, visit),
    lineOf(document, visit),
    document.own.date === null ? ownDate(document, visit, 'day') : date(document.own.date, 'day'),
  ];
  return (
    <li data-kind="Document" data-id={document.id}>
      <time datetime={dayIn(zone, document.createdAt)}>{date(document.createdAt, 'short')}</time>
      <div>
        {whose.kind === 'record' && document.status === 'active' && (
          <>
            <Tick visit={visit} id={document.id} title={title} />{' '}
          </>
        )}
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
  const { date, zone } = visit.words;
  const address = `${whose.base}documents/${encodeURIComponent(document.id)}`;
  const title = titleOf(document, visit);
  const kind = kindOf(document, visit);
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
        {kind !== title && (
          <>
            <bdi>{kind}</bdi>
            <br />
          </>
        )}
        <time datetime={dayIn(zone, document.createdAt)}>{date(document.createdAt, 'short')}</time>
      </span>
    </li>
  );
}

function Years({ visit, whose, documents }: { visit: PersonVisit; whose: Whose; documents: readonly Document[] }) {
  const yearOf = ({ createdAt }: Document): string => dayIn(visit.words.zone, createdAt).slice(0, 4);
  const years = [...new Set(documents.map(yearOf))];
  return (
    <>
      {years.map((year) => (
        <Part
          title={visit.words.number(Number(year), { useGrouping: false })}
          hint={visit.words.say('documents.added')}
        >
          {chosenView(visit) === 'grid' ? (
            <ol class="thumbs">
              {documents.map(
                (document, at) =>
                  yearOf(document) === year && <Tile visit={visit} whose={whose} document={document} at={at} />,
              )}
            </ol>
          ) : (
            <ol class="rows dated">
              {documents
                .filter((document) => yearOf(document) === year)
                .map((document) => (
                  <Row visit={visit} whose={whose} document={document} />
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
  const searched = textOf(visit) !== '';
  const filtered = searched || tagOf(visit) !== '' || statusOf(visit) !== 'active';
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
  return textOf(visit) === ''
    ? say(`documents.count-${statusOf(visit)}`, { count: total })
    : say('documents.count-found', { count: total });
}

async function list(visit: PersonVisit, outcome?: Outcome) {
  const whose = await whoseOf(visit);
  const [q, status] = [textOf(visit), statusOf(visit)];
  const { total, documents, pages } = await visit.ask(
    whose.kind === 'record' ? operations.documents.recordDocumentSearch : operations.documents.carenetDocumentSearch,
    {
      params: whose.params,
      query: {
        q,
        status,
        language: visit.words.language,
        zone: visit.words.zone,
        limit: String(PAGE),
        place: visit.query['place'] ?? '',
        tag: tagOf(visit),
        texts: String(visit.query['texts'] === '1'),
      },
    },
  );
  const title = visit.words.say('frame.documents');
  const canChoose = whose.kind === 'record' && status === 'active' && chosenView(visit) === 'list';
  return shown(
    title,
    <>
      <Head title={title}>{howMany(visit, total)}</Head>
      {outcome && <Came visit={visit} outcome={outcome} />}
      {(total > 0 || q !== '' || tagOf(visit) !== '' || status !== 'active' || whose.kind === 'record') && (
        <Filters visit={visit} />
      )}
      {tagOf(visit) !== '' && (
        <p>
          <bdi>{visit.words.say('documents.tagged', { tag: tagOf(visit) })}</bdi>.{' '}
          <a href={visit.path}>{visit.words.say('documents.all')}</a>
        </p>
      )}
      {documents.length > 0 && <Views visit={visit} />}
      {documents.length === 0 && <None visit={visit} whose={whose} />}
      <Years visit={visit} whose={whose} documents={documents} />
      {canChoose && documents.length > 0 && <Several visit={visit} circles={await readCircles(visit)} />}
      <Pager visit={visit} pages={pages} shown={documents.length} total={total} query={keptQuery(visit)} />
    </>,
    { record: whose.frame },
  );
}

export const documents = forBoth((begin) =>
  page({
    path: `${begin}/documents/`,
    show: (visit) => list(visit),
    ...(begin === '/records/{RECORD_ID}' ? { submit: async (visit) => list(visit, await doSeveral(visit)) } : {}),
  }),
);
