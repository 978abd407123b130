/** invitations: from the mail to a share that the inviter has said yes to; nothing is shown before, and nothing told. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { nameInMail } from '../../../plugins/records/invitations';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { waitForMail } from '../../support/mails';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import {
  enterSite,
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  STRANGER,
  type SiteRecord,
} from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { PASSWORD, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NEW = 'lena@people.example';
const SUBJECT = 'An invitation to a health record';

/** Where the form with a button is sent, and its fields. */
const answerOn = (page: SitePage, crumb: string, button: string, what: string): [string, Record<string, string>] => {
  const { action, fields } = formsOf(page).find(({ html }) => html.includes(button))!;
  return [action, { ...fields, crumb, what }];
};

describe('the name of an inviter in a mail', () => {
  it('is cut, in one line, and holds no address', () => {
    expect(nameInMail('Olga Openshaw')).to.equal('Olga Openshaw');
    expect(nameInMail('Olga\r\nBcc: x https://bad.example/a bad.example www.bad me@bad.example //x')).to.equal(
      'Olga x',
    );
    expect(nameInMail('n'.repeat(200))).to.have.length(60);
    expect(nameInMail('J. R. Ewing')).to.equal('J. R. Ewing');
  });
});

for (const leg of databases) {
  describe(`invitations on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let address: string;
    const look = (site: Site = record.owner): Promise<SitePage> => site.open(address);
    const post = (site: Site, path: string, fields: Readonly<Record<string, string>>): Promise<SitePage> =>
      site.post(path, { crumb: site.cookies.get('crumb')!, ...fields });
    const send = (email: string, gives = record.carenetId, name = 'Lena'): Promise<SitePage> =>
      post(record.owner, address, { what: 'invite', name, email, gives });
    const act = async (what: string, email: string): Promise<SitePage> => {
      const row = [...(await look()).text.matchAll(/<li>[^]*?<\/li>/g)].map(([one]) => one);
      const id = /name="id" value="([\w-]+)"/.exec(row.find((one) => one.includes(email)) ?? '')?.[1] ?? '-';
      return post(record.owner, address, { what, id });
    };
    const linkTo = async (email: string): Promise<string> => {
      const mail = await waitForMail(service.mailDir, email, SUBJECT);
      return new URL(mail.links.find((one) => one.includes('/invitations/'))!).pathname;
    };
    const anybody = async (): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.open('/my/sign-in');
      return site;
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      address = `/my/records/${record.recordId}/sharing/invite`;
      await record.store(factsDocument(service, factOf('Problem', { name_title: 'Secret asthma' })));
      await record.owner.open(address);
    });
    after(() => service.stop());

    it('begin on a page that the sharing page leads to, with what is wrong at its field', async () => {
      expect((await record.owner.open(`/my/records/${record.recordId}/sharing`)).text).to.contain(`href="${address}"`);
      expect(readable(await look())).to.contain(['Invite somebody', 'Name', 'E-mail', 'What to begin with', 'Family']);
      const wrong = await post(record.owner, address, { what: 'invite', name: '', email: 'nobody' });
      expect(wrong.status).to.equal(400);
      expect(readable(wrong)).to.contain('Choose at least one thing');
      expect((await send('x@people.example', 'another-circle')).status).to.equal(400);
      expect((await look(record.stranger)).status).to.equal(404);
      expect((await look(record.member)).status).to.equal(404);
    });

    it('let somebody without an account in, after the inviter has said yes', async () => {
      expect((await send(NEW)).status).to.equal(303);
      const mail = await waitForMail(service.mailDir, NEW, SUBJECT);
      expect(mail.text)
        .to.contain('Olga Openshaw')
        .and.to.not.match(/Lena|Mira|Halvorsen|asthma|Family/i);
      const link = await linkTo(NEW);
      const guest = await anybody();
      const page = await guest.open(link);
      expect(page.status).to.equal(200);
      expect(readable(page))
        .to.contain('Olga Openshaw invites you')
        .and.to.not.match(/Mira|Halvorsen|Family/);
      const asked = await guest.submit(page, { name: 'Lena Vik' });
      const code = /\b\d{6}\b/.exec(readable(asked))![0];
      const activation = await waitForMail(service.mailDir, NEW, 'Activate your account');
      const init = new URL(activation.links.find((one) => one.includes('/init/'))!).pathname;
      await guest.submit(await guest.open(init), { code, username: 'lena', password: PASSWORD });
      expect(guest.cookies.has('svc_session'), 'signed in').to.be.true();
      await guest.submit(await guest.open(link), {}, 'Yes, it is me');
      expect(readable(await guest.open(link))).to.contain('now sees that you came');
      // Nothing is shown before the inviter has answered.
      expect((await guest.open(`/my/carenets/${record.carenetId}/`)).status).to.equal(404);
      expect(readable(await look())).to.contain(['Lena Vik', NEW, 'has followed the link', 'Let Lena Vik in']);
      // The page of who sees the record says first that somebody waits, and can answer, too.
      const sharing = `/my/records/${record.recordId}/sharing`;
      const waiting = await record.owner.open(sharing);
      expect(waiting.text.indexOf('Let Lena Vik in')).to.be.within(1, waiting.text.indexOf('id="people"'));
      const inside = await record.owner.post(
        ...answerOn(waiting, record.owner.cookies.get('crumb')!, 'Let Lena Vik in', 'yes'),
      );
      expect(inside.headers['location']).to.equal(`${sharing}?note=in`);
      expect(readable(await record.owner.open(`${sharing}?note=in`))).to.contain(['They are let in', 'Lena Vik']);
      expect((await guest.open(`/my/carenets/${record.carenetId}/`)).status).to.equal(200);
      expect((await guest.open(`/my/records/${record.recordId}/`)).status).to.equal(404);
      expect((await guest.open(link)).status).to.equal(404);
    });

    it('are good for one account, and not for the inviter', async () => {
      await send('tom@people.example', 'whole');
      const link = await linkTo('tom@people.example');
      expect((await record.owner.open(link)).status).to.equal(404);
      const first = await enterSite(service, STRANGER);
      expect((await post(first, link, {})).status).to.equal(303);
      const second = await enterSite(service, MEMBER);
      expect((await second.open(link)).status).to.equal(404);
      expect((await post(second, link, {})).status).to.equal(404);
      expect((await (await anybody()).open(link)).status).to.equal(404);
      // No ends it, and gives nothing.
      await act('no', 'tom@people.example');
      expect((await first.open(link)).status).to.equal(404);
      expect((await first.open(`/my/records/${record.recordId}/`)).status).to.equal(404);
      expect((await act('yes', 'tom@people.example')).status).to.equal(404);
    });

    it('end when they are taken back, and after 14 days', async () => {
      await send('back@people.example');
      const link = await linkTo('back@people.example');
      const sharing = readable(await record.owner.open(`/my/records/${record.recordId}/sharing`));
      expect(sharing).to.contain(['Who is invited', 'back@people.example', 'Take back']);
      expect((await (await anybody()).open(link)).status).to.equal(200);
      await act('back', 'back@people.example');
      expect((await (await anybody()).open(link)).status).to.equal(404);
      await send('late@people.example');
      const late = await linkTo('late@people.example');
      await direct(service.services.database)('record_invitation').update({
        expires_at: '2020-01-01T00:00:00.000000Z',
      });
      const dead = await (await anybody()).open(late);
      expect(dead.status).to.equal(404);
      expect(readable(dead)).to.equal(readable(await (await anybody()).open('/my/invitations/unknown')));
    });

    it('are sent again by who sent them, with a new link, until somebody comes', async () => {
      const to = 'again@people.example';
      await send(to);
      const first = await linkTo(to);
      const asked = await record.owner.open(`/my/records/${record.recordId}/sharing`);
      const again = answerOn(asked, record.owner.cookies.get('crumb')!, 'Send it again', 'again');
      const form = { account_id: MEMBER };
      succeeded(await service.call(record.credentials, 'POST', `/records/${record.recordId}/shares/`, { form }));
      // Who shares the record sees the invitation, but the mail would say the name of somebody else.
      const anna = await enterSite(service, MEMBER);
      expect(readable(await anna.open(address)))
        .to.contain(to)
        .and.to.not.contain('Send it again');
      expect((await post(anna, again[0], { ...again[1], crumb: anna.cookies.get('crumb')! })).status).to.equal(404);
      succeeded(await service.call(record.credentials, 'DELETE', `/records/${record.recordId}/shares/${MEMBER}`));
      expect(
        (await post(record.stranger, again[0], { ...again[1], crumb: record.stranger.cookies.get('crumb')! })).status,
      ).to.equal(404);
      const sent = await record.owner.post(...again);
      expect(sent.headers['location']).to.equal(`/my/records/${record.recordId}/sharing?note=again`);
      expect(readable(await record.owner.open(sent.headers['location'] as string))).to.contain('with a new link');
      const { links } = await waitForMail(service.mailDir, to, SUBJECT, 2);
      const second = new URL(links.find((one) => one.includes('/invitations/'))!).pathname;
      expect(second).to.not.equal(first);
      expect((await (await anybody()).open(first)).status).to.equal(404);
      expect((await (await anybody()).open(second)).status).to.equal(200);
      expect((await post(await enterSite(service, STRANGER), second, {})).status).to.equal(303);
      expect((await record.owner.post(...again)).status).to.equal(404);
      expect(readable(await look()))
        .to.contain('Let ')
        .and.to.not.contain('Send it again');
      await act('no', to);
    });

    it('answer the same to whoever has an account and whoever has none', async () => {
      const said = async (email: string): Promise<string> => {
        await send(email);
        const guest = await anybody();
        const page = await guest.open(await linkTo(email));
        const asked = await guest.submit(page, { name: 'Somebody' });
        await act('back', email);
        return readable(asked).replace(/\b\d{6}\b/, 'CODE');
      };
      expect(await said(MEMBER)).to.equal(await said('nobody-here@people.example'));
    });

    it('keep the secret out of the audit and the database', async () => {
      await send('audit@people.example');
      const link = await linkTo('audit@people.example');
      await (await anybody()).open(link);
      const secret = link.split('/').at(-1)!;
      const rows = (await direct(service.services.database)('audit').pluck('url')) as string[];
      expect(rows.some((url) => url.includes(secret))).to.be.false();
      expect(rows.some((url) => url.includes('/invitations/{INVITATION_SECRET}'))).to.be.true();
      const kept = JSON.stringify(await direct(service.services.database)('record_invitation').select());
      expect(kept).to.not.contain(secret).and.to.not.contain('audit@people.example');
      await act('back', 'audit@people.example');
    });

    it('give everything for the owner only, and say what they do in the history', async () => {
      const form = { account_id: MEMBER };
      succeeded(await service.call(record.credentials, 'POST', `/records/${record.recordId}/shares/`, { form }));
      const anna = await enterSite(service, MEMBER);
      const page = await anna.open(address);
      expect(page.status).to.equal(200);
      expect(page.text).to.not.contain('value="whole"');
      const refused = await post(anna, address, {
        what: 'invite',
        name: 'X',
        email: 'x@people.example',
        gives: 'whole',
      });
      expect([403, 404]).to.include(refused.status);
      succeeded(await service.call(record.credentials, 'DELETE', `/records/${record.recordId}/shares/${MEMBER}`));
      const history = readable(await record.owner.open(`/my/records/${record.recordId}/history`));
      expect(history).to.contain('invited somebody by mail');
    });

    it('have a limit of ten mails a day', async () => {
      const statuses: number[] = [];
      for (let index = 0; index < 11; index += 1) {
        statuses.push((await send(`many-${index}@people.example`)).status);
      }
      expect(statuses.at(-1)).to.equal(429);
      expect(readable(await look())).to.not.contain('many-10@people.example');
      expect(formsOf(await look()).length).to.be.above(1);
    });

    it('need the crumb of the session', async () => {
      const page = await record.owner.post(address, {
        what: 'invite',
        name: 'Y',
        email: 'y@people.example',
        gives: OWNER,
      });
      expect(page.status).to.equal(403);
    });
  });

  describe(`invitations without accounts on ${leg.name}`, () => {
    it('say whom to ask where nobody may make an account', async () => {
      const service = await startService(leg, { SVC_INVITATIONS: '0' });
      try {
        const record = await makeSiteRecord(service);
        const address = `/my/records/${record.recordId}/sharing/invite`;
        await record.owner.open(address);
        const fields = { what: 'invite', name: 'Lena', email: NEW, gives: record.carenetId };
        await record.owner.post(address, { crumb: record.owner.cookies.get('crumb')!, ...fields });
        const mail = await waitForMail(service.mailDir, NEW, SUBJECT);
        const link = new URL(mail.links[0]!).pathname;
        const guest = makeSite(service.running.server);
        await guest.open('/my/sign-in');
        const page = await guest.open(link);
        expect(readable(page)).to.contain('To see it you need an account here.').and.to.not.contain('Make an account');
        const tried = await guest.post(link, { crumb: guest.cookies.get('crumb')!, name: 'Lena' });
        expect(tried.status).to.equal(404);
      } finally {
        await service.stop();
      }
    });
  });
}
