import { PrefixTable } from '../../kit/numbers/prefix-table.ts';
import type { Route } from './route.ts';
import { type ConditionName, Conditions, includes, type RoutedMessage } from './route-conditions.ts';

interface Entry {
  readonly route: Route;
  readonly conditions: Conditions;
}

interface LastSearch extends Pick<RoutedMessage, 'accountId' | 'source' | 'kind'> {
  readonly entries: readonly Entry[];
  readonly fitting: readonly Entry[];
}

/** Why a message does not take a route: a condition that it does not fulfil, or a route before it that it takes. */
export type NotTaken = ConditionName | 'prefixes' | 'earlier';

/** The route of a message depends on the network of its recipient, which was not looked up. */
export const NEEDS_NETWORK = Symbol('needs network');

/** Routes in order. A message takes the first one whose prefixes and other conditions it fulfils. */
export class RouteTable {
  readonly #entries: readonly Entry[];
  /** Keyed by each prefix: the entries with this prefix or a shorter one of it, in order. */
  readonly #byPrefix: PrefixTable<readonly Entry[]>;
  /** Result of the last search: the messages of a send follow each other. Without it, 200 routes cost 6 µs a message of `bulk`. */
  #last: LastSearch | undefined;

  constructor(routes: readonly Route[]) {
    this.#entries = routes.map((route) => ({ route, conditions: new Conditions(route.conditions ?? {}) }));
    const own = new Map<string, Set<number>>();
    for (const [index, { prefixes }] of routes.entries()) {
      for (const prefix of prefixes) own.set(prefix, (own.get(prefix) ?? new Set()).add(index));
    }
    this.#byPrefix = new PrefixTable([...own.keys()].map((prefix) => [prefix, this.#entriesOf(prefix, own)]));
  }

  #entriesOf(prefix: string, own: ReadonlyMap<string, ReadonlySet<number>>): readonly Entry[] {
    const found = new Set<number>();
    for (let length = 0; length <= prefix.length; length++) {
      for (const index of own.get(prefix.slice(0, length)) ?? []) found.add(index);
    }
    return [...found].sort((one, other) => one - other).map((index) => this.#entries[index]!);
  }

  /** Returns the route of a message; undefined when no route matches. */
  find(message: RoutedMessage): Route | typeof NEEDS_NETWORK | undefined {
    const entries = this.#byPrefix.find(message.destination)?.value;
    if (!entries) return undefined;
    for (const { route, conditions } of this.#fittingSend(entries, message)) {
      if (!conditions.isOpenAt(message.at)) continue;
      const isOfNetwork = conditions.isOfNetwork(message);
      if (isOfNetwork === undefined) return NEEDS_NETWORK;
      if (isOfNetwork) return route;
    }
    return undefined;
  }

  /** Returns the entries whose conditions, apart from hours and networks, a message fulfils. */
  #fittingSend(entries: readonly Entry[], message: RoutedMessage): readonly Entry[] {
    const { accountId, source, kind } = message;
    const last = this.#last;
    const isSame = last?.entries === entries && last.accountId === accountId && last.kind === kind;
    if (isSame && last.source === source) return last.fitting;
    const sender = source.toLowerCase();
    const fitting = entries.filter(
      ({ conditions }) => conditions.failingOfSend(message, sender) === undefined,
    );
    this.#last = { entries, accountId, source, kind, fitting };
    return fitting;
  }

  /** Returns each route in order, and why a message does not take it: undefined for the one that it takes. */
  explain(message: RoutedMessage): { readonly route: Route; readonly why: NotTaken | undefined }[] {
    const taken = this.find(message);
    return this.#entries.map(({ route, conditions }) => {
      if (route === taken) return { route, why: undefined };
      const fits = route.prefixes.some((prefix) => message.destination.startsWith(prefix));
      return { route, why: fits ? (conditions.failing(message) ?? 'earlier') : 'prefixes' };
    });
  }
}

/**
 * Whether each message of a prefix that fulfils the conditions of `narrow` fulfils those of `wide` too: after `wide` in the order,
 * `narrow` would get no message of the prefix.
 */
export const covers = (wide: Route, narrow: Pick<Route, 'conditions'>, prefix: string): boolean =>
  wide.prefixes.some((one) => prefix.startsWith(one)) &&
  includes(wide.conditions ?? {}, narrow.conditions ?? {});
