/** timeline-days: the rows of the timeline: one a day or visit, which unfolds, and one line for many readings of a device. */
import type { JSX } from 'preact';
import { parsePartialDate } from '../../../../core/facts/model/dates';
import type { ValueOf } from '../../../../core/http/route';
import {
  dateField,
  factLine,
  factTitle,
  knownDate,
  modelName,
  modelTitle,
  readings,
  text,
  type Fact,
  factAddress,
} from '../../words/facts';
import { besideName, documentName } from '../../words/kinds';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Tile, type IconName } from '../../parts/icons';
import { Check, Line } from '../../parts/layout';
import { CalledWrong } from '../../parts/fact';
import { missingWords, paperWords, saidOnce, type Statement } from '../../words/said-once';
import { checkWords } from '../../unlikely';
import { commaSeparated } from '../../words/words';
import { visitAddress, visitKey, visitPlace, visitTitle } from '../../words/visits';
import { dayIn, shownAt } from '../../words/zoned';
import { averageOf, withRuns, type Row } from './timeline-runs';
import type { Whose } from '../../parts/whose';

export type Timeline = ValueOf<typeof operations.reports.recordTimeline>;
export type Looked = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly sources: Timeline['sources'];
};

type Look = { readonly hue: string; readonly icon: IconName };

const looks: Readonly<Record<string, Look>> = {
  VitalSigns: { hue: 'k-meas', icon: 'pulse' },
  Measurement: { hue: 'k-meas', icon: 'pulse' },
  Sleep: { hue: 'k-meas', icon: 'device' },
  Workout: { hue: 'k-meas', icon: 'device' },
  LabResult: { hue: 'k-lab', icon: 'lab' },
  LabPanel: { hue: 'k-lab', icon: 'lab' },
  Medication: { hue: 'k-med', icon: 'pill' },
  Problem: { hue: 'k-prob', icon: 'problem' },
  Symptom: { hue: 'k-prob', icon: 'journal' },
  Allergy: { hue: 'k-all', icon: 'alert' },
  AllergyExclusion: { hue: 'k-all', icon: 'alert' },
  Immunization: { hue: 'k-vac', icon: 'vaccine' },
  Procedure: { hue: 'k-visit', icon: 'visit' },
  Encounter: { hue: 'k-visit', icon: 'visit' },
  SimpleClinicalNote: { hue: 'k-who', icon: 'note' },
};
const VISIT: Look = { hue: 'k-visit', icon: 'visit' };
const DEVICE: Look = { hue: 'k-meas', icon: 'device' };

export function lookOf(model: string): Look {
  return looks[model] ?? { hue: 'k-doc', icon: 'document' };
}

/** More readings of one kind in a day than a person takes by hand. */
const DEVICE_READINGS = 10;
const NAMED = 3;

/** The date by which a fact is ordered, as far as it is known; undefined for a fact without a date. */
function whenOf(fact: Fact, visit: PersonVisit): string | undefined {
  const model = visit.models.find(fact.__modelname__);
  const field = model && dateField(model);
  return (field !== undefined && knownDate(fact, field)) || undefined;
}

/** The local day of a fact, or its month or year where no more is known; empty for a fact without a date. */
function dayOf(fact: Fact, visit: PersonVisit): string {
  return dayIn(visit.words.zone, whenOf(fact, visit) ?? '');
}

/** The year of a fact; empty for a fact without a date. */
export function yearOf(fact: Fact, visit: PersonVisit): string {
  return dayOf(fact, visit).slice(0, 4);
}

/**
 * The latest first as people read them: by the clock of their source, or their own. They come in the order of moments, in
 * which a time of another clock may stand beside another day.
 */
export function inShownOrder(visit: PersonVisit, facts: readonly Fact[]): readonly Fact[] {
  const shown = (fact: Fact): number => {
    const when = whenOf(fact, visit);
    return when === undefined ? -Infinity : shownAt(visit.words.zone, when);
  };
  const placed = facts.map((fact) => ({ fact, at: shown(fact) }));
  return placed.sort((one, other) => (one.at === other.at ? 0 : other.at - one.at)).map(({ fact }) => fact);
}

