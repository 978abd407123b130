/** field-types: the columns of every type, by name. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { columnsOf, fieldTypes, isScalarType } from '../../../../core/facts/model/field-types';

export const lab = Lab.script();
const { describe, it } = lab;

const names = (type: string): readonly string[] => (columnsOf('f', type) ?? []).map(({ name }) => name);
const address = ['country', 'city', 'postalcode', 'region', 'street'];
const personName = ['family', 'given', 'middle', 'prefix', 'suffix'];
const coded = ['identifier', 'title', 'system'];
const phone = ['type', 'number', 'preferred_p'];
const under = (prefix: string, parts: readonly string[]): readonly string[] => parts.map((part) => `${prefix}_${part}`);
const range = (prefix: string): readonly string[] => [
  ...under(`${prefix}_min`, ['value', 'unit']),
  ...under(`${prefix}_max`, ['value', 'unit']),
];
const vital = (prefix: string): readonly string[] => [
  `${prefix}_unit`,
  `${prefix}_value`,
  ...under(`${prefix}_name`, coded),
];

const expected: Readonly<Record<string, readonly string[]>> = {
  String: ['f'],
  Text: ['f'],
  Number: ['f'],
  Integer: ['f'],
  Boolean: ['f'],
  Statement: ['f'],
  Dosage: ['f'],
  Date: ['f'],
  DateOnly: ['f'],
  CodedValue: under('f', coded),
  ValueAndUnit: under('f', ['value', 'unit']),
  ValueRange: range('f'),
  QuantitativeResult: [
    ...under('f_value', ['value', 'unit']),
    ...range('f_normal_range'),
    ...range('f_non_critical_range'),
  ],
  Address: under('f', address),
  Name: under('f', personName),
  Telephone: under('f', phone),
  Organization: ['f_name', ...under('f_adr', address)],
  Pharmacy: ['f_ncpdpid', 'f_org', ...under('f_adr', address)],
  Provider: [
    ...under('f', ['dea_number', 'ethnicity', 'npi_number', 'preferred_language', 'race', 'gender', 'bday', 'email']),
    ...under('f_name', personName),
    ...under('f_adr', address),
    ...under('f_tel_1', phone),
    ...under('f_tel_2', phone),
  ],
  VitalSign: vital('f'),
  BloodPressure: [
    ...under('f_position', coded),
    ...under('f_site', coded),
    ...under('f_method', coded),
    ...vital('f_systolic'),
    ...vital('f_diastolic'),
  ],
};
const counts: Readonly<Record<string, number>> = {
  QuantitativeResult: 10,
  Organization: 6,
  Pharmacy: 7,
  Provider: 24,
  VitalSign: 5,
  BloodPressure: 19,
};

describe('columnsOf', () => {
  it('knows exactly the types of the table', () => {
    expect(Object.keys(fieldTypes).sort()).to.equal(Object.keys(expected).sort());
  });

  for (const [type, columns] of Object.entries(expected)) {
    it(`expands ${type}`, () => {
      expect(names(type)).to.equal(columns);
      expect(columns.length).to.equal(counts[type] ?? columns.length);
      expect(isScalarType(type)).to.equal(columns.length === 1);
    });
  }

  it('gives each column its kind and limits', () => {
    const provider = new Map((columnsOf('p', 'Provider') ?? []).map((column) => [column.name, column]));
    expect(provider.get('p_bday')?.kind).to.equal('date');
    expect(provider.get('p_gender')?.values).to.equal(['m', 'f']);
    expect(provider.get('p_adr_postalcode')?.max).to.equal(12);
    expect(provider.get('p_tel_1_number')?.max).to.equal(20);
    expect(provider.get('p_tel_1_type')?.values).to.equal(['h', 'w', 'c']);
    expect(provider.get('p_tel_2_preferred_p')).to.include({ kind: 'boolean', default: false });
    expect(columnsOf('v', 'VitalSign')?.find(({ name }) => name === 'v_value')?.kind).to.equal('number');
    expect(columnsOf('v', 'ValueAndUnit')?.every(({ kind, max }) => kind === 'string' && max === 255)).to.be.true();
  });

  it('knows no other names, and tells upper from lower case', () => {
    for (const type of ['string', 'Float', 'constructor', '__proto__', 'toString', '']) {
      expect(columnsOf('f', type)).to.be.undefined();
      expect(isScalarType(type)).to.be.false();
    }
  });
});
