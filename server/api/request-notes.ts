import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { traceCaller } from './request-traces.ts';
import type { ApiName, RequestLog } from './requests/request-log.ts';

/** Data of an API about a request, for the request log. */
interface Notes {
  readonly api: ApiName;
  readonly accountId: number;
  operation: string;
  status: string;
  refused: boolean;
  repeated: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    notes: Notes | null;
  }
}

// Longer than the name of any operation, so that names from callers cannot fill the log.
const MAX_OPERATION = 100;
const MAX_DURATION = 2 ** 31 - 1;

/**
 * Records the account whose token or password a request has. From then on the request is written to the request log,
 * and may be traced. Without a later status it counts as `ok`.
 */
export function noteCaller(
  request: FastifyRequest,
  api: ApiName,
  accountId: number,
  operation: string,
): void {
  traceCaller(request, api, accountId, operation);
  request.notes = {
    api,
    accountId,
    operation: operation.slice(0, MAX_OPERATION),
    status: 'ok',
    refused: false,
    repeated: false,
  };
}

/** Records the status of a response, and whether the request was refused. */
export function noteStatus(request: FastifyRequest, status: string, refused: boolean): void {
  if (!request.notes) return;
  request.notes.status = status;
  request.notes.refused = refused;
}

/** Records that a request got the response of an earlier one with the same send key. */
export function noteRepeated(request: FastifyRequest): void {
  if (request.notes) request.notes.repeated = true;
}

/** Writes every answered request with a known caller to the request log. Register it before the APIs. */
export function logRequests(app: FastifyInstance, log: Pick<RequestLog, 'add'>): void {
  app.decorateRequest('notes', null);
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { notes } = request;
    if (notes) {
      log.add({
        ...notes,
        httpStatus: reply.statusCode,
        duration: Math.min(MAX_DURATION, Math.round(reply.elapsedTime * 1_000)),
        address: request.ip,
        requestId: request.id,
        shipments: request.context.shipments,
      });
    }
    done();
  });
}
