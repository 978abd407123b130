/**
 * table-roles: what a column of a table can be, what its head and its cells say that it is, and the description of the
 * table that follows (pure).
 */
import { foldedText } from '../../base/words/folded-text';
import type { Models } from '../../facts/model/model';
import { isLikelyNumbers } from '../../facts/model/model-words';
import {
  OWN_ZONE,
  PRESSURE_SIGN,
  type Conversion,
  type CsvColumns,
  type CsvField,
  type CsvTable,
  type Range,
} from './csv-columns';
import { CLINICAL_ROLES, clinicalTables, guessClinicalRoles, namesStatement } from './clinical-lists';
import { addLikely } from './load-csv-columns';
import { setInHead, withoutSet, type ColumnSet } from './column-sets';
import { ANY_YEAR, SPAN, type DateSequence } from './date-forms';
import { saysWhose, type ColumnLook, type DateReading, type TableLook } from './table-look';
import { ACROSS } from './across';
import { WHEN } from './other-heads';

const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

type Unit = Required<Conversion> & {
  readonly name: string;
  /** How it is written in heads and cells, in lower case and also folded. */ readonly written: readonly string[];
  /** Bare numbers of this range are in another unit. */ readonly between?: Range & Conversion;
};

/** A unit for comparisons: folded, and without spaces. */
function squeezed(text: string): string {
  return foldedText(text).replace(/\s+/g, '');
}

function unit(name: string, written: readonly string[] = [], times = 1, plus = 0): Unit {
  return {
    name,
    written: [...new Set([name, ...written].flatMap((text) => [text.toLowerCase(), squeezed(text)]))],
    times,
    plus,
  };
}

/** A head, folded; programs write underscores for spaces. */
function plainHead(head: string): string {
  return foldedText(head.replaceAll('_', ' '));
}

/** Something that was measured. */
type Measured = {
  readonly role: string;
  /** What its head says, folded. */ readonly heads: RegExp;
  readonly units: readonly Unit[];
  /** For a reading of VitalSigns, the field and its code. */
  readonly vital?: { readonly field: string; readonly unit: string; readonly code: string; readonly title: string };
  /** For any other, its type, and the range of each of its units. */
  readonly measurement?: {
    readonly type: string;
    readonly ranges: readonly Range[];
    /** Where it is narrower: the range of the middle one of all values. */
    readonly middles?: readonly (Range | undefined)[];
  };
};

const PRESSURE = [unit('mmHg'), unit('kPa', [], 7.50062), unit('cmHg', [], 10)];
const RATE = [
  unit('/min', [
    'bpm',
    'count/min',
    'beats/min',
    'beatsperminute',
    'lpm',
    'ppm',
    'schläge/min',
    'min-1',
    '1/min',
    'brpm',
  ]),
];
const RARE: readonly string[] = ['kPa', 'cmHg', 'g', '0–1'];
const FAHRENHEIT = unit('°F', ['f', 'fahrenheit', 'degf'], 5 / 9, -160 / 9);

/** Temperatures of a body in degrees, in which no number can be both. */
const IN_CELSIUS: Range = { from: 30, to: 45 };
const IN_FAHRENHEIT: Range = { from: 86, to: 113 };
/** The answer that each number of a column is in the one of both units in which a body can have it. */
const EITHER: Unit = {
  ...unit('°C / °F'),
  between: { ...IN_FAHRENHEIT, times: FAHRENHEIT.times, plus: FAHRENHEIT.plus },
};

function vital(field: string, unitOfModel: string, code: string, title: string): Required<Measured>['vital'] {
  return {
    field,
    unit: unitOfModel,
    code,
    title,
  };
}

const MEASURED: readonly Measured[] = [
  {
    role: 'bp_systolic',
    heads:
      /\b(sys|sist|high (blood )?press|sbp|[pt]as\b|hoch\b|alta\b)|oberer|upper|\bmax|bovendruk|massima|\bskurczow|الانقباضي/,
    units: PRESSURE,
    vital: vital('bp_systolic', 'mm[Hg]', '8480-6', 'Systolic blood pressure'),
  },
  {
    role: 'bp_diastolic',
    heads:
      /\b(dia(st|\b)|low (blood )?press|dbp|[pt]ad\b|baja\b)|unterer|lower|\bmin(imum|ima)?\b|onderdruk|rozkurczow|الانبساطي/,
    units: PRESSURE,
    vital: vital('bp_diastolic', 'mm[Hg]', '8462-4', 'Diastolic blood pressure'),
  },
  {
    role: 'heart_rate',
    heads:
      /\b(puls|pul\b|heart ?rate|hr\b|bpm|herzfrequenz|frecuencia card|frequence card|freq\w*\.? card|frequenza card|fc\b|pols|pouls|rate\b|hartslag|tetno|battiti)|نبض/,
    units: RATE,
    vital: vital('heart_rate', '{beats}/min', '8867-4', 'Heart rate'),
  },
  {
    role: 'weight',
    heads: /^(kg|lbs?)$|\b(weight|body ?mass\b|gewicht|korpergewicht|peso|poids)|وزن/,
    units: [
      unit('kg', ['kilogram', 'kilograms', 'kilo']),
      unit('lb', ['lbs', 'pound', 'pounds'], 0.45359237),
      unit('g', ['gram'], 0.001),
    ],
    vital: vital('weight', 'kg', '3141-9', 'Body weight'),
  },
  {
    role: 'height',
    heads: /\b(height|korpergro|grosse|estatura|altura|talla|taille|altezza)|طول/,
    units: [
      unit('cm'),
      unit('m', ['meter', 'metre'], 1),
      unit('in', ['inch', 'inches', '"'], 0.0254),
      unit('ft', ['feet'], 0.3048),
    ].map((one) => (one.name === 'cm' ? { ...one, times: 0.01 } : one)),
    vital: vital('height', 'm', '8302-2', 'Body height'),
  },
  {
    role: 'bmi',
    heads: /\b(bmi|imc|body mass index)/,
    units: [unit('kg/m²', ['kg/m2', 'kg/m^2'])],
    vital: vital('bmi', 'kg/m2', '39156-5', 'Body mass index'),
  },
  {
    role: 'temperature',
    heads: /\b(temp|bbt\b|basaltemp|fieber|fiebre|fievre)|حراره/,
    units: [unit('°C', ['c', 'celsius', 'degc']), FAHRENHEIT],
    vital: vital('temperature', 'Cel', '8310-5', 'Body temperature'),
  },
  {
    role: 'oxygen_saturation',
    heads: /\b(spo2|oxygen|o2 ?sat|sauerstoff|saturacion|saturation|ossigeno)|اكسجين/,
    units: [unit('%'), unit('0–1', [], 100)],
    vital: vital('oxygen_saturation', '%{HemoglobinSaturation}', '2710-2', 'Oxygen saturation'),
  },
  {
    role: 'respiratory_rate',
    heads: /\b(resp|breath|atem|fr\b)/,
    units: RATE,
    vital: vital('respiratory_rate', '{breaths}/min', '9279-1', 'Respiratory rate'),
  },
  {
    role: 'glucose',
    heads: /gluc|gluk|\bbz\b|zucker|sugar|azucar|\bglic|glyc|\b(bg(?:value)?|sgv|[cs]m?bg|cgms?)\b|سكر/,
    units: [unit('mg/dL', ['mg/dl']), unit('mmol/L', ['mmol/l', 'mmol']), unit('g/L', ['g/l'])],
    measurement: {
      type: 'Blood glucose',
      ranges: [
        { from: 36, to: 1500 },
        { from: 0.5, to: 35 },
        { from: 0.09, to: 15 },
      ],
      // More than half of somebody's values in mmol/L are not so low, and in g/L not so high.
      middles: [undefined, undefined, { from: 0.36, to: 3.5 }],
    },
  },
  {
    role: 'steps',
    heads: /\b(steps?|schritte|pasos|pas\b|passi)|خطوات/,
    units: [],
    measurement: { type: 'Steps', ranges: [] },
  },
  {
    role: 'body_fat',
    heads: /\b(body ?fat|fat\b|korperfett|fett|grasa|masse grasse|grasso)/,
    units: [unit('%')],
    measurement: { type: 'Body fat', ranges: [{ from: 1, to: 80 }] },
  },
];

