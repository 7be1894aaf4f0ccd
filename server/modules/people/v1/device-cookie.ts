import type { FastifyReply, FastifyRequest } from 'fastify';
import { KNOWN_MS } from '../../login-throttle/known-places.ts';

/*
 * The cookie by which the login throttle recognises a browser in which somebody has signed in. It does not sign anybody
 * in: it only keeps failures of strangers from slowing down this browser.
 */

const NAME = 'carillon_device';

/** Returns the token in the device cookie; undefined without one. */
export function deviceToken(request: FastifyRequest): string | undefined {
  const wanted = request.server.https ? `__Host-${NAME}` : NAME;
  for (const cookie of (request.headers.cookie ?? '').split(';')) {
    const [name, token = ''] = cookie.trim().split('=');
    if (name === wanted && /^[\w-]{43}$/.test(token)) return token;
  }
  return undefined;
}

/** Sets the device cookie, unless the browser has a valid one. */
export function setDeviceCookie(reply: FastifyReply, token: string | undefined): void {
  if (token === undefined) return;
  const secure = reply.server.https;
  const name = secure ? `__Host-${NAME}` : NAME;
  reply.header(
    'set-cookie',
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${KNOWN_MS / 1_000}${secure ? '; Secure' : ''}`,
  );
}
