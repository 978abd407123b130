/** tracing: makes spans of requests, if the settings name a receiver of traces. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server } from '@hapi/hapi';
import type { Logger } from 'pino';
import { showTraceSettings } from '../config/environment';
import { readDotEnv } from '../config/load';
import type { Config } from '../config/schema';
import { countStatement, tracedAlone } from '../base/tracing';
import { watchStatements } from '../db/watch';

/** Ends tracing. Waiting spans are sent first, if that is quick. */
type EndTracing = () => Promise<void>;

/** Begins to make spans if the settings ask for them; OpenTelemetry's packages are loaded only then. */
export async function startTracing({ tracesEndpoint }: Config, log: Logger): Promise<EndTracing> {
  if (tracesEndpoint === '') {
    return () => Promise.resolve();
  }
  showTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: tracesEndpoint, ...readDotEnv() });
  const { exportTraces } = await import('../metrics/trace-export.js');
  const { stop } = exportTraces(log);
  const unwatch = watchStatements(countStatement);
  return async () => {
    unwatch();
    await stop();
  };
}

/** Probes come every few seconds, and are not about anybody's work. */
const PROBE = /^\/(?:health\/|metrics(?:$|\?))/;

function traceRequest(request: IncomingMessage, response: ServerResponse, handle: () => void): Promise<void> {
  const method = request.method ?? '';
  const cause = request.headers['traceparent']?.toString();
  return tracedAlone(
    method,
    { attributes: { 'http.request.method': method }, kind: 'server', cause },
    (span) =>
      new Promise((resolve) => {
        response.once('close', () => {
          span?.note({ 'http.response.status_code': response.statusCode, 'svc.whole': response.writableFinished });
          resolve();
        });
        handle();
      }),
  );
}

/**
 * Makes every request but a probe a trace of its own, from its head to the last byte of its answer. A trace that the
 * caller names is only linked, because it must not decide whether this one is kept. The operation is added at the end
 * of the request (build.ts).
 */
export function traceRequests({ listener }: Server): void {
  // hapi also listens for the second event, which comes when the caller waits for leave to send its body.
  for (const event of ['request', 'checkContinue'] as const) {
    const handlers = listener.listeners(event) as RequestListener[];
    listener.removeAllListeners(event);
    listener.on(event, (request, response) => {
      const handle = (): void => handlers.forEach((handler) => void handler(request, response));
      if (PROBE.test(request.url ?? '')) {
        handle();
      } else {
        void traceRequest(request, response, handle);
      }
    });
  }
}
