/**
 * makers: random statements of which the truth is known, near misses among them, and a plain second matcher of pairs that
 * shares no code with the rules.
 */
import { below, pick, type Random } from '../../support/random';
import { otherMakers, otherMatchers, type True } from './more-makers';
import type { Saying } from './told';

const DRUGS = [
  'metformin',
  'metoprolol succinate',
  'metoprolol tartrate',
  'insulin 70/30',
  'amlodipine',
  'amlodipine besylate',
];
const STRENGTHS = ['5', '10', '12.5', '25', '100', '1000'];
export const RXNORM = [
  'http://www.nlm.nih.gov/research/umls/rxnorm',
  'urn:oid:2.16.840.1.113883.6.88',
  'http://purl.bioontology.org/ontology/RXNORM/',
];

const typed = (random: Random, strength: string): string =>
  pick(random, [
    `${strength} mg`,
    `${strength}mg`,
    `${strength} MG`,
    `${strength.replace('.', ',')} mg`,
    strength.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))).replace('.', '\u066b') + ' mg',
    ...(strength === '1000' ? ['1 g', '1,000 mg'] : []),
  ]);

function someMedicine(random: Random): True {
  const [drug, strength] = [below(random, DRUGS.length), below(random, STRENGTHS.length)];
  const name = pick(random, [DRUGS[drug]!, DRUGS[drug]!.toUpperCase(), `  ${DRUGS[drug]!.replace(' ', '  ')}`]);
  const isPlain = below(random, 10) > 0;
  const title = isPlain ? `${name} ${typed(random, STRENGTHS[strength]!)}` : name;
  const isCoded = below(random, 2) > 0;
  const day = `20${10 + below(random, 16)}-0${1 + below(random, 9)}-1${below(random, 10)}`;
  return {
    truth: `${drug} ${strength}`,
    isPlain,
    saying: {
      drugName_title: title,
      ...(isCoded
        ? { drugName_identifier: `${1000 + drug * 100 + strength}`, drugName_system: pick(random, RXNORM) }
        : {}),
      ...(below(random, 3) > 0 ? { startDate: day } : {}),
      ...(below(random, 2) > 0 ? { status_identifier: pick(random, ['active', 'stopped', 'completed']) } : {}),
      ...(below(random, 2) > 0 ? { quantity_value: String(1 + below(random, 2)), quantity_unit: '{tablet}' } : {}),
      ...(below(random, 2) > 0 ? { _said: `2026-0${1 + below(random, 5)}-01T00:00:00.000000Z` } : {}),
      _doc: `doc-${below(random, 10)}`,
    },
  };
}

const TESTS = [
  ['Glucose', '2345-7'],
  ['Glucose fasting', '1558-6'],
  ['Sodium', '2951-2'],
] as const;

function someResult(random: Random): True {
  const [test, value, hour, day] = [
    below(random, 3),
    90 + below(random, 3),
    8 + below(random, 2),
    1 + below(random, 3),
  ];
  const [name, code] = TESTS[test]!;
  const isInGrams = below(random, 3) === 0;
  return {
    truth: `${test} ${value} ${hour} ${day}`,
    isPlain: true,
    saying: {
      test_name_title: pick(random, [name, name.toUpperCase()]),
      ...(below(random, 2) > 0 ? { test_name_identifier: code, test_name_system: 'http://loinc.org' } : {}),
      quantitative_result_value_value: isInGrams ? String(value / 100) : String(value),
      quantitative_result_value_unit: isInGrams ? 'g/L' : 'mg/dL',
      collected_at: `2026-03-0${day}T0${hour}:15:00.000000Z`,
      // Every source has two results of a day, so the day alone says nothing.
      _doc: `doc-${below(random, 10)}`,
    },
  };
}

export const makers = { Medication: someMedicine, LabResult: someResult, ...otherMakers } as const;

const textOf = (saying: Saying, name: string): string => String(saying[name] ?? '');

/** The strength in a name in milligrams, read anew: Arabic digits, commas and grams. Empty where there is none. */
function milligramsIn(title: string): string {
  const plain = title
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace('\u066b', '.')
    .replace(/(\d),(\d{3})(?!\d)/, '$1$2')
    .replace(/(\d),(\d)/, '$1.$2');
  const [, number, unit = ''] = /(\d+(?:\.\d+)?)\s*(mg|g)\b/i.exec(plain) ?? [];
  return number === undefined ? '' : String(Number(number) * (unit.toLowerCase() === 'g' ? 1000 : 1));
}

const nameIn = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[\d.,\u0660-\u066b]+\s*m?g\b/i, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');

/** Whether codes decide: equal ones join, different ones keep apart; undefined where one is missing. */
const byCode = (one: string, other: string): boolean | undefined =>
  one === '' || other === '' ? undefined : one === other;

function isOneMedicine(one: Saying, other: Saying): boolean {
  const [mine, its] = [textOf(one, 'drugName_title'), textOf(other, 'drugName_title')];
  const codes = byCode(textOf(one, 'drugName_identifier'), textOf(other, 'drugName_identifier'));
  return milligramsIn(mine) === milligramsIn(its) && (codes ?? nameIn(mine) === nameIn(its));
}

function isOneResult(one: Saying, other: Saying): boolean {
  const value = (saying: Saying): number =>
    Math.round(
      Number(saying['quantitative_result_value_value']) *
        (saying['quantitative_result_value_unit'] === 'g/L' ? 100 : 1) *
        1000,
    );
  const name = (saying: Saying): string => textOf(saying, 'test_name_title').toLowerCase();
  const codes = byCode(textOf(one, 'test_name_identifier'), textOf(other, 'test_name_identifier'));
  const isOneTime = textOf(one, 'collected_at') === textOf(other, 'collected_at');
  return isOneTime && value(one) === value(other) && (codes ?? name(one) === name(other));
}

/** What the plain matcher says of two statements that nobody else speaks about. */
export const plainMatchers: Readonly<Record<keyof typeof makers, (one: Saying, other: Saying) => boolean>> = {
  Medication: isOneMedicine,
  LabResult: isOneResult,
  ...otherMatchers,
};
