/**
 * asking: reads what a person may give an app that asks for access, and handles the person's no, which deletes the
 * request token.
 */
import { toTimestamp } from '../../core/base/clock';
import { sha256 } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import type { Services } from '../../core/services';
import type { AppRow } from '../../core/apps/store';
import type { RequestTokenRow } from '../../core/tokens/store';
import { redirectAddress } from './callbacks';
import { listGivable, type GivableHolding, type GivingQuery } from '../../core/records/givable';
import { accountOf, checkToken, type InToken } from './request-tokens';
import * as appStore from '../../core/apps/store';
import * as tokenStore from '../../core/tokens/store';

export type Choices = {
  readonly givable: readonly GivableHolding[];
  /** The address to which the browser goes with the answer, without the parameters of the answer. */
  readonly callback: string;
  /**
   * False: the app named no address for this token, or `oob`. The person may then have to type the verifier into the
   * app.
   */
  readonly callbackGiven: boolean;
  /** The address to which the browser goes with a no. */ readonly refused: string;
  /** How long, in seconds, the access token is valid that the app gets after a yes. */ readonly seconds: number;
};

function addressFor(services: Services, app: AppRow, { callback }: RequestTokenRow, pairs: Record<string, string>) {
  return redirectAddress({ app, uiBaseUrl: uiBaseUrl(services) }, callback, pairs);
}

function refusedAddress(services: Services, app: AppRow, token: RequestTokenRow, key: string): string {
  return addressFor(services, app, token, { oauth_token: key, oauth_problem: 'permission_denied' });
}

/**
 * What the account may give the app. The token is not claimed. 403 when another account has claimed it, 404 for an
 * unknown token.
 */
export async function readChoices(call: Call<InToken, GivingQuery>): Promise<Choices> {
  const { params, services } = call;
  const { database, clock, config } = services;
  const accountId = accountOf(call);
  const found = await tokenStore.findRequestToken(database.reads, sha256(params.REQTOKEN_ID), toTimestamp(clock.now()));
  const { token, app } = checkToken(
    found,
    found && (await appStore.findUserApp(database.reads, found.appId)),
    accountId,
  );
  const { recordId, carenetId } = token;
  return {
    givable: await listGivable(services, { accountId, app, recordId, carenetId }, call.query),
    callback: addressFor(services, app, token, {}),
    callbackGiven: token.callback !== null,
    refused: refusedAddress(services, app, token, params.REQTOKEN_ID),
    seconds: config.accessTokenSeconds,
  };
}

/**
 * The person's no. Deletes the token, also if the person said yes before and the app has not used that yet. Answers the
 * address to which the browser goes. 403 when another account has claimed the token, 404 for an unknown one.
 */
export async function refuse(call: Call<InToken>): Promise<{ readonly location: string }> {
  const { params, services } = call;
  const { database, clock } = services;
  const accountId = accountOf(call);
  const hash = sha256(params.REQTOKEN_ID);
  return database.transaction(async (trx) => {
    const found = await tokenStore.lockRequestToken(trx, hash, toTimestamp(clock.now()));
    const { token, app } = checkToken(found, found && (await appStore.findUserApp(trx, found.appId)), accountId);
    await tokenStore.deleteRequestToken(trx, hash);
    return { location: refusedAddress(services, app, token, params.REQTOKEN_ID) };
  });
}
