/**
 * resource-words: puts a resource into words of the person's language for paper: what it is, what is said of it, and
 * when it was (pure). Numbers keep the digits that people write, and stand with their units in one piece.
 */
import { join } from 'node:path';
import { languages, type Language } from '../base/languages';
import { bundledFormats } from '../base/paths';
import { textsOf } from '../base/texts';
import type { Dosage } from '../facts/model/dosage';
import { dosageWords } from '../facts/model/dosage-words';
import type { Resource } from '../fhir/resource';
import { inOrder, isolated } from '../paper/paper';
import { noteWords } from './note-words';
import { COMPUTED_DIGITS, isComputed } from './number-digits';
import { absentOf, nameIn, pressureParts, whenInWords, type Coded } from './summary-lines';

const paperTexts = textsOf(join(bundledFormats, 'paper', 'words'));

type Values = Readonly<Record<string, string | number>>;

/** How a page speaks. */
export type Speech = {
  readonly language: Language;
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  readonly zone: string;
  readonly say: (key: string, values?: Values) => string;
};

export function speechIn(language: Language, zone: string): Speech {
  return {
    language,
    ...languages[language],
    zone,
    say: (key, values) => String(paperTexts.formatOf(language, key).format(values)),
  };
}

const dateStyles: Readonly<Record<number, Intl.DateTimeFormatOptions>> = {
  4: { year: 'numeric' },
  7: { month: 'long', year: 'numeric' },
};
const DAY_CHARACTERS = 10;
const DAY_STYLE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };

const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

/** Making a format takes much longer than using it. */
function keptFormat<F extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => F): F {
  const format = (formats.get(key) as F | undefined) ?? make();
  formats.set(key, format);
  return format;
}

/** A date of FHIR, as exact as it is. A point in time is told by its day in the person's zone. */
export function dayWords(date: unknown, { locale, zone }: Speech): string {
  const when = typeof date === 'string' ? Date.parse(date) : NaN;
  if (typeof date !== 'string' || Number.isNaN(when)) {
    return '';
  }
  const timeZone = date.length > 10 ? zone : 'UTC';
  const style = dateStyles[date.length] ?? DAY_STYLE;
  const key = `${locale} ${timeZone} ${Math.min(date.length, 11)}`;
  return keptFormat(key, () => new Intl.DateTimeFormat(locale, { ...style, timeZone })).format(when);
}

/** A number with the digits of its source, but for those that only a computer writes. */
function numberInWords(value: unknown, { locale }: Speech): string {
  const text = String(value);
  if (isComputed(text)) {
    return keptFormat(`${locale} computed`, () => new Intl.NumberFormat(locale, COMPUTED_DIGITS)).format(Number(text));
  }
  if (!/^-?\d+(\.\d+)?$/.test(text)) {
    return text;
  }
  const digits = Math.min(text.split('.')[1]?.length ?? 0, 20);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return keptFormat(`${locale} ${digits}`, () => new Intl.NumberFormat(locale, options)).format(Number(text));
}

type Quantity = { readonly value?: unknown; readonly comparator?: string; readonly unit?: string };
type Range = { readonly low?: Quantity; readonly high?: Quantity; readonly text?: string };
type Period = { readonly start?: string; readonly end?: string };
type Reaction = { readonly manifestation?: readonly Coded[]; readonly severity?: string };

function listOf<T>(value: unknown): readonly T[] {
  return value === undefined ? [] : ([value].flat() as T[]);
}
function filledOnly(parts: readonly string[]): readonly string[] {
  return parts.filter((part) => part !== '');
}

/** UCUM writes these units otherwise than people do. */
const UNITS: Readonly<Record<string, string>> = {
  'mm[Hg]': 'mmHg',
  Cel: '°C',
  '[degF]': '°F',
  '{score}': '',
  '1': '',
  '{beats}/min': '/min',
  '{breaths}/min': '/min',
  '[lb_av]': 'lb',
  '[in_i]': 'in',
};
function unitWords(unit = ''): string {
  return UNITS[unit] ?? unit;
}

function barePart({ comparator = '', value }: Quantity, speech: Speech): string {
  return `${comparator === '' ? '' : `${comparator} `}${numberInWords(value, speech)}`;
}

function quantityWords(value: unknown, speech: Speech): string {
  const quantity = (value ?? {}) as Quantity;
  return quantity.value === undefined
    ? ''
    : inOrder(`${barePart(quantity, speech)} ${unitWords(quantity.unit)}`.trim(), speech.dir);
}

