/** dosages: makes dosages of every legal kind at random, and lists the statements of one from its elements. */
import fc from 'fast-check';
import { Decimal } from '../../core/fhir/decimal';
import type { Concept, Dosage, Quantity, Range, Ratio, Repeat, Timing } from '../../core/facts/model/dosage';

const of = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const numberOf = (text: string): Decimal => new Decimal(text);

const amount = of('0.25', '0.5', '1', '1.5', '2', '3', '4', '6', '7.125', '10', '72', '250', '1000', '12500').map(
  numberOf,
);
const whole = of('1', '2', '3', '4', '8', '12', '24', '30', '90', '1000').map(numberOf);

/** The units, in the form in which people read them, with the code that the document has. */
export const UNITS: Readonly<Record<string, string>> = {
  mg: 'mg',
  g: 'g',
  mL: 'mL',
  '{puff}': 'puff',
  tablet: 'tablet',
  '[IU]': 'IU',
  'mg/kg': 'mg/kg',
};
const unit = of(...Object.keys(UNITS));
const timeUnit = of('s', 'min', 'h', 'd', 'wk', 'mo', 'a');

const optional = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const quantity: fc.Arbitrary<Quantity> = fc.record({ value: amount, unit });
const compared: fc.Arbitrary<Quantity> = fc.oneof(
  { weight: 5, arbitrary: quantity },
  { weight: 1, arbitrary: fc.record({ value: amount, unit, comparator: of('<', '<=', '>=', '>') }) },
);
const counted: fc.Arbitrary<Quantity> = fc.oneof(
  { weight: 5, arbitrary: compared },
  { weight: 1, arbitrary: fc.record({ value: amount }) },
);
const time: fc.Arbitrary<Quantity> = fc.record({ value: amount, code: timeUnit });
const range = (one: fc.Arbitrary<Quantity>): fc.Arbitrary<Range> =>
  fc.oneof(
    fc.record({ low: one, high: one }),
    fc
      .tuple(amount, amount, unit)
      .map(([low, high, u]) => ({ low: { value: low, unit: u }, high: { value: high, unit: u } })),
    fc.record({ low: one }),
    fc.record({ high: one }),
  );
const ratio: fc.Arbitrary<Ratio> = fc.oneof(
  fc.record({ numerator: quantity, denominator: fc.oneof(time, quantity) }),
  fc.record({ numerator: quantity, denominator: fc.constant({ value: numberOf('1'), code: 'd' }) }),
);

const concept = (...words: readonly string[]): fc.Arbitrary<Concept> =>
  fc.oneof(
    of(...words).map((text) => ({ text })),
    of(...words).map((display) => ({ coding: [{ code: 'x', display }] })),
  );

const MOMENTS =
  'MORN MORN.early MORN.late NOON AFT AFT.early AFT.late EVE EVE.early EVE.late NIGHT PHS HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV';
const date = of('2024', '2024-03', '2024-03-01', '2025-12-31', '2024-03-01T08:30:00Z', '2024-03-01T23:05:09-05:00');
const many = <T>(values: readonly T[], most: number): fc.Arbitrary<T[]> =>
  fc.uniqueArray(of(...values), { minLength: 1, maxLength: most });

const bounds: fc.Arbitrary<Partial<Repeat>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ boundsDuration: time }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(amount, amount, timeUnit)
      .map(([low, high, code]) => ({ boundsRange: { low: { value: low, code }, high: { value: high, code } } })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ boundsPeriod: fc.record({ start: date, end: date }, { requiredKeys: ['start'] }) }),
  },
  { weight: 1, arbitrary: fc.record({ boundsPeriod: fc.record({ end: date }) }) },
);

/** Elements that R4 allows together only: a maximum needs its minimum, and a number its unit. */
const withMost = (low: string, high: string, more: Readonly<Record<string, fc.Arbitrary<unknown>>>, n = amount) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: fc.record({ [low]: n, ...more }) },
    { weight: 1, arbitrary: fc.record({ [low]: n, [high]: n, ...more }) },
  );

