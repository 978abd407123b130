/** caller-address: the caller's address in the audit log and for the limits, behind trusted proxies and others. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { networksOf } from '../../../core/base/networks';
import { callerAddress } from '../../../core/http/caller-address';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService } from '../../support/server';

export const lab = Lab.script();
const { describe, it } = lab;

describe('networksOf', () => {
  it('holds addresses and networks of both kinds', () => {
    const networks = networksOf(['192.0.2.7', '10.0.0.0/8', 'fd00::/8', '2001:db8::1']);
    for (const inside of ['192.0.2.7', '10.255.0.1', '::ffff:10.0.0.1', 'fdab::1', '2001:db8::1']) {
      expect(networks.hold(inside), inside).to.equal(true);
    }
    for (const outside of [
      '192.0.2.8',
      '11.0.0.1',
      '::ffff:11.0.0.1',
      'fe80::1',
      '2001:db8::2',
      '',
      'proxy',
      '10.0.0',
    ]) {
      expect(networks.hold(outside), outside).to.equal(false);
    }
  });

  it('refuses every other text', () => {
    for (const wrong of [
      '',
      'proxy',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::/129',
      '10.0.0.0/-1',
      '*',
    ]) {
      expect(() => networksOf([wrong]), wrong).to.throw(/is neither an address nor a network$/);
    }
  });
});

describe('callerAddress', () => {
  const trusted = networksOf(['127.0.0.1', '10.0.0.0/8', '::1']);
  for (const [peer, forwarded, caller, why] of [
    ['192.0.2.7', '', '192.0.2.7', 'no proxy'],
    ['192.0.2.7', '203.0.113.9', '192.0.2.7', 'a caller who writes the header is not believed'],
    ['127.0.0.1', '', '127.0.0.1', 'a proxy that says nothing'],
    ['127.0.0.1', '192.0.2.7', '192.0.2.7', 'a proxy'],
    ['::ffff:127.0.0.1', '192.0.2.7', '192.0.2.7', 'a proxy, written as IPv6'],
    ['::1', '10.1.2.3, 192.0.2.7', '192.0.2.7', 'an address that the caller wrote stands further left'],
    ['127.0.0.1', '203.0.113.9, 192.0.2.7, 10.1.2.3', '192.0.2.7', 'two proxies'],
    ['127.0.0.1', '10.1.2.3,10.1.2.4', '10.1.2.3', 'a caller who is a proxy'],
    ['127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7', 'an address with brackets and a port'],
    ['127.0.0.1', '192.0.2.7:4711', '192.0.2.7', 'an address with a port'],
    ['127.0.0.1', '192.0.2.7, unknown', '127.0.0.1', 'a proxy that does not know'],
    ['127.0.0.1', "1' or '1'='1", '127.0.0.1', 'no address'],
  ] as const) {
    it(`is ${caller}: ${why}`, () => {
      expect(callerAddress(peer, forwarded, trusted)).to.equal(caller);
    });
  }
});

for (const leg of databases) {
  describe(`behind a proxy on ${leg.name}`, () => {
    const addressesOf = async (settings: Readonly<Record<string, string>>) => {
      const service = await startService(leg, { SVC_PROBES_LOOPBACK_ONLY: '1', ...settings });
      const ask = (url: string, remoteAddress: string, forwarded: string) =>
        service.running.server.inject({ url, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
      try {
        await ask('/accounts/somebody@people.example', '127.0.0.1', '203.0.113.9, 192.0.2.7');
        await ask('/accounts/somebody@people.example', '192.0.2.8', '203.0.113.9');
        const rows: readonly { ip_address: string }[] = await direct(service.services.database)('audit')
          .where({ function_name: 'account_info' })
          .orderBy('id')
          .select('ip_address');
        const probe = await ask('/health/live', '127.0.0.1', '192.0.2.7');
        return { seen: rows.map(({ ip_address: address }) => address), probe: probe.statusCode };
      } finally {
        await service.stop();
      }
    };

    it('the audit log and the probes see the caller behind a trusted proxy, and believe no other header', async () => {
      expect(await addressesOf({ SVC_TRUSTED_PROXIES: '127.0.0.0/8, ::1' })).to.equal({
        seen: ['192.0.2.7', '192.0.2.8'],
        probe: 403,
      });
    });

    it('without a setting no header is believed', async () => {
      expect(await addressesOf({})).to.equal({ seen: ['127.0.0.1', '192.0.2.8'], probe: 200 });
    });
  });
}
