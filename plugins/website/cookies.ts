/** cookies: the two cookies of the website: the session, and the crumb that every form carries. */
import { createHmac } from 'node:crypto';
import type { ServerStateCookieOptions } from '@hapi/hapi';
import type { Config } from '../../core/config/schema';

const isSecure = ({ baseUrl }: Pick<Config, 'baseUrl'>): boolean => baseUrl.startsWith('https:');

/** Over https a browser takes the name with `__Host-` from this very host only. */
export const sessionCookie = (config: Pick<Config, 'baseUrl'>): string =>
  isSecure(config) ? '__Host-svc_session' : 'svc_session';

export const CRUMB = 'crumb';

export const cookieOptions = (config: Pick<Config, 'baseUrl'>): ServerStateCookieOptions => ({
  path: '/',
  isSecure: isSecure(config),
  isHttpOnly: true,
  isSameSite: 'Lax',
  encoding: 'none',
  ignoreErrors: true,
  strictHeader: true,
});

/**
 * The crumb that belongs to a session of an account: one of another session, or from before the sign-in, is another.
 * With its cookie it proves whose a session was that has ended.
 */
export const crumbOf = (sessionCookieValue: string, accountId: string): string =>
  createHmac('sha256', sessionCookieValue).update(`crumb ${accountId}`).digest('base64url');
