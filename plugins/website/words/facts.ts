/** facts: puts a fact of any model into words: what it is, what else is known about it, and when it was. */
import { CLOCKS, knownPart, PARTIAL_DATES, parsePartialDate, type PartialDates } from '../../../core/facts/model/dates';
import type { Model, ModelField, Models, Scalar } from '../../../core/facts/model/model';
import { dosagesIn } from '../../../core/facts/model/dosage';
import { dosageWords, frequencyWords } from '../../../core/facts/model/dosage-words';
import { coded, saysDone } from '../../../core/lines/standing';
import { noteWords } from '../../../core/language/note-words';
import { COMPUTED_DIGITS, isComputed, MOST_EXACT } from '../../../core/language/number-digits';
import { measureWords, joinNumbers } from './measure-words';
import { stateWords } from './state-words';
import { commaSeparated, type Words } from './words';
import { dayOnly, isLaterDay } from './zoned';

/** A fact as a report answers it in JSON (SDMJ): columns by name, nested facts under their field. */
export type Fact = {
  readonly __modelname__: string;
  readonly __documentid__?: string;
  /** The fact is seen by its kind: its document stays closed. */ readonly __closed__?: true;
  /** When that document was written. */ readonly __paper__?: string;
  /** The fact's own id, where the page needs it. */ readonly __id__?: string;
  readonly [name: string]: unknown;
};

/** The place of a fact on the page of its document, to which other pages lead. */
export function factAnchor({ __id__: id = '' }: Fact): string {
  return `fact-${id}`;
}

/**
 * The address of a fact in its document, or of the document where the page does not know the id of the fact; undefined
 * where the document stays closed. The query has the page show the fact, however long the document is.
 */
export function factAddress(base: string, fact: Fact): string | undefined {
  const { __documentid__: documentId = '', __id__: id, __closed__: closed } = fact;
  const address = `${base}documents/${encodeURIComponent(documentId)}`;
  if (closed) {
    return undefined;
  }
  return id ? `${address}?fact=${encodeURIComponent(id)}#${factAnchor(fact)}` : address;
}

/** Values of a fact by column. */
export type Values = Readonly<Record<string, unknown>>;

export function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function isFilled(value: unknown): value is Exclude<Scalar, null> {
  return value !== null && value !== undefined && value !== '';
}

/** `drugName` and `drug_name` as words: "Drug name". */
export function splitName(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .filter(Boolean)
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function inLanguage(model: Model, { language }: Words) {
  return model.words?.languages[language] ?? model.words?.languages['en'];
}

/** A nested model that people see by itself; words files name no nested models. */
const VISIT = 'Encounter';

/** Several facts of a model, as a heading: "Allergies". */
export function modelTitle(model: Model, words: Words): string {
  return inLanguage(model, words)?.many ?? (model.name === VISIT ? words.say('visits.title') : splitName(model.name));
}

/** One fact of a model: "Allergy". */
export function modelName(model: Model, words: Words): string {
  return inLanguage(model, words)?.one ?? (model.name === VISIT ? words.say('timeline.visit') : splitName(model.name));
}

/**
 * The name of a field or a column for people. Fields of nested facts are given by their path, such as
 * `fulfillments.date`.
 */
export function fieldLabel(model: Model, field: string, words: Words): string {
  const fields = inLanguage(model, words)?.fields;
  const known = fields?.[field];
  if (known) {
    return known.label;
  }
  const short = field.replace(/_(title|value|identifier)$/, '');
  return fields?.[short]?.label ?? splitName(short.split('.').at(-1)!);
}

export function fieldHelp(model: Model, field: string, words: Words): string | undefined {
  return inLanguage(model, words)?.fields[field]?.help;
}

/**
 * UCUM code -> the sign that people use, if it differs. Units that people say in words are among the texts of the
 * website.
 */
const unitSigns: Readonly<Record<string, string>> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
  '[in_us]': 'in',
  '[ft_i]': 'ft',
  '[IU]': 'IU',
  '[IU]/L': 'IU/L',
  '[iU]/L': 'IU/L',
  '[pH]': 'pH',
  '1': '',
};
const unitTexts: Readonly<Record<string, string>> = {
  '{beats}/min': 'facts.per-minute',
  '{breaths}/min': 'facts.breaths',
  '/d': 'facts.per-day',
  '/wk': 'facts.per-week',
  '/h': 'facts.per-hour',
};

