/**
 * dosage-fields: what dosages say in the plain fields beside them. A field is filled only when it is true by itself:
 * an app that reads no more than the frequency must not take "on Mondays" for "each day".
 */
import { dosageText, dosagesIn, hasOtherUnit, type Dosage, type Quantity, type Repeat } from './dosage';
import { conceptWords, isExtended, originalWords, scheduleOf } from './dosage';
import { dosageWords } from './dosage-words';
import type { Column, Scalar } from './model';

type Values = Readonly<Record<string, Scalar>>;
type Amount = { readonly value: string; readonly unit: string };

function filledMembers(part: object): readonly string[] {
  return Object.entries(part)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name]) => name);
}

function hasOnly(part: object, names: readonly string[]): boolean {
  return filledMembers(part).every((name) => names.includes(name));
}

const UCUM = 'http://unitsofmeasure.org';

function amountOf(quantity: (Quantity & { readonly system?: string }) | undefined): Amount | undefined {
  const { value, comparator, unit, code, system } = quantity ?? {};
  if (value === undefined || comparator !== undefined) {
    return undefined;
  }
  if (quantity && hasOtherUnit(quantity)) {
    return { value: String(value), unit: `${unit} (${code})` };
  }
  return { value: String(value), unit: (system === UCUM ? code : undefined) ?? unit ?? code ?? '1' };
}

type Often = Amount & {
  /** Whether it reads as the source says it: "every 8 hours" is 3 a day, and does not. */
  readonly isLiteral: boolean;
};

function rateOf(times: number, period: number, unit: string): Often | undefined {
  if (!(times > 0 && period > 0) || !['s', 'min', 'h', 'd', 'wk', 'mo', 'a'].includes(unit)) {
    return undefined;
  }
  if (unit === 'h' && (24 * times) % period === 0) {
    return { value: String((24 * times) / period), unit: '/d', isLiteral: false };
  }
  if (times % period === 0) {
    return { value: String(times / period), unit: `/${unit}`, isLiteral: period === 1 };
  }
  return Number.isInteger(period)
    ? { value: String(times), unit: `/(${period}.${unit})`, isLiteral: false }
    : undefined;
}

function dosageNumber(value: unknown): number {
  return value === undefined ? 1 : Number(String(value));
}

function anyOfWords(...words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'iu');
}

/** Words for a schedule that is rarer than each day, or for a time that only some days have, in the languages of senders. */
const RARER = anyOfWords(
  /week|month|\bmon\b|tues|\btue\b|wednes|\bwed\b/u,
  /thurs|\bthu\b|\bfri\b|monday|friday|saturday|sunday|\bsat\b|\bsun\b/u,
  /other day|alternat|second day|third day|every (?:2|3|4|5|6|7|two|three|four|five|six|seven) days/u,
  /q\.?o\.?d\b|\bq\s?\d+\s?(?:d|w|wk|mo)\b|\bqw/u,
  /woche|wöchentlich|monat|jeden (?:zweiten|2\.)|alle (?:zwei|drei|\d+) tage/u,
  /tag(?:e|en)? (?:pause|abwechselnd)|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag/u,
  /semana|\bmes(?:es)?\b|mensual|lunes|martes/u,
  /miércoles|jueves|viernes|sábado|domingo|cada (?:dos|tres|\d+) días|día por medio|días alternos/u,
  /semaine|hebdo|mensuel|\bmois\b/u,
  /lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|un jour sur|tous les (?:deux|trois|\d+) jours/u,
  /settiman|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica/u,
  /أسبوع|شهر|يوم بعد يوم/u,
);
/** Words for a medicine that is taken on a condition, or not for now. */
const CONDITIONAL = anyOfWords(
  /\bp\.?r\.?n\b|as needed|if needed|when needed|when required|as required|as directed/u,
  /only if|\bhold\b|\bstop\b|do not take|not take|discontinu|\btaper/u,
  /bei bedarf|nach bedarf|wenn nötig/u,
  /si (?:es )?necesari|si besoin|au besoin|a demanda|al bisogno/u,
  /عند (?:الحاجة|اللزوم)/u,
);
/** Words for a dose that is another one each time, so that an amount beside them is one of several. */
const VARIED = anyOfWords(
  /sliding scale|\bscale\b|titrat|\btaper|\bvar(?:y|ies|iable)\b|\badjust|per (?:protocol|inr|blood|glucose|sugar)/u,
  /according to|depending on|based on|correction (?:scale|factor)|carb(?:ohydrate)? ratio/u,
  /nach (?:schema|plan|inr|quick|blutzucker|bz|spritzplan)|spritzschema|korrekturschema|ausschleich|einschleich/u,
  /según (?:pauta|esquema|glucemia|inr|protocolo)|pauta (?:móvil|correctora|descendente)|escala móvil/u,
  /selon (?:protocole|schéma|glycémie|inr|la glycémie)|secondo (?:schema|glicemia|inr)|volgens schema/u,
  /حسب (?:السكر|الجدول|مستوى)/u,
);

/** The dose, if there is one dose of a known amount. */
function doseOf({ doseAndRate = [], text = '' }: Dosage): Amount | undefined {
  const [first] = doseAndRate;
  return first && doseAndRate.length === 1 && hasOnly(first, ['doseQuantity', 'type']) && !VARIED.test(text)
    ? amountOf(first.doseQuantity)
    : undefined;
}

