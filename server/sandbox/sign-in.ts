import type { FastifyInstance } from 'fastify';
import { authorize } from '../api/access.ts';
import { type CallerDeps, principalOf, signInCaller } from '../api/v1/caller.ts';
import { httpStatusOf } from '../api/v1/errors.ts';
import { Refusal } from '../kit/errors.ts';

interface SandboxSignInOptions {
  readonly signIn: CallerDeps;
  readonly demoAccountId: number;
}

/**
 * Restricts the routes registered on `app` to the sandbox's demo account and the operator's people. Signs in like /v1
 * (bearer token, or session with the CSRF header) and rejects like /v1 with `{"error": {"code", "message"}}`, plus a
 * top-level message for clients that read it there.
 */
export function requireDemoAccount(app: FastifyInstance, options: SandboxSignInOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    try {
      const caller = await signInCaller(options.signIn, request);
      if (caller.own && caller.own.id !== options.demoAccountId) {
        throw new Refusal('signed-out', 'this is for the demo account of the sandbox');
      }
      authorize(request, principalOf(caller));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      return reply.code(httpStatusOf(code)).send({ error: { code, message }, message });
    }
  });
}
