/**
 * writer: makes audit rows durable in groups. All requests that wait while one group is written go out with the next one,
 * so that many requests share one commit and none is answered before its row is safe (decisions 20).
 */
import { newId } from '../base/ids';
import type { Database } from '../storage/database';
import { insertRows } from '../storage/insert-rows';
import { chainStart, hashedColumns, rowHash, type AuditFacts, type AuditRow } from './row';

export type AuditWriter = {
  /** Resolves when the row is durable. */
  readonly write: (facts: AuditFacts) => Promise<void>;
  /** Resolves when everything handed over so far is durable. */
  readonly drain: () => Promise<void>;
};

type Waiting = { readonly facts: AuditFacts; readonly done: () => void; readonly failed: (error: unknown) => void };

const GROUP = 200;
const columns = [...hashedColumns, 'hash'] as const;

type Chain = { readonly writerId: string; readonly seq: number; readonly hash: string };

const newChain = (): Chain => {
  const writerId = newId();
  return { writerId, seq: 0, hash: chainStart(writerId) };
};

const link = (chain: Chain, facts: AuditFacts): { row: AuditRow; chain: Chain } => {
  const seq = chain.seq + 1;
  const linked = { ...facts, writer_id: chain.writerId, writer_seq: seq };
  const hash = rowHash(chain.hash, linked);
  return { row: { ...linked, hash }, chain: { writerId: chain.writerId, seq, hash } };
};

/** One writer per process: it owns one hash chain. */
export const makeAuditWriter = (database: Database): AuditWriter => {
  let chain = newChain();
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    let next = chain;
    const rows = group.map(({ facts }) => {
      const linked = link(next, facts);
      next = linked.chain;
      return linked.row;
    });
    try {
      await insertRows(database.knex, 'audit', columns, rows);
      chain = next;
      group.forEach(({ done }) => done());
    } catch (error) {
      // Whether the rows arrived is unknown, so this chain ends here and no number is used twice.
      chain = newChain();
      group.forEach(({ failed }) => failed(error));
    }
  };

  const run = async (): Promise<void> => {
    // Lets every request of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP);
      waiting = waiting.slice(GROUP);
      await writeGroup(group);
    }
    running = undefined;
  };

  return {
    write: (facts) =>
      new Promise((resolve, reject) => {
        waiting.push({ facts, done: resolve, failed: reject });
        running ??= run();
      }),
    drain: async () => {
      while (running) {
        await running;
      }
    },
  };
};
