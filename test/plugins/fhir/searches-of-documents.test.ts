/**
 * searches-of-documents: searches for missing elements, and documents in the order of their last change, page by page.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`searches of documents and Patients, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const idsOf = ({ entry = [] }: Read): readonly string[] =>
      (entry as readonly Read[]).map(({ resource }) => resource.id as string);
    const total = async (query: string): Promise<number> => (await ground.get(`/${query}`))['total'] as number;

    it('finds Patients by what they have and what they lack', async () => {
      for (const [query, found] of [
        ['name:missing=false', 1],
        ['name:missing=true', 0],
        ['family:missing=false', 1],
        ['given:missing=true', 0],
        ['gender:missing=true', 0],
        ['identifier:missing=false', 1],
        ['birthdate:missing=true', 0],
        ['birthdate:missing=false', 1],
      ] as const) {
        expect([query, await total(`Patient?${query}`)]).to.equal([query, found]);
      }
      // In a carenet without the demographics the name is unknown.
      const nameless = await ground.get('/Patient?name:missing=true&birthdate:missing=true&gender:missing=true', {
        token: ground.carenetToken,
      });
      expect(nameless['total']).to.equal(1);
      for (const query of [
        'Patient?name:missing=maybe',
        'Patient?_id:missing=true',
        'DocumentReference?date:missing=x',
      ]) {
        const refused = await ground.call(`/${query}`);
        expect([query, refused.status, issueOf(refused)['code']]).to.equal([query, 400, 'value']);
      }
    });

    it('names the type of a document of FHIR by the code system of types', async () => {
      const system = 'http://hl7.org/fhir/resource-types';
      await ground.put(
        `{"resourceType":"Basic","code":{"text":"b"},"subject":{"reference":"Patient/${ground.recordId}"}}`,
        'application/fhir+json',
      );
      const found = await ground.get(`/DocumentReference?type=${system}|Basic`);
      expect(found['entry'][0].resource.type.coding).to.equal([{ system, code: 'Basic' }]);
      expect(await total(`DocumentReference?type=${system}|`)).to.be.above(0);
      // What clients have stored of an earlier release still finds it.
      expect(await total('DocumentReference?type=http://hl7.org/fhir|Basic')).to.equal(1);
      expect(await total(`DocumentReference?type=${system}|Other`)).to.equal(0);
    });

    it('finds documents by whether they tell a time of care, and says that all have the rest', async () => {
      const note = (period: Read): string =>
        JSON.stringify({
          resourceType: 'DocumentReference',
          status: 'current',
          type: { text: 'Letter' },
          subject: { reference: `Patient/${ground.recordId}` },
          content: [{ attachment: { contentType: 'text/plain', title: 'Letter', data: 'SGk=' } }],
          ...period,
        });
      const told = await ground.put(
        note({ context: { period: { start: '2014-01-01', end: '2014-01-03' } } }),
        'application/fhir+json',
      );
      const untold = await ground.put(note({}), 'application/fhir+json');
      const both = `_id=${told},${untold}`;
      expect(idsOf(await ground.get(`/DocumentReference?period:missing=false&${both}`))).to.equal([told]);
      const without = idsOf(await ground.get('/DocumentReference?period:missing=true'));
      expect([without.includes(untold), without.includes(told)]).to.equal([true, false]);
      const all = await total(`DocumentReference?${both}`);
      for (const name of ['patient', 'subject', 'status', 'type', 'category', 'date', 'care-date', 'contenttype']) {
        expect([name, await total(`DocumentReference?${both}&${name}:missing=false`)]).to.equal([name, all]);
        expect([name, await total(`DocumentReference?${both}&${name}:missing=true`)]).to.equal([name, 0]);
      }
      expect(await total('Provenance?target:missing=true')).to.equal(0);
    });

    it('sorts documents by their last change, and pages neither skip nor repeat what changes meanwhile', async () => {
      const ids: string[] = [];
      for (let number = 0; number < 6; number += 1) {
        ids.push(await ground.put(`<Page xmlns="urn:changes">${number}</Page>`));
      }
      const setStatus = async (id: string, status: string): Promise<void> =>
        void succeeded(
          await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/${id}/set-status`, {
            form: { status, reason: 'why not' },
          }),
        );
      // The second is changed last; before that the fourth one is replaced.
      const replacement = await ground.put(
        '<Page xmlns="urn:changes">new</Page>',
        'application/xml',
        `/records/${ground.recordId}/documents/${ids[3]!}/replace`,
      );
      await setStatus(ids[1]!, 'archived');
      const whole = await ground.get('/DocumentReference?type=urn:changes|Page&_sort=_lastUpdated');
      const expected = idsOf(whole);
      const times = (whole['entry'] as readonly Read[]).map(({ resource }) => resource.meta.lastUpdated as string);
      expect(times).to.equal([...times].sort());
      expect(expected.slice(0, 4)).to.equal([ids[0]!, ids[2]!, ids[4]!, ids[5]!]);
      expect([...expected.slice(4, 6)].sort()).to.equal([ids[3]!, replacement].sort());
      expect(expected.slice(6)).to.equal([ids[1]!]);
      for (const sort of ['_lastUpdated', '-_lastUpdated']) {
        const order = idsOf(await ground.get(`/DocumentReference?type=urn:changes|Page&_sort=${sort}`));
        const seen: string[] = [];
        let bundle = await ground.get(`/DocumentReference?type=urn:changes|Page&_count=2&_sort=${sort}`);
        for (let page = 0; ; page += 1) {
          seen.push(...idsOf(bundle));
          const next = (bundle['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
          if (!next) {
            break;
          }
          if (page === 0) {
            // One document that was read already and one that was not are changed while the client reads pages.
            const status = sort === '_lastUpdated' ? 'archived' : 'active';
            await setStatus(order[0]!, status);
            await setStatus(order[5]!, status);
            await ground.put('<Page xmlns="urn:changes">meanwhile</Page>');
          }
          bundle = await ground.get(`/DocumentReference${new URL(String(next['url'])).search}`);
        }
        expect(new Set(seen).size).to.equal(seen.length);
        expect([sort, seen.filter((id) => order.includes(id))]).to.equal([sort, [...order]]);
        // A new search shows the changes, with the document that was added meanwhile as the last one.
        const now = idsOf(await ground.get('/DocumentReference?type=urn:changes|Page&_sort=-_lastUpdated'));
        const [last, before] = [now.indexOf(order[5]!), now.indexOf(order[0]!)];
        // A status applies to all versions of a document, and one of these documents has two.
        expect([last >= 1, last < before, before <= 4]).to.equal([true, true, true]);
      }
      const provenances = await ground.get('/Provenance?_sort=-_lastUpdated&_count=3');
      expect(idsOf(provenances)).to.have.length(3);
    });
  });
}
