/**
 * browser-sessions: keeps the sessions of browsers, each named by a cookie. The cookie is a separate token that cannot
 * sign calls of the API.
 */
import { toTimestamp, type Clock } from '../base/clock';
import { newToken, sha256 } from '../base/ids';
import type { PrincipalId, Timestamp } from '../base/types';
import { otherRecordsIn, type OtherRecord } from '../records/store';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { updateAccount } from '../accounts/store';
import {
  endWaiting,
  findBrowserSession,
  findWaitingSession,
  insertBrowserSession,
  keepSession,
  notChosen,
  setManner,
  type BrowserSession,
  type Manner,
} from '../tokens/browser-sessions-store';
import type { AccountPrincipal } from './principal';
import { keepSessionAlive, whySessionEnded } from './session-life';

/** The person of a cookie, and how they want their pages. */
export type SignedIn = Manner & {
  readonly principal: AccountPrincipal;
  readonly fullName: string;
  /** The time zone of the browser; empty if it did not say. */ readonly browserZone: string;
  /** The number of unread messages. */ readonly unread: number;
  /** The first records that the person may see, that of the page before all others. */
  readonly records: readonly OtherRecord[];
};

/** What the functions here need to keep browsers' sessions. */
type Site = { readonly database: Database; readonly clock: Clock; readonly config: Config };

const DEVICE_CHARACTERS = 200;
const ZONE_CHARACTERS = 60;
/** The time to find a telephone and read the code from it. */
const WAITING = 10 * 60_000;
/** How long a session lasts that a person keeps on their own device, in seconds from the sign-in. */
export const KEPT_SECONDS = 30 * 86_400;

function keptUntil(clock: Clock): Timestamp {
  return toTimestamp(clock.now() + KEPT_SECONDS * 1000);
}

type Opened = Partial<Manner> & {
  /** What the browser calls itself. */ readonly device: string;
  readonly browserZone?: string;
  /** True when a code is still missing; `finishSignIn` makes the cookie once it has been entered. */
  readonly waits?: boolean;
  /** True for a session that the person keeps on this device. */ readonly kept?: boolean;
};

/**
 * Gives a session to a browser.
 * @param sessionToken token of the new session; it is not stored
 * @returns the cookie's value, or the token of a sign-in that waits for a code
 */
export async function openBrowserSession(
  { database, clock, config }: Site,
  sessionToken: string,
  { device, waits = false, kept = false, browserZone = '', ...manner }: Opened,
): Promise<string> {
  const token = newToken();
  await database.transaction(async (trx) => {
    await insertBrowserSession(trx, {
      ...notChosen,
      ...manner,
      browserZone: browserZone.slice(0, ZONE_CHARACTERS),
      cookieHash: sha256(token),
      tokenHash: sha256(sessionToken),
      device: device.slice(0, DEVICE_CHARACTERS).toWellFormed(),
      expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
      waitsUntil: waits ? toTimestamp(clock.now() + WAITING) : null,
    });
    if (kept) {
      await keepSession(trx, sha256(token), keptUntil(clock));
    }
  });
  return token;
}

function signedIn(
  { clock, config }: Site,
  session: BrowserSession | undefined,
  appId: PrincipalId,
): SignedIn | undefined {
  if (session === undefined || session.uiAppId !== appId || whySessionEnded(session, clock, config) !== undefined) {
    return undefined;
  }
  const { accountId, uiAppId, tokenHash, fullName, language, zone, theme, size, units, unread } = session;
  return {
    principal: { kind: 'account', accountId, uiAppId, sessionHash: tokenHash },
    fullName,
    language,
    zone,
    // Sessions of before these columns have null there.
    theme: theme ?? '',
    size: size ?? '',
    units: units ?? '',
    browserZone: session.browserZone ?? '',
    unread: Number(unread),
    records: otherRecordsIn(session.others),
  };
}

/**
 * The person of a cookie; undefined when the cookie is unknown or its session has ended.
 * @param here the id of the record or carenet of the page, or an empty text
 */
export async function findSignedIn(
  site: Site,
  cookie: string,
  appId: PrincipalId,
  here = '',
): Promise<SignedIn | undefined> {
  const session = await findBrowserSession(site.database.reads, sha256(cookie), here, toTimestamp(site.clock.now()));
  const person = signedIn(site, session, appId);
  if (person) {
    await keepSessionAlive(session!, session!.tokenHash, site);
  }
  return person;
}

/** The account of a sign-in that had the right password and still needs a code. */
export async function findHalfSignedIn(site: Site, token: string, appId: PrincipalId): Promise<SignedIn | undefined> {
  const { database, clock } = site;
  return signedIn(site, await findWaitingSession(database.reads, sha256(token), toTimestamp(clock.now())), appId);
}

/**
 * Completes a sign-in after the right code.
 * @param kept true for a session that the person keeps on this device
 * @returns the cookie's value; undefined when the session has ended or another request has completed it meanwhile
 */
export async function finishSignIn(
  { database, clock }: Site,
  token: string,
  kept = false,
): Promise<string | undefined> {
  const cookie = newToken();
  const done = await database.transaction(async (trx) => {
    const ended = await endWaiting(trx, sha256(token), sha256(cookie));
    if (ended && kept) {
      await keepSession(trx, sha256(cookie), keptUntil(clock));
    }
    return ended;
  });
  return done ? cookie : undefined;
}

/**
 * Sets language, time zone and look for all browsers of the account, effective from the next page, and the language of
 * its mails.
 */
export function speakTo({ database }: Site, accountId: PrincipalId, manner: Manner): Promise<void> {
  return database.transaction(async (trx) => {
    await setManner(trx, accountId, manner);
    await updateAccount(trx, accountId, { chosenLanguage: manner.language || null });
  });
}
