/** shown: how much of a resource goes out: `_summary` and `_elements` (pure). */
import type { Shown } from './search-query';
import type { Resource } from './resource';

/** What always goes along: what names the resource, and what it is nothing without. */
const mandatory: Readonly<Record<string, readonly string[]>> = {
  AllergyIntolerance: ['clinicalStatus', 'verificationStatus', 'code', 'patient'],
  Binary: ['contentType'],
  Bundle: ['type'],
  CapabilityStatement: ['status', 'date', 'kind', 'fhirVersion', 'format'],
  Condition: ['clinicalStatus', 'verificationStatus', 'code', 'subject'],
  DiagnosticReport: ['status', 'code'],
  DocumentReference: ['status', 'content'],
  Encounter: ['status', 'class'],
  Immunization: ['status', 'vaccineCode', 'patient', 'occurrenceDateTime', 'occurrenceString'],
  MedicationDispense: ['status', 'medicationCodeableConcept', 'medicationReference'],
  MedicationRequest: [
    'status',
    'intent',
    'subject',
    'medicationCodeableConcept',
    'medicationReference',
    'doNotPerform',
  ],
  MedicationStatement: ['status', 'subject', 'medicationCodeableConcept', 'medicationReference'],
  Medication: ['status'],
  Observation: ['status', 'code'],
  Organization: ['active'],
  Patient: ['active', 'deceasedBoolean', 'deceasedDateTime', 'link'],
  Procedure: ['status', 'subject'],
  Provenance: ['target', 'recorded', 'agent'],
  RelatedPerson: ['active', 'patient'],
};

/** Elements that are no part of a summary. Those that may be long, or are about how and by whom. */
const notInSummary: Readonly<Record<string, readonly string[]>> = {
  AllergyIntolerance: ['recorder', 'note', 'reaction', 'lastOccurrence', 'recordedDate', 'onsetDateTime'],
  Binary: ['data'],
  CapabilityStatement: ['description', 'purpose', 'copyright', 'rest', 'messaging', 'document'],
  Condition: ['note', 'evidence', 'stage', 'recorder', 'asserter', 'abatementDateTime', 'abatementString'],
  Device: [
    'note',
    'contact',
    'property',
    'manufactureDate',
    'expirationDate',
    'lotNumber',
    'serialNumber',
    'manufacturer',
  ],
  DiagnosticReport: ['specimen', 'imagingStudy', 'media', 'result', 'presentedForm', 'conclusion', 'conclusionCode'],
  DocumentReference: ['authenticator', 'custodian'],
  Encounter: ['account', 'hospitalization', 'location', 'length', 'statusHistory'],
  Immunization: ['manufacturer', 'lotNumber', 'expirationDate', 'site', 'route', 'doseQuantity', 'note', 'reaction'],
  MedicationDispense: [
    'quantity',
    'daysSupply',
    'whenHandedOver',
    'note',
    'dosageInstruction',
    'performer',
    'authorizingPrescription',
  ],
  MedicationRequest: [
    'dosageInstruction',
    'dispenseRequest',
    'note',
    'reasonCode',
    'statusReason',
    'courseOfTherapyType',
  ],
  MedicationStatement: ['dosage', 'note', 'reasonCode', 'statusReason', 'derivedFrom', 'dateAsserted'],
  Observation: [
    'interpretation',
    'note',
    'bodySite',
    'method',
    'referenceRange',
    'dataAbsentReason',
    'specimen',
    'device',
  ],
  Organization: ['telecom', 'address', 'contact'],
  Patient: ['maritalStatus', 'multipleBirthBoolean', 'photo', 'contact', 'communication', 'generalPractitioner'],
  Procedure: ['note', 'followUp', 'report', 'outcome', 'complication'],
  Provenance: ['occurredDateTime', 'policy', 'location', 'reason', 'activity', 'entity', 'signature', 'agent'],
};

const ALWAYS = ['resourceType', 'id', 'meta', 'implicitRules', 'modifierExtension'];

const SUBSETTED = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

const keeping = (resource: Resource, keeps: (name: string) => boolean): Resource => ({
  ...(Object.fromEntries(Object.entries(resource).filter(([name]) => keeps(name.replace(/^_/, '')))) as Resource),
  meta: { ...resource.meta, tag: [SUBSETTED] } as unknown as NonNullable<Resource['meta']>,
});

const isMandatory = ({ resourceType }: Resource, name: string): boolean =>
  ALWAYS.includes(name) || (mandatory[resourceType] ?? []).includes(name);

const SUMMARY_LEFT_OUT = ['text', 'contained', 'extension', 'language'];

/** The part of a resource that is wanted, marked as a part; the whole of it where nothing was said. */
export const shownOf = (resource: Resource, { summary, elements }: Shown): Resource => {
  if (resource.resourceType === 'OperationOutcome') {
    return resource;
  }
  if (elements.length > 0) {
    return keeping(resource, (name) => isMandatory(resource, name) || elements.includes(name));
  }
  switch (summary) {
    case 'true':
    case 'count':
      return keeping(
        resource,
        (name) =>
          isMandatory(resource, name) ||
          !(SUMMARY_LEFT_OUT.includes(name) || (notInSummary[resource.resourceType] ?? []).includes(name)),
      );
    case 'text':
      return keeping(resource, (name) => isMandatory(resource, name) || name === 'text');
    case 'data':
      return keeping(resource, (name) => name !== 'text');
    case 'false':
      return resource;
  }
};
