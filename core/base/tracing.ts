/**
 * tracing: measures how long the parts of the work take, as spans. No span is made unless the settings name a receiver:
 * without one, these functions only call the work that they are given. core/metrics/trace-export.ts makes the spans,
 * and is loaded only with a receiver.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import { AppError } from './errors';

/**
 * What a span may say: names of routes, formats, stages and codes; sizes, counts and the request's id. It never has
 * another id, and never a word that somebody wrote.
 */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

type SpanStart = {
  readonly attributes: Attributes;
  /** Milliseconds since 1970. */ readonly at: number;
  readonly kind?: 'server' | 'delivery';
  /** The span that caused this one, as `traceparent` writes it. It comes from outside and may be anything. */
  readonly cause?: string | undefined;
};

/** What the exporter provides. */
type SpanMaker = {
  readonly begin: (name: string, start: SpanStart, parent?: Span) => Span;
  /** Marks a span that failed because of a fault of the service. */
  readonly fail: (span: Span) => void;
};

/** A span that is open. */
export type Traced = {
  readonly note: (attributes: Attributes) => void;
  readonly rename: (name: string) => void;
  readonly fail: (error: unknown) => void;
  /** Adds a part of the span that is over, with its times by `monotonic`. */
  readonly part: (name: string, from: number, to: number, attributes?: Attributes) => Traced;
};

/** Milliseconds of a clock that is never set back and that all processes of a machine share. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The form of our codes of errors; anything else is reported as `other`. */
const CODE = /^\w{1,40}$/;

export function failureOf(error: unknown): Attributes {
  const code = error instanceof AppError ? error.code : (error as Error | undefined)?.name;
  return { 'error.type': code !== undefined && CODE.test(code) ? code : 'other' };
}

function isFault(error: unknown): boolean {
  return !(error instanceof AppError) || error.status >= 500;
}

class Open implements Traced {
  statements = 0;

  /**
   * @param clock the difference between the time of day and `monotonic`; it is the same for a whole trace, so that its
   * spans fit each other
   */
  constructor(
    readonly span: Span,
    private readonly maker: SpanMaker,
    private readonly clock: number,
  ) {}

  child(name: string, attributes: Attributes, from = monotonic()): Open {
    return new Open(this.maker.begin(name, { attributes, at: from + this.clock }, this.span), this.maker, this.clock);
  }

  end(at = monotonic()): void {
    if (this.statements > 0) {
      this.span.setAttribute('svc.statements', this.statements);
    }
    this.span.end(at + this.clock);
  }

  note(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  fail(error: unknown): void {
    this.note(failureOf(error));
    if (isFault(error)) {
      this.maker.fail(this.span);
    }
  }

  part(name: string, from: number, to: number, attributes: Attributes = {}): Traced {
    const part = this.child(name, attributes, from);
    part.end(Math.max(from, to));
    return part;
  }
}

/** The span of the work that is running. It costs nothing as long as it is never set. */
const here = new AsyncLocalStorage<Open>();
let maker: SpanMaker | undefined;

/** Begins, or with undefined ends, the making of spans in this process. */
export function makeSpansWith(given: SpanMaker | undefined): void {
  maker = given;
}

export function isTracing(): boolean {
  return maker !== undefined;
}

/** The open span of the caller; undefined if nothing is traced. */
export function spanHere(): Traced | undefined {
  return here.getStore();
}

/** The open span in the form of a `traceparent`, for spans that link to it. */
export function causeHere(): string | undefined {
  const context = here.getStore()?.span.spanContext();
  return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`;
}

/** Counts a statement for the open span. */
export function countStatement(): void {
  const open = here.getStore();
  if (open) {
    open.statements += 1;
  }
}

async function insideSpan<T>(open: Open, work: (span: Traced) => Promise<T>): Promise<T> {
  try {
    return await here.run(open, () => work(open));
  } catch (error) {
    open.fail(error);
    throw error;
  } finally {
    open.end();
  }
}

/** Does the work as a part of the open span, if there is one. */
export function traced<T>(name: string, attributes: Attributes, work: (span?: Traced) => Promise<T>): Promise<T> {
  const open = here.getStore();
  return open === undefined ? work() : insideSpan(open.child(name, attributes), work);
}

/** Does the work as a trace of its own. */
export function tracedAlone<T>(
  name: string,
  { attributes, ...start }: Omit<SpanStart, 'at'>,
  work: (span?: Traced) => Promise<T>,
): Promise<T> {
  if (maker === undefined) {
    return work();
  }
  const at = Date.now();
  const clock = at - monotonic();
  const span = maker.begin(name, { attributes, ...start, at });
  // A span that the sampler leaves out costs nothing more.
  return span.isRecording() ? insideSpan(new Open(span, maker, clock), work) : work();
}

/** Binds work to the span of the caller, even if others start it, because several requests may share a transaction. */
export function bound<A extends readonly unknown[], T>(work: (...given: A) => T): (...given: A) => T {
  const open = here.getStore();
  return open === undefined ? work : (...given) => here.run(open, () => work(...given));
}

/** Runs work that outlives its caller, outside the caller's span. */
export function untraced<T>(work: () => T): T {
  return here.getStore() === undefined ? work() : here.exit(work);
}
