/** fhir-knocks: whoever is refused at the FHIR door leaves a row in the audit of the record at which they knocked. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addPerson } from '../support/cast';
import { databases } from '../support/databases';
import { FHIR_APP, startFhir, type FhirGround, type Read } from '../support/fhir';
import { direct } from '../support/direct';
import { mintSmartToken } from '../support/smart';
import { createRecord, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MALLORY = 'mallory@example.org';

for (const leg of databases) {
  describe(`knocks at the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    let stranger: string;
    let other: string;
    before(async () => {
      ground = await startFhir(leg);
      const { service } = ground;
      await addPerson(service.services, MALLORY, 'Mallory Roe');
      other = await createRecord(service.call, MALLORY, 'Mallory', 'Roe');
      stranger = await mintSmartToken(service, {
        account: MALLORY,
        app: FHIR_APP,
        scopes: 'patient/*.cruds',
        record: other,
      });
    });
    after(() => ground.service.stop());

    const rows = async (recordId: string): Promise<readonly Read[]> => {
      await ground.service.services.anonymousCalls.drain();
      return (await direct(ground.service.services.database)('audit')
        .where({ record_id: recordId, successful: 0 })
        .orderBy('seq')) as Read[];
    };
    const pathsOf = (found: readonly Read[]): readonly string[] =>
      found.map((row) => `${row['url']} ${row['status']} ${row['principal_id'] ?? '-'}`);

    it('are in the audit of its owner, without a token and with that of a stranger', async () => {
      const id = ground.recordId;
      const before = (await rows(id)).length;
      expect((await ground.call(`/Patient/${id}`, { token: '' })).status).to.equal(401);
      expect((await ground.call(`/Observation?patient=Patient/${id}`, { token: 'invented' })).status).to.equal(401);
      expect((await ground.call(`/Patient/${id}/$everything`, { token: stranger })).status).to.equal(404);
      expect((await ground.call(`/Patient/${id}/_history`, { token: stranger })).status).to.equal(404);
      expect(pathsOf((await rows(id)).slice(before))).to.equal([
        `/fhir/Patient/${id} 401 -`,
        '/fhir/Observation 401 -',
        `/fhir/Patient/${id}/$everything 404 ${MALLORY}`,
        `/fhir/Patient/${id}/_history 404 ${MALLORY}`,
      ]);
      const { text } = succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${id}/audits/query/?function_name=fhir_everything`),
      );
      expect(text).to.contain(MALLORY);
    });

    it('leave nothing there when what was asked for is their own, or names no record', async () => {
      const before = await rows(ground.recordId);
      expect((await ground.call('/Observation/none', { token: stranger })).status).to.equal(404);
      expect((await ground.call('/Patient/none', { token: '' })).status).to.equal(401);
      expect((await rows(ground.recordId)).length).to.equal(before.length);
      expect(pathsOf(await rows(other))).to.equal([`/fhir/Observation/none 404 ${MALLORY}`]);
    });
  });
}
