/** times-of-day: when on a day a medicine is taken, where its dosages say nothing else (pure). */
import {
  hasOtherUnit,
  isExtended,
  originalWords,
  scheduleOf,
  type Digits,
  type Dosage,
  type DoseAndRate,
} from '../../../core/facts/model/dosage';
import { dosageWords } from '../../../core/facts/model/dosage-words';
import type { Words } from './words';

/** The times that the page always shows, and those that it shows only where they are said. */
export const TIMES = ['morning', 'noon', 'evening', 'night', 'bedtime'] as const;
type TimeOfDay = (typeof TIMES)[number];
/** What is taken at a time, in words; empty where the dosage does not say how much. */
type Doses = ReadonlyMap<TimeOfDay, string>;

/** Codes of FHIR of which everybody means the same time. Meals are none: people eat at different times. */
const BY_CODE: Readonly<Record<string, TimeOfDay>> = {
  MORN: 'morning',
  NOON: 'noon',
  EVE: 'evening',
  NIGHT: 'night',
  HS: 'bedtime',
};

/** What a dosage may say beside its times, because the sentence beside them says it, too. */
const BESIDE: readonly string[] = [
  'text',
  'patientInstruction',
  'additionalInstruction',
  'timing',
  'route',
  'site',
  'method',
  'doseAndRate',
  'extension',
];
const REPEATED: readonly string[] = ['frequency', 'period', 'periodUnit', 'when'];

function isOnly(part: object, names: readonly string[]): boolean {
  return Object.entries(part).every(([name, value]) => value === undefined || names.includes(name));
}

function isAmountOf(value: Digits | undefined, wanted: number): boolean {
  return value !== undefined && Number(String(value)) === wanted;
}

/** The times of a dosage that is the same every day; undefined where it says anything else. */
function everyDay({ timing }: Dosage): readonly TimeOfDay[] | undefined {
  if (!timing || !isOnly(timing, ['repeat', 'code']) || isExtended(timing)) {
    return undefined;
  }
  const { repeat, named } = scheduleOf(timing);
  const { frequency, period, periodUnit, when = [] } = repeat;
  const times = when.flatMap((code) => BY_CODE[code] ?? []);
  const isDaily = isAmountOf(period, 1) && periodUnit === 'd';
  const isEach = frequency === undefined || isAmountOf(frequency, 1) || isAmountOf(frequency, when.length);
  return named === '' &&
    isOnly(repeat, REPEATED) &&
    isDaily &&
    isEach &&
    times.length > 0 &&
    times.length === when.length
    ? times
    : undefined;
}

/** The one amount that is taken each time, in words; undefined where there are several or it is a rate. */
function doseOf({ doseAndRate = [] }: Dosage, { language }: Words): string | undefined {
  const [dose, ...others] = doseAndRate;
  if (!dose) {
    return '';
  }
  const { doseQuantity, doseRange } = dose;
  const isPlain =
    others.length === 0 && isOnly(dose, ['doseQuantity', 'doseRange', 'type'] satisfies (keyof DoseAndRate)[]);
  return !isPlain || (doseQuantity && hasOtherUnit(doseQuantity))
    ? undefined
    : dosageWords(
        [{ doseAndRate: [{ ...(doseQuantity && { doseQuantity }), ...(doseRange && { doseRange }) }] }],
        language,
      );
}

/** What is taken when, every day alike; undefined where the dosages say less, or more than that. */
export function dosesOf(dosages: readonly Dosage[], words: Words): Doses | undefined {
  const found = new Map<TimeOfDay, string>();
  for (const dosage of dosages) {
    const [times, dose] = [everyDay(dosage), doseOf(dosage, words)];
    if (
      !times ||
      dose === undefined ||
      !isOnly(dosage, BESIDE) ||
      isExtended(dosage) ||
      originalWords(dosage).length > 0
    ) {
      return undefined;
    }
    if (times.some((time) => found.has(time)) || new Set(times).size < times.length) {
      return undefined;
    }
    times.forEach((time) => found.set(time, dose));
  }
  return found.size === 0 ? undefined : found;
}

/** Whether all of it is taken only when it is needed. */
export function isWhenNeeded(dosages: readonly Dosage[]): boolean {
  return (
    dosages.length > 0 &&
    dosages.every(
      ({ asNeededBoolean, asNeededCodeableConcept }) =>
        asNeededBoolean === true || asNeededCodeableConcept !== undefined,
    )
  );
}
