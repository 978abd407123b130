/** codes: open to everybody, with any credentials or none. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { systemClock } from '../../core/base/clock';
import { loadStarterCodes } from '../../core/codes/load';
import { databases } from '../support/databases';
import { admin, startService, type TestService } from '../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`codes on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg);
      await loadStarterCodes(service.services.database, systemClock);
    });
    after(() => service.stop());

    it('answer a JSON list with five keys each', async () => {
      const { status, text, headers } = await service.call(null, 'GET', '/codes/systems/snomed/query?q=Type%202%20(');
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json');
      expect(text).to.equal(
        '[{"abbreviation":null,"code":"44054006","consumer_value":"Type 2 ' +
          'diabetes","umls_code":"C0011860","full_value":"Diabetes mellitus type 2 (disorder)"}]',
      );
    });

    it('answer nobody, anybody, and bad credentials alike', async () => {
      for (const who of [null, admin, { consumer: { key: 'x', secret: 'y' } }]) {
        expect((await service.call(who, 'GET', '/codes/systems/loinc/query?q=glucose')).status).to.equal(200);
      }
    });

    it('find nothing for nothing, and no system that was not loaded', async () => {
      expect((await service.call(null, 'GET', '/codes/systems/loinc/query')).text).to.equal('[]');
      expect((await service.call(null, 'GET', '/codes/systems/loinc/query?q=')).text).to.equal('[]');
      expect((await service.call(null, 'GET', '/codes/systems/none/query?q=x')).status).to.equal(404);
      expect((await service.call(null, 'GET', `/codes/systems/loinc/query?q=${'x'.repeat(251)}`)).status).to.equal(400);
    });

    it('are not listed: that call answers 500', async () => {
      const { status, text } = await service.call(null, 'GET', '/codes/systems/');
      expect(status).to.equal(500);
      expect(text).to.contain('code="not_implemented"');
    });
  });
}
