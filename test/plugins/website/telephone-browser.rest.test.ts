/**
 * telephone browser: what is kept on a telephone opens without a network, for 30 days and no longer, and goes with the
 * session; readings that are typed while the network is cut arrive exactly once, and only for the person who typed them.
 * SVC_TEST_CUTS says how many readings meet a cut (20 if it does not).
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import {
  axeFinds,
  browserMissing,
  keepPicture,
  mainText,
  openChromium,
  openPage,
  sendSignIn,
} from '../../support/browser';
import { formsOf } from '../../support/site';
import { openNetwork, type Condition, type Network } from '../../support/network';
import { startService, type TestService } from '../../support/server';
import { PASSWORD, signIn, succeeded } from '../../support/world';
import { factOf, factsDocument, makeSiteRecord, MEMBER, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after, afterEach } = lab;

const CUTS = Number(process.env['SVC_TEST_CUTS'] ?? 20);
const DAY = 86_400_000;
const OTHER_PASSWORD = 'another horse, another battery';

describe('what is kept on a telephone', { skip: browserMissing() }, () => {
  let service: TestService;
  let network: Network;
  let made: SiteRecord;
  // A browser of its own for each telephone: one whose worker has removed itself may end with its context.
  const browsers: Browser[] = [];

  const at = (rest: string): string => `${network.url}/my/records/${made.recordId}/${rest}`;
  const enter = async (page: Page, who: string): Promise<void> => {
    await page.goto(`${network.url}/my/sign-in`);
    await sendSignIn(page, who);
  };
  const telephone = async (who = OWNER): Promise<Page> => {
    const browser = await openChromium();
    browsers.push(browser);
    const page = await openPage(browser, { width: 390 });
    await enter(page, who);
    return page;
  };
  const keep = async (page: Page): Promise<void> => {
    await page.goto(`${network.url}/my/account`);
    await page.getByRole('button', { name: 'Keep on this telephone' }).click();
    await page.locator('[data-worker][data-state=on]').waitFor();
  };
  /** Moves the clock of the worker. */
  const turnClock = async (page: Page, milliseconds: number): Promise<void> => {
    const [worker] = page.context().serviceWorkers();
    await worker!.evaluate(
      `(() => { const real = self.realNow ??= Date.now.bind(Date); Date.now = () => real() + ${milliseconds} })()`,
    );
  };
  /** The words of a page, which the service or the telephone answers; none where neither does. */
  const opens = async (page: Page, path: string): Promise<string> => {
    const answer = await page.goto(at(path)).catch(() => null);
    // The telephone's last word and the browser's own page of errors have no main part: waiting for one would take minutes.
    return answer === null ? '' : page.locator('body').innerText();
  };
  /** What the telephone holds, as the store of its worker has it. */
  const inStore = <T>(page: Page, name: 'pages' | 'facts', method: 'getAllKeys' | 'getAll'): Promise<readonly T[]> =>
    page.evaluate(`new Promise((resolve, reject) => {
      const open = indexedDB.open('svc-telephone');
      open.onerror = () => reject(open.error);
      open.onsuccess = () => {
        const all = open.result.transaction('${name}').objectStore('${name}').${method}();
        all.onerror = () => reject(all.error);
        all.onsuccess = () => { open.result.close(); resolve(all.result); };
      };
    })`);
  const until = async (page: Page, claim: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await claim()); tries++) {
      if (tries > 300) {
        throw new Error('what was waited for did not happen');
      }
      await page.waitForTimeout(100);
    }
  };
  /** Looks at a page with a network, and waits until the telephone keeps a path no longer. */
  const contactEnds = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${network.url}/my/account`);
    await until(page, async () => !(await inStore<string>(page, 'pages', 'getAllKeys')).includes(path));
  };
  /** Types a weight into the form, which comes from the service or from the telephone. */
  const typeWeight = async (page: Page, weight: string): Promise<void> => {
    await page.goto(at('quick/weight'));
    await page.locator('[name=weight_value]').fill(weight);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForLoadState();
  };
  const stored = async (): Promise<readonly string[]> => {
    const { text } = await made.owner.get(`/my/records/${made.recordId}/data/VitalSigns.csv`);
    const [head = '', ...rows] = text.trim().split(/\r?\n/);
    const column = head.split(',').indexOf('weight_value');
    return rows.map((row) => row.split(',')[column] ?? '').filter((value) => value !== '');
  };
  const changePassword = async (old: string, next: string): Promise<void> => {
    const account = await made.member.open('/my/account');
    const form = formsOf(account).find(({ fields }) => 'old' in fields && 'new' in fields)!;
    const { status, text } = await made.member.post(form.action, { ...form.fields, old, new: next });
    expect(status, text).to.equal(303);
  };
  const shareCircle = async (method: 'DELETE' | 'POST'): Promise<void> => {
    const path = `/carenets/${made.carenetId}/accounts/`;
    // The session of the record's making may have been ended by another test.
    const owner = await signIn(service.call, OWNER);
    const form = { account_id: MEMBER, write: 'false' };
    succeeded(
      await (method === 'DELETE'
        ? service.call(owner, method, `${path}${MEMBER}`)
        : service.call(owner, method, path, { form })),
    );
  };
  /** Looks at pages until nothing waits any more. */
  const settle = async (page: Page): Promise<void> => {
    for (let tries = 0; tries < 60; tries++) {
      await page.goto(at(''));
      const [worker] = page.context().serviceWorkers();
      const count = await worker!.evaluate(
        `new Promise((resolve) => { const open = indexedDB.open('svc-telephone'); open.onsuccess = () => { const all = open.result.transaction('readings').objectStore('readings').count(); all.onsuccess = () => { open.result.close(); resolve(all.result); }; }; })`,
      );
      if (count === 0) {
        return;
      }
      await page.waitForTimeout(200);
    }
    throw new Error('readings still wait');
  };

  before(async () => {
    service = await startService(sqliteMemory);
    network = await openNetwork(service.running.url);
    made = await makeSiteRecord(service);
    await made.store(factsDocument(service, factOf('Allergy', { allergen_title: 'Penicillin' })));
    await made.store(factsDocument(service, factOf('Medication', { drugName_title: 'Ramipril 5 mg' })));
    await made.owner.post(`/my/records/${made.recordId}/card`, {
      ...{
        crumb: /name="crumb" value="([^"]+)"/.exec(
          (await made.owner.open(`/my/records/${made.recordId}/card`)).text,
        )![1]!,
      },
      kind: 'allergies',
    });
  });
  afterEach(async () => {
    network.set('on');
    await Promise.all(browsers.splice(0).map((browser) => browser.close().catch(() => undefined)));
  });
  after(async () => {
    await network.close();
    await service.stop();
  });

  it('is nothing until a person turns it on', async () => {
    const page = await telephone();
    await page.goto(at('card'));
    expect(page.context().serviceWorkers()).to.equal([]);
    network.set('off');
    expect(await opens(page, 'card')).to.not.contain('Penicillin');
  });

  it('opens without a network with its date, and says for whom', async () => {
    const page = await telephone();
    await keep(page);
    await keepPicture(page, 'telephone-account');
    expect(await axeFinds(page)).to.equal([]);
    network.set('off');
    for (const [path, said] of [
      ['card', 'Penicillin'],
      ['', 'Ramipril'],
      ['list/Medication', 'Ramipril'],
      ['quick/weight', 'Weight'],
      ['quick/blood-pressure', 'Blood pressure'],
    ] as const) {
      const text = await opens(page, path);
      expect(text, path).to.contain(said).and.to.contain('As of ').and.to.contain('whoever holds it unlocked');
      await keepPicture(page, `telephone-${path.replace('/', '-') || 'overview'}`);
      expect(await axeFinds(page), path).to.equal([]);
    }
    expect(await opens(page, 'timeline')).to.contain('There is no network');
    await page.goto(`${network.url}/my/`);
    expect(await mainText(page)).to.contain('Ramipril');
  });

  it('is there after 30 days without contact, and gone afterwards or when the clock went back', async () => {
    for (const [days, isThere] of [
      [29.9, true],
      [30.1, false],
      [-1, false],
    ] as const) {
      const page = await telephone();
      await keep(page);
      network.set('off');
      await turnClock(page, days * DAY);
      expect((await opens(page, 'card')).includes('Penicillin'), String(days)).to.equal(isThere);
      network.set('on');
    }
  });

  it('is there on each of 30 simulated days, and for 30 more after a contact', async () => {
    const page = await telephone();
    await keep(page);
    const isThereOn = async (day: number): Promise<boolean> => {
      await turnClock(page, day * DAY);
      return (await opens(page, 'card')).includes('Penicillin');
    };
    network.set('off');
    for (let day = 1; day < 30; day++) {
      expect(await isThereOn(day), String(day)).to.be.true();
    }
    network.set('on');
    await turnClock(page, 29.5 * DAY);
    await page.goto(`${network.url}/my/account`);
    const since = Date.now() + 29 * DAY;
    await until(
      page,
      async () => ((await inStore<{ contact: number }>(page, 'facts', 'getAll'))[0]?.contact ?? 0) > since,
    );
    network.set('off');
    for (const [day, isThere] of [
      [30.1, true],
      [59.4, true],
      [59.6, false],
    ] as const) {
      expect(await isThereOn(day), String(day)).to.equal(isThere);
    }
  });

  it('is sealed under a key that cannot be exported', async () => {
    const page = await telephone();
    await keep(page);
    const [worker] = page.context().serviceWorkers();
    const found = await worker!.evaluate<{ extractable: boolean; clear: string }>(`(async () => {
      const settled = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; });
      const base = await settled(indexedDB.open('svc-telephone'));
      const all = (name) => settled(base.transaction(name).objectStore(name).getAll());
      const [keys, pages, facts] = [await all('keys'), await all('pages'), await all('facts')];
      const clear = pages.map(({ data }) => new TextDecoder('latin1').decode(data)).join('') + JSON.stringify(facts);
      base.close();
      return { extractable: keys.some((key) => key.extractable), clear };
    })()`);
    expect(found.extractable).to.be.false();
    expect(found.clear.length).to.be.above(1000);
    expect(found.clear).to.not.contain('Penicillin').and.to.not.contain('Halvorsen').and.to.not.contain(OWNER);
  });

  it('goes when the session was ended elsewhere, at the next contact', async () => {
    const page = await telephone();
    await keep(page);
    const account = await made.owner.open('/my/account');
    for (const { fields, action, html } of formsOf(account)) {
      if (html.includes('Sign out there')) {
        await made.owner.post(action, fields);
      }
    }
    await contactEnds(page, new URL(at('card')).pathname);
    network.set('off');
    expect(await opens(page, 'card')).to.not.contain('Penicillin');
  });

  for (const [what, end, again] of [
    [
      'a password was changed elsewhere',
      () => changePassword(PASSWORD, OTHER_PASSWORD),
      () => changePassword(OTHER_PASSWORD, PASSWORD),
    ],
    ['a share has ended', () => shareCircle('DELETE'), () => shareCircle('POST')],
  ] as const) {
    it(`goes when ${what}, at the next contact`, async () => {
      const page = await telephone(MEMBER);
      await keep(page);
      const path = `/my/carenets/${made.carenetId}/`;
      const isKept = async (): Promise<boolean> => {
        network.set('off');
        const answer = await page.goto(`${network.url}${path}`).catch(() => null);
        const text = answer === null ? '' : await page.locator('body').innerText();
        network.set('on');
        return text.includes('As of ');
      };
      expect(await isKept()).to.be.true();
      await end();
      try {
        // Without a contact nothing has changed.
        expect(await isKept()).to.be.true();
        await contactEnds(page, path);
        expect(await isKept()).to.be.false();
      } finally {
        await again();
      }
    });
  }

  it('goes at sign-out, which says first how many readings wait', async () => {
    const page = await telephone();
    await keep(page);
    network.set('off');
    await typeWeight(page, '91.25');
    expect(await mainText(page))
      .to.contain('It waits on this telephone')
      .and.to.contain('91.25 kg');
    await page.goto(at('card'));
    expect(await mainText(page))
      .to.contain('Waiting until there is a network')
      .and.to.contain('91.25 kg');
    await page.goto(`${network.url}/my/account`).catch(() => undefined);
    await page.goto(at(''));
    await page
      .locator('form[action$="/sign-out"]')
      .first()
      .evaluate((form) => (form as unknown as { submit(): void }).submit());
    await page.getByRole('button', { name: 'Sign out and remove them' }).waitFor();
    expect(await mainText(page)).to.contain('readings that wait here: 1');
    await page.getByRole('button', { name: 'Sign out and remove them' }).click();
    await page.waitForLoadState();
    expect(await opens(page, 'card')).to.not.contain('Penicillin');
    expect(await stored()).to.not.include('91.25');
  });

  it('sends a reading only for the person who typed it, and shows it to nobody else', async () => {
    const page = await telephone();
    await keep(page);
    network.set('off');
    await typeWeight(page, '92.5');
    await page.context().clearCookies();
    network.set('on');
    await enter(page, MEMBER);
    for (const path of ['/my/?all=1', '/my/account', '/my/inbox/']) {
      await page.goto(`${network.url}${path}`);
      expect(await mainText(page)).to.not.contain('92.5');
    }
    network.set('off');
    expect(await opens(page, 'card')).to.not.contain('Penicillin');
    network.set('on');
    expect(await stored()).to.not.include('92.5');
    await page.context().clearCookies();
    await enter(page, OWNER);
    for (let tries = 0; tries < 50 && !(await stored()).includes('92.5'); tries++) {
      await page.goto(at(''));
      await page.waitForTimeout(100);
    }
    expect((await stored()).filter((value) => value === '92.5').length).to.equal(1);
  });

  it(`loses no reading of ${CUTS} that meet a cut of the network, and doubles none`, async () => {
    const page = await telephone();
    await keep(page);
    const conditions: readonly Condition[] = ['off', 'deaf', 'on', 'deaf', 'off'];
    const typed: string[] = [];
    for (let count = 0; count < CUTS; count++) {
      const weight = (60 + count / 100).toFixed(2);
      await page.goto(at('quick/weight'));
      await page.locator('[name=weight_value]').fill(weight);
      network.set(conditions[count % conditions.length]!);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForLoadState();
      typed.push(weight);
      if (count % 3 === 0) {
        network.set('on');
      }
    }
    network.set('on');
    await settle(page);
    const found = (await stored()).map((value) => Number(value).toFixed(2));
    for (const weight of typed) {
      expect(found.filter((value) => value === weight).length, weight).to.equal(1);
    }
  });
});
