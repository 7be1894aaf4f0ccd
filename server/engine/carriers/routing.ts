import { PrefixTable } from '../../kit/numbers/prefix-table.ts';

/** Prefix of the names of call routes; the prefix of the phone numbers follows. */
export const CALL_ROUTES = 'voice/';
/** Prefix of the names of routes that operators added. */
export const ADDED_ROUTES = 'to/';

/**
 * A connector of a route, and its share of the messages in its group: twice the weight means twice as many messages.
 */
export interface Share {
  readonly connector: string;
  readonly weight: number;
}

/** The connectors for messages to a prefix. The first one that is up is used. */
export interface Route {
  readonly name: string;
  /** E.164 prefixes; '' matches every destination. */
  readonly prefixes: readonly string[];
  /** Names of connectors, in fallback order. */
  readonly connectors: readonly string[];
  /** Groups of connectors that share the load, in fallback order. Without it, each connector is a group. */
  readonly shares?: readonly (readonly Share[])[];
}

/** The trunks for calls to a prefix. */
export interface CallRoute extends Route {
  /** Caller number, as digits. */
  readonly callerId: string;
}

interface RouteTable {
  /** If several routes have the same prefix, the last one counts. */
  readonly routes: readonly Route[];
  readonly callRoutes: readonly CallRoute[];
  /** Names of removed routes, both added ones and call routes: messages may still wait on them. */
  readonly retired: readonly string[];
}

/** Finds the route of a destination by the longest prefix. Routes may change while messages are sent. */
export class Routing {
  #routes: readonly Route[] = [];
  #byPrefix = new PrefixTable<Route>([]);
  #callsByPrefix = new PrefixTable<CallRoute>([]);
  #shares: ReadonlyMap<string, readonly (readonly Share[])[]> = new Map();

  constructor(routes: readonly Route[], callRoutes: readonly CallRoute[] = []) {
    this.update({ routes, callRoutes, retired: [] });
  }

  /** Replaces the routes. Messages that wait on a retired route use the current route of its prefix. */
  update({ routes, callRoutes, retired }: RouteTable): void {
    this.#routes = routes;
    this.#byPrefix = tableOf(routes);
    this.#callsByPrefix = tableOf(callRoutes);
    const shares = new Map(retired.map((name) => [name, sharesOf(this.#successorOf(name))]));
    for (const route of [...routes, ...callRoutes]) shares.set(route.name, sharesOf(route));
    this.#shares = shares;
  }

  /** Message routes, without those of calls. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** Names of all routes on which messages may wait. */
  get names(): Iterable<string> {
    return this.#shares.keys();
  }

  /** Whether messages may wait on a route of this name. */
  has(name: string): boolean {
    return this.#shares.has(name);
  }

  /** Returns the connectors of a route in groups that share its messages, in fallback order. */
  sharesOf(name: string): readonly (readonly Share[])[] {
    return this.#shares.get(name) ?? [];
  }

  /** Returns the name of the route to a destination (E.164 digits); undefined when no route matches. */
  routeOf(digits: string): string | undefined {
    return this.#byPrefix.find(digits)?.value.name;
  }

  /** Returns the route of a call to a destination (E.164 digits); undefined when no trunk serves it. */
  callRouteOf(digits: string): CallRoute | undefined {
    return this.#callsByPrefix.find(digits)?.value;
  }

  #successorOf(name: string): Route | undefined {
    return name.startsWith(CALL_ROUTES)
      ? this.#callsByPrefix.find(name.slice(CALL_ROUTES.length))?.value
      : this.#byPrefix.find(name.slice(ADDED_ROUTES.length))?.value;
  }
}

const sharesOf = (route: Route | undefined): readonly (readonly Share[])[] =>
  route?.shares ?? route?.connectors.map((connector) => [{ connector, weight: 1 }]) ?? [];

/** Returns the routes keyed by their prefixes. */
const tableOf = <T extends Route>(routes: readonly T[]): PrefixTable<T> =>
  new PrefixTable(routes.flatMap((route) => route.prefixes.map((prefix): [string, T] => [prefix, route])));
