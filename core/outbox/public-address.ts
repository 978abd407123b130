/** public-address: which network addresses a callback may reach; a name is judged by what it resolves to when it is connected. */
import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const closed = new BlockList();
// Addresses that are not routed between networks, or belong to protocols (RFC 6890 and its registry).
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closed.addSubnet(network, bits, 'ipv4');
}
// Inside the range of global addresses: tunnels to IPv4, protocols, documentation.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, bits, 'ipv6');
}
const open = new BlockList();
open.addSubnet('2000::', 3, 'ipv6');

/** True for an address that anybody on the internet could mean. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4');
    case 6:
      return open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
    default:
      return false;
  }
};

/** Why a connection was not made. */
export class ClosedAddress extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  override readonly name = 'ClosedAddress';
}

/** Resolves a name as the connection itself does and leaves out what is not public, so that no second answer can slip in. */
export const publicLookup: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first, ...others] = error ? [] : addresses.filter(({ address }) => isPublicAddress(address));
    if (!first) {
      done(error ?? new ClosedAddress(), '', 0);
    } else if (options.all) {
      done(null, [first, ...others]);
    } else {
      done(null, first.address, first.family);
    }
  });
};

/** The host of a URL is a literal address that is not public; such a host is never looked up. */
export const namesClosedAddress = ({ hostname }: URL): boolean => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
};
