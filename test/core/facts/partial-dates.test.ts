/** partial-dates: how exact the dates of a fact are, as its row says, whatever else the column contains. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { hasRoomFor, knownPart, partialDatesText, readPartialDates } from '../../../core/facts/partial-dates';

export const lab = Lab.script();
const { describe, it } = lab;

describe('partial dates', () => {
  it('come back from the row as they went in', () => {
    const dates = { onset: 'year', ended_at: 'month' } as const;
    const text = partialDatesText(dates);
    expect(readPartialDates(text)).to.equal(dates);
    expect(text).to.equal(' onset:year ended_at:month ');
  });

  it('are nothing where every date is a day', () => {
    expect([partialDatesText(), partialDatesText({})]).to.equal([null, null]);
    expect([readPartialDates(null), readPartialDates(undefined), readPartialDates(' ')]).to.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have room for nine with long names, and more are never cut', () => {
    const of = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'a'.repeat(19)}${index}`, 'month'] as const));
    expect(readPartialDates(partialDatesText(of(9)))).to.equal(of(9));
    expect(partialDatesText(of(9))!.length).to.be.at.most(255);
    expect([hasRoomFor({}), hasRoomFor(of(9)), hasRoomFor(of(10))]).to.equal([true, true, false]);
  });

  it('are known as far as they were said', () => {
    expect(knownPart('2009-05-01T00:00:00Z', 'year')).to.equal('2009');
    expect(knownPart('2009-05-01', 'month')).to.equal('2009-05');
    expect(knownPart('2009-05-01', undefined)).to.equal('2009-05-01');
  });
});
