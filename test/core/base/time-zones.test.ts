/**
 * time-zones: local times of places whose clocks are put forward and back, with whole and odd offsets, north and south.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isTimeZone, momentOf, offsetAt, offsetSpans } from '../../../core/base/time-zones';

export const lab = Lab.script();
const { describe, it } = lab;

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe('time zones', () => {
  it('are names of the IANA database and nothing else', () => {
    for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Kathmandu']) {
      expect(isTimeZone(name), name).to.be.true();
    }
    for (const name of ['', 'Europe/Nowhere', '+02:00', "UTC' or 1=1", 'Europe/Berlin ', 'x'.repeat(100)]) {
      expect(isTimeZone(name), name).to.be.false();
    }
  });

  it('have offsets that change in the course of the year', () => {
    expect(offsetAt('Europe/Berlin', at('2025-01-15T00:00:00Z'))).to.equal(HOUR);
    expect(offsetAt('Europe/Berlin', at('2025-07-15T00:00:00Z'))).to.equal(2 * HOUR);
    expect(offsetAt('America/St_Johns', at('2025-01-15T00:00:00Z'))).to.equal(-3.5 * HOUR);
    expect(offsetAt('Asia/Kathmandu', at('2025-01-15T00:00:00Z'))).to.equal(5.75 * HOUR);
    expect(offsetAt('UTC', at('2025-01-15T00:00:00Z'))).to.equal(0);
  });

  it('tell the moment when clocks show a time; of two the first, and one that is passed over as before the change', () => {
    for (const [shown, moment] of [
      ['2025-01-15T12:00:00Z', '2025-01-15T11:00:00Z'],
      ['2025-07-15T12:00:00Z', '2025-07-15T10:00:00Z'],
      ['2025-03-30T02:30:00Z', '2025-03-30T01:30:00Z'],
      ['2025-10-26T02:30:00Z', '2025-10-26T00:30:00Z'],
    ] as const) {
      expect(new Date(momentOf('Europe/Berlin', at(shown))).toISOString(), shown).to.equal(
        new Date(moment).toISOString(),
      );
    }
  });

  it('are told as spans that agree with every hour of their years', () => {
    for (const zone of [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Tokyo',
    ]) {
      const spans = offsetSpans(zone, 2023, 2025);
      for (let moment = at('2023-01-01T00:00:00Z'); moment < at('2026-01-01T00:00:00Z'); moment += 7 * HOUR) {
        const span = spans.filter(({ from }) => from === undefined || from <= moment).at(-1);
        expect(span?.offset, `${zone} ${new Date(moment).toISOString()}`).to.equal(offsetAt(zone, moment));
      }
    }
    expect(offsetSpans('Europe/Berlin', 2025, 2025).map(({ from }) => from)).to.equal([
      undefined,
      at('2025-03-30T01:00:00Z'),
      at('2025-10-26T01:00:00Z'),
    ]);
  });
});
