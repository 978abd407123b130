/** local-date: the local time of a place, at the ends of the calendar and at clock changes, on both databases. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { localDate, yearsAhead } from '../../../core/facts/local-date';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`local dates on ${leg.name}`, () => {
    let open: OpenDatabase;
    before(async () => {
      open = await openTestDatabase(leg);
    });
    after(() => open.drop());

    const shown = async (zone: string, ...stamps: readonly string[]): Promise<readonly string[]> => {
      const { reads, dialect } = open.database;
      const sql = localDate(dialect, 'stamp', zone, ['0001', '9999']);
      const dates = stamps.map((_, index) => `select ${index} as number, ? as stamp`).join(' union all ');
      const rows = await reads.rows<{ shown: string }>(
        `select ${sql} as shown from (${dates}) as dates order by number`,
        stamps,
      );
      return rows.map((row) => row.shown.slice(0, 16));
    };

    it('leave a time as it is that would fall off the calendar', async () => {
      const ends = ['0001-01-01T00:30:00.000000Z', '9999-12-31T23:30:00.000000Z', '2020-01-01'];
      expect(await shown('America/New_York', ...ends)).to.equal(['0001-01-01T00:30', '9999-12-31T18:30', '2020-01-01']);
      expect(await shown('Asia/Tokyo', ...ends)).to.equal(['0001-01-01T00:30', '9999-12-31T23:30', '2020-01-01']);
    });

    it('follow clocks that are set, to the second', async () => {
      const spring = ['2026-03-29T00:59:59.999999Z', '2026-03-29T01:00:00.000000Z'];
      const autumn = ['2026-10-25T00:30:00.000000Z', '2026-10-25T01:30:00.000000Z'];
      expect(await shown('Europe/Berlin', ...spring)).to.equal(['2026-03-29T01:59', '2026-03-29T03:00']);
      expect(await shown('Europe/Berlin', ...autumn)).to.equal(['2026-10-25T02:30', '2026-10-25T02:30']);
      expect(await shown('Asia/Kathmandu', '2023-12-31T18:15:00.000000Z')).to.equal(['2024-01-01T00:00']);
    });

    it('leave midnight in UTC as it is where it is a day', async () => {
      const { reads, dialect } = open.database;
      const ends = ['2024', '2026'] as const;
      const sql = localDate(dialect, 'stamp', 'America/Los_Angeles', ends, true);
      const text = `select ${sql} as shown from (select ? as stamp) as dates`;
      for (const [stamp, local] of [
        ['2025-03-01T00:00:00.000000Z', '2025-03-01'],
        ['2025-03-01T00:00:01.000000Z', '2025-02-28'],
        ['2025-03-01', '2025-03-01'],
      ] as const) {
        const [row] = await reads.rows<{ shown: string }>(text, [stamp]);
        expect(row!.shown.slice(0, 10), stamp).to.equal(local);
      }
    });

    it('tell which year it is there as another one begins in UTC', async () => {
      const { reads } = open.database;
      const ahead = async (zone: string, stamp: string | null): Promise<number> => {
        const text = `select ${yearsAhead('stamp', zone)} as ahead from (select ? as stamp) as dates`;
        return Number((await reads.rows<{ ahead: number | string }>(text, [stamp]))[0]!.ahead);
      };
      for (const [zone, stamp, years] of [
        ['America/Los_Angeles', '2026-01-01T07:59:59.999999Z', -1],
        ['America/Los_Angeles', '2026-01-01T08:00:00.000000Z', 0],
        ['America/Los_Angeles', '2026-01-01T00:00:00.000000Z', 0],
        ['America/Los_Angeles', '2025-12-31T23:59:59.000000Z', 0],
        // In the war clocks were an hour ahead in winter, too.
        ['America/Los_Angeles', '1944-01-01T07:30:00.000000Z', 0],
        ['Asia/Kathmandu', '2025-12-31T18:14:59.000000Z', 0],
        ['Asia/Kathmandu', '2025-12-31T18:15:00.000000Z', 1],
        // Until the end of 1985 the offset was 5:30.
        ['Asia/Kathmandu', '1984-12-31T18:15:00.000000Z', 0],
        ['Asia/Kathmandu', '1984-12-31T18:30:00.000000Z', 1],
        ['Pacific/Auckland', '2025-12-31T11:00:00.000000Z', 1],
        ['Pacific/Auckland', '2025-12-31', 0],
        ['Pacific/Auckland', null, 0],
        ['Europe/London', '1970-12-31T23:30:00.000000Z', 1],
        ['Europe/London', '1980-12-31T23:30:00.000000Z', 0],
        ['UTC', '2025-12-31T23:59:59.000000Z', 0],
      ] as const) {
        expect(await ahead(zone, stamp), `${zone} ${stamp}`).to.equal(years);
      }
    });
  });
}
