/** full: the disk of the SQLite file is full. SQLite's own limit of pages simulates that. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { readable } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MOST_PAGES = 1_073_741_823;

/** So long that it needs new pages in the file. */
const document = `<Note xmlns="https://svc.example/vocab/xml/documents#">${'a word '.repeat(20_000)}</Note>`;

describe('a disk without space left', () => {
  let service: TestService;
  let made: SiteRecord;

  before(async () => {
    service = await startService(databases[0]!);
    made = await makeSiteRecord(service);
  });
  after(() => service.stop());

  /** @param pages at least the present number: SQLite raises a lower one to it */
  const allow = (pages: number): Promise<unknown> =>
    service.services.database.write((trx) => trx.rows(`pragma max_page_count = ${pages}`, []));
  const list = (): string => `/records/${made.recordId}/documents/`;
  const post = (): Promise<Answer> => service.call(made.credentials, 'POST', list(), { body: document });
  const total = async (): Promise<string | undefined> =>
    /total_document_count="(\d+)"/.exec((await service.call(made.credentials, 'GET', list())).text)?.[1];

  it('refuses what would write, says whom to tell, and goes on once there is space', async () => {
    const earlier = Number(await total());
    await allow(1);
    const { status, headers, text } = await post();
    expect([status, headers['retry-after']]).to.equal([503, '60']);
    expect(text).to.match(/code="out_of_order"/);
    expect(text).to.match(/The service cannot answer now: .*\. Tell those who run it\./);
    const page = await made.owner.upload(
      `/my/records/${made.recordId}/add`,
      [['crumb', made.owner.cookies.get('crumb') ?? '']],
      [{ field: 'file', name: 'note.xml', bytes: document, type: 'text/xml' }],
    );
    expect(page.status).to.equal(503);
    expect(readable(page)).to.contain('The service is out of order').and.to.contain('tell those who run it');
    await allow(MOST_PAGES);
    expect(Number(await total())).to.equal(earlier);
    expect((await post()).status).to.equal(200);
    expect(Number(await total())).to.equal(earlier + 1);
  });
});
