/**
 * codes: a code that FHIR R4 does not allow for its element is refused by every call that accepts FHIR, and nothing is
 * stored.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`codes that FHIR does not have, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const observation = (status: string): Read => ({
      resourceType: 'Observation',
      status,
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
      ],
      code: { text: 'Glucose' },
      subject: { reference: `Patient/${ground.recordId}` },
      valueString: 'much',
    });
    const device = (status: string): string =>
      `<Device xmlns="http://hl7.org/fhir"><status value="${status}"/><type><text value="Pump"/></type>` +
      `<patient><reference value="Patient/${ground.recordId}"/></patient></Device>`;
    const stored = async (): Promise<number> =>
      (await ground.get('/DocumentReference?_summary=count'))['total'] as number;

    it('are refused with their place as JSON and as XML, one resource and in a Bundle', async () => {
      const before = await stored();
      const entry = (resource: Read): Read => ({ resource, request: { method: 'POST', url: 'Observation' } });
      for (const [path, type, body, place] of [
        ['/Observation', 'json', JSON.stringify(observation('bogus')), 'Observation.status'],
        [
          '/',
          'json',
          JSON.stringify({
            resourceType: 'Bundle',
            type: 'transaction',
            entry: [entry(observation('final')), entry(observation('bogus'))],
          }),
          'Bundle.entry[1].resource.status',
        ],
        ['/Device', 'xml', device('broken'), 'Device.status'],
      ] as const) {
        const answer = await ground.call(path, {
          method: 'POST',
          body,
          headers: { 'content-type': `application/fhir+${type}`, accept: 'application/fhir+json' },
        });
        expect(answer.status, answer.text).to.equal(400);
        const { issue } = JSON.parse(answer.text) as Read;
        expect((issue as readonly Read[]).flatMap(({ expression = [] }) => expression as string[])).to.equal([place]);
        expect(answer.text).to.not.contain('bogus').and.to.not.contain('broken');
      }
      expect(await stored()).to.equal(before);
    });

    it('are refused by the documents call, too, and what R4 has is stored', async () => {
      const before = await stored();
      const send = (body: string, type: string) =>
        ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/`, { body, type });
      for (const [body, type] of [
        [JSON.stringify(observation('bogus')), 'application/fhir+json'],
        [device('broken'), 'application/xml'],
      ] as const) {
        const answer = await send(body, type);
        expect([answer.status, answer.text.includes('.status: it must be one of')]).to.equal([400, true]);
      }
      expect(await stored()).to.equal(before);
      for (const [body, type] of [
        [JSON.stringify(observation('final')), 'application/fhir+json'],
        [device('active'), 'application/xml'],
      ] as const) {
        expect((await send(body, type)).status).to.equal(200);
      }
      expect(await stored()).to.equal(before + 2);
    });
  });
}
