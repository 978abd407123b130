/** page-sketch: a drawn page in place of a picture, whose lines show what kind of document it is. */
import type { JSX } from 'preact';

/** Lines of a page: left end, top and width, and whether they are dark. */
type Stroke = readonly [x: number, y: number, width: number, dark?: boolean];

const letter: readonly Stroke[] = [
  [66, 12, 22],
  [66, 17, 16],
  [66, 22, 19],
  [12, 34, 30, true],
  [12, 40, 24, true],
  [12, 54, 76],
  [12, 61, 72],
  [12, 68, 76],
  [12, 75, 58],
  [12, 89, 74],
  [12, 96, 76],
  [12, 103, 41],
];

/** Rows with a name, a value and a range. */
const table: readonly Stroke[] = [
  [12, 18, 40, true],
  [12, 24, 28, true],
  ...[38, 48, 58, 68, 78, 88, 98].flatMap((y, row): readonly Stroke[] => [
    [12, y, [30, 24, 34, 28, 22, 32, 26][row]!],
    [54, y, 10, true],
    [72, y, 16],
  ]),
];

/** Models whose documents look like a table. */
const TABLES = ['LabResult', 'VitalSigns', 'Measurement'];

export function PageSketch({ model, hue }: { readonly model: string; readonly hue: string }): JSX.Element {
  const isTable = TABLES.includes(model);
  return (
    <svg class={`page ${hue}`} viewBox="0 0 100 130" aria-hidden="true">
      {isTable ? (
        <rect class="p-hue" width="100" height="10" />
      ) : (
        <rect class="p-hue" x="12" y="12" width="22" height="7" rx="1.5" />
      )}
      {(isTable ? table : letter).map(([x, y, width, dark]) => (
        <rect class={dark ? 'p-dark' : 'p-ink'} x={x} y={y} width={width} height="2.5" rx="1" />
      ))}
    </svg>
  );
}
