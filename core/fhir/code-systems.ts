/**
 * code-systems: translates between the addresses of code systems in the data models and those in FHIR, where they
 * differ.
 */

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
