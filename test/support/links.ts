/**
 * links: health links for tests: made by the same operation as for a signed-in person, and opened over HTTP as an app
 * does it.
 */
import { compactDecrypt } from 'jose';
import { sha256 } from '../../core/base/ids';
import { asking } from '../../plugins/website/http/operations';
import type { Signs } from './cast';
import type { Answer } from './client';
import type { Read } from './fhir';
import type { TestService } from './server';

/** The payload that an app reads from a link. */
export type Payload = {
  readonly url: string;
  readonly key: string;
  readonly flag: string;
  readonly label?: string;
  readonly exp?: number;
  readonly v: number;
};

export const payloadOf = (text: string): Payload => {
  const coded = /#shlink:\/([\w-]+)$/.exec(text)?.[1] ?? '';
  return JSON.parse(Buffer.from(coded, 'base64url').toString('utf8')) as Payload;
};

/** Calls operations behind doors as a page of a signed-in person does. */
export const askingAs = ({ services }: TestService, accountId: string, { token }: Signs) =>
  asking(
    { kind: 'account', accountId, uiAppId: 'ui@apps.svc.example', sessionHash: sha256(token!.key) },
    {
      url: '/my/test',
      method: 'POST',
      ipAddress: '127.0.0.1',
      received: services.clock.now(),
      appId: 'ui@apps.svc.example',
    },
    services,
  );

const pathOf = (url: string): string => new URL(url).pathname;

const injected = async (
  { running }: TestService,
  method: 'GET' | 'POST',
  url: string,
  body?: object,
): Promise<Answer> => {
  const { statusCode, payload, rawPayload, headers } = await running.server.inject({
    method,
    url: pathOf(url),
    headers: { origin: 'https://viewer.example', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  });
  return { status: statusCode, text: payload, bytes: rawPayload, headers };
};

/** Requests the manifest of a link. */
export const openLink = (
  service: TestService,
  { url }: Pick<Payload, 'url'>,
  body: object = { recipient: 'Dr. Weber' },
) => injected(service, 'POST', url, body);

export const readFile = (service: TestService, location: string): Promise<Answer> => injected(service, 'GET', location);

export const locationsIn = ({ text }: Answer): readonly string[] =>
  (JSON.parse(text) as { files: readonly { location: string }[] }).files.map(({ location }) => location);

/** Decrypts a file with the library that other projects use. */
export const decrypt = async ({ text }: Answer, { key }: Payload): Promise<{ head: Read; resource: Read }> => {
  const { plaintext, protectedHeader } = await compactDecrypt(text, Buffer.from(key, 'base64url'));
  return {
    head: protectedHeader as unknown as Read,
    resource: JSON.parse(Buffer.from(plaintext).toString('utf8')) as Read,
  };
};
