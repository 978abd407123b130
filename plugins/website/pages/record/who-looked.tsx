/**
 * who-looked: the page that shows who saw and did what with a record, when and through which app, including refused
 * attempts. The log is checked whenever the page is shown. Also sends the history as a file.
 */
import { Readable } from 'node:stream';
import type { JSX } from 'preact';
import { toTimestamp, wireTime } from '../../../../core/base/clock';
import { groupedBy } from '../../../../core/base/grouped-by';
import { csvRow } from '../data/csv';
import { isDay } from '../../words/day';
import { EntryRow, type Entry, type History } from './who-looked-words';
import { operationNames } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Field, Select } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { Head, Part } from '../../parts/layout';
import { addressWith, Pager } from '../../parts/pager';
import { inRecord, recordBase } from '../../parts/record-frame';
import { localTime, pointInTime } from '../../words/zoned';

const PAGE = 100;
const DAY_MS = 86_400_000;
const kinds = ['all', 'looks', 'changes', 'refused'] as const;

/**
 * The time at which a day begins in the time zone of the person, or the day `days` later; undefined for a text that is
 * not a day.
 */
function beginOf(day: string, zone: string, days = 0): number | undefined {
  return isDay(day)
    ? pointInTime(zone, new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10), '00:00')
    : undefined;
}

function askedKind({ query }: PersonVisit): (typeof kinds)[number] {
  return kinds.find((kind) => kind === query['what']) ?? 'all';
}

function isOthers({ query }: PersonVisit): boolean {
  return query['only'] === 'others';
}

/** The filters of the person, as parameters of the operation. */
function filters(visit: PersonVisit): Readonly<Record<string, string>> {
  const { query, words } = visit;
  const [from, to] = [beginOf(query['from'] ?? '', words.zone), beginOf(query['to'] ?? '', words.zone, 1)];
  const what = askedKind(visit);
  return {
    ...(query['who'] ? { who: query['who'].slice(0, 255) } : {}),
    ...(isOthers(visit) ? { not: visit.person.principal.accountId } : {}),
    ...(from === undefined ? {} : { from: toTimestamp(from) }),
    ...(to === undefined ? {} : { to: toTimestamp(to - 1) }),
    ...(what === 'all' ? {} : { refused: String(what === 'refused') }),
    ...(what === 'looks' || what === 'changes' ? { functions: operationNames(what === 'changes').join('|') } : {}),
  };
}

function askHistory(visit: PersonVisit, more: Readonly<Record<string, string>>): Promise<History> {
  return visit.ask(operations.audits.recordHistory, {
    params: inRecord(visit),
    query: { ...filters(visit), ...more },
  });
}

function Checked({ visit, history }: { visit: PersonVisit; history: History }) {
  const { say } = visit.words;
  const { unbroken, whole, checked } = history.check;
  const told = whole ? 'history.unbroken-whole' : 'history.unbroken-newest';
  return (
    <div class={`say ${unbroken ? 'good' : 'alert'}`} data-unbroken={String(unbroken)}>
      <Icon name={unbroken ? 'done' : 'alert'} />
      <div>
        <h2 class="title">{say(unbroken ? 'history.unbroken' : 'history.broken')}</h2>
        <p>{unbroken ? say(told, { count: checked }) : say('history.broken-about')}</p>
      </div>
    </div>
  );
}

