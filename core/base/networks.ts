/** networks: a list of addresses and networks, which are given as text, that can be searched for an address. */
import { BlockList, isIP } from 'node:net';

export type Networks = {
  /** False for a text that is no address. IPv4 written as IPv6 (`::ffff:10.0.0.1`) is treated as IPv4. */
  readonly hold: (address: string) => boolean;
};

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/**
 * @param entries such as `10.0.0.1`, `172.16.0.0/12`, `fd00::/8`
 * @throws Error that names the first one that is neither an address nor a network
 */
export function networksOf(entries: readonly string[]): Networks {
  const list = new BlockList();
  for (const entry of entries) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const bits = family(address) === 'ipv6' ? 128 : 32;
    if (isIP(address) === 0 || Number(prefix ?? bits) > bits) {
      throw new Error(`${entry} is neither an address nor a network`);
    }
    list.addSubnet(address, Number(prefix ?? bits), family(address));
  }
  return { hold: (address) => isIP(address) !== 0 && list.check(address, family(address)) };
}

/**
 * The network of an address: an IPv6 network of one customer is treated as one address. An IPv4 address may be written
 * as IPv6.
 */
export function networkOf(address: string): string {
  const plain = address
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/%.*$/, '');
  if (!plain.includes(':')) {
    return plain;
  }
  const [head = '', tail] = plain.split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - first!.length - last!.length;
  const groups = [...first!, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...last!];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