/** Arabic digits would turn what stands between them around, even in a text from left to right. */
const BETWEEN = ' \u200e/\u200e ';

/** A blood pressure as people say it, the upper value first, whatever order a source has: "132 / 84 mmHg". */
function pressureWords(parts: readonly (Resource | undefined)[], speech: Speech): string {
  const quantities = parts.map((part) => (part?.['valueQuantity'] ?? {}) as Quantity);
  const unit = quantities[0]?.unit;
  if (quantities.some((one) => one.value === undefined || one.unit !== unit)) {
    return '';
  }
  const pair = quantities.map((one) => barePart(one, speech)).join(speech.dir === 'rtl' ? BETWEEN : ' / ');
  return inOrder(`${pair} ${unitWords(unit)}`.trim(), speech.dir);
}

/** The two values of a blood pressure are joined; every other part says which one it is. */
function componentWords(components: readonly Resource[], speech: Speech): string {
  const parts = pressureParts(components);
  const pair = pressureWords(parts, speech);
  const named = components
    .filter((component) => pair === '' || !parts.includes(component))
    .map((component) => {
      const value = filledOnly([valueWords(component, speech), ...findingWords(component, speech)]).join(' ');
      return value === '' ? '' : `${isolated(nameIn(component['code']), speech.dir)} ${value}`;
    });
  return commaJoined([pair, ...named], speech);
}

export function commaJoined(parts: readonly string[], { dir }: Speech): string {
  return filledOnly(parts).join(dir === 'rtl' ? '، ' : ', ');
}

type Ratio = { readonly numerator?: Quantity; readonly denominator?: Quantity };

function ratioWords(value: unknown, speech: Speech): string {
  const { numerator, denominator } = (value ?? {}) as Ratio;
  const parts = [numerator, denominator].map((part) =>
    part?.value === undefined ? '' : `${barePart(part, speech)} ${unitWords(part.unit)}`.trim(),
  );
  const between = speech.dir === 'rtl' ? '\u200e : \u200e' : ' : ';
  return parts.includes('') ? '' : inOrder(parts.join(between), speech.dir);
}

function spanWords(low: string, high: string, { say }: Speech): string {
  return low !== '' && high !== '' ? say('paper.range', { low, high }) : (low && `≥ ${low}`) || (high && `≤ ${high}`);
}

/** Numbers from one to another, with the unit once where it is the same. */
function rangeValueWords(value: unknown, speech: Speech): string {
  const { low, high } = (value ?? {}) as Range;
  const from = quantityWords(low, speech);
  const isSameUnit = low?.value !== undefined && high?.value !== undefined && low.unit === high.unit;
  return spanWords(isSameUnit ? barePart(low, speech) : from, quantityWords(high, speech), speech);
}

function minutesOf(time: unknown): string {
  return typeof time === 'string' ? time.replace(/^(\d\d:\d\d):00(\.0+)?$/, '$1') : '';
}

/** A date with its time of day, where it has one. */
function momentWords(date: unknown, speech: Speech): string {
  const day = dayWords(date, speech);
  if (day === '' || typeof date !== 'string' || date.length <= DAY_CHARACTERS) {
    return day;
  }
  const { locale, zone } = speech;
  const style = { hour: '2-digit', minute: '2-digit', timeZone: zone } as const;
  const time = keptFormat(`${locale} ${zone} time`, () => new Intl.DateTimeFormat(locale, style)).format(
    Date.parse(date),
  );
  return commaJoined([day, time], speech);
}

function plainWords({ valueString, valueInteger, valueBoolean }: Resource, { say, dir }: Speech): string {
  const text = valueString ?? valueInteger;
  return typeof valueBoolean === 'boolean'
    ? say(valueBoolean ? 'paper.yes' : 'paper.no')
    : isolated(text === undefined ? '' : String(text as string), dir);
}

/** The value by itself, of whatever type. */
function ownValueWords(resource: Resource, speech: Speech): string {
  const { start, end } = (resource['valuePeriod'] ?? {}) as Period;
  return (
    quantityWords(resource['valueQuantity'], speech) ||
    plainWords(resource, speech) ||
    isolated(nameIn(resource['valueCodeableConcept']), speech.dir) ||
    rangeValueWords(resource['valueRange'], speech) ||
    ratioWords(resource['valueRatio'], speech) ||
    inOrder(minutesOf(resource['valueTime']), speech.dir) ||
    momentWords(resource['valueDateTime'], speech) ||
    spanWords(momentWords(start, speech), momentWords(end, speech), speech) ||
    isolated(absentOf(resource), speech.dir)
  );
}

