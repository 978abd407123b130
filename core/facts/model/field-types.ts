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

function textLeaf(max = 255): Leaf {
  return { kind: 'string', max };
}
function oneOf(max: number, ...values: string[]): Leaf {
  return { kind: 'string', max, values };
}

const codedValue: Compound = { identifier: textLeaf(), title: textLeaf(), system: textLeaf() };
const valueAndUnit: Compound = { value: textLeaf(), unit: textLeaf() };
const valueRange: Compound = { min: valueAndUnit, max: valueAndUnit };
const address: Compound = {
  country: textLeaf(),
  city: textLeaf(),
  postalcode: textLeaf(12),
  region: textLeaf(),
  street: textLeaf(),
};
const name: Compound = {
  family: textLeaf(),
  given: textLeaf(),
  middle: textLeaf(),
  prefix: textLeaf(),
  suffix: textLeaf(),
};
const telephone: Compound = {
  type: oneOf(1, 'h', 'w', 'c'),
  number: textLeaf(20),
  preferred_p: { kind: 'boolean', default: false },
};
const vitalSign: Compound = { unit: textLeaf(), value: { kind: 'number' }, name: codedValue };

/** The closed list of types: those of SDML, and Boolean, DateOnly, Text, Integer, Statement and Dosage. */
export const fieldTypes: Readonly<Record<string, Leaf | Compound>> = {
  String: textLeaf(),
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
  Organization: { name: textLeaf(), adr: address },
  Pharmacy: { ncpdpid: textLeaf(), org: textLeaf(), adr: address },
  Provider: {
    dea_number: textLeaf(),
    ethnicity: textLeaf(),
    npi_number: textLeaf(),
    preferred_language: textLeaf(),
    race: textLeaf(),
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
