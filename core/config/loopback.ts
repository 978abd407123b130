/** loopback: whether only this machine reaches the service. */
import type { Config } from './schema';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether only this machine is meant by a host name. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Whether the listening address and the public address are both loopback addresses. */
export function staysOnThisMachine({ host, baseUrl }: Pick<Config, 'host' | 'baseUrl'>): boolean {
  return isLoopback(host) && (baseUrl === '' || isLoopback(new URL(baseUrl).hostname));
}
