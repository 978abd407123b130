/**
 * ingest: what `svc ingest` and `svc check` report to the author of a format: wrong names with their place, empty
 * columns, one line for each mistake.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { command, type Ran } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const XSLT = 'http://www.w3.org/1999/XSL/Transform';
const FORMAT = `document: nap
identify: { root: Nap, namespace: "urn:nap" }
transform: { stylesheet: transform.xsl }
store: { models: [Nap] }
`;
const MODEL = '__modelname__: Nap\nstart: Date\nminutes: Number\n';
const DOCUMENT = '<Nap xmlns="urn:nap"><start>2026-01-01T13:00:00Z</start><minutes>20</minutes></Nap>';

/** The stylesheet of a format. Each field has a line of its own, from the third line on. */
const stylesheet = (fields: readonly (readonly [string, string])[], namespace = XSLT): string =>
  [
    `<xsl:stylesheet version="1.0" xmlns:xsl="${namespace}" xmlns:n="urn:nap">`,
    '<xsl:template match="/n:Nap"><Models><Model name="Nap">',
    ...fields.map(([name, from]) => `<Field name="${name}"><xsl:value-of select="${from}"/></Field>`),
    '</Model></Models></xsl:template></xsl:stylesheet>',
  ].join('\n');

const RIGHT = [
  ['start', 'n:start'],
  ['minutes', 'n:minutes'],
] as const;

