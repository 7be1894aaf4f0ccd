import { randomUUID } from 'node:crypto';
import {
  type Context,
  createContextKey,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind as SdkSpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../log.ts';
import { counter } from '../metrics.ts';
import { CallerLimit } from './caller-limit.ts';
import { ExportQueue } from './export-queue.ts';
import type { TraceSettings } from './settings.ts';
import {
  type Attributes,
  type Span,
  type SpanKind,
  type SpanOptions,
  spanTime,
  type Tracing,
} from './tracing.ts';

/*
 * Tracing by the SDK of OpenTelemetry: spans are created explicitly, without instrumentation or global registration.
 * Only `open.ts` loads this file, if tracing is on.
 */

const limited = counter(
  'carillon_trace_requests_limited_total',
  'Requests that were not traced because their account had sent more with a trace of its own within the second',
);

const kinds: Readonly<Record<SpanKind, SdkSpanKind>> = {
  server: SdkSpanKind.SERVER,
  client: SdkSpanKind.CLIENT,
  producer: SdkSpanKind.PRODUCER,
  consumer: SdkSpanKind.CONSUMER,
  internal: SdkSpanKind.INTERNAL,
};

/** Maximum links of a span; the SDK would drop more. */
const MAX_LINKS = 128;

const propagator = new W3CTraceContextPropagator();

/** Marks a context in which a span is sampled without a decision: traces are stored only if they were sampled. */
const DECIDED = createContextKey('carillon decided');
const decided = ROOT_CONTEXT.setValue(DECIDED, true);

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const byRoot = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = sampler.replace('parentbased_', '') as keyof typeof byRoot;
  return sampler.startsWith('parentbased_')
    ? new ParentBasedSampler({ root: byRoot[root]() })
    : byRoot[root]();
}

/** The configured sampler, which decides only for requests. */
function requestSampler(settings: TraceSettings): Sampler {
  const sampler = samplerOf(settings);
  return {
    shouldSample: (context, ...rest) =>
      context.getValue(DECIDED)
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : sampler.shouldSample(context, ...rest),
    toString: () => sampler.toString(),
  };
}

/** Starts to export spans, without waiting for the collector. */
export function startTracing(settings: TraceSettings, log: Logger): Tracing {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: settings.timeoutMs,
    // Value of an enum that the package does not export.
    compression: (settings.isCompressed ? 'gzip' : 'none') as never,
    httpAgentOptions: { keepAlive: true },
  });
  const queue = new ExportQueue(exporter, settings, log);
  const provider = new TracerProvider({
    sampler: requestSampler(settings),
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.instance.id': randomUUID(), ...settings.resource }),
    ),
    spanProcessors: [queue],
  });
  return new OtelTracing(provider.getTracer('carillon'), queue, settings);
}

class OtelTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #queue: ExportQueue;
  readonly #callers: CallerLimit;
  readonly #heedsCallers: boolean;

  constructor(tracer: Tracer, queue: ExportQueue, { callersPerSecond }: TraceSettings) {
    this.#tracer = tracer;
    this.#queue = queue;
    this.#callers = new CallerLimit(callersPerSecond);
    this.#heedsCallers = callersPerSecond > 0;
  }

  request(
    accountId: number,
    headers: Parameters<Tracing['request']>[1],
    name: string,
    options: SpanOptions,
  ): Span | undefined {
    const caller = this.#heedsCallers
      ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      : ROOT_CONTEXT;
    const span = this.#begin(caller, name, options);
    // A span that is never ended is not exported.
    if (!span.isRecording()) return undefined;
    if (caller !== ROOT_CONTEXT && !this.#callers.takes(accountId, performance.now())) {
      limited.inc();
      return undefined;
    }
    return new OtelSpan(span);
  }

  span(parent: string, name: string, options: SpanOptions = {}): Span {
    return new OtelSpan(this.#begin(contextOf(parent), name, options));
  }

  group(name: string, links: readonly string[], options: SpanOptions = {}): Span {
    return new OtelSpan(this.#begin(decided, name, { ...options, links }));
  }

  stop(graceMs: number): Promise<void> {
    return this.#queue.stop(graceMs);
  }

  #begin(
    context: Context,
    name: string,
    { kind, startedAt, links = [], attributes = {} }: SpanOptions,
  ): SdkSpan {
    return this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind ?? 'internal'],
        startTime: startedAt ?? spanTime(),
        links: links.slice(0, MAX_LINKS).flatMap((link) => {
          const context = trace.getSpanContext(contextOf(link));
          return context ? { context } : [];
        }),
        attributes,
      },
      context,
    );
  }
}

/** Returns the context of a stored trace. */
function contextOf(stored: string): Context {
  const end = stored.indexOf(' ');
  const headers = {
    traceparent: end < 0 ? stored : stored.slice(0, end),
    ...(end >= 0 && { tracestate: stored.slice(end + 1) }),
  };
  return propagator.extract(decided, headers, defaultTextMapGetter);
}

class OtelSpan implements Span {
  readonly #span: SdkSpan;

  constructor(span: SdkSpan) {
    this.#span = span;
  }

  get trace(): string {
    const { traceId, spanId, traceState } = this.#span.spanContext();
    const state = traceState?.serialize();
    return `00-${traceId}-${spanId}-01${state ? ` ${state}` : ''}`;
  }

  get logged() {
    const { traceId, spanId } = this.#span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  end({ error, at }: { readonly error?: string | undefined; readonly at?: number } = {}): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', error);
    }
    this.#span.end(at ?? spanTime());
  }
}
