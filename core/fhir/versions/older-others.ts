/**
 * older-others: the steps that make R4 of what is no statement about health itself or a list of them in FHIR DSTU2 and
 * STU3: procedures, visits, goals, plans, devices, families, reports and files (pure).
 */
import { requester } from './older-medicines';
import {
  addNote,
  asList,
  both,
  keepFirst,
  inEach,
  inOne,
  isPlainObject,
  asValues,
  notDone,
  recode,
  rename,
  take,
  textToConcept,
  toNote,
  spokenValue,
  type Draft,
  type Step,
} from './steps';

/** A list of texts became notes. */
const notes: Step = (draft) => {
  const given = asValues(draft['notes']);
  delete draft['notes'];
  given.forEach((one) =>
    isPlainObject(one) ? (draft['note'] = [...asValues(draft['note']), one]) : addNote(draft, spokenValue(one)),
  );
  return given.length > 0;
};

export const procedure: readonly Step[] = [
  recode('status', { suspended: 'on-hold', aborted: 'stopped' }),
  notDone('notPerformed', 'not-done'),
  notDone('notDone', 'not-done'),
  keepFirst('reasonNotPerformed', 'Reason why it was not done'),
  rename('reasonNotPerformed', 'statusReason'),
  rename('notDoneReason', 'statusReason'),
  rename('context', 'encounter'),
  rename('request', 'basedOn'),
  asList('basedOn'),
  rename('reasonCodeableConcept', 'reasonCode'),
  asList('reasonCode'),
  asList('reasonReference'),
  rename('used', 'usedReference'),
  toNote('definition', 'By'),
  notes,
  inEach('performer', rename('role', 'function')),
];

const CLASSES: Readonly<Record<string, string>> = {
  inpatient: 'IMP',
  outpatient: 'AMB',
  ambulatory: 'AMB',
  emergency: 'EMER',
  home: 'HH',
  field: 'FLD',
  virtual: 'VR',
};

/** The class was a code of FHIR; one that has no equal is kept as words. */
const visitClass: Step = (draft) => {
  const said = draft['class'];
  if (typeof said !== 'string') {
    return false;
  }
  const system = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
  draft['class'] = Object.hasOwn(CLASSES, said) ? { system, code: CLASSES[said], display: said } : { display: said };
  return true;
};

export const visit: readonly Step[] = [
  rename('patient', 'subject'),
  visitClass,
  rename('reason', 'reasonCode'),
  rename('indication', 'reasonReference'),
  rename('incomingReferral', 'basedOn'),
  inEach('diagnosis', rename('role', 'use')),
];

const GOAL_STATES: Readonly<Record<string, string>> = {
  'in-progress': 'active',
  'on-target': 'active',
  'ahead-of-target': 'active',
  'behind-target': 'active',
  sustaining: 'active',
  achieved: 'completed',
};
const ACHIEVEMENTS = ['in-progress', 'achieved', 'sustaining'];

/** One status said both how far a goal is and whether it is pursued. What R4 has no code for stays as words. */
const goalState: Step = (draft) => {
  const said = draft['status'];
  if (typeof said !== 'string' || draft['lifecycleStatus'] !== undefined) {
    return false;
  }
  delete draft['status'];
  draft['lifecycleStatus'] = Object.hasOwn(GOAL_STATES, said) ? GOAL_STATES[said] : said;
  const system = 'http://terminology.hl7.org/CodeSystem/goal-achievement';
  if (ACHIEVEMENTS.includes(said)) {
    draft['achievementStatus'] = { coding: [{ system, code: said }] };
  } else if (Object.hasOwn(GOAL_STATES, said)) {
    draft['achievementStatus'] = { text: said };
  }
  return true;
};

/** By when and how much, which stood beside the goal. */
const target: Step = (draft) => {
  const named: Readonly<Record<string, string>> = { targetDate: 'dueDate', targetQuantity: 'detailQuantity' };
  const found = Object.keys(named).filter((name) => draft[name] !== undefined);
  if (found.length === 0) {
    return asList('target')(draft);
  }
  draft['target'] = [Object.fromEntries(found.map((name) => [named[name], take(draft, name)]))];
  return true;
};

/** The reason of a status was a concept, and is a text. */
const reasonText: Step = (draft) => {
  if (!isPlainObject(draft['statusReason'])) {
    return false;
  }
  draft['statusReason'] = spokenValue(draft['statusReason']);
  return true;
};

export const goal: readonly Step[] = [
  rename('patient', 'subject'),
  goalState,
  textToConcept('description'),
  target,
  reasonText,
  rename('author', 'expressedBy'),
  toNote('outcome', 'Outcome'),
];

export const plan: readonly Step[] = [
  rename('context', 'encounter'),
  recode('status', { proposed: 'draft', suspended: 'on-hold', cancelled: 'revoked' }),
  keepFirst('author', 'Also by'),
  toNote('definition', 'By'),
  asList('note'),
  inEach('activity', inOne('detail', both(rename('prohibited', 'doNotPerform'), textToConcept('statusReason')))),
];

