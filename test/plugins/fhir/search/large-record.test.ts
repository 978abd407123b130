/** large-record: a record with more resources than are looked through at once is searched by its shortest list or in order. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { watchStatements, type Watched } from '../../../../core/db/watch';
import { databases } from '../../../support/databases';
import { fieldsXml } from '../../../support/fields';
import { countResources, searchResources, type ResourceKey } from '../../../../core/documents/kept-resources-store';
import { shortestWay } from '../../../../core/documents/sought-rows-store';
import { readSoughtDate } from '../../../../core/fhir/search-dates';
import { searchedAs } from '../../../../plugins/fhir/read/supported-types';
import { keptConditions } from '../../../../plugins/fhir/search/kept-search';
import { orderBy } from '../../../../plugins/fhir/search/kept-searches';
import { readSearch } from '../../../../plugins/fhir/search/search-query';
import { succeeded } from '../../../support/world';
import { startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** More than are read at once (`FEW` in plugins/fhir/asking.ts). */
const RESULTS = 3200;
const CODES = 40;
const HOUR = 3_600_000;
const TESTS = 'search_value_place_word_system_high_num_from_num_to';

const result = (number: number): string =>
  `<Model name="LabResult">${fieldsXml({
    test_name_title: `Test ${number % CODES}`,
    test_name_identifier: `${number % CODES}-1`,
    test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
    // Two at a time have the same date.
    collected_at: new Date(Date.UTC(2020, 0, 1) + Math.floor(number / 2) * HOUR).toISOString(),
    quantitative_result_value_value: number,
    quantitative_result_value_unit: 'mmol/L',
  })}</Model>`;

