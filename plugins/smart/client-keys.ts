/** client-keys: has the keys of an app fetched again when it signs with one that is not known yet. */
import type { default as Provider } from 'oidc-provider' with { 'resolution-mode': 'import' };
import type { Clock } from '../../core/base/clock';

/** For how long the keys of an app are not fetched again, in milliseconds, whatever names of keys somebody invents. */
const PAUSE = 10_000;

type Keys = Iterable<{ readonly kid?: string }> & { readonly fresh: () => boolean; freshUntil?: number };

const fetchedAt = new WeakMap<Keys, number>();

/** A part of a signed token, which nobody has verified yet; empty when it is not JSON. */
const partOf = (assertion: string, index: 0 | 1): Readonly<Record<string, unknown>> => {
  try {
    const part = JSON.parse(Buffer.from(assertion.split('.')[index] ?? '', 'base64url').toString('utf8')) as unknown;
    return typeof part === 'object' && part !== null ? (part as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
};

/**
 * Makes the package fetch the keys at `jwks_uri` before it verifies the assertion of a form, if they do not have the
 * key that the assertion names. An app can so change its keys at once, however long it lets them be kept.
 */
export async function expectNewKeys(provider: Provider, clock: Clock, form: string): Promise<void> {
  const assertion = new URLSearchParams(form).get('client_assertion') ?? '';
  const [{ kid }, { sub }] = [partOf(assertion, 0), partOf(assertion, 1)];
  if (typeof kid !== 'string' || typeof sub !== 'string') {
    return;
  }
  // A client that cannot be read is refused later, by the package itself.
  const client = await provider.Client.find(sub).catch(() => undefined);
  const keys = client?.['asymmetricKeyStore'] as Keys | undefined;
  if (!client?.jwksUri || !keys?.fresh() || [...keys].some((key) => key.kid === kid)) {
    return;
  }
  const now = clock.now();
  if (Math.abs(now - (fetchedAt.get(keys) ?? 0)) >= PAUSE) {
    fetchedAt.set(keys, now);
    keys.freshUntil = 0;
  }
}
