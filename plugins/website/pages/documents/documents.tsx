/** documents: the documents of a record, or of a carenet, which a person can search by the words that they remember. */
import type { JSX } from 'preact';
import { kindOf, lineOf, ownDate, titleOf } from '../../words/kinds';
import type { ValueOfOperation } from '../../http/operations';
import { page, shown, type PersonVisit } from '../../http/page';
import { Field, Select } from '../../parts/form';
import { Head, Line, Part, Tag } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { Pager } from '../../parts/pager';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dayIn } from '../../words/zoned';

type Found = ValueOfOperation<'record_document_search'>;
type Document = Found['documents'][number];

const PAGE = 50;

const statuses = ['active', 'archived', 'void'] as const;
type Status = (typeof statuses)[number];

const MOST_LETTERS = 200;

const statusOf = ({ query }: PersonVisit): Status => statuses.find((known) => known === query['status']) ?? 'active';
const textOf = ({ query }: PersonVisit): string => (query['q'] ?? '').trim().slice(0, MOST_LETTERS);

const Filters = ({ visit }: { readonly visit: PersonVisit }): JSX.Element => {
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
        <button class="button">{say('documents.show')}</button>
      </div>
    </form>
  );
};

const Row = ({ visit, whose, document }: { visit: PersonVisit; whose: Whose; document: Document }): JSX.Element => {
  const { date, rich, say, zone } = visit.words;
  const [title, kind, line, own] = [
    titleOf(document, visit),
    kindOf(document, visit),
    lineOf(document, visit),
    ownDate(document, visit, 'day'),
  ];
  return (
    <li>
      <time datetime={dayIn(zone, document.createdAt)}>{date(document.createdAt, 'short')}</time>
      <div>
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
};

const Years = ({ visit, whose, documents }: { visit: PersonVisit; whose: Whose; documents: readonly Document[] }) => {
  const yearOf = ({ createdAt }: Document): string => dayIn(visit.words.zone, createdAt).slice(0, 4);
  const years = [...new Set(documents.map(yearOf))];
  return (
    <>
      {years.map((year) => (
        <Part
          title={visit.words.number(Number(year), { useGrouping: false })}
          hint={visit.words.say('documents.added')}
        >
          <ol class="rows dated">
            {documents
              .filter((document) => yearOf(document) === year)
              .map((document) => (
                <Row visit={visit} whose={whose} document={document} />
              ))}
          </ol>
        </Part>
      ))}
    </>
  );
};

/** Says what can be searched for when a search found nothing. */
const None = ({ visit, whose }: { readonly visit: PersonVisit; readonly whose: Whose }): JSX.Element => {
  const { say } = visit.words;
  const searched = textOf(visit) !== '';
  const filtered = searched || statusOf(visit) !== 'active';
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
};

/** The sentence that says how many documents there are. */
const howMany = (visit: PersonVisit, total: number): string => {
  const { say } = visit.words;
  return textOf(visit) === ''
    ? say(`documents.count-${statusOf(visit)}`, { count: total })
    : say('documents.count-found', { count: total });
};

const list = async (visit: PersonVisit) => {
  const whose = await whoseOf(visit);
  const [q, status] = [textOf(visit), statusOf(visit)];
  const { total, documents, pages } = await visit.ask(`${whose.kind}_document_search`, {
    params: whose.params,
    query: {
      q,
      status,
      language: visit.words.language,
      zone: visit.words.zone,
      limit: String(PAGE),
      place: visit.query['place'] ?? '',
    },
  });
  const title = visit.words.say('frame.documents');
  return shown(
    title,
    <>
      <Head title={title}>{howMany(visit, total)}</Head>
      {(total > 0 || q !== '' || status !== 'active' || whose.kind === 'record') && <Filters visit={visit} />}
      {documents.length === 0 && <None visit={visit} whose={whose} />}
      <Years visit={visit} whose={whose} documents={documents} />
      <Pager
        visit={visit}
        pages={pages}
        shown={documents.length}
        total={total}
        query={{ q, status: status === 'active' ? '' : status }}
      />
    </>,
    { record: whose.frame },
  );
};

export const documents = forBoth((begin) => page({ path: `${begin}/documents/`, show: list }));
