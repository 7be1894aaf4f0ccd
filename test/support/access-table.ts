import type { AccessRule, AccessTable } from '../../server/api/access/rules.ts';
import { AccessRules, apiRules, ruleOfRoute as ruleOf } from '../../server/api/access/table.ts';
import { operations } from '../../server/api/sms/operations/index.ts';
import { type AnySpec, type Route, rulesOf } from '../../server/api/v1/kit/route.ts';
import { channels } from '../../server/channels/index.ts';
import { modules } from '../../server/run/module-list.ts';

/*
 * The whole access table: rules of APIs and pages, of the routes of modules, and of the channels with theirs. It exists in one piece
 * in tests only, which read every row.
 */

/** Every route under /v1 that modules and channels declare. */
export const specs: AnySpec<never>[] = modules.flatMap(({ routes = [] }) =>
  routes.flatMap((served) => served.specs),
);
// The MCP server signs in by the bearer token, as /v1 does.
const ofInterfaces = modules.filter(({ name }) => name !== 'mcp').map(({ access }) => access ?? {});
const tables: AccessTable[] = [apiRules, ...modules.map(({ access }) => access ?? {})];
for (const { access = {}, file } of channels) {
  const { routes } = (await import(file.href)) as { readonly routes: readonly Route<never>[] };
  tables.push(access);
  specs.push(...routes.map(({ spec }) => spec));
}
// Throws for a route that two modules declare.
for (const spec of specs) tables.push(rulesOf([{ spec }]));
// Throws for a row that stands in two tables.
new AccessRules(tables);

/** Rows of the operations of `POST /api`, by the root of the body. */
export const smsOperations: AccessTable = Object.fromEntries(
  operations.flatMap(({ roots, access }) => roots.map((root) => [root, access] as const)),
);

/** Every row, by method and path. */
export const routeRules: AccessTable = Object.assign({}, ...tables);

/**
 * Whether a row is of an interface of another gateway, which signs in by credentials of its own form: its tests show who may call
 * it (test/api/http-interfaces).
 */
export const isOfInterface = (row: string): boolean =>
  ofInterfaces.some((rules) => Object.hasOwn(rules, row));

/** The row of a route; undefined when it has none. */
export const ruleOfRoute = (method: string, url: string): AccessRule | undefined =>
  ruleOf(routeRules, method, url);
