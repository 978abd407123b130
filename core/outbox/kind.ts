/** kind: what the outbox is, and how each kind of message leaves. */
import type { Json } from '../base/types';
import type { Transaction } from '../db/connection';

/** How one kind of message is delivered. */
export type Kind = {
  /** Throws when the message did not arrive; `id` is the same at every attempt. */
  readonly deliver: (payload: Json, id: string) => Promise<void>;
  /** @param attempts how often the delivery has failed, from 1 */
  readonly retryAfterSeconds: (attempts: number) => number;
  /** A delivery is given up when its next attempt would come later than this after its cause. */
  readonly giveUpAfterSeconds: number;
  /** Deliveries of one subject leave one at a time and in order; without it, each leaves by itself. */
  readonly inOrder?: boolean;
  /** True: a delivery that has left is deleted; otherwise it stays for a day without its content. */
  readonly leavesNothing?: boolean;
  /** How many deliveries of this kind one process has in progress at once. */
  readonly atOnce?: number;
};
/** One thing to deliver. */
type Message = {
  /** Name of the kind that delivers it. */
  readonly kind: string;
  /** For kinds that leave in order. */
  readonly subject?: string;
  readonly payload: Json;
};
export type Outbox = {
  /** Call it with the transaction that makes the cause; nothing leaves when that is rolled back. */
  readonly add: (trx: Transaction, ...messages: readonly Message[]) => Promise<void>;
  /** Looks for due messages now instead of at the next round. */
  readonly wake: () => void;
  readonly start: () => void;
  /** Resolves when no delivery is in progress any more. */
  readonly stop: () => Promise<void>;
};