const byRole = new Map(MEASURED.map((one) => [one.role, one]));

/** WHO is an organization, after which classes of blood pressure are called. */
function isClassOfPressure(head: string): boolean {
  return head.trim() === 'WHO';
}

/** The sign of a mean in a head. */
const MEAN_SIGN = /(?:^|[\s(])[Øø⌀∅](?:$|[\s).:])/;
/** What a head says of a number that is no reading. */
const NO_READING: readonly RegExp[] = [
  // A goal.
  /\b(target|goal|ziel|objetivo|objectif|obiettivo|limit|ideal|desired|desead|cible|souhait|wunsch|soll|normal|recommend)|مستهدف|هدف|مثالي/,
  // A change.
  /\b(change|delta|trend|differen|diff\b|deviat|abweich|variab|variation|hrv|lost\b|loss\b|gain|perdid|perdu|perte|perso\b|increase|decrease)|verlust|zunahme|abnahme|نقصان|زياده|فقدان/,
  // A value of several readings, one that was worked out, one of a profile, or one of an earlier day.
  /\b(avg|average|mean|durchschnitt|mittel(?:wert)?\b|mittler|schnitt\b|gemiddeld|sredni|medi[oa]\b|promedio|moyen|zone|score|estimated|athlete|median|mediana|sd\b|standard|cv\b|predict|forecast|prognos|previous|prior|last\b|vorig|vorherig|letzt|anterior|precedent|ultim|dernier|media\b|متوسط)/,
  // Somebody else's.
  /\b(mum|mom|mother|dad|father|wife|husband|partner|son|daughter|baby|child|kid|dog|cat|pet|mutter|vater|mama|papa|ehefrau|ehemann|sohn|tochter|hund|katze|madre|padre|hijo|hija|esposa|esposo|marido|mere|pere|fils|fille)\b/,
];
/** What else heads of each role are about, that would be read as something it is not. */
const OTHER_THINGS: Readonly<Record<string, RegExp>> = {
  heart_rate: /press|druck|presion|\b(resp|breath|atem|sleep|walk)/,
  weight: /\b(lean|muscle|muskel|bone|fat|water|wasser|birth|lift|bar)\b|magermasse|free/,
  temperature: /\b(skin|haut|room|raum|ambient|outside|aussen|water|wrist|sensor)\b/,
  glucose: /triglyc|triglic|glycat|glykiert|glicad|glicosil|a1c|hba|urin|orina|intake|dietary|added/,
  body_fat: /calori|kcal|energ|\b(free|visceral|viszeral|subcutan\w*|subkutan\w*|mass|dietary|saturated)\b/,
  steps: /\b(length|per|rate)\b/,
};
/** The largest or the smallest of several values; of a blood pressure these words may name its two numbers. */
const EXTREME =
  /(?<!\/ ?)\b(max|min(?!ut))\w*|\b(peak|highest|lowest|hochst|niedrigst|tiefst|spitzen|mas (alt|baj)|plus (haut|bass))|اعلى|ادنى|اقصى/;
/** Words that only mean a blood pressure where nothing else is named. */
const UPPER_AND_LOWER =
  /^(?:.*(?:press|druck|presion|tension|\bbp\b).*|(?:oberer|unterer|upper|lower|max\w*|min\w*|massima|minima|alta|baja)(?: (?:wert|value))?)$/;
const SURE_PRESSURE =
  /\b(sys|sist|sbp|[pt]a[sd]\b|hoch\b|dia(st|\b)|dbp)|bovendruk|onderdruk|kurczow|الانقباضي|الانبساطي/;

/** Units that, in a head, are those of something else than what is measured. */
const UNITS_IN_HEADS = new Set(
  (
    'ms s sec mg µg ug g l ml l/min kcal kj km mi h hr hrs iu unit units u w db mmol/mol mg/dl/min mmol/l mg/dl % ' +
    'ppm kg lb lbs st stone cm m mmhg kpa °c °f c f g/l g/dl mg/l mg/ml µmol/l nmol/l ng/ml pmol/l'
  )
    .split(' ')
    .map(squeezed),
);

/** Everything that a column can be, in the order in which a page offers it. */
export const ROLES: readonly string[] = [
  'none',
  'datetime',
  'date',
  'time',
  'bp',
  ...byRole.keys(),
  'other',
  'test',
  'kind',
  'result',
  'unit',
  'range',
  ...CLINICAL_ROLES,
  'remark',
  'note',
  'person',
];

/** What a person says about a table: the role of each column, by its place. */
export type TableAnswers = {
  readonly roles: readonly string[];
  readonly sequence?: DateSequence | undefined;
  /** The year of dates that say none. */ readonly year?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  /** Place of a column -> the name of its unit. */ readonly units: Readonly<Record<string, string>>;
  /** Whose rows are read, as their cells say it, or `all` of its question. */ readonly person?: string | undefined;
};

/** The answer that all rows are about one person. */
const ALL_ROWS = '*';

/** What has to be asked, because there are two ways to read it; `value` is what was answered or seen. */
export type TableQuestion =
  | { readonly about: 'sheet'; readonly sheets: readonly string[]; readonly value: string }
  | { readonly about: 'sequence'; readonly readings: readonly DateReading[]; readonly value: string }
  | { readonly about: 'year'; readonly written: string; readonly years: readonly string[]; readonly value: string }
  | { readonly about: 'decimal'; readonly sample: string; readonly value: string }
  | { readonly about: 'unit'; readonly column: number; readonly units: readonly string[]; readonly value: string }
  | {
      readonly about: 'person';
      readonly column: number;
      readonly people: readonly string[];
      /** The answer that takes the rows of all of them. */ readonly all: string;
      readonly value: string;
    };

/** Why no description follows: a word for each column or question. */
export type TableProblem = {
  readonly column?: number;
  /** A line above the heads. */ readonly title?: string;
  readonly problem: 'means' | 'no-date' | 'no-year' | 'no-value' | 'twice' | 'open';
};

export type TablePlan = {
  readonly questions: readonly TableQuestion[];
  readonly problems: readonly TableProblem[];
  /** The description, if nothing is open. */ readonly columns?: CsvColumns;
};

const NOTES =
  /\b(notes?|comments?|bemerkung|kommentar|notiz|anmerkung|notas?|observa|comentario|remarque|commentaire|commenti?|annotazion|opmerking|uwagi)|ملاحظ/;
/** Columns that say something of the values of their row. */
const REMARKS =
  /irregular|arr?h?yth?m|unregel|aritmi|\b(ihb|vhf|afib)\b|vorhof|\b(arm|brazo|bras|braccio|cuff|manschette|positio[nk]|posicion|posizione|posture|haltung|korperhaltung)\b|\b(meal|mahlzeit|comida|repas|pasto)|markier|\bmarker|rhythmusstor|\brhythm\b|\bdetermination\b|\b(flag|abnormal|bewertung|classification|classificazione|clasificacion|klassifi\w*|einstufung|interpretation|result|hypo)\b|medikation|\bmedication|اضطراب|ذراع|وجبه/;
