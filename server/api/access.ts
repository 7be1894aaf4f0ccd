import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';
import { decide, type Principal } from './access/decide.ts';
import type { AccessRule, AccessTable } from './access/rules.ts';
import { ruleOfRoute } from './access/table.ts';
import { noteSignedIn } from './response-headers.ts';

/*
 * Ties access rules to HTTP. Every route gets its row when it is registered (a route under /v1 brings it), and a route without
 * one keeps the service from starting. Each API says who calls by `authorize`, as soon as it knows. A route that needs a sign-in and
 * was not authorized fails, so that an API that forgets to ask lets nobody in.
 */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rule of the route in the access table. */
    readonly access?: AccessRule;
  }
  interface FastifyRequest {
    /** Whether the access table permits the caller's request. */
    isAuthorized: boolean;
  }
}

interface AccessOptions {
  /** Aliases of prefixes: routes under an alias have the rules of the original prefix. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Rules of routes without `config.access`. */
  readonly rules: AccessTable;
}

/** Makes `app` check every route registered after this call, so call it before the first route. */
export function enforceAccess(app: FastifyInstance, { aliases, rules }: AccessOptions): void {
  app.decorateRequest('isAuthorized', false);
  app.addHook('onRoute', (route) => {
    const path = withoutAlias(route.url, aliases);
    const [access, ...others] = [route.method].flat().map((method) => {
      const rule = route.config?.access ?? ruleOfRoute(rules, method, path);
      if (!rule) throw new Error(`${method} ${route.url} has no row of access`);
      return rule;
    });
    if (others.some((other) => other !== access)) {
      throw new Error(`the methods of ${route.url} have different rows of access`);
    }
    route.config = { ...route.config, access: access! };
  });
  app.addHook('preHandler', async (request) => {
    const { access } = request.routeOptions.config;
    if (access && access.open === undefined && !request.isAuthorized) {
      throw new Error(`${request.method} ${request.routeOptions.url} did not ask who may call it`);
    }
  });
}

/**
 * Authorizes the caller of a request by the rule of its route, or by `rule` if the body chooses the operation. Throws
 * Refusal `not-allowed` with the missing right, `signed-out` for an unknown caller, `second-factor-required` and
 * `proof-needed`.
 */
export function authorize(
  request: FastifyRequest,
  principal: Principal,
  rule: AccessRule = request.routeOptions.config.access!,
): void {
  if (principal.kind !== 'nobody') noteSignedIn(request);
  const decision = decide(rule, principal);
  if (!decision.allowed) {
    if (decision.lacks === 'second-factor') {
      throw new Refusal('second-factor-required', decision.message);
    }
    if (decision.lacks === 'proof') throw new Refusal('proof-needed', decision.message);
    throw new Refusal(decision.lacks === 'sign-in' ? 'signed-out' : 'not-allowed', decision.message);
  }
  request.isAuthorized = true;
}

function withoutAlias(url: string, aliases: ReadonlyMap<string, string>): string {
  for (const [alias, prefix] of aliases) {
    if (url.startsWith(`${alias}/`)) return prefix + url.slice(alias.length);
  }
  return url;
}
