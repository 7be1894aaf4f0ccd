import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { authorize } from '../access.ts';
import { MAX_ANONYMOUS_BODY } from '../bodies/limits.ts';
import { limitAddressRate, limitRate } from '../rate-limit.ts';
import { noteCaller } from '../request-notes.ts';
import { traceCaller } from '../request-traces.ts';
import type { SendKeys } from '../send-keys/send-keys.ts';
import { auditCaller, auditChanges } from './audited.ts';
import { type Caller, type CallerDeps, checkCsrf, principalOf, signInCaller } from './caller.ts';
import { answerError } from './errors.ts';
import { registerRoutes } from './kit/register.ts';
import type { BoundRoute } from './kit/route.ts';
import { measureRequests } from './metrics.ts';

interface V1ApiOptions {
  readonly routes: readonly BoundRoute[];
  readonly signIn: CallerDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests per second; 0 means no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/**
 * Our own JSON API (decisions, "Versioning"), a Fastify plugin (needs @fastify/rate-limit): bearer tokens as in the SMS
 * API or sessions of the console (caller.ts), `?username=` for a subscriber of the account, audited changes
 * (audited.ts), errors as in errors.ts. Each request is signed in and authorized by the access rule of its route before
 * its handler runs.
 */
export async function v1Api(app: FastifyInstance, options: V1ApiOptions): Promise<void> {
  const { routes, signIn, sendKeys, log } = options;
  await app.register(
    async (v1) => {
      const callers = new WeakMap<FastifyRequest, Caller>();
      measureRequests(v1);
      signInRequests(v1, options, callers);
      v1.addHook('preSerialization', async (request, _reply, answer) => {
        const caller = callers.get(request);
        const { mask } = request.routeOptions.config;
        return mask ? mask(answer, caller ? principalOf(caller) : { kind: 'nobody' }) : answer;
      });
      v1.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
      v1.setNotFoundHandler(() => {
        throw new Refusal('not-found', 'there is nothing at this path, or not with this method');
      });
      v1.addHook('onRoute', (route) => {
        if (route.config?.access?.open !== undefined) route.bodyLimit = MAX_ANONYMOUS_BODY;
      });
      registerRoutes(v1, routes, {
        sendKeys,
        callerOf: (request) => callers.get(request),
        isStillAllowed: (request) => isStillAllowed(request, callers.get(request)),
      });
    },
    { prefix: '/v1' },
  );

  async function isStillAllowed(request: FastifyRequest, before: Caller | undefined): Promise<boolean> {
    try {
      const caller = await signInCaller(signIn, request);
      authorize(request, principalOf(caller));
      return caller.account?.id === before?.account?.id;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  function signInRequests(
    v1: FastifyInstance,
    limits: V1ApiOptions,
    callers: WeakMap<FastifyRequest, Caller>,
  ) {
    const addressLimit = limitAddressRate(v1, limits.addressLimit);
    const accountLimit = limitRate(v1, limits.accountLimit, (request) => {
      const { account, session } = callers.get(request)!;
      return account ? String(account.id) : `person ${session?.person.id}`;
    });
    auditChanges(v1, { audit: signIn.people.audit, log });
    v1.addHook('onRequest', async (request, reply) => {
      await addressLimit(request, reply);
      const { access, operationId } = request.routeOptions.config;
      if (access?.open !== undefined) {
        // Another site could also make a browser sign in as somebody else.
        checkCsrf(request);
        return;
      }
      const caller = await signInCaller(signIn, request);
      callers.set(request, caller);
      auditCaller(request, caller);
      const personId = caller.session?.person.id ?? null;
      request.context.author = { tokenId: caller.tokenId ?? null, personId };
      if (caller.tokenId !== undefined) {
        noteCaller(request, 'v1', caller.own!.id, operationId ?? 'unknown');
      } else traceCaller(request, 'v1', caller.account?.id ?? 0, operationId ?? 'unknown');
      // Unknown paths have no rule.
      if (access) authorize(request, principalOf(caller));
      await accountLimit(request, reply);
    });
  }
}
