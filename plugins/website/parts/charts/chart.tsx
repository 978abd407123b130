/**
 * chart: draws readings as SVG on the server, as the chart of a page or the small one of a row. Time runs from left to
 * right in every language.
 */
import { extent, mean } from 'd3-array';
import { scaleLinear, scaleUtc, type ScaleLinear, type ScaleTime } from 'd3-scale';
import { curveLinear, curveStepAfter, line } from 'd3-shape';
import type { JSX } from 'preact';
import type { Words } from '../../words/words';
import { BAR_LOOKS, BarKeys, type BarLook } from './bars';
import { broadest, Events, placedEvents, type ChartEvent } from './events';
import { round } from './round';
import { WORDS_ROW, WordsRow, type Word } from './words-row';

/**
 * What was measured at a time, or the average of a week or month: one value for each series of the chart. The time is
 * in milliseconds, as if the local time of the person were UTC.
 */
export type Reading = { readonly at: number; readonly values: readonly (number | null)[] };
export type Mark = Reading & {
  readonly title: string;
  /** What the laboratory said of it, drawn above the point. */ readonly sign?: 'up' | 'down';
  /** The value is less, or more, than where it is drawn. */ readonly bound?: 'less' | 'more';
  /** Which of the forms it has, for a chart whose points have several sources. */ readonly form?: number;
};

/** The range of a laboratory while it counted; an end that is absent is open. */
export type Band = {
  readonly from: number;
  readonly to: number;
  readonly low?: number;
  readonly high?: number;
  /** The value of a mark for which it is meant; absent: the first. */ readonly column?: number;
};

/** The times in which something went on, such as a medicine, drawn in one row below the chart. */
export type Bar = {
  readonly name: string;
  readonly times: readonly {
    readonly from: number;
    readonly to: number;
    readonly title: string;
    readonly look: BarLook;
  }[];
};

/** The average of a period, drawn from its first to its last reading. */
type Mean = { readonly from: number; readonly to: number; readonly values: readonly (number | null)[] };

export type ChartData = {
  /** Oldest first. */
  readonly marks: readonly Mark[];
  readonly means: readonly Mean[];
  readonly unit: string;
  /** A whole sentence for people who cannot see the chart. */
  readonly label: string;
  /** The names of the series, for the key. */
  readonly names: readonly string[];
  /** The names of the sources, each with a form of its own, for the key; then there is one series. */
  readonly sources?: readonly string[];
  readonly meanName?: string;
  readonly bands?: readonly Band[];
  readonly bandName?: string;
  /** The time that is drawn, for charts below each other; absent: that of the marks. */
  readonly time?: readonly [from: number, to: number];
  /** In the order in which they stand below the chart. */ readonly bars?: readonly Bar[];
  /** The names of the heights at which values can be, such as titres; absent: any number. */
  readonly steps?: readonly { readonly at: number; readonly text: string }[];
  /** Results in words, oldest first, in a row below the chart. */ readonly words?: readonly Word[];
  /** Events in the time of the chart, oldest first. */
  readonly events: readonly ChartEvent[];
};

type Size = {
  readonly name: 'wide' | 'slim' | 'mini';
  readonly width: number;
  readonly height: number;
  readonly end: number;
  readonly years: number;
  readonly dot: number;
};

const sizes: readonly Size[] = [
  { name: 'wide', width: 900, height: 380, end: 56, years: 12, dot: 4 },
  { name: 'slim', width: 358, height: 300, end: 8, years: 4, dot: 3 },
];

const TOP = 30;
const BOTTOM = 28;
const LETTER = 7.5;
const CROWD = 80;

export type Point = readonly [number, number];
type X = ScaleTime<number, number>;
type Y = ScaleLinear<number, number>;

function allReadings(marks: readonly { readonly values: readonly (number | null)[] }[]): readonly number[] {
  return marks.flatMap(({ values }) => values.filter((value) => value !== null));
}