const TESTS =
  /\b(tests?|analyte?|parameter|untersuchung|laborwert|messgrosse|analyse|prueba|examen|analisis|determinacion|esame|analisi|component)\b|فحص|تحليل/;
const KINDS = /^(type|kind|art|messart|tipo|metric|measure|measurement( type)?|messung|data type|نوع|النوع)$/;
const RESULTS =
  /^(results?|ergebnis|wert|messwert|value|valor|resultado|valeur|resultat|valore|risultato|نتيجه|النتيجه|قيمه|القيمه)$/;
const RANGES =
  /\b(ref|reference|referenz\w*|normal\w*|norm|normbereich|range|bereich|rango|referencia|intervall\w*|valeurs? (de reference|usuelles)|riferimento)\b|مرجعي/;
const UNITS = /^(unit|einheit|unidad|unite|unita|وحده)/;
const BOTH = /\b(bp\b|rr\b|ta\b|blood ?pressure|blutdruck|tension|presion|pression)|ضغط/;

const TIME_OF_DAY = /\b(time|zeit|uhrzeit|uhr|hora|heure|ora|hour|clock)\b|وقت|ساعه/;
/** Times of something else than the measurement. */
const OTHER_TIMES = /bed|sleep|schlaf|wake|wach|duration|dauer|dormir|sueno|duree|durata|sonno/;
function isTimeHead(head: string): boolean {
  return TIME_OF_DAY.test(foldedText(head)) || /^column \d+$/i.test(head);
}

/** Whether a head says that its times are those of no clock on a wall. */
function isInUtc({ head }: ColumnLook): boolean {
  return /\b(utc|gmt)\b/.test(foldedText(head));
}

/** Readings of which a row may have several. */
const IN_SETS = ['bp', 'time', 'glucose'];

/** The set of readings to which a column belongs in its role. */
function setOf(role: string, head: string): ColumnSet {
  const measured = measuredFor(role);
  const hasSets = measured?.vital !== undefined || IN_SETS.includes(role);
  const isName = (word: string): boolean =>
    measured?.heads.test(word) === true ||
    (role === 'bp' && BOTH.test(word)) ||
    (role === 'time' && TIME_OF_DAY.test(word));
  return hasSets ? setInHead(head, isName) : { key: '', words: '' };
}

/** Heads, folded, of dates that stand for a longer time than a day: what stands beside them is mostly a mean or a sum. */
const PERIODS =
  /^(?:(?:year|jahr)?(?:month|week|quarter|monat|woche|quartal|kw)|mes|semana|trimestre|mois|semaine|mese|settimana|period|zeitraum|periodo|periode|(?:ال)?(?:شهر|اسبوع))\b/;

function isPeriod({ head, day, isPeriods }: ColumnLook): boolean {
  return day === undefined && (isPeriods || PERIODS.test(foldedText(head)));
}

/** Heads, folded, of days that stand for a month or longer, of which the first one is no day of a reading. */
const MONTHS = /^(?:(?:year|jahr)?(?:month|quarter|monat|quartal)|mes|trimestre|mois|mese|(?:ال)?شهر)\b/;

const HOURS = /^\d{1,2}[:.]\d{2}\s*[-–—]\s*\d{1,2}[:.]\d{2}$/;

/** Whether the cells of a column are hours from and to, which are no time of a reading. */
function isHours({ samples }: ColumnLook): boolean {
  return samples.length > 0 && samples.every((text) => HOURS.test(text));
}

/**
 * Heads, with spaces for other signs, of dates that are not those of a measurement: when a row was written, when somebody
 * was born, what is due or runs out.
 */
const OTHER_DATES = new RegExp(
  `(?:${[
    '\\b(?:creat(?:ed|ion)|updated?|modified|inserted|upload(?:ed)?|sync(?:ed)?|synced|import(?:ed)?|export(?:ed)?)\\b',
    '\\b(?:erstellt|geandert|hochgeladen|exportiert|cread[oa]|modificad[oa]|cree|modifie)\\b',
    '\\b(?:birth(?:day|date)?|dob|born|geburt\\w*|geb|nacimiento|nacid[oa]|naissance|nee?|nascita|nat[oa])\\b|ميلاد',
    '\\b(?:next|due|expir\\w*|nachste\\w*|fallig|ablauf\\w*|proxim[oa]|caducidad|prochaine?|prossim[oa])\\b|القادم',
  ].join('|')})`,
);

function isOtherDate(head: string): boolean {
  return OTHER_DATES.test(foldedText(head).replace(/[^\p{L}]+/gu, ' '));
}

function guessTimes(columns: readonly ColumnLook[]): readonly string[] {
  const roles = columns.map(() => 'none');
  const dated = columns.flatMap(({ dates, head }, at) =>
    dates.length > 0 && !isPeriod(columns[at]!) && !isOtherDate(head)
      ? [{ at, named: WHEN.test(foldedText(head)) }]
      : [],
  );
  const local = dated.filter(({ at }) => !isInUtc(columns[at]!));
  const when = [local, dated].flatMap((some) => some.find(({ named }) => named) ?? [])[0] ?? local[0] ?? dated[0];
  if (when === undefined) {
    return roles;
  }
  roles[when.at] = columns[when.at]!.dates.some(({ timed }) => timed) ? 'datetime' : 'date';
  const times = columns.flatMap(({ times: forms, head }, at) => {
    const isTime = forms.length > 0 && !OTHER_TIMES.test(foldedText(head)) && (isTimeHead(head) || at - when.at === 1);
    return isTime ? [at] : [];
  });
  const sets = times.map((at) => setOf('time', columns[at]!.head).key);
  times.forEach((at, index) => {
    if (roles[when.at] === 'date' && sets.indexOf(sets[index]!) === index) {
      roles[at] = 'time';
    }
  });
  return roles;
}

/** Whether a head says, also in brackets, that its numbers are a goal, a change, a mean or somebody else's. */
function isNoReading(head: string): boolean {
  return MEAN_SIGN.test(head) || NO_READING.some((one) => one.test(plainHead(head)));
}

/** Whether a head names what is measured, and nothing that only sounds like it. */
function isHeadOf({ role, heads, units }: Measured, { head }: Pick<ColumnLook, 'head'>): boolean {
  // "SYS1" is the first of several.
  const name = plainHead(nameInHead(head)).replace(/\b(sys|dia|pul|puls|pulse|hr)(\d)\b/g, '$1 $2');
  const unit = squeezed(unitInHead(head));
  const isOtherUnit = UNITS_IN_HEADS.has(unit) && !units.some(({ written }) => written.includes(unit));
  const isPressure = !role.startsWith('bp_') || SURE_PRESSURE.test(name) || UPPER_AND_LOWER.test(name);
  return (
    heads.test(name) &&
    isPressure &&
    !isOtherUnit &&
    !isNoReading(head) &&
    (role.startsWith('bp_') || !EXTREME.test(plainHead(head))) &&
    // Brackets may name the group of a heart rate: "Pulse (Blood pressure)".
    OTHER_THINGS[role]?.test(role === 'heart_rate' ? name : plainHead(head)) !== true
  );
}

