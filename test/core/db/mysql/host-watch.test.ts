/**
 * host-watch: a host that stops responding is left: statements that wait for it fail, and new connections go elsewhere.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openDatabase } from '../../../../core/db/open';
import { databases } from '../../../support/databases';
import { expectQuick } from '../../../support/quick';
import { until } from '../../../support/receiver';

export const lab = Lab.script();
const { describe, it } = lab;

type Line = {
  readonly address: string;
  readonly cut: () => void;
  readonly mend: () => void;
  readonly opened: () => number;
  readonly close: () => Promise<void>;
};

/** A proxy to the server that can go silent: it forwards nothing any more, and closes no connection. */
const startLine = (port: number): Promise<Line> =>
  new Promise((resolve) => {
    let dead = false;
    let opened = 0;
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      opened += 1;
      const far = connect(port, '127.0.0.1');
      const pass = (from: Socket, to: Socket): void => {
        sockets.add(from);
        from.on('data', (chunk: Buffer) => {
          if (!dead) {
            to.write(chunk);
          }
        });
        from.on('error', () => undefined);
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      };
      pass(near, far);
      pass(far, near);
    });
    server.listen(0, '127.0.0.1', () => {
      resolve({
        address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        cut: () => {
          dead = true;
        },
        mend: () => {
          dead = false;
        },
        opened: () => opened,
        close: () =>
          new Promise((closed) => {
            sockets.forEach((socket) => socket.destroy());
            server.close(() => closed());
          }),
      });
    });
  });

for (const leg of databases.filter(({ name }) => name === 'mysql')) {
  describe('a cluster with a host that falls silent', () => {
    it('is served by the others within seconds, and by it again when it speaks', async () => {
      const { url, drop } = await leg.create();
      const port = Number(/:(\d+)\/[^/]*$/.exec(url)![1]);
      const [first, second] = [await startLine(port), await startLine(port)];
      const database = await openDatabase(url.replace(/([^@/]+)(?=\/[^/]*$)/, `${first.address},${second.address}`), 3);
      const ask = (): Promise<unknown> => database.reads.rows('select 1 as one', []);
      await Promise.all([ask(), ask(), ask()]);
      expect([first.opened() > 0, second.opened()]).to.equal([true, 0]);
      // By then the watch has opened its own connection.
      await until(() => first.opened() > 3, 'a sign of life');

      first.cut();
      const began = Date.now();
      // Every connection of the pool hangs, one of them inside a transaction.
      const hanging = await Promise.all(
        [ask(), ask(), database.transaction((trx) => trx.raw('select 2'))].map((work) =>
          work.then(
            () => 'answered',
            (error: { status?: number }) => error.status,
          ),
        ),
      );
      expect(hanging).to.equal([503, 503, 503]);
      expect(Date.now() - began, 'milliseconds until the wait is over').to.be.above(4000);
      const again = Date.now();
      expect(await ask()).to.equal([{ one: 1 }]);
      expectQuick(Date.now() - again, 4000, 'milliseconds to the next host, without asking the silent one again');
      expect(second.opened()).to.be.above(0);

      // The existing connections to the second host are not closed, but a third one goes to the first host again.
      first.mend();
      second.cut();
      await until(
        () =>
          ask().then(
            () => true,
            () => false,
          ),
        'an answer through the first host',
      );
      await database.close();
      await Promise.all([first.close(), second.close()]);
      await drop();
    });

    it('keeps its connections while statements take long', async () => {
      const { url, drop } = await leg.create();
      const line = await startLine(Number(/:(\d+)\/[^/]*$/.exec(url)![1]));
      const database = await openDatabase(url.replace(/([^@/]+)(?=\/[^/]*$)/, `${line.address},${line.address}`), 3);
      expect(await database.reads.rows('select sleep(8) as slept', [])).to.equal([{ slept: 0 }]);
      await database.close();
      await line.close();
      await drop();
    });
  });
}
