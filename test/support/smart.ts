/**
 * smart: tokens of the FHIR door without the dance that would lead to them, for tests that are about something else.
 */
import { toTimestamp } from '../../core/base/clock';
import { newToken, sha256 } from '../../core/base/ids';
import type { Id, PrincipalId } from '../../core/base/types';
import type { Services } from '../../core/services';
import { enable } from './cast';
import { direct } from './direct';
import * as sharingStore from '../../core/sharing/store';
import * as tokenStore from '../../core/tokens/store';

export type SmartTokenOf = {
  readonly account: PrincipalId;
  /** Id of a registered user app. It is let in where the token gives access, as an approval would do it. */
  readonly app: PrincipalId;
  /** Separated by spaces, such as `patient/Observation.rs patient/Patient.r`. */
  readonly scopes: string;
  readonly seconds?: number;
  /** With false, the access of the app is not set up. */
  readonly letIn?: boolean;
} & ({ readonly record: Id } | { readonly carenet: Id });

/** Makes a bearer token: send it as `Authorization: Bearer <token>`. */
export const mintSmartToken = async (
  { services }: { readonly services: Services },
  { account, app, scopes, seconds = 3600, letIn = true, ...where }: SmartTokenOf,
): Promise<string> => {
  const { database, clock, sealing } = services;
  const trx = direct(database);
  const carenetId = 'carenet' in where ? where.carenet : null;
  const recordId =
    'record' in where ? where.record : (await sharingStore.findCarenet(database.reads, where.carenet))!.recordId;
  const now = toTimestamp(clock.now());
  if (letIn) {
    await enable(services, recordId, app);
  }
  if (letIn && carenetId !== null) {
    await sharingStore.putCarenetApp(trx, carenetId, app, now);
  }
  const token = newToken();
  await tokenStore.insertAccessToken(trx, {
    tokenHash: sha256(token),
    secret: sealing.seal(''),
    kind: 'smart',
    appId: app,
    accountId: account,
    recordId,
    carenetId,
    createdAt: now,
    expiresAt: toTimestamp(clock.now() + seconds * 1000),
    scopes,
  });
  return token;
};
