/**
 * incoming: files of many documents that one person sends to take all the room, or all the time, of the others.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { until } from '../support/receiver';
import { startService, type TestService } from '../support/server';
import { readable, type Site, type SitePage } from '../support/site';
import { enterSite, makeSiteRecord, OWNER, STRANGER, type SiteRecord } from '../support/site-record';
import { createRecord } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const condition = (number: number, note?: string): string =>
  JSON.stringify({
    resourceType: 'Condition',
    id: `c${number}`,
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
    },
    code: { text: `Complaint ${number}` },
    subject: { reference: 'Patient/p1' },
    ...(note === undefined ? {} : { note: [{ text: note }] }),
  });
const conditions = (count: number): string =>
  `${Array.from({ length: count }, (_, number) => condition(number)).join('\n')}\n`;

describe('files that wait to be added', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-incoming-'));
  let service: TestService;
  let of: SiteRecord;
  let others: string;

  before(async () => {
    service = await startService(
      databases[0]!,
      {},
      { uploadDir: folder, maxUploadBytes: 2_000_000, uploadDocuments: 800, uploadTotalBytes: 3_000_000 },
    );
    of = await makeSiteRecord(service);
    others = await createRecord(service.call, STRANGER, 'Paul', 'Other');
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const send = async (site: Site, recordId: string, text: string): Promise<SitePage> =>
    site.send(await site.open(`/my/records/${recordId}/add`), [{ field: 'file', name: 'all.ndjson', bytes: text }]);
  const ready = async (site: Site, page: SitePage): Promise<SitePage> => {
    let here = page;
    await until(async () => {
      here = here.headers['refresh'] === undefined ? here : await site.open(here.path);
      return here.headers['refresh'] === undefined;
    });
    return here;
  };
  const names = (): readonly string[] => [...new Set(readdirSync(folder).map((name) => name.split('.')[0]!))];

  it('are one for each person: the earlier one goes, in every session', async () => {
    const first = await ready(of.owner, await send(of.owner, of.recordId, conditions(3)));
    expect(readable(first)).to.contain('In the file 3 documents');
    const again = await enterSite(service, OWNER);
    const second = await ready(again, await send(again, of.recordId, conditions(4)));
    expect(readable(second)).to.contain('In the file 4 documents');
    const stranger = await ready(of.stranger, await send(of.stranger, others, conditions(2)));
    expect(readable(stranger)).to.contain('In the file 2 documents');
    expect((await of.owner.open(first.path)).status).to.equal(410);
    expect((await again.open(second.path)).status).to.equal(200);
    expect(names()).to.have.length(2);
  });

  it('that is read while a later one comes is given up', async () => {
    const first = await send(of.owner, of.recordId, conditions(800));
    expect(first.headers['refresh']).to.exist();
    const second = await ready(of.owner, await send(of.owner, of.recordId, conditions(2)));
    expect(readable(second)).to.contain('In the file 2 documents');
    expect((await of.owner.open(first.path)).status).to.equal(410);
    expect(names()).to.have.length(2);
  });

  it('do not keep those of others waiting, however many documents they hold', async () => {
    const long = await send(of.owner, of.recordId, conditions(800));
    const short = await ready(of.stranger, await send(of.stranger, others, conditions(2)));
    expect(readable(short)).to.contain('In the file 2 documents');
    expect((await of.owner.open(long.path)).headers['refresh']).to.exist();
    expect(readable(await ready(of.owner, long))).to.contain('In the file 800 documents');
    // What is known of a file does not grow with it: it is written again for each document that is added.
    const states = readdirSync(folder).filter((name) => name.endsWith('.state'));
    expect(Math.max(...states.map((name) => statSync(join(folder, name)).size))).to.be.below(40_000);
  });

  it('hold no more documents than the installation allows', async () => {
    const page = await ready(of.owner, await send(of.owner, of.recordId, conditions(801)));
    expect(page.status).to.equal(400);
    expect(readable(page)).to.contain(['more documents than one file may have', 'Nothing was stored']);
  });

  it('have together no more room than the installation allows', async () => {
    const long = `${condition(1, 'x'.repeat(1_700_000))}\n`;
    await ready(of.owner, await send(of.owner, of.recordId, long));
    await ready(of.stranger, await send(of.stranger, others, long));
    const before = readdirSync(folder).length;
    const member = await createRecord(service.call, 'anna@people.example', 'Anna', 'Berg');
    const page = await send(of.member, member, conditions(2));
    expect(page.status, readable(page)).to.equal(503);
    expect(readdirSync(folder)).to.have.length(before);
  });
});
