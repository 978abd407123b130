/**
 * files-in-documents: every file that a document holds can be opened at the website, wherever it is in the document:
 * texts and RTF as words, pictures as pictures, and a document inside of a document as a document.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { wordsOfFile } from '../../core/files/file-words';
import { wordsOfRichText } from '../../core/files/rich-text';
import { hasTags, wordsOfMarkup } from '../../core/xml/markup-words';
import { databases } from '../support/databases';
import { formsOf, readable } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { startService, type TestService } from '../support/server';
import { clinicalDocument, entry, section } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const PDF = Buffer.from('%PDF-1.7 a result');
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');

const RICH =
  '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset204 Times;}}{\\*\\generator Pad;}\\pard ' +
  "Allergic to \\b penicillin\\b0 .\\par Gr\\u246?\\'dfe 1,80\\~m \\{sic\\}{\\f1 \\'cd\\'e5\\'f2}{\\v hidden}\\par}";

const PROBLEM =
  '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><id root="2.999.9"/>' +
  '<code code="55607006" codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/><value xsi:type="CD" ' +
  'code="195967001" codeSystem="2.16.840.1.113883.6.96" displayName="Asthma"/></observation>';
const CONCERN =
  '<act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.3"/><id root="2.999.8"/><code ' +
  'code="CONC" codeSystem="2.16.840.1.113883.5.6"/><statusCode code="active"/><entryRelationship ' +
  `typeCode="SUBJ">${PROBLEM}</entryRelationship></act>`;

const reference = (attachment: object, type = 'Progress note'): object => ({
  resourceType: 'DocumentReference',
  status: 'current',
  type: { text: type },
  date: '2024-03-01T10:00:00Z',
  content: [{ attachment }],
});
const bundle = (...resources: readonly object[]): string =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) });

describe('the files that a document holds', () => {
  let service: TestService;
  let of: SiteRecord;
  before(async () => {
    service = await startService(databases[0]!);
    of = await makeSiteRecord(service);
  });
  after(() => service.stop());

  /** Adds a file at the website. @returns the address of the document */
  const added = async (name: string, bytes: string | Buffer): Promise<string> => {
    const { owner, recordId } = of;
    const page = await owner.send(await owner.open(`/my/records/${recordId}/add`), [{ field: 'file', name, bytes }]);
    const form = formsOf(page).find(({ html }) => html.includes('Add to my record'));
    expect(form, readable(page)).to.exist();
    const { nevershare: _box, ...fields } = form!.fields;
    const answer = await owner.post(form!.action, fields);
    expect(answer.status, readable(answer)).to.equal(303);
    return String(answer.headers['location']);
  };

  it('shows each of two notes in a bundle, RTF as its words', async () => {
    const two = bundle(
      reference({ contentType: 'text/plain', data: base64('First: no fever') }),
      reference({ contentType: 'text/rtf', data: base64(RICH), title: 'Second note' }),
      reference({ contentType: 'text/html', data: base64('<html><script>x()</script><p>Third &amp; last</p></html>') }),
    );
    const address = await added('notes.json', two);
    const page = await of.owner.open(address);
    expect(readable(page)).to.contain('Files in it').and.to.contain('Second note');
    expect(readable(await of.owner.open(`${address}/files/1`))).to.contain('First: no fever');
    const second = await of.owner.open(`${address}/files/2`);
    expect(readable(second)).to.contain('Allergic to penicillin.').and.not.to.contain('\\par');
    const saved = await of.owner.open(`${address}/files/2/download`);
    expect(saved.text).to.equal(RICH);
    expect(String(saved.headers['content-disposition'])).to.contain('.rtf');
    expect(readable(await of.owner.open(`${address}/files/3`)))
      .to.contain('Third & last')
      .and.not.to.contain('x()');
    expect((await of.owner.open(`${address}/files/4`)).status).to.equal(404);
    expect((await of.owner.open(`${address}/files/0`)).status).to.equal(404);
    expect((await of.stranger.open(`${address}/files/1`)).status).to.be.above(399);
    expect((await of.stranger.open(`${address}/files/1/download`)).status).to.be.above(399);
  });

  it('reads a clinical document in a reference on request, and adds nothing before', async () => {
    const inside = clinicalDocument({ entries: entry(CONCERN) });
    const address = await added(
      'reference.json',
      JSON.stringify(reference({ contentType: 'application/xml', data: base64(inside) }, 'Summary of care')),
    );
    const page = await of.owner.open(`${address}/files/1`);
    expect(readable(page)).to.contain('Read it as a document').and.not.to.contain('ClinicalDocument');
    const form = formsOf(page).find(({ html }) => html.includes('Read it as a document'))!;
    const looked = await of.owner.post(form.action, form.fields);
    expect(looked.status, readable(looked)).to.equal(200);
    expect(readable(looked)).to.contain('Asthma').and.to.contain('Nothing is stored yet');
    const add = formsOf(looked).find(({ html }) => html.includes('Add to my record'))!;
    const { nevershare: _box, ...fields } = add.fields;
    const done = await of.owner.post(add.action, fields);
    expect(readable(await of.owner.open(String(done.headers['location'])))).to.contain('Asthma');
  });

  it('shows pictures of a clinical text, and offers results and notes that are files', async () => {
    const media =
      '<observationMedia classCode="OBS" moodCode="EVN" ID="P1"><value mediaType="image/png" representation="B64">' +
      `${base64(PICTURE)}</value></observationMedia>`;
    const note =
      '<act classCode="ACT" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.202"/><code code="34109-9" ' +
      `codeSystem="2.16.840.1.113883.6.1"/><text mediaType="application/pdf" representation="B64">${base64(PDF)}</text>` +
      '<statusCode code="completed"/></act>';
    const body =
      '<component><section><code code="34109-9" codeSystem="2.16.840.1.113883.6.1"/><title>Endoscopy</title>' +
      '<text>Polyp, see <renderMultiMedia referencedObject="P1"><caption>picture 1</caption></renderMultiMedia></text>' +
      `${entry(media)}${entry(note)}</section></component>`;
    const address = await added('endoscopy.xml', clinicalDocument({ body }));
    const text = await of.owner.open(`${address}/text`);
    expect(readable(text)).to.contain('picture 1');
    expect(text.text).to.match(/<img[^>]+files\/1\/download/);
    expect(readable(text)).to.contain('Files in it').and.to.contain('Endoscopy');
    const picture = await of.owner.open(`${address}/files/1/download`);
    expect(picture.headers['content-type']).to.equal('image/png');
    const pdf = await of.owner.open(`${address}/files/2`);
    expect(readable(pdf)).to.contain('PDF').and.to.contain('Save the file');
    expect((await of.owner.open(`${address}/files/2/download`)).text).to.equal(PDF.toString());
  });

  it('finds reports, photographs, binaries and pictures of narratives in FHIR, and no signature', async () => {
    const src = `data:image/png;base64,${base64(PICTURE)}`;
    const address = await added(
      'report.json',
      bundle(
        {
          resourceType: 'DiagnosticReport',
          status: 'final',
          code: { text: 'Chest X-ray' },
          text: {
            status: 'generated',
            div: `<div xmlns="http://www.w3.org/1999/xhtml">See <img src="${src}" alt="the lung"/></div>`,
          },
          presentedForm: [{ contentType: 'application/pdf', data: base64(PDF) }],
        },
        { resourceType: 'Binary', contentType: 'text/plain', data: base64('A letter') },
        {
          resourceType: 'Provenance',
          target: [{ reference: 'Patient/1' }],
          recorded: '2024-01-01T00:00:00Z',
          agent: [{ who: { display: 'X' } }],
          signature: [
            {
              type: [{ code: '1' }],
              when: '2024-01-01T00:00:00Z',
              who: { display: 'X' },
              data: base64('signed'),
            },
          ],
        },
      ),
    );
    const page = readable(await of.owner.open(address));
    expect(page).to.contain('the lung').and.to.contain('Chest X-ray').and.to.contain('File 3');
    expect((await of.owner.open(`${address}/files/4`)).status).to.equal(404);
    expect(readable(await of.owner.open(`${address}/files/3`))).to.contain('A letter');
  });

  it('tells the words of kinds that no model keeps and that have no text of their own', async () => {
    const patient = { reference: 'Patient/1' };
    const address = await added(
      'asked.json',
      bundle(
        {
          resourceType: 'ServiceRequest',
          id: 's1',
          status: 'active',
          intent: 'order',
          code: { coding: [{ system: 'http://loinc.org', code: '1', display: 'MRI of the knee' }] },
          subject: patient,
          note: [{ text: 'No metal in the body?' }],
        },
        {
          resourceType: 'Appointment',
          status: 'booked',
          description: 'Follow-up in cardiology',
          start: '2030-03-02T09:00:00Z',
          end: '2030-03-02T09:30:00Z',
          participant: [{ actor: { display: 'Dr. Heart' }, status: 'accepted' }],
        },
        {
          resourceType: 'QuestionnaireResponse',
          status: 'completed',
          subject: patient,
          item: [
            { linkId: '1', text: 'Do you smoke?', answer: [{ valueBoolean: true }] },
            { linkId: '2', text: 'Since when?', answer: [{ valueString: 'for 20 years' }] },
          ],
        },
        {
          resourceType: 'DocumentReference',
          status: 'current',
          docStatus: 'entered-in-error',
          content: [{ attachment: { contentType: 'text/plain', data: base64('wrong person') } }],
        },
        { resourceType: 'Condition', code: { text: 'Asthma' }, subject: patient },
      ),
    );
    const text = readable(await of.owner.open(`${address}/text`));
    expect(text).to.contain(['MRI of the knee', 'No metal in the body?', 'Follow-up in cardiology', 'Dr. Heart']);
    expect(text).to.contain(['Do you smoke?', 'true', 'Since when?', 'for 20 years']);
    expect(text).to.not.contain('loinc.org').and.not.contain('s1');
    expect(readable(await of.owner.open(address))).to.contain('It is marked as an error, a duplicate or a test');
  });

  it('shows the words of tags that were written as characters', async () => {
    const written =
      '<text><![CDATA[<table><tr><td>Aspirin</td><td>daily &amp; long</td></tr></table><p>End</p>]]></text>';
    const body = section('11450-4', '').replace('<text>T</text>', written);
    const address = await added('cdata.xml', clinicalDocument({ body }));
    const text = readable(await of.owner.open(`${address}/text`));
    expect(text).to.contain('Aspirin').and.to.contain('daily & long').and.not.to.contain('<td>');
  });
});

