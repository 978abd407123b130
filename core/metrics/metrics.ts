/** metrics: what the service counts about itself, as Prometheus text. */
import cluster from 'node:cluster';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { askForSums } from './worker-metrics';

export type Metrics = {
  readonly observe: (name: string, status: number, seconds: number) => void;
  /**
   * One document was read, or refused.
   * @param format name of the pipeline-config entry; `none` where none is registered for the document's type, `unknown`
   * where that could not be found out
   * @param outcome `read`, or the code of the error (specification 7)
   */
  readonly documentRead: (format: string, outcome: string) => void;
  /** An export for an app was written, failed, or was given up because the access had ended. */
  readonly exported: (outcome: 'done' | 'failed' | 'ended') => void;
  /**
   * The metrics as text; of all workers if there are several.
   * @throws AppError unavailable
   */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/**
 * Labels are names of routes and formats, statuses and codes only, so that the number of series stays small and no id
 * appears.
 */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  const requests = new Histogram({
    name: 'svc_request_duration_seconds',
    help: 'Time from the request to its reply, audit row included',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const documents = new Counter({
    name: 'svc_documents_read_total',
    help: 'Documents that were identified, validated and transformed, or refused on the way',
    labelNames: ['format', 'outcome'],
    registers: [registry],
  });
  const exported = new Counter({
    name: 'svc_exports_total',
    help: 'Exports of the FHIR door that were written, failed, or were given up because the access had ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return {
    observe: (name, status, seconds) => requests.labels(name, String(status)).observe(seconds),
    documentRead: (format, outcome) => documents.labels(format, outcome).inc(),
    exported: (outcome) => exported.labels(outcome).inc(),
    text: cluster.isWorker ? askForSums(registry) : () => registry.metrics(),
    contentType: registry.contentType,
  };
}
