/** partial-dates: for "in 2009" nothing shows "on 1 January 2009": not reports, not FHIR, and not the website. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { now } from '../support/cast';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startFhir, type FhirGround } from '../support/fhir';
import { formsOf, readable, type Site, type SitePage } from '../support/site';
import { enterSite, factOf, factsDocument } from '../support/site-record';
import { createAccount, succeeded } from '../support/world';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`a date of which the day is not known, on ${leg.name}`, () => {
    let ground: FhirGround;
    let site: Site;
    before(async () => {
      ground = await startFhir(leg);
      await ground.put(
        factsDocument(
          ground.service,
          factOf('Problem', { name_title: 'Asthma', startDate: '2009' }),
          factOf('Problem', { name_title: 'Migraine', startDate: '2009-05', endDate: '2011' }),
          factOf('Problem', { name_title: 'Measles', startDate: '2009-01-01' }),
        ),
      );
      await ground.put(
        factsDocument(ground.service, factOf('Equipment', { name: 'Hearing aid', date_started: '2009-05' })),
      );
      const { call, services } = ground.service;
      await createAccount(call, 'dora@example.org', 'Dora Lee');
      await sharingStore.putShare(direct(services.database), ground.recordId, 'dora@example.org', null, now(services));
      site = await enterSite(ground.service, 'dora@example.org');
    });
    after(() => ground.service.stop());

    const report = async (query = ''): Promise<string> =>
      succeeded(
        await ground.service.call(
          ground.alice,
          'GET',
          `/records/${ground.recordId}/reports/Problem/?order_by=startDate${query}`,
        ),
      ).text;
    const names = async (query: string): Promise<readonly string[]> =>
      (((await ground.get(`/${query}`))['entry'] ?? []) as { resource: { code?: { text: string } } }[])
        .flatMap(({ resource }) => resource.code?.text ?? [])
        .sort();

    it('is the first day in reports, marked as what it is', async () => {
      const facts = JSON.parse(await report('&response_format=application/json')) as Record<string, unknown>[];
      expect(facts.map((fact) => [fact['name_title'], fact['startDate'], fact['__partial_dates__']])).to.equal([
        ['Asthma', '2009-01-01T00:00:00Z', { startDate: 'year' }],
        ['Measles', '2009-01-01T00:00:00Z', undefined],
        ['Migraine', '2009-05-01T00:00:00Z', { startDate: 'month', endDate: 'year' }],
      ]);
      const xml = await report('&response_format=application/xml');
      expect(xml).to.contain('<Field name="startDate" partial="year">2009-01-01T00:00:00Z</Field>');
      expect(xml).to.contain('<Field name="startDate">2009-01-01T00:00:00Z</Field>');
      expect(xml.match(/partial=/g)).to.have.length(3);
    });

    it('is as exact in a CCR and in RDF', async () => {
      const read = async (path: string): Promise<string> =>
        succeeded(await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/${path}`)).text;
      const ccr = await read('reports/experimental/ccr');
      expect(ccr).to.contain('<ExactDateTime>2009</ExactDateTime>');
      expect(ccr).to.contain('<ExactDateTime>2009-05</ExactDateTime>');
      expect(ccr).to.contain('<ExactDateTime>2009-01-01T00:00:00Z</ExactDateTime>');
      expect(ccr).to.not.contain('2011-01-01');
      const rdf = await read('problems/');
      expect(rdf).to.match(/#gYear">2009</);
      expect(rdf).to.match(/#gYearMonth">2009-05</);
      expect(rdf).to.match(/#dateTime">2009-01-01T00:00:00Z</);
    });

    it('is compared by its first day in reports, as every other date', async () => {
      const during = JSON.parse(
        await report('&response_format=application/json&date_range=startDate*2009-01-01*2009-01-01'),
      ) as Record<string, unknown>[];
      expect(during.map((fact) => fact['name_title'])).to.equal(['Asthma', 'Measles']);
    });

    it('goes out of FHIR as it came in', async () => {
      const bundle = await ground.get('/Condition?_sort=onset-date');
      expect(
        bundle['entry'].map(({ resource }: { resource: Record<string, unknown> }) => [
          resource['onsetDateTime'],
          resource['abatementDateTime'],
        ]),
      ).to.have.length(3);
      const text = JSON.stringify(bundle);
      expect(text).to.contain(['"onsetDateTime":"2009"', '"onsetDateTime":"2009-05"', '"onsetDateTime":"2009-01-01"']);
      expect(text).to.contain('"2011"');
      expect(text).to.not.match(/"(2009-05-01|2011-01-01)/);
      expect(JSON.stringify(await ground.get('/Device'))).to.contain('In use since 2009-05.');
    });

    it('is found by FHIR as the year or the month that it is', async () => {
      expect(await names('Condition?onset-date=2009')).to.equal(['Asthma', 'Measles', 'Migraine']);
      expect(await names('Condition?onset-date=2009-01')).to.equal(['Measles']);
      expect(await names('Condition?onset-date=2009-05')).to.equal(['Migraine']);
      expect(await names('Condition?onset-date=2009-05-01')).to.equal([]);
      expect(await names('Condition?onset-date=gt2009-06-01')).to.equal(['Asthma']);
      expect(await names('Condition?onset-date=sa2009-01-01')).to.equal(['Migraine']);
      expect(await names('Condition?onset-date=eb2009-06')).to.equal(['Measles', 'Migraine']);
      expect(await names('Condition?onset-date=ap2009-09-09')).to.contain('Asthma');
    });

    it('is said in words of the same exactness on the website', async () => {
      const base = `/my/records/${ground.recordId}/`;
      const seen = async (path: string) => readable(await site.open(`${base}${path}`));
      expect(await seen('')).to.match(/Asthma.{0,40}since 2009/s);
      expect(await seen('')).to.match(/Measles.{0,40}since 1 January 2009/s);
      const table = await seen('data/Problem');
      expect(table).to.contain(['May 2009', '2011', '1 Jan 2009']);
      expect(table).to.not.match(/1 May|1 January 2011/);
      expect(await seen('timeline')).to.contain(['Asthma', 'Migraine', 'May', '1 Jan']);
      expect(await seen('timeline')).to.not.contain('1 May');
      const csv = await site.open(`${base}data/Problem.csv`);
      expect(csv.text).to.contain(['2009,', '2009-05,', '2009-01-01T00:00:00Z,']);
      expect(csv.text).to.not.contain('2009-05-01');
    });

    describe('that a person types in', () => {
      const write = async (page: SitePage, fields: Readonly<Record<string, string>>): Promise<SitePage> => {
        const { action, fields: filled } = formsOf(page).find(({ html }) => html.includes('name="form"'))!;
        const { more: _more, look: _look, ...rest } = filled;
        return site.post(action, { ...rest, ...fields });
      };
      const form = () => site.open(`/my/records/${ground.recordId}/add/Problem`);
      const documentOf = (page: SitePage): string => {
        expect(page.status, readable(page)).to.equal(303);
        return String(page.headers['location']).replace(/\?.*/, '');
      };

      for (const [typed, words] of [
        ['2014', 'since 2014'],
        ['3/2014', 'since March 2014'],
        ['03.2014', 'since March 2014'],
        ['2014-3', 'since March 2014'],
        ['\u0663/\u0662\u0660\u0661\u0664', 'since March 2014'],
      ] as const) {
        it(`is kept as ${words} when they write ${typed}`, async () => {
          const address = documentOf(await write(await form(), { name_title: 'Gout', 'startDate:partial': typed }));
          expect(readable(await site.open(address))).to.contain(words.replace('since ', ''));
          const change = await site.open(`/my/records/${ground.recordId}/add/Problem?correct=${address.slice(-36)}`);
          expect(change.text).to.match(/<details class="more-below" open>.{0,600}value="2014(-03)?"/s);
          // The day can be added once it is known.
          const changed = documentOf(await write(change, { startDate: '2014-03-09' }));
          expect(readable(await site.open(changed))).to.contain('9 March 2014');
        });
      }

      it('is refused at its field when it is none, and nothing is stored', async () => {
        for (const wrong of ['13/2014', 'spring 2014', '14', '0000', '<b>']) {
          const page = await write(await form(), { name_title: 'Gout', 'startDate:partial': wrong });
          expect(page.status).to.equal(400);
          expect(readable(page)).to.contain('write a month such as 3/2009, or a year such as 2009');
          expect(page.text).to.contain('href="#field-startDate:partial"');
          expect(page.text).to.not.contain('<b>"');
        }
      });

      it('is taken in the field for the day, too, where a browser knows no calendar', async () => {
        const address = documentOf(await write(await form(), { name_title: 'Gout', startDate: '2015' }));
        expect(readable(await site.open(address))).to.contain('Since 2015');
        expect(readable(await site.open(address))).to.not.contain('January 2015');
      });

      it('is not asked for where every fact has a day', async () => {
        const page = await site.open(`/my/records/${ground.recordId}/add/VitalSigns`);
        expect(page.text).to.contain('name="date"');
        expect(page.text).to.not.contain('name="date:partial"');
      });
    });
  });
}
