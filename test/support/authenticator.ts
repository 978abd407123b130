/**
 * authenticator: a security key in software: makes passkeys (P-256, no attestation) and signs with them, correctly or
 * with one fault.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

type Cbor = number | string | Buffer | Map<Cbor, Cbor> | readonly Cbor[];

const head = (major: number, value: number): Buffer => {
  const first = major << 5;
  if (value < 24) {
    return Buffer.from([first | value]);
  }
  return value < 256 ? Buffer.from([first | 24, value]) : Buffer.from([first | 25, value >> 8, value & 255]);
};

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') {
    return value >= 0 ? head(0, value) : head(1, -1 - value);
  }
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) {
    return Buffer.concat([head(2, value.length), value]);
  }
  return value instanceof Map
    ? Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(cbor))])
    : Buffer.concat([head(4, (value as readonly Cbor[]).length), ...(value as readonly Cbor[]).map(cbor)]);
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

type Held = { readonly id: Buffer; readonly key: KeyObject; counter: number };

/** What a page asks of the browser, as far as a security key uses it. */
export type Asked = {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly allowCredentials?: readonly { readonly id: string }[];
};

/** The fault of a response. */
export type Bent = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly absent?: boolean;
  readonly attestation?: readonly [format: string, statement: Map<Cbor, Cbor>];
  readonly signature?: Buffer;
};

export type Authenticator = {
  /** The response as JSON, as the page's script sends it. */
  readonly make: (asked: Asked, bent?: Bent) => string;
  readonly show: (asked: Asked, bent?: Bent) => string;
  /** Id of its passkey in base64url. */ readonly id: string;
};

const clientData = (type: string, { challenge }: Asked, origin: string, bent: Bent): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: bent.type ?? type,
      challenge: bent.challenge ?? challenge,
      origin: bent.origin ?? origin,
      crossOrigin: false,
    }),
  );

const authenticatorData = (rpId: string, flags: number, counter: number, more: Buffer = Buffer.alloc(0)): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
};

const coseKey = (key: KeyObject): Buffer => {
  const { x, y } = key.export({ format: 'jwk' });
  const point = (text: string | undefined): Buffer => Buffer.from(text!, 'base64url');
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]),
  );
};

/**
 * @param origin of the page
 * @param counts false: its counter stays 0, as on most telephones
 * @param idBytes length of its passkey id
 */
export const makeAuthenticator = (origin: string, counts = true, idBytes = 32): Authenticator => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const held: Held = { id: randomBytes(idBytes), key: privateKey, counter: 0 };
  const id = held.id.toString('base64url');
  const host = new URL(origin).hostname;
  const next = (): number => {
    held.counter += counts ? 1 : 0;
    return held.counter;
  };
  const answer = (response: object): string =>
    JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  return {
    id,
    make: (asked, bent = {}) => {
      const data = clientData('webauthn.create', asked, origin, bent);
      const length = Buffer.from([held.id.length >> 8, held.id.length & 255]);
      const credential = Buffer.concat([Buffer.alloc(16), length, held.id, coseKey(publicKey)]);
      const flags = (bent.absent ? 0 : 1) | 0x40;
      const auth = authenticatorData(bent.rpId ?? asked.rp?.id ?? host, flags, bent.counter ?? next(), credential);
      const [format, statement] = bent.attestation ?? ['none', new Map<Cbor, Cbor>()];
      const attestation = cbor(
        new Map<Cbor, Cbor>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', auth],
        ]),
      );
      return answer({ clientDataJSON: text(data), attestationObject: text(attestation), transports: ['usb', 'x,y'] });
    },
    show: (asked, bent = {}) => {
      const data = clientData('webauthn.get', asked, origin, bent);
      const auth = authenticatorData(bent.rpId ?? asked.rpId ?? host, bent.absent ? 0 : 1, bent.counter ?? next());
      const signature = bent.signature ?? sign('sha256', Buffer.concat([auth, sha256(data)]), held.key);
      return answer({ clientDataJSON: text(data), authenticatorData: text(auth), signature: text(signature) });
    },
  };
};

/** What the button of a page asks of the browser, as the page's script reads it. */
export const askedIn = ({ text }: { readonly text: string }, kind: 'make' | 'show'): Asked => {
  const [, json] = new RegExp(`data-passkey="${kind}"[^>]* data-options="([^"]*)"`).exec(text) ?? [];
  if (json === undefined) {
    throw new Error(`no button for a passkey: ${text}`);
  }
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Asked;
};
