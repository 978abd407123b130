/** fact-search: both databases find the same facts by a part of a text. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { searchFacts } from '../../../../plugins/fhir/search/fact-search';
import { databases } from '../../../support/databases';
import { openVisits, type Visits } from '../../../support/visits';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`a part of a text on ${leg.name}`, () => {
    let visits: Visits;
    before(async () => {
      visits = await openVisits(leg);
      await visits.put(['Éclair', 'éclair 100%', 'Eclair', 'ÄRGER_1', 'ärger 1'].map((name) => ({ name })));
    });
    after(() => visits.drop());

    const count = async (kind: 'begins' | 'contains', text: string): Promise<number> => {
      const { database, tables, plan } = visits;
      const branch = { plan, test: { kind, column: 'name', text }, together: false, sortColumns: [] };
      const page = { orders: [{ by: 'stored', descending: false }], after: undefined, limit: 10 } as const;
      const on = { dialect: database.dialect, tables };
      return (await searchFacts(database.reads, on, { recordId: 'r' }, [branch], page)).length;
    };

    it('is found ignoring the case of all letters, and no letter stands for another', async () => {
      expect(await count('begins', 'éC')).to.equal(2);
      expect(await count('begins', 'ec')).to.equal(1);
      expect(await count('contains', 'CLAIR')).to.equal(3);
      expect(await count('contains', 'ÄRGER')).to.equal(2);
      expect(await count('contains', 'lair é')).to.equal(0);
    });

    it('has no signs that mean others, and may be of any length', async () => {
      expect(await count('contains', '0%')).to.equal(1);
      expect(await count('contains', 'r_1')).to.equal(1);
      expect(await count('begins', '%')).to.equal(0);
      expect(await count('contains', 'x'.repeat(60_000))).to.equal(0);
    });
  });
}
