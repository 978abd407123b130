/**
 * subscriptions: an app that may read one carenet subscribes to reports. It is called only about what the carenet holds,
 * and never again once its access has ended, even about what was waiting to be sent.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../core/base/clock';
import { newId } from '../../core/base/ids';
import { pingKind } from '../../core/outbox/pings';
import { ownApp, type OwnApp } from '../support/app-folder';
import type { Answer, Credentials } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startReceiver, until, type Receiver } from '../support/receiver';
import { admin, startService, type TestService } from '../support/server';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string => `<Procedure xmlns="${NS}"><name>${name}</name></Procedure>`;
const PROCEDURES = 'reports/minimal/procedures/';
const [OWNER, SHARER, MEMBER] = ['owner@example.org', 'sharer@example.org', 'member@example.org'];

for (const leg of databases) {
  describe(`what a subscription tells an app on ${leg.name}`, () => {
    let service: TestService;
    let receiver: Receiver;
    let own: OwnApp;
    const people = new Map<string, Exclude<Credentials, null>>();
    let record = '';
    let carenet = '';
    let path = '';

    before(async () => {
      receiver = await startReceiver();
      own = ownApp({ oauth_callback_url: `${receiver.url}/oauth` });
      service = await startService(leg, { SVC_CALLBACK_ALLOW_PRIVATE: '1', SVC_MANIFESTS_DIR: own.folders });
      for (const id of [OWNER, SHARER, MEMBER]) {
        await createAccount(service.call, id);
        people.set(id, await signIn(service.call, id));
      }
    });
    after(async () => {
      await service.stop();
      await receiver.stop();
      own.remove();
    });

    const as = async (who: string, method: string, address: string, form?: Record<string, string>): Promise<Answer> =>
      succeeded(await service.call(people.get(who)!, method, address, form ? { form } : {}));

    /** A record with a carenet that has the member and the app in it. Nothing is shared there yet. */
    beforeEach(async () => {
      record = await createRecord(service.call, OWNER);
      carenet = attribute((await as(OWNER, 'GET', `/records/${record}/carenets/`)).text, 'Carenet', 'id');
      await as(OWNER, 'POST', `/carenets/${carenet}/accounts/`, { account_id: MEMBER, write: 'false' });
      await as(OWNER, 'POST', `/records/${record}/shares/`, { account_id: SHARER });
      succeeded(await service.call(admin, 'PUT', `/records/${record}/apps/${encodeURIComponent(own.id)}`));
      await as(OWNER, 'PUT', `/carenets/${carenet}/apps/${encodeURIComponent(own.id)}`);
      path = `/experimental/records/${record}/apps/${encodeURIComponent(own.id)}/subscriptions/`;
      receiver.received.length = 0;
      receiver.answer = 200;
    });

    const subscribe = (who: Credentials, callback = `${receiver.url}/told`): Promise<Answer> =>
      service.call(who, 'POST', path, { form: { url: PROCEDURES, callback } });
    const inCarenet = (person: string) =>
      authorizeApp(service.call, own.app, people.get(person)!, { carenet_id: carenet });
    const inRecord = (person: string) =>
      authorizeApp(service.call, own.app, people.get(person)!, { record_id: record });
    const post = async (name: string): Promise<string> =>
      attribute(
        succeeded(await service.call(admin, 'POST', `/records/${record}/documents/`, { body: procedure(name) })).text,
        'Document',
        'id',
      );
    const shareType = (): Promise<Answer> =>
      as(OWNER, 'POST', `/records/${record}/autoshare/carenets/${carenet}/bytype/set`, { type: `${NS}Procedure` });

    /** Pings of this record's subscriptions that were written for a change. */
    const owed = async (): Promise<number> =>
      (
        (await direct(service.services.database)('outbox')
          .where({ kind: 'ping' })
          .whereIn(
            'subject',
            direct(service.services.database)('subscription').where({ record_id: record }).select('id'),
          )
          .whereNull('sent_at')
          .select('id')) as unknown[]
      ).length;
    /** Waits until nothing is to be sent, and counts what has arrived. */
    const told = async (): Promise<number> => {
      await until(async () => (await owed()) === 0, 'the last ping');
      return receiver.received.length;
    };
    const subscriptions = async (): Promise<number> =>
      ((await direct(service.services.database)('subscription').where({ record_id: record }).select('id')) as unknown[])
        .length;

    it('is nothing while the app, signing with its own key, may read nothing', async () => {
      succeeded(await subscribe(own.app));
      await shareType();
      await post('Shared');
      expect(await told()).to.equal(0);
    });

    for (const [how, credentials] of [
      ['a token for the carenet', inCarenet],
      [
        'its own key and such a token elsewhere',
        async (person: string) => {
          await inCarenet(person);
          return own.app;
        },
      ],
    ] as const) {
      it(`is what the carenet holds, with ${how}`, async () => {
        succeeded(await subscribe(await credentials(MEMBER)));
        await post('Never shared with the carenet');
        expect(await told()).to.equal(0);
        await shareType();
        const shared = await post('Shared by its type');
        expect(await told()).to.equal(1);
        await as(OWNER, 'PUT', `/records/${record}/documents/${shared}/nevershare`);
        await as(OWNER, 'POST', `/records/${record}/documents/${shared}/set-status`, { status: 'void', reason: 'x' });
        expect(await told()).to.equal(1);
      });

      it(`ends when the app is taken out of the carenet, with ${how}`, async () => {
        succeeded(await subscribe(await credentials(MEMBER)));
        await shareType();
        await as(OWNER, 'DELETE', `/carenets/${carenet}/apps/${encodeURIComponent(own.id)}`);
        await post('After that');
        expect(await told()).to.equal(0);
      });

      it(`ends with the carenet, with ${how}`, async () => {
        succeeded(await subscribe(await credentials(OWNER)));
        await as(OWNER, 'DELETE', `/carenets/${carenet}`);
        await post('After that');
        expect(await told()).to.equal(0);
      });
    }

    it('ends when the member leaves the carenet', async () => {
      succeeded(await subscribe(await inCarenet(MEMBER)));
      await shareType();
      await as(OWNER, 'DELETE', `/carenets/${carenet}/accounts/${encodeURIComponent(MEMBER)}`);
      expect(await subscriptions()).to.equal(0);
      await post('After that');
      expect(await told()).to.equal(0);
    });

    it('is the whole record with a token for it, also after that token has expired', async () => {
      succeeded(await subscribe(await inRecord(SHARER)));
      await post('One');
      expect(await told()).to.equal(1);
      await direct(service.services.database)('access_token').where({ record_id: record }).delete();
      await post('Two');
      expect(await told()).to.equal(2);
    });

    it('ends with the share of the person who gave the token', async () => {
      succeeded(await subscribe(await inRecord(SHARER)));
      await as(OWNER, 'DELETE', `/records/${record}/shares/${encodeURIComponent(SHARER)}`);
      expect(await subscriptions()).to.equal(0);
      await post('After that');
      expect(await told()).to.equal(0);
    });

    it('pauses while the account of that person is disabled', async () => {
      succeeded(await subscribe(await inRecord(SHARER)));
      const accounts = () => direct(service.services.database)('account').where({ id: SHARER });
      await accounts().update({ state: 'disabled' });
      await post('Meanwhile');
      expect(await told()).to.equal(0);
      await accounts().update({ state: 'active' });
      await post('Again');
      expect(await told()).to.equal(1);
    });

    it('ends when the app is taken off the record', async () => {
      succeeded(await subscribe(await inRecord(OWNER)));
      await as(OWNER, 'DELETE', `/records/${record}/apps/${encodeURIComponent(own.id)}`);
      expect(await subscriptions()).to.equal(0);
      await post('After that');
      expect(await told()).to.equal(0);
    });

    it('does not include a change that waited while the access to it ended', async () => {
      succeeded(await subscribe(await inCarenet(MEMBER)));
      await shareType();
      receiver.answer = 500;
      const shared = await post('Shared');
      await receiver.waitFor(1);
      const [{ id: subscriptionId }] = (await direct(service.services.database)('subscription')
        .where({ record_id: record })
        .select('id')) as [{ id: string }];
      const again = () => pingKind(service.services).deliver({ subscriptionId, lineageId: shared }, newId());
      receiver.answer = 200;
      await again();
      expect(receiver.received.length).to.equal(2);
      await as(OWNER, 'PUT', `/records/${record}/documents/${shared}/nevershare`);
      await again();
      expect(receiver.received.length).to.equal(2);
      // A ping of an earlier release names no document.
      await pingKind(service.services).deliver({ subscriptionId }, newId());
      expect(receiver.received.length).to.equal(2);
    });

    it('is made with no token of another carenet, record or app', async () => {
      const token = await inCarenet(MEMBER);
      const other = await createRecord(service.call, OWNER);
      for (const where of [
        path.replace(record, other),
        path.replace(record, newId()),
        path.replace(encodeURIComponent(own.id), encodeURIComponent('connector@apps.svc.example')),
      ]) {
        const form = { url: PROCEDURES, callback: `${receiver.url}/told` };
        expect((await service.call(token, 'POST', where, { form })).status).to.equal(403);
        expect((await service.call(token, 'GET', where)).status).to.equal(403);
      }
      await as(OWNER, 'DELETE', `/carenets/${carenet}/apps/${encodeURIComponent(own.id)}`);
      expect((await subscribe(token)).status).to.be.within(401, 403);
    });

    it('depends on the person who renewed it last, and not on one whose share has ended', async () => {
      succeeded(await subscribe(await inRecord(SHARER)));
      succeeded(await subscribe(await inRecord(OWNER)));
      // Signing with its own key, the app renews it without changing on whom it depends.
      succeeded(await subscribe(own.app));
      expect(await subscriptions()).to.equal(1);
      await as(OWNER, 'DELETE', `/records/${record}/shares/${encodeURIComponent(SHARER)}`);
      await direct(service.services.database)('access_token')
        .where({ record_id: record })
        .update({ expires_at: toTimestamp(Date.now() - 1000) });
      await post('One');
      expect(await told()).to.equal(1);
    });
  });
}
