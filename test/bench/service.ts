/** service: `svc serve` in a process of its own, as in production, and how much memory it uses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { serve, type Served } from '../support/svc';
import { testManifests } from '../support/test-manifests';

export type BenchService = Served & {
  /** Milliseconds from the command to the readiness line. */ readonly startMilliseconds: number;
};

/** Settings of a service under measurement: production defaults. */
export const benchSettings = (databaseUrl: string): Readonly<Record<string, string>> => ({
  SVC_DATABASE_URL: databaseUrl,
  SVC_SECRET_KEY: 'only for benchmarks: 0123456789abcdef',
  SVC_MANIFESTS_DIR: testManifests,
  SVC_LOG_LEVEL: 'info',
  SVC_MAIL_DIR: '/tmp/svc-bench-mail',
  SVC_RATE_ACCOUNT_PER_MINUTE: '0',
  SVC_RATE_CONSUMER_PER_MINUTE: '0',
});

export const startBenchService = async (settings: Readonly<Record<string, string>>): Promise<BenchService> => {
  const began = performance.now();
  const served = await serve(settings);
  return { ...served, startMilliseconds: performance.now() - began };
};

const megabytes = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Resident memory of the server process, in megabytes. */
export const memoryOf = (pid: number): number => megabytes(pid, 'VmRSS');

/** The highest resident memory since the last call of this function, or since the start. */
export const highestMemoryOf = (pid: number): number => {
  const highest = megabytes(pid, 'VmHWM');
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return highest;
};
