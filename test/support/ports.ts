/** ports: free loopback ports for servers that are started later or repeatedly. */
import { createServer } from 'node:net';

/**
 * Below the range from which Linux and macOS assign ports to outgoing connections. A port of that range that is free
 * when a test chooses it may be in use when its server starts again. A Galera node whose port for missed changes is in
 * use ends with SIGABRT.
 */
const LOWEST = 10_000;
const HIGHEST = 32_767;
/** Each process first searches a part of its own, because other test files search at the same time. */
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

/** A port on which no process listens, and which this process has not used before. */
export const freePort = async (): Promise<number> => {
  const port = next;
  next = port === HIGHEST ? LOWEST : port + 1;
  return (await isFree(port)) ? port : freePort();
};