/** A number of cells in a volume, as UCUM and as laboratories write it: `10*3/uL`, `10+3/ul`, `10^9/L`. */
const COUNTED = /^x?10[*+^](\d+)\/(u?)l$/i;
function raised(digits: string): string {
  return digits.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
}

const MICRO = /(^|\/)u(?=(?:g|mol|L|m|s|kat|IU|eq)(?:\/|$))/g;

/**
 * A unit as people write it: "mmHg", "beats a minute". Annotations in braces say nothing about the size and are left
 * out, unless there is nothing else.
 */
export function unitWords(unit: string, { say }: Words): string {
  const known = unitTexts[unit];
  if (known !== undefined) {
    return say(known);
  }
  if (Object.hasOwn(unitSigns, unit)) {
    return unitSigns[unit]!;
  }
  const [, power, micro] = COUNTED.exec(unit) ?? [];
  if (power !== undefined) {
    return `× 10${raised(power)}/${micro === '' ? 'L' : 'µL'}`;
  }
  return unit
    .replace(/(^|\/)\{([^{}]*)\}/g, '$1$2')
    .replace(/\{[^{}]*\}/g, '')
    .replaceAll('_', ' ')
    .replace(/\[([^\]]*)\]/g, '$1')
    .replace(MICRO, '$1µ')
    .replace(/\bm2\b/g, 'm²');
}

/** Tables hold what was said as numbers, too, but what was computed or converted has more places than these. */
const SAID_NUMBER = /^-?\d+(?:\.\d{1,4})?$/;

/**
 * A number as the person writes numbers. A number given as text keeps all its digits ("5.40"), but for those that only
 * a computer writes ("195.63766110972347"), which files and documents keep; other text stays as it is.
 */
export function numberWords(value: unknown, words: Words): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      return '';
    }
    return words.number(value, SAID_NUMBER.test(String(value)) ? { maximumFractionDigits: 4 } : COMPUTED_DIGITS);
  }
  const said = text(value);
  if (isComputed(said)) {
    return words.number(Number(said), COMPUTED_DIGITS);
  }
  const [plain, fraction = ''] = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(said) ?? [];
  return plain === undefined || plain.length > MOST_EXACT
    ? said
    : words.number(Number(plain), { minimumFractionDigits: fraction.length, maximumFractionDigits: fraction.length });
}

const mediaTypes: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'facts.media-pdf'],
  [/^(?:application|text)\/rtf$/, 'facts.media-rtf'],
  [
    /^application\/(?:msword|vnd\.openxmlformats.*wordprocessing.*|vnd\.oasis\.opendocument\.text)$/,
    'facts.media-written',
  ],
  [/^(?:text\/csv|application\/(?:vnd\.ms-excel|vnd\.(?:openxmlformats|oasis).*spreadsheet.*))$/, 'facts.media-table'],
  [/^application\/zip$/, 'facts.media-archive'],
  [/^(?:application\/(?:xml|json|smart-health-card)|x-application\/hl7-v2\+er7)$/, 'facts.media-data'],
  [/^text\/plain$/, 'facts.media-text'],
  [/^image\/[\w.+-]+$/, 'facts.media-picture'],
  [/^application\/[\w.+-]+$/, 'facts.media-file'],
];

/** The type of a file in words; any other text as it is. */
function mediaWords(said: string, { say }: Words): string {
  const [, words] = mediaTypes.find(([type]) => type.test(said)) ?? [];
  return words === undefined ? said : say(words);
}

function hasArabicWords(said: string): boolean {
  return /(?=\p{L})\p{Script=Arabic}/u.test(said);
}

/** A text in Latin letters is read from left to right, also in Arabic, and its number comes before it. */
function leftToRight(said: string): string {
  return `\u2066${said}\u2069`;
}

