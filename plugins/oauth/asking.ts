/** asking: what a person who is asked to let an app in can answer; a no ends the request token. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import type { Services } from '../../core/services';
import type { Givable } from '../../core/storage/stores/app-access';
import type { AppRow } from '../../core/storage/stores/apps';
import type { RequestTokenRow } from '../../core/storage/stores/tokens';
import { redirectAddress } from './callbacks';

type InToken = { REQTOKEN_ID: string };

export type Choices = {
  readonly givable: readonly Givable[];
  /** Where the browser goes with the answer, without what is added to it. */ readonly callback: string;
  /** False: the app named no address for this token, as `oob` does, so that the person may have to carry the verifier. */
  readonly callbackGiven: boolean;
  /** How long the app may work with one yes. */ readonly seconds: number;
};

/** @throws errors.notFound, errors.refused when another account has claimed it */
const checkToken = (
  token: RequestTokenRow | undefined,
  app: AppRow | undefined,
  accountId: string,
): { readonly token: RequestTokenRow; readonly app: AppRow } => {
  if (!token || !app) {
    throw errors.notFound('request token');
  }
  if (token.claimedBy !== null && token.claimedBy !== accountId) {
    throw errors.refused('the request token is claimed by another account');
  }
  return { token, app };
};

const accountOf = ({ principal }: Pick<Call, 'principal'>): string => {
  if (principal.kind !== 'account') {
    throw errors.permissionDenied();
  }
  return principal.accountId;
};

const addressFor = (services: Services, app: AppRow, { callback }: RequestTokenRow, pairs: Record<string, string>) =>
  redirectAddress({ app, uiBaseUrl: uiBaseUrl(services) }, callback, pairs);

/** Looking claims nothing. */
export const readChoices = async (call: Call<InToken>): Promise<Choices> => {
  const { params, services } = call;
  const { database, stores, clock, config } = services;
  const accountId = accountOf(call);
  const found = await stores.tokens.findRequestToken(
    database.reads,
    sha256(params.REQTOKEN_ID),
    toTimestamp(clock.now()),
  );
  const { token, app } = checkToken(
    found,
    found && (await stores.apps.findUserApp(database.reads, found.appId)),
    accountId,
  );
  const { recordId, carenetId } = token;
  return {
    givable: await stores.appAccess.listGivable(database.reads, { accountId, app, recordId, carenetId }),
    callback: addressFor(services, app, token, {}),
    callbackGiven: token.callback !== null,
    seconds: config.accessTokenSeconds,
  };
};

/** The person's no: the token is gone, also when a yes came before and was not used yet. Answers where the browser goes to tell the app. */
export const refuse = async (call: Call<InToken>): Promise<{ readonly location: string }> => {
  const { params, services } = call;
  const { database, stores, clock } = services;
  const accountId = accountOf(call);
  const hash = sha256(params.REQTOKEN_ID);
  return database.transaction(async (trx) => {
    const found = await stores.tokens.lockRequestToken(trx, hash, toTimestamp(clock.now()));
    const { token, app } = checkToken(found, found && (await stores.apps.findUserApp(trx, found.appId)), accountId);
    await stores.tokens.deleteRequestToken(trx, hash);
    return {
      location: addressFor(services, app, token, {
        oauth_token: params.REQTOKEN_ID,
        oauth_problem: 'permission_denied',
      }),
    };
  });
};
