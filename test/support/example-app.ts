/**
 * example-app: a real app on a port of its own, which does the dance with signed calls and shows in its pages what it
 * could read.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpClient, type Credentials } from './client';
import { testManifests } from './test-manifests';

export type AppKind = {
  readonly id: string;
  readonly name: string;
  readonly mode: 'ui' | 'background';
  readonly frameable?: boolean;
};

export type ExampleApp = {
  readonly origin: string;
  /** Value for SVC_MANIFESTS_DIR: the bundled manifests and those of these apps. */
  readonly manifests: string;
  /**
   * Gets a request token, and the address to send a person to.
   * @param callback the app's own if not given
   */
  readonly ask: (
    serviceUrl: string,
    id: string,
    form?: Readonly<Record<string, string>>,
    callback?: string,
  ) => Promise<{ readonly key: string; readonly secret: string; readonly address: string }>;
  /** Addresses that browsers requested, the newest last. */
  readonly visits: readonly URL[];
  readonly signer: (id: string) => Exclude<Credentials, null>;
  readonly stop: () => void;
};

const secretOf = (id: string): string => `secret of ${id}`;

const writeManifests = (folder: string, origin: string, apps: readonly AppKind[]): void => {
  for (const { id, name, mode, frameable = false } of apps) {
    const at = join(folder, 'user', id.split('@')[0]!);
    mkdirSync(at, { recursive: true });
    const manifest = {
      id,
      name,
      mode,
      version: '1',
      author: 'Fjord Apps',
      description: 'To show your measurements beside what you eat and how you sleep.',
      oauth_callback_url: `${origin}/callback`,
      ...(mode === 'ui'
        ? { index: `${origin}/start?record_id={record_id}&carenet_id={carenet_id}`, frameable }
        : { autonomous_reason: 'New results arrive while nobody is signed in.' }),
    };
    writeFileSync(join(at, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(at, 'credentials.json'), JSON.stringify({ consumer_secret: secretOf(id) }));
  }
};

type Pending = { readonly id: string; readonly secret: string; readonly serviceUrl: string };

const signer = (id: string): Exclude<Credentials, null> => ({ consumer: { key: id, secret: secretOf(id) } });

/** Exchanges the token that the browser brought, and reads what the access token allows. */
const exchange = async (url: URL, known: Pending | undefined): Promise<string> => {
  if (!known || url.searchParams.has('oauth_problem')) {
    return `refused: ${url.searchParams.get('oauth_problem') ?? ''}`;
  }
  const call = httpClient(known.serviceUrl);
  const { consumer } = signer(known.id);
  const key = url.searchParams.get('oauth_token') ?? '';
  const exchanged = await call({ consumer, token: { key, secret: known.secret } }, 'POST', '/oauth/access_token', {
    oauth: { oauth_verifier: url.searchParams.get('oauth_verifier') ?? '' },
  });
  const pairs = new URLSearchParams(exchanged.text);
  const token = { key: pairs.get('oauth_token') ?? '', secret: pairs.get('oauth_token_secret') ?? '' };
  const carenet = pairs.get('xoauth_svc_carenet_id');
  const path = carenet ? `/carenets/${carenet}/record` : `/records/${pairs.get('xoauth_svc_record_id') ?? ''}`;
  const { text } = await call({ consumer, token }, 'GET', path);
  return `read: ${/label="([^"]*)"/.exec(text)?.[1] ?? text}`;
};

export const startExampleApp = async (apps: readonly AppKind[]): Promise<ExampleApp> => {
  const visits: URL[] = [];
  const pending = new Map<string, Pending>();
  const finish = (url: URL): Promise<string> => exchange(url, pending.get(url.searchParams.get('oauth_token') ?? ''));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    visits.push(url);
    const said =
      url.pathname === '/callback' ? finish(url) : Promise.resolve(`opened ${url.searchParams.get('record_id')}`);
    void said.then((text) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><html lang="en"><title>App</title><main><h1>App</h1><p id="said">${text}</p></main>`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  writeManifests(folder, origin, apps);
  return {
    origin,
    manifests: `${testManifests}:${folder}`,
    visits,
    signer,
    ask: async (serviceUrl, id, form = {}, callback = `${origin}/callback`) => {
      const answer = await httpClient(serviceUrl)(signer(id), 'POST', '/oauth/request_token', {
        form,
        oauth: { oauth_callback: callback },
      });
      const pairs = new URLSearchParams(answer.text);
      const key = pairs.get('oauth_token') ?? '';
      const secret = pairs.get('oauth_token_secret') ?? '';
      pending.set(key, { id, secret, serviceUrl });
      return { key, secret, address: `${serviceUrl}/my/authorize?oauth_token=${encodeURIComponent(key)}` };
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
};
