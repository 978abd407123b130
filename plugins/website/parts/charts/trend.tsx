/** trend: the small chart of a row of a table: its values in their time, over the range of the latest one. */
import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { JSX } from 'preact';
import { FEW, LEAST_SPAN, thinPoints, type Point } from './chart';
import { round } from './round';

type Props = {
  /** Times in milliseconds with their values, the oldest first. */ readonly points: readonly Point[];
  /** The range of the latest value; an end that is absent is open. */
  readonly range: { readonly low?: number; readonly high?: number };
  /** Whether the latest value is marked or out of its range. */ readonly isOut: boolean;
  /** A whole sentence for people who cannot see the chart. */ readonly label: string;
};

const SIZE = { width: 84, height: 30, side: 6, edge: 6 };

function Range({ range: { low, high }, y }: Pick<Props, 'range'> & { readonly y: (value: number) => number }) {
  const within = (place: number): number => Math.min(SIZE.height, Math.max(0, place));
  const top = high === undefined ? 0 : within(y(high));
  const height = round((low === undefined ? SIZE.height : within(y(low))) - top);
  return (low === undefined && high === undefined) || height <= 0 ? null : (
    <rect class="b1" width={SIZE.width} y={round(top)} height={height} rx="3" />
  );
}

/** Nothing for a single value, and for values of one time. */
export function Trend({ points, range, isOut, label }: Props): JSX.Element | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first[0] === last[0]) {
    return null;
  }
  const [least = 0, most = 0] = extent(points, ([, value]) => value);
  const middle = (least + most) / 2;
  const half = Math.max((most - least) / 2, (Math.abs(middle) * LEAST_SPAN) / 2) || 1;
  const x = scaleLinear([first[0], last[0]], [SIZE.side, SIZE.width - SIZE.side]);
  const y = scaleLinear([middle - half, middle + half], [SIZE.height - SIZE.edge, SIZE.edge]);
  const path = line<Point>()
    .x(([at]) => x(at))
    .y(([, value]) => y(value))
    .digits(1);
  const [right, height] = [round(x(last[0])), round(y(last[1]))];
  return (
    <div class="spark">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={label}>
        <Range range={range} y={y} />
        <path class="c-line c-1" d={path(thinPoints(points)) ?? ''} />
        {points.length <= FEW &&
          points.slice(0, -1).map(([at, value]) => <circle class="d-1" cx={round(x(at))} cy={round(y(value))} r="2" />)}
        {isOut ? (
          <path class="f-out" d={`M${right} ${round(height - 6)}l6 11h-12z`} />
        ) : (
          <circle class="d-1" cx={right} cy={height} r="4.5" />
        )}
      </svg>
    </div>
  );
}
