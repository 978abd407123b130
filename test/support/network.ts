/**
 * network: a network between a browser and the service that a test can cut: before a request arrives, or after the
 * service has worked and before its answer is back.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `deaf`: requests arrive, and no answer comes back. */
export type Condition = 'on' | 'off' | 'deaf';

export type Network = {
  readonly url: string;
  /** Sets the condition, and cuts every connection unless the network is on. */
  readonly set: (condition: Condition) => void;
  readonly close: () => Promise<void>;
};

/** @param to the address of the service */
export async function openNetwork(to: string): Promise<Network> {
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  let condition: Condition = 'on';
  const join = (client: Socket): void => {
    if (condition === 'off') {
      client.destroy();
      return;
    }
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (data) => service.write(data));
    service.on('data', (data) => {
      if (condition === 'on') {
        client.write(data);
      } else {
        client.destroy();
      }
    });
  };
  const server = createServer(join);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => {
      condition = next;
      if (next !== 'on') {
        cut();
      }
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
