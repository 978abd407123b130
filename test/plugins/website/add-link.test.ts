/**
 * add-link: a person adds what a clinic or an app gave as a link or code: looked at first, like a file, with its source,
 * and with what must be confirmed; every failure in words, and nothing stored by it.
 */
import { randomBytes } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import {
  attestedBy,
  cardOf,
  digitsOf,
  linkText,
  makeIssuer,
  sealedFile,
  startGiver,
  type Giver,
} from '../../support/links-of-others';
import { qrPicture } from '../../support/qr-picture';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type SitePage } from '../../support/site';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const bundleOf = (given: string, family: string, problem: string): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  timestamp: '2026-11-28T11:00:00Z',
  entry: [
    {
      fullUrl: 'urn:uuid:6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      resource: { resourceType: 'Patient', name: [{ family, given: [given] }] },
    },
    {
      fullUrl: 'urn:uuid:6ba7b811-9dad-41d1-80b4-00c04fd430c8',
      resource: {
        resourceType: 'Condition',
        code: { text: problem },
        subject: { reference: 'urn:uuid:6ba7b810-9dad-41d1-80b4-00c04fd430c8' },
      },
    },
  ],
});
const mine = (problem: string): object => bundleOf('Mira', 'Halvorsen', problem);

for (const leg of databases) {
  describe(`links and codes at the website on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let giver: Giver;
    let base: string;
    const key = randomBytes(32);
    before(async () => {
      service = await startService(leg, { SVC_CALLBACK_ALLOW_PRIVATE: '1', SVC_NAME: 'Our records' });
      made = await makeSiteRecord(service);
      giver = await startGiver();
      base = `/my/records/${made.recordId}`;
    });
    after(async () => {
      await giver.close();
      await service.stop();
    });

    const serve = (path: string, content: object): string => {
      giver.answers.set(path, () => ({ body: sealedFile(JSON.stringify(content), key) }));
      return linkText({ url: `${giver.base}${path}`, flag: 'U', key: key.toString('base64url'), label: 'Verona' });
    };
    const give = async (link: string, passcode?: string): Promise<SitePage> => {
      const page = await made.owner.open(`${base}/add`);
      const { fields } = formsOf(page).find((form) => form.fields['what'] === 'link')!;
      return made.owner.post(`${base}/add`, { ...fields, link, ...(passcode === undefined ? {} : { passcode }) });
    };
    const documents = async (): Promise<number> =>
      Number(
        /total_document_count="(\d+)"/.exec(
          (await service.call(made.credentials, 'GET', `/records/${made.recordId}/documents/`)).text,
        )![1],
      );
    const addForm = (page: SitePage) => formsOf(page).find(({ fields }) => fields['form'] !== undefined)!;

    it('are looked at, and stored with where they came from', async () => {
      const link = serve('/mine', mine('Hay fever'));
      const before = await documents();
      const looked = await give(`Your visit: ${link}`);
      expect([looked.status, readable(looked).includes('Hay fever')]).to.equal([200, true]);
      expect(readable(looked)).to.contain(`From a link of ${giver.host}`);
      expect(await documents()).to.equal(before);
      expect(giver.asked.at(-1)!.url).to.contain('recipient=Our+records');
      const added = await made.owner.post(`${base}/add`, { ...addForm(looked).fields, nevershare: '', confirm: '' });
      expect(added.status).to.equal(303);
      const page = await made.owner.open(String(added.headers['location']));
      expect(readable(page)).to.contain(`It came from a link of ${giver.host}, fetched on`);
      expect(readable(await made.owner.open(`${base}/documents/`))).to.contain(
        `from a link of ${giver.host}, fetched on`,
      );
      expect(await documents()).to.equal(before + 1);
      expect(readable(await give(link))).to.contain('This record has Verona already');
    });

    it('say with which app they were made, if that was checked', async () => {
      const app = makeIssuer(giver);
      const looked = await give(serve('/attested', { ...attestedBy(app), ...mine('Eczema') }));
      expect(readable(looked)).to.contain('Eczema').and.contain(`made with an app of ${giver.host}, checked`);
      const wrong = attestedBy({ ...app, kid: 'another' });
      const unsaid = await give(serve('/unsaid', { ...wrong, ...mine('Eczema') }));
      expect([readable(unsaid).includes('Eczema'), readable(unsaid).includes('made with')]).to.equal([true, false]);
    });

    it('about somebody else are added only when the person says so', async () => {
      const looked = await give(serve('/other', bundleOf('Jonas', 'Moe', 'Gout')));
      expect(readable(looked)).to.contain('It is about somebody else');
      const { fields } = addForm(looked);
      const before = await documents();
      const refused = await made.owner.post(`${base}/add`, { ...fields, nevershare: '', confirm: '' });
      expect([refused.status, readable(refused).includes('Tick this')]).to.equal([400, true]);
      expect(await documents()).to.equal(before);
      const box = /name="confirm" value="([^"]+)"/.exec(looked.text)![1]!;
      const added = await made.owner.post(`${base}/add`, { ...fields, nevershare: '', confirm: box });
      expect([added.status, await documents()]).to.equal([303, before + 1]);
    });

    it('that are cards say who signed them, and a wrong signature is confirmed', async () => {
      const issuer = makeIssuer(giver);
      const card = cardOf(issuer, mine('Measles'));
      expect(readable(await give(`shc:/${digitsOf(card)}`))).to.contain(`signed by ${giver.host}, checked`);
      const lost = cardOf(makeIssuer(giver, { lost: true }), mine('Measles'));
      expect(readable(await give(`shc:/${digitsOf(lost)}`))).to.contain('could not be checked');
      const forged = `${card.slice(0, card.lastIndexOf('.'))}.${lost.split('.')[2]}`;
      const looked = await give(`shc:/${digitsOf(forged)}`);
      expect(readable(looked)).to.contain('the signature is wrong');
      const refused = await made.owner.post(`${base}/add`, { ...addForm(looked).fields, nevershare: '', confirm: '' });
      expect(refused.status).to.equal(400);
      const file = await made.owner.send(await made.owner.open(`${base}/add`), [
        { field: 'file', name: 'mine.smart-health-card', bytes: JSON.stringify({ verifiableCredential: [card] }) },
      ]);
      expect(readable(file)).to.contain('Measles').and.contain(`signed by ${giver.host}, checked`);
    });

    it('are read from pictures of codes, in several parts, and any other picture is a file', async () => {
      const sendAll = async (...files: readonly (readonly [string, Buffer])[]): Promise<SitePage> =>
        made.owner.send(
          await made.owner.open(`${base}/add`),
          files.map(([name, bytes]) => ({ field: 'file', name, bytes, type: 'image/png' })),
        );
      const link = serve('/picture', mine('Sprain'));
      const before = await documents();
      expect(readable(await sendAll(['code.png', qrPicture(link)]))).to.contain('Sprain');
      const digits = digitsOf(cardOf(makeIssuer(giver), mine('Mumps')));
      const half = 2 * Math.floor(digits.length / 4);
      const [one, two] = [`shc:/1/2/${digits.slice(0, half)}`, `shc:/2/2/${digits.slice(half)}`];
      const whole = await sendAll(['two.png', qrPicture(two)], ['one.png', qrPicture(one)]);
      expect(readable(whole)).to.contain('Mumps').and.contain(`signed by ${giver.host}, checked`);
      const expired = linkText({
        url: `${giver.base}/picture`,
        flag: 'U',
        key: key.toString('base64url'),
        exp: 1_700_000_000,
      });
      const late = await sendAll(['late.png', qrPicture(expired)]);
      expect([late.status, readable(late).includes('expired on 14 November 2023')]).to.equal([400, true]);
      expect(late.text).to.contain(expired);
      for (const other of [qrPicture('https://clinic.example/'), qrPicture(one)]) {
        const page = await sendAll(['photo.png', other]);
        expect([page.status, readable(page).includes('photo')]).to.equal([200, true]);
      }
      expect(await documents()).to.equal(before);
    });

    it('ask for their passcode before anything is fetched, and say how many tries are left', async () => {
      giver.answers.set('/closed', ({ body }) =>
        (JSON.parse(body) as { passcode: string }).passcode === 'blue 7'
          ? {
              type: 'application/json',
              body: JSON.stringify({
                files: [
                  { contentType: 'application/fhir+json', embedded: sealedFile(JSON.stringify(mine('Rash')), key) },
                ],
              }),
            }
          : { status: 401, type: 'application/json', body: '{"remainingAttempts":2}' },
      );
      const link = linkText({ url: `${giver.base}/closed`, flag: 'P', key: key.toString('base64url') });
      const before = giver.asked.length;
      const asked = await give(link);
      expect([asked.status, giver.asked.length]).to.equal([400, before]);
      expect(asked.text).to.contain('name="passcode"');
      expect(readable(asked)).to.contain('Passcode');
      expect(readable(await give(link, 'red'))).to.contain('2 tries left');
      expect(readable(await give(link, 'blue 7'))).to.contain('Rash');
    });

    it('say in words what is wrong, and store nothing', async () => {
      const before = await documents();
      const good = serve('/file', mine('Cough'));
      const payload = { url: `${giver.base}/nowhere`, flag: 'U', key: key.toString('base64url') };
      giver.answers.set('/words', () => ({ body: sealedFile('hello', key) }));
      const cases: readonly (readonly [string, string])[] = [
        ['', 'not a link'],
        ['hello', 'not a link'],
        [good.slice(0, -30), 'not a link'],
        [linkText({ ...payload, exp: 1_700_000_000 }), 'expired on 14 November 2023'],
        [linkText(payload), 'is gone'],
        [
          linkText({ ...payload, url: `${giver.base}/file`, key: randomBytes(32).toString('base64url') }),
          'cannot be decrypted',
        ],
        [linkText({ ...payload, url: `${giver.base}/words` }), 'no health data'],
      ];
      for (const [link, words] of cases) {
        const page = await give(link);
        expect([page.status, words, readable(page).includes(words)]).to.equal([400, words, true]);
      }
      expect(await documents()).to.equal(before);
    });

    it('are fetched one at a time for each person', async () => {
      let release: (() => void) | undefined;
      giver.answers.set('/slow', () => (response) => {
        release = () => response.end(sealedFile(JSON.stringify(mine('Cold')), key));
      });
      const link = linkText({ url: `${giver.base}/slow`, flag: 'U', key: key.toString('base64url') });
      const first = give(link);
      while (release === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const second = await give(link);
      expect([second.status, readable(second).includes('Another link is being fetched')]).to.equal([409, true]);
      release();
      expect(readable(await first)).to.contain('Cold');
    });
  });
}
