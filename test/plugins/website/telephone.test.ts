/**
 * telephone: what a telephone asks for: manifest, icons and worker, who is signed in and what may be kept; and readings
 * that a telephone sends again, which are stored once, in whatever session.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inflateSync } from 'node:zlib';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { makeSite, type Site } from '../../support/site';
import { enterSite, makeSiteRecord, MEMBER, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Told = {
  readonly person: string;
  readonly crumb: string;
  readonly records: readonly { readonly name: string; readonly paths: readonly string[] }[];
  readonly texts: Readonly<Record<string, string>>;
};

for (const leg of databases) {
  describe(`what a telephone asks for on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    const told = async (site: Site): Promise<Told> => JSON.parse((await site.get('/my/kept')).text) as Told;
    const weights = async (): Promise<number> =>
      (await made.owner.get(`/my/records/${made.recordId}/data/VitalSigns.csv`)).text.split('77.5').length - 1;

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
    });
    after(() => service.stop());

    it('has a manifest whose icons are pictures of their size', async () => {
      const file = await makeSite(service.running.server).get('/my/manifest.webmanifest');
      expect([file.status, file.headers['content-type']]).to.equal([200, 'application/manifest+json']);
      const { icons, ...rest } = JSON.parse(file.text) as { icons: readonly { src: string; sizes: string }[] };
      expect(rest).to.contain({ start_url: './', scope: './', display: 'standalone' });
      expect(icons.map(({ sizes }) => sizes)).to.include(['192x192', '512x512']);
      for (const { src, sizes } of icons) {
        const picture = (await made.owner.get(`/my/${src}`)).bytes!;
        const size = picture.readUInt32BE(16);
        expect(`${size}x${picture.readUInt32BE(20)}`).to.equal(sizes);
        const from = picture.indexOf('IDAT');
        const pixels = inflateSync(picture.subarray(from + 4, from + 4 + picture.readUInt32BE(from - 4)));
        expect(pixels.length).to.equal(size * (3 * size + 1));
      }
    });

    it('has a worker that may ask this site alone, and pages whose policy allows nothing more', async () => {
      const worker = await makeSite(service.running.server).get('/my/worker.js');
      expect(worker.headers).to.contain({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
      });
      const page = await made.owner.open('/my/account');
      expect(page.text).to.contain('rel="manifest"').and.to.contain('Keep on this telephone');
      expect(String(page.headers['content-security-policy'])).to.equal(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
          "frame-ancestors 'none'; manifest-src 'self'; script-src 'self'",
      );
      const signIn = await makeSite(service.running.server).open('/my/sign-in');
      expect(String(signIn.headers['content-security-policy'])).to.not.contain('manifest-src');
    });

    it('tells who is signed in by a hash, and the pages that they may keep', async () => {
      const owner = await told(made.owner);
      expect(owner.person).to.match(/^[0-9a-f]{64}$/);
      const base = `/my/records/${made.recordId}/`;
      expect(owner.records[0]!.paths).to.equal(
        ['', 'card', 'list/Medication', 'quick/weight', 'quick/blood-pressure'].map((path) => `${base}${path}`),
      );
      const member = await told(made.member);
      expect(member.person).to.not.equal(owner.person);
      expect(member.records.flatMap(({ paths }) => paths)).to.equal(
        ['', 'list/Medication'].map((path) => `/my/carenets/${made.carenetId}/${path}`),
      );
      for (const path of [...owner.records, ...member.records].flatMap(({ paths }) => paths)) {
        const site = path.includes('/carenets/') ? made.member : made.owner;
        expect((await site.get(path)).status, path).to.equal(200);
      }
      expect((await makeSite(service.running.server).get('/my/kept')).status).to.equal(303);
    });

    it('stores a reading once, whatever session sends it again, and each of two', async () => {
      const path = `/my/records/${made.recordId}/quick/weight`;
      const reading = { form: 'an-id-of-the-device', weight_value: '77.5', date: '2026-03-03', waited: '1' };
      const send = async (site: Site, form: string) =>
        site.post(path, { ...reading, form, crumb: (await told(site)).crumb });
      const before = await weights();
      const first = await send(made.owner, 'one-of-the-device');
      const again = await send(made.owner, 'one-of-the-device');
      const later = await send(await enterSite(service, OWNER), 'one-of-the-device');
      expect([first.status, again.status, later.status]).to.equal([303, 303, 303]);
      expect(String(later.headers['location'])).to.equal(String(first.headers['location'])).and.to.contain('/saved/');
      expect((await weights()) - before).to.equal(1);
      await send(made.owner, 'another-of-the-device');
      expect((await weights()) - before).to.equal(2);
    });

    it('refuses a reading with the crumb of another session or person, and one without a right', async () => {
      const path = `/my/records/${made.recordId}/quick/weight`;
      const fields = { form: 'a-third', weight_value: '77.5', date: '2026-03-03', waited: '1' };
      const before = await weights();
      const stale = await (
        await enterSite(service, OWNER)
      ).post(path, { ...fields, crumb: (await told(made.owner)).crumb });
      const member = await enterSite(service, MEMBER);
      const other = await member.post(path, { ...fields, crumb: (await told(member)).crumb });
      expect([stale.status, other.status]).to.equal([403, 404]);
      expect(await weights()).to.equal(before);
    });
  });
}
