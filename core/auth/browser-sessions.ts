/** browser-sessions: a session that a browser holds by a cookie. The cookie is a token of its own: it signs no call of the API. */
import { toTimestamp } from '../base/clock';
import { newToken, sha256 } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { Services } from '../services';
import { findBrowserSession, insertBrowserSession, setManner, type Manner } from '../storage/stores/browser-sessions';
import type { AccountPrincipal } from './principal';
import { keepSessionAlive, whySessionEnded } from './session-life';

/** Whom a cookie stands for, and how they are spoken to. */
export type SignedIn = Manner & { readonly principal: AccountPrincipal; readonly fullName: string };

const DEVICE_CHARACTERS = 200;

/**
 * Gives a session to a browser.
 * @param sessionToken of the session just made; nobody keeps it
 * @param device what the browser calls itself
 * @returns the cookie's value
 */
export const openBrowserSession = async (
  { database, clock, config }: Services,
  sessionToken: string,
  { device, ...manner }: Manner & { readonly device: string },
): Promise<string> => {
  const cookie = newToken();
  await database.write((trx) =>
    insertBrowserSession(trx, {
      ...manner,
      cookieHash: sha256(cookie),
      tokenHash: sha256(sessionToken),
      device: device.slice(0, DEVICE_CHARACTERS).toWellFormed(),
      expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
    }),
  );
  return cookie;
};

/** Undefined for a cookie that stands for nobody, or whose session has ended in any way. */
export const findSignedIn = async (
  services: Services,
  cookie: string,
  appId: PrincipalId,
): Promise<SignedIn | undefined> => {
  const { database, clock, config } = services;
  const session = await findBrowserSession(database.reads, sha256(cookie));
  if (session === undefined || session.uiAppId !== appId || whySessionEnded(session, clock, config) !== undefined) {
    return undefined;
  }
  await keepSessionAlive(session, session.tokenHash, services);
  const { accountId, uiAppId, tokenHash, fullName, language, zone } = session;
  return {
    principal: { kind: 'account', accountId, uiAppId, sessionHash: tokenHash },
    fullName,
    language,
    zone,
  };
};

/** From the next page on all browsers of the account are spoken to like this. */
export const speakTo = ({ database }: Services, accountId: PrincipalId, manner: Manner): Promise<void> =>
  database.transaction((trx) => setManner(trx, accountId, manner));
