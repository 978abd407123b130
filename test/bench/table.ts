/** table: prints rows of text in aligned columns; the first column is words, all others are numbers. */

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
};

/** A number with as many digits as are meaningful. */
export const shown = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-GB', {
        maximumFractionDigits: value >= 100 ? 0 : digits,
        minimumFractionDigits: value >= 100 ? 0 : digits,
      })
    : '-';
