/** containment: all queries of the rule agree with each other and with the rule as it is documented. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { containedIn, containedLineages, containing, countContained } from '../../../core/sharing/containment';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const STAMP = '2026-01-02T03:04:05.000000Z';
const CARENETS = ['one', 'two', 'empty'];

/** Pseudo-random, the same numbers in every run. */
const chance = (seed: number): number => ((Math.imul(seed + 1, 2654435761) >>> 0) % 1000) / 1000;

for (const leg of databases) {
  describe(`containment on ${leg.name}`, () => {
    let open: OpenDatabase;
    /** Carenet -> ids of what it contains. */
    const expected = new Map<string, string[]>(CARENETS.map((carenet) => [carenet, []]));

    before(async () => {
      open = await openTestDatabase(leg);
      const knex = direct(open.database);
      await knex('carenet').insert([
        ...CARENETS.map((id) => ({ id, record_id: 'ours', name: id, created_at: STAMP })),
        { id: 'foreign', record_id: 'theirs', name: 'foreign', created_at: STAMP },
      ]);
      const types: Readonly<Record<string, readonly string[]>> = {
        one: ['lab', 'note'],
        two: ['lab'],
        empty: [],
        foreign: ['lab', 'note', 'plan'],
      };
      await knex('carenet_autoshare').insert(
        Object.entries(types).flatMap(([carenet, list]) =>
          list.map((type) => ({ carenet_id: carenet, type, created_at: STAMP })),
        ),
      );
      for (let index = 0; index < 200; index += 1) {
        const [id, type, nevershare] = [`doc-${index}`, ['lab', 'note', 'plan'][index % 3]!, chance(index) < 0.2];
        const record = index % 10 === 9 ? 'theirs' : 'ours';
        await knex('document_lineage').insert({
          id,
          record_id: record,
          type,
          latest_id: id,
          latest_created_at: STAMP,
          status: index % 7 === 0 ? 'void' : 'active',
          nevershare: nevershare ? 1 : 0,
          label: null,
          created_at: STAMP,
        });
        for (const [place, carenet] of CARENETS.entries()) {
          const roll = carenet === 'empty' ? 1 : chance(index * 7 + place * 1013);
          const wish = roll < 0.4 ? roll < 0.2 : undefined;
          if (wish !== undefined) {
            await knex('carenet_preference').insert({
              carenet_id: carenet,
              lineage_id: id,
              shared: wish ? 1 : 0,
              changed_at: STAMP,
            });
          }
          if (record === 'ours' && !nevershare && (wish ?? types[carenet]!.includes(type))) {
            expected.get(carenet)!.push(id);
          }
        }
      }
    });
    after(() => open.drop());

    const scopeOf = (carenetId: string) => ({ recordId: 'ours', carenetId });

    it('is put to the test: something is in, something is out', () => {
      expect(expected.get('one')!.length).to.be.within(40, 160);
      expect(expected.get('two')!.length).to.be.within(20, 150);
    });

    it('is the same asked document by document, as a list, as a number, and carenet by carenet', async () => {
      const knex = direct(open.database);
      for (const carenet of CARENETS) {
        const one = (await containedIn(
          knex('document_lineage as lineage').where('lineage.record_id', 'ours'),
          'lineage',
          carenet,
        ).pluck('lineage.id')) as string[];
        const set = (await knex
          .from(containedLineages(knex, scopeOf(carenet), (query) => query).as('contained'))
          .join('document_lineage as lineage', 'lineage.seq', 'contained.seq')
          .pluck('lineage.id')) as string[];
        const pairs = (await containing(
          knex('document_lineage as lineage')
            .join('carenet', 'carenet.record_id', 'lineage.record_id')
            .where('carenet.id', carenet),
          'lineage',
          'carenet',
        ).pluck('lineage.id')) as string[];
        const wanted = [...expected.get(carenet)!].sort();
        expect(one.sort(), carenet).to.equal(wanted);
        expect(set.sort(), carenet).to.equal(wanted);
        expect(pairs.sort(), carenet).to.equal(wanted);
        expect(await countContained(open.database.reads, scopeOf(carenet), (query) => query)).to.equal(wanted.length);
      }
    });

    it('is the same for a part of the record', async () => {
      const knex = direct(open.database);
      const narrow = (query: Parameters<Parameters<typeof countContained>[2]>[0]) =>
        query.where({ 'lineage.status': 'void', 'lineage.type': 'lab' });
      const wanted = (await narrow(
        containedIn(knex('document_lineage as lineage').where('lineage.record_id', 'ours'), 'lineage', 'one'),
      ).pluck('lineage.seq')) as number[];
      expect(wanted.length).to.be.above(2);
      const found = (await containedLineages(knex, scopeOf('one'), narrow)) as { seq: number }[];
      expect(found.map(({ seq }) => seq).sort()).to.equal(wanted.sort());
      expect(await countContained(open.database.reads, scopeOf('one'), narrow)).to.equal(wanted.length);
    });

    it('opens nothing of another record', async () => {
      const knex = direct(open.database);
      expect(
        await containedIn(knex('document_lineage as lineage').where('lineage.record_id', 'ours'), 'lineage', 'foreign'),
      ).to.equal([]);
      expect(
        await countContained(open.database.reads, { recordId: 'theirs', carenetId: 'foreign' }, (query) => query),
      ).to.be.above(5);
    });
  });
}
