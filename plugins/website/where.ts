/** where: which requests are the website's, and which addresses a page may lead on to. */
import type { Request } from '@hapi/hapi';
import { pageIn } from '../../core/http/route-app';
import type { PageSpec } from './page';

/** The page of a request; undefined for all that is not the website's. */
export const pageOf = (request: Request): PageSpec | undefined => pageIn<PageSpec>(request.route.settings);

export const isWebsite = (request: Request): boolean => pageOf(request) !== undefined;

/** An address of the site, or the first page: nothing that a link brings along leads elsewhere. */
export const ownAddress = (site: string, asked: string): string => {
  const here = 'http://here.invalid';
  if (!asked.startsWith(`${site}/`) || /[\\\p{Cc}]/u.test(asked) || !URL.canParse(asked, here)) {
    return `${site}/`;
  }
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && pathname.startsWith(`${site}/`) ? `${pathname}${search}` : `${site}/`;
};
