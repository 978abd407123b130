/** in-parts: statements that can bind only some thousand values still return lists of any length. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inParts } from '../../../core/db/in-parts';
import { insertRows } from '../../../core/db/insert-rows';
import { countRelations, type RelationCount } from '../../../core/documents/relations-store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const STAMP = '2026-01-02T03:04:05.000000Z';
/** More ids than SQLite can bind in one statement, where each of them is bound twice. */
const LINEAGES = 20_001;

describe('inParts', () => {
  it('keeps the order, and has no part for an empty list', () => {
    expect(inParts([1, 2, 3, 4, 5], 2)).to.equal([[1, 2], [3, 4], [5]]);
    expect(inParts([1, 2], 2)).to.equal([[1, 2]]);
    expect(inParts([])).to.equal([]);
  });
});

for (const leg of databases) {
  describe(`relations of very many documents on ${leg.name}`, () => {
    let open: OpenDatabase;
    const ids = Array.from({ length: LINEAGES }, (_, number) => `lineage-${number}`);

    before(async () => {
      open = await openTestDatabase(leg);
      const rows = ids.map((id) => ({
        id,
        record_id: 'record',
        type: 't',
        latest_id: id,
        latest_created_at: STAMP,
        status: 'active',
        nevershare: 0,
        created_at: STAMP,
      }));
      await insertRows(
        direct(open.database),
        'document_lineage',
        ['id', 'record_id', 'type', 'latest_id', 'latest_created_at', 'status', 'nevershare', 'created_at'],
        rows,
      );
      const relation = (subject: string, object: string) => ({
        type: 'annotation',
        subject_lineage_id: subject,
        object_lineage_id: object,
        created_by: 'x',
        created_at: STAMP,
      });
      await direct(open.database)('document_relation').insert([
        relation(ids[1]!, ids[0]!),
        relation(ids[LINEAGES - 1]!, ids[0]!),
      ]);
    });
    after(() => open.drop());

    it('are counted, in a carenet too', async () => {
      const counted = (await countRelations(open.database.reads, ids)).map(
        ({ lineageId, direction, count }: RelationCount) => `${lineageId} ${direction} ${count}`,
      );
      expect(counted.sort()).to.equal([
        'lineage-0 is_related_from 2',
        'lineage-1 relates_to 1',
        `lineage-${LINEAGES - 1} relates_to 1`,
      ]);
      expect(await countRelations(open.database.reads, ids, 'no such carenet')).to.equal([]);
      expect(await countRelations(open.database.reads, [])).to.equal([]);
    });
  });
}
