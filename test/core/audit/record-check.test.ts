/**
 * record-check: in a log that is too large to be walked whole, the newest rows of a record are checked, without false
 * alarms.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { checkRecord } from '../../../core/audit/record-check';
import { databases } from '../../support/databases';
import type { Credentials } from '../../support/client';
import { direct } from '../../support/direct';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const NEWEST = 5;

for (const leg of databases) {
  describe(`the log of a record in a large log on ${leg.name}`, () => {
    let service: TestService;
    let olga: Exclude<Credentials, null>;
    let recordId: string;
    const rows = async (): Promise<{ seq: number; record_id: string | null; ip_address: string }[]> =>
      direct(service.services.database)('audit').orderBy('seq').select('seq', 'record_id', 'ip_address');
    const check = (walked = 0) => {
      const { database, isAuditSignature } = service.services;
      return checkRecord({ database, verify: isAuditSignature }, recordId, { walked, newest: NEWEST });
    };
    const look = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        succeeded(await service.call(olga, 'GET', `/records/${recordId}`));
      }
    };
    const change = (seq: number, address: string): Promise<unknown> =>
      direct(service.services.database)('audit').where({ seq }).update({ ip_address: address });

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OLGA);
      olga = await signIn(service.call, OLGA);
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
    });
    after(() => service.stop());

    it('holds where the rows before the newest are the record’s, too, and where they are not', async () => {
      await look(3 * NEWEST);
      expect(await check()).to.equal({ unbroken: true, whole: false, checked: NEWEST });
      succeeded(await service.call(olga, 'GET', `/accounts/${OLGA}`));
      await look(NEWEST);
      expect(await check()).to.equal({ unbroken: true, whole: false, checked: NEWEST });
    });

    it('holds while others write', async () => {
      const others = Promise.all(Array.from({ length: 4 }, () => look(10)));
      for (let time = 0; time < 10; time += 1) {
        expect((await check()).unbroken).to.be.true();
        // The same holds where the log is walked whole.
        expect(await check(5000)).to.include({ unbroken: true, whole: true });
      }
      await others;
    });

    it('is broken by a row that was changed or is missing among the newest, or beside them', async () => {
      const own = (await rows()).filter(({ record_id: id }) => id === recordId).slice(-NEWEST);
      for (const { seq, ip_address: address } of [own[0]!, own[2]!, own.at(-1)!]) {
        await change(seq, '192.0.2.1');
        expect((await check()).unbroken, String(seq)).to.be.false();
        await change(seq, address);
      }
      expect((await check()).unbroken).to.be.true();
      const knex = direct(service.services.database);
      const [gone] = (await knex('audit').where({ seq: own[1]!.seq })) as Record<string, unknown>[];
      await knex('audit').where({ seq: own[1]!.seq }).delete();
      expect((await check()).unbroken).to.be.false();
      await knex('audit').insert(gone as Record<string, string>);
      expect((await check()).unbroken).to.be.true();
    });
  });
}
