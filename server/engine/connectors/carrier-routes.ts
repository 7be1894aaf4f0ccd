import { isDeepStrictEqual } from 'node:util';
import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { isForCalls } from '../../protocols/http-carrier/settings.ts';
import type { RoutedMessage } from '../carriers/route-conditions.ts';
import type { NotTaken } from '../carriers/route-table.ts';
import { ADDED_ROUTES } from '../carriers/routing.ts';
import type { CarrierNetwork } from './network.ts';
import { retireRoutes } from './retired-routes.ts';
import { placeOf, routeOf } from './route-order.ts';
import type { StoredConditions, StoredRoute } from './stored.ts';

/** Maximum number of routes that operators add: one of them with 1,000 prefixes costs as much as 1,000 with one each. */
const MAX_ROUTES = 500;
/** Prefix of the names of routes with other conditions than one prefix. */
const RULES = 'rule/';

/** A route of messages; `id` is null for one of the configuration. */
export interface RouteView extends Omit<StoredRoute, 'id'> {
  readonly id: number | null;
}

/** A route as an operator enters it. */
export interface RouteInput extends Omit<StoredRoute, 'id' | 'name'> {
  /** Id of the route before which it comes, null for the end; undefined for the place where it gets messages. */
  readonly before?: number | null | undefined;
}

interface CarrierRoutesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly network: CarrierNetwork;
}

/** Which connectors messages go over. Operators add, order, change and remove routes while messages are sent. */
export class CarrierRoutes {
  readonly #deps: CarrierRoutesDeps;

  constructor(deps: CarrierRoutesDeps) {
    this.#deps = deps;
  }

  /** Added ones in their order, then those of the configuration. */
  list(): RouteView[] {
    const { configured, stored } = this.#deps.network;
    return [
      ...stored.routes.map(viewOf),
      ...configured.routes.map(({ name, prefixes, connectors }) => ({
        id: null,
        name,
        title: '',
        conditions: { prefixes },
        connectors: connectors.map((connector, priority) => ({ connector, priority, weight: 1 })),
        choice: { by: 'priority' as const },
        leave: { codes: [] },
      })),
    ];
  }

  /** Undefined when there is no added route with this id. */
  find(wanted: number): RouteView | undefined {
    return this.list().find(({ id }) => id === wanted);
  }

