/**
 * fhir-app: the first app of docs/fhir.md, word by word: its manifest is the only file of its folder, and its page
 * (docs/examples/fhir-app.mjs) runs in a browser. Only the two addresses are replaced by those of the test.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser } from 'playwright-core';
import { inProject } from '../../core/base/paths';
import { axeFinds, browserMissing, openChromium, openPage, overflow } from '../support/browser';
import { sqliteMemory } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { makeSiteRecord, OWNER, type SiteRecord } from '../support/site-record';
import { environment } from '../support/svc';
import { testManifests } from '../support/test-manifests';
import { PASSWORD } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The first block of JSON of the guide. */
const manifest = (): string => /```json\n([^]*?)```/.exec(readFileSync(inProject('docs/fhir.md'), 'utf8'))![1]!;

describe('the first app of docs/fhir.md', { skip: browserMissing() }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-first-app-'));
  let service: TestService;
  let world: SiteRecord;
  let browser: Browser;
  let pages: Server;
  let at: string;
  let page = '';
  const put = (root: string, text: string): void => {
    mkdirSync(join(root, 'user', 'pulse'), { recursive: true });
    writeFileSync(join(root, 'user', 'pulse', 'manifest.json'), text);
  };

  before(async () => {
    pages = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(page);
    });
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
    at = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
    put(folder, manifest().replaceAll('https://pulse.example/', at));
    service = await startService(sqliteMemory, { SVC_MANIFESTS_DIR: `${testManifests}:${folder}` });
    world = await makeSiteRecord(service);
    await world.store('<Note xmlns="https://other.example/">A first note</Note>');
    browser = await openChromium();
    const code = readFileSync(inProject('docs/examples/fhir-app.mjs'), 'utf8').replace(/^\/\*[^]*?\*\/\n/, '');
    expect(code.split('\n').filter((line) => line.trim() !== '').length).to.be.at.most(42);
    const script = code.replace('https://phr.example/fhir', `${service.services.baseUrl()}/fhir`);
    page = `<!doctype html><meta charset="utf-8"><main></main><script type="module">${script}</script>`;
  });
  after(async () => {
    await browser.close();
    pages.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('is accepted by check as it is written', async () => {
    const root = join(folder, 'as-written');
    put(root, manifest());
    const { stdout, stderr } = await promisify(execFile)(inProject('bin/svc'), ['check'], {
      env: { ...environment({}), SVC_MANIFESTS_DIR: root, SVC_WEBSITE: '0' },
      cwd: inProject('.'),
    });
    expect(stdout).to.contain('1 apps');
    expect(stderr).to.not.contain('pulse');
  });

  it('is let in and shows what is in the record, or that it was kept out', async () => {
    const one = await openPage(browser, { width: 390 });
    await one.goto(at);
    await one.locator('[name=username]').fill(OWNER);
    await one.locator('[name=password]').fill(PASSWORD);
    await one.locator('main button').first().click();
    await one.getByRole('radio').first().waitFor();
    expect(await axeFinds(one)).to.equal([]);
    expect(await overflow(one)).to.equal(0);
    await one.locator(`input[type=radio][value="${world.recordId}"]`).check();
    await one.getByRole('button', { name: /^Yes/ }).click();
    await one.getByText('Documents of Mira Halvorsen:').waitFor();
    await one
      .getByText(/\d{4}-\d\d-\d\d \S+\/\S+/)
      .first()
      .waitFor();

    await one.goto(at);
    await one.getByRole('button', { name: /^No/ }).click();
    await one.getByText('You said no (access_denied).').waitFor();
    await one.context().close();
  });

  it('is opened from the website for a record', async () => {
    const one = await openPage(browser);
    await one.goto(`${service.services.baseUrl()}/my/records/${world.recordId}/apps`);
    await one.locator('[name=username]').fill(OWNER);
    await one.locator('[name=password]').fill(PASSWORD);
    await one.locator('main button').first().click();
    await one.getByRole('button', { name: /^Open/ }).click();
    await one.locator(`input[type=radio][value="${world.recordId}"]`).check();
    await one.getByRole('button', { name: /^Yes/ }).click();
    await one.getByText('Documents of Mira Halvorsen:').waitFor();
    await one.context().close();
  });
});
