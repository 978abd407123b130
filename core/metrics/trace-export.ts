/**
 * trace-export: makes spans with OpenTelemetry's own packages and sends them to the receiver of
 * OTEL_EXPORTER_OTLP_ENDPOINT. It is loaded only if that is set; the packages read the other OTEL_ settings by
 * themselves.
 */
import { isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Link } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { newId } from '../base/ids';
import { projectVersion } from '../base/paths';
import { makeSpansWith } from '../base/tracing';

const NAME = 'personal-health-records-service';
const KINDS = { server: SpanKind.SERVER, delivery: SpanKind.PRODUCER } as const;

/** Longer than any name of ours. */
const LONGEST_VALUE = 200;
/** How long a stop waits for spans that have not been sent yet. */
const FLUSH_MILLISECONDS = 3000;
/** A receiver that is often unreachable causes at most one line of the log in this time. */
const QUIET_MILLISECONDS = 600_000;

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * A link to the caller's span. It is never the parent, because a caller must decide neither whether the trace is kept,
 * nor what it belongs to.
 */
function linksTo(cause = ''): Link[] {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(cause) ?? [];
  const context = { traceId, spanId, traceFlags: 0, isRemote: true };
  return isSpanContextValid(context) ? [{ context }] : [];
}

/** The kind of failure and the status only, because the text of a response may say anything. */
function exportFailureKind(error: unknown): string {
  const { name, code } = (error ?? {}) as { readonly name?: string; readonly code?: string | number };
  return [name, code].filter(Boolean).join(' ').slice(0, 100);
}

/** Logs once that spans do not arrive, and does not log it again soon. */
function telling(exporter: SpanExporter, log: Logger): SpanExporter {
  let lost = 0;
  let quietUntil = 0;
  const tell = (error: unknown, spans: number): void => {
    lost += spans;
    if (Date.now() >= quietUntil) {
      log.warn({ reason: exportFailureKind(error), spans: lost }, 'traces do not arrive; nothing else is affected');
      quietUntil = Date.now() + QUIET_MILLISECONDS;
      lost = 0;
    }
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 means that they have arrived.
        if (Number(result.code) !== 0) {
          tell(result.error, spans.length);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

export type Exporting = {
  /** Sends the spans that have not been sent yet, if that is quick. */
  readonly stop: () => Promise<void>;
};

/** Begins to make spans in this process. */
export function exportTraces(log: Logger): Exporting {
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': NAME,
        'service.version': projectVersion,
        'service.instance.id': newId(),
        'process.pid': process.pid,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const exporter = telling(new OTLPTraceExporter(), log);
  const provider = new BasicTracerProvider({
    resource,
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer(NAME, projectVersion);
  makeSpansWith({
    begin: (name, { attributes, at, kind, cause }, parent) =>
      tracer.startSpan(
        name,
        {
          attributes,
          startTime: at,
          kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
          links: linksTo(cause),
        },
        parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
      ),
    fail: (span) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  });
  return {
    stop: async () => {
      makeSpansWith(undefined);
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_MILLISECONDS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), enough]);
      clearTimeout(timer);
    },
  };
}
