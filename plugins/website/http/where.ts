/** where: tells which requests are for the website, and to which addresses a page may lead on. */
import type { Request } from '@hapi/hapi';
import { pageIn } from '../../../core/http/route-app';
import type { PageSpec } from './page';

/** The page of a request; undefined for requests that are not for the website. */
export function pageOf(request: Request): PageSpec | undefined {
  return pageIn<PageSpec>(request.route.settings);
}

export function isWebsite(request: Request): boolean {
  return pageOf(request) !== undefined;
}

/** The given address if it is one of the site, else the first page, so that no link can lead to another site. */
export function ownAddress(site: string, asked: string): string {
  const here = 'http://here.invalid';
  if (!asked.startsWith(`${site}/`) || /[\\\p{Cc}]/u.test(asked) || !URL.canParse(asked, here)) {
    return `${site}/`;
  }
  const { origin, pathname, search } = new URL(asked, here);
  return origin === here && pathname.startsWith(`${site}/`) ? `${pathname}${search}` : `${site}/`;
}