/** The text of a tick, which says only what distinguishes it from the one before. */
function tickWords(tick: Date, { date }: Words): { readonly text: string; readonly strong: boolean } {
  const day = tick.toISOString().slice(0, 10);
  const time = tick.toISOString().slice(11, 16);
  if (time !== '00:00') {
    return { text: date(`${day}T${time}:00`, 'clock'), strong: false };
  }
  if (day.endsWith('-01-01')) {
    return { text: date(day, 'year'), strong: true };
  }
  return { text: date(day, day.endsWith('-01') ? 'month-name' : 'short'), strong: false };
}

function Dot({ series, x, y, size }: { series: number; x: number; y: number; size: number }): JSX.Element {
  return series === 0 ? (
    <circle class="d-1" cx={round(x)} cy={round(y)} r={size} />
  ) : (
    <rect
      class="d-2"
      x={round(x - size * 0.85)}
      y={round(y - size * 0.85)}
      width={round(size * 1.7)}
      height={round(size * 1.7)}
    />
  );
}

/** A point in the form of its source: a circle, a square, or a cross. */
function SourceDot({ form, x, y, size }: { form: number; x: number; y: number; size: number }): JSX.Element {
  const [left, top] = [round(x - size), round(y - size)];
  const side = round(size * 2);
  switch (form) {
    case 0:
      return <Dot series={0} x={x} y={y} size={size} />;
    case 1:
      return <rect class="d1o" x={left} y={top} width={side} height={side} />;
    default:
      return <path class="dx" d={`M${left} ${top}l${side} ${side}m0 ${-side}l${-side} ${side}`} />;
  }
}

function Marks({ marks, x, y, dot }: { marks: readonly Mark[]; x: X; y: Y; dot: number }): JSX.Element {
  return (
    <>
      {marks.map(({ at, values, title, form = 0 }) => {
        const [high, low] = values;
        return (
          <g>
            <title>{title}</title>
            {typeof high === 'number' && typeof low === 'number' && (
              <path class="c-stem" d={`M${round(x(at))} ${round(y(high))}V${round(y(low))}`} />
            )}
            {values.map((value, series) => {
              if (value === null) {
                return null;
              }
              const place = { x: x(at), y: y(value), size: dot };
              return form === 0 ? <Dot series={series} {...place} /> : <SourceDot form={form} {...place} />;
            })}
          </g>
        );
      })}
    </>
  );
}

/** The readings of one series are joined if there are at most this many. */
const MOST_JOINED = 40;
/** A gap of more than this part of the whole time is not bridged: nobody knows what was in between. */
const WIDEST_GAP = 0.2;

/** The points in runs without a wide gap. @param span the whole time that is drawn */
function runsOf(points: readonly Point[], span: number): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before === undefined || point[0] - before[0] > span * WIDEST_GAP) {
      runs.push([point]);
    } else {
      runs.at(-1)!.push(point);
    }
  });
  return runs.filter((run) => run.length > 1);
}

type JoinedProps = { readonly marks: readonly Mark[]; readonly x: X; readonly y: Y; readonly isStepped: boolean };

function Joined({ marks, x, y, isStepped }: JoinedProps): JSX.Element | null {
  const read = marks.flatMap(({ at, values }): readonly Point[] =>
    typeof values[0] === 'number' ? [[at, values[0]]] : [],
  );
  const path = line<Point>()
    .x(([at]) => x(at))
    .y(([, value]) => y(value))
    .curve(isStepped ? curveStepAfter : curveLinear)
    .digits(1);
  const [first, last] = x.domain() as [Date, Date];
  const drawn = runsOf(read, last.getTime() - first.getTime())
    .map((run) => path(run) ?? '')
    .join('');
  return marks.length > MOST_JOINED || (marks[0]?.values.length ?? 0) > 1 || drawn === '' ? null : (
    <path class="c-line c-1" d={drawn} />
  );
}

