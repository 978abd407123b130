/**
 * slow-bodies: ends the connections of requests whose body does not arrive. The framework answers a body that is late
 * only after it has read the rest, which may never come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Server } from '@hapi/hapi';
import { errors } from '../base/errors';
import { answerRaw } from './client-errors';

/** How often the bodies that have begun are looked at. */
const LOOK_MILLISECONDS = 500;
/** The framework's own limit comes first, so that the request has its row in the audit log. */
const GRACE_MILLISECONDS = 1000;
/** A large file must bring at least this many bytes in each span of time: five hundred a second by default. */
const PROGRESS_BYTES = 30_000;
/** After its answer, a caller may go on sending for this long, so that it can read the answer. */
const LINGER_MILLISECONDS = 10_000;

type Body = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly began: number;
  /** The time for the whole body; undefined for a file that may take as long as it makes progress. */
  most: number | undefined;
  /** When the body last made progress, and how many bytes had arrived by then. */
  readonly heard: { at: number; bytes: number };
  answered: number | undefined;
};

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isFinished({ request }: Body): boolean {
  return request.complete || request.destroyed || request.socket.destroyed;
}

/** Notes what has arrived since the last look. The caller is not to blame for bytes that nobody has fetched yet. */
function listen({ request, heard }: Body, now: number): void {
  const { bytesRead } = request.socket;
  if (bytesRead - heard.bytes >= PROGRESS_BYTES || request.readableLength > 0) {
    heard.at = now;
    heard.bytes = bytesRead;
  }
}

function isLate({ began, most, heard, answered }: Body, patience: number, now: number): boolean {
  if (answered !== undefined && now - answered > LINGER_MILLISECONDS) {
    return true;
  }
  const waited = most === undefined ? now - heard.at : now - began;
  return waited > (most ?? patience) + GRACE_MILLISECONDS;
}

function end({ request: { socket }, response }: Body): void {
  if (response.headersSent) {
    socket.destroy();
  } else {
    answerRaw(socket, errors.unavailable('the request body did not arrive in time'));
  }
}

/** @param seconds the time for a body; a route may give it another in its `payload.timeout`, or none */
export function endSlowBodies(server: Server, seconds: number): void {
  const patience = seconds * 1000;
  const bodies = new Map<IncomingMessage, Body>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    for (const [request, body] of bodies) {
      body.answered ??= body.response.writableEnded ? now : undefined;
      listen(body, now);
      if (isFinished(body)) {
        bodies.delete(request);
      } else if (isLate(body, patience, now)) {
        bodies.delete(request);
        end(body);
      }
    }
    if (bodies.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const watch = (request: IncomingMessage, response: ServerResponse): void => {
    if (!announcesBody(request)) {
      return;
    }
    const began = performance.now();
    const heard = { at: began, bytes: request.socket.bytesRead };
    bodies.set(request, { request, response, began, most: patience, heard, answered: undefined });
    timer ??= setInterval(look, LOOK_MILLISECONDS).unref();
  };
  // A route that takes large files has no limit of its own, and one that takes less than usual has a shorter one.
  const allow = ({ raw, route }: Request): void => {
    const body = bodies.get(raw.req);
    const { timeout } = route.settings.payload ?? {};
    if (body && timeout !== undefined) {
      body.most = timeout === false ? undefined : timeout;
    }
  };
  ['request', 'checkContinue'].forEach((event) => server.listener.prependListener(event, watch));
  server.ext('onPreAuth', (request, h) => {
    allow(request);
    return h.continue;
  });
}
