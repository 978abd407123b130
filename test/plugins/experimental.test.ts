/**
 * experimental: subscriptions are made, renewed, listed and ended; a change that matches sends a ping, any other does
 * not.
 */
import { createHmac } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../core/base/clock';
import { newId } from '../../core/base/ids';
import { expiryOf } from '../../plugins/experimental/service';
import { ownApp, type OwnApp } from '../support/app-folder';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { losingApp } from '../support/meanwhile';
import { pagesAsWhole } from '../support/paging';
import { sleep, startReceiver, until, type Receiver } from '../support/receiver';
import { admin, medications, startService, ui, type TestService } from '../support/server';
import { attribute, child, demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as appStore from '../../core/apps/store';
import * as tokenStore from '../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach, afterEach } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string => `<Procedure xmlns="${NS}"><name>${name}</name></Procedure>`;
const problem =
  `<Problem xmlns="${NS}"><dateOnset>2020-01-01T00:00:00Z</dateOnset><name ` +
  'type="http://purl.bioontology.org/ontology/SNOMEDCT/" value="38341003">Hypertension</name></Problem>';
const plain = '<note xmlns="urn:some:other">no facts</note>';
const PROCEDURES = 'reports/minimal/procedures/';

describe('the life of a subscription', () => {
  it('is three calendar months', () => {
    const end = (start: string) => expiryOf(Date.parse(start));
    expect(end('2026-01-15T10:20:30.000Z')).to.equal('2026-04-15T10:20:30.000000Z');
    expect(end('2026-11-30T00:00:00.000Z')).to.equal('2027-02-28T00:00:00.000000Z');
    expect(end('2027-11-30T00:00:00.000Z')).to.equal('2028-02-29T00:00:00.000000Z');
    expect(end('2026-12-31T23:59:59.000Z')).to.equal('2027-03-31T23:59:59.000000Z');
  });
});

for (const leg of databases) {
  describe(`subscriptions on ${leg.name}`, () => {
    let service: TestService;
    let receiver: Receiver;
    let own: OwnApp;
    let record = '';
    let other = '';
    let path = '';

    const newRecord = async (): Promise<string> =>
      attribute(
        succeeded(await service.call(admin, 'POST', '/records/', { body: demographics('Ann', 'Lee') })).text,
        'Record',
        'id',
      );
    const enable = (recordId: string): Promise<unknown> =>
      appStore.enableApp(direct(service.services.database), {
        id: newId(),
        recordId,
        appId: own.id,
        by: null,
        at: toTimestamp(Date.now()),
      });
    const subscribe = (url: string, callback = `${receiver.url}/callback/deep?x=1`): Promise<Answer> =>
      service.call(own.app, 'POST', path, { form: { url, callback } });
    const post = async (body: string, recordId = record): Promise<string> =>
      attribute(
        succeeded(await service.call(admin, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );
    const list = async (): Promise<string> => succeeded(await service.call(own.app, 'GET', path)).text;
    const waiting = async (): Promise<number> =>
      Number(
        (
          (await direct(service.services.database)('outbox')
            .where({ kind: 'ping' })
            .whereNull('sent_at')
            .count({ n: '*' })
            .first()) as { n: number }
        ).n,
      );
    const settled = async (count: number): Promise<void> => {
      await until(async () => (await waiting()) === 0);
      await sleep(30);
      expect(receiver.received.length).to.equal(count);
    };

    before(async () => {
      receiver = await startReceiver();
      // It may read whole records, so it is told of all changes.
      own = ownApp({
        oauth_callback_url: `${receiver.url}/oauth`,
        mode: 'background',
        autonomous_reason: 'A test',
      });
      service = await startService(leg, { SVC_CALLBACK_ALLOW_PRIVATE: '1', SVC_MANIFESTS_DIR: own.folders });
    });
    after(async () => {
      await service.stop();
      await receiver.stop();
      own.remove();
    });
    beforeEach(async () => {
      record = await newRecord();
      other = await newRecord();
      await enable(record);
      path = `/experimental/records/${record}/apps/${encodeURIComponent(own.id)}/subscriptions/`;
      receiver.received.length = 0;
      receiver.answer = 200;
    });
    afterEach(() => direct(service.services.database)('subscription').delete());

    describe('subscription_create', () => {
      it('answers id, end and url, and the change of a matching report is told, signed', async () => {
        const { text } = succeeded(await subscribe(PROCEDURES));
        expect(attribute(text, 'Subscription', 'id')).to.match(/^[0-9a-f-]{36}$/);
        expect(child(text, 'url')).to.equal(PROCEDURES);
        const days = (Date.parse(child(text, 'expires_at')!) - Date.now()) / 86_400_000;
        expect(days).to.be.between(88, 93);
        await post(procedure('Appendectomy'));
        const [ping] = await receiver.waitFor(1);
        expect(ping!.path).to.equal('/callback/deep?x=1');
        expect(Object.fromEntries(new URLSearchParams(ping!.body))).to.equal({ record_id: record, url: PROCEDURES });
        expect(ping!.headers['x-svc-signature']).to.equal(
          `sha256=${createHmac('sha256', own.app.consumer.secret).update(ping!.body).digest('hex')}`,
        );
      });

      it('tells nothing of other models, other records, and documents without facts', async () => {
        succeeded(await subscribe(PROCEDURES));
        await post(problem);
        await post(plain);
        await post(procedure('Elsewhere'), other);
        await settled(0);
        await post(procedure('Here'));
        await settled(1);
      });

      it('tells of replacing, of voiding and of coming back', async () => {
        succeeded(await subscribe('/reports/Procedure/'));
        const first = await post(procedure('One'));
        await settled(1);
        const second = attribute(
          succeeded(
            await service.call(admin, 'POST', `/records/${record}/documents/${first}/replace`, { body: problem }),
          ).text,
          'Document',
          'id',
        );
        await settled(2);
        const third = attribute(
          succeeded(
            await service.call(admin, 'POST', `/records/${record}/documents/${second}/replace`, {
              body: procedure('Three'),
            }),
          ).text,
          'Document',
          'id',
        );
        await settled(3);
        const status = (to: string) => setStatus(third, to);
        await status('void');
        await settled(4);
        await status('void');
        await settled(4);
        await status('active');
        await settled(5);
      });

      it('of the export tells of every fact', async () => {
        succeeded(await subscribe('reports/experimental/ccr'));
        await post(procedure('One'));
        await post(problem);
        await post(plain);
        await settled(2);
      });

      it('leaves no ping of a change that did not happen', async () => {
        succeeded(await subscribe(PROCEDURES));
        const refused = await service.call(admin, 'POST', `/records/${record}/documents/`, {
          body: `<Procedure xmlns="${NS}"><location>nameless</location></Procedure>`,
        });
        expect(refused.status).to.equal(400);
        const first = await post(procedure('One'));
        await settled(1);
        const twice = await Promise.all(
          [1, 2].map((n) =>
            service.call(admin, 'POST', `/records/${record}/documents/${first}/replace`, {
              body: procedure(`Two ${n}`),
            }),
          ),
        );
        expect(twice.map(({ status }) => status).sort()).to.equal([200, 400]);
        await settled(2);
      });

      it('again with the same report and callback renews, with or without the slash', async () => {
        const first = succeeded(await subscribe(PROCEDURES)).text;
        await direct(service.services.database)('subscription').update({ expires_at: toTimestamp(Date.now() + 1000) });
        const again = succeeded(await subscribe(`/${PROCEDURES}`)).text;
        expect(attribute(again, 'Subscription', 'id')).to.equal(attribute(first, 'Subscription', 'id'));
        expect(Date.parse(child(again, 'expires_at')!)).to.be.above(Date.now() + 80 * 86_400_000);
        succeeded(await subscribe(PROCEDURES, `${receiver.url}/another`));
        expect([...(await list()).matchAll(/<Subscription /g)].length).to.equal(2);
      });

      it('is listed in pages, the oldest first', async () => {
        for (const number of [1, 2, 3]) {
          succeeded(await subscribe(`reports/Procedure/?n=${number}`));
        }
        await pagesAsWhole(
          (address) => service.call(own.app, 'GET', address),
          path,
          ({ text }) => [...text.matchAll(/<Subscription id="([^"]*)"/g)].map((match) => match[1]!),
        );
      });

      it('that has expired is neither listed nor told, and can be made again', async () => {
        succeeded(await subscribe(PROCEDURES));
        await direct(service.services.database)('subscription').update({ expires_at: toTimestamp(Date.now() - 1) });
        expect(await list()).to.not.contain('<Subscription ');
        await post(procedure('Too late'));
        await settled(0);
        succeeded(await subscribe(PROCEDURES));
        await post(procedure('In time'));
        await settled(1);
      });

      for (const url of [
        'reports/minimal/vitals/',
        'reports/minimal/vitals/heart_rate',
        'reports/minimal/vitals/heart_rate/',
        'reports/minimal/measurements/HBA1C/',
        'reports/minimal/labs/?limit=5',
        '/reports/medication/',
        'reports/Fill/',
        'reports/minimal/simple-clinical-notes/',
      ]) {
        it(`takes the report ${url}`, async () => {
          succeeded(await subscribe(url));
        });
      }
      for (const url of [
        '',
        'documents/',
        'reports/',
        'reports/minimal/',
        'reports/minimal/nothing/',
        'reports/NoSuchModel/',
        'reports/Demographics/',
        'reports/Procedure',
        '//reports/Procedure/',
        'reports/../documents/',
        'http://example.org/reports/Procedure/',
        'reports/minimal/constructor',
        'reports/toString/',
      ]) {
        it(`refuses ${url === '' ? 'no report' : url}`, async () => {
          expect((await subscribe(url)).status).to.equal(400);
        });
      }
      for (const callback of [
        '',
        'callback',
        'https://elsewhere.example/',
        'ftp://own.example/',
        'javascript:alert(1)',
        'https://user:pass@own.example/',
        'https://own.example/#part',
        'https://own.example.evil.example/',
        'https://own.example@evil.example/',
        'http://own.example/',
        'https://own.example:8443/',
      ]) {
        it(`refuses the callback ${callback === '' ? 'that is missing' : callback}`, async () => {
          expect((await subscribe(PROCEDURES, callback)).status).to.equal(400);
        });
      }
      it('takes the origin of the start address as well', async () => {
        succeeded(await subscribe(PROCEDURES, 'https://own.example/pings'));
      });

      it('is for the app itself while it is enabled there', async () => {
        const form = { url: PROCEDURES, callback: `${receiver.url}/` };
        const otherPath = path.replace(record, other);
        for (const [who, where] of [
          [null, path],
          [admin, path],
          [ui, path],
          [medications, path],
          [own.app, otherPath],
          [own.app, path.replace(record, newId())],
        ] as const) {
          expect((await service.call(who, 'POST', where, { form })).status).to.equal(403);
          expect((await service.call(who, 'GET', where)).status).to.equal(403);
          expect((await service.call(who, 'DELETE', `${where}${newId()}`)).status).to.equal(403);
        }
        succeeded(await subscribe(PROCEDURES));
        await appStore.disableApp(direct(service.services.database), record, own.id);
        expect((await service.call(own.app, 'GET', path)).status).to.equal(403);
        await post(procedure('Unseen'));
        await settled(0);
      });

      it('is refused when the app is taken off the record while it waits for it', async () => {
        const late = await losingApp({ recordId: record, appId: own.id }, () => subscribe(PROCEDURES));
        expect([late.status, attribute(late.text, 'error', 'code')]).to.equal([403, 'permission_denied']);
        expect(await list()).to.not.contain('<Subscription ');
      });

      it('has a limit for each app and record', async () => {
        for (let number = 0; number < 100; number += 1) {
          succeeded(await subscribe(`reports/Procedure/?n=${number}`));
        }
        expect((await subscribe('reports/Procedure/?n=100')).status).to.equal(400);
        succeeded(await subscribe('reports/Procedure/?n=0'));
      });
    });

    describe('subscription_delete', () => {
      it('ends it with the pings that have not left', async () => {
        receiver.answer = 500;
        const id = attribute(succeeded(await subscribe(PROCEDURES)).text, 'Subscription', 'id');
        await post(procedure('One'));
        await receiver.waitFor(1);
        await until(
          async () =>
            (
              (await direct(service.services.database)('outbox').where({ subject: id }).first('attempts')) as {
                attempts: number;
              }
            ).attempts === 1,
        );
        expect(await waiting()).to.equal(1);
        succeeded(await service.call(own.app, 'DELETE', `${path}${id}`));
        expect(await waiting()).to.equal(0);
        expect(await list()).to.not.contain(id);
        expect((await service.call(own.app, 'DELETE', `${path}${id}`)).status).to.equal(404);
      });
    });

    const setStatus = async (documentId: string, status: string): Promise<void> => {
      // The call needs the record's owner or an app with a token, so the app gets a token here.
      succeeded(
        await service.call(await appToken(), 'POST', `/records/${record}/documents/${documentId}/set-status`, {
          form: { status, reason: 'a test' },
        }),
      );
    };
    const appToken = async () => {
      const { sealing, database } = service.services;
      const key = newId();
      const { createHash } = await import('node:crypto');
      await tokenStore.insertAccessToken(direct(database), {
        tokenHash: createHash('sha256').update(key).digest('hex'),
        secret: sealing.seal('token secret'),
        kind: 'ordinary',
        appId: own.id,
        accountId: null,
        recordId: record,
        carenetId: null,
        createdAt: toTimestamp(Date.now()),
        expiresAt: toTimestamp(Date.now() + 60_000),
      });
      return { consumer: own.app.consumer, token: { key, secret: 'token secret' } };
    };
  });
}
