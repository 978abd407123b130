/**
 * other-versions: recognizes resources of other FHIR versions by types and elements that R4 does not have, so that the
 * refusal can name the version.
 */
import { errors, type AppError } from '../../base/errors';

type Version = 'DSTU2' | 'STU3' | 'DSTU2 or STU3' | 'R5';

const numbers: Readonly<Record<Version, string>> = {
  DSTU2: '1.0',
  STU3: '3.0',
  'DSTU2 or STU3': '1.0 or 3.0',
  R5: '5.0',
};

/** Types of resources that R4 does not have, and elements that R4 does not have in a type that it has. */
const names: Readonly<Record<string, Version>> = {
  MedicationOrder: 'DSTU2',
  DiagnosticOrder: 'DSTU2',
  DeviceUseRequest: 'DSTU2',
  Conformance: 'DSTU2',
  ImagingObjectSelection: 'DSTU2',
  Order: 'DSTU2',
  OrderResponse: 'DSTU2',
  BodySite: 'DSTU2 or STU3',
  Sequence: 'STU3',
  ExpansionProfile: 'STU3',
  ServiceDefinition: 'STU3',
  ProcedureRequest: 'DSTU2 or STU3',
  ReferralRequest: 'DSTU2 or STU3',
  DeviceComponent: 'DSTU2 or STU3',
  DataElement: 'DSTU2 or STU3',
  EligibilityRequest: 'DSTU2 or STU3',
  EligibilityResponse: 'DSTU2 or STU3',
  ProcessRequest: 'DSTU2 or STU3',
  ProcessResponse: 'DSTU2 or STU3',
  'AllergyIntolerance.substance': 'DSTU2',
  'AllergyIntolerance.status': 'DSTU2',
  'AllergyIntolerance.assertedDate': 'STU3',
  'Condition.patient': 'DSTU2',
  'Condition.dateRecorded': 'DSTU2',
  'Condition.context': 'STU3',
  'Condition.assertedDate': 'STU3',
  'Encounter.patient': 'DSTU2',
  'Encounter.incomingReferral': 'DSTU2 or STU3',
  'Encounter.reason': 'DSTU2 or STU3',
  'Immunization.wasNotGiven': 'DSTU2',
  'Immunization.notGiven': 'STU3',
  'Immunization.date': 'DSTU2 or STU3',
  'Immunization.explanation': 'DSTU2 or STU3',
  'MedicationStatement.patient': 'DSTU2',
  'MedicationStatement.wasNotTaken': 'DSTU2',
  'MedicationStatement.taken': 'STU3',
  'MedicationRequest.context': 'STU3',
  'MedicationDispense.patient': 'DSTU2',
  'Observation.comments': 'DSTU2',
  'Observation.comment': 'STU3',
  'Observation.context': 'STU3',
  'Observation.related': 'DSTU2 or STU3',
  'Procedure.notPerformed': 'DSTU2',
  'Procedure.notDone': 'STU3',
  'Procedure.context': 'STU3',
  'DiagnosticReport.context': 'STU3',
  'DiagnosticReport.codedDiagnosis': 'DSTU2 or STU3',
  'DocumentReference.indexed': 'DSTU2 or STU3',
  'Patient.careProvider': 'DSTU2',
  'Patient.animal': 'DSTU2 or STU3',
  ArtifactAssessment: 'R5',
  BiologicallyDerivedProductDispense: 'R5',
  ConditionDefinition: 'R5',
  DeviceAssociation: 'R5',
  DeviceDispense: 'R5',
  DeviceUsage: 'R5',
  EncounterHistory: 'R5',
  FormularyItem: 'R5',
  GenomicStudy: 'R5',
  ImagingSelection: 'R5',
  InventoryItem: 'R5',
  InventoryReport: 'R5',
  NutritionIntake: 'R5',
  Permission: 'R5',
  Requirements: 'R5',
  TestPlan: 'R5',
  Transport: 'R5',
  'AllergyIntolerance.participant': 'R5',
  'Condition.participant': 'R5',
  'Device.displayName': 'R5',
  'Device.category': 'R5',
  'Device.biologicalSourceEvent': 'R5',
  'DiagnosticReport.supportingInfo': 'R5',
  'DiagnosticReport.note': 'R5',
  'DiagnosticReport.composition': 'R5',
  'DocumentReference.version': 'R5',
  'DocumentReference.event': 'R5',
  'DocumentReference.bodySite': 'R5',
  'DocumentReference.modality': 'R5',
  'Encounter.actualPeriod': 'R5',
  'Encounter.plannedStartDate': 'R5',
  'Encounter.plannedEndDate': 'R5',
  'Encounter.subjectStatus': 'R5',
  'Encounter.careTeam': 'R5',
  'Encounter.admission': 'R5',
  'Encounter.virtualService': 'R5',
  'Immunization.administeredProduct': 'R5',
  'Immunization.informationSource': 'R5',
  'Immunization.basedOn': 'R5',
  'Medication.marketingAuthorizationHolder': 'R5',
  'Medication.totalVolume': 'R5',
  'Medication.definition': 'R5',
  'MedicationAdministration.medication': 'R5',
  'MedicationAdministration.isSubPotent': 'R5',
  'MedicationAdministration.occurenceDateTime': 'R5',
  'MedicationAdministration.occurencePeriod': 'R5',
  'MedicationDispense.medication': 'R5',
  'MedicationDispense.renderedDosageInstruction': 'R5',
  'MedicationDispense.recorded': 'R5',
  'MedicationRequest.medication': 'R5',
  'MedicationRequest.renderedDosageInstruction': 'R5',
  'MedicationRequest.informationSource': 'R5',
  'MedicationRequest.effectiveDosePeriod': 'R5',
  'MedicationStatement.medication': 'R5',
  'MedicationStatement.adherence': 'R5',
  'MedicationStatement.relatedClinicalInformation': 'R5',
  'Observation.instantiatesCanonical': 'R5',
  'Observation.instantiatesReference': 'R5',
  'Observation.triggeredBy': 'R5',
  'Observation.bodyStructure': 'R5',
  'Procedure.occurrenceDateTime': 'R5',
  'Procedure.occurrencePeriod': 'R5',
  'Procedure.occurrenceString': 'R5',
  'Procedure.occurrenceAge': 'R5',
  'Procedure.occurrenceRange': 'R5',
  'Procedure.occurrenceTiming': 'R5',
  'Procedure.recorded': 'R5',
  'Procedure.focus': 'R5',
  'Procedure.supportingInfo': 'R5',
};

