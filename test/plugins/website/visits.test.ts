/** visits: their list and pages, what belongs to each, what leads to them, and what a circle and strangers see of them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, sample, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const HOSTILE = '&lt;img src=x onerror=alert(1)&gt;';
const MOST = 20;

const resource = (address: string, inside: string): string =>
  `<entry><fullUrl value="${address}"/><resource>${inside}</resource></entry>`;

const coded = (name: string, words: string): string => `<${name}><text value="${words}"/></${name}>`;

/** A document of FHIR of one sender. */
const bundle = (id: string, custodian: string, ...entries: readonly string[]): string =>
  `<Bundle xmlns="http://hl7.org/fhir"><type value="document"/><timestamp value="2024-05-03T12:00:00Z"/>${resource(
    `urn:uuid:7b0f1a5e-6a5a-4a57-8f0f-0c51a7a1${id}`,
    `<Composition><status value="final"/>${coded('type', `Letter ${id}`)}<date value="2024-05-03T12:00:00Z"/>` +
      `<author><display value="Dr Nia Rowan"/></author><title value="Letter ${id}"/>` +
      `<custodian><display value="${custodian}"/></custodian></Composition>`,
  )}${entries.join('')}</Bundle>`;

const visitAt = (start: string, place: string): string =>
  resource(
    'https://clinic.example/Encounter/v1',
    `<Encounter><id value="v1"/><status value="finished"/><class><system value="http://terminology.hl7.org/CodeSystem/v3-ActCode"/>` +
      `<code value="AMB"/></class><period><start value="${start}"/></period><serviceProvider><display value="${place}"/></serviceProvider></Encounter>`,
  );

const glucose = (id: string, name: string, when: string): string =>
  resource(
    `https://clinic.example/Observation/${id}`,
    `<Observation><id value="${id}"/><status value="final"/><category><coding><system value="http://terminology.hl7.org/CodeSystem/observation-category"/><code value="laboratory"/></coding></category>` +
      `${coded('code', name)}<effectiveDateTime value="${when}"/><valueQuantity><value value="5"/><unit value="mmol/L"/></valueQuantity></Observation>`,
  );

