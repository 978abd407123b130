/**
 * inbox: messages, notices and attachments of a person, and messages to the people of a record; nobody else's are
 * shown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { makeSite, readable, type Site, type SitePage } from '../../support/site';
import { admin, startService, ui, type TestService } from '../../support/server';
import { createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const JONAS = 'jonas@people.example';
const ANNA = 'anna@people.example';
/** The words of the page header. */
const frameOf = ({ text }: SitePage): string =>
  (/<header class="top">[^]*?<\/header>/.exec(text)?.[0] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const HOSTILE = '<script>x</script> "&\' {who}';
const allergy = readFileSync(join(projectRoot, 'pipeline-config', 'allergy', 'sample-peanut.xml'), 'utf8').replaceAll(
  '{vocab_base}',
  'https://svc.example/vocab',
);

for (const leg of databases) {
  describe(`the inbox on ${leg.name}`, () => {
    let service: TestService;
    let recordId: string;
    const sites: Record<string, Site> = {};

    const post = async (who: string, path: string, fields: Readonly<Record<string, string>>) => {
      const site = sites[who]!;
      await site.open('/my/account');
      const answer = await site.post(path, { crumb: site.cookies.get('crumb')!, ...fields });
      return answer.status === 303 ? site.open(String(answer.headers['location'])) : answer;
    };
    const messages = async (): Promise<readonly Record<string, unknown>[]> =>
      (await direct(service.services.database)('message').orderBy('seq')) as Record<string, unknown>[];
    /** Finds a message as the person does: by its subject on the page, which is sealed in the database. */
    const pathOf = async (who: string, subject: string): Promise<string> => {
      const page = await sites[who]!.open('/my/inbox/?archived=1');
      const links = [...page.text.matchAll(/href="(\/my\/inbox\/[^"?]+)"[^>]*>([^]*?)<\/a>/g)];
      return links.find(([, , text]) => readable({ ...page, text: `<main>${text!}</main>` }).endsWith(subject))![1]!;
    };

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OLGA, 'Olga Owner');
      await createAccount(service.call, JONAS, HOSTILE);
      await createAccount(service.call, ANNA, 'Anna Stranger');
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
      const olga = await signIn(service.call, OLGA);
      succeeded(await service.call(olga, 'POST', `/records/${recordId}/shares/`, { form: { account_id: JONAS } }));
      for (const id of [OLGA, JONAS, ANNA]) {
        const site = makeSite(service.running.server);
        await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
        sites[id] = site;
      }
    });
    after(() => service.stop());

    it('says what it has none of', async () => {
      expect(readable(await sites[ANNA]!.open('/my/inbox/'))).to.contain([
        'Nothing is unread.',
        'There are no messages.',
        'There are no notices.',
        'You can write to the people of a record that is yours',
      ]);
    });

    it('writes to the people of a record in the name of the person, once a form', async () => {
      const page = await sites[JONAS]!.open('/my/inbox/');
      const fields = { record: recordId, subject: HOSTILE, text: `Line one\n${HOSTILE}` };
      expect(readable(await sites[JONAS]!.submit(page, fields))).to.contain('Sent');
      expect(readable(await sites[JONAS]!.submit(page, fields))).to.contain('Sent');
      expect((await messages()).map((row) => [row['account_id'], row['sender_id']]).sort()).to.equal([
        [JONAS, ui!.consumer.key],
        [OLGA, ui!.consumer.key],
      ]);
      const inbox = await sites[OLGA]!.open('/my/inbox/');
      expect(readable(inbox)).to.contain([`${HOSTILE}, about Mira Halvorsen`, 'One message is unread.']);
      const unread = / Inbox 1 unread message /;
      expect(frameOf(await sites[OLGA]!.open('/my/account'))).to.match(unread);
      expect(frameOf(await sites[ANNA]!.open('/my/account'))).to.not.contain('unread');
      const read = await sites[OLGA]!.open(await pathOf(OLGA, HOSTILE));
      expect(readable(read)).to.contain([`From ${HOSTILE}, about Mira Halvorsen`, 'Line one']);
      expect(`${inbox.text}${read.text}`).to.not.contain('<script');
      expect(readable(await sites[OLGA]!.open('/my/inbox/'))).to.contain('Nothing is unread.');
      expect(frameOf(await sites[OLGA]!.open('/my/account'))).to.not.contain('unread');
    });

    it('refuses to write without words, and about a record that is not theirs', async () => {
      const empty = await post(OLGA, '/my/inbox/', { record: recordId, subject: '', text: ' ' });
      expect([empty.status, (empty.text.match(/aria-invalid/g) ?? []).length]).to.equal([400, 2]);
      const before = (await messages()).length;
      const stranger = await post(ANNA, '/my/inbox/', { record: recordId, subject: 'Hello', text: 'there' });
      expect(stranger.status).to.equal(404);
      expect((await post(ANNA, '/my/inbox/', { subject: 'Hello', text: 'there' })).status).to.equal(404);
      expect((await sites[OLGA]!.post('/my/inbox/', { crumb: 'x'.repeat(43), record: recordId })).status).to.equal(403);
      expect((await messages()).length).to.equal(before);
    });

    it('shows what an app wrote, adds what came with it to the record once, and archives', async () => {
      const at = `/records/${recordId}/inbox/results-1`;
      succeeded(
        await service.call(admin, 'POST', at, {
          form: {
            subject: 'Results',
            body: '**Bold** <img src=x> [a](javascript:alert(1))',
            body_type: 'markdown',
            num_attachments: '1',
          },
        }),
      );
      succeeded(await service.call(admin, 'POST', `${at}/attachments/1`, { body: allergy }));
      const path = await pathOf(OLGA, 'Results');
      const shown = await sites[OLGA]!.open(path);
      expect(readable(shown)).to.contain(['From Administration', 'Allergy', 'Add to my record']);
      expect(shown.text)
        .to.contain('<strong>Bold</strong>')
        .and.to.not.contain('<img')
        .and.to.not.contain('href="javascript');
      const added = await post(OLGA, path, { what: 'add', num: '1' });
      expect(readable(added)).to.contain(['Added to the record', 'In the record']);
      const twice = await post(JONAS, await pathOf(JONAS, 'Results'), { what: 'add', num: '1' });
      expect([twice.status, readable(twice).includes('It is in the record already')]).to.equal([400, true]);
      expect((await post(OLGA, path, { what: 'add', num: '2' })).status).to.equal(404);
      const documents = succeeded(
        await service.call(await signIn(service.call, OLGA), 'GET', `/records/${recordId}/documents/?type=Allergy`),
      ).text;
      expect(documents).to.contain('total_document_count="1"');
      expect(readable(await post(OLGA, path, { what: 'archive' })))
        .to.contain('Archived')
        .and.to.not.contain('Results');
      expect(readable(await sites[OLGA]!.open('/my/inbox/?archived=1'))).to.contain(['Results', 'archived']);
    });

    it('shows notices as text', async () => {
      succeeded(
        await service.call(admin, 'POST', `/records/${recordId}/notifications/`, {
          form: { content: `New: ${HOSTILE}` },
        }),
      );
      const page = await sites[OLGA]!.open('/my/inbox/');
      expect(readable(page)).to.contain([`New: ${HOSTILE}`, 'Administration, about Mira Halvorsen']);
      expect(page.text).to.not.contain('<script');
    });

    it('has nobody else’s messages', async () => {
      const path = await pathOf(OLGA, 'Results');
      expect((await sites[ANNA]!.get(path)).status).to.equal(404);
      expect((await post(ANNA, path, { what: 'archive' })).status).to.equal(404);
      expect((await post(JONAS, path, { what: 'add', num: '1' })).status).to.equal(404);
      expect((await makeSite(service.running.server).get('/my/inbox/')).status).to.equal(303);
    });
  });
}
