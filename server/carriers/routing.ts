import { PrefixTable } from '../numbers/prefix-table.ts';

/** What the names of routes of calls begin with; the prefix of the numbers follows. */
export const CALL_ROUTES = 'voice/';
/** The same of routes that operators added. */
export const ADDED_ROUTES = 'to/';

/** A link of a route, and its part of what goes over those beside it: twice the weight is twice as many messages. */
export interface Share {
  readonly connector: string;
  readonly weight: number;
}

/** Which links messages to a prefix go over, the first one that is up. */
export interface Route {
  readonly name: string;
  /** E.164 prefixes; '' is every destination. */
  readonly prefixes: readonly string[];
  /** Names of links, in the order in which they are fallen back to. */
  readonly links: readonly string[];
  /** The links in groups that share the load, in the order in which they are fallen back to; each alone without it. */
  readonly shares?: readonly (readonly Share[])[];
}

/** Which trunks calls to a prefix go over. */
export interface CallRoute extends Route {
  /** The number that they come from, as digits. */
  readonly callerId: string;
}

interface RouteTable {
  /** Of several with one prefix the last one counts. */
  readonly routes: readonly Route[];
  readonly callRoutes: readonly CallRoute[];
  /** Names of added routes, and of those of calls, that were removed: messages may still wait on them. */
  readonly retired: readonly string[];
}

/** The routes, asked by the longest prefix. They may change while messages are sent. */
export class Routing {
  #routes: readonly Route[] = [];
  #byPrefix = new PrefixTable<Route>([]);
  #callsByPrefix = new PrefixTable<CallRoute>([]);
  #shares: ReadonlyMap<string, readonly (readonly Share[])[]> = new Map();

  constructor(routes: readonly Route[], callRoutes: readonly CallRoute[] = []) {
    this.update({ routes, callRoutes, retired: [] });
  }

  /** Takes other routes. What waits on a retired one goes where its prefix goes now. */
  update({ routes, callRoutes, retired }: RouteTable): void {
    this.#routes = routes;
    this.#byPrefix = tableOf(routes);
    this.#callsByPrefix = tableOf(callRoutes);
    const shares = new Map(retired.map((name) => [name, sharesOf(this.#successorOf(name))]));
    for (const route of [...routes, ...callRoutes]) shares.set(route.name, sharesOf(route));
    this.#shares = shares;
  }

  /** Routes of messages that are not calls. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** Names of all routes that messages may wait on. */
  get names(): Iterable<string> {
    return this.#shares.keys();
  }

  /** Whether messages may wait on a route of this name. */
  has(name: string): boolean {
    return this.#shares.has(name);
  }

  /** The links of a route in groups that share its messages, in the order in which they are fallen back to. */
  sharesOf(name: string): readonly (readonly Share[])[] {
    return this.#shares.get(name) ?? [];
  }

  /** The name of the route to a destination (E.164 digits); undefined when no route takes it. */
  routeOf(digits: string): string | undefined {
    return this.#byPrefix.find(digits)?.value.name;
  }

  /** The route of a call to a destination (E.164 digits); undefined when no trunk goes there. */
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
  route?.shares ?? route?.links.map((connector) => [{ connector, weight: 1 }]) ?? [];

/** The routes by the prefixes that they have. */
const tableOf = <T extends Route>(routes: readonly T[]): PrefixTable<T> =>
  new PrefixTable(routes.flatMap((route) => route.prefixes.map((prefix): [string, T] => [prefix, route])));
