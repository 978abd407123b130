/** serialize: request tokens, connect credentials and verdicts as XML (specification 2.13, 2.14, 5.6). */
import { describeApp } from '../../core/apps/app-element';
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { AppRow } from '../../core/apps/store';
import { element } from '../../core/xml/write';

export type ShownRequestToken = {
  readonly token: string;
  readonly recordId: string | null;
  readonly carenetId: string | null;
  /** `same`: the app is enabled there already. */
  readonly kind: 'new' | 'same';
  readonly app: AppRow;
};

export const requestTokenReply: Serializer<ShownRequestToken> = xml(
  'RequestToken',
  ({ token, recordId, carenetId, kind, app }) =>
    element('RequestToken', { token }, [
      element('record', { id: recordId }),
      element('carenet', { id: carenetId }),
      element('kind', {}, kind),
      element('App', { id: app.id }, describeApp(app)),
    ]),
);

export type ConnectCredentials = {
  readonly appId: string;
  readonly connect: { readonly token: string; readonly secret: string };
  readonly rest: { readonly token: string; readonly secret: string };
  readonly apiBase: string;
  readonly oauthHeader: string;
  readonly expiresAt: string;
};

export const connectReply: Serializer<ConnectCredentials> = xml(
  'ConnectCredentials',
  ({ appId, connect, rest, apiBase, oauthHeader, expiresAt }) =>
    element('ConnectCredentials', {}, [
      element('App', { id: appId }),
      element('ConnectToken', {}, connect.token),
      element('ConnectSecret', {}, connect.secret),
      element('APIBase', {}, apiBase),
      element('RESTToken', {}, rest.token),
      element('RESTSecret', {}, rest.secret),
      element('OAuthHeader', {}, oauthHeader),
      element('ExpiresAt', {}, wireTime(expiresAt)),
    ]),
);

export const resultReply: Serializer<'ok' | 'old' | 'mismatch'> = xml('result', (result) =>
  element('result', {}, result),
);
