/** mailbox: an SMTP server that keeps the Message-ID of every mail, and how often it came. */
import { SMTPServer } from 'smtp-server';

export type Mailbox = { readonly url: string; /** Message-ID's local part -> times. */ readonly seen: ReadonlyMap<string, number>; readonly stop: () => Promise<void> };

export const startMailbox = async (): Promise<Mailbox> => {
  const seen = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], logger: false,
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => { text += chunk.toString(); });
      stream.on('end', () => {
        const id = /^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? 'none';
        seen.set(id, (seen.get(id) ?? 0) + 1);
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port));
  });
  return { url: `smtp://127.0.0.1:${port}`, seen, stop: () => new Promise((resolve) => { server.close(() => resolve()); }) };
};
