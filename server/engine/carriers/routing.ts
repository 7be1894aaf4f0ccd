import { PrefixTable } from '../../kit/numbers/prefix-table.ts';
import { judged, judges, QUALITY_DIGITS, QualityBook } from './quality.ts';
import type { Choice, LeaveRule, Route, Share } from './route.ts';
import type { RoutedMessage } from './route-conditions.ts';
import { NEEDS_NETWORK, type NotTaken, RouteTable } from './route-table.ts';

/** Prefix of the names of call routes; the prefix of the phone numbers follows. */
export const CALL_ROUTES = 'voice/';
/** Prefix of the names of routes that operators added. */
export const ADDED_ROUTES = 'to/';
/**
 * Prefix of the names of routes that have one connector, whose name follows. No message takes such a route by its conditions: test
 * messages of operators name it. It stays when the connector is removed, so that they go over no other one.
 */
export const ONLY_ROUTES = 'only/';

/** Route of messages that wait for the network of their recipient. Other routes have no slash at the end. */
export const LOOK_UP_ROUTE = 'network/';

/** The trunks for calls to a prefix. */
export interface CallRoute extends Route {
  /** Caller number, as digits. */
  readonly callerId: string;
}

interface AllRoutes {
  /** In order: the first one that fits counts. */
  readonly routes: readonly Route[];
  /** The longest prefix decides. */
  readonly callRoutes: readonly CallRoute[];
  /** Names of removed routes, both added ones and call routes: messages may still wait on them. */
  readonly retired: readonly string[];
  /** Connectors that are the only one of a route (`ONLY_ROUTES`). */
  readonly only?: readonly string[];
}

/** Properties of a message that determine its connectors on a route. */
interface ChosenMessage {
  /** E.164 digits. */
  readonly destination: string;
  /** Whether it is a one-time code. */
  readonly isCode: boolean;
}

/** Finds the route of a message. Routes may change while messages are sent. */
export class Routing {
  #routes: readonly Route[] = [];
  #table = new RouteTable([]);
  #byName: ReadonlyMap<string, Route> = new Map();
  #callsByPrefix = new PrefixTable<CallRoute>([]);
  #shares: ReadonlyMap<string, readonly (readonly Share[])[]> = new Map();
  #retired: ReadonlySet<string> = new Set();
  #version = 0;
  #quality = new QualityBook([]);
  /** Whether networks of a number (E.164 digits) are looked up. */
  #looksUp: (destination: string) => boolean = () => false;
  /** Choices of routes that judge quality, by route, prefix and exploration. */
  #choices = new Map<string, Choice>();

  constructor(routes: readonly Route[], callRoutes: readonly CallRoute[] = []) {
    this.update({ routes, callRoutes, retired: [] });
  }

  /**
   * Replaces the routes. Calls that wait on a retired route use the current route of its prefix; messages are matched again (see
   * `isRetired`).
   */
  update({ routes, callRoutes, retired, only = [] }: AllRoutes): void {
    this.#routes = routes;
    this.#table = new RouteTable(routes);
    this.#byName = new Map(routes.map((route) => [route.name, route]));
    this.#callsByPrefix = tableOf(callRoutes);
    const shares = new Map(retired.map((name) => [name, sharesOf(this.#callSuccessorOf(name))]));
    for (const route of [...routes, ...callRoutes]) shares.set(route.name, sharesOf(route));
    for (const connector of only) shares.set(ONLY_ROUTES + connector, [[{ connector, weight: 1 }]]);
    this.#shares = shares;
    this.#choices = new Map();
    this.#version++;
    this.#retired = new Set(
      retired.filter((name) => !name.startsWith(CALL_ROUTES) && !this.#byName.has(name)),
    );
  }

  /** Sets whether networks of a number (E.164 digits) are looked up. Without it they are not. */
  lookUp(looksUp: (destination: string) => boolean): void {
    this.#looksUp = looksUp;
  }

  /** Message routes in order, without those of calls. */
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

  /** Whether this is a removed route of messages, whose waiting messages have to take the route that fits them now. */
  isRetired(name: string): boolean {
    return this.#retired.has(name);
  }

  /** Grows with each change of the routes and of the known quality. */
  get version(): number {
    return this.#version;
  }

  /** Returns the connectors of a route in groups that share its messages, in fallback order. */
  sharesOf(name: string): readonly (readonly Share[])[] {
    return this.#shares.get(name) ?? [];
  }

  /** When messages of a route go over another connector of it; undefined: only when theirs is down. */
  leaveRuleOf(name: string): LeaveRule | undefined {
    return this.#byName.get(name)?.leave;
  }

  /** Whether some route prefers connectors by their quality. */
  get judgesQuality(): boolean {
    return this.#routes.some(({ quality }) => quality !== undefined);
  }

  /** Whether a route does, for one-time codes or for other messages. */
  isJudged(name: string, isCode: boolean): boolean {
    const rule = this.#byName.get(name)?.quality;
    return rule !== undefined && judges(rule, isCode);
  }

  /** Replaces the measured quality of connectors. */
  learn(quality: QualityBook): void {
    this.#quality = quality;
    this.#choices = new Map();
    this.#version++;
  }

  /**
   * Returns the connectors of a message on a route that prefers them by their quality; undefined for another route.
   *
   * @param draw from 0 to 1, always the same for a message: whether it explores
   */
  choiceOf(name: string, { destination, isCode }: ChosenMessage, draw: number): Choice | undefined {
    const rule = this.#byName.get(name)?.quality;
    if (!rule || !judges(rule, isCode)) return undefined;
    const isExploring = draw < rule.explore;
    const key = `${name}|${destination.slice(0, QUALITY_DIGITS)}|${isCode}|${isExploring}`;
    let choice = this.#choices.get(key);
    if (!choice) {
      const route = { name, groups: this.sharesOf(name), rule };
      choice = judged(route, { destination, isCode, isExploring }, this.#quality);
      this.#choices.set(key, choice);
    }
    return choice;
  }

  /**
   * Returns the name of the route of a message; undefined when it fits none, and `LOOK_UP_ROUTE` when that depends on the network of its
   * recipient, which can be looked up.
   */
  routeOf(message: RoutedMessage): string | undefined {
    let found = this.#table.find(message);
    if (found === NEEDS_NETWORK) {
      if (this.#looksUp(message.destination)) return LOOK_UP_ROUTE;
      found = this.#table.find({ ...message, network: null });
    }
    return found === NEEDS_NETWORK ? undefined : found?.name;
  }

  /** Returns each route of messages in order, and why a message does not take it: undefined for the one that it takes. */
  explain(message: RoutedMessage): { readonly route: Route; readonly why: NotTaken | undefined }[] {
    return this.#table.explain(message);
  }

  /** Returns the route of a call to a destination (E.164 digits); undefined when no trunk serves it. */
  callRouteOf(digits: string): CallRoute | undefined {
    return this.#callsByPrefix.find(digits)?.value;
  }

  #callSuccessorOf(name: string): Route | undefined {
    if (!name.startsWith(CALL_ROUTES)) return undefined;
    return this.#callsByPrefix.find(name.slice(CALL_ROUTES.length))?.value;
  }
}

const sharesOf = (route: Route | undefined): readonly (readonly Share[])[] =>
  route?.shares ?? route?.connectors.map((connector) => [{ connector, weight: 1 }]) ?? [];

/** Returns the routes keyed by their prefixes. */
const tableOf = <T extends Route>(routes: readonly T[]): PrefixTable<T> =>
  new PrefixTable(routes.flatMap((route) => route.prefixes.map((prefix): [string, T] => [prefix, route])));
