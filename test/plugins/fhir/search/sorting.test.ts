/**
 * sorting: results are sorted by several parameters, each in its direction, over what came as FHIR and what is made of
 * facts, and pages of them neither skip nor repeat.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { watchStatements, type Watched } from '../../../../core/db/watch';
import { databases } from '../../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const STRICT = { prefer: 'handling=strict' };

/** A problem of the house's own format, which becomes a resource made of facts. */
const problem = (day: string): string =>
  `<Problem xmlns="https://svc.example/vocab/xml/documents#"><dateOnset>${day}T00:00:00Z</dateOnset><name>made</name></Problem>`;

for (const leg of databases) {
  describe(`sorting by several parameters on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
      for (const [onset, recorded] of [
        ['2020-01-02', '2021-01-01'],
        ['2020-01-01', '2021-01-02'],
        ['2020-01-02', '2021-01-03'],
        ['2020-01-01', '2021-01-01'],
      ]) {
        const answer = await ground.call('/Condition', {
          method: 'POST',
          headers: { 'content-type': 'application/fhir+json' },
          body: JSON.stringify({
            resourceType: 'Condition',
            code: { text: 'came' },
            subject: { reference: `Patient/${ground.recordId}` },
            onsetDateTime: onset,
            recordedDate: recorded,
          }),
        });
        expect(answer.status, answer.text).to.equal(201);
      }
      await ground.put(problem('2020-01-02'));
      await ground.put(problem('2019-01-01'));
    });
    after(() => ground.service.stop());

    const resources = (bundle: Read): readonly Read[] =>
      ((bundle['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);
    const days = (found: readonly Read[]): readonly string[] =>
      found.map((one) => `${String(one['onsetDateTime']).slice(0, 10)} ${one['recordedDate'] ?? '-'}`);
    const paged = async (query: string, count: number): Promise<readonly Read[]> => {
      const found: Read[] = [];
      for (let path: string | undefined = `${query}&_count=${count}`; path !== undefined;) {
        const bundle = await ground.get(path);
        found.push(...resources(bundle));
        const next = (bundle['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
        path = next && String(next['url']).split('/fhir')[1];
      }
      return found;
    };

    it('takes each parameter in its direction, in any size of pages', async () => {
      for (const [sort, expected] of [
        [
          '-onset-date,recorded-date',
          ['2020-01-02 2021-01-01', '2020-01-02 2021-01-03', '2020-01-02 -', '2020-01-01 2021-01-01'],
        ],
        [
          'onset-date,-recorded-date',
          ['2019-01-01 -', '2020-01-01 2021-01-02', '2020-01-01 2021-01-01', '2020-01-02 2021-01-03'],
        ],
      ] as const) {
        const whole = resources(await ground.get(`/Condition?_sort=${sort}`, { headers: STRICT }));
        expect(whole.length).to.equal(6);
        expect(days(whole).slice(0, 4), sort).to.equal([...expected]);
        for (const count of [1, 2, 4]) {
          expect(await paged(`/Condition?_sort=${sort}`, count), `${sort} by ${count}`).to.equal(whole);
        }
      }
    });

    it('sorts by ids, also those that are equal in another order', async () => {
      for (const sort of ['_id', '-onset-date,_id', '-_lastUpdated,-_id']) {
        const whole = resources(await ground.get(`/Condition?_sort=${sort}`, { headers: STRICT }));
        expect(await paged(`/Condition?_sort=${sort}`, 2), sort).to.equal(whole);
      }
      const ids = (await paged('/Condition?_sort=_id', 4)).map(({ id }) => id as string);
      expect(ids).to.equal([...ids].sort());
      expect((await ground.call('/DocumentReference?_sort=-date,_id', { headers: STRICT })).status).to.equal(200);
      expect((await ground.call('/Condition?_sort=-onset-date,wrong', { headers: STRICT })).status).to.equal(400);
    });

    if (leg.name === 'sqlite') {
      const plansOf = async (query: string): Promise<readonly string[]> => {
        const asked: Watched[] = [];
        const stop = watchStatements((one) => void asked.push(one));
        await ground.get(query).finally(stop);
        const { reads } = ground.service.services.database;
        const plans = asked
          .filter(({ sql }) => / as matches order by /.test(sql))
          .map(({ sql, values }) => reads.rows<{ detail: string }>(`explain query plan ${sql}`, values));
        return (await Promise.all(plans)).flat().map(({ detail }) => detail);
      };

      it('looks for the values of each match, and not for those of the whole record', async () => {
        const sorting = (await plansOf('/Condition?_sort=-onset-date')).filter((detail) => / sorting /.test(detail));
        expect(sorting).to.equal(['SEARCH sorting USING INDEX search_value_resource_place (resource=? AND place=?)']);
      });

      it('answers in the order of an index, without reading the resources that are not answered', async () => {
        const kept = (await plansOf('/Condition?_count=2')).filter((detail) => / kept /.test(detail));
        expect(kept).to.have.length(1);
        expect(kept[0]).to.match(/USING COVERING INDEX fhir_resource_record_id_type_lineage_id/);
      });
    }
  });
}
