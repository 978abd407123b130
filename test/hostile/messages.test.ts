/**
 * messages: somebody whose share ended keeps the messages that they got, and gets nothing more by them.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addSession } from '../support/cast';
import { databases } from '../support/databases';
import { startFhir, type FhirGround } from '../support/fhir';
import { admin } from '../support/server';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const BOB = 'bob@example.org';

for (const leg of databases) {
  describe(`messages after a share ended on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    it('stay as they were sent, open nothing, and no more come', async () => {
      const { service, recordId, alice } = ground;
      const bob = await addSession(service.services, BOB);
      const inbox = `/accounts/${encodeURIComponent(BOB)}/inbox/`;
      const write = async (id: string, attachments: string): Promise<void> => {
        const form = { subject: id, body: `words of ${id}`, num_attachments: attachments };
        succeeded(await service.call(admin, 'POST', `/records/${recordId}/inbox/${id}`, { form }));
      };
      const read = async (path: string): Promise<string> => succeeded(await service.call(bob, 'GET', path)).text;
      await write('before', '1');
      const attachment = `/records/${recordId}/inbox/before/attachments/1`;
      const body = '<Note xmlns="urn:notes">attached</Note>';
      succeeded(await service.call(admin, 'POST', attachment, { body }));
      const id = /<Message id="([^"]*)"/.exec(await read(inbox))![1]!;
      succeeded(await service.call(alice, 'DELETE', `/records/${recordId}/shares/${BOB}`));
      await write('after', '0');
      const listed = await read(inbox);
      expect(listed).to.contain('<subject>before</subject>').and.not.contain('<subject>after</subject>');
      expect(await read(`${inbox}${id}`)).to.contain('words of before');
      const accepted = await service.call(bob, 'POST', `${inbox}${id}/attachments/1/accept`);
      expect(accepted.status, accepted.text).to.equal(403);
      expect((await service.call(bob, 'GET', `/records/${recordId}`)).status).to.equal(403);
    });
  });
}
