/**
 * browser: real apps in a browser: the one of docs/fhir.md, and the SMART project's own client, which launches, reads
 * and refreshes; another client reads.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Browser, Page } from 'playwright-core';
import { inProject } from '../../../core/base/paths';
import { sqliteMemory } from '../../support/databases';
import { admin, startService, type TestService } from '../../support/server';
import { addSmartApp } from '../../support/smart-app';
import { makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { mintSmartToken } from '../../support/smart';
import { axeFinds, browserMissing, openChromium, openPage, overflow } from '../../support/browser';
import { PASSWORD, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const APP = 'pulse@apps.example';
const SCOPES = 'launch launch/patient openid fhirUser offline_access patient/*.rs';

const library = readFileSync(join(inProject('node_modules/fhirclient/build'), 'fhir-client.js'));

const page = (script: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Pulse</title><main></main><script src="/fhir-client.js"></script><script>${script}</script>`;

/** What the client of the SMART project finds out after it was let in. */
const READY = `
  window.told = FHIR.oauth2.ready().then(async (client) => {
    const patient = await client.patient.read();
    const bundle = await client.request('DocumentReference?patient=' + client.patient.id);
    const before = client.state.tokenResponse.refresh_token;
    await client.refresh();
    window.client = client;
    return {
      patient: client.patient.id, id: patient.id, family: patient.name[0].family, fhirUser: client.getFhirUser(),
      documents: bundle.total, renewed: before !== client.state.tokenResponse.refresh_token,
      again: (await client.patient.read()).id, scope: client.state.tokenResponse.scope,
    };
  }).catch((error) => ({ error: String(error) }));`;

