/** ends-to-come: what ends after its document was stored has not ended yet, so no status says that it has. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const LATER = '2190-12-04';
const sample = (name: string): string =>
  readFileSync(inProject(`pipeline-config/${name}.xml`), 'utf8').replaceAll(
    '{vocab_base}',
    'https://svc.example/vocab',
  );
const clinic = sample('ccda/sample-clinic-summary');
const replaced = (text: string, from: string, to: string): string => {
  expect(text).to.contain(from);
  return text.replaceAll(from, to);
};

for (const leg of databases) {
  describe(`what has not ended yet, at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    beforeEach(async () => {
      ground = await startFhir(leg);
    });
    afterEach(() => ground.service.stop());

    const find = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/${query}`))['entry'] as Read[] | undefined) ?? [])
        .filter(({ search }) => search.mode === 'match')
        .map(({ resource }) => resource as Read);
    const post = async (resource: Read): Promise<Read> => {
      const answer = await ground.call(`/${resource['resourceType'] as string}`, {
        method: 'POST',
        body: JSON.stringify({ ...resource, subject: { reference: `Patient/${ground.recordId}` } }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const condition = (day: string, status?: string): Promise<Read> =>
      post({
        resourceType: 'Condition',
        ...(status === undefined
          ? {}
          : {
              clinicalStatus: {
                coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: status }],
              },
            }),
        code: { text: 'Broken leg' },
        abatementDateTime: day,
      });

    it('goes out as it came, and gets no state that nobody said', async () => {
      const expected = await condition(LATER);
      expect([expected['clinicalStatus'], expected['abatementDateTime']]).to.equal([undefined, LATER]);
      const over = await condition('2020-02-03');
      expect([over['clinicalStatus'], over['abatementDateTime']]).to.equal([undefined, '2020-02-03']);
      const said = await condition(LATER, 'resolved');
      expect([said['clinicalStatus'].coding[0].code, said['abatementDateTime']]).to.equal(['resolved', LATER]);
      expect((await find('Condition?clinical-status=resolved')).length).to.equal(1);
      expect((await find('Condition?clinical-status:missing=true')).length).to.equal(2);
    });

    it('is no problem of a C-CDA that is inactive because it has an end', async () => {
      const end = '<low value="20231106"/><high value="20231204"/>';
      await ground.put(clinic);
      const [bronchitis] = await find('Condition?code=10509002');
      expect(bronchitis!['clinicalStatus'].coding[0].code).to.equal('resolved');
      await ground.put(replaced(clinic, end, '<low value="20231106"/><high value="21901204"/>'));
      const told = await find('Condition?code=10509002&_sort=_lastUpdated');
      expect(told.length).to.equal(2);
      expect(told[1]).to.not.include(['clinicalStatus', 'abatementDateTime']);
      const active = replaced(clinic, `<statusCode code="completed"/>\n              <effectiveTime>${end}`, '<x/>')
        .replaceAll('<x/>', '<statusCode code="active"/>\n              <effectiveTime><low value="20231106"/>')
        .replaceAll(end, '<low value="20231106"/><high value="2190"/>');
      await ground.put(active);
      expect((await find('Condition?code=10509002&clinical-status=active')).length).to.equal(1);
    });

    it('is no visit that is finished', async () => {
      const before = '20240311094000-0500';
      await ground.put(clinic);
      const finished = (await find('Encounter?status=finished')).length;
      expect(finished).to.be.above(0);
      await ground.put(replaced(clinic, before, '21900311094000-0500'));
      expect((await find('Encounter?status=finished')).length).to.equal(finished);
      const ends = (await find('Encounter?status=unknown')).map(({ period }) => period?.end as unknown);
      expect(ends).to.include('2190-03-11T09:40:00-05:00');
    });

    it('is no device that is inactive', async () => {
      const crutches = sample('equipment/sample-crutches');
      await ground.put(replaced(crutches, '2023-03-20', LATER));
      const [device] = await find('Device');
      expect(device).to.not.include('status');
      expect(device!['note']).to.equal([{ text: 'In use since 2023-02-01.' }, { text: `To be used until ${LATER}.` }]);
      expect(await find('Device?status=inactive')).to.equal([]);
      await ground.put(crutches);
      expect((await find('Device?status=inactive')).length).to.equal(1);
    });

    it('is no medicine that was handed over', async () => {
      const dispense = { resourceType: 'MedicationDispense', medicationCodeableConcept: { text: 'A' } };
      await post({ ...dispense, status: 'completed', whenHandedOver: LATER });
      await post({ ...dispense, status: 'completed', whenHandedOver: '2024-05-01' });
      const dates = (await find('MedicationDispense?status=completed')).map((one) => one['whenHandedOver'] as string);
      expect(dates.sort()).to.equal(['2024-05-01', LATER].sort());
    });
  });
}
