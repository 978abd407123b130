/**
 * outside: keeps the ends of the audit log's chains outside the database, so that nobody who may write there can cut
 * the log short unnoticed. A head is kept only when its rows are safe from a power cut.
 */
import { existsSync } from 'node:fs';
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { newId } from '../base/ids';
import type { Config } from '../config/schema';
import { IN_MEMORY, sqlitePath } from '../config/sqlite-url';
import type { SyslogPayload } from '../outbox/syslog-line';
import type { Database, Transaction } from '../db/database';
import { lastCheckpoints, type CheckpointRow } from './store';
import { insertDeliveries } from '../outbox/store';
import { appendLines, compactLines, readLines } from './head-file';
import { begunText, writeOutsideLine, parseLine, databasePlace } from './head-line';
import { compactHeads } from './heads';
import type { AuditKey } from './key';

export type Outside = {
  /**
   * Never fails: a head that cannot be kept is reported to the operator, and the next head of its chain makes up for
   * it.
   */
  readonly keep: (checkpoint: CheckpointRow) => void;
  /**
   * Called in the transaction that writes the checkpoint: queues the rows from `after` up to the checkpoint for another
   * server. Absent where rows stay here.
   */
  readonly handOver?: (trx: Transaction, checkpoint: CheckpointRow, after: number) => Promise<unknown>;
  /** Resolves when nothing is being written any more. */
  readonly settled: () => Promise<void>;
};

/** For databases that end with their process. */
export const nowhere: Outside = { keep: () => undefined, settled: () => Promise.resolve() };

type OutsideParts = {
  readonly config: Pick<Config, 'auditHead' | 'auditSyslog' | 'databaseUrl'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly key: AuditKey;
  readonly sealing: Pick<Sealing, 'seal'>;
  /** Warns the operator. */ readonly warn: (problem: string) => void;
};

function isLasting({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean {
  return sqlitePath(databaseUrl) !== IN_MEMORY;
}

/**
 * True if heads are kept in a file of this machine: not if a syslog server keeps them, and not if the database ends
 * with its process.
 */
export function hasHeadFile(config: Pick<Config, 'auditHead' | 'databaseUrl'>): boolean {
  return config.auditHead !== 'syslog:' && isLasting(config);
}

/** A file is shortened when it exceeds twice its smallest size by this many bytes. */
const GROWTH = 1_000_000;

/**
 * The first lines of a database in the file: the ends that its log has now. From here on they cannot be cut off
 * unnoticed.
 */
export async function firstLines({
  config,
  database,
  clock,
  key,
}: Pick<OutsideParts, 'database' | 'clock' | 'key'> & {
  readonly config: Pick<Config, 'databaseUrl'>;
}): Promise<readonly string[]> {
  const place = databasePlace(config.databaseUrl);
  const begun = { place, madeAt: toTimestamp(clock.now()) };
  return [
    writeOutsideLine({ kind: 'begun', ...begun, signature: key.sign(begunText(begun)) }),
    ...(await lastCheckpoints(database.reads)).map((checkpoint) =>
      writeOutsideLine({ kind: 'head', place, ...checkpoint }),
    ),
  ];
}

async function speaksOf(path: string, place: string): Promise<boolean> {
  return (await readLines(path))?.some((line) => parseLine(line)?.place === place) ?? false;
}

function outsideInFile(parts: OutsideParts): Outside {
  const { config, database, key, warn } = parts;
  const path = config.auditHead;
  const place = databasePlace(config.databaseUrl);
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
      ...checkpoints.map((checkpoint) => writeOutsideLine({ kind: 'head', place, ...checkpoint })),
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
}

/** Uses the outbox, which retries until the server has received everything. */
function bySyslog({ config, clock, sealing }: OutsideParts): NonNullable<Outside['handOver']> {
  return (trx, checkpoint, after) => {
    const { writerId: chain, writerSeq: to, madeAt } = checkpoint;
    const rows: readonly SyslogPayload[] = to > after ? [{ chain, after, to }] : [];
    const head = writeOutsideLine({ kind: 'head', place: databasePlace(config.databaseUrl), ...checkpoint });
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
}

export function makeOutside(parts: OutsideParts): Outside {
  return {
    ...(hasHeadFile(parts.config) ? outsideInFile(parts) : nowhere),
    ...(parts.config.auditSyslog !== '' && isLasting(parts.config) ? { handOver: bySyslog(parts) } : {}),
  };
}
