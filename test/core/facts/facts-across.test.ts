/** facts-across: facts of several tables are read completely, however many there are. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { childrenIn, type StoredFact } from '../../../core/facts/plans';
import { readAcross, withNested } from '../../../core/facts/facts-across';
import { databases } from '../../support/databases';
import { kids, openVisits, type Visits } from '../../support/visits';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`facts with what is nested in them on ${leg.name}`, () => {
    let visits: Visits;
    before(async () => {
      visits = await openVisits(leg);
    });
    after(() => visits.drop());

    const read = async (): Promise<readonly StoredFact[]> => {
      const { database, tables, plan } = visits;
      const { reads, dialect } = database;
      const all = { plan, where: 'fact._parent_id is null', values: [], limit: 300 };
      return withNested(reads, dialect, tables, await readAcross(reads, dialect, [all]));
    };

    it('have all of it, whether one holds very many or many hold some', async () => {
      await visits.put(Array.from({ length: 200 }, () => ({ kids: kids(6) })));
      await visits.put([{ kids: kids(1200) }]);
      const found = (await read()).map((fact) => childrenIn(fact, 'kids').length);
      expect(found).to.equal([...Array.from({ length: 200 }, () => 6), 1200]);
    });

    it('are read although one statement cannot hold the ids of all in four tables', async () => {
      await visits.put([{ kids: kids(9000) }]);
      expect(childrenIn((await read()).at(-1)!, 'kids')).to.have.length(9000);
    });
  });
}
