/**
 * older-resources: turns resources of FHIR DSTU2 and STU3 into R4 (pure), as HL7's maps between the versions do: a list
 * of steps for each type. Nothing is dropped: what has no place in R4 becomes a note in its own words, and an element
 * that no step knows stays, so that the resource is refused as not R4.
 */

import { administration, dispense, medicine, prescription, statement } from './older-medicines';
import * as others from './older-others';
import {
  addNote,
  asList,
  both,
  codeToConcept,
  inEach,
  isPlainObject,
  asValues,
  notDone,
  recode,
  rename,
  stepped,
  take,
  textToNote,
  toNote,
  withValues,
  spokenValue,
  type Draft,
  type Members,
  type Step,
} from './steps';

const CLINICAL = ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved'];
const VERIFICATION = ['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted', 'entered-in-error'];

/** DSTU2 has one status for what R4 says by two. */
const allergyStatus: Step = (draft) => {
  const status = draft['status'];
  if (typeof status !== 'string') {
    return false;
  }
  const isClinical = ['active', 'inactive', 'resolved'].includes(status);
  const name = isClinical ? 'clinicalStatus' : 'verificationStatus';
  if (draft[name] === undefined) {
    draft[name] = take(draft, 'status');
  }
  return true;
};

const abated: Step = (draft) => {
  const said = draft['abatementBoolean'];
  if (typeof said !== 'boolean') {
    return false;
  }
  delete draft['abatementBoolean'];
  if (said) {
    draft['abatementString'] = 'abated, without a date';
  }
  return true;
};

/** What R4 has no place for in a protocol. */
const PROTOCOL_WORDS: Readonly<Record<string, string>> = {
  description: 'Protocol',
  doseStatus: 'Dose status',
  doseStatusReason: 'Reason of the dose status',
};

function protocol(draft: Draft, given: Members): Members {
  const copy: Draft = { ...given };
  for (const [name, words] of Object.entries(PROTOCOL_WORDS)) {
    const said = take(copy, name);
    if (said !== undefined) {
      addNote(draft, `${words}: ${spokenValue(said)}`);
    }
  }
  rename('doseSequence', 'doseNumberPositiveInt')(copy);
  rename('seriesDoses', 'seriesDosesPositiveInt')(copy);
  // R4 requires a number.
  return copy['doseNumberPositiveInt'] === undefined ? { ...copy, doseNumberString: 'not given' } : copy;
}

const protocols: Step = (draft) => {
  const list = draft['vaccinationProtocol'];
  if (!Array.isArray(list) || !list.every(isPlainObject)) {
    return false;
  }
  delete draft['vaccinationProtocol'];
  draft['protocolApplied'] = list.map((one) => protocol(draft, one));
  return true;
};

/** R4 has one reason why a vaccine was not given. */
const explanation: Step = (draft) => {
  const given = draft['explanation'];
  if (!isPlainObject(given)) {
    return false;
  }
  const { reason, reasonNotGiven, ...rest } = given;
  if (Object.keys(rest).length > 0) {
    return false;
  }
  const [why, ...more] = asValues(reasonNotGiven);
  delete draft['explanation'];
  Object.assign(
    draft,
    reason === undefined ? {} : { reasonCode: reason },
    why === undefined ? {} : { statusReason: why },
  );
  for (const one of more) {
    addNote(draft, `Reason why it was not given: ${spokenValue(one)}`);
  }
  return true;
};

const givers: Step = both(rename('practitioner', 'performer'), (draft) => {
  const { performer } = draft;
  if (isPlainObject(performer)) {
    draft['performer'] = [{ actor: performer }];
    return true;
  }
  return inEach('performer', rename('role', 'function'))(draft);
});

/** `reported` says the contrary of `primarySource`. */
const reported: Step = (draft) => {
  const said = draft['reported'];
  if (typeof said !== 'boolean') {
    return false;
  }
  delete draft['reported'];
  draft['primarySource'] = !said;
  return true;
};

/** R4 requires a time, or words for it. */
const givenWhen: Step = (draft) => {
  if (draft['occurrenceDateTime'] === undefined) {
    draft['occurrenceString'] ??= 'unknown';
  }
  return false;
};

const RELATED: Readonly<Record<string, string>> = { 'has-member': 'hasMember', 'derived-from': 'derivedFrom' };

