/** ports: addresses on loopback for servers that are started a while later, or again and again. */
import { createServer } from 'node:net';

/**
 * Below the range from which Linux and macOS give ports to outgoing connections: one of that range is free when a test picks it and may be
 * anybody's when its server comes back. A Galera node whose port for missed changes was taken so ends with SIGABRT.
 */
const LOWEST = 10_000;
const HIGHEST = 32_767;
/** Each process looks in a part of its own first, since other test files look at the same time. */
const PART = 64;
const parts = Math.floor((HIGHEST - LOWEST) / PART);

let next = LOWEST + (process.pid % parts) * PART;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve(false);
      } else {
        reject(error);
      }
    });
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });

/** A port on which nobody listens, and which this process was not given before. */
export const freePort = async (): Promise<number> => {
  const port = next;
  next = port === HIGHEST ? LOWEST : port + 1;
  return (await isFree(port)) ? port : freePort();
};
