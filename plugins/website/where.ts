/** where: which requests are the website's, and which addresses a page may lead on to. */
import type { Request } from '@hapi/hapi';
import { SITE } from '../../core/config/schema';
import type { PageSpec } from './page';

/** The page of a request; undefined for all that is not the website's. */
export const pageOf = (request: Request): PageSpec | undefined =>
  (request.route.settings.app as { website?: PageSpec } | undefined)?.website;

export const isWebsite = (request: Request): boolean => pageOf(request) !== undefined;

/** An address of this site, or the first page: nothing that a link brings along leads elsewhere. */
export const ownAddress = (asked: string): string => {
  const here = 'http://here.invalid';
  if (!asked.startsWith(`${SITE}/`) || /[\\\p{Cc}]/u.test(asked) || !URL.canParse(asked, here)) {
    return `${SITE}/`;
  }
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && pathname.startsWith(`${SITE}/`) ? `${pathname}${search}` : `${SITE}/`;
};
