/**
 * more-makers: random problems, vaccinations, allergies, procedures and measurements of which the truth is known, and a
 * plain second matcher for each, which shares no code with the rules.
 */
import { below, pick, type Random } from '../../support/random';
import type { Saying } from './told';

/** A true thing: two statements are about the same one if their truths are equal. */
export type True = {
  readonly truth: string;
  readonly saying: Saying;
  /** Told so that the rules can know it. */ readonly isPlain: boolean;
};

const SNOMED = ['http://snomed.info/sct', 'urn:oid:2.16.840.1.113883.6.96'];
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';

const typed = (random: Random, words: string): string =>
  pick(random, [words, words.toUpperCase(), ` ${words.replaceAll(' ', '  ')} `]);
const someDay = (random: Random): string =>
  `20${10 + below(random, 16)}-0${1 + below(random, 9)}-1${below(random, 10)}`;
const doc = (random: Random): Saying => ({ _doc: `doc-${below(random, 10)}` });

/** Names in which each source calls it, its code of SNOMED CT, and its code of ICD, which others may share. */
const PROBLEMS = [
  [['asthma', 'asthma bronchiale'], '195967001', 'J45.909'],
  [['low back pain', 'lumbago'], '279039007', 'M54.5'],
  [['sciatica', 'ischias'], '23056005', 'M54.5'],
  [['left knee arthrosis', 'arthrose links'], '1074831000119108', 'M17.12'],
  [['right knee arthrosis', 'arthrose rechts'], '1074831000119101', 'M17.11'],
] as const;

function someProblem(random: Random): True {
  const at = below(random, PROBLEMS.length);
  const [names, code, icd] = PROBLEMS[at]!;
  return {
    truth: String(at),
    isPlain: true,
    saying: {
      name_title: typed(random, pick(random, names)),
      ...pick(random, [
        { name_identifier: code, name_system: pick(random, SNOMED) },
        { name_identifier: icd, name_system: ICD },
        {},
      ]),
      // Two problems with one code of ICD never begin on one day, because then they would be taken for one.
      ...(below(random, 2) > 0 ? { startDate: `${someDay(random).slice(0, 9)}${at}` } : {}),
      ...doc(random),
    },
  };
}

const text = (saying: Saying, name: string): string => String(saying[name] ?? '');
const words = (saying: Saying, name: string): string => text(saying, name).toLowerCase().split(/\s+/).join(' ').trim();
const day = (saying: Saying, name: string): string => text(saying, name).slice(0, 10);
const both = (one: string, other: string): boolean => one !== '' && other !== '';
const isEqual = (one: string, other: string): boolean => one !== '' && one === other;

function sideOf(title: string): string {
  const left = /\b(left|links)\b/.test(title);
  const right = /\b(right|rechts)\b/.test(title);
  return left === right ? '' : String(left);
}

const codeIn = (saying: Saying, name: string, isSystem: (system: string) => boolean): string =>
  isSystem(text(saying, `${name}_system`)) ? text(saying, `${name}_identifier`) : '';

function isOneProblem(one: Saying, other: Saying): boolean {
  const [a, b] = [one, other].map((saying) => ({
    name: words(saying, 'name_title'),
    snomed: codeIn(saying, 'name', (system) => SNOMED.includes(system)),
    icd: codeIn(saying, 'name', (system) => system === ICD),
    start: day(saying, 'startDate'),
  }));
  const isOtherSide = both(sideOf(a!.name), sideOf(b!.name)) && sideOf(a!.name) !== sideOf(b!.name);
  const isOtherIcdSide = both(a!.icd, b!.icd) && a!.icd !== b!.icd && [a!.icd, b!.icd].every((icd) => /^M17/.test(icd));
  if (isOtherSide || isOtherIcdSide || (both(a!.snomed, b!.snomed) && a!.snomed !== b!.snomed)) {
    return false;
  }
  return (
    isEqual(a!.snomed, b!.snomed) ||
    isEqual(a!.name, b!.name) ||
    (isEqual(a!.icd, b!.icd) && isEqual(a!.start, b!.start))
  );
}

