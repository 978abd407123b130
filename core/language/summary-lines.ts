/**
 * summary-lines: describes a resource in one line of words for the narrative of a patient summary (pure). People who
 * read nothing else must not mistake a vaccine that was refused for one that was given.
 */
import type { Dosage } from '../facts/model/dosage';
import { dosageWords } from '../facts/model/dosage-words';
import type { Resource } from '../fhir/resource';
import { numberInText } from './number-digits';

export type Coded = {
  readonly coding?: readonly { readonly code?: string; readonly display?: string }[];
  readonly text?: string;
};
type Period = { readonly start?: string; readonly end?: string };
type Quantity = { readonly value?: unknown; readonly unit?: string; readonly comparator?: string };
type Reaction = { readonly manifestation?: readonly Coded[]; readonly severity?: string };

function listOf<T>(value: unknown): readonly T[] {
  return (value ?? []) as readonly T[];
}

function codedWords(value: unknown): string {
  const { coding = [], text } = (value ?? {}) as Coded;
  return text ?? coding.find(({ display }) => display !== undefined)?.display ?? coding[0]?.code ?? '';
}

function quantityOf(value: unknown): string {
  const { comparator = '', value: number, unit = '' } = (value ?? {}) as Quantity;
  return number === undefined ? '' : `${comparator}${numberInText(number)} ${unit}`.trim();
}

const dates = [
  'effectiveDateTime',
  'occurrenceDateTime',
  'performedDateTime',
  'onsetDateTime',
  'authoredOn',
  'recordedDate',
];

function dayWritten(date: unknown): string {
  return typeof date === 'string' ? date.slice(0, 10) : '';
}

function periodOf({ effectivePeriod }: Resource): Period {
  return (effectivePeriod ?? {}) as Period;
}

/** When something happened or began, as far as it is known; otherwise empty. */
export function dateOf(resource: Resource): string {
  return dayWritten(
    dates.map((one) => resource[one]).find((one) => typeof one === 'string') ?? periodOf(resource).start,
  );
}

/** When something happened in the source's own words, where it gives no date. */
export function whenInWords({ occurrenceString: words }: Resource): string {
  return typeof words === 'string' && words !== 'unknown' ? words : '';
}

function whenOfResource(resource: Resource): string {
  const [from, until] = [dateOf(resource) || whenInWords(resource), dayWritten(periodOf(resource).end)];
  return until === '' ? from : `${from} until ${until}`.trim();
}

function displayOf(reference: unknown): string {
  return ((reference ?? {}) as { readonly display?: string }).display ?? '';
}

/** The name of a coded value; empty when it has none. */
export const nameIn = codedWords;

function resourceTitle(resource: Resource): string {
  const [device] = listOf<{ readonly name?: string }>(resource['deviceName']);
  const said = ['code', 'vaccineCode', 'medicationCodeableConcept', 'type'].map((name) => codedWords(resource[name]));
  const referred = [resource['medicationReference'], resource['device']].map(displayOf);
  return device?.name ?? [...said, ...referred].find((words) => words !== '') ?? resource.resourceType;
}

/** Why there is no value, where the reason is known. */
export function absentOf({ dataAbsentReason }: Resource): string {
  const [coding] = ((dataAbsentReason ?? {}) as Coded).coding ?? [];
  return coding?.code === undefined || coding.code === 'unknown' ? '' : coding.code.replaceAll('-', ' ');
}

/** LOINC and SNOMED CT codes of the upper value of a blood pressure, and of its lower one. */
const PRESSURES: readonly (readonly string[])[] = [
  ['8480-6', '271649006'],
  ['8462-4', '271650006'],
];

/** The two parts of a blood pressure, the upper value first, whatever order their source has. */
export function pressureParts(components: readonly Resource[]): readonly (Resource | undefined)[] {
  const codesOf = ({ code }: Resource): readonly string[] =>
    listOf<{ readonly code?: string }>(((code ?? {}) as Coded).coding).flatMap((coding) => coding.code ?? []);
  return PRESSURES.map((known) => components.find((one) => codesOf(one).some((code) => known.includes(code))));
}

/** A blood pressure; every other part says which one it is. */
function componentLine(components: readonly Resource[]): string {
  const parts = pressureParts(components);
  const isPair = parts.every((part) => quantityOf(part?.['valueQuantity']) !== '');
  const pair = isPair ? parts.map((part) => quantityOf(part?.['valueQuantity'])).join(' / ') : '';
  const named = components
    .filter((part) => !isPair || !parts.includes(part))
    .map((part) => [codedWords(part['code']), resourceValue(part)])
    .flatMap(([name, value]) => (value === '' ? [] : `${name} ${value}`));
  return [pair, ...named].filter((part) => part !== '').join(', ');
}

function resourceValue(resource: Resource): string {
  return (
    quantityOf(resource['valueQuantity']) ||
    (typeof resource['valueString'] === 'string' ? resource['valueString'] : '') ||
    codedWords(resource['valueCodeableConcept']) ||
    absentOf(resource) ||
    componentLine(listOf<Resource>(resource['component']))
  );
}

/** The usual status of a type, which is left out because readers assume it. */
const usual: Readonly<Record<string, string>> = { Immunization: 'completed', Procedure: 'completed' };

function statusWord({ resourceType, status }: Resource): string {
  return typeof status !== 'string' || ['unknown', 'final', usual[resourceType]].includes(status)
    ? ''
    : status.replaceAll('-', ' ');
}

function certaintyOf({ verificationStatus }: Resource): string {
  const words = codedWords(verificationStatus);
  return words === 'confirmed' ? '' : words;
}

function reactionOf({ manifestation, severity = '' }: Reaction): string {
  const what = listOf<Coded>(manifestation).map(codedWords).join(' and ');
  return severity === '' ? what : `${what} (${severity})`;
}

const LONGEST = 300;

/** Shortens a text that may be long, such as a conclusion, and marks the cut. */
function shortened(text: unknown): string {
  const characters = typeof text === 'string' ? [...text] : [];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('');
}

export function summaryLine(resource: Resource): string {
  const { criticality, statusReason, dosage, dosageInstruction, conclusion, reaction } = resource;
  return [
    resourceTitle(resource),
    resourceValue(resource),
    codedWords(resource['clinicalStatus']),
    certaintyOf(resource),
    statusWord(resource),
    codedWords([statusReason].flat()[0]),
    criticality === 'high' ? 'high risk' : '',
    ...listOf<Reaction>(reaction).map(reactionOf),
    dosageWords(listOf<Dosage>(dosage ?? dosageInstruction), 'en'),
    shortened(conclusion),
    whenOfResource(resource),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
