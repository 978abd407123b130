/**
 * older-resources: turns resources of FHIR DSTU2 and STU3 into R4 (pure), as HL7's maps between the versions do: a table
 * of steps for each type. Nothing is dropped: what has no place in R4 becomes a note in its own words, and an element
 * that no step knows stays, so that the resource is refused as not R4.
 */

type Members = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown>;
/** @returns whether it found something of an older version */
type Step = (draft: Draft) => boolean;

function isPlainObject(value: unknown): value is Members {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}

function take(draft: Draft, name: string): unknown {
  const value = draft[name];
  delete draft[name];
  return value;
}

/** The element has another name. An element that has both names keeps the old one, and is refused. */
function rename(from: string, to: string): Step {
  return (draft) => {
    if (draft[from] === undefined || draft[to] !== undefined) {
      return false;
    }
    draft[to] = take(draft, from);
    if (draft[`_${from}`] !== undefined) {
      draft[`_${to}`] = take(draft, `_${from}`);
    }
    return true;
  };
}

/** One value became a list. */
function asList(name: string): Step {
  return (draft) => {
    if (!isPlainObject(draft[name]) && typeof draft[name] !== 'string') {
      return false;
    }
    draft[name] = [draft[name]];
    return true;
  };
}

function both(...steps: readonly Step[]): Step {
  return (draft) => steps.map((step) => step(draft)).includes(true);
}

function addNote(draft: Draft, text: string): void {
  draft['note'] = [...(Array.isArray(draft['note']) ? (draft['note'] as readonly unknown[]) : []), { text }];
}

/** A text became a note. */
function textToNote(name: string): Step {
  return (draft) => {
    if (typeof draft[name] !== 'string') {
      return false;
    }
    addNote(draft, take(draft, name) as string);
    return true;
  };
}

/** R4 has no place for it: a note says it with its name. */
function toNote(name: string, words: string): Step {
  return (draft) => {
    const value = draft[name];
    if (!['string', 'boolean'].includes(typeof value)) {
      return false;
    }
    addNote(draft, `${words}: ${String(take(draft, name))}`);
    return true;
  };
}

/** A code became a concept. A code that the system of R4 does not have stays as a text. */
function codeToConcept(name: string, system: string, codes: readonly string[]): Step {
  return (draft) => {
    const code = draft[name];
    if (typeof code !== 'string') {
      return false;
    }
    draft[name] = codes.includes(code)
      ? { coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] }
      : { text: code };
    return true;
  };
}

/** Codes have other names; an unknown one stays and is refused. */
function recode(name: string, codes: Readonly<Record<string, string>>): Step {
  return (draft) => {
    const code = draft[name];
    if (typeof code !== 'string' || !Object.hasOwn(codes, code)) {
      return false;
    }
    draft[name] = codes[code];
    return true;
  };
}

function inEach(name: string, step: Step): Step {
  return (draft) => {
    const list = draft[name];
    if (!Array.isArray(list)) {
      return false;
    }
    const copies = (list as readonly unknown[]).map((one) => (isPlainObject(one) ? { ...one } : one));
    draft[name] = copies;
    return copies.map((one) => isPlainObject(one) && step(one)).includes(true);
  };
}

function inOne(name: string, step: Step): Step {
  return (draft) => {
    const given = draft[name];
    if (!isPlainObject(given)) {
      return false;
    }
    const copy = { ...given };
    draft[name] = copy;
    return step(copy);
  };
}

/** Something that was said not to have happened has a status for it. A record that is an error stays one. */
function notDone(name: string, status: string): Step {
  return (draft) => {
    const isNot = draft[name];
    if (typeof isNot !== 'boolean') {
      return false;
    }
    delete draft[name];
    if (isNot && draft['status'] !== 'entered-in-error') {
      draft['status'] = status;
    }
    return true;
  };
}

const CLINICAL = ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved'];
const VERIFICATION = ['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted', 'entered-in-error'];

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

const requester: Step = (draft) => {
  const given = draft['requester'];
  if (!isPlainObject(given) || !isPlainObject(given['agent'])) {
    return false;
  }
  const { agent, onBehalfOf, ...rest } = given;
  draft['requester'] = { ...rest, ...agent };
  if (isPlainObject(onBehalfOf)) {
    addNote(draft, `On behalf of: ${String(onBehalfOf['display'] ?? onBehalfOf['reference'])}`);
  }
  return true;
};

function wordsOfConcept(concept: unknown): string {
  const { text, coding } = isPlainObject(concept) ? concept : {};
  const [first] = Array.isArray(coding) ? (coding as readonly Members[]) : [];
  return String(text ?? first?.['display'] ?? first?.['code'] ?? '');
}

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
      addNote(draft, `${words}: ${typeof said === 'string' ? said : wordsOfConcept(said)}`);
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

const explanation: Step = (draft) => {
  const given = draft['explanation'];
  if (!isPlainObject(given)) {
    return false;
  }
  const { reason, reasonNotGiven, ...rest } = given;
  const [why, ...more] = Array.isArray(reasonNotGiven) ? (reasonNotGiven as readonly unknown[]) : [];
  if (Object.keys(rest).length > 0 || more.length > 0) {
    return false;
  }
  delete draft['explanation'];
  Object.assign(
    draft,
    reason === undefined ? {} : { reasonCode: reason },
    why === undefined ? {} : { statusReason: why },
  );
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

/** Observations that belong together. Other relations have no place in R4 and stay. */
const related: Step = (draft) => {
  const list = Array.isArray(draft['related']) ? (draft['related'] as readonly unknown[]) : [];
  const known = list.filter(
    (one): one is Members =>
      isPlainObject(one) && typeof one['type'] === 'string' && Object.hasOwn(RELATED, one['type']),
  );
  if (list.length === 0 || known.length < list.length) {
    return false;
  }
  delete draft['related'];
  for (const { type, target } of known) {
    const name = RELATED[type as string]!;
    draft[name] = [...((draft[name] as readonly unknown[] | undefined) ?? []), target];
  }
  return true;
};

const range: Step = inEach('referenceRange', rename('meaning', 'type'));

const prescription: readonly Step[] = [
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
  toNote('dateEnded', 'Ended'),
  rename('reasonEnded', 'statusReason'),
  inOne('substitution', both(rename('allowed', 'allowedBoolean'), rename('type', 'allowedCodeableConcept'))),
  inEach('dosageInstruction', dosage),
];

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
  MedicationRequest: prescription,
  MedicationStatement: [
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
  ],
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
};

const MEDICATION_ORDER = 'MedicationOrder';

/**
 * The resource as R4, if it is one of the types that are read and has something of an older version; whether it is R4
 * now, its reader finds out.
 */
export function fromOlder(resource: Members): Members | undefined {
  const isOrder = resource['resourceType'] === MEDICATION_ORDER;
  const type = isOrder ? 'MedicationRequest' : String(resource['resourceType']);
  const steps = Object.hasOwn(STEPS, type) ? STEPS[type]! : [];
  const draft: Draft = { ...resource, resourceType: type };
  const isOlder = steps.map((step) => step(draft)).includes(true) || isOrder;
  if (!isOlder) {
    return undefined;
  }
  if (type === 'MedicationRequest') {
    draft['status'] ??= 'unknown';
    draft['intent'] ??= 'order';
  }
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}
