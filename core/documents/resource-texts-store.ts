/** resource-texts: how the text of a resource is stored: deflated with a dictionary of what such texts share (pure). */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What the texts share, the most frequent last. A change of a letter would make stored resources unreadable. */
const WORDS = [
  '"contained":[{"resourceType":"Medication","Organization","identifier":[{"system":"urn:oid:2.16.840.1.113',
  '883.","value":"}],"name":[{"use":"official","family":"","given":[""]}],"telecom":[{"system":"phone","val',
  'ue":"","use":"home"}],"address":[{"line":[""],"city":"","state":"","postalCode":"","country":""}],"exten',
  'sion":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]"origi',
  'nalText","valueString":"Immunization","vaccineCode":{"occurrenceDateTime":"AllergyIntolerance","clinical',
  'Status":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical","code":',
  '"active"}]},"verificationStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/condition-v',
  'er-status","code":"confirmed"}]},"condition-clinical"condition-category","code":"problem-list-item"}]}],',
  '"recordedDate":"onsetDateTime":"abatementDateTime":"Medication","MedicationRequest","MedicationStatement',
  '","intent":"order","medicationCodeableConcept":{"coding":[{"system":"http://www.nlm.nih.gov/research/uml',
  's/rxnorm","code":"","display":"authoredOn":"dosageInstruction":[{"text":"","timing":{"repeat":{"frequenc',
  'y":1,"period":1,"periodUnit":"d"}},"doseAndRate":[{"doseQuantity":{"value":"effectivePeriod":{"start":""',
  ',"end":""}"Encounter","status":"finished","class":{"system":"http://terminology.hl7.org/CodeSystem/v3-Ac',
  'tCode","code":"AMB"},"type":[{"period":{"start":"","location":[{"serviceProvider":{"reference":"Organiza',
  'tion/"participant":[{"individual":{"reference":"Practitioner/"DiagnosticReport","performer":[{"display":',
  '"result":[{"reference":"Observation/"referenceRange":[{"low":{"value":"high":{"value":"interpretation":[',
  '{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation","code":"compon',
  'ent":[{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6","display":"hasMember":[{"reference',
  '":"Observation/"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">"performe',
  'dDateTime":"performedPeriod":"note":[{"text":"encounter":{"reference":"Encounter/"category":[{"coding":[',
  '{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"laboratory","display":"La',
  'boratory"vital-signs"}]}],"code":{"coding":[{"system":"http://snomed.info/sct","code":"","display":""}],',
  '"text":""},"valueQuantity":{"value":,"unit":"mmol/L","system":"http://unitsofmeasure.org","code":"mg/dL"',
  '},"effectiveDateTime":"20","issued":"T00:00:00Z"{"resourceType":"Condition","{"resourceType":"Procedure"',
  ',"{"resourceType":"Observation","id":"","meta":{"versionId":"","lastUpdated":"2026-","source":"urn:uuid:',
  '","profile":["http://hl7.org/fhir/us/core/StructureDefinition/us-core-observation-lab","http://hl7.org/f',
  'hir/us/core/StructureDefinition/us-core-vital-signs"]},"status":"completed","status":"final","code":{"co',
  'ding":[{"system":"http://loinc.org","code":"","display":""}],"text":""},"subject":{"reference":"Patient/',
].join('');

const dictionary = Buffer.from(WORDS);

/** No text of JSON begins with this character. It is the number of the dictionary, so that another one may come. */
const PACKED = 1;

/** A longer text would keep the event loop waiting, and gains little from a dictionary. */
const LONGEST = 16_384;

/** The texts are short: with the usual window and buffers, making these took longer than the packing itself. */
const SMALL = { dictionary, chunkSize: 4096 };
const PACKING = { ...SMALL, windowBits: 13, memLevel: 7 };

export function packText(text: string): Buffer {
  return text.length > LONGEST ? Buffer.from(text) : Buffer.concat([Buffer.of(PACKED), deflateRawSync(text, PACKING)]);
}

export function unpackText(content: Buffer): string {
  return (content[0] === PACKED ? inflateRawSync(content.subarray(1), SMALL) : content).toString('utf8');
}
