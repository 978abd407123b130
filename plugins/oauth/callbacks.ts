/**
 * callbacks: checks and makes the address to which the browser goes after approval. It must be one that the app
 * registered, or one below it.
 */
import { startUrl, type ShownApp } from '../../core/apps/app-element';
import { errors } from '../../core/base/errors';
import { atUi } from '../../core/http/ui-links';
import type { AppRow } from '../../core/apps/store';

function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Encoded slashes: some servers decode them, so that the path could leave the registered one. */
const HIDDEN_SLASH = /%2f|%5c/i;

/** Same origin, without a name or password in it, and the same path or one below it. */
function isBelow(address: URL, registered: URL): boolean {
  return (
    address.username === '' &&
    address.password === '' &&
    !HIDDEN_SLASH.test(address.pathname) &&
    address.origin === registered.origin &&
    (address.pathname === registered.pathname ||
      address.pathname.startsWith(`${registered.pathname.replace(/\/$/, '')}/`))
  );
}

const LONGEST = 500;

/**
 * Checks the callback of a request token; without one, and for `oob`, the registered one is used.
 * @returns null for the registered one
 * @throws errors.invalidParameter for an address that is not below the registered one
 */
export function checkCallback({ callbackUrl }: AppRow, given: string | undefined, uiBaseUrl: string): string | null {
  if (!given || given === 'oob') {
    return null;
  }
  const address = parse(given);
  const registered = parse(atUi(uiBaseUrl, callbackUrl));
  if (!address || !registered || address.href.length > LONGEST || !isBelow(address, registered)) {
    throw errors.invalidParameter(
      'oauth_callback',
      'it must be oob or lie below the callback address that the app registered',
    );
  }
  return address.href;
}

/** The callback with the token and its verifier added; an app that registered no callback gets its start address. */
export function redirectAddress(
  shown: ShownApp,
  callback: string | null,
  parameters: Readonly<Record<string, string>>,
): string {
  const registered = atUi(shown.uiBaseUrl, shown.app.callbackUrl);
  const address = new URL(callback ?? (registered || startUrl(shown, {})));
  // The parameters are appended to the text, because encoding the app's own query again could break a signature in it.
  const { search, hash } = address;
  address.hash = '';
  const more = new URLSearchParams(parameters).toString();
  return `${address.href.replace(/[?&]+$/, '')}${search.length > 1 ? '&' : '?'}${more}${hash}`;
}