const FLU = ['88', '141', '150'];
const VACCINES = [
  ['influenza', '141'],
  ['influenza', '150'],
  ['flu shot, unspecified', '88'],
  ['mmr', '03'],
  ['varicella', '21'],
] as const;

function someShot(random: Random): True {
  const at = below(random, VACCINES.length);
  const [name, code] = VACCINES[at]!;
  const [days, isCoded] = [1 + below(random, 4), below(random, 3) > 0];
  const group = FLU.includes(code) ? 'flu' : name;
  return {
    truth: `${group} ${days}`,
    // Brand and unspecified code of one shot are one by their lot only.
    isPlain: group !== 'flu',
    saying: {
      product_name_title: typed(random, name),
      ...(isCoded
        ? {
            product_name_identifier: pick(random, [code, code.padStart(3, '0')]),
            product_name_system: 'http://hl7.org/fhir/sid/cvx',
          }
        : {}),
      date: `2025-10-0${days}T0${below(random, 10)}:00:00.000000Z`,
      ...(below(random, 2) > 0
        ? { lotNumber: pick(random, [`${group}${days}`, `${group}${days}`.toUpperCase()]) }
        : {}),
      ...doc(random),
    },
  };
}

function isOneShot(one: Saying, other: Saying): boolean {
  const [a, b] = [one, other].map((saying) => ({
    name: words(saying, 'product_name_title'),
    code: text(saying, 'product_name_identifier').replace(/^0+/, ''),
    lot: words(saying, 'lotNumber'),
    day: day(saying, 'date'),
  }));
  if (!isEqual(a!.day, b!.day) || (both(a!.lot, b!.lot) && a!.lot !== b!.lot)) {
    return false;
  }
  if (both(a!.code, b!.code) && a!.code !== b!.code) {
    const isOneGroup = FLU.includes(a!.code) && FLU.includes(b!.code);
    return isOneGroup && (isEqual(a!.name, b!.name) || isEqual(a!.lot, b!.lot));
  }
  return isEqual(a!.code, b!.code) || isEqual(a!.name, b!.name);
}

/** A class of medicines has the name of one of them. */
const ALLERGENS = [
  ['allergen', 'peanut', 'erdnuss', '91935009'],
  ['food_allergen', 'milk', 'milch', '782555009'],
  ['drug_allergen', 'penicillin', 'penicillin g', '7034005'],
  ['drug_class_allergen', 'penicillin', 'penicilline', '373270004'],
] as const;

function someAllergy(random: Random): True {
  const at = below(random, ALLERGENS.length);
  const [field, name, other, code] = ALLERGENS[at]!;
  const isCoded = below(random, 2) > 0;
  return {
    truth: String(at),
    isPlain: true,
    saying: {
      [`${field}_title`]: typed(random, isCoded ? pick(random, [name, other]) : name),
      ...(isCoded ? { [`${field}_identifier`]: code, [`${field}_system`]: pick(random, SNOMED) } : {}),
      ...(below(random, 2) > 0 ? { severity_title: pick(random, ['mild', 'severe']) } : {}),
      ...doc(random),
    },
  };
}

const ALLERGEN_FIELDS = ['allergen', 'drug_allergen', 'drug_class_allergen', 'food_allergen'];

function isOneAllergy(one: Saying, other: Saying): boolean {
  const [a, b] = [one, other].map((saying) => ({
    name: ALLERGEN_FIELDS.map((field) => words(saying, `${field}_title`)).find((title) => title !== '') ?? '',
    codes: ALLERGEN_FIELDS.map((field) => text(saying, `${field}_identifier`)).filter((code) => code !== ''),
    isClass: text(saying, 'drug_class_allergen_title') !== '',
    isDrug: text(saying, 'drug_allergen_title') !== '',
  }));
  const isOneSided = ({ isClass, isDrug }: { readonly isClass: boolean; readonly isDrug: boolean }) =>
    isClass !== isDrug;
  if (isOneSided(a!) && isOneSided(b!) && a!.isClass !== b!.isClass) {
    return false;
  }
  const isShared = a!.codes.some((code) => b!.codes.includes(code));
  return isShared || ((a!.codes.length === 0 || b!.codes.length === 0) && isEqual(a!.name, b!.name));
}