function Filters({ visit, history }: { visit: PersonVisit; history: History }) {
  const { query, words } = visit;
  const { say } = words;
  return (
    <form class="filters no-print" method="get" action={visit.path}>
      {isOthers(visit) && <input type="hidden" name="only" value="others" />}
      <div class="side">
        <Select
          label={say('history.who')}
          name="who"
          value={query['who'] ?? ''}
          options={[
            { value: '', text: say('history.anybody') },
            ...history.people.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
        <Select
          label={say('history.what')}
          name="what"
          value={askedKind(visit)}
          options={kinds.map((kind) => ({ value: kind, text: say(`history.what-${kind}`) }))}
        />
        <Field label={say('history.from')} name="from" type="date" value={query['from'] ?? ''} />
        <Field label={say('history.to')} name="to" type="date" value={query['to'] ?? ''} />
        <button class="button">{say('history.show')}</button>
      </div>
    </form>
  );
}

/** Links to the looks of everybody, and of everybody else. */
function Whom({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  const to = (only: string): string => addressWith(visit, { ...keptFilter(visit), only });
  return (
    <nav class="seg no-print" aria-label={say('history.who')}>
      <a href={to('')} aria-current={isOthers(visit) ? undefined : 'true'}>
        {say('history.everybody')}
      </a>
      <a href={to('others')} aria-current={isOthers(visit) ? 'true' : undefined}>
        {say('history.only-others')}
      </a>
    </nav>
  );
}

/** A day of the page: what others did and every change, and the looks of the person, which are counted. */
type HistoryDay = {
  readonly day: string;
  readonly entries: readonly Entry[];
  readonly looks: number;
  /** The newest of these looks. */ readonly looked: readonly Entry[];
};

/** The days of the page in the time zone of the person, the newest first. */
function historyDays({ words }: PersonVisit, { entries, own }: History): readonly HistoryDay[] {
  const dayOf = ({ requested_at: time }: Entry): string => localTime(words.zone, Date.parse(time)).day;
  const [listed, looked] = [groupedBy(entries, dayOf), groupedBy(own.entries, dayOf)];
  const counts = new Map(own.days.map(({ day, count }) => [day, count]));
  return [...new Set([...listed.keys(), ...counts.keys()])]
    .sort()
    .reverse()
    .map((day) => ({
      day,
      entries: listed.get(day) ?? [],
      looks: counts.get(day) ?? 0,
      looked: looked.get(day) ?? [],
    }));
}

/** The filters in the address. */
function keptFilter({ query }: PersonVisit): Readonly<Record<string, string>> {
  return Object.fromEntries(['who', 'what', 'from', 'to', 'only'].map((name) => [name, query[name] ?? '']));
}

/**
 * Whose looks are counted by day, so that what others did stands first on every page; nobody's where one person, or only
 * changes, are asked for.
 */
function folding(visit: PersonVisit): Readonly<Record<string, string>> {
  const folds = !isOthers(visit) && !visit.query['who'] && ['all', 'looks'].includes(askedKind(visit));
  const looks = operationNames(false).join('|');
  return folds ? { folded: visit.person.principal.accountId, looks, zone: visit.words.zone } : {};
}

/** Of more entries than this that say the same of the same person on a day, the newest one stands for all. */
const MOST_ALIKE = 3;

/** Who did it, through what, what it was, and how it ended; only what it was done with differs. */
function kindOf(entry: Entry): string {
  const { principal_id, proxy_id, app_id, carenet_id, recipient, method, function_name, successful } = entry;
  return JSON.stringify([
    principal_id,
    proxy_id,
    app_id,
    carenet_id,
    recipient,
    method,
    function_name,
    Number(successful),
  ]);
}

type OfDay = { readonly visit: PersonVisit; readonly history: History; readonly entries: readonly Entry[] };

/** A row for each entry; of many alike the newest one, below which the others unfold. */
function DayRows({ visit, history, entries }: OfDay): JSX.Element {
  const alike = groupedBy(entries, kindOf);
  const rowOf = (entry: Entry): JSX.Element => <EntryRow visit={visit} history={history} entry={entry} />;
  return (
    <ol class="rows dated">
      {entries.map((entry) => {
        const [first, ...others] = alike.get(kindOf(entry))!;
        if (others.length < MOST_ALIKE) {
          return rowOf(entry);
        }
        return entry !== first ? null : (
          <EntryRow visit={visit} history={history} entry={entry}>
            <details class="fold">
              <summary>{visit.words.say('history.alike', { count: others.length })}</summary>
              <ol class="rows dated">{others.map(rowOf)}</ol>
            </details>
          </EntryRow>
        );
      })}
    </ol>
  );
}

/** The list of the person's own looks, each by itself. */
function ownLooks(visit: PersonVisit, days: Readonly<Record<string, string>>): string {
  return addressWith(visit, { ...keptFilter(visit), who: visit.person.principal.accountId, what: 'looks', ...days });
}

type DayProps = { readonly visit: PersonVisit; readonly history: History; readonly one: HistoryDay };

/** What others did, and changes, stand before the person's own looks, which unfold. */
function Day({ visit, history, one: { day, entries, looks, looked } }: DayProps): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      {entries.length > 0 && <DayRows visit={visit} history={history} entries={entries} />}
      {looks > 0 && (
        <details class="more-below">
          <summary>{say('history.own-looks', { count: looks })}</summary>
          {looked.length > 0 && (
            <ol class="rows dated">
              {looked.map((entry) => (
                <EntryRow visit={visit} history={history} entry={entry} />
              ))}
            </ol>
          )}
          {looks > looked.length && (
            <p class="more">
              <a href={ownLooks(visit, { from: day, to: day })}>{say('history.looks-of-day', { count: looks })}</a>
            </p>
          )}
        </details>
      )}
    </>
  );
}

/** Where the looks are that the last page has no days for. */
function OlderLooks({ visit, history }: Pick<DayProps, 'visit' | 'history'>): JSX.Element | null {
  const oldest = history.own.days.at(-1)?.day;
  return !history.own.more || oldest === undefined || history.pages.next !== undefined ? null : (
    <p class="more">
      <a href={ownLooks(visit, { to: oldest })}>{visit.words.say('history.older-looks')}</a>
    </p>
  );
}

async function showHistory(visit: PersonVisit): Promise<Answer> {
  const { say, date } = visit.words;
  const place = visit.query['place'] ?? '';
  const history = await askHistory(visit, { limit: String(PAGE), place, ...folding(visit) });
  const title = say('history.title');
  const days = historyDays(visit, history);
  return shown(
    title,
    <>
      <Head
        title={title}
        action={
          <a class="button no-print" href={addressWith({ ...visit, path: `${visit.path}.csv` }, keptFilter(visit))}>
            {say('history.csv')}
            <span class="unseen"> {say('history.csv-rest')}</span>
          </a>
        }
      >
        {say('history.about', { total: history.total, since: date(history.since ?? visit.now) })}
      </Head>
      <Checked visit={visit} history={history} />
      <Whom visit={visit} />
      <Filters visit={visit} history={history} />
      {days.length === 0 && <p>{say('history.none')}</p>}
      {days.map((one) => (
        <Part title={date(one.day, 'weekday')}>
          <Day visit={visit} history={history} one={one} />
        </Part>
      ))}
      <OlderLooks visit={visit} history={history} />
      <Pager
        visit={visit}
        pages={history.pages}
        shown={history.entries.length}
        total={history.found}
        query={keptFilter(visit)}
        always
      />
    </>,
    { record: { base: recordBase(visit), name: history.record.label } },
  );
}

/** A column of the report of audits -> its value for an entry. */
const columns: Readonly<Record<string, (entry: Entry) => string | number | null>> = {
  datetime: (entry) => wireTime(entry.requested_at),
  view_func: (entry) => entry.function_name,
  request_successful: (entry) => String(Number(entry.successful) === 1),
  effective_principal: (entry) => entry.principal_id,
  proxied_principal: (entry) => entry.proxy_id,
  carenet_id: (entry) => entry.carenet_id,
  record_id: (entry) => entry.record_id,
  pha_id: (entry) => entry.app_id,
  document_id: (entry) => entry.document_id,
  external_id: (entry) => entry.external_id,
  message_id: (entry) => entry.message_id,
  req_url: (entry) => entry.url,
  req_ip_address: (entry) => entry.ip_address,
  req_domain: (entry) => entry.domain,
  req_method: (entry) => entry.method,
  recipient: (entry) => entry.recipient,
  resp_code: (entry) => Number(entry.status),
};

/** The rows of the file. Calls that are recorded while the file is made are not in it. */
async function* historyRows(visit: PersonVisit, first: History): AsyncGenerator<string> {
  yield csvRow(Object.keys(columns));
  for (let part = first; ;) {
    yield part.entries.map((entry) => csvRow(Object.values(columns).map((value) => value(entry)))).join('');
    const { next } = part.pages;
    if (next === undefined) {
      return;
    }
    part = await askHistory(visit, { limit: String(PAGE * 10), place: next, check: 'false' });
  }
}

export const history = page({ path: '/records/{RECORD_ID}/history', show: showHistory });

export const historyFile = page({
  path: '/records/{RECORD_ID}/history.csv',
  show: async (visit) => {
    const first = await askHistory(visit, { limit: String(PAGE * 10), check: 'false' });
    return {
      kind: 'file',
      body: Readable.from(historyRows(visit, first), { objectMode: false }),
      type: 'text/csv; charset=utf-8',
      name: 'history.csv',
    };
  },
});
