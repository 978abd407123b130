/**
 * passkeys in a browser: made and used with Chromium's virtual authenticator, under the content policy of the pages;
 * the pages are checked by axe.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { URI as OtpUri, type TOTP } from 'otpauth';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import {
  browserMissing,
  everyLook,
  inspect,
  keepPicture,
  mainText,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
} from '../../support/browser';
import { createAccount } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FACTOR = '/my/account/second-factor';

type Key = { readonly say: CDPSession; readonly id: string };

/** A virtual authenticator that is always present and confirms. */
const addKey = async (page: Page): Promise<Key> => {
  const say = await page.context().newCDPSession(page);
  await say.send('WebAuthn.enable');
  const { authenticatorId } = await say.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { say, id: authenticatorId };
};

describe('passkeys in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let url: string;

  before(async () => {
    // Browsers make passkeys for host names only, not for addresses.
    service = await startService(sqliteMemory, { SVC_HOST: 'localhost' });
    url = service.running.url;
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const signIn = async (page: Page, username: string): Promise<void> => {
    await page.goto(`${url}/my/sign-in?next=%2Fmy%2Faccount`);
    await sendSignIn(page, username);
  };
  const signOut = (page: Page): Promise<void> => page.locator('form[action$="/sign-out"] button').click();

  it('makes one, signs in with it, and says what went wrong, under the policy of the pages', async () => {
    expect(new URL(url).hostname).to.equal('localhost');
    const id = 'kim@people.example';
    await createAccount(service.call, id, 'Kim');
    // This context does not bypass the content policy.
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on(
      'console',
      (message) => /Content Security Policy|Error:/.test(message.text()) && complaints.push(message.text()),
    );
    page.on('pageerror', (error) => complaints.push(String(error)));
    const key = await addKey(page);

    await signIn(page, id);
    await page.goto(`${url}${FACTOR}`);
    expect(await mainText(page)).to.not.contain('needs JavaScript');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').getByText('Give it a name').waitFor();
    await page.getByLabel('Name').fill('This computer');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    expect(await mainText(page)).to.contain('This computer');

    await page.getByLabel('Name').fill('Again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').getByText('This device has a passkey').waitFor();

    await signOut(page);
    await signIn(page, id);
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await page.waitForURL(`${url}/my/account`);

    const { credentials } = await key.say.send('WebAuthn.getCredentials', { authenticatorId: key.id });
    expect(credentials.map(({ rpId, signCount }) => [rpId, signCount > 1])).to.equal([['localhost', true]]);
    await key.say.send('WebAuthn.setUserVerified', { authenticatorId: key.id, isUserVerified: false });
    await signOut(page);
    await signIn(page, id);
    await key.say.send('WebAuthn.clearCredentials', { authenticatorId: key.id });
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used').waitFor();
    expect(page.url()).to.equal(`${url}/my/sign-in`);
    expect(await page.getByRole('button', { name: 'Use your passkey' }).isEnabled()).to.be.true();
    expect(complaints).to.equal([]);
    await context.close();
  });

  it('says without a script what it takes, and takes a code', async () => {
    const id = 'noa@people.example';
    await createAccount(service.call, id, 'Noa');
    const page = await openPage(browser);
    await addKey(page);
    await signIn(page, id);
    await page.goto(`${url}${FACTOR}`);
    await page.getByLabel('Name').fill('Key');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const code = await page.locator('.paper-codes code').first().innerText();
    await page.context().close();

    const plain = await openPage(browser, { script: false });
    await signIn(plain, id);
    expect(await mainText(plain)).to.contain('this page needs JavaScript');
    expect(await plain.getByRole('button', { name: 'Use your passkey' }).count()).to.equal(0);
    await plain.getByLabel('Code').fill(code);
    await plain.keyboard.press('Enter');
    await plain.waitForURL(`${url}/my/account`);
    await plain.goto(`${url}${FACTOR}`);
    expect(await plain.getByRole('button', { name: 'Add a passkey' }).count()).to.equal(0);
    await plain.getByLabel('Name').fill('Key');
    await plain.keyboard.press('Enter');
    await plain.getByRole('alert').waitFor();
    expect(await plain.getByRole('alert').innerText()).to.contain('needs JavaScript');
    await plain.context().close();
  });

  for (const look of everyLook) {
    const name = nameOfLook(look);

    it(`is in order at ${name}`, async () => {
      const id = `look-${name}@people.example`;
      await createAccount(service.call, id, 'Wolfeschlegelsteinhausenbergerdorff-Papadimitrakopoulou');
      const page = await openPage(browser, look);
      const inspectAs = (what: string): Promise<void> => inspect(page, `${what}-${name}`);
      const key = await addKey(page);
      await signIn(page, id);
      await page.goto(`${url}${FACTOR}`);
      await inspectAs('passkey-none');
      await page.locator('[data-passkey=make]').click();
      await inspectAs('passkey-unnamed');
      await page.locator('#field-passkey-name').fill('Donaudampfschifffahrtsgesellschaftskapitänstelefon');
      await page.locator('[data-passkey=make]').click();
      await page.locator('.paper-codes').waitFor();
      await page.goto(`${url}${FACTOR}`);
      await page.locator('#field-passkey-name').fill('x');
      await page.locator('[data-passkey=make]').click();
      await page.locator('[data-failure=known]').waitFor();
      await inspectAs('passkey-known');
      await page.goto(`${url}${FACTOR}?app=1&note=passkey`);
      await inspectAs('passkey-app');
      const link = await page.locator('a[href^="otpauth:"]').getAttribute('href');
      await page.locator('#field-on-code').fill((OtpUri.parse(link!) as TOTP).generate());
      await page.locator('#field-on-code').press('Enter');
      await page.locator('[role=status]').waitFor();
      await inspectAs('passkey-and-app');
      await page.locator('.rows a').click();
      await page.locator('main button').click();
      await inspectAs('passkey-delete');
      await signOut(page);
      await signIn(page, id);
      await inspectAs('passkey-sign-in');
      await key.say.send('WebAuthn.clearCredentials', { authenticatorId: key.id });
      await page.locator('[data-passkey=show]').click();
      await page.locator('[data-failure=failed]').waitFor();
      await inspectAs('passkey-failed');
      await page.locator('[name=code]').fill('000000');
      await page.locator('[name=code]').press('Enter');
      await inspectAs('passkey-wrong');
      await page.context().close();

      const plain = await openPage(browser, { ...look, script: false });
      await signIn(plain, id);
      await keepPicture(plain, `passkey-no-script-${name}`);
      expect(await plain.locator('[data-passkey]').isVisible()).to.be.false();
      await plain.context().close();
    });
  }
});
