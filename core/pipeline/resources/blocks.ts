/** blocks: turns fields that consist of several columns into the FHIR data types that fit them. */
import type { Scalar } from '../../facts/plans';
import { fhirSystem } from '../../fhir/code-systems';
import { decimalOf, decimalOfNumber, type Decimal } from '../../fhir/decimal';
import { dosagesIn, type Dosage } from '../../facts/model/dosage';
import { dosageWords } from '../../facts/model/dosage-words';
import { isUcum } from './units';

/** A value in FHIR, as it goes into JSON. Numbers whose digits matter are `Decimal`. */
export type FhirValue = string | number | boolean | Decimal | FhirObject | readonly FhirValue[];
export type FhirObject = { readonly [name: string]: FhirValue };

/** The columns of one fact. */
type Columns = Readonly<Record<string, Scalar>>;

type BlockOptions = {
  readonly type: string;
  readonly unit?: string;
  readonly shift?: number;
  readonly columns?: Readonly<Record<string, string>>;
};

const UCUM = 'http://unitsofmeasure.org';

/** The trimmed text of a column; undefined when it is empty, because FHIR knows no empty text. */
export function textIn(columns: Columns, name: string): string | undefined {
  const value = columns[name];
  const text = value === null || value === undefined ? '' : String(value).trim();
  return text === '' ? undefined : text;
}

/** The members that have a value; undefined when none has. */
export function filled(members: Readonly<Record<string, FhirValue | undefined>>): FhirObject | undefined {
  const said = Object.entries(members).filter(
    (member): member is [string, FhirValue] =>
      member[1] !== undefined && !(Array.isArray(member[1]) && member[1].length === 0),
  );
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** The text if it is a code that FHIR permits, with single spaces inside and none around. */
function validCode(text: string | undefined): string | undefined {
  return text !== undefined && /^[^\s]+( [^\s]+)*$/.test(text) ? text : undefined;
}

function codingOf(columns: Columns, field: string): FhirObject | undefined {
  const code = validCode(textIn(columns, `${field}_identifier`));
  const system = textIn(columns, `${field}_system`);
  return code === undefined
    ? undefined
    : filled({
        system: system === undefined || /\s/.test(system) ? undefined : fhirSystem(system),
        code,
        display: textIn(columns, `${field}_title`),
      });
}

function codedValue(columns: Columns, field: string, { type }: BlockOptions): FhirObject | undefined {
  const coding = codingOf(columns, field);
  return type === 'Coding'
    ? coding
    : filled({ coding: coding ? [coding] : undefined, text: textIn(columns, `${field}_title`) });
}

function unitOf(unit: string | undefined): Readonly<Record<string, FhirValue | undefined>> {
  return {
    unit,
    ...(unit !== undefined && isUcum(unit) ? { system: UCUM, code: unit } : {}),
  };
}

/** An amount that is stored as text: `<5` has a comparator. A text that is not a single number is no amount. */
function valueAndUnit(columns: Columns, field: string, { unit, shift }: BlockOptions): FhirObject | undefined {
  const [, comparator, number = ''] = /^(<=|>=|<|>)?\s*(.*)$/.exec(textIn(columns, `${field}_value`) ?? '') ?? [];
  const value = decimalOf(number, shift);
  return value && filled({ value, comparator, ...unitOf(unit ?? textIn(columns, `${field}_unit`)) });
}

/** An amount whose number is in one column and whose unit is in another. */
function quantityBlock(
  columns: Columns,
  field: string,
  { unit, shift, columns: others }: BlockOptions,
): FhirObject | undefined {
  const value = columns[field];
  return typeof value === 'number'
    ? filled({ value: decimalOfNumber(value, shift), ...unitOf(unit ?? textIn(columns, others?.['in'] ?? '')) })
    : undefined;
}

function vitalSign(columns: Columns, field: string, { unit, shift }: BlockOptions): FhirObject | undefined {
  const value = columns[`${field}_value`];
  return typeof value === 'number'
    ? filled({ value: decimalOfNumber(value, shift), ...unitOf(unit ?? textIn(columns, `${field}_unit`)) })
    : undefined;
}

/**
 * A frequency: `2` and `/d` means twice a day, `1` and `/(2.d)` means once in two days. If an end is given, it also
 * says how long.
 */
function frequency(columns: Columns, field: string, { columns: others }: BlockOptions): FhirObject | undefined {
  const times = textIn(columns, `${field}_value`) ?? '';
  const unit = textIn(columns, `${field}_unit`) ?? '';
  const [, plain, period, long] = /^\/(?:(s|min|h|d|wk|mo|a)|\((\d+)\.(s|min|h|d|wk|mo|a)\))$/.exec(unit) ?? [];
  const periodUnit = plain ?? long;
  const start = textIn(columns, others?.['start'] ?? '');
  const end = textIn(columns, others?.['end'] ?? '');
  const isOften = /^[1-9]\d{0,4}$/.test(times) && periodUnit !== undefined;
  const repeat = filled({
    boundsPeriod: end === undefined ? undefined : filled({ start, end }),
    ...(isOften ? { frequency: Number(times), period: Number(period ?? 1), periodUnit } : {}),
  });
  return repeat && { repeat };
}

function listed(...texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined);
}

