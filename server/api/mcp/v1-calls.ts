import type { FastifyInstance, InjectOptions } from 'fastify';
import { SEND_KEY_HEADER } from '../send-keys/key.ts';
import { ToolError, type ToolProblem } from './tool-error.ts';

/** Method and path of a route under /v1, with the names of its parameters. */
export type V1Route = `${'GET' | 'POST'} /v1/${string}`;

/** Input of a route. Absent values of the query are omitted. */
export interface V1Input {
  /** `:id` of the path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  readonly sendKey?: string;
}

/** The answer of a route. */
export interface V1Answer {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether it is that of an earlier request with the same send key, and nothing was done. */
  readonly repeated: boolean;
}

/** Calls a route for the caller of a tool. Throws ToolError for a refusal. */
export type CallV1 = (route: V1Route, input?: V1Input) => Promise<V1Answer>;

/** Token and address of the caller. */
interface V1Caller {
  readonly token: string;
  readonly address: string;
}

/**
 * Returns a function that calls routes of this process with a token. The requests pass through the whole of /v1: sign-in, access
 * rules, rate limits, send keys, the request log and the audit log.
 */
export const v1CallsOf =
  (app: FastifyInstance, { token, address }: V1Caller): CallV1 =>
  async (route, { id, query = {}, body, sendKey } = {}) => {
    const [method, path] = route.split(' ') as ['GET' | 'POST', string];
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const request: InjectOptions = {
      method,
      url: id === undefined ? path : path.replace(':id', encodeURIComponent(id)),
      query: Object.fromEntries(given),
      headers: {
        authorization: `Bearer ${token}`,
        ...(sendKey !== undefined && { [SEND_KEY_HEADER]: `"${sendKey}"` }),
      },
      ...(body && { payload: body }),
      remoteAddress: address,
    };
    const response = await app.inject(request).catch(stopping);
    const fields = response.json<Record<string, unknown>>();
    if (response.statusCode >= 400) throw new ToolError(problemOf(fields, response.headers['retry-after']));
    return { fields, repeated: response.headers['idempotent-replayed'] === 'true' };
  };

/** Fastify rejects requests of the process once it closes. Errors of a route are answers. */
function stopping(): never {
  throw new ToolError({ code: 'try-again', message: 'this process is stopping, try again' });
}

/** Returns the error of a refused request, with the seconds after which it may be repeated. */
function problemOf({ error }: Record<string, unknown>, retryAfter: unknown): ToolProblem {
  const problem = error as ToolProblem;
  return retryAfter === undefined ? problem : { ...problem, retry_after_seconds: Number(retryAfter) };
}
