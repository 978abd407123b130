/** client-errors: answers data on the port that is no valid request, with the same error body as other failures. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Server } from '@hapi/hapi';
import { errors, type AppError } from '../base/errors';
import { errorReply } from './error-reply';

type HttpError = Error & { readonly code?: string };

function clientFailure({ code }: HttpError): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errors.headTooLarge();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.unavailable('the request did not arrive in time');
    default:
      return errors.unreadable();
  }
}

/** Nothing shows which type such a caller prefers. */
function replyTo(failure: AppError): string {
  const { status, type, body } = errorReply(failure, '');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`;
}

/** A caller has this long to read the answer and to close its side of the connection. */
const READING_MILLISECONDS = 2000;

/** Answers on a connection without the framework, and closes it. */
export function answerRaw(socket: Socket, failure: AppError): void {
  if (socket.writable) {
    socket.end(replyTo(failure));
    setTimeout(() => socket.destroy(), READING_MILLISECONDS).unref();
  } else {
    socket.destroy();
  }
}

/** The reply in progress on a connection; Node's own handler of such errors reads it in the same way. */
function replyUnderWay(socket: Socket): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Answers errors of the HTTP parser. A request that breaks off in its body is left to the framework, which knows the
 * request.
 */
export function answerClientErrors({ listener }: Server): void {
  const theirs = listener.listeners('clientError') as ((error: HttpError, socket: Socket) => void)[];
  listener.removeAllListeners('clientError');
  listener.on('clientError', (error: HttpError, socket: Socket) => {
    const answer = (): void => answerRaw(socket, clientFailure(error));
    const reply = replyUnderWay(socket);
    if (reply === null) {
      answer();
    } else if (reply.req.complete) {
      // The bad request followed a complete one on this connection, which is answered first.
      reply.once('close', answer);
    } else {
      theirs.forEach((handle) => handle(error, socket));
    }
  });
}
