/**
 * site-path: where the website stands on this host: behind a proxy that serves this below a path, its pages do, too.
 */
import { SITE } from '../config/schema';

/** @param baseUrl the public address, which may have a path */
export const publicPath = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

export const sitePath = (baseUrl: string): string => `${publicPath(baseUrl)}${SITE}`;
