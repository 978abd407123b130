/**
 * browser: from the mail in a folder to a signed-in person in a real browser; every page is checked by axe, narrow and
 * wide, light and dark.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { URI as OtpUri, type TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import { waitForMail } from '../../support/mails';
import { admin, startService, type TestService } from '../../support/server';
import {
  browserMissing,
  inspect,
  everyLook,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
} from '../../support/browser';
import { createAccount, PASSWORD, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MIRA = 'mira@people.example';
const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Papadimitrakopoulou von und zu Hohenlohe-Langenburg';

describe('the website in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let url: string;

  before(async () => {
    service = await startService(sqliteMemory);
    url = service.running.url;
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const signIn = async (page: Page, username: string, password = PASSWORD): Promise<void> => {
    await page.goto(`${url}/my/sign-in`);
    await sendSignIn(page, username, password);
  };

  it('makes the first account and its record', async () => {
    const page = await openPage(browser);
    await page.goto(url);
    expect(new URL(page.url()).pathname).to.equal('/my/welcome');
    await inspect(page, 'welcome');
    await page.getByRole('button', { name: 'Make the account and the record' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.title()).to.startWith('Error:');
    await inspect(page, 'welcome-wrong');
    await page.getByLabel('Code').fill(service.running.welcome!.code);
    await page.getByLabel('E-mail').fill(MIRA);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByLabel('Password').getAttribute('type')).to.equal('text');
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await page.getByLabel('Password').getAttribute('type')).to.equal('password');
    await page.getByLabel('Given name').fill('Mira');
    await page.getByLabel('Family name').fill('Halvorsen');
    await page.getByLabel('Date of birth').fill('1968-04-23');
    await page.getByLabel('Sex').selectOption('Female');
    await page.getByRole('button', { name: 'Make the account and the record' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mira Halvorsen' }).waitFor();
    await inspect(page, 'overview');
    await page.context().close();
  });

  for (const script of [true, false]) {
    it(`leads from a mail to a signed-in person, ${script ? 'by keyboard' : 'without a script'}`, async () => {
      const id = script ? 'kai@people.example' : 'nils@people.example';
      succeeded(
        await service.call(admin, 'POST', '/accounts/', {
          form: { account_id: id, full_name: 'Kai Newcomer', secondary_secret_p: '1' },
        }),
      );
      const { text } = succeeded(await service.call(admin, 'GET', `/accounts/${encodeURIComponent(id)}/secret`));
      const code = /\d{6}/.exec(text)![0];
      const mail = await waitForMail(service.mailDir, id, 'Activate your account');
      const page = await openPage(browser, { script });
      await page.goto(mail.links.find((link) => link.includes('/init/'))!);
      if (script) {
        await inspect(page, 'init');
        await page.keyboard.press('Tab');
        await page.getByLabel('Code').focus();
        await page.keyboard.type(code);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press('Enter');
      } else {
        await page.getByLabel('Code').fill(code);
        await page.getByLabel('New password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Save' }).click();
      }
      await page.getByRole('heading', { level: 1, name: 'Whose record?' }).waitFor();
      expect(await page.getByRole('link', { name: 'Start a record' }).count()).to.equal(1);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await page.goto(`${url}/my/account`);
      expect(new URL(page.url()).pathname).to.equal('/my/sign-in');
      await page.context().close();
    });
  }

  it('runs no script and takes no style of a page', async () => {
    const page = await (await browser.newContext()).newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(`${url}/my/sign-in`);
    expect(refused).to.equal([]);
    const told = ['inline event handler', 'inline style'].map((what) =>
      page.waitForEvent('console', (message) => message.text().includes(what)),
    );
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=document.title=1><p style=color:red>x</p>')",
    );
    await Promise.all(told);
    expect(refused.join(' ')).to.contain('Content Security Policy');
    expect(await page.title()).to.not.equal('1');
    await page.context().close();
  });

  for (const look of everyLook) {
    it(`is in order at ${nameOfLook(look)}`, async () => {
      const name = nameOfLook(look);
      const id = `person-${name}@people.example`;
      await createAccount(service.call, id, look.language === 'ar' ? 'ليلى حداد' : LONG);
      const page = await openPage(browser, look);
      const see = async (path: string, picture: string): Promise<void> => {
        await page.goto(`${url}${path}`);
        await inspect(page, `${picture}-${name}`);
      };
      await see('/my/sign-in', 'sign-in');
      await page.locator('[name=username]').fill(id);
      await page.locator('main button').click();
      await inspect(page, `sign-in-wrong-${name}`);
      await see('/my/sign-up', 'sign-up');
      await see('/my/forgot-password', 'forgot-password');
      await page.locator('[name=name]').fill('nobody@people.example');
      await page.locator('main button').click();
      await inspect(page, `code-${name}`);
      await see('/my/accounts/a@b.example/init/none', 'dead-link');
      await signIn(page, id);
      await inspect(page, `no-records-${name}`);
      await see('/my/nothing', 'missing');
      await see('/my/bring-in', 'bring-in');
      await see('/my/start', 'start');
      await page.locator('main button').click();
      await inspect(page, `start-wrong-${name}`);
      await page.locator('[name=given]').fill('Tor');
      await page.locator('[name=family]').fill(LONG);
      await page.locator('[name=born]').fill('1941-08-08');
      await page.locator('[name=sex]').selectOption('male');
      await page.locator('main button').click();
      await page.waitForURL(/\/records\//);
      await inspect(page, `record-${name}`);
      await see('/my/?all=1', 'records');
      await see('/my/account?note=saved', 'account');
      await see('/my/account/second-factor', 'second-factor');
      await page.locator('main button').click();
      await inspect(page, `second-factor-wrong-${name}`);
      const link = await page.locator('a[href^="otpauth:"]').getAttribute('href');
      await page.locator('[name=code]').fill((OtpUri.parse(link!) as TOTP).generate());
      await page.locator('main button').click();
      await inspect(page, `recovery-codes-${name}`);
      await see('/my/account/second-factor', 'second-factor-on');
      await page.getByRole('button', { name: /Sign out|Abmelden|Salir|الخروج/ }).click();
      await signIn(page, id);
      await inspect(page, `sign-in-code-${name}`);
      await page.context().close();
    });
  }
});
