/** profile-process: a service that reports where its processor time is spent. */
import { Session, type Profiler } from 'node:inspector/promises';
import { loadConfig } from '../../core/config/load';
import { areas } from '../../core/server/plugins';
import { start, type Running } from '../../core/server/start';

export type ProfileOrder =
  | { readonly kind: 'start'; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' };
export type Profiled = {
  readonly url: string;
  readonly profile?: Profiler.Profile;
  /** Microseconds of processor time of this process. */ readonly processor: number;
};

const session = new Session();
let running: Running | undefined;
let began = process.cpuUsage();

const obey = async (order: ProfileOrder): Promise<Profiled> => {
  if (order.kind === 'start') {
    running = await start(loadConfig({ ...order.settings, SVC_PORT: '0' }), areas, { prepare: true });
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
  } else if (order.kind === 'begin') {
    await session.post('Profiler.start');
    began = process.cpuUsage();
  }
  const { user, system } = process.cpuUsage(began);
  const profile = order.kind === 'end' ? (await session.post('Profiler.stop')).profile : undefined;
  return { url: running!.url, processor: user + system, ...(profile ? { profile } : {}) };
};

process.on('message', (order: ProfileOrder) => {
  obey(order).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ failed: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => {
  void running?.stop().finally(() => process.exit(0));
});
