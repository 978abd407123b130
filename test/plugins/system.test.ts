/** system: what the service tells anybody about itself. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { admin, startService, type TestService } from '../support/server';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('the system area', () => {
  let service: TestService;
  before(async () => {
    service = await startService(databases[0]!);
  });
  after(() => service.stop());

  it('answers its version as plain text, signed or not', async () => {
    for (const credentials of [null, admin]) {
      const answer = await service.call(credentials, 'GET', '/version');
      expect(answer.text).to.equal('2.0.0');
      expect(answer.headers['content-type']).to.match(/^text\/plain/);
    }
  });

  it('refuses bad credentials even where none are needed', async () => {
    const wrong = { consumer: { key: admin!.consumer.key, secret: 'wrong' } };
    expect((await service.call(wrong, 'GET', '/version')).status).to.equal(403);
    expect((await service.call(null, 'GET', '/version', { headers: { authorization: 'Basic eDp5' } })).status).to.equal(
      403,
    );
  });

  it('says of an address that cannot be read that it is the address', async () => {
    const { result, statusCode } = await service.running.server.inject({ method: 'GET', url: '/accounts/%ff' });
    expect(statusCode).to.equal(400);
    expect(String(result))
      .to.contain('code="invalid_parameter"')
      .and.to.contain('percent-encoding')
      .and.to.not.contain('body');
  });

  it('names what it serves of the platform vocabulary, and each of it is served', async () => {
    const { text } = await service.call(null, 'GET', '/capabilities/');
    const kinds = JSON.parse(text) as Record<string, { methods: string[] }>;
    expect(kinds['http://smartplatforms.org/terms#Allergy']).to.equal({ methods: ['GET'] });
    expect(kinds['http://smartplatforms.org/terms#UserPreferences']).to.equal({ methods: ['DELETE', 'GET', 'PUT'] });
    expect(Object.keys(kinds).some((kind) => kind.endsWith('#Alert'))).to.be.false();
  });

  it('is live and ready, and counts its requests without any id', async () => {
    expect(JSON.parse((await service.call(null, 'GET', '/health/live')).text)).to.equal({ status: 'live' });
    expect(JSON.parse((await service.call(null, 'GET', '/health/ready')).text)).to.equal({ status: 'ready' });
    await service.call(null, 'GET', '/records/a-record-id');
    const { text } = await service.call(null, 'GET', '/metrics');
    expect(text).to.contain('svc_request_duration_seconds_count{route="record",status="403"} 1');
    expect(text).to.not.contain('a-record-id');
  });

  it('serves the API reference and its files from itself', async () => {
    const page = await service.call(null, 'GET', '/docs');
    expect(page.headers['content-type']).to.match(/^text\/html/);
    expect(page.headers['content-security-policy']).to.match(
      /^default-src 'none'; script-src 'self';.* frame-ancestors 'none'$/,
    );
    const files = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files.length).to.be.above(2);
    for (const file of files) {
      expect((await service.call(null, 'GET', `/${file}`)).status, file).to.equal(200);
    }
    expect(page.text).to.not.match(/(?:src|href)="(?:https?:)?\/\//);
    // Its links are relative, so the same page works here.
    const start = await service.call(null, 'GET', '/');
    expect([start.status, start.text, start.headers['content-security-policy']]).to.equal([
      200,
      page.text,
      page.headers['content-security-policy'],
    ]);
    // A browser is redirected to the website, unless that is turned off.
    const accept = { headers: { accept: 'text/html,application/xhtml+xml' } };
    const led = await service.call(null, 'GET', '/', accept);
    expect([led.status, led.headers['location']]).to.equal([303, '/my/']);
    const bare = await startService(databases[0]!, { SVC_WEBSITE: '0' });
    expect((await bare.call(null, 'GET', '/', accept)).text).to.equal(page.text);
    for (const path of ['/my', '/my/', '/my/sign-in', '/my/style.css']) {
      expect((await bare.call(null, 'GET', path, accept)).status, path).to.equal(404);
    }
    await bare.stop();
    expect((await service.call(null, 'GET', '/docs/..%2f..%2fpackage.json')).status).to.equal(404);
    const document = JSON.parse((await service.call(null, 'GET', '/openapi.json')).text) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).to.equal('3.1.0');
    expect(Object.keys(document.paths)).to.include('/records/{RECORD_ID}/documents/');
  });

  it('answers probes to callers on this machine only, if so set', async () => {
    const bound = await startService(databases[0]!, { SVC_PROBES_LOOPBACK_ONLY: '1' });
    const statusOf = async (url: string, remoteAddress: string): Promise<number> =>
      (await bound.running.server.inject({ url, remoteAddress })).statusCode;
    for (const probe of ['/health/live', '/health/ready', '/metrics']) {
      for (const far of ['192.0.2.7', '10.0.0.1', '2001:db8::7', '::ffff:192.0.2.7', '::']) {
        expect(await statusOf(probe, far), `${probe} for ${far}`).to.equal(403);
      }
      for (const near of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
        expect(await statusOf(probe, near), `${probe} for ${near}`).to.equal(200);
      }
    }
    await bound.stop();
    expect(
      (await service.running.server.inject({ url: '/health/live', remoteAddress: '192.0.2.7' })).statusCode,
    ).to.equal(200);
  });

  it('leaves no audit row for its pages', async () => {
    const count = async (): Promise<number> => (await direct(service.services.database)('audit').select('id')).length;
    const before = await count();
    await service.call(null, 'GET', '/health/ready');
    await service.call(null, 'GET', '/docs');
    expect(await count()).to.equal(before);
  });
});
