/** count: how a caller writes a number of things. */

/**
 * Digits alone, perhaps after a plus, without spaces, points or exponents; a number that is too large becomes the
 * largest possible one.
 */
export function countOf(text: string): number | undefined {
  return /^\+?\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}
