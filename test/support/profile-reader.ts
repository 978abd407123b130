/**
 * profile-reader: reads a link as the profile "Patient-Shared Health Documents via SMART Health Links" describes it, and
 * refuses what only the base specification allows. It is written from the description and shares nothing with the service.
 */
import { compactDecrypt, importJWK, jwtVerify, type JWK } from 'jose';
import type { Read } from './fhir';

/** The steps at which a link is refused. */
export type ProfileStep = 'decode' | 'payload' | 'retrieve' | 'decrypt' | 'bundle';

type Payload = {
  readonly url: string;
  readonly flag: 'U';
  readonly key: string;
  readonly exp: number;
  readonly label?: string;
};

type ReadByProfile = {
  readonly payload: Payload;
  readonly head: Read;
  readonly bundle: Read;
  readonly isAttested: boolean;
};

export class ProfileRefused extends Error {
  constructor(
    readonly step: ProfileStep,
    why: string,
  ) {
    super(`${step}: ${why}`);
  }
}

function demand(holds: boolean, step: ProfileStep, why: string): asserts holds {
  if (!holds) {
    throw new ProfileRefused(step, why);
  }
}

function decode(text: string): Read {
  const coded = /shlink:\/([A-Za-z0-9_-]+)/.exec(text)?.[1];
  demand(coded !== undefined, 'decode', 'no link');
  try {
    const words = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(coded, 'base64url'));
    const payload = JSON.parse(words) as Read | null;
    demand(typeof payload === 'object' && payload !== null && !Array.isArray(payload), 'decode', 'no object');
    return payload;
  } catch {
    throw new ProfileRefused('decode', 'no JSON');
  }
}

const FIELDS = ['url', 'flag', 'key', 'exp', 'label'];

function demandPayload(read: Read, now: number): Payload {
  const { url, flag, key, exp, label } = read;
  demand(typeof url === 'string' && URL.canParse(url) && url.length <= 128, 'payload', 'url');
  demand(/^https:$|^http:$/.test(new URL(url).protocol), 'payload', 'scheme');
  demand(flag === 'U', 'payload', 'flag');
  demand(typeof key === 'string' && /^[\w-]{43}$/.test(key), 'payload', 'key');
  demand(Buffer.from(key, 'base64url').length === 32, 'payload', 'key');
  demand(Number.isSafeInteger(exp) && exp * 1000 > now, 'payload', 'exp');
  demand(label === undefined || (typeof label === 'string' && label.length <= 80), 'payload', 'label');
  demand(
    Object.keys(read).every((name) => FIELDS.includes(name)),
    'payload',
    'another field',
  );
  return read as unknown as Payload;
}

async function retrieve({ url }: Payload, recipient: string): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('recipient', recipient);
  const answer = await fetch(address, { redirect: 'error' });
  demand(answer.status === 200, 'retrieve', String(answer.status));
  demand(answer.headers.get('content-type')?.split(';')[0] === 'application/jose', 'retrieve', 'content type');
  return answer.text();
}

async function decrypt(file: string, { key }: Payload): Promise<{ head: Read; content: string }> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(file, Buffer.from(key, 'base64url'), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    demand(protectedHeader.cty === 'application/fhir+json', 'decrypt', 'cty');
    return { head: protectedHeader as Read, content: new TextDecoder('utf-8', { fatal: true }).decode(plaintext) };
  } catch (error) {
    throw new ProfileRefused('decrypt', String(error));
  }
}

const PDF_TYPES = ['60591-5', '51855-5'];

function isOf({ coding }: Read, system: string, code: string): boolean {
  return (coding as readonly Read[]).some((one) => one['system'] === system && one['code'] === code);
}

/** What is wrong with a PDF that a patient shares; empty if nothing is. */
function faultInPdf(resource: Read, patient: string): string {
  const codes = PDF_TYPES.filter((code) => isOf(resource['type'] as Read, 'http://loinc.org', code));
  const isShared = (resource['category'] as readonly Read[]).some((one) =>
    isOf(one, 'https://cms.gov/fhir/CodeSystem/patient-shared-category', 'patient-shared'),
  );
  const [content, ...more] = resource['content'] as readonly Read[];
  const { contentType, data = '', url } = content!['attachment'] as Read;
  const begin = Buffer.from(String(data), 'base64').subarray(0, 5).toString('latin1');
  const checks: Readonly<Record<string, boolean>> = {
    type: codes.length === 1,
    category: isShared,
    status: resource['status'] === 'current',
    date: typeof resource['date'] === 'string' && !Number.isNaN(Date.parse(resource['date'])),
    subject: resource['subject']?.reference === patient,
    author: (resource['author'] as readonly Read[]).some(({ reference }) => reference === patient),
    content: more.length === 0 && contentType === 'application/pdf' && url === undefined && begin === '%PDF-',
  };
  return Object.keys(checks)
    .filter((name) => !checks[name])
    .join(' ');
}

type Entry = { readonly fullUrl: string; readonly resource: Read };

function demandBundle(content: string): Read {
  let bundle: Read;
  try {
    bundle = JSON.parse(content) as Read;
  } catch {
    throw new ProfileRefused('bundle', 'no JSON');
  }
  const entries = (bundle['entry'] ?? []) as readonly Entry[];
  const patients = entries.filter(({ resource }) => resource['resourceType'] === 'Patient');
  demand(bundle['resourceType'] === 'Bundle' && bundle['type'] === 'collection', 'bundle', 'type');
  demand(!Number.isNaN(Date.parse(String(bundle['timestamp']))), 'bundle', 'timestamp');
  demand(patients.length === 1 && entries.length >= 2, 'bundle', 'entries');
  const faults = entries
    .filter(({ resource }) => resource['resourceType'] === 'DocumentReference')
    .map(({ resource }) => faultInPdf(resource, patients[0]!.fullUrl))
    .filter((fault) => fault !== '');
  demand(faults.length === 0, 'bundle', faults.join(', '));
  return bundle;
}

/** Whether the app that a Bundle names has signed that it made it. Nothing depends on it. */
async function isAttested(bundle: Read): Promise<boolean> {
  const extensions = (bundle['meta']?.extension ?? []) as readonly Read[];
  const jws = extensions.find(({ url }) => url === 'https://cms.gov/fhir/StructureDefinition/app-attestation');
  try {
    const text = String(jws!['valueString']);
    const { iss } = JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString('utf8')) as { iss: string };
    const { keys } = (await (await fetch(`${iss}/.well-known/jwks.json`)).json()) as { keys: readonly JWK[] };
    await jwtVerify(
      text,
      ({ kid }) =>
        importJWK(
          keys.find((key) => key.kid === kid)!,
          'ES256',
        ),
      {
        algorithms: ['ES256'],
        requiredClaims: ['iss', 'iat', 'jti'],
      },
    );
    return true;
  } catch {
    return false;
  }
}

/** @throws ProfileRefused */
export async function readByProfile(text: string, now: number, recipient = 'A clinic'): Promise<ReadByProfile> {
  const payload = demandPayload(decode(text), now);
  const { head, content } = await decrypt(await retrieve(payload, recipient), payload);
  const bundle = demandBundle(content);
  return { payload, head, bundle, isAttested: await isAttested(bundle) };
}
