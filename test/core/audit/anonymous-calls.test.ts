/**
 * anonymous-calls: refused calls without a valid signature: the caller is on record, and neither disk nor memory is
 * filled.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeAnonymousCalls, type AnonymousCalls } from '../../../core/audit/anonymous-calls';
import type { AuditFacts } from '../../../core/audit/row';
import { blank } from '../../../core/audit/trail';
import { toTimestamp } from '../../../core/base/clock';

export const lab = Lab.script();
const { describe, it, beforeEach } = lab;

const BEGIN = Date.parse('2026-01-02T12:00:00Z');

describe('refused calls that nobody has signed', () => {
  let now: number;
  let rows: AuditFacts[];
  let anonymousCalls: AnonymousCalls;

  beforeEach(() => {
    now = BEGIN;
    rows = [];
    anonymousCalls = makeAnonymousCalls({
      write: (facts) => {
        rows.push(facts);
        return Promise.resolve();
      },
      clock: { now: () => now },
    });
  });

  const call = (url: string, ip = '192.0.2.1', method = 'GET'): Promise<void> =>
    anonymousCalls.record({
      ...blank,
      id: `${url} ${ip}`,
      function_name: 'record',
      record_id: url,
      url,
      ip_address: ip,
      method,
      requested_at: toTimestamp(now),
      status: 403,
      successful: 0,
    });
  const shown = (): string[] =>
    rows.map((row) => [row['url'], row['ip_address'], row['method'], row['repeats'] ?? '-'].join(' '));

  it('have a row for the first of a path, method, address and minute, and one for how many followed', async () => {
    for (let times = 0; times < 4; times += 1) {
      await call('/a');
    }
    await call('/b');
    await call('/a', '192.0.2.2');
    await call('/a', '192.0.2.1', 'DELETE');
    expect(shown()).to.equal([
      '/a 192.0.2.1 GET -',
      '/b 192.0.2.1 GET -',
      '/a 192.0.2.2 GET -',
      '/a 192.0.2.1 DELETE -',
    ]);
    now += 60_000;
    await call('/a');
    await anonymousCalls.drain();
    expect(shown().slice(4)).to.only.include(['/a 192.0.2.1 GET 3', '/a 192.0.2.1 GET -']);
    const counted = rows.find((row) => row['repeats'] !== undefined)!;
    expect(counted).to.include({ record_id: '/a', function_name: 'record', status: 403 });
    expect(counted['id']).to.not.equal('/a 192.0.2.1');
  });

  it('have their rows again after an outage in which no row could be written', async () => {
    let down = true;
    const calls = makeAnonymousCalls({
      write: (facts) => {
        if (down) {
          return Promise.reject(new Error('the database is out of reach'));
        }
        rows.push(facts);
        return Promise.resolve();
      },
      clock: { now: () => now },
    });
    const refused = (url: string): Promise<void> =>
      calls.record({ ...blank, id: url, url, ip_address: '192.0.2.1', method: 'PUT', requested_at: toTimestamp(now) });
    for (let number = 0; number < 400; number += 1) {
      await expect(refused(`/down/${number}`)).to.reject('the database is out of reach');
    }
    down = false;
    await refused('/up');
    expect(shown()).to.equal(['/up 192.0.2.1 PUT -']);
  });

  it('of one address for ever other paths have so many rows, and the others are counted together', async () => {
    for (let number = 0; number < 5000; number += 1) {
      await call(`/${number}`);
    }
    expect(rows.length).to.equal(300);
    // Any other caller still gets a row.
    await call('/mine', '192.0.2.9');
    expect(shown().at(-1)).to.equal('/mine 192.0.2.9 GET -');
    await anonymousCalls.drain();
    expect(shown().slice(301)).to.equal([' 192.0.2.1 GET 4700']);
    expect(rows.at(-1)).to.include({ record_id: null, function_name: 'refused_calls' });
    now += 60_000;
    for (let number = 0; number < 5000; number += 1) {
      await call(`/again-${number}`);
    }
    expect(rows.length).to.equal(302 + 60);
  });

  it('of ever other addresses have so many rows in all, and no more are remembered', async () => {
    for (let number = 0; number < 20_000; number += 1) {
      await call('/a', `198.51.100.${number}`);
    }
    await anonymousCalls.drain();
    expect(rows.length).to.be.below(1002);
    expect(rows.reduce((sum, row) => sum + Number(row['repeats'] ?? 1), 0)).to.equal(20_000);
    for (let number = 0; number < 20_000; number += 1) {
      await call(`/${number}`, `198.51.100.${number % 1000}`);
    }
    await anonymousCalls.drain();
    expect(rows.length).to.be.below(3000 + 1000 + 1002);
    expect(rows.reduce((sum, row) => sum + Number(row['repeats'] ?? 1), 0)).to.equal(40_000);
  });

  it('of one path are not answered before the first one has its row', async () => {
    let written: (() => void) | undefined;
    anonymousCalls = makeAnonymousCalls({
      write: () => new Promise((resolve) => (written = resolve)),
      clock: { now: () => now },
    });
    const answered: string[] = [];
    const first = call('/a').then(() => answered.push('first'));
    const second = call('/a').then(() => answered.push('second'));
    await new Promise(setImmediate);
    expect(answered).to.be.empty();
    written!();
    await Promise.all([first, second]);
    expect(answered).to.only.include(['first', 'second']);
  });

  it('fail while no row can be written, and the next one is the first', async () => {
    let broken = true;
    anonymousCalls = makeAnonymousCalls({
      write: (facts) => {
        rows.push(facts);
        return broken ? Promise.reject(new Error('no disk')) : Promise.resolve();
      },
      clock: { now: () => now },
    });
    await expect(call('/a')).to.reject('no disk');
    broken = false;
    await call('/a');
    expect(shown()).to.equal(['/a 192.0.2.1 GET -', '/a 192.0.2.1 GET -']);
  });
});
