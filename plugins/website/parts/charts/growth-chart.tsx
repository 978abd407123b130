/**
 * growth-chart: a child's readings by age, over the percentiles of the WHO Child Growth Standards. Without sex or date of
 * birth there are no lines, because those of the other sex would mislead.
 */
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { JSX } from 'preact';
import { PERCENTILES, valueAt, type GrowthTable, type Sex } from '../../../../core/lab-tests/growth';
import type { Words } from '../../words/words';
import { round } from './round';

/** A reading in the unit of the standards. */
export type GrowthPoint = { readonly months: number; readonly value: number; readonly title: string };

type GrowthData = {
  readonly table: GrowthTable;
  readonly sex: Sex;
  /** Youngest first. */ readonly points: readonly GrowthPoint[];
  readonly unit: string;
  /** A whole sentence for people who cannot see the chart. */ readonly label: string;
};

const sizes = [
  { name: 'wide', width: 900, height: 420, step: 1 },
  { name: 'slim', width: 358, height: 320, step: 2 },
] as const;
type Size = (typeof sizes)[number];

const EDGE = { top: 30, bottom: 46, start: 44, end: 34 };
/** Ages in months at which a chart may end. */
const ENDS = [6, 12, 24, 36, 60];
const YEAR = 12;
/** Up to this age people count months. */
const MONTHS_UNTIL = 24;

type Scale = ScaleLinear<number, number>;

function lastMonth(points: readonly GrowthPoint[]): number {
  const oldest = Math.max(...points.map(({ months }) => months));
  return ENDS.find((end) => end >= oldest) ?? ENDS.at(-1)!;
}

function curvesOf({ table, sex }: GrowthData, end: number) {
  const rows = table.rows.filter(({ month }) => month <= end);
  return PERCENTILES.map(({ percent, z }) => ({
    percent,
    places: rows.map((row) => [row.month, valueAt(row[sex], z)] as const),
  }));
}

function Ages({ x, size, end, words }: { x: Scale; size: Size; end: number; words: Words }): JSX.Element {
  const inMonths = end <= MONTHS_UNTIL;
  const base = size.height - EDGE.bottom;
  const step = inMonths ? Math.max(1, end / YEAR) * size.step : YEAR;
  const ages = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return (
    <>
      <path class="c-axis" d={`M${EDGE.start} ${base}H${size.width - EDGE.end}`} />
      {ages.map((age) => (
        <>
          <path class="c-axis" d={`M${round(x(age))} ${base}v5`} />
          <text x={round(x(age))} y={base + 19} text-anchor="middle">
            {words.number(inMonths ? age : age / YEAR)}
          </text>
        </>
      ))}
      <text x={(EDGE.start + size.width - EDGE.end) / 2} y={size.height - 6} text-anchor="middle" direction={words.dir}>
        {words.say(inMonths ? 'growth.age-months' : 'growth.age-years')}
      </text>
    </>
  );
}

function Values({ y, size, data, words }: { y: Scale; size: Size; data: GrowthData; words: Words }): JSX.Element {
  return (
    <>
      {y.ticks(6).map((tick) => (
        <>
          <path class="c-grid" d={`M${EDGE.start} ${round(y(tick))}H${size.width - EDGE.end}`} />
          <text x={EDGE.start - 8} y={round(y(tick) + 4.5)} text-anchor="end">
            {words.number(tick, { maximumFractionDigits: 1 })}
          </text>
        </>
      ))}
      <text x={0} y={11}>
        {data.unit}
      </text>
    </>
  );
}

function DrawnGrowth({ data, size, words }: { data: GrowthData; size: Size; words: Words }): JSX.Element {
  const end = lastMonth(data.points);
  const curves = curvesOf(data, end);
  const all = [...curves.flatMap(({ places }) => places.map(([, value]) => value)), ...data.points.map((p) => p.value)];
  const y = scaleLinear([Math.min(...all), Math.max(...all)], [size.height - EDGE.bottom, EDGE.top]).nice(6);
  const x = scaleLinear([0, end], [EDGE.start, size.width - EDGE.end]);
  const path = line<readonly [number, number]>()
    .x(([months]) => x(months))
    .y(([, value]) => y(value))
    .digits(1);
  return (
    <svg class={size.name} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={data.label}>
      <Values y={y} size={size} data={data} words={words} />
      <Ages x={x} size={size} end={end} words={words} />
      {curves.map(({ percent, places }) => (
        <>
          <path class={percent === 50 ? 'c-percent middle' : 'c-percent'} d={path(places) ?? ''} />
          <text x={size.width - EDGE.end + 6} y={round(y(places.at(-1)![1]) + 4.5)}>
            {words.number(percent)}
          </text>
        </>
      ))}
      {data.points.length > 1 && (
        <path class="c-line c-1" d={path(data.points.map(({ months, value }) => [months, value] as const)) ?? ''} />
      )}
      {data.points.map(({ months, value, title }) => (
        <circle class="d-1" cx={round(x(months))} cy={round(y(value))} r={size.name === 'wide' ? 4 : 3}>
          <title>{title}</title>
        </circle>
      ))}
    </svg>
  );
}

/** The chart, for a wide page and for a telephone; its caption says what the lines are. */
export function GrowthChart({
  data,
  words,
  children,
}: {
  readonly data: GrowthData;
  readonly words: Words;
  readonly children: JSX.Element;
}): JSX.Element {
  return (
    <figure class="chart">
      {sizes.map((size) => (
        <DrawnGrowth data={data} size={size} words={words} />
      ))}
      <figcaption>{children}</figcaption>
    </figure>
  );
}
