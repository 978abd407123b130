/** dates-in-words: a vaccine that was given "as a child" is shown so everywhere, and no date is invented for it. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { now } from '../support/cast';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startFhir, type FhirGround, type Read } from '../support/fhir';
import { readable, type Site } from '../support/site';
import { enterSite } from '../support/site-record';
import { createAccount, succeeded } from '../support/world';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`a date in words, on ${leg.name}`, () => {
    let ground: FhirGround;
    let site: Site;
    const made: Record<string, Read> = {};
    before(async () => {
      ground = await startFhir(leg);
      const { call, services } = ground.service;
      for (const [name, occurrence] of Object.entries({
        Measles: { occurrenceString: 'As a child, at school' },
        Tetanus: { occurrenceDateTime: '2019-05-04' },
        Rubella: { occurrenceString: 'Unknown' },
      })) {
        const answer = await ground.call('/Immunization', {
          method: 'POST',
          body: JSON.stringify({
            resourceType: 'Immunization',
            status: 'completed',
            vaccineCode: { text: name },
            patient: { reference: `Patient/${ground.recordId}` },
            ...occurrence,
          }),
          headers: { 'content-type': 'application/fhir+json' },
        });
        expect(answer.status, answer.text).to.equal(201);
        made[name] = JSON.parse(answer.text) as Read;
      }
      await createAccount(call, 'dora@example.org', 'Dora Lee');
      await sharingStore.putShare(direct(services.database), ground.recordId, 'dora@example.org', null, now(services));
      site = await enterSite(ground.service, 'dora@example.org');
    });
    after(() => ground.service.stop());

    const read = async (path: string): Promise<string> =>
      succeeded(await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/${path}`)).text;

    it('goes out at /fhir as it came, and stays out of what compares dates', async () => {
      const whens = Object.fromEntries(
        Object.entries(made).map(([name, one]) => [name, [one['occurrenceString'], one['occurrenceDateTime']]]),
      );
      expect(whens).to.equal({
        Measles: ['As a child, at school', undefined],
        Tetanus: [undefined, '2019-05-04'],
        Rubella: ['Unknown', undefined],
      });
      for (const [query, total] of [
        ['date=ge1900', 1],
        ['date:missing=true', 2],
      ] as const) {
        expect((await ground.get(`/Immunization?${query}`))['total']).to.equal(total);
      }
      const summary = await ground.get(`/Patient/${ground.recordId}/$summary`);
      const words = JSON.stringify(summary['entry'][0].resource.section);
      expect(words).to.contain('<li>Measles, As a child, at school</li>');
      expect(words).to.contain('<li>Tetanus, 2019-05-04</li>');
      expect(words).to.contain('<li>Rubella, Unknown</li>');
    });

    it('is in reports, in a CCR and in RDF', async () => {
      const facts = JSON.parse(await read('reports/Immunization/?response_format=application/json')) as Read[];
      expect(facts.map((fact) => [fact['product_name_title'], fact['date'], fact['date_in_words']]).sort()).to.equal([
        ['Measles', null, 'As a child, at school'],
        ['Rubella', null, null],
        ['Tetanus', '2019-05-04T00:00:00Z', null],
      ]);
      const ccr = await read('reports/experimental/ccr');
      expect(ccr).to.contain('<ApproximateDateTime><Text>As a child, at school</Text></ApproximateDateTime>');
      expect(ccr.match(/<ApproximateDateTime>/g)).to.have.length(1);
      expect(await read('immunizations/')).to.contain('dateInWords>As a child, at school<');
    });

    it('is on the pages of the website and in its files', async () => {
      const base = `/my/records/${ground.recordId}`;
      for (const path of [`${base}/data/Immunization`, `${base}/timeline`, `${base}/`]) {
        expect(readable(await site.open(path)), path).to.contain('As a child, at school');
      }
      expect((await site.get(`${base}/data/Immunization.csv`)).text).to.contain('"As a child, at school"');
      const fact = await site.open(`${base}/documents/${made['Measles']!['meta'].versionId as string}`);
      expect(readable(fact)).to.contain('As a child, at school');
    });
  });
}
