/** column-values: which text and JSON a column accepts, and how its values are written. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Json } from '../../../../core/base/types';
import { jsonValue, readColumn, readText, xmlText } from '../../../../core/facts/model/column-values';
import type { Column, ColumnKind } from '../../../../core/facts/model/model';

export const lab = Lab.script();
const { describe, it } = lab;

const column = (kind: ColumnKind, more: Partial<Column> = {}): Column => ({
  name: 'f',
  kind,
  required: false,
  index: false,
  ...more,
});
const wrong = Symbol('wrong');

const read = (given: Json | undefined, kind: ColumnKind, more: Partial<Column> = {}): unknown => {
  const { value, problem } = readColumn(column(kind, more), given);
  return problem === undefined ? value : wrong;
};

describe('readColumn', () => {
  const rows: readonly (readonly [ColumnKind, Json | undefined, unknown])[] = [
    ['string', ' as it is ', ' as it is '],
    ['string', '', ''],
    ['string', null, null],
    ['string', undefined, null],
    ['string', 5, wrong],
    ['string', true, wrong],
    ['string', {}, wrong],
    ['string', [], wrong],
    ['text', 'two\nlines', 'two\nlines'],
    ['string', 'bell \u0007', wrong],
    ['text', '\uD800', wrong],
    ['string', '\u{1F600}', '\u{1F600}'],
    ['string', '\u0000', wrong],
    ['number', '70.80', 70.8],
    ['number', ' 5 ', 5],
    ['number', '-0', 0],
    ['number', '1e3', 1000],
    ['number', '.5', 0.5],
    ['number', '+5.', 5],
    ['number', 70.8, 70.8],
    ['number', 0, 0],
    ['number', 'NaN', wrong],
    ['number', 'INF', wrong],
    ['number', '1e400', wrong],
    ['number', '1,5', wrong],
    ['number', '0x10', wrong],
    ['number', '', null],
    ['number', '  ', null],
    ['number', true, wrong],
    ['integer', '-12', -12],
    ['integer', 7, 7],
    ['integer', '1.0', wrong],
    ['integer', 1.5, wrong],
    ['integer', '9007199254740993', wrong],
    ['integer', '9007199254740991', 9007199254740991],
    ['boolean', 'true', true],
    ['boolean', 'FALSE', false],
    ['boolean', '1', true],
    ['boolean', '0', false],
    ['boolean', false, false],
    ['boolean', 'yes', wrong],
    ['boolean', 1, wrong],
    ['boolean', 'constructor', wrong],
    ['datetime', '2009-05-16', '2009-05-16T00:00:00.000000Z'],
    ['datetime', ' 2009-05-16T01:02:03 ', '2009-05-16T01:02:03.000000Z'],
    ['datetime', 20090516, wrong],
    ['datetime', '2009-02-30', wrong],
    ['date', '2009-05-16T23:00:00Z', '2009-05-16'],
    ['date', '2009-05', wrong],
  ];
  for (const [kind, given, value] of rows) {
    it(`${value === wrong ? 'refuses' : 'reads'} ${JSON.stringify(given)} as ${kind}`, () => {
      expect(read(given, kind)).to.equal(value);
    });
  }

  it('counts characters, not UTF-16 units', () => {
    expect(read('\u{1F600}\u{1F600}', 'string', { max: 2 })).to.equal('\u{1F600}\u{1F600}');
    expect(read('abc', 'string', { max: 2 })).to.equal(wrong);
  });

  it('wants a value where one is required', () => {
    for (const given of [undefined, null, '']) {
      expect(read(given, 'string', { required: true })).to.equal(wrong);
    }
    expect(read(0, 'number', { required: true })).to.equal(0);
    expect(read('false', 'boolean', { required: true })).to.equal(false);
  });

  it('holds a vocabulary only against a value that is there', () => {
    expect(read(null, 'string', { values: ['a', 'b'] })).to.be.null();
    expect(read('', 'string', { equals: 'a' })).to.equal('');
    expect(read('b', 'string', { values: ['a', 'b'] })).to.equal('b');
    expect(read('c', 'string', { values: ['a', 'b'] })).to.equal(wrong);
    expect(read('A', 'string', { equals: 'a' })).to.equal(wrong);
    expect(read('30', 'number', { values: [30] })).to.equal(30);
    expect(read('31', 'number', { values: [30] })).to.equal(wrong);
  });

  it('puts a default where nothing is said', () => {
    expect(read(undefined, 'boolean', { default: false })).to.equal(false);
    expect(read('', 'boolean', { default: false })).to.equal(false);
    expect(read('true', 'boolean', { default: false })).to.equal(true);
  });

  it('matches the whole text with a pattern', () => {
    expect(read('a@b', 'string', { pattern: '[^\\s@]+@[^\\s@]+' })).to.equal('a@b');
    expect(read('a@b c', 'string', { pattern: '[^\\s@]+@[^\\s@]+' })).to.equal(wrong);
  });

  it('never repeats what was given', () => {
    for (const kind of ['number', 'integer', 'boolean', 'datetime', 'date'] as const) {
      expect(readColumn(column(kind), 'top-secret').problem).to.not.contain('secret');
    }
    expect(readColumn(column('string', { max: 3, values: ['a'] }), 'top-secret').problem).to.not.contain('secret');
  });
});

describe('written values', () => {
  it('writes numbers without an exponent', () => {
    const forms = {
      75.8: '75.8',
      2: '2',
      1e21: '1000000000000000000000',
      1.5e-7: '0.00000015',
      '-1.25e+22': '-12500000000000000000000',
      0: '0',
    };
    for (const [number, text] of Object.entries(forms)) {
      expect(xmlText('number', Number(number))).to.equal(text);
      expect(Number(text)).to.equal(Number(number));
    }
  });

  it('writes points in time with a fraction only when there is one', () => {
    expect(xmlText('datetime', '2009-05-16T12:00:00.000000Z')).to.equal('2009-05-16T12:00:00Z');
    expect(xmlText('datetime', '2009-05-16T12:00:00.250000Z')).to.equal('2009-05-16T12:00:00.250000Z');
    expect(jsonValue('datetime', '2009-05-16T12:00:00.000000Z')).to.equal('2009-05-16T12:00:00Z');
    expect(jsonValue('datetime', null)).to.be.null();
    expect(xmlText('date', '2009-05-16')).to.equal('2009-05-16');
    expect(xmlText('boolean', false)).to.equal('false');
    expect(jsonValue('number', 0)).to.equal(0);
  });

  it('reads back what it wrote', () => {
    expect(readText('datetime', xmlText('datetime', '2009-05-16T12:00:00.250000Z'))).to.equal(
      '2009-05-16T12:00:00.250000Z',
    );
    expect(readText('number', xmlText('number', 5e-324))).to.equal(5e-324);
  });
});
