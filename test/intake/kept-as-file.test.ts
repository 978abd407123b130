/**
 * kept-as-file: whatever cannot be read is named where it is known, and can be kept as a file: at the website and by
 * `svc put --as-file`, alone and from an archive.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { otherKind } from '../../core/files/other-kinds';
import { joinLeftOut } from '../../plugins/documents/incoming';
import { zipOf } from '../support/apple-health';
import { databases } from '../support/databases';
import { formsOf, readable, type SitePage } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { startService, type TestService } from '../support/server';
import { until } from '../support/receiver';
import { command } from '../support/svc';
import { clinicalDocument } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CCR = '<ContinuityOfCareRecord xmlns="urn:astm-org:CCR"><Version>V1.0</Version></ContinuityOfCareRecord>';
const APPLE =
  '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><id extension="Health Export CDA" root="1.1"/>' +
  '</ClinicalDocument><entry/>';

/** Files of each kind, and a part of the sentence that names it. */
const KINDS: readonly (readonly [name: string, file: string, words: string])[] = [
  ['card.smart-health-card', '{"verifiableCredential":["eyJ.x.y"]}', 'SMART Health Card'],
  ['card.txt', 'shc:/567629095243', 'SMART Health Card'],
  ['pass.txt', 'HC1:NCFOXN%TS3DH3ZSUZK+.V0ETD', 'EU digital COVID certificate'],
  ['result.hl7', 'MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240101||ORU^R01|1|P|2.5\rPID|1||7', 'HL7 version 2 message'],
  [
    'mymedicare.txt',
    '--------------------------------\nMYMEDICARE.GOV PERSONAL HEALTH INFORMATION\n',
    'Blue Button text',
  ],
  ['export_cda.xml', APPLE, 'export.zip'],
  ['old.xml', CCR, 'Continuity of Care Record'],
  ['comp.xml', '<composition xmlns="http://schemas.openehr.org/v1"/>', 'openEHR document'],
  ['run.fit', '\x0e\x10\x00\x00\x01\x00\x00\x00.FIT', 'FIT file of a sports watch'],
  ['run.gpx', '<?xml version="1.0"?>\n<gpx xmlns="http://www.topografix.com/GPX/1/1"/>', 'GPX or TCX'],
  ['run.tcx', '<?xml version="1.0"?><TrainingCenterDatabase xmlns="urn:tcx"/>', 'GPX or TCX'],
  ['weight-2026-07-01.json', '[{ "logId" : 1752, "weight" : 176.4, "date" : "07/15/26" }]', 'Fitbit export'],
  ['heart_rate-2026-07-15.json', '[{"dateTime":"07/15/26 05:05:00","value":{"bpm":64}}]', 'Fitbit export'],
  ['letter.xml', clinicalDocument({ patients: '' }).toString(), 'not written as C-CDA'],
];

