/**
 * site-path: the path of the website on this host. Behind a proxy that serves the service below a path, the website is
 * below that path, too.
 */
import { SITE } from '../config/schema';

/** @param baseUrl the public address, which may have a path */
export function publicPath(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

export function sitePath(baseUrl: string): string {
  return `${publicPath(baseUrl)}${SITE}`;
}
