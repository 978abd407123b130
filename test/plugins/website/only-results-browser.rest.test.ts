/**
 * only-results-browser: "my daughter, who has no account, sees only my results": invited with one tick, she comes, is let
 * in, and finds the results at every page and nothing else. Her mother does nine things for it, each of a few seconds.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import {
  axeFinds,
  browserMissing,
  mainText,
  openChromium,
  openPage,
  overflow,
  sendSignIn,
} from '../../support/browser';
import { waitForMail } from '../../support/mails';
import { startService, type TestService } from '../../support/server';
import { factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { PASSWORD } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LENA = 'lena@people.example';
const SECRET = /secret|asthma|ramipril|penicillin|tetanus|HIV|stone/i;

const result = (name: string, code: string, value: string): string =>
  factOf('LabResult', {
    collected_at: '2025-11-03T08:00:00Z',
    test_name_title: name,
    test_name_identifier: code,
    test_name_system: 'http://loinc.org',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mg/dL',
    notes: 'secret note',
    collected_by_org_name: 'Secret Clinic',
  });

describe('only results, shared with a daughter who has no account', { skip: browserMissing() }, () => {
  let service: TestService;
  let record: SiteRecord;
  let browser: Browser;
  let mother: Page;
  let daughter: Page;
  let document: string;
  let steps = 0;

  const at = (path: string): string => new URL(path, service.running.url).href;
  /** Something that the mother does. */
  const step = async <T>(work: Promise<T>): Promise<T> => {
    steps += 1;
    return work;
  };
  const linkIn = async (subject: string, part: string): Promise<string> => {
    const mail = await waitForMail(service.mailDir, LENA, subject);
    return at(new URL(mail.links.find((one) => one.includes(part))!).pathname);
  };

  before(async () => {
    service = await startService(sqliteMemory);
    record = await makeSiteRecord(service);
    document = await record.store(
      factsDocument(
        service,
        result('Creatinine', '2160-0', '1.1'),
        result('Cholesterol', '2093-3', '231'),
        result('HIV 1 RNA', '20447-9', '7'),
        factOf('Problem', { name_title: 'Asthma' }),
        factOf('Medication', { drugName_title: 'Ramipril 5 mg' }),
        factOf('Allergy', { allergen_title: 'Penicillin' }),
        factOf('Immunization', { product_name_title: 'Tetanus' }),
        factOf('Encounter', {
          startDate: '2025-05-05T10:00:00Z',
          encounterType_title: 'Secret check-up',
          provider_name_family: 'Stone',
        }),
      ),
    );
    browser = await openChromium();
    mother = await openPage(browser, { width: 390 });
    daughter = await openPage(browser, { width: 390, dark: true });
    await mother.goto(at('/my/sign-in'));
    await sendSignIn(mother, OWNER);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('begins with an invitation and one tick', async () => {
    await step(mother.goto(at(`/my/records/${record.recordId}/sharing`)));
    await step(mother.locator('main a[href$="/sharing/invite"]').first().click());
    await step(mother.locator('[name=name]').fill('Lena'));
    await step(mother.locator('[name=email]').fill(LENA));
    await step(mother.locator('input[name=kind][value=labs]').check());
    await step(mother.getByRole('button', { name: 'Send the invitation' }).click());
    expect(await mainText(mother))
      .to.contain('Lena')
      .and.contain(LENA);
  });

  it('goes on with an account of her own, which sees nothing yet', async () => {
    const link = await linkIn('An invitation to a health record', '/invitations/');
    await daughter.goto(link);
    await daughter.locator('[name=name]').fill('Lena Vik');
    await daughter.locator('main form button').last().click();
    const code = /\b\d{6}\b/.exec(await mainText(daughter))![0];
    await daughter.goto(await linkIn('Activate your account', '/init/'));
    await daughter.locator('[name=code]').fill(code);
    await daughter.locator('[name=username]').fill('lena');
    await daughter.locator('[name=password]').fill(PASSWORD);
    await daughter.locator('main form button[class*=first]').click();
    await daughter.waitForLoadState();
    await daughter.goto(link);
    await daughter.getByRole('button', { name: 'Yes, it is me' }).click();
    await daughter.waitForLoadState();
    await daughter.goto(at('/my/?all=1'));
    expect(await mainText(daughter)).to.not.match(/Mira|Halvorsen/);
  });

  it('ends with one look at who came, after nine things in all', async () => {
    await step(mother.goto(at(`/my/records/${record.recordId}/sharing/invite`)));
    expect(await mainText(mother))
      .to.contain('Lena Vik')
      .and.contain(LENA);
    await step(mother.getByRole('button', { name: 'Let Lena Vik in' }).click());
    await step(mother.goto(at(`/my/records/${record.recordId}/sharing`)));
    expect(await mainText(mother)).to.match(/Lena Vik sees.*results/i);
    expect(steps).to.equal(9);
  });

  it('shows her the results, and nothing else at any page', async () => {
    await daughter.goto(at('/my/?all=1'));
    await daughter.locator('main a[href*="/my/carenets/"]').first().click();
    await daughter.waitForLoadState();
    const base = /\/my\/carenets\/[^/]+\//.exec(daughter.url())![0];
    const showing = ['', 'tests', 'tests/creatinine', 'timeline', 'data/LabResult', 'list/LabResult', 'paper'];
    for (const path of showing) {
      await daughter.goto(at(`${base}${path}`));
      const text = await mainText(daughter);
      expect(text, path).to.match(/creatinine/i);
      expect(text, path).to.not.match(SECRET);
      expect(await overflow(daughter), path).to.equal(0);
      expect(await axeFinds(daughter), path).to.equal([]);
    }
    const models = ['Problem', 'Medication', 'Allergy', 'Immunization', 'Encounter', 'Procedure', 'VitalSigns'];
    const others = [
      ...['documents/', 'visits/', 'people', 'search?q=asthma', 'search?q=HIV'],
      ...models.flatMap((model) => [`data/${model}`, `list/${model}`]),
    ];
    for (const path of others) {
      await daughter.goto(at(`${base}${path}`));
      const text = (await mainText(daughter)).replace(/(asthma|HIV)(?=.{0,3}$)/gim, '');
      expect(text, path).to.not.match(/secret|ramipril|penicillin|tetanus|stone|1 RNA/i);
    }
    const circle = /carenets\/([^/]+)/.exec(base)![1]!;
    for (const path of [
      `${base}documents/${document}/`,
      `${base}tests/hiv-viral-load`,
      `/my/records/${record.recordId}/`,
      `/my/records/${record.recordId}/sharing`,
      `/my/carenets/${record.carenetId}/`,
    ]) {
      const answer = await daughter.goto(at(path));
      expect([path, answer!.status()]).to.equal([path, 404]);
    }
    expect(circle).to.not.equal(record.carenetId);
  });
});