/** Numbers in words, with their unit: "73.4 kg", "12 to 15.5 g/dL"; empty when there are none. */
export function withUnit(said: string, unit: string, words: Words): string {
  const after = said === '' ? '' : unitWords(unit, words);
  const space = after === '' || after === '%' ? '' : ' ';
  if (words.dir === 'ltr' || !/\p{Script=Latin}/u.test(after)) {
    return `${said}${space}${after}`;
  }
  return hasArabicWords(said) ? `${said}${space}${leftToRight(after)}` : leftToRight(`${said}${space}${after}`);
}

/** A value with its unit: "73.4 kg"; empty when there is no value. */
export function amount(value: unknown, unit: unknown, words: Words): string {
  return (
    frequencyWords(String(value ?? ''), text(unit), words.language) ??
    withUnit(numberWords(value, words), text(unit), words)
  );
}

function hasTimeOfDay(when: string): boolean {
  return when.includes('T') && dayOnly(when) === undefined;
}

function saidIn(fact: Values, member: string): PartialDates {
  return (fact[member] ?? {}) as PartialDates;
}

export function isPartialDate(fact: Values, field: string): boolean {
  return saidIn(fact, PARTIAL_DATES)[field] !== undefined;
}

/**
 * A date of a fact as its source said it: `2009` or `2009-03` if only the year or the month is known, and a time by the
 * source's clock, with its offset or, where the source gave none, without.
 */
export function knownDate(fact: Values, field: string): string {
  return knownPart(text(fact[field]), saidIn(fact, PARTIAL_DATES)[field] ?? saidIn(fact, CLOCKS)[field]);
}

/**
 * A year, a month or a day in words. A time at midnight is a day.
 * @param exact whether the time of day is included
 */
export function dateWords(value: unknown, words: Words, exact: 'time' | 'day' = 'time'): string {
  const when = text(value);
  if (when === '') {
    return '';
  }
  const partial = parsePartialDate(when);
  if (partial) {
    return words.date(partial.day, partial.precision);
  }
  const day = dayOnly(when);
  return day === undefined ? words.date(when, exact) : words.date(day);
}

/** From when to when something was; a day on which it both began and ended is said once. */
export function spanWords(from: unknown, to: unknown, words: Words, exact: 'time' | 'day' = 'time'): string {
  const [start, end] = [text(from), text(to)];
  const day = dateWords(start, words, 'day');
  if (day !== dateWords(end, words, 'day')) {
    return words.say('facts.between', { from: dateWords(start, words, exact), to: dateWords(end, words, exact) });
  }
  const timed = exact === 'time' && hasTimeOfDay(start) && hasTimeOfDay(end);
  return timed ? words.timesOfDay(start, end) : day;
}

