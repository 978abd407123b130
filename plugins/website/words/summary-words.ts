/** summary-words: puts a resource of a patient summary into words: what it is, its state, and when it was. */
import { joinNumbers } from './measure-words';
import type { Models } from '../../../core/facts/model/model';
import type { Dosage } from '../../../core/facts/model/dosage';
import { dosageWords } from '../../../core/facts/model/dosage-words';
import type { Resource } from '../../../core/fhir/resource';
import { absentOf, whenInWords } from '../../../core/language/summary-lines';
import { amount, dateWords, fieldLabel, numberWords, shortened, spanWords, unitWords } from './facts';
import { stateWords } from './state-words';
import { commaSeparated, type Words } from './words';

type SaidResource = {
  readonly name: string;
  /** The vital sign that the resource is, if it is one. */ readonly reading?: string;
  /** What else is known, one thing after the other. */ readonly parts: readonly string[];
  readonly date: string;
};

type Coding = { readonly code?: string; readonly display?: string };
type Concept = { readonly coding?: readonly Coding[]; readonly text?: string };
type Period = { readonly start?: string; readonly end?: string };
/** `value` is an object that keeps the digits of its number. */
type Quantity = { readonly value?: unknown; readonly comparator?: string; readonly unit?: string };
type Range = { readonly low?: Quantity; readonly high?: Quantity; readonly text?: string };
type Reaction = { readonly manifestation?: readonly Concept[]; readonly severity?: string };
/** Codes that have a text, by the element in which they occur. Any other code is shown as it is written. */
const texts: Readonly<Record<string, readonly string[]>> = {
  clinical: ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved'],
  certainty: ['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted'],
  risk: ['low', 'high'],
  severity: ['mild', 'moderate', 'severe'],
  medicine: ['active', 'on-hold', 'cancelled', 'completed', 'stopped', 'draft', 'intended'],
  vaccine: ['completed', 'not-done'],
  procedure: ['preparation', 'in-progress', 'not-done', 'on-hold', 'stopped', 'completed'],
  result: ['registered', 'preliminary', 'amended', 'corrected', 'cancelled'],
  finding: ['n', 'a', 'aa', 'h', 'hh', 'l', 'll', 'pos', 'neg', 'normal', 'abnormal', 'critical'],
  device: ['completed'],
};

/** Statuses that are not shown: the usual one of a result, and those that mean that nothing is known. */
const UNSAID = ['unknown', 'final', 'unable-to-assess'];

function said(...parts: readonly string[]): readonly string[] {
  return parts.filter((part) => part !== '');
}

function hasText(kind: string, code: string): boolean {
  return texts[kind]!.includes(code.toLowerCase());
}

function codeWords(kind: string, code: string | undefined, words: Words): string {
  if (code === undefined || UNSAID.includes(code)) {
    return '';
  }
  return hasText(kind, code) ? words.say(`summary.${kind}-${code.toLowerCase()}`) : code.replaceAll('-', ' ');
}

function conceptWords({ coding = [], text }: Concept = {}): string {
  return text ?? coding.find(({ display }) => display !== undefined)?.display ?? coding[0]?.code ?? '';
}

/** A concept in words: the text of the website for its code, else the words of its source. */
function conceptState(kind: string, concept: Concept = {}, words: Words): string {
  const codes = (concept.coding ?? []).flatMap(({ code }) => code ?? []);
  const known = codes.find((code) => hasText(kind, code));
  return known === undefined ? stateWords(conceptWords(concept), words) : codeWords(kind, known, words);
}

/**
 * Vital signs by their codes in FHIR: the field of the model whose words name them, and a unit that people say in
 * words.
 */
const vitalSigns: Readonly<Record<string, { readonly field: string; readonly unit?: string }>> = {
  '85354-9': { field: 'bp' },
  '39156-5': { field: 'bmi' },
  '8867-4': { field: 'heart_rate', unit: '{beats}/min' },
  '8302-2': { field: 'height' },
  '2708-6': { field: 'oxygen_saturation' },
  '9279-1': { field: 'respiratory_rate', unit: '{breaths}/min' },
  '8310-5': { field: 'temperature' },
  '29463-7': { field: 'weight' },
};

