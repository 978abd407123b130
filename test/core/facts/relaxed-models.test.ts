/**
 * relaxed models: a database that was made for the strict vocabularies accepts the core models, keeps all facts and
 * stores the new values.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import type { Json } from '../../../core/base/types';
import { readFacts } from '../../../core/facts/model/fact';
import { factTables } from '../../../core/facts/model/fact-tables';
import { loadModels, type Model, type Models } from '../../../core/facts/model/models';
import { applyPlans } from '../../../core/facts/apply-plan';
import { insertFacts } from '../../../core/facts/store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const load = (...folders: readonly string[]): Models => {
  const { models, problems } = loadModels(
    folders.map((folder) => inProject(...folder.split('/'))),
    'https://v.example',
  );
  expect(problems).to.equal([]);
  return models;
};

/** Fields that the models of earlier releases did not have. */
const isNew = (name: string): boolean =>
  /^(allergen|criticality|clinicalStatus|verificationStatus|reasonStopped|statusReason)_|^(onset|lotNumber|value|reference)$/.test(
    name,
  );

const asBefore = (model: Model): Model => ({
  ...model,
  columns: model.columns
    .filter(({ name }) => model.name === 'Measurement' || !isNew(name))
    .filter(({ name }) => !(model.name === 'Allergy' && name === 'notes'))
    .filter(({ name }) => !(['Medication', 'Immunization', 'Procedure'].includes(model.name) && /^status_/.test(name)))
    .map((column) => {
      if (model.name === 'LabResult' && column.name === 'notes') {
        return { ...column, kind: 'string' as const, max: 600 };
      }
      return model.name === 'Measurement' && column.name === 'unit' ? { ...column, max: 8 } : column;
    }),
});

const before = (): Models => {
  const strict = load('datamodels', 'docs/strict-vocabularies');
  const all = strict.all.map(asBefore);
  return {
    all,
    find: (name) => all.find((model) => model.name.toLowerCase() === name.toLowerCase()),
    labTests: strict.labTests,
    kinds: strict.kinds,
  };
};

const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const coded = (field: string, code: string, title: string, system: string): Record<string, Json> => ({
  [`${field}_identifier`]: code,
  [`${field}_title`]: title,
  [`${field}_system`]: system,
});
const strictFacts: Json = [
  {
    __modelname__: 'Allergy',
    ...coded('category', '416098002', 'Drug allergy', SNOMED),
    ...coded('allergic_reaction', '126485001', 'Urticaria', SNOMED),
    ...coded('severity', '255604002', 'Mild', SNOMED),
  },
  { __modelname__: 'Measurement', type: 'HBA1C', value: 6.1, unit: '%', datetime: '2020-01-01' },
];
const looseFacts: Json = [
  { __modelname__: 'Allergy', allergen_title: 'Bee venom', notes: 'w'.repeat(5000) },
  { __modelname__: 'Problem', name_title: 'Back pain' },
  { __modelname__: 'LabResult', test_name_title: 'Culture', notes: 'n'.repeat(5000), value: 'v'.repeat(5000) },
  { __modelname__: 'Measurement', type: '9843-4', value: 45, unit: 'u'.repeat(40) },
  { __modelname__: 'Medication', drugName_title: 'Aspirin', ...coded('status', 'stopped', 'Stopped', 'urn:x') },
];
const owner = (documentId: string) => ({
  recordId: 'r',
  documentId,
  lineageId: documentId,
  createdAt: '2020-01-01T00:00:00.000000Z',
});

for (const leg of databases) {
  describe(`the core models on a database of before, on ${leg.name}`, () => {
    let open: OpenDatabase;
    beforeEach(async () => {
      open = await openTestDatabase(leg);
    });
    afterEach(() => open.drop());

    const migrate = (models: Models) => applyPlans(open.database, [...factTables(models).values()]);
    const rows = (table: string): Promise<Record<string, unknown>[]> =>
      direct(open.database)(table).select().orderBy('_seq') as Promise<Record<string, unknown>[]>;

    it('keep every fact and take what was refused before', async () => {
      const old = before();
      await migrate(old);
      await insertFacts(direct(open.database), factTables(old), owner('d1'), readFacts(old, strictFacts, 'all'));
      expect(() => readFacts(old, looseFacts, 'all')).to.throw();
      const [allergy] = await rows('fact_allergy');

      const core = load('datamodels');
      await migrate(core);
      expect((await rows('fact_allergy'))[0]).to.include(allergy!);
      await insertFacts(direct(open.database), factTables(core), owner('d2'), readFacts(core, looseFacts, 'all'));
      expect((await rows('fact_allergy')).map((row) => row['allergen_title'])).to.equal([null, 'Bee venom']);
      const [lab] = await rows('fact_labresult');
      expect([String(lab?.['notes']).length, String(lab?.['value']).length]).to.equal([5000, 5000]);
      expect((await rows('fact_measurement')).map((row) => row['unit'])).to.equal(['%', 'u'.repeat(40)]);
      expect((await rows('fact_medication'))[0]).to.include({ status_identifier: 'stopped' });
      // Nothing is left to migrate, and the strict models can be loaded again.
      expect((await migrate(core)).filter(({ sql }) => sql !== undefined)).to.equal([]);
      await migrate(load('datamodels', 'docs/strict-vocabularies'));
      expect((await rows('fact_problem')).length).to.equal(1);
    });
  });
}
