/** timeline: every entry by its own date, by year, filtered by kind and days, for a record and for a carenet. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { unfolded, readable, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, sample, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { attribute, createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const HOSTILE = `"><img src=x onerror=alert(1)>`;

/** The places of words on a page, in the order of the words; all of them must occur. */
const places = (page: SitePage, words: readonly string[]): readonly number[] => {
  const text = readable(page);
  return words.map((word) => {
    expect(text, word).to.contain(word);
    return text.indexOf(word);
  });
};

for (const leg of databases) {
  describe(`the timeline on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let address: string;
    const look = (query = ''): Promise<SitePage> => record.owner.open(`${address}${query}`);

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      address = `/my/records/${record.recordId}/timeline`;
    });
    after(() => service.stop());

    it('says so when there is nothing', async () => {
      const page = await look();
      expect(page.status).to.equal(200);
      expect(readable(page)).to.contain(['There is nothing here yet.', 'Add something']);
      expect(page.text).to.not.contain('<select');
    });

    describe('with facts', () => {
      let visit: string;
      before(async () => {
        visit = await record.store(sample(service, 'vital-signs/sample-check-up.xml'));
        await record.store(
          factsDocument(
            service,
            factOf('Problem', { name_title: 'Asthma', startDate: '1998-09-01' }),
            factOf('Problem', { name_title: 'Measles' }),
            factOf('Procedure', { name: 'Appendix removed', date_performed: '2024-05-17T08:00:00Z' }),
            factOf('Immunization', { product_name_title: 'Influenza', date: '2024-05-16T00:00:00Z' }),
            factOf('Problem', { name_title: HOSTILE.replaceAll('<', '&lt;'), startDate: '2024-01-02' }),
          ),
        );
      });

      it('shows every kind by its own date, the newest first, and what has none at the end', async () => {
        const page = await look();
        const order = places(page, [
          '2024 4 entries',
          'Appendix removed',
          'Blood pressure 132 / 82 mmHg',
          'Influenza',
          '1998 One entry',
          'Asthma',
          'Without a date',
          'Measles',
        ]);
        expect([...order].sort((a, b) => a - b)).to.equal([...order]);
        expect(readable(page)).to.contain([
          '6 entries from 1998 to 2024',
          '4 entries',
          'One entry',
          '17 May',
          '16 May',
        ]);
        expect(page.text).to.contain([`documents/${visit}?fact=`, 'datetime="1998-09-01"']);
        expect(page.text).to.match(/aria-current="page"><svg[^]{0,400}?<\/svg>Timeline/);
        expect(readable(page)).to.not.match(/VitalSigns|_title|mm\[Hg\]/);
        // The visit is nested in its measurement: it is the row in which the measurement stands, and no entry of its own.
        expect(readable(page)).to.contain('Visit: Ambulatory encounter');
        expect(page.text.match(/<details class="day" data-kind="Visit" data-id="[\w-]+">/g)).to.have.length(1);
        expect(page.text).to.match(/data-kind="VitalSigns" data-id="[\w-]+"/);
      });

      it('shows hostile text as text', async () => {
        const page = await look();
        expect(page.text).to.not.contain('<img src=x');
        expect(readable(page)).to.contain(HOSTILE);
      });

      it('is filtered by kind and days, both included', async () => {
        const problems = await look('?kind=Problem');
        expect(readable(problems)).to.contain(['3 entries from 1998 to 2024', 'Asthma', 'Measles']);
        expect(readable(problems)).to.not.contain('Appendix');
        expect(problems.text).to.match(/aria-current="true"><svg[^]{0,300}?<\/svg>Problems<\/a>/);
        const year = await look('?kind=Problem&year=2024');
        expect(readable(year))
          .to.contain('One entry')
          .and.to.not.match(/Asthma|Measles|Appendix/);
        // The other years are still there to go to.
        expect(year.text).to.contain(['year=1998', 'aria-current="true"']);
        // A year leads on to its months, and a month back to all of it.
        expect(year.text).to.contain('from=2024-05-01&amp;to=2024-05-31');
        const month = await look('?from=2024-05-01&to=2024-05-31');
        expect(readable(month)).to.contain(['Appendix removed', 'Influenza', 'The whole timeline']);
        expect(readable(month)).to.not.contain('Asthma');
        expect(month.text).to.match(/aria-current="true">May<\/a>/);
        const page = await look('?year=2024');
        expect(page.text).to.contain(['<h3>May 2024</h3>', '<h3>January 2024</h3>']);
        const day = await look('?from=2024-05-16&to=2024-05-16');
        expect(readable(day)).to.contain(['Blood pressure', 'Influenza', '2 entries']);
        expect(readable(day)).to.not.match(/Appendix|Measles|Asthma/);
        expect(day.text).to.contain('value="2024-05-16"');
        expect(readable(await look('?kind=Problem&from=2025-01-01'))).to.contain('There is nothing of this kind');
      });

      it('takes no harm from anything in the address', async () => {
        for (const query of [
          '?kind=Nothing',
          '?kind=__proto__',
          `?kind=${encodeURIComponent(HOSTILE)}`,
          '?from=2024-13-45',
          '?year=0000',
          '?year=20%27',
          '?devices=x&year=9999',
          '?from=9999-12-31&to=9999-12-31',
          '?place=',
          '?place=elsewhere',
          '?from=x&from=2024-01-01',
        ]) {
          const page = await look(query);
          expect(page.status, query).to.equal(200);
          expect(page.text).to.not.contain('<img src=x');
        }
      });

      it('leaves out what is archived or void, and what another record holds', async () => {
        const id = await record.store(
          factsDocument(service, factOf('Problem', { name_title: 'Gout', startDate: '2020-02-02' })),
        );
        expect(readable(await look())).to.contain('Gout');
        const status = `/records/${record.recordId}/documents/${id}/set-status`;
        succeeded(
          await service.call(record.credentials, 'POST', status, { form: { status: 'archived', reason: 'Not mine' } }),
        );
        expect(readable(await look())).to.not.contain('Gout');
        expect(readable(await look())).to.contain('6 entries');
        const other = await createRecord(service.call, OWNER, 'Tor', 'Other');
        expect(readable(await record.owner.open(`/my/records/${other}/timeline`))).to.contain('There is nothing here');
      });

      it('folds the years of long ago', async () => {
        const facts = Array.from({ length: 15 }, (_, at) =>
          factOf('Problem', { name_title: `Cold ${at}`, startDate: `${1950 + at}-02-03` }),
        );
        await record.store(factsDocument(service, ...facts));
        const years = ({ text }: SitePage): string => /<section class="card no-print">[^]*?<\/section>/.exec(text)![0];
        const usual = years(await look());
        // Thirteen years are left beside them, of 17 in all.
        expect(usual).to.match(/<details class="more"><summary>1950 to 1953<\/summary>/);
        expect(usual.split('</details>')[1]!.match(/year=\d{4}/g)).to.have.length(13);
        expect(years(await look('?year=1951'))).to.contain('<details class="more" open>');
      });
    });

    describe('with much data', () => {
      let long: string;
      before(async () => {
        const id = await createRecord(service.call, OWNER, 'Long', 'Life');
        long = `/my/records/${id}/timeline`;
        const facts = Array.from({ length: 60 }, (_, index) => [
          factOf('Problem', { name_title: `Trouble ${index}.`, startDate: `${1960 + index}-03-04` }),
          factOf('Procedure', { name: `Cure ${index}.`, date_performed: `${1960 + index}-03-05T10:00:00Z` }),
        ]).flat();
        succeeded(
          await service.call(record.credentials, 'POST', `/records/${id}/documents/`, {
            body: factsDocument(service, ...facts),
          }),
        );
      });

      it('leads on from page to page, shows each entry once and none twice', async () => {
        const seen: string[] = [];
        let next: string | undefined = long;
        let pages = 0;
        while (next !== undefined) {
          const page = await record.owner.open(next);
          expect(readable(page)).to.contain('120 entries from 1960 to 2019.');
          seen.push(...(readable(page).match(/(Trouble|Cure) \d+\./g) ?? []));
          const [, link] = /<a href="([^"]*)" rel="next"/.exec(page.text) ?? [];
          next = link?.replaceAll('&amp;', '&');
          pages += 1;
        }
        expect(pages).to.equal(3);
        expect([seen.length, new Set(seen).size]).to.equal([120, 120]);
        expect(seen.slice(0, 3)).to.equal(['Cure 59.', 'Trouble 59.', 'Cure 58.']);
      });

      it('asks for at most twenty statements, of which one takes the page over all tables by their indexes', async () => {
        const { asked: own } = await askedBy(() => record.owner.open(long));
        expect(own.length).to.be.between(4, 21);
        const keys = own.filter(({ sql }) => / as timeline order by /.test(sql));
        expect(keys).to.have.length(1);
        if (leg.name === 'sqlite') {
          const knex = direct(service.services.database);
          const plan = await knex.rows<{ detail: string }>(
            `explain query plan ${keys[0]!.sql}`,
            keys[0]!.values as never,
          );
          const facts = plan.map(({ detail }) => detail).filter((detail) => /\bfact\b/.test(detail));
          expect(facts.filter((detail) => !/USING (COVERING )?INDEX/.test(detail))).to.equal([]);
          expect(facts.filter((detail) => /fact_problem\$by_startdate/.test(detail))).to.have.length(1);
        }
      });
    });

    describe('with visit summaries that repeat each other', () => {
      let base: string;
      let documents: string[];
      before(async () => {
        const id = await createRecord(service.call, OWNER, 'Often', 'Visited');
        base = `/my/records/${id}/timeline`;
        const summary = (visit: number): string =>
          factsDocument(
            service,
            factOf('Procedure', { name: `Visit ${visit}.`, date_performed: `2024-0${visit + 1}-05T10:00:00Z` }),
            factOf('Problem', { name_title: 'Asthma', startDate: '1998-09-01' }),
            factOf('Problem', { name_title: visit === 0 ? 'Cough' : 'cough', startDate: `1998-09-0${visit + 1}` }),
            ...Array.from({ length: 30 }, (_, index) => factOf('Problem', { name_title: `Old trouble ${index}.` })),
            ...Array.from({ length: 16 }, (_, index) =>
              factOf('Immunization', { product_name_title: `Dose ${index}.`, date: '2001-01-01T00:00:00Z' }),
            ),
          );
        documents = [];
        for (const visit of [0, 1, 2]) {
          const stored = await service.call(record.credentials, 'POST', `/records/${id}/documents/`, {
            body: summary(visit),
          });
          documents.push(attribute(succeeded(stored).text, 'Document', 'id'));
        }
      });

      it('says once what they say of the same date, and leads to each of them', async () => {
        const page = await record.owner.open(`${base}?kind=Problem&from=1998-01-01&to=1998-12-31`);
        expect(readable(page)).to.contain('6 entries');
        const items = unfolded(page).text.split('<div class="entry"').slice(1);
        expect(items).to.have.length(4);
        const asthma = items.find((item) => item.includes('Asthma'))!;
        expect(asthma).to.contain('In 3 documents');
        const links = [...asthma.matchAll(/documents\/([0-9a-f-]{36})"/g)].map((match) => match[1]!);
        expect(new Set(links)).to.equal(new Set(documents));
        expect(page.text.match(/In 3 documents/g)).to.have.length(1);
      });

      it('tells how often a document says the same', async () => {
        const id = await createRecord(service.call, OWNER, 'Hoarse', 'Often');
        const once = factOf('Problem', { name_title: 'Sore throat', startDate: '2011-01-01' });
        const twice = factOf('Problem', { name_title: 'Hoarse voice', startDate: '2012-01-01' });
        succeeded(
          await service.call(record.credentials, 'POST', `/records/${id}/documents/`, {
            body: factsDocument(service, once, twice, twice),
          }),
        );
        const said = readable(await record.owner.open(`/my/records/${id}/timeline`));
        expect(said)
          .to.contain('3 entries')
          .and.to.match(/Hoarse voice ?.*Said twice.*Sore throat/);
        expect(said.match(/Said /g)).to.have.length(1);
      });

      it('shows each statement on one page only, forwards and backwards', async () => {
        const walk = async (from: string, rel: 'next' | 'prev'): Promise<string> => {
          const seen: string[] = [];
          let [here, next]: (string | undefined)[] = [from, from];
          while (next !== undefined) {
            here = next;
            const page = await record.owner.open(here);
            seen.push(...[...page.text.matchAll(/<a class="name"[^>]*><bdi>([^<]*)/g)].map((match) => match[1]!));
            next = new RegExp(`<a href="([^"]*)" rel="${rel}"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&');
          }
          // Three visits, asthma, a cough on three days, and what all three documents say alike.
          expect(seen, rel).to.have.length(3 + 1 + 3 + 30 + 16);
          expect(new Set(seen.map((one) => one.toLowerCase())).size, rel).to.equal(3 + 2 + 30 + 16);
          return here!;
        };
        expect(await walk(await walk(base, 'next'), 'prev')).to.contain('place=');
      });

      it('tells in a carenet of the documents that lie there only', async () => {
        const recordId = base.split('/')[3]!;
        const list = succeeded(await service.call(record.credentials, 'GET', `/records/${recordId}/carenets/`)).text;
        const carenetId = attribute(/<Carenet\b[^>]*name="Family"[^>]*>/.exec(list)![0], 'Carenet', 'id');
        for (const id of documents.slice(0, 2)) {
          succeeded(
            await service.call(record.credentials, 'PUT', `/records/${recordId}/documents/${id}/carenets/${carenetId}`),
          );
        }
        const page = await record.owner.open(`/my/carenets/${carenetId}/timeline`);
        expect(readable(page)).to.contain('In 2 documents').and.to.not.contain('In 3 documents');
        expect(page.text).to.not.contain(documents[2]!);
      });
    });

    describe('with the readings of a device', () => {
      it('shows more than ten of a kind in a day in one row, which can be hidden', async () => {
        const id = await createRecord(service.call, OWNER, 'Wears', 'Watch');
        const pulse = (minute: number): string =>
          factOf('VitalSigns', {
            date: `2025-05-06T10:${String(minute).padStart(2, '0')}:00Z`,
            heart_rate_value: String(60 + minute),
            heart_rate_unit: '{beats}/min',
          });
        const facts = [
          ...Array.from({ length: 12 }, (_, minute) => pulse(minute)),
          factOf('Problem', { name_title: 'Tired', startDate: '2025-05-06' }),
        ];
        const body = factsDocument(service, ...facts);
        succeeded(await service.call(record.credentials, 'POST', `/records/${id}/documents/`, { body }));
        const page = await record.owner.open(`/my/records/${id}/timeline`);
        expect(readable(page)).to.contain(['Heart rate: 12 readings', 'Tired', '13 entries']);
        expect(page.text.match(/<details class="day"/g)).to.have.length(1);
        const hidden = await record.owner.open(`/my/records/${id}/timeline?devices=0`);
        expect(readable(hidden)).to.contain(['Tired', 'Show devices']).and.to.not.contain('Heart rate: 12');
      });
    });

    describe('with readings of the same kind on days that follow each other', () => {
      const pressure = (day: string, upper: string, more: Readonly<Record<string, string>> = {}): string =>
        factOf('VitalSigns', {
          date: `${day}T10:00:00Z`,
          bp_systolic_value: upper,
          bp_systolic_unit: 'mm[Hg]',
          bp_diastolic_value: '80',
          bp_diastolic_unit: 'mm[Hg]',
          ...more,
        });

      it('shows them in one row with their average, and each of them in it', async () => {
        const id = await createRecord(service.call, OWNER, 'Cuff', 'Diary');
        const facts = [
          ...['04', '05', '07', '08'].map((day, at) => pressure(`2025-05-${day}`, String(130 + at))),
          factOf('Problem', { name_title: 'Dizzy', startDate: '2025-05-03' }),
          // Two days are no run, and what is not one kind alone is none.
          pressure('2025-05-02', '150'),
          pressure('2025-05-01', '150', { heart_rate_value: '70', heart_rate_unit: '{beats}/min' }),
          // Readings of which one is not final have no average.
          ...['01', '02', '03'].map((day) => pressure(`2025-04-${day}`, '140')),
          pressure('2025-04-04', '190', { status_identifier: 'entered-in-error', status_title: 'Entered in error' }),
        ];
        const body = factsDocument(service, ...facts);
        succeeded(await service.call(record.credentials, 'POST', `/records/${id}/documents/`, { body }));
        const page = await record.owner.open(`/my/records/${id}/timeline`);
        const rows = [...page.text.matchAll(/<summary>([^]*?)<\/summary>/g)].map(([, row]) =>
          row!
            .replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        );
        expect(rows).to.include('4 – 8 May Blood pressure: 4 readings Average 132 / 80 mmHg');
        expect(rows.some((row) => row.endsWith('Apr Blood pressure: 4 readings'))).to.be.true();
        expect(page.text.match(/data-kind="VitalSigns"/g)).to.have.length(10);
        expect(readable(page)).to.contain(['Blood pressure 133 / 80 mmHg', 'Dizzy', '11 entries']);
      });
    });

    describe('what is not theirs', () => {
      it('is the same page as what is not there', async () => {
        for (const path of [address, `/my/carenets/${record.carenetId}/timeline`, '/my/records/none/timeline']) {
          const page = await record.stranger.get(path);
          expect([page.status, readable(page).includes('Either there is no such page')], path).to.equal([404, true]);
        }
        expect((await record.member.get(address)).status).to.equal(404);
      });

      it('shows through a carenet what lies there, and takes no form', async () => {
        const path = `/my/carenets/${record.carenetId}/timeline`;
        expect(readable(await record.member.open(path))).to.contain('Nothing lies here for you to see.');
        const id = await record.store(
          factsDocument(service, factOf('Problem', { name_title: 'Hay fever', startDate: '2021-05-06' })),
        );
        succeeded(
          await service.call(
            record.credentials,
            'PUT',
            `/records/${record.recordId}/documents/${id}/carenets/${record.carenetId}`,
          ),
        );
        const page = await record.member.open(path);
        expect(readable(page)).to.contain(['Hay fever', 'One entry', '2021']);
        expect(readable(page)).to.not.match(/Asthma|Appendix|Blood/);
        expect(page.text).to.contain(`/my/carenets/${record.carenetId}/documents/${id}?fact=`);
        const crumb = record.member.cookies.get('crumb')!;
        expect((await record.member.post(path, { crumb })).status).to.equal(404);
      });
    });
  });
}
