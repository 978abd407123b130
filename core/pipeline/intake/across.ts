/**
 * across: turns a table whose heads are dates, such as a list of laboratory results with a row for each test, into one
 * with a row for each result (pure).
 */

/** Heads of the two columns that such a table gets; pages have words for them. */
export const ACROSS = { date: 'Date', value: 'Value' } as const;

type Line = readonly string[];

/** The places of the cells that are dates. */
function datesIn(line: Line, isDate: (text: string) => boolean): readonly number[] {
  return line.flatMap((text, at) => (text !== '' && isDate(text) ? [at] : []));
}

/**
 * The record whose cells are dates behind at least one name, with values below them; undefined for other tables.
 * @param isWords whether a cell is neither a number nor a date
 */
export function findAcross(
  records: readonly Line[],
  isDate: (text: string) => boolean,
  isWords: (text: string) => boolean,
): number | undefined {
  const at = records.findIndex((record, index) => {
    const dates = datesIn(record, isDate);
    const [first = 0] = dates;
    const others = record.filter((text, place) => text !== '' && !dates.includes(place));
    // Dates with heads of their own are cells of a row.
    const over = records[index - 1] ?? [];
    const isBelowHeads = dates.every((place) => (over[place] ?? '') !== '' && isWords(over[place]!));
    const below = records
      .slice(index + 1, index + 20)
      .filter((row) => dates.some((place) => (row[place] ?? '') !== ''));
    return (
      dates.length > 1 &&
      first > 0 &&
      !isBelowHeads &&
      others.every(isWords) &&
      2 * below.filter((row) => isWords(row[0] ?? '')).length > below.length &&
      below.every((row) => dates.every((place) => !isDate(row[place] ?? '')))
    );
  });
  return at === -1 ? undefined : at;
}

/** The records below the heads, one for each value; one without values is kept, so that it can be told. */
export async function* recordsAcross(
  records: AsyncIterable<Line> | Iterable<Line>,
  above: number,
  isDate: (text: string) => boolean,
): AsyncGenerator<Line> {
  let place = 0;
  let [heads, dates, kept]: [Line, readonly number[], readonly number[]] = [[], [], []];
  for await (const record of records) {
    place += 1;
    if (place <= above) {
      continue;
    }
    if (place === above + 1) {
      [heads, dates] = [record, datesIn(record, isDate)];
      kept = heads.flatMap((_, at) => (dates.includes(at) ? [] : [at]));
      yield [...kept.map((at) => heads[at] ?? ''), ACROSS.date, ACROSS.value];
      continue;
    }
    const own = kept.map((at) => record[at] ?? '');
    const filled = dates.filter((at) => (record[at] ?? '') !== '');
    yield* filled.map((at) => [...own, heads[at]!, record[at]!]);
    const beyond = record.slice(heads.length).filter((text) => text !== '');
    if (filled.length === 0 || beyond.length > 0) {
      yield [...own, '', '', ...beyond];
    }
  }
}