function name(columns: Columns, field: string): FhirObject | undefined {
  const part = (suffix: string): string | undefined => textIn(columns, `${field}_${suffix}`);
  return filled({
    family: part('family'),
    given: listed(part('given'), part('middle')),
    prefix: listed(part('prefix')),
    suffix: listed(part('suffix')),
  });
}

function addressBlock(columns: Columns, field: string): FhirObject | undefined {
  const part = (suffix: string): string | undefined => textIn(columns, `${field}_${suffix}`);
  return filled({
    line: listed(part('street')),
    city: part('city'),
    state: part('region'),
    postalCode: part('postalcode'),
    country: part('country'),
  });
}

/** Uses of a telephone by the letter of its type. */
export const telephoneUses: Readonly<Record<string, string>> = { h: 'home', w: 'work', c: 'mobile' };

function telephone(columns: Columns, field: string): FhirObject | undefined {
  const value = textIn(columns, `${field}_number`);
  const use = telephoneUses[textIn(columns, `${field}_type`) ?? ''];
  return value === undefined
    ? undefined
    : filled({ system: 'phone', value, use, rank: columns[`${field}_preferred_p`] === true ? 1 : undefined });
}

/** The moments that R4 has a code for. Others are said in the text of the dosage. */
const WHEN = /^(?:MORN|AFT|EVE)(?:\.early|\.late)?$|^(?:NOON|NIGHT|PHS|HS|WAKE)$|^[AP]?C[MDV]?$/;

/** A dosage as it is given out: with a text that says all of it, as R4 wants, and with the end of the medicine. */
function completeDosage(dosage: Dosage, end: string | undefined): FhirObject {
  const { repeat = {}, ...timing } = dosage.timing ?? {};
  const { when = [], ...others } = repeat;
  const known = when.filter((code) => WHEN.test(code));
  const isBound = repeat.boundsDuration ?? repeat.boundsRange ?? repeat.boundsPeriod;
  const repeated = {
    ...(end === undefined || isBound ? {} : { boundsPeriod: { end } }),
    ...others,
    ...(known.length > 0 ? { when: known } : {}),
  };
  const timed = { ...timing, ...(Object.keys(repeated).length > 0 ? { repeat: repeated } : {}) };
  return {
    ...dosage,
    text: dosage.text ?? dosageWords([dosage], 'en'),
    ...(Object.keys(timed).length > 0 ? { timing: timed } : {}),
  } as unknown as FhirObject;
}

function dosages(columns: Columns, field: string, { columns: others }: BlockOptions): readonly FhirObject[] {
  return (dosagesIn(textIn(columns, field) ?? '') ?? []).map((dosage) =>
    completeDosage(dosage, textIn(columns, others?.['end'] ?? '')),
  );
}

type Block = (columns: Columns, field: string, options: BlockOptions) => FhirObject | readonly FhirObject[] | undefined;

const blocks: Readonly<Record<string, Block>> = {
  CodedValue: codedValue,
  ValueAndUnit: valueAndUnit,
  Amount: quantityBlock,
  VitalSign: vitalSign,
  Frequency: frequency,
  Dosage: dosages,
  Name: name,
  Address: addressBlock,
  Telephone: telephone,
};

/**
 * A field as a FHIR data type, or as several of them; undefined when it is empty.
 * @param type type of the element, needed where a block may become one of several types
 */
export function blockValue(
  block: string,
  columns: Columns,
  field: string,
  options: BlockOptions,
): FhirObject | readonly FhirObject[] | undefined {
  return blocks[block]!(columns, field, options);
}
