/** page: turns the paging parameters of a call into the page that a store reads. */
import type { Services } from '../services';
import type { PageQuery } from '../db/page';
import type { Page } from './inputs';

/** The paging of a call, with its limit lowered to what the installation allows. An empty `order_by` is ignored. */
export function pageOf(
  { config }: Pick<Services, 'config'>,
  { limit, offset, order_by: orderBy }: Pick<Page, 'limit' | 'offset' | 'order_by'>,
): PageQuery {
  return {
    limit: Math.min(limit, config.maxLimit),
    offset,
    ...(orderBy ? { orderBy } : {}),
  };
}
