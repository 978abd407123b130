/** partial-dates: what the row of a fact says of its dates, whatever else stands there. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { knownPart, partialDateEntry, partialDatesText, readPartialDates } from '../../../core/storage/partial-dates';

export const lab = Lab.script();
const { describe, it } = lab;

describe('partial dates', () => {
  it('come back from the row as they went in', () => {
    const dates = { onset: 'year', ended_at: 'month' } as const;
    const text = partialDatesText(dates);
    expect(readPartialDates(text)).to.equal(dates);
    expect(text).to.contain(partialDateEntry('onset', 'year'));
    expect(text).to.contain(partialDateEntry('ended_at', 'month'));
    expect(text).to.not.contain(partialDateEntry('at', 'month'));
  });

  it('are nothing where every date is a day', () => {
    expect([partialDatesText(), partialDatesText({})]).to.equal([null, null]);
    expect([readPartialDates(null), readPartialDates(undefined), readPartialDates(' ')]).to.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are whole entries where there is no room for all', () => {
    const names = Array.from({ length: 9 }, (_, index) => `${'a'.repeat(20)}${index}`);
    const text = partialDatesText(Object.fromEntries(names.map((name) => [name, 'month' as const])))!;
    expect(text.length).to.be.at.most(127);
    expect(Object.keys(readPartialDates(text)!)).to.equal(names.slice(0, 4));
  });

  it('are known as far as they were said', () => {
    expect(knownPart('2009-05-01T00:00:00Z', 'year')).to.equal('2009');
    expect(knownPart('2009-05-01', 'month')).to.equal('2009-05');
    expect(knownPart('2009-05-01', undefined)).to.equal('2009-05-01');
  });
});