function valueWords(resource: Resource, speech: Speech): string {
  return commaJoined(
    [ownValueWords(resource, speech), componentWords(listOf<Resource>(resource['component']), speech)],
    speech,
  );
}

function rangeWords(resource: Resource, speech: Speech): string {
  const [range] = listOf<Range>(resource['referenceRange']);
  const [low = '', high = ''] = [range?.low, range?.high].map((end) =>
    end?.value === undefined ? '' : barePart(end, speech),
  );
  const words = spanWords(low, high, speech) || (range?.text ?? '');
  return words === '' ? '' : speech.say('paper.reference', { range: inOrder(words, speech.dir) });
}

/** The text for a code, if there is one; else the code or the words of the source. */
function stateWords(kind: string, code: string, other: string, { language, say, dir }: Speech): string {
  const name = `${kind}-${code.toLowerCase()}`;
  return Object.hasOwn(paperTexts.read()[language]['state'] ?? {}, name)
    ? say(`state.${name}`)
    : isolated(other.replaceAll('-', ' '), dir);
}

const UNSAID = ['', 'unknown', 'final', 'unable-to-assess', 'confirmed', 'completed', 'finished'];

function conceptState(kind: string, value: unknown, speech: Speech): string {
  const codes = listOf<Coded>(value).flatMap(({ coding = [] }) => coding.flatMap(({ code }) => code ?? []));
  const code = codes[0] ?? '';
  return UNSAID.includes(code) && codes.length > 0 ? '' : stateWords(kind, code, nameIn([value].flat()[0]), speech);
}

function codeState(kind: string, value: unknown, speech: Speech): string {
  return typeof value !== 'string' || UNSAID.includes(value) ? '' : stateWords(kind, value, value, speech);
}

function reactionWords({ manifestation, severity }: Reaction, speech: Speech): string {
  const what = commaJoined(
    listOf<Coded>(manifestation).map((one) => isolated(nameIn(one), speech.dir)),
    speech,
  );
  const how = codeState('severity', severity, speech);
  return what === '' || how === '' ? what || how : `${what} (${how})`;
}

function notesIn({ note }: Resource, speech: Speech): readonly string[] {
  const { dir, language } = speech;
  return listOf<{ readonly text?: string }>(note).map(({ text = '' }) =>
    isolated(
      noteWords(text.trim(), language, (date) => momentWords(date, speech)),
      dir,
    ),
  );
}

type Parts = (resource: Resource, speech: Speech) => readonly string[];

function wordsOfConcept(value: unknown, { dir }: Speech): readonly string[] {
  return listOf<Coded>(value).map((one) => isolated(nameIn(one), dir));
}

function findingWords({ interpretation }: Resource, speech: Speech): readonly string[] {
  return listOf<Coded>(interpretation).map((one) => conceptState('finding', one, speech));
}

/** For what a medicine or an operation is. */
function reasonWords({ reasonCode }: Resource, speech: Speech): readonly string[] {
  return wordsOfConcept(reasonCode, speech).flatMap((reason) =>
    reason === '' ? [] : speech.say('paper.reason', { reason }),
  );
}

type Dose = Readonly<Record<string, unknown>>;

/** Which dose of a vaccination it is, and of which lot. */
function doseWords({ protocolApplied, lotNumber }: Resource, speech: Speech): readonly string[] {
  const { say, dir } = speech;
  const [dose = {}] = listOf<Dose>(protocolApplied);
  const said = (name: string): string =>
    numberInWords(dose[`${name}PositiveInt`] ?? dose[`${name}String`] ?? '', speech);
  const [number, total] = [said('doseNumber'), said('seriesDoses')];
  const lot = typeof lotNumber === 'string' ? inOrder(lotNumber, dir) : '';
  return [
    number === '' ? '' : say(total === '' ? 'paper.dose' : 'paper.dose-of', { number, total }),
    lot === '' ? '' : say('paper.lot', { lot }),
  ];
}

const conditionStanding: Parts = ({ clinicalStatus, verificationStatus }, speech) => [
  conceptState('clinical', clinicalStatus, speech),
  conceptState('certainty', verificationStatus, speech),
];

