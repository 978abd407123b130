/**
 * older-medicines: the steps that make R4 of prescriptions, statements and administrations of medicines in FHIR DSTU2
 * and STU3 (pure).
 */
import {
  addNote,
  asList,
  asValues,
  both,
  inEach,
  inOne,
  isPlainObject,
  notDone,
  rename,
  take,
  textToNote,
  toNote,
  spokenValue,
  type Draft,
  type Step,
} from './steps';

const DOSES = ['doseQuantity', 'doseRange', 'rateRatio', 'rateRange', 'rateQuantity'];

/** Dose and rate stand together in R4. */
const dose: Step = (draft) => {
  const given = DOSES.filter((name) => draft[name] !== undefined);
  if (given.length === 0 || draft['doseAndRate'] !== undefined) {
    return false;
  }
  draft['doseAndRate'] = [Object.fromEntries(given.map((name) => [name, take(draft, name)]))];
  return true;
};

/** `quantity` is the dose of DSTU2's MedicationStatement; a site by reference has no place in R4. */
const dosage: Step = both(
  rename('quantityQuantity', 'doseQuantity'),
  rename('quantityRange', 'doseRange'),
  rename('siteCodeableConcept', 'site'),
  rename('additionalInstructions', 'additionalInstruction'),
  asList('additionalInstruction'),
  inOne(
    'timing',
    inOne('repeat', both(rename('periodUnits', 'periodUnit'), rename('durationUnits', 'durationUnit'), asList('when'))),
  ),
  dose,
);

/** What was not taken, and whether it was. "Unknown" leaves the status open. */
const taken: Step = (draft) => {
  const said = draft['taken'];
  if (typeof said !== 'string' || !['y', 'n', 'unk', 'na'].includes(said)) {
    return false;
  }
  delete draft['taken'];
  const isError = draft['status'] === 'entered-in-error';
  if (said === 'n' && !isError) {
    draft['status'] = 'not-taken';
  }
  if (said === 'unk') {
    addNote(draft, 'Whether it was taken is not known.');
  }
  return true;
};

export const requester: Step = (draft) => {
  const given = draft['requester'];
  if (!isPlainObject(given) || !isPlainObject(given['agent'])) {
    return false;
  }
  const { agent, onBehalfOf, ...rest } = given;
  draft['requester'] = { ...rest, ...agent };
  if (isPlainObject(onBehalfOf)) {
    addNote(draft, `On behalf of: ${spokenValue(onBehalfOf)}`);
  }
  return true;
};

/**
 * The day on which a prescription of DSTU2 ended is where that of R4 says until when a medicine is taken; a dosage with
 * bounds of its own keeps them.
 */
const lastDay: Step = (draft) => {
  const end = draft['dateEnded'];
  if (typeof end !== 'string') {
    return false;
  }
  const dosages = asValues(draft['dosageInstruction']).filter(isPlainObject);
  draft['dosageInstruction'] = (dosages.length > 0 ? dosages : [{}]).map((one) => {
    const timing = isPlainObject(one['timing']) ? one['timing'] : {};
    const repeat = isPlainObject(timing['repeat']) ? timing['repeat'] : {};
    const isBound = Object.keys(repeat).some((name) => name.startsWith('bounds'));
    return isBound ? one : { ...one, timing: { ...timing, repeat: { ...repeat, boundsPeriod: { end } } } };
  });
  return true;
};

export const prescription: readonly Step[] = [
  rename('patient', 'subject'),
  rename('context', 'encounter'),
  rename('dateWritten', 'authoredOn'),
  rename('prescriber', 'requester'),
  requester,
  rename('reasonCodeableConcept', 'reasonCode'),
  asList('reasonCode'),
  asList('reasonReference'),
  asList('category'),
  textToNote('note'),
  lastDay,
  toNote('dateEnded', 'Ended'),
  rename('reasonEnded', 'statusReason'),
  inOne('substitution', both(rename('allowed', 'allowedBoolean'), rename('type', 'allowedCodeableConcept'))),
  inEach('dosageInstruction', dosage),
];

export const statement: readonly Step[] = [
  rename('patient', 'subject'),
  notDone('wasNotTaken', 'not-taken'),
  taken,
  rename('reasonNotTaken', 'statusReason'),
  rename('reasonForUseCodeableConcept', 'reasonCode'),
  asList('reasonCode'),
  rename('reasonForUseReference', 'reasonReference'),
  asList('reasonReference'),
  rename('supportingInformation', 'derivedFrom'),
  textToNote('note'),
  inEach('dosage', dosage),
];

/** Who gave or handed out a medicine was one reference. */
function actor(from: string): Step {
  return both(rename(from, 'performer'), (draft) => {
    const { performer } = draft;
    if (!isPlainObject(performer)) {
      return false;
    }
    draft['performer'] = [{ actor: performer }];
    return true;
  });
}

/** On behalf of whom somebody gave it, which R4 does not say. */
function onBehalfOf(draft: Draft): boolean {
  const said: string[] = [];
  const found = inEach('performer', (performer) => {
    const given = take(performer, 'onBehalfOf');
    return given !== undefined && said.push(spokenValue(given)) > 0;
  })(draft);
  said.forEach((words) => addNote(draft, `On behalf of: ${words}`));
  return found;
}

export const administration: readonly Step[] = [
  rename('patient', 'subject'),
  notDone('wasNotGiven', 'not-done'),
  notDone('notGiven', 'not-done'),
  rename('reasonNotGiven', 'statusReason'),
  rename('reasonGiven', 'reasonCode'),
  rename('effectiveTimeDateTime', 'effectiveDateTime'),
  rename('effectiveTimePeriod', 'effectivePeriod'),
  rename('encounter', 'context'),
  rename('prescription', 'request'),
  actor('practitioner'),
  onBehalfOf,
  toNote('definition', 'By'),
  textToNote('note'),
  inOne('dosage', both(rename('quantity', 'dose'), rename('siteCodeableConcept', 'site'))),
];

export const dispense: readonly Step[] = [
  rename('patient', 'subject'),
  notDone('notDone', 'declined'),
  rename('notDoneReasonCodeableConcept', 'statusReasonCodeableConcept'),
  rename('notDoneReasonReference', 'statusReasonReference'),
  asList('identifier'),
  actor('dispenser'),
  onBehalfOf,
  textToNote('note'),
  inEach('dosageInstruction', dosage),
];

/** The form and the parts of a medicine stood in a product of their own. */
const product: Step = (draft) => {
  const given = draft['product'];
  if (!isPlainObject(given)) {
    return false;
  }
  const { form, ingredient, ...rest } = given;
  if (Object.keys(rest).length > 0) {
    return false;
  }
  delete draft['product'];
  draft['form'] ??= form;
  draft['ingredient'] ??= ingredient;
  return true;
};

/** What R4 says of a medicine by an extension that HL7 has for it. */
function toExtension(name: string): Step {
  return (draft) => {
    if (typeof draft[name] !== 'boolean') {
      return false;
    }
    const url = `http://hl7.org/fhir/3.0/StructureDefinition/extension-Medication.${name}`;
    const before = Array.isArray(draft['extension']) ? (draft['extension'] as readonly unknown[]) : [];
    draft['extension'] = [...before, { url, valueBoolean: take(draft, name) }];
    return true;
  };
}

export const medicine: readonly Step[] = [
  product,
  inEach('ingredient', both(rename('item', 'itemReference'), rename('amount', 'strength'))),
  toExtension('isBrand'),
  toExtension('isOverTheCounter'),
];
