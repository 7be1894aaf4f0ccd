import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal, type RefusalCode } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { ProblemDetail } from '../../kit/reasons.ts';
import { LoginThrottled } from '../../modules/login-throttle/counters.ts';
import { isUploadAborted, keepConnection } from '../bodies/read-body.ts';
import { fieldName } from '../field-names.ts';
import { noteStatus } from '../request-notes.ts';

/*
 * Errors under /v1: `{ "error": { "code", "message", "field"?, "reason"?, "params"? } }` with an HTTP status. The code
 * is that of the domain (server/kit/errors.ts), except for those renamed here, or `fault`. The field has the name that it
 * has in the route.
 */

/** HTTP statuses of the domain's codes; all others are 400. */
const httpStatuses: Partial<Record<RefusalCode, number>> = {
  'signed-out': 401,
  'token-expired': 401,
  'no-credit': 402,
  'wrong-account': 403,
  'not-allowed': 403,
  // Not 401, which means that the caller is not signed in.
  'wrong-password': 403,
  'wrong-code': 403,
  'second-factor-required': 403,
  'proof-needed': 403,
  'link-over': 410,
  'not-found': 404,
  'unknown-user': 404,
  'unknown-campaign': 404,
  'unknown-list': 404,
  'url-known': 409,
  'username-taken': 409,
  'not-now': 409,
  suspended: 409,
  'key-in-progress': 409,
  'too-large': 413,
  'key-reused': 422,
  'too-fast': 429,
  'over-budget': 429,
  'try-again': 503,
};

/** Codes of the SMS API that are merged here: a finished operation can no longer be changed. */
const codes: Partial<Record<RefusalCode, RefusalCode>> = {
  'already-cancelled': 'not-now',
  'already-sent': 'not-now',
  'not-cancelled': 'not-now',
};

/** Returns the code of a refusal under /v1. */
export const codeOf = ({ code }: Refusal): RefusalCode => codes[code] ?? code;

/** Returns the HTTP status of a refusal. */
export const httpStatusOf = (code: RefusalCode): number => httpStatuses[code] ?? 400;

/** Answers an error of any kind in the form of /v1. Internal errors are logged. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  if (error instanceof LoginThrottled) reply.header('retry-after', error.seconds);
  if (error instanceof Refusal) {
    const code = codeOf(error);
    const { message, path, detail } = error.at(fieldOf(error.path, request));
    return send(reply, httpStatusOf(code), code, message, path, detail);
  }
  if (isUploadAborted(request, error)) {
    log.debug({ requestId: request.id }, 'a body did not come whole');
    return send(reply, 400, 'unreadable', 'the request cannot be read');
  }
  if (isDatabaseTrouble(error)) {
    log.warn({ err: error, requestId: request.id }, 'request refused, database unavailable');
    return send(reply, 503, 'try-again', 'the service cannot do this now, try again');
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  keepConnection(error, reply);
  if (status === 413) return send(reply, 413, 'too-large', 'the request is too large');
  if (status >= 400 && status < 500) return send(reply, status, 'unreadable', 'the request cannot be read');
  log.error({ err: error, requestId: request.id }, 'request failed');
  return send(reply, 500, 'fault', `fault of the service, quote request ${request.id}`);
}

/**
 * Returns the route's name of a field of the domain's request (`fields` of the route); the same name if it has no
 * other.
 */
function fieldOf(path: string | undefined, request: FastifyRequest): string | undefined {
  const { fieldNames } = request.routeOptions.config;
  return path === undefined ? undefined : fieldName(fieldNames ?? {}, path);
}

function send(
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  field?: string,
  detail?: ProblemDetail,
): FastifyReply {
  noteStatus(reply.request, code, true);
  return reply
    .code(status)
    .send({ error: { code, message, ...(field !== undefined && { field }), ...detail } });
}
