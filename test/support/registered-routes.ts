import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** A route as Fastify registered it. */
export interface RegisteredRoute {
  readonly method: string;
  /** With `:name` for parameters. */
  readonly url: string;
}

/**
 * Records the routes of every Fastify instance that this process creates from now on, so that no list can miss one. Call it
 * before the service starts.
 */
export function watchRoutes(): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url });
    });
  });
  return routes;
}
