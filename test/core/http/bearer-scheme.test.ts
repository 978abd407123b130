/**
 * bearer-scheme: which caller each token of the FHIR door gives, and that a revoked token is refused at the next call.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { server as hapiServer, type Server } from '@hapi/hapi';
import { effectiveId, proxyId } from '../../../core/auth/principal';
import { toTimestamp } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import { BEARER, bearerScheme, smartPrincipalOf } from '../../../core/http/bearer-scheme';
import { AppError } from '../../../core/base/errors';
import { addApp, addPerson, addToken } from '../../support/cast';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService, type TestService } from '../../support/server';
import { mintSmartToken } from '../../support/smart';
import { createRecord, signIn } from '../../support/world';
import * as sharingStore from '../../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach } = lab;

const OWNER = 'owner@example.org';
const SHARE = 'share@example.org';
const MEMBER = 'member@example.org';
const APP = 'smart@apps.example';
const SCOPES = 'openid patient/Observation.rs patient/Patient.r';

for (const leg of databases) {
  describe(`the scheme of the FHIR door on ${leg.name}`, () => {
    let service: TestService;
    let door: Server;
    let recordId: string;
    let carenetId: string;
    before(async () => {
      service = await startService(leg);
      await Promise.all([OWNER, SHARE, MEMBER].map((id) => addPerson(service.services, id)));
      await addApp(service.services, APP, 'user');
      door = hapiServer();
      door.auth.scheme(BEARER, bearerScheme({ config: service.services.config, services: () => service.services }));
      door.auth.strategy(BEARER, BEARER);
      door.route({ method: 'GET', path: '/', options: { auth: BEARER }, handler: (request) => answer(request) });
      door.ext('onPreResponse', (request, h) => {
        const response: unknown = request.response;
        if (!(response instanceof AppError)) {
          return h.continue;
        }
        const challenge = response.headers['www-authenticate']!;
        return h.response({ code: response.code }).code(response.status).header('www-authenticate', challenge);
      });
    });
    after(() => service.stop());

    const answer = (request: Parameters<typeof smartPrincipalOf>[0]) => {
      const principal = smartPrincipalOf(request);
      const { recordId: record, carenetId: carenet, accountId, app, scopes, accountInControl } = principal;
      return {
        ...{ record, carenet, accountId, accountInControl, app: app.id },
        scopes: scopes.map(({ text }) => text),
        names: [effectiveId(principal), proxyId(principal)],
      };
    };

    const knex = () => direct(service.services.database);
    const now = (): string => toTimestamp(Date.now());

    beforeEach(async () => {
      recordId = await createRecord(service.call, OWNER);
      carenetId = newId();
      await sharingStore.insertCarenet(knex(), { id: carenetId, recordId, name: 'Inner circle' }, now());
      await sharingStore.putShare(knex(), recordId, SHARE, null, now());
      await sharingStore.putMember(knex(), carenetId, MEMBER, false, now());
    });

    const ask = (authorization?: string) =>
      door.inject({ url: '/', headers: authorization === undefined ? {} : { authorization } });
    const status = async (token: string): Promise<number> => (await ask(`Bearer ${token}`)).statusCode;
    const ofRecord = (account = OWNER, seconds?: number): Promise<string> =>
      mintSmartToken(service, { account, record: recordId, app: APP, scopes: SCOPES, ...(seconds ? { seconds } : {}) });
    const ofCarenet = (account = MEMBER): Promise<string> =>
      mintSmartToken(service, { account, carenet: carenetId, app: APP, scopes: 'patient/*.read' });

    it('knows whom a token stands for, what it opens and what it may do there', async () => {
      expect((await ask(`Bearer ${await ofRecord()}`)).result).to.equal({
        ...{ record: recordId, carenet: null, accountId: OWNER, accountInControl: true, app: APP },
        scopes: ['patient/Observation.rs', 'patient/Patient.r'],
        names: [OWNER, APP],
      });
      expect((await ask(`bearer ${await ofCarenet()}`)).result).to.equal({
        ...{ record: recordId, carenet: carenetId, accountId: MEMBER, accountInControl: false, app: APP },
        scopes: ['patient/*.read'],
        names: [MEMBER, APP],
      });
    });

    it('answers 401 without a token, and says no more of a wrong one than that it is wrong', async () => {
      const none = await ask();
      expect([none.statusCode, none.headers['www-authenticate']]).to.equal([401, 'Bearer realm="fhir"']);
      const oauth = await addToken(service.services, {
        app: { consumer: { key: APP, secret: '' } },
        accountId: OWNER,
        recordId,
      });
      const session = await signIn(service.call, OWNER).catch(() => undefined);
      for (const wrong of [
        `Bearer ${await ofRecord()}x`,
        'Bearer ',
        'Bearer a b',
        'Bearer "quoted"',
        `Bearer ${'a'.repeat(600)}`,
        `Basic ${await ofRecord()}`,
        `OAuth ${await ofRecord()}`,
        // Tokens that sign calls of the interface give no access here.
        `Bearer ${oauth.token!.key}`,
        `Bearer ${session?.token?.key ?? 'none'}`,
      ]) {
        const refused = await ask(wrong);
        expect([refused.statusCode, refused.headers['www-authenticate']], wrong).to.equal([
          401,
          'Bearer realm="fhir", error="invalid_token"',
        ]);
      }
    });

    it('signs no call of the interface', async () => {
      const token = await ofRecord();
      const app = await addApp(service.services, `${newId()}@apps.example`, 'user');
      const own = await mintSmartToken(service, {
        account: OWNER,
        record: recordId,
        app: app.consumer.key,
        scopes: SCOPES,
      });
      const call = (key: string) =>
        service.call({ consumer: app.consumer, token: { key, secret: '' } }, 'GET', `/records/${recordId}`);
      expect([(await call(token)).status, (await call(own)).status]).to.equal([403, 403]);
    });

    it('refuses the next call when the time, the app, the account, the share or the membership has ended', async () => {
      const [expired, app, share, member, placed, disabled] = [
        await ofRecord(OWNER, -1),
        await ofRecord(),
        await ofRecord(SHARE),
        await ofCarenet(),
        await ofCarenet(OWNER),
        await ofCarenet(OWNER),
      ];
      expect(await status(expired)).to.equal(401);
      expect([await status(app), await status(share), await status(member)]).to.equal([200, 200, 200]);
      // Rows are deleted without the code that also deletes the tokens, so that the check itself must notice.
      await knex()('record_share').where({ record_id: recordId }).delete();
      expect(await status(share)).to.equal(401);
      await knex()('carenet_account').where({ carenet_id: carenetId }).delete();
      expect([await status(member), await status(placed)]).to.equal([401, 200]);
      await knex()('carenet_app').where({ carenet_id: carenetId }).delete();
      expect([await status(placed), await status(app)]).to.equal([401, 200]);
      await knex()('record_app').where({ record_id: recordId }).delete();
      expect([await status(app), await status(disabled)]).to.equal([401, 401]);
    });

    it('refuses the next call of a disabled account and of a retired app', async () => {
      const account = `${newId()}@example.org`;
      await addPerson(service.services, account);
      await sharingStore.putShare(knex(), recordId, account, null, now());
      const token = await ofRecord(account);
      expect(await status(token)).to.equal(200);
      await knex()('account').where({ id: account }).update({ state: 'disabled' });
      expect(await status(token)).to.equal(401);
      const other = `${newId()}@apps.example`;
      await addApp(service.services, other, 'user');
      const ofOther = await mintSmartToken(service, { account: OWNER, record: recordId, app: other, scopes: SCOPES });
      expect(await status(ofOther)).to.equal(200);
      await knex()('app').where({ id: other }).update({ retired_at: now() });
      expect(await status(ofOther)).to.equal(401);
    });
  });
}
