import { texts } from '../../database/arrays.ts';
import { type TransactionSql, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { retireRoutes } from './connectors.ts';
import { type CarrierNetwork, routeName } from './network.ts';
import type { RouteConnector, StoredRoute } from './stored.ts';

/** A route of messages to numbers. */
export interface RouteView {
  /** Null: of the configuration. */
  readonly id: number | null;
  readonly name: string;
  /** Of E.164 digits; '' is every number. */
  readonly prefixes: readonly string[];
  readonly connectors: readonly RouteConnector[];
}

interface CarrierRoutesDeps extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly network: CarrierNetwork;
}

/**
 * Which connectors messages to a prefix go over. Routes that operators add come before those of the configuration with the
 * same prefix.
 */
export class CarrierRoutes {
  readonly #deps: CarrierRoutesDeps;

  constructor(deps: CarrierRoutesDeps) {
    this.#deps = deps;
  }

  /** Added ones by their prefixes, then those of the configuration. */
  list(): RouteView[] {
    const { configured, stored } = this.#deps.network;
    return [
      ...stored.routes.map(viewOf),
      ...configured.routes.map(({ name, prefixes, connectors }) => ({
        id: null,
        name,
        prefixes,
        connectors: connectors.map((connector, priority) => ({ connector, priority, weight: 1 })),
      })),
    ];
  }

  /** Undefined when there is no added route with this id. */
  find(wanted: number): RouteView | undefined {
    return this.list().find(({ id }) => id === wanted);
  }

  /** The route that a message to a number (E.164 digits) would take now; undefined: the first connector that is up. */
  routeOf(digits: string): RouteView | undefined {
    const name = this.#deps.network.routing.routeOf(digits);
    return this.list().find((route) => route.name === name);
  }

  /**
   * Adds a route. Throws Refusal `bad-field` for a connector that there is not, or twice, and `not-now` for a prefix that
   * has one.
   */
  async create(prefix: string, connectors: readonly RouteConnector[]): Promise<RouteView> {
    const { sql, ids, clock } = this.#deps;
    const id = ids.next();
    await sql
      .begin(async (tx) => {
        await this.#check(tx, connectors);
        await tx`
          INSERT INTO carrier_routes (id, prefix, connectors, changed_at)
          VALUES (${id}, ${prefix}, ${JSON.stringify(connectors)}::jsonb, ${clock.now()})`;
      })
      .catch((error: unknown) => {
        throw violatedConstraint(error) === 'carrier_routes_prefix_key'
          ? new Refusal('not-now', 'there is a route for this prefix already', 'prefix', {
              reason: 'route-taken',
              params: {},
            })
          : error;
      });
    await this.#deps.network.reload();
    return this.find(id)!;
  }

  /**
   * Replaces the connectors of a route, for what waits on it too. Undefined when there is no added route with this id.
   * Throws Refusal `bad-field` as `create`.
   */
  async change(id: number, connectors: readonly RouteConnector[]): Promise<RouteView | undefined> {
    const { sql, clock } = this.#deps;
    await sql.begin(async (tx) => {
      await this.#check(tx, connectors);
      await tx`
        UPDATE carrier_routes SET connectors = ${JSON.stringify(connectors)}::jsonb, changed_at = ${clock.now()}
        WHERE id = ${id}`;
    });
    await this.#deps.network.reload();
    return this.find(id);
  }

  /** Removes an added route; what waits on it goes where its prefix goes from now on. False when there is none. */
  async remove(id: number): Promise<boolean> {
    const { sql, clock } = this.#deps;
    const isRemoved = await sql.begin(async (tx) => {
      const [row] = await tx<{ prefix: string }[]>`
        DELETE FROM carrier_routes WHERE id = ${id} RETURNING prefix`;
      if (row) await retireRoutes(tx, [routeName(row.prefix)], clock.now());
      return row !== undefined;
    });
    await this.#deps.network.reload();
    return isRemoved;
  }

  /** Connectors that are added stay until the route is stored. */
  async #check(tx: TransactionSql, given: readonly RouteConnector[]): Promise<void> {
    const names = given.map(({ connector }) => connector);
    const { connectors, http } = this.#deps.network.configured;
    const configured = new Set([...connectors, ...http].map(({ name }) => name));
    const rows = await tx<{ name: string }[]>`
      SELECT name FROM connectors WHERE protocol IN ('smpp', 'http') AND name = ANY(${texts(names)}::text[])
      ORDER BY name FOR SHARE`;
    const added = new Set(rows.map(({ name }) => name));
    names.forEach((name, at) => {
      const path = `connectors[${at}].connector`;
      if (!configured.has(name) && !added.has(name))
        throw new Refusal(
          'bad-field',
          'no connector of SMS has this name',
          path,
          detail('no-such-connector'),
        );
      if (names.indexOf(name) < at)
        throw new Refusal('bad-field', 'is listed twice', path, detail('connector-twice'));
    });
  }
}

const detail = (reason: 'no-such-connector' | 'connector-twice') => ({ reason });

const viewOf = ({ id, prefix, connectors }: StoredRoute): RouteView => ({
  id,
  name: routeName(prefix),
  prefixes: [prefix],
  connectors: connectors.toSorted((one, other) => one.priority - other.priority),
});
