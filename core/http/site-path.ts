/**
 * site-path: the path of the website on this host. Behind a proxy that serves the service below a path, the website is
 * below that path, too.
 */
import { SITE } from '../config/schema';

/** @param baseUrl the public address, which may have a path */
export const publicPath = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

export const sitePath = (baseUrl: string): string => `${publicPath(baseUrl)}${SITE}`;
