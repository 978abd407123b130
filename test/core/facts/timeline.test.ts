/** timeline: the days of the facts that a page of the timeline shows. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readTimeline, type DaysOf } from '../../../core/facts/timeline';
import { databases } from '../../support/databases';
import { openVisits, type Visits } from '../../support/visits';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`the days of a timeline on ${leg.name}`, () => {
    let visits: Visits;
    before(async () => {
      visits = await openVisits(leg);
      const times = ['0001-01-01', '2024-02-29T23:59:59.999999Z', '2024-03-01', '9999-12-31T23:59:59Z'];
      await visits.put(times.map((happened) => ({ happened })));
    });
    after(() => visits.drop());

    const shown = async (days: DaysOf): Promise<readonly string[]> => {
      const { database, tables, plan } = visits;
      const dated = [{ plan, date: 'happened' }];
      const query = { ...days, limit: 10 };
      const { rows } = await readTimeline(database.reads, database.dialect, tables, { recordId: 'r' }, dated, query);
      return rows.map(({ values }) => String(values['happened']).slice(0, 10));
    };

    it('include the first and the last one, to the end of the calendar', async () => {
      expect(await shown({ from: '2024-02-29', to: '2024-02-29' })).to.equal(['2024-02-29']);
      expect(await shown({ from: '2024-03-01', to: '9999-12-31' })).to.equal(['9999-12-31', '2024-03-01']);
      expect(await shown({ to: '0001-01-01' })).to.equal(['0001-01-01']);
    });
  });
}
