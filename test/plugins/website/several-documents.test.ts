/** several: ticked documents get a tag, go into a circle or the archive, and one answer says what was done and what not. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { readable, type Site, type SitePage } from '../../support/site';
import { unzip } from '../../support/unzip';
import { makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`several documents at once on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let path: string;
    const ids: string[] = [];

    const send = async (
      fields: Readonly<Record<string, string>>,
      chosen: readonly string[] = [],
    ): Promise<SitePage> => {
      const page = await record.owner.open(path);
      const crumb = /name="crumb" value="([^"]*)"/.exec(page.text)![1]!;
      const ticks = chosen.map((id) => ['doc', id] as const);
      const answer = await record.owner.post(path, [['crumb', crumb], ...Object.entries(fields), ...ticks]);
      const { location } = answer.headers;
      return location === undefined ? answer : record.owner.open(String(location));
    };
    const named = (page: SitePage, id: string): boolean => page.text.includes(`data-id="${id}"`);

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      path = `/my/records/${record.recordId}/documents/`;
      for (const words of ['First', 'Second', 'Third']) {
        ids.push(await record.store(`<SchoolLetter xmlns="urn:school"><p>${words}</p></SchoolLetter>`));
      }
    });
    after(() => service.stop());

    it('have a tick each, and one form; in a circle there is none', async () => {
      const page = await record.owner.open(path);
      for (const id of ids) {
        expect(page.text).to.match(new RegExp(`type="checkbox" name="doc" value="${id}" form="several"`));
      }
      const inCircle = await record.member.open(`/my/carenets/${record.carenetId}/documents/`);
      expect(inCircle.text).to.not.contain('form="several"');
    });

    it('are downloaded as one ZIP with names that people can read, and nothing else is in it', async () => {
      const download = async (site: Site, address: string, chosen: readonly string[]) => {
        await site.open('/my/account');
        const fields = [['crumb', site.cookies.get('crumb')!], ['do', 'download'], ...chosen.map((id) => ['doc', id])];
        return service.running.server.inject({
          method: 'POST',
          url: address,
          headers: {
            cookie: [...site.cookies].map((pair) => pair.join('=')).join('; '),
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: new URLSearchParams(fields as string[][]).toString(),
        });
      };
      const { statusCode, headers, rawPayload } = await download(record.owner, path, [ids[0]!, ids[2]!]);
      expect([statusCode, headers['content-type']]).to.equal([200, 'application/zip']);
      const files = unzip(rawPayload);
      const day = new Date().toISOString().slice(0, 10);
      expect([...files.keys()].sort()).to.equal([`${day} School letter (2).xml`, `${day} School letter.xml`]);
      const texts = [...files.values()].map(String).join();
      expect(texts).to.contain('First').and.to.contain('Third').and.to.not.contain('Second');
      for (const none of [[], ['01900000-0000-7000-8000-000000000000']]) {
        const refused = await download(record.owner, path, none);
        expect([refused.statusCode, refused.payload.includes('Choose documents first')]).to.equal([400, true]);
      }
      expect((await download(record.stranger, path, [ids[0]!])).statusCode).to.equal(404);
    });

    it('get a tag beside those that they have', async () => {
      await send({ do: 'tag', tag: 'knee' }, [ids[0]!]);
      const page = await send({ do: 'tag', tag: 'Year 2025' }, [ids[0]!, ids[1]!]);
      expect(page.status).to.equal(200);
      expect(readable(page)).to.contain(['Done with 2 documents.', 'School letter']);
      const tagged = await record.owner.open(`${path}?tag=year+2025`);
      expect(ids.map((id) => named(tagged, id))).to.equal([true, true, false]);
      expect(named(await record.owner.open(`${path}?tag=knee`), ids[0]!)).to.be.true();
    });

    it('go into a circle, but not those that are never shared, which the answer names', async () => {
      const never = `/records/${record.recordId}/documents/${ids[1]!}/nevershare`;
      succeeded(await service.call(record.credentials, 'PUT', never));
      const page = await send({ do: 'share', circle: record.carenetId }, [ids[0]!, ids[1]!]);
      expect(readable(page)).to.contain(['Done with one document.', 'Not done with one']);
      const seen = await record.member.open(`/my/carenets/${record.carenetId}/documents/`);
      expect(ids.map((id) => named(seen, id))).to.equal([true, false, false]);
    });

    it('are refused where nothing is chosen or written, in a form of strangers, and for documents of others', async () => {
      expect(readable(await send({ do: 'archive' }))).to.contain('Choose documents first');
      expect(readable(await send({ do: 'tag' }, [ids[0]!]))).to.contain('Write the tag');
      const other = await send({ do: 'archive' }, ['00000000-0000-7000-8000-000000000000']);
      expect(readable(other)).to.contain('Nothing was done.');
      expect((await record.owner.post(path, { do: 'archive', doc: ids[0]! })).status).to.equal(403);
      expect((await record.stranger.post(path, { do: 'archive', doc: ids[0]! })).status).to.be.above(399);
      expect(named(await record.owner.open(path), ids[0]!)).to.be.true();
    });

    it('go into the archive', async () => {
      const page = await send({ do: 'archive', reason: 'Old' }, [ids[0]!, ids[2]!]);
      expect(readable(page)).to.contain('Done with 2 documents.');
      expect(ids.map((id) => named(page, id))).to.equal([false, true, false]);
      const archived = await record.owner.open(`${path}?status=archived`);
      expect(ids.map((id) => named(archived, id))).to.equal([true, false, true]);
    });
  });
}
