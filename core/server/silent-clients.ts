/**
 * silent-clients: ends connections for which a stop would wait in vain: those on which no request is being answered, and
 * those whose request has begun and goes no further.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Watched = { request: IncomingMessage | undefined; bytes: number; rounds: number };

const ROUND = 1000;
/** So many rounds without a byte. */
const PATIENCE = 5;

type SilentClients = {
  /** Ends them now, and from then on. @returns a function that ends this */
  readonly end: (round?: number) => () => void;
};

/** Whether the connection will not go on by itself. What is being answered is waited for. */
function isSilent(socket: Socket, watched: Watched): boolean {
  if (watched.request === undefined) {
    return true;
  }
  if (watched.request.complete || socket.bytesRead !== watched.bytes) {
    watched.bytes = socket.bytesRead;
    watched.rounds = 0;
    return false;
  }
  watched.rounds += 1;
  return watched.rounds > PATIENCE;
}

/** Watches the connections of a server from its start on. */
export function watchClients(listener: Server): SilentClients {
  const sockets = new Map<Socket, Watched>();
  listener.on('connection', (socket: Socket) => {
    sockets.set(socket, { request: undefined, bytes: 0, rounds: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  listener.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const watched = sockets.get(request.socket);
    if (watched) {
      watched.request = request;
      response.once('close', () => {
        watched.request = undefined;
      });
    }
  });
  const endAll = (): void => {
    for (const [socket, watched] of sockets) {
      if (isSilent(socket, watched)) {
        socket.destroy();
      }
    }
  };
  return {
    end: (round = ROUND) => {
      endAll();
      const timer = setInterval(endAll, round);
      return () => clearInterval(timer);
    },
  };
}