for (const leg of databases) {
  describe(`a large record at the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
      const results = Array.from({ length: RESULTS }, (_, number) => result(number));
      await ground.put(`<Models xmlns="https://svc.example/vocab/xml/documents#">${results.join('')}</Models>`);
    });
    after(() => ground.service.stop());

    const valuesIn = ({ entry = [] }: Read): readonly number[] =>
      (entry as readonly Read[]).map(({ resource }) => Number(resource.valueQuantity.value));
    const pagesOf = async (query: string): Promise<readonly Read[]> => {
      const pages: Read[] = [];
      for (let path: string | undefined = query; path !== undefined;) {
        const page = await ground.get(path);
        pages.push(page);
        const next = (page['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
        path = next && String(next['url']).split('/fhir')[1];
      }
      return pages;
    };

    it('finds everything once and in order, page by page', async () => {
      const pages = await pagesOf('/Observation?_sort=-date&_count=700');
      const values = pages.flatMap(valuesIn);
      expect(pages[0]!['total']).to.equal(RESULTS);
      expect(new Set(values).size).to.equal(RESULTS);
      // The newest first; of the same date, in the order in which they were stored.
      const expected = Array.from({ length: RESULTS / 2 }, (_, pair) => RESULTS - 2 - 2 * pair);
      expect(values).to.equal(expected.flatMap((first) => [first, first + 1]));
      const upwards = await ground.get('/Observation?_sort=date&_count=4');
      expect(valuesIn(upwards)).to.equal([0, 1, 2, 3]);
    });

    it('finds few among many by every condition of a search', async () => {
      const of7 = Array.from({ length: RESULTS / CODES }, (_, times) => times * CODES + 7);
      const all = await ground.get('/Observation?code=7-1&_sort=date&_count=100&_total=accurate');
      expect(valuesIn(all)).to.equal(of7);
      expect(all['total']).to.equal(of7.length);
      const some = await ground.get(
        '/Observation?code=7-1&category=laboratory&date=lt2020-02-01&_sort=-date&_count=100',
      );
      const before = of7.filter((number) => Math.floor(number / 2) < 31 * 24);
      expect(valuesIn(some)).to.equal([...before].reverse());
      expect(some['total']).to.equal(before.length);
      expect((await ground.get('/Observation?code:not=7-1&_summary=count'))['total']).to.equal(RESULTS - of7.length);
      expect((await ground.get('/Observation?code=7-1&status=cancelled'))['total']).to.equal(0);
      expect((await ground.get('/Observation?_lastUpdated=lt2020'))['total']).to.equal(0);
      expect((await ground.get('/Observation?_lastUpdated=ge2020&code=7-1'))['total']).to.equal(of7.length);
      for (const nothing of ['value-quantity=gt9000', 'date=ge2099', 'code=7-1&value-quantity=lt1&_sort=date']) {
        const found = await ground.get(`/Observation?${nothing}&_total=accurate`);
        expect([valuesIn(found), found['total']], nothing).to.equal([[], 0]);
      }
    });

    it('finds a time by both of its ends in one list', async () => {
      const inDay = (query: string): Promise<Read> => ground.get(`/Observation?${query}&_sort=date&_count=100`);
      const dayOf = (day: number): readonly number[] => Array.from({ length: 48 }, (_, index) => day * 48 + index);
      expect(valuesIn(await inDay('date=2020-01-05'))).to.equal(dayOf(4));
      expect(valuesIn(await inDay('date=ge2020-01-05&date=lt2020-01-06'))).to.equal(dayOf(4));
      expect(valuesIn(await inDay('date=ge2020-01-05&date=lt2020-01-07&date=ne2020-01-06'))).to.equal(dayOf(4));
      const lists = await listsOf('/Observation?date=ge2020-01-05&date=lt2020-01-06');
      expect(lists).to.have.length(1);
    });

    /** The statements that list what meets a condition, with the index in the place of what they answer. */
    const listsOf = async (query: string): Promise<readonly Watched[]> => {
      const asked: Watched[] = [];
      const stop = watchStatements((one) => void asked.push(one));
      await ground.get(query).finally(stop);
      const [counting] = asked.filter(({ sql }) => / as rows_0/.test(sql));
      expect(counting, query).to.exist();
      return [...counting!.sql.matchAll(/from \((select found\.resource .*?) limit \?\) as rows_/g)].map(([, list]) => {
        const values = counting!.values.slice(0, list!.split('?').length - 1);
        return { sql: list!.replace('found.resource as seq', 'found.place as seq'), values };
      });
    };

    it('has the latest result of each kind in a summary, however old it is', async () => {
      const old = (fields: Readonly<Record<string, string | number>>): string =>
        `<Model name="LabResult">${fieldsXml({ collected_at: '2001-02-03', quantitative_result_value_unit: 'g', ...fields })}</Model>`;
      const coded = {
        test_name_title: 'Old and coded',
        test_name_identifier: '999-9',
        test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
      };
      const elsewhere = { test_name_title: 'Test 7', test_name_identifier: '7-1', test_name_system: 'urn:oid:2.999' };
      const results = [
        old({ ...coded, quantitative_result_value_value: 90_001 }),
        old({ ...elsewhere, quantitative_result_value_value: 90_002 }),
        old({ test_name_title: 'Old in words', quantitative_result_value_value: 90_003 }),
      ];
      await ground.put(`<Models xmlns="https://svc.example/vocab/xml/documents#">${results.join('')}</Models>`);
      const { entry } = await ground.get(`/Patient/${ground.recordId}/$summary`);
      const values = (entry as readonly Read[]).flatMap(({ resource }) =>
        resource.resourceType === 'Observation' ? [Number(resource.valueQuantity.value)] : [],
      );
      const newest = Array.from({ length: CODES }, (_, index) => RESULTS - CODES + index);
      expect(values.sort((one, other) => one - other)).to.equal([...newest, 90_001, 90_002, 90_003]);
    });

    if (leg.name === 'sqlite') {
      it('looks for what has no date by resource, and not through all dates for each', async () => {
        const asked: Watched[] = [];
        const stop = watchStatements((one) => void asked.push(one));
        await ground.get('/Condition?_sort=-onset-date').finally(stop);
        const [unsaid] = asked.filter(({ sql }) => /not exists \(select 1 from search_value as sorting/.test(sql));
        const { reads } = ground.service.services.database;
        const rows = await reads.rows<{ detail: string }>(`explain query plan ${unsaid!.sql}`, unsaid!.values);
        const sorting = rows.map(({ detail }) => detail).filter((detail) => / sorting /.test(detail));
        expect(sorting).to.have.length(2);
        sorting.forEach((detail) =>
          expect(detail).to.match(/INDEX search_value_resource_place \(resource=\? AND place=\?\)/),
        );
      });
    }

    const conditionsOf = (query: string) => {
      const { search, sortable } = searchedAs('Observation');
      const supported = new Map(search.map((one) => [one.name, one]));
      const reading = { supported, sortable, includes: [], reverseIncludes: [], strict: true };
      const { filters } = readSearch(new URLSearchParams(query), reading);
      const dateOf = (name: string, value: string) => readSoughtDate(name, value, Date.UTC(2026, 0, 1));
      return keptConditions('Observation', filters, { base: '', recordId: ground.recordId, dateOf });
    };

    it('counts what very many meet in an index, without those that were archived', async () => {
      const { reads } = ground.service.services.database;
      const old = '<Models xmlns="https://svc.example/vocab/xml/documents#">' + `${result(7)}${result(8)}</Models>`;
      const archived = await ground.put(old);
      const path = `/records/${ground.recordId}/documents/${archived}/set-status`;
      const form = { status: 'archived', reason: 'old' };
      succeeded(await ground.service.call(ground.alice, 'POST', path, { form }));
      const scope = { recordId: ground.recordId };
      for (const query of [
        'category=laboratory',
        `subject=Patient/${ground.recordId}`,
        'code=7-1,8-1',
        'date=ge2020',
        'date=ge2020-01-02',
        'category=laboratory&date=ge2020-01-02',
      ]) {
        const conditions = conditionsOf(query);
        const plain = { types: ['Observation'], conditions };
        const asked: Watched[] = [];
        const search = { ...plain, ...(await shortestWay(reads, conditions, 10)) };
        const stop = watchStatements((one) => void asked.push(one));
        const counted = await countResources(reads, scope, search).finally(stop);
        expect(counted, query).to.equal(await countResources(reads, scope, plain));
        const isByRows = asked.every(({ sql }) => !/where kept\.record_id = \?/.test(sql));
        expect(isByRows, query).to.equal(!/[,&]/.test(query));
      }
    });

    it('goes through what very many meet in the order of the answer, and finds the same, page by page', async () => {
      const { reads } = ground.service.services.database;
      const asked: Watched[] = [];
      const stop = watchStatements((one) => void asked.push(one));
      for (const query of [
        'category=laboratory',
        'category=laboratory&date=ge2020-02-01',
        'code:not=7-1&date=lt2020-03',
      ]) {
        const conditions = conditionsOf(query);
        const plain = { types: ['Observation'], conditions };
        const walk = { ...plain, ...(await shortestWay(reads, conditions, 10)) };
        expect(walk.leading, query).to.be.undefined();
        for (const names of [[], ['-date'], ['date'], ['-date', '_id']]) {
          const orders = names.map((name) => orderBy('Observation', name.replace('-', ''), name.startsWith('-')));
          const inOrder = orders.length === 0 ? [{ by: 'stored', descending: true } as const] : orders;
          const scope = { recordId: ground.recordId };
          const all = await searchResources(reads, scope, plain, inOrder, undefined, 90);
          let found: readonly ResourceKey[] = [];
          for (let page = 0; page < 3; page += 1) {
            found = [...found, ...(await searchResources(reads, scope, walk, inOrder, found.at(-1), 30))];
          }
          expect(found, `${query} ${names.join(',')}`).to.equal(all);
        }
      }
      stop();
      const bounds = asked.filter(({ sql }) => /^(?:set statement \S+ = \d+ for )?select sort_0 /.test(sql));
      expect(bounds).to.have.length(leg.name === 'mysql' ? 36 : 0);
      for (const { sql, values } of bounds) {
        const plan = await reads.rows<Read>(`explain format=traditional ${sql.replace(/^.*? for /, '')}`, values);
        expect(String(plan[0]!['Extra']), sql).to.not.include('filesort');
      }
    });

    it('does not count what very many meet by each condition, unless it is asked to', async () => {
      const { reads } = ground.service.services.database;
      const isMany = async (query: string): Promise<boolean> =>
        (await shortestWay(reads, conditionsOf(query), 50)).isMany;
      for (const query of ['category=laboratory', 'category=laboratory&date=ge2020', 'code:not=7-1&date=ge2020']) {
        expect(await isMany(query), query).to.be.true();
      }
      for (const query of ['code:not=7-1', '_id=1', '_id=1&category=laboratory', 'value-quantity=lt3&date=ge2020']) {
        expect(await isMany(query), query).to.be.false();
      }
    });

    it('tests codes, dates and amounts in an index, and reads only the rows that it finds', async () => {
      const { reads } = ground.service.services.database;
      for (const query of [
        'code=http://loinc.org|7-1',
        'date=ge2020-05-01',
        'date=2020-01-05',
        'value-quantity=gt9000',
        'value-quantity=lt3|http://unitsofmeasure.org|mmol/L',
        'combo-code=7-1',
      ]) {
        const [list] = await listsOf(`/Observation?${query}`);
        if (leg.name === 'sqlite') {
          const rows = await reads.rows<{ detail: string }>(`explain query plan ${list!.sql}`, list!.values);
          const plan = rows.map(({ detail }) => detail).filter((detail) => / found /.test(detail));
          expect(plan, query).to.have.length(1);
          expect(plan[0], query).to.match(new RegExp(`COVERING INDEX ${TESTS} `));
        } else {
          const rows = await reads.rows<Read>(`explain format=traditional ${list!.sql}`, list!.values);
          expect(rows, query).to.have.length(1);
          expect(rows[0]!['key'], query).to.equal(TESTS);
          expect(rows[0]!['Extra'], query).to.include('Using index');
        }
      }
    });
  });
}
