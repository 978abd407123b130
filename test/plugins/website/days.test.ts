/** days: a day in a form is a day of the person's local time; a date without a time belongs to that day everywhere. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse } from 'csv-parse/sync';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { unfolded, readable } from '../../support/site';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const weight = (date: string, kilograms: number): string =>
  factOf('VitalSigns', { date, weight_value: String(kilograms), weight_unit: 'kg' });

/** Time zone -> days of the form, and the weights that were measured on them. */
const asked = [
  // 23:30 on 1 March in Los Angeles is 2 March in UTC. 61 kg and 66 kg have dates without a time.
  ['America/Los_Angeles', '2026-03-01', '2026-03-01', [61, 62]],
  ['America/Los_Angeles', '2026-03-02', '2026-03-02', [63, 66]],
  ['Asia/Kathmandu', '2026-03-02', '2026-03-02', [62, 63, 66]],
  ['Pacific/Auckland', '2026-03-02', '2026-03-02', [62, 66]],
  ['Pacific/Auckland', '2026-03-03', '2026-03-03', [63]],
  ['UTC', '2026-03-02', '2026-03-02', [62, 63, 66]],
  // On the first of these days clocks are put forward, on the second one back.
  ['America/Los_Angeles', '2026-03-08', '2026-03-08', [71, 72]],
  ['Pacific/Auckland', '2026-04-05', '2026-04-05', [81, 82]],
  ['Pacific/Auckland', '', '2026-03-01', [51, 52, 53, 61]],
  ['America/Los_Angeles', '2026-04-05', '', [82, 83]],
] as const;

