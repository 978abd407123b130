/** timeline: the page of everything in a record or carenet by the date on which it happened, the newest first. */
import type { JSX } from 'preact';
import { parsePartialDate } from '../../../../core/facts/model/dates';
import { isDay } from '../../words/day';
import { dateField, factLine, factTitle, knownDate, modelName, modelTitle, type Fact } from '../../words/facts';
import { besideName, nameOf } from '../../words/kinds';
import type { ValueOfOperation } from '../../http/operations';
import { page, shown, type PersonVisit } from '../../http/page';
import { Field, Select, type Option } from '../../parts/form';
import { Check, Head, Line, Part } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { Pager } from '../../parts/pager';
import { saidOnce, type Statement } from '../../words/said-once';
import { checkWords } from '../../unlikely';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dayIn, shownAt } from '../../words/zoned';

type Timeline = ValueOfOperation<'record_timeline'>;
type Years = Timeline['years'];

type Looked = { readonly visit: PersonVisit; readonly whose: Whose; readonly sources: Timeline['sources'] };

const PAGE = 50;

/** The filters in the address. A value that is not valid is ignored. */
const filterOf = ({ query, models }: PersonVisit) => {
  const day = (name: string): string => (isDay(query[name] ?? '') ? query[name]! : '');
  return { kind: models.find(query['kind'] ?? '')?.name ?? '', from: day('from'), to: day('to') };
};
type Filter = ReturnType<typeof filterOf>;

const isFiltered = ({ kind, from, to }: Filter): boolean => `${kind}${from}${to}` !== '';

const sum = (years: Years): number => years.reduce((total, { count }) => total + count, 0);

/** The kinds of facts that the list has, by name. */
const kindsOf = (years: Years, { models, words }: PersonVisit, chosen: string): readonly Option[] =>
  [...new Set([...years.map(({ model }) => model), ...(chosen === '' ? [] : [chosen])])]
    .flatMap((name) => models.find(name) ?? [])
    .map((model) => ({ value: model.name, text: modelTitle(model, words) }))
    .sort((a, b) => a.text.localeCompare(b.text, words.locale));

const Filters = ({ visit, years, filter }: { visit: PersonVisit; years: Years; filter: Filter }): JSX.Element => {
  const { say } = visit.words;
  return (
    <form class="filters no-print" method="get" action={visit.path}>
      <div class="side">
        <Select
          label={say('timeline.kind')}
          name="kind"
          value={filter.kind}
          options={[{ value: '', text: say('timeline.everything') }, ...kindsOf(years, visit, filter.kind)]}
        />
        <Field label={say('timeline.from')} name="from" type="date" value={filter.from} />
        <Field label={say('timeline.to')} name="to" type="date" value={filter.to} />
        <button class="button">{say('documents.show')}</button>
      </div>
    </form>
  );
};

/** The date by which a fact is ordered, as far as it is known; undefined for a fact without a date. */
const dayOf = (fact: Fact, visit: PersonVisit): string | undefined => {
  const model = visit.models.find(fact.__modelname__);
  const field = model && dateField(model);
  return (field !== undefined && knownDate(fact, field)) || undefined;
};

const Day = ({ visit, when }: { readonly visit: PersonVisit; readonly when: string | undefined }): JSX.Element => {
  const partial = parsePartialDate(when ?? '');
  // The year is in the heading above.
  if (when === undefined || partial?.precision === 'year') {
    return <span />;
  }
  if (partial) {
    return <time datetime={when}>{visit.words.date(partial.day, 'month-name')}</time>;
  }
  const day = dayIn(visit.words.zone, when);
  return <time datetime={day}>{visit.words.date(day, 'short')}</time>;
};

const addressOf = (whose: Whose, documentId: string): string =>
  `${whose.base}documents/${encodeURIComponent(documentId)}`;