const PROCEDURES = [
  ['appendectomy', 'blinddarm', '80146002'],
  ['left cataract', 'katarakt links', '5'],
  ['right cataract', 'katarakt rechts', '6'],
] as const;

function someProcedure(random: Random): True {
  const [at, days] = [below(random, PROCEDURES.length), 1 + below(random, 4)];
  const [name, other, code] = PROCEDURES[at]!;
  return {
    truth: `${at} ${days}`,
    isPlain: true,
    saying: {
      name: typed(random, pick(random, [name, other])),
      ...(below(random, 3) > 0 ? { name_value: code, name_type: pick(random, SNOMED) } : {}),
      date_performed: `2024-03-0${days}T0${below(random, 10)}:00:00.000000Z`,
      ...(below(random, 2) > 0 ? { location: pick(random, ['Ward 1', 'Ward 2']) } : {}),
      ...doc(random),
    },
  };
}

function isOneProcedure(one: Saying, other: Saying): boolean {
  const [a, b] = [one, other].map((saying) => ({
    name: words(saying, 'name'),
    code: text(saying, 'name_value'),
    day: day(saying, 'date_performed'),
  }));
  const isOtherSide = both(sideOf(a!.name), sideOf(b!.name)) && sideOf(a!.name) !== sideOf(b!.name);
  if (!isEqual(a!.day, b!.day) || isOtherSide || (both(a!.code, b!.code) && a!.code !== b!.code)) {
    return false;
  }
  return isEqual(a!.code, b!.code) || isEqual(a!.name, b!.name);
}

function someReading(random: Random): True {
  const type = pick(random, ['WEIGHT', 'WAIST']);
  const [value, days] = [80 + below(random, 3), 1 + below(random, 3)];
  const minute = pick(random, ['08:15', '08:24', '08:25', '21:00', '00:00']);
  const isSmall = below(random, 3) === 0;
  return {
    truth: `${type} ${value} ${minute} ${days}`,
    // Of a day alone nobody knows which of its readings it is.
    isPlain: minute !== '00:00',
    saying: {
      type,
      value: isSmall ? String(value * 1000) : `${value}${pick(random, ['', '.0'])}`,
      unit: isSmall ? 'g' : 'kg',
      datetime: `2026-03-0${days}T${minute}:00.000000Z`,
      ...doc(random),
    },
  };
}

function isOneReading(one: Saying, other: Saying): boolean {
  const [a, b] = [one, other].map((saying) => ({
    grams: Math.round(Number(saying['value']) * (saying['unit'] === 'g' ? 1 : 1000)),
    time: text(saying, 'datetime').slice(11, 16).replace('00:00', ''),
    minutes: Number(text(saying, 'datetime').slice(11, 13)) * 60 + Number(text(saying, 'datetime').slice(14, 16)),
  }));
  if (one['type'] !== other['type'] || a!.grams !== b!.grams || day(one, 'datetime') !== day(other, 'datetime')) {
    return false;
  }
  const isNear = !both(a!.time, b!.time) || Math.abs(a!.minutes - b!.minutes) < 10;
  return isEqual(a!.time, b!.time) || (isNear && one['_doc'] !== other['_doc']);
}

export const otherMakers = {
  Problem: someProblem,
  Immunization: someShot,
  Allergy: someAllergy,
  Procedure: someProcedure,
  Measurement: someReading,
} as const;

export const otherMatchers = {
  Problem: isOneProblem,
  Immunization: isOneShot,
  Allergy: isOneAllergy,
  Procedure: isOneProcedure,
  Measurement: isOneReading,
} as const;