for (const leg of databases) {
  describe(`visits on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;
    let stay: string;
    const look = (path = '', site: Site = record.owner): Promise<SitePage> => site.open(`${base}visits/${path}`);
    /** The id of the visit that a page lists under these words. */
    const idOf = ({ text }: SitePage, words: string): string =>
      [...text.matchAll(/<li data-kind="Visit" data-id="([\w-]+)">[^]*?<\/li>/g)].find(([row]) =>
        row.includes(words),
      )?.[1] ?? '';
    const part = ({ text }: SitePage, title: string): string =>
      new RegExp(`<h2>${title}</h2>[^]*?</section>`).exec(text)?.[0] ?? '';

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}/`;
    });
    after(() => service.stop());

    it('says so when there are none', async () => {
      const page = await look();
      expect(page.status).to.equal(200);
      expect(readable(page)).to.contain('No document here tells of a visit.');
      expect((await record.owner.open(base)).text).to.not.contain('data-kind="Visit"');
    });

    describe('that documents tell of', () => {
      before(async () => {
        stay = await record.store(sample(service, 'fhir-bundle/sample-hospital-stay.xml'));
        await record.store(sample(service, 'vital-signs/sample-check-up.xml'));
        await record.store(sample(service, 'encounter/sample-telephone.xml'));
        // 3 May by the clock of the clinic, which is 2 May in UTC.
        await record.store(bundle('d001', 'Rowan Clinic', visitAt('2024-05-03T00:30:00+02:00', 'Night clinic')));
        await record.store(
          bundle(
            'd002',
            'Rowan Clinic',
            glucose('o1', 'Glucose of the third', '2024-05-03T21:00:00+02:00'),
            glucose('o2', 'Glucose of the second', '2024-05-02T23:30:00+02:00'),
          ),
        );
        await record.store(
          bundle('d003', 'Other Clinic', glucose('o3', 'Glucose of others', '2024-05-03T10:00:00+02:00')),
        );
        await record.store(
          factsDocument(
            service,
            factOf('Encounter', { encounterType_title: HOSTILE, startDate: '2019-03', facility_name: HOSTILE }),
          ),
        );
      });

      it('are listed once each, newest first, with day, place and doctor', async () => {
        const page = await look();
        const text = readable(page);
        const order = ['Telephone call', 'Millbrook', 'Night clinic', 'Mercy Point Hospital', '2019'];
        expect(text).to.contain([...order, 'Dr Yusra Benali']);
        // Two measurements name the stay; it is one visit.
        expect(text.split('Mercy Point Hospital').length).to.equal(2);
        expect(text.indexOf('Telephone call')).to.be.below(text.indexOf('Night clinic'));
        expect(text.indexOf('Night clinic')).to.be.below(text.indexOf('Mercy Point'));
        expect(page.text).to.not.contain('<img src=x');
        expect(text)
          .to.contain('3 May 2024')
          .and.to.not.match(/Encounter\b|_title/);
      });

      it('hold what names them, with their times as the source wrote them', async () => {
        const page = await look(idOf(await look(), 'Mercy Point'));
        expect(page.status).to.equal(200);
        const named = part(page, 'Belongs to this visit');
        expect(named).to.contain(['Pneumonia', 'data-kind="VitalSigns"', `documents/${stay}?fact=`]);
        expect(readable(page)).to.contain(['Mercy Point Hospital', 'Dr Yusra Benali', '555-0123', '18:40']);
        // What the sender says of the days of the stay without naming it.
        expect(part(page, 'Said of the same day by the same sender')).to.contain('data-kind="LabResult"');
        expect(part(page, 'Documents that tell of it')).to.contain(`data-kind="Document" data-id="${stay}"`);
      });

      it('hold what the same sender says of the same civil day, and nothing of others', async () => {
        const page = await look(idOf(await look(), 'Night clinic'));
        const day = part(page, 'Said of the same day by the same sender');
        expect(day)
          .to.contain('Glucose of the third')
          .and.to.not.match(/of the second|of others/);
        expect(readable(page)).to.contain(['3 May 2024', '0:30', 'Letter d002']).and.to.not.contain('Letter d003');
      });

      it('are on the overview, the timeline and in a search, all with the address of their page', async () => {
        const first = await record.owner.open(base);
        const card = /<section class="card[^"]*" data-kind="Visit">[^]*?<\/section>/.exec(first.text)![0];
        expect(card).to.contain('Telephone call');
        expect(card).to.contain(`href="${base}visits/${idOf(await look(), 'Telephone call')}"`);
        const timeline = await record.owner.open(`${base}timeline`);
        expect(timeline.text).to.contain(`href="${base}visits/${idOf(await look(), 'Telephone call')}"`);
        const night = new RegExp(
          `<details class="day" data-kind="Visit" data-id="[\\w-]+">(?:(?!</details>)[^])*Night clinic[^]*?</details>`,
        ).exec(timeline.text)?.[0];
        expect(night, 'the row of the visit')
          .to.contain('Glucose of the third')
          .and.to.not.match(/of the second|of others/);
        const kinds = await record.owner.open(`${base}timeline?kind=Encounter`);
        expect(readable(kinds)).to.contain(['Visits', 'Telephone call']);
        const found = await record.owner.open(`${base}search?q=night`);
        const id = idOf(found, 'Night clinic');
        expect(found.text).to.contain(`href="${base}visits/${id}"`);
        expect((await look(id)).status).to.equal(200);
      });

      it('need few statements, and answer 404 for what is no visit here', async () => {
        for (const path of ['', idOf(await look(), 'Mercy Point'), idOf(await look(), 'Night clinic')]) {
          const { asked } = await askedBy(() => look(path));
          expect(asked.length, path).to.be.at.most(MOST);
        }
        const problem = /data-kind="Problem" data-id="([\w-]+)"/.exec((await record.owner.open(base)).text)![1]!;
        for (const path of ['unknown', problem, '%3Cimg%3E', "x'--"]) {
          expect((await look(path)).status, path).to.equal(404);
        }
        expect((await look('', record.stranger)).status).to.equal(404);
        expect((await look(idOf(await look(), 'Night clinic'), record.stranger)).status).to.equal(404);
      });

      it('in a circle are those of its documents, with nothing that lies outside of it', async () => {
        const circle = `/my/carenets/${record.carenetId}/visits/`;
        const night = idOf(await look(), 'Night clinic');
        expect(readable(await record.member.open(circle))).to.contain('No document here tells of a visit.');
        expect((await record.member.open(`${circle}${night}`)).status).to.equal(404);
        const document = /data-kind="Document" data-id="([\w-]+)"/.exec((await look(night)).text);
        const page = await look(night);
        const ids = [...page.text.matchAll(/data-kind="Document" data-id="([\w-]+)">[^]*?<bdi>(Letter d00\d)/g)];
        const own = ids.find(([, , title]) => title === 'Letter d001')![1]!;
        expect(document).to.not.be.null();
        const path = `/records/${record.recordId}/documents/${own}/carenets/${record.carenetId}`;
        succeeded(await service.call(record.credentials, 'PUT', path));
        expect(readable(await record.member.open(circle)))
          .to.contain('Night clinic')
          .and.to.not.contain('Mercy');
        const shared = await record.member.open(`${circle}${night}`);
        expect(shared.status).to.equal(200);
        expect(readable(shared)).to.contain('Nothing else here belongs to this visit.').and.to.not.contain('Glucose');
      });

      it('end with their document', async () => {
        const status = `/records/${record.recordId}/documents/${stay}/set-status`;
        const before = idOf(await look(), 'Mercy Point');
        succeeded(
          await service.call(record.credentials, 'POST', status, { form: { status: 'void', reason: 'Not mine' } }),
        );
        expect(readable(await look())).to.not.contain('Mercy Point');
        expect((await look(before)).status).to.equal(404);
      });
    });
  });
}
