/**
 * before and after: documents that were stored when no format knew them gain their facts by `svc reprocess`: the same
 * facts as when they are posted anew, and the same on both databases.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { factTables } from '../../core/facts/model/fact-tables';
import { reprocess } from '../../core/pipeline/reprocess';
import { addPerson, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { createRecord, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Sent = { readonly body: string; readonly type: string };

const filesOf = (folder: string, pattern: RegExp, type: string): readonly Sent[] =>
  readdirSync(inProject(folder))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => ({ body: readFileSync(inProject(folder, name), 'utf8'), type }));

const documents = [
  ...filesOf('pipeline-config/ccda', /^sample.*xml$/, 'application/xml'),
  ...filesOf('pipeline-config/fhir-bundle', /^sample.*xml$/, 'application/fhir+xml'),
  ...filesOf('test/fixtures/fhir-json', /json$/, 'application/fhir+json'),
];

/** Reports of a record by model, without the ids of its documents. */
type Said = Readonly<Record<string, string>>;
const said = new Map<string, Said>();

for (const leg of databases) {
  describe(`documents of before on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let empty: string;
    before(async () => {
      empty = mkdtempSync(join(tmpdir(), 'svc-no-formats-'));
      service = await startService(leg, { SVC_PIPELINE_CONFIG_DIR: empty });
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
    });
    after(async () => {
      await service.stop();
      rmSync(empty, { recursive: true });
    });

    const postAll = async (): Promise<string> => {
      const recordId = await createRecord(service.call, 'alice@example.org');
      for (const { body, type } of documents) {
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body, type }));
      }
      return recordId;
    };
    const saidOf = async (recordId: string): Promise<Said> => {
      const models = service.services.models().all.filter(({ builtin }) => !builtin);
      const found: Record<string, string> = {};
      for (const { name } of models) {
        const path = `/records/${recordId}/reports/${name}/?limit=1000&order_by=created_at`;
        found[name] = succeeded(await service.call(alice, 'GET', path))
          .text.replace(/"__documentid__":"[^"]*"/g, '')
          // Facts refer to others by ids, which differ from record to record.
          .replace(/(?<="(?:result|encounter)":"(?:LabResult|Encounter) id:)[^"]*/g, '');
      }
      const vitals = await service.call(alice, 'GET', `/records/${recordId}/reports/minimal/vitals/?limit=1000`);
      return { ...found, vitals: String(succeeded(vitals).text.split('<VitalSign').length) };
    };

    it('gain the facts that they make when they are posted anew', async () => {
      const { database, contents, reader, config, models } = service.services;
      const old = await postAll();
      const nothing = await saidOf(old);
      expect(
        Object.values(nothing)
          .filter((text) => text.startsWith('['))
          .every((text) => text === '[]'),
      ).to.be.true();

      await reader.reload({ ...config, pipelineConfigDirs: [inProject('pipeline-config')] }, models());
      const report = await reprocess(
        { database, contents, reader, tables: factTables(models()), models },
        { recordId: old },
        () => undefined,
      );
      expect([report.done, report.refused]).to.equal([documents.length, []]);

      const gained = await saidOf(old);
      expect(gained['Allergy']).to.not.equal('[]');
      expect(gained).to.equal(await saidOf(await postAll()));
      said.set(leg.name, gained);
    });

    it('say the same as on the other database', { skip: databases.length < 2 }, () => {
      const [first] = said.values();
      expect(said.get(leg.name)).to.equal(first!);
    });
  });
}