describe('svc ingest, for who writes a format', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-ingest-'));
    mkdirSync(join(folder, 'formats', 'nap'), { recursive: true });
    mkdirSync(join(folder, 'models'));
    writeFileSync(join(folder, 'nap.xml'), DOCUMENT);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (files: { transform?: string; format?: string; model?: string }, ...more: string[]): Promise<Ran> => {
    const { transform = stylesheet(RIGHT), format = FORMAT, model = MODEL } = files;
    writeFileSync(join(folder, 'formats', 'nap', 'document.yaml'), format);
    writeFileSync(join(folder, 'formats', 'nap', 'transform.xsl'), transform);
    writeFileSync(join(folder, 'models', 'nap.yaml'), model);
    return command(['ingest', join(folder, 'nap.xml'), ...more], {
      SVC_PIPELINE_CONFIG_DIR: join(folder, 'formats'),
      SVC_DATAMODELS_DIR: join(folder, 'models'),
    });
  };

  it('names the line of the stylesheet that writes a wrong column, and the nearest ones', async () => {
    const { code, stdout } = await run({
      transform: stylesheet([
        ['start', 'n:start'],
        ['minuts', 'n:minutes'],
      ]),
    });
    expect(code).to.equal(1);
    expect(stdout).to.contain('Nap has no field minuts, which stands in line 4 of transform.xsl; the nearest: minutes');
  });

  it('warns of a model that replaces none and of a code with two targets, as svc check', async () => {
    await run({ model: MODEL.replace('Nap', 'Nap\n__override__: true') });
    mkdirSync(join(folder, 'models/relations'), { recursive: true });
    writeFileSync(
      join(folder, 'models/relations/two.tsv'),
      '# source: a\n# licence: a\n# release: a\n# kind: ingredient\nA\t1\tA\t2\nA\t1\tA\t3\n',
    );
    const { code, stderr } = await command(['check'], {
      SVC_PIPELINE_CONFIG_DIR: join(folder, 'formats'),
      SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${join(folder, 'models')}`,
    });
    expect(code, stderr).to.equal(0);
    expect(stderr).to.contain('nap.yaml: __override__: true replaces nothing: no earlier folder has a model Nap');
    expect(stderr).to.contain('relations/two.tsv: 1 codes lead to two others, and so to none: A|1');
  });

  it('names a wrong model in the same way', async () => {
    const { stdout } = await run({ transform: stylesheet(RIGHT).replace('"Nap"', '"Naps"') });
    expect(stdout).to.contain('there is no model Naps, which stands in line 2 of transform.xsl; the nearest: Nap');
  });

  it('lists the columns that stayed empty, as after a mistake in an optional XPath', async () => {
    const wrong = stylesheet([
      ['start', 'n:strat'],
      ['minutes', 'n:minutes'],
    ]);
    expect((await run({ transform: wrong })).stdout).to.contain('  empty       Nap: start\n');
    const json = JSON.parse((await run({ transform: wrong }, '--json')).stdout) as { empty: object };
    expect(json.empty).to.equal({ Nap: ['start'] });
    const { code, stdout } = await run({});
    expect([code, stdout.includes('empty')]).to.equal([0, false]);
  });

  it('says where the root of a document is known in another namespace', async () => {
    const file = join(folder, 'elsewhere.xml');
    writeFileSync(file, '<Procedure xmlns="urn:elsewhere"/>');
    const { code, stdout } = await command(['ingest', file]);
    expect(code).to.equal(0);
    expect(stdout).to.contain('urn:elsewhere#Procedure');
    expect(stdout).to.match(/none is registered for this type.*; known is \S+#Procedure.*: compare the namespaces/);
  });

  it('says when a document made no fact', async () => {
    const { code, stdout } = await run({ transform: stylesheet(RIGHT).replace('/n:Nap"', '/n:Sleep"') });
    expect(code).to.equal(1);
    expect(stdout).to.contain('did not yield a Models element');
    const none = stylesheet([]).replace(/<Model name.*|<\/Model>/g, '');
    const quiet = await run({ transform: none });
    expect(quiet.code, quiet.stderr).to.equal(0);
    expect(quiet.stdout).to.contain('facts       0; its format made none of it, and no report will show it');
  });

  it('names a wrong namespace of XSLT', async () => {
    const { code, stderr } = await run({ transform: stylesheet(RIGHT, XSLT.replace('Transform', 'Transfrom')) });
    expect(code).to.equal(1);
    expect(stderr).to.contain('transform.xsl:1: the root must be xsl:stylesheet: this one is in the namespace');
    expect(stderr).to.contain('XSL/Transfrom, and XSLT has http://www.w3.org/1999/XSL/Transform');
  });

  it('takes a file that several formats know in as the one that --as names', async () => {
    const formats = join(folder, 'tables');
    for (const name of ['first', 'second']) {
      cpSync(inProject('pipeline-config', 'blood-pressure-csv'), join(formats, name), { recursive: true });
      const file = join(formats, name, 'document.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('document: blood-pressure-csv', `document: ${name}`));
    }
    const week = join(formats, 'first', 'sample-week.csv');
    const ingest = (...more: string[]): Promise<Ran> =>
      command(['ingest', week, ...more], { SVC_PIPELINE_CONFIG_DIR: formats });
    const unsaid = await ingest();
    expect([unsaid.code, unsaid.stdout]).to.equal([1, '']);
    expect(unsaid.stderr).to.contain('first and second know this file: choose one with --as');
    const said = await ingest('--as', 'second');
    expect([said.code, said.stdout.includes('left out')], said.stderr).to.equal([0, true]);
    const unknown = await ingest('--as', 'third');
    expect([unknown.code, unknown.stdout]).to.equal([1, '']);
    expect(unknown.stderr).to.contain('no format third takes this file in: choose one of first, second with --as');
  });

  it('says of pages of the web and texts with a layout what to give instead', async () => {
    for (const [name, text, says] of [
      ['page.html', '<!DOCTYPE html><p>Hello', 'it is a page of the web (HTML): print or save it as a PDF'],
      ['empty.xml', '', 'it is empty: save or download it once more'],
      ['note.txt', Buffer.from('M\xfcller', 'latin1'), 'it is a text, but not in UTF-8: save it in UTF-8'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      const { code, stdout } = await command(['ingest', join(folder, name)]);
      expect([code, stdout.includes(says)], stdout).to.equal([1, true]);
    }
  });

  it('says of a file that nothing makes a document of what it could be, and not that it is broken XML', async () => {
    for (const [name, text] of [
      ['sensor.csv', 'Time\n1\n'],
      ['list.json', '[{"type":"Patient"}]'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      const { code, stdout } = await command(['ingest', join(folder, name)]);
      expect(code).to.equal(1);
      expect(stdout).to.contain('it is neither XML, one FHIR resource or Bundle in JSON');
      expect(stdout).to.contain('no format takes such files in: pipeline-config/README.md');
    }
  });

  for (const [what, files] of [
    ['an indented key', { model: MODEL.replace('minutes:', '  minutes:') }],
    ['a bracket that is not closed', { model: MODEL.replace('Number', '[Number') }],
    ['a brace that is not closed', { format: FORMAT.replace('transform.xsl }', 'transform.xsl') }],
  ] as const) {
    it(`tells ${what} once`, async () => {
      const { code, stderr } = await run(files);
      expect(code).to.equal(1);
      expect(stderr.split('\n').filter((line) => line.includes('not valid YAML')).length, stderr).to.equal(1);
    });
  }
});
