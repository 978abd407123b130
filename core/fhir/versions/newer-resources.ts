/**
 * newer-resources: turns resources of FHIR R5 into R4 (pure), as HL7's maps between the versions do: a list of steps for
 * each type. What has no place in R4 becomes a note in its own words, and an element that no step knows stays, so that
 * the resource is refused as not R4.
 */
import {
  addNote,
  asValues,
  both,
  inEach,
  isPlainObject,
  keepFirst,
  recode,
  rename,
  spokenValue,
  stepped,
  take,
  toNote,
  withValues,
  type Members,
  type Step,
} from './steps';

/** R5 says by one element, with a concept or a reference in it, what R4 says by two. */
function splitPointer(name: string, concept: string, reference: string, isList = true): Step {
  return (draft) => {
    const given = asValues(draft[name]).filter(isPlainObject);
    if (!given.some((one) => 'concept' in one || 'reference' in one)) {
      return false;
    }
    delete draft[name];
    for (const [inside, target] of [
      ['concept', concept],
      ['reference', reference],
    ] as const) {
      const found = given.map((one) => one[inside]).filter((one) => one !== undefined);
      if (found.length > 0) {
        draft[target] = isList ? found : found[0];
      }
    }
    return true;
  };
}

function eachPointer(name: string, change: (pointer: Members) => unknown): Step {
  return (draft) => {
    const given = draft[name];
    const isPointer = (one: unknown): one is Members =>
      isPlainObject(one) && (isPlainObject(one['concept']) || isPlainObject(one['reference']));
    if (!asValues(given).some(isPointer)) {
      return false;
    }
    const changed = asValues(given).map((one) => (isPointer(one) ? change(one) : one));
    draft[name] = Array.isArray(given) ? changed : changed[0];
    return true;
  };
}

/** R4 has a concept only: what is pointed at is named in words. */
function asConcept(name: string): Step {
  return eachPointer(name, ({ concept, reference }) => concept ?? { text: spokenValue(reference) });
}

/** R4 has a reference only: a concept is named in words. */
function asReference(name: string): Step {
  return eachPointer(name, ({ concept, reference }) => reference ?? { display: spokenValue(concept) });
}

/** Why it was done, by a concept or a reference. */
const reason = splitPointer('reason', 'reasonCode', 'reasonReference');
const medication = splitPointer('medication', 'medicationCodeableConcept', 'medicationReference', false);

const RECORDERS: Readonly<Record<string, string>> = { author: 'recorder', enterer: 'recorder', informant: 'asserter' };

/** Who took part, of whom R4 knows those who recorded or asserted it. */
const participants: Step = (draft) => {
  const list = draft['participant'];
  if (!Array.isArray(list) || !list.every(isPlainObject)) {
    return false;
  }
  delete draft['participant'];
  for (const { function: part, actor } of list) {
    const code = asValues(isPlainObject(part) ? part['coding'] : undefined)
      .filter(isPlainObject)
      .map((coding) => String(coding['code']))
      .find((one) => Object.hasOwn(RECORDERS, one));
    const name = code === undefined ? undefined : RECORDERS[code]!;
    if (name === undefined || draft[name] !== undefined) {
      addNote(draft, `${spokenValue(part) || 'Also took part'}: ${spokenValue(actor)}`);
    } else {
      draft[name] = actor;
    }
  }
  return true;
};

/** The kind of an allergy became a concept; one that R4 has no code for stays in words. */
const allergyKind: Step = (draft) => {
  const given = draft['type'];
  if (!isPlainObject(given)) {
    return false;
  }
  delete draft['type'];
  const codes = asValues(given['coding'])
    .filter(isPlainObject)
    .map((coding) => coding['code']);
  const known = codes.find((code) => code === 'allergy' || code === 'intolerance');
  if (known === undefined) {
    addNote(draft, `Kind: ${spokenValue(given)}`);
  } else {
    draft['type'] = known;
  }
  return true;
};

