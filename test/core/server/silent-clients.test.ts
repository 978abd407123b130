/** silent-clients: a stop waits for what is being answered, and for nobody who says nothing. */
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { watchClients } from '../../../core/server/silent-clients';
import { until } from '../../support/receiver';

export const lab = Lab.script();
const { describe, it } = lab;

describe('clients of a service that stops', () => {
  it('are ended when they are silent, and answered when they have asked', async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((_request, response) => void waiting.push(response));
    const clients = watchClients(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const closed: string[] = [];
    const open = (name: string, text: string): Socket => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('close', () => closed.push(name)).on('error', () => undefined);
      socket.resume();
      return socket;
    };
    open('nothing', '');
    open('half a head', 'GET / HTTP/1.1\r\nhost: a');
    open('half a body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf');
    const asking = open('asking', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    let answer = '';
    asking.on('data', (bytes: Buffer) => {
      answer += bytes.toString();
    });
    await until(() => waiting.length === 2);
    const leave = clients.end(5);
    await until(() => closed.length === 3);
    expect([...closed].sort()).to.equal(['half a body', 'half a head', 'nothing']);
    waiting.forEach((response) => response.end('done'));
    await until(() => closed.length === 4);
    expect(answer).to.contain('done');
    leave();
    await new Promise((resolve) => server.close(resolve));
  });
});
