/**
 * add in a browser: from a file and from a form to a document, with errors and long previews; every page is checked by
 * axe, narrow and wide, light and dark.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { inProject } from '../../../core/base/paths';
import { loadStarterCodes } from '../../../core/codes/load';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import {
  browserMissing,
  everyLook,
  inspect,
  mainText,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
} from '../../support/browser';
import { pngOf } from '../../support/pictures';
import { createAccount, createRecord } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('adding in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let url: string;

  const sample = (name: string): { name: string; mimeType: string; buffer: Buffer } => ({
    name: name.replace(/^.*\//, ''),
    mimeType: 'text/xml',
    buffer: Buffer.from(
      readFileSync(inProject('pipeline-config', name), 'utf8').replaceAll(
        '{vocab_base}',
        service.services.config.vocabBase,
      ),
    ),
  });

  before(async () => {
    service = await startService(sqliteMemory);
    url = service.running.url;
    await loadStarterCodes(service.services.database, service.services.clock);
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  /** Signs a person with a record in. */
  const enter = async (page: Page, id: string): Promise<string> => {
    await createAccount(service.call, id, 'Mira Halvorsen');
    const recordId = await createRecord(service.call, id, 'Mira', 'Halvorsen');
    await page.goto(`${url}/my/sign-in`);
    await sendSignIn(page, id);
    await page.waitForURL(/\/records\//);
    return `${url}/my/records/${recordId}/`;
  };

  for (const script of [true, false]) {
    it(`leads from a file to its document, and from a form to a correction, ${script ? 'with' : 'without'} a script`, async () => {
      const page = await openPage(browser, { script });
      await enter(page, `adds-${script}@people.example`);
      await page.getByRole('link', { name: 'Add', exact: true }).click();
      await page.getByLabel('Files').setInputFiles([sample('allergy/sample-aspirin.xml')]);
      await page.getByRole('button', { name: 'Look at it first' }).click();
      await page.getByText('Nothing is stored yet.').waitFor();
      await page.getByLabel('Title').fill('From the practice');
      await page.getByRole('button', { name: 'Add to my record' }).click();
      await page.waitForURL(/\/documents\/[\w-]{36}$/);
      await page.getByRole('heading', { level: 1, name: 'From the practice' }).waitFor();

      await page.getByRole('link', { name: 'Add', exact: true }).click();
      await page.getByText(/^All \d+ kinds$/).click();
      await page.getByRole('listitem').getByRole('link', { name: 'Medicine', exact: true }).click();
      await page.getByLabel('Medicine', { exact: true }).fill('amlodipine');
      await page.getByRole('button', { name: /Find the name.*Medicine/ }).click();
      await page.getByRole('radio').first().check();
      await page.getByRole('button', { name: 'Add another' }).click();
      await page.waitForLoadState();
      expect(await page.getByRole('group', { name: /Fetched from the pharmacy, \d/ }).count()).to.equal(2);
      await page.getByLabel('How to take it').fill('One in the morning');
      // Enter saves, and does not press the first button of the form.
      await page.getByLabel('Medicine', { exact: true }).press('Enter');
      await page.waitForURL(/\/documents\/[\w-]{36}$/);
      await page.getByRole('link', { name: 'Correct' }).click();
      await page.getByLabel('How to take it').fill('One in the evening');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('One in the evening').first().waitFor();
      await page.context().close();
    });
  }

  for (const script of [true, false]) {
    it(`takes forty files that are dropped at once, ${script ? 'with' : 'without'} a script`, async () => {
      const page = await openPage(browser, { width: 390, script });
      const base = await enter(page, `drops-${script}@people.example`);
      await page.goto(`${base}add`);
      const photos = Array.from({ length: 39 }, (_, index) => ({
        name: `letter-${index}.png`,
        mimeType: 'image/png',
        buffer: pngOf(40 + index, 30),
      }));
      await page.getByLabel('Files').setInputFiles([...photos, sample('allergy/sample-aspirin.xml')]);
      await page.getByRole('button', { name: 'Look at it first' }).click();
      // While the files are read, the page shows how far it is and reloads itself.
      await page.getByText('Nothing is stored yet.').waitFor();
      await page.getByRole('button', { name: 'Add to my record' }).click();
      await page.getByRole('heading', { level: 1, name: 'Added' }).waitFor();
      expect(await mainText(page)).to.contain('40 documents');
      await page.context().close();
    });
  }

  for (const look of everyLook) {
    it(`is in order at ${nameOfLook(look)}`, async () => {
      const name = nameOfLook(look);
      const page = await openPage(browser, look);
      const base = await enter(page, `looks-${name}@people.example`);
      const send = async (files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]): Promise<void> => {
        await page.goto(`${base}add`);
        await page.locator('[type=file]').setInputFiles(files);
        await page.locator('main form button.first').click();
      };
      await page.goto(`${base}add`);
      await inspect(page, `add-${name}`);
      await page.locator('main form button.first').click();
      await inspect(page, `add-no-file-${name}`);
      await send([sample('ccda/sample-hospital.xml')]);
      await inspect(page, `preview-long-${name}`);
      await send([sample('allergy/sample-aspirin.xml'), sample('fhir-bundle/sample-one-allergy.xml')]);
      await inspect(page, `preview-two-${name}`);
      const wrong = sample('allergy/invalid-no-allergen.xml');
      await send([
        wrong,
        { name: 'röntgen '.repeat(20) + '.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([255, 216, 0]) },
      ]);
      await inspect(page, `preview-refused-${name}`);
      await send([sample('blood-pressure-csv/sample-week.csv')]);
      await page.locator('main form button.first').waitFor();
      await inspect(page, `preview-table-${name}`);
      await page.locator('main form button.first').click();
      await inspect(page, `added-table-${name}`);
      const archive = readFileSync(inProject('pipeline-config', 'apple-health/sample-export.zip'));
      await send([{ name: 'export.zip', mimeType: 'application/zip', buffer: archive }]);
      // While the archive is read, the page reloads itself.
      await page.locator('main form button.first').waitFor();
      await inspect(page, `preview-archive-${name}`);
      for (const model of ['VitalSigns', 'Medication', 'Allergy', 'LabResult']) {
        await page.goto(`${base}add/${model}`);
        await inspect(page, `form-${model}-${name}`);
      }
      await page.goto(`${base}add/VitalSigns`);
      await page.locator('[name=bp_systolic_value]').fill('13s');
      await page.locator('[name=bp_diastolic_value]').fill('84');
      await Promise.all([page.waitForEvent('load'), page.locator('main .buttons button.first').click()]);
      await inspect(page, `form-errors-${name}`);
      await page.goto(`${base}add/Problem`);
      await page.locator('[name=name_title]').fill('hypertensive');
      await Promise.all([page.waitForEvent('load'), page.locator('button[value=name_title]').click()]);
      await inspect(page, `form-codes-${name}`);
      await page.locator('[type=radio]').first().check();
      await page.locator('main .buttons button.first').click();
      await page.waitForURL(/\/documents\//);
      await inspect(page, `document-${name}`);
      const correct = await page.locator('a[href*="correct="]').getAttribute('href');
      await page.goto(new URL(correct!, url).href);
      await inspect(page, `correct-${name}`);
      await page.context().close();
    });
  }
});
