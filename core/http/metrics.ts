/** metrics: what the service counts about itself, as Prometheus text. */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  readonly observe: (name: string, status: number, seconds: number) => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** For areas that count things of their own. */
  readonly registry: Registry;
};

/** Labels are route names and statuses only, so that the number of series stays small and no id appears. */
export const makeMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  const requests = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Time from the request to its reply, audit row included',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    observe: (name, status, seconds) => requests.labels(name, String(status)).observe(seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  };
};
