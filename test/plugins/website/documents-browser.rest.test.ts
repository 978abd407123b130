/**
 * documents browser: documents and the timeline in a real browser: checked by axe, narrow and wide, light and dark, and
 * used by a person without a script.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import {
  browserMissing,
  inspect,
  nameOfLook,
  openChromium,
  openPage,
  sendSignIn,
  type Look,
} from '../../support/browser';
import {
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  sample,
  type SiteRecord,
} from '../../support/site-record';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Papadimitrakopoulou von und zu Hohenlohe';

describe('documents in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let browser: Browser;
  let record: SiteRecord;
  let empty: string;
  const ids: Record<string, string> = {};

  const path = (id: string, rest = ''): string => `/records/${record.recordId}/documents/${id}${rest}`;

  before(async () => {
    service = await startService(sqliteMemory);
    browser = await openChromium();
    record = await makeSiteRecord(service);
    empty = await createRecord(service.call, OWNER, 'Tor', 'Halvorsen');
    for (const [name, file] of Object.entries({
      visit: 'vital-signs/sample-check-up.xml',
      allergy: 'allergy/sample-peanut.xml',
      fills: 'models/sample-two-fills.xml',
      clinic: 'ccda/sample-clinic-summary.xml',
    })) {
      ids[name] = await record.store(sample(service, file));
    }
    ids['letter'] = await record.store(
      '<SchoolLetter xmlns="urn:school"><from>Miss Honey</from><body><p>Mira feels well again.</p></body></SchoolLetter>',
    );
    const long = [
      ...Array.from({ length: 120 }, (_, index) => factOf('Problem', { name_title: `Ailment ${index}` })),
      ...Array.from({ length: 3 }, (_, index) => factOf('Allergy', { allergen_title: `Latex ${index}` })),
    ];
    await record.store(factsDocument(service, ...long));
    for (let index = 0; index < 60; index += 1) {
      await record.store(
        factsDocument(
          service,
          factOf('Problem', { name_title: `Trouble ${index}`, startDate: `${1960 + index}-02-03` }),
        ),
      );
    }
    const { call } = service;
    const label = { body: LONG, type: 'text/plain' };
    succeeded(await call(record.credentials, 'PUT', path(ids['clinic']!, '/label'), label));
    succeeded(await call(record.credentials, 'PUT', path(ids['clinic']!, `/carenets/${record.carenetId}`)));
    const status = { form: { status: 'archived', reason: 'It was a mistake of the laboratory.' } };
    succeeded(await call(record.credentials, 'POST', path(ids['allergy']!, '/set-status'), status));
    succeeded(
      await call(record.credentials, 'POST', path(ids['visit']!, '/replace'), {
        body: sample(service, 'vital-signs/sample-home-weight.xml'),
      }),
    );
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const enter = async (look: Look, id: string): Promise<Page> => {
    const page = await openPage(browser, look);
    await page.goto(`${service.running.url}/my/sign-in`);
    await sendSignIn(page, id);
    return page;
  };

  /** Pages that are checked in every look; all others only where `whole` is set. */
  const MAIN = ['documents', 'grid', 'search-values', 'timeline', 'visits', 'document-clinic', 'document-allergy'];

  const looks: readonly (Look & { readonly whole?: boolean })[] = [
    { width: 1280, whole: true },
    { width: 390, dark: true, whole: true },
    { width: 320, language: 'de' },
    { width: 1280, dark: true, language: 'ar' },
  ];

  for (const look of looks) {
    const name = nameOfLook(look);

    it(`are in order at ${name}`, async () => {
      const base = `${service.running.url}/my/records/${record.recordId}`;
      const page = await enter(look, OWNER);
      const addresses = Object.entries({
        documents: `${base}/documents/`,
        grid: `${base}/documents/?view=grid`,
        'by-sender': `${base}/documents/?sort=from`,
        search: `${base}/search?q=trouble`,
        'search-values': `${base}/search?q=blood+pressure`,
        'document-open': `${base}/documents/${ids['fills']!}?at=details`,
        'document-sharing': `${base}/documents/${ids['fills']!}?at=sharing`,
        found: `${base}/documents/?q=trouble+1961`,
        'none-found': `${base}/documents/?q=nothing`,
        archived: `${base}/documents/?status=archived`,
        'no-documents': `${service.running.url}/my/records/${empty}/documents/?status=void`,
        timeline: `${base}/timeline`,
        visits: `${base}/visits/`,
        people: `${base}/people`,
        'timeline-end': `${base}/timeline?from=2100-01-01`,
        'timeline-none': `${base}/timeline?kind=Problem&to=1900-01-01`,
        'no-timeline': `${service.running.url}/my/records/${empty}/timeline`,
        ...Object.fromEntries(Object.entries(ids).map(([kind, id]) => [`document-${kind}`, `${base}/documents/${id}`])),
      }).filter(([picture]) => look.whole || MAIN.includes(picture));
      for (const [picture, address] of addresses) {
        await page.goto(address);
        await inspect(page, `${picture}-${name}`);
      }
      await page.goto(`${base}/documents/${ids['fills']!}?at=status`);
      await page.locator('main form button.end').first().click();
      await page.locator('[role=alert]').waitFor();
      await inspect(page, `document-wrong-${name}`);
      await page.context().close();
      const member = await enter(look, MEMBER);
      const carenet = `${service.running.url}/my/carenets/${record.carenetId}`;
      for (const rest of ['documents/', `documents/${ids['clinic']!}`, 'timeline']) {
        await member.goto(`${carenet}/${rest}`);
        await inspect(member, `carenet-${rest.replace(/\/.*/, '')}-${rest.length > 12 ? 'one-' : ''}${name}`);
      }
      await member.context().close();
    });
  }

  it('are found, named, put away and taken back without a script', async () => {
    const page = await enter({ script: false }, OWNER);
    await page.goto(`${service.running.url}/my/records/${record.recordId}/`);
    await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
    await page.getByLabel('Search', { exact: true }).fill('trouble 59');
    await page.locator('main').getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'Trouble 59' }).click();
    await page.getByText('Change title, date or kind').last().click();
    await page.getByLabel('Title', { exact: true }).fill('My knee');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'My knee' }).waitFor();
    await page.locator('#status summary').click();
    await page.getByLabel('Reason').fill('Healed');
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This document is archived').waitFor();
    await page.getByLabel('Reason').fill('It came back');
    await page.getByRole('button', { name: 'Use it again' }).click();
    await page.getByText('It is in use again').waitFor();
    const sharing = page.locator('#sharing summary');
    await sharing.click();
    await page.getByRole('button', { name: 'Add to Family' }).click();
    await page.getByText('The circle Family').waitFor();
    await sharing.click();
    await page.getByRole('button', { name: 'Take out of Family' }).waitFor();
    await page.getByRole('button', { name: 'Never share' }).click();
    await page.getByText('It will never be shared').waitFor();
    await sharing.click();
    await page.getByRole('button', { name: 'Let it be shared again' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as stored' }).click(),
    ]);
    expect(file.suggestedFilename()).to.match(/^My knee \d{4}-\d\d-\d\d\.xml$/);
    await page.getByRole('link', { name: 'Timeline', exact: true }).first().click();
    await page.getByText('Choose days').click();
    await page.getByLabel('From').fill('2019-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: 'Trouble 59' }).waitFor();
    expect(await page.getByText('Trouble 58').count()).to.equal(0);
    await page.context().close();
  });

  for (const script of [true, false]) {
    it(`lead from a search to a fact in a long document ${script ? 'with' : 'without'} a script`, async () => {
      const page = await enter({ script, width: 390 }, OWNER);
      const base = `${service.running.url}/my/records/${record.recordId}`;
      await page.goto(`${base}/search?q=ailment+118`);
      await page.getByRole('link', { name: 'Ailment 118' }).click();
      const fact = page.locator('li:target');
      await fact.waitFor();
      expect(await fact.innerText()).to.contain('Ailment 118');
      const place = await fact.boundingBox();
      expect([place!.y > 0, place!.y < 844]).to.equal([true, true]);
      // The other section of the long document is folded, until somebody asks for it.
      expect(await page.locator('.name', { hasText: 'Latex 2' }).isVisible()).to.be.false();
      await page.getByRole('navigation', { name: 'In this document' }).getByRole('link', { name: 'Allergies' }).click();
      await page.locator('.name', { hasText: 'Latex 2' }).waitFor();
      await page.context().close();
    });

    it(`have a menu that closes ${script ? 'with' : 'without'} a script`, async () => {
      const page = await enter({ script }, OWNER);
      await page.goto(`${service.running.url}/my/records/${record.recordId}/documents/${ids['fills']!}`);
      const [button, menu] = [
        page.getByRole('main').getByRole('button', { name: 'More' }),
        page.getByRole('navigation', { name: 'This document' }),
      ];
      await button.click();
      await menu.waitFor();
      expect(await menu.getByRole('button', { name: 'Print' }).isVisible()).to.equal(script);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
      await button.click();
      await page.mouse.click(5, 5);
      await menu.waitFor({ state: 'hidden' });
      await button.click();
      await menu.getByRole('link', { name: 'Change title, date or kind' }).click();
      await menu.waitFor({ state: 'hidden' });
      await page.getByLabel('Title', { exact: true }).click();
      await page.context().close();
    });
  }
});
