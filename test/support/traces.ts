/** traces: reads the spans that a receiver of OpenTelemetry's JSON got. */
import type { Received } from './receiver';

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
type Pair = { readonly key: string; readonly value: Value };
type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Pair[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number; readonly message?: string };
};
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
};

export type Attributes = Readonly<Record<string, unknown>>;

export type Span = Omit<SentSpan, 'attributes' | 'links'> & {
  readonly attributes: Attributes;
  readonly links: NonNullable<SentSpan['links']>;
  readonly resource: Attributes;
  readonly from: bigint;
  readonly to: bigint;
};

const objectOf = (pairs: readonly Pair[]): Attributes =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0] as unknown]));

export const spansOf = (received: readonly Received[]): readonly Span[] =>
  received
    .flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          attributes: objectOf(span.attributes),
          links: span.links ?? [],
          resource: objectOf(resource.attributes),
          from: BigInt(span.startTimeUnixNano),
          to: BigInt(span.endTimeUnixNano),
        })),
    );

/** Names of the spans below a span, as a tree, in the order of their start times. */
export type Tree = { readonly [name: string]: Tree };

export const childrenOf = (spans: readonly Span[], { spanId, traceId }: Span): readonly Span[] =>
  spans
    .filter((span) => span.parentSpanId === spanId && span.traceId === traceId)
    .sort((a, b) => Number(a.from - b.from));

export const treeOf = (spans: readonly Span[], root: Span): Tree =>
  Object.fromEntries(childrenOf(spans, root).map((span) => [span.name, treeOf(spans, span)]));
