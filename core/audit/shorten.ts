/**
 * shorten: removes path and names from old rows of refused calls that nobody has signed, page by page, and signs what
 * is left.
 */
import { toTimestamp, type Clock } from '../base/clock';
import { groupedBy } from '../base/grouped-by';
import type { Database, Transaction } from '../db/database';
import {
  hashesOf,
  insertShortened,
  keepInstallationText,
  moveInstallationText,
  readAudit,
  shortenRows,
  type ChainRow,
} from './store';
import { chainStart, rowHash, type AuditColumn } from './row';
import { digestOf, lineOfRow, shortenedValues, statementText } from './shortened';
import type { AuditSigner } from './signer';

type ShortenParts = {
  readonly database: Database;
  readonly signer: Pick<AuditSigner, 'sign'>;
  readonly clock: Clock;
};

const CURSOR = 'audit_shortened_to';
const PAGE = 1000;
const DAY = 86_400_000;

function isStrangers(row: ChainRow): boolean {
  return (
    row['principal_id'] === null &&
    row['consumer_key'] === null &&
    Number(row['successful']) === 0 &&
    row['imported_by'] === null &&
    row['shortened'] === null &&
    row['url'] !== ''
  );
}

function byWriter(rows: readonly ChainRow[]): ReadonlyMap<string, readonly ChainRow[]> {
  return groupedBy(rows, (row) => String(row['writer_id']));
}

function rowNumber(row: ChainRow): number {
  return Number(row['writer_seq']);
}

/** Rows that were changed since they were written stay as they are, so that `verifyAudit` finds them. */
async function shortenChain(
  { signer, clock }: ShortenParts,
  trx: Transaction,
  writerId: string,
  rows: readonly ChainRow[],
): Promise<number> {
  const before = await hashesOf(
    trx,
    writerId,
    rows.map((row) => rowNumber(row) - 1),
  );
  const previousOf = (row: ChainRow): string =>
    (rowNumber(row) === 1 ? chainStart(writerId) : before.get(rowNumber(row) - 1)) ?? '';
  const sound = rows
    .filter((row) => rowHash(previousOf(row), row as Record<AuditColumn, unknown>) === row['hash'])
    .sort((one, other) => rowNumber(one) - rowNumber(other));
  if (sound.length === 0) {
    return 0;
  }
  const unsigned = {
    madeAt: toTimestamp(clock.now()),
    writerId,
    numbers: sound.map(rowNumber),
    digest: digestOf(sound.map((row) => lineOfRow(previousOf(row), { ...row, ...shortenedValues }))),
  };
  await insertShortened(trx, { ...unsigned, signature: signer.sign(statementText(unsigned)) });
  await shortenRows(trx, writerId, unsigned.numbers, shortenedValues);
  return sound.length;
}

/** Shortens one page; undefined when no row is left that is old enough. */
function shortenPage(parts: ShortenParts, days: number): Promise<number | undefined> {
  return parts.database.transaction(async (trx) => {
    const now = toTimestamp(parts.clock.now());
    const end = toTimestamp(parts.clock.now() - days * DAY);
    const cursor = await keepInstallationText(trx, CURSOR, '0', now);
    const page = await readAudit(trx, Number(cursor), PAGE);
    const young = page.findIndex((row) => String(row['requested_at']) >= end);
    const old = young < 0 ? page : page.slice(0, young);
    const last = old[old.length - 1];
    // Another process at the same page waits here, and then finds that the page is done.
    if (!last || !(await moveInstallationText(trx, CURSOR, cursor, String(last['seq']), now))) {
      return undefined;
    }
    let shortened = 0;
    for (const [writerId, rows] of byWriter(old.filter(isStrangers))) {
      shortened += await shortenChain(parts, trx, writerId, rows);
    }
    return shortened;
  });
}

/**
 * Continues where it ended the last time.
 * @param days how old a row must be; 0: none is shortened
 * @param pages how many thousand rows are read at most
 * @returns how many rows it shortened
 */
export async function shortenAnonymousCalls(parts: ShortenParts, days: number, pages = Infinity): Promise<number> {
  let shortened = 0;
  for (let page = 0; days > 0 && page < pages; page += 1) {
    const some = await shortenPage(parts, days);
    if (some === undefined) {
      return shortened;
    }
    shortened += some;
  }
  return shortened;
}
