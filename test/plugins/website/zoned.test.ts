/** zoned: what a day and a time mean in a person's time zone. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { localTime, pointInTime } from '../../../plugins/website/words/zoned';

export const lab = Lab.script();
const { describe, it } = lab;

describe('a time of day in a time zone', () => {
  it('is a point in time and comes back from it, in summer and winter, east and west', () => {
    for (const [zone, day, time, utc] of [
      ['UTC', '2026-01-31', '00:00', '2026-01-31T00:00:00.000Z'],
      ['Europe/Berlin', '2026-07-01', '00:30', '2026-06-30T22:30:00.000Z'],
      ['America/New_York', '2026-01-31', '23:15', '2026-02-01T04:15:00.000Z'],
      ['Asia/Kathmandu', '2026-01-01', '05:45', '2026-01-01T00:00:00.000Z'],
      ['Pacific/Kiritimati', '1931-12-31', '12:00', undefined],
    ] as const) {
      const when = pointInTime(zone, day, time);
      expect(localTime(zone, when), zone).to.equal({ day, time });
      if (utc !== undefined) {
        expect(new Date(when).toISOString(), zone).to.equal(utc);
      }
    }
  });

  it('is the time next to it where the clock leaves an hour out', () => {
    const when = pointInTime('Europe/Berlin', '2026-03-29', '02:30');
    expect(Math.abs(when - Date.parse('2026-03-29T01:00:00Z'))).to.be.at.most(3_600_000);
  });

  it('is no point in time when the day is none', () => {
    expect(pointInTime('UTC', '2026-99-99', '12:00')).to.be.NaN();
  });
});
