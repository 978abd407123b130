/**
 * mended: a file of a person that is not quite XML is mended, stored as mended, and says so for good. The same bytes at
 * the interface for programs are refused as before.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { formsOf, makeSite, readable, type Site } from '../support/site';
import { command } from '../support/svc';
import { createAccount, PASSWORD, signIn, succeeded } from '../support/world';
import { clinicalDocument, entry } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const NUMBER = /[\w-]{36}/;

const asthma = (name: string): string =>
  clinicalDocument({
    entries: entry(
      '<observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/><statusCode code="completed"/>' +
        `<value xsi:type="CD" code="38341003" codeSystem="2.16.840.1.113883.6.96" displayName="${name}"/></observation>`,
    ),
  }).toString();

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

describe('a file that is not quite XML', () => {
  let service: TestService;
  let site: Site;
  let recordId: string;

  before(async () => {
    service = await startService(databases[0]!);
    await createAccount(service.call, OLGA, 'Olga Openshaw');
    site = makeSite(service.running.server);
    await site.submit(await site.open('/my/sign-in'), { username: OLGA, password: PASSWORD });
    const made = await site.submit(await site.open('/my/start'), {
      given: 'Tor',
      family: 'Openshaw',
      born: '1980-01-01',
      sex: 'female',
    });
    recordId = /\/my\/records\/([\w-]{36})\//.exec(made.path)![1]!;
  });
  after(() => service.stop());

  const look = async (name: string, bytes: string | Buffer) =>
    site.send(await site.open(`/my/records/${recordId}/add`), [{ field: 'file', name, bytes }]);

  it('is shown with what was mended, added, and told on its page', async () => {
    const page = await look('summary.xml', `\n${DECLARATION}\n${asthma('Asthma & cough\u000b')}`);
    expect(page.status, readable(page)).to.equal(200);
    expect(readable(page)).to.contain([
      'Asthma & cough',
      'Something stood before its first line.',
      'characters that XML does not allow',
      'Line 3',
      'What was mended in the file before it is kept is noted at its beginning.',
    ]);
    expect(readable(page)).to.not.contain('Nothing is lost');
    const form = formsOf(page).find(({ html }) => html.includes('Add to my record'))!;
    const { nevershare: _box, ...sent } = form.fields;
    const id = NUMBER.exec(
      String((await site.post(form.action, sent)).headers['location']).split('/documents/')[1]!,
    )![0];
    expect(readable(await site.open(`/my/records/${recordId}/documents/${id}`))).to.contain('Line 3');
    const hers = await signIn(service.call, OLGA);
    const { text } = succeeded(await service.call(hers, 'GET', `/records/${recordId}/documents/${id}`));
    expect(text).to.contain('<?mended start="1 1" ampersands="1 3" characters="1 3"?>');
    expect(text).to.contain('Asthma &amp; cough ');
  });

  it('is asked about when it comes again', async () => {
    const file = `${DECLARATION}${asthma('Asthma &nbsp;')}`;
    const form = formsOf(await look('once.xml', file)).find(({ html }) => html.includes('Add to my record'))!;
    const { nevershare: _box, ...sent } = form.fields;
    expect((await site.post(form.action, sent)).status).to.equal(303);
    expect(readable(await look('again.xml', file))).to.contain('Is it here already?');
  });

  it('is refused at the website where it is damaged otherwise, has a DOCTYPE or unknown entities', async () => {
    const refused = [
      `<!DOCTYPE ClinicalDocument>${asthma('a & b')}`,
      `<!DOCTYPE ClinicalDocument [<!ENTITY x "y">]>${asthma('&x; & b')}`,
      asthma('a & b').slice(0, -30),
      asthma('a & b &x;'),
    ];
    for (const file of refused) {
      expect((await look('bad.xml', file)).status).to.equal(400);
    }
  });

  it('is refused at the interface, byte for byte', async () => {
    const hers = await signIn(service.call, OLGA);
    for (const body of [`\n${DECLARATION}${asthma('a')}`, asthma('a & b'), asthma('a\u0001'), `${asthma('a')}\0`]) {
      const reply = await service.call(hers, 'POST', `/records/${recordId}/documents/`, {
        body: Buffer.from(body),
      });
      expect(reply.status).to.equal(400);
      expect(reply.text).to.contain('invalid_document');
    }
  });

  it('is read where it does not declare its prefixes, or says only by its name what it is', async () => {
    const whole = asthma('Asthma');
    const files: readonly (readonly [string, string])[] = [
      [whole.replace(/ xmlns:xsi="[^"]*"/, ''), 'read with the usual meaning of that prefix'],
      [whole.replace('<code code="ASSERTION"/>', '$&<o:p>pasted</o:p>'), 'They were kept, but not read.'],
      [whole.replace(' xmlns="urn:hl7-org:v3"', ''), 'its namespace is missing'],
      [
        '<f:Bundle><f:type value="collection"/><f:entry><f:resource><f:Condition><f:code><f:text value="Asthma"/>' +
          '</f:code><f:subject><f:reference value="Patient/p"/></f:subject></f:Condition></f:resource></f:entry>' +
          '</f:Bundle>',
        'read with the usual meaning of that prefix',
      ],
    ];
    for (const [file, told] of files) {
      const page = await look('summary.xml', file);
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain(['Asthma', told]);
    }
  });

  it('is read by the commands, too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mended-'));
    const file = join(folder, 'summary.xml');
    writeFileSync(file, Buffer.from(`${DECLARATION}${asthma('Ménière')}`, 'latin1'));
    const { code, stdout } = await command(['ingest', file]);
    expect(code).to.equal(0);
    expect(stdout).to.contain(['name_title: Ménière', 'read as Windows-1252']);
    writeFileSync(file, `<!DOCTYPE a>${asthma('a & b')}`);
    expect((await command(['ingest', file])).code).to.equal(1);
  });
});
