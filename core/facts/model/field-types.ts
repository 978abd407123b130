/** field-types: the columns of each field type, with the suffixes that input, output and queries use. */
import type { Column, ColumnKind } from './model';

type Leaf = {
  readonly kind: ColumnKind;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly pattern?: string;
  readonly default?: boolean;
  readonly statement?: true;
  readonly dosage?: true;
};
type Compound = { readonly [suffix: string]: Leaf | Compound };

function text(max = 255): Leaf {
  return { kind: 'string', max };
}
function oneOf(max: number, ...values: string[]): Leaf {
  return { kind: 'string', max, values };
}

const codedValue: Compound = { identifier: text(), title: text(), system: text() };
const valueAndUnit: Compound = { value: text(), unit: text() };
const valueRange: Compound = { min: valueAndUnit, max: valueAndUnit };
const address: Compound = { country: text(), city: text(), postalcode: text(12), region: text(), street: text() };
const name: Compound = { family: text(), given: text(), middle: text(), prefix: text(), suffix: text() };
const telephone: Compound = {
  type: oneOf(1, 'h', 'w', 'c'),
  number: text(20),
  preferred_p: { kind: 'boolean', default: false },
};
const vitalSign: Compound = { unit: text(), value: { kind: 'number' }, name: codedValue };

/** The closed list of types: those of SDML, and Boolean, DateOnly, Text, Integer, Statement and Dosage. */
export const fieldTypes: Readonly<Record<string, Leaf | Compound>> = {
  String: text(),
  Text: { kind: 'text' },
  Number: { kind: 'number' },
  Integer: { kind: 'integer' },
  Boolean: { kind: 'boolean' },
  Statement: { kind: 'text', statement: true },
  Dosage: { kind: 'text', dosage: true },
  Date: { kind: 'datetime' },
  DateOnly: { kind: 'date' },
  CodedValue: codedValue,
  ValueAndUnit: valueAndUnit,
  ValueRange: valueRange,
  QuantitativeResult: { value: valueAndUnit, normal_range: valueRange, non_critical_range: valueRange },
  Address: address,
  Name: name,
  Telephone: telephone,
  Organization: { name: text(), adr: address },
  Pharmacy: { ncpdpid: text(), org: text(), adr: address },
  Provider: {
    dea_number: text(),
    ethnicity: text(),
    npi_number: text(),
    preferred_language: text(),
    race: text(),
    gender: oneOf(255, 'm', 'f'),
    bday: { kind: 'date' },
    email: { kind: 'string', max: 255, pattern: '[^\\s@]+@[^\\s@]+' },
    name,
    adr: address,
    tel_1: telephone,
    tel_2: telephone,
  },
  VitalSign: vitalSign,
  BloodPressure: {
    position: codedValue,
    site: codedValue,
    method: codedValue,
    systolic: vitalSign,
    diastolic: vitalSign,
  },
};

function isLeaf(part: Leaf | Compound): part is Leaf {
  return typeof part['kind'] === 'string';
}

function expand(field: string, part: Leaf | Compound): readonly Column[] {
  return isLeaf(part)
    ? [{ name: field, required: false, index: false, ...part }]
    : Object.entries(part).flatMap(([suffix, inner]) => expand(`${field}_${suffix}`, inner));
}

/** The columns of a field; undefined for a type that does not exist (names are case-sensitive). */
export function columnsOf(field: string, type: string): readonly Column[] | undefined {
  const part = Object.hasOwn(fieldTypes, type) ? fieldTypes[type] : undefined;
  return part && expand(field, part);
}

/** True for a type that is one column named like its field. */
export function isScalarType(type: string): boolean {
  const part = Object.hasOwn(fieldTypes, type) ? fieldTypes[type] : undefined;
  return part !== undefined && isLeaf(part);
}
