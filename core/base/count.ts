/** count: how a caller writes a number of things. */

/** Digits alone, perhaps after a plus, without spaces, points or exponents; a number that is too large counts as the largest there is. */
export const countOf = (text: string): number | undefined =>
  /^\+?\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
