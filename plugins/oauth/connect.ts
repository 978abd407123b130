/** connect: credentials with which an app works inside the website (specification 2.14, 5.5). */
import { startUrl } from '../../core/apps/app-element';
import { authorizationHeader } from '../../core/auth/sign';
import { issueAccessToken, type AccessToken } from '../../core/auth/tokens';
import { errors } from '../../core/base/errors';
import { uiBaseUrl } from '../../core/http/ui-links';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { AppRow } from '../../core/storage/stores/apps';
import type { Chosen } from './dance';
import { mayGive, type Scope } from './scope';
import type { ConnectCredentials } from './serialize';

type Issued = { readonly connect: AccessToken; readonly rest: AccessToken };

const scopeOf = ({ record_id: recordId = '', carenet_id: carenetId = '' }: Chosen): Scope => {
  if ((recordId === '') === (carenetId === '')) {
    throw errors.missingParameter('record_id or carenet_id (one of them)');
  }
  return recordId === '' ? { carenetId } : { recordId };
};

/** The account controls the scope and the app is enabled there already. @returns the record of the scope */
const requireEnabled = async (services: Services, accountId: string, app: AppRow, scope: Scope): Promise<string> => {
  const { database: { knex }, stores, lookups } = services;
  const recordId = scope.recordId ?? (await stores.sharing.findCarenet(knex, scope.carenetId ?? ''))?.recordId;
  if (recordId === undefined || !(await mayGive(knex, { accountId, app, scope })) || !(await lookups.enabled(app.id, recordId))) {
    throw errors.permissionDenied();
  }
  return recordId;
};

const issuePair = ({ database, sealing, clock, config }: Services, grant: { readonly appId: string; readonly accountId: string; readonly recordId: string; readonly carenetId: string | null }): Promise<Issued> =>
  database.transaction(async (trx) => ({
    connect: await issueAccessToken({ sealing, clock }, trx, { ...grant, kind: 'connect', seconds: config.connectTokenSeconds }),
    rest: await issueAccessToken({ sealing, clock }, trx, { ...grant, kind: 'rest', seconds: config.connectTokenSeconds }),
  }));

/** The header that the website appends to the start address, so that the app knows who opens it; query and fragment are not signed. */
const startHeader = (services: Services, app: AppRow, accountId: string, scope: Scope, rest: AccessToken): string => {
  const { origin, pathname } = new URL(startUrl({ app, uiBaseUrl: uiBaseUrl(services) }, scope));
  const header = authorizationHeader({ consumer: { key: app.consumerKey, secret: services.sealing.open(app.consumerSecret) } }, 'GET', `${origin}${pathname}`, {}, {
    smart_container_api_base: services.baseUrl(), smart_oauth_token: rest.token, smart_oauth_token_secret: rest.secret,
    smart_user_id: accountId, smart_app_id: app.id, ...(scope.recordId === undefined ? {} : { smart_record_id: scope.recordId }),
  });
  return header.replace(/^OAuth /, 'OAuth realm="", ');
};

/** Two new tokens of 30 minutes. 400 unless exactly one id is given; 403 when the app is not enabled there or the account has no rights. */
export const connectCredentials = async ({ params, body, services, note }: Call<{ ACCOUNT_EMAIL: string; PHA_EMAIL: string }, unknown, Chosen>): Promise<ConnectCredentials> => {
  const scope = scopeOf(body);
  const accountId = params.ACCOUNT_EMAIL;
  const app = await services.stores.apps.findUserApp(services.database.knex, params.PHA_EMAIL);
  if (!app) {
    throw errors.notFound('app');
  }
  const recordId = await requireEnabled(services, accountId, app, scope);
  note({ recordId });
  const { connect, rest } = await issuePair(services, { appId: app.id, accountId, recordId, carenetId: scope.carenetId ?? null });
  return { appId: app.id, connect, rest, apiBase: services.baseUrl(), oauthHeader: startHeader(services, app, accountId, scope, rest), expiresAt: rest.expiresAt };
};
