/**
 * kept-lines: the lines of whole records, kept in memory until something changes in the record. Nearly every page needs
 * them, and in a large record nothing costs a page more. Facts change only with the fingerprint of their document:
 * whoever changes them in another way must change it, too.
 */
import { LRUCache } from 'lru-cache';
import type { Id } from '../base/types';
import type { Model, Models } from '../facts/model/model';
import type { Line } from './lines';
import { changesAhead } from './standing';

type Kept = {
  readonly models: Models;
  /** What the database said when the facts were read. */ readonly state: string;
  /** Milliseconds, when they were made. */ readonly from: number;
  /** Milliseconds: from then on a standing may be another, because something ends or begins. */ readonly until: number;
  readonly lines: readonly Line[];
};

/** Statements in memory altogether, of some 3 kB each. */
const MOST_STATEMENTS = 10_000;
const LONGEST_MS = 600_000;

const ofServices = new WeakMap<object, LRUCache<string, Kept>>();

function cacheOf(service: object): LRUCache<string, Kept> {
  const known = ofServices.get(service);
  if (known !== undefined) {
    return known;
  }
  const made = new LRUCache<string, Kept>({
    maxSize: MOST_STATEMENTS,
    sizeCalculation: ({ lines }) => 1 + lines.reduce((sum, { says }) => sum + says.length, 0),
    ttl: LONGEST_MS,
    ttlAutopurge: true,
  });
  ofServices.set(service, made);
  return made;
}

type Reading = {
  /** What a running service has once; lines are kept as long as this object. */ readonly of: object;
  readonly models: Models;
  /** Milliseconds. */ readonly now: number;
};

/** A record, and what the database says of it (`SentInScope`); nothing is said of a carenet. */
type RecordState = { readonly scope: { readonly recordId: Id }; readonly state?: string | undefined };

type KeptLines = {
  /** By model; one whose lines are not kept, or not any more, has none. */
  readonly found: ReadonlyMap<string, readonly Line[]>;
  /** Keeps lines that were made of facts that were read after this was asked. */
  readonly keep: (model: Model, lines: readonly Line[]) => void;
};

export const NOTHING_KEPT: KeptLines = { found: new Map(), keep: () => undefined };

/** When a standing changes next. */
function endOf(model: Model, lines: readonly Line[], now: number): number {
  const ahead = lines.flatMap(({ says }) => says.flatMap(({ told }) => changesAhead(model, told.values, now)));
  return ahead.reduce((least, moment) => Math.min(least, moment), Number.POSITIVE_INFINITY);
}

/** The kept lines of these models in a scope. Of a carenet nothing is kept, because what it sees has more reasons. */
export function findKeptLines(
  { of, models, now }: Reading,
  { scope: { recordId }, state }: RecordState,
  wanted: readonly Model[],
): KeptLines {
  if (state === undefined) {
    return NOTHING_KEPT;
  }
  const kept = cacheOf(of);
  const found = wanted.flatMap(({ name }): readonly (readonly [string, readonly Line[]])[] => {
    const one = kept.get(keptKey(recordId, name));
    const counts = one?.models === models && one.state === state && one.from <= now && now < one.until;
    return counts ? [[name, one.lines]] : [];
  });
  return {
    found: new Map(found),
    keep: (model, lines) => {
      const until = endOf(model, lines, now);
      kept.set(keptKey(recordId, model.name), { models, state, from: now, until, lines });
    },
  };
}

function keptKey(recordId: Id, model: string): string {
  return `${recordId} ${model}`;
}
