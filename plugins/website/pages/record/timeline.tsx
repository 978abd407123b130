/** timeline: the page of everything in a record or carenet by the date on which it happened, the newest first. */
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { isDay } from '../../words/day';
import { modelTitle, type Fact } from '../../words/facts';
import { page, shown, type PersonVisit } from '../../http/page';
import { Field } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { Head, Part } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { Pager } from '../../parts/pager';
import { forBoth, whoseOf } from '../../parts/whose';
import { Days, inShownOrder, lookOf, rowsOf, yearOf, type Looked, type Senders, type Timeline } from './timeline-days';

type Years = Timeline['years'];

const PAGE = 50;

const YEAR = /^\d{4}$/;

/** The filters in the address. A value that is not valid is ignored. */
function timelineFilter({ query, models }: PersonVisit) {
  const day = (name: string): string => (isDay(query[name] ?? '') ? query[name]! : '');
  return {
    kind: models.find(query['kind'] ?? '')?.name ?? '',
    year: YEAR.test(query['year'] ?? '') ? query['year']! : '',
    from: day('from'),
    to: day('to'),
    devices: query['devices'] === '0' ? '0' : '',
  };
}
type Filter = ReturnType<typeof timelineFilter>;

function isFiltered({ kind, year, from, to }: Filter): boolean {
  return `${kind}${year}${from}${to}` !== '';
}

function countInYears(years: Years): number {
  return years.reduce((total, { count }) => total + count, 0);
}

function inYear(years: Years, { year }: Filter): Years {
  return year === '' ? years : years.filter((one) => one.year === year);
}

