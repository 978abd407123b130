/**
 * anonymous-calls: refused calls without credentials leave a bounded trail. The first one of a path, record, address and
 * minute is written at once; the others are counted, and a row at the end of the minute has their number. Neither many
 * paths nor many addresses fill the disk or the memory.
 */
import type { Clock } from '../base/clock';
import { newId } from '../base/ids';
import { TokenBucket, type Allowance } from '../base/turns/token-bucket';
import { aboutNothing, type AuditFacts } from './row';

export type AnonymousCalls = {
  /** Resolves when the row is durable; for a call that is only counted, when the row of the first such call is. */
  readonly record: (facts: AuditFacts) => Promise<void>;
  /** Writes what has been counted so far. */
  readonly drain: () => Promise<void>;
};

const MINUTE = 60_000;

/** How many rows are written for different paths. */
const OF_AN_ADDRESS: Allowance = { atOnce: 300, eachMinute: 60 };
const OF_ALL: Allowance = { atOnce: 3000, eachMinute: 600 };
/** How many addresses are counted apart; all further ones are counted together. */
const ADDRESSES = 1000;

/** How a call is kept: as a row of its own, or as part of a count, with its address or without. */
type Kept = 'row' | 'address' | 'number';

class Allowances {
  private readonly all: TokenBucket;
  private readonly buckets = new Map<string, TokenBucket>();
  constructor(now: number) {
    this.all = new TokenBucket(OF_ALL, now);
  }

  private bucketOf(address: string, now: number): TokenBucket | undefined {
    const known = this.buckets.get(address);
    if (known || this.buckets.size >= ADDRESSES) {
      return known;
    }
    const bucket = new TokenBucket(OF_AN_ADDRESS, now);
    this.buckets.set(address, bucket);
    return bucket;
  }

  take(address: string, now: number): Kept {
    const bucket = this.bucketOf(address, now);
    if (!bucket?.has(now) || !this.all.has(now)) {
      return bucket ? 'address' : 'number';
    }
    bucket.take();
    this.all.take();
    return 'row';
  }

  /** Takes back a row that could not be written: an outage must not use up what its end needs. */
  giveBack(address: string): void {
    this.buckets.get(address)?.giveBack();
    this.all.giveBack();
  }

  /** Forgets addresses that have not called for a long time. */
  forget(now: number): void {
    [...this.buckets].filter(([, bucket]) => bucket.isFull(now)).forEach(([address]) => this.buckets.delete(address));
  }
}

/** `facts` are those of the first call; `times` is the number of calls that have no row yet. */
type Counted = {
  readonly facts: AuditFacts;
  times: number;
  last: AuditFacts['requested_at'];
  /** Settles with the row of the first call: while it is not durable, no other such call is answered either. */
  readonly written?: Promise<void>;
};

/** The row of many counted calls, without a path and a record. */
function withoutPath(facts: AuditFacts, ip: string): AuditFacts {
  return {
    ...facts,
    function_name: 'refused_calls',
    ...aboutNothing,
    url: '',
    recipient: null,
    ip_address: ip,
  };
}

function countCall(map: Map<string, Counted>, key: string, facts: AuditFacts): Counted['written'] {
  const counted: Counted = map.get(key) ?? { facts, times: 0, last: facts.requested_at };
  counted.times += 1;
  counted.last = facts.requested_at;
  map.set(key, counted);
  return counted.written;
}

/** @param write makes a row durable */
export function makeAnonymousCalls({
  write,
  clock,
}: {
  readonly write: (facts: AuditFacts) => Promise<void>;
  readonly clock: Clock;
}): AnonymousCalls {
  const allowances = new Allowances(clock.now());
  let counted = new Map<string, Counted>();
  let minute = 0;
  let timer: NodeJS.Timeout | undefined;

  const close = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...counted.values()].filter(({ times }) => times > 0);
    counted = new Map();
    allowances.forget(clock.now());
    await Promise.all(
      rows.map(({ facts, times, last }) => write({ ...facts, id: newId(), requested_at: last, repeats: times })),
    );
  };

  /** A count that cannot be written is lost: no caller waits for it, and the first call already has its row. */
  const closeQuietly = (): void => {
    close().catch(() => undefined);
  };

  const writeFirst = async (key: string, facts: AuditFacts): Promise<void> => {
    const first = { facts, times: 0, last: facts.requested_at, written: write(facts) };
    counted.set(key, first);
    try {
      await first.written;
    } catch (error) {
      // The next call is treated as the first one.
      if (counted.get(key) === first) {
        counted.delete(key);
      }
      allowances.giveBack(String(facts.ip_address));
      throw error;
    }
  };

  return {
    record: async (facts) => {
      const now = clock.now();
      if (Math.floor(now / MINUTE) !== minute) {
        closeQuietly();
        minute = Math.floor(now / MINUTE);
      }
      timer ??= setTimeout(closeQuietly, MINUTE - (now % MINUTE)).unref();
      const address = String(facts.ip_address);
      // Paths leave out secrets, so that one path may lead to several records.
      const key = `${address} ${String(facts.method)} ${String(facts.url)} ${String(facts.record_id)}`;
      const kept = counted.has(key) ? 'repeated' : allowances.take(address, now);
      if (kept === 'repeated') {
        await countCall(counted, key, facts);
      } else if (kept === 'row') {
        await writeFirst(key, facts);
      } else {
        const shown = kept === 'address' ? address : '';
        void countCall(counted, shown, withoutPath(facts, shown));
      }
    },
    drain: close,
  };
}