describe('the words of texts', () => {
  it('reads RTF with its letters, and nothing of its tables of fonts', () => {
    expect(wordsOfRichText(Buffer.from(RICH, 'latin1'))).to.equal(
      'Allergic to penicillin.\nGr\u00f6\u00dfe 1,80\u00a0m {sic}\u041d\u0435\u0442',
    );
    expect(
      wordsOfRichText(
        Buffer.from('{\\rtf1 a\\tab b\\cell c\\row{\\pict ffd8}{\\*\\x y}{\\field{\\*\\fldinst L}{\\fldrslt d}}'),
      ),
    ).to.equal('a\tb\tc\nd');
    expect(wordsOfRichText(Buffer.from('{\\rtf1 cut \\u-10179?\\u-8704?{\\deleted gone} off'))).to.contain(
      'cut \ud83d\ude00 off',
    );
  });

  it('tells tags from signs of comparison', () => {
    expect(hasTags('a <b and c> 5')).to.be.false();
    expect(hasTags('x<br/>y')).to.be.true();
    expect(wordsOfMarkup('<ul><li>One</li><li>T&#119;o &lt; 3</li></ul><script>bad()</script>')).to.equal(
      'One\nTwo < 3',
    );
  });

  it('takes no picture or program for a text, and reads old encodings', () => {
    expect(wordsOfFile(PICTURE, 'text/plain')).to.be.undefined();
    expect(wordsOfFile(Buffer.from([0, 1, 2, 255]), 'application/octet-stream')).to.be.undefined();
    expect(wordsOfFile(Buffer.from('Größe', 'latin1'), 'text/plain')?.text).to.equal('Größe');
    expect(wordsOfFile(Buffer.from('x'.repeat(200_001)), 'text/plain')?.cut).to.be.true();
  });
});
