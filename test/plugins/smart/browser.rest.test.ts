/**
 * browser: real apps in a browser: the SMART project's own client, which launches, reads and refreshes, and the client
 * of Medplum; another client reads.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
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

const libraries = new Map([
  ['/fhir-client.js', readFileSync(inProject('node_modules/fhirclient/build/fhir-client.js'))],
  ['/medplum-core.js', readFileSync(inProject('node_modules/@medplum/core/dist/esm/index.mjs'))],
]);

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

/** An app with the client of Medplum, which signs in, reads, searches, creates and renews its access. */
const medplum = (base: string, redirectUri: string): string => `
  import { MedplumClient } from '/medplum-core.js';
  const client = new MedplumClient({
    baseUrl: '${base}', fhirUrlPath: 'fhir', clientId: '${APP}', cacheTime: 0,
    authorizeUrl: '${base}/oauth2/authorize?aud=${encodeURIComponent(`${base}/fhir`)}',
  });
  const here = { redirectUri: '${redirectUri}', scope: '${SCOPES} patient/Condition.c profile' };
  const work = async () => {
    const code = new URLSearchParams(location.search).get('code');
    if (code === null) {
      return client.signInWithRedirect(here);
    }
    await client.processCode(code, here);
    const [patient] = await client.searchResources('Patient');
    const condition = await client.createResource({
      resourceType: 'Condition', code: { text: 'Hay fever' }, subject: { reference: 'Patient/' + patient.id },
    });
    const first = client.getAccessToken();
    await client.refresh();
    const { fhirVersion } = await client.get('${base}/fhir/metadata');
    const refused = await client.readResource('Condition', 'unknown').catch((error) => error.outcome.issue[0].code);
    return {
      patient: patient.id, again: (await client.readResource('Patient', patient.id)).id, text: condition.code.text,
      renewed: first !== client.getAccessToken(), fhirVersion, refused,
    };
  };
  window.told = work().catch((error) => ({ error: String(error) }));`;

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
      const body = libraries.get(path) ?? served.get(path);
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body);
    });
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done));
    at = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    service = await startService(sqliteMemory);
    world = await makeSiteRecord(service);
    await world.store('<Note xmlns="https://other.example/">A first note</Note>');
    const redirect_uris = [`${at}/app.html`, `${at}/one-page.html`, `${at}/medplum.html`];
    const fields = {
      redirect_uris,
      scope: `${SCOPES} patient/Condition.c`,
      token_endpoint_auth_method: 'none' as const,
    };
    await addSmartApp(service, APP, fields, { index: `${at}/launch.html` });
    browser = await openChromium();
    const asking = (more: string) =>
      page(`FHIR.oauth2.authorize({ clientId: '${APP}', redirectUri: '${at}/app.html', ${more} });`);
    served.set('/standalone.html', asking(`scope: '${SCOPES}', iss: '${service.services.baseUrl()}/fhir'`));
    served.set('/launch.html', asking(`scope: 'launch openid fhirUser offline_access patient/*.rs'`));
    served.set('/app.html', page(READY));
    served.set(
      '/one-page.html',
      page(
        `window.told = FHIR.oauth2.init({
          clientId: '${APP}', redirectUri: '${at}/one-page.html', scope: '${SCOPES}', iss: '${service.services.baseUrl()}/fhir',
        }).then((client) => client.patient.read()).then(({ id }) => ({ id }), (error) => ({ error: String(error) }));`,
      ),
    );
    served.set(
      '/medplum.html',
      '<!doctype html><meta charset="utf-8"><title>Pulse</title><script type="module" src="/medplum.js"></script>',
    );
    served.set('/medplum.js', medplum(`${service.services.baseUrl()}`, `${at}/medplum.html`));
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

  it('the client of the SMART project works on, and asks again where its page is opened anew', async () => {
    const one = await openPage(browser);
    await one.goto(`${at}/one-page.html`);
    await signIn(one);
    await sayYes(one);
    const answerOn = async (opened: Page): Promise<unknown> => {
      await opened.waitForURL(`${at}/one-page.html**`);
      await opened.waitForFunction('window.told !== undefined');
      return opened.evaluate('window.told');
    };
    expect(await answerOn(one)).to.equal({ id: world.recordId });
    await one.reload();
    expect(await answerOn(one)).to.equal({ id: world.recordId });
    // A bookmark opens the address in another tab, which has nothing of the first one.
    const bookmark = one.url();
    const other = await one.context().newPage();
    await other.goto(bookmark);
    await sayYes(other);
    expect(await answerOn(other)).to.equal({ id: world.recordId });
    // The same holds for the address of a refusal.
    const third = await one.context().newPage();
    await third.goto(`${at}/one-page.html`);
    await third.getByRole('button', { name: /^No/ }).click();
    await third.waitForURL(/error=access_denied/);
    expect(new URL(third.url()).searchParams.has('iss')).to.be.false();
    await one.context().close();
  });

  it('the client of Medplum signs in, reads, searches, creates and refreshes', async () => {
    const one = await openPage(browser);
    await one.goto(`${at}/medplum.html`);
    await signIn(one);
    await sayYes(one);
    await one.waitForURL(`${at}/medplum.html**`);
    await one.waitForFunction('window.told !== undefined');
    expect(await one.evaluate('window.told')).to.equal({
      patient: world.recordId,
      again: world.recordId,
      text: 'Hay fever',
      renewed: true,
      fhirVersion: '4.0.1',
      refused: 'not-found',
    });
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
