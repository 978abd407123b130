/**
 * formats: every sample of every format is posted by a signing app, and its facts come back in each report, in XML,
 * JSON and RDF.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml, type Element } from 'libxmljs2';
import { wireTime } from '../../core/base/clock';
import { inProject } from '../../core/base/paths';
import { readSetupFile } from '../../core/config/read-yaml';
import { countByModel, type Fact } from '../../core/facts/model/fact';
import type { LeftOut } from '../../core/pipeline/steps';
import { databases } from '../support/databases';
import type { Credentials } from '../support/client';
import { medications, startService, type TestService } from '../support/server';
import { storedFacts } from '../support/stored-facts';
import { attribute, authorizeApp, makeWorld, succeeded, type World } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Fixture = { readonly type: string; readonly facts: readonly Fact[]; readonly leftOut: readonly LeftOut[] };
type Json = Record<string, unknown>;

const fixtureOf = (entry: string, sample: string): Fixture =>
  JSON.parse(
    readFileSync(inProject('test', 'fixtures', 'facts', entry, basename(sample).replace(/\.xml$/, '.json')), 'utf8'),
  ) as Fixture;

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{15}Z$/.test(value);

/** The report's JSON form of a checked fact. */
const meant = ({ partialDates = {} }: Fact, wanted: readonly string[], member: string): Json => {
  const found = Object.entries(partialDates).filter(([, how]) => wanted.includes(how));
  return found.length === 0 ? {} : { [member]: Object.fromEntries(found) };
};

const asReported = (fact: Fact, documentId: string): Json => ({
  __modelname__: fact.model,
  __documentid__: documentId,
  ...meant(fact, ['month', 'year'], '__partial_dates__'),
  ...meant(fact, ['local'], '__clocks__'),
  ...Object.fromEntries(
    Object.entries(fact.values).map(([name, value]) => [name, isTime(value) ? wireTime(value) : value]),
  ),
  ...Object.fromEntries(
    Object.entries(fact.children).flatMap(([field, child]) =>
      child === null
        ? []
        : [
            [
              field,
              Array.isArray(child)
                ? (child as Fact[]).map((one) => asReported(one, documentId))
                : asReported(child as Fact, documentId),
            ],
          ],
    ),
  ),
});

/** A nested fact is a fact of its own model, too. */
const flatten = (facts: readonly Fact[]): readonly Fact[] =>
  facts.flatMap((fact) => [
    fact,
    ...flatten(
      Object.values(fact.children).flatMap((child) => (child === null ? [] : ([child].flat() as readonly Fact[]))),
    ),
  ]);

const withGraph = new Set([
  'Allergy',
  'AllergyExclusion',
  'Encounter',
  'Fill',
  'Immunization',
  'LabResult',
  'Medication',
  'Problem',
  'VitalSigns',
]);

