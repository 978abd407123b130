/**
 * codes: strangers may search codes. Common words in a rare phrase make such a search long; it neither keeps others
 * waiting nor can be repeated without end.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { systemClock } from '../../core/base/clock';
import { loadCodes } from '../../core/codes/load';
import { watchStatements } from '../../core/db/watch';
import { databases } from '../support/databases';
import { preparedHere } from '../support/prepared-here';
import { startService, type TestService } from '../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** More names than a word may have that narrows a search. */
const NAMES = 30_500;
/** Enough for two searches in which all names are walked, and for two by a rare word. */
const BUDGET = 24;

for (const leg of databases) {
  describe(`searches of codes by strangers on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg, {}, { rateCodesPerMinute: BUDGET });
      const folder = mkdtempSync(join(tmpdir(), 'svc-codes-'));
      const names = Array.from({ length: NAMES }, (_, number) => `c${number},Stone of a kidney ${number}`);
      writeFileSync(join(folder, 'own.csv'), `code,full_value\n${names.join('\n')}\nrare,A kidney of a stone\n`);
      await loadCodes('own', join(folder, 'own.csv'), { database: service.services.database, clock: systemClock });
      rmSync(folder, { recursive: true });
    });
    after(() => service.stop());

    const ask = async (path: string, address: string) => {
      const { statusCode, headers, payload } = await service.running.server.inject({
        method: 'GET',
        url: path,
        remoteAddress: address,
      });
      return { status: statusCode, headers, text: payload };
    };
    const search = (q: string, address: string) => ask(`/codes/systems/own/query?q=${encodeURIComponent(q)}`, address);

    it('do not run on the event loop', async () => {
      const seen: string[] = [];
      const stop = watchStatements(({ sql }) => void seen.push(sql));
      const here = await preparedHere(() => search('idney of of a ston', '192.0.2.1'));
      stop();
      const long = (sql: string): boolean => /code_has_word|search_value/.test(sql);
      expect(seen.filter(long)).to.have.length(2);
      expect(here.filter(long)).to.equal([]);
    });

    it('are refused when a network has asked too much, and nobody else is', async () => {
      const network = '203.0.113.5';
      expect((await search('idney of a ston', network)).text).to.contain('"code":"rare"');
      expect((await search('idney of a ston', network)).status).to.equal(200);
      // The budget is nearly empty, and this search by a rare word still fits.
      expect((await search('kidney 77', network)).status).to.equal(200);
      const last = [await search('idney of a ston', network), await search('kidney 77', network)].at(-1)!;
      expect(last.status).to.equal(429);
      expect(last.text).to.contain('too_many_requests');
      expect(Number(last.headers['retry-after'])).to.be.between(1, 60);
      expect((await search('idney of a ston', '203.0.113.6')).status).to.equal(200);
    });

    it('are counted by the network of an IPv6 address', async () => {
      for (const host of ['1', '2', '3']) {
        await search('idney of a ston', `2001:db8::${host}`);
      }
      expect((await search('kidney 77', '2001:db8::ffff')).status).to.equal(429);
      expect((await search('kidney 77', '2001:db8:0:1::1')).status).to.equal(200);
    });
  });
}
