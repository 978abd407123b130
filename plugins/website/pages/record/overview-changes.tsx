/** overview-changes: the card of what others added to a record, and who looked, since the person said "seen". */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, type Answer, type PersonVisit } from '../../http/page';
import { findingMark } from '../../parts/finding';
import { Form } from '../../parts/form';
import { Icon, Tile } from '../../parts/icons';
import { pathOfModel } from '../../parts/places';
import { inRecord, recordBase } from '../../parts/record-frame';
import { factTitle, modelTitle, text, type Fact } from '../../words/facts';
import { documentLine, titleOf } from '../../words/kinds';
import { dayIn } from '../../words/zoned';
import { commaSeparated } from '../../words/words';
import { isReadings } from '../documents/ordered';
import { lookOf } from './timeline-days';

type Changes = ValueOf<typeof operations.records.recordChanges>;
type Added = ValueOf<typeof operations.documents.recordDocumentsListed>[number];

/** What is new; without any documents and looks there is no card. */
export type News = Pick<Changes, 'seenAt' | 'lookers' | 'more' | 'until'> & { readonly added: readonly Added[] };

/** The newest documents, and how many there are. */
export type Newest = { readonly documents: readonly Added[]; readonly total: number };

const SHOWN = 6;
const NAMES = 4;
const RESULT = 'LabResult';
const FIELD = 'quantitative_result';

/** Reads what is new for the person, and the newest documents, with what they contain, the newest first. */
export async function readNews(visit: PersonVisit): Promise<{ readonly news: News; readonly documents: Newest }> {
  const params = inRecord(visit);
  const { addedIds, newestIds, total, ...changes } = await visit.ask(operations.records.recordChanges, { params });
  const ids = [...new Set([...newestIds, ...addedIds])];
  const listed =
    ids.length === 0
      ? []
      : await visit.ask(operations.documents.recordDocumentsListed, { params, query: { ids: ids.join(',') } });
  const found = new Map(listed.map((one) => [one.id, one]));
  const inOrder = (some: readonly string[]): readonly Added[] => some.flatMap((id) => found.get(id) ?? []);
  return {
    news: { ...changes, added: inOrder(addedIds) },
    documents: { documents: inOrder(newestIds), total },
  };
}

/** How many of the newest documents are shown. */
const SHOWN_DOCUMENTS = 3;

/** What stands for each other: readings of the same kinds, sender and day to which nobody gave a name. */
function readingKey(one: Added, visit: PersonVisit): string {
  const kinds = one.contents.map(({ model }) => model).sort();
  return isReadings(one, visit)
    ? JSON.stringify([kinds, senderName(one, visit), dayIn(visit.words.zone, one.createdAt)])
    : one.id;
}

/** The newest documents to show: many readings of one day hide no letter, as long as there is another document. */
export function documentsToShow({ documents }: Newest, visit: PersonVisit): readonly Added[] {
  const groups = [...groupedBy(documents, (one) => readingKey(one, visit)).values()];
  const [first, others] = [groups.map(([newest]) => newest!), groups.flatMap(([, ...rest]) => rest)];
  const chosen = new Set([...first, ...others].slice(0, SHOWN_DOCUMENTS));
  return documents.filter((one) => chosen.has(one));
}

export function isNews({ added, lookers }: News): boolean {
  return added.length + lookers.length > 0;
}

type Props = {
  readonly visit: PersonVisit;
  readonly base: string;
  readonly news: News;
  /** Facts that the page shows anyway, in which marks and differences are found. */ readonly results: readonly Fact[];
  readonly differing: readonly { readonly fact: Fact; readonly to: string | undefined }[];
};

/** The one model that a document has facts of; undefined for several, and for none. */
function onlyModel({ contents }: Added): string | undefined {
  return contents.length === 1 ? contents[0]!.model : undefined;
}

/** Who says it: not the person, for whom an app may have added it. */
function senderName({ about, creator }: Added, { person }: PersonVisit): string {
  return about?.from ?? (creator.id === person.principal.accountId ? '' : creator.name);
}

/** Documents of one sender with facts of one kind, such as the readings of a device, are one row. */
function newsGroups(added: readonly Added[], visit: PersonVisit): readonly (readonly Added[])[] {
  const keyOf = (one: Added): string => {
    const model = onlyModel(one);
    return model === undefined ? one.id : JSON.stringify([model, senderName(one, visit)]);
  };
  return [...groupedBy(added, keyOf).values()];
}

/** "3 are marked or outside the laboratory's range: LDL cholesterol, ..." */
function outsideWords(group: readonly Added[], { visit: { models, words }, results }: Props): string {
  const model = models.find(RESULT);
  const ids = new Set(group.map(({ id }) => id));
  const marked = results.filter(
    (fact) => ids.has(text(fact.__documentid__)) && findingMark(fact, FIELD)?.sign !== undefined,
  );
  const names = model ? [...new Set(marked.map((fact) => factTitle(model, fact, words)))] : [];
  const said = commaSeparated([...names.slice(0, NAMES), ...(names.length > NAMES ? ['…'] : [])], words);
  return names.length === 0 ? '' : words.say('overview.changed-outside', { count: names.length, names: said });
}

