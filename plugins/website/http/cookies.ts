/** cookies: the two cookies of the website: the session, and the crumb that every form carries. */
import type { ServerStateCookieOptions } from '@hapi/hapi';
import type { Prove } from '../../../core/auth/page-key';
import type { Config } from '../../../core/config/schema';

function isSecure({ baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

/** Over https, a browser accepts the name with `__Host-` only from this host. */
export function sessionCookie(config: Pick<Config, 'baseUrl'>): string {
  return isSecure(config) ? '__Host-svc_session' : 'svc_session';
}

export const CRUMB = 'crumb';

export function cookieOptions(config: Pick<Config, 'baseUrl'>): ServerStateCookieOptions {
  return {
    path: '/',
    isSecure: isSecure(config),
    isHttpOnly: true,
    isSameSite: 'Lax',
    encoding: 'none',
    ignoreErrors: true,
    strictHeader: true,
  };
}

/**
 * The crumb of a session of an account. Every session has another, and so does the time before a sign-in. Together with
 * the cookie it proves to which account a session belonged that has ended, because only this installation can make it.
 */
export function crumbOf(prove: Prove, sessionCookieValue: string, accountId: string): string {
  return prove('crumb', `${sessionCookieValue} ${accountId}`);
}
