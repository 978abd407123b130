/** fhir-create: a token that may only create learns nothing of what the record holds already. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { startFhir, type FhirGround } from '../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`a token that may only create on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const condition = (): string =>
      JSON.stringify({
        resourceType: 'Condition',
        identifier: [{ system: 'urn:app', value: 'unread' }],
        code: { text: 'Cough' },
        subject: { reference: `Patient/${ground.recordId}` },
      });

    it('tells a token that may not read only where the resource is that exists already', async () => {
      const found = 'identifier=urn:app|unread';
      const send = async (scopes: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
        ground.call('/Condition', {
          method: 'POST',
          token: await ground.mint(scopes),
          headers: { 'content-type': 'application/fhir+json', 'if-none-exist': found, ...headers },
          body: condition(),
        });
      const first = await send('patient/Condition.c');
      expect([first.status, JSON.parse(first.text).resourceType]).to.equal([201, 'Condition']);
      const place = String(first.headers['location']).replace(/\/_history\/.*$/, '');
      const wishes = [
        {},
        ...['representation', 'OperationOutcome', 'minimal'].map((one) => ({ prefer: `return=${one}` })),
      ];
      for (const headers of wishes) {
        for (const scopes of ['patient/Condition.c', 'patient/Condition.cud', 'patient/*.c patient/Observation.r']) {
          const { status, text, headers: told } = await send(scopes, headers);
          expect([status, text, told['location'], told['etag'], told['last-modified']]).to.equal([
            200,
            '',
            place,
            undefined,
            undefined,
          ]);
        }
      }
      const read = await send('patient/Condition.cr');
      expect([read.status, JSON.parse(read.text).id]).to.equal([200, place.split('/').at(-1)]);
      expect(read.headers['location']).to.equal(first.headers['location']);
    });
  });
}
