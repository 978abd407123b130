/**
 * shortened: old rows of refused calls that nobody has signed lose their path and the names in it. Their hashes can
 * then no longer be computed, so a signed statement confirms what is left of them and their places in the chain.
 */
import { sha256 } from '../base/ids';
import type { ChainRow, ShortenedRow } from './store';
import { hashedColumns, markColumns } from './row';

/** The values that a shortened row has instead of its own. */
export const shortenedValues = {
  url: '',
  content_type: '',
  app_id: null,
  account_id: null,
  external_id: null,
  message_id: null,
  recipient: null,
  shortened: 1,
} as const;

export function statementText({ writerId, numbers, digest, madeAt }: Omit<ShortenedRow, 'signature'>): string {
  return JSON.stringify(['audit shortened', 1, writerId, numbers, digest, madeAt]);
}

/** One row's line in the text that the digest is made of. */
export function lineOfRow(previous: string, row: ChainRow): string {
  return JSON.stringify([
    previous,
    row['hash'],
    ...[...hashedColumns, ...markColumns].map((name) => {
      const value = row[name];
      return value === null || value === undefined ? null : String(value);
    }),
  ]);
}

export function digestOf(lines: readonly string[]): string {
  return sha256(lines.join('\n'));
}

/** Compares what is left of the shortened rows of one chain with the statements about them, row by row. */
export class ShortenedCheck {
  private readonly lines = new Map<ShortenedRow, string[]>();
  private readonly byNumber = new Map<number, ShortenedRow>();

  constructor(statements: readonly ShortenedRow[], isOurs: (statement: ShortenedRow) => boolean) {
    statements.filter(isOurs).forEach((statement) => {
      this.lines.set(statement, []);
      statement.numbers.forEach((number) => this.byNumber.set(number, statement));
    });
  }

  /** @returns false when no statement covers the row */
  take(writerSeq: number, previous: string, row: ChainRow): boolean {
    const statement = this.byNumber.get(writerSeq);
    this.lines.get(statement!)?.push(lineOfRow(previous, row));
    return statement !== undefined;
  }

  /** The first and last row number of each statement that does not fit what is left of its rows. */
  end(): readonly (readonly [number, number])[] {
    return [...this.lines]
      .filter(([{ digest }, lines]) => digestOf(lines) !== digest)
      .map(([{ numbers }]) => [numbers[0] ?? 0, numbers[numbers.length - 1] ?? 0] as const);
  }
}
