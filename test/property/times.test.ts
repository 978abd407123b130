/**
 * times: whatever format a time came in, with or without a zone, and wherever somebody looks: every page, list, file and
 * answer shows the day and the time of day that the document says.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse } from 'csv-parse/sync';
import { databases } from '../support/databases';
import { portalDocument, result, results } from '../support/portal-documents';
import { below, pick, randomFrom } from '../support/random';
import { startService, type TestService } from '../support/server';
import { readable, type SitePage } from '../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SEED = Number(process.env['SVC_TEST_SEED'] ?? below(Math.random, 2 ** 31));

/** Days beside which other zones have another day, month or year, and changes of clocks. */
const DAYS = ['2023-12-31', '2024-01-01', '2024-02-01', '2024-02-29', '2024-03-10', '2024-03-31', '2024-11-03'];
const CLOCKS = ['00:00:01', '00:30:00', '01:30:00', '02:30:00', '12:00:00', '22:30:00', '23:59:59'];
const OFFSETS = ['', '+01:00', '-05:00', '+13:00', '-09:30', '+05:45', '+00:00'];
const VIEWERS = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Pacific/Pago_Pago'];

/** A reading that is known by its value. `clock` is empty for a day. */
type Case = { readonly value: number; readonly day: string; readonly clock: string; readonly offset: string };

const written = ({ day, clock, offset }: Case): string => (clock === '' ? day : `${day}T${clock}${offset}`);

/** A time as C-CDA writes it. */
const stampOf = (one: Case): string => written(one).replace(/(?<!T.*)-|[T:]/g, '');

type Door = {
  readonly model: 'LabResult' | 'VitalSigns';
  readonly date: string;
  readonly amount: string;
  readonly document: (service: TestService, one: Case) => string;
  /** Whether the format has times without a zone. */
  readonly isFree: boolean;
};

const lab4 = { model: 'LabResult', date: 'collected_at', amount: 'quantitative_result_value_value' } as const;

const DOORS: readonly Door[] = [
  {
    model: 'VitalSigns',
    date: 'date',
    amount: 'weight_value',
    isFree: true,
    document: (service, one) =>
      factsDocument(
        service,
        factOf('VitalSigns', { date: written(one), weight_value: String(one.value), weight_unit: 'kg' }),
      ),
  },
  {
    ...lab4,
    isFree: true,
    document: (_, one) =>
      portalDocument({
        at: '20240501',
        sections: [results(result(`2.999.9|r${one.value}`, `Test${one.value}`, String(one.value), stampOf(one)))],
      }),
  },
  {
    ...lab4,
    isFree: false,
    document: (_, one) =>
      `<Observation xmlns="http://hl7.org/fhir"><status value="final"/><category><coding><code value="laboratory"/></coding></category>` +
      `<code><text value="Test${one.value}"/></code><effectiveDateTime value="${written(one)}"/>` +
      `<valueQuantity><value value="${one.value}"/><unit value="mmol/L"/></valueQuantity></Observation>`,
  },
];

type Made = Case & { readonly door: Door };

const casesOf = (seed: number, count: number): readonly Made[] => {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const door = pick(random, DOORS);
    const clock = below(random, 5) === 0 ? '' : pick(random, CLOCKS);
    const offset = pick(random, door.isFree ? OFFSETS : OFFSETS.slice(1));
    return { door, value: 100 + index, day: pick(random, DAYS), clock, offset: clock === '' ? '' : offset };
  });
};

const neighbour = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

