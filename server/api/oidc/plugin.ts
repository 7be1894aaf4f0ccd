import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../kit/observability/log.ts';
import type { ProviderSignIns } from '../../modules/people/providers/provider-sign-ins.ts';
import { limitAddressRate } from '../rate-limit.ts';

interface BackChannelLogoutOptions {
  readonly signIns: ProviderSignIns;
  readonly log: Logger;
  /** Requests per second and address; 0 means no limit. */
  readonly addressLimit: number;
}

/** Maximum bytes of a request: a logout token usually has less than 2 KiB, but more with long claims. */
const MAX_BODY = 16_384;

/**
 * Back-channel logout for sign-in providers (OpenID Connect Back-Channel Logout 1.0, 2.5 to 2.8), a Fastify plugin
 * (needs @fastify/rate-limit).
 */
export async function backChannelLogout(
  app: FastifyInstance,
  { signIns, log, addressLimit }: BackChannelLogoutOptions,
): Promise<void> {
  const limit = limitAddressRate(app, addressLimit);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.post<{ Params: { slug: string } }>(
    '/oidc/:slug/logout',
    { bodyLimit: MAX_BODY },
    async (request, reply) => {
      await limit(request, reply);
      reply.header('cache-control', 'no-store');
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      try {
        if (token === null) throw new Error('logout_token is missing');
        await signIns.logOut(request.params.slug, token);
      } catch (error) {
        log.warn({ problem: (error as Error).message, requestId: request.id }, 'a logout token was refused');
        return reply
          .code(400)
          .send({ error: 'invalid_request', error_description: 'the logout token is not good' });
      }
      return reply.code(200).send();
    },
  );
}
