import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_MS } from '../../login-throttle/known-places.ts';

/*
 * The cookie by which the login throttle knows a browser in which somebody has signed in. It signs nobody in: failures of
 * strangers do not slow down who has it.
 */

const NAME = 'carillon_device';

/** The token in the device cookie; undefined without one. */
export function deviceToken(request: FastifyRequest): string | undefined {
  const wanted = request.server.https ? `__Host-${NAME}` : NAME;
  for (const cookie of (request.headers.cookie ?? '').split(';')) {
    const [name, token = ''] = cookie.trim().split('=');
    if (name === wanted && /^[\w-]{43}$/.test(token)) return token;
  }
  return undefined;
}

/** Gives the browser a token, unless it has a good one. */
export function setDeviceCookie(reply: FastifyReply, token: string | undefined): void {
  if (token === undefined) return;
  const secure = reply.server.https;
  const name = secure ? `__Host-${NAME}` : NAME;
  reply.header(
    'set-cookie',
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${KNOWN_MS / 1_000}${secure ? '; Secure' : ''}`,
  );
}
