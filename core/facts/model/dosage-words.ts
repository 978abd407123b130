/**
 * dosage-words: how a medicine is taken, in a person's language. This is the only place that puts dosages into words,
 * so that no page, report or resource shows a schedule that is simpler than what the source says.
 */
import { languages, type Language } from '../../base/languages';
import { inProject } from '../../base/paths';
import { textsOf } from '../../base/texts';
import { decimalOf } from '../../fhir/decimal';
import {
  hasOtherUnit,
  conceptWords,
  isExtended,
  originalWords,
  scheduleOf,
  type Concept,
  type Digits,
  type Dosage,
  type DoseAndRate,
  type Quantity,
  type Range,
  type Ratio,
  type Repeat,
  type Timing,
} from './dosage';

export const dosageTexts = textsOf(inProject('core', 'facts', 'texts'));

/** The people's language, with what the functions below share. */
type Speech = {
  readonly language: Language;
  readonly locale: string;
  readonly say: (name: string, values?: Readonly<Record<string, string | number>>) => string;
};

function speechOf(language: Language): Speech {
  return {
    language,
    locale: languages[language].locale,
    say: (name, values) =>
      String(dosageTexts.formatOf(language, name.includes('.') ? name : `dosage.${name}`).format(values)),
  };
}

/** The text for a code, by its key; the code itself, if there is none. */
function codeIn(key: string, code: string, { language, say }: Speech): string {
  const [section = '', name = ''] = key.split('.');
  return Object.hasOwn(dosageTexts.read()[language][section] ?? {}, name) ? say(key) : code;
}

function joinWords(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== '').join(between);
}

/** Words of the source. They keep their own direction within a line in Arabic. */
function wordsAsWritten(text: string, { language }: Speech): string {
  const words = text.trim();
  return words === '' || language !== 'ar' ? words : `\u2068${words}\u2069`;
}

function conceptIn(concept: Concept | undefined, speech: Speech): string {
  return wordsAsWritten(conceptWords(concept), speech);
}

/** Making a format takes much longer than using it, and there are few, so each is made once. */
const keptFormats = new Map<string, unknown>();

function keptFormat<T>(key: string, make: () => T): T {
  const format = (keptFormats.get(key) as T | undefined) ?? make();
  keptFormats.set(key, format);
  return format;
}

function listIn(parts: readonly string[], type: 'conjunction' | 'disjunction', { locale }: Speech): string {
  return keptFormat(`${locale} ${type}`, () => new Intl.ListFormat(locale, { type })).format(
    parts.filter((part) => part !== ''),
  );
}

/** A number with all its digits. A thousand has no separator, because people could read it as a decimal mark. */
function dosageNumberWords(value: Digits | string, { locale }: Speech, unit?: string): string {
  return keptFormat(`${locale} number ${unit ?? ''}`, () => {
    const unitStyle = unit === undefined ? {} : ({ style: 'unit', unit, unitDisplay: 'long' } as const);
    return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20, ...unitStyle });
  }).format(String(value) as unknown as number);
}

const timeUnits: Readonly<Record<string, string>> = {
  s: 'second',
  min: 'minute',
  h: 'hour',
  d: 'day',
  wk: 'week',
  mo: 'month',
  a: 'year',
};
const timeNames: ReadonlyMap<string, string> = new Map([
  ...Object.keys(timeUnits).map((code) => [code, code] as const),
  ...Object.entries(timeUnits).flatMap(([code, name]) => [[name, code] as const, [`${name}s`, code] as const]),
  ['sec', 's'],
  ['hr', 'h'],
  ['hrs', 'h'],
  ['yr', 'a'],
]);

/** The code of a unit of time; undefined for other units. */
function timeUnitOf({ code, unit }: Quantity): string | undefined {
  return timeNames.get((code ?? '').trim()) ?? timeNames.get((unit ?? '').trim().toLowerCase());
}

/** The signs that people use, where they differ from the code of the unit. */
const signs: Readonly<Record<string, string>> = {
  '1': '',
  '[IU]': 'IU',
  '[iU]': 'IU',
  "[USP'U]": 'USP units',
  '[drp]': 'drops',
  '[tsp_us]': 'tsp',
  '[tbs_us]': 'tbsp',
  '%': '%',
};

function unitOfQuantity(quantity: Quantity): string {
  const { unit, code } = quantity;
  if (hasOtherUnit(quantity)) {
    return `${unit} (${code})`;
  }
  const said = (unit ?? code ?? '').trim();
  return signs[said] ?? said.replace(/^\{(.+)\}$/, '$1').replace(/\bu(?=[gLlm]\b)/g, 'µ');
}

