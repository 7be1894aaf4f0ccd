import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.ts';
import { authorize } from '../interfaces/access.ts';
import { type CallerDeps, principalOf, signInCaller } from '../interfaces/v1/caller.ts';
import { httpStatusOf } from '../interfaces/v1/errors.ts';

interface SandboxSignInOptions {
  readonly signIn: CallerDeps;
  readonly demoAccountId: number;
}

/**
 * Lets only the sandbox's demo account and the operator's people call what is registered on `app`. Signs in as /v1 does
 * (bearer token, or session with the CSRF header) and refuses as /v1 does: `{"error": {"code", "message"}}`, with the
 * message beside it for clients that read it there.
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
