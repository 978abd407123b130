/** subscribers: writes the pings that a change of a record's facts causes, in the transaction of the change. */
import { toTimestamp, type Clock } from '../base/clock';
import type { Id } from '../base/types';
import { factTables } from '../facts/model/fact-tables';
import type { Models } from '../facts/model/model';
import type { Transaction } from '../db/database';
import { findFactModels } from '../facts/store';
import { EVERY_MODEL, listWatches, type Watch } from './subscriptions-store';
import type { Outbox } from './kind';
import { addPings } from './pings';

type Tools = { readonly outbox: Outbox; readonly clock: Clock };

/** The document whose facts have changed. */
type Changed = { readonly recordId: Id; readonly lineageId: Id };

async function ping(
  { outbox }: Tools,
  trx: Transaction,
  { lineageId }: Changed,
  watches: readonly Watch[],
  models: ReadonlySet<string>,
): Promise<void> {
  const owed = watches.filter(({ target }) => models.has(target) || (target === EVERY_MODEL && models.size > 0));
  if (owed.length > 0) {
    await addPings(
      outbox,
      trx,
      lineageId,
      owed.map(({ id }) => id),
    );
  }
}

function watchesOf({ clock }: Tools, trx: Transaction, { recordId, lineageId }: Changed): Promise<readonly Watch[]> {
  return listWatches(trx, recordId, lineageId, toTimestamp(clock.now()));
}

/** For facts that were added or removed. `models` names their models, and those of nested facts, too. */
export async function notifySubscribers(
  tools: Tools,
  trx: Transaction,
  changed: Changed,
  models: ReadonlySet<string>,
): Promise<void> {
  if (models.size > 0) {
    await ping(tools, trx, changed, await watchesOf(tools, trx, changed), models);
  }
}

/** For a document of the record that appears in reports or leaves them, with all its facts. */
export async function notifyOfDocument(
  tools: Tools & { readonly models: () => Models },
  trx: Transaction,
  changed: Changed,
  documentId: Id,
): Promise<void> {
  const watches = await watchesOf(tools, trx, changed);
  if (watches.length > 0) {
    await ping(tools, trx, changed, watches, await findFactModels(trx, factTables(tools.models()), documentId));
  }
}
