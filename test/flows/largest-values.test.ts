/**
 * largest values: what apps send of the largest size is stored and comes out as it was, also where MariaDB accepts
 * statements of 16 MB only, its default: an attachment of a message, and a resource of FHIR with a file in it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { randomBytes } from 'node:crypto';
import { wrapFile } from '../../core/files/envelope';
import { databases } from '../support/databases';
import { admin, medications, startService, type TestService } from '../support/server';
import { attribute, authorizeApp, makeWorld, succeeded, type World } from '../support/world';
import type { Signs } from '../support/cast';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FILE_BYTES = 7_000_000;
const ALICE = 'alice@example.org';

for (const leg of databases) {
  describe(`the largest values on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let app: Signs;

    before(async () => {
      service = await startService(leg);
      world = await makeWorld(service);
      app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
    });
    after(() => service.stop());

    it('are stored for an attachment, which becomes the same document', { timeout: 60_000 }, async () => {
      const bytes = Buffer.concat([Buffer.from('%PDF-1.4'), randomBytes(FILE_BYTES)]);
      const body = wrapFile({ bytes, title: 'Scan' }, service.services.config.vocabBase).toString();
      const message = `/records/${world.recordId}/inbox/large`;
      succeeded(await service.call(admin!, 'POST', message, { form: { subject: 'A scan', num_attachments: '1' } }));
      succeeded(await service.call(admin!, 'POST', `${message}/attachments/1`, { body, type: 'application/xml' }));
      const inbox = `/accounts/${encodeURIComponent(ALICE)}/inbox/`;
      const id = attribute(succeeded(await service.call(world.alice, 'GET', inbox)).text, 'Message', 'id');
      succeeded(await service.call(world.alice, 'POST', `${inbox}${id}/attachments/1/accept`));
      const shown = succeeded(await service.call(world.alice, 'GET', `${inbox}${id}`));
      const document = `/records/${world.recordId}/documents/${attribute(shown.text, 'attachment', 'doc_id')}`;
      expect(succeeded(await service.call(world.alice, 'GET', document)).text === body).to.be.true();
    });

    it('are stored for a resource with a file, which comes out as it was', { timeout: 60_000 }, async () => {
      const data = randomBytes(FILE_BYTES).toString('base64');
      const body = JSON.stringify({
        resourceType: 'DocumentReference',
        status: 'current',
        type: { text: 'Scan' },
        content: [{ attachment: { contentType: 'application/pdf', data, title: 'Scan' } }],
      });
      const documents = `/records/${world.recordId}/documents/`;
      const made = succeeded(await service.call(app, 'POST', documents, { body, type: 'application/fhir+json' }));
      const read = succeeded(await service.call(app, 'GET', `${documents}${attribute(made.text, 'Document', 'id')}`));
      expect(read.text === body || read.text.includes(data)).to.be.true();
    });
  });
}
