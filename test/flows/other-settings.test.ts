/**
 * other-settings: settings of a deployer that affect the rest of the service: formats without demographics, longer
 * passwords.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { removeFolder, writeFolder } from '../support/formats';
import { admin, startService, type TestService } from '../support/server';
import { attribute, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ANN = 'ann@example.org';
const SHORT = 'eleven char';

describe('a service with folders and settings of its own', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = writeFolder({
      'note/document.yaml': 'document: note\nidentify: { root: Note, namespace: "urn:test:note" }',
    });
    service = await startService(databases[0]!, {
      SVC_PIPELINE_CONFIG_DIR: folder,
      SVC_PASSWORD_LEAST: '12',
    });
    await createAccount(service.call, ANN);
  });
  after(async () => {
    await service.stop();
    removeFolder(folder);
  });

  it('makes records although no folder has a format of demographics', async () => {
    const recordId = await createRecord(service.call, ANN, 'Own', 'Folder');
    const ann = await signIn(service.call, ANN);
    const { text } = succeeded(await service.call(ann, 'GET', `/records/${recordId}`));
    expect(attribute(text, 'Record', 'label')).to.equal('Own Folder');
    const refused = await service.call(admin, 'POST', '/records/', {
      body: '<Demographics xmlns="https://svc.example/vocab/xml/documents#"/>',
    });
    expect(refused.status).to.equal(400);
  });

  it('takes no password that is shorter than the setting says, wherever one is set', async () => {
    const id = 'ben@example.org';
    const at = (of: string, rest: string): string => `/accounts/${encodeURIComponent(of)}/authsystems/${rest}`;
    succeeded(await service.call(admin, 'POST', '/accounts/', { form: { account_id: id } }));
    const ann = await signIn(service.call, ANN);
    const answers = [
      await service.call(admin, 'POST', at(id, ''), { form: { system: 'password', username: 'ben', password: SHORT } }),
      await service.call(admin, 'POST', at(ANN, 'password/set'), { form: { password: SHORT } }),
      await service.call(ann, 'POST', at(ANN, 'password/change'), { form: { old: 'x', new: SHORT } }),
    ];
    for (const { status, text } of answers) {
      expect([status, text.includes('at least 12 characters')]).to.equal([400, true]);
    }
    succeeded(await service.call(admin, 'POST', at(ANN, 'password/set'), { form: { password: `${SHORT}s` } }));
  });
});
