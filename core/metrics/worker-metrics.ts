/**
 * worker-metrics: answers a scrape, which reaches any one of several workers, with the sums over all of them. The first
 * process adds them up.
 */
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { errors } from '../base/errors';

type Question = { readonly metricsAsked: number };
/** The text is null when a worker did not report its counts. */
type Answer = { readonly metricsAsked: number; readonly metrics: string | null };

/** For the first process: answers every worker that asks. */
export function sumUpForWorkers(): void {
  const sums = new AggregatorRegistry();
  cluster.on('message', (worker, { metricsAsked }: Partial<Question>) => {
    if (metricsAsked !== undefined) {
      // A process that has ended meanwhile needs no answer.
      const answer = (metrics: string | null) =>
        worker.send({ metricsAsked, metrics } satisfies Answer, () => undefined);
      sums.clusterMetrics().then(answer, () => answer(null));
    }
  });
}

/**
 * For a worker: reports its counts to the first process, and asks that for the sums.
 * @returns a function that asks once.
 * @throws AppError unavailable when another worker is just starting, or does not answer within five seconds
 */
export function askForSums(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  // It is made for its listeners: from now on it answers the first process.
  new AggregatorRegistry();
  const waiting = new Map<number, (metrics: string | null) => void>();
  let asked = 0;
  process.on('message', ({ metricsAsked, metrics }: Partial<Answer>) => {
    if (metricsAsked !== undefined) {
      waiting.get(metricsAsked)?.(metrics ?? null);
      waiting.delete(metricsAsked);
    }
  });
  return async () => {
    asked += 1;
    const metrics = await new Promise<string | null>((resolve) => {
      waiting.set(asked, resolve);
      // Without a callback, a message to a first process that has ended would end this process before its requests are
      // done.
      process.send?.({ metricsAsked: asked } satisfies Question, (error: Error | null) => error && resolve(null));
    });
    if (metrics === null) {
      throw errors.unavailable('a worker does not say what it has counted');
    }
    return metrics;
  };
}
