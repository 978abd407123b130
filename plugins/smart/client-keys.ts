/**
 * client-keys: has the keys of an app fetched again when it signs with one that is not known yet, and at least once an
 * hour. The package by itself uses a key that it has for as long as the process lives.
 */
import type { default as Provider } from 'oidc-provider' with { 'resolution-mode': 'import' };
import type { Clock } from '../../core/base/clock';

/** For how long keys are not fetched again, whatever names of keys somebody invents, and at most, in milliseconds. */
const [PAUSE, MOST] = [10_000, 3_600_000];

type Keys = Iterable<{ readonly kid?: string }> & {
  readonly fresh: () => boolean;
  readonly refresh: () => Promise<void>;
  /** In seconds. */ freshUntil?: number;
};

/** When keys were fetched, and when that happened because of a key that was not known, in milliseconds. */
type Times = { readonly fetched: number; readonly forced: number };

const times = new WeakMap<Keys, Times>();
const never: Times = { fetched: -Infinity, forced: -Infinity };

/** A part of a signed token, which nobody has verified yet; empty when it is not JSON. */
function assertionPart(assertion: string, index: 0 | 1): Readonly<Record<string, unknown>> {
  try {
    const part = JSON.parse(Buffer.from(assertion.split('.')[index] ?? '', 'base64url').toString('utf8')) as unknown;
    return typeof part === 'object' && part !== null ? (part as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** While the keys cannot be fetched, those that were fetched before count. */
async function fetchAgain(keys: Keys): Promise<void> {
  keys.freshUntil = 0;
  await keys.refresh().catch(() => {
    keys.freshUntil = Math.floor((Date.now() + PAUSE) / 1000);
  });
}

/**
 * Fetches the keys at `jwks_uri` before the package verifies the assertion of a form, if they are old or do not have
 * the key that the assertion names. So an app can change or withdraw its keys, however long it lets them be kept.
 */
export async function expectNewKeys(provider: Provider, clock: Clock, form: string): Promise<void> {
  const assertion = new URLSearchParams(form).get('client_assertion') ?? '';
  const [{ kid }, { sub }] = [assertionPart(assertion, 0), assertionPart(assertion, 1)];
  if (typeof kid !== 'string' || typeof sub !== 'string') {
    return;
  }
  // A client that cannot be read is refused later, by the package itself.
  const client = await provider.Client.find(sub).catch(() => undefined);
  const keys = client?.['asymmetricKeyStore'] as Keys | undefined;
  if (!client?.jwksUri || !keys) {
    return;
  }
  const now = clock.now();
  const { fetched, forced } = times.get(keys) ?? never;
  const old = !keys.fresh() || now - fetched >= MOST;
  const unknown = ![...keys].some((key) => key.kid === kid) && now - forced >= PAUSE;
  if (old || unknown) {
    times.set(keys, { fetched: now, forced: old ? forced : now });
    await fetchAgain(keys);
  }
}