/** Orders of acts; a plan that nobody ordered has its own word. */
export const order: readonly Step[] = [
  rename('context', 'encounter'),
  rename('orderer', 'requester'),
  requester,
  recode('status', {
    proposed: 'draft',
    requested: 'active',
    received: 'active',
    accepted: 'active',
    'in-progress': 'active',
    suspended: 'on-hold',
    rejected: 'revoked',
    aborted: 'revoked',
    cancelled: 'revoked',
  }),
  ...['DateTime', 'Period', 'Timing'].map((type) => rename(`scheduled${type}`, `occurrence${type}`)),
  rename('reasonCodeableConcept', 'reasonCode'),
  asList('reasonCode'),
  asList('reasonReference'),
  asList('performer'),
  toNote('definition', 'By'),
  notes,
];

/** The mark of a device was a text, or one object with its name. */
const mark: Step = (draft) => {
  const given = draft['udi'];
  if (typeof given === 'string') {
    draft['udiCarrier'] = [{ carrierHRF: given }];
  } else if (isPlainObject(given)) {
    const { name, ...rest } = given;
    draft['udiCarrier'] = Object.keys(rest).length === 0 ? undefined : [rest];
    draft['deviceName'] = typeof name === 'string' ? [{ name, type: 'udi-label-name' }] : undefined;
  } else {
    return false;
  }
  delete draft['udi'];
  return true;
};

const deviceVersion: Step = (draft) => {
  if (typeof draft['version'] !== 'string') {
    return false;
  }
  draft['version'] = [{ value: draft['version'] }];
  return true;
};

export const device: readonly Step[] = [
  mark,
  recode('status', { available: 'active', 'not-available': 'inactive' }),
  rename('model', 'modelNumber'),
  rename('expiry', 'expirationDate'),
  deviceVersion,
];

export const deviceUse: readonly Step[] = [
  rename('whenUsed', 'timingPeriod'),
  rename('indication', 'reasonCode'),
  rename('bodySiteCodeableConcept', 'bodySite'),
  notes,
];

/** That nothing was asked about a relative, and why. */
const notAsked: Step = (draft) => {
  const found = notDone('notDone', 'health-unknown')(draft);
  return rename('notDoneReason', 'dataAbsentReason')(draft) || found;
};

const relativeSex: Step = (draft) => {
  const code = draft['gender'];
  if (typeof code !== 'string') {
    return false;
  }
  delete draft['gender'];
  draft['sex'] = { coding: [{ system: 'http://hl7.org/fhir/administrative-gender', code }] };
  return true;
};

export const family: readonly Step[] = [
  notAsked,
  relativeSex,
  rename('ageQuantity', 'ageAge'),
  rename('deceasedQuantity', 'deceasedAge'),
  asList('note'),
  toNote('definition', 'By'),
  inEach('condition', both(rename('onsetQuantity', 'onsetAge'), asList('note'))),
];

/** Who made a report, once with the part that they had in it. */
const reporters: Step = both(asList('performer'), (draft: Draft) => {
  const list = draft['performer'];
  if (!Array.isArray(list) || !list.some((one) => isPlainObject(one) && isPlainObject(one['actor']))) {
    return false;
  }
  draft['performer'] = (list as readonly unknown[]).map((one) =>
    isPlainObject(one) && isPlainObject(one['actor']) ? one['actor'] : one,
  );
  return true;
});

export const report: readonly Step[] = [
  rename('context', 'encounter'),
  rename('request', 'basedOn'),
  reporters,
  asList('category'),
  rename('image', 'media'),
  rename('codedDiagnosis', 'conclusionCode'),
];

/** When a file was made, which R4 says of each of its contents. */
const made: Step = (draft) => {
  const given = draft['created'];
  if (typeof given !== 'string' || !Array.isArray(draft['content'])) {
    return false;
  }
  delete draft['created'];
  const setDay = inOne('attachment', (attachment) => {
    attachment['creation'] ??= given;
    return true;
  });
  return inEach('content', setDay)(draft);
};

export const file: readonly Step[] = [
  rename('indexed', 'date'),
  rename('class', 'category'),
  asList('category'),
  made,
  inOne('context', asList('encounter')),
];

/** A family name was a list of names. */
const familyName: Step = (draft) => {
  if (!Array.isArray(draft['family'])) {
    return false;
  }
  draft['family'] = (draft['family'] as readonly unknown[]).map(spokenValue).join(' ');
  return true;
};

export const person: readonly Step[] = [
  inEach('name', familyName),
  inEach('contact', inOne('name', familyName)),
  rename('careProvider', 'generalPractitioner'),
];

export const answers: readonly Step[] = [rename('context', 'encounter'), rename('parent', 'partOf')];
