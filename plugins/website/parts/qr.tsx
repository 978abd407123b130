/**
 * qr: draws a text as an SVG picture that telephones can read. It is black on white in dark mode, too, because cameras
 * need that.
 */
import type { JSX } from 'preact';
import { encode } from 'uqr';

/** Each run of dark squares in a row is one rectangle of the path. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('');
}

export function Qr({
  text,
  label,
  wide = false,
}: {
  readonly text: string;
  readonly label: string;
  /** For a long text, whose squares are many. */ readonly wide?: boolean;
}): JSX.Element {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  return (
    <svg
      class={wide ? 'qr wide' : 'qr'}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}
