/**
 * envelope: files are recognized by their bytes, wrapped, read by the pipeline, stored, served as stored and unwrapped
 * again, unchanged and harmless.
 */
import { randomBytes } from 'node:crypto';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../../core/base/errors';
import { MOST_FILE_BYTES, unwrapFile, wrapFile, type UnwrappedFile } from '../../../core/files/envelope';
import { sniffMediaType } from '../../../core/files/sniff';
import { databases } from '../../support/databases';
import { noteFormat, openTestReader, type TestReader } from '../../support/formats';
import { medications, startService, type TestService } from '../../support/server';
import { attribute, authorizeApp, makeWorld, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The largest file in a document that an app sends: its text is at most 10,000,000 bytes long (core/xml/gate). */
const MOST_SENT_FILE_BYTES = 7_499_997;

const VOCAB = 'https://svc.example/vocab';
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const pdf = Buffer.concat([latin('%PDF-1.7\n'), randomBytes(5000)]);

describe('sniffMediaType', () => {
  it('knows seven kinds of files by their bytes, and no other', () => {
    for (const [bytes, mediaType] of [
      [pdf, 'application/pdf'],
      [latin('{\\rtf1\\ansi Hello}'), 'application/rtf'],
      [latin('\x89PNG\r\n\x1a\n...'), 'image/png'],
      [latin('\xff\xd8\xff\xe0'), 'image/jpeg'],
      [latin('GIF89a'), 'image/gif'],
      [latin('RIFF....WEBPVP8 '), 'image/webp'],
      [Buffer.from('Grüße\n'), 'text/plain'],
      [latin('RIFF....WAVE\x00'), undefined],
      [latin('Gr\xfc\xdfe'), undefined],
      [latin('PK\x03\x04'), undefined],
      [latin(''), undefined],
    ] as const) {
      expect(sniffMediaType(bytes), bytes.subarray(0, 12).toString('latin1')).to.equal(mediaType);
    }
  });
});

describe('wrapFile and unwrapFile', () => {
  let reader: TestReader;
  before(async () => {
    reader = await openTestReader(noteFormat);
  });
  after(() => reader.close());
  const unwrap = (stored: Buffer | string): Promise<UnwrappedFile | undefined> =>
    unwrapFile(reader.heldFile, Buffer.from(stored as string), VOCAB);

  it('give back the same bytes, with a name that fits them', async () => {
    const xml = wrapFile({ bytes: pdf, title: ' A "letter"\n<from> ../Dr. Who & Co ', kind: 'Letter' }, VOCAB);
    const file = await unwrap(xml);
    expect(file?.bytes.equals(pdf)).to.be.true();
    expect(file).to.include({ mediaType: 'application/pdf', declaredType: 'application/pdf' });
    expect(file?.name).to.equal('A letter from .. Dr. Who & Co.pdf');
  });

  it('refuse what is no such file and what no document can hold', async () => {
    const refused = (bytes: Buffer): unknown => {
      try {
        return wrapFile({ bytes, title: 'x' }, VOCAB);
      } catch (error) {
        return (error as AppError).code;
      }
    };
    expect(refused(latin('PK\x03\x04'))).to.equal('invalid_document');
    expect(refused(Buffer.alloc(MOST_FILE_BYTES + 1, 'a'))).to.equal('too_large');
    expect(wrapFile({ bytes: Buffer.from('\xff\xd8\xff-'), title: 'A - b' }, VOCAB).toString()).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?>\n<File xmlns="${VOCAB}/xml/documents#"><title>A - b</title>` +
        '<mediaType>text/plain</mediaType><content>w7/DmMO/LQ==</content></File>',
    );
    expect(await unwrap(`<Problem xmlns="${VOCAB}/xml/documents#"><name>File</name></Problem>`)).to.be.undefined();
    expect(await unwrap('<File xmlns="urn:other"/>')).to.be.undefined();
  });

  it('give back what other documents hold: a C-CDA whose body is no XML, a FHIR DocumentReference in XML and JSON', async () => {
    const base64 = pdf.toString('base64');
    const clinical = (text: string): string =>
      '<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Eye ' +
      `clinic</title><component><nonXMLBody>${text}</nonXMLBody></component></ClinicalDocument>`;
    const packed = (way: string, bytes: Buffer): string =>
      clinical(
        `<text mediaType="application/pdf" representation="B64" compression="${way}">${bytes.toString('base64')}</text>`,
      );
    const attachment = { contentType: 'application/pdf', title: 'Eye clinic', data: base64 };
    for (const held of [
      clinical(`<text mediaType="application/pdf" representation="B64">\n  ${base64}\n</text>`),
      packed('DF', deflateRawSync(pdf)),
      packed('GZ', gzipSync(pdf)),
      packed('ZL', deflateSync(pdf)),
      '<DocumentReference xmlns="http://hl7.org/fhir"><description value="Eye clinic"/><content><attachment><url ' +
        'value="x"/></attachment></content><content><attachment><contentType value="application/pdf"/><data ' +
        `value="${base64}"/></attachment></content></DocumentReference>`,
      JSON.stringify({ resourceType: 'DocumentReference', content: [{ attachment: { url: 'x' } }, { attachment }] }),
    ]) {
      const file = await unwrap(held);
      expect(file?.bytes.equals(pdf), held.slice(0, 200)).to.be.true();
      expect(file).to.include({
        name: 'Eye clinic.pdf',
        mediaType: 'application/pdf',
        declaredType: 'application/pdf',
      });
    }
    const letter = await unwrap(clinical('<text>No retinopathy.</text>'));
    expect([letter?.bytes.toString(), letter?.name]).to.equal(['No retinopathy.', 'Eye clinic.txt']);
    const bomb = deflateRawSync(Buffer.alloc(30_000_000));
    expect((await unwrap(packed('DF', bomb)))?.bytes.equals(bomb)).to.be.true();
    for (const nothing of [
      clinical('<text><reference value="other.pdf"/></text>'),
      '{"resourceType":"DocumentReference","content":[{"attachment":{"url":"x"}}]}',
      '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"DocumentReference"}}]}',
      '<ClinicalDocument xmlns="urn:other"><component><nonXMLBody><text>x</text></nonXMLBody></component></ClinicalDocument>',
    ]) {
      expect(await unwrap(nothing), nothing).to.be.undefined();
    }
  });

  it('believe no declared type and no ending of a name', async () => {
    const page = latin('<script>alert(1)</script>\x00').toString('base64');
    const file = await unwrap(
      '<d:File ' +
        `xmlns:d="${VOCAB}/xml/documents#"><d:title>\u202Egnp.exe</d:title><d:mediaType>text/html</d:mediaType><d:content>${page}</d:content></d:File>`,
    );
    expect(file).to.include({ mediaType: 'application/octet-stream', declaredType: 'text/html', name: 'gnp.exe.bin' });
  });
});

for (const leg of databases) {
  describe(`files in documents on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg);
    });
    after(() => service.stop());

    it('are stored at any size that fits, reported, and answered as they were sent', async () => {
      const world = await makeWorld(service);
      const app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      const vocabBase = service.services.config.vocabBase;
      const largest = Buffer.concat([latin('\xff\xd8\xff'), randomBytes(MOST_SENT_FILE_BYTES - 3)]);
      for (const bytes of [pdf, largest]) {
        const body = wrapFile({ bytes, title: 'Scan', date: '2024-02-03', kind: 'Letter' }, vocabBase);
        const made = succeeded(
          await service.call(app, 'POST', `/records/${world.recordId}/documents/`, { body: body.toString() }),
        );
        const id = attribute(made.text, 'Document', 'id');
        const answer = succeeded(await service.call(app, 'GET', `/records/${world.recordId}/documents/${id}`));
        expect(answer.text === body.toString()).to.be.true();
        expect(
          (await unwrapFile(service.services.reader.heldFile, answer.bytes, vocabBase))?.bytes.equals(bytes),
        ).to.be.true();
      }
      const { text } = succeeded(
        await service.call(
          app,
          'GET',
          `/records/${world.recordId}/reports/StoredFile/?response_format=application/json&order_by=bytes`,
        ),
      );
      expect((JSON.parse(text) as { bytes: number }[]).map(({ bytes }) => bytes)).to.equal([
        pdf.length,
        largest.length,
      ]);
    });
  });
}
