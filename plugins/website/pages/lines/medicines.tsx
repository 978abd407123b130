/** medicines: the lines of medicines, with the times of day, the time they were taken, and who says what. */
import type { JSX } from 'preact';
import { dosagesIn } from '../../../../core/facts/model/dosage';
import type { Model } from '../../../../core/facts/model/model';
import type { Line } from '../../../../core/lines/lines';
import type { PersonVisit } from '../../http/page';
import { AlsoCalled } from '../../parts/also-called';
import { BarKeys } from '../../parts/charts/bars';
import { Line as Small, Tag } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { dateWords, factAddress, fieldWords, text, type Fact } from '../../words/facts';
import { dosesOf, isWhenNeeded, TIMES } from '../../words/times-of-day';
import { commaSeparated } from '../../words/words';
import {
  dateOf,
  dayAsSaid,
  detailsOf,
  namesOf,
  shownFact,
  sourceOf,
  statusOf,
  titleOf,
  type LineView,
} from './line-words';
import { Marks } from './marks';
import { axisOf, Bars, barsOf, Years, type Axis } from './medicine-bars';
import { SayButton } from './say-button';

export const MEDICINE = 'Medication';
/** Of each medicine so many sources are named here; its own page names all. */
export const SOURCES = 5;

export type Shown = {
  readonly visit: PersonVisit;
  readonly from: Whose;
  readonly model: Model;
  readonly view: LineView;
};
type RowProps = { readonly line: Line; readonly shown: Shown; readonly axis: Axis | undefined };

export function linePath({ from, model }: Shown, { id }: Line): string {
  return `${from.base}list/${model.name}/${id}`;
}

function fieldsInWords({ model, visit: { words } }: Shown, fact: Fact, fields: readonly string[]): string {
  const said = fields.map((field) => fieldWords(model, fact, field, words)).filter((one) => one !== '');
  return commaSeparated([...new Set(said)], words);
}

function withoutSpaces(name: string): string {
  return name.toLowerCase().replaceAll(/\s/g, '');
}

/** Strength and form where the name does not say them. */
function strengthAndForm(shown: Shown, fact: Fact, title: string): string {
  const { words } = shown.visit;
  return commaSeparated(
    ['strength', 'form']
      .map((field) => fieldWords(shown.model, fact, field, words))
      .filter((one) => !withoutSpaces(title).includes(withoutSpaces(one))),
    words,
  );
}

const HOW = ['instructions', 'quantity', 'frequency'];

/** Morning, noon and evening only where the dosage says them, and never where sources differ about it. */
function When({ line, shown }: Omit<RowProps, 'axis'>): JSX.Element {
  const { words } = shown.visit;
  const fact = shownFact(shown.model, line.shown);
  const dosages = dosagesIn(text(fact['dosage'])) ?? [];
  const how = fieldsInWords(shown, fact, HOW);
  const isOne = !line.differs.some(({ field }) => HOW.includes(field));
  const doses = isOne ? dosesOf(dosages, words) : undefined;
  return (
    <div>
      {doses && (
        <ul class="when">
          {TIMES.filter((time, at) => at < 3 || doses.has(time)).map((time) => (
            <li class={doses.has(time) ? 'on' : undefined}>
              <b>{doses.has(time) ? <bdi>{doses.get(time) || '✓'}</bdi> : '–'}</b> {words.say(`lines.at-${time}`)}
            </li>
          ))}
        </ul>
      )}
      {isOne && isWhenNeeded(dosages) && <Tag tone="off">{words.say('quick.when-needed')}</Tag>}
      {how !== '' && (
        <p class="by">
          <bdi>{how}</bdi>
        </p>
      )}
    </div>
  );
}

/** From when to when it is said, in words, and when it was last said. */
function TimeWords(props: Omit<RowProps, 'axis'>): JSX.Element {
  const { line, shown } = props;
  const { words } = shown.visit;
  const status = statusOf(shown.model, line.shown, shown.visit);
  const time = line.times.at(-1) ?? { from: '', until: '' };
  const [from, until] = [
    time.from && dayAsSaid(shown.model, line, 'startDate', time.from, shown.visit),
    time.until && dayAsSaid(shown.model, line, 'endDate', time.until, shown.visit),
  ];
  const isGoingOn = line.standing === 'open' && until === '';
  const span =
    from === '' || until === ''
      ? from && words.say('lines.time-from', { from })
      : words.say('lines.time', { from, until });
  const last = dateWords(line.last, words, 'day');
  return (
    <>
      <p class="by">
        {commaSeparated(
          [
            span || (until && words.say('lines.time-until', { until })),
            status && words.say('overview.status', { status }),
          ].filter((one) => one !== ''),
          words,
        )}
      </p>
      {isGoingOn && last !== '' && line.last !== time.from && (
        <p class="by">{words.say('lines.last-said', { date: last })}</p>
      )}
      {line.standing === 'over' && until === '' && <p class="by">{words.say('lines.no-end')}</p>}
    </>
  );
}

