/**
 * reports-rdf: every sample of every format is posted and read back in XML, JSON and RDF; the graphs; the CCR export.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { saidOfDates } from '../../core/facts/partial-dates';
import { parseXml } from 'libxmljs2';
import { newId } from '../../core/base/ids';
import { inProject } from '../../core/base/paths';
import { readSetupFile } from '../../core/config/read-yaml';
import { jsonValue, xmlText } from '../../core/facts/model/column-values';
import type { Model } from '../../core/facts/model/model';
import type { Fact } from '../../core/facts/model/fact';
import { addPerson, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { pagesAsWhole } from '../support/paging';
import { DCTERMS, graphOf, RDF_TYPE, SP, SPCODE, VCARD, XSD, type Graph } from '../support/rdf';
import { medications, startService, type TestService } from '../support/server';
import { storedFacts } from '../support/stored-facts';
import { attribute, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as recordStore from '../../core/records/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const VOCAB = 'https://svc.example/vocab';
const NS = `${VOCAB}/xml/documents#`;

const childrenOf = (fact: Fact): readonly Fact[] =>
  Object.values(fact.children).flatMap((child) => [child ?? []].flat() as readonly Fact[]);
const withNested = (fact: Fact): readonly Fact[] => [fact, ...childrenOf(fact).flatMap(withNested)];

for (const leg of databases) {
  describe(`every sample, reported from ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;

    before(async () => {
      service = await startService(leg);
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
    });
    after(() => service.stop());

    const get = async (path: string): Promise<string> => succeeded(await service.call(alice, 'GET', path)).text;
    const post = async (recordId: string, body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );
    const samples = (): readonly (readonly [string, string])[] =>
      service.services.reader.entries.all.flatMap(({ name, samples: files }) =>
        files.map((file) => [name, file] as const),
      );

    const expectedJson = (model: Model, fact: Fact, documentId: string): unknown => ({
      __modelname__: model.name,
      __documentid__: documentId,
      ...saidOfDates(fact.partialDates, false),
      ...Object.fromEntries(model.columns.map(({ name, kind }) => [name, jsonValue(kind, fact.values[name] ?? null)])),
      ...Object.fromEntries(
        model.relations.flatMap(({ field, many }) => {
          const nested = ([fact.children[field] ?? []].flat() as readonly Fact[]).map((child) =>
            expectedJson(service.services.models().find(child.model)!, child, documentId),
          );
          return many ? [[field, nested]] : nested.map((one) => [field, one]);
        }),
      ),
    });

    it('gives back exactly the facts of its fixture, in JSON, XML and RDF', async () => {
      let compared = 0;
      for (const [entry, file] of samples()) {
        const recordId = await createRecord(service.call, 'alice@example.org');
        const documentId = await post(recordId, readSetupFile(file, VOCAB));
        const fixture = inProject(
          'test',
          'fixtures',
          'facts',
          entry,
          `${file
            .split('/')
            .at(-1)!
            .replace(/\.xml$/, '')}.json`,
        );
        if (!existsSync(fixture)) {
          // The test of the formats requires a fixture; here there is nothing to compare with.
          continue;
        }
        const { facts: said } = JSON.parse(readFileSync(fixture, 'utf8')) as { facts: readonly Fact[] };
        const top = await storedFacts(service.services.database, documentId, said);
        for (const model of service.services.models().all.filter(({ builtin }) => !builtin)) {
          const facts = top.flatMap(withNested).filter((fact) => fact.model === model.name);
          const reported = JSON.parse(await get(`/records/${recordId}/reports/${model.name}/?order_by=`)) as unknown[];
          expect(reported, `${file}, ${model.name}`).to.equal(
            facts.map((fact) => expectedJson(model, fact, documentId)),
          );
          // An empty report, of which a record has two dozen, is the same empty list in every format.
          if (facts.length === 0) {
            continue;
          }
          const xml = parseXml(
            await get(`/records/${recordId}/reports/${model.name}/?order_by=&response_format=text/xml`),
          );
          expect(xml.find('/Models/Model').length).to.equal(facts.length);
          facts.forEach((fact, index) =>
            model.columns.forEach(({ name, kind }) => {
              const value = fact.values[name] ?? null;
              expect(
                (
                  xml.get(`/Models/Model[${index + 1}]/Field[@name="${name}"]`) as unknown as { text: () => string }
                ).text(),
              ).to.equal(value === null ? '' : xmlText(kind, value));
            }),
          );
          if (model.rdf) {
            const graph = await graphOf(
              await get(`/records/${recordId}/reports/${model.name}/?response_format=application%2Frdf%2Bxml`),
            );
            expect(graph.subjectsOf(model.rdf.type.replace('sp:', SP)).length, `${file}, ${model.name}`).to.equal(
              facts.length,
            );
          }
          compared += facts.length;
        }
      }
      expect(compared).to.be.above(30);
    });

    describe('the graphs', () => {
      let recordId: string;
      let base: string;
      const graph = async (path: string): Promise<Graph> => graphOf(await get(`/records/${recordId}/${path}`));

      before(async () => {
        recordId = await createRecord(service.call, 'alice@example.org');
        base = `${service.services.baseUrl()}/records/${recordId}`;
        for (const [entry, file] of samples()) {
          if (entry !== 'demographics') {
            await post(recordId, readSetupFile(file, VOCAB));
          }
        }
        await post(
          recordId,
          `<Models><Model name="Fill"><Field name="date">2020-01-01</Field><Field name="dispenseDaysSupply">0</Field></Model></Models>`,
        );
      });

      const lists: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
        problems: [['Problem', 'Problem']],
        medications: [
          ['Medication', 'Medication'],
          ['Fulfillment', 'Fill'],
        ],
        fulfillments: [['Fulfillment', 'Fill']],
        allergies: [
          ['Allergy', 'Allergy'],
          ['AllergyExclusion', 'AllergyExclusion'],
        ],
        immunizations: [['Immunization', 'Immunization']],
        lab_results: [['LabResult', 'LabResult']],
        vital_signs: [['VitalSigns', 'VitalSigns']],
        encounters: [['Encounter', 'Encounter']],
      };

      for (const [path, types] of Object.entries(lists)) {
        it(`${path}: names every fact by the address where it is found, and says whose it is`, async () => {
          const answer = succeeded(await service.call(alice, 'GET', `/records/${recordId}/${path}/`));
          expect(answer.headers['content-type']).to.equal('application/rdf+xml');
          const whole = await graphOf(answer.text);
          expect(whole.typesOf(base)).to.equal([`${SP}MedicalRecord`]);
          for (const [type, model] of types) {
            const subjects = whole.subjectsOf(`${SP}${type}`);
            const lonely = path === 'medications' && model === 'Fill' ? 1 : 0;
            const total = Number(
              (await service.call(alice, 'GET', `/records/${recordId}/reports/${model}/?limit=0`)).headers[
                'x-total-count'
              ],
            );
            expect(subjects.length, type).to.equal(total - lonely);
            expect(subjects.length).to.be.above(0);
            for (const subject of subjects) {
              expect(whole.at(subject, `${SP}belongsTo`).value).to.equal(base);
              expect(subject).to.startWith(`${base}/`);
              const one = await graphOf(await get(subject.slice(service.services.baseUrl().length)));
              expect(one.subjectsOf(`${SP}${type}`)).to.include(subject);
            }
          }
        });
      }

      it('says a code as the vocabulary does', async () => {
        const whole = await graph('problems/');
        const problem = whole
          .subjectsOf(`${SP}Problem`)
          .find((subject) => whole.at(subject, `${SP}problemName`, `${DCTERMS}title`).value === 'Pneumonia')!;
        const coded = whole.at(problem, `${SP}problemName`);
        expect(coded.kind).to.equal('blank');
        expect(whole.typesOf(coded.value)).to.equal([`${SP}CodedValue`]);
        const code = whole.at(coded.value, `${SP}code`);
        expect(code).to.equal({
          kind: 'uri',
          value: 'http://purl.bioontology.org/ontology/SNOMEDCT/233604007',
          datatype: '',
        });
        expect(whole.typesOf(code.value)).to.equal([`${SPCODE}SNOMED`, `${SP}Code`].sort());
        expect(whole.at(code.value, `${DCTERMS}identifier`).value).to.equal('233604007');
        expect(whole.at(problem, `${SP}startDate`)).to.equal({
          kind: 'literal',
          value: '2022-12-19T07:00:00Z',
          datatype: `${XSD}dateTime`,
        });
      });

      it('links medications and fills both ways, each list in its own way', async () => {
        const whole = await graph('medications/');
        const dispensed = whole
          .subjectsOf(`${SP}Medication`)
          .filter((subject) => whole.objects(subject, `${SP}fulfillment`).length > 0);
        expect(dispensed.length).to.be.above(0);
        for (const subject of dispensed) {
          for (const fill of whole.objects(subject, `${SP}fulfillment`)) {
            expect(whole.at(fill.value, `${SP}medication`).value).to.equal(subject);
          }
        }
        // A medication needs no start. Where it has one, that is a day, a month or a year.
        const starts = dispensed.flatMap((subject) => whole.objects(subject, `${SP}startDate`));
        expect(starts.length).to.be.above(0);
        expect([...new Set(starts.map(({ datatype }) => datatype))].sort()).to.equal([`${XSD}date`, `${XSD}gYear`]);
        const fills = await graph('fulfillments/');
        expect([...fills.subjectsOf(`${SP}Medication`)].sort()).to.equal([...dispensed].sort());
        for (const subject of fills.subjectsOf(`${SP}Medication`)) {
          expect(fills.objects(subject, `${SP}fulfillment`)).to.equal([]);
          expect(fills.objects(subject, `${SP}drugName`).length).to.equal(1);
        }
        const lonely = fills
          .subjectsOf(`${SP}Fulfillment`)
          .filter((subject) => fills.objects(subject, `${SP}medication`).length === 0);
        expect(lonely.length).to.equal(1);
        expect(fills.at(lonely[0]!, `${SP}dispenseDaysSupply`)).to.equal({
          kind: 'literal',
          value: '0',
          datatype: `${XSD}double`,
        });
      });

      it('says readings, circumstances and the encounter of vital signs', async () => {
        const whole = await graph('vital_signs/');
        const full = whole
          .subjectsOf(`${SP}VitalSigns`)
          .find((subject) => whole.objects(subject, `${SP}bodyMassIndex`).length === 1)!;
        expect(whole.at(full, `${SP}bloodPressure`, `${SP}systolic`, `${SP}value`)).to.equal({
          kind: 'literal',
          value: '132',
          datatype: `${XSD}double`,
        });
        expect(whole.at(full, `${SP}bloodPressure`, `${SP}bodyPosition`, `${DCTERMS}title`).value).to.equal('Sitting');
        expect(whole.typesOf(whole.at(full, `${SP}bloodPressure`, `${SP}method`, `${SP}code`).value)).to.include(
          `${SPCODE}BloodPressureMethod`,
        );
        const encounter = whole.at(full, `${SP}encounter`).value;
        expect(encounter).to.startWith(`${base}/encounters/`);
        expect(whole.at(encounter, `${SP}organization`, `${VCARD}adr`, `${VCARD}locality`).value).to.equal(
          'Springfield',
        );
        expect(whole.at(encounter, `${SP}encounterType`, `${SP}code`).value).to.equal(
          'http://smartplatforms.org/terms/codes/EncounterType#ambulatory',
        );
        const bare = whole
          .subjectsOf(`${SP}VitalSigns`)
          .filter((subject) => whole.objects(subject, `${SP}bloodPressure`).length === 0);
        expect(bare.length).to.be.above(0);
      });

      it('says one cause of an allergy, and lab values with both ends of their ranges', async () => {
        const allergies = await graph('allergies/');
        for (const subject of allergies.subjectsOf(`${SP}Allergy`)) {
          const causes = ['drugAllergen', 'drugClassAllergen', 'foodAllergen'].flatMap((name) =>
            allergies.objects(subject, `${SP}${name}`),
          );
          expect(causes.length).to.be.below(2);
        }
        const labs = await graph('lab_results/');
        const ranged = labs
          .subjectsOf(`${SP}LabResult`)
          .find((subject) =>
            labs
              .objects(subject, `${SP}quantitativeResult`)
              .some((result) =>
                labs
                  .objects(result.value, `${SP}normalRange`)
                  .some(
                    (range) =>
                      labs.objects(range.value, `${SP}minimum`).length +
                        labs.objects(range.value, `${SP}maximum`).length ===
                      2,
                  ),
              ),
          )!;
        const range = labs.at(ranged, `${SP}quantitativeResult`, `${SP}normalRange`).value;
        expect(labs.at(range, `${SP}minimum`, `${SP}value`).value).to.not.equal(
          labs.at(range, `${SP}maximum`, `${SP}value`).value,
        );
        expect(labs.at(ranged, `${SP}labName`, `${SP}code`).value).to.startWith(
          'http://purl.bioontology.org/ontology/LNC/',
        );
      });

      it('says only what the ontology declares', async () => {
        const ontology = await graphOf(await get('/ontology'));
        const declared = new Set(
          ontology.triples.filter(({ predicate }) => predicate === RDF_TYPE).map(({ subject }) => subject),
        );
        const said = new Set<string>();
        const demographics = `/records/${await createRecord(service.call, 'alice@example.org')}/demographics`;
        const file = service.services.reader.entries.all
          .find(({ name }) => name === 'demographics')!
          .samples.find((sample) => sample.endsWith('sample-full.xml'))!;
        succeeded(await service.call(alice, 'PUT', demographics, { body: readSetupFile(file, VOCAB) }));
        for (const address of [...Object.keys(lists).map((path) => `/records/${recordId}/${path}/`), demographics]) {
          for (const { predicate, object } of (await graphOf(await get(address))).triples) {
            said.add(predicate);
            if (predicate === RDF_TYPE) {
              said.add(object.value);
            }
          }
        }
        expect(said.size).to.be.above(70);
        expect(
          [...said].filter(
            (uri) => !uri.startsWith('http://www.w3.org/1999/02/22-rdf-syntax-ns#') && !declared.has(uri),
          ),
        ).to.equal([]);
      });

      it('says demographics, each part in its own node', async () => {
        const own = await createRecord(service.call, 'alice@example.org');
        const file = service.services.reader.entries.all
          .find(({ name }) => name === 'demographics')!
          .samples.find((sample) => sample.endsWith('sample-full.xml'))!;
        succeeded(
          await service.call(alice, 'PUT', `/records/${own}/demographics`, { body: readSetupFile(file, VOCAB) }),
        );
        const { values } = (await recordStore.findDemographics(direct(service.services.database), own))!;
        const whole = await graphOf(await get(`/records/${own}/demographics`));
        const subject = `${service.services.baseUrl()}/records/${own}/demographics`;
        expect(whole.subjectsOf(`${SP}Demographics`)).to.equal([subject]);
        expect(whole.at(subject, `${VCARD}bday`)).to.equal({
          kind: 'literal',
          value: String(values['bday']),
          datatype: `${XSD}date`,
        });
        expect(whole.at(subject, 'http://xmlns.com/foaf/0.1/gender').value).to.equal(String(values['gender']));
        expect(whole.at(subject, `${VCARD}n`, `${VCARD}family-name`).value).to.equal(String(values['name_family']));
        expect(whole.at(subject, `${VCARD}adr`, `${VCARD}locality`).value).to.equal(String(values['adr_city']));
        expect(whole.at(subject, `${SP}email`)).to.equal(whole.at(subject, `${VCARD}email`));
        expect(whole.objects(subject, `${VCARD}tel`).length).to.equal(2);
        const [first, second] = whole
          .objects(subject, `${VCARD}tel`)
          .map(({ value }) => whole.typesOf(value).map((type) => type.slice(VCARD.length)));
        expect([first!.includes('Pref'), second!.includes('Pref')]).to.equal([
          values['tel_1_preferred_p'] === 1,
          values['tel_2_preferred_p'] === 1,
        ]);
        expect(whole.at(subject, `${SP}medicalRecordNumber`, `${DCTERMS}identifier`).value).to.equal(
          `${service.services.baseUrl()}/records/${own}`,
        );
        expect(whole.at(subject, `${SP}belongsTo`).value).to.equal(`${service.services.baseUrl()}/records/${own}`);
      });

      it('is an empty graph for a record without facts', async () => {
        const empty = await createRecord(service.call, 'alice@example.org');
        for (const path of Object.keys(lists)) {
          expect((await graphOf(await get(`/records/${empty}/${path}/`))).triples).to.equal([]);
        }
      });

      it('finds no fact of another record, of a void document, or under another name', async () => {
        const whole = await graph('problems/');
        const id = whole.subjectsOf(`${SP}Problem`)[0]!.split('/').at(-1)!;
        const other = await createRecord(service.call, 'alice@example.org');
        const statusOf = async (path: string, caller: Signs | null = alice): Promise<number> =>
          (await service.call(caller, 'GET', path)).status;
        expect(await statusOf(`/records/${recordId}/problems/${id}`)).to.equal(200);
        expect(await statusOf(`/records/${other}/problems/${id}`)).to.equal(404);
        expect(await statusOf(`/records/${recordId}/medications/${id}`)).to.equal(404);
        expect(await statusOf(`/records/${recordId}/allergies/${id}`)).to.equal(404);
        expect(await statusOf(`/records/${recordId}/problems/${newId()}`)).to.equal(404);
        for (const path of ['Problems/', 'procedures/', 'nonsense/', `nonsense/${id}`, 'constructor/']) {
          expect(await statusOf(`/records/${recordId}/${path}`)).to.equal(404);
        }
        for (const caller of [null, bob, medications]) {
          for (const path of [
            'problems/',
            `problems/${id}`,
            'allergies/',
            `allergies/${id}`,
            'reports/experimental/ccr',
          ]) {
            expect(await statusOf(`/records/${recordId}/${path}`, caller)).to.equal(403);
          }
        }
        const documentId = await post(
          other,
          `<Models xmlns="${NS}"><Model name="Problem"><Field name="name_identifier">1</Field><Field ` +
            'name="name_title">x</Field><Field ' +
            'name="name_system">http://purl.bioontology.org/ontology/SNOMEDCT/</Field><Field ' +
            'name="startDate">2009-01-01</Field></Model></Models>',
        );
        const own = (await graphOf(await get(`/records/${other}/problems/`)))
          .subjectsOf(`${SP}Problem`)[0]!
          .slice(service.services.baseUrl().length);
        const set = async (status: string): Promise<unknown> =>
          succeeded(
            await service.call(alice, 'POST', `/records/${other}/documents/${documentId}/set-status`, {
              form: { status, reason: 'test' },
            }),
          );
        await set('archived');
        expect(await statusOf(own)).to.equal(200);
        for (const [status, found] of [
          ['archived', 1],
          ['active', 0],
          ['void', 0],
        ] as const) {
          expect(
            (await graphOf(await get(`/records/${other}/problems/?status=${status}`))).subjectsOf(`${SP}Problem`)
              .length,
            status,
          ).to.equal(found);
        }
        await set('active');
        await set('void');
        expect(await statusOf(own)).to.equal(404);
      });

      for (const path of ['allergies', 'vital_signs']) {
        it(`${path}: is whole, or the page asked for, over all of its models`, async () => {
          const named = new RegExp(`<rdf:Description rdf:about="[^"]*/${path}/([^"]+)"`, 'g');
          const address = `/records/${recordId}/${path}/`;
          await pagesAsWhole(
            (asked) => service.call(alice, 'GET', asked),
            address,
            ({ text }) => [...text.matchAll(named)].map((match) => match[1]!),
          );
          const whole = await service.call(alice, 'GET', address);
          expect(whole.headers['x-limit']).to.be.undefined();
          expect((await service.call(alice, 'GET', `${address}?limit=5000&oauth_callback=x&status=`)).text).to.equal(
            whole.text,
          );
          expect((await service.call(alice, 'GET', `${address}?limit=5000`)).headers['x-limit']).to.equal('1000');
          expect((await graphOf(await get(`${address}?status=archived`))).triples).to.equal([]);
        });
      }

      it('refuses the ontology to callers without credentials only', async () => {
        expect((await service.call(null, 'GET', '/ontology')).status).to.equal(403);
        expect((await service.call(medications, 'GET', '/ontology')).headers['content-type']).to.equal(
          'application/rdf+xml',
        );
      });

      /** Of several statements that are one line, one is an entry. Nested models have no lines. */
      type AllLines = {
        readonly lines: readonly { readonly id: string; readonly says: readonly { readonly id: string }[] }[];
      };
      it('exports every fact in a valid Continuity of Care Record', async () => {
        const answer = succeeded(await service.call(alice, 'GET', `/records/${recordId}/reports/experimental/ccr`));
        expect(answer.headers['content-type']).to.equal('application/xml; charset=utf-8');
        const document = parseXml(answer.text);
        const schema = parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'));
        expect(document.validate(schema), String(document.validationErrors)).to.be.true();
        const has = { c: 'urn:astm-org:CCR' };
        const ids = new Set(
          (document.find('//c:IDs[c:Type/c:Text="Fact"]/c:ID', has) as unknown as { text: () => string }[]).map(
            (node) => node.text(),
          ),
        );
        const { database } = service.services;
        for (const { name, table, builtin, columns } of service.services.models().all) {
          const readings = columns
            .filter((column) => /_value$/.test(column.name) && column.kind === 'number')
            .map((column) => column.name);
          // A stored file says nothing about a person's health, and the results that a panel groups are shown as
          // results.
          const stored =
            builtin || ['StoredFile', 'LabPanelResult', 'OwnWord', 'OwnWordAbout'].includes(name)
              ? []
              : ((await direct(database)(table).where({ _record_id: recordId })) as Record<
                  string,
                  string | number | null
                >[]);
          const shown = stored.filter(
            (row) =>
              (name !== 'VitalSigns' || readings.some((reading) => row[reading] !== null)) &&
              (name !== 'LabPanel' || row['conclusion'] !== null),
          );
          const path = `/records/${recordId}/lines/${name}/?limit=1000&response_format=application/json`;
          const answer = await service.call(alice, 'GET', path);
          const lines = answer.status === 200 ? (JSON.parse(answer.text) as AllLines).lines : [];
          const said = new Map(lines.flatMap(({ id, says }) => says.map((one) => [one.id, id] as const)));
          const lineOf = (row: (typeof shown)[number]): string =>
            said.get(String(row['_statement'])) ?? String(row['_id']);
          const entries = new Set(shown.filter((row) => ids.has(String(row['_id']))).map(lineOf));
          expect(
            shown.filter((row) => !entries.has(lineOf(row))),
            name,
          ).to.equal([]);
        }
        const actors = new Set(
          (document.find('//c:Actor/c:ActorObjectID', has) as unknown as { text: () => string }[]).map((node) =>
            node.text(),
          ),
        );
        const linked = (document.find('//c:ActorID', has) as unknown as { text: () => string }[]).map((node) =>
          node.text(),
        );
        expect(linked.filter((id) => !actors.has(id))).to.equal([]);
        const comments = new Set(
          (document.find('//c:CommentObjectID', has) as unknown as { text: () => string }[]).map((node) => node.text()),
        );
        const mentioned = (document.find('//c:CommentID', has) as unknown as { text: () => string }[]).map((node) =>
          node.text(),
        );
        expect(mentioned.length).to.be.above(0);
        expect(mentioned.filter((id) => !comments.has(id))).to.equal([]);
        expect(
          (
            document.get('//c:Actor[c:ActorObjectID=//c:Patient/c:ActorID]//c:DisplayName', has) as unknown as {
              text: () => string;
            }
          ).text(),
        ).to.equal('Ann Lee');
      });

      it('keeps actors of one name apart, and ends that are still to come from those that were', async () => {
        const own = await createRecord(service.call, 'alice@example.org');
        const fact = (model: string, fields: Readonly<Record<string, string>>): string =>
          `<Model name="${model}">${Object.entries(fields)
            .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
            .join('')}</Model>`;
        const coded = {
          name_identifier: '1',
          name_title: 'x',
          name_system: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
          startDate: '2009-01-01',
        };
        const encounter = (numbers: Readonly<Record<string, string>>): string =>
          fact('Encounter', {
            encounterType_identifier: 'home',
            encounterType_title: 'x',
            encounterType_system: 'http://smartplatforms.org/terms/codes/EncounterType#',
            startDate: '2009-01-01',
            provider_name_given: 'Ben',
            provider_name_family: 'Young',
            ...numbers,
          });
        await post(
          own,
          `<Models>${[
            fact('Procedure', {
              name: 'a',
              name_type: 'x',
              name_value: '1',
              provider_name: 'svc',
              provider_institution: 'City',
            }),
            fact('Procedure', {
              name: 'b',
              name_type: 'x',
              name_value: '1',
              provider_name: 'City',
              provider_institution: 'City',
            }),
            fact('Procedure', {
              name: 'c',
              name_type: 'x',
              name_value: '1',
              provider_name: own,
              provider_institution: 'svc',
            }),
            fact('Procedure', { name: 'd', name_type: 'x', name_value: '1', provider_name: 'Ben Young' }),
            encounter({ provider_npi_number: '77' }),
            encounter({ provider_npi_number: '78' }),
            encounter({ provider_dea_number: 'AB1', provider_npi_number: '78' }),
            encounter({}),
            fact('Problem', { ...coded, endDate: '2090-01-01' }),
            // Another code, since the same one would be one line of two sources.
            fact('Problem', { ...coded, name_identifier: '2', name_title: 'y', endDate: '2010-01-01' }),
            fact('Equipment', { name: 'cane', date_stopped: '2090-01-01' }),
            fact('Equipment', { name: 'bed', date_stopped: '2010-01-01' }),
          ].join('')}</Models>`,
        );
        const document = parseXml(await get(`/records/${own}/reports/experimental/ccr`));
        expect(
          document.validate(parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'))),
          String(document.validationErrors),
        ).to.be.true();
        const textsAt = (path: string): readonly string[] =>
          (document.find(path, { c: 'urn:astm-org:CCR' }) as unknown as { text: () => string }[]).map((node) =>
            node.text(),
          );
        const ids = textsAt('//c:ActorObjectID');
        expect(new Set(ids).size).to.equal(ids.length);
        const procedures = textsAt('//c:Procedure/c:Description/c:Text').map((name) => {
          const named = (kind: string, link: string): readonly string[] =>
            textsAt(
              `//c:Actor[c:ActorObjectID = //c:Procedure[c:Description/c:Text = "${name}"]//c:${link}/c:ActorID]/c:${kind}//*[not(*)]`,
            );
          return [name, ...named('Person', 'Practitioner'), ...named('Organization', 'Location/c:Actor')];
        });
        expect(procedures.sort()).to.equal([
          ['a', 'svc', 'City'],
          ['b', 'City', 'City'],
          ['c', own, 'svc'],
          ['d', 'Ben', 'Young', 'Ben Young'],
        ]);
        expect(textsAt('//c:Actor[c:ActorObjectID = "Ben Young"]/c:IDs/c:ID')).to.equal(['77']);
        expect(
          textsAt('//c:Actor[.//c:DisplayName = "Ben Young" and c:ActorObjectID != "Ben Young"]/c:IDs/c:ID'),
        ).to.equal(['AB1', '78']);
        expect(ids).to.include(['svc', own, 'City']);
        expect(textsAt('//c:Problem/c:Status/c:Text')).to.equal(['Active', 'Resolved']);
        expect(textsAt('//c:Equipment/c:Status/c:Text')).to.equal(['Active', 'No Longer Active']);
        for (const empty of ['Medications', 'Immunizations', 'VitalSigns']) {
          expect(textsAt(`//c:${empty}`)).to.equal([]);
        }
      });

      it('says a value that has no unit, and both who collected and who tested', async () => {
        const own = await createRecord(service.call, 'alice@example.org');
        const fact = (model: string, fields: Readonly<Record<string, string>>): string =>
          `<Model name="${model}">${Object.entries(fields)
            .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
            .join('')}</Model>`;
        const lab = (fields: Readonly<Record<string, string>>): string =>
          fact('LabResult', {
            test_name_identifier: '6301-6',
            test_name_title: 'INR',
            test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
            quantitative_result_value_value: '2.5',
            ...fields,
          });
        await post(
          own,
          `<Models>${[
            lab({
              collected_by_org_name: 'City Lab',
              collected_by_name_family: 'Finn',
              collected_by_role: 'Nurse',
              quantitative_result_normal_range_min_value: '2',
              quantitative_result_normal_range_max_value: '3',
            }),
            lab({ collected_by_org_name: 'City Lab' }),
            fact('Fill', {
              date: '2020-01-01',
              dispenseDaysSupply: '1',
              quantityDispensed_value: '60',
              provider_npi_number: '99',
              pharmacy_adr_city: 'Noname',
            }),
            fact('Fill', {
              date: '2020-01-02',
              dispenseDaysSupply: '1',
              quantityDispensed_value: '60',
              provider_npi_number: '99',
              pharmacy_adr_city: 'Elsewhere',
            }),
            fact('Medication', {
              drugName_identifier: '1',
              drugName_title: 'x',
              drugName_system: 'http://purl.bioontology.org/ontology/RXNORM/',
              startDate: '2020-01-01',
              frequency_value: '2',
              quantity_value: '1',
              quantity_unit: '{tablet}',
            }),
          ].join('')}</Models>`,
        );
        const at = async (path: string, type: string, ...predicates: readonly string[]): Promise<readonly string[]> => {
          const whole = await graphOf(await get(`/records/${own}/${path}/`));
          return predicates.reduce<readonly string[]>(
            (nodes, predicate) =>
              nodes.flatMap((node) => whole.objects(node, `${SP}${predicate}`).map(({ value }) => value)),
            whole.subjectsOf(`${SP}${type}`),
          );
        };
        expect(await at('lab_results', 'LabResult', 'quantitativeResult', 'valueAndUnit', 'value')).to.equal([
          '2.5',
          '2.5',
        ]);
        expect(await at('lab_results', 'LabResult', 'quantitativeResult', 'normalRange', 'maximum', 'value')).to.equal([
          '3',
        ]);
        expect(await at('fulfillments', 'Fulfillment', 'quantityDispensed', 'value')).to.equal(['60', '60']);
        // A frequency without its unit means nothing.
        expect([
          await at('medications', 'Medication', 'frequency'),
          await at('medications', 'Medication', 'quantity', 'unit'),
        ]).to.equal([[], ['{tablet}']]);

        const document = parseXml(await get(`/records/${own}/reports/experimental/ccr`));
        expect(
          document.validate(parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'))),
          String(document.validationErrors),
        ).to.be.true();
        const textsAt = (path: string): readonly string[] =>
          (document.find(path, { c: 'urn:astm-org:CCR' }) as unknown as { text: () => string }[]).map((node) =>
            node.text(),
          );
        expect(textsAt('//c:Results/c:Result/c:Source/c:Actor/*/descendant-or-self::*[not(*)]')).to.equal([
          'Finn',
          'Nurse',
          'City Lab',
          'Laboratory',
          'City Lab',
          'Laboratory',
        ]);
        expect(textsAt('//c:Actor[c:ActorObjectID = //c:Fulfillment/c:Provider/c:ActorID]/c:IDs/c:ID')).to.equal([
          '99',
        ]);
        expect(textsAt('//c:Actor[c:ActorObjectID = //c:Fulfillment/c:Location/c:ActorID]/c:Address/c:City')).to.equal([
          'Noname',
          'Elsewhere',
        ]);
      });

      it('writes what is long while it is read, and leaves nothing out', async () => {
        const own = await createRecord(service.call, 'alice@example.org');
        const problem = (number: number): string =>
          `<Model name="Problem"><Field name="startDate">2026-01-02</Field><Field name="name_identifier">${number}</Field>` +
          `<Field name="name_title">Problem ${number}</Field><Field ` +
          'name="name_system">http://purl.bioontology.org/ontology/SNOMEDCT/</Field><Field name="notes">Note ' +
          `${number} &lt;</Field></Model>`;
        await post(own, `<Models>${Array.from({ length: 2500 }, (_, number) => problem(number)).join('')}</Models>`);
        const [graph, record] = [
          await service.call(alice, 'GET', `/records/${own}/problems/`),
          await service.call(alice, 'GET', `/records/${own}/reports/experimental/ccr`),
        ];
        expect([
          graph.headers['content-type'],
          graph.headers['content-length'],
          record.headers['content-type'],
          record.headers['content-length'],
        ]).to.equal(['application/rdf+xml', undefined, 'application/xml; charset=utf-8', undefined]);
        expect((await graphOf(graph.text)).subjectsOf(`${SP}Problem`).length).to.equal(2500);
        const document = parseXml(record.text);
        expect(
          document.validate(parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'))),
          String(document.validationErrors),
        ).to.be.true();
        const has = { c: 'urn:astm-org:CCR' };
        expect([
          document.find('//c:Problems/c:Problem', has).length,
          document.find('//c:Comments/c:Comment', has).length,
        ]).to.equal([2500, 2500]);
        const part = await service.call(alice, 'GET', `/records/${own}/problems/?limit=150&offset=2400`);
        expect((await graphOf(part.text)).subjectsOf(`${SP}Problem`).length).to.equal(100);
      });

      it('says what the source says of a state, in RDF and in the record, and calls active what nothing speaks against', async () => {
        const own = await createRecord(service.call, 'alice@example.org');
        const model = (name: string, fields: Readonly<Record<string, string>>): string =>
          `<Model name="${name}">${Object.entries(fields)
            .map(([field, value]) => `<Field name="${field}">${value}</Field>`)
            .join('')}</Model>`;
        const state = (field: string, code: string, title: string) => ({
          [`${field}_identifier`]: code,
          [`${field}_title`]: title,
          [`${field}_system`]: 'urn:states',
        });
        await post(
          own,
          `<Models>${[
            model('Medication', { drugName_title: 'A', ...state('status', 'stopped', 'Stopped') }),
            model('Medication', { drugName_title: 'B', status_identifier: 'on-hold' }),
            model('Medication', { drugName_title: 'C', ...state('status', 'active', 'Active') }),
            model('Medication', { drugName_title: 'D', endDate: '2001-01-01', ...state('status', 'active', 'Active') }),
            model('Medication', { drugName_title: 'E' }),
            model('Problem', { name_title: 'F', ...state('verificationStatus', 'refuted', 'Refuted') }),
            model('Problem', { name_title: 'G', ...state('clinicalStatus', 'remission', 'Remission') }),
            model('Problem', { name_title: 'H', ...state('verificationStatus', 'confirmed', 'Confirmed') }),
            model('Problem', {
              name_title: 'I',
              name_identifier: 'I10',
              name_system: 'http://hl7.org/fhir/sid/icd-10',
            }),
            model('Allergy', { allergen_title: 'Bee venom', ...state('clinicalStatus', 'resolved', 'Resolved') }),
            model('Procedure', { name: 'J', ...state('status', 'not-done', 'Not done') }),
            model('Procedure', { name: 'M' }),
            model('VitalSigns', {
              date: '2020-01-01',
              weight_value: '70',
              weight_unit: 'kg',
              ...state('status', 'final', 'Final'),
            }),
            model('VitalSigns', { date: '2020-01-01', weight_value: '71', weight_unit: 'kg' }),
            model('Measurement', { type: 'N', value: '72', unit: 'kg', datetime: '2020-01-01T00:00:00Z' }),
            model('Immunization', {
              product_name_title: 'K',
              lotNumber: 'L-1',
              ...state('status', 'completed', 'Completed'),
            }),
          ].join('')}</Models>`,
        );
        const document = parseXml(await get(`/records/${own}/reports/experimental/ccr`));
        expect(
          document.validate(parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'))),
          String(document.validationErrors),
        ).to.be.true();
        const statuses = (section: string): readonly string[] =>
          (
            document.find(`//c:Body/c:${section}/*/c:Status/c:Text`, { c: 'urn:astm-org:CCR' }) as unknown as {
              text: () => string;
            }[]
          ).map((node) => node.text());
        expect(statuses('Medications')).to.equal(['Stopped', 'On Hold', 'Active', 'No Longer Active', 'Active']);
        expect(statuses('Problems')).to.equal(['Refuted', 'Remission', 'Active', 'Active']);
        expect(statuses('Alerts')).to.equal(['Resolved']);
        // Without a status in the source nothing is shown as final or done.
        expect(statuses('Procedures')).to.equal(['Not Done', 'Unknown']);
        expect([...statuses('VitalSigns')].sort()).to.equal(['Final', 'Unknown']);
        expect(statuses('Results')).to.equal(['Unknown']);
        expect(statuses('Immunizations')).to.equal(['Completed']);

        const graph = await graphOf(await get(`/records/${own}/problems/`));
        const titles = graph.triples
          .filter(({ predicate }) => predicate === 'http://purl.org/dc/terms/title')
          .map(({ object }) => object.value);
        expect(titles).to.include(['F', 'G', 'H', 'I', 'Refuted', 'Remission']);
        // A code of another system is not shown as a SNOMED CT code.
        expect(graph.triples.some(({ object }) => object.value.endsWith('/codes/SNOMED'))).to.be.false();
      });

      it('exports a record without facts, and without demographics, too', async () => {
        const empty = await createRecord(service.call, 'alice@example.org');
        await direct(service.services.database)('demographics').where({ record_id: empty }).delete();
        const document = parseXml(await get(`/records/${empty}/reports/experimental/ccr`));
        expect(
          document.validate(parseXml(readFileSync(inProject('test', 'fixtures', 'ccr.xsd'), 'utf8'))),
          String(document.validationErrors),
        ).to.be.true();
      });
    });
  });
}