/** The same page with other filters, without those that are empty. */
function addressWith({ path }: PersonVisit, filter: Filter, changed: Partial<Filter>): string {
  const query = new URLSearchParams(Object.entries({ ...filter, ...changed }).filter(([, value]) => value !== ''));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function current(here: boolean) {
  return here ? { 'aria-current': 'true' as const } : {};
}

type Filtering = { readonly visit: PersonVisit; readonly years: Years; readonly filter: Filter };

const BAR = 40;

/** So many years stand in a row of a telephone. The others are folded. */
const YEARS_IN_ROW = 13;

type YearBar = { readonly year: string; readonly count: number; readonly height: number };

/** How many entries each year has, the first year first. */
function yearBars(years: Years): readonly YearBar[] {
  const counts = new Map<string, number>();
  for (const { year, count } of years) {
    if (year !== null) {
      counts.set(year, (counts.get(year) ?? 0) + count);
    }
  }
  const most = Math.max(...counts.values());
  return [...counts]
    .sort()
    .map(([year, count]) => ({ year, count, height: Math.max(2, Math.round((count / most) * BAR)) }));
}

type Bars = Omit<Filtering, 'years'> & { readonly bars: readonly YearBar[]; readonly label: string };

function YearRow({ visit, filter, bars, label }: Bars): JSX.Element {
  const { say, number } = visit.words;
  return (
    <nav class="years" aria-label={label}>
      {bars.map(({ year, count, height }) => (
        <a
          href={addressWith(visit, filter, { year: filter.year === year ? '' : year, from: '', to: '' })}
          {...current(filter.year === year)}
        >
          <svg viewBox={`0 0 10 ${BAR}`} preserveAspectRatio="none" aria-hidden="true">
            <rect x="0" y={BAR - height} width="10" height={height} />
          </svg>
          <span>
            <span class="cent">{number(Number(year.slice(0, 2)), { minimumIntegerDigits: 2 })}</span>
            {number(Number(year.slice(2)), { minimumIntegerDigits: 2 })}
          </span>
          <span class="unseen">, {say('timeline.entries', { count })}</span>
        </a>
      ))}
    </nav>
  );
}

/** A bar for each year, which leads to it; those of long ago are folded. */
function YearLinks({ visit, years, filter }: Filtering): JSX.Element | null {
  const { say, number } = visit.words;
  const bars = yearBars(years);
  const earlier = bars.slice(0, -YEARS_IN_ROW);
  const said = (bar: YearBar | undefined): string => number(Number(bar?.year), { useGrouping: false });
  const span = say('timeline.earlier', { first: said(earlier[0]), last: said(earlier.at(-1)) });
  return bars.length < 2 ? null : (
    <section class="card no-print">
      {earlier.length > 0 && (
        <details class="more" open={earlier.some(({ year }) => year === filter.year)}>
          <summary>{span}</summary>
          <YearRow visit={visit} filter={filter} bars={earlier} label={span} />
        </details>
      )}
      <YearRow visit={visit} filter={filter} bars={bars.slice(-YEARS_IN_ROW)} label={say('timeline.years')} />
    </section>
  );
}

/** The kinds of facts that the list has, by name, as chips. */
function TimelineKinds({ visit, years, filter }: Filtering): JSX.Element {
  const { models, words } = visit;
  const names = new Set([...years.map(({ model }) => model), ...(filter.kind === '' ? [] : [filter.kind])]);
  const kinds = [...names]
    .flatMap((name) => models.find(name) ?? [])
    .map((model) => ({ name: model.name, title: modelTitle(model, words) }))
    .sort((a, b) => a.title.localeCompare(b.title, words.locale));
  return (
    <nav class="chips roll gap no-print" aria-label={words.say('timeline.kinds')} tabindex={0}>
      <a class="chip" href={addressWith(visit, filter, { kind: '' })} {...current(filter.kind === '')}>
        {words.say('timeline.all-kinds')}
      </a>
      {kinds.map(({ name, title }) => (
        <a
          class={`chip ${lookOf(name).hue}`}
          href={addressWith(visit, filter, { kind: name })}
          {...current(filter.kind === name)}
        >
          <Icon name={lookOf(name).icon} />
          {title}
        </a>
      ))}
      <a class="chip" href={addressWith(visit, filter, { devices: filter.devices === '' ? '0' : '' })}>
        <Icon name="device" />
        {words.say(filter.devices === '' ? 'timeline.no-devices' : 'timeline.devices')}
      </a>
    </nav>
  );
}

/** The first and the last day of a month such as 2026-03. */
function daysOfMonth(month: string): Pick<Filter, 'from' | 'to'> {
  const [year = 0, at = 1] = month.split('-').map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, at, 0)).toISOString().slice(0, 10) };
}

/** The year that was chosen, or that of the month that was chosen. */
function chosenYear({ year, from, to }: Filter): string {
  return year === '' && from.slice(0, 7) === to.slice(0, 7) ? from.slice(0, 4) : year;
}

/** The months of the year that was chosen, until this one. */
function MonthLinks({ visit, filter }: Omit<Filtering, 'years'>): JSX.Element | null {
  const { say, date } = visit.words;
  const year = chosenYear(filter);
  const thisMonth = new Date(visit.now).toISOString().slice(0, 7);
  const months = Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);
  return year === '' ? null : (
    <nav class="chips roll gap no-print" aria-label={say('timeline.months')} tabindex={0}>
      <a class="chip" href={addressWith(visit, filter, { year: '', from: '', to: '' })}>
        {say('timeline.all')}
      </a>
      {months
        .filter((month) => month <= thisMonth)
        .map((month) => {
          const days = daysOfMonth(month);
          const isHere = filter.from === days.from && filter.to === days.to;
          return (
            <a class="chip" href={addressWith(visit, filter, { year: '', ...days })} {...current(isHere)}>
              {date(`${month}-01`, 'month-name')}
            </a>
          );
        })}
    </nav>
  );
}

