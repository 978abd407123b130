/** page: the paging that a call sent -> the page that a store reads. */
import type { Services } from '../services';
import type { PageQuery } from '../storage/page';
import type { Page } from './inputs';

/** The paging of a call, its limit lowered to what the installation allows; an empty `order_by` asks for nothing. */
export const pageOf = (
  { config }: Pick<Services, 'config'>,
  { limit, offset, order_by: orderBy }: Pick<Page, 'limit' | 'offset' | 'order_by'>,
): PageQuery => ({
  limit: Math.min(limit, config.maxLimit),
  offset,
  ...(orderBy ? { orderBy } : {}),
});