const repeat: fc.Arbitrary<Repeat> = fc
  .tuple(
    bounds,
    withMost('count', 'countMax', {}, whole),
    withMost('duration', 'durationMax', { durationUnit: timeUnit }),
    withMost('frequency', 'frequencyMax', {}, whole),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({ period: numberOf('1'), periodUnit: 'd' }) },
      { weight: 3, arbitrary: withMost('period', 'periodMax', { periodUnit: timeUnit }) },
    ),
    optional({ dayOfWeek: many(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 4) }),
    // A schedule has times of the day or moments, but not both.
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ timeOfDay: many(['08:00:00', '12:30:00', '20:00:00', '23:05:30'], 3) }) },
      { weight: 1, arbitrary: fc.record({ when: many(MOMENTS.split(' '), 3) }) },
      {
        weight: 1,
        arbitrary: fc.record({ when: many(MOMENTS.split(' '), 3), offset: of('0', '5', '30', '90').map(numberOf) }),
      },
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Repeat);

const code: fc.Arbitrary<Concept> = fc.oneof(
  of('QD', 'BID', 'TID', 'QID', 'QOD', 'WK', 'MO', 'AM', 'PM', 'BED', 'Q1H', 'Q4H', 'Q6H', 'Q8H').map((known) => ({
    coding: [{ code: known }],
  })),
  concept('As the clinic says', 'On dialysis days'),
);

const timing: fc.Arbitrary<Timing> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ repeat }) },
  { weight: 1, arbitrary: fc.record({ code }) },
  { weight: 1, arbitrary: fc.record({ code, repeat }) },
  { weight: 1, arbitrary: fc.record({ event: many(['2024-03-01', '2024-03-08T08:30:00Z', '2025-01-01'], 3) }) },
);

const doseAndRate = fc
  .tuple(
    fc.oneof(fc.record({ doseQuantity: counted }), fc.record({ doseRange: range(quantity) }), fc.constant({})),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ rateQuantity: quantity }) },
      { weight: 1, arbitrary: fc.record({ rateRange: range(quantity) }) },
      { weight: 1, arbitrary: fc.record({ rateRatio: ratio }) },
    ),
    optional({ type: concept('Ordered', 'Calculated') }),
  )
  .map((parts) => Object.assign({}, ...parts) as NonNullable<Dosage['doseAndRate']>[number])
  .filter((one) => Object.keys(one).some((name) => name !== 'type'));

export const anyDosage: fc.Arbitrary<Dosage> = fc
  .tuple(
    optional({
      text: of('Take 2 of the white ones', 'As told by the nurse', 'One at 7 o’clock'),
      additionalInstruction: fc.array(concept('With food', 'No alcohol within 2 hours'), {
        minLength: 1,
        maxLength: 2,
      }),
      patientInstruction: of('Shake well', 'Keep it below 25 degrees'),
      timing,
      site: concept('Left arm', 'Right eye'),
      route: concept('Oral', 'Into a vein'),
      method: concept('Swallow', 'Inject slowly'),
      doseAndRate: fc.array(doseAndRate, { minLength: 1, maxLength: 2 }),
      maxDosePerPeriod: ratio,
      maxDosePerAdministration: quantity,
      maxDosePerLifetime: quantity,
    }),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      fc.record({ asNeededBoolean: fc.boolean() }),
      fc.record({ asNeededCodeableConcept: concept('headache', 'pain above 5') }),
    ),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      fc.constant({ modifierExtension: [{ url: 'https://h.example/not' }] }),
      fc.constant({
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString: 'EIVL offset 3 h' }],
      }),
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as Dosage);

