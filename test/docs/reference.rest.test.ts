/**
 * reference: the page at /docs in a real browser: it shows every area, finds a call by typing, and makes a call that it
 * signs.
 */
import { existsSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import type { Signer } from '../../core/auth/sign';
import { inProject } from '../../core/base/paths';
import { areas } from '../../core/server/plugins';
import {
  axeFinds,
  browserMissing,
  keepPicture,
  nameOfLook,
  openChromium,
  openPage,
  overflow,
} from '../support/browser';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { admin, startService, type TestService } from '../support/server';
import { createAccount, createRecord, signIn } from '../support/world';

/** Doors have no calls of their own, so they are left out. */
const withCalls = areas.filter(({ routes }) => routes.length > 0);

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Whether the focused element shows its focus. */
const FOCUS_SHOWS =
  '(() => { const style = getComputedStyle(document.activeElement); return document.activeElement !== document.body ' +
  `&& (style.outlineStyle !== 'none' || style.boxShadow !== 'none'); })()`;

/** The rules that the page must meet. The library draws its buttons around links, which other rules forbid. */
const RULES = ['color-contrast', 'button-name', 'label', 'link-name', 'select-name', 'landmark-no-duplicate-main'];

const AREAS = '.opblock-tag';
const CALL = '.opblock';

describe('the API reference in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let recordId: string;
  /** Addresses that the page requested. */
  const requested: string[] = [];
  /** Errors in the page's console, and uncaught exceptions. */
  const complaints: string[] = [];

  const open = async (): Promise<void> => {
    await page.goto(`${service.running.url}/docs`);
    await page.locator(AREAS).nth(5).waitFor();
  };

  before(async () => {
    service = await startService(databases[0]!);
    await createAccount(service.call, 'ann@people.example', 'Ann Lee');
    recordId = await createRecord(service.call, 'ann@people.example', 'Ann', 'Lee');
    browser = await openChromium();
    page = await openPage(browser);
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await open();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const found = (): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('${CALL}')].map((one) =>
        one.querySelector('.opblock-summary-method').textContent + ' ' + one.querySelector('[data-path]').dataset.path)`,
    );

  const search = async (words: string, count: number): Promise<readonly string[]> => {
    await page.locator('input[name=search]').fill(words);
    await page.waitForFunction(`document.querySelectorAll('${CALL}').length === ${count}`);
    return found();
  };

  it('shows every area, its error codes, its document formats and its data models', async () => {
    const names = await page.evaluate<string[]>(
      `[...document.querySelectorAll('${AREAS}')].map((one) => one.dataset.tag)`,
    );
    expect(names).to.equal(withCalls.map(({ name }) => name).sort());
    const text = await page.locator('body').textContent();
    expect(text).to.contain('already_replaced').and.to.contain('permission_denied');
    expect(text).to.contain('ClinicalDocument').and.to.contain('urn:hl7-org:v3');
    await page.locator('.models').waitFor();
    await keepPicture(page, 'reference-opened');
  });

  it('asks nothing of any other address, and complains of nothing', () => {
    const elsewhere = requested.filter((url) => !url.startsWith(service.running.url) && !url.startsWith('data:'));
    expect(requested.length).to.be.above(3);
    expect(elsewhere).to.equal([]);
    expect(complaints).to.equal([]);
  });

  it('finds a call by words of its path, its name and its meaning', async () => {
    expect(await search('autoshare bytype all', 1)).to.equal(['GET /records/{RECORD_ID}/autoshare/bytype/all']);
    expect(await search('record_search', 1)).to.equal(['GET /records/search']);
    expect((await search('FIND records by a part', 1))[0]).to.equal('GET /records/search');
    await search('shares', 4);
    expect(await page.locator('#found').textContent()).to.equal('4 calls fit these words.');
    await keepPicture(page, 'reference-found');
    await page.locator('input[name=search]').fill('no such call anywhere');
    await page.getByText('No call fits these words.').waitFor();
    expect(await found()).to.equal([]);
    await page.locator('input[name=search]').fill('');
    await page
      .locator(AREAS)
      .nth(withCalls.length - 1)
      .waitFor();
    expect(await page.locator(AREAS).count()).to.equal(withCalls.length);
    expect(await page.locator('#found').textContent()).to.equal('');
  });

  it('finds calls by what people call it', async () => {
    expect(await search('average blood pressure', 8)).to.include('GET /records/{RECORD_ID}/reports/{DATA_MODEL}/');
    expect(await search('login', 1)).to.equal(['POST /oauth/internal/session_create']);
    await search('blood sugar average', 6);
  });

  it('shows the asterisks of the operators', async () => {
    await search('/records/{RECORD_ID}/reports/minimal/labs/', 1);
    await page.locator('.opblock-summary').click();
    await page.locator(CALL).getByText('date_range').first().waitFor();
    const text = await page.locator(CALL).textContent();
    expect(text).to.contain('field*start*end').and.to.contain('operator*field').and.to.contain('field*increment');
  });

  it('is also there with a slash behind it', async () => {
    const answer = await fetch(`${service.running.url}/docs/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).to.equal([308, '../docs']);
    expect((await fetch(`${service.running.url}/docs/`)).url).to.equal(`${service.running.url}/docs`);
  });

  /** Fills in the call that the search has found, runs it, and returns what the page shows of the reply. */
  const run = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
    await page.locator('.opblock-summary').click();
    for (const [name, value] of Object.entries(parameters)) {
      await page.locator(`${CALL} input[placeholder="${name}"]`).fill(value);
    }
    await page.locator(`${CALL} .execute`).click();
    await page.locator('.live-responses-table .response-col_status').last().waitFor();
    return (await page.locator('.live-responses-table').textContent())!;
  };

  const signAs = async ({ consumer, token }: Signer): Promise<void> => {
    await page.locator('input[name=key]').fill(consumer.key);
    await page.locator('input[name=secret]').fill(consumer.secret);
    await page.locator('input[name=token]').fill(token!.key);
    await page.locator('input[name=tokenSecret]').fill(token!.secret);
  };

  it('says who may make a call, shows a reply that a test saw, and is refused without credentials', async () => {
    await search('record_search', 1);
    const answer = await run({ label: 'lee' });
    expect(answer).to.contain('403').and.to.contain('permission_denied');
    const text = await page.locator(CALL).textContent();
    expect(text).to.contain('Who may call it').and.to.contain('01900000-0000-7000-8000-');
  });

  it('signs a call of an app and shows its reply', async () => {
    await open();
    await page.locator('input[name=key]').fill('admin@apps.svc.example');
    await page.locator('input[name=secret]').fill(admin!.consumer.secret);
    await search('record_search', 1);
    const answer = await run({ label: 'lee' });
    expect(answer).to.contain('200').and.to.contain(recordId).and.to.contain('Ann Lee');
    await keepPicture(page, 'reference-called');
  });

  it('takes keys from the address that the demo prints, but no secret of an app, and leaves them nowhere', async () => {
    await page.goto('about:blank');
    await page.goto(`${service.running.url}/docs#key=a%40b.example&secret=no&token=one&tokenSecret=two`);
    await page.locator(AREAS).nth(5).waitFor();
    const typed = (name: string) => page.locator(`input[name=${name}]`).inputValue();
    expect([await typed('key'), await typed('secret'), await typed('token'), await typed('tokenSecret')]).to.equal([
      'a@b.example',
      '',
      'one',
      'two',
    ]);
    expect(page.url()).to.equal(`${service.running.url}/docs`);
  });

  it('stores the sample that stands in the body at once', async () => {
    const owner = await signIn(service.call, 'ann@people.example');
    await open();
    await signAs(owner);
    await search('/records/{RECORD_ID}/documents/ document_create upload', 1);
    const answer = await run({ RECORD_ID: recordId });
    expect(answer, answer).to.contain('200').and.to.contain('xml/documents#Allergy');
    expect(await page.locator('body').textContent()).to.not.contain('cannot be generated');
  });

  it('signs a form for a session: body and token are part of the signature', async () => {
    const ann = await signIn(service.call, 'ann@people.example');
    await open();
    await signAs(ann);
    await search('carenet_create', 1);
    const answer = await run({ RECORD_ID: recordId, name: 'Ward & Garden 5%' });
    expect(answer, answer).to.contain('200').and.to.contain('Carenet');
    const names = (await direct(service.services.database)('carenet')
      .where({ record_id: recordId })
      .pluck('name')) as string[];
    expect(names).to.include('Ward & Garden 5%');
  });

  it('leaves the fields of a form empty for the reader', async () => {
    await open();
    await search('carenet_create', 1);
    await page.locator('.opblock-summary').click();
    expect(await page.locator('[data-property-name=name] input').inputValue()).to.equal('');
  });

  for (const look of [
    { width: 1280, dark: false },
    { width: 360, dark: true },
  ]) {
    it(`is readable at ${nameOfLook(look)}, and no wider than the window`, async () => {
      const { width, dark } = look;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      await open();
      const see = async (name: string): Promise<void> => {
        await page.evaluate(
          'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)',
        );
        await keepPicture(page, `reference-${name}-${nameOfLook(look)}`);
        expect(await axeFinds(page, RULES), name).to.equal([]);
        expect(await overflow(page), name).to.equal(0);
      };
      await see('front');
      await page.locator('#reference details > summary').first().click();
      await see('errors');
      await search('shares', 4);
      await see('found');
      await search('record_search', 1);
      await run({ label: 'lee' });
      await see('called');
      await search('account_create activation', 1);
      await page.locator('.opblock-summary').click();
      await page.locator(`${CALL} .execute`).waitFor();
      await see('form');
      if (width < 800) {
        await page.locator('#bar details > summary').click();
      }
      await see('signing');
    });
  }

  it('is looked at by something that sees faint texts, controls without a name and what sticks out', async () => {
    await open();
    await page.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<p style="color: #8a8a8a; background: ` +
        `#fff">faint</p><button></button><div style="width: 3000px; height: 1px"></div>')`,
    );
    const wrong = (await axeFinds(page, RULES)).join('\n');
    expect(wrong)
      .to.match(/^color-contrast: .*faint/m)
      .and.to.match(/^button-name: <button><\/button>/m);
    expect(await overflow(page)).to.be.above(1000);
  });

  it('leaves room for the page on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await open();
    expect((await page.locator('#bar').boundingBox())!.height).to.be.below(120);
  });

  it('is used without a mouse, and always shows where one is', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open();
    await search('record_search', 1);
    const focus = page.locator(':focus');
    for (let step = 0; step < 12 && !(await page.locator('.opblock-summary-control:focus').isVisible()); step += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(FOCUS_SHOWS), await focus.evaluate('(one) => one.outerHTML')).to.be.true();
    }
    await page.keyboard.press('Enter');
    await page.locator(`${CALL} .execute`).waitFor();
    expect(await page.locator('h1').count()).to.equal(1);
  });

  it('is served from files that are installed with the service', () => {
    expect(existsSync(inProject('node_modules', 'swagger-ui-dist', 'swagger-ui-bundle.js'))).to.be.true();
  });
});
