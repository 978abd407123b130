/** clinic: plays the software of a clinic: it reads the code of a person, fetches what is behind it, and decrypts it. */
import { compactDecrypt } from 'jose';
import type { Answer } from './client';
import type { Read } from './fhir';
import type { TestService } from './server';

/** What stands in the code of a person. */
export type ClinicPayload = {
  readonly url: string;
  readonly flag: string;
  readonly key: string;
  readonly exp: number;
  readonly label?: string;
};

/** Finds the link anywhere in what was scanned or pasted. */
export const scanned = (text: string): ClinicPayload => {
  const coded = /shlink:\/([\w-]+)/.exec(text)?.[1] ?? '';
  return JSON.parse(Buffer.from(coded, 'base64url').toString('utf8')) as ClinicPayload;
};

export const fetchAs = async (
  { running }: TestService,
  { url }: Pick<ClinicPayload, 'url'>,
  recipient: string | undefined,
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE' = 'GET',
): Promise<Answer> => {
  const query = recipient === undefined ? '' : `?recipient=${encodeURIComponent(recipient)}`;
  const { statusCode, payload, rawPayload, headers } = await running.server.inject({
    method,
    url: `${new URL(url).pathname}${query}`,
    headers: { origin: 'https://scanner.example' },
  });
  return { status: statusCode, text: payload, bytes: rawPayload, headers };
};

export type Opened = { readonly head: Read; readonly bundle: Read };

export const decrypted = async ({ text }: Answer, { key }: Pick<ClinicPayload, 'key'>): Promise<Opened> => {
  const { plaintext, protectedHeader } = await compactDecrypt(text, Buffer.from(key, 'base64url'));
  return {
    head: protectedHeader as unknown as Read,
    bundle: JSON.parse(Buffer.from(plaintext).toString('utf8')) as Read,
  };
};

const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { reference } = value as { readonly reference?: unknown };
  return [...(typeof reference === 'string' ? [reference] : []), ...Object.values(value).flatMap(referencesIn)];
};

/** What a clinic's software refuses; empty for a Bundle that it accepts. */
export const faultsIn = (bundle: Read): readonly string[] => {
  const entries = bundle['entry'] as readonly { readonly fullUrl: string; readonly resource: Read }[];
  const urls = new Set(entries.map(({ fullUrl }) => fullUrl));
  const patients = entries.filter(({ resource }) => resource['resourceType'] === 'Patient');
  return [
    ...(bundle['type'] === 'collection' ? [] : ['type']),
    ...(typeof bundle['timestamp'] === 'string' ? [] : ['timestamp']),
    ...(patients.length === 1 && entries[0] === patients[0] ? [] : ['patient']),
    ...(urls.size === entries.length ? [] : ['fullUrl']),
    ...entries.filter(({ fullUrl }) => !/^urn:uuid:[0-9a-f-]{36}$/.test(fullUrl)).map(({ fullUrl }) => fullUrl),
    ...entries.filter(({ resource }) => resource['meta']?.profile !== undefined).map(() => 'profile'),
    ...referencesIn(bundle).filter((one) => !one.startsWith('#') && !urls.has(one)),
  ];
};

export const resourcesOf = (bundle: Read, type: string): readonly Read[] =>
  (bundle['entry'] as readonly { readonly resource: Read }[])
    .map(({ resource }) => resource)
    .filter(({ resourceType }) => resourceType === type);
