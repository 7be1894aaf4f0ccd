import { randomBytes } from 'node:crypto';

/** A trace that a caller has begun. */
export interface CallerTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: { readonly traceparent: string };
}

/** Begins a trace as a caller does. */
export function callerTrace({ isSampled = true } = {}): CallerTrace {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}` } };
}

/** The settings of a service that is traced by a collector at `url`. */
export const tracedBy = (url: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '10',
});
