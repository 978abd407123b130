/** where: tells which requests are for the website, and to which addresses a page may lead on. */
import type { Request } from '@hapi/hapi';
import { pageIn } from '../../../core/http/route-app';
import type { PageSpec } from './page';

/** The page of a request; undefined for requests that are not for the website. */
export const pageOf = (request: Request): PageSpec | undefined => pageIn<PageSpec>(request.route.settings);

export const isWebsite = (request: Request): boolean => pageOf(request) !== undefined;

/** The given address if it is one of the site, else the first page, so that no link can lead to another site. */
export const ownAddress = (site: string, asked: string): string => {
  const here = 'http://here.invalid';
  if (!asked.startsWith(`${site}/`) || /[\\\p{Cc}]/u.test(asked) || !URL.canParse(asked, here)) {
    return `${site}/`;
  }
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && pathname.startsWith(`${site}/`) ? `${pathname}${search}` : `${site}/`;
};