for (const leg of databases) {
  describe(`every sample of every format on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let app: Credentials;
    const posted: { entry: string; sample: string; id: string; fixture: Fixture }[] = [];

    before(async () => {
      service = await startService(leg);
      world = await makeWorld(service);
      app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      for (const entry of service.services.reader.entries.all) {
        for (const sample of entry.samples) {
          const body = readSetupFile(sample, service.services.config.vocabBase);
          const answer = succeeded(await service.call(app, 'POST', `/records/${world.recordId}/documents/`, { body }));
          posted.push({
            entry: entry.name,
            sample,
            id: attribute(answer.text, 'Document', 'id'),
            fixture: fixtureOf(entry.name, sample),
          });
        }
      }
    });
    after(() => service.stop());

    const report = async (model: string, format: string): Promise<string> =>
      succeeded(
        await service.call(
          app,
          'GET',
          `/records/${world.recordId}/reports/${model}/?limit=1000&order_by=created_at&response_format=${encodeURIComponent(format)}`,
        ),
      ).text;
    const models = (): readonly string[] =>
      [...new Set(posted.flatMap(({ fixture }) => flatten(fixture.facts).map((fact) => fact.model)))]
        .filter((model) => model !== 'Demographics')
        .sort();

    it('was posted, and all core models are among the facts', () => {
      expect(posted.length).to.be.above(40);
      expect(models()).to.equal([
        'AdvanceDirective',
        'Allergy',
        'AllergyExclusion',
        'CarePlan',
        'Coverage',
        'Encounter',
        'Equipment',
        'FamilyHistory',
        'Fill',
        'Goal',
        'Immunization',
        'LabPanel',
        'LabPanelResult',
        'LabResult',
        'Measurement',
        'Medication',
        'OwnWord',
        'OwnWordAbout',
        'Problem',
        'Procedure',
        'SimpleClinicalNote',
        'Sleep',
        'SocialHistory',
        'StoredFile',
        'Symptom',
        'VitalSigns',
        'Workout',
      ]);
    });

    it('comes back as JSON, fact by fact and field by field', async () => {
      for (const model of models()) {
        const facts = JSON.parse(await report(model, 'application/json')) as Json[];
        for (const { id, fixture, sample } of posted) {
          const expected = flatten(await storedFacts(service.services.database, id, fixture.facts))
            .filter((fact) => fact.model === model)
            .map((fact) => asReported(fact, id));
          expect(
            facts.filter((fact) => fact['__documentid__'] === id),
            `${model} of ${sample}`,
          ).to.equal(expected);
        }
      }
    });

    it('comes back as XML with as many facts', async () => {
      for (const model of models()) {
        const xml = await report(model, 'application/xml');
        const facts = JSON.parse(await report(model, 'application/json')) as Json[];
        const depths = xml.replace(/<Field [^>]*>(?:(?!<Field ).)*?<\/Field>/gs, '');
        expect(xml).to.contain('<Models>');
        expect(depths.length).to.be.below(xml.length);
        for (const id of new Set(facts.map((fact) => String(fact['__documentid__'])))) {
          const count = facts.filter((fact) => fact['__documentid__'] === id).length;
          expect([...xml.matchAll(new RegExp(`<Model name="${model}" documentId="${id}"`, 'g'))].length).to.equal(
            count,
          );
        }
      }
    });

    it('comes back as RDF where the model has a graph, and 400 where it has none', async () => {
      for (const model of models()) {
        const path = `/records/${world.recordId}/reports/${model}/?limit=1000&response_format=application%2Frdf%2Bxml`;
        const answer = await service.call(app, 'GET', path);
        expect(answer.status, model).to.equal(withGraph.has(model) ? 200 : 400);
        if (withGraph.has(model)) {
          expect(answer.text).to.contain('rdf:RDF').and.to.contain('belongsTo');
        }
      }
    });

    it('says in its metadata what was left out and why', async () => {
      expect(posted.some(({ fixture }) => fixture.leftOut.length > 0)).to.be.true();
      for (const { id, fixture } of posted) {
        const meta = succeeded(await service.call(app, 'GET', `/records/${world.recordId}/documents/${id}/meta`)).text;
        const entries = parseXml(meta).find('//leftOut/entry') as unknown as Element[];
        expect(
          entries.map((entry) => ({
            ...Object.fromEntries(entry.attrs().map((attribute) => [attribute.name(), attribute.value()])),
            words: entry.text(),
          })),
        ).to.equal(
          // Which parts of the document it tells of is for who sent it, and not kept.
          fixture.leftOut.map(({ count, words, parts: _, ...told }) => ({
            ...told,
            count: String(count),
            words: words ?? '',
          })),
        );
        // The number of facts of each model, nested ones included.
        const made = parseXml(meta).find('/Document/facts/model') as unknown as Element[];
        const counts = countByModel(fixture.facts.filter(({ model }) => model !== 'Demographics'));
        expect(
          Object.fromEntries(made.map((one) => [one.attr('name')!.value(), Number(one.attr('count')!.value())])),
        ).to.equal(counts);
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        expect(meta).to.contain(`<facts count="${total}"`);
      }
    });
  });
}
