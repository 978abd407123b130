/** public-address: which addresses a callback may have. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isPublicAddress, namesClosedAddress } from '../../../core/outbox/public-address';

export const lab = Lab.script();
const { describe, it } = lab;

describe('a public address', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '11.0.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ]) {
    it(`is ${address}`, () => {
      expect(isPublicAddress(address)).to.be.true();
    });
  }
  const closed = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '100::1',
    'localhost',
    '',
  ];
  for (const address of closed) {
    it(`is not ${address || 'the empty text'}`, () => {
      expect(isPublicAddress(address)).to.be.false();
    });
  }

  it('is judged as the URL means it, however it is written', () => {
    for (const host of ['127.1', '0177.0.0.1', '0x7f000001', '2130706433', '[::1]', '127.0.0.1.']) {
      expect(namesClosedAddress(new URL(`http://${host}/`)), host).to.be.true();
    }
    expect(namesClosedAddress(new URL('https://example.org/'))).to.be.false();
    expect(namesClosedAddress(new URL('https://1.1.1.1/'))).to.be.false();
  });
});
