/** givable: the records and carenets that a person may give an app, and what each contains. */
import Joi from 'joi';
import { holdingsOf, type Holds } from './holdings';
import { toTimestamp } from '../base/clock';
import type { Services } from '../services';
import type { Asking, Givable } from '../apps/access-store';
import * as appAccessStore from '../apps/access-store';

/** `counted`: whether the answer says what each record or carenet contains. That is not needed to answer a question. */
export type GivingQuery = { readonly counted: boolean };
export const givingQuery = Joi.object<GivingQuery>({ counted: Joi.boolean().default(true) }).unknown(true);

/** `holds` is null where it was not asked for. */
export type GivableHolding = Givable & { readonly holds: Holds | null };

/** Both ways for apps to ask (OAuth 1.0a and SMART) use this. The account in `who` must be the caller's. */
export async function listGivable(
  services: Services,
  who: Omit<Asking, 'now'>,
  { counted }: GivingQuery,
): Promise<readonly GivableHolding[]> {
  const asking = { ...who, now: toTimestamp(services.clock.now()) };
  const givable = await appAccessStore.listGivable(services.database.reads, asking);
  if (!counted) {
    return givable.map((one) => ({ ...one, holds: null }));
  }
  const holdings = await holdingsOf(
    services,
    givable.map(({ recordId, carenet }) => ({ recordId, carenetId: carenet?.id ?? null })),
  );
  return givable.map((one, index) => ({ ...one, holds: holdings[index]! }));
}
