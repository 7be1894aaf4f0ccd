import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * Interface of tracing for other modules (docs/tracing.md): beginning and ending spans, and the text that continues a
 * trace in another process. Modules hold a `Tracing | undefined`; undefined means off, and then OpenTelemetry is not
 * loaded.
 */

/** The role of a span in a call, as OpenTelemetry defines it. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Must not contain texts, tokens, whole phone numbers or addresses of people. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** Start in milliseconds of `spanTime`; default: now. */
  readonly startedAt?: number;
  /** Related traces that the span is not a part of. */
  readonly links?: readonly string[];
  readonly attributes?: Attributes;
}

/** A started span. Only sampled ones exist. */
export interface Span {
  /** Continues the trace in a child span: a `traceparent`, then a space and the `tracestate`, if any. */
  readonly trace: string;
  /** Its ids, for log lines. */
  readonly logged: { readonly trace_id: string; readonly span_id: string };
  set(attributes: Attributes): void;
  /** Ends it, at `at` (milliseconds of `spanTime`) or now. `error` names the error in one word. */
  end(options?: { readonly error?: string | undefined; readonly at?: number }): void;
}

/** Headers of a caller, by lower-case name. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Tracing {
  /**
   * Begins the span of a request of an account, or continues the caller's trace. Returns undefined if it is not
   * sampled.
   */
  request(accountId: number, headers: Headers, name: string, options: SpanOptions): Span | undefined;
  /** Begins a span as part of a trace. */
  span(trace: string, name: string, options?: SpanOptions): Span;
  /** Begins a span of work for several traces, in a new trace that links to them. */
  group(name: string, links: readonly string[], options?: SpanOptions): Span;
  /** Exports ended spans for up to `graceMs`, then drops all further ones. */
  stop(graceMs: number): Promise<void>;
}

/** Traced messages per shipment, or per step of a campaign: spans for all of them would flood the collector. */
export const MAX_TRACED_MESSAGES = 10;

/** The trace of a request. It has no span before the API has identified the caller, and never if it is not sampled. */
export interface RequestTrace {
  span: Span | undefined;
}

const requests = new AsyncLocalStorage<RequestTrace>();

/** Runs `work`, and everything it starts, as part of a request. */
export function asTraced<T>(trace: RequestTrace, work: () => T): T {
  return requests.run(trace, work);
}

/** Returns the span of the current request; undefined if it is not traced. */
export function currentSpan(): Span | undefined {
  return requests.getStore()?.span;
}

/** Returns the HTTP headers that continue a trace, names and values alternating. */
export function traceHeaders(trace: string): string[] {
  const end = trace.indexOf(' ');
  if (end < 0) return ['traceparent', trace];
  return ['traceparent', trace.slice(0, end), 'tracestate', trace.slice(end + 1)];
}

/**
 * Milliseconds after which the monotonic clock is aligned with the machine's clock again, because the two drift apart.
 */
const ANCHOR_MS = 1_000;
let anchoredAt = Number.NEGATIVE_INFINITY;
let offset = 0;

/**
 * Returns milliseconds since the epoch by the machine's clock, with fractions, so that spans of several processes can
 * be compared.
 */
export function spanTime(): number {
  const now = performance.now();
  if (now - anchoredAt > ANCHOR_MS) {
    anchoredAt = now;
    offset = Date.now() - now;
  }
  return offset + now;
}
