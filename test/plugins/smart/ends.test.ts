/**
 * ends: what a person gave to an app ends at its next call when what it rests on ends, and does not come back by
 * itself.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { closeRecord } from '../../../core/records/erasure-store';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { makeSite, type Site } from '../../support/site';
import { enterSite } from '../../support/site-record';
import { admin, startService, type TestService } from '../../support/server';
import {
  addSmartApp,
  ask,
  askingOf,
  codeFor,
  exchange,
  leadsTo,
  letIn,
  newVerifier,
  press,
  refresh,
  type SmartApp,
} from '../../support/smart-app';
import { attribute, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';
import type { Credentials } from '../../support/client';
import * as appStore from '../../../core/apps/store';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after } = lab;

const OWNER = 'olga@people.example';
const FRIEND = 'fred@people.example';
const SCOPES = 'launch/patient offline_access patient/*.rs';

for (const leg of databases) {
  describe(`what ends what SMART gave on ${leg.name}`, () => {
    let service: TestService;
    let app: SmartApp;
    let owner: Credentials;
    let ownerSite: Site;
    let friendSite: Site;
    let recordId: string;
    let carenetId: string;
    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OWNER);
      await createAccount(service.call, FRIEND);
      app = await addSmartApp(service, 'pulse@apps.example', { token_endpoint_auth_method: 'none' });
      owner = await signIn(service.call, OWNER);
      ownerSite = await enterSite(service, OWNER);
      friendSite = await enterSite(service, FRIEND);
    });
    after(() => service.stop());

    const call = (...args: Parameters<TestService['call']>) => service.call(...args);
    beforeEach(async () => {
      recordId = await createRecord(service.call, OWNER);
      const { text } = succeeded(await call(owner, 'GET', `/records/${recordId}/carenets/`));
      carenetId = attribute(text, 'Carenet', 'id');
    });

    type Granted = Readonly<Record<string, unknown>>;
    const works = async ({ access_token }: Granted): Promise<number> => {
      const headers = { authorization: `Bearer ${String(access_token)}` };
      return (await ask(service.running.server, 'GET', `/fhir/Patient/${recordId}`, undefined, headers)).status;
    };
    const renews = async ({ refresh_token }: Granted): Promise<string> => {
      const { status, json } = await refresh(service, app, refresh_token);
      return status === 200 ? 'yes' : String(json['error']);
    };
    /** The token works before `end`, and neither works nor renews afterwards. */
    const ends = async (
      granted: Granted,
      end: () => Promise<unknown>,
      again?: () => Promise<unknown>,
    ): Promise<void> => {
      expect(await works(granted)).to.equal(200);
      await end();
      expect(await works(granted)).to.equal(401);
      await again?.();
      expect([await works(granted), await renews(granted)]).to.equal([401, 'invalid_grant']);
    };
    const share = (): Promise<unknown> =>
      call(owner, 'POST', `/records/${recordId}/shares/`, { form: { account_id: FRIEND } }).then(succeeded);
    const join = (): Promise<unknown> =>
      call(owner, 'POST', `/carenets/${carenetId}/accounts/`, { form: { account_id: FRIEND, write: 'false' } }).then(
        succeeded,
      );

    it('the app is taken out of the record, and let in again', async () => {
      const path = `/records/${recordId}/apps/${encodeURIComponent(app.id)}`;
      await ends(
        await letIn(service, ownerSite, app, recordId, SCOPES),
        () => call(owner, 'DELETE', path).then(succeeded),
        () => call(owner, 'PUT', path).then(succeeded),
      );
    });

    it('the app is taken out of the carenet', async () => {
      await ends(await letIn(service, ownerSite, app, carenetId, SCOPES), () =>
        call(owner, 'DELETE', `/carenets/${carenetId}/apps/${encodeURIComponent(app.id)}`).then(succeeded),
      );
    });

    it('the share ends, and begins again', async () => {
      await share();
      await ends(
        await letIn(service, friendSite, app, recordId, SCOPES),
        () => call(owner, 'DELETE', `/records/${recordId}/shares/${encodeURIComponent(FRIEND)}`).then(succeeded),
        share,
      );
    });

    it('the membership of the carenet ends, and begins again', async () => {
      await letIn(service, ownerSite, app, carenetId, SCOPES);
      await join();
      await ends(
        await letIn(service, friendSite, app, carenetId, SCOPES),
        () => call(owner, 'DELETE', `/carenets/${carenetId}/accounts/${encodeURIComponent(FRIEND)}`).then(succeeded),
        join,
      );
    });

    it('the carenet is deleted', async () => {
      const made = succeeded(
        await call(owner, 'POST', `/records/${recordId}/carenets/`, { form: { name: 'Mine' } }),
      ).text;
      const mine = attribute(/<Carenet\b[^>]*name="Mine"[^>]*>/.exec(made)![0], 'Carenet', 'id');
      await ends(await letIn(service, ownerSite, app, mine, SCOPES), () =>
        call(owner, 'DELETE', `/carenets/${mine}`).then(succeeded),
      );
    });

    it('the account is disabled, and active again', async () => {
      const id = 'gone@people.example';
      await createAccount(service.call, id);
      recordId = await createRecord(service.call, id);
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      const state = (to: string): Promise<unknown> =>
        call(admin, 'POST', `/accounts/${encodeURIComponent(id)}/set-state`, { form: { state: to } }).then(succeeded);
      await ends(
        await letIn(service, site, app, recordId, SCOPES),
        () => state('disabled'),
        () => state('active'),
      );
    });

    it('the app is retired, and comes back', async () => {
      const other = await addSmartApp(service, 'short@apps.example', { token_endpoint_auth_method: 'none' });
      const granted = await letIn(service, ownerSite, other, recordId, SCOPES);
      const { database } = service.services;
      expect(await works(granted)).to.equal(200);
      await database.transaction((trx) => appStore.retireApp(trx, other.id, new Date().toISOString()));
      expect(await works(granted)).to.equal(401);
      expect((await refresh(service, other, granted['refresh_token'])).json['error']).to.equal('invalid_client');
      await direct(database)('app').where({ id: other.id }).update({ retired_at: null });
      expect((await refresh(service, other, granted['refresh_token'])).json['error']).to.equal('invalid_grant');
    });

    it('what it rests on ends between the answer and the code, or the code and the token', async () => {
      const removed = `/records/${recordId}/apps/${encodeURIComponent(app.id)}`;
      const verifier = newVerifier();
      const answered = await press(ownerSite, await ownerSite.open(askingOf(service, app, verifier)), 'yes', recordId);
      succeeded(await call(owner, 'DELETE', removed));
      const back = await ownerSite.get(leadsTo(answered));
      expect(new URL(String(back.headers['location'])).searchParams.get('error')).to.equal('access_denied');
      const code = await codeFor(service, ownerSite, app, { verifier, what: recordId });
      succeeded(await call(owner, 'DELETE', removed));
      expect((await exchange(service, app, code, verifier)).json['error']).to.equal('invalid_grant');
    });

    it('the session, for an app that was let in for no longer', async () => {
      const site = await enterSite(service, OWNER);
      const scope = 'launch/patient online_access patient/*.rs';
      const granted = await letIn(service, site, app, recordId, scope);
      const next = await refresh(service, app, granted['refresh_token']);
      expect([next.status, next.json['scope']]).to.equal([200, scope]);
      await site.submit(await site.open('/my/'), {}, 'sign-out');
      expect(await renews(next.json)).to.equal('invalid_grant');
    });

    it('the record is deleted', async () => {
      const granted = await letIn(service, ownerSite, app, recordId, SCOPES);
      await service.services.database.transaction((trx) => closeRecord(trx, recordId));
      expect([await works(granted), await renews(granted)]).to.equal([401, 'invalid_grant']);
    });
  });
}
