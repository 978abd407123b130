/**
 * apps in a browser: the whole dance of each kind of app with a real signed client; its pages are checked by axe,
 * narrow and wide, light and dark.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import { startExampleApp, type ExampleApp } from '../../support/example-app';
import { startService, type TestService } from '../../support/server';
import {
  browserMissing,
  everyLook,
  inspect,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
} from '../../support/browser';
import { attribute, createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PARENT = 'parent@people.example';
const DIARY = 'diary@apps.example';
const FRAMED = 'framed@apps.example';
const CLINIC = 'clinic@apps.example';

describe('apps at the website in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let app: ExampleApp;
  let browser: Browser;
  let url: string;
  let recordId: string;
  let carenetId: string;
  let offeredId: string;

  const enter = async (page: Page, id = OLGA): Promise<void> => {
    await sendSignIn(page, id);
  };

  before(async () => {
    app = await startExampleApp([
      { id: DIARY, name: 'Bergen Diary', mode: 'ui' },
      { id: FRAMED, name: 'Framed Diary', mode: 'ui', frameable: true },
      { id: CLINIC, name: 'Clinic Connector', mode: 'background' },
    ]);
    service = await startService(sqliteMemory, { SVC_MANIFESTS_DIR: app.manifests });
    url = service.running.url;
    await createAccount(service.call, OLGA, 'Olga Openshaw');
    recordId = await createRecord(service.call, OLGA, 'Olga', 'Openshaw');
    const hers = await signIn(service.call, OLGA);
    const { text } = succeeded(await service.call(hers, 'GET', `/records/${recordId}/carenets/`));
    carenetId = attribute(text, 'Carenet', 'id');
    for (const id of [DIARY, FRAMED, CLINIC]) {
      succeeded(await service.call(hers, 'PUT', `/records/${recordId}/apps/${encodeURIComponent(id)}`));
    }
    await createAccount(service.call, PARENT, 'Ingeborg Halvorsen');
    offeredId = await createRecord(service.call, PARENT, 'Jonas', 'Halvorsen');
    browser = await openChromium();
    const page = await openPage(browser);
    await page.goto(`${url}/my/records/${offeredId}/hand-over`);
    await enter(page, PARENT);
    await page.locator('[name=name]').fill(OLGA);
    await page.locator('[name=keep]').check();
    await page.getByRole('button', { name: 'Offer it' }).click();
    await page.getByText('Is this the right person?').first().waitFor();
    await page.getByRole('button', { name: 'Offer it' }).click();
    await page.getByRole('button', { name: 'Take the offer back' }).waitFor();
    await inspect(page, 'hand-over-waiting');
    await page.context().close();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    app?.stop();
  });

  for (const [kind, id, what, script] of [
    ['a user app into a record', DIARY, 'record', true],
    ['a user app into a record, without a script', DIARY, 'record', false],
    ['a background app into a record', CLINIC, 'record', true],
    ['a user app into a carenet', FRAMED, 'carenet', true],
  ] as const) {
    it(`lets ${kind}, from the app back to the app`, async () => {
      const form: Record<string, string> =
        what === 'record' ? { svc_record_id: recordId } : { svc_carenet_id: carenetId };
      const { address } = await app.ask(url, id, form);
      const page = await openPage(browser, { script });
      await page.goto(address);
      expect(new URL(page.url()).pathname).to.equal('/my/sign-in');
      await enter(page);
      await page.waitForURL(/\/my\/authorize/);
      expect(await page.locator('input[type=radio]:checked').getAttribute('value')).to.equal(
        what === 'record' ? recordId : carenetId,
      );
      await page.getByRole('button', { name: /^Yes/ }).click();
      await page.waitForURL(`${app.origin}/callback?**`);
      expect(await page.locator('#said').textContent()).to.equal('read: Olga Openshaw');
      await page.context().close();
    });
  }

  it('takes a no back to the app', async () => {
    const { address } = await app.ask(url, DIARY);
    const page = await openPage(browser);
    await page.goto(address);
    await enter(page);
    await page.getByRole('button', { name: /^No/ }).click();
    await page.waitForURL(`${app.origin}/callback?**`);
    expect(await page.locator('#said').textContent()).to.equal('refused: permission_denied');
    await page.context().close();
  });

  it('lets an app in, opens it, and takes it out again, by keyboard', async () => {
    const page = await openPage(browser);
    await page.goto(`${url}/my/records/${recordId}/apps`);
    await enter(page);
    const medications = encodeURIComponent('medications@apps.svc.example');
    await page.locator(`a[href$="/apps/${medications}"]`).press('Enter');
    await page.getByRole('button', { name: /^Yes/ }).press('Enter');
    await page.getByRole('status').waitFor();
    await page.getByRole('button', { name: /^Open.*Bergen Diary/ }).press('Enter');
    await page.waitForURL(`${app.origin}/start?record_id=${recordId}**`);
    expect(await page.locator('#said').textContent()).to.equal(`opened ${recordId}`);
    await page.goto(`${url}/my/records/${recordId}/apps`);
    await page.getByRole('button', { name: /^Open.*Framed Diary/ }).press('Enter');
    const said = page.frameLocator('iframe.app').locator('#said');
    expect(await said.textContent()).to.equal(`opened ${recordId}`);
    await page.goto(`${url}/my/records/${recordId}/apps`);
    await page.getByRole('button', { name: /^Take out.*Medications/ }).press('Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('button', { name: /^Take out.*Medications/ }).count()).to.equal(0);
    await page.context().close();
  });

  for (const look of everyLook) {
    const name = nameOfLook(look);
    it(`is in order at ${name}`, async () => {
      const page = await openPage(browser, look);
      const asks = await app.ask(url, DIARY, {}, 'oob');
      await page.goto(asks.address);
      await enter(page);
      await page.waitForURL(/\/my\/authorize/);
      await inspect(page, `approve-${name}`);
      await page.locator('button[value=yes]').click();
      await page.getByRole('alert').waitFor();
      await inspect(page, `approve-wrong-${name}`);
      await page.locator('input[type=radio]').first().check();
      await page.locator('button[value=yes]').click();
      await page.locator('.code').waitFor();
      await inspect(page, `approve-code-${name}`);
      const alone = await app.ask(url, CLINIC);
      await page.goto(alone.address);
      await inspect(page, `approve-background-${name}`);
      await page.goto(`${url}/my/records/${recordId}/apps`);
      await inspect(page, `apps-${name}`);
      await page.goto(`${url}/my/records/${recordId}/apps/${encodeURIComponent('connector@apps.svc.example')}`);
      await inspect(page, `apps-let-in-${name}`);
      await page.goto(`${url}/my/records/${recordId}/apps?note=out`);
      await page.locator(`form[action*="${encodeURIComponent(FRAMED)}/open"] button`).click();
      await page.frameLocator('iframe.app').locator('#said').waitFor();
      await inspect(page, `apps-framed-${name}`);
      await page.goto(`${url}/my/?all=1`);
      await inspect(page, `records-offered-${name}`);
      await page.goto(`${url}/my/handovers/${offeredId}`);
      await inspect(page, `take-over-${name}`);
      await page.goto(`${url}/my/records/${recordId}/hand-over`);
      await inspect(page, `hand-over-${name}`);
      await page.locator('main form button').click();
      await page.getByRole('alert').waitFor();
      await inspect(page, `hand-over-wrong-${name}`);
      await page.context().close();
    });
  }
});