function Sources({ line, shown }: Omit<RowProps, 'axis'>): JSX.Element {
  const { visit, from, model, view } = shown;
  const { words } = visit;
  const title = titleOf(model, line.shown, visit);
  const count = words.say('lines.sources-count', { count: line.sources });
  return (
    <details class="fold">
      <summary aria-label={`${count}: ${title}`}>{count}</summary>
      <ul class="list">
        {line.says.slice(0, SOURCES).map((says) => {
          const fact = shownFact(model, says.told);
          const name = sourceOf(says, view, visit) || words.say('lines.paper');
          const called = titleOf(model, says.told, visit);
          return (
            <li data-id={says.told.id}>
              <div>
                <a href={factAddress(from.base, fact)}>
                  <bdi>{name}</bdi>
                </a>
                {withoutSpaces(called) !== withoutSpaces(title) && (
                  <p>
                    <bdi>{called}</bdi>
                  </p>
                )}
                <Small text={detailsOf(model, says.told, visit)} />
                {says.isWrong && <Tag tone="off">{words.say('lines.called-wrong')}</Tag>}
              </div>
              <span class="end below">
                {dateOf(model, says, visit)}
                <br />
                <bdi>{statusOf(model, says.told, visit)}</bdi>
              </span>
            </li>
          );
        })}
      </ul>
      <div class="buttons">
        {line.standing === 'open' && (
          <SayButton
            visit={visit}
            from={from}
            line={linePath(shown, line)}
            about={{ verdict: 'stopped', statements: [line.shown.id], words: title }}
            text={words.say('lines.stopped')}
            heard={title}
          />
        )}
        <a href={linePath(shown, line)}>{words.say('lines.all-about')}</a>
      </div>
    </details>
  );
}

function MedicineRow({ line, shown, axis }: RowProps): JSX.Element {
  const { model, visit } = shown;
  const fact = shownFact(model, line.shown);
  const title = titleOf(model, line.shown, visit);
  const kind = strengthAndForm(shown, fact, title);
  const more = fieldsInWords(shown, fact, ['reason', 'notes', 'reasonStopped']);
  return (
    <li class="med" data-kind={model.name} data-id={line.id}>
      <div>
        <h3>
          <a href={linePath(shown, line)}>
            <bdi>{title}</bdi>
          </a>
          {kind !== '' && (
            <span class="soft">
              {' '}
              <bdi>{kind}</bdi>
            </span>
          )}
        </h3>
        <AlsoCalled title={title} names={namesOf(model, line, visit)} words={visit.words} />
        {more !== '' && (
          <p class="by">
            <bdi>{more}</bdi>
          </p>
        )}
        <Marks line={line} visit={visit} />
      </div>
      <When line={line} shown={shown} />
      <div>
        {axis && <Bars bars={barsOf(line, visit.now)} axis={axis} />}
        <TimeWords line={line} shown={shown} />
      </div>
      <Sources line={line} shown={shown} />
    </li>
  );
}

/** A card of medicines. What its bars mean is said below them. */
export function Medicines({
  title,
  lines,
  all,
  shown,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Those of all cards, which have one axis of time. */ readonly all: readonly Line[];
  readonly shown: Shown;
}): JSX.Element | null {
  const { now, words } = shown.visit;
  const axis = axisOf(all, now);
  const looks = lines.flatMap((line) => barsOf(line, now).map(({ look }) => look));
  return lines.length === 0 ? null : (
    <section class="card gap k-med">
      <header>
        <h2>{title}</h2>
        <span class="soft small">{words.number(lines.length)}</span>
      </header>
      {axis && <Years axis={axis} />}
      <ul class="bare">
        {lines.map((line) => (
          <MedicineRow line={line} shown={shown} axis={axis} />
        ))}
      </ul>
      {looks.length > 0 && (
        <ul class="key">
          <BarKeys looks={looks} words={words} />
        </ul>
      )}
    </section>
  );
}
