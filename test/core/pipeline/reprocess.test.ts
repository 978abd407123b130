/** reprocess: stored documents are run again while the service answers, and no report shows a gap or a duplicate. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Fact } from '../../../core/facts/model/fact';
import { factTables } from '../../../core/facts/model/fact-tables';
import { countReprocess, reprocess } from '../../../core/pipeline/reprocess';
import { databases } from '../../support/databases';
import type { Credentials } from '../../support/client';
import { medications, startService, type TestService } from '../../support/server';
import { attribute, authorizeApp, makeWorld, succeeded, type World } from '../../support/world';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const DOCUMENTS = 100;
const procedure = (number: number): string =>
  `<Procedure xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name>Procedure ${number}</name></Procedure>`;
const drug = (number: number): string =>
  `<Models xmlns="${NS}"><Model name="Procedure"><Field name="name">Listed ${number}</Field></Model></Models>`;

for (const leg of databases) {
  describe(`reprocessing on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let app: Credentials;
    const ids: string[] = [];

    before(async () => {
      service = await startService(leg, {}, { xmlWorkers: 2 });
      world = await makeWorld(service);
      app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      for (let number = 0; number < DOCUMENTS; number += 1) {
        const { text } = succeeded(
          await service.call(app, 'POST', `/records/${world.recordId}/documents/`, {
            body: number % 2 === 0 ? procedure(number) : drug(number),
          }),
        );
        ids.push(attribute(text, 'Document', 'id'));
      }
    });
    after(() => service.stop());

    const tools = () => ({
      database: service.services.database,
      contents: service.services.contents,
      reader: service.services.reader,
      tables: factTables(service.services.models()),
      models: service.services.models,
    });
    const names = async (): Promise<string[]> =>
      (
        JSON.parse(
          succeeded(await service.call(app, 'GET', `/records/${world.recordId}/reports/Procedure/?limit=1000`)).text,
        ) as { name: string }[]
      ).map((fact) => fact.name);
    const makeStale = () =>
      direct(service.services.database)('document')
        .whereIn('id', ids)
        .update({ fingerprint: 'an older configuration' });

    it('has nothing to do while the configuration is the same', async () => {
      expect(await countReprocess(tools(), {})).to.equal(0);
    });

    it('brings all up to date while every report stays whole and in order', async () => {
      const whole = await names();
      expect(whole.length).to.equal(DOCUMENTS);
      await makeStale();
      let going = true;
      let looked = 0;
      const looking = (async () => {
        while (going) {
          expect(await names()).to.equal(whole);
          looked += 1;
        }
      })();
      let steps = 0;
      let [reading, most] = [0, 0];
      const { reader } = tools();
      const counting = {
        ...reader,
        read: async (bytes: Buffer) => {
          reading += 1;
          most = Math.max(most, reading);
          return reader.read(bytes).finally(() => {
            reading -= 1;
          });
        },
      };
      const { done, refused } = await reprocess({ ...tools(), reader: counting }, {}, () => {
        steps += 1;
      });
      going = false;
      await looking;
      expect(looked).to.be.above(2);
      expect(most).to.equal(reader.atOnce);
      expect({ done, refused, steps }).to.equal({ done: DOCUMENTS, refused: [], steps: DOCUMENTS });
      expect(await names()).to.equal(whole);
      expect(await countReprocess(tools(), {})).to.equal(0);
    });

    it('is narrowed by type and record, and leaves replaced versions alone', async () => {
      succeeded(
        await service.call(app, 'POST', `/records/${world.recordId}/documents/${ids[0]}/replace`, {
          body: procedure(9999),
        }),
      );
      await makeStale();
      expect(await countReprocess(tools(), { type: `${NS}Procedure` })).to.equal(DOCUMENTS / 2 - 1);
      expect(await countReprocess(tools(), { recordId: 'another' })).to.equal(0);
      expect(
        (await reprocess(tools(), { type: `${NS}Procedure`, recordId: world.recordId }, () => undefined)).done,
      ).to.equal(DOCUMENTS / 2 - 1);
      expect(await countReprocess(tools(), {})).to.equal(DOCUMENTS / 2);
      const after = await names();
      expect(after.length).to.equal(DOCUMENTS);
      expect(after).to.include('Procedure 9999').and.to.not.include('Procedure 0');
    });

    it('renews the demographics and the label of a record, and lets other documents of their type fill nothing', async () => {
      const path = `/records/${world.recordId}/demographics`;
      const shown = async (): Promise<{ name_given: string; __documentid__: string }> =>
        (
          JSON.parse(succeeded(await service.call(app, 'GET', `${path}?response_format=application/json`)).text) as [
            { name_given: string; __documentid__: string },
          ]
        )[0];
      const before = await shown();
      const bytes = succeeded(
        await service.call(app, 'GET', `/records/${world.recordId}/documents/${before.__documentid__}`),
      ).text;
      const other = attribute(
        succeeded(
          await service.call(app, 'POST', `/records/${world.recordId}/documents/`, {
            body: bytes.replace(before.name_given, 'Stranger'),
          }),
        ).text,
        'Document',
        'id',
      );
      const demographics = [before.__documentid__, other];
      const again = (change: (facts: readonly Fact[]) => readonly Fact[]) => {
        const { reader } = tools();
        return direct(service.services.database)('document')
          .whereIn('id', demographics)
          .update({ fingerprint: 'an older configuration' })
          .then(() =>
            reprocess(
              {
                ...tools(),
                reader: {
                  ...reader,
                  read: async (document) => {
                    const read = await reader.read(document);
                    return { ...read, facts: change(read.facts) };
                  },
                },
              },
              { type: `${NS}Demographics` },
              () => undefined,
            ),
          );
      };
      const renamed = (facts: readonly Fact[]) =>
        facts.map((fact) => ({
          ...fact,
          values: { ...fact.values, name_given: `${String(fact.values['name_given'])} the Second` },
        }));
      expect(await again(renamed)).to.equal({ done: 2, refused: [] });
      expect(await shown()).to.equal({ ...before, name_given: `${before.name_given} the Second` });
      expect(
        attribute(succeeded(await service.call(app, 'GET', `/records/${world.recordId}`)).text, 'Record', 'label'),
      ).to.startWith(`${before.name_given} the Second `);
      const none = await again(() => []);
      expect(none.refused.map(({ documentId }) => documentId)).to.equal([before.__documentid__]);
      expect((await shown()).name_given).to.equal(`${before.name_given} the Second`);
    });
  });
}
