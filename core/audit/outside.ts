/**
 * outside: where the ends of the audit log's chains are kept beside the database, so that who may write there cannot cut the log short
 * unseen. A head is told only when the rows that it speaks of are safe from a power cut.
 */
import { existsSync } from 'node:fs';
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { newId } from '../base/ids';
import type { Config } from '../config/schema';
import { IN_MEMORY, sqlitePath } from '../config/sqlite-url';
import type { SyslogPayload } from '../outbox/syslog-line';
import type { Database, Transaction } from '../storage/database';
import { lastCheckpoints, type CheckpointRow } from '../storage/stores/audit';
import { insertDeliveries } from '../storage/stores/outbox';
import { appendLines, compactLines, readLines } from './head-file';
import { begunText, lineOf, parseLine, placeOf } from './head-line';
import { compactHeads } from './heads';
import type { AuditKey } from './signer';

export type Outside = {
  /** Never fails: a head that cannot be kept is told to the operator, and made up for by the next one of its chain. */
  readonly keep: (checkpoint: CheckpointRow) => void;
  /** In the transaction that writes the checkpoint: has the rows behind `after` up to it leave. Absent where they stay here. */
  readonly handOver?: (trx: Transaction, checkpoint: CheckpointRow, after: number) => Promise<unknown>;
  /** Resolves when nothing is under way any more. */
  readonly settled: () => Promise<void>;
};

/** For databases that go with their process. */
export const nowhere: Outside = { keep: () => undefined, settled: () => Promise.resolve() };

export type OutsideParts = {
  readonly config: Pick<Config, 'auditHead' | 'auditSyslog' | 'databaseUrl'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly key: AuditKey;
  readonly sealing: Pick<Sealing, 'seal'>;
  /** Tells an operator. */ readonly warn: (problem: string) => void;
};

const isLasting = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean => sqlitePath(databaseUrl) !== IN_MEMORY;

/** True where heads are in a file of this machine: not at the syslog server, and not of a database that goes with its process. */
export const hasHeadFile = (config: Pick<Config, 'auditHead' | 'databaseUrl'>): boolean =>
  config.auditHead !== 'syslog:' && isLasting(config);

/** A file is made smaller when it has grown by this much since the last time. */
const GROWTH = 1_000_000;

/** Of a database that has a log already, the ends that it has now: from here on they cannot be cut off unseen. */
export const firstLines = async ({
  config,
  database,
  clock,
  key,
}: Pick<OutsideParts, 'database' | 'clock' | 'key'> & {
  readonly config: Pick<Config, 'databaseUrl'>;
}): Promise<readonly string[]> => {
  const place = placeOf(config.databaseUrl);
  const begun = { place, madeAt: toTimestamp(clock.now()) };
  return [
    lineOf({ kind: 'begun', ...begun, signature: key.sign(begunText(begun)) }),
    ...(await lastCheckpoints(database.reads)).map((checkpoint) => lineOf({ kind: 'head', place, ...checkpoint })),
  ];
};

const speaksOf = async (path: string, place: string): Promise<boolean> =>
  (await readLines(path))?.some((line) => parseLine(line)?.place === place) ?? false;

const inFile = (parts: OutsideParts): Outside => {
  const { config, database, key, warn } = parts;
  const path = config.auditHead;
  const place = placeOf(config.databaseUrl);
  let begun = false;
  let smallest: number | undefined;
  let told = false;
  let waiting: CheckpointRow[] = [];
  let running: Promise<void> | undefined;

  const write = async (checkpoints: readonly CheckpointRow[]): Promise<void> => {
    await database.durable();
    begun = existsSync(path) && (begun || (await speaksOf(path, place)));
    const first = begun ? [] : await firstLines(parts);
    const size = await appendLines(path, [
      ...first,
      ...checkpoints.map((checkpoint) => lineOf({ kind: 'head', place, ...checkpoint })),
    ]);
    begun = true;
    smallest ??= Math.min(size, GROWTH);
    if (size > 2 * smallest + GROWTH) {
      smallest = await compactLines(path, (lines) => compactHeads(lines, key));
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting;
      waiting = [];
      try {
        await write(some);
        told = false;
      } catch (error) {
        if (!told) {
          const { code, message } = error as NodeJS.ErrnoException;
          warn(`the end of the audit log could not be kept in ${path} (${code ?? message})`);
        }
        told = true;
      }
    }
    running = undefined;
  };

  return {
    keep: (checkpoint) => {
      waiting.push(checkpoint);
      running ??= run();
    },
    settled: async () => {
      while (running) {
        await running;
      }
    },
  };
};

/** Through the outbox: it tries until the server has taken everything. */
const bySyslog =
  ({ config, clock, sealing }: OutsideParts): NonNullable<Outside['handOver']> =>
  (trx, checkpoint, after) => {
    const { writerId: chain, writerSeq: to, madeAt } = checkpoint;
    const rows: readonly SyslogPayload[] = to > after ? [{ chain, after, to }] : [];
    const head = lineOf({ kind: 'head', place: placeOf(config.databaseUrl), ...checkpoint });
    const heads: readonly SyslogPayload[] = config.auditHead === 'syslog:' ? [{ head, at: madeAt }] : [];
    return insertDeliveries(
      trx,
      [...rows, ...heads].map((payload) => {
        const id = newId();
        const createdAt = toTimestamp(clock.now());
        return { id, kind: 'syslog', subject: id, payload: sealing.seal(JSON.stringify(payload)), createdAt };
      }),
    );
  };

export const makeOutside = (parts: OutsideParts): Outside => ({
  ...(hasHeadFile(parts.config) ? inFile(parts) : nowhere),
  ...(parts.config.auditSyslog !== '' && isLasting(parts.config) ? { handOver: bySyslog(parts) } : {}),
});