describe('apps of SMART in a browser', { skip: browserMissing() }, () => {
  let service: TestService;
  let world: SiteRecord;
  let browser: Browser;
  let pages: Server;
  let at: string;
  const served = new Map<string, string>();

  before(async () => {
    pages = createServer((request, response) => {
      const path = request.url!.split('?')[0]!;
      const body = path === '/fhir-client.js' ? library : served.get(path);
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body);
    });
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
    at = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    service = await startService(sqliteMemory);
    world = await makeSiteRecord(service);
    await world.store('<Note xmlns="https://other.example/">A first note</Note>');
    const redirect_uris = [`${at}/doc.html`, `${at}/app.html`];
    const fields = { redirect_uris, scope: SCOPES, token_endpoint_auth_method: 'none' as const };
    await addSmartApp(service, APP, fields, { index: `${at}/launch.html` });
    browser = await openChromium();
    const asking = (more: string) =>
      page(`FHIR.oauth2.authorize({ clientId: '${APP}', redirectUri: '${at}/app.html', ${more} });`);
    served.set('/standalone.html', asking(`scope: '${SCOPES}', iss: '${service.services.baseUrl()}/fhir'`));
    served.set('/launch.html', asking(`scope: 'launch openid fhirUser offline_access patient/*.rs'`));
    served.set('/app.html', page(READY));
    const text = readFileSync(inProject('docs/fhir.md'), 'utf8');
    const [, code = ''] = /```js\n([^]*?)```/.exec(text)!;
    expect(code.split('\n').filter((line) => line.trim() !== '').length).to.be.at.most(42);
    const here = code.replace('https://phr.example/fhir', `${service.services.baseUrl()}/fhir`);
    served.set('/doc.html', `<!doctype html><meta charset="utf-8"><main></main><script type="module">${here}</script>`);
  });
  after(async () => {
    await browser.close();
    pages.close();
    await service.stop();
  });

  const signIn = async (one: Page): Promise<void> => {
    await one.locator('[name=username]').fill(OWNER);
    await one.locator('[name=password]').fill(PASSWORD);
    await one.locator('main button').first().click();
  };
  const sayYes = async (one: Page): Promise<void> => {
    await one.getByRole('radio').first().waitFor();
    expect(await axeFinds(one)).to.equal([]);
    expect(await overflow(one)).to.equal(0);
    await one.locator(`input[type=radio][value="${world.recordId}"]`).check();
    await one.getByRole('button', { name: /^Yes/ }).click();
  };

  it('the app of the guide is let in and shows what is in the record', async () => {
    const one = await openPage(browser, { width: 390 });
    await one.goto(`${at}/doc.html`);
    await signIn(one);
    await sayYes(one);
    await one.getByText('Documents of Mira Halvorsen:').waitFor();
    await one
      .getByText(/\d{4}-\d\d-\d\d \S+\/\S+/)
      .first()
      .waitFor();

    await one.goto(`${at}/doc.html`);
    await one.getByRole('button', { name: /^No/ }).click();
    await one.getByText('You said no (access_denied).').waitFor();
    await one.context().close();
  });

  const told = async (one: Page): Promise<Record<string, unknown>> => {
    await one.waitForURL(`${at}/app.html**`);
    await one.waitForFunction('window.told !== undefined');
    return one.evaluate<Record<string, unknown>>('window.told');
  };
  const expected = () => ({
    patient: world.recordId,
    id: world.recordId,
    family: 'Halvorsen',
    fhirUser: `Patient/${world.recordId}`,
    renewed: true,
    again: world.recordId,
  });

  it('the client of the SMART project launches by itself, reads and refreshes', async () => {
    const one = await openPage(browser);
    await one.goto(`${at}/standalone.html`);
    await signIn(one);
    await sayYes(one);
    const answer = await told(one);
    expect(answer, JSON.stringify(answer)).to.include(expected());
    expect(Number(answer['documents'])).to.be.above(0);
    expect(answer['scope']).to.equal(SCOPES);
    await one.context().close();
  });

  it('the client of the SMART project is opened from the website for a record', async () => {
    const one = await openPage(browser);
    await one.goto(`${service.services.baseUrl()}/my/records/${world.recordId}/apps`);
    await signIn(one);
    await one.getByRole('button', { name: /^Open/ }).click();
    await sayYes(one);
    const answer = await told(one);
    expect(answer, JSON.stringify(answer)).to.include(expected());
    // Its token ends when the app is removed, and a refresh does not restore the access.
    const reads = (): Promise<string> =>
      one.evaluate<string>(`window.client.patient.read().then(() => 'read', (error) => String(error))`);
    expect(await reads()).to.equal('read');
    succeeded(await service.call(admin, 'DELETE', `/records/${world.recordId}/apps/${encodeURIComponent(APP)}`));
    expect(await reads()).to.not.equal('read');
    expect(await reads()).to.not.equal('read');
    await one.context().close();
  });

  it('another client reads with a token, and is told what it may not', async () => {
    // The package has ES modules only.
    const { Client } = await import('fhir-kit-client');
    const client = new Client({ baseUrl: `${service.services.baseUrl()}/fhir` });
    const { authorizeUrl, tokenUrl } = (await client.smartAuthMetadata()) as { authorizeUrl: URL; tokenUrl: URL };
    expect([authorizeUrl.pathname, tokenUrl.pathname]).to.equal(['/oauth2/authorize', '/oauth2/token']);
    client.bearerToken = await mintSmartToken(service, {
      account: OWNER,
      app: APP,
      record: world.recordId,
      scopes: 'patient/Patient.rs patient/DocumentReference.rs',
    });
    const patient = await client.read({ resourceType: 'Patient', id: world.recordId });
    expect(patient['id']).to.equal(world.recordId);
    const found = await client.search({ resourceType: 'DocumentReference', searchParams: { patient: world.recordId } });
    expect(Number(found['total'])).to.be.above(0);
    const refused = await client
      .read({
        resourceType: 'Provenance',
        id: String((found['entry'] as { resource: { id: string } }[])[0]!.resource.id),
      })
      .catch((error: { response: { status: number } }) => error.response.status);
    expect(refused).to.equal(403);
  });
});
