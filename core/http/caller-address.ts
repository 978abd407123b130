/** caller-address: the network address that a request comes from, also behind proxies that the operator trusts. */
import { isIP } from 'node:net';
import type { Request } from '@hapi/hapi';
import { networksOf, type Networks } from '../base/networks';

declare module '@hapi/hapi' {
  interface Request {
    /** The address of the caller; behind a trusted proxy, the address that this proxy names. */
    readonly callerAddress: string;
  }
}

/** The address without brackets and port, which some proxies add. */
function bareAddress(text: string): string {
  const named = text.trim();
  return /^\[([^\]]*)\]/.exec(named)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(named)?.[1] ?? named;
}

/**
 * Goes from the nearest proxy outwards and believes each trusted one about who called it. The first address that is not
 * trusted is the caller: everything further out in the header was written by that caller.
 * @param forwarded the header `X-Forwarded-For`
 */
export function callerAddress(peer: string, forwarded: string, trusted: Networks): string {
  let caller = peer;
  for (const text of forwarded.split(',').reverse()) {
    const next = bareAddress(text);
    if (!trusted.hold(caller) || isIP(next) === 0) {
      break;
    }
    caller = next;
  }
  return caller;
}

/** Makes the function that finds the address of a request's caller, for `server.decorate`. */
export function makeCallerAddress(trustedProxies: readonly string[]): (request: Request) => string {
  const trusted = networksOf(trustedProxies);
  return (request) =>
    callerAddress(request.info.remoteAddress, String(request.headers['x-forwarded-for'] ?? ''), trusted);
}