function spaced(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** A coded value: its words, else its code. */
export function codedWords(values: Values, field: string, words: Words): string {
  return stateWords(text(values[`${field}_title`]) || text(values[`${field}_identifier`]), words);
}

function range(values: Values, field: string, words: Words): string {
  const [least, most] = [`${field}_min`, `${field}_max`] as const;
  const [min, max] = [least, most].map((end) => numberWords(values[`${end}_value`], words)) as [string, string];
  const [unit, other] = [text(values[`${least}_unit`]), text(values[`${most}_unit`])] as const;
  if (min === '' || max === '') {
    return withUnit(min && `≥ ${min}`, unit || other, words) || withUnit(max && `≤ ${max}`, other || unit, words);
  }
  return unit !== '' && other !== '' && unit !== other
    ? words.say('facts.range', { min: withUnit(min, unit, words), max: withUnit(max, other, words) })
    : withUnit(words.say('facts.range', { min, max }), other || unit, words);
}

function person(values: Values, field: string): string {
  return spaced(...['prefix', 'given', 'middle', 'family', 'suffix'].map((part) => text(values[`${field}_${part}`])));
}

function address(values: Values, field: string, words: Words): string {
  return commaSeparated(
    ['street', 'postalcode', 'city', 'region', 'country'].map((part) => text(values[`${field}_${part}`])),
    words,
  );
}

function bloodPressure(values: Values, field: string, words: Words): string {
  const [high, low] = ['systolic', 'diastolic'].map((part) => ({
    value: values[`${field}_${part}_value`],
    unit: text(values[`${field}_${part}_unit`]),
  })) as [{ value: unknown; unit: string }, { value: unknown; unit: string }];
  if (!isFilled(high.value) && !isFilled(low.value)) {
    return '';
  }
  const differ = high.unit !== '' && low.unit !== '' && high.unit !== low.unit;
  const numbers = [high, low].map(
    ({ value, unit }) => (differ ? amount(value, unit, words) : numberWords(value, words)) || '–',
  );
  const pair = withUnit(joinNumbers(numbers, words), differ ? '' : high.unit || low.unit, words);
  return commaSeparated([pair, positionWords(values, field, words)], words);
}

type Show = (values: Values, field: string, words: Words) => string;

/** How the value of each type of field is put into words. */
const shows: Readonly<Record<string, Show>> = {
  String: (values, field, words) => mediaWords(text(values[field]), words),
  Text: (values, field, words) => noteWords(text(values[field]), words.language, (date) => dateWords(date, words)),
  Number: (values, field, words) => numberWords(values[field], words),
  Integer: (values, field, words) => numberWords(values[field], words),
  Boolean: (values, field, { say }) =>
    isFilled(values[field]) ? say(String(values[field]) === 'true' ? 'facts.yes' : 'facts.no') : '',
  Date: (values, field, words) => dateWords(knownDate(values, field), words),
  DateOnly: (values, field, words) => dateWords(knownDate(values, field), words),
  // A key has no meaning for people.
  Statement: () => '',
  Dosage: (values, field, { language }) => dosageWords(dosagesIn(text(values[field])) ?? [], language),
  CodedValue: codedWords,
  ValueAndUnit: (values, field, words) => amount(values[`${field}_value`], values[`${field}_unit`], words),
  ValueRange: range,
  QuantitativeResult: (values, field, words) =>
    amount(values[`${field}_value_value`], values[`${field}_value_unit`], words),
  VitalSign: (values, field, words) => amount(values[`${field}_value`], values[`${field}_unit`], words),
  BloodPressure: bloodPressure,
  Name: person,
  Address: address,
  Telephone: (values, field) => text(values[`${field}_number`]),
  Organization: (values, field, words) =>
    commaSeparated([text(values[`${field}_name`]), address(values, `${field}_adr`, words)], words),
  Pharmacy: (values, field, words) =>
    commaSeparated([text(values[`${field}_org`]), address(values, `${field}_adr`, words)], words),
  Provider: (values, field) => person(values, `${field}_name`),
};

function fieldOf(model: Model, name: string): ModelField | undefined {
  return model.fields.find((field) => field.name === name);
}

/** The field that holds the unit of a number: `unit` of `value`, `dose_unit` of `dose_value`. */
function unitFieldOf(model: Model, { name, type }: ModelField): ModelField | undefined {
  const unit = type === 'Number' || type === 'Integer' ? fieldOf(model, name.replace(/value$/, 'unit')) : undefined;
  return unit?.type === 'String' ? unit : undefined;
}

/** Whether a field is the unit of another one. Such a unit is said with its number, and not again. */
export function isUnit(model: Model, name: string): boolean {
  return model.fields.some((field) => unitFieldOf(model, field)?.name === name);
}

/** Model -> the fields in which formats of this service write the names of what was measured or recorded. */
const measured: Readonly<Record<string, readonly string[]>> = {
  Measurement: ['type'],
  StoredFile: ['title', 'kind'],
};

/**
 * The text of a field or column in the words that its model has for the value, or translated if it is a name that
 * formats of this service write.
 */
export function measuredWords(model: Model, name: string, said: string, words: Words): string {
  const own = inLanguage(model, words)?.fields[name.replace(/_(title|identifier)$/, '')]?.values;
  if (own && Object.hasOwn(own, said)) {
    return own[said]!;
  }
  return measured[model.name]?.includes(name) ? measureWords(said, words) : said;
}

/** The fields that dosages say as well, the first of them in words. */
const dosed = ['instructions', 'quantity', 'frequency'] as const;

/**
 * The words of a field of which dosages say all: they stand in the place of the instructions, in the person's language,
 * and nothing shorter stands beside them. Undefined for other fields, and for a fact without dosages.
 */
function dosedWords(model: Model, fact: Values, name: string, words: Words): string | undefined {
  const [field] = model.fields.filter(({ type }) => type === 'Dosage');
  const place = dosed.find((one) => fieldOf(model, one) !== undefined);
  if (!field || place === undefined || text(fact[field.name]) === '') {
    return undefined;
  }
  if (name === place) {
    return shows['Dosage']!(fact, field.name, words);
  }
  return name === field.name || dosed.some((one) => one === name) ? '' : undefined;
}

/** Models of what happens once, such as one dose. */
const EVENTS: readonly string[] = ['Immunization', 'Procedure', 'Medication'];

/**
 * The columns with a date to come of what cannot be in the future: those of the model's words, and the day on which a
 * medicine was given or handed out.
 */
export function datesToCome(model: Model, fact: Values, { now, zone }: Words): readonly string[] {
  const past = Object.entries(model.words?.likely ?? {}).filter(([, likely]) => likely === 'past');
  const isGiven = coded(fact, 'provenance').some((text) => text === 'administration' || text === 'fulfillment');
  return [...past.map(([column]) => column), ...(model.name === 'Medication' && isGiven ? ['startDate'] : [])].filter(
    (column) => isLaterDay(knownDate(fact, column), now, zone),
  );
}

/**
 * The fact without the words that it was done, where its date is still to come: nobody has been given that dose yet.
 */
export function withoutEarlyDone<F extends Values>(model: Model, fact: F, words: Words): F {
  const early = EVENTS.includes(model.name) && datesToCome(model, fact, words).length > 0;
  const fields = ['administration_status', 'status'].filter((field) => early && saysDone(fact, field));
  const hidden = fields.flatMap((field) => [`${field}_title`, `${field}_identifier`]);
  return hidden.length === 0 ? fact : { ...fact, ...Object.fromEntries(hidden.map((column) => [column, null])) };
}

/** What a fact has in one field, in words; empty when nothing was said. */
export function fieldWords(model: Model, fact: Values, name: string, words: Words): string {
  const field = fieldOf(model, name);
  const unit = field && unitFieldOf(model, field);
  if (unit) {
    return amount(fact[name], fact[unit.name], words);
  }
  const said = dosedWords(model, fact, name, words) ?? (field ? (shows[field.type]?.(fact, name, words) ?? '') : '');
  return measuredWords(model, name, said, words);
}

/** The range in which a result is normal, as the laboratory gave it; empty for other fields, and if none was given. */
export function normalRange(model: Model, fact: Values, name: string, words: Words): string {
  return fieldOf(model, name)?.type === 'QuantitativeResult' ? range(fact, `${name}_normal_range`, words) : '';
}

/** Whether a field is a measurement. Values of such fields are said with the name of the field. */
export function isReading({ type }: ModelField): boolean {
  return type === 'VitalSign' || type === 'BloodPressure';
}

export function isDate({ type }: ModelField): boolean {
  return type === 'Date' || type === 'DateOnly';
}
export function isText({ type }: ModelField): boolean {
  return type === 'String' || type === 'CodedValue' || type === 'Text';
}

/** Whether every fact has the field. */
export function isNeeded(model: Model, field: ModelField): boolean {
  return model.columns.some(({ name, required }) => required && field.columns.includes(name));
}

/**
 * Fields that name a fact: those that its words file lists, else a text that every fact has, else one that looks like a
 * name.
 */
export function titleFields(model: Model): readonly string[] {
  const texts = model.fields.filter(isText);
  const named = texts.filter(({ name }) => /name|title|type|subject|kind/i.test(name) && !/_/.test(name));
  return (
    model.words?.title ?? [
      ...(model.oneof ?? []).map(({ field }) => field),
      ...[...texts.filter((field) => isNeeded(model, field)), ...named, ...texts].map(({ name }) => name),
      ...model.fields.filter(isReading).map(({ name }) => name),
    ]
  );
}

/** Of the fields that name a fact, the one that every fact has, so that all facts can be told apart by it. */
export function findNamingField(model: Model): ModelField | undefined {
  const fields = titleFields(model).flatMap((name) => fieldOf(model, name) ?? []);
  return fields.find((field) => isNeeded(model, field)) ?? fields[0];
}

export function shortened(words: string, most = 160): string {
  return words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words;
}

/** Every reading of a fact: "Blood pressure 132 / 84 mmHg, sitting". */
export function readings(
  model: Model,
  fact: Values,
  words: Words,
): readonly { field: string; label: string; value: string }[] {
  return model.fields
    .filter(isReading)
    .map(({ name }) => ({
      field: name,
      label: fieldLabel(model, name, words),
      value: fieldWords(model, fact, name, words),
    }))
    .filter(({ value }) => value !== '');
}

/** A code of LOINC for which the source gave no words. */
export const BARE_CODE = /^\d{1,5}-\d$/;

/** A coded value for which the source gave only the code: "40930008", "E11.9". */
function isBareCode(fact: Values, { name, type }: ModelField, said: string): boolean {
  return (
    BARE_CODE.test(said) ||
    (name === 'type' && /^[\d.]+$/.test(said)) ||
    (type === 'CodedValue' && text(fact[`${name}_title`]) === '' && /^[\w.-]*\d[\w.-]*$/.test(said)) ||
    (type === 'CodedValue' && text(fact[`${name}_identifier`]) === said && /^\d+$/.test(said))
  );
}

/** The title as its words file writes it; empty unless all its fields are filled. */
function writtenTitle(model: Model, fact: Values, words: Words): string {
  const { titleText = '', title = [] } = model.words ?? {};
  const said = new Map(title.map((name) => [name, fieldWords(model, fact, name, words)]));
  return [...said.values()].includes('')
    ? ''
    : titleText.replace(/\{([^{}]*)\}/g, (_, name: string) => said.get(name.trim()) ?? '');
}

/** What a fact is: "Penicillin", "Blood pressure 132 / 84 mmHg". Never a code alone, never empty. */
export function factTitle(model: Model, fact: Values, words: Words): string {
  const written = writtenTitle(model, fact, words);
  if (written !== '') {
    return shortened(written);
  }
  for (const name of titleFields(model)) {
    const field = fieldOf(model, name);
    const value = fieldWords(model, fact, name, words);
    if (field && value !== '') {
      const said = isReading(field)
        ? words.say('facts.reading', { label: fieldLabel(model, name, words), value })
        : value;
      return isBareCode(fact, field, said) ? words.say('facts.coded', { code: said }) : shortened(said);
    }
  }
  return modelName(model, words);
}

/** The fields whose values `factLine` says without their names. */
function lineFields(model: Model): readonly string[] {
  const named = new Set(titleFields(model));
  return (
    model.words?.line ??
    model.fields
      .filter((field) => !isDate(field) && !named.has(field.name) && !isReading(field))
      .map(({ name }) => name)
      .slice(0, 4)
  );
}

/** The columns that `factTitle`, `factLine` and `factDate` read, and those of some more fields. */
export function saidColumns(model: Model, more: readonly string[]): readonly string[] {
  const named = new Set([...titleFields(model), ...lineFields(model), ...more]);
  const said = model.fields.filter(
    (field) => named.has(field.name) || isReading(field) || isDate(field) || field.type === 'Dosage',
  );
  return [...said, ...said.flatMap((field) => unitFieldOf(model, field) ?? [])].flatMap(({ columns }) => columns);
}

/** The columns of the fields that name a fact. */
export function titleColumns(model: Model): readonly string[] {
  const named = titleFields(model);
  return model.fields.filter(({ name }) => named.includes(name)).flatMap(({ columns }) => columns);
}

/** States of a measurement that have a text of the website, as FHIR and C-CDA call them. */
const states: Readonly<Record<string, string>> = {
  registered: 'registered',
  preliminary: 'preliminary',
  active: 'preliminary',
  amended: 'amended',
  corrected: 'corrected',
  cancelled: 'cancelled',
  aborted: 'cancelled',
};

/** The state of a reading in words; empty if it is final, or if nobody said it. */
export function readingState(model: Model, fact: Values, words: Words): string {
  const code = text(fact['status_identifier']).toLowerCase();
  if (code === 'final' || code === 'completed') {
    return '';
  }
  const known = states[code];
  return known === undefined ? fieldWords(model, fact, 'status', words) : words.say(`summary.result-${known}`);
}

/** The position of the body, such as "sitting"; empty when nobody said it. */
export function positionWords(fact: Values, field: string, words: Words): string {
  return codedWords(fact, `${field}_position`, words).toLocaleLowerCase(words.locale);
}

/** Whether a model is one of readings or of a number. The usual state is not said with its facts. */
export function isMeasured({ fields }: Model): boolean {
  return fields.some((field) => isReading(field) || (field.name === 'value' && field.type === 'Number'));
}

/**
 * The text of one field in the line. A number without a unit, or a yes, has no meaning without the name of its field:
 * "How much: 2". A measured value needs no name, because the title before it says what was measured: "Steps", then
 * "812".
 */
function partOfLine(model: Model, fact: Values, name: string, words: Words): string {
  if (name === 'status' && isMeasured(model)) {
    return readingState(model, fact, words);
  }
  const [field, value] = [fieldOf(model, name), fieldWords(model, fact, name, words)];
  const isTheMeasured = name === 'value' && isMeasured(model);
  const isBare = field?.type === 'Boolean' ? value !== '' : /^[\p{N}\s.,٫٬’-]+$/u.test(value);
  return field && !isText(field) && !isTheMeasured && isBare
    ? words.say('facts.named', { label: fieldLabel(model, name, words), value })
    : value;
}

/** What else is known, in one line: "hives, moderate". Empty when nothing else is known. */
export function factLine(model: Model, said: Values, words: Words): string {
  const fact = withoutEarlyDone(model, said, words);
  const title = factTitle(model, fact, words);
  const others = readings(model, fact, words).map((reading) =>
    words.say('facts.reading', { label: reading.label, value: reading.value }),
  );
  const parts = lineFields(model)
    .filter((name) => !isUnit(model, name))
    .map((name) => ({ name, said: partOfLine(model, fact, name, words) }));
  // How a medicine is taken is never cut, because its end may be the most it may be.
  const isWhole = ({ name }: { readonly name: string }): boolean => name === dosed[0];
  const whole = commaSeparated(
    parts.filter(isWhole).map(({ said }) => said),
    words,
  );
  const rest = [...others, ...parts.filter((part) => !isWhole(part)).map(({ said }) => said)];
  const further = shortened(
    commaSeparated([...new Set(rest.filter((part) => part !== title && part !== whole))], words),
    280,
  );
  return commaSeparated([whole === title ? '' : whole, further], words);
}

/** The field by whose date facts of a model are ordered; undefined for a model without a date. */
export function dateField(model: Model): string | undefined {
  return model.words?.date ?? model.fields.find(isDate)?.name;
}

/** When a fact was: "3 March 2026", "since 2 July 2023", "2 July 2023 to 4 May 2024". Empty when nobody said. */
export function factDate(model: Model, fact: Values, words: Words, exact?: 'day'): string {
  const start = dateField(model);
  const ends = model.fields.filter(isDate).find(({ name }) => name !== start && /end|stop|until/i.test(name))?.name;
  const [begun, ended] = [start, ends].map((name) => (name === undefined ? '' : knownDate(fact, name))) as [
    string,
    string,
  ];
  const [from, to] = [dateWords(begun, words, exact), dateWords(ended, words, exact)];
  // A fact with a start continues until an end is given. A fact with a date was on that date.
  if (ends === undefined || (start === 'date' && to === '')) {
    return from;
  }
  if (from !== '' && to !== '') {
    return spanWords(begun, ended, words, exact);
  }
  return from === '' ? to && words.say('facts.until', { to }) : words.say('facts.since', { from });
}

/** Whether a field is a code whose words are in a field of their own: `name`, `name_type` and `name_value`. */
export function isCode(model: Model, { name, type }: ModelField): boolean {
  const words = /^(.+)_(?:type|value)$/.exec(name)?.[1];
  return type === 'String' && words !== undefined && fieldOf(model, words)?.type === 'String';
}

/** The model of a fact that an operation answered. @throws Error for a model that no longer exists */
export function modelOf(models: Models, fact: Fact): Model {
  const model = models.find(fact.__modelname__);
  if (!model) {
    throw new Error(`a fact of the unknown model ${fact.__modelname__} was answered`);
  }
  return model;
}