function vitalSignOf({ coding = [] }: Concept = {}) {
  return coding.map(({ code = '' }) => vitalSigns[code]).find((found) => found !== undefined);
}

function numberOf({ value, comparator = '' }: Quantity, words: Words): string {
  return `${comparator === '' ? '' : `${comparator} `}${numberWords(Number(value), words)}`;
}

function quantityWords(quantity: Quantity | undefined, words: Words, unit = quantity?.unit): string {
  return quantity?.value === undefined
    ? ''
    : `${quantity.comparator === undefined ? '' : `${quantity.comparator} `}${amount(Number(quantity.value), unit, words)}`;
}

/** The values of the components. Values of the same unit are joined to a pair: "132 / 84 mmHg". */
function componentWords(components: readonly Resource[], words: Words): string {
  const quantities = components.flatMap(({ valueQuantity }) => (valueQuantity as Quantity | undefined) ?? []);
  const [first] = quantities;
  if (first && quantities.length === components.length && quantities.every(({ unit }) => unit === first.unit)) {
    const pair = joinNumbers(
      quantities.map((quantity) => numberOf(quantity, words)),
      words,
    );
    return [pair, unitWords(first.unit ?? '', words)].filter(Boolean).join(' ');
  }
  return commaSeparated(
    components.map((component) => {
      const value = valueWords(component, words);
      return value === ''
        ? ''
        : words.say('facts.reading', { label: conceptWords(component['code'] as Concept), value });
    }),
    words,
  );
}

function valueWords(resource: Resource, words: Words): string {
  const { valueQuantity, valueString, valueCodeableConcept, component } = resource;
  return (
    quantityWords(valueQuantity as Quantity | undefined, words, vitalSignOf(resource['code'] as Concept)?.unit) ||
    (typeof valueString === 'string' ? valueString : '') ||
    conceptWords(valueCodeableConcept as Concept | undefined) ||
    absentOf(resource) ||
    componentWords((component ?? []) as readonly Resource[], words)
  );
}

function rangeWords([range]: readonly Range[], words: Words): string {
  if (!range) {
    return '';
  }
  const { low, high, text } = range;
  const [min, max] = [low, high].map((end) => (end?.value === undefined ? '' : numberOf(end, words))) as [
    string,
    string,
  ];
  const both = min !== '' && max !== '' ? words.say('facts.range', { min, max }) : '';
  const known = both || (min && `≥ ${min}`) || (max && `≤ ${max}`) || (text ?? '');
  return known === '' ? '' : words.say('summary.reference', { range: known });
}

/** "Itching (moderate)". */
function reactionParts(reactions: readonly Reaction[], words: Words): readonly string[] {
  return reactions.map(({ manifestation = [], severity }) => {
    const [what, how] = [
      commaSeparated(manifestation.map(conceptWords), words),
      codeWords('severity', severity, words),
    ];
    return what === '' || how === '' ? what || how : `${what} (${how})`;
  });
}

type Parts = (resource: Resource, words: Words) => readonly string[];

const standing: Parts = ({ clinicalStatus, verificationStatus }, words) => [
  conceptState('clinical', clinicalStatus as Concept, words),
  conceptState('certainty', verificationStatus as Concept, words),
];

/** How a medicine is taken, all of it. */
function takenWords({ dosage, dosageInstruction }: Resource, words: Words): string {
  return dosageWords((dosage ?? dosageInstruction ?? []) as readonly Dosage[], words.language);
}

const medicineParts: Parts = (resource, words) => [
  codeWords('medicine', resource['status'] as string, words),
  conceptWords([(resource['statusReason'] ?? []) as Concept | readonly Concept[]].flat()[0]),
  takenWords(resource, words),
];