/** A statement that several documents make in the same words about one date is shown once. */
function statementsOfFacts(visit: PersonVisit, facts: readonly Fact[]): readonly Statement[] {
  return saidOnce(facts, (fact) => {
    const model = visit.models.find(fact.__modelname__);
    const said = model ? [factTitle(model, fact, visit.words), factLine(model, fact, visit.words)] : [];
    return [fact.__modelname__, whenOf(fact, visit) ?? '', ...said];
  });
}

/** The visit that a fact is, or in which it was found, as its source names it; it has the id of its page. */
function visitInFact(fact: Fact): Fact | undefined {
  if (fact.__modelname__ === 'Encounter') {
    return fact;
  }
  const [nested] = [fact['encounter']].flat() as readonly (Fact | null | undefined)[];
  return typeof nested === 'object' && nested !== null ? { ...nested, __id__: text(fact['__visit__']) } : undefined;
}

/** What a device measured, if the fact says only that: "Heart rate". */
function measuredOf({ models, words }: PersonVisit, fact: Fact): string {
  const model = models.find(fact.__modelname__);
  if (!model) {
    return '';
  }
  const said = readings(model, fact, words).map(({ label }) => label);
  if (said.length > 0) {
    return commaSeparated(said, words);
  }
  return model.name === 'Measurement' || model.name === 'Sleep' ? factTitle(model, fact, words) : '';
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** Whether a statement is the visit itself, and nothing that was found in it. */
function isVisit({ fact }: Statement): boolean {
  return fact.__modelname__ === 'Encounter';
}

export type Senders = Timeline['senders'];

/**
 * The rows of one day: first what belongs to a visit, then the rest, then the devices. What the sender of a visit says of
 * its day in other documents belongs to it, too.
 */
function rowsOfDay(visit: PersonVisit, senders: Senders, day: string, all: readonly Statement[]): readonly Row[] {
  const byMeasured = groupBy(all, ({ fact }) => measuredOf(visit, fact));
  const devices = [...byMeasured].filter(([measured, { length }]) => measured !== '' && length > DEVICE_READINGS);
  const ofDevices = new Set(devices.flatMap(([, statements]) => statements));
  const others = all.filter((statement) => !ofDevices.has(statement));
  const visits = new Map<string, Fact>();
  const ofDocument = new Map<string, string>();
  const ofSender = new Map<string, string>();
  for (const { fact, documents } of others) {
    const found = visitInFact(fact);
    const key = found ? visitKey(found) : '';
    if (found && !visits.has(key)) {
      visits.set(key, found);
      documents.filter((id) => !ofDocument.has(id)).forEach((id) => ofDocument.set(id, key));
      documents.flatMap((id) => senders[id] ?? []).forEach((sender) => ofSender.set(sender, key));
    }
  }
  const keyOf = ({ fact, documents }: Statement): string => {
    const own = visitInFact(fact);
    return own
      ? visitKey(own)
      : (documents.flatMap((id) => ofDocument.get(id) ?? [])[0] ??
          documents.flatMap((id) => senders[id] ?? []).flatMap((sender) => ofSender.get(sender) ?? [])[0] ??
          '');
  };
  const rows = [...groupBy(others, keyOf)].map(([key, statements]): Row => {
    const found = visits.get(key);
    return { day, statements, ...(found ? { visit: found } : {}) };
  });
  return [...rows, ...devices.map(([device, statements]): Row => ({ day, statements, device }))];
}

/** What has no date is a row of its own for each statement. */
export function rowsOf(visit: PersonVisit, facts: readonly Fact[], senders: Senders): readonly Row[] {
  const days = groupBy(statementsOfFacts(visit, facts), ({ fact }) => dayOf(fact, visit));
  return [...days].flatMap(([day, statements]) =>
    day === ''
      ? statements.map((one): Row => ({ day, statements: [one] }))
      : rowsOfDay(visit, senders, day, statements),
  );
}

/** The day of a row in two lines: "17" and "May". The year is in the heading above. */
function Day({ visit, day }: { readonly visit: PersonVisit; readonly day: string }): JSX.Element {
  const { date } = visit.words;
  const partial = parsePartialDate(day);
  if (day === '' || partial?.precision === 'year') {
    return <span />;
  }
  return <time datetime={day}>{partial ? date(partial.day, 'month-name') : date(day, 'short')}</time>;
}

/** The days of a run: "1–25 Nov". */
function RunDays({ words, from, to }: { words: PersonVisit['words']; from: string; to: string }): JSX.Element {
  return <time datetime={to}>{words.days(from, to)}</time>;
}

function documentAddress(whose: Whose, documentId: string): string {
  return `${whose.base}documents/${encodeURIComponent(documentId)}`;
}

/** All documents that say the same, the one that was stored last first. */
function SaidIn({ visit, whose, documents, sources }: Looked & Pick<Statement, 'documents'>): JSX.Element | null {
  return documents.length < 2 ? null : (
    <details class="said-in">
      <summary>{visit.words.say('timeline.said-in', { count: documents.length })}</summary>
      <ul>
        {documents.flatMap((id) => {
          const source = sources.find((one) => one.id === id);
          return source === undefined ? (
            []
          ) : (
            <li>
              <a href={documentAddress(whose, id)}>
                <bdi>{documentName(source, visit)}</bdi>
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
}

type EntryProps = Looked & { readonly statement: Statement };

/** One statement: its title leads to its document; its kind stands beside it. */
function Entry({ statement, ...looked }: EntryProps): JSX.Element | null {
  const { visit, whose } = looked;
  const { fact, documents, times, missingSince } = statement;
  const model = visit.models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const { words } = visit;
  const [title, line, kind] = [factTitle(model, fact, words), factLine(model, fact, words), modelName(model, words)];
  return (
    <div class="entry" data-kind={model.name} data-id={fact.__id__}>
      <a class="name" href={factAddress(whose.base, fact)}>
        <bdi>{title}</bdi>
      </a>
      <Line text={line} />
      <Check text={checkWords(model, fact, words)} />
      {times > documents.length && <p class="by">{words.say('timeline.times', { count: times })}</p>}
      <CalledWrong fact={fact} words={words} />
      {missingSince !== undefined && <p class="by">{missingWords(missingSince, words)}</p>}
      {fact.__paper__ !== undefined && <p class="by">{paperWords(fact, words)}</p>}
      <SaidIn {...looked} documents={documents} />
      {kind !== title && <span class="by">{kind}</span>}
    </div>
  );
}

/** The title of a row: the visit, what a device measured, or the first of the statements. */
function rowTitle({ visit: ofVisit, device, statements, run }: Row, { models, words }: PersonVisit): string {
  const { say } = words;
  if (ofVisit) {
    return visitTitle(ofVisit, words);
  }
  const what = run?.measured ?? device;
  if (what !== undefined) {
    return say('timeline.device', { what, count: statements.length });
  }
  const titles = statements.flatMap(({ fact }) => {
    const model = models.find(fact.__modelname__);
    return model ? [factTitle(model, fact, words)] : [];
  });
  const said = commaSeparated([...new Set(titles)].slice(0, NAMED), words);
  return titles.length > NAMED ? say('timeline.and-more', { what: said, count: titles.length - NAMED }) : said;
}

/** Who and where, and how much of which kind: "Bayside Practice, Measurements: 3"; the average of many readings. */
function aboutOf({ visit: ofVisit, statements, run, device }: Row, visit: PersonVisit): string {
  const { models, words } = visit;
  if (run || device !== undefined) {
    return averageOf(
      statements.map(({ fact }) => fact),
      visit,
    );
  }
  const place = ofVisit ? visitPlace(ofVisit) : [];
  const others = statements.filter((one) => !isVisit(one));
  const kinds = [...groupBy(others, ({ fact }) => fact.__modelname__)].flatMap(([name, { length }]) => {
    const model = models.find(name);
    return model ? [words.say('document.named', { label: modelTitle(model, words), value: words.number(length) })] : [];
  });
  return commaSeparated([...place, ...kinds], words);
}

function lookOfRow({ visit, device, statements }: Row): Look {
  if (visit) {
    return VISIT;
  }
  return device === undefined ? lookOf(statements[0]!.fact.__modelname__) : DEVICE;
}

function Only({ row, ...looked }: Looked & { readonly row: Row }): JSX.Element {
  const { hue, icon } = lookOfRow(row);
  return (
    <li>
      <div class="day only">
        <Day visit={looked.visit} day={row.day} />
        <Tile name={icon} kind={hue} />
        <Entry {...looked} statement={row.statements[0]!} />
      </div>
    </li>
  );
}

/** A visit of which nothing else is known on its day. */
function VisitAlone({ row, visit, whose }: Looked & { readonly row: Row }): JSX.Element {
  return (
    <li>
      <div class="day only">
        <Day visit={visit} day={row.day} />
        <Tile name={VISIT.icon} kind={VISIT.hue} />
        <div class="entry" data-kind="Visit" data-id={row.visit!.__id__}>
          <a class="name" href={visitAddress(whose, row.visit!)}>
            <bdi>{visitTitle(row.visit!, visit.words)}</bdi>
          </a>
          <Line text={commaSeparated(visitPlace(row.visit!), visit.words)} />
        </div>
      </div>
    </li>
  );
}

function Folded({ row, ...looked }: Looked & { readonly row: Row }): JSX.Element {
  const { visit } = looked;
  const about = aboutOf(row, visit);
  const { hue, icon } = lookOfRow(row);
  return (
    <li {...(row.device === undefined ? {} : { class: 'of-device' })}>
      <details class="day" {...(row.visit ? { 'data-kind': 'Visit', 'data-id': row.visit.__id__ } : {})}>
        <summary>
          {row.run ? (
            <RunDays words={visit.words} from={row.run.from} to={row.day} />
          ) : (
            <Day visit={visit} day={row.day} />
          )}
          <Tile name={icon} kind={hue} />
          <span>
            <b>
              <bdi>{rowTitle(row, visit)}</bdi>
            </b>
            {about !== '' && (
              <span class="by">
                {' '}
                <bdi>{about}</bdi>
              </span>
            )}
          </span>
          <span class="chev" aria-hidden="true" />
        </summary>
        <div class="in">
          {row.visit && (
            <p>
              <a href={visitAddress(looked.whose, row.visit)}>{visit.words.say('visits.open')}</a>
            </p>
          )}
          {row.statements
            .filter((statement) => !isVisit(statement))
            .map((statement) => (
              <Entry {...looked} statement={statement} />
            ))}
        </div>
      </details>
    </li>
  );
}

type RowsProps = Looked & { readonly rows: readonly Row[] };

function DayRows({ rows, ...looked }: RowsProps): JSX.Element {
  return (
    <ol class="days">
      {rows.map((row) => {
        if (row.visit && row.statements.every(isVisit)) {
          return <VisitAlone {...looked} row={row} />;
        }
        const isOnly = row.statements.length === 1 && !row.visit;
        return isOnly ? <Only {...looked} row={row} /> : <Folded {...looked} row={row} />;
      })}
    </ol>
  );
}

const MONTH_LETTERS = 7;

/** The rows of a year, month by month where it has several. @param devices whether lines of devices are shown */
export function Days({ rows, devices, ...looked }: RowsProps & { readonly devices: boolean }): JSX.Element {
  const { date } = looked.visit.words;
  const shown = rows.filter(({ device }) => devices || device === undefined);
  const months = [...groupBy(shown, ({ day }) => day.slice(0, MONTH_LETTERS))];
  return (
    <>
      {months.map(([month, own]) => (
        <>
          {months.length > 1 && month.length === MONTH_LETTERS && (
            <div class="month">
              <h3>{date(`${month}-01`, 'month')}</h3>
            </div>
          )}
          <DayRows {...looked} rows={withRuns(own, (fact) => measuredOf(looked.visit, fact))} />
        </>
      ))}
    </>
  );
}
