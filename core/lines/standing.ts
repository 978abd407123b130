/**
 * standing: tells whether somebody said that a fact is over, not given or ruled out. Nothing is guessed that nobody
 * said (pure).
 */
import type { Model } from '../facts/model/model';
import { CLOCKS } from '../facts/partial-dates';

/** The columns of a fact. */
type Fact = Readonly<Record<string, unknown>>;

/**
 * `open`: nothing says that it has ended; what is on hold goes on and is read with this word. `planned`: it has not
 * begun.
 */
export type Standing = 'open' | 'over' | 'undone' | 'planned';

/** Codes of FHIR and SNOMED CT, and words of other sources. The fields below contain them in any spelling. */
const OVER =
  /^(resolved|inactive|stopped|completed|complete|cancell?ed|aborted|discontinued|obsolete|ended|remission|active-not|finished|expired|73425007|413322009|277022003)$/;
const UNDONE =
  /^(refuted|entered-in-error|not-done|notadministered|not-administered|not-given|not-taken|refused|declined|nullified|disproven|410594000|385660001|443390004)$/;
/** States of what is to come. A statement of C-CDA is "new" or "held" before its work begins. */
const PLANNED = /^(draft|intended|planned|proposed|proposal|new|preparation|in-preparation)$/;
const HELD = /^(on-hold|onhold|held|suspended|paused|421139008)$/;
const ACTIVE = /^(active|recurrence|relapse|55561003|246455001|263855007)$/;

function spelled(value: unknown): string {
  return typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_]+/g, '-')
    : '';
}

export function coded(fact: Fact, field: string): readonly string[] {
  return [spelled(fact[`${field}_identifier`]), spelled(fact[`${field}_title`])];
}

export const statusFields = ['clinicalStatus', 'verificationStatus', 'status', 'administration_status'] as const;
const refusals = ['refusal_reason', 'statusReason'] as const;
const ends = ['endDate', 'date_stopped'] as const;
/** Where the beginning of what can be planned stands. */
const starts: Readonly<Record<string, string>> = {
  Medication: 'startDate',
  Immunization: 'date',
  Procedure: 'date_performed',
  Equipment: 'date_started',
};

/** The columns that `standingOf` and `statusWords` read. */
export const standingFields: readonly string[] = [
  ...statusFields,
  ...refusals,
  ...ends,
  ...Object.values(starts),
  'intent',
  'provenance',
];

/** Where no zone is known, it may be up to this many milliseconds earlier or later than in UTC. */
const UNKNOWN = 14 * 3_600_000;

/** How sources say that something was done: by codes, and by words without a code. */
const DONE = /^(dose-?given|partial-?dose|given|administered|completed?|done|performed|385658003|398166005)$/;

/** Whether a field says that something was done, which it cannot have been while its date is still to come. */
export function saysDone(fact: Fact, field: string): boolean {
  return coded(fact, field).some((text) => DONE.test(text));
}

/** The first and the last moment that a date of a fact may mean. */
function momentsOf(fact: Fact, field: string): readonly [number, number] {
  const stored = String(fact[field] ?? '');
  const clocks = (fact[CLOCKS] ?? {}) as Readonly<Record<string, unknown>>;
  const room = clocks[field] === 'local' ? UNKNOWN : 0;
  return [Date.parse(stored) - room, Date.parse(stored.length === 10 ? `${stored}T23:59:59Z` : stored) + room];
}

function isPast(fact: Fact, field: string, now: number): boolean {
  return momentsOf(fact, field)[1] < now;
}

/** Events happen once, such as vaccinations and results: one that is completed is there, and not over. */
function isEvent({ same }: Model): boolean {
  return same?.what === 'event';
}

const CANCELLED = /^cancell?ed$/;

function isToCome(fact: Fact, field: string, now: number): boolean {
  return momentsOf(fact, field)[0] > now;
}

/** The moments from `now` on at which the standing of a fact changes without a word of anybody. */
export function changesAhead({ name }: Model, fact: Fact, now: number): readonly number[] {
  return [...ends, ...(starts[name] ? [starts[name]] : [])]
    .filter((field) => fact[field])
    .flatMap((field) => momentsOf(fact, field))
    .filter((moment) => moment >= now);
}