const medicine: Parts = ({ status, statusReason, dosage, dosageInstruction }, speech) => [
  dosageWords((dosage ?? dosageInstruction ?? []) as readonly Dosage[], speech.language),
  codeState('medicine', status === 'active' ? undefined : status, speech),
  isolated(nameIn(listOf(statusReason)[0]), speech.dir),
];
const ordered: Parts = (resource, speech) => [...medicine(resource, speech), ...reasonWords(resource, speech)];

function displays(value: unknown): readonly string[] {
  return listOf<{ readonly display?: string; readonly actor?: { readonly display?: string } }>(value).map(
    ({ display, actor }) => display ?? actor?.display ?? '',
  );
}

const partsOf: Readonly<Record<string, Parts>> = {
  Condition: (resource, speech) => [
    ...wordsOfConcept(resource['bodySite'], speech),
    conceptState('severity', resource['severity'], speech),
    ...conditionStanding(resource, speech),
  ],
  AllergyIntolerance: (resource, speech) => [
    ...listOf<Reaction>(resource['reaction']).map((one) => reactionWords(one, speech)),
    codeState('risk', resource['criticality'], speech),
    ...conditionStanding(resource, speech),
  ],
  MedicationStatement: ordered,
  MedicationRequest: ordered,
  Immunization: (resource, speech) => [
    codeState('vaccine', resource['status'], speech),
    isolated(nameIn(resource['statusReason']), speech.dir),
    ...doseWords(resource, speech),
  ],
  Procedure: (resource, speech) => [
    ...wordsOfConcept(resource['bodySite'], speech),
    codeState('procedure', resource['status'], speech),
    ...reasonWords(resource, speech),
  ],
  Observation: (resource, speech) => [
    valueWords(resource, speech),
    ...findingWords(resource, speech),
    rangeWords(resource, speech),
    ...wordsOfConcept(resource['bodySite'], speech),
    codeState('result', resource['status'], speech),
  ],
  Encounter: ({ status, reasonCode, location }, speech) =>
    [
      codeState('visit', status, speech),
      ...listOf<Coded>(reasonCode).map(nameIn),
      ...listOf<{ readonly location?: object }>(location).flatMap((one) => displays(one.location)),
    ].map((text) => isolated(text, speech.dir)),
  Device: ({ manufacturer, modelNumber, udiCarrier }, speech) =>
    [
      manufacturer,
      modelNumber,
      listOf<{ readonly carrierHRF?: string; readonly deviceIdentifier?: string }>(udiCarrier)
        .map(({ carrierHRF, deviceIdentifier = '' }) => carrierHRF ?? deviceIdentifier)
        .join(' '),
    ].map((text) => inOrder(typeof text === 'string' ? text : '', speech.dir)),
  Coverage: ({ type, subscriberId, status }, speech) => [
    isolated(nameIn(type), speech.dir),
    inOrder(typeof subscriberId === 'string' ? subscriberId : '', speech.dir),
    codeState('medicine', status === 'active' ? undefined : status, speech),
  ],
};

/** The words of its source of what is denied, beside those of the page. */
function deniedConcept({ code, medicationCodeableConcept }: Resource, { dir }: Speech): string {
  return isolated(nameIn(code ?? medicationCodeableConcept), dir);
}

/** What is said of a resource, without its name and its date. */
export function saidWords(resource: Resource, speech: Speech): string {
  const parts = partsOf[resource.resourceType]?.(resource, speech) ?? [];
  const denied = denialName(resource, speech) === '' ? [] : [deniedConcept(resource, speech)];
  return commaJoined([...denied, ...parts, ...notesIn(resource, speech)], speech);
}

const MOMENTS = [
  'effectiveDateTime',
  'occurrenceDateTime',
  'performedDateTime',
  'authoredOn',
  'issued',
  'recordedDate',
];

/** Whether time is a period that lasts, rather than a visit or an operation. */
const LASTING = ['Condition', 'AllergyIntolerance', 'MedicationStatement', 'MedicationRequest', 'Coverage'];

/** When it was, as text of FHIR; empty where nobody says it. */
export function dateIn(resource: Resource): string {
  const periods = ['effectivePeriod', 'performedPeriod', 'period', 'onsetPeriod'].map(
    (name) => (resource[name] as Period | undefined)?.start,
  );
  const found = [resource['onsetDateTime'], ...periods, ...MOMENTS.map((name) => resource[name])];
  return found.find((one): one is string => typeof one === 'string') ?? '';
}

