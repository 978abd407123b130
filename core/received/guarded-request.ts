/**
 * guarded-request: asks an address that a stranger chose: only public ones, by the guard that pings use, each redirect
 * again; with a limit of time and of bytes, and without cookies.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { projectVersion } from '../base/paths';
import { ClosedAddress, namesClosedAddress, publicLookup } from '../outbox/public-address';
import { LinkRefused } from './failures';

const MOST_REDIRECTS = 3;
const REQUEST_MILLISECONDS = 10_000;

export type Reach = {
  /** As SVC_CALLBACK_ALLOW_PRIVATE: private addresses, and `http` to this machine, may be asked. */
  readonly allowPrivate: boolean;
  /** Ends all requests of one link. */ readonly deadline: AbortSignal;
};

type Asked = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  /** JSON. */ readonly body?: string;
  readonly mostBytes: number;
};

export type Answered = { readonly status: number; readonly body: Buffer };

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** @throws LinkRefused */
function requireOpen(url: URL, { allowPrivate }: Reach): void {
  const isPlain = url.protocol === 'http:' && allowPrivate && isLoopback(url);
  if ((url.protocol !== 'https:' && !isPlain) || url.username !== '' || url.password !== '') {
    throw new LinkRefused('closed');
  }
  if (!allowPrivate && namesClosedAddress(url)) {
    throw new LinkRefused('closed');
  }
}

/** @throws LinkRefused when it is longer */
async function responseBody(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) {
      response.destroy();
      throw new LinkRefused('large');
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function headersOf({ accept, body }: Asked): Readonly<Record<string, string>> {
  return {
    accept,
    'accept-encoding': 'identity',
    'user-agent': `personal-health-records-service/${projectVersion}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
}

/** Sends one request; what comes of it is read by the caller. */
function sendRequest(url: URL, asked: Asked, reach: Reach, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const begin = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const guard = reach.allowPrivate ? {} : { lookup: publicLookup };
    const options = { ...guard, method: asked.method, agent: false, headers: headersOf(asked), signal } as const;
    begin(url, options, resolve).on('error', reject).end(asked.body);
  });
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** A redirect that does not say otherwise leads on by GET. */
function redirected(asked: Asked, status: number, url: URL): Asked {
  if (status === 307 || status === 308 || asked.method === 'GET') {
    return { ...asked, url: url.href };
  }
  const { body: _body, ...rest } = asked;
  return { ...rest, method: 'GET', url: url.href };
}

type Hop = { readonly answered: Answered; /** Where it leads on. */ readonly location: string | undefined };

/** One request and its answer, which end together with the link or after their own time. */
async function askOnce(url: URL, asked: Asked, reach: Reach): Promise<Hop> {
  // Not AbortSignal.any: in Node 20 such a signal may be collected before its time is over.
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, REQUEST_MILLISECONDS);
  reach.deadline.addEventListener('abort', end);
  try {
    reach.deadline.throwIfAborted();
    const response = await sendRequest(url, asked, reach, ending.signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!isRedirect(status) || location === undefined) {
      return { answered: { status, body: await responseBody(response, asked.mostBytes) }, location: undefined };
    }
    response.on('error', () => undefined).destroy();
    return { answered: { status, body: Buffer.alloc(0) }, location };
  } finally {
    clearTimeout(timer);
    reach.deadline.removeEventListener('abort', end);
  }
}

async function follow(asked: Asked, reach: Reach, left: number): Promise<Answered> {
  const url = new URL(asked.url);
  requireOpen(url, reach);
  const { answered, location } = await askOnce(url, asked, reach);
  if (location === undefined) {
    return answered;
  }
  if (left === 0 || !URL.canParse(location, url)) {
    throw new LinkRefused('unreachable');
  }
  return follow(redirected(asked, answered.status, new URL(location, url)), reach, left - 1);
}

/** @throws LinkRefused */
export async function askGuarded(asked: Asked, reach: Reach): Promise<Answered> {
  try {
    return await follow(asked, reach, MOST_REDIRECTS);
  } catch (error) {
    if (error instanceof LinkRefused) {
      throw error;
    }
    throw new LinkRefused(error instanceof ClosedAddress ? 'closed' : 'unreachable');
  }
}
