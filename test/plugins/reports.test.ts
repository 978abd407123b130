/** reports: generic reports in JSON and XML, the minimal reports, queries and carenets, through signed calls. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml, type Element } from 'libxmljs2';
import { newId } from '../../core/base/ids';
import { addPerson, addToken, enable, now, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { removeFolder, writeFolder } from '../support/formats';
import { medications, startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as sharingStore from '../../core/sharing/store';
import { fieldsXml } from '../support/fields';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const LOINC = 'http://purl.bioontology.org/ontology/LNC/';
const RXNORM = 'http://purl.bioontology.org/ontology/RXNORM/';

type Fields = Readonly<Record<string, string | number>>;
const modelXml = (name: string, fields: Fields, more = ''): string =>
  `<Model name="${name}">${fieldsXml(fields)}${more}</Model>`;
const sdmx = (...models: readonly string[]): string => `<Models xmlns="${NS}">${models.join('')}</Models>`;

const problem = (title: string, start: string): string =>
  modelXml('Problem', { name_identifier: '38341003', name_title: title, name_system: SNOMED, startDate: start });
const vitals = (date: string, weight: number): string =>
  modelXml('VitalSigns', {
    date,
    weight_value: weight,
    weight_unit: 'kg',
    weight_name_identifier: '3141-9',
    weight_name_title: 'Body weight',
    weight_name_system: LOINC,
  });
const medication = (title: string, fills: readonly string[]): string =>
  modelXml(
    'Medication',
    { drugName_identifier: '1', drugName_title: title, drugName_system: RXNORM, startDate: '2009-05-16' },
    '<Field ' +
      `name="fulfillments"><Models>${fills.map((date) => modelXml('Fill', { date, dispenseDaysSupply: 30 })).join('')}</Models></Field>`,
  );

type Json = Record<string, unknown>;
const jsonOf = (answer: Answer): Json[] => JSON.parse(succeeded(answer).text) as Json[];
const xmlRoot = (answer: Answer): Element => parseXml(succeeded(answer).text).root()!;
const find = (root: Element, path: string): readonly Element[] => root.find(path, { n: NS }) as unknown as Element[];
const texts = (root: Element, path: string): readonly string[] => find(root, path).map((node) => node.text());
const values = (root: Element, path: string, name: string): readonly (string | undefined)[] =>
  find(root, path).map((node) => node.attr(name)?.value());
const code = (answer: Answer): string => attribute(answer.text, 'error', 'code');

for (const leg of databases) {
  describe(`reports on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let carol: Signs;

    before(async () => {
      service = await startService(leg, { SVC_MAX_LIMIT: '50' });
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
      carol = await addPerson(service.services, 'carol@example.org', 'Carol Member');
    });
    after(() => service.stop());

    const newRecord = (): Promise<string> => createRecord(service.call, 'alice@example.org');
    const post = async (recordId: string, body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );
    const get = (recordId: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      service.call(alice, 'GET', `/records/${recordId}/reports/${path}`, { headers });

    describe('generic_list', () => {
      let recordId: string;
      let documentId: string;
      before(async () => {
        recordId = await newRecord();
        documentId = await post(
          recordId,
          sdmx(medication('Aspirin', ['2009-05-17T10:00:00Z', '2009-06-17']), medication('Insulin', [])),
        );
        await post(recordId, sdmx(vitals('2009-05-16T12:00:00', 70.8)));
        await post(recordId, sdmx(vitals('2010-05-16T12:00:00Z', 80.8)));
      });

      it('is a JSON list with every column and what is nested, in document order', async () => {
        const answer = await get(recordId, 'Medication/');
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(answer.headers['x-total-count']).to.equal('2');
        const [aspirin, insulin] = jsonOf(answer);
        expect(Object.keys(aspirin!).sort()).to.equal([
          '__documentid__',
          '__modelname__',
          'dosage',
          'drugName_identifier',
          'drugName_system',
          'drugName_title',
          'encounter',
          'endDate',
          'form_identifier',
          'form_system',
          'form_title',
          'frequency_unit',
          'frequency_value',
          'fulfillments',
          'instructions',
          'intent_identifier',
          'intent_system',
          'intent_title',
          'notes',
          'prescriber_name_family',
          'prescriber_name_given',
          'prescriber_name_middle',
          'prescriber_name_prefix',
          'prescriber_name_suffix',
          'prescriber_npi_number',
          'prescriber_organization',
          'prescriber_organization_npi',
          'prescriber_organization_phone',
          'prescriber_phone',
          'prescriber_specialty_identifier',
          'prescriber_specialty_system',
          'prescriber_specialty_title',
          'provenance_identifier',
          'provenance_system',
          'provenance_title',
          'quantityOrdered_unit',
          'quantityOrdered_value',
          'quantity_unit',
          'quantity_value',
          'reasonStopped_identifier',
          'reasonStopped_system',
          'reasonStopped_title',
          'reason_identifier',
          'reason_system',
          'reason_title',
          'refills',
          'route_identifier',
          'route_system',
          'route_title',
          'setting',
          'startDate',
          'status_identifier',
          'status_system',
          'status_title',
          'strength',
        ]);
        expect(aspirin).to.include({
          __modelname__: 'Medication',
          __documentid__: documentId,
          drugName_title: 'Aspirin',
          startDate: '2009-05-16',
          endDate: null,
        });
        const fills = aspirin!['fulfillments'] as Json[];
        expect(
          fills.map((fill) => [
            fill['date'],
            fill['dispenseDaysSupply'],
            fill['__modelname__'],
            fill['__documentid__'],
          ]),
        ).to.equal([
          ['2009-05-17T10:00:00Z', 30, 'Fill', documentId],
          ['2009-06-17T00:00:00Z', 30, 'Fill', documentId],
        ]);
        expect(insulin!['fulfillments']).to.equal([]);
        expect(jsonOf(await get(recordId, 'Fill/')).length).to.equal(2);
      });

      it('asks nested facts by the fields of the fact around them, and of no other', async () => {
        const of = async (query: string): Promise<Json[]> => jsonOf(await get(recordId, `Fill/?${query}`));
        expect(await of('medication.drugName_title=Aspirin|Insulin')).to.have.length(2);
        expect(await of('medication.drugName_title=Insulin')).to.equal([]);
        expect(await of('date_range=medication.startDate*2009-05-17*')).to.equal([]);
        expect(await of('group_by=medication.drugName_title&aggregate_by=sum*dispenseDaysSupply')).to.equal([
          { __modelname__: 'AggregateReport', group: 'Aspirin', value: 60 },
        ]);
        expect(await of('date_group=medication.startDate*year&aggregate_by=count*medication.drugName_title')).to.equal([
          { __modelname__: 'AggregateReport', group: '2009', value: 2 },
        ]);
        const last = await of('order_by=-date&medication.drugName_title=Aspirin&limit=1');
        expect(last.map(({ date }) => date)).to.equal(['2009-06-17T00:00:00Z']);
        for (const query of [
          'medication.nothing=1',
          'medication.fulfillments=1',
          'problem.name_title=Asthma',
          'group_by=medication&aggregate_by=count*',
          'medication.startDate=soon',
          'aggregate_by=sum*medication.drugName_title',
        ]) {
          const refused = await get(recordId, `Fill/?${query}`);
          expect([refused.status, code(refused)], query).to.equal([400, 'invalid_query']);
        }
        expect((await get(recordId, 'Medication/?medication.drugName_title=Aspirin')).status).to.equal(400);
      });

      it('finds the model ignoring case, and no model that is none', async () => {
        expect(jsonOf(await get(recordId, 'vitalsigns/')).length).to.equal(2);
        for (const name of ['Nope', 'Demographics', 'account', 'constructor', 'fact_fill']) {
          expect((await get(recordId, `${name}/`)).status).to.equal(404);
        }
      });

      it('is XML without a namespace on request, with a field for every column', async () => {
        for (const format of ['application/xml', 'text/xml']) {
          const answer = await get(recordId, `Medication/?response_format=${encodeURIComponent(format)}`);
          expect(answer.headers['content-type']).to.equal(format);
          const root = xmlRoot(answer);
          expect(root.namespace()).to.be.null();
          expect(find(root, '/Models/Model').length).to.equal(2);
          const [first] = find(root, '/Models/Model');
          expect(first!.attr('documentId')?.value()).to.equal(documentId);
          expect(find(first!, './Field').length).to.equal(53);
          expect(texts(first!, './Field[@name="startDate"]')).to.equal(['2009-05-16']);
          expect(find(first!, './Field[@name="endDate"][not(node())]').length).to.equal(1);
          expect(texts(first!, './Field[@name="fulfillments"]/Models/Model/Field[@name="date"]')).to.equal([
            '2009-05-17T10:00:00Z',
            '2009-06-17T00:00:00Z',
          ]);
          expect(texts(first!, './/Field[@name="provider_tel_1_preferred_p"]')).to.equal(['false', 'false']);
          expect(find(root, '/Models/Model[2]/Field[@name="fulfillments"][not(node())]').length).to.equal(1);
        }
        expect(succeeded(await get(recordId, 'Problem/?response_format=text/xml')).text).to.endWith('<Models/>');
      });

      it('nests one-to-one facts, and leaves the field out when there is none', async () => {
        const other = await newRecord();
        const encounter = modelXml('Encounter', {
          startDate: '2009-05-16T11:00:00Z',
          encounterType_identifier: 'home',
          encounterType_title: 'Home',
          encounterType_system: 'http://smartplatforms.org/terms/codes/EncounterType#',
        });
        await post(
          other,
          sdmx(
            modelXml(
              'VitalSigns',
              { date: '2009-05-16T12:00:00Z', weight_value: '70', weight_unit: 'kg' },
              `<Field name="encounter">${encounter}</Field>`,
            ),
          ),
        );
        const [fact] = jsonOf(await get(other, 'VitalSigns/'));
        expect((fact!['encounter'] as Json)['startDate']).to.equal('2009-05-16T11:00:00Z');
        const root = xmlRoot(await get(other, 'VitalSigns/?response_format=application/xml'));
        expect(
          texts(root, '//Field[@name="encounter"]/Model[@name="Encounter"]/Field[@name="encounterType_title"]'),
        ).to.equal(['Home']);
        const [encounterFact] = jsonOf(await get(other, 'Encounter/'));
        expect(encounterFact).to.not.include('vitalsigns_set');
        const [without] = jsonOf(await get(recordId, 'VitalSigns/'));
        expect(without).to.not.include('encounter');
        expect(
          find(xmlRoot(await get(recordId, 'VitalSigns/?response_format=text/xml')), '//Field[@name="encounter"]')
            .length,
        ).to.equal(0);
      });

      it('is JSON unless the query names a format, whatever Accept says', async () => {
        for (const accept of [
          '*/*',
          'application/xml',
          'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
          'application/rdf+xml',
          'image/png',
        ]) {
          for (const path of ['Medication/', 'Equipment/', 'Medication/?aggregate_by=count*']) {
            const answer = succeeded(await get(recordId, path, { accept }));
            expect(answer.headers['content-type'], `${path} ${accept}`).to.equal('application/json');
          }
        }
        expect(
          succeeded(await get(recordId, 'Medication/?response_format=application/xml', { accept: 'application/json' }))
            .headers['content-type'],
        ).to.equal('application/xml');
      });

      it('refuses formats that it has not', async () => {
        for (const query of ['response_format=application/junk', 'response_format=', 'response_format=text/html']) {
          expect((await get(recordId, `Medication/?${query}`)).status).to.equal(400);
        }
        expect((await get(recordId, 'Procedure/?response_format=application%2Frdf%2Bxml')).status).to.equal(400);
        expect(
          (await get(recordId, 'Problem/?response_format=application%2Frdf%2Bxml&aggregate_by=count*')).status,
        ).to.equal(400);
      });

      it('aggregates in JSON and in XML', async () => {
        expect(jsonOf(await get(recordId, 'VitalSigns/?group_by=weight_unit&aggregate_by=avg*weight_value'))).to.equal([
          { __modelname__: 'AggregateReport', group: 'kg', value: 75.8 },
        ]);
        expect(jsonOf(await get(recordId, 'VitalSigns/?aggregate_by=count*'))).to.equal([
          { __modelname__: 'AggregateReport', value: 2 },
        ]);
        expect(jsonOf(await get(recordId, 'VitalSigns/?aggregate_by=sum*height_value'))).to.equal([
          { __modelname__: 'AggregateReport', value: null },
        ]);
        expect(
          jsonOf(await get(recordId, 'VitalSigns/?date_group=date*month&aggregate_by=min*date&order_by=date')),
        ).to.equal([
          { __modelname__: 'AggregateReport', group: '2009-05', value: '2009-05-16T12:00:00Z' },
          { __modelname__: 'AggregateReport', group: '2010-05', value: '2010-05-16T12:00:00Z' },
        ]);
        expect(jsonOf(await get(recordId, 'VitalSigns/?group_by=height_unit&aggregate_by=count*'))).to.equal([
          { __modelname__: 'AggregateReport', group: null, value: 2 },
        ]);
        const xml = async (query: string): Promise<string> =>
          succeeded(await get(recordId, `VitalSigns/?response_format=application/xml&${query}`)).text.split('\n')[1]!;
        expect(await xml('group_by=weight_unit&aggregate_by=avg*weight_value')).to.equal(
          '<AggregateReports><AggregateReport value="75.8" group="kg"/></AggregateReports>',
        );
        expect(await xml('aggregate_by=sum*height_value')).to.equal(
          '<AggregateReports><AggregateReport value=""/></AggregateReports>',
        );
        expect(await xml('group_by=height_unit&aggregate_by=max*date')).to.equal(
          '<AggregateReports><AggregateReport value="2010-05-16T12:00:00Z"/></AggregateReports>',
        );
      });

      it('sums as floating point numbers: what is too large is null and sorted as null, and sums that are shown alike are equal', async () => {
        const other = await newRecord();
        const weights: readonly (readonly [string, readonly number[]])[] = [
          ['2009', [1.7e308, 1.7e308]],
          ['2010', [70]],
          ['2011', [-1.7e308, -1.7e308]],
          ['2012', [1e308, 1e308, -1e308]],
          ['2013', [1.7e308, 1.6e308, -1.7e308]],
          ['2014', Array.from({ length: 10 }, () => 0.1)],
          ['2015', [1]],
          ['2016', [0]],
        ];
        await post(
          other,
          sdmx(...weights.flatMap(([year, all]) => all.map((weight) => vitals(`${year}-01-01`, weight)))),
        );
        const groups = async (operator: string, order: string): Promise<readonly unknown[]> =>
          jsonOf(
            await get(
              other,
              `VitalSigns/?date_group=date*year&aggregate_by=${operator}*weight_value&order_by=${order}`,
            ),
          ).map(({ group, value }) => [group, value]);
        const rising = [
          ['2016', 0],
          ['2014', 1],
          ['2015', 1],
          ['2010', 70],
          ['2012', 1e308],
          ['2013', 1.6e308],
        ];
        expect(await groups('sum', 'weight_value')).to.equal([...rising, ['2009', null], ['2011', null]]);
        expect(await groups('sum', '-weight_value')).to.equal([
          ['2009', null],
          ['2011', null],
          ...[5, 4, 3, 1, 2, 0].map((index) => rising[index]!),
        ]);
        expect(await groups('avg', 'date')).to.equal([
          ['2009', 1.7e308],
          ['2010', 70],
          ['2011', -1.7e308],
          ['2012', Number((1e308 / 3).toPrecision(15))],
          ['2013', Number((1.6e308 / 3).toPrecision(15))],
          ['2014', 0.1],
          ['2015', 1],
          ['2016', 0],
        ]);
        const only = async (path: string): Promise<unknown> => jsonOf(await get(other, path))[0]!['value'];
        expect(await only('VitalSigns/?date_range=date**2009-12-31&aggregate_by=sum*weight_value')).to.be.null();
        expect(await only('VitalSigns/?date_range=date**2009-12-31&aggregate_by=avg*weight_value')).to.equal(1.7e308);
        const readings = xmlRoot(
          await get(
            other,
            'minimal/vitals/weight/?date_range=date_measured*2011-01-01*2011-12-31&aggregate_by=avg*value',
          ),
        );
        expect(values(readings, '//n:AggregateReport', 'value').map(Number)).to.equal([-1.7e308]);
      });

      it('adds as if nothing were rounded on the way, and shows every digit of small numbers', async () => {
        const other = await newRecord();
        const tenths = Array.from({ length: 308 }, (_, index) => 900 + ((index * 7919) % 431));
        const small: readonly (readonly [string, number])[] = [
          ['2001', 1.2345678901234567e-100],
          ['2002', -1.2345678901234567e100],
          ['2003', 1.2345678901234568e-10],
          ['2004', 2.2250738585072014e-308],
        ];
        const tiny = [5.3e-9, 4.9e-9, 1e-7];
        await post(
          other,
          sdmx(
            ...tenths.map((value) => vitals('2010-01-01', value / 10)),
            ...tenths.toReversed().map((value) => vitals('2011-01-01', value / 10)),
            ...small.map(([year, value]) => vitals(`${year}-01-01`, value)),
            ...tiny.map((value) => vitals('2005-01-01', value)),
          ),
        );
        const years = async (operator: string): Promise<ReadonlyMap<unknown, unknown>> =>
          new Map(
            jsonOf(await get(other, `VitalSigns/?date_group=date*year&aggregate_by=${operator}*weight_value`)).map(
              ({ group, value }) => [group, value],
            ),
          );
        const total = tenths.reduce((sum, value) => sum + value, 0);
        const [sums, averages, largest, least] = (await Promise.all(['sum', 'avg', 'max', 'min'].map(years))) as [
          ReadonlyMap<unknown, unknown>,
          ReadonlyMap<unknown, unknown>,
          ReadonlyMap<unknown, unknown>,
          ReadonlyMap<unknown, unknown>,
        ];
        for (const year of ['2010', '2011']) {
          expect([sums.get(year), averages.get(year)]).to.equal([
            total / 10,
            Number((total / 10 / 308).toPrecision(15)),
          ]);
        }
        expect(averages.get('2005')).to.equal(3.67333333333333e-8);
        for (const [year, value] of small) {
          expect([largest.get(year), least.get(year)]).to.equal([value, value]);
        }
        const groups = jsonOf(
          await get(other, 'VitalSigns/?group_by=weight_value&aggregate_by=count*&date_range=date**2005-12-31'),
        ).map(({ group }) => group);
        expect(groups).to.equal([...small.map(([, value]) => value), ...tiny].sort((a, b) => a - b));
      });

      it('sorts facts and groups by long texts to their end', async () => {
        const other = await newRecord();
        const note = (last: string): string => `${'\u8840'.repeat(360)}${last}`;
        await post(
          other,
          sdmx(
            ...['c', 'a', 'b', 'a', 'c'].map((last) =>
              modelXml('LabResult', {
                test_name_identifier: '2951-2',
                test_name_title: 'Sodium',
                test_name_system: LOINC,
                collected_at: '2010-12-27T17:00:00Z',
                notes: note(last),
              }),
            ),
          ),
        );
        const lasts = (facts: readonly Json[], name: string): readonly unknown[] =>
          facts.map((fact) => String(fact[name]).slice(-1));
        expect(lasts(jsonOf(await get(other, 'LabResult/?order_by=notes')), 'notes')).to.equal([
          'a',
          'a',
          'b',
          'c',
          'c',
        ]);
        expect(lasts(jsonOf(await get(other, 'LabResult/?order_by=-notes&limit=2&offset=1')), 'notes')).to.equal([
          'c',
          'b',
        ]);
        expect(
          jsonOf(await get(other, 'LabResult/?group_by=notes&aggregate_by=count*')).map(({ group, value }) => [
            String(group).slice(-1),
            value,
          ]),
        ).to.equal([
          ['a', 2],
          ['b', 1],
          ['c', 2],
        ]);
      });

      it('filters, orders and pages, and says the effective limit', async () => {
        const weights = async (query: string): Promise<unknown> =>
          jsonOf(await get(recordId, `VitalSigns/?${query}`)).map((fact) => fact['weight_value']);
        expect(await weights('weight_value=70.8%7C80.8')).to.equal([80.8, 70.8]);
        expect(await weights('date=2009-05-16T12:00:00Z')).to.equal([70.8]);
        expect(await weights('weight_name_title=Body%20weight&order_by=date')).to.equal([70.8, 80.8]);
        expect(await weights('date_range=date*2009-05-16T12:00:00.00Z*2009-12-31')).to.equal([70.8]);
        expect(await weights('date_range=date**2009-01-01')).to.equal([]);
        expect(await weights('order_by=-weight_value&limit=1&offset=1')).to.equal([70.8]);
        const empty = await get(recordId, 'VitalSigns/?limit=0');
        expect([empty.text, empty.headers['x-total-count']]).to.equal(['[]', '2']);
        expect((await get(recordId, 'VitalSigns/?limit=9999')).headers['x-limit']).to.equal('50');
        expect(await weights('xoauth_svc_record_id=x&order_by=weight_value')).to.equal([70.8, 80.8]);
      });

      for (const query of [
        'limit=x',
        'offset=-1',
        'status=gone',
        'nope=1',
        'id=1',
        'record=1',
        'weight_value=heavy',
        'date=soon',
        'group_by=date',
        'aggregate_by=avg*date',
        'aggregate_by=avg*weight_unit',
        'date_range=weight_unit*2009-01-01*',
        'date_group=date*decade&aggregate_by=count*',
        'group_by=weight_unit&aggregate_by=count*&order_by=date',
      ]) {
        it(`refuses ?${query}`, async () => {
          const answer = await get(recordId, `VitalSigns/?${query}`);
          expect([answer.status, code(answer)]).to.equal([400, 'invalid_query']);
        });
      }

      it('refuses what is wrong for every model before it looks the model up', async () => {
        for (const query of [
          'limit=x',
          'offset=-1',
          'status=gone',
          'response_format=text/html',
          'group_by=x',
          'aggregate_by=avg',
          'aggregate_by=mean*x',
          'date_range=x',
          'date_range=x*soon*',
          'date_group=x*decade&aggregate_by=count*',
        ]) {
          expect((await get(recordId, `Nope/?${query}`)).status, query).to.equal(400);
        }
        for (const query of ['', '?x=1', '?aggregate_by=avg*x&group_by=y', '?date_range=x**2009-01-01']) {
          expect((await get(recordId, `Nope/${query}`)).status, query).to.equal(404);
        }
      });

      it('answers nobody without control of the record', async () => {
        for (const caller of [null, bob, medications]) {
          expect((await service.call(caller, 'GET', `/records/${recordId}/reports/Medication/`)).status).to.equal(403);
        }
        expect((await service.call(alice, 'GET', `/records/${newId()}/reports/Medication/`)).status).to.equal(403);
        expect((await service.call(alice, 'POST', `/records/${recordId}/reports/Medication/`)).status).to.equal(405);
      });

      it('shows facts of the latest version and of the status asked for only', async () => {
        const other = await newRecord();
        const first = await post(other, sdmx(problem('One', '2001-01-01'), problem('Two', '2002-01-01')));
        const second = attribute(
          succeeded(
            await service.call(alice, 'POST', `/records/${other}/documents/${first}/replace`, {
              body: sdmx(problem('Three', '2003-01-01')),
            }),
          ).text,
          'Document',
          'id',
        );
        expect(jsonOf(await get(other, 'Problem/')).map((fact) => fact['name_title'])).to.equal(['Three']);
        succeeded(
          await service.call(alice, 'POST', `/records/${other}/documents/${second}/set-status`, {
            form: { status: 'void', reason: 'wrong' },
          }),
        );
        expect(jsonOf(await get(other, 'Problem/'))).to.equal([]);
        expect(jsonOf(await get(other, 'Problem/?status=void')).map((fact) => fact['name_title'])).to.equal(['Three']);
        expect(jsonOf(await get(other, 'Problem/?status=archived'))).to.equal([]);
      });
    });

    describe('the minimal reports', () => {
      let recordId: string;
      let documentId: string;
      before(async () => {
        recordId = await newRecord();
        documentId = await post(
          recordId,
          sdmx(
            problem('Hypertension', '2009-05-16'),
            modelXml('Allergy', {
              category_identifier: '416098002',
              category_title: 'Drug allergy',
              category_system: SNOMED,
              allergic_reaction_identifier: '39579001',
              allergic_reaction_title: 'Anaphylaxis',
              allergic_reaction_system: SNOMED,
              severity_identifier: '24484000',
              severity_title: 'Severe',
              severity_system: SNOMED,
              drug_class_allergen_identifier: 'N1',
              drug_class_allergen_title: 'Sulfonamides',
              drug_class_allergen_system: 'http://purl.bioontology.org/ontology/NDFRT/',
            }),
            modelXml('Measurement', { type: 'HBA1C', value: 5.5, unit: '%', datetime: '2010-01-02T03:04:05Z' }),
            modelXml('Measurement', { type: 'LDL', value: 100, unit: 'mg/dL', datetime: '2010-01-02T03:04:05Z' }),
            modelXml('VitalSigns', {
              date: '2009-05-16T12:00:00Z',
              bp_systolic_value: 132,
              bp_systolic_unit: 'mm[Hg]',
              bp_diastolic_value: 0,
              bp_diastolic_unit: 'mm[Hg]',
              bp_site_title: 'Left arm',
              bp_position_title: 'Sitting',
              heart_rate_value: 70,
              heart_rate_unit: '{beats}/min',
              heart_rate_name_identifier: '8867-4',
              heart_rate_name_title: 'Heart rate',
              heart_rate_name_system: LOINC,
            }),
            modelXml('VitalSigns', {
              date: '2010-05-16T12:00:00Z',
              heart_rate_value: 80,
              heart_rate_unit: '{beats}/min',
              heart_rate_name_title: 'Puls',
            }),
            modelXml('Equipment', { name: 'cane', vendor: 'Acme', date_started: '2009-01-01' }),
            modelXml('Procedure', {
              name: 'Appendectomy',
              name_type: 'http://snomed.info/sct',
              name_value: '80146002',
              provider_name: 'Dr A',
            }),
            modelXml('SimpleClinicalNote', {
              date_of_visit: '2010-01-01T10:00:00Z',
              finalized_at: '2010-01-02T10:00:00Z',
              specialty: 'Cardiology',
              provider_name: 'Dr B',
              provider_institution: 'Clinic',
              content: 'two\nlines',
            }),
            modelXml('Immunization', {
              date: '2009-05-16T12:00:00Z',
              administration_status_identifier: 'doseGiven',
              administration_status_title: 'Dose given',
              administration_status_system: 'http://smartplatforms.org/terms/codes/ImmunizationAdministrationStatus#',
              product_name_identifier: '111',
              product_name_title: 'Influenza',
              product_name_system: 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#',
            }),
            modelXml('LabResult', {
              test_name_identifier: '2951-2',
              test_name_title: 'Sodium',
              test_name_system: LOINC,
              collected_at: '2010-12-27T17:00:00Z',
              collected_by_org_name: 'City Lab',
              quantitative_result_value_value: '140',
              quantitative_result_value_unit: 'mEq/L',
              quantitative_result_normal_range_min_value: '135',
              quantitative_result_normal_range_min_unit: 'mEq/L',
            }),
          ),
        );
        await post(recordId, sdmx(medication('Aspirin', [])));
      });

      const minimal = async (path: string): Promise<Element> => xmlRoot(await get(recordId, `minimal/${path}`));

      it('wraps each item with the query and its document', async () => {
        const answer = succeeded(
          await get(
            recordId,
            'minimal/problems/?problem_name=Hypertension%7CNone&date_range=date_onset*2009-01-01*&limit=5',
          ),
        );
        expect(answer.headers['content-type']).to.equal('application/xml; charset=utf-8');
        const root = parseXml(answer.text).root()!;
        expect(root.namespace()?.href()).to.equal(NS);
        const [summary] = find(root, '/n:Reports/n:Summary');
        expect(summary!.attrs().map((item) => [item.name(), item.value()])).to.equal([
          ['total_document_count', '1'],
          ['limit', '5'],
          ['offset', '0'],
          ['order_by', '-created_at'],
        ]);
        expect(values(root, 'n:QueryParams/n:DateRange', 'value')).to.equal(['date_onset*2009-01-01T00:00:00Z*']);
        expect(values(root, 'n:QueryParams/n:Filters/n:Filter', 'value')).to.equal(['Hypertension|None']);
        expect(values(root, 'n:Report/n:Meta/n:Document', 'id')).to.equal([documentId]);
        expect(values(root, 'n:Report/n:Meta/n:Document', 'record_id')).to.equal([recordId]);
        expect(values(root, 'n:Report/n:Meta/n:Document', 'type')).to.equal([`${NS}Models`]);
        expect(find(root, '//n:latest').length).to.equal(0);
        expect(texts(root, 'n:Report/n:Item/n:Problem/n:name')).to.equal(['Hypertension']);
        expect(values(root, 'n:Report/n:Item/n:Problem/n:name', 'value')).to.equal(['38341003']);
      });

      it('shows every kind of item', async () => {
        const item = async (path: string): Promise<Element> => find(await minimal(path), 'n:Report/n:Item/*')[0]!;
        const allergy = await item('allergies/?allergen_name=Sulfonamides');
        expect(texts(allergy, 'n:allergen/n:name')).to.equal(['Sulfonamides']);
        expect(texts(allergy, 'n:reaction')).to.equal(['Anaphylaxis']);
        expect(texts(await item('medications/?medication_name=Aspirin'), 'n:dateStarted')).to.equal(['2009-05-16']);
        expect(texts(await item('equipment/?equipment_vendor=Acme&date_started=2009-01-01'), 'n:vendor')).to.equal([
          'Acme',
        ]);
        const procedure = await item('procedures/?procedure_name=Appendectomy');
        expect(find(procedure, 'n:datePerformed').length).to.equal(0);
        expect(texts(procedure, 'n:provider/n:name')).to.equal(['Dr A']);
        const note = await item('simple-clinical-notes/?specialty=Cardiology&provider_name=Dr%20B');
        expect(texts(note, 'n:finalizedAt')).to.equal(['2010-01-02T10:00:00Z']);
        expect(texts(note, 'n:signature/n:provider/n:institution')).to.equal(['Clinic']);
        expect(texts(note, 'n:content')).to.equal(['two\nlines']);
        expect(values(await minimal('immunizations/?vaccine_type=Influenza'), '//n:vaccine/n:type', 'value')).to.equal([
          '111',
        ]);
        const labReport = await item('labs/?lab_test_name=Sodium&date_range=date_measured*2010-12-27*2010-12-28');
        expect(texts(labReport, 'n:firstLabTestValue')).to.equal(['140 mEq/L']);
        expect(texts(labReport, 'n:normalRangeMinimum')).to.equal(['135 mEq/L']);
        expect(texts(labReport, 'n:laboratory/n:name')).to.equal(['City Lab']);
      });

      it('takes native names too, and old names without a column, which find nothing', async () => {
        const total = async (path: string): Promise<string | undefined> =>
          values(await minimal(path), 'n:Summary', 'total_document_count')[0];
        expect(await total('problems/?name_identifier=38341003&created_at=1999-01-01')).to.equal('0');
        expect(await total('problems/?name_title=Hypertension')).to.equal('1');
        expect(await total('medications/?medication_brand_name=Bayer')).to.equal('0');
        expect(await total('labs/?lab_type=Chemistry')).to.equal('0');
        expect(await total('allergies/?date_range=date_diagnosed*2000-01-01*')).to.equal('0');
        expect(await total('allergies/?date_range=date_diagnosed**')).to.equal('1');
        expect(
          values(await minimal('labs/?group_by=lab_type&aggregate_by=count*'), '//n:AggregateReport', 'value'),
        ).to.equal(['1']);
        expect((await get(recordId, 'minimal/problems/?equipment_name=cane')).status).to.equal(400);
        expect((await get(recordId, 'minimal/nothing/')).status).to.equal(404);
      });

      it('gives measurements by the code of the path, ignoring case and any code of the query', async () => {
        const root = await minimal('measurements/hba1c/?lab_code=LDL');
        expect(values(root, '//n:Measurement', 'type')).to.equal(['HBA1C']);
        expect(values(root, '//n:Measurement', 'value')).to.equal(['5.5']);
        expect(values(root, '//n:Measurement', 'source_doc')).to.equal([documentId]);
        expect(values(root, '//n:Measurement', 'datetime')).to.equal(['2010-01-02T03:04:05Z']);
        expect(values(root, '//n:Filter', 'value')).to.equal(['hba1c']);
        expect(find(await minimal('measurements/NONE/'), '//n:Report').length).to.equal(0);
      });

      it('makes an item of every reading, zero too', async () => {
        const root = await minimal('vitals/?order_by=date_measured');
        expect(values(root, 'n:Summary', 'total_document_count')).to.equal(['4']);
        expect(texts(root, '//n:VitalSign/n:name')).to.equal([
          'blood pressure systolic',
          'blood pressure diastolic',
          'Heart rate',
          'Puls',
        ]);
        expect(texts(root, '//n:VitalSign/n:value')).to.equal(['132', '0', '70', '80']);
        expect(texts(root, '//n:VitalSign/n:site')).to.equal(['Left arm', 'Left arm']);
        expect(texts(root, '//n:VitalSign[1]/n:unit')).to.equal(['mm[Hg]', 'mm[Hg]', '{beats}/min', '{beats}/min']);
        expect(texts(await minimal('vitals/?order_by=-value&limit=2&offset=1'), '//n:VitalSign/n:value')).to.equal([
          '80',
          '70',
        ]);
        expect(texts(await minimal('vitals/?value=70%7C0&order_by=value'), '//n:VitalSign/n:value')).to.equal([
          '0',
          '70',
        ]);
        expect(
          values(await minimal('vitals/?group_by=category&aggregate_by=max*value'), '//n:AggregateReport', 'group'),
        ).to.equal(['Heart rate', 'Puls', 'blood pressure diastolic', 'blood pressure systolic']);
        expect(
          values(
            await minimal('vitals/?date_group=date_measured*year&aggregate_by=count*'),
            '//n:AggregateReport',
            'value',
          ),
        ).to.equal(['3', '1']);
      });

      for (const [category, expected] of [
        ['heart_rate', ['70', '80']],
        ['HEART_RATE', ['70', '80']],
        ['Heart%20rate', ['70', '80']],
        ['8867-4', ['70', '80']],
        ['puls', ['80']],
        ['PULS', ['80']],
        ['blood_pressure_systolic', ['132']],
        ['bp_diastolic', ['0']],
        ['nothing', []],
      ] as const) {
        it(`finds the category ${category}, with and without the last slash`, async () => {
          for (const slash of ['', '/']) {
            expect(texts(await minimal(`vitals/${category}${slash}`), '//n:VitalSign/n:value')).to.equal(expected);
          }
        });
      }

      it('takes underscores of a category in the query for spaces, too', async () => {
        for (const [category, expected] of [
          ['blood_pressure_systolic', ['132']],
          ['BP_Diastolic', ['0']],
          ['heart%20rate', ['70', '80']],
          ['heart_rate', ['70', '80']],
        ] as const) {
          expect(texts(await minimal(`vitals/?category=${category}`), '//n:VitalSign/n:value'), category).to.equal(
            expected,
          );
        }
      });

      it('takes the usual code of a reading only for one that has no other', async () => {
        const other = await newRecord();
        const height = (value: number, code: string, title: string): string =>
          modelXml('VitalSigns', {
            date: '2010-01-01',
            height_value: value,
            height_unit: 'm',
            height_name_identifier: code,
            height_name_title: title,
            height_name_system: LOINC,
          });
        await post(other, sdmx(height(1.8, '8302-2', 'Body height'), height(1.7, '8306-3', 'Body height (lying)')));
        const found = async (category: string): Promise<readonly string[]> =>
          texts(xmlRoot(await get(other, `minimal/vitals/${category}`)), '//n:VitalSign/n:value');
        expect([
          await found('8302-2'),
          await found('8306-3'),
          await found('height'),
          await found('body_height_(lying)'),
        ]).to.equal([['1.8'], ['1.7'], ['1.8', '1.7'], ['1.7']]);
      });

      it('lets the query change the category of the path', async () => {
        expect(texts(await minimal('vitals/heart_rate/?category=8462-4'), '//n:VitalSign/n:value')).to.equal(['0']);
      });

      it('shows aggregates with an empty document', async () => {
        const root = await minimal('vitals/heart_rate/?aggregate_by=avg*value');
        expect(values(root, '//n:Item/n:AggregateReport', 'value')).to.equal(['75']);
        expect(values(root, '//n:Meta/n:Document', 'id')).to.equal(['']);
        expect(texts(root, '//n:Meta/n:Document/n:nevershare')).to.equal(['false']);
        expect(values(root, 'n:Summary', 'total_document_count')).to.equal(['1']);
        expect(values(root, 'n:QueryParams/n:AggregateBy', 'value')).to.equal(['avg*value']);
        expect(find(root, 'n:Summary/@order_by').length).to.equal(0);
      });

      it('refuses what it cannot read', async () => {
        for (const path of [
          'vitals/?value=high',
          'vitals/?group_by=category',
          'problems/?status=gone',
          'measurements/X/?limit=-1',
        ]) {
          const answer = await get(recordId, `minimal/${path}`);
          expect([answer.status, code(answer)]).to.equal([400, 'invalid_query']);
        }
      });
    });

    describe('carenets', () => {
      it('show exactly the facts of the documents they contain, to members only', async () => {
        const { database } = service.services;
        const recordId = await newRecord();
        const [carenet] = await sharingStore.listCarenets(direct(database), recordId, { limit: 1, offset: 0 });
        const carenetId = carenet!.id;
        await sharingStore.putMember(direct(database), carenetId, 'carol@example.org', false, now(service.services));
        const [placed, hidden, never] = [
          await post(recordId, sdmx(problem('Placed', '2001-01-01'))),
          await post(recordId, sdmx(problem('Hidden', '2002-01-01'))),
          await post(recordId, sdmx(problem('Never', '2003-01-01'))),
        ];
        succeeded(await service.call(alice, 'PUT', `/records/${recordId}/documents/${placed}/carenets/${carenetId}`));
        const seen = async (caller: Signs = carol): Promise<readonly string[]> => {
          const generic = jsonOf(
            await service.call(caller, 'GET', `/carenets/${carenetId}/reports/Problem/?order_by=startDate`),
          ).map((fact) => String(fact['name_title']));
          const root = xmlRoot(
            await service.call(caller, 'GET', `/carenets/${carenetId}/reports/minimal/problems/?order_by=date_onset`),
          );
          expect(texts(root, '//n:Problem/n:name')).to.equal(generic);
          expect(values(root, 'n:Summary', 'total_document_count')).to.equal([String(generic.length)]);
          return generic;
        };
        expect(await seen()).to.equal(['Placed']);
        await sharingStore.putAutoshares(direct(database), carenetId, [`${NS}Models`], now(service.services));
        expect(await seen()).to.equal(['Placed', 'Hidden', 'Never']);
        await sharingStore.putPreference(direct(database), carenetId, hidden, false, now(service.services));
        succeeded(await service.call(alice, 'PUT', `/records/${recordId}/documents/${never}/nevershare`));
        expect(await seen()).to.equal(['Placed']);
        expect(await seen(alice)).to.equal(['Placed']);
        await enable(service.services, recordId, medications!.consumer.key);
        const app = await addToken(service.services, {
          app: medications as Signs,
          accountId: 'alice@example.org',
          recordId,
        });
        expect(await seen(app)).to.equal(['Placed']);
        expect(
          jsonOf(await service.call(carol, 'GET', `/carenets/${carenetId}/reports/Problem/?aggregate_by=count*`))[0]![
            'value'
          ],
        ).to.equal(1);
        for (const path of [
          'minimal/vitals/',
          'minimal/vitals/heart_rate',
          'minimal/vitals/heart_rate/',
          'minimal/measurements/X/',
          'minimal/labs/',
          'Problem/?response_format=application%2Frdf%2Bxml',
        ]) {
          expect((await service.call(carol, 'GET', `/carenets/${carenetId}/reports/${path}`)).status).to.equal(200);
        }
        for (const caller of [null, bob, medications]) {
          expect((await service.call(caller, 'GET', `/carenets/${carenetId}/reports/Problem/`)).status).to.equal(403);
          expect(
            (await service.call(caller, 'GET', `/carenets/${carenetId}/reports/minimal/problems/`)).status,
          ).to.equal(403);
        }
        expect((await service.call(carol, 'GET', `/records/${recordId}/reports/Problem/`)).status).to.equal(403);
        expect((await service.call(carol, 'GET', `/carenets/${newId()}/reports/Problem/`)).status).to.equal(403);
      });
    });

    describe('a model of a deployer', () => {
      it('has reports in its own way of writing beside the usual ones', async () => {
        const folder = writeFolder({
          'sleep.yaml':
            '__modelname__: Siesta\nserializers: ./sleep.js\nhours: { type: Number, required: true }\nnaps: [{ ' +
            '__modelname__: Nap, minutes: Integer }]',
          'sleep.js':
            'module.exports = { to_xml: (facts, total, record, carenet) => `<sleep total="${total}" ' +
            'record="${record.id}" carenet="${carenet}">${facts.map((fact) => fact.values.hours + ' +
            'fact.children.naps.length)}</sleep>`, to_rdf: async () => "<rdf/>" };',
        });
        const own = await startService(leg, { SVC_DATAMODELS_DIR: `datamodels:${folder}` });
        try {
          const owner = await addPerson(own.services, 'alice@example.org', 'Alice Lee');
          const recordId = await createRecord(own.call, 'alice@example.org');
          succeeded(
            await own.call(owner, 'POST', `/records/${recordId}/documents/`, {
              body: sdmx(
                modelXml(
                  'Siesta',
                  { hours: 7.5 },
                  `<Field name="naps"><Models>${modelXml('Nap', { minutes: 20 })}</Models></Field>`,
                ),
              ),
            }),
          );
          const read = async (format: string): Promise<string> =>
            succeeded(
              await own.call(
                owner,
                'GET',
                `/records/${recordId}/reports/siesta/?response_format=${encodeURIComponent(format)}`,
              ),
            ).text;
          expect(await read('application/xml')).to.equal(
            `<sleep total="1" record="${recordId}" carenet="null">8.5</sleep>`,
          );
          expect(await read('application/rdf+xml')).to.equal('<rdf/>');
          expect(JSON.parse(await read('application/json'))).to.part.include([{ __modelname__: 'Siesta', hours: 7.5 }]);
        } finally {
          await own.stop();
          removeFolder(folder);
        }
      });

      it('whose own way of writing hangs answers 500 in time, and everybody else goes on', async () => {
        const folder = writeFolder({
          'sleep.yaml': '__modelname__: Siesta\nserializers: ./sleep.js\nhours: { type: Number, required: true }',
          'sleep.js': 'exports.to_xml = () => { for (;;) {} };',
        });
        const own = await startService(leg, {
          SVC_DATAMODELS_DIR: `datamodels:${folder}`,
          SVC_TRANSFORM_SECONDS: '1',
        });
        try {
          const owner = await addPerson(own.services, 'alice@example.org', 'Alice Lee');
          const recordId = await createRecord(own.call, 'alice@example.org');
          const post = () =>
            own.call(owner, 'POST', `/records/${recordId}/documents/`, {
              body: sdmx(modelXml('Siesta', { hours: 7.5 })),
            });
          succeeded(await post());
          const hanging = own.call(
            owner,
            'GET',
            `/records/${recordId}/reports/Siesta/?response_format=application/xml`,
          );
          succeeded(await post());
          expect(
            JSON.parse(succeeded(await own.call(owner, 'GET', `/records/${recordId}/reports/Siesta/`)).text),
          ).to.have.length(2);
          const { status, text } = await hanging;
          expect([status, attribute(text, 'error', 'code')]).to.equal([500, 'report_failed']);
          expect(text).to.contain('Siesta').and.to.not.contain('sleep.js');
        } finally {
          await own.stop();
          removeFolder(folder);
        }
      });
    });
  });
}
