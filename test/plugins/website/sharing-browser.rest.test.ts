/**
 * sharing-browser: who can see what and who looked, in a real browser: axe finds nothing wrong, and nothing is wider
 * than the window.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { projectRoot } from '../../../core/base/paths';
import type { Credentials } from '../../support/client';
import { sqliteMemory } from '../../support/databases';
import { admin, startService, type TestService } from '../../support/server';
import {
  browserMissing,
  inspect,
  everyLook,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
  type Look,
} from '../../support/browser';
import { attribute, createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MIRA = 'mira@people.example';
const ANNA = 'anna@people.example';
const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Papadimitrakopoulou von und zu Hohenlohe-Langenburg';
const sample = (name: string): string =>
  readFileSync(join(projectRoot, 'pipeline-config', name), 'utf8').replaceAll(
    '{vocab_base}',
    'https://svc.example/vocab',
  );

describe('sharing and what follows in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  let mira: Exclude<Credentials, null>;
  let full: string;
  let empty: string;
  let messageId: string;

  const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, more: object = {}): Promise<string> =>
    succeeded(await service.call(mira, method, path, more)).text;

  /** Fills a record with long names, many circles and decisions about documents. */
  const fill = async (): Promise<void> => {
    const list = succeeded(await service.call(mira, 'GET', `/records/${full}/carenets/`)).text;
    const [family, physicians] = [...list.matchAll(/<Carenet id="([^"]*)"/g)].map((match) => match[1]!);
    for (const [carenet, account] of [
      [family, ANNA],
      [family, 'long@people.example'],
      [physicians, ANNA],
    ]) {
      await call('POST', `/carenets/${carenet}/accounts/`, { form: { account_id: account, write: 'false' } });
    }
    await call('POST', `/records/${full}/shares/`, { form: { account_id: 'long@people.example' } });
    for (const type of ['Medication', 'Allergy', 'Immunization', 'Lab', 'Problem']) {
      await call('POST', `/records/${full}/autoshare/carenets/${family}/bytype/set`, { form: { type } });
    }
    await call('POST', `/records/${full}/carenets/`, { form: { name: 'Neighbours and everybody in the house' } });
    for (let index = 0; index < 8; index += 1) {
      const name = ['allergy/sample-peanut.xml', 'medication/sample-aspirin.xml', 'problem/sample-hypertension.xml'];
      const stored = await call('POST', `/records/${full}/documents/`, { body: sample(name[index % 3]!) });
      const path = `/records/${full}/documents/${attribute(stored, 'Document', 'id')}`;
      await call(index % 2 ? 'PUT' : 'DELETE', `${path}/carenets/${index % 4 > 1 ? family : physicians}`);
      if (index === 3) {
        await call('PUT', `${path}/nevershare`);
        await call('PUT', `${path}/label`, { body: LONG.slice(0, 90), type: 'text/plain' });
      }
    }
  };

  /** Writes messages and a notice; resolves to the id of one with an attachment. */
  const write = async (): Promise<string> => {
    const at = `/records/${full}/inbox/`;
    for (const subject of ['Next visit in June', LONG]) {
      succeeded(await service.call(admin, 'POST', `${at}${subject.length}`, { form: { subject, severity: 'high' } }));
    }
    const body = 'Dear Mira,\n\nyour **results** are here:\n\n- blood sugar\n- [cholesterol](https://lab.example/)\n';
    succeeded(
      await service.call(admin, 'POST', `${at}results`, {
        form: { subject: 'Your results from February', body, body_type: 'markdown', num_attachments: '1' },
      }),
    );
    const attached = { body: sample('allergy/sample-peanut.xml') };
    succeeded(await service.call(admin, 'POST', `${at}results/attachments/1`, attached));
    const notice = { form: { content: 'Harbour View Hospital added a document' } };
    succeeded(await service.call(admin, 'POST', `/records/${full}/notifications/`, notice));
    const list = succeeded(await service.call(mira, 'GET', `/accounts/${encodeURIComponent(MIRA)}/inbox/`)).text;
    return attribute(list, 'Message', 'id');
  };

  before(async () => {
    service = await startService(sqliteMemory);
    url = service.running.url;
    browser = await openChromium();
    await createAccount(service.call, MIRA, 'Mira Halvorsen');
    await createAccount(service.call, ANNA, 'Anna Berg');
    await createAccount(service.call, 'long@people.example', LONG);
    mira = await signIn(service.call, MIRA);
    full = await createRecord(service.call, MIRA, 'Mira', 'Halvorsen');
    empty = await createRecord(service.call, MIRA, 'Tor', LONG);
    await fill();
    messageId = await write();
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const enter = async (look: Look): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${url}/my/sign-in`);
    await sendSignIn(page, MIRA);
    await page.waitForURL(/\/my\/$/);
    return page;
  };

  for (const look of everyLook) {
    it(`is in order at ${nameOfLook(look)}`, async () => {
      const page = await enter(look);
      for (const [name, path] of [
        ['sharing', `/my/records/${full}/sharing`],
        ['history', `/my/records/${full}/history`],
        ['history-filtered', `/my/records/${full}/history?what=refused`],
        ['export', `/my/records/${full}/export`],
        ['inbox', '/my/inbox/'],
        ['message', `/my/inbox/${messageId}`],
        ['sharing-empty', `/my/records/${empty}/sharing`],
      ] as const) {
        await page.goto(`${url}${path}`);
        await inspect(page, `${name}-${nameOfLook(look)}`);
      }
      await page.goto(`${url}/my/records/${empty}/sharing`);
      await page.locator('details:has([id^=field-add-]) > summary').first().click();
      await page.locator('[id^=field-add-]').first().fill('nobody@people.example');
      await page.locator('form:has([id^=field-add-]) button').first().click();
      await page.locator('[role=alert]').waitFor();
      await inspect(page, `sharing-wrong-${nameOfLook(look)}`);
      await page.context().close();
    });
  }

  it('adds a person, gives a kind and takes both back, by the labels that a person reads', async () => {
    const page = await enter({ script: false });
    await page.goto(`${url}/my/records/${empty}/sharing`);
    const form = page.locator('form').filter({ has: page.getByText('to Family') });
    await page.getByRole('heading', { name: 'In Family' }).click();
    await form.getByLabel('User name or e-mail').fill(ANNA);
    await page.getByRole('button', { name: 'Add to Family' }).click();
    await page.getByText('leads to the account of Anna Berg').waitFor();
    await page.getByRole('button', { name: 'Add to Family' }).click();
    await page.getByRole('heading', { name: 'By kind' }).click();
    await page.getByRole('checkbox', { name: 'Lab results: Family' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Anna Berg sees lab results.').waitFor();
    await page.getByRole('heading', { name: 'By kind' }).click();
    await page.getByRole('checkbox', { name: 'Lab results: Family' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'In Family' }).click();
    await page.getByRole('button', { name: 'Take out Anna Berg' }).click();
    await page.getByText('one person sees a part').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('has the links beside the people where there is room, and below them on a telephone', async () => {
    for (const [width, isBeside] of [
      [1280, true],
      [390, false],
    ] as const) {
      const page = await enter({ width });
      await page.goto(`${url}/my/records/${full}/sharing`);
      const [people, links] = await Promise.all(
        ['People', 'Health links'].map((name) => page.getByRole('heading', { name, exact: true }).boundingBox()),
      );
      expect(Math.abs(links!.y - people!.y) < 10, String(width)).to.equal(isBeside);
      expect(links!.x > people!.x + 300, String(width)).to.equal(isBeside);
      await page.context().close();
    }
  });

  it('asks whose account it is on a page that is in order', async () => {
    const page = await enter({});
    await page.goto(`${url}/my/records/${empty}/sharing`);
    const form = page.locator('form').filter({ has: page.getByText('to Family') });
    await page.getByRole('heading', { name: 'In Family' }).click();
    await form.getByLabel('User name or e-mail').fill(ANNA);
    await page.getByRole('button', { name: 'Add to Family' }).click();
    await page.getByText('leads to the account of Anna Berg').waitFor();
    await inspect(page, 'sharing-whose-account');
    await page.context().close();
  });
});