function bandLook({ column = 0 }: Band): { readonly area: string; readonly edge: string } {
  return column === 0 ? { area: 'b1', edge: 'bt' } : { area: 'b2', edge: 'bt2' };
}

/** The ranges of the laboratories, as steps: an open end reaches the end of the chart. */
function Bands({ bands, x, y }: { bands: readonly Band[]; x: X; y: Y }): JSX.Element {
  const [bottom = 0, top = 0] = y.range();
  return (
    <>
      {bands.map((band) => {
        const { from, to, low, high } = band;
        const look = bandLook(band);
        const [above, below] = [high === undefined ? top : y(high), low === undefined ? bottom : y(low)];
        const [begin, end] = [round(x(from)), round(x(to))];
        const edges = [low, high].flatMap((edge) => (edge === undefined ? [] : [`M${begin} ${round(y(edge))}H${end}`]));
        return (
          <>
            <rect class={look.area} x={begin} y={round(above)} width={end - begin} height={round(below - above)} />
            <path class={look.edge} d={edges.join('')} />
          </>
        );
      })}
    </>
  );
}

/** What the bands are, in the colour of the first of them. */
function BandKey({ data: { bands: [first] = [], bandName } }: { readonly data: ChartData }): JSX.Element | null {
  if (!first || !bandName) {
    return null;
  }
  const { area, edge } = bandLook(first);
  return (
    <li>
      <svg viewBox="0 0 24 16" aria-hidden="true">
        <rect class={area} y="3" width="24" height="10" />
        <path class={edge} d="M0 3h24" />
      </svg>
      {bandName}
    </li>
  );
}

/** An arrow beside a point whose value is less or more than its place, and the laboratory's mark above it. */
function Signs({ marks, x, y }: { marks: readonly Mark[]; x: X; y: Y }): JSX.Element {
  return (
    <>
      {marks.map(({ at, values: [value], sign, bound }) => {
        if (typeof value !== 'number' || (sign === undefined && bound === undefined)) {
          return null;
        }
        const [left, height] = [round(x(at)), y(value)];
        const [tip, foot] = bound === 'more' ? [-16, -7] : [16, 7];
        return (
          <>
            {bound !== undefined && (
              <path
                class="c-1 bound"
                d={`M${left} ${round(height + foot)}V${round(height + tip)}m-4 ${bound === 'more' ? 4 : -4}l4 ${bound === 'more' ? -4 : 4}l4 ${bound === 'more' ? 4 : -4}`}
              />
            )}
            {sign === 'up' && <path class="f-out" d={`M${left} ${round(height - 18)}l5 8h-10z`} />}
            {sign === 'down' && <path class="f-out" d={`M${left} ${round(height + 18)}l5 -8h-10z`} />}
          </>
        );
      })}
    </>
  );
}

function Means({ means, x, y }: { means: readonly Mean[]; x: X; y: Y }): JSX.Element {
  return (
    <>
      {means.map(({ from, to, values }) =>
        values.map(
          (value, series) =>
            value !== null && (
              <path
                class={`c-${series + 1} c-mean`}
                d={`M${round(x(from) - 4)} ${round(y(value))}H${round(x(to) + 4)}`}
              />
            ),
        ),
      )}
    </>
  );
}

/** The heights that have a line and a name: steps, or round numbers. None where nothing is a number. */
function heightsOf({ steps, marks }: ChartData, y: Y, words: Words): NonNullable<ChartData['steps']> {
  const numbers = marks.length === 0 ? [] : y.ticks(5);
  return steps ?? numbers.map((at) => ({ at, text: words.number(at, { maximumFractionDigits: 3 }) }));
}

