/** narrative: the parts of documents that people read: sections, lists and tables of every format that has them. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../../core/base/errors';
import { inProject } from '../../../core/base/paths';
import { loadConfig } from '../../../core/config/load';
import { openReader, type DocumentReader } from '../../../core/pipeline/readers/document-reader';
import { readModels } from '../../../core/server/migrate-all';
import type { Narrative } from '../../../core/xml/narrative';
import { noteFormat, noteXml, openTestReader, stylesheet } from '../../support/formats';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const clinic = readFileSync(inProject('pipeline-config/ccda/sample-clinic-summary.xml'), 'utf8');
const SECTION = /<section>[\s\S]*?<\/section>/;

describe('the bundled formats', () => {
  let reader: DocumentReader;
  before(async () => {
    const config = loadConfig({});
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());
  const read = (text: string): Promise<Narrative> => reader.narrative(Buffer.from(text));
  const inSection = async (text: string): Promise<Narrative['sections'][number]> =>
    (await read(clinic.replace(SECTION, `<section><title>Course</title>${text}</section>`))).sections[0]!;

  it('write paragraphs, lines, lists and tables of a clinical document, without its looks', async () => {
    const section = await inSection(
      '<text>She <content styleCode="Bold">went\n   home</content> well.<br/>No <content revised="delete">old </content>fever.' +
        '<paragraph>Rest.</paragraph><list><caption>Then</caption><item>Walk<list><item>a <sub>little</sub></item></list></item><item/></list>' +
        '<table border="1"><caption>Doses</caption><thead><tr><th>Drug</th><th>Dose</th></tr></thead><tbody><tr><td>A &lt;b&gt;</td><td>1<br/>2</td></tr></tbody></table></text>' +
        '<component><section><title>Inner</title><text>More</text></section></component>',
    );
    expect(section).to.equal({
      title: 'Course',
      blocks: [
        { kind: 'text', text: 'She went home well.\nNo fever.' },
        { kind: 'text', text: 'Rest.' },
        { kind: 'text', text: 'Then' },
        { kind: 'list', items: [{ text: 'Walk', items: [{ text: 'a little', items: [] }] }] },
        { kind: 'text', text: 'Doses' },
        { kind: 'table', head: ['Drug', 'Dose'], rows: [['A <b>', '1\n2']] },
      ],
      sections: [{ title: 'Inner', blocks: [{ kind: 'text', text: 'More' }], sections: [] }],
    });
  });

  it('write the text of a Composition, in JSON as in XML, and that of a resource alone', async () => {
    const div =
      '<div xmlns="http://www.w3.org/1999/xhtml"><h2>Day 1</h2><p>Slept <b>well</b>.</p><ul><li>tea</li></ul></div>';
    const composition = {
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Letter' },
      date: '2024-01-01',
      author: [{ display: 'Dr' }],
      title: 'Letter',
      section: [{ title: 'Course', text: { status: 'generated', div } }, { code: { text: 'Empty' } }],
    };
    const bundle = { resourceType: 'Bundle', type: 'document', entry: [{ resource: composition }] };
    const blocks = [
      { kind: 'text', text: 'Day 1' },
      { kind: 'text', text: 'Slept well.' },
      { kind: 'list', items: [{ text: 'tea', items: [] }] },
    ];
    expect((await read(JSON.stringify(bundle))).sections).to.equal([
      { title: 'Course', blocks, sections: [] },
    ] as never);
    const alone =
      `<Condition xmlns="http://hl7.org/fhir"><text><status value="generated"/>${div}</text>` +
      '<code><text value="Asthma"/></code><subject><reference value="Patient/1"/></subject></Condition>';
    expect((await read(alone)).sections).to.equal([{ title: '', blocks, sections: [] }] as never);
  });

  it('write nothing for formats that have no text, and for types that none knows', async () => {
    const other = readFileSync(inProject('pipeline-config/procedure/sample-appendectomy.xml'), 'utf8');
    const empty = { sections: [], cut: false };
    expect(await read(other.replaceAll('{vocab_base}', loadConfig({}).vocabBase))).to.equal(empty);
    expect(await read('<Letter xmlns="urn:x">Hello</Letter>')).to.equal(empty);
    expect((await reader.narrative(Buffer.from('<Letter')).catch((error: unknown) => error)) as AppError).to.include({
      status: 400,
      code: 'invalid_document',
    });
  });

  it('say when there is more than a page can show', async () => {
    const withText = (text: string): string =>
      clinic.replace(SECTION, () => `<section><title>Long</title><text>${text}</text></section>`);
    for (const text of ['<paragraph>line</paragraph>'.repeat(15_000), `One. <br/>${'word '.repeat(250_000)}`]) {
      const { sections, cut } = await read(withText(text));
      expect([cut, sections[0]!.title]).to.equal([true, 'Long']);
    }
    expect((await read(withText('<paragraph>line</paragraph>'.repeat(1_000)))).cut).to.be.false();
  });
});

describe("a format of one's own", () => {
  const withNarrative = (body: string) => ({
    ...noteFormat,
    'note/document.yaml': `${noteFormat['note/document.yaml']}\nnarrative: { stylesheet: people.xsl }\n`,
    'note/people.xsl': stylesheet(body),
  });

  it('writes its text by a stylesheet that its folder names', async () => {
    const reader = await openTestReader(
      withNarrative(
        '<xsl:template match="/n:Note"><Narrative><Section title="Note"><Text><xsl:value-of select="n:title"/></Text></Section></Narrative></xsl:template>',
      ),
    );
    try {
      expect(await reader.narrative(noteXml('<title>Hello</title>'))).to.equal({
        sections: [{ title: 'Note', blocks: [{ kind: 'text', text: 'Hello' }], sections: [] }],
        cut: false,
      });
    } finally {
      await reader.close();
    }
  });

  it('is refused at the start when the stylesheet does not compile or is not there, and when it writes something else', async () => {
    const broken = await openTestReader(
      withNarrative('<xsl:template match="/"><xsl:value-of select="1 +"/></xsl:template>'),
    ).catch((error: unknown) => error);
    expect(String((broken as Error).message)).to.contain('people.xsl:');
    const { 'note/people.xsl': _none, ...without } = withNarrative('');
    const missing = await openTestReader(without).catch((error: unknown) => error);
    expect(String((missing as Error).message)).to.match(/document\.yaml:\d+: .*people\.xsl/);
    const reader = await openTestReader(withNarrative('<xsl:template match="/"><Models/></xsl:template>'));
    try {
      const failure = (await reader
        .narrative(noteXml('<title>Hello</title>'))
        .catch((error: unknown) => error)) as AppError;
      expect([failure.status, failure.code]).to.equal([400, 'transform_failed']);
    } finally {
      await reader.close();
    }
  });
});
