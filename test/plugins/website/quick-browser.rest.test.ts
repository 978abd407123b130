/**
 * quick browser: a blood pressure is added on a telephone without a script, taken back, and asked about; the forms are
 * checked by axe, narrow and wide, light and dark.
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
import { makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('quick forms in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let record: SiteRecord;

  const at = (rest: string): string => `${service.running.url}/my/records/${record.recordId}/${rest}`;
  const enter = async (look: Look): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${service.running.url}/my/sign-in`);
    await sendSignIn(page, OWNER);
    return page;
  };

  before(async () => {
    service = await startService(sqliteMemory);
    browser = await openChromium();
    record = await makeSiteRecord(service);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const looks: readonly Look[] = [
    { width: 390 },
    { width: 1280, dark: true },
    { width: 320, language: 'de' },
    { width: 390, dark: true, language: 'ar' },
  ];
  for (const look of looks) {
    it(`are in order at ${nameOfLook(look)}`, async () => {
      const page = await enter(look);
      for (const what of ['', 'blood-pressure', 'weight', 'medicine', 'journal', 'photo', 'allergy', 'note']) {
        await page.goto(at(`quick/${what}`));
        await inspect(page, `quick-${what || 'all'}-${nameOfLook(look)}`);
      }
      await page.goto(at('quick/blood-pressure'));
      await page.locator('main form button.first').click();
      await page.locator('[role=alert]').waitFor();
      await inspect(page, `quick-wrong-${nameOfLook(look)}`);
      await page.locator('[name=bp_systolic_value]').fill('1380');
      await page.locator('main form button.first').click();
      await page.locator('[name=sure]').waitFor();
      await inspect(page, `quick-question-${nameOfLook(look)}`);
      await page.locator('[name=sure]').click();
      await page.locator('[role=status]').waitFor();
      await inspect(page, `quick-saved-${nameOfLook(look)}`);
      await page.context().close();
    });
  }

  it('add a blood pressure on a telephone without a script, and take it back', async () => {
    const page = await enter({ width: 390, script: false });
    await page.goto(at(''));
    await page.getByRole('link', { name: 'Add', exact: true }).last().click();
    await page.getByRole('link', { name: 'Blood pressure' }).click();
    await page.getByLabel('Upper').fill('138');
    await page.getByLabel('Lower').fill('88');
    await page.getByLabel('Pulse').fill('70');
    await page.getByLabel('sitting').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').waitFor();
    expect(await mainText(page))
      .to.contain('138')
      .and.to.contain('88');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back').waitFor();
    await page.goto(at('timeline'));
    expect(await mainText(page)).not.to.contain('138');
    await page.context().close();
  });
});
