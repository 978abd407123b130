/**
 * file-texts: words of files are found by whoever may open the document, and by nobody else. No word of a file lies in
 * clear, nothing remains when the record is forgotten, and no file stops the others.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openAuditSigner } from '../../core/audit/signer';
import { wrapFile } from '../../core/files/envelope';
import { findOcr } from '../../core/pipeline/pictures/ocr';
import { forgetRecord } from '../../core/records/forget';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { pdfWith, pngOf } from '../support/pictures';
import { until } from '../support/receiver';
import { startService, type TestService } from '../support/server';
import { readable, type Site } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Tables where a word of a file could have come to lie. */
const TABLES = [
  'document_text',
  'document_text_due',
  'document',
  'document_lineage',
  'audit',
  'notification',
  'outbox',
];

for (const leg of databases) {
  describe(`words of files on ${leg.name}`, { timeout: 240_000 }, () => {
    let service: TestService;
    let record: SiteRecord;
    const ids: Record<string, string> = {};

    const keep = (bytes: Buffer, title: string): Promise<string> =>
      record.store(wrapFile({ bytes, title, anyKind: true }, service.services.config.vocabBase).toString());
    const waiting = async (): Promise<number> =>
      ((await direct(service.services.database)('document_text_due').select('seq')) as unknown[]).length;
    const allRead = (): Promise<void> => until(async () => (await waiting()) === 0, 'all files to be read');
    const search = async (q: string, site: Site, base: string) =>
      (await site.open(`/my/${base}/search?${new URLSearchParams({ q }).toString()}`)).text;
    const own = (q: string, site = record.owner): Promise<string> => search(q, site, `records/${record.recordId}`);
    const inCircle = (q: string): Promise<string> => search(q, record.member, `carenets/${record.carenetId}`);
    const names = (page: string, id: string): boolean => page.includes(`data-kind="Document" data-id="${ids[id]!}"`);
    const call = async (method: 'PUT' | 'POST' | 'DELETE', path: string, form?: Readonly<Record<string, string>>) =>
      succeeded(
        await service.call(record.credentials, method, `/records/${record.recordId}/documents/${path}`, {
          ...(form ? { form } : {}),
        }),
      );

    before(async () => {
      service = await startService(leg, { SVC_OCR: '0' });
      record = await makeSiteRecord(service);
      ids['letter'] = await keep(pdfWith(['Nothing on this first page', 'Zinkmangel vermutet']), 'A letter');
      ids['note'] = await keep(Buffer.from('Réaction à la pénicilline, 12 points'), 'A note');
      ids['broken'] = await keep(Buffer.from('%PDF-1.7\nquagga'), 'Broken');
      ids['locked'] = await keep(pdfWith(['quagga'], '/Encrypt << /Filter /Standard /V 9 /R 9 >>'), 'Locked');
      await allRead();
    });
    after(() => service.stop());

    it('finds a file by its words, and tells the place', async () => {
      const page = await own('zinkmangel');
      expect(names(page, 'letter')).to.be.true();
      expect(page).to.contain('<mark>Zinkmangel</mark> vermutet').and.to.contain('On page 2.');
      expect(page).to.not.contain('Read by a machine');
      expect(names(await own('penicilline'), 'note')).to.be.true();
      expect(names(await own('PÉNICILLINE note'), 'note')).to.be.true();
      expect(names(await own('zinkmangel elephant'), 'letter')).to.be.false();
      expect(readable({ text: await own('quagga') } as never)).to.contain('Nothing was found.');
    });

    it('lets nobody find what they may not open', async () => {
      expect(names(await inCircle('zinkmangel'), 'letter')).to.be.false();
      expect(names(await own('zinkmangel', record.stranger), 'letter')).to.be.false();
      await call('PUT', `${ids['letter']!}/carenets/${record.carenetId}`);
      expect(names(await inCircle('zinkmangel'), 'letter')).to.be.true();
      expect(names(await inCircle('penicilline'), 'note')).to.be.false();
      await call('PUT', `${ids['letter']!}/nevershare`);
      expect(await inCircle('zinkmangel')).to.not.contain('<mark>');
      expect(names(await own('zinkmangel'), 'letter')).to.be.true();
      await call('DELETE', `${ids['letter']!}/nevershare`);
    });

    it('finds what a document says without a fact by the words of its own text', async () => {
      const text = '<code><text value="Falls risk, wombat"/></code><subject><reference value="Patient/p"/></subject>';
      const flag = `<Flag><status value="active"/>${text}<period><start value="2024-01-02"/></period></Flag>`;
      const entries = ['<Patient><id value="p"/></Patient>', flag].map(
        (resource) => `<entry><resource>${resource}</resource></entry>`,
      );
      ids['flag'] = await record.store(
        `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${entries.join('')}</Bundle>`,
      );
      await allRead();
      const page = await own('wombat 2024-01-02');
      expect(names(page, 'flag')).to.be.true();
      expect(page).to.contain('<mark>wombat</mark>').and.to.not.contain('On page');
      expect(names(await inCircle('wombat'), 'flag')).to.be.false();
    });

    it('finds no archived and no void document', async () => {
      const setStatus = (id: string, status: string) =>
        call('POST', `${ids[id]!}/set-status`, { status, reason: 'a test' });
      await setStatus('letter', 'archived');
      expect(await own('zinkmangel')).to.not.contain('<mark>');
      expect(await inCircle('zinkmangel')).to.not.contain('<mark>');
      await setStatus('letter', 'active');
      expect(names(await own('zinkmangel'), 'letter')).to.be.true();
      await setStatus('note', 'void');
      expect(await own('penicilline')).to.not.contain('<mark>');
    });

    it('finds the newest version only', async () => {
      const first = await keep(Buffer.from('The first words: ocelot'), 'Versions');
      const { config } = service.services;
      const next = wrapFile({ bytes: Buffer.from('The later words: margay'), title: 'Versions' }, config.vocabBase);
      const path = `/records/${record.recordId}/documents/${first}/replace`;
      succeeded(await service.call(record.credentials, 'POST', path, { body: next.toString() }));
      await allRead();
      expect(await own('margay')).to.contain('<mark>margay</mark>');
      expect(await own('ocelot')).to.not.contain('<mark>');
    });

    it('keeps no word in clear', async () => {
      const on = direct(service.services.database);
      const rows = (await on('document_text').select('content', 'sealed')) as { content: Buffer; sealed: number }[];
      expect(rows.length).to.be.above(3);
      expect(rows.every(({ sealed }) => Number(sealed) === 1)).to.be.true();
      for (const table of TABLES) {
        const all = (await on(table).select('*')) as Readonly<Record<string, unknown>>[];
        const values = all.flatMap((row) => Object.values(row));
        const texts = values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)));
        expect(
          texts.some((text) => /zinkmangel|penicilline|margay/i.test(text)),
          table,
        ).to.be.false();
      }
    });

    it('leaves pictures for the day when a program can read them', async () => {
      await keep(pngOf(800, 400), 'A scan');
      const state = async () =>
        (await direct(service.services.database)('document_text_due').select('needs_machine', 'tries')) as object[];
      await until(async () => JSON.stringify(await state()).includes('1'), 'the scan to be looked at');
      await until(async () => JSON.stringify(await state()) === '[{"needs_machine":1,"tries":0}]', 'the scan to wait');
    });

    it('removes every word with the record', async () => {
      const { database, clock, config, sealing } = service.services;
      const signer = await openAuditSigner(database, sealing, clock, { config, warn: () => undefined });
      await forgetRecord({ database, clock, signer }, record.recordId);
      for (const table of ['document_text', 'document_text_due']) {
        expect(((await direct(database)(table).select('seq')) as unknown[]).length, table).to.equal(0);
      }
    });
  });
}

describe('words in pictures', { timeout: 240_000 }, () => {
  it('reads scans and photos by a machine, and says so', async (flags: { note: (text: string) => void }) => {
    if (!findOcr()) {
      flags.note('tesseract is not installed');
      process.stdout.write('\nskipped: tesseract is not installed\n');
      return;
    }
    const service = await startService(databases[0]!);
    try {
      const record = await makeSiteRecord(service);
      const { pictures, config } = service.services;
      const box = { width: 1240, height: 1754 };
      const bytes = pdfWith(['Haemoglobin thirteen']);
      const drawing = await pictures.draw({ bytes, kind: 'pdf', page: 1, box }, 'test');
      const png = 'drawn' in drawing ? Buffer.from(drawing.drawn.png) : Buffer.alloc(0);
      const id = await record.store(wrapFile({ bytes: png, title: 'A scan' }, config.vocabBase).toString());
      const address = `/my/records/${record.recordId}/search?q=haemoglobin`;
      await until(async () => (await record.owner.open(address)).text.includes('<mark>'), 'the scan to be found');
      const page = await record.owner.open(address);
      expect(page.text).to.contain(`data-kind="Document" data-id="${id}"`).and.to.contain('Read by a machine');
    } finally {
      await service.stop();
    }
  });
});
