/** condition: conditions that are put together mean the same behind an `and` as they mean alone. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { allOf, anyOf, type Condition } from '../../../core/db/condition';
import { databases } from '../../support/databases';
import { startService } from '../../support/server';

export const lab = Lab.script();
const { describe, it } = lab;

const is = (value: 0 | 1): Condition => ({ text: '? = 1', values: [value] });

describe('conditions that are put together', () => {
  it('stand behind others without changing them', async () => {
    const service = await startService(databases[0]!);
    const holds = async ({ text, values }: Condition): Promise<boolean> =>
      (await service.services.database.reads.rows(`select 1 as found where 1 = 0 and ${text}`, [...values])).length > 0;
    for (const condition of [anyOf([is(0), is(1)]), anyOf([is(1)]), allOf([is(1), anyOf([is(0), is(1)])]), anyOf([])]) {
      expect(await holds(condition), condition.text).to.be.false();
    }
    await service.stop();
  });
});