/** Observations that belong together. A note says the other relations. */
const related: Step = (draft) => {
  const list = draft['related'];
  if (!Array.isArray(list) || !list.every(isPlainObject)) {
    return false;
  }
  delete draft['related'];
  for (const { type, target } of list) {
    const name = typeof type === 'string' && Object.hasOwn(RELATED, type) ? RELATED[type]! : undefined;
    if (name === undefined) {
      addNote(draft, `${spokenValue(type) || 'related to'}: ${spokenValue(target)}`);
    } else {
      draft[name] = [...asValues(draft[name]), target];
    }
  }
  return true;
};

const range: Step = inEach('referenceRange', rename('meaning', 'type'));

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  AllergyIntolerance: [
    rename('substance', 'code'),
    allergyStatus,
    recode('criticality', { CRITL: 'low', CRITH: 'high', CRITU: 'unable-to-assess' }),
    codeToConcept('clinicalStatus', 'allergyintolerance-clinical', CLINICAL),
    codeToConcept('verificationStatus', 'allergyintolerance-verification', VERIFICATION),
    (draft) => (draft['category'] === 'other' ? toNote('category', 'Category')(draft) : asList('category')(draft)),
    rename('assertedDate', 'recordedDate'),
    rename('lastOccurence', 'lastOccurrence'),
    rename('onset', 'onsetDateTime'),
    rename('reporter', 'asserter'),
    asList('note'),
    inEach('reaction', both(asList('note'), toNote('certainty', 'Certainty'))),
  ],
  CarePlan: others.plan,
  Condition: [
    rename('patient', 'subject'),
    rename('context', 'encounter'),
    rename('dateRecorded', 'recordedDate'),
    rename('assertedDate', 'recordedDate'),
    rename('onsetQuantity', 'onsetAge'),
    rename('abatementQuantity', 'abatementAge'),
    abated,
    asList('category'),
    asList('stage'),
    textToNote('notes'),
    inEach('evidence', asList('code')),
    codeToConcept('clinicalStatus', 'condition-clinical', CLINICAL),
    codeToConcept('verificationStatus', 'condition-ver-status', VERIFICATION),
  ],
  Device: others.device,
  DeviceUseStatement: others.deviceUse,
  DiagnosticReport: others.report,
  DocumentReference: others.file,
  Encounter: others.visit,
  FamilyMemberHistory: others.family,
  Goal: others.goal,
  Immunization: [
    rename('date', 'occurrenceDateTime'),
    notDone('wasNotGiven', 'not-done'),
    notDone('notGiven', 'not-done'),
    reported,
    explanation,
    givers,
    protocols,
    givenWhen,
  ],
  Medication: medicine,
  MedicationAdministration: administration,
  MedicationDispense: dispense,
  MedicationRequest: prescription,
  MedicationStatement: statement,
  Observation: [
    rename('context', 'encounter'),
    textToNote('comments'),
    textToNote('comment'),
    asList('category'),
    asList('interpretation'),
    related,
    range,
    inEach('component', both(asList('interpretation'), range)),
  ],
  Patient: others.person,
  Procedure: others.procedure,
  QuestionnaireResponse: others.answers,
  ServiceRequest: others.order,
};

/** Types that have another name in R4. */
const RENAMED: Readonly<Record<string, string>> = {
  MedicationOrder: 'MedicationRequest',
  ProcedureRequest: 'ServiceRequest',
};

/** @returns the name of the type in R4 */
export function typeInR4(type: string): string {
  return Object.hasOwn(RENAMED, type) ? RENAMED[type]! : type;
}

/** What R4 requires and an older version leaves out. */
function fillRequired(draft: Draft): void {
  if (['MedicationRequest', 'ServiceRequest'].includes(String(draft['resourceType']))) {
    draft['status'] ??= 'unknown';
    draft['intent'] ??= 'order';
  }
  if (draft['resourceType'] === 'CarePlan') {
    draft['intent'] ??= 'plan';
  }
  if (draft['resourceType'] === 'Encounter') {
    draft['class'] ??= { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK' };
  }
}

/**
 * The resource as R4, if it is one of the types that are read and has something of an older version; whether it is R4
 * now, its reader finds out.
 */
export function fromOlder(resource: Members): Members | undefined {
  const given = String(resource['resourceType']);
  const type = typeInR4(given);
  const steps = Object.hasOwn(STEPS, type) ? STEPS[type]! : [];
  const draft = { ...resource, resourceType: type };
  const converted = stepped(steps, draft) ?? (type === given ? undefined : draft);
  if (converted === undefined) {
    return undefined;
  }
  fillRequired(converted);
  return withValues(converted);
}