function lengthIn(value: Digits | undefined, unit: string, speech: Speech): string {
  return value === undefined ? '' : dosageNumberWords(value, speech, timeUnits[unit]);
}

const compared: Readonly<Record<string, string>> = { '<': 'less', '<=': 'at-most', '>=': 'at-least', '>': 'more' };

function withoutComparator(quantity: Quantity, speech: Speech): string {
  const time = timeUnitOf(quantity);
  if (quantity.value !== undefined && time !== undefined) {
    return lengthIn(quantity.value, time, speech);
  }
  const unit = unitOfQuantity(quantity);
  if (quantity.value === undefined || unit === '') {
    return quantity.value === undefined ? unit : dosageNumberWords(quantity.value, speech);
  }
  const both = `${dosageNumberWords(quantity.value, speech)} ${unit}`;
  // A line in Arabic would turn the number and its unit around.
  return speech.language === 'ar' ? `\u2066${both}\u2069` : both;
}

function quantityIn(quantity: Quantity | undefined, speech: Speech): string {
  const amount = quantity ? withoutComparator(quantity, speech) : '';
  const comparison = compared[quantity?.comparator ?? ''];
  return amount === '' || comparison === undefined ? amount : speech.say(comparison, { amount });
}

function rangeIn({ low, high }: Range, speech: Speech): string {
  const isSame = low && high && unitOfQuantity(low) === unitOfQuantity(high) && timeUnitOf(low) === timeUnitOf(high);
  const [least, most] = [quantityIn(low, speech), quantityIn(high, speech)];
  if (least === '' || most === '') {
    return least === '' ? most && speech.say('up-to', { amount: most }) : speech.say('at-least', { amount: least });
  }
  const first = isSame && low.value !== undefined ? dosageNumberWords(low.value, speech) : least;
  return speech.say('range', { low: first, high: most });
}

function perIn({ numerator, denominator }: Ratio, speech: Speech): string {
  const of = quantityIn(denominator, speech);
  const amount = quantityIn(numerator, speech);
  return of === '' ? amount : speech.say('per', { amount: amount || '?', of });
}

/** A number alone does not say that it is a dose, and "at most 2 mg" would read as the most that may be taken. */
function needsName({ doseQuantity, doseRange }: DoseAndRate): boolean {
  return (
    doseQuantity?.comparator !== undefined ||
    (doseRange !== undefined && !(doseRange.low && doseRange.high)) ||
    [doseQuantity, doseRange?.low, doseRange?.high].every((quantity) => !quantity || unitOfQuantity(quantity) === '')
  );
}

function doseIn(said: DoseAndRate, speech: Speech): string {
  const { doseQuantity, doseRange, rateQuantity, rateRange, rateRatio, type } = said;
  const amount = doseRange ? rangeIn(doseRange, speech) : quantityIn(doseQuantity, speech);
  const dose = amount !== '' && needsName(said) ? speech.say('dose', { amount }) : amount;
  const rate =
    (rateRatio && perIn(rateRatio, speech)) ??
    (rateRange ? rangeIn(rateRange, speech) : quantityIn(rateQuantity, speech));
  const words = joinWords([dose, rate && speech.say('rate', { rate })], ' ');
  const kind = conceptIn(type, speech);
  return kind === '' ? words : speech.say('typed', { dose: words, type: kind }).trim();
}

function dosesIn({ doseAndRate = [] }: Dosage, speech: Speech): string {
  return listIn(
    doseAndRate.map((one) => doseIn(one, speech)),
    'disjunction',
    speech,
  );
}

