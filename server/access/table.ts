import type { AccessRule, AccessTable, SignedRule } from './rules.ts';
import { chatRoutes } from './tables/chat-api.ts';
import { mailRoutes } from './tables/mail-api.ts';
import { operatorRoutes } from './tables/operator.ts';
import { publicRoutes } from './tables/public.ts';
import { sandboxRoutes } from './tables/sandbox.ts';
import { smsOperations, smsRoutes } from './tables/sms-api.ts';
import { v1Routes } from './tables/v1.ts';

/** The rules of every HTTP route of the service. A path that ends with `*` stands for all that begin like it. */
export const routeRules: AccessTable = {
  ...publicRoutes,
  ...smsRoutes,
  ...chatRoutes,
  ...mailRoutes,
  ...v1Routes,
  ...operatorRoutes,
  ...sandboxRoutes,
};

/** The rules of the operations of `POST /api`, by the root of the body. */
export { smsOperations };

/**
 * The row of a route; undefined when it has none. A `HEAD` has the rights of its `GET`, and a path the same with and
 * without a slash at its end.
 *
 * @param url the path as it is registered, with the names of its parameters
 * @param more rules of channels
 */
export function ruleOfRoute(method: string, url: string, more: AccessTable = {}): AccessRule | undefined {
  const key = `${method === 'HEAD' ? 'GET' : method} ${url.length > 1 ? url.replace(/\/$/, '') : url}`;
  if (Object.hasOwn(routeRules, key)) return routeRules[key];
  if (Object.hasOwn(more, key)) return more[key];
  const pattern = Object.keys(routeRules).find(
    (row) => row.endsWith('*') && key.startsWith(row.slice(0, -1)),
  );
  return pattern === undefined ? undefined : routeRules[pattern];
}

/** The row of an operation of `POST /api`. Throws Error for one that has none, so that the service does not start. */
export function ruleOfOperation(root: string): SignedRule {
  const rule = Object.hasOwn(smsOperations, root) ? smsOperations[root] : undefined;
  if (!rule || rule.open !== undefined)
    throw new Error(`the operation ${root} has no row in server/access/tables/sms-api.ts`);
  return rule;
}
