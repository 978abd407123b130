/**
 * head-lines: the heads of a table that stand in two lines, such as "Blood pressure" above "SYS" and "DIA", or a unit
 * below a name (pure).
 */

type Line = readonly string[];

/** Units that stand alone in the lower line of heads, in lower case. */
const UNIT = /^[([]?(mmhg|kpa|\/min|bpm|kg|lbs?|st|g|cm|m|in|ft|°?\s?[cf]|%|mg\/dl|mmol\/l|ms|ml|h|min|kcal)[)\]]?$/i;

/**
 * How many lines the heads have, and in which of the records they begin. Two lines are heads if the lower one has words
 * only, and if one of them is blank where the other says something, as merged cells are.
 * @param at the record that was found to have heads
 */
export function headLines(
  records: readonly Line[],
  at: number,
  isHeadCell: (text: string) => boolean,
): { readonly at: number; readonly count: 1 | 2 } {
  const [above = [], own = [], below = []] = [records[at - 1], records[at], records[at + 1]];
  const isWords = (line: Line, least: number): boolean =>
    line.filter(Boolean).length >= least && line.every(isWordOrBlank);
  const isWordOrBlank = (text: string): boolean => text === '' || isHeadCell(text);
  if (isWords(below, 2) && records.length > at + 2) {
    return { at, count: 2 };
  }
  const complements = above[0] === '' || own[0] === '';
  return isWords(above, 1) && complements ? { at: at - 1, count: 2 } : { at, count: 1 };
}

/** The nearest text to the left of a cell that is blank, or its own. */
function spanning(upper: Line, column: number): string {
  return upper.slice(0, column + 1).findLast((text) => text !== '') ?? '';
}

/**
 * One head for each column. A group of columns is named before heads that stand there more than once, such as those of
 * two people or of morning and evening, and else in brackets behind; a unit stands in brackets behind its name.
 */
export function joinHeadLines([upper = [], lower]: readonly Line[]): Line {
  if (lower === undefined) {
    return upper;
  }
  const width = Math.max(upper.length, lower.length);
  return Array.from({ length: width }, (_, column) => {
    const [own, head] = [upper[column] ?? '', lower[column] ?? ''];
    const group = spanning(upper, column);
    if (head === '' || group === '') {
      return head || own;
    }
    if (UNIT.test(head)) {
      return `${own || group} (${head.replace(/[()[\]]/g, '')})`;
    }
    const isAlone = own !== '' && ((upper[column + 1] ?? '') !== '' || (lower[column + 1] ?? '') === '');
    const isRepeated = lower.filter((text) => text === head).length > 1;
    if (isAlone || isRepeated) {
      return `${group} ${head}`;
    }
    return /[([]/.test(head) ? head : `${head} (${group})`;
  });
}
