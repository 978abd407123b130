/**
 * readable-json: FHIR in JSON as programs export it: in UTF-16, as a list of resources, as resources one after the
 * other, with `null` for what is not there. People's files are read; numbers keep their digits.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readableJson, severalResources } from '../../core/files/readable-json';
import { looksLikeDocument } from '../../core/files/sniff';
import { readMended } from '../../core/pipeline/mended-file';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const PATIENT = '{"resourceType":"Patient","id":"p","name":[{"family":"Holm"}]}';
const problem = (name: string): string =>
  `{"resourceType":"Condition","subject":{"reference":"Patient/p"},"code":{"text":"${name}"}}`;
const WEIGHT =
  '{"resourceType":"Observation","status":"final","subject":{"reference":"Patient/p"},"code":{"text":"Iron"},' +
  '"valueQuantity":{"value":81.50,"unit":"umol/L"}}';

/** What a person's file says: names and values, then what was left out. */
async function readFile(bytes: Buffer): Promise<readonly string[]> {
  const { done } = await readMended(reader, bytes, undefined, (content) => reader.read(content));
  const said = done.facts.map(({ values }) => values['name_title'] ?? values['quantitative_result_value_value']);
  return [...said.map(String), ...done.leftOut.map(({ model, reason, where }) => `${model} ${reason} ${where}`)];
}

