/**
 * json-to-xml: FHIR JSON becomes FHIR XML: nothing is lost, and nothing is accepted that FHIR R4 does not know. The
 * same document in both forms makes equal facts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../core/base/errors';
import { inProject } from '../../../core/base/paths';
import { loadConfig } from '../../../core/config/load';
import { fhirJsonToXml, looksLikeJson } from '../../../core/fhir/json-to-xml';
import { openReader, type DocumentReader } from '../../../core/pipeline/readers/document-reader';
import { readModels } from '../../../core/server/migrate-all';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const isDiv = (text: string): boolean => /^<div xmlns="http:\/\/www.w3.org\/1999\/xhtml">.*<\/div>$/s.test(text);
const toXml = (json: string): string => fhirJsonToXml(Buffer.from(json), isDiv);
const refusal = (json: string | Buffer): readonly string[] => {
  try {
    fhirJsonToXml(Buffer.from(json), isDiv);
  } catch (error) {
    if (error instanceof AppError && error.status === 400) {
      return [error.message, ...error.details.map(({ message }) => message)];
    }
    throw error;
  }
  return [];
};

describe('fhirJsonToXml', () => {
  it('writes elements in the order of FHIR, whatever order they have', () => {
    expect(
      toXml('{"subject":{"reference":"Patient/1"},"code":{"text":"a"},"id":"x","resourceType":"Condition"}'),
    ).to.equal(
      '<Condition xmlns="http://hl7.org/fhir"><id value="x"></id><code><text ' +
        'value="a"></text></code><subject><reference value="Patient/1"></reference></subject></Condition>',
    );
  });

  it('keeps the digits of numbers, and every character of a text', () => {
    const quantity = (value: string): string =>
      toXml(`{"resourceType":"Observation","valueQuantity":{"value":${value}}}`);
    for (const digits of ['1.10', '0.000000000000000000001', '12345678901234567890.5', '1e-7', '-0.0']) {
      expect(quantity(digits)).to.contain(`<value value="${digits}">`);
    }
    expect(toXml('{"resourceType":"Condition","code":{"text":"a<b>&\\"\\n\\tc \u{1F600}"}}')).to.contain(
      'value="a&lt;b&gt;&amp;&quot;&#10;&#9;c \u{1F600}"',
    );
  });

  it('keeps ids and extensions of primitives, in lists too', () => {
    expect(
      toXml(
        '{"resourceType":"Patient","birthDate":"1970-01-01","_birthDate":{"id":"b","extension":[{"url":"urn:x","valueBoolean":true}]},"name":[{"given":["A",null],"_given":[null,{"extension":[{"url":"urn:y","valueCode":"z"}]}]}]}',
      ),
    ).to.equal(
      '<Patient xmlns="http://hl7.org/fhir"><name><given value="A"></given><given><extension ' +
        'url="urn:y"><valueCode value="z"></valueCode></extension></given></name><birthDate value="1970-01-01" ' +
        'id="b"><extension url="urn:x"><valueBoolean value="true"></valueBoolean></extension></birthDate></Patient>',
    );
  });

  it('writes resources inside others, and narratives as what they are', () => {
    const xml = toXml(
      '{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"Patient","text":{"status":"generated","div":"<div ' +
        'xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>A</p></div>"},"contained":[{"resourceType":"Organization","id":"o"}]}}]}',
    );
    expect(xml).to.contain(
      '<entry><resource><Patient><text><status value="generated"></status><div ' +
        'xmlns="http://www.w3.org/1999/xhtml"><p>A</p></div></text><contained><Organization><id ' +
        'value="o"></id></Organization></contained></Patient></resource></entry>',
    );
    // Text that is not XHTML is left out whole, and cannot close the element that contains it.
    expect(toXml('{"resourceType":"Patient","text":{"div":"</div></text><active value=\\"true\\"/>"}}')).to.equal(
      '<Patient xmlns="http://hl7.org/fhir"></Patient>',
    );
  });

  const refused: readonly (readonly [what: string, json: string | Buffer, reason: string])[] = [
    [
      'an unknown element, with its path',
      '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","nme":[]}}]}',
      'Bundle.entry[0].resource.nme: FHIR R4 has no such element here',
    ],
    [
      'a name that is none without repeating it',
      '{"resourceType":"Patient","a b":1}',
      'Patient.(a name that is none): FHIR R4 has no such element here',
    ],
    ['a prototype', '{"resourceType":"Patient","__proto__":{"active":true}}', 'no such element here'],
    [
      'an extension of what is no primitive',
      '{"resourceType":"Patient","_name":[{}]}',
      'Patient._name: FHIR R4 has no such element here',
    ],
    [
      'a list where one is wanted',
      '{"resourceType":"Patient","birthDate":["1970"]}',
      'Patient.birthDate: it must not be a list',
    ],
    ['one where a list is wanted', '{"resourceType":"Patient","name":{}}', 'Patient.name: it must be a list'],
    [
      'a text where a number is wanted',
      '{"resourceType":"Observation","valueInteger":"1"}',
      'Observation.valueInteger: it must be a number',
    ],
    [
      'a number where a text is wanted',
      '{"resourceType":"Patient","birthDate":1970}',
      'Patient.birthDate: it must be a text',
    ],
    [
      'a text where a part is wanted',
      '{"resourceType":"Patient","maritalStatus":"M"}',
      'Patient.maritalStatus: it must be an object',
    ],
    ['null', '{"resourceType":"Patient","birthDate":null}', 'Patient.birthDate: it must not be null'],
    [
      'a character that XML has not',
      '{"resourceType":"Patient","birthDate":"\\u0001"}',
      'Patient.birthDate: it holds a character that XML does not allow',
    ],
    ['a type that is none', '{"resourceType":"Human"}', 'it must name a type of resource of FHIR R4'],
    ['a data type', '{"resourceType":"HumanName"}', 'it must name a type of resource of FHIR R4'],
    ['no type', '{"id":"a"}', 'it must name a type of resource of FHIR R4'],
    ['a list', '[{"resourceType":"Patient"}]', 'a resource is a JSON object'],
    ['what is no JSON', '{"resourceType":"Patient",\n"id":}', 'this is not well-formed JSON'],
    ['a name twice with two values', '{"resourceType":"Patient","id":"a","id":"b"}', 'this is not well-formed JSON'],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'its JSON is not UTF-8'],
    ['UTF-16 with a mark', Buffer.from('\uFEFF{"resourceType":"Patient"}', 'utf16le'), 'its JSON is not UTF-8'],
    ['UTF-16 without one', Buffer.from('{"resourceType":"Patient"}', 'utf16le'), 'its JSON is not UTF-8'],
    [
      'what is nested without an end',
      `{"resourceType":"Patient","extension":${'[{"url":"a","extension":'.repeat(400)}[]${'}]'.repeat(400)}}`,
      'it is nested too deep',
    ],
    ['what is nested far deeper', `{"a":${'['.repeat(100_000)}`, 'it is nested too deep'],
    [
      'DSTU2 by its name',
      '{"resourceType":"MedicationOrder","status":"active"}',
      'FHIR R4 is wanted, this is FHIR DSTU2',
    ],
    ['STU3 by its name', '{"resourceType":"Condition","assertedDate":"2017"}', 'FHIR R4 is wanted, this is FHIR STU3'],
    [
      'an earlier version by a code that became a concept',
      '{"resourceType":"Condition","clinicalStatus":"active"}',
      'this is FHIR DSTU2 or STU3',
    ],
  ];
  for (const [what, json, reason] of refused) {
    it(`refuses ${what}`, () => {
      expect(refusal(json).join('\n')).to.contain(reason);
    });
  }

  it('tells JSON by its first character', () => {
    expect(['{', ' \n{', '\uFEFF{', '<a/>', '', '[{'].map((text) => looksLikeJson(Buffer.from(text)))).to.equal([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('twins in XML and JSON', () => {
  let reader: DocumentReader;
  before(async () => {
    const config = loadConfig({});
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());

  it('make equal facts, and leave out the same', async () => {
    const twins = readdirSync(inProject('test', 'fixtures', 'fhir-json'));
    expect(twins.length).to.be.above(2);
    for (const name of twins) {
      const json = await reader.read(readFileSync(inProject('test', 'fixtures', 'fhir-json', name)));
      const xml = await reader.read(
        readFileSync(inProject('pipeline-config', 'fhir-bundle', `${basename(name, '.json')}.xml`)),
      );
      expect(json, name).to.equal(xml);
      expect(json.facts.length).to.be.above(0);
    }
  });
});