/** All documents that say the same, the one that was stored last first. */
const SaidIn = ({ visit, whose, documents, sources }: Looked & Pick<Statement, 'documents'>): JSX.Element | null =>
  documents.length < 2 ? null : (
    <details class="said-in">
      <summary>{visit.words.say('timeline.said-in', { count: documents.length })}</summary>
      <ul>
        {documents.flatMap((id) => {
          const source = sources.find((one) => one.id === id);
          return source === undefined ? (
            []
          ) : (
            <li>
              <a href={addressOf(whose, id)}>
                <bdi>{nameOf(source, visit)}</bdi>
              </a>{' '}
              <span class="by">
                <bdi>{besideName(source, visit)}</bdi>
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );

const Entry = ({ statement, ...looked }: Looked & { readonly statement: Statement }): JSX.Element | null => {
  const { visit, whose } = looked;
  const { fact, documents, times } = statement;
  const model = visit.models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const { words } = visit;
  const [title, line, kind] = [factTitle(model, fact, words), factLine(model, fact, words), modelName(model, words)];
  return (
    <li>
      <Day visit={visit} when={dayOf(fact, visit)} />
      <div>
        <a class="name" href={addressOf(whose, fact.__documentid__ ?? '')}>
          <bdi>{title}</bdi>
        </a>
        <Line text={line} />
        <Check text={checkWords(model, fact, visit.now, words)} />
        {times > documents.length && <p class="by">{words.say('timeline.times', { count: times })}</p>}
        <SaidIn {...looked} documents={documents} />
      </div>
      <span class="by">{kind !== title && kind}</span>
    </li>
  );
};

/** The year of a fact; empty for a fact without a date. */
const yearOf = (fact: Fact, visit: PersonVisit): string =>
  dayIn(visit.words.zone, dayOf(fact, visit) ?? '').slice(0, 4);

/** A statement that several documents make in the same words about one date is shown once. */
const statementsOf = (visit: PersonVisit, facts: readonly Fact[]): readonly Statement[] =>
  saidOnce(facts, (fact) => {
    const model = visit.models.find(fact.__modelname__);
    const said = model ? [factTitle(model, fact, visit.words), factLine(model, fact, visit.words)] : [];
    return [fact.__modelname__, dayOf(fact, visit) ?? '', ...said];
  });

/**
 * The latest first as people read them: by the clock of their source, or their own. They come in the order of moments, in
 * which a time of another clock may stand beside another day.
 */
function inShownOrder(visit: PersonVisit, facts: readonly Fact[]): readonly Fact[] {
  const shown = (fact: Fact): number => {
    const when = dayOf(fact, visit);
    return when === undefined ? -Infinity : shownAt(visit.words.zone, when);
  };
  const placed = facts.map((fact) => ({ fact, at: shown(fact) }));
  return placed.sort((one, other) => (one.at === other.at ? 0 : other.at - one.at)).map(({ fact }) => fact);
}

const Entries = ({ facts, years, ...looked }: Looked & { readonly facts: readonly Fact[]; readonly years: Years }) => {
  const { visit } = looked;
  const { say, number } = visit.words;
  const statements = statementsOf(visit, facts);
  return (
    <>
      {[...new Set(facts.map((fact) => yearOf(fact, visit)))].map((year) => (
        <Part
          title={year === '' ? say('timeline.undated') : number(Number(year), { useGrouping: false })}
          hint={say('timeline.entries', { count: sum(years.filter((one) => (one.year ?? '') === year)) })}
        >
          <ol class="rows dated">
            {statements
              .filter(({ fact }) => yearOf(fact, visit) === year)
              .map((statement) => (
                <Entry {...looked} statement={statement} />
              ))}
          </ol>
        </Part>
      ))}
    </>
  );
};

/** "58 entries from 2019 to 2026." */
const howMuch = (years: Years, { words: { say, number } }: PersonVisit): string => {
  const known = years.flatMap(({ year }) => (year === null ? [] : [Number(year)]));
  const count = sum(years);
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const said = (year: number): string => number(year, { useGrouping: false });
  return known.length === 0 || first === last
    ? say('timeline.count', { count })
    : say('timeline.count-years', { count, first: said(first), last: said(last) });
};

const look = async (visit: PersonVisit) => {
  const whose = await whoseOf(visit);
  const filter = filterOf(visit);
  const { facts, years, pages, sources } = await visit.ask(`${whose.kind}_timeline`, {
    params: whose.params,
    query: { ...filter, zone: visit.words.zone, limit: String(PAGE), place: visit.query['place'] ?? '' },
  });
  const wanted = years.filter(({ model }) => filter.kind === '' || model === filter.kind);
  const total = sum(wanted);
  const { say } = visit.words;
  const title = say('frame.timeline');
  const entries = inShownOrder(visit, facts as unknown as readonly Fact[]);
  const filtered = isFiltered(filter) || total > 0;
  return shown(
    title,
    <>
      <Head title={title}>{total > 0 && `${say(`timeline.what-${whose.kind}`)} ${howMuch(wanted, visit)}`}</Head>
      {filtered && <Filters visit={visit} years={years} filter={filter} />}
      {entries.length === 0 && (
        <Nothing
          visit={visit}
          whose={whose}
          title={say('timeline.none')}
          why={say(filtered ? 'timeline.none-found' : `timeline.none-${whose.kind}`)}
          all={filtered ? say('timeline.all') : undefined}
        />
      )}
      <Entries visit={visit} whose={whose} sources={sources} facts={entries} years={wanted} />
      <Pager visit={visit} pages={pages} shown={entries.length} total={total} query={filter} />
    </>,
    { record: whose.frame },
  );
};

export const timeline = forBoth((begin) => page({ path: `${begin}/timeline`, show: look }));
