/**
 * links-browser: health links in a real browser: made, scanned and opened without a script; axe finds nothing wrong,
 * and nothing is wider than the window.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { inProject } from '../../../core/base/paths';
import { sqliteMemory } from '../../support/databases';
import { decrypt, locationsIn, openLink, payloadOf, readFile } from '../../support/links';
import { startService, type TestService } from '../../support/server';
import {
  browserMissing,
  inspect,
  keepPicture,
  mainText,
  openChromium,
  openPage,
  sendSignIn,
  type Look,
} from '../../support/browser';
import { makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'wide', width: 1280 },
  { name: 'phone-dark', width: 390, dark: true },
  { name: 'phone-arabic', width: 390, language: 'ar' },
];

describe('health links in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let made: SiteRecord;
  let browser: Browser;
  let url: string;

  const enter = async (look: Look): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${url}/my/sign-in`);
    await sendSignIn(page, OWNER);
    return page;
  };
  /** Makes a link, and finds the fields by their labels. */
  const make = async (page: Page): Promise<string> => {
    await page.goto(`${url}/my/records/${made.recordId}/links`);
    await page.getByLabel('Label', { exact: true }).fill('For Dr. Weber, Hauptstraße');
    await page.getByLabel('Passcode', { exact: true }).fill('blue 7');
    await page.getByLabel('Ends', { exact: true }).fill('2099-12-31');
    await page.locator('summary').filter({ hasText: 'Documents that go along' }).click();
    await page.locator('input[name=document]').first().check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    return (await page.locator('a.address').getAttribute('href'))!;
  };

  before(async () => {
    service = await startService(sqliteMemory);
    url = service.services.baseUrl();
    made = await makeSiteRecord(service);
    await made.store('<Note xmlns="urn:notes">for the doctor</Note>');
    await made.store(readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'));
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('is made, scanned and opened, by a browser without a script and by an app', async () => {
    const owner = await enter({ script: false });
    const text = await make(owner);
    const link = payloadOf(text);
    const doctor = await openPage(browser, { script: false });
    await doctor.goto(text);
    await doctor.getByLabel('Your name or practice').fill('Praxis Weber');
    await doctor.getByLabel('Passcode', { exact: true }).fill('blue 7');
    await doctor.getByRole('button', { name: 'Open', exact: true }).click();
    expect(await mainText(doctor))
      .to.contain('Problems')
      .and.contain('Vaccinations');
    const [download] = await Promise.all([doctor.waitForEvent('download'), doctor.locator('a[download]').click()]);
    expect(download.suggestedFilename()).to.endWith('.xml');
    const manifest = await openLink(service, link, { recipient: 'An app', passcode: 'blue 7' });
    const [summary = ''] = locationsIn(manifest);
    expect((await decrypt(await readFile(service, summary), link)).resource['type']).to.equal('document');
    await owner.goto(`${url}/my/records/${made.recordId}/links`);
    expect(await mainText(owner))
      .to.contain('Openings')
      .and.contain('An app');
    await owner.getByRole('button', { name: /^End/ }).first().click();
    await doctor.reload();
    expect(await mainText(doctor)).to.contain('This page cannot be shown');
    await owner.context().close();
    await doctor.context().close();
  });

  for (const { name, ...look } of looks) {
    it(`looks right: ${name}`, async () => {
      const writer = await enter({});
      const text = await make(writer);
      await writer.context().close();
      const owner = await enter(look);
      const list = `${url}/my/records/${made.recordId}/links`;
      await owner.goto(list);
      await inspect(owner, `links-list-${name}`);
      await owner.locator('main .rows a.name').first().click();
      await inspect(owner, `links-one-${name}`);
      await owner.context().close();
      const doctor = await openPage(browser, look);
      await doctor.goto(text);
      await inspect(doctor, `links-question-${name}`);
      await doctor.locator('input[name=recipient]').fill('Dr. Weber');
      await doctor.locator('input[name=passcode]').fill('red');
      await doctor.locator('main button').click();
      await inspect(doctor, `links-wrong-${name}`);
      await doctor.locator('input[name=passcode]').fill('blue 7');
      await doctor.locator('main button').click();
      await inspect(doctor, `links-opened-${name}`);
      if (name === 'wide') {
        await doctor.emulateMedia({ media: 'print' });
        await keepPicture(doctor, 'links-opened-print');
      }
      await doctor.context().close();
    });
  }
});
