/** stage: the people, the record, the app and the subscriptions of a campaign, made through the public interface. */
import type { OwnApp } from '../support/app-folder';
import type { Client } from '../support/client';
import type { Receiver } from '../support/receiver';
import { admin } from '../support/server';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import type { Stage } from './load';

/**
 * @param clients one for each process of the service
 * @param watched reports whose changes are sent to the receiver, a subscription for each
 */
export const setStage = async (
  clients: readonly Client[],
  own: OwnApp,
  receiver: Receiver,
  watched: readonly string[],
): Promise<Stage> => {
  const call = clients[0]!;
  for (const name of ['alice', 'bob']) {
    await createAccount(call, `${name}@example.org`);
  }
  const recordId = await createRecord(call, 'alice@example.org');
  const alice = await signIn(call, 'alice@example.org');
  succeeded(
    await call(alice, 'POST', `/records/${recordId}/shares/`, {
      form: { account_id: 'bob@example.org', role_label: 'helper' },
    }),
  );
  const app = await authorizeApp(call, own.app, alice, { record_id: recordId });
  for (const url of watched) {
    succeeded(
      await call(app, 'POST', `/experimental/records/${recordId}/apps/${encodeURIComponent(own.id)}/subscriptions/`, {
        form: { url, callback: `${receiver.url}/told` },
      }),
    );
  }
  return { clients, admin: admin!, app, recordId, accountId: 'alice@example.org' };
};