function refusedVersion(version: Version): AppError {
  return errors.invalidDocument(
    `it is FHIR ${version} (${numbers[version]}), and FHIR R4 (4.0) is read here: ask its sender for R4`,
    [{ message: `FHIR R4 is wanted, this is FHIR ${version}`, kind: 'version' }],
  );
}

/**
 * The refusal for a type of another version, or for an element of a type; undefined when neither belongs to another
 * version.
 */
export function versionOf(type: string, element?: string): AppError | undefined {
  const name = element === undefined ? type : `${type}.${element}`;
  return Object.hasOwn(names, name) ? refusedVersion(names[name]!) : undefined;
}

/** The refusal for a resource that has an element of another version. */
export function versionOfNames(type: string, elements: readonly string[]): AppError | undefined {
  return elements.map((element) => versionOf(type, element)).find((found) => found !== undefined);
}

/** The refusal for a list where R4 has one value, or the reverse. */
export function versionOfList(path: string): AppError | undefined {
  return path.endsWith('.class') ? refusedVersion('R5') : undefined;
}

/** The refusal for a state that was a code before it became a concept. */
export function versionOfCode(element: string): AppError | undefined {
  return ['clinicalStatus', 'verificationStatus'].includes(element) ? refusedVersion('DSTU2 or STU3') : undefined;
}

/** What is needed of an element tree, such as `core/xml/engine` makes. */
type Tree = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

/** The refusal for a whole XML document of an earlier version. */
export function versionInTree({ name, attributes, elements }: Tree): AppError | undefined {
  let found = versionOf(name) ?? (attributes.has('value') ? versionOfCode(name) : undefined);
  for (const element of elements) {
    found ??= versionOf(name, element.name) ?? versionInTree(element);
  }
  return found;
}

const OLD_TYPES = Object.keys(names).filter((name) => !name.includes('.'));
const OLD_TAG = new RegExp(`<(?:[\\w.-]+:)?(${OLD_TYPES.join('|')})[\\s/>]`);

/** The refusal for an XML text that contains a resource of a type that only other versions know. */
export function oldTypeRefusal(text: string): AppError | undefined {
  const type = OLD_TAG.exec(text)?.[1];
  return type === undefined ? undefined : versionOf(type);
}