const dosage: Step = both(
  rename('asNeeded', 'asNeededBoolean'),
  (draft) => {
    const [first, ...others] = asValues(draft['asNeededFor']);
    if (first === undefined) {
      return false;
    }
    delete draft['asNeededFor'];
    delete draft['asNeededBoolean'];
    draft['asNeededCodeableConcept'] = others.length === 0 ? first : { text: spokenValue([first, ...others]) };
    return true;
  },
  (draft) => {
    const limits = draft['maxDosePerPeriod'];
    if (!Array.isArray(limits) || limits.length !== 1) {
      return false;
    }
    draft['maxDosePerPeriod'] = limits[0] as unknown;
    return true;
  },
);

const ADHERENCE: readonly (readonly [string, string])[] = [
  ['taking', 'active'],
  ['not-taking', 'not-taken'],
  ['on-hold', 'on-hold'],
  ['stopped', 'stopped'],
];

/**
 * R5 says whether a medicine is taken by its adherence, and by its status only that this was recorded. Without an
 * adherence nobody says that it is taken.
 */
const adherence: Step = (draft) => {
  const status = draft['status'];
  const given = draft['adherence'];
  if (status !== 'recorded' && !isPlainObject(given)) {
    return false;
  }
  delete draft['adherence'];
  const { code, reason: why } = isPlainObject(given) ? given : {};
  const [coding] = asValues(isPlainObject(code) ? code['coding'] : undefined).filter(isPlainObject);
  const said = typeof coding?.['code'] === 'string' ? coding['code'] : '';
  const known = ADHERENCE.find(([one]) => said === one || said.startsWith(`${one}-`))?.[1];
  if (status === 'recorded') {
    draft['status'] = known ?? 'unknown';
  }
  if (isPlainObject(code) && (known === undefined || said.includes('-as-') || code['text'] !== undefined)) {
    addNote(draft, `How it is taken: ${spokenValue(code)}`);
  }
  draft['statusReason'] ??= why === undefined ? undefined : asValues(why);
  return true;
};

const instruction = toNote('renderedDosageInstruction', 'Instruction');

const VISIT_STATES: Readonly<Record<string, string>> = {
  completed: 'finished',
  discharged: 'finished',
  'on-hold': 'onleave',
  discontinued: 'finished',
};

/** R4 has one class, which is a coding; further ones are types. */
const visitClass: Step = (draft) => {
  const list = draft['class'];
  if (!Array.isArray(list)) {
    return false;
  }
  const [first, ...others] = list as readonly unknown[];
  const [coding] = asValues(isPlainObject(first) ? first['coding'] : undefined);
  draft['class'] = coding ?? { display: spokenValue(first) };
  draft['type'] = others.length === 0 ? draft['type'] : [...asValues(draft['type']), ...others];
  return true;
};

/** Reasons and diagnoses of a visit, each with its use. */
const visitReasons: Step = (draft) => {
  const found = asValues(draft['reason']).filter(isPlainObject);
  if (found.length === 0) {
    return false;
  }
  draft['reason'] = found.flatMap(({ value }) => asValues(value));
  return reason(draft);
};

const visitDiagnoses: Step = (draft) => {
  const found = asValues(draft['diagnosis']).filter(isPlainObject);
  if (found.length === 0) {
    return false;
  }
  draft['diagnosis'] = found.flatMap(({ condition, use }) =>
    asValues(condition)
      .filter(isPlainObject)
      .map(({ concept, reference }) => ({
        condition: reference ?? { display: spokenValue(concept) },
        ...(asValues(use).length === 0 ? {} : { use: asValues(use)[0] }),
      })),
  );
  return true;
};

/** R4 has one service of a visit; several are named together. */
const service: Step = (draft) => {
  const isPointer = asConcept('serviceType')(draft);
  const list = draft['serviceType'];
  if (Array.isArray(list)) {
    draft['serviceType'] = list.length === 1 ? (list[0] as unknown) : { text: spokenValue(list) };
  }
  return isPointer || Array.isArray(list);
};

