/**
 * passkeys: makes the questions about passkeys (WebAuthn) that a browser is asked, and checks its answers. A passkey is
 * a key that a browser or a security key holds for one site.
 */
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { sha256 } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { Passkey } from '../tokens/passkeys-store';

/** The library is loaded when it is first needed, because that takes 0.2 s and 17 MB of memory. */
function library() {
  return import('@simplewebauthn/server');
}

/** The host for which passkeys are made, and the origin from which a browser must answer. */
export type PasskeyPlace = { readonly host: string; readonly origin: string };

/** Why browsers make no passkeys here: the address is an IP address, or the connection is not encrypted. */
export type NoPasskeys = 'number' | 'insecure';

export function passkeyPlace(publicAddress: string): PasskeyPlace | NoPasskeys {
  const { hostname, origin, protocol } = new URL(publicAddress);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return 'number';
  }
  const onThisMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || onThisMachine ? { host: hostname, origin } : 'insecure';
}

/** What browsers show above the name of the account. */
const SITE_NAME = 'Health record';
/** Ed25519, P-256 and RSA, one of which every current browser supports. */
const ALGORITHMS = [-8, -7, -257];
/** The time that a person has to find their security key. */
const ASKING = 5 * 60_000;
/** Verify the person by PIN, finger or face if the key can. The password has been asked for already. */
const VERIFICATION = 'preferred';

/** Passkeys in the form that a browser needs. */
function browserPasskeys(passkeys: readonly Passkey[]) {
  return passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));
}

/** @param passkeys the account's passkeys, none of which is made a second time */
export async function askToMake(
  { host }: PasskeyPlace,
  account: { readonly id: PrincipalId; readonly fullName: string },
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: host,
    userName: account.id,
    userDisplayName: account.fullName,
    // The id is the same for all passkeys of an account, and does not reveal whose it is.
    userID: new Uint8Array(Buffer.from(sha256(`passkeys ${account.id}`), 'hex')),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: VERIFICATION },
    excludeCredentials: browserPasskeys(passkeys),
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: ASKING,
  });
}

export async function askToShow(
  { host }: PasskeyPlace,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: host,
    allowCredentials: browserPasskeys(passkeys),
    userVerification: VERIFICATION,
    timeout: ASKING,
  });
}

/** The hash of a passkey's id, which is all that is kept of it apart from the passkey itself. */
export function credentialHash(credentialId: string): string {
  return sha256(`passkey ${credentialId}`);
}

/** The JSON of a browser's answer; undefined for anything else. */
function asAnswer<T>(sent: string): T | undefined {
  try {
    const value = JSON.parse(sent) as { readonly id?: unknown; readonly response?: unknown } | null;
    const whole = typeof value?.id === 'string' && typeof value.response === 'object' && value.response !== null;
    return whole ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether an attestation has no certificates. We ask for no attestation and check none: if the sender included
 * certificates, the library would send requests to the addresses in them.
 */
async function withoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable'];
function transportsOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? TRANSPORTS.filter((one) => given.includes(one)) : [];
}

type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/**
 * The longest values that fit into the table. The standard allows no longer id, and only RSA keys of more than 8000
 * bits are longer.
 */
const LONGEST_ID = 1400;
const LONGEST_KEY = 1500;

/** @returns undefined for a wrong answer, whatever is wrong with it */
export async function readNewPasskey(
  { host, origin }: PasskeyPlace,
  challenge: string,
  sent: string,
): Promise<NewPasskey | undefined> {
  const response = asAnswer<RegistrationResponseJSON>(sent);
  try {
    if (!response || !(await withoutCertificates(response.response.attestationObject))) {
      return undefined;
    }
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) {
      return undefined;
    }
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    const key = Buffer.from(publicKey).toString('base64url');
    if (id.length > LONGEST_ID || key.length > LONGEST_KEY) {
      return undefined;
    }
    return { credentialId: id, publicKey: key, counter, transports: transportsOf(transports) };
  } catch {
    return undefined;
  }
}

/** The passkey that signed, and how often it has signed by its own count. */
export type ShownPasskey = Pick<Passkey, 'id' | 'counter'>;

/**
 * @param passkeys the account's passkeys; a passkey of somebody else is refused
 * @returns undefined for a wrong answer, whatever is wrong with it
 */
export async function readShownPasskey(
  { host, origin }: PasskeyPlace,
  challenge: string,
  passkeys: readonly Passkey[],
  sent: string,
): Promise<ShownPasskey | undefined> {
  const response = asAnswer<AuthenticationResponseJSON>(sent);
  const passkey = passkeys.find(({ credentialId }) => credentialId === response?.id);
  if (!response || !passkey) {
    return undefined;
  }
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    });
    return verified ? { id: passkey.id, counter: authenticationInfo.newCounter } : undefined;
  } catch {
    return undefined;
  }
}