/** Horizontal lines at round numbers, the unit once at the top, months and years below. */
function Axes({
  x,
  y,
  size,
  start,
  unit,
  heights,
  words,
}: {
  x: X;
  y: Y;
  size: Size;
  start: number;
  unit: string;
  heights: ReturnType<typeof heightsOf>;
  words: Words;
}): JSX.Element {
  const base = size.height - BOTTOM;
  const end = size.width - size.end;
  return (
    <>
      {heights.map(({ at, text }) => (
        <>
          <path class="c-grid" d={`M${start} ${round(y(at))}H${end}`} />
          <text x={start - 8} y={round(y(at) + 4.5)} text-anchor="end">
            {text}
          </text>
        </>
      ))}
      <text x={0} y={11}>
        {unit}
      </text>
      <path class="c-axis" d={`M${start} ${base}H${end}`} />
      {x.ticks(size.years).map((tick) => {
        const { text, strong } = tickWords(tick, words);
        return (
          <>
            <path class="c-axis" d={`M${round(x(tick))} ${base}v5`} />
            <text x={round(x(tick))} y={size.height - 8} text-anchor="middle" class={strong ? 'strong' : undefined}>
              {text}
            </text>
          </>
        );
      })}
    </>
  );
}

function yDomain(data: ChartData): readonly [number, number] {
  const ends = (data.bands ?? []).flatMap(({ low, high }) => [low, high].filter((end) => end !== undefined));
  const [least = 0, most = 0] = extent([...allReadings(data.marks), ...ends]) as [number, number];
  const room = (most - least || Math.abs(most) || 1) * 0.12;
  // The scale does not go below zero if no reading does.
  return [least >= 0 ? Math.max(0, least - room) : least - room, most + room];
}

/** The value at which the scale of a chart starts, which the caption mentions. */
export function scaleStart(data: ChartData): number {
  return scaleLinear(yDomain(data), [1, 0]).nice(5).domain()[0]!;
}

const BAR_ROW = 32;
/** Between the days of the axis and the first bar. */
const BAR_ROOM = 8;
/** Charts below each other begin at one place, however long their numbers are. */
const COMMON_START = 64;

