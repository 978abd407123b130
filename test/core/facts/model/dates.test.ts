/** dates: which forms of dates are accepted, and which are refused. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseDay, parsePartialDate, parseTimestamp } from '../../../../core/facts/model/dates';

export const lab = Lab.script();
const { describe, it } = lab;

describe('parseTimestamp', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['2009-05-16', '2009-05-16T00:00:00.000000Z'],
    ['2009-05-16T12:34:56Z', '2009-05-16T12:34:56.000000Z'],
    ['2009-05-16T12:34:56', '2009-05-16T12:34:56.000000Z'],
    ['2009-05-16T12:34:56.5Z', '2009-05-16T12:34:56.500000Z'],
    ['2009-05-16T12:34:56.123456Z', '2009-05-16T12:34:56.123456Z'],
    ['2009-05-16T12:34:56.1234567Z', '2009-05-16T12:34:56.123456Z'],
    ['2009-05-16T12:34:56+02:00', '2009-05-16T10:34:56.000000Z'],
    ['2009-05-16T23:30:00-05:00', '2009-05-17T04:30:00.000000Z'],
    ['2009-05-16T24:00:00Z', '2009-05-17T00:00:00.000000Z'],
    ['2009-05-16Z', '2009-05-16T00:00:00.000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000000Z'],
  ];
  for (const [text, stored] of forms) {
    it(`reads ${text}`, () => {
      expect(parseTimestamp(text)).to.equal(stored);
    });
  }

  const refused = [
    '',
    'yesterday',
    '2009',
    '2009-5-16',
    '2009-13-01',
    '2009-02-29',
    '1900-02-29',
    '2009-04-31',
    '2009-00-10',
    '2009-01-00',
    '0000-01-01',
    '10000-01-01',
    '-0001-01-01',
    '2009-05-16T25:00:00Z',
    '2009-05-16T24:00:01Z',
    '2009-05-16T12:60:00Z',
    '2009-05-16T12:00:60Z',
    '2009-05-16T12:34Z',
    '2009-05-16 12:34:56Z',
    '2009-05-16T12:34:56z',
    '2009-05-16T12:34:56+15:00',
    '2009-05-16T12:34:56+0200',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:00:00-02:00',
    '2009-05-16T12:34:56.Z',
    ' 2009-05-16',
    '2009-05-16\n',
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(parseTimestamp(text)).to.be.undefined();
    });
  }
});

describe('parseDay', () => {
  it('takes the day as written of a plain date, whatever its zone', () => {
    expect(parseDay('2009-05-16')).to.equal('2009-05-16');
    expect(parseDay('2009-05-16+02:00')).to.equal('2009-05-16');
    expect(parseDay('2009-05-16-14:00')).to.equal('2009-05-16');
  });

  it('takes the day as written of a point in time', () => {
    expect(parseDay('2009-05-16T23:30:00-05:00')).to.equal('2009-05-16');
    expect(parseDay('2009-05-16T00:30:00+02:00')).to.equal('2009-05-16');
    expect(parseDay('2009-05-16T24:00:00+02:00')).to.equal('2009-05-17');
    expect(parseDay('2009-05-16T23:30:00')).to.equal('2009-05-16');
  });

  it('refuses what is no day', () => {
    expect(parseDay('2009-02-30')).to.be.undefined();
    expect(parseDay('2009-05-16+15:00')).to.be.undefined();
    expect(parseDay('16.05.2009')).to.be.undefined();
  });
});

describe('parsePartialDate', () => {
  it('takes a year or a month with its first day', () => {
    expect(parsePartialDate('2009')).to.equal({ day: '2009-01-01', precision: 'year' });
    expect(parsePartialDate('2009-11')).to.equal({ day: '2009-11-01', precision: 'month' });
  });

  it('refuses everything else', () => {
    for (const text of [
      '',
      '0000',
      '209',
      '20090',
      '2009-',
      '2009-00',
      '2009-13',
      '2009-1',
      '2009-01-01',
      '2009Z',
      ' 2009',
    ]) {
      expect(parsePartialDate(text), text).to.be.undefined();
    }
  });
});
