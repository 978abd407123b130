/**
 * worker-metrics: with several workers a scrape reaches any one of them; it answers with the sums over all, which the
 * first process makes.
 */
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { errors } from '../base/errors';

type Question = { readonly metricsAsked: number };
/** The text is null when a worker did not say what it has counted. */
type Answer = { readonly metricsAsked: number; readonly metrics: string | null };

/** In the first process: answers every worker that asks. */
export const sumUpForWorkers = (): void => {
  const sums = new AggregatorRegistry();
  cluster.on('message', (worker, { metricsAsked }: Partial<Question>) => {
    if (metricsAsked !== undefined) {
      // A process that has ended meanwhile needs no answer.
      const answer = (metrics: string | null) =>
        worker.send({ metricsAsked, metrics } satisfies Answer, () => undefined);
      sums.clusterMetrics().then(answer, () => answer(null));
    }
  });
};

/**
 * In a worker: tells the first process what this one has counted, and asks it for the sums.
 * @returns asks once. @throws AppError unavailable when another worker is just starting, or does not answer within five
 * seconds
 */
export const askForSums = (registry: Registry): (() => Promise<string>) => {
  AggregatorRegistry.setRegistries(registry);
  // Made for what it hears: from now on it answers the first process.
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
      // Without a callback a question to a first process that is gone would end this one before its requests have
      // ended.
      process.send?.({ metricsAsked: asked } satisfies Question, (error: Error | null) => error && resolve(null));
    });
    if (metrics === null) {
      throw errors.unavailable('a worker does not say what it has counted');
    }
    return metrics;
  };
};