/** Words for how many times a day. */
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/\bonce\b|\bq\.?d\.?\b|one time|1 time\b|einmal|1 ?x\b|\buna vez\b|une fois|una volta/iu, 1],
  [/\btwice\b|\bb\.?i\.?d\b|two times|2 times|zweimal|2 ?x\b|dos veces|deux fois|due volte/iu, 2],
  [/\bthrice\b|\bt\.?i\.?d\b|three times|3 times|dreimal|3 ?x\b|tres veces|trois fois|tre volte/iu, 3],
  [/\bq\.?i\.?d\b|four times|4 times|viermal|4 ?x\b|cuatro veces|quatre fois|quattro volte/iu, 4],
];

/** Whether the words of the source say another schedule than its elements do. Then neither is exact. */
function isContradicted({ text = '' }: Dosage, { value, unit }: Often): boolean {
  const said = TIMES.filter(([words]) => words.test(text)).map(([, times]) => times);
  return (
    CONDITIONAL.test(text) ||
    VARIED.test(text) ||
    (unit === '/d' && (RARER.test(text) || (said.length > 0 && !said.some((times) => String(times) === value))))
  );
}

const SCHEDULE = ['frequency', 'period', 'periodUnit', 'boundsPeriod'];

/** How often, if nothing narrows it: no days, no times of the day, no number of times, no condition. */
function oftenOf(dosage: Dosage): Often | undefined {
  const { timing } = dosage;
  const isNarrowed =
    dosage.asNeededBoolean === true ||
    [dosage.asNeededCodeableConcept, dosage.maxDosePerPeriod, dosage.maxDosePerLifetime].some(Boolean) ||
    isExtended(dosage) ||
    originalWords(dosage).length > 0;
  if (!timing || isNarrowed || !hasOnly(timing, ['repeat', 'code'])) {
    return undefined;
  }
  const { repeat, named } = scheduleOf(timing);
  const often =
    named === '' && hasOnly(repeat, SCHEDULE) && repeat.period !== undefined
      ? rateOf(dosageNumber(repeat.frequency), dosageNumber(repeat.period), repeat.periodUnit ?? '')
      : undefined;
  return often && !isContradicted(dosage, often) ? often : undefined;
}

function isSaidBy({ boundsPeriod = {} }: Repeat, { startDate = null, endDate = null }: Values): boolean {
  return [
    [boundsPeriod.start, startDate],
    [boundsPeriod.end, endDate],
  ].every(([bound, field]) => bound === undefined || bound === field);
}

/** Elements of a dosage that the plain fields say as well. */
const PLAIN = ['text', 'sequence', 'timing', 'doseAndRate', 'asNeededBoolean'];

/** Whether the plain fields say all of the dosage. */
function isPlainDosage(dosage: Dosage, values: Values): boolean {
  const { timing, doseAndRate, asNeededBoolean } = dosage;
  return (
    hasOnly(dosage, PLAIN) &&
    asNeededBoolean !== true &&
    (!timing || (oftenOf(dosage)?.isLiteral === true && isSaidBy(timing.repeat ?? {}, values))) &&
    (!doseAndRate || (doseOf(dosage) !== undefined && conceptWords(doseAndRate[0]?.type) === ''))
  );
}

function isTextOnly(dosage: Dosage): boolean {
  return hasOnly(dosage, ['text']);
}

/** @param hasPlain whether the model has fields for a dose and a frequency */
function dosageFields(dosages: readonly Dosage[], values: Values, hasPlain: boolean): Values {
  const [only] = dosages.length === 1 ? dosages : [];
  const [dose, often] = [only && doseOf(only), only && oftenOf(only)];
  const isAll = dosages.every(isTextOnly) || (only !== undefined && hasPlain && isPlainDosage(only, values));
  return {
    dosage: isAll ? null : (dosageText(dosages) ?? null),
    instructions: isAll
      ? dosages.flatMap(({ text }) => text?.trim() ?? []).join('; ') || null
      : dosageWords(dosages, 'en') || null,
    quantity_value: dose?.value ?? null,
    quantity_unit: dose?.unit ?? null,
    frequency_value: often?.value ?? null,
    frequency_unit: often?.unit ?? null,
  };
}

function isGiven(value: Scalar | undefined): boolean {
  return value !== null && value !== undefined && value !== '';
}

/**
 * The values of a fact with dosages: what its plain fields (`instructions`, `quantity`, `frequency`) say of them, and
 * the dosages themselves where these do not say all of it. Fields that the document fills itself stay as they are.
 */
export function withDosage(columns: readonly Column[], values: Values): Values {
  const column = columns.find(({ dosage }) => dosage === true);
  const text = column && values[column.name];
  const dosages = typeof text === 'string' ? dosagesIn(text) : undefined;
  if (!column || !dosages) {
    return values;
  }
  const hasPlain = columns.some(({ name }) => name === 'frequency_value');
  const { dosage = null, ...plain } = dosageFields(dosages, values, hasPlain);
  const own = Object.keys(plain).some((name) => isGiven(values[name]));
  const known = Object.entries(plain).filter(([name]) => columns.some((one) => one.name === name));
  return own ? values : { ...values, ...Object.fromEntries(known), [column.name]: dosage };
}