  /**
   * Returns the routes in the order in which they are tried for a message, and why it does not take each: undefined for the one that
   * it takes. A route of the configuration is there once for each prefix.
   */
  explain(message: RoutedMessage): { readonly route: RouteView; readonly why: NotTaken | undefined }[] {
    const byName = new Map(this.list().map((route) => [route.name, route]));
    return this.#deps.network.routing.explain(message).map(({ route: { name, prefixes }, why }) => {
      const route = byName.get(name)!;
      return { route: { ...route, conditions: { ...route.conditions, prefixes } }, why };
    });
  }

  /**
   * Adds a route. Throws Refusal `bad-field` for a connector or account that there is not, a connector that is listed twice and a
   * route `before` that there is not, and `not-now` for conditions that another route has, and for too many routes.
   */
  async create(given: RouteInput): Promise<RouteView> {
    const { sql, ids } = this.#deps;
    const id = ids.next();
    await sql.begin(async (tx) => {
      const routes = await this.#lock(tx);
      if (routes.length >= MAX_ROUTES) throw tooMany();
      await this.#check(tx, given, routes);
      await this.#insert(tx, { ...given, id, name: nameOf(given.conditions, id) }, given.before, routes);
    });
    await this.#deps.network.reload();
    return this.find(id)!;
  }

  /**
   * Changes a route. Its waiting messages take its new connectors; if its conditions change, they take the route that fits them
   * then. Undefined when there is no added route with this id. Throws Refusal as `create`.
   *
   * @param given returns the route as it will be, from the route as it is
   */
  async change(
    id: number,
    given: (before: StoredRoute) => RouteInput,
  ): Promise<{ before: RouteView; after: RouteView } | undefined> {
    const { sql, ids, clock } = this.#deps;
    const changed = await sql.begin(async (tx) => {
      const routes = await this.#lock(tx);
      const before = routes.find((route) => route.id === id);
      if (!before) return undefined;
      const others = routes.filter((route) => route !== before);
      const after = given(before);
      await this.#check(tx, after, others);
      const isSame = isDeepStrictEqual(before.conditions, after.conditions);
      const name = isSame ? before.name : nameOf(after.conditions, ids.next());
      if (name !== before.name) await retireRoutes(tx, [before.name], clock.now());
      const next = routes[routes.indexOf(before) + 1]?.id ?? null;
      await tx`DELETE FROM routing_rules WHERE id = ${id}`;
      await this.#insert(
        tx,
        { ...after, id, name },
        after.before === undefined ? next : after.before,
        others,
      );
      return viewOf(before);
    });
    if (!changed) return undefined;
    await this.#deps.network.reload();
    const after = this.find(id);
    return after && { before: changed, after };
  }

  /** Removes an added route; what waits on it takes the route that fits then. False when the route does not exist. */
  async remove(id: number): Promise<boolean> {
    const { sql, clock } = this.#deps;
    const isRemoved = await sql.begin(async (tx) => {
      const [row] = await tx<{ name: string }[]>`
        DELETE FROM routing_rules WHERE id = ${id} RETURNING name`;
      if (row) await retireRoutes(tx, [row.name], clock.now());
      return row !== undefined;
    });
    await this.#deps.network.reload();
    return isRemoved;
  }

  /** Reads the added routes in order, and keeps other changes of them waiting until the end of the transaction. */
  async #lock(tx: TransactionSql): Promise<StoredRoute[]> {
    await tx`LOCK TABLE routing_rules IN SHARE ROW EXCLUSIVE MODE`;
    return tx<StoredRoute[]>`
      SELECT id, name, title, conditions, connectors, choice, leave FROM routing_rules ORDER BY place, id`;
  }

  async #insert(
    tx: TransactionSql,
    route: StoredRoute,
    before: number | null | undefined,
    others: readonly StoredRoute[],
  ): Promise<void> {
    const at = before === undefined ? this.#placeOf(route, others) : indexOf(before, others);
    const ordered = others.toSpliced(at, 0, route);
    await tx`
      INSERT INTO routing_rules (id, name, title, place, conditions, connectors, choice, leave, changed_at)
      VALUES (${route.id}, ${route.name}, ${route.title}, 0, ${JSON.stringify(route.conditions)}::jsonb,
        ${JSON.stringify(route.connectors)}::jsonb, ${JSON.stringify(route.choice)}::jsonb,
        ${JSON.stringify(route.leave)}::jsonb, ${this.#deps.clock.now()})`;
    await tx`
      UPDATE routing_rules r SET place = u.place
      FROM unnest(${numbers(ordered.map(({ id }) => id))}::bigint[]) WITH ORDINALITY AS u (id, place)
      WHERE r.id = u.id AND r.place <> u.place`;
  }

  /** The place at which a new route gets messages, before those that would take all of them. */
  #placeOf(route: StoredRoute, others: readonly StoredRoute[]): number {
    return placeOf(
      routeOf(route),
      others.map((other) => routeOf(other)),
    );
  }

  /** Connectors that are added stay until the route is stored. */
  async #check(
    tx: TransactionSql,
    { conditions, connectors, before }: RouteInput,
    others: readonly StoredRoute[],
  ): Promise<void> {
    if (typeof before === 'number' && !others.some(({ id }) => id === before))
      throw new Refusal('bad-field', 'no other added route has this id', 'before', { reason: 'unknown' });
    if (others.some((other) => isDeepStrictEqual(other.conditions, conditions)))
      throw new Refusal('not-now', 'another route has the same conditions', fieldOf(conditions), {
        reason: 'route-taken',
        params: {},
      });
    await checkConnectors(tx, this.#deps.network, connectors);
    const { accounts = [] } = conditions;
    if (accounts.length === 0) return;
    const rows = await tx<{ id: number }[]>`
      SELECT id FROM accounts WHERE id = ANY(${numbers(accounts)}::bigint[])`;
    const known = new Set(rows.map(({ id }) => id));
    const at = accounts.findIndex((id) => !known.has(id));
    if (at !== -1)
      throw new Refusal('bad-field', 'no account has this id', `accounts[${at}]`, { reason: 'unknown' });
  }
}

/** Throws Refusal `bad-field` for a connector of SMS that there is not, or that is listed twice. */
async function checkConnectors(
  tx: TransactionSql,
  { configured }: CarrierNetwork,
  given: StoredRoute['connectors'],
): Promise<void> {
  const names = given.map(({ connector }) => connector);
  const forSms = configured.http.filter((one) => !isForCalls(one));
  const known = new Set([...configured.connectors, ...forSms].map(({ name }) => name));
  const rows = await tx<{ name: string }[]>`
    SELECT name FROM connectors WHERE protocol IN ('smpp', 'http')
      AND settings -> 'callerId' IS NULL AND name = ANY(${texts(names)}::text[])
    ORDER BY name FOR SHARE`;
  for (const { name } of rows) known.add(name);
  names.forEach((name, at) => {
    const path = `connectors[${at}].connector`;
    if (!known.has(name))
      throw new Refusal('bad-field', 'no connector of SMS has this name', path, {
        reason: 'no-such-connector',
      });
    if (names.indexOf(name) < at)
      throw new Refusal('bad-field', 'is listed twice', path, { reason: 'connector-twice' });
  });
}

const tooMany = () =>
  new Refusal('not-now', `there are ${MAX_ROUTES} routes already`, undefined, {
    reason: 'too-many-routes',
    params: { max: MAX_ROUTES },
  });

const indexOf = (before: number | null, others: readonly StoredRoute[]): number => {
  const at = others.findIndex(({ id }) => id === before);
  return at === -1 ? others.length : at;
};

/** The name under which messages wait: it tells the prefix of a route that has no other condition. */
const nameOf = (conditions: StoredConditions, id: number): string =>
  isPrefix(conditions) ? ADDED_ROUTES + conditions.prefixes[0]! : `${RULES}${id}`;

const fieldOf = (conditions: StoredConditions) => (isPrefix(conditions) ? 'prefix' : undefined);

/** Whether there is no other condition than one prefix. */
const isPrefix = ({ prefixes, ...others }: StoredConditions): boolean =>
  prefixes.length === 1 && Object.keys(others).length === 0;

const viewOf = (route: StoredRoute): RouteView => ({
  ...route,
  connectors: route.connectors.toSorted((one, other) => one.priority - other.priority),
});
