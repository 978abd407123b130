/**
 * medicine-bars: when a medicine was taken, as bars on one axis of time. A bar is whole as far as somebody said so, thin
 * where nobody has said anything since, and dashed where sources differ. Most medicines have an old "active" and no end:
 * whole bars until today would say that they are taken, and none would hide them.
 */
import type { JSX } from 'preact';
import type { Line } from '../../../../core/lines/lines';
import { BAR_LOOKS, type BarLook } from '../../parts/charts/bars';

type Bar = { readonly from: number; readonly until: number; readonly look: BarLook };
/** The time of all bars of a page, in milliseconds. */
export type Axis = { readonly from: number; readonly until: number };

const WIDTH = 300;
const TODAY = 294;
const HEIGHT = 22;
/** A bar of a few days in an axis of many years is still seen. */
const LEAST = 2;
/** The fewest units between the names of two years. */
const BETWEEN = 55;

/** Only what has a day on which it began; an end is drawn only where one is said. */
export function barsOf({ times, standing, isConflict, isPlanned, last }: Line, now: number): readonly Bar[] {
  if (isPlanned || standing === 'undone') {
    return [];
  }
  const isDisputed = standing === 'unclear' && isConflict;
  return times.flatMap(({ from, until }, at): readonly Bar[] => {
    const begun = Date.parse(from);
    if (Number.isNaN(begun) || begun > now) {
      return [];
    }
    if (until !== '') {
      const ended = Math.min(Date.parse(until), now);
      const isNewest = at === times.length - 1;
      const isOver = standing === 'over' || !isNewest || ended < now;
      const look = isOver ? 'over' : 'said';
      return ended < begun ? [] : [{ from: begun, until: ended, look: isDisputed && isNewest ? 'differ' : look }];
    }
    if (at < times.length - 1 || standing === 'over') {
      return [];
    }
    return isDisputed ? [{ from: begun, until: now, look: 'differ' }] : goingOn(begun, last, now);
  });
}

/** What nobody says is over: whole until the day on which it was last said, from then on thin. */
function goingOn(from: number, last: string, now: number): readonly Bar[] {
  const said = last === '' ? from : Math.min(Math.max(Date.parse(last), from), now);
  return [
    ...(said > from ? [{ from, until: said, look: 'said' } as const] : []),
    ...(said < now ? [{ from: said, until: now, look: 'since' } as const] : []),
  ];
}

/** From the year in which the first of them began until today; undefined where none is drawn. */
export function axisOf(lines: readonly Line[], now: number): Axis | undefined {
  const begun = lines.flatMap((line) => barsOf(line, now).map(({ from }) => from));
  return begun.length === 0
    ? undefined
    : { from: Date.UTC(new Date(Math.min(...begun)).getUTCFullYear(), 0, 1), until: now };
}

function placeOf(at: number, { from, until }: Axis): number {
  return Math.round(((at - from) / Math.max(until - from, 1)) * TODAY * 10) / 10;
}

/** The years of the axis, as many as have room. */
export function Years({ axis }: { readonly axis: Axis }): JSX.Element {
  const [first, last] = [new Date(axis.from).getUTCFullYear(), new Date(axis.until).getUTCFullYear()];
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.floor(TODAY / BETWEEN)));
  const years = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
  return (
    <div class="med-axis" aria-hidden="true">
      <div class="spark">
        <svg viewBox={`0 0 ${WIDTH} 16`}>
          {years
            .map((year) => ({ year, x: placeOf(Date.UTC(year, 0, 1), axis) }))
            .filter(({ x }) => x <= WIDTH - BETWEEN / 2)
            .map(({ year, x }) => (
              <text x={x} y="12">
                {year}
              </text>
            ))}
        </svg>
      </div>
    </div>
  );
}

/** The sentence under it says the same, so it is a picture only. */
export function Bars({ bars, axis }: { readonly bars: readonly Bar[]; readonly axis: Axis }): JSX.Element | null {
  return bars.length === 0 ? null : (
    <div class="spark" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <path class="g" d={`M0 11H${WIDTH}`} />
        {bars.map(({ from, until, look }) => {
          const x = placeOf(from, axis);
          const { style, top, height } = BAR_LOOKS[look];
          const width = Math.max(LEAST, placeOf(until, axis) - x);
          return <rect class={style} x={x} y={5 + top} width={width} height={height} rx={Math.min(3, height / 2)} />;
        })}
        <path class="ev" d={`M${TODAY + 0.6} 0v22`} />
      </svg>
    </div>
  );
}