const deviceNames: Step = (draft) => {
  const list = draft['name'];
  if (!Array.isArray(list) || !list.every(isPlainObject)) {
    return false;
  }
  delete draft['name'];
  const types = ['user-friendly-name', 'patient-reported-name'];
  draft['deviceName'] = list.map(({ value, type }) => ({
    name: value,
    type: types.includes(String(type)) ? type : 'manufacturer-name',
  }));
  return true;
};

/** What is said beside the conclusion of a report. */
const reportNotes: Step = (draft) => {
  const notes = asValues(take(draft, 'note'));
  const said = notes.map(spokenValue).filter((words) => words !== '');
  if (said.length > 0) {
    draft['conclusion'] = [...asValues(draft['conclusion']), ...said].join('\n');
  }
  return notes.length > 0;
};

const evidence: Step = (draft) => {
  const list = asValues(draft['evidence']).filter(isPlainObject);
  if (!list.some((one) => 'concept' in one || 'reference' in one)) {
    return false;
  }
  draft['evidence'] = list.map(({ concept, reference }) => ({
    ...(concept === undefined ? {} : { code: [concept] }),
    ...(reference === undefined ? {} : { detail: [reference] }),
  }));
  return true;
};

/** Around what a file was made, which R4 has in one place. */
const fileContext: Step = (draft) => {
  const given = draft['context'];
  // XML does not say that one reference is a list.
  if (isPlainObject(given) && typeof given['reference'] !== 'string') {
    return false;
  }
  const names = ['period', 'facilityType', 'practiceSetting'].filter((name) => draft[name] !== undefined);
  const around = Object.fromEntries(names.map((name) => [name, take(draft, name)]));
  const encounter = asValues(take(draft, 'context'));
  draft['context'] = { ...around, ...(encounter.length === 0 ? {} : { encounter }) };
  return names.length > 0 || encounter.length > 0;
};

/** R4 says the version of a file by an extension that HL7 has for it. */
const fileVersion: Step = (draft) => {
  const version = take(draft, 'version');
  if (typeof version === 'string') {
    const url = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-DocumentReference.version';
    draft['extension'] = [...asValues(draft['extension']), { url, valueString: version }];
  }
  return version !== undefined;
};

/** The form of a content: a code of its own in R4. */
const fileForm: Step = inEach('content', (content) => {
  const [first, ...others] = asValues(content['profile']).filter(isPlainObject);
  const form = first?.['valueCoding'] ?? first?.['valueUri'] ?? first?.['valueCanonical'];
  if (form === undefined || others.length > 0) {
    return false;
  }
  delete content['profile'];
  content['format'] = isPlainObject(form) ? form : { display: spokenValue(form) };
  return true;
});

/** A reaction to a vaccine is a reference in R4. */
const reaction: Step = inEach('reaction', both(asReference('manifestation'), rename('manifestation', 'detail')));