function Between({ visit, filter }: Filtering): JSX.Element {
  const { say } = visit.words;
  return (
    <details class="more-below no-print" open={filter.from !== '' || filter.to !== ''}>
      <summary>{say('timeline.between')}</summary>
      <form class="filters" method="get" action={visit.path}>
        {filter.kind !== '' && <input type="hidden" name="kind" value={filter.kind} />}
        <div class="side">
          <Field label={say('timeline.from')} name="from" type="date" value={filter.from} />
          <Field label={say('timeline.to')} name="to" type="date" value={filter.to} />
          <button class="button">{say('documents.show')}</button>
        </div>
      </form>
    </details>
  );
}

type EntriesProps = Looked & {
  readonly facts: readonly Fact[];
  readonly years: Years;
  readonly filter: Filter;
  readonly senders: Senders;
};

function Entries({ facts, years, filter, senders, ...looked }: EntriesProps): JSX.Element {
  const { visit } = looked;
  const { say, number } = visit.words;
  return (
    <>
      {[...new Set(facts.map((fact) => yearOf(fact, visit)))].map((year) => (
        <Part
          title={year === '' ? say('timeline.undated') : number(Number(year), { useGrouping: false })}
          hint={say('timeline.entries', { count: countInYears(years.filter((one) => (one.year ?? '') === year)) })}
        >
          <Days
            {...looked}
            rows={rowsOf(
              visit,
              facts.filter((fact) => yearOf(fact, visit) === year),
              senders,
            )}
            devices={filter.devices === ''}
          />
        </Part>
      ))}
    </>
  );
}

/** "58 entries from 2019 to 2026." */
function howMuch(years: Years, { words: { say, number } }: PersonVisit): string {
  const known = years.flatMap(({ year }) => (year === null ? [] : [Number(year)]));
  const count = countInYears(years);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const said = (year: number): string => number(year, { useGrouping: false });
  return known.length === 0 || first === last
    ? say('timeline.count', { count })
    : say('timeline.count-years', { count, first: said(first), last: said(last) });
}

async function lookAtTimeline(visit: PersonVisit) {
  const whose = await whoseOf(visit);
  const filter = timelineFilter(visit);
  const { facts, years, pages, sources, senders } = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordTimeline : operations.reports.carenetTimeline,
    {
      params: whose.params,
      query: {
        kind: filter.kind,
        from: filter.from,
        to: filter.to,
        year: filter.year,
        zone: visit.words.zone,
        limit: String(PAGE),
        place: visit.query['place'] ?? '',
      },
    },
  );
  const ofYear = inYear(years, filter);
  const wanted = ofYear.filter(({ model }) => filter.kind === '' || model === filter.kind);
  const total = countInYears(wanted);
  const { say } = visit.words;
  const title = say('frame.timeline');
  const entries = inShownOrder(visit, facts as unknown as readonly Fact[]);
  const filtered = isFiltered(filter) || total > 0;
  return shown(
    title,
    <>
      <Head title={title}>{total > 0 && `${say(`timeline.what-${whose.kind}`)} ${howMuch(wanted, visit)}`}</Head>
      {filtered && (
        <>
          <YearLinks visit={visit} years={years} filter={filter} />
          <MonthLinks visit={visit} filter={filter} />
          <TimelineKinds visit={visit} years={ofYear} filter={filter} />
          <Between visit={visit} years={years} filter={filter} />
        </>
      )}
      {entries.length === 0 && (
        <Nothing
          visit={visit}
          whose={whose}
          title={say('timeline.none')}
          why={say(filtered ? 'timeline.none-found' : `timeline.none-${whose.kind}`)}
          all={filtered ? say('timeline.all') : undefined}
        />
      )}
      <Entries
        visit={visit}
        whose={whose}
        sources={sources}
        facts={entries}
        years={wanted}
        filter={filter}
        senders={senders}
      />
      <Pager visit={visit} pages={pages} shown={entries.length} total={total} query={filter} />
    </>,
    { record: whose.frame },
  );
}

export const timeline = forBoth((begin) => page({ path: `${begin}/timeline`, show: lookAtTimeline }));
