/**
 * connection: one keep-alive connection that sends a ready-made request and waits for the whole response, with little
 * work of its own.
 */
import { connect, type Socket } from 'node:net';
import type { WireRequest } from './wire';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_LINE = Buffer.from('\r\n');

/** Follows a body that is sent in chunks, of which the last one is empty. */
class Chunks {
  private line: Buffer = Buffer.alloc(0);
  /** Bytes that are still to come of a chunk and of the line end behind it. */
  private left = 0;
  private isLast = false;

  /** Whether the body ends with these bytes. */
  endsWith(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.left > 0) {
        const taken = Math.min(this.left, bytes.length - at);
        this.left -= taken;
        at += taken;
      } else {
        at = this.readLine(bytes, at);
      }
    }
    return this.isLast && this.left === 0;
  }

  /** Reads the length of a chunk, whose line may come in two parts. @returns the place behind it */
  private readLine(bytes: Buffer, from: number): number {
    const text = Buffer.concat([this.line, bytes.subarray(from)]);
    const end = text.indexOf(END_OF_LINE);
    if (end < 0) {
      this.line = text;
      return bytes.length;
    }
    const length = parseInt(text.toString('latin1', 0, end), 16);
    this.isLast = length === 0;
    this.left = length + END_OF_LINE.length;
    const read = end + END_OF_LINE.length - this.line.length;
    this.line = Buffer.alloc(0);
    return from + read;
  }
}

/** Gets the status of the response; 0 when the connection broke. */
export type Answered = (status: number) => void;

export class Connection {
  private socket: Socket;
  private pending: Buffer = Buffer.alloc(0);
  /** Bytes of the response that are still to come; -1 while its head is incomplete. */
  private missing = -1;
  /** For a response whose length is not known beforehand. */
  private chunks: Chunks | undefined;
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
        this.chunks = undefined;
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
    if (this.missing < 0 && !this.chunks) {
      this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
      const end = this.pending.indexOf(END_OF_HEAD);
      if (end < 0) {
        return;
      }
      const head = this.pending.toString('latin1', 0, end);
      this.status = Number(head.slice(9, 12));
      this.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.chunks = /\r\ntransfer-encoding: chunked/i.test(head) ? new Chunks() : undefined;
      const rest = this.pending.subarray(end + END_OF_HEAD.length);
      this.pending = Buffer.alloc(0);
      this.takeBody(rest);
    } else {
      this.takeBody(chunk);
    }
  }

  private takeBody(bytes: Buffer): void {
    this.missing -= bytes.length;
    if (this.chunks ? this.chunks.endsWith(bytes) : this.missing <= 0) {
      this.missing = -1;
      this.chunks = undefined;
      this.finish(this.status);
    }
  }

  private finish(status: number): void {
    const { answered } = this;
    this.answered = undefined;
    answered?.(status);
  }
}
