/** csv: writes rows as RFC 4180 in UTF-8, so that they are harmless when a spreadsheet opens them. */

export type Cell = string | number | boolean | null | undefined;

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t]/;

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) {
    return '';
  }
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row with its end of line. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** The column that says `true` of what the person calls wrong, in files of records where something is. */
export const CALLED_WRONG = { name: 'called_wrong', of: '__called_wrong__' };
