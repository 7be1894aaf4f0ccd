import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiName, RequestLog } from '../requests/request-log.ts';
import { traceCaller } from './request-traces.ts';

/** What an API knows of a request beside what HTTP says. */
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

// Beyond any operation's name; what callers write does not fill the log.
const MAX_OPERATION = 100;
const MAX_DURATION = 2 ** 31 - 1;

/**
 * Notes whose token or password a request came with: from then on it is one for the request log, and may be traced. Without
 * a status noted later it counts as `ok`.
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

/** Notes what the answer to a request says, and whether it was refused. */
export function noteStatus(request: FastifyRequest, status: string, refused: boolean): void {
  if (!request.notes) return;
  request.notes.status = status;
  request.notes.refused = refused;
}

/** Notes that a request got the answer of an earlier one with the same send key. */
export function noteRepeated(request: FastifyRequest): void {
  if (request.notes) request.notes.repeated = true;
}

/** Keeps every request that an API has noted the caller of, when it has been answered. Before the APIs. */
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
      });
    }
    done();
  });
}
