import type { FastifyReply, FastifyRequest } from 'fastify';
import { FLOW_MS } from '../providers/flows.ts';

/*
 * The cookie that binds the answer of a sign-in provider to the browser that began the sign-in. The page to which the
 * provider sends the browser back requests the session itself, so the cookie can be restricted to this site, like that
 * of the session.
 */

const NAME = 'carillon_sign_in';

/** Returns the token in the cookie; undefined without one. */
export function flowToken(request: FastifyRequest): string | undefined {
  const wanted = request.server.https ? `__Host-${NAME}` : NAME;
  for (const cookie of (request.headers.cookie ?? '').split(';')) {
    const [name, token = ''] = cookie.trim().split('=');
    if (name === wanted && /^[\w-]{43}$/.test(token)) return token;
  }
  return undefined;
}

/** Sets the cookie; '' deletes it. */
export function setFlowCookie(reply: FastifyReply, token: string): void {
  const secure = reply.server.https;
  const name = secure ? `__Host-${NAME}` : NAME;
  const age = token === '' ? 0 : FLOW_MS / 1_000;
  reply.header(
    'set-cookie',
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? '; Secure' : ''}`,
  );
}
