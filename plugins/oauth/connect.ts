/** connect: credentials with which an app works inside the website (specification 2.14, 5.5). */
import { makeLookups } from '../../core/access/lookups';
import { startUrl } from '../../core/apps/app-element';
import { authorizationHeader } from '../../core/auth/sign';
import { issueAccessToken, type AccessToken } from '../../core/auth/tokens';
import { errors } from '../../core/base/errors';
import { uiBaseUrl } from '../../core/http/ui-links';
import type { Call } from '../../core/http/route';
import { requireUserApp } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { AppRow } from '../../core/apps/store';
import { chosenScope, lockScope, mayGive, type Chosen, type Scope } from '../../core/access/giving';
import type { ConnectCredentials } from './serialize';

type Issued = { readonly recordId: string; readonly connect: AccessToken; readonly rest: AccessToken };

/**
 * Issues two tokens, if the account controls the scope and the app is enabled there already.
 * @throws errors.permissionDenied
 */
function issuePair(services: Services, accountId: string, app: AppRow, scope: Scope): Promise<Issued> {
  return services.database.transaction(async (trx) => {
    const recordId = await lockScope(trx, scope);
    if (
      recordId === undefined ||
      !(await mayGive(trx, { clock: services.clock, accountId, app, scope })) ||
      !(await makeLookups(trx, services.clock).enabled(app.id, recordId))
    ) {
      throw errors.permissionDenied();
    }
    const grant = {
      appId: app.id,
      accountId,
      recordId,
      carenetId: scope.carenetId ?? null,
      seconds: services.config.connectTokenSeconds,
    };
    return {
      recordId,
      connect: await issueAccessToken(services, trx, { ...grant, kind: 'connect' }),
      rest: await issueAccessToken(services, trx, { ...grant, kind: 'rest' }),
    };
  });
}

/**
 * The OAuth header that the website adds to the start address, so that the app knows who opens it. Query and fragment
 * are not signed.
 */
function startHeader(services: Services, app: AppRow, accountId: string, scope: Scope, rest: AccessToken): string {
  const { origin, pathname } = new URL(startUrl({ app, uiBaseUrl: uiBaseUrl(services) }, scope));
  const header = authorizationHeader(
    { consumer: { key: app.consumerKey, secret: services.sealing.open(app.consumerSecret) } },
    'GET',
    `${origin}${pathname}`,
    {},
    {
      smart_container_api_base: services.baseUrl(),
      smart_oauth_token: rest.token,
      smart_oauth_token_secret: rest.secret,
      smart_user_id: accountId,
      smart_app_id: app.id,
      ...(scope.recordId === undefined ? {} : { smart_record_id: scope.recordId }),
    },
  );
  return header.replace(/^OAuth /, 'OAuth realm="", ');
}

/**
 * Issues two new tokens that are valid for `SVC_CONNECT_TOKEN_SECONDS` (specification 2.14, 4.1). 400 unless exactly
 * one id is given, 403 when the app is not enabled there or the account may not give access, 404 for an unknown app.
 */
export async function connectCredentials({
  params,
  body,
  services,
  note,
}: Call<{ ACCOUNT_EMAIL: string; PHA_EMAIL: string }, unknown, Chosen>): Promise<ConnectCredentials> {
  const scope = chosenScope(body);
  const accountId = params.ACCOUNT_EMAIL;
  const app = await requireUserApp(services, params.PHA_EMAIL);
  const { recordId, connect, rest } = await issuePair(services, accountId, app, scope);
  note({ recordId });
  return {
    appId: app.id,
    connect,
    rest,
    apiBase: services.baseUrl(),
    oauthHeader: startHeader(services, app, accountId, scope, rest),
    expiresAt: rest.expiresAt,
  };
}