/** Several dosages: a taper, what is taken at the same time, or without an order. */
export const anyDosages: fc.Arbitrary<readonly Dosage[]> = fc
  .array(fc.tuple(anyDosage, of('1', '1', '2', '3').map(numberOf)), { minLength: 1, maxLength: 3 })
  .chain((dosages) =>
    fc.boolean().map((ordered) => dosages.map(([dosage, sequence]) => (ordered ? { ...dosage, sequence } : dosage))),
  );

const plain = (value: Decimal | undefined): string => (value === undefined ? '' : String(Number(String(value))));

const COMPARED: Readonly<Record<string, string>> = {
  '<': 'less than',
  '<=': 'at most',
  '>=': 'at least',
  '>': 'more than',
};

const amountOf = ({ value, unit: said = '', code: timed, comparator = '' }: Quantity): string =>
  `${COMPARED[comparator] ?? ''} ${plain(value)} ${timed ?? UNITS[said] ?? said}`.trim();

const endsOf = (low: string, high: string): string => {
  if (low === '' || high === '') {
    return low === '' ? `up to ${high}` : `at least ${low}`;
  }
  return `${low} to ${high}`;
};

const rangeOf = ({ low, high }: Range): string => endsOf(low ? amountOf(low) : '', high ? amountOf(high) : '');

const ratioOf = ({ numerator, denominator }: Ratio): string => `${amountOf(numerator!)} per ${amountOf(denominator!)}`;

const wordsOf = ({ text, coding }: Concept): string => text ?? coding?.[0]?.display ?? coding?.[0]?.code ?? '';

const CODES: Readonly<Record<string, string>> = {
  QD: '1 per 1 d',
  BID: '2 per 1 d',
  TID: '3 per 1 d',
  QID: '4 per 1 d',
  QOD: '1 per 2 d',
  WK: '1 per 1 wk',
  MO: '1 per 1 mo',
  AM: '1 per 1 d, MORN',
  PM: '1 per 1 d, AFT',
  BED: '1 per 1 d, HS',
  Q1H: '1 per 1 h',
  Q4H: '1 per 4 h',
  Q6H: '1 per 6 h',
  Q8H: '1 per 8 h',
};

const between = (low: Decimal | undefined, high: Decimal | undefined): string =>
  high === undefined || plain(low) === plain(high) ? plain(low) : `${plain(low)} to ${plain(high)}`;

/** Periods keep both ends, as they were given. */
const span = (low: Decimal | undefined, high: Decimal | undefined): string =>
  high === undefined ? plain(low) : `${plain(low)} to ${plain(high)}`;

const oftenOf = (one: Repeat): string => {
  if (one.period === undefined) {
    return one.frequency === undefined ? '' : between(one.frequency, one.frequencyMax);
  }
  const times = one.frequency === undefined ? '1' : between(one.frequency, one.frequencyMax);
  return `${times} per ${span(one.period, one.periodMax)} ${one.periodUnit!}`;
};

/** "Once a day" is not repeated where days say it; times of the day and meals say it of each day. */
const saidOften = (one: Repeat): string => {
  const isDaily = oftenOf(one) === '1 per 1 d' && one.frequencyMax === undefined;
  const several = [one.timeOfDay, one.when].some((list) => (list ?? []).length > 1);
  if (isDaily && (one.dayOfWeek ?? []).length > 0) {
    return '';
  }
  return isDaily && several ? 'every day' : oftenOf(one);
};

