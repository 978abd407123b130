/** chart: a small drawing of values over time, of numbers alone (pure). */
export type Point = { readonly at: number; readonly value: number };

const [WIDTH, HEIGHT, EDGE] = [220, 44, 4];
/** Dots of more values than this would hide the line. */
const MOST_DOTS = 40;
/** A line that hardly changes is not drawn as if it did. */
const LEAST_SPAN = 0.12;

export function chartOf(points: readonly Point[]): string {
  const sorted = [...points].sort((one, other) => one.at - other.at);
  const values = sorted.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [sorted[0]!.at, sorted.at(-1)!.at];
  const span = Math.max(high - low, Math.abs(high + low) * 0.5 * LEAST_SPAN, Number.EPSILON);
  const middle = (high + low) / 2;
  const place = ({ at, value }: Point): readonly [string, string] => [
    (EDGE + ((at - first) / Math.max(last - first, 1)) * (WIDTH - 2 * EDGE)).toFixed(1),
    (HEIGHT / 2 - ((value - middle) / span) * (HEIGHT - 2 * EDGE)).toFixed(1),
  ];
  const places = sorted.map(place);
  const line = places.map(([x, y]) => `${x},${y}`).join(' ');
  const dots = places.length > MOST_DOTS ? [] : places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="2"/>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<polyline points="${line}" fill="none" stroke="#1d5f6b" stroke-width="1.4"/>` +
    `<g fill="#1d5f6b">${dots.join('')}</g></svg>`
  );
}