describe('a file that cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-as-file-'));
  let service: TestService;
  let of: SiteRecord;

  before(async () => {
    service = await startService(databases[0]!);
    of = await makeSiteRecord(service);
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const send = async (name: string, bytes: string | Buffer): Promise<SitePage> => {
    let page = await of.owner.send(await of.owner.open(`/my/records/${of.recordId}/add`), [
      { field: 'file', name, bytes },
    ]);
    await until(async () => {
      page = page.headers['refresh'] === undefined ? page : await of.owner.open(page.path);
      return page.headers['refresh'] === undefined;
    });
    return page;
  };
  const formWith = (page: SitePage, words: string) => formsOf(page).find(({ html }) => html.includes(words));
  const download = async (address: string): Promise<{ readonly text: string; readonly name: string }> => {
    const { text, headers } = await of.owner.open(`${address}/download`);
    return { text, name: String(headers['content-disposition']) };
  };
  /** Sends the form with the words; follows it to the document. */
  const keep = async (page: SitePage, words: string): Promise<string> => {
    const form = formWith(page, words)!;
    const { nevershare: _box, ...fields } = form.fields;
    const answer = await of.owner.post(form.action, fields);
    expect(answer.status, readable(answer)).to.equal(303);
    return String(answer.headers['location']);
  };

  it('is named in one sentence with what to do', async () => {
    for (const [name, file, words] of KINDS) {
      expect(readable(await send(name, file)), name).to.contain(words);
      const path = join(folder, name);
      writeFileSync(path, file);
      const { stdout } = await command(['ingest', path]);
      expect(stdout, name).to.contain(words);
    }
    const declared = join(folder, 'declared.xml');
    writeFileSync(declared, `<!DOCTYPE ClinicalDocument SYSTEM "a.dtd">${clinicalDocument({}).toString()}`);
    const told = (await command(['ingest', declared])).stdout;
    expect(told).to.contain('delete its declaration').and.to.not.contain('not written as C-CDA');
    for (const [name, file] of [
      ['note.txt', 'HC1: the patient said MSH|^~\\&'],
      ['a.json', '{"resourceType":"Patient"}'],
      ['b.xml', '<a>urn:astm</a>'],
    ] as const) {
      expect(otherKind(Buffer.from(file), name)).to.be.undefined();
    }
  });

  it('is kept as a file at the website, and downloads as it came', async () => {
    const cut = clinicalDocument({}).toString().slice(0, -20);
    for (const [name, file] of [
      ['cut.xml', cut],
      ['report.docx', Buffer.from('PK\x03\x04\0\0binary')],
      ['card.smart-health-card', KINDS[0]![1]],
    ] as const) {
      const page = await send(name, file);
      expect(page.status).to.equal(400);
      const address = await keep(page, 'Keep it as a file');
      const held = await download(address);
      expect(held.text, name).to.equal(file.toString());
      expect(held.name).to.contain(name);
    }
    expect(formWith(await send('empty.xml', ''), 'Keep it as a file')).to.be.undefined();
  });

  it('keeps a text with its layout as such', async () => {
    const page = await send('letter.rtf', '{\\rtf1\\ansi Allergic to penicillin}');
    expect(page.status).to.equal(200);
    const held = await download(await keep(page, 'Add to my record'));
    expect(held.name).to.contain('.rtf');
    expect(held.text).to.contain('penicillin');
  });

  it('is kept from an archive unless the person takes the tick out, and so is an archive that is none', async () => {
    const cut = clinicalDocument({}).toString().slice(0, -20);
    const zip = zipOf([
      { name: 'note.txt', bytes: 'Hello' },
      { name: 'cut.xml', bytes: cut },
      { name: 'scan.dcm', bytes: 'DICM' },
    ]);
    const page = await send('portal.zip', zip);
    expect(readable(page)).to.contain('Keep the 2 files that cannot be read as files');
    const form = formWith(page, 'Add to my record')!;
    const { as_files: _tick, ...without } = form.fields;
    const done = await of.owner.post(form.action, without);
    expect(readable(await of.owner.open(String(done.headers['location'])))).to.contain('One document was added.');
    const again = formWith(await send('portal.zip', zip), 'Add to my record')!;
    const all = await of.owner.post(again.action, again.fields);
    const kept = readable(await of.owner.open(String(all.headers['location'])));
    expect(kept).to.contain(['2 documents were added.', 'One document was there already.']);
    expect(kept).to.contain(['Kept as files', 'cut.xml', 'scan.dcm']).and.not.contain(['Left out', 'It is not known']);
    const broken = await send('broken.zip', 'PK\x03\x04 nothing');
    expect((await download(await keep(broken, 'Keep it as a file'))).text).to.equal('PK\x03\x04 nothing');
  });

  it('tells before and after adding what the documents of an export and of an archive leave out', async () => {
    const subject = { reference: 'Patient/p' };
    const nameless = (id: number) => ({
      resourceType: 'MedicationRequest',
      id: `m${id}`,
      status: 'active',
      intent: 'order',
      subject,
      medicationReference: { reference: 'Medication/none' },
    });
    const named = { resourceType: 'Condition', id: 'c', subject, code: { text: 'Gout' } };
    const lines = [named, nameless(1), nameless(2)].map((one) => JSON.stringify(one));
    const zip = zipOf(lines.map((bytes, index) => ({ name: `${index}.json`, bytes })));
    for (const [name, bytes] of [
      ['export.ndjson', lines.join('\n')],
      ['several.zip', zip],
    ] as const) {
      const page = await send(name, bytes);
      expect(readable(page), name).to.contain([
        'Left out of the documents in it',
        '× 2',
        'It has no name that could be read.',
      ]);
      const form = formWith(page, 'Add to my record')!;
      const done = await of.owner.post(form.action, form.fields);
      expect(readable(await of.owner.open(String(done.headers['location']))), name).to.contain([
        'Left out of the documents in it',
        'It has no name that could be read.',
      ]);
    }
  });

  it('counts what many documents leave out, and keeps the list short', () => {
    const one = (where: string) => ({ model: 'Medication', reason: 'no_code', count: 1, where });
    const many = Array.from({ length: 20 }, (_, index) => one(`entry ${index}`));
    const joined = joinLeftOut([one('entry 0')], many, 5);
    expect(joined).to.have.length(6);
    expect(joined.reduce((sum, { count }) => sum + count, 0)).to.equal(21);
    expect(joined[5]).to.equal({ model: 'Medication', reason: 'no_code', count: 15 });
  });
});
