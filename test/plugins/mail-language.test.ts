/** mail-language: mails are in the language in which their reader uses the website, or in that of the settings. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { direct } from '../support/direct';
import { databases } from '../support/databases';
import { mailsIn, waitForMail } from '../support/mails';
import { admin, startService, type TestService } from '../support/server';
import { enterSite } from '../support/site-record';
import { makeSite } from '../support/site';
import { createAccount, createRecord, PASSWORD, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const WAITS = {
  en: 'A message is waiting for you',
  de: 'Eine Nachricht wartet auf Sie',
  es: 'Le espera un mensaje',
  ar: 'رسالة تنتظرك',
};

for (const leg of databases) {
  describe(`the language of mails on ${leg.name}`, () => {
    let service: TestService;
    let people = 0;
    const person = (): string => `person${(people += 1)}@people.example`;
    const invite = (fields: Record<string, string>) =>
      service.call(admin, 'POST', '/accounts/', { form: { full_name: 'Ines', ...fields } });
    const write = async (id: string): Promise<void> => {
      const path = `/accounts/${encodeURIComponent(id)}/inbox/`;
      succeeded(await service.call(admin, 'POST', path, { form: { subject: 'Hello' } }));
    };
    const waits = (id: string, language: keyof typeof WAITS, count = 1) =>
      waitForMail(service.mailDir, id, WAITS[language], count);

    before(async () => {
      service = await startService(leg, { SVC_LANGUAGE: 'es', SVC_SIGN_UP: '1' });
    });
    after(() => service.stop());

    it('is that of the settings while nobody knows a better one', async () => {
      const id = person();
      succeeded(await invite({ account_id: id, secondary_secret_p: '1' }));
      const { text } = await waitForMail(service.mailDir, id, 'Active su cuenta');
      const [dear, why, code, unexpected, ...rest] = text.split('\n\n');
      // The first mail goes to whomever somebody names, so it greets by the address.
      expect([dear, rest]).to.equal([`Hola, ${id}:`, []]);
      expect(why).to.match(/^se ha creado [^\n]+\nhttp\S+\/init\/\S+$/);
      expect(code).to.match(/^[^\n]+\nhttp\S+\/send_secret\/\S+$/);
      expect(unexpected).to.match(/^Si no esperaba este correo, [^\n]+svc@localhost\.\n$/);
    });

    it('may be given with a new account, and must be one of the four', async () => {
      const [id, other] = [person(), person()];
      succeeded(await invite({ account_id: id, language: 'ar' }));
      expect((await waitForMail(service.mailDir, id, 'فعّل حسابك')).text).to.startWith(`مرحبًا ${id}،\n\n`);
      const refused = await invite({ account_id: other, language: 'xx' });
      expect([refused.status, refused.text.includes('language')]).to.equal([400, true]);
      expect(await direct(service.services.database)('account').where({ id: other })).to.have.length(0);
    });

    it('is that of the page on which somebody signs up', async () => {
      const id = person();
      const site = makeSite(service.running.server, 'de-AT, en;q=0.5');
      await site.submit(await site.open('/my/sign-up'), { given: 'Sam', family: 'Newcomer', email: id });
      expect((await waitForMail(service.mailDir, id, 'Aktivieren Sie Ihr Konto')).text).to.contain('nach dem Code');
    });

    it('follows the browser that signs in, until the person chooses one', async () => {
      const id = person();
      await createAccount(service.call, id, 'Gerda');
      await write(id);
      await waits(id, 'es');
      const german = await enterSite(service, id, 'de');
      await write(id);
      await waits(id, 'de');
      await enterSite(service, id, 'ar');
      await write(id);
      await waits(id, 'ar');
      await german.submit(await german.open('/my/account'), { what: 'manner', language: 'en', zone: 'UTC' });
      await enterSite(service, id, 'de');
      await write(id);
      expect((await waits(id, 'en')).text).to.startWith('Dear Gerda,\n\na new message');
    });

    it('is not changed by whoever does not know the password', async () => {
      const id = person();
      await createAccount(service.call, id, 'Greta');
      await enterSite(service, id, 'de');
      const site = makeSite(service.running.server, 'ar');
      const wrong = await site.submit(await site.open('/my/sign-in'), { username: id, password: `not ${PASSWORD}` });
      expect(wrong.status).to.equal(403);
      await write(id);
      await waits(id, 'de');
    });

    it('is each reader’s own where several get a mail', async () => {
      const [owner, guest] = [person(), person()];
      for (const [id, language] of [
        [owner, 'de'],
        [guest, 'ar'],
      ] as const) {
        await createAccount(service.call, id, `Reader ${language}`);
        await enterSite(service, id, language);
      }
      const record = await createRecord(service.call, owner);
      const share = { form: { account_id: guest } };
      succeeded(await service.call(admin, 'POST', `/records/${record}/shares/`, share));
      succeeded(await service.call(admin, 'POST', `/records/${record}/inbox/m-1`, { form: { subject: 'Hello' } }));
      await Promise.all([waits(owner, 'de'), waits(guest, 'ar')]);
      expect(mailsIn(service.mailDir).filter(({ to }) => to.includes(owner) || to.includes(guest))).to.have.length(2);
    });
  });
}