/** A number in words, which XML does not tell from a number. */
function asWords(name: string): Step {
  return (draft) => {
    const value = take(draft, name);
    if (value !== undefined) {
      draft[`${name}String`] = String(value as string | number);
    }
    return value !== undefined;
  };
}

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  AllergyIntolerance: [allergyKind, participants, inEach('reaction', asConcept('manifestation'))],
  CarePlan: [
    asReference('addresses'),
    inEach(
      'activity',
      both(
        splitPointer('performedActivity', 'outcomeCodeableConcept', 'outcomeReference'),
        rename('plannedActivityReference', 'reference'),
      ),
    ),
  ],
  Condition: [participants, evidence],
  Device: [deviceNames, keepFirst('type', 'Kind')],
  DeviceUseStatement: [
    rename('patient', 'subject'),
    asReference('device'),
    asConcept('bodySite'),
    reason,
    rename('usageReason', 'reasonCode'),
    rename('dateAsserted', 'recordedOn'),
    rename('informationSource', 'source'),
    toNote('adherence', 'How it is used'),
  ],
  DiagnosticReport: [reportNotes],
  DocumentReference: [fileContext, fileVersion, fileForm],
  Encounter: [
    recode('status', VISIT_STATES),
    visitClass,
    rename('actualPeriod', 'period'),
    rename('admission', 'hospitalization'),
    visitReasons,
    visitDiagnoses,
    service,
    inEach('participant', rename('actor', 'individual')),
  ],
  FamilyMemberHistory: [reason, toNote('procedure', 'Procedures'), toNote('participant', 'Told by')],
  Goal: [
    rename('source', 'expressedBy'),
    splitPointer('outcome', 'outcomeCode', 'outcomeReference'),
    toNote('acceptance', 'Accepted'),
  ],
  Immunization: [
    reason,
    reaction,
    asReference('manufacturer'),
    splitPointer('informationSource', 'reportOrigin', 'informationSource', false),
    toNote('informationSource', 'Told by'),
    toNote('administeredProduct', 'Product'),
    toNote('supportingInformation', 'See'),
    toNote('programEligibility', 'Programme'),
    inEach('protocolApplied', both(asWords('doseNumber'), asWords('seriesDoses'))),
  ],
  MedicationAdministration: [
    medication,
    reason,
    ...['DateTime', 'Period'].map((type) => rename(`occurence${type}`, `effective${type}`)),
    rename('encounter', 'context'),
    toNote('subPotentReason', 'Less than a full dose'),
    inEach('performer', asReference('actor')),
    asReference('device'),
  ],
  MedicationDispense: [
    medication,
    rename('encounter', 'context'),
    splitPointer('notPerformedReason', 'statusReasonCodeableConcept', 'statusReasonReference', false),
    instruction,
    toNote('recorded', 'Recorded'),
    inEach('dosageInstruction', dosage),
  ],
  MedicationRequest: [
    recode('status', { ended: 'completed' }),
    medication,
    reason,
    instruction,
    toNote('effectiveDosePeriod', 'To be taken'),
    toNote('informationSource', 'Told by'),
    rename('reported', 'reportedBoolean'),
    keepFirst('performer', 'Also by'),
    inEach('dosageInstruction', dosage),
  ],
  MedicationStatement: [
    medication,
    adherence,
    reason,
    instruction,
    keepFirst('informationSource', 'Also told by'),
    keepFirst('category', 'Kind'),
    rename('encounter', 'context'),
    toNote('relatedClinicalInformation', 'See'),
    inEach('dosage', dosage),
  ],
  Observation: [
    toNote('triggeredBy', 'Triggered by'),
    toNote('bodyStructure', 'Site'),
    inEach('referenceRange', (draft) => {
      const usual = spokenValue(take(draft, 'normalValue'));
      draft['text'] ??= usual === '' ? undefined : usual;
      return usual !== '';
    }),
  ],
  Procedure: [
    ...['DateTime', 'Period', 'String', 'Age', 'Range'].map((type) => rename(`occurrence${type}`, `performed${type}`)),
    reason,
    splitPointer('complication', 'complication', 'complicationDetail'),
    splitPointer('used', 'usedCode', 'usedReference'),
    toNote('recorded', 'Recorded'),
    toNote('focus', 'About'),
    toNote('supportingInfo', 'See'),
    toNote('reportedBoolean', 'Only reported'),
    toNote('reportedReference', 'Reported by'),
  ],
  ServiceRequest: [asConcept('code'), reason, rename('asNeeded', 'asNeededBoolean')],
};

/** What R4 calls a type of R5. */
export function typeOfNewer(type: string): string {
  return type === 'DeviceUsage' ? 'DeviceUseStatement' : type;
}

/**
 * The resource as R4, if it is one of the types that are read and has something of R5; whether it is R4 now, its reader
 * finds out.
 */
export function fromNewer(resource: Members): Members | undefined {
  const type = typeOfNewer(String(resource['resourceType']));
  const converted = Object.hasOwn(STEPS, type) ? stepped(STEPS[type]!, { ...resource, resourceType: type }) : undefined;
  return converted === undefined ? undefined : withValues(converted);
}
