/**
 * code-systems: translates between the addresses of code systems in the data models and those in FHIR, where they
 * differ, and says which codes stand below others. `code-hierarchies.json` was made from HL7's definitions.
 */
import hierarchies from './code-hierarchies.json';

const fhirNames: Readonly<Record<string, string>> = {
  'http://purl.bioontology.org/ontology/SNOMEDCT/': 'http://snomed.info/sct',
  'http://purl.bioontology.org/ontology/RXNORM/': 'http://www.nlm.nih.gov/research/umls/rxnorm',
  'http://purl.bioontology.org/ontology/LNC/': 'http://loinc.org',
  'http://purl.bioontology.org/ontology/NDFRT/': 'http://hl7.org/fhir/ndfrt',
  'http://purl.bioontology.org/ontology/CPT/': 'http://www.ama-assn.org/go/cpt',
  'http://purl.bioontology.org/ontology/HCPCS/': 'http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets',
  'http://purl.bioontology.org/ontology/ICD10PCS/': 'http://www.cms.gov/Medicare/Coding/ICD10',
  'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#': 'http://hl7.org/fhir/sid/cvx',
  'http://fda.gov/UNII/': 'http://fdasis.nlm.nih.gov',
};

/** The address of a system in FHIR. An address that is not in the table is used as it is. */
export function fhirSystem(system: string): string {
  return fhirNames[system] ?? system;
}

/** What stands for a reference to the person of the record. */
export const OWN_PATIENT = '.';

/**
 * Beginnings of addresses, which rows of searches hold in few letters, the longer before the shorter. Entries are only
 * added with a new `EDITION`.
 */
const BEGINNINGS: readonly (readonly [beginning: string, short: string])[] = [
  ['http://terminology.hl7.org/CodeSystem/', '~t'],
  ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-', '~c'],
  ['http://hl7.org/fhir/us/core/CodeSystem/', '~k'],
  ['http://hl7.org/fhir/uv/ipa/StructureDefinition/', '~i'],
  ['http://hl7.org/fhir/StructureDefinition/', '~d'],
  ['http://hl7.org/fhir/', '~f'],
  ['http://loinc.org', '~l'],
  ['http://snomed.info/sct', '~s'],
  ['http://unitsofmeasure.org', '~u'],
  ['http://www.nlm.nih.gov/research/umls/rxnorm', '~r'],
];
const MARK = '~';

/** An address with its beginning shortened, as searches compare it; no two addresses become the same text. */
export function shortAddress(address: string): string {
  if (address.startsWith(MARK)) {
    return MARK + address;
  }
  if (!address.startsWith('http://')) {
    return address;
  }
  const found = BEGINNINGS.find(([beginning]) => address.startsWith(beginning));
  return found ? found[1] + address.slice(found[0].length) : address;
}

/** The address that was shortened. */
export function longAddress(short: string): string {
  if (short.startsWith(MARK + MARK)) {
    return short.slice(MARK.length);
  }
  const found = BEGINNINGS.find(([, letters]) => short.startsWith(letters));
  return found ? found[0] + short.slice(found[1].length) : short;
}

/** The short forms with one of which each address with this beginning begins. */
export function shortBeginnings(beginning: string): readonly string[] {
  const longer = BEGINNINGS.filter(([one]) => one !== beginning && one.startsWith(beginning));
  return [shortAddress(beginning), ...longer.map(([, letters]) => letters)];
}

/** An address and those in whose folders it is, the nearest first. What stands behind a bar is a version of it. */
export function addressesAbove(address: string): readonly string[] {
  const [, outer] = /^(\w+:\/\/.*[^/|])[/|]+[^/|]*$/.exec(address) ?? [];
  return outer === undefined ? [address] : [address, ...addressesAbove(outer)];
}

/** Code system -> code -> the codes below it, with spaces between them. */
const below: Readonly<Record<string, Readonly<Record<string, string>>>> = hierarchies;

type Code = { readonly system: string; readonly code: string };

function nextCodes({ system, code }: Code, way: 'above' | 'below'): readonly string[] {
  const codes = below[system]!;
  return way === 'below'
    ? codes[code]!.split(' ').filter((one) => one !== '')
    : Object.keys(codes).filter((one) => codes[one]!.split(' ').includes(code));
}

function alongHierarchy(code: Code, way: 'above' | 'below'): readonly Code[] {
  const next = nextCodes(code, way).map((one) => ({ system: code.system, code: one }));
  return [code, ...next.flatMap((one) => alongHierarchy(one, way))];
}

/**
 * A code and all above it, or below it; none for a code whose hierarchy is not held.
 * @param system undefined: every system that has the code
 */
export function relatedCodes(system: string | undefined, code: string, way: 'above' | 'below'): readonly Code[] {
  return Object.keys(below)
    .filter((one) => (system === undefined || system === one) && Object.hasOwn(below[one]!, code))
    .flatMap((one) => alongHierarchy({ system: one, code }, way));
}
