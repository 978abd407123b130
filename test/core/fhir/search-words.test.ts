/** search-words: what rows of searches hold of addresses and times keeps all that they say. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { longAddress, shortAddress } from '../../../core/fhir/code-systems';
import { intervalIn, shortStamp } from '../../../core/fhir/search-dates';

export const lab = Lab.script();
const { describe, it } = lab;

describe('search words', () => {
  it('shorten no two addresses to the same text', () => {
    const addresses = [
      'http://loinc.org',
      'http://loinc.org/',
      'https://loinc.org',
      '~l',
      '~~l',
      '~',
      '',
      'http://hl7.org/fhir/',
      'http://hl7.org/fhir/us/core/StructureDefinition/us-core-procedure',
      'http://hl7.org/fhir/us/core/CodeSystem/condition-category',
      'http://hl7.org/fhir/StructureDefinition/x',
      'http://snomed.info/sct',
      'urn:oid:2.16.840.1.113883.6.96',
    ];
    expect(new Set(addresses.map(shortAddress)).size).to.equal(addresses.length);
    expect(addresses.map((address) => longAddress(shortAddress(address)))).to.equal(addresses);
    expect(shortAddress('http://loinc.org')).to.equal('~l');
  });

  it('keep the order of times', () => {
    const times = [
      '2023-12-31T23:59:59.999Z',
      '2024-01-01',
      '2024-01-01T00:00:00.001Z',
      '2024-01-01T00:00:00.010Z',
      '2024-01-01T00:00:00.1Z',
      '2024-01-01T00:00:01Z',
      '2024-01-01T00:10:00Z',
      '2024-01-01T10:00:00Z',
      '2024-01-02',
    ].map((text) => shortStamp(intervalIn(text)!.start));
    expect([...times].sort()).to.equal(times);
    expect(new Set(times).size).to.equal(times.length);
    expect(times[1]).to.equal('2024-01-01');
  });
});
