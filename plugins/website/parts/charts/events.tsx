/** events: draws events in the time of a chart as dashed lines, with labels that never overlap. */
import type { JSX } from 'preact';
import { round } from './round';

/** A day in the time of the chart, with a short label and a full title. */
export type ChartEvent = { readonly at: number; readonly label: string; readonly title: string };

/** The range in which labels may be placed, and the position at which the unit of the chart ends. */
type Room = { readonly start: number; readonly end: number; readonly unit: number };

type Span = readonly [from: number, to: number];
type Row = 'lower' | 'upper';
/** The position of a label: next to the line, or above its end. */
type Side = 'right' | 'left' | 'over';

/** A line with its label: where the label is, and which of the two lines of text it is in. */
export type Placed = {
  readonly event: ChartEvent;
  readonly x: number;
  readonly row: Row;
  readonly side: Side;
  readonly span: Span;
};

/** The height of the text, and the height at which its line begins. */
const TEXT = { lower: 26, upper: 11 } as const;
const LINE = { lower: 17, upper: 2 } as const;
const UNDER = 15;
const GAP = 7;
const BETWEEN = 8;
const LETTER = 7;
const CAPITAL = 10;
const BROAD = 14;

/** Characters of East Asia are square. */
function broadestOf(letter: string): number {
  if (letter >= '\u1100' && letter !== '…') {
    return BROAD;
  }
  return /[\p{Lu}mw]/u.test(letter) ? CAPITAL : LETTER;
}

/** An upper limit for the width of a text, so that it covers nothing. */
export function broadest(text: string): number {
  return [...text.replaceAll(/[\u2066-\u2069]/g, '')].reduce((sum, letter) => sum + broadestOf(letter), 0);
}

function meets([from, to]: Span, [start, end]: Span): boolean {
  return from < end + BETWEEN && start < to + BETWEEN;
}
function isNear([from, to]: Span, x: number): boolean {
  return x > from - BETWEEN / 2 && x < to + BETWEEN / 2;
}

/**
 * Whether a line crosses a label. A line runs down from its own label, so only lines of the same height cross a label
 * in the upper row.
 */
function crosses(line: Placed, label: Placed): boolean {
  return (label.row === 'lower' || (line.row === 'upper' && line.side !== 'over')) && isNear(label.span, line.x);
}

function fitsRoom(one: Placed, placed: readonly Placed[], { start, end, unit }: Room): boolean {
  return (
    one.span[0] >= (one.row === 'upper' ? Math.max(start, unit + BETWEEN) : start) &&
    one.span[1] <= end &&
    placed.every(
      (other) =>
        !(one.row === other.row && meets(one.span, other.span)) && !crosses(one, other) && !crosses(other, one),
    )
  );
}

const places: readonly (readonly [Row, Side])[] = [
  ['lower', 'right'],
  ['lower', 'left'],
  ['upper', 'right'],
  ['upper', 'left'],
  ['upper', 'over'],
];

function beginOfLabel(x: number, width: number, side: Side, { start, end, unit }: Room): number {
  switch (side) {
    case 'right':
      return x + GAP;
    case 'left':
      return x - GAP - width;
    case 'over':
      return Math.max(start, unit + BETWEEN, Math.min(end - width, x - width / 2));
  }
}

/** Places the labels, the latest event first. An event whose label would cover another is left out. */
export function placedEvents(
  events: readonly ChartEvent[],
  xOf: (at: number) => number,
  room: Room,
): readonly Placed[] {
  const placed: Placed[] = [];
  for (const event of [...events].reverse()) {
    const [x, width] = [xOf(event.at), broadest(event.label)];
    const found = places
      .map(([row, side]): Placed => {
        const from = beginOfLabel(x, width, side, room);
        return { event, x, row, side, span: [from, from + width] };
      })
      .find((one) => fitsRoom(one, placed, room));
    if (found) {
      placed.unshift(found);
    }
  }
  return placed;
}

export function Events({
  placed,
  base,
  dir,
}: {
  readonly placed: readonly Placed[];
  readonly base: number;
  readonly dir: 'ltr' | 'rtl';
}): JSX.Element {
  return (
    <>
      {placed.map(({ event, x, row, side, span: [from, to] }) => (
        <g>
          <title>{event.title}</title>
          <path class="c-event" d={`M${round(x)} ${side === 'over' ? UNDER : LINE[row]}V${base}`} />
          <text
            class="begun"
            x={round(side === 'left' ? to : from)}
            y={TEXT[row]}
            direction={dir}
            // A text that runs from right to left starts at its right end.
            text-anchor={(side === 'left') === (dir === 'rtl') ? 'start' : 'end'}
          >
            {event.label}
          </text>
        </g>
      ))}
    </>
  );
}