const observationParts: Parts = (resource, words) => [
  vitalSignOf(resource['code'] as Concept) ? '' : valueWords(resource, words),
  ...((resource['interpretation'] ?? []) as readonly Concept[]).map((one) => conceptState('finding', one, words)),
  rangeWords((resource['referenceRange'] ?? []) as readonly Range[], words),
  codeWords('result', resource['status'] as string, words),
];

const partsOf: Readonly<Record<string, Parts>> = {
  Condition: standing,
  AllergyIntolerance: (resource, words) => [
    ...reactionParts((resource['reaction'] ?? []) as readonly Reaction[], words),
    codeWords('risk', resource['criticality'] as string, words),
    ...standing(resource, words),
  ],
  MedicationStatement: medicineParts,
  MedicationRequest: medicineParts,
  Immunization: ({ status, statusReason }, words) => {
    const why = stateWords(conceptWords(statusReason as Concept), words);
    // If there is a reason why it was not given, "completed" only means that the entry is complete.
    return [why !== '' && status === 'completed' ? '' : codeWords('vaccine', status as string, words), why];
  },
  Procedure: ({ status }, words) => [codeWords('procedure', status as string, words)],
  Observation: observationParts,
  DiagnosticReport: ({ status, conclusion }, words) => [
    codeWords('result', status as string, words),
    (conclusion ?? '') as string,
  ],
  DeviceUseStatement: ({ status }, words) => [codeWords('device', status as string, words)],
};

/** From when to when something was so, as far as it is known. */
function lasting(from: unknown, to: unknown, words: Words): string {
  const [start, end] = [dateWords(from, words, 'day'), dateWords(to, words, 'day')];
  if (start !== '' && end !== '') {
    return spanWords(from, to, words, 'day');
  }
  return start === '' ? end && words.say('facts.until', { to: end }) : words.say('facts.since', { from: start });
}

/** Types for which the time of day matters. */
const timed = ['Observation', 'DiagnosticReport'];

const momentNames = ['effectiveDateTime', 'occurrenceDateTime', 'performedDateTime', 'authoredOn', 'issued'];

function whenWords(resource: Resource, words: Words): string {
  const period = (resource['effectivePeriod'] ?? {}) as Period;
  const moment = momentNames.map((name) => resource[name]).find((value) => typeof value === 'string');
  return (
    lasting(resource['onsetDateTime'] ?? period.start, resource['abatementDateTime'] ?? period.end, words) ||
    dateWords(moment, words, timed.includes(resource.resourceType) ? 'time' : 'day') ||
    whenInWords(resource)
  );
}

function nameWords(resource: Resource, models: Models, words: Words): string {
  const vital = vitalSignOf(resource['code'] as Concept | undefined);
  const model = models.find('VitalSigns');
  if (vital && model) {
    const label = fieldLabel(model, vital.field, words);
    return words.say('facts.reading', { label, value: valueWords(resource, words) });
  }
  const [device] = (resource['deviceName'] ?? []) as readonly { readonly name?: string }[];
  const concepts = ['code', 'vaccineCode', 'medicationCodeableConcept', 'type'].map((name) =>
    conceptWords(resource[name] as Concept | undefined),
  );
  return device?.name ?? concepts.find((one) => one !== '') ?? words.say('summary.nameless');
}

/**
 * @param named the resource that names the fact, if this one refers to it, such as the medicine of a statement about
 * its use
 */
export function resourceWords(
  resource: Resource,
  { models, words }: { readonly models: Models; readonly words: Words },
  named: Resource = resource,
): SaidResource {
  const name = shortened(nameWords(named, models, words));
  const parts = said(...(partsOf[resource.resourceType]?.(resource, words) ?? []))
    .filter((part) => part !== name)
    .map((part) => (part === takenWords(resource, words) ? part : shortened(part, 280)));
  const reading = vitalSignOf(resource['code'] as Concept | undefined)?.field;
  return { name, ...(reading === undefined ? {} : { reading }), parts, date: whenWords(resource, words) };
}
