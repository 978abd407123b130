/**
 * days-in-zone: the bounds of days, west and east of Greenwich, on days of clock changes, and at the ends of the
 * calendar.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { daysInZone } from '../../../core/base/days-in-zone';

export const lab = Lab.script();
const { describe, it } = lab;

const on = (zone: string, day: string) => daysInZone(zone, { from: day, to: day });

describe('days in a zone', () => {
  it('begin and end by the clocks there, and hold the day without a time', () => {
    expect(on('UTC', '2026-03-02')).to.equal({
      from: '2026-03-02T00:00:00.000000Z',
      to: '2026-03-02T23:59:59.999999Z',
    });
    expect(on('America/Los_Angeles', '2026-03-02')).to.equal({
      from: '2026-03-02T08:00:00.000000Z',
      also: '2026-03-02T00:00:00.000000Z',
      to: '2026-03-03T07:59:59.999999Z',
      but: '2026-03-03T00:00:00.000000Z',
    });
    expect(on('Asia/Kathmandu', '2026-03-02')).to.equal({
      from: '2026-03-01T18:15:00.000000Z',
      to: '2026-03-02T18:14:59.999999Z',
    });
  });

  it('have 23 or 25 hours where clocks are set', () => {
    const hours = (zone: string, day: string): number => {
      const { from = '', to = '' } = on(zone, day);
      return Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000);
    };
    expect(hours('America/Los_Angeles', '2026-03-08')).to.equal(23);
    expect(hours('America/Los_Angeles', '2026-11-01')).to.equal(25);
    expect(hours('Pacific/Auckland', '2026-04-05')).to.equal(25);
    expect(hours('Pacific/Auckland', '2026-09-27')).to.equal(23);
    // In Chile the clock change skips midnight itself or repeats it.
    expect(hours('America/Santiago', '2026-09-06')).to.equal(23);
    expect(on('America/Santiago', '2026-09-06').from).to.equal('2026-09-06T04:00:00.000000Z');
    expect(hours('America/Santiago', '2026-04-04')).to.equal(25);
  });

  it('are open to one side, and go to the ends of the calendar', () => {
    expect(daysInZone('Pacific/Auckland', { to: '2026-01-01' })).to.equal({ to: '2026-01-01T10:59:59.999999Z' });
    expect(daysInZone('America/Los_Angeles', { from: '9999-12-31', to: '9999-12-31' })).to.equal({
      from: '9999-12-31T08:00:00.000000Z',
      also: '9999-12-31T00:00:00.000000Z',
    });
    expect(daysInZone('Asia/Tokyo', { from: '0001-01-01' }).from! < '0001-01-01').to.be.true();
    expect(daysInZone('Asia/Tokyo', {})).to.equal({});
  });
});
