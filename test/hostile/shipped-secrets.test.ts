/**
 * shipped-secrets: earlier releases shipped the secrets of the bundled apps in public source. A stranger who signs with
 * them is refused at every call. What becomes of installations that have them: shipped-secrets.rest.test.ts
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { routeTable } from '../../core/http/table';
import { areas } from '../../core/server/plugins';
import { databases } from '../support/databases';
import { bundled, formerly } from '../support/former-secrets';
import { startService, type TestService } from '../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const RELEASED = inProject('manifests');

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the bundled manifests', () => {
  it('name no secret', () => {
    const files = filesBelow(RELEASED).filter((file) => file.endsWith('.json'));
    expect(files.length).to.equal(8);
    for (const file of files) {
      expect(readFileSync(file, 'utf8'), file).to.not.match(/"consumer_secret"/);
    }
  });
});

for (const leg of databases) {
  describe(`a stranger who knows the former secrets, on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg, {
        SVC_MANIFESTS_DIR: RELEASED,
        SVC_RATE_CONSUMER_PER_MINUTE: '0',
        SVC_RATE_ACCOUNT_PER_MINUTE: '0',
      });
    });
    after(() => service.stop());

    it('is refused at every call, as each of the apps', async () => {
      const specs = routeTable(areas)
        .map(({ spec }) => spec)
        .filter(({ page }) => !page);
      expect(specs.length).to.be.above(150);
      for (const { method, path, body, access } of specs) {
        const at = path.replace(/\{\w+\}/g, 'x');
        const sent = body?.kind === 'form' ? { form: { username: 'x@people.example', password: 'x' } } : {};
        for (const app of bundled) {
          const { status } = await service.call(formerly(app), method, at, sent);
          const forEverybody = access.callers.includes('anonymous')
            ? [(await service.call(null, method, at, sent)).status]
            : [];
          expect([403, ...forEverybody], `${method} ${at} as ${app.id}`).to.include(status);
        }
      }
    });
  });
}
