/** receiver: a web server on loopback that receives pings as an app's callback does. */
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Status of the next responses; a function decides for each request and may take its time. */
  answer: number | ((request: Received) => number | Promise<number>);
  /** Resolves when `count` pings have arrived altogether. */
  readonly waitFor: (count: number) => Promise<readonly Received[]>;
  readonly stop: () => Promise<void>;
};

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Longer than a busy machine needs; only a failing test waits this long. */
const PATIENCE = 240_000;

/** Polls until the claim is true. */
export const until = async (claim: () => boolean | Promise<boolean>, what = 'what was waited for'): Promise<void> => {
  const end = Date.now() + PATIENCE;
  while (!(await claim())) {
    if (Date.now() > end) {
      throw new Error(`${what} did not happen within ${PATIENCE} ms`);
    }
    await sleep(10);
  }
};

export const startReceiver = async (port = 0): Promise<Receiver> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        at: Date.now(),
      };
      received.push(one);
      void Promise.resolve(typeof receiver.answer === 'number' ? receiver.answer : receiver.answer(one)).then(
        (status) => {
          response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end();
        },
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    received,
    answer: 200,
    waitFor: async (count) => {
      await until(() => received.length >= count, `${count} pings`);
      return received;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
};