for (const leg of databases) {
  describe(`days of a person on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;

    const live = (zone: string, language = 'en') =>
      record.owner.open('/my/account').then((page) => record.owner.submit(page, { what: 'manner', language, zone }));
    const weightsIn = async (address: string): Promise<readonly number[]> => {
      const { text } = await record.owner.get(address.replace('/data/VitalSigns?', '/data/VitalSigns.csv?'));
      const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
      return rows.map((row) => Number(row['weight_value'])).sort((a, b) => a - b);
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}`;
      await record.store(
        factsDocument(
          service,
          weight('2025-12-31T00:00:00Z', 51),
          weight('2026-01-01T00:00:00Z', 52),
          weight('2026-01-01T05:30:00Z', 53),
          weight('2026-03-01T00:00:00Z', 61),
          weight('2026-03-02T07:30:00Z', 62),
          weight('2026-03-02T14:00:00Z', 63),
          weight('2026-03-02T00:00:00Z', 66),
          weight('2026-03-08T08:00:00Z', 71),
          weight('2026-03-09T06:59:59Z', 72),
          weight('2026-04-04T11:00:00Z', 81),
          weight('2026-04-05T11:59:59Z', 82),
          weight('2026-04-05T12:00:00Z', 83),
          factOf('Problem', { name_title: 'Asthma', startDate: '2024-03' }),
          factOf('Immunization', { product_name_title: 'Influenza', date: '2024-03-01' }),
        ),
      );
    });
    after(() => service.stop());

    it('are those that the filters of a data page, its file and its pages mean', async () => {
      for (const [zone, from, to, weights] of asked) {
        await live(zone);
        const page = await record.owner.open(`${base}/data/VitalSigns?from=${from}&to=${to}`);
        const where = `${zone} ${from} ${to}`;
        expect(await weightsIn(page.path), where).to.equal([...weights]);
        expect(readable(page), where).to.contain(weights.map((one) => `${one}`));
        expect(page.text, where).to.match(
          new RegExp(`name="from"[^>]*value="${from}"[^]*name="to"[^>]*value="${to}"`.replaceAll('[^>]*value=""', '')),
        );
        const file = /href="([^"]*\.csv[^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&');
        expect(await weightsIn(file), where).to.equal([...weights]);
      }
    });

    it('come with the address, so that who opens it elsewhere sees the same', async () => {
      await live('America/Los_Angeles');
      const { path } = await record.owner.open(`${base}/data/VitalSigns?from=2026-03-01&to=2026-03-01`);
      await live('Pacific/Auckland');
      expect(await weightsIn(path)).to.equal([61, 62]);
      const paged = await record.owner.open(`${path}&limit=1`);
      expect(readable(paged)).to.contain('1 of 2');
      const next = /<a href="([^"]*)" rel="next"/.exec(paged.text)![1]!.replaceAll('&amp;', '&');
      expect(readable(await record.owner.open(next)))
        .to.contain('2 to 2 of 2')
        .and.to.contain('61');
      expect((await record.owner.get(`${path.replace('Los_Angeles', 'Nowhere')}`)).status).to.equal(400);
      expect(
        (await record.owner.get(`${base}/data/VitalSigns?date_range=date*2026-02-30*&time_zone=UTC`)).status,
      ).to.equal(400);
    });

    it('are counted by month and year as the dates beside them say', async () => {
      const monthly = `${base}/data/VitalSigns?aggregate_by=avg*weight_value&date_group=date*month`;
      const yearly = `${base}/data/VitalSigns?aggregate_by=avg*weight_value&date_group=date*year`;
      for (const [zone, months, years] of [
        ['America/Los_Angeles', ['December 2025 2 readings', 'January 2026 1 reading'], ['2025 2 readings']],
        ['Asia/Kathmandu', ['December 2025 1 reading', 'January 2026 2 readings'], ['2025 1 reading']],
        ['Pacific/Auckland', ['December 2025 1 reading', 'January 2026 2 readings'], ['2025 1 reading']],
      ] as const) {
        await live(zone);
        expect(readable(await record.owner.open(monthly)), zone).to.contain([...months]);
        expect(readable(await record.owner.open(yearly)), zone).to.contain([...years]);
      }
    });

    it('are those of the timeline, and its years are', async () => {
      for (const [zone, from, to, weights] of asked) {
        await live(zone);
        const said = readable(
          unfolded(await record.owner.open(`${base}/timeline?kind=VitalSigns&from=${from}&to=${to}`)),
        );
        expect(
          [...said.matchAll(/Weight (\d\d) kg/g)].map((match) => Number(match[1])).sort(),
          `${zone} ${from}`,
        ).to.equal([...weights]);
      }
      for (const [zone, entries] of [
        ['America/Los_Angeles', '2025 2 entries'],
        ['Pacific/Auckland', '2025 One entry'],
      ] as const) {
        await live(zone);
        const page = readable(await record.owner.open(`${base}/timeline?to=2026-01-01`));
        expect(page, zone).to.contain([entries, '2024 2 entries', 'from 2024 to 2026']);
      }
    });

    it('compare a month as its first day, wherever the person is', async () => {
      for (const zone of ['America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Auckland']) {
        await live(zone);
        const said = readable(await record.owner.open(`${base}/timeline?from=2024-03-01&to=2024-03-01`));
        expect(said, zone).to.contain(['Asthma', 'Influenza', '2 entries']);
        expect(readable(await record.owner.open(`${base}/timeline?to=2024-02-29`)), zone).to.not.contain('Asthma');
      }
    });

    it('take no more statements than those of UTC may', async () => {
      await live('Pacific/Auckland');
      for (const path of [
        'data/VitalSigns?from=2026-01-01&to=2026-12-31',
        'timeline?from=2026-01-01',
        'documents/?q=2026',
      ]) {
        const { path: address } = await record.owner.open(`${base}/${path}`);
        const { asked: statements } = await askedBy(() => record.owner.get(address));
        expect(statements.length, path).to.be.at.most(20);
      }
    });

    it('are those that a search names with their year', async () => {
      const documents = `${base}/documents/?q=`;
      await record.store(
        factsDocument(service, factOf('Procedure', { name: 'Cast', date_performed: '2020-06-01T06:30:00Z' })),
      );
      for (const [zone, day, month] of [
        ['America/Los_Angeles', '31 May 2020', 'May 2020'],
        ['Asia/Kathmandu', '1 June 2020', 'June 2020'],
        ['Pacific/Auckland', '2020-06-01', '2020-06'],
      ] as const) {
        await live(zone);
        for (const said of [day, month, '2020']) {
          const page = readable(await record.owner.open(`${documents}${encodeURIComponent(said)}`));
          expect(page, `${zone} ${said}`).to.contain('Cast');
        }
      }
      await live('America/Los_Angeles');
      expect(readable(await record.owner.open(`${documents}1+June+2020`))).to.not.contain('Cast');
    });
  });
}
