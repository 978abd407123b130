/** nearest: suggests known names for a name that is not known. */

/** The edit distance of two texts: how many letters must be inserted, removed, changed or swapped with the next one. */
function distance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          row[j - 1]! + (same ? 0 : 1),
          row[j]! + 1,
          next[j - 1]! + 1,
          exchanged ? before[j - 2]! + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1)!;
}

function plainSetting(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The nearest known names, at most three. A name is near if at most a quarter of the letters differ, or if one name is
 * the beginning of the other, as `status` is of `status_title`. Capitals, hyphens and underscores are ignored.
 */
export function nearest(name: string, known: readonly string[]): readonly string[] {
  const asked = plainSetting(name);
  const same = known.filter((one) => plainSetting(one) === asked);
  if (same.length > 0) {
    return same;
  }
  return known
    .map((one) => {
      const other = plainSetting(one);
      const begins = asked.length > 2 && (other.startsWith(asked) || asked.startsWith(other));
      return { one, far: begins ? 1 : distance(asked, other) };
    })
    .filter(({ far }) => far <= Math.ceil(asked.length / 4))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ one }) => one);
}