for (const leg of databases) {
  describe(`times as documents say them, on ${leg.name}, seed ${SEED}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    const cases = casesOf(SEED, 36);

    const live = (zone: string) =>
      record.owner
        .open('/my/account')
        .then((page) => record.owner.submit(page, { what: 'manner', language: 'en', zone }));
    const open = (path: string): Promise<SitePage> => record.owner.open(`${base}/${path}`);
    const rowsOf = async (model: string, query = ''): Promise<readonly Record<string, string>[]> =>
      parse((await record.owner.get(`${base}/data/${model}.csv${query}`)).text, {
        columns: true,
        record_delimiter: '\r\n',
      });
    const valuesOn = async (door: Door, day: string): Promise<readonly number[]> => {
      const { path } = await open(`data/${door.model}?from=${day}&to=${day}`);
      const rows = await rowsOf(door.model, path.slice(path.indexOf('?')));
      return rows.map((row) => Number(row[door.amount])).sort((a, b) => a - b);
    };
    const valuesOf = (model: string, day: string): readonly number[] =>
      cases.filter((one) => one.door.model === model && one.day === day).map(({ value }) => value);

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}`;
      for (const one of cases) {
        await record.store(one.door.document(service, one));
      }
    });
    after(() => service.stop());

    it('are in the file of a data page as they were written', async () => {
      for (const zone of VIEWERS) {
        await live(zone);
        const rows = [...(await rowsOf('LabResult')), ...(await rowsOf('VitalSigns'))];
        for (const one of cases) {
          const row = rows.find((other) => Number(other[one.door.amount]) === one.value);
          const said = row?.[one.door.date]?.replace('T00:00:00Z', '');
          expect(said, `${zone} ${JSON.stringify(one)}`).to.equal(written(one));
        }
      }
    });

    it('are found on their days, by filters, in the timeline and by searches', async () => {
      const days = [...new Set(DAYS.flatMap((day) => [neighbour(day, -1), day, neighbour(day, 1)]))].sort();
      for (const zone of VIEWERS) {
        await live(zone);
        for (const day of days) {
          for (const door of DOORS.slice(0, 2)) {
            expect(await valuesOn(door, day), `${zone} ${door.model} ${day}`).to.equal([...valuesOf(door.model, day)]);
          }
          const said = readable(await open(`timeline?from=${day}&to=${day}`));
          const expected = cases.filter((one) => one.day === day).map(({ value }) => value);
          const shown = cases.filter(({ value }) => new RegExp(`\\b${value} (kg|mmol/L)`).test(said));
          expect(
            shown.map(({ value }) => value),
            `${zone} timeline ${day}`,
          ).to.equal(expected);
        }
      }
    });

    it('stand beside these days, in their years, and in this order', async () => {
      const short = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' });
      for (const zone of VIEWERS) {
        await live(zone);
        const page = await open('timeline');
        for (const year of ['2023', '2024']) {
          const count = cases.filter(({ day }) => day.startsWith(year)).length;
          if (count > 1) {
            expect(readable(page), `${zone} ${year}`).to.contain(`${year} ${count} entries`);
          }
        }
        const shown = [...page.text.matchAll(/<time datetime="([^"]*)">[^<]*<\/time>(.*?)<\/li>/gs)].flatMap(
          ([, day = '', rest = '']) => {
            const one = cases.find(({ value }) => new RegExp(`\\b${value}\\b`).test(rest.replace(/<[^>]*>/g, ' ')));
            return one ? [[one.day, day] as const] : [];
          },
        );
        expect(shown.length, `${zone}, ${short.format(0)}`).to.be.above(0);
        expect(
          shown.filter(([said, day]) => said !== day),
          zone,
        ).to.equal([]);
        const inOrder = shown.map(([day]) => day);
        expect(inOrder, zone).to.equal([...inOrder].sort().reverse());
      }
    });

    it('are in reports what the interface says: moments in UTC, marked where nobody said a zone', async () => {
      const path = `/records/${record.recordId}/reports/LabResult/?response_format=application/json&limit=100`;
      const { text } = await service.call(record.credentials, 'GET', path);
      const facts = JSON.parse(text) as Record<string, unknown>[];
      for (const one of cases.filter(({ door }) => door.model === 'LabResult')) {
        const fact = facts.find((other) => Number(other['quantitative_result_value_value']) === one.value)!;
        const stored = String(fact['collected_at']);
        const isLocal = one.clock !== '' && one.offset === '';
        expect(fact['__clocks__'], JSON.stringify(one)).to.equal(isLocal ? { collected_at: 'local' } : undefined);
        expect(Date.parse(stored)).to.equal(
          Date.parse(one.offset === '' ? `${written(one)}${one.clock && 'Z'}` : written(one)),
        );
      }
    });
  });
}
