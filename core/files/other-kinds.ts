/**
 * other-kinds: names files of kinds that people are given and that are not read here (pure), so that they learn what
 * they have and what to do. Each can be kept as a file.
 */

type OtherKind =
  | 'apple-cda'
  | 'blue-button'
  | 'ccr'
  | 'cda'
  | 'eu-certificate'
  | 'fit'
  | 'fitbit-json'
  | 'hl7-v2'
  | 'openehr'
  | 'route'
  | 'smart-health-card';

const LOOKED_AT = 8192;

/** The beginning as text, without a byte order mark; of UTF-16 without the zero bytes. */
function textAtBeginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, LOOKED_AT))
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00fe\u00ff|\u00ff\u00fe)/, '')
    .trimStart();
}

type Sign = { readonly kind: OtherKind; readonly knows: (start: string, name: string) => boolean };

function isCda(start: string): boolean {
  return /<(?:\w{1,20}:)?ClinicalDocument[\s>]/.test(start);
}

/** The first that knows a file names it. */
const SIGNS: readonly Sign[] = [
  {
    kind: 'smart-health-card',
    knows: (start, name) =>
      start.startsWith('shc:/') || /\.smart-health-card$/i.test(name) || /^\{\s*"verifiableCredential"/.test(start),
  },
  { kind: 'eu-certificate', knows: (start) => /^HC1:[0-9A-Z $%*+./:-]{20}/.test(start) },
  { kind: 'hl7-v2', knows: (start) => /^(?:FHS|BHS|MSH)\|\^~\\/.test(start) },
  {
    kind: 'blue-button',
    knows: (start) => /^[-*\s]*(?:MYMEDICARE\.GOV|MY HEALTHEVET) PERSONAL (?:HEALTH )?INFORMATION/i.test(start),
  },
  {
    kind: 'apple-cda',
    knows: (start, name) =>
      isCda(start) &&
      (/^export_cda(?:[ _(-].{0,10})?\.xml$/i.test(name) || start.includes('extension="Health Export CDA"')),
  },
  {
    kind: 'ccr',
    knows: (start) => start.startsWith('<') && /urn:astm-org:CCR|<ContinuityOfCareRecord[\s>]/.test(start),
  },
  { kind: 'fit', knows: (start) => /^(?=.{0,8}\p{Cc}).{0,8}\.FIT/su.test(start) },
  { kind: 'route', knows: (start) => /^<[^]{0,400}?<(?:gpx|TrainingCenterDatabase)[\s>]|^<gpx[\s>]/.test(start) },
  {
    kind: 'fitbit-json',
    knows: (start) => /^\[\s*\{\s*"(?:logId"\s*:\s*\d+|dateTime"\s*:\s*"\d\d\/\d\d\/\d\d )/.test(start),
  },
  { kind: 'openehr', knows: (start) => start.startsWith('<') && start.includes('http://schemas.openehr.org/') },
  { kind: 'cda', knows: isCda },
];

/** What the file is, if it is of such a kind. `cda` is also said of a C-CDA, so it only matters for a refused file. */
export function otherKind(bytes: Uint8Array, name: string): OtherKind | undefined {
  const start = textAtBeginning(bytes);
  return SIGNS.find(({ knows }) => knows(start, name))?.kind;
}

/** In English, for operators; the website has the same in the languages of people. */
export const OTHER_KIND_WORDS: Readonly<Record<OtherKind, string>> = {
  'apple-cda':
    'it is export_cda.xml of an Apple Health export, which is no whole XML: give export.zip (or export.xml) of the same ' +
    'export, which holds the same readings',
  'blue-button':
    'it is a Blue Button text, which cannot be read yet: ask the portal for its XML (C-CDA) or FHIR, which can be read',
  ccr: 'it is a Continuity of Care Record (CCR), which cannot be read yet: ask its sender for C-CDA or FHIR R4',
  cda: 'it is a clinical document (CDA) that is not written as C-CDA: ask its sender for C-CDA, FHIR R4 or a PDF',
  'eu-certificate':
    'it is an EU digital COVID certificate, which cannot be read yet: give the PDF of the certificate, or write the ' +
    'vaccination down',
  fit: 'it is a FIT file of a sports watch, which cannot be read yet: ask the app of the watch for a table (CSV)',
  'fitbit-json':
    'it is JSON of a Fitbit export, which cannot be read: the tables (CSV) in the folder "Physical Activity_GoogleData" ' +
    'of the same export can be read',
  route:
    'it is the route of a workout (GPX or TCX), which cannot be read: ask the app for a table of the workouts (CSV)',
  'hl7-v2': 'it is an HL7 version 2 message, which cannot be read yet: ask its sender for C-CDA, FHIR R4 or a PDF',
  openehr: 'it is an openEHR document, which cannot be read yet: ask its sender for C-CDA, FHIR R4 or a PDF',
  'smart-health-card':
    'it is a SMART Health Card: give its text to svc put --link, or ask its issuer for the same as FHIR R4 or a PDF',
};
