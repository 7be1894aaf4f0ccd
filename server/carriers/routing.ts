/** What the names of routes of calls begin with; the prefix of the numbers follows. */
export const CALL_ROUTES = 'voice/';

/** Which links messages to a prefix go over, the first one that is up. */
export interface Route {
  readonly name: string;
  /** E.164 prefixes; '' is every destination. */
  readonly prefixes: readonly string[];
  /** Names of links, in the order in which they are fallen back to. */
  readonly links: readonly string[];
}

/** Which trunks calls to a prefix go over. */
export interface CallRoute extends Route {
  /** The number that they come from, as digits. */
  readonly callerId: string;
}

/** The routes, asked by the longest prefix. */
export class Routing {
  readonly routes: readonly Route[];
  readonly callRoutes: readonly CallRoute[];
  readonly #byPrefix: PrefixTable<Route>;
  readonly #callsByPrefix: PrefixTable<CallRoute>;
  readonly #byName: ReadonlyMap<string, Route>;

  constructor(routes: readonly Route[], callRoutes: readonly CallRoute[] = []) {
    this.routes = routes;
    this.callRoutes = callRoutes;
    this.#byPrefix = new PrefixTable(routes);
    this.#callsByPrefix = new PrefixTable(callRoutes);
    this.#byName = new Map([...routes, ...callRoutes].map((route) => [route.name, route]));
  }

  /** The links of a route, in the order in which they are fallen back to. */
  linksOf(name: string): readonly string[] {
    return this.#byName.get(name)?.links ?? [];
  }

  /** The name of the route to a destination (E.164 digits); undefined when no route takes it. */
  routeOf(digits: string): string | undefined {
    return this.#byPrefix.find(digits)?.name;
  }

  /** The route of a call to a destination (E.164 digits); undefined when no trunk goes there. */
  callRouteOf(digits: string): CallRoute | undefined {
    return this.#callsByPrefix.find(digits);
  }
}

class PrefixTable<T extends Route> {
  readonly #byPrefix = new Map<string, T>();
  readonly #longest: number;

  constructor(routes: readonly T[]) {
    for (const route of routes) for (const prefix of route.prefixes) this.#byPrefix.set(prefix, route);
    this.#longest = Math.max(0, ...[...this.#byPrefix.keys()].map((prefix) => prefix.length));
  }

  find(digits: string): T | undefined {
    for (let length = this.#longest; length >= 0; length--) {
      const route = this.#byPrefix.get(digits.slice(0, length));
      if (route) return route;
    }
    return undefined;
  }
}