const PLANS = /^(proposal|plan|planned|option|intent|int|prp)$/;

/** Whether somebody only means to do it. A plan that the patient reports is one that the patient follows. */
export function isPlan(fact: Fact): boolean {
  return coded(fact, 'intent').some((text) => PLANS.test(text)) && !coded(fact, 'provenance').includes('patientreport');
}

/** A plan of FHIR. In a list of medicines of C-CDA, an intent is what the person is meant to take now. */
function isPlanOfFhir(fact: Fact): boolean {
  return isPlan(fact) && String(fact['status_system'] ?? '').endsWith('/medicationrequest-status');
}

/** Handing a medicine out is complete, and nobody said that the person has stopped taking it. */
export function isHandedOut(fact: Fact): boolean {
  return coded(fact, 'provenance').includes('fulfillment') && coded(fact, 'status').includes('completed');
}

function stateStanding(model: Model, said: readonly string[], fact: Fact): Standing | undefined {
  const isOnce = isEvent(model);
  const refused = refusals.some((field) => coded(fact, field).some((text) => text !== ''));
  const wasCancelled = isOnce && said.some((text) => CANCELLED.test(text));
  if (wasCancelled || said.some((text) => UNDONE.test(text)) || (model.name === 'Immunization' && refused)) {
    return 'undone';
  }
  // What is said of the problem itself counts more than an end that stands beside it.
  if (coded(fact, 'clinicalStatus').some((text) => ACTIVE.test(text))) {
    return 'open';
  }
  return said.some((text) => OVER.test(text)) && !isOnce && !isHandedOut(fact) ? 'over' : undefined;
}

/** @param now milliseconds: an end that is past is over, and what begins later is planned */
export function standingOf(model: Model, fact: Fact, now: number): Standing {
  const { name } = model;
  const said = statusFields.flatMap((field) => coded(fact, field)).filter((text) => text !== '');
  const stated = stateStanding(model, said, fact);
  const start = starts[name];
  const begins = start !== undefined && isToCome(fact, start, now);
  // What is still to come has not been completed.
  if (stated !== undefined && !(stated === 'over' && begins && saysDone(fact, 'status'))) {
    return stated;
  }
  const held = said.some((text) => HELD.test(text));
  if (begins || said.some((text) => PLANNED.test(text)) || (isPlanOfFhir(fact) && !held)) {
    return 'planned';
  }
  // The end beside "on hold" is the day on which the pause began.
  return !held && ends.some((end) => isPast(fact, end, now)) && !isEvent(model) ? 'over' : 'open';
}

/** Statuses of medicines that were withdrawn before they began. */
const NOT_BEGUN = /^(cancell?ed|obsolete)$/;

/** The columns that `wasBegun` reads. */
export const begunFields: readonly string[] = standingFields;

/**
 * Whether a medicine with a start was begun, as far as its source says. A plan that the patient reports is one that the
 * patient follows.
 */
export function wasBegun(model: Model, fact: Fact, now: number): boolean {
  return (
    !['undone', 'planned'].includes(standingOf(model, fact, now)) &&
    !coded(fact, 'status').some((text) => NOT_BEGUN.test(text)) &&
    !isPlan(fact)
  );
}

/** Models with lists of what goes on or was given: there a status that is unknown is a question to the person. */
const ASKED = ['Medication', 'Immunization', 'Equipment'];

/** Whether the source says that nobody knows the status, or its words do not fit together. */
function isUnknown({ name }: Model, fact: Fact): boolean {
  return ASKED.includes(name) && coded(fact, 'status').includes('unknown');
}

/**
 * The standing that somebody said of a fact; undefined where nobody said any, as in a list without statuses, and
 * `unclear` where it goes on by nobody's word, and the status is said to be unknown.
 */
export function saidStanding(model: Model, fact: Fact, now: number): Standing | 'unclear' | undefined {
  const says = [...statusFields, 'intent'].some((field) => coded(fact, field).some((text) => text !== ''));
  const standing = standingOf(model, fact, now);
  if (standing === 'open' && isUnknown(model, fact)) {
    return 'unclear';
  }
  return standing === 'open' && (!says || isHandedOut(fact)) ? undefined : standing;
}
