/**
 * operation: the one function behind every door: the access rule, the input, the work and the audit row, for a page as
 * for a signed call.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { anonymous, type Principal } from '../../../core/auth/principal';
import { sha256 } from '../../../core/base/ids';
import { operate, type Page } from '../../../core/http/operation';
import { routes as accountRoutes } from '../../../plugins/accounts/routes';
import { routes as recordRoutes } from '../../../plugins/records/routes';
import { addPerson } from '../../support/cast';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService, ui, type TestService } from '../../support/server';
import * as accountStore from '../../../core/accounts/store';
import * as tokenStore from '../../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const specOf = (name: string) => [...accountRoutes, ...recordRoutes].find((spec) => spec.name === name)!;
const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const website = ui!.consumer.key;

const page: Page = {
  url: '/my/account',
  method: 'POST',
  ipAddress: '127.0.0.1',
  received: Date.parse('2026-03-04T10:00:00Z'),
  appId: website,
};

for (const leg of databases) {
  describe(`an operation behind a door on ${leg.name}`, () => {
    let service: TestService;
    let olga: Principal;
    let rows: () => Promise<Record<string, unknown>[]>;

    before(async () => {
      service = await startService(leg);
      const { token } = await addPerson(service.services, OLGA, 'Olga');
      await addPerson(service.services, PAUL, 'Paul');
      olga = { kind: 'account', accountId: OLGA, uiAppId: website, sessionHash: sha256(token!.key) };
      rows = () => direct(service.services.database)('audit').orderBy('writer_seq', 'desc');
    });
    after(() => service.stop());

    it('answers the handler’s value and leaves a row with the page, the person and the door', async () => {
      const account = (await operate(
        specOf('account_info'),
        { principal: olga, params: { ACCOUNT_EMAIL: ` ${OLGA.toUpperCase()}` } },
        page,
        service.services,
      )) as { fullName: string };
      expect(account.fullName).to.equal('Olga');
      const [row] = await rows();
      expect(row).to.include({
        function_name: 'account_info',
        principal_id: OLGA,
        proxy_id: website,
        ui_app_id: website,
        account_id: OLGA,
        url: '/my/account',
        method: 'POST',
        status: 200,
        requested_at: '2026-03-04T10:00:00.000000Z',
      });
    });

    it('refuses what the rule refuses, and the row says so', async () => {
      const stranger = operate(
        specOf('account_info'),
        { principal: olga, params: { ACCOUNT_EMAIL: PAUL } },
        page,
        service.services,
      );
      await expect(stranger).to.reject(/do not permit/);
      const nobody = operate(
        specOf('record_list'),
        { principal: anonymous, params: { ACCOUNT_EMAIL: OLGA } },
        page,
        service.services,
      );
      await expect(nobody).to.reject(/do not permit/);
      const [second, first] = await rows();
      expect(first).to.include({ function_name: 'account_info', account_id: PAUL, status: 403, successful: 0 });
      expect(second).to.include({ function_name: 'record_list', principal_id: null, proxy_id: null, status: 403 });
    });

    it('checks the input as the API does', async () => {
      const asked = { principal: olga, params: { ACCOUNT_EMAIL: OLGA } };
      const list = operate(specOf('record_list'), { ...asked, query: { limit: 'x' } }, page, service.services);
      await expect(list).to.reject(/limit is not valid/);
      const change = operate(
        specOf('account_info_set'),
        { ...asked, body: { full_name: 'Two\nlines' } },
        page,
        service.services,
      );
      await expect(change).to.reject(/one line/);
      expect((await rows())[0]).to.include({ function_name: 'account_info_set', status: 400 });
    });

    it('writes nothing for a session that ended while the page was worked on', async () => {
      await tokenStore.endSessions(direct(service.services.database), OLGA);
      const change = operate(
        specOf('account_info_set'),
        { principal: olga, params: { ACCOUNT_EMAIL: OLGA }, body: { full_name: 'Late' } },
        page,
        service.services,
      );
      await expect(change).to.reject(/do not permit/);
      expect(await accountStore.findAccount(direct(service.services.database), OLGA)).to.include({
        fullName: 'Olga',
      });
    });
  });
}