export function whenWords(resource: Resource, speech: Speech): string {
  const period = (resource['effectivePeriod'] ?? resource['performedPeriod'] ?? resource['period'] ?? {}) as Period;
  const from = dayWords(resource['onsetDateTime'] ?? period.start, speech);
  const to = dayWords(resource['abatementDateTime'] ?? period.end, speech);
  if (from !== '' && to !== '') {
    return from === to ? from : speech.say('paper.span', { from, to });
  }
  if (from !== '' || to !== '') {
    const isLasting = LASTING.includes(resource.resourceType);
    const start = isLasting ? speech.say('paper.since', { date: from }) : from;
    return from === '' ? speech.say('paper.until', { date: to }) : start;
  }
  return dayWords(dateIn(resource), speech) || whenInWords(resource);
}

function codesOfConcept({ coding = [] }: Coded): readonly string[] {
  return coding.flatMap(({ code }) => code ?? []);
}

function codesOf(resource: Resource): readonly string[] {
  return listOf<Coded>(resource['code']).flatMap(codesOfConcept);
}

/** The text for a code by which somebody says that there are none known; empty for other codes. */
function denialText(codes: readonly string[], { language, say }: Speech): string {
  const states = paperTexts.read()[language]['state'] ?? {};
  const code = codes.find((one) => Object.hasOwn(states, `none-${one}`));
  return code === undefined ? '' : say(`state.none-${code}`);
}

const MAY_DENY = ['AllergyIntolerance', 'Condition', 'MedicationStatement'];

/** "No known allergies" in the person's language; empty for a resource that says something else, and in English. */
function denialName(resource: Resource, speech: Speech): string {
  const concepts = [resource['code'], resource['medicationCodeableConcept']].flatMap((one) => listOf<Coded>(one));
  return MAY_DENY.includes(resource.resourceType) && speech.language !== 'en'
    ? denialText(concepts.flatMap(codesOfConcept), speech)
    : '';
}

/** The same of the values of a statement. */
export function denialWordsIn(values: Readonly<Record<string, unknown>>, speech: Speech): string {
  const [title, code] = [values['name_title'], values['name_identifier']].map((one) => String((one ?? '') as string));
  return denialText([code ?? ''], speech) || isolated(title || (code ?? ''), speech.dir);
}

export function severityName(severity: string, speech: Speech): string {
  return codeState('severity', severity, speech);
}

/** What a resource is called. */
export function nameWords(resource: Resource, speech: Speech): string {
  const vital = resource.resourceType === 'Observation' && codesOf(resource).find((code) => isVital(code, speech));
  if (typeof vital === 'string') {
    return speech.say(`vital.c-${vital}`);
  }
  const denial = denialName(resource, speech);
  if (denial !== '') {
    return denial;
  }
  const [device] = listOf<{ readonly name?: string }>(resource['deviceName']);
  const coded = ['code', 'vaccineCode', 'medicationCodeableConcept', 'type', 'serviceType', 'class'].map((name) => {
    const [value] = listOf<Coded & { readonly display?: string }>(resource[name]);
    return nameIn(value) || (value?.display ?? '');
  });
  const referred = [resource['medicationReference'], resource['payor']].flatMap(displays);
  const own = resource.resourceType === 'Coverage' ? [...referred, ...coded] : [...coded, ...referred];
  const name = device?.name ?? own.find((words) => words !== '');
  return name === undefined ? speech.say('paper.nameless') : isolated(name, speech.dir);
}

function isVital(code: string, { language }: Speech): boolean {
  return Object.hasOwn(paperTexts.read()[language]['vital'] ?? {}, `c-${code}`);
}

/** The number that a chart draws; undefined where there is none. */
export function numberIn(resource: Resource): { readonly value: number; readonly unit: string } | undefined {
  const { value, unit = '', comparator } = (resource['valueQuantity'] ?? {}) as Quantity;
  const number = Number(String(value as string));
  return value === undefined || comparator !== undefined || !Number.isFinite(number)
    ? undefined
    : { value: number, unit };
}

/** A number with its unit in words. */
export function measureWords(value: number, unit: string, speech: Speech): string {
  return quantityWords({ value, unit }, speech);
}
