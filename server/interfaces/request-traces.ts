import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asTraced, type RequestTrace, spanTime, type Tracing } from '../observability/tracing/tracing.ts';
import type { ApiName } from '../requests/request-log.ts';

/** The trace of a request over HTTP. */
interface HttpTrace extends RequestTrace {
  readonly tracing: Tracing;
  /** As of `spanTime`. */
  readonly startedAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where tracing is off. */
    httpTrace: HttpTrace | null;
  }
}

/**
 * Traces requests of every API, from when they came until they are answered. Before the APIs. A span begins when the caller is
 * known (`traceCaller`): a request that nobody signed makes none, so strangers can neither fill the collector nor name traces.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('httpTrace', null);
  if (!tracing) return;
  app.addHook('onRequest', (request, _reply, done) => {
    request.httpTrace = { tracing, startedAt: spanTime(), span: undefined };
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => asTraced(request.httpTrace!, done));
  app.addHook('onResponse', ({ httpTrace, notes }, { statusCode }, done) => {
    const span = httpTrace?.span;
    if (span) {
      span.set({
        'http.response.status_code': statusCode,
        'carillon.status': notes?.status,
        'carillon.refused': notes?.refused,
        'carillon.repeated': notes?.repeated,
      });
      span.end({ error: statusCode >= 500 ? String(statusCode) : undefined });
    }
    done();
  });
}

/** Begins the span of a request whose caller is known, if it is one that is traced. `operation` is one that there is. */
export function traceCaller(
  request: FastifyRequest,
  api: ApiName,
  accountId: number,
  operation: string,
): void {
  const { httpTrace, method, headers, id } = request;
  if (!httpTrace || httpTrace.span) return;
  // The route, not the path: paths have phone numbers in them.
  const route = request.routeOptions.url;
  const name = [method, route, api === 'sms' && operation].filter(Boolean).join(' ');
  httpTrace.span = httpTrace.tracing.request(accountId, headers, name, {
    kind: 'server',
    startedAt: httpTrace.startedAt,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'carillon.api': api,
      'carillon.operation': operation,
      'carillon.account_id': accountId,
      'carillon.request_id': id,
    },
  });
}
