/**
 * reading in a browser: overview and data pages checked by axe, narrow and wide, light and dark, right to left, with
 * few, many and long entries.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import { admin, startService, type TestService } from '../../support/server';
import {
  browserMissing,
  inspect,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
  type Look,
} from '../../support/browser';
import { createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MIRA = 'mira@people.example';
const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Papadimitrakopoulou';
const NS = 'https://svc.example/vocab/xml/documents#';
const looks: readonly Look[] = [
  { width: 1280 },
  { width: 768 },
  { width: 390, dark: true },
  { width: 320, language: 'de' },
  { width: 390, language: 'ar' },
];

const model = (name: string, fields: Readonly<Record<string, unknown>>): string =>
  `<Model name="${name}">${Object.entries(fields)
    .map(([field, value]) => `<Field name="${field}">${String(value)}</Field>`)
    .join('')}</Model>`;

const visit = (at: number): string =>
  model('VitalSigns', {
    date: new Date(Date.UTC(2023, 0, 3) + at * 5 * 86_400_000).toISOString(),
    bp_systolic_value: 130 + (at % 17),
    bp_systolic_unit: 'mm[Hg]',
    bp_diastolic_value: 80 + (at % 9),
    bp_diastolic_unit: 'mm[Hg]',
    bp_position_title: at % 5 === 0 ? 'Standing' : 'Sitting',
    heart_rate_value: 60 + (at % 19),
    heart_rate_unit: '{beats}/min',
  });

describe('reading in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let [full, many, empty]: string[] = [];

  before(async () => {
    service = await startService(sqliteMemory);
    await createAccount(service.call, MIRA, 'Mira Halvorsen');
    const hers = await signIn(service.call, MIRA);
    const put = async (id: string, ...models: readonly string[]): Promise<void> => {
      succeeded(
        await service.call(hers, 'POST', `/records/${id}/documents/`, {
          body: `<Models xmlns="${NS}">${models.join('')}</Models>`,
        }),
      );
    };
    full = await createRecord(service.call, MIRA, 'Mira', LONG);
    many = await createRecord(service.call, MIRA, 'Many', 'Readings');
    empty = await createRecord(service.call, MIRA, 'Tor', 'Halvorsen');
    await put(full, ...Array.from({ length: 36 }, (_, at) => visit(at * 6)));
    await put(
      full,
      model('Allergy', { allergen_title: LONG, allergic_reaction_title: 'hives', severity_title: 'severe' }),
      model('Problem', { name_title: `${LONG} ${LONG}`, startDate: '2020-01-01T00:00:00Z' }),
      model('Medication', { drugName_title: 'Lisinopril', startDate: '2023-07-02', instructions: LONG.repeat(2) }),
      model('Medication', { drugName_title: 'Amoxicillin', endDate: '2023-07-02', status_title: 'stopped' }),
      model('Immunization', { product_name_title: 'Influenza', date: '2025-10-14T00:00:00Z' }),
      ...[44, 41, 39].map((value, at) =>
        model('LabResult', {
          test_name_title: 'Long-term blood sugar (HbA1c)',
          collected_at: `202${3 + at}-04-10T07:00:00Z`,
          quantitative_result_value_value: value,
          quantitative_result_value_unit: 'mmol/mol',
        }),
      ),
    );
    await put(many, ...Array.from({ length: 400 }, (_, at) => visit(at)));
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const enter = async (look: Look): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${service.running.url}/my/sign-in`);
    await sendSignIn(page, MIRA);
    await page.locator('h1').waitFor();
    return page;
  };

  const pages = (): Readonly<Record<string, string>> => ({
    overview: `records/${full}/`,
    'overview-empty': `records/${empty}/`,
    measurements: `records/${full}/data/VitalSigns`,
    'measurements-by-month': `records/${full}/data/VitalSigns?aggregate_by=avg*heart_rate_value&date_group=date*month`,
    'measurements-many': `records/${many}/data/VitalSigns`,
    'measurements-none': `records/${empty}/data/VitalSigns`,
    labs: `records/${full}/data/LabResult`,
    medicines: `records/${full}/data/Medication`,
  });

  for (const look of looks) {
    const name = nameOfLook(look);
    it(`looks well at ${name}`, async () => {
      const page = await enter(look);
      for (const [about, path] of Object.entries(pages())) {
        await page.goto(`${service.running.url}/my/${path}`);
        await inspect(page, `${about}-${name}`);
      }
      await page.context().close();
    });
  }

  for (const language of ['en', 'de', 'es', 'ar']) {
    it(`keeps the top one line high on a narrow telephone in ${language}, with messages that wait`, async () => {
      const message = { subject: 'Results', body: 'Here' };
      for (let index = 0; index < 10; index += 1) {
        succeeded(await service.call(admin, 'POST', `/records/${empty}/inbox/${language}-${index}`, { form: message }));
      }
      const page = await enter({ width: 320, language });
      const tops = await page.evaluate<readonly number[]>(
        "[...document.querySelectorAll('.top li')].filter((item) => item.offsetParent).map((item) => Math.round(item.getBoundingClientRect().top))",
      );
      expect(new Set(tops).size, tops.join()).to.equal(1);
      expect(await page.locator('.top .count').isVisible()).to.be.true();
      await inspect(page, `band-${language}`);
      await page.context().close();
    });
  }

  for (const language of ['en', 'ar']) {
    it(`shows all places of a record on a narrow telephone in ${language}`, async () => {
      const page = await enter({ width: 320, language });
      await page.goto(`${service.running.url}/my/records/${empty}/`);
      await page.locator('.bar button').click();
      const edges = await page.evaluate<readonly (readonly [number, number])[]>(
        "[...document.querySelectorAll('#more-places li')].map((item) => item.getBoundingClientRect()).map(({ left, right }) => [left, right])",
      );
      expect(edges).to.have.length(18);
      expect(
        edges.filter(([left, right]) => left < 0 || right > 320),
        edges.join(' '),
      ).to.equal([]);
      await inspect(page, `menu-${language}`);
      await page.keyboard.press('Escape');
      expect(await page.locator('#more-places').isVisible()).to.be.false();
      await page.context().close();
    });
  }

  it('keeps words whole on a telephone with letters at 200 %', async () => {
    // Letters of twice the size in a window of 390 pixels have the room that usual ones have in half of it.
    const page = await enter({ width: 195 });
    for (const path of [
      '',
      'timeline',
      'documents/',
      'list/Problem',
      'list/Immunization',
      'tests/heart-rate',
      'visits/',
    ]) {
      await page.goto(`${service.running.url}/my/records/${full}/${path}`);
      const broken = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('.whose b, h1, h2, .name, .entry bdi')].flatMap((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
          const { length } = element.innerText;
          return length > 0 && lines > 1 && length / lines < 4 ? [element.innerText] : [];
        })`,
      );
      expect(broken, path).to.equal([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).to.be.at.most(195);
    }
    await page.context().close();
  });

  it('filters by days, leads on, and keeps the choice, without a script', async () => {
    const page = await enter({ script: false });
    await page.goto(`${service.running.url}/my/records/${many}/data/VitalSigns`);
    await page.getByLabel('From', { exact: true }).fill('2024-01-01');
    await page.getByLabel('Measurement', { exact: true }).selectOption('Heart rate');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { level: 1, name: 'Heart rate' }).waitFor();
    expect(decodeURIComponent(page.url())).to.contain('date_range=date*2024-01-01*');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('26 to 50 of').waitFor();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).to.equal('2024-01-01');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).to.equal('Heart rate');
    await page.context().close();
  });

  it('prints without what one can press', async () => {
    const page = await enter({});
    await page.goto(`${service.running.url}/my/records/${full}/`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Printed on').isVisible()).to.be.true();
    expect(await page.getByRole('navigation').count()).to.equal(0);
    expect(await page.locator('.allergies').isVisible()).to.be.true();
    await page.goto(`${service.running.url}/my/records/${full}/apps`);
    expect(await page.locator('.button:visible').count()).to.equal(0);
    // A part that only has forms is not printed.
    await page.goto(`${service.running.url}/my/records/${full}/sharing`);
    expect(await page.getByRole('heading', { name: 'By kind' }).isVisible()).to.be.false();
    expect(await page.getByRole('heading', { name: 'Health links' }).isVisible()).to.be.false();
    expect(await page.getByText('Printed on').isVisible()).to.be.true();
    expect(await page.getByRole('heading', { name: 'All of it' }).isVisible()).to.be.true();
    await page.context().close();
  });

  it('keeps the numbers of a chart beside its lines where text runs from right to left', async () => {
    const page = await enter({ language: 'ar' });
    await page.goto(`${service.running.url}/my/records/${full}/data/VitalSigns`);
    const boxes = await page.evaluate<readonly (readonly [number, number])[]>(
      `['.c-grid', 'text[text-anchor=end]'].map((one) => {
        const box = document.querySelector('.chart .wide ' + one).getBoundingClientRect();
        return [box.left, box.right];
      })`,
    );
    expect(boxes[1]![1]).to.be.below(boxes[0]![0]);
    await page.context().close();
  });
});
