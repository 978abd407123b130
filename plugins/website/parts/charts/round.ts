/** round: a place in a drawing to a tenth, which is finer than anybody sees. */

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
