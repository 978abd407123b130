/**
 * connection: one keep-alive connection that sends a ready-made request and waits for the whole response, with little
 * work of its own.
 */
import { connect, type Socket } from 'node:net';
import type { WireRequest } from './wire';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Gets the status of the response; 0 when the connection broke. */
export type Answered = (status: number) => void;

export class Connection {
  private socket: Socket;
  private pending: Buffer = Buffer.alloc(0);
  /** Bytes of the response that are still to come; -1 while its head is incomplete. */
  private missing = -1;
  private status = 0;
  private answered: Answered | undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {
    this.socket = this.open();
  }

  private open(): Socket {
    const socket = connect({ host: this.host, port: this.port, noDelay: true });
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) {
        this.missing = -1;
        this.finish(0);
      }
    });
    return socket;
  }

  send({ head, body }: WireRequest, answered: Answered): void {
    if (this.socket.destroyed || this.socket.readableEnded) {
      // The server closes an idle connection after some time.
      this.socket = this.open();
      this.pending = Buffer.alloc(0);
    }
    this.answered = answered;
    if (body) {
      this.socket.cork();
      this.socket.write(head);
      this.socket.write(body);
      this.socket.uncork();
    } else {
      this.socket.write(head);
    }
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
      this.missing =
        Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (this.pending.length - end - END_OF_HEAD.length);
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
