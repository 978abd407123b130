/** mailbox: an SMTP server that records the Message-ID and the arrival time of every mail. */
import { SMTPServer } from 'smtp-server';

/** Key -> times of arrival in milliseconds. */
export type Arrivals = Map<string, number[]>;

export const arrived = (arrivals: Arrivals, key: string, at: number): void => {
  arrivals.set(key, [...(arrivals.get(key) ?? []), at]);
};

export type Mailbox = {
  readonly url: string;
  /** The key is the local part of the Message-ID. */ readonly arrivals: Arrivals;
  readonly stop: () => Promise<void>;
};

export const startMailbox = async (): Promise<Mailbox> => {
  const arrivals: Arrivals = new Map();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        arrived(arrivals, /^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? 'none', Date.now());
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port));
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    arrivals,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
};
