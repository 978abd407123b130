/**
 * clinic-content: which resources a clinic is shown: what is current of the chosen kinds, and no more of the past than a
 * clinic can use (pure).
 */
import type { Resource, Versioned } from '../../../core/fhir/resource';
import { codesIn, isMeasurement, isPast, isSaid, isSocial } from '../read/summary';

type Period = { readonly start?: string; readonly end?: string };

/** When it is, and since when results and visits are shown: days as FHIR writes them. */
export type Times = { readonly now: string; readonly yearAgo: string; readonly twoYearsAgo: string };

const DAY_CHARACTERS = 10;
const MONTHS = 12;

/** @param months how far back results go, and visits */
export function timesAt(milliseconds: number, months = MONTHS, visits = 2 * MONTHS): Times {
  const ago = (count: number): string => {
    const date = new Date(milliseconds);
    date.setUTCMonth(date.getUTCMonth() - count);
    return date.toISOString().slice(0, DAY_CHARACTERS);
  };
  return { now: new Date(milliseconds).toISOString(), yearAgo: ago(months), twoYearsAgo: ago(visits) };
}

/** Whether a date, which may be a year, a month, a day or a time, lies before now as a whole. */
function isOver(date: unknown, { now }: Times): boolean {
  return (
    typeof date === 'string' &&
    date !== '' &&
    (date.length <= DAY_CHARACTERS ? date < now.slice(0, date.length) : Date.parse(date) < Date.parse(now))
  );
}

/** Whether a date may lie at this day or later. */
function isSince(date: unknown, day: string): boolean {
  return typeof date === 'string' && date !== '' && date >= day.slice(0, date.length);
}

function periodIn(resource: Resource, name: string): Period {
  return (resource[name] ?? {}) as Period;
}

const OVER_MEDICINE = ['completed', 'stopped', 'cancelled', 'not-taken', 'entered-in-error'];

type Dosed = { readonly timing?: { readonly repeat?: { readonly boundsPeriod?: Period } } };

/** The end of a medicine, where it is said: of its whole use, or of every one of its dosages. */
function endsOf(resource: Resource): readonly (string | undefined)[] {
  const dosages = (resource['dosageInstruction'] ?? resource['dosage'] ?? []) as readonly Dosed[];
  const bounds = dosages.map(({ timing }) => timing?.repeat?.boundsPeriod?.end);
  const { end } = periodIn(resource, 'effectivePeriod');
  return end === undefined ? bounds : [end];
}

/** A medicine that its source calls active is shown, whatever else it says of an end. */
function isTaken(resource: Resource, times: Times): boolean {
  const { status } = resource;
  const ends = endsOf(resource);
  const hasEnded = ends.length > 0 && ends.every((end) => isOver(end, times));
  return !OVER_MEDICINE.includes(String(status)) && (status === 'active' || !hasEnded);
}

function isRefuted({ verificationStatus }: Resource): boolean {
  return codesIn(verificationStatus).includes('refuted');
}
function isCurrent(resource: Resource): boolean {
  return !isPast(resource) && !isRefuted(resource);
}

function wasDone({ status }: Resource): boolean {
  return status !== 'not-done' && status !== 'preparation';
}

function isRecentVisit(resource: Resource, times: Times): boolean {
  const { start, end } = periodIn(resource, 'period');
  return isSince(end ?? start, times.twoYearsAgo);
}

const IMPLANT = /implant|مزروع/i;
function textOfValue(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** Whether a device has a UDI, or its source calls it implanted. */
function isImplanted(resource: Resource): boolean {
  const { status, udiCarrier, type, deviceName, note, meta, definition } = resource;
  const said = [type, deviceName, note, definition, meta?.profile].some((value) => IMPLANT.test(textOfValue(value)));
  return status !== 'inactive' && ((Array.isArray(udiCarrier) && udiCarrier.length > 0) || said);
}

function isCovered(resource: Resource, times: Times): boolean {
  return !isOver(periodIn(resource, 'period').end, times) && resource['status'] !== 'draft';
}

type Shown = {
  readonly types: readonly string[];
  readonly holds: (resource: Resource, times: Times) => boolean;
};

/** The kinds that a person chooses from, in the order of the Bundle. */
const clinicKinds = {
  problems: { types: ['Condition'], holds: isCurrent },
  medicines: { types: ['MedicationStatement', 'MedicationRequest'], holds: isTaken },
  allergies: { types: ['AllergyIntolerance'], holds: isCurrent },
  immunizations: { types: ['Immunization'], holds: () => true },
  results: { types: ['Observation'], holds: (resource) => !isMeasurement(resource) && !isSocial(resource) },
  vitals: { types: ['Observation'], holds: isMeasurement },
  procedures: { types: ['Procedure'], holds: wasDone },
  visits: { types: ['Encounter'], holds: isRecentVisit },
  devices: { types: ['Device'], holds: isImplanted },
  insurance: { types: ['Coverage'], holds: isCovered },
} as const satisfies Readonly<Record<string, Shown>>;

export type ClinicKind = keyof typeof clinicKinds;
export const clinicKindNames = Object.keys(clinicKinds) as readonly ClinicKind[];

function shownKind(kind: ClinicKind): Shown {
  return clinicKinds[kind];
}

/** The types of the chosen kinds. */
export function typesOf(kinds: readonly ClinicKind[]): readonly string[] {
  return [...new Set(kinds.flatMap((kind) => shownKind(kind).types))];
}

/** The kind of a resource that is shown whatever it says. */
export function findClinicKind({ resourceType }: Versioned, kinds: readonly ClinicKind[]): ClinicKind | undefined {
  return kinds.find((kind) => shownKind(kind).types.includes(resourceType));
}

/** The kind as which a resource is shown; undefined for one that is not. */
export function kindShown(resource: Versioned, kinds: readonly ClinicKind[], times: Times): ClinicKind | undefined {
  return isSaid(resource)
    ? kinds.find((kind) => {
        const { types, holds } = shownKind(kind);
        return types.includes(resource.resourceType) && holds(resource, times);
      })
    : undefined;
}
