/** resource-kinds: names the types of FHIR resources as people do, for whom several types are one kind. */
import type { Words } from './words';

/** Type of a resource -> its kind in the texts. */
const kinds: Readonly<Record<string, string>> = {
  AllergyIntolerance: 'allergies',
  Binary: 'documents',
  Condition: 'conditions',
  Device: 'devices',
  DiagnosticReport: 'reports',
  DocumentReference: 'documents',
  Encounter: 'visits',
  Immunization: 'vaccinations',
  Medication: 'medicines',
  MedicationDispense: 'medicines',
  MedicationRequest: 'medicines',
  MedicationStatement: 'medicines',
  Observation: 'measurements',
  Organization: 'carers',
  Patient: 'person',
  Practitioner: 'carers',
  PractitionerRole: 'carers',
  Procedure: 'procedures',
  Provenance: 'origins',
  RelatedPerson: 'person',
};

/** "medicines" for a MedicationRequest; undefined for a type that has no word. */
export function resourceKindName(type: string, { say }: Words): string | undefined {
  return Object.hasOwn(kinds, type) ? say(`smart.kind-${kinds[type]!}`) : undefined;
}

/**
 * As `resourceKindName`, but with the names of all kinds of a type: an Observation may be a measurement or a lab
 * result.
 */
export function resourceKindNames(type: string, words: Words): readonly string[] {
  return type === 'Observation'
    ? ['smart.kind-readings', 'smart.kind-lab'].map((text) => words.say(text))
    : [resourceKindName(type, words) ?? type];
}
