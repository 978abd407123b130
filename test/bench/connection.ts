/** connection: one kept-alive connection that sends a ready-made request and waits for the whole answer, with little work of its own. */
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Status of the answer; 0 when the connection broke. */
export type Answered = (status: number) => void;

export class Connection {
  private readonly socket: Socket;
  private pending: Buffer = Buffer.alloc(0);
  /** Bytes of the answer that are still to come; -1 while its head is incomplete. */
  private missing = -1;
  private status = 0;
  private answered: Answered | undefined;

  constructor(host: string, port: number) {
    this.socket = connect({ host, port, noDelay: true });
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', () => this.finish(0));
    this.socket.on('close', () => this.finish(0));
  }

  send(request: Buffer, answered: Answered): void {
    this.answered = answered;
    this.socket.write(request);
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.missing < 0) {
      this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
      const end = this.pending.indexOf(END_OF_HEAD);
      if (end < 0) {
        return;
      }
      const head = this.pending.toString('latin1', 0, end);
      this.status = Number(head.slice(9, 12));
      this.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (this.pending.length - end - END_OF_HEAD.length);
      this.pending = Buffer.alloc(0);
    } else {
      this.missing -= chunk.length;
    }
    if (this.missing <= 0) {
      this.missing = -1;
      this.finish(this.status);
    }
  }

  private finish(status: number): void {
    const { answered } = this;
    this.answered = undefined;
    answered?.(status);
  }
}
