import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * What other modules know of tracing (docs/tracing.md): spans that begin and end, and the text by which a trace goes on in
 * another process. They hold a `Tracing | undefined`; undefined is "off", and then nothing of OpenTelemetry is loaded.
 */

/** The role of a span in a call, as OpenTelemetry has it. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Never texts, tokens, whole phone numbers or addresses of people. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  /** `internal` when it is left out. */
  readonly kind?: SpanKind;
  /** When it began, in milliseconds of `spanTime`; now when it is left out. */
  readonly startedAt?: number;
  /** Traces that it belongs to without being a part of them. */
  readonly links?: readonly string[];
  readonly attributes?: Attributes;
}

/** A span that has begun. Only sampled ones exist. */
export interface Span {
  /** What a part of it continues: a `traceparent`, and behind a space the `tracestate` where there is one. */
  readonly trace: string;
  /** Its ids, for lines of the log. */
  readonly logged: { readonly trace_id: string; readonly span_id: string };
  set(attributes: Attributes): void;
  /** Ends it, at `at` (milliseconds of `spanTime`) or now. `error` says in a word what went wrong. */
  end(options?: { readonly error?: string | undefined; readonly at?: number }): void;
}

/** What a caller sent, by lower-case name. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Tracing {
  /** Begins the span of a request of an account, or continues the caller's trace; undefined: it is not sampled. */
  request(accountId: number, headers: Headers, name: string, options: SpanOptions): Span | undefined;
  /** Begins a span as a part of a trace. */
  span(trace: string, name: string, options?: SpanOptions): Span;
  /** Begins a span of work for several traces: a trace of its own with links to them. */
  group(name: string, links: readonly string[], options?: SpanOptions): Span;
  /** Exports what has ended, for `graceMs` at most, and nothing after that. */
  stop(graceMs: number): Promise<void>;
}

/** Messages of one shipment, or of one step of a campaign, that are traced: spans of all would flood the collector. */
export const MAX_TRACED_MESSAGES = 10;

/** The trace of a request: without a span until its caller is known, and for good where it is not sampled. */
export interface RequestTrace {
  span: Span | undefined;
}

const requests = new AsyncLocalStorage<RequestTrace>();

/** Runs `work`, and all that it starts, as part of a request. */
export function asTraced<T>(trace: RequestTrace, work: () => T): T {
  return requests.run(trace, work);
}

/** The span of the request that the caller belongs to, where that is traced. */
export function currentSpan(): Span | undefined {
  return requests.getStore()?.span;
}

/** The HTTP headers that continue a trace, names and values in turns. */
export function traceHeaders(trace: string): string[] {
  const end = trace.indexOf(' ');
  if (end < 0) return ['traceparent', trace];
  return ['traceparent', trace.slice(0, end), 'tracestate', trace.slice(end + 1)];
}

/** Clocks of a machine drift apart: by so much at most, in milliseconds. */
const ANCHOR_MS = 1_000;
let anchoredAt = Number.NEGATIVE_INFINITY;
let offset = 0;

/** Milliseconds since the epoch by the machine's clock, with fractions: spans are compared over processes. */
export function spanTime(): number {
  const now = performance.now();
  if (now - anchoredAt > ANCHOR_MS) {
    anchoredAt = now;
    offset = Date.now() - now;
  }
  return offset + now;
}
