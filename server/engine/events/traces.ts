import type { Span, Tracing } from '../../kit/observability/tracing/tracing.ts';
import type { Endpoint } from './endpoints.ts';
import type { Event } from './types.ts';

/** Begins the span of an attempt to send an event of a traced message; the request carries its trace context. */
export function beginAttempt(tracing: Tracing, { id, kind, url }: Endpoint, event: Event): Span {
  // Paths and queries of such addresses contain tokens.
  const { hostname, port, protocol } = new URL(url);
  return tracing.span(event.trace!, kind === 'webhook' ? 'POST webhook' : 'POST push', {
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'carillon.endpoint_id': id,
      'carillon.endpoint_kind': kind,
      'carillon.event_type': event.type,
    },
  });
}

/** Ends the span. `status` is that of the answer, 0 without one; `reason` tells why it failed. */
export function endAttempt(span: Span, status: number, reason: string | undefined): void {
  if (status > 0) span.set({ 'http.response.status_code': status });
  span.end({ error: reason === 'status' ? String(status) : reason });
}