/** A point in time as the source writes it, on the clock of the source. */
function momentIn(text: string, speech: Speech): string {
  const [, year, month, day, time, seconds, zone] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d)(?::(\d\d)[\d.]*)?(Z|[+-]\d\d:\d\d)?)?)?)?$/.exec(text) ?? [];
  if (year === undefined) {
    return text;
  }
  const format = keptFormat(`${speech.locale} date ${String(month !== undefined)} ${String(day !== undefined)}`, () => {
    const parts = { ...(month && { month: 'long' as const }), ...(day && { day: 'numeric' as const }) };
    return new Intl.DateTimeFormat(speech.locale, { timeZone: 'UTC', year: 'numeric', ...parts });
  });
  const date = format.format(Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}`));
  const clock = time && clockIn(`${time}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`, speech);
  return joinWords([date, clock ?? '', zone ? `(UTC${zone === 'Z' ? '' : zone})` : ''], ' ');
}

/** "08:00:00" as people write it; seconds only where there are some. */
function clockIn(time: string, speech: Speech): string {
  const { language } = speech;
  const short = time.replace(/^(\d\d:\d\d):00(?:\.0*)?$/, '$1');
  return language === 'ar' ? short.replace(/\d/g, (digit) => dosageNumberWords(digit, speech)) : short;
}

function timesIn(low: Digits | undefined, high: Digits | undefined, speech: Speech): string {
  const one = (value: Digits): string =>
    speech.say('times', { count: Number(String(value)), shown: dosageNumberWords(value, speech) });
  if (low !== undefined && high !== undefined && Number(String(low)) !== Number(String(high))) {
    return speech.say('times-range', { low: dosageNumberWords(low, speech), high: dosageNumberWords(high, speech) });
  }
  return low === undefined ? speech.say('up-to', { amount: one(high!) }) : one(low);
}

function lengthRangeIn(low: Digits | undefined, high: Digits | undefined, unit: string, speech: Speech): string {
  const [least, most] = [lengthIn(low, unit, speech), lengthIn(high, unit, speech)];
  if (low === undefined || most === '') {
    return least || (most && speech.say('up-to', { amount: most }));
  }
  return speech.say('range', { low: dosageNumberWords(low, speech), high: most });
}

function isOne(value: Digits | undefined): boolean {
  return value !== undefined && Number(String(value)) === 1;
}

/** Whether a schedule says no more than "each day", beside days, times or meals that say when. */
function isDaily({ frequency, frequencyMax, period, periodMax, periodUnit }: Repeat): boolean {
  return (
    (frequency === undefined || isOne(frequency)) &&
    frequencyMax === undefined &&
    isOne(period) &&
    periodMax === undefined &&
    periodUnit === 'd'
  );
}

/** Whether "once a day" would be false or add nothing, because days or several times of the day say when. */
function isSaidByTimes(repeat: Repeat): boolean {
  return (
    isDaily(repeat) &&
    [repeat.dayOfWeek, repeat.timeOfDay, repeat.when].some((said, i) => (said ?? []).length > (i && 1))
  );
}

/**
 * "3 times a day", "once every 6 to 8 hours". "Once a day" is not said beside days of the week or several times of the
 * day, which say exactly when.
 */
function oftenIn(repeat: Repeat, speech: Speech): string {
  const { frequency, frequencyMax, period, periodMax, periodUnit = '', dayOfWeek = [] } = repeat;
  if (isSaidByTimes(repeat)) {
    return dayOfWeek.length > 0 ? '' : speech.say('every-day');
  }
  const hasPeriod = period !== undefined || periodMax !== undefined;
  if (frequency === undefined && frequencyMax === undefined && !hasPeriod) {
    return '';
  }
  const times =
    frequency === undefined && frequencyMax === undefined
      ? speech.say('times', { count: 1, shown: dosageNumberWords('1', speech) })
      : timesIn(frequency, frequencyMax, speech);
  if (!hasPeriod) {
    return times;
  }
  if (timeUnits[periodUnit] === undefined) {
    return speech.say('every-unknown', { times, period: rangeIn({ ...quantities(period, periodMax) }, speech) });
  }
  return isOne(period) && periodMax === undefined
    ? speech.say(`a-${periodUnit}`, { times })
    : speech.say('every', { times, time: lengthRangeIn(period, periodMax, periodUnit, speech) });
}

function quantities(low: Digits | undefined, high: Digits | undefined): Range {
  return {
    ...(low === undefined ? {} : { low: { value: low } }),
    ...(high === undefined ? {} : { high: { value: high } }),
  };
}

function daysIn({ dayOfWeek = [] }: Repeat, speech: Speech): string {
  return listIn(
    dayOfWeek.map((day) => codeIn(`day.${day}`, day, speech)),
    'conjunction',
    speech,
  );
}

function clocksIn({ timeOfDay = [] }: Repeat, speech: Speech): string {
  const times = listIn(
    timeOfDay.map((time) => clockIn(time, speech)),
    'conjunction',
    speech,
  );
  return times && speech.say('at', { times });
}

/** Moments whose words say themselves whether something is before or after them. */
const SIDED = /^(?:AC|PC|PHS|WAKE)/;

function whenIn(code: string, offset: Digits | undefined, speech: Speech): string {
  const when = codeIn(`when.${code.replace('.', '-')}`, code, speech);
  if (offset === undefined || Number(String(offset)) === 0) {
    return when;
  }
  const time = lengthIn(offset, 'min', speech);
  return speech.say(SIDED.test(code) ? 'offset-before' : 'offset-after', { time, when });
}

function whensIn({ when = [], offset }: Repeat, speech: Speech): string {
  return when.length === 0 && offset !== undefined
    ? speech.say('offset', { time: lengthIn(offset, 'min', speech) })
    : listIn(
        when.map((code) => whenIn(code, offset, speech)),
        'conjunction',
        speech,
      );
}

function eachIn({ duration, durationMax, durationUnit = '' }: Repeat, speech: Speech): string {
  if (duration === undefined && durationMax === undefined) {
    return '';
  }
  const time =
    timeUnits[durationUnit] === undefined
      ? speech.say('unit-unknown', { count: rangeIn(quantities(duration, durationMax), speech) })
      : lengthRangeIn(duration, durationMax, durationUnit, speech);
  return speech.say('each', { time });
}

function boundsIn({ boundsDuration, boundsRange, boundsPeriod }: Repeat, speech: Speech): string {
  const time = boundsRange ? rangeIn(boundsRange, speech) : quantityIn(boundsDuration, speech);
  const [start, end] = [boundsPeriod?.start, boundsPeriod?.end].map((at) => (at ? momentIn(at, speech) : ''));
  if (start && end) {
    return speech.say('between', { start, end });
  }
  return ((start && speech.say('from', { start })) ||
    (end && speech.say('until', { end })) ||
    (time && speech.say('for', { time }))) as string;
}

/** Elements that a unit of time without a number leaves unclear: "count 1" of a unit "d" may mean once, or once a day. */
const UNCLEAR = ['frequency', 'frequencyMax', 'count', 'countMax', 'duration', 'durationMax', 'durationUnit'] as const;

/** How often, where the source gives a unit of time and no number of it: no schedule, and its own elements instead. */
function unclearIn(repeat: Repeat, speech: Speech): string {
  const { period, periodMax, periodUnit } = repeat;
  if (periodUnit === undefined || period !== undefined || periodMax !== undefined) {
    return '';
  }
  const said = [...UNCLEAR, 'periodUnit' as const]
    .filter((name) => repeat[name] !== undefined)
    .map((name) => `${name} ${String(repeat[name])}`);
  return speech.say('unclear', { said: wordsAsWritten(said.join(', '), speech) });
}

function withoutUnclear(repeat: Repeat): Repeat {
  return Object.fromEntries(Object.entries(repeat).filter(([name]) => !(UNCLEAR as readonly string[]).includes(name)));
}

function timingIn(timing: Timing | undefined, speech: Speech): readonly string[] {
  if (!timing) {
    return [];
  }
  const { repeat: whole, named } = scheduleOf(timing);
  const unclear = unclearIn(whole, speech);
  const repeat = unclear === '' ? whole : withoutUnclear(whole);
  const { count, countMax } = repeat;
  const dates = listIn(
    (timing.event ?? []).map((date) => momentIn(date, speech)),
    'conjunction',
    speech,
  );
  const often = unclear || oftenIn(repeat, speech);
  const exactly = [daysIn(repeat, speech), clocksIn(repeat, speech), whensIn(repeat, speech)];
  return [
    ...(isSaidByTimes(repeat) ? [...exactly, often] : [often, ...exactly]),
    eachIn(repeat, speech),
    count === undefined && countMax === undefined
      ? ''
      : speech.say('in-all', { times: timesIn(count, countMax, speech) }),
    boundsIn(repeat, speech),
    dates && speech.say('event', { dates }),
    named && speech.say('schedule', { what: wordsAsWritten(named, speech) }),
  ].filter((part) => part !== '');
}

/** What sources write before a reason, which is said anyway: "as needed for as needed for nausea". */
const NEEDED =
  /^(?:(?:as|if|when|whenever) needed|p\.?r\.?n\.?|bei bedarf|b\.b\.|si es necesario|según necesidad|عند الحاجة)(?=$|[\s:,])[\s:,]*(?:for\s+)?/iu;

function neededIn({ asNeededBoolean, asNeededCodeableConcept }: Dosage, speech: Speech): string {
  const what = wordsAsWritten(conceptWords(asNeededCodeableConcept).replace(NEEDED, ''), speech);
  if (what !== '') {
    return speech.say('as-needed-for', { what });
  }
  return asNeededBoolean === true || asNeededCodeableConcept ? speech.say('as-needed') : '';
}

function mostIn(ratio: Ratio | undefined, speech: Speech): string {
  if (!ratio) {
    return '';
  }
  const { numerator, denominator } = ratio;
  const [amount, time] = [quantityIn(numerator, speech) || '?', quantityIn(denominator, speech)];
  if (!denominator || time === '') {
    return speech.say('most-unknown', { amount });
  }
  const unit = timeUnitOf(denominator);
  if (unit === undefined) {
    return speech.say('most-per', { amount, of: time });
  }
  return unit === 'd' && isOne(denominator.value) && denominator.comparator === undefined
    ? speech.say('most-d', { amount })
    : speech.say('most-in', { amount, time });
}

function labelled(name: string, what: string, speech: Speech): string {
  return what && speech.say(name, { what });
}

function limit(name: string, amount: string, speech: Speech): string {
  return amount && speech.say(name, { amount });
}

function extendedParts({ timing = {}, doseAndRate = [], ...dosage }: Dosage) {
  return [dosage, timing, timing.repeat ?? {}, ...doseAndRate];
}

/** Everything that the elements of one dosage say, beside the free text of its source. */
function elementsIn(dosage: Dosage, speech: Speech): string {
  const comma = speech.language === 'ar' ? '، ' : ', ';
  const [first = '', ...more] = timingIn(dosage.timing, speech);
  const parts = extendedParts(dosage);
  return joinWords(
    [
      joinWords([joinWords([dosesIn(dosage, speech), first], /^\p{N}/u.test(first) ? comma : ' '), ...more], comma),
      neededIn(dosage, speech),
      mostIn(dosage.maxDosePerPeriod, speech),
      limit('most-once', quantityIn(dosage.maxDosePerAdministration, speech), speech),
      limit('most-ever', quantityIn(dosage.maxDosePerLifetime, speech), speech),
      labelled('route', conceptIn(dosage.route, speech), speech),
      labelled('site', conceptIn(dosage.site, speech), speech),
      labelled('method', conceptIn(dosage.method, speech), speech),
      ...(dosage.additionalInstruction ?? []).map((one) => labelled('instruction', conceptIn(one, speech), speech)),
      labelled('instruction', wordsAsWritten(dosage.patientInstruction ?? '', speech), speech),
      ...parts.flatMap(originalWords).map((one) => labelled('original', wordsAsWritten(one, speech), speech)),
      parts.some(isExtended) ? speech.say('unread') : '',
    ],
    speech.language === 'ar' ? '؛ ' : '; ',
  );
}

/** A text that says the same as the elements, in English, is one that this service gave out: it is not said twice. */
function saysTheElements(text: string, dosage: Dosage): boolean {
  return text.trim().toLowerCase() === elementsIn(dosage, speechOf('en')).toLowerCase();
}

function oneIn(dosage: Dosage, speech: Speech): string {
  const [text, elements] = [wordsAsWritten(dosage.text ?? '', speech), elementsIn(dosage, speech)];
  if (text === '' || elements === '' || saysTheElements(dosage.text ?? '', dosage)) {
    return elements || text;
  }
  return `${text} (${elements})`;
}

function sequenceOf({ sequence }: Dosage): number {
  return sequence === undefined ? 0 : Number(String(sequence));
}

/** Words of a source that say themselves that they come next. */
const SAYS_THEN = /^(?:then|followed by|dann|danach|anschließend|luego|después|ensuite|puis|poi|ثم)(?=[\s,:])/iu;

/** The words for one after the other: those of the next number come "then", those of the same number "and". */
function inSequence(dosages: readonly Dosage[], speech: Speech): string {
  return [...dosages]
    .sort((one, other) => sequenceOf(one) - sequenceOf(other))
    .map((dosage) => ({ words: oneIn(dosage, speech), place: sequenceOf(dosage) }))
    .filter(({ words }) => words !== '')
    .map(({ words, place }, index, all) => {
      const before = all[index - 1];
      if (!before) {
        return words;
      }
      const byPlace = place > before.place ? 'then' : 'and';
      return speech.say(SAYS_THEN.test(words) ? 'next' : byPlace, { other: words });
    })
    .join('');
}

/** A frequency that is stored as a number and a unit: 1 and `/(6.mo)` mean once every 6 months. */
const FREQUENCY = /^\/(?:\((\d+)\.(s|min|h|d|wk|mo|a)\)|(mo|a))$/;

/** A stored frequency that is no plain number a day or a week, in words; undefined for other units. */
export function frequencyWords(value: string, unit: string, language: Language): string | undefined {
  const [, period, long, plain] = FREQUENCY.exec(unit) ?? [];
  const periodUnit = plain ?? long;
  const frequency = decimalOf(value);
  return periodUnit === undefined || frequency === undefined
    ? undefined
    : dosageWords([{ timing: { repeat: { frequency, period: decimalOf(period ?? '1')!, periodUnit } } }], language);
}

/** All that dosages say, in words; empty when they say nothing. */
export function dosageWords(dosages: readonly Dosage[], language: Language): string {
  return inSequence(dosages, speechOf(language));
}
