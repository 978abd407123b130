/** smtp: a mail server on loopback that keeps the mails that it receives. */
import { SMTPServer } from 'smtp-server';
import { readMail, type ReadMail } from './mails';

export type Mailbox = {
  readonly url: string;
  /** Waits for the latest of `count` mails to the address with the subject. */ readonly wait: (
    to: string,
    subject: string,
    count?: number,
  ) => Promise<ReadMail>;
  readonly stop: () => Promise<void>;
};

export const startMailServer = async (): Promise<Mailbox> => {
  const mails: ReadMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, _session, done) => {
      let source = '';
      stream.on('data', (chunk: Buffer) => {
        source += chunk.toString('utf8');
      });
      stream.on('end', () => {
        mails.push(readMail(source));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    wait: async (to, subject, count = 1) => {
      const end = Date.now() + 240_000;
      for (;;) {
        const found = mails.filter((mail) => mail.to.includes(to) && mail.subject === subject);
        if (found.length >= count) {
          return found.at(-1)!;
        }
        if (Date.now() > end) {
          throw new Error(`no mail "${subject}" to ${to} within four minutes`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
};
