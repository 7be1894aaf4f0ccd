/** Which links messages to a prefix go over, the first one that is up. */
export interface Route {
  readonly name: string;
  /** E.164 prefixes; '' is every destination. */
  readonly prefixes: readonly string[];
  /** Names of links, in the order in which they are fallen back to. */
  readonly links: readonly string[];
}

/** What routes of chat begin with: each business number is a route and a link of this name and itself. */
export const CHAT_ROUTES = 'chat/';

/** The routes, asked by the longest prefix. */
export class Routing {
  readonly routes: readonly Route[];
  readonly #byPrefix = new Map<string, Route>();
  readonly #longest: number;

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    for (const route of routes) for (const prefix of route.prefixes) this.#byPrefix.set(prefix, route);
    this.#longest = Math.max(0, ...[...this.#byPrefix.keys()].map((prefix) => prefix.length));
  }

  /** The links of a route, in the order in which they are fallen back to. */
  linksOf(name: string): readonly string[] {
    return this.routes.find((route) => route.name === name)?.links ?? [];
  }

  /** The name of the route to a destination (E.164 digits); undefined when no route takes it. */
  routeOf(digits: string): string | undefined {
    for (let length = this.#longest; length >= 0; length--) {
      const route = this.#byPrefix.get(digits.slice(0, length));
      if (route) return route.name;
    }
    return undefined;
  }
}
