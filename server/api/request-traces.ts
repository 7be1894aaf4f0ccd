import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asTraced, type RequestTrace, spanTime, type Tracing } from '../kit/observability/tracing/tracing.ts';
import type { ApiName } from './requests/request-log.ts';

/** The trace of an HTTP request. */
interface HttpTrace extends RequestTrace {
  readonly tracing: Tracing;
  /** In milliseconds of `spanTime`. */
  readonly startedAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if tracing is off. */
    httpTrace: HttpTrace | null;
  }
}

/**
 * Traces requests of every API, from their arrival to their response. Register it before the APIs. A span begins when
 * the API has identified the caller (`traceCaller`): unsigned requests create no spans, so that strangers can neither
 * fill the collector nor choose names of traces.
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

/**
 * Begins the span of a request whose caller the API has identified, if it is sampled. `operation` must be an existing
 * one.
 */
export function traceCaller(
  request: FastifyRequest,
  api: ApiName,
  accountId: number,
  operation: string,
): void {
  const { httpTrace, method, headers, id } = request;
  if (!httpTrace || httpTrace.span) return;
  // The route, not the path, because paths contain phone numbers.
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
