/** raw: sends exact bytes to a port, as no well-behaved client would, and reads the response. */
import { connect } from 'node:net';

export type RawAnswer = {
  /** 0 when the connection was closed without a response. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly milliseconds: number;
};

const statusOf = (text: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0);

/** Leaves out interim responses. */
const finalPart = (text: string): string => {
  let rest = text;
  while (/^HTTP\/1\.[01] 1\d\d/.test(rest) && rest.includes('\r\n\r\n')) {
    rest = rest.slice(rest.indexOf('\r\n\r\n') + 4);
  }
  return rest;
};

const complete = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) {
    return false;
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && Buffer.byteLength(text.slice(end + 4), 'latin1') >= Number(length);
};

/** Resolves with the whole response, at the end of the connection, or with status -1 when nothing came in time. */
export const sendRaw = (url: string, bytes: string | Buffer, patience = 5000): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const began = performance.now();
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname);
    const finish = (status?: number): void => {
      socket.destroy();
      const answer = finalPart(text);
      const end = answer.indexOf('\r\n\r\n');
      resolve({
        status: status ?? statusOf(answer),
        head: end < 0 ? answer : answer.slice(0, end),
        body: end < 0 ? '' : answer.slice(end + 4),
        milliseconds: performance.now() - began,
      });
    };
    socket.setTimeout(patience, () => finish(-1));
    socket.on('connect', () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (complete(finalPart(text))) {
        finish();
      }
    });
    socket.on('end', () => finish());
    socket.on('error', () => finish());
  });

/** One request as bytes. */
export const rawRequest = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> | readonly string[] = {},
  body = '',
): string => {
  const lines = Array.isArray(headers)
    ? (headers as readonly string[])
    : Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${target} HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}${body === '' ? '' : `Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n`}\r\n${body}`;
};
