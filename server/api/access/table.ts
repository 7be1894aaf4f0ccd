import type { AccessRule, AccessTable } from './rules.ts';
import { publicRoutes } from './tables/public.ts';
import { sandboxRoutes } from './tables/sandbox.ts';
import { smsRoutes } from './tables/sms-api.ts';

/**
 * The rules of the routes that are of no module: public pages, `POST /api` and the sandbox. Rules of routes under /v1 stand with
 * the routes, those of other APIs of a channel in `access` of the channel. A path that ends with `*` covers every path that begins
 * with the text before it.
 */
export const apiRules: AccessTable = { ...publicRoutes, ...smsRoutes, ...sandboxRoutes };

/**
 * The row of a route; undefined without one. A `HEAD` has the rights of its `GET`, and a path the same with and
 * without a slash at its end.
 *
 * @param url the path as it is registered, with the names of its parameters
 */
export function ruleOfRoute(rules: AccessTable, method: string, url: string): AccessRule | undefined {
  const key = `${method === 'HEAD' ? 'GET' : method} ${url.length > 1 ? url.replace(/\/$/, '') : url}`;
  if (Object.hasOwn(rules, key)) return rules[key];
  const pattern = Object.keys(rules).find((row) => row.endsWith('*') && key.startsWith(row.slice(0, -1)));
  return pattern === undefined ? undefined : rules[pattern];
}

/** The access rules of a service: every route has one row. Channels add those of their routes when they open. */
export class AccessRules {
  readonly #rules: Record<string, AccessRule> = {};

  /** Throws Error for a row that two tables have. */
  constructor(tables: readonly AccessTable[]) {
    for (const table of tables) this.add(table);
  }

  add(table: AccessTable): void {
    for (const [row, rule] of Object.entries(table)) {
      if (Object.hasOwn(this.#rules, row)) throw new Error(`the route ${row} has two rows of access`);
      this.#rules[row] = rule;
    }
  }

  /** The row of a route (method and path). Throws Error for a route without one. */
  of(method: string, path: string): AccessRule {
    const rule = ruleOfRoute(this.#rules, method, path);
    if (!rule) throw new Error(`${method} ${path} has no row of access`);
    return rule;
  }
}
