/** token-bucket: an allowance that is spent, and that time fills again. */
const MINUTE = 60_000;

/** This many at once, and this many more in each minute. */
export type Allowance = { readonly atOnce: number; readonly eachMinute: number };

export class TokenBucket {
  private left: number;
  private at: number;

  /** @param now in milliseconds, as for all methods */
  constructor(
    private readonly allowance: Allowance,
    now: number,
  ) {
    this.left = allowance.atOnce;
    this.at = now;
  }

  private fill(now: number): void {
    const grown = (Math.max(0, now - this.at) / MINUTE) * this.allowance.eachMinute;
    this.left = Math.min(this.allowance.atOnce, this.left + grown);
    this.at = now;
  }

  has(now: number): boolean {
    this.fill(now);
    return this.left >= 1;
  }

  /** More than is left may be taken; then time must first make up for it. */
  take(cost = 1): void {
    this.left -= cost;
  }

  /** Gives back what was taken for something that did not happen. */
  giveBack(cost = 1): void {
    this.left = Math.min(this.allowance.atOnce, this.left + cost);
  }

  isFull(now: number): boolean {
    this.fill(now);
    return this.left >= this.allowance.atOnce;
  }

  /** How long it takes until something is left, in whole seconds. */
  secondsUntilSome(now: number): number {
    this.fill(now);
    return Math.max(1, Math.ceil(((1 - this.left) / this.allowance.eachMinute) * 60));
  }
}
