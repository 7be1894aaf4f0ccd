import type { Route, Share } from '../carriers/route.ts';
import { covers } from '../carriers/route-table.ts';
import type { RouteConnector, StoredRoute } from './stored.ts';

/**
 * Returns the routes in the order in which messages try them. Added routes keep their order. A prefix of the
 * configuration comes before the first one that would take all its messages by a shorter prefix: so the longest prefix decides, as
 * in the configuration alone, and an added route counts before one of the configuration with the same prefix.
 */
export function inOrder(configured: readonly Route[], stored: readonly StoredRoute[]): Route[] {
  const byLength = configured
    .flatMap((route) => route.prefixes.map((prefix) => ({ ...route, prefixes: [prefix] })))
    .sort((one, other) => other.prefixes[0]!.length - one.prefixes[0]!.length);
  const ordered = stored.map(routeOf);
  for (const route of byLength) {
    const [prefix] = route.prefixes;
    const at = ordered.findIndex((wide) => coversMore(wide, route, prefix!));
    ordered.splice(at === -1 ? ordered.length : at, 0, route);
  }
  return ordered;
}

/** Returns the place of a new route in a list: before the first one after which it would get no message, or at the end. */
export function placeOf(added: Route, ordered: readonly Route[]): number {
  const at = ordered.findIndex((wide) => added.prefixes.every((prefix) => covers(wide, added, prefix)));
  return at === -1 ? ordered.length : at;
}

const coversMore = (wide: Route, route: Route, prefix: string): boolean =>
  covers(wide, route, prefix) && !wide.prefixes.includes(prefix);

/** Returns an added route as messages take it. */
export function routeOf({ name, conditions, connectors, choice, leave }: StoredRoute): Route {
  const { prefixes, ...others } = conditions;
  const shares = choice.by === 'cheapest' ? byPrice(connectors) : byPriority(connectors);
  return {
    name,
    prefixes,
    conditions: others,
    connectors: shares.flat().map(({ connector }) => connector),
    shares,
    ...((choice.minDelivered ?? choice.minUsed) !== undefined && {
      quality: {
        minDelivered: choice.minDelivered,
        minUsed: choice.minUsed,
        explore: choice.explore ?? 0,
      },
    }),
    leave: {
      codes: new Set(leave.codes),
      throttledMs: inMs(leave.throttledSeconds),
      silentMs: inMs(leave.silentSeconds),
    },
  };
}

const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);

const byPriority = (connectors: readonly RouteConnector[]) => groups(connectors, ({ priority }) => priority);

/** Connectors without a price come last. */
const byPrice = (connectors: readonly RouteConnector[]) =>
  groups(connectors, ({ price }) => price ?? Number.POSITIVE_INFINITY);

/** Groups connectors by a number, the lowest first. */
function groups(
  connectors: readonly RouteConnector[],
  by: (connector: RouteConnector) => number,
): readonly (readonly Share[])[] {
  const grouped = Map.groupBy(
    connectors.toSorted((one, other) => order(by(one), by(other))),
    by,
  );
  return [...grouped.values()].map((group) => group.map(({ connector, weight }) => ({ connector, weight })));
}

/** The difference of two infinities is not a number. */
const order = (one: number, other: number): number => (one === other ? 0 : one - other);
