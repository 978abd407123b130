/** worker-connections: connections that were on their way to a worker when it died end with it, instead of hanging. */
import type { Worker } from 'node:cluster';

type Closes = { readonly close: () => void };
/** What the cluster module says to a worker, as far as it matters here. */
type Told = { readonly act?: string; readonly seq?: number };
type Answered = { readonly ack?: number };

/**
 * The first process accepts every connection and hands it to a worker, but keeps its own end open until the worker says that it has it. Of
 * one that is killed before it says so, Node.js forgets the connection without closing it: its client would wait for ever.
 */
export const endWithWorker = ({ process: child }: Worker): void => {
  const onTheirWay = new Map<number, Closes>();
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean;
  child.send = (...args: readonly unknown[]): boolean => {
    const [told, handle] = args as readonly [Told | undefined, Closes | undefined];
    if (told?.act === 'newconn' && told.seq !== undefined && handle) {
      onTheirWay.set(told.seq, handle);
    }
    return send(...args);
  };
  child.on('internalMessage', ({ ack }: Answered) => {
    if (ack !== undefined) {
      onTheirWay.delete(ack);
    }
  });
  child.once('exit', () => onTheirWay.forEach((handle) => handle.close()));
};