function groupTitle(group: readonly Added[], model: string | undefined, visit: PersonVisit): string {
  const { words, models } = visit;
  const [first] = group as readonly [Added];
  const known = models.find(model ?? '');
  const count = group.reduce((sum, { contents }) => sum + (contents[0]?.count ?? 0), 0);
  if (model === RESULT && count > 1) {
    return words.say('overview.changed-results', { count });
  }
  return known && group.length > 1
    ? words.say('document.named', { label: modelTitle(known, words), value: words.number(count) })
    : titleOf(first, visit);
}

function AddedRow({ group, ...props }: Props & { readonly group: readonly Added[] }): JSX.Element {
  const { visit, base } = props;
  const { words, models } = visit;
  const [first] = group as readonly [Added];
  const model = onlyModel(first);
  const known = models.find(model ?? '');
  const look = lookOf(model ?? '');
  const title = groupTitle(group, model, visit);
  const to = group.length > 1 && known ? pathOfModel(known) : `documents/${encodeURIComponent(first.id)}`;
  const line = group.length === 1 ? documentLine(first, visit) : '';
  return (
    <li data-kind="Document" data-id={first.id}>
      <Tile name={look.icon} kind={look.hue} />
      <div>
        <a class="name" href={`${base}${to}`}>
          <bdi>{title}</bdi>
        </a>
        {[line === title ? '' : line, outsideWords(group, props), senderName(first, visit)]
          .filter((said, at, all) => said !== '' && !all.slice(0, at).some((one) => one.includes(said)))
          .map((said) => (
            <p class="by">
              <bdi>{said}</bdi>
            </p>
          ))}
      </div>
      <span class="end">{words.date(first.createdAt, 'short')}</span>
    </li>
  );
}

function DifferingRow({ visit, fact, to }: Pick<Props, 'visit'> & Props['differing'][number]): JSX.Element | null {
  const { models, words } = visit;
  const model = models.find(fact.__modelname__);
  return model && to !== undefined ? (
    <li>
      <Tile name="question" kind={lookOf(model.name).hue} />
      <a class="name" href={to}>
        <bdi>{words.say('overview.changed-differ', { name: factTitle(model, fact, words) })}</bdi>
      </a>
      <span class="end below">
        <a class="button little" href={to}>
          {words.say('overview.say-right')}
          <span class="unseen">: {factTitle(model, fact, words)}</span>
        </a>
      </span>
    </li>
  ) : null;
}

function LookerRows({ visit: { words }, base, news: { lookers } }: Props): JSX.Element {
  return (
    <>
      {lookers.map(({ name, at }) => (
        <li>
          <Tile name="eye" kind="k-who" />
          <a class="name" href={`${base}history?only=others`}>
            <bdi>{words.say('overview.looked', { name })}</bdi>
          </a>
          <span class="end">{words.date(at, 'short')}</span>
        </li>
      ))}
    </>
  );
}

/** The button that ticks all of it off. */
function Seen({ visit, until }: { readonly visit: PersonVisit; readonly until: string }): JSX.Element {
  return (
    <Form visit={visit} className="more">
      <input type="hidden" name="until" value={until} />
      <button class="button little">
        <Icon name="done" />
        {visit.words.say('overview.seen')}
      </button>
    </Form>
  );
}

/** What is new, at most six rows; what differs between sources comes first. */
export function WhatChanged(props: Props): JSX.Element | null {
  const { visit, base, news, differing } = props;
  const { say, date } = visit.words;
  const ids = new Set(news.added.map(({ id }) => id));
  const groups = newsGroups(news.added, visit);
  return isNews(news) ? (
    <section class="card no-print" id="changed">
      <header>
        <Tile name="news" kind="k-who" />
        <div class="t">
          <h2>{say('overview.changed')}</h2>
          <p class="by">
            {news.seenAt === null
              ? say('overview.changed-days')
              : say('overview.changed-since', { date: date(news.seenAt) })}
          </p>
        </div>
      </header>
      <ul class="list ic-list">
        {differing
          .filter(({ fact }) => ids.has(text(fact.__documentid__)))
          .slice(0, 2)
          .map((one) => (
            <DifferingRow visit={visit} {...one} />
          ))}
        {groups.slice(0, SHOWN).map((group) => (
          <AddedRow {...props} group={group} />
        ))}
        <LookerRows {...props} />
      </ul>
      {(news.more || groups.length > SHOWN) && (
        <p class="more">
          <a href={`${base}documents/?sort=added`}>{say('overview.changed-more')}</a>
        </p>
      )}
      <Seen visit={visit} until={news.until} />
    </section>
  ) : null;
}

/** Ticks off what the page showed. */
export async function tickOff(visit: PersonVisit): Promise<Answer> {
  await visit.ask(operations.records.recordChangesSeen, {
    params: inRecord(visit),
    body: { until: visit.form.text('until') },
  });
  return go(recordBase(visit));
}