describe('a file of FHIR in JSON', () => {
  it('is read in UTF-16, with and without its mark, in both orders of bytes', async () => {
    const text = `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${PATIENT}},{"resource":${problem('Läuse')}}]}`;
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ]) {
      expect(await readFile(bytes)).to.equal(['Läuse']);
    }
  });

  it('is read as a list of resources, and keeps the digits of numbers', async () => {
    const list = Buffer.from(` [ ${PATIENT},\n${problem('Gout } ] \\" x')} , ${WEIGHT} ]\n`);
    expect(looksLikeDocument(list)).to.be.true();
    expect(await readFile(list)).to.equal(['Gout } ] " x', '81.50']);
  });

  it('is read in Windows-1252 where it is not in UTF-8, which is told', async () => {
    const entries = [PATIENT, problem('Läuse – früh'), WEIGHT].map((resource) => `{"resource":${resource}}`);
    const bundle = `{"resourceType":"Bundle","type":"searchset","entry":[${entries.join(',')}]}`;
    const bytes = Buffer.from(bundle.replace('–', '\u0096'), 'latin1');
    expect(await readFile(bytes)).to.equal(['Läuse – früh', '81.50', 'Bundle mended_western OperationOutcome']);
    expect(await readFile(Buffer.from(problem('Müdigkeit'), 'latin1'))).to.equal([
      'Müdigkeit',
      'Bundle mended_western OperationOutcome',
    ]);
  });

  it('tells the guess in a document, a message and a history, too', async () => {
    const composition = `{"resourceType":"Composition","status":"final","type":{"text":"a ]"},"date":"2024","author":[{"display":"A"}],"title":"T","subject":{"reference":"Patient/p"}}`;
    for (const type of ['document', 'message', 'history']) {
      const entries = [composition, PATIENT, problem('Läuse')].map((resource) => `{"resource":${resource}}`).join(',');
      const bundle = `{"resourceType":"Bundle","type":"${type}","entry":[${entries}],"total":3}`;
      expect(await readFile(Buffer.from(bundle, 'latin1')), type).to.equal([
        'Läuse',
        'Bundle mended_western OperationOutcome',
      ]);
      expect(await readFile(Buffer.from(bundle)), type).to.equal(['Läuse']);
    }
  });

  it('tells the guess in a transaction and a batch, whose entries have an outcome each', async () => {
    for (const type of ['transaction', 'batch']) {
      const request = '"request":{"method":"POST","url":"Condition"}';
      const entries = [PATIENT, problem('Läuse')].map((resource) => `{"resource":${resource},${request}}`).join(',');
      const bundle = `{"resourceType":"Bundle","type":"${type}","entry":[${entries}]}`;
      const bytes = Buffer.from(bundle, 'latin1');
      expect(await readFile(bytes), type).to.equal(['Läuse', 'Bundle mended_western Bundle']);
      expect((JSON.parse(readableJson(bytes)!.toString()) as { entry: unknown[] }).entry).to.have.length(2);
      expect(await readFile(Buffer.from(bundle)), type).to.equal(['Läuse']);
    }
  });

  it('is read inside of Parameters and of Bundles in a Bundle, with what servers warn of', async () => {
    const inside = (resource: string): string => `{"resource":${resource}}`;
    const bundle = (type: string, more: string, ...resources: readonly string[]): string =>
      `{"resourceType":"Bundle","type":"${type}"${more},"entry":[${resources.map(inside).join(',')}]}`;
    const part = `{"name":"p","part":[{"name":"o","resource":${WEIGHT}}]}`;
    const gout = bundle('searchset', '', PATIENT, problem('Gout'));
    const given = `{"name":"a","valueString":"b"},{"name":"r","resource":${gout}},${part}`;
    const parameters = `{"resourceType":"Parameters","parameter":[${given}]}`;
    expect(await readFile(Buffer.from(parameters))).to.equal(['Gout', '81.50']);
    const page = ',"link":[{"relation":"next","url":"https://h.example/2"}]';
    const warning =
      '{"resourceType":"OperationOutcome","issue":[{"severity":"warning","code":"suppressed","diagnostics":"x"}]}';
    const asthma = bundle('searchset', page, problem('Asthma'), warning);
    expect(await readFile(Buffer.from(bundle('batch-response', '', gout, asthma)))).to.equal([
      'Gout',
      'Asthma',
      'OperationOutcome sender_warning OperationOutcome',
      'Bundle more_pages OperationOutcome',
    ]);
    // One Bundle inside keeps what it is.
    const document = `{"resourceType":"Parameters","parameter":[{"name":"d","resource":${gout}}]}`;
    expect(JSON.parse(readableJson(Buffer.from(document))!.toString())).to.include({ type: 'searchset' });
    expect(readableJson(Buffer.from(gout))).to.be.undefined();
    // Of a hundred around each other some are opened; what is nested too deeply to be read is left as it is.
    const start = '{"resourceType":"Bundle","type":"collection","entry":[{"resource":';
    const nested = (depth: number): Buffer => Buffer.from(`${start.repeat(depth)}${gout}${'}]}'.repeat(depth)}`);
    const opened = readableJson(nested(100))!.toString();
    expect([opened.split(start).length, opened.includes('Gout')]).to.equal([61, true]);
    expect(() => [1000, 5000, 50_000].map((depth) => readableJson(nested(depth)))).to.not.throw();
  });

  it('is read inside of Parameters in XML, and of long ones in JSON', async () => {
    const gout =
      '<Condition><code><text value="Gout &lt;/resource>"/></code><subject><reference value="Patient/p"/></subject></Condition>';
    const inside = (resource: string): string => `<resource>${resource}</resource>`;
    const entries = ['<Patient><id value="p"/></Patient>', gout].map((one) => `<entry>${inside(one)}</entry>`).join('');
    const bundle = `<Bundle><type value="searchset"/>${entries}</Bundle>`;
    const parameters = (...held: readonly string[]): Buffer =>
      Buffer.from(
        `<?xml version="1.0"?>\n<Parameters xmlns="http://hl7.org/fhir"><!-- <resource> -->${held
          .map((one) => `<parameter><name value="a"/>${one}</parameter>`)
          .join('')}</Parameters>`,
      );
    expect(await readFile(parameters(inside(bundle)))).to.equal(['Gout </resource>']);
    expect(
      await readFile(parameters('<valueString value="b"/>', inside(bundle), `<part>${inside(gout)}</part>`)),
    ).to.equal(['Gout </resource>', 'Gout </resource>']);
    expect(await readFile(parameters('<valueString value="b"/>'))).to.equal([]);
    const long = `{"name":"a","valueString":"${'x'.repeat(5_000_000)}"}`;
    const json = `{"resourceType":"Parameters","parameter":[${long},{"name":"b","resource":${problem('Gout')}}]}`;
    expect(await readFile(Buffer.from(json))).to.equal(['Gout']);
  });

  it('is read as resources one after the other', async () => {
    expect(await readFile(Buffer.from(`${PATIENT}\n${problem('Gout')}\n${problem('Asthma')}\n`))).to.equal([
      'Gout',
      'Asthma',
    ]);
  });

  it('is no list of resources where anything else stands in it', () => {
    for (const text of ['[]', '[1,{"resourceType":"Patient"}]', '[{"a":1}]', `[${PATIENT},7]`, `[${PATIENT}`]) {
      expect(readableJson(Buffer.from(text)), text).to.be.undefined();
    }
    expect(severalResources(Buffer.from(PATIENT))).to.be.undefined();
    expect(severalResources(Buffer.from(`${PATIENT} and ${PATIENT}`))).to.be.undefined();
    expect(severalResources(Buffer.from(`${PATIENT}{"resourceType":"Cond`))).to.be.undefined();
  });

  it('is read with null for what is not there, which is told', async () => {
    const empty = problem('Asthma').replace('}}', '},"onsetDateTime":null,"note":[null],"bodySite":null}');
    expect(
      await readFile(
        Buffer.from(
          `{"resourceType":"Bundle","type":"collection","total":null,"entry":[null,{"resource":null},{"resource":${PATIENT}},{"resource":${empty}},{}]}`,
        ),
      ),
    ).to.equal([
      'Asthma',
      'Bundle mended Bundle',
      'Bundle mended entry 1',
      'Bundle mended entry 2',
      'Condition mended entry 4',
    ]);
    expect(await readFile(Buffer.from(empty))).to.equal(['Asthma', 'Condition mended Condition']);
  });

  it('that a program sends is refused in letters of no known kind', async () => {
    const latin = Buffer.from(problem('Läuse'), 'latin1');
    await expect(reader.read(latin)).to.reject(/UTF-8/);
  });
});
