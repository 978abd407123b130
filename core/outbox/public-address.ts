/**
 * public-address: which network addresses a callback may reach. A name is judged by the address that the connection
 * itself uses.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networksOf } from '../base/networks';

// These addresses are not routed between networks, or belong to protocols (RFC 6890 and its registry).
const closed = networksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // These are inside the range of global addresses: tunnels to IPv4, protocols, documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);
const open = networksOf(['2000::/3']);

/** True for an address that is reachable from anywhere on the internet. */
export function isPublicAddress(address: string): boolean {
  return (isIP(address) === 4 || open.hold(address)) && !closed.hold(address);
}

/** Why a connection was not made. */
export class ClosedAddress extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  override readonly name = 'ClosedAddress';
}

/**
 * The name look-up of the connection itself, without addresses that are not public. There is no second look-up whose
 * answer could differ.
 */
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

/** True if the host of a URL is a literal address that is not public; such a host is never looked up. */
export function namesClosedAddress({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}
