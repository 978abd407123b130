/**
 * walks in a browser: what somebody does with a record for the first time, in as few steps as a hurried person takes:
 * last year's cholesterol, a wrong birth date, a name without its accents. And axe on pages of one person, one circle
 * and one measure.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import {
  browserMissing,
  inspect,
  mainText,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
  type Look,
} from '../../support/browser';
import { startService, type TestService } from '../../support/server';
import {
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  sample,
  type SiteRecord,
} from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const looks: readonly Look[] = [
  { width: 390 },
  { width: 1280, dark: true },
  { width: 320, language: 'de' },
  { width: 390, language: 'ar' },
];

describe('walks in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let record: SiteRecord;

  const at = (rest: string): string => `${service.running.url}/my/records/${record.recordId}/${rest}`;
  const enter = async (look: Look): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${service.running.url}/my/sign-in`);
    await sendSignIn(page, OWNER);
    await page.goto(at(''));
    return page;
  };
  const cholesterol = (value: string, date: string): string =>
    factOf('LabResult', {
      test_name_title: 'Cholesterol',
      collected_at: date,
      quantitative_result_value_value: value,
      quantitative_result_value_unit: 'mg/dL',
    });

  before(async () => {
    service = await startService(sqliteMemory);
    browser = await openChromium();
    record = await makeSiteRecord(service);
    await record.store(
      factsDocument(
        service,
        cholesterol('231', '2025-11-03T08:00:00Z'),
        cholesterol('199', '2026-01-05T08:00:00Z'),
        factOf('Encounter', {
          encounterType_title: 'Check-up',
          startDate: '2025-03-03',
          provider_name_family: 'Müller-Núñez',
          provider_name_given: 'José',
        }),
      ),
    );
    await record.store(sample(service, 'vital-signs/sample-check-up.xml'));
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('find the cholesterol of last year with one search', async () => {
    const page = await enter({ width: 1280 });
    await page.getByLabel('Search this record').fill('CHOLESTEROL 2025');
    await page.keyboard.press('Enter');
    await page.locator('[data-value="231 mg/dL"]').waitFor();
    const first = page.locator('main [data-kind]').first();
    expect(await first.getAttribute('data-value')).to.equal('231 mg/dL');
    expect(await first.innerText())
      .to.contain('Cholesterol')
      .and.to.contain('3 November 2025');
    expect(await page.locator('[data-value="199 mg/dL"]').count()).to.equal(0);
    await page.context().close();
  });

  for (const [language, name] of [
    ['en', 'Take it with you'],
    ['de', 'Mitnehmen'],
  ] as const) {
    it(`see every place of the record beside it at once, in ${language}`, async () => {
      const page = await enter({ width: 1280, language });
      const { y, height } = (await page.locator('.places').getByRole('link', { name, exact: true }).boundingBox())!;
      expect(y + height).to.be.at.most(900);
      await page.context().close();
    });
  }

  it('see whole words and the value in large letters on a telephone', async () => {
    const page = await enter({ width: 390 });
    await page.goto(at('search?q=cholesterol+2025'));
    await page.evaluate('document.documentElement.dataset.size = "largest"');
    const row = (await page.locator('[data-value="231 mg/dL"]').boundingBox())!;
    const name = (await page.locator('[data-value="231 mg/dL"] > div').first().boundingBox())!;
    expect(name.width / row.width).to.be.above(0.5);
    const letters = await page.evaluate('getComputedStyle(document.querySelector(".bar > a")).fontSize');
    expect(Number.parseFloat(String(letters))).to.be.at.most(12.5);
    await page.context().close();
  });

  it('see the value beside its name on a telephone', async () => {
    const page = await enter({ width: 390 });
    await page.goto(at('search?q=cholesterol+2025'));
    const row = page.locator('[data-value="231 mg/dL"]');
    const name = (await row.locator('.name').boundingBox())!;
    const value = (await row.locator('.val').boundingBox())!;
    expect([value.x > name.x, value.y < name.y + name.height]).to.equal([true, true]);
    await page.context().close();
  });

  it('find a doctor and the visit, with or without accents', async () => {
    const page = await enter({ width: 390, script: false });
    for (const name of ['José Müller', 'jose muller', 'NÚÑEZ', 'nunez']) {
      await page.goto(at(`search?${new URLSearchParams({ q: name }).toString()}`));
      expect(await page.locator('[data-kind=Person]').count(), name).to.equal(1);
    }
    await page.goto(at('search?q=check-up'));
    await page.locator('[data-kind=Visit]').first().waitFor();
    await page.context().close();
  });

  for (const script of [true, false]) {
    it(`mend a wrong birth date from the overview, ${script ? 'with' : 'without'} a script`, async () => {
      const [born, said] = script ? ['1969-01-03', '3 January 1969'] : ['1968-02-04', '4 February 1968'];
      const page = await enter({ width: 390, script });
      await page.getByRole('link', { name: 'Change these details' }).click();
      await page.getByLabel('Date of birth').fill(born!);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForLoadState();
      await page.goto(at(''));
      expect(await mainText(page)).to.contain(said!);
      await page.context().close();
    });
  }

  for (const look of looks) {
    it(`end at pages that are in order at ${nameOfLook(look)}`, async () => {
      const page = await enter(look);
      for (const [name, path] of [
        ['person', `sharing/${MEMBER}`],
        ['circle', `sharing/circles/${record.carenetId}`],
        ['blood-pressure', 'tests/blood-pressure'],
        ['weight', 'tests/weight'],
        ['search', 'search?q=cholesterol'],
        ['visits', 'visits/'],
        ['people', 'people'],
      ] as const) {
        await page.goto(at(path));
        await inspect(page, `walk-${name}-${nameOfLook(look)}`);
      }
      await page.context().close();
    });
  }
});
