/** in-parts: divides long lists, so that each part fits into one statement (pure). */

/** SQLite accepts 32,766 values in one statement. */
export const VALUES_IN_STATEMENT = 30_000;
/** SQLite accepts at most 500 selects in one statement. */
export const SELECTS_IN_STATEMENT = 400;
/** A statement may bind the same ids three times. */
const IDS_IN_STATEMENT = 10_000;

/** The parts of the list in its order; an empty list has none. */
export function inParts<T>(list: readonly T[], size = IDS_IN_STATEMENT): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
