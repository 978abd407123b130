/** in-parts: long lists, in parts of which one statement takes each (pure). */

/** SQLite takes 32,766 values in one statement; a statement may name the same ids three times. */
const IDS_IN_STATEMENT = 10_000;

/** The list in parts, in its order; none of an empty list. */
export const inParts = <T>(list: readonly T[], size = IDS_IN_STATEMENT): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size));
