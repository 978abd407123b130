/**
 * standing: tells whether somebody said that a fact is over, not given or ruled out. Nothing is guessed that nobody
 * said.
 */
import type { Model } from '../../core/datamodel/model';
import { fieldWords, type Fact } from './facts';
import { commaSeparated, type Words } from './words';

/** `open`: nothing says that it has ended. */
export type Standing = 'open' | 'over' | 'undone';

/** Codes of FHIR and SNOMED CT, and words of other sources. The fields below contain them in any spelling. */
const OVER =
  /^(resolved|inactive|stopped|completed|complete|cancell?ed|aborted|suspended|on-hold|ended|remission|active-not|finished|expired|73425007|413322009|277022003|421139008)$/;
const UNDONE =
  /^(refuted|entered-in-error|not-done|not-given|not-taken|refused|declined|nullified|disproven|410594000|385660001|443390004)$/;

const spelled = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_]+/g, '-')
    : '';

const coded = (fact: Fact, field: string): readonly string[] => [
  spelled(fact[`${field}_identifier`]),
  spelled(fact[`${field}_title`]),
];

const fields = ['clinicalStatus', 'verificationStatus', 'status', 'administration_status'] as const;
const refusals = ['refusal_reason', 'statusReason'] as const;
const ends = ['endDate', 'date_stopped'] as const;

/** The columns that `standingOf` and `statusWords` read. */
export const standingFields: readonly string[] = [...fields, ...refusals, ...ends];

const isPast = (value: unknown, now: number): boolean =>
  typeof value === 'string' && value !== '' && Date.parse(value.length === 10 ? `${value}T23:59:59Z` : value) < now;

/** Models of events that happen once, such as vaccinations. A completed one is not over. */
const once: readonly string[] = ['Immunization', 'Procedure'];

/** @param now milliseconds: an end that is past is over */
export const standingOf = ({ name }: Model, fact: Fact, now: number): Standing => {
  const said = fields.flatMap((field) => coded(fact, field)).filter((text) => text !== '');
  const refused = refusals.some((field) => coded(fact, field).some((text) => text !== ''));
  if (said.some((text) => UNDONE.test(text)) || (name === 'Immunization' && refused)) {
    return 'undone';
  }
  const ended = said.some((text) => OVER.test(text)) || ends.some((end) => isPast(fact[end], now));
  return ended && !once.includes(name) ? 'over' : 'open';
};

/** Statuses of medicines that are only planned, or were withdrawn before they began. */
const NOT_BEGUN = /^(draft|intended|planned|proposed|cancell?ed|obsolete)$/;
const PLANS = /^(proposal|plan|planned|option|intent|int|prp)$/;

/** The columns that `wasBegun` reads. */
export const begunFields: readonly string[] = [...standingFields, 'intent', 'provenance'];

/**
 * Whether a medicine with a start was begun, as far as its source says. A plan that the patient reports is one that the
 * patient follows.
 */
export const wasBegun = (model: Model, fact: Fact, now: number): boolean => {
  const isPlan = coded(fact, 'intent').some((text) => PLANS.test(text));
  const isReported = coded(fact, 'provenance').includes('patientreport');
  return (
    standingOf(model, fact, now) !== 'undone' &&
    !coded(fact, 'status').some((text) => NOT_BEGUN.test(text)) &&
    (!isPlan || isReported)
  );
};

/** Whether the fact says if a dose was given, which says more than that its entry is complete. */
const saysMore = (fact: Fact): boolean =>
  coded(fact, 'administration_status').some((text) => text !== '') && coded(fact, 'status').includes('completed');

/** The status as the source says it: "on hold", "active"; empty when nobody gave one. */
export const statusWords = (model: Model, fact: Fact, words: Words): string =>
  commaSeparated(
    fields
      .filter((field) => field !== 'status' || !saysMore(fact))
      .map((field) => fieldWords(model, fact, field, words))
      .map((text) => text.charAt(0).toLowerCase() + text.slice(1)),
    words,
  );

/** The fact without the fields that `statusWords` puts into words. */
export const withoutStatus = (fact: Fact): Fact => ({
  ...fact,
  ...Object.fromEntries(
    fields.flatMap((field) => [`${field}_title`, `${field}_identifier`].map((name) => [name, null])),
  ),
});