/** Named bars in the time of the chart. */
function Bars({
  bars,
  x,
  top,
  start,
  width: room,
}: {
  bars: readonly Bar[];
  x: (at: number) => number;
  top: number;
  start: number;
  width: number;
}) {
  const letters = Math.floor((room - start) / LETTER);
  return (
    <>
      {bars.map(({ name, times }, row) => {
        const y = top + BAR_ROOM + row * BAR_ROW;
        return (
          <>
            <text x={start} y={y + 9}>
              {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
            </text>
            {times.map(({ from, to, title, look }) => {
              const { style, top: lower, height } = BAR_LOOKS[look];
              const width = Math.max(4, round(x(to) - x(from)));
              return (
                <g>
                  <title>{title}</title>
                  <rect class={style} x={round(x(from))} y={y + 14 + lower} width={width} height={height} />
                </g>
              );
            })}
          </>
        );
      })}
    </>
  );
}

const BOUNDS = { less: '<', more: '>' } as const;

/** The value of the newest point, as it stands beside it. What is less than a bound is not called the bound. */
function latestText(value: number, { steps, marks }: ChartData, words: Words): string {
  const step = steps?.find(({ at }) => at === value);
  const bound = marks.at(-1)?.bound;
  const text = step?.text ?? words.number(value, { maximumSignificantDigits: value >= 1000 ? 5 : 3 });
  return `${bound === undefined ? '' : BOUNDS[bound]}${text}`;
}

type DrawnProps = { readonly data: ChartData; readonly size: Size; readonly words: Words };

function Drawn({ data, size: usual, words }: DrawnProps): JSX.Element {
  // Words alone need no height.
  const size = data.marks.length === 0 ? { ...usual, height: BOTTOM } : usual;
  const y = scaleLinear(yDomain(data), [size.height - BOTTOM, TOP]).nice(5);
  const heights = heightsOf(data, y, words);
  const longest = Math.max(0, ...heights.map(({ text }) => text.length));
  const start = Math.max(data.time ? COMMON_START : 0, Math.ceil(longest * LETTER + 12));
  const said = data.words ?? [];
  const times = [...data.marks, ...said].map(({ at }) => at);
  const [first = 0, last = 0] = data.time ?? (extent(times) as [number, number]);
  const x = scaleUtc([first, last], [start + 12, size.width - size.end - 12]);
  const latest = data.marks.at(-1);
  const base = size.height - BOTTOM;
  const within = (at: number): number => x(Math.min(last, Math.max(first, at)));
  const room = { start, end: size.width - size.end, unit: broadest(data.unit) };
  const bars = data.bars ?? [];
  const below = size.height + (said.length > 0 ? WORDS_ROW : 0);
  const height = below + (bars.length > 0 ? BAR_ROOM + bars.length * BAR_ROW : 0);
  return (
    <svg class={size.name} viewBox={`0 0 ${size.width} ${height}`} role="img" aria-label={data.label}>
      <WordsRow words={said} x={within} top={size.height} width={size.width} />
      <Bars bars={bars} x={within} top={below} start={start} width={size.width} />
      <Bands bands={data.bands ?? []} x={x} y={y} />
      <Axes x={x} y={y} size={size} start={start} unit={data.unit} heights={heights} words={words} />
      <Events placed={placedEvents(data.events, within, room)} base={base} dir={words.dir} />
      <Joined marks={data.marks} x={x} y={y} isStepped={data.steps !== undefined} />
      <Means means={data.means} x={x} y={y} />
      <Marks marks={data.marks} x={x} y={y} dot={data.marks.length > CROWD ? size.dot - 1.2 : size.dot} />
      <Signs marks={data.marks} x={x} y={y} />
      {size.name === 'wide' &&
        latest?.values.map(
          (value) =>
            value !== null && (
              <text class="strong" x={round(x(latest.at) + 12)} y={round(y(value) + 4.5)}>
                {latestText(value, data, words)}
              </text>
            ),
        )}
    </svg>
  );
}

/** The series of a chart, or the sources of its points, each with its form. */
function Series({ data: { names, sources } }: { readonly data: ChartData }): JSX.Element {
  return (
    <>
      {(sources ?? names).map((name, index) => (
        <li>
          <svg viewBox="0 0 24 16" aria-hidden="true">
            {sources ? (
              <SourceDot form={index} x={12} y={8} size={4.5} />
            ) : (
              <Dot series={index} x={12} y={8} size={4.5} />
            )}
          </svg>
          <bdi>{name}</bdi>
        </li>
      ))}
    </>
  );
}

/**
 * A chart is drawn twice, for a wide page and for a telephone, so that its text stays readable. The style sheet shows
 * one of them.
 */
export function Chart({
  data,
  words,
  children,
}: {
  readonly data: ChartData;
  readonly words: Words;
  readonly children: JSX.Element;
}): JSX.Element {
  return (
    <figure class="chart">
      <ul class="key">
        {data.marks.length > 0 && <Series data={data} />}
        {data.meanName && data.means.length > 0 && (
          <li>
            <svg viewBox="0 0 24 16" aria-hidden="true">
              <path class="c-1 c-mean" d="M1 8h22" />
            </svg>
            {data.meanName}
          </li>
        )}
        <BandKey data={data} />
        <BarKeys looks={(data.bars ?? []).flatMap(({ times }) => times.map(({ look }) => look))} words={words} />
      </ul>
      {sizes.map((size) => (
        <Drawn data={data} size={size} words={words} />
      ))}
      <figcaption>{children}</figcaption>
    </figure>
  );
}

/** As the small ones of a page have it, which stand side by side. */
const PART: Size = { name: 'mini', width: 420, height: 170, end: 8, years: 4, dot: 3 };

/** A chart that stands beside others of its kind. */
export function SmallChart({
  data,
  words,
  children,
}: {
  readonly data: ChartData;
  readonly words: Words;
  readonly children: string;
}): JSX.Element {
  return (
    <figure class="chart">
      {children !== '' && <figcaption>{children}</figcaption>}
      <Drawn data={data} size={PART} words={words} />
    </figure>
  );
}

const SPARK = { width: 240, height: 60, start: 5, end: 234, top: 6.4, bottom: 53.6 };
/** Up to this number, readings are joined one by one. */
export const FEW = 14;
const TWELFTHS = 12;
/** The scale spans at least this part of the middle value, so that noise does not look like a sharp fall. */
export const LEAST_SPAN = 0.12;

/** The points of the line: the readings, or if there are many, the average of each twelfth of the time. */
export function thinPoints(points: readonly Point[]): readonly Point[] {
  if (points.length <= FEW) {
    return points;
  }
  const [first, last] = [points[0]![0], points.at(-1)![0]];
  const part = (last - first) / TWELFTHS || 1;
  return Array.from({ length: TWELFTHS }, (_, at) =>
    points.filter(([time]) => Math.min(TWELFTHS - 1, Math.floor((time - first) / part)) === at),
  )
    .filter((some) => some.length > 0)
    .map((some) => [mean(some, ([time]) => time)!, mean(some, ([, value]) => value)!] as const);
}

const HALF_YEAR = 183 * 86_400_000;
const YEAR = 2 * HALF_YEAR;

/** The time that a small chart spans, and the readings in it. */
type Span = { readonly from: number; readonly marks: readonly Reading[] };

/**
 * The half year or the year before the latest reading, whichever the readings fill. Older ones would make one straight
 * line of many years.
 * @param all false if there may be older readings in this time; then it begins with the first reading
 */
export function spanOf(marks: readonly Reading[], all: boolean): Span {
  const end = marks.at(-1)?.at ?? 0;
  const within = marks.filter(({ at }) => at >= end - YEAR);
  const begin = within.every(({ at }) => at >= end - HALF_YEAR) ? end - HALF_YEAR : end - YEAR;
  return { from: all ? begin : (within[0]?.at ?? begin), marks: within };
}

/**
 * A small chart of a row: each reading a faint dot, a line, the latest larger. There is no chart for a single reading.
 */
export function Spark({
  span: { from, marks },
  label,
  words,
}: {
  readonly span: Span;
  readonly label: string;
  readonly words: Words;
}): JSX.Element | null {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || marks.length < 2) {
    return null;
  }
  const [least = 0, most = 0] = extent(allReadings(marks)) as [number, number];
  const middle = (least + most) / 2;
  const half = Math.max((most - least) / 2, (Math.abs(middle) * LEAST_SPAN) / 2) || 1;
  const x = scaleLinear([from, last.at], [SPARK.start, SPARK.end]);
  const y = scaleLinear([middle - half, middle + half], [SPARK.bottom, SPARK.top]);
  const path = line<Point>()
    .x(([at]) => x(at))
    .y(([, value]) => y(value))
    .digits(1);
  const series = first.values.map((_, at) =>
    marks.flatMap((mark): readonly Point[] => {
      const value = mark.values[at];
      return typeof value === 'number' ? [[mark.at, value]] : [];
    }),
  );
  const month = (at: number): string => words.date(new Date(at).toISOString().slice(0, 10), 'short-month');
  return (
    <div class="spark">
      <svg viewBox={`0 0 ${SPARK.width} ${SPARK.height}`} role="img" aria-label={label}>
        {/* All dots are one path of lines without length, because there may be hundreds of them. */}
        <path
          class="d-0"
          d={series
            .flat()
            .map(([at, value]) => `M${round(x(at))} ${round(y(value))}h0`)
            .join('')}
        />
        {series.map((points, at) => (
          <path class={`c-line c-${at + 1}`} d={path(thinPoints(points)) ?? ''} />
        ))}
        {series.map((points, at) => {
          const latest = points.at(-1);
          return latest && <Dot series={at} x={x(latest[0])} y={y(latest[1])} size={4.5} />;
        })}
      </svg>
      <p>
        <span>{month(from)}</span>
        <span>{month(last.at)}</span>
      </p>
    </div>
  );
}
