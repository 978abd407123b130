/**
 * restored: the operator's statement that the database went back on purpose, because a backup replaced it. It is
 * signed, kept with the heads, and a row of the audit log. This tells a restored log apart from one that somebody has
 * cut.
 */
import { toTimestamp, type Clock } from '../base/clock';
import type { Id } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { findLastRow, lastCheckpoints, listEnds } from './store';
import { chainStart } from './row';
import { appendLines, readLines } from './head-file';
import { writeOutsideLine, databasePlace, restoredText } from './head-line';
import { readHeads, type Heads } from './heads';
import { firstLines, hasHeadFile } from './outside';
import type { AuditSigner } from './signer';
import { recordTrail } from './trail';

type RestoredParts = {
  readonly config: Pick<Config, 'auditHead' | 'databaseUrl'>;
  readonly database: Database;
  readonly signer: AuditSigner;
  readonly clock: Clock;
};

/** A chain that is shorter than its head outside the database says, and the row of that head. */
type WentBack = { readonly writerId: Id; readonly was: number };

async function findWentBack({ reads }: Database, { expected, foreign }: Heads): Promise<readonly WentBack[]> {
  const ends = new Map((await lastCheckpoints(reads)).map(({ writerId }) => [writerId, 0]));
  (await listEnds(reads)).forEach(({ writerId, writerSeq }) => ends.set(writerId, writerSeq));
  return [
    ...[...expected]
      .filter(([writerId, { writerSeq }]) => (ends.get(writerId) ?? -1) < writerSeq)
      .map(([writerId, { writerSeq }]) => ({ writerId, was: writerSeq })),
    ...[...foreign].map(([writerId, was]) => ({ writerId, was })),
  ];
}

const WHY_CHARACTERS = 250;

/**
 * Accepts the chains as they are: from here on they end where they end now.
 * @returns how many of them had become shorter; undefined if no file keeps heads
 */
export async function acceptRestored(
  { config, database, signer, clock }: RestoredParts,
  reason: string,
): Promise<number | undefined> {
  if (!hasHeadFile(config)) {
    return undefined;
  }
  const [file, place] = [config.auditHead, databasePlace(config.databaseUrl)];
  const heads = await readHeads((await readLines(file)) ?? [], signer, place);
  if (heads === undefined) {
    // This is a new machine, or a database under a new name. From here on its ends cannot be cut off unnoticed.
    await appendLines(file, await firstLines({ config, database, clock, key: signer }));
    return 0;
  }
  const chains = await findWentBack(database, heads);
  if (chains.length === 0) {
    return 0;
  }
  const madeAt = toTimestamp(clock.now());
  const why = reason.slice(0, WHY_CHARACTERS).toWellFormed();
  const lines: string[] = [];
  for (const { writerId, was } of chains) {
    const end = (await findLastRow(database.reads, writerId)) ?? { writerSeq: 0, hash: chainStart(writerId) };
    const unsigned = { place, madeAt, writerId, ...end, was, why };
    lines.push(writeOutsideLine({ kind: 'restored', ...unsigned, signature: signer.sign(restoredText(unsigned)) }));
  }
  await recordTrail({ database, signer, clock }, [{ function_name: 'audit_restored', external_id: why }]);
  await appendLines(file, lines);
  return lines.length;
}
