/** row-batches: simultaneous callers share a statement, and each gets the row that its own keys name, or none. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Question } from '../../../core/db/connection';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import { watchStatements } from '../../../core/db/watch';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const STAMP = '2026-01-02T03:04:05.000000Z';
const LABEL: Question = {
  rows: (on) => on('document_lineage as lineage').select('lineage.label'),
  keys: ['lineage.id', 'lineage.record_id'],
};

for (const leg of databases) {
  describe(`questions on ${leg.name}`, () => {
    let open: OpenDatabase;
    const statements: string[] = [];
    let stop: () => void;
    const ask = (id: string, record: string): Promise<{ label: string } | undefined> =>
      open.database.reads.one(LABEL, [id, record]);
    const told = async (
      asked: readonly (readonly [id: string, record: string])[],
    ): Promise<readonly (string | undefined)[]> => {
      statements.length = 0;
      return (await Promise.all(asked.map(([id, record]) => ask(id, record)))).map((row) => row?.label);
    };

    before(async () => {
      open = await openTestDatabase(leg);
      await direct(open.database)('document_lineage').insert(
        Array.from({ length: 80 }, (_, index) => ({
          id: `doc-${index}`,
          record_id: index % 2 === 0 ? 'ours' : 'theirs',
          type: 't',
          latest_id: `doc-${index}`,
          latest_created_at: STAMP,
          status: 'active',
          nevershare: 0,
          label: `label ${index}`,
          created_at: STAMP,
        })),
      );
      stop = watchStatements(({ sql }) => statements.push(sql));
    });
    after(async () => {
      stop();
      await open.drop();
    });

    it('of one caller are the plain statement', async () => {
      expect(await told([['doc-4', 'ours']])).to.equal(['label 4']);
      expect(statements).to.equal([
        'select `lineage`.`label` from `document_lineage` as `lineage` where `lineage`.`id` = ? and `lineage`.`record_id` = ?',
      ]);
      expect(await told([['doc-4', 'theirs']])).to.equal([undefined]);
    });

    it('of several share one, in their order, whoever asks twice', async () => {
      expect(
        await told([
          ['doc-6', 'ours'],
          ['doc-1', 'theirs'],
          ['doc-6', 'ours'],
          ['doc-2', 'ours'],
        ]),
      ).to.equal(['label 6', 'label 1', 'label 6', 'label 2']);
      expect(statements).to.have.length(1);
    });

    it('never answer with what only the keys of others together would let in', async () => {
      // Both ids and both records are requested, but not in these pairs.
      expect(
        await told([
          ['doc-2', 'ours'],
          ['doc-3', 'theirs'],
          ['doc-2', 'theirs'],
          ['doc-3', 'ours'],
          ['none', 'ours'],
          ['doc-2', ' ours'],
          ['DOC-2', 'ours'],
          ['', ''],
        ]),
      ).to.equal(['label 2', 'label 3', undefined, undefined, undefined, undefined, undefined, undefined]);
      expect(statements).to.have.length(1);
    });

    it('of very many are a few statements of at most 32 callers', async () => {
      const all = Array.from(
        { length: 80 },
        (_, index) => [`doc-${index}`, index % 2 === 0 ? 'ours' : 'theirs'] as const,
      );
      expect(await told(all)).to.equal(all.map((_, index) => `label ${index}`));
      expect(statements).to.have.length(3);
    });

    it('that were asked later are asked of the database again', async () => {
      await told([
        ['doc-10', 'ours'],
        ['doc-12', 'ours'],
      ]);
      await direct(open.database)('document_lineage').where({ id: 'doc-10' }).update({ label: 'another' });
      expect(
        await told([
          ['doc-10', 'ours'],
          ['doc-12', 'ours'],
        ]),
      ).to.equal(['another', 'label 12']);
    });

    it('fail for all who share them, and for nobody else', async () => {
      const wrong: Question = {
        rows: (on) => on('document_lineage as lineage').select('no_such_column'),
        keys: LABEL.keys,
      };
      const outcomes = await Promise.allSettled([
        open.database.reads.one(wrong, ['doc-1', 'theirs']),
        open.database.reads.one(wrong, ['doc-2', 'ours']),
        ask('doc-2', 'ours'),
      ]);
      expect(outcomes.map(({ status }) => status)).to.equal(['rejected', 'rejected', 'fulfilled']);
    });
  });
}
