/** reference: the page at /docs in a real browser: it shows every area, finds a call by typing, and makes one that it signs. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { areas } from '../../core/server/plugins';
import { browserMissing, openBrowser, type Browser } from '../support/browser';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { createAccount, createRecord, signIn } from '../support/world';
import { faintTexts, focusShows, namelessControls, tooWide } from './looks';
import { direct } from '../support/direct';

/** Doors have no calls of their own. */
const withCalls = areas.filter(({ routes }) => routes.length > 0);

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Screenshots for people go here when the folder is there. */
const shots = process.env['SVC_TEST_SCREENSHOTS'] ?? '';

describe('the API reference in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let page: Browser;
  let recordId: string;
  before(async () => {
    service = await startService(databases[0]!);
    await createAccount(service.call, 'ann@people.example', 'Ann Lee');
    recordId = await createRecord(service.call, 'ann@people.example', 'Ann', 'Lee');
    page = await openBrowser();
    await page.open(`${service.running.url}/docs`);
    await page.until("document.querySelectorAll('.opblock-tag').length > 5");
  });
  after(async () => {
    await page.close();
    await service.stop();
  });

  const shot = async (name: string): Promise<void> => {
    if (shots !== '') {
      mkdirSync(shots, { recursive: true });
      await page.screenshot(join(shots, `${name}.png`));
    }
  };

  const found = (): Promise<string[]> =>
    page.evaluate(
      "[...document.querySelectorAll('.opblock')].map((one) => one.querySelector('.opblock-summary-method').textContent + ' ' + one.querySelector('[data-path]').dataset.path)",
    );

  const search = async (words: string, count: number): Promise<readonly string[]> => {
    await page.type('input[name=search]', words);
    await page.until(`document.querySelectorAll('.opblock').length === ${count}`);
    return found();
  };

  it('shows every area, its error codes, its document formats and its data models', async () => {
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.opblock-tag')].map((one) => one.dataset.tag)",
    );
    expect(names).to.equal(withCalls.map(({ name }) => name).sort());
    const text = await page.evaluate<string>('document.body.textContent');
    expect(text).to.contain('already_replaced').and.to.contain('permission_denied');
    expect(text).to.contain('ClinicalDocument').and.to.contain('urn:hl7-org:v3');
    await page.until("document.querySelector('.models') !== null");
    await shot('1-opened');
  });

  it('asks nothing of any other address, and complains of nothing', () => {
    const elsewhere = page
      .requested()
      .filter((url) => !url.startsWith(service.running.url) && !url.startsWith('data:'));
    expect(elsewhere).to.equal([]);
    expect(page.complaints()).to.equal([]);
  });

  it('finds a call by words of its path, its name and its meaning', async () => {
    expect(await search('autoshare bytype all', 1)).to.equal(['GET /records/{RECORD_ID}/autoshare/bytype/all']);
    expect(await search('record_search', 1)).to.equal(['GET /records/search']);
    expect((await search('FIND records by a part', 1))[0]).to.equal('GET /records/search');
    await search('shares', 4);
    expect(await page.evaluate("document.getElementById('found').textContent")).to.equal('4 calls fit these words.');
    await shot('2-found');
    await page.type('input[name=search]', 'no such call anywhere');
    await page.until("document.getElementById('found').textContent === 'No call fits these words.'");
    expect(await found()).to.equal([]);
    await page.evaluate(
      "(() => { const field = document.querySelector('input[name=search]'); field.value = ''; field.dispatchEvent(new Event('input')); })()",
    );
    await page.until(
      `document.querySelectorAll('.opblock-tag').length === ${withCalls.length} && document.getElementById('found').textContent === ''`,
    );
  });

  it('finds calls by what people call it', async () => {
    expect(await search('average blood pressure', 8)).to.include('GET /records/{RECORD_ID}/reports/{DATA_MODEL}/');
    expect(await search('login', 1)).to.equal(['POST /oauth/internal/session_create']);
    await search('blood sugar average', 6);
  });

  it('shows the asterisks of the operators', async () => {
    await search('/records/{RECORD_ID}/reports/minimal/labs/', 1);
    await page.click('.opblock-summary');
    await page.until("document.querySelector('.opblock').textContent.includes('date_range')");
    const text = await page.evaluate<string>("document.querySelector('.opblock').textContent");
    expect(text).to.contain('field*start*end').and.to.contain('operator*field').and.to.contain('field*increment');
  });

  it('is also there with a slash behind it', async () => {
    const answer = await fetch(`${service.running.url}/docs/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).to.equal([308, '../docs']);
    expect((await fetch(`${service.running.url}/docs/`)).url).to.equal(`${service.running.url}/docs`);
  });

  /** Fills the call that the search has left, runs it, and answers what the page shows of the reply. */
  const run = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
    await page.click('.opblock-summary');
    for (const [name, value] of Object.entries(parameters)) {
      await page.type(`.opblock input[placeholder="${name}"]`, value);
    }
    await page.click('.opblock .execute');
    await page.until("document.querySelector('.live-responses-table .response-col_status') !== null");
    return page.evaluate("document.querySelector('.live-responses-table').textContent");
  };

  it('says who may make a call, shows a reply that a test saw, and is refused without credentials', async () => {
    await search('record_search', 1);
    const answer = await run({ label: 'lee' });
    expect(answer).to.contain('403').and.to.contain('permission_denied');
    const text = await page.evaluate<string>("document.querySelector('.opblock').textContent");
    expect(text).to.contain('Who may call it').and.to.contain('01900000-0000-7000-8000-');
  });

  it('signs a call of an app and shows its reply', async () => {
    await page.open(`${service.running.url}/docs`);
    await page.until("document.querySelectorAll('.opblock-tag').length > 5");
    await page.type('input[name=key]', 'admin@apps.svc.example');
    await page.type('input[name=secret]', 'development-secret-admin');
    await search('record_search', 1);
    const answer = await run({ label: 'lee' });
    expect(answer).to.contain('200').and.to.contain(recordId).and.to.contain('Ann Lee');
    await shot('3-called');
  });

  it('stores the sample that stands in the body at once', async () => {
    const owner = await signIn(service.call, 'ann@people.example');
    await page.open(`${service.running.url}/docs`);
    await page.until("document.querySelectorAll('.opblock-tag').length > 5");
    for (const [name, value] of [
      ['key', owner.consumer.key],
      ['secret', owner.consumer.secret],
      ['token', owner.token!.key],
      ['tokenSecret', owner.token!.secret],
    ] as const) {
      await page.type(`input[name=${name}]`, value);
    }
    await search('/records/{RECORD_ID}/documents/ document_create upload', 1);
    const answer = await run({ RECORD_ID: recordId });
    expect(answer, answer).to.contain('200').and.to.contain('xml/documents#Allergy');
    expect(await page.evaluate("document.body.textContent.includes('cannot be generated')")).to.be.false();
  });

  it('signs a form for a session: body and token are part of the signature', async () => {
    const ann = await signIn(service.call, 'ann@people.example');
    await page.open(`${service.running.url}/docs`);
    await page.until("document.querySelectorAll('.opblock-tag').length > 5");
    for (const [name, value] of [
      ['key', ann.consumer.key],
      ['secret', ann.consumer.secret],
      ['token', ann.token!.key],
      ['tokenSecret', ann.token!.secret],
    ] as const) {
      await page.type(`input[name=${name}]`, value);
    }
    await search('carenet_create', 1);
    const answer = await run({ RECORD_ID: recordId, name: 'Ward & Garden 5%' });
    expect(answer, answer).to.contain('200').and.to.contain('Carenet');
    const names = (await direct(service.services.database)('carenet')
      .where({ record_id: recordId })
      .pluck('name')) as string[];
    expect(names).to.include('Ward & Garden 5%');
  });

  const open = async (): Promise<void> => {
    await page.open(`${service.running.url}/docs`);
    await page.until("document.querySelectorAll('.opblock-tag').length > 5");
  };

  it('leaves the fields of a form empty for the reader', async () => {
    await open();
    await search('carenet_create', 1);
    await page.click('.opblock-summary');
    await page.until("document.querySelector('[data-property-name=name] input') !== null");
    expect(await page.evaluate("document.querySelector('[data-property-name=name] input').value")).to.equal('');
  });

  for (const { seen, width, dark } of [1280, 360].flatMap((points) =>
    [false, true].map((isDark) => ({
      seen: `${points} points wide, ${isDark ? 'dark' : 'light'}`,
      width: points,
      dark: isDark,
    })),
  )) {
    it(`is readable ${seen}, and no wider than the window`, async () => {
      await page.seenBy({ width, dark });
      await open();
      const look = async (name: string): Promise<void> => {
        await page.evaluate(
          'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)',
        );
        expect(await page.evaluate(faintTexts), name).to.equal([]);
        expect(await page.evaluate(namelessControls), name).to.equal([]);
        expect(await page.evaluate(tooWide), name).to.equal(0);
        await shot(`${width}-${dark ? 'dark' : 'light'}-${name}`);
      };
      await look('front');
      expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).to.equal(dark);
      await page.evaluate("document.querySelector('#reference details').open = true");
      await look('errors');
      await search('shares', 4);
      await look('found');
      await search('record_search', 1);
      await run({ label: 'lee' });
      await look('called');
      await search('account_create activation', 1);
      await page.click('.opblock-summary');
      await page.until("document.querySelector('.opblock .execute') !== null");
      await look('form');
      await page.evaluate("document.querySelector('#bar details').open = true");
      await look('signing');
    });
  }

  it('is looked at by something that sees faint texts, controls without a name and what sticks out', async () => {
    await open();
    await page.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<p style="color: #8a8a8a; background: ` +
        `#fff">faint</p><button></button><div style="width: 3000px; height: 1px"></div>')`,
    );
    expect(await page.evaluate(faintTexts)).to.equal(['3.5 p.: faint']);
    expect(await page.evaluate(namelessControls)).to.equal(['<button></button>']);
    expect(await page.evaluate<number>(tooWide)).to.be.above(1000);
  });

  it('leaves room for the page on a narrow screen', async () => {
    await page.seenBy({ width: 390 });
    await open();
    expect(await page.evaluate<number>("document.getElementById('bar').offsetHeight")).to.be.below(120);
    await page.seenBy({ width: 1280 });
  });

  it('is used without a mouse, and always shows where one is', async () => {
    await page.seenBy({ width: 1280 });
    await open();
    await search('record_search', 1);
    for (
      let step = 0;
      step < 12 && !(await page.evaluate("document.activeElement.matches('.opblock-summary-control')"));
      step += 1
    ) {
      await page.press('Tab');
      expect(
        await page.evaluate(focusShows),
        await page.evaluate('document.activeElement.outerHTML.slice(0, 200)'),
      ).to.be.true();
    }
    await page.press('Enter');
    await page.until("document.querySelector('.opblock .execute') !== null");
    expect(await page.evaluate("document.querySelectorAll('h1').length")).to.equal(1);
  });

  it('is served from files that are installed with the service', () => {
    expect(existsSync(inProject('node_modules', 'swagger-ui-dist', 'swagger-ui-bundle.js'))).to.be.true();
  });
});
