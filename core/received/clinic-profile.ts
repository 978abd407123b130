/**
 * clinic-profile: what the profile "Patient-Shared Health Documents via SMART Health Links" fixes, which clinics' software
 * reads. It is a draft, so everything that it may still change is here (pure). Its version: 0.9.0, its vectors 0.10.2.
 */

/** The only flag of the profile: one file, fetched at once, without a manifest and without a passcode. */
export const CLINIC_FLAG = 'U';
/** The most characters of a label. */
const MOST_OF_LABEL = 80;
/** The media type of the decrypted file. */
export const CONTENT_TYPE = 'application/fhir+json';
/** The type of the Bundle. */
export const BUNDLE_TYPE = 'collection';

/** The category that a clinic knows documents of patients by. */
export const CATEGORY = {
  coding: [
    {
      system: 'https://cms.gov/fhir/CodeSystem/patient-shared-category',
      code: 'patient-shared',
      display: 'Patient Shared',
    },
  ],
};

/** The security label that says that a patient asserts it. */
export const ASSERTED = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'PATAST',
  display: 'patient asserted',
};

const LOINC = 'http://loinc.org';

/** The two kinds of PDFs: a reading of all other resources, and what the person says in their own words. */
export const DOCUMENT_TYPES = {
  summary: { system: LOINC, code: '60591-5', display: 'Patient summary Document' },
  words: { system: LOINC, code: '51855-5', display: 'Patient Note' },
} as const;

/** The extension of a Bundle's meta in which an app says, signed, that it has made the Bundle. */
export const APP_ATTESTATION = 'https://cms.gov/fhir/StructureDefinition/app-attestation';

/** What stands in a link. */
type ClinicPayload = {
  readonly url: string;
  readonly flag: typeof CLINIC_FLAG;
  readonly key: string;
  /** Seconds since 1970. */ readonly exp: number;
  readonly label?: string;
};

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A label, cut so that no character is broken. */
export function labelOf(name: string): string {
  let label = '';
  for (const { segment } of segmenter.segment(name.trim())) {
    if (label.length + segment.length > MOST_OF_LABEL) {
      break;
    }
    label += segment;
  }
  return label;
}

/** The link that a scanner reads. */
export function shlinkOf(payload: ClinicPayload): string {
  return `shlink:/${Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url')}`;
}