const repeatStatements = (one: Repeat): readonly string[] => {
  const offset = plain(one.offset);
  const often = saidOften(one);
  return [
    ...(often === '' ? [] : [`often ${often}`]),
    ...(one.dayOfWeek ?? []).map((day) => `day ${day}`),
    ...(one.timeOfDay ?? []).map((at) => `at ${at.replace(/:00$/, '')}`),
    ...(one.when ?? []).map((when) => `when ${when}${offset === '' || offset === '0' ? '' : ` + ${offset} min`}`),
    ...(one.duration === undefined ? [] : [`each ${span(one.duration, one.durationMax)} ${one.durationUnit!}`]),
    ...(one.count === undefined ? [] : [`in all ${between(one.count, one.countMax)}`]),
    ...(one.boundsDuration ? [`for ${amountOf(one.boundsDuration)}`] : []),
    ...(one.boundsRange ? [`for ${rangeOf(one.boundsRange)}`] : []),
    ...(one.boundsPeriod?.start === undefined ? [] : [`from ${one.boundsPeriod.start}`]),
    ...(one.boundsPeriod?.end === undefined ? [] : [`until ${one.boundsPeriod.end}`]),
  ];
};

const BOUNDS: readonly string[] = ['boundsDuration', 'boundsRange', 'boundsPeriod', 'count', 'countMax'];

/** A code counts as a schedule where the elements give none; beside them, it is said unless it says the same. */
const timingStatements = ({ repeat: one = {}, code: named, event = [] }: Timing): readonly string[] => {
  const known = CODES[named?.coding?.[0]?.code ?? ''];
  const isAlone = Object.keys(one).every((name) => BOUNDS.includes(name));
  const [often = '', when] = (known ?? '').split(', ');
  const said = `${oftenOf(one)}${one.when?.length === 1 && known?.includes(', ') ? `, ${one.when[0]!}` : ''}`;
  const isSame = known !== undefined && (said === known || (!known.includes(',') && oftenOf(one) === known));
  return [
    ...(known !== undefined && isAlone ? [`often ${often}`, ...(when === undefined ? [] : [`when ${when}`])] : []),
    ...repeatStatements(one),
    ...(named && (known === undefined || !(isAlone || isSame)) ? [`schedule ${wordsOf(named)}`] : []),
    ...event.map((at) => `on ${at}`),
  ];
};

const doseStatement = ({
  doseQuantity,
  doseRange,
  rateQuantity,
  rateRange,
  rateRatio,
  type,
}: NonNullable<Dosage['doseAndRate']>[number]): string =>
  [
    doseQuantity ? amountOf(doseQuantity) : '',
    doseRange ? rangeOf(doseRange) : '',
    rateQuantity ? `rate ${amountOf(rateQuantity)}` : '',
    rateRange ? `rate ${rangeOf(rateRange)}` : '',
    rateRatio ? `rate ${ratioOf(rateRatio)}` : '',
    type ? `as ${wordsOf(type)}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');

/** All that a dosage states, one line each. */
export const statementsOf = (dosage: Dosage): readonly string[] =>
  [
    dosage.text ?? '',
    ...(dosage.doseAndRate ?? []).map((one) => `dose ${doseStatement(one)}`),
    ...(dosage.timing ? timingStatements(dosage.timing) : []),
    dosage.asNeededBoolean ? 'as needed' : '',
    dosage.asNeededCodeableConcept ? `as needed for ${wordsOf(dosage.asNeededCodeableConcept)}` : '',
    dosage.maxDosePerPeriod ? `most ${ratioOf(dosage.maxDosePerPeriod)}` : '',
    dosage.maxDosePerAdministration ? `most at a time ${amountOf(dosage.maxDosePerAdministration)}` : '',
    dosage.maxDosePerLifetime ? `most in a lifetime ${amountOf(dosage.maxDosePerLifetime)}` : '',
    dosage.route ? `route ${wordsOf(dosage.route)}` : '',
    dosage.site ? `site ${wordsOf(dosage.site)}` : '',
    dosage.method ? `method ${wordsOf(dosage.method)}` : '',
    ...(dosage.additionalInstruction ?? []).map((one) => `instruction ${wordsOf(one)}`),
    dosage.patientInstruction ? `instruction ${dosage.patientInstruction}` : '',
    dosage.extension ? 'original EIVL offset 3 h' : '',
    dosage.modifierExtension ? 'unread' : '',
  ].filter((part) => part !== '');