/** Heads, folded, of tables of training and of food, whose weights are not those of a body. */
const OF_THINGS =
  /^(?:exercises?|reps?|repetitions?|sets?|set order|ubung|wiederholungen|satze|ejercicio|repeticiones|exercice|food|foods|lebensmittel|alimentos?|aliments?|product|produkt|تمرين|طعام)\b|^(?:exercise|ubung)/;

const BODY_WEIGHT = /\bbody ?weight|korpergewicht|peso corporal|poids corporel|peso corporeo/;

const WORKOUTS = /^(?:sport|sportart|workout|activity type|trainingsart|deporte|tipo de actividad|type d'activite)\b/;
const LASTS = /\b(?:duration|dauer|distan\w*|strecke|duracion|duree|durata)\b/;

/** Whether a table lists workouts, in which weight, height and a resting pulse are those of a profile. */
function isOfWorkouts(columns: readonly ColumnLook[]): boolean {
  const heads = columns.map(({ head }) => foldedText(head));
  return [WORKOUTS, LASTS].every((one) => heads.some((head) => one.test(head)));
}

/** Whether the weights of a table are those of what somebody lifts or eats. */
function isOfThings(columns: readonly ColumnLook[]): boolean {
  const heads = columns.map(({ head }) => foldedText(head));
  return heads.some((head) => OF_THINGS.test(head)) && !heads.some((head) => BODY_WEIGHT.test(head));
}

/** Whether heads of one reading have each a word of their own that names no set, such as the names of two people. */
function tellApart(columns: readonly ColumnLook[]): boolean {
  const heads = columns.map(
    ({ head }): readonly string[] => foldedText(withoutSet(nameInHead(head))).match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  const [first = []] = heads;
  const lacks = (words: readonly string[], other: readonly string[]): boolean =>
    words.some((word) => !other.includes(word));
  return heads.some(
    (other) => other.some((word) => first.includes(word)) && lacks(first, other) && lacks(other, first),
  );
}

/** One number of a blood pressure by itself is rather something else. */
function takeBackHalf(columns: readonly ColumnLook[], roles: string[]): void {
  const setAt = (at: number): string => setOf(roles[at]!, columns[at]!.head).key;
  for (const [role, other] of [
    ['bp_systolic', 'bp_diastolic'],
    ['bp_diastolic', 'bp_systolic'],
  ] as const) {
    const alone = roles.flatMap((one, at) =>
      one === role && !roles.some((two, place) => two === other && setAt(place) === setAt(at)) ? [at] : [],
    );
    alone.forEach((at) => {
      roles[at] = 'none';
    });
  }
}

/** Whether two numbers below a head are a blood pressure: it names one, or nothing but a time of the day or a side. */
function isPairHead(head: string): boolean {
  return BOTH.test(foldedText(head)) || (setOf('bp', head).key !== '' && withoutSet(head) === '');
}

/** Whether most of the cells of a column name readings of the body. */
function namesVitals({ few }: ColumnLook): boolean {
  const named = few.filter((text) => MEASURED.some(({ vital: own, heads }) => own && heads.test(foldedText(text))));
  return 2 * named.length > few.length;
}

/** The columns of a list that has a test or another kind of reading in each row. */
/** Heads that only a diary of glucose has. */
const OF_GLUCOSE = /\b(meal|mahlzeit|comida|repas|pasto|hypo|nuchtern|fasting|ayunas|a jeun|digiuno)\b/;
const GLUCOSE_UNITS: readonly string[] = ['mg/dl', 'mmol/l'];

/** The result of a meter, in a unit of glucose beside it and with columns about meals. */
function guessMeter({ columns }: TableLook, roles: string[]): void {
  const result = columns.findIndex(({ head, number }) => number !== null && RESULTS.test(foldedText(head)));
  const unit = columns.findIndex(({ head, few }) => UNITS.test(foldedText(head)) && few.length > 0);
  const isInUnits = columns[unit]?.few.every((text) => GLUCOSE_UNITS.includes(squeezed(text))) === true;
  const isOfMeals = columns.some(({ head }) => OF_GLUCOSE.test(foldedText(head)));
  if (result !== -1 && isInUnits && isOfMeals && roles[result] === 'none') {
    roles[result] = 'glucose';
  }
}

function guessLists({ columns, across }: TableLook, roles: string[]): void {
  const free = (fits: (column: ColumnLook, at: number) => boolean): number =>
    columns.findIndex((column, at) => roles[at] === 'none' && column.samples.length > 0 && fits(column, at));
  const isName = ({ number }: ColumnLook): boolean => number === null;
  const result = free(({ head }) => (across === undefined ? RESULTS.test(foldedText(head)) : head === ACROSS.value));
  const named = free((column) => isName(column) && [TESTS, KINDS].some((one) => one.test(foldedText(column.head))));
  // Below a name that says nothing of tests, rows may be people or habits: a unit or a range shows that they are tests.
  const isOfTests =
    across !== undefined && columns.some(({ head }) => [UNITS, RANGES].some((one) => one.test(foldedText(head))));
  const name =
    named === -1 && isOfTests ? free((column) => isName(column) && !saysWhose(column.head, column.few)) : named;
  if (result === -1 || name === -1) {
    return;
  }
  roles[result] = 'result';
  roles[name] = namesVitals(columns[name]!) || KINDS.test(foldedText(columns[name]!.head)) ? 'kind' : 'test';
  const [unit, range] = [UNITS, RANGES].map((one) => free(({ head }) => one.test(foldedText(head)))) as [
    number,
    number,
  ];
  for (const [at, role] of [
    [unit, 'unit'],
    [range, 'range'],
  ] as const) {
    if (at !== -1) {
      roles[at] = role;
    }
  }
}

/**
 * Of two tables side by side the second one has days of its own: values behind a second column of days, which has the
 * same head and values before it, are none of the first one's days.
 */
function leaveSecondTable(columns: readonly ColumnLook[], roles: string[]): void {
  const first = roles.findIndex((role) => role === 'date' || role === 'datetime');
  const nameAt = (at: number): string => foldedText(columns[at]?.head.replace(/ \(\d+\)$/, '') ?? '');
  const second = columns.findIndex(
    ({ dates }, at) =>
      at > first && dates.length > 0 && nameAt(at) === nameAt(first) && roles.slice(first, at).some(isValue),
  );
  if (first !== -1 && second !== -1) {
    roles.fill('none', second);
  }
}

/** The columns that say something of the values of their row. */
function guessRemarks(columns: readonly ColumnLook[], roles: string[], values: boolean): void {
  columns.forEach(({ number, head, samples }, at) => {
    const isRemark = samples.length > 0 && (number === null || /irregular|ihb|arrhythm/.test(foldedText(head)));
    const says = REMARKS.test(foldedText(head)) || isClassOfPressure(head) || isHours(columns[at]!);
    if (values && roles[at] === 'none' && isRemark && says) {
      roles[at] = 'remark';
    }
  });
}

/** What the heads and the cells say that the columns are. */
export function guessRoles(look: TableLook): readonly string[] {
  const { columns } = look;
  const roles = [...guessTimes(columns)];
  const give = (role: string, fits: (column: ColumnLook) => boolean): void => {
    const at = columns.findIndex((column, index) => roles[index] === 'none' && fits(column));
    if (at !== -1) {
      roles[at] = role;
    }
  };
  const giveEach = (role: string, fits: (column: ColumnLook) => boolean): void => {
    const open = columns.filter((column, at) => roles[at] === 'none' && fits(column));
    const sets = new Set(tellApart(open) ? [] : open.map(({ head }) => setOf(role, head).key));
    for (const key of sets) {
      give(role, (column) => fits(column) && setOf(role, column.head).key === key);
    }
  };
  guessLists(look, roles);
  guessMeter(look, roles);
  giveEach('bp', ({ isPair, head }) => isPair && isPairHead(head) && !isNoReading(head));
  for (const measured of MEASURED) {
    const isLifted =
      (measured.role === 'weight' && isOfThings(columns)) ||
      (['weight', 'height', 'bmi', 'heart_rate'].includes(measured.role) && isOfWorkouts(columns));
    giveEach(measured.role, (column) => column.number !== null && isHeadOf(measured, column) && !isLifted);
    if (measured.role === 'bp_diastolic') {
      takeBackHalf(columns, roles);
    }
  }
  const values = roles.some(isValue);
  const clinical = values ? undefined : guessClinicalRoles(columns);
  if (clinical) {
    const isWhose = ({ head, few }: ColumnLook): boolean => few.length > 1 && saysWhose(head, few);
    roles.splice(
      0,
      roles.length,
      ...clinical.map((role, at) => (role === 'remark' && isWhose(columns[at]!) ? 'none' : role)),
    );
  }
  if (values) {
    give('note', ({ number, head, samples }) => number === null && samples.length > 0 && NOTES.test(foldedText(head)));
  }
  guessRemarks(columns, roles, values);
  if (roles.some((role) => (measuredFor(role)?.units.length ?? 0) > 1)) {
    give('unit', ({ head, samples }) => samples.length > 0 && UNITS.test(foldedText(head)));
  }
  leaveSecondTable(columns, roles);
  const people = columns.filter(({ head, few }, at) => roles[at] === 'none' && few.length > 1 && saysWhose(head, few));
  // Of first and last names those that differ most tell people apart.
  const most = Math.max(0, ...people.map(({ few }) => few.length));
  give(
    'person',
    (column) => (values || clinical !== undefined) && people.includes(column) && column.few.length === most,
  );
  return roles;
}

function isValue(role: string): boolean {
  return byRole.has(role) || ['other', 'bp', 'result'].includes(role);
}
function isIn(value: number, { from, to }: Range): boolean {
  return value >= from && value <= to;
}

/** A role of which there can be one column only. */
function isSingle(role: string): boolean {
  return !['none', 'other', 'unit', 'remark', 'note', 'dose'].includes(role);
}

function measuredFor(role: string): Measured | undefined {
  return byRole.get(role === 'bp' ? 'bp_systolic' : role);
}

/** Units that the head or the cells of a column name. */
function namedUnits({ head, number, samples, isPair }: ColumnLook, units: readonly Unit[]): readonly Unit[] {
  const written = (number?.units ?? []).filter((text) => text !== '').map(squeezed);
  const pairs = isPair ? samples.map((text) => squeezed(text.replace(/^[\d\s./,]+/, ''))).filter(Boolean) : [];
  const inCells = units.filter((one) => [...written, ...pairs].some((text) => one.written.includes(text)));
  const words = foldedText(head).split(/[\s()[\],;:_]+/);
  const inHead = units.filter((one) => one.written.some((text) => words.includes(text)));
  // A unit in one cell is not that of a bare number in another one.
  const isBare = number?.units.includes('') === true;
  if (inCells.length > 0 && !isBare) {
    return inCells.slice(0, 1);
  }
  return inHead.length > 0 || isBare ? inHead : inCells;
}

/** Units in which the middle value of a column is possible. */
function possibleUnits(measured: Measured, { number, samples, isPair }: ColumnLook, likely: Likelies): readonly Unit[] {
  const middle = isPair ? Number.parseFloat((samples[0] ?? '').replace(',', '.')) : number?.middle;
  const range = measured.vital && likely[`${measured.vital.field}_value`];
  if (middle === undefined) {
    return measured.units;
  }
  return measured.units.filter((one, index) => {
    const own = measured.measurement?.middles?.[index] ?? measured.measurement?.ranges[index];
    return own ? isIn(middle, own) : range === undefined || isIn(middle * one.times + one.plus, range);
  });
}

type Likelies = Readonly<Record<string, Range>>;

function likeliesOf(models: Models): Likelies {
  return Object.fromEntries(
    Object.entries(models.find('VitalSigns')?.words?.likely ?? {}).flatMap(([name, range]) =>
      isLikelyNumbers(range) ? [[name, range] as const] : [],
    ),
  );
}

/** The different cells of the column with the units of another one. */
function unitsBeside(look: TableLook, roles: readonly string[], at: number): readonly string[] {
  const [, beside] = [columnsFor(look, roles, at)].flat();
  return look.columns.find(({ head }) => head === beside)?.few ?? [];
}

/** Whether some temperatures of a column can only be in °C, and others only in °F. */
function isInBoth(role: string, { number }: ColumnLook): boolean {
  return (
    role === 'temperature' &&
    number !== null &&
    number.units.includes('') &&
    isIn(number.ends[0], IN_CELSIUS) &&
    isIn(number.ends[1], IN_FAHRENHEIT)
  );
}

/** The unit of a column, or those of which one has to be chosen. */
function columnUnit(look: TableLook, at: number, answers: TableAnswers, likely: Likelies): UnitFound {
  const [column, role] = [look.columns[at]!, answers.roles[at] ?? 'none'];
  const measured = measuredFor(role);
  if (!measured || measured.units.length < 2) {
    return { unit: measured?.units[0] };
  }
  const beside = unitsBeside(look, answers.roles, at).map((text) =>
    measured.units.find(({ written }) => written.includes(squeezed(text))),
  );
  if (beside.length === 1 && beside[0]) {
    return { unit: beside[0] };
  }
  const both = isInBoth(role, column) ? [EITHER] : [];
  const said = [...measured.units, ...both].find(({ name }) => name === answers.units[String(at)]);
  const named = namedUnits(column, measured.units);
  if (named.length === 1) {
    return { unit: named[0] };
  }
  const possible = both.length > 0 ? [...measured.units, ...both] : possibleUnits(measured, column, likely);
  // A unit that hardly anybody uses is asked about, although no other is possible.
  if (possible.length === 1 && !RARE.includes(possible[0]!.name)) {
    return { unit: possible[0] };
  }
  const units = possible.length > 0 ? possible : measured.units;
  const sure = said ?? (possible.length === 1 ? possible[0] : undefined);
  return {
    unit: said,
    question: { about: 'unit', column: at, units: units.map(({ name }) => name), value: sure?.name ?? '' },
  };
}

type UnitFound = { readonly unit: Unit | undefined; readonly question?: TableQuestion };

/** The sign of fractions, with the sign of thousands. */
function readMarks(look: TableLook, answers: TableAnswers) {
  const numbers = look.columns.flatMap(({ number }, at) =>
    number && isValue(answers.roles[at] ?? '') ? [number] : [],
  );
  const own = [...new Set(numbers.flatMap((one) => one.fractions))];
  // A file is written in one way: columns that are not read show it, too.
  const all = [...new Set(look.columns.flatMap(({ number }) => number?.fractions ?? []))];
  const fractions = own.length === 0 && all.length === 1 ? all : own;
  const open = [...new Set(numbers.flatMap((one) => one.open))];
  if (look.sheet || fractions.length > 1) {
    return { decimal: ['.', ','] as const, question: undefined };
  }
  const [sure] = fractions;
  const decimal = sure ?? (open.length === 0 ? '.' : answers.decimal);
  const sample = look.columns.flatMap(({ samples, number }) => (number?.open.length ? samples : []))[0] ?? '';
  const question = { about: 'decimal', sample, value: answers.decimal ?? '' } as const;
  const other = decimal === ',' ? '.' : ',';
  return {
    decimal: decimal ?? ('.' as const),
    ...(open.includes(other) ? { thousands: other } : {}),
    question: sure === undefined && open.length > 0 ? question : undefined,
  };
}

function conversions(units: readonly Unit[]): Readonly<Record<string, Conversion>> {
  return Object.fromEntries(
    units.flatMap(({ written, times, plus }) => written.map((text) => [text, { times, plus }])),
  );
}

type Place = { readonly column: string | readonly string[]; readonly unit: Unit | undefined };

function vitalField({ units, vital: own }: Measured, { column, unit: bare }: Place, part?: number): CsvTable['fields'] {
  const { field, unit: unitOfModel, code, title } = own!;
  const one: CsvField = {
    column,
    unit: unitOfModel,
    units: conversions(units),
    // The units stand in a column of their own.
    ...(Array.isArray(column) && units.length > 1 ? { needsUnit: true as const } : {}),
    times: bare?.times ?? 1,
    plus: bare?.plus ?? 0,
    // Programs write it where nothing was measured.
    none: ['0', '0.0', '0,0', '0.00', '0,00'],
    ...(bare?.between === undefined ? {} : { between: bare.between }),
    also: { [`${field}_name_title`]: title, [`${field}_name_identifier`]: code, [`${field}_name_system`]: LOINC },
    ...(part === undefined ? {} : { split: PRESSURE_SIGN, part }),
  };
  return { [`${field}_value`]: one };
}

/** The readings of VitalSigns in a row. */
function vitalFields(role: string, place: Place, hasRate: boolean): CsvTable['fields'] {
  return role === 'bp'
    ? {
        ...vitalField(byRole.get('bp_systolic')!, place, 1),
        ...vitalField(byRole.get('bp_diastolic')!, place, 2),
        // A heart rate behind the two numbers, unless it has a column of its own.
        ...(hasRate ? {} : vitalField(byRole.get('heart_rate')!, { column: place.column, unit: undefined }, 3)),
      }
    : vitalField(byRole.get(role)!, place);
}

const LONGEST_TYPE = 24;
const LONGEST_UNIT = 40;

/** What a head says without its unit: "Vitamin D" of "Vitamin D (ng/mL)". */
function nameInHead(head: string): string {
  return head.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '').trim() || head;
}
function unitInHead(head: string): string {
  return /[([]([^()[\]]{1,20})[)\]]\s*$/.exec(head)?.[1]?.trim() ?? '';
}

/** One number of its own, named by its type or by its head. */
function measurementFields(
  role: string,
  look: Pick<ColumnLook, 'head' | 'number'>,
  { column, unit: bare }: Place,
): CsvTable['fields'] {
  const known = byRole.get(role)?.measurement;
  const own = bare?.name ?? (look.number?.units.find((text) => text !== '') || unitInHead(look.head));
  const units = byRole.get(role)?.units ?? [];
  const range = known?.ranges[units.findIndex(({ name }) => name === bare?.name)];
  const name = nameInHead(look.head);
  const written = bare?.written ?? (own === '' ? [] : [own]);
  // A number keeps the unit behind it.
  const others = units.flatMap((one, at) =>
    one.written.map(
      (text) => [text, { unit: one.name, ...(known?.ranges[at] && { possible: known.ranges[at] }) }] as const,
    ),
  );
  return {
    type: { text: known?.type ?? name.slice(0, LONGEST_TYPE) },
    ...(known ? {} : { name: { text: look.head.slice(0, 200) } }),
    value: {
      column,
      ...(own === '' ? {} : { unit: own.slice(0, LONGEST_UNIT) }),
      units: Object.fromEntries([...written.map((text) => [text, 1] as const), ...others]),
      ...(range ? { possible: range } : {}),
      ...(role === 'glucose'
        ? {
            beyond: {
              below: ['LO', 'Lo', 'lo', 'LOW', 'Low', 'low'],
              above: ['HI', 'Hi', 'hi', 'HIGH', 'High', 'high'],
            },
          }
        : {}),
    },
  };
}

type When = { readonly column: readonly string[]; readonly date: readonly string[] };

/** A form of a day and one of a time; a year that is not in the text stands behind. */
function timedForm(day: string, time: string): string {
  const [form, year] = day.split('@');
  return `${form} ${time}${year === undefined ? '' : `@${year}`}`;
}

/** Forms with a time come first: the day alone is for rows without one. @param key the set with a time of its own */
function whenFrom(look: TableLook, roles: readonly string[], reading: DateReading, key = ''): When {
  const at = roles.findIndex((role) => role === 'datetime' || role === 'date');
  const times = [key, ''].map((set) =>
    roles.findIndex((role, place) => role === 'time' && setOf(role, look.columns[place]!.head).key === set),
  );
  const time = times.find((place) => place !== -1) ?? -1;
  const day = look.columns[at]!.day ?? [look.columns[at]!.head];
  if (time === -1) {
    return { column: day, date: reading.forms };
  }
  const { head, times: forms } = look.columns[time]!;
  return {
    column: [...day, head],
    date: [...reading.forms.flatMap((form) => forms.map((one) => timedForm(form, one))), ...reading.forms],
  };
}

/** A column with units stands behind the values whose units it has, which may be both numbers of a blood pressure. */
function columnsFor(look: TableLook, roles: readonly string[], at: number): string | readonly string[] {
  const { head } = look.columns[at]!;
  const isOther = (role: string): boolean => isValue(role) && !(roles[at] === 'bp_systolic' && role === 'bp_diastolic');
  const next = roles.findIndex((role, index) => index > at && (isOther(role) || role === 'unit'));
  return roles[next] === 'unit' ? [head, look.columns[next]!.head] : head;
}

type Units = ReadonlyMap<number, Unit | undefined>;

/** Whether the date of a row says less than when its values were measured: then it stands in the notes as written, too. */
function isLongerThanDay(column: ColumnLook): boolean {
  return isPeriod(column) || column.dates.some(({ forms }) => forms.some((form) => form.endsWith(SPAN)));
}

/** What a row says besides of its values: the set that they belong to, and the remarks. */
function notesOf(look: TableLook, roles: readonly string[], { words }: ColumnSet): CsvTable['fields'] {
  const any = look.columns.flatMap((column, at) =>
    roles[at] === 'remark' || (/^date/.test(roles[at] ?? '') && isLongerThanDay(column)) ? [column.head] : [],
  );
  if (any.length === 0) {
    return words === '' ? {} : { notes: { text: words } };
  }
  return { notes: { any, ...(words === '' ? {} : { text: words }) } };
}

/** A note as it is, or with the head of a column that is not one of notes. */
function noteTable({ head }: ColumnLook, when: When): CsvTable {
  const content: CsvField = NOTES.test(foldedText(head)) ? { column: head } : { any: [head] };
  return { model: 'SimpleClinicalNote', fields: { date_of_visit: when, content } };
}

/**
 * The facts of a row: the readings of the body together for each set of columns, each other number and each note by
 * itself.
 */
function tablesFor(look: TableLook, roles: readonly string[], reading: DateReading, units: Units): readonly CsvTable[] {
  const vitals = new Map<string, CsvTable>();
  const others: CsvTable[] = [];
  const when = whenFrom(look, roles, reading);
  roles.forEach((role, at) => {
    const column = look.columns[at];
    const place = column && { column: columnsFor(look, roles, at), unit: units.get(at) };
    if (!place) {
      return;
    }
    const set = setOf(role, column.head);
    const own = whenFrom(look, roles, reading, set.key);
    if (role === 'bp' || byRole.get(role)?.vital) {
      const hasRate = roles.some(
        (one, other) => one === 'heart_rate' && setOf(one, look.columns[other]!.head).key === set.key,
      );
      const begun = vitals.get(set.key)?.fields ?? { date: own, ...notesOf(look, roles, set) };
      vitals.set(set.key, { model: 'VitalSigns', fields: { ...begun, ...vitalFields(role, place, hasRate) } });
    } else if (isValue(role) && role !== 'result') {
      const fields = { datetime: own, ...measurementFields(role, column, place), ...notesOf(look, roles, set) };
      others.push({ model: 'Measurement', fields });
    } else if (role === 'note') {
      others.push(noteTable(column, when));
    }
  });
  return [...vitals.values(), ...listTables(look, roles, when), ...others];
}

/** Heads that say no more than that tests stand below them. */
const GENERAL =
  /^(?:[\p{L}-]*(?:tests?|analyt|parameter|laborwert|laboratory|labor|untersuchung|messgrosse|analys|prueba|examen|esame|component|determinacion|name|فحص|تحليل|الفحص|التحليل)[\p{L}]*(?: |$))+$|^column \d+$/u;

function remarksIn({ notes }: CsvTable['fields']): readonly string[] {
  return notes !== undefined && 'any' in notes ? (notes.any ?? []) : [];
}

/** The facts of a list with a test or another kind of reading in each row. */
function listTables(look: TableLook, roles: readonly string[], when: When): readonly CsvTable[] {
  const headOf = (role: string): string | undefined => look.columns[roles.indexOf(role)]?.head;
  const [test, kind, result, unit, range] = ['test', 'kind', 'result', 'unit', 'range'].map(headOf);
  if (result === undefined) {
    return [];
  }
  const unitColumn = unit === undefined ? {} : { unitColumn: unit };
  const notes = notesOf(look, roles, { key: '', words: '' });
  // "Antigen" below "COVID test" says not enough.
  const isGeneral = test === undefined || GENERAL.test(foldedText(nameInHead(test)));
  const named = isGeneral ? notes : { notes: { ...notes['notes'], any: [test, ...remarksIn(notes)] } };
  if (test !== undefined) {
    const fields = {
      collected_at: when,
      test_name_title: { column: test, aside: true as const, needed: true as const },
      quantitative_result_value_value: { column: result, inWords: 'value', ...unitColumn },
      ...(range === undefined ? {} : { reference: { column: range, aside: true as const } }),
      ...named,
    };
    return [{ model: 'LabResult', fields: fields as CsvTable['fields'] }];
  }
  return kind === undefined ? [] : kindTables(look.columns[roles.indexOf('kind')]!, { result, unit, when, notes });
}

type ListParts = {
  readonly result: string;
  readonly unit: string | undefined;
  readonly when: When;
  readonly notes: CsvTable['fields'];
};

function numberFields({ role }: Measured, cell: string, place: Place): CsvTable['fields'] {
  return measurementFields(role, { head: cell, number: null }, place);
}

/** The words of a name that a program has: "Body Mass" of HKQuantityTypeIdentifierBodyMass. */
function readingWords(cell: string): string {
  return cell.replace(/^HK(?:Quantity|Category)TypeIdentifier/, '').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

/** Rows of readings of the body become those; each other kind a number by its name. */
function kindTables({ head, few }: ColumnLook, { result, unit, when, notes }: ListParts): readonly CsvTable[] {
  const vitals = few.flatMap((cell) => {
    const column = { head: readingWords(cell) };
    const measured = MEASURED.find((one) => one.units.length > 0 && isHeadOf(one, column));
    return measured && (unit !== undefined || measured.units.length === 1) ? [[cell, measured] as const] : [];
  });
  const known = new Set(vitals.map(([cell]) => cell));
  const rest = few.filter((cell) => !known.has(cell));
  const column = unit === undefined ? result : [result, unit];
  const value: CsvField = { column: result, ...(unit === undefined ? {} : { unitColumn: unit }) };
  // Names of programs begin alike: as types they would be cut to the same one.
  const programs = rest.filter((cell) => readingWords(cell) !== cell);
  const others = rest.filter((cell) => !programs.includes(cell));
  const other: CsvTable = {
    model: 'Measurement',
    ...(few.length === 0 ? {} : { rows: { [head]: others } }),
    fields: {
      datetime: when,
      type: { column: head, aside: true, needed: true, most: LONGEST_TYPE },
      name: { column: head, aside: true, needed: true, most: 200 },
      value,
      ...notes,
    },
  };
  const place = { column, unit: undefined };
  return [
    ...vitals.map(([cell, measured]): CsvTable => {
      const rows = { [head]: [cell] };
      return measured.vital
        ? { model: 'VitalSigns', rows, fields: { date: when, ...vitalField(measured, place), ...notes } }
        : { model: 'Measurement', rows, fields: { datetime: when, ...numberFields(measured, cell, place), ...notes } };
    }),
    ...programs.map((cell): CsvTable => {
      const named = { type: { text: readingWords(cell).slice(0, LONGEST_TYPE) }, name: { text: cell } };
      return { model: 'Measurement', rows: { [head]: [cell] }, fields: { datetime: when, ...named, value, ...notes } };
    }),
    ...(few.length > 0 && others.length === 0 ? [] : [other]),
  ];
}

/** Whether there are values, and for those of a list the names of what was measured. */
function saysValues(roles: readonly string[]): boolean {
  const isNamed = roles.includes('test') || roles.includes('kind');
  return roles.some((role) => namesStatement(role) || (isValue(role) && (role !== 'result' || isNamed)));
}

/** The place of the column whose dates are looked at first; a list of statements may have several, or none. */
function whenAt({ columns }: Pick<TableLook, 'columns'>, roles: readonly string[]): number {
  const at = roles.findIndex((role) => role === 'datetime' || role === 'date');
  const days = roles.findIndex((role, place) => DAYS.includes(role) && (columns[place]?.dates.length ?? 0) > 0);
  return roles.some(namesStatement) ? days : at;
}
const DAYS: readonly string[] = ['datetime', 'date', 'since', 'until'];

/** The facts of a list of statements; each of its columns of days is read in the order that was answered. */
function statementTables(
  look: TableLook,
  roles: readonly string[],
  reading: DateReading | undefined,
): readonly CsvTable[] {
  const placesOf = (role: string): readonly number[] => roles.flatMap((one, at) => (one === role ? [at] : []));
  return clinicalTables(
    (role) => placesOf(role).map((at) => look.columns[at]!.head),
    (role) => {
      const column = look.columns[placesOf(role)[0] ?? -1];
      const { dates = [] } = column ?? {};
      const same = dates.find(({ sequence }) => sequence === reading?.sequence) ?? dates[0];
      const isSure = dates.length < 2 || same?.sequence === reading?.sequence;
      const forms = (isSure ? (same?.forms ?? []) : []).filter((form) => !/[Hh@]|SPAN|UNIX|EXCEL/.test(form));
      // Where most cells are words, a day that can be read in one way only is one.
      return column && { head: column.head, forms: ['YYYY-M-D', ...forms] };
    },
  );
}

/** What says that the values of the rows are means or sums of longer times than a day, where no column has days. */
function meansIn({ columns, means }: TableLook, roles: readonly string[], at: number): readonly TableProblem[] {
  if (means !== undefined) {
    return [{ problem: 'means', title: means }];
  }
  const isChosen = columns[at] !== undefined && MONTHS.test(foldedText(columns[at].head)) && !columns[at].day;
  const column = isChosen ? at : columns.findIndex(isPeriod);
  const hasDays = !isChosen && (columns[at]?.dates.length ?? 0) > 0;
  return column === -1 || hasDays || roles.some(namesStatement) ? [] : [{ problem: 'means', column }];
}

function problemsOf(look: TableLook, { roles }: TableAnswers): readonly TableProblem[] {
  const named = roles.map((role, column) => `${role} ${setOf(role, look.columns[column]?.head ?? '').key}`);
  const twice = roles.flatMap((role, column) =>
    isSingle(role) && named.indexOf(named[column]!) !== column ? [{ column, problem: 'twice' as const }] : [],
  );
  const at = whenAt(look, roles);
  const means = meansIn(look, roles, at);
  return [
    ...twice,
    ...means,
    ...(means.length === 0 && (look.columns[at]?.dates.length ?? 0) === 0 && !roles.some(namesStatement)
      ? [{ problem: 'no-date' as const, ...(at === -1 ? {} : { column: at }) }]
      : []),
    ...(look.columns[at]?.dates[0]?.yearless === 'several' ? [{ problem: 'no-year' as const, column: at }] : []),
    ...(saysValues(roles) ? [] : [{ problem: 'no-value' as const }]),
  ];
}

/** The ways to read the dates, and the one that counts, if it is known. */
function readingsFor(look: TableLook, { roles, sequence }: TableAnswers) {
  const readings = look.columns[whenAt(look, roles)]?.dates ?? [];
  const sequences = new Set(readings.map((one) => one.sequence));
  const wanted = sequences.size === 1 ? readings[0] : readings.find((one) => one.sequence === sequence);
  return { readings, isOpen: sequences.size > 1, reading: wanted };
}

/** So many years are offered for dates that say none. */
const YEARS_OFFERED = 15;

/** The question which year it is, if the dates say none. */
function yearAsked([reading]: readonly DateReading[], { year = '' }: TableAnswers): YearAsked | undefined {
  if (reading?.yearless === undefined) {
    return undefined;
  }
  const newest = new Date().getFullYear();
  const years = Array.from({ length: YEARS_OFFERED }, (_, ago) => String(newest - ago));
  return { about: 'year', written: reading.written, years, value: years.includes(year) ? year : '' };
}

type YearAsked = Extract<TableQuestion, { about: 'year' }>;

/** The dates in the year that was answered. */
function datesInYear(reading: DateReading, asked: YearAsked | undefined): DateReading {
  const forms = reading.forms.map((form) => form.replace(`@${ANY_YEAR}`, `@${asked?.value ?? ''}`));
  return asked === undefined ? reading : { ...reading, forms };
}

/** Whose rows there are, if there are those of several people. */
function peopleIn(look: TableLook, { roles, person = '' }: TableAnswers): PeopleFound | undefined {
  const column = roles.indexOf('person');
  const people = look.columns[column]?.few ?? [];
  const value = person === ALL_ROWS || people.includes(person) ? person : '';
  return people.length > 1 ? { about: 'person', column, people, all: ALL_ROWS, value } : undefined;
}

type PeopleFound = Extract<TableQuestion, { about: 'person' }>;

/** The rows of one person; nothing where all rows are. */
function rowsOfPerson(look: TableLook, people: PeopleFound | undefined): Pick<CsvTable, 'rows'> {
  return people === undefined || people.value === ALL_ROWS
    ? {}
    : { rows: { [look.columns[people.column]!.head]: [people.value] } };
}

const ZONES = /zone|offset|\butc\b|\bgmt\b|\bhuso\b|fuseau|\bfuso\b/;
/** The column that says in which time zone the clock of each row went. */
function zonesIn(look: TableLook, roles: readonly string[]): Pick<CsvColumns, 'zones'> {
  const column = look.columns.find(
    ({ head, isZone }, at) => isZone && roles[at] === 'none' && ZONES.test(foldedText(head)),
  );
  return column ? { zones: [column.head] } : {};
}

/** A day that is written once above several times, as merged cells are. */
function daysAbove(look: TableLook, roles: readonly string[]): { readonly above?: readonly string[]; time?: string } {
  const [day, time] = ['date', 'time'].map((role) => look.columns[roles.indexOf(role)]);
  const isInSet = time !== undefined && setOf('time', time.head).key !== '';
  return isInSet || day === undefined || time === undefined ? {} : { above: day.day ?? [day.head], time: time.head };
}

/** The rows that a table takes, of those of one person. */
function joinedRows({ rows }: CsvTable, { rows: more }: Pick<CsvTable, 'rows'>): Pick<CsvTable, 'rows'> {
  return rows === undefined && more === undefined ? {} : { rows: { ...rows, ...more } };
}

/** The description that the answers give, and what has to be asked before there is one. */
export function planTable(look: TableLook, answers: TableAnswers, models: Models): TablePlan {
  const { roles } = answers;
  const likely = likeliesOf(models);
  const { readings, isOpen, reading } = readingsFor(look, answers);
  const marks = readMarks(look, answers);
  const units = look.columns.map((_, at) => columnUnit(look, at, answers, likely));
  const people = peopleIn(look, answers);
  const year = yearAsked(readings, answers);
  const questions: readonly TableQuestion[] = [
    ...(look.sheets ? [{ about: 'sheet' as const, sheets: look.sheets.names, value: look.sheets.chosen }] : []),
    ...(people ? [people] : []),
    ...(isOpen ? [{ about: 'sequence' as const, readings, value: reading?.sequence ?? '' }] : []),
    ...(year ? [year] : []),
    ...(marks.question ? [marks.question] : []),
    ...units.flatMap(({ question }) => (question ? [question] : [])),
  ];
  const problems = problemsOf(look, answers);
  const isSettled = !questions.some((one) =>
    one.about === 'unit' ? !answers.units[String(one.column)] : one.value === '',
  );
  const isList = roles.some(namesStatement);
  if (problems.length > 0 || !isSettled || (!reading && !isList)) {
    return { questions, problems };
  }
  const chosen: Units = new Map(units.map(({ unit: one }, at) => [at, one]));
  const rows = rowsOfPerson(look, people);
  const tables =
    isList || !reading
      ? statementTables(look, roles, reading)
      : tablesFor(look, roles, datesInYear(reading, year), chosen);
  const [first, ...more] = tables.map((table) => ({ ...table, ...joinedRows(table, rows) }));
  const { above, time } = daysAbove(look, roles);
  const columns: CsvColumns = {
    ...first!,
    ...(more.length > 0 ? { more } : {}),
    delimiter: look.delimiter,
    decimal: marks.decimal,
    ...('thousands' in marks ? { thousands: marks.thousands } : {}),
    head_lines: look.headLines,
    encoding: look.encoding,
    time_zone: look.columns.some((column, at) => /^date/.test(roles[at] ?? '') && isInUtc(column)) ? 'UTC' : OWN_ZONE,
    ...zonesIn(look, roles),
    documents: 'rows',
    ...(above === undefined ? {} : { above }),
    ...(look.alone === undefined ? {} : { alone: look.alone }),
    described: {
      skip: look.skip,
      ...(look.across === undefined ? {} : { across: look.across }),
      headless: look.headless,
      sheet: look.sheet,
      ...(look.sheets === undefined ? {} : { sheetName: look.sheets.chosen }),
      ...(isList ? { list: true as const } : {}),
      ...(time === undefined ? {} : { time }),
    },
  };
  return { questions, problems, columns: addLikely(models, columns) };
}
