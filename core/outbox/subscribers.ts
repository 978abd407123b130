/** subscribers: writes the pings that a change of a record's facts causes, in the transaction of the change. */
import { toTimestamp, type Clock } from '../base/clock';
import type { Id } from '../base/types';
import { factTables } from '../datamodel/fact-tables';
import type { Models } from '../datamodel/model';
import type { Transaction } from '../storage/database';
import { findFactModels } from '../storage/stores/facts';
import { EVERY_MODEL, listWatches, type Watch } from '../storage/stores/subscriptions';
import type { Outbox } from './outbox';
import { addPing } from './pings';

type Tools = { readonly outbox: Outbox; readonly clock: Clock };

const ping = async (
  { outbox }: Tools,
  trx: Transaction,
  watches: readonly Watch[],
  changed: ReadonlySet<string>,
): Promise<void> => {
  const owed = watches.filter(({ target }) => changed.has(target) || (target === EVERY_MODEL && changed.size > 0));
  if (owed.length > 0) {
    await addPing(outbox, trx, ...owed.map(({ id }) => id));
  }
};

const watchesOf = ({ clock }: Tools, trx: Transaction, recordId: Id): Promise<readonly Watch[]> =>
  listWatches(trx, recordId, toTimestamp(clock.now()));

/** For facts that were added or removed. `changed` names their models, and those of nested facts, too. */
export const notifySubscribers = async (
  tools: Tools,
  trx: Transaction,
  recordId: Id,
  changed: ReadonlySet<string>,
): Promise<void> => {
  if (changed.size > 0) {
    await ping(tools, trx, await watchesOf(tools, trx, recordId), changed);
  }
};

/** For a document of the record that appears in reports or leaves them, with all its facts. */
export const notifyOfDocument = async (
  tools: Tools & { readonly models: () => Models },
  trx: Transaction,
  recordId: Id,
  documentId: Id,
): Promise<void> => {
  const watches = await watchesOf(tools, trx, recordId);
  if (watches.length > 0) {
    await ping(tools, trx, watches, await findFactModels(trx, factTables(tools.models()), documentId));
  }
};
