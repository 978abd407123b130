/**
 * progress: shows how far a long job has come, as a bar on a terminal and as plain lines elsewhere; always on stderr.
 */
import { Presets, SingleBar } from 'cli-progress';

type Progress = { readonly step: (count?: number) => void; readonly end: () => void };

/** What a job reports: how much there is to do, once it knows, and how much is done. */
export type Steps = { readonly begin: (total: number) => void; readonly step: (count?: number) => void };

const LINE_SECONDS = 5;

function plainProgress(what: string, total: number): Progress {
  let done = 0;
  let said = Date.now();
  const say = (): void => {
    process.stderr.write(`${what}: ${done}${total > 0 ? ` of ${total}` : ''}\n`);
    said = Date.now();
  };
  return {
    step: (count = 1) => {
      done += count;
      if (Date.now() - said > LINE_SECONDS * 1000) {
        say();
      }
    },
    end: () => {
      // Work that failed before its first step has its own message.
      if (done > 0) {
        say();
      }
    },
  };
}

/** @param total 0 when it is not known */
function showProgress(what: string, total: number): Progress {
  if (!process.stderr.isTTY || total === 0) {
    return plainProgress(what, total);
  }
  const bar = new SingleBar(
    { format: `${what} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`, stream: process.stderr },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { step: (count = 1) => bar.increment(count), end: () => bar.stop() };
}

/**
 * Shows how far `work` has come. The bar ends however the work ends, because its timer would keep the process alive.
 */
export async function withProgress<T>(what: string, work: (steps: Steps) => Promise<T>): Promise<T> {
  let progress: Progress | undefined;
  const shown = (total: number): Progress => (progress ??= showProgress(what, total));
  try {
    return await work({ begin: shown, step: (count) => shown(0).step(count) });
  } finally {
    progress?.end();
  }
}
