import type { z } from 'zod';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import { type WeekHours, weekdays } from '../../../kit/week-hours.ts';
import { lowerBound, usedShare } from '../../carriers/quality.ts';
import type { Replay, ReplayedTotals } from '../../dispatch/route-replay.ts';
import type { RouteInput, RouteView } from '../carrier-routes.ts';
import type { MeasuredQuality } from '../delivery-quality.ts';
import { routeOf as asRoute, placeOf } from '../route-order.ts';
import type { RouteChoice, StoredConditions, StoredLeave, StoredRoute } from '../stored.ts';
import { type newRoute, type replayBody, routeAnswer, type routeChanges } from './route-fields.ts';

/* Reads routes from bodies, and formats them for responses. */

/** Share of messages that explore, unless the route says otherwise. */
const EXPLORE = 0.05;

type Given = z.output<typeof routeChanges>;
type NewRoute = z.output<typeof newRoute>;

/** Returns the conditions that a body states, over those of before; null removes one. */
function conditionsOf(given: Given, before: StoredConditions): StoredConditions {
  const { prefixes, accounts, senders, kinds, hours, networks } = given;
  return withoutUndefined({
    prefixes: prefixes ? [...new Set(prefixes)] : before.prefixes,
    accounts: chosen<readonly number[]>(accounts === null ? null : accounts?.map(Number), before.accounts),
    senders: chosen(senders, before.senders),
    kinds: chosen(kinds, before.kinds),
    hours: chosen(hours, before.hours),
    networks: chosen(networks, before.networks),
  });
}

/** Returns how a body says that a route chooses, over what was said before; null removes something. */
function choiceOf(given: Given, before: RouteChoice): RouteChoice {
  const { choose = before.by, explore_percent: explore } = given;
  const least = (percents: number | null | undefined, old: number | undefined) =>
    chosen(percents === null ? null : shareOf(percents), old);
  const minDelivered = least(given.min_delivered_percent, before.minDelivered);
  const minUsed = least(given.min_used_percent, before.minUsed);
  const isJudged = (minDelivered ?? minUsed) !== undefined;
  return withoutUndefined({
    by: choose,
    minDelivered,
    minUsed,
    explore: shareOf(explore) ?? before.explore ?? (isJudged ? EXPLORE : undefined),
  }) as RouteChoice;
}

/** Returns when a body says that messages leave a connector, over what was said before; null removes something. */
function leaveOf(given: Given, before: StoredLeave): StoredLeave {
  return withoutUndefined({
    codes: given.leave_codes ?? before.codes,
    throttledSeconds: chosen(given.leave_throttled_seconds, before.throttledSeconds),
    silentSeconds: chosen(given.leave_silent_seconds, before.silentSeconds),
  }) as StoredLeave;
}

/** Defaults of a new route. */
const empty: StoredRoute = {
  ...{ id: 0, name: '', title: '', connectors: [] },
  conditions: { prefixes: [''] },
  choice: { by: 'priority' },
  leave: { codes: [] },
};

/**
 * Returns a new route of a body. Throws Refusal `bad-field` for `prefix` next to `prefixes`.
 *
 * @param path of the fields, before their names
 */
export function routeOf({ prefix, ...given }: NewRoute, path = ''): RouteInput {
  if (prefix !== undefined && given.prefixes)
    throw badField(`${path}prefix`, 'only one of both', 'one-of-both');
  return changedRoute({ ...given, prefixes: prefix === undefined ? given.prefixes : [prefix] }, empty);
}

/** Returns a route with the changes of a body. */
export const changedRoute = (given: Given, before: StoredRoute): RouteInput => ({
  title: given.title ?? before.title,
  conditions: conditionsOf(given, before.conditions),
  connectors: given.connectors ?? before.connectors,
  choice: choiceOf(given, before.choice),
  leave: leaveOf(given, before.leave),
  before: typeof given.before === 'string' ? Number(given.before) : given.before,
});

/** Returns the routes of a replay in their order. Throws Refusal as `routeOf`. */
export function replayedRoutes({ routes, added }: z.output<typeof replayBody>): StoredRoute[] {
  const replayed = (given: NewRoute, path: string, id: number) => ({
    ...routeOf(given, `${path}.`),
    id,
    name: `replayed/${id}`,
  });
  const listed = routes.map((given, index) => replayed(given, `routes[${index}]`, index));
  if (!added) return listed;
  const one = replayed(added, 'added', listed.length);
  return listed.toSpliced(placeOf(asRoute(one), listed.map(asRoute)), 0, one);
}

const showTotals = ({
  cost,
  withoutPrice,
  delivered,
  withoutShare,
  used,
  withoutUsedShare,
}: ReplayedTotals) => ({
  cost: Math.round(cost * 10_000) / 10_000,
  without_price: rounded(withoutPrice),
  delivered: rounded(delivered),
  without_share: rounded(withoutShare),
  used: rounded(used),
  without_used_share: rounded(withoutUsedShare),
});

/** Formats a replay for responses. */
export const showReplay = ({ messages, codes, moved, isSample, before, after, connectors }: Replay) => ({
  ...{ messages, codes, moved },
  is_sample: isSample,
  before: showTotals(before),
  after: showTotals(after),
  connectors: connectors.map((one) => ({
    connector: one.connector,
    before: rounded(one.before),
    after: rounded(one.after),
  })),
});

const showRoute = serializer(routeAnswer);

/** Formats a route for responses. */
export const showRouteView = (route: RouteView) => {
  const { id, name, title, conditions, choice, leave, connectors } = route;
  const { prefixes, accounts, senders, kinds, hours, networks } = conditions;
  return showRoute({
    ...{ id, name, title, prefixes: [...prefixes] },
    accounts: accounts?.map(String) ?? null,
    senders: senders ? [...senders] : null,
    kinds: kinds ? [...kinds] : null,
    hours: hours ? { zone: hours.zone, week: copyOf(hours.week) } : null,
    networks: networks ? [...networks] : null,
    choose: choice.by,
    min_delivered_percent: percentOf(choice.minDelivered),
    min_used_percent: percentOf(choice.minUsed),
    explore_percent: percentOf(choice.explore) ?? EXPLORE * 100,
    leave_codes: [...leave.codes],
    leave_throttled_seconds: leave.throttledSeconds ?? null,
    leave_silent_seconds: leave.silentSeconds ?? null,
    connectors: connectors.map(({ price = null, ...one }) => ({ ...one, price })),
  });
};

/** Formats figures for responses. */
export const showQuality = (known: MeasuredQuality) => ({
  prefix: known.prefix,
  connector: known.connector,
  ...figuresOf(known),
});

/** Formats the figures of one connector, without its name. */
export const figuresOf = (known: MeasuredQuality) => ({
  delivered_percent: rounded((known.delivered / known.samples) * 100),
  lower_bound_percent: rounded(lowerBound(known) * 100),
  samples: rounded(known.samples),
  messages: known.messages,
  delivery_seconds: known.deliveryMs === null ? null : rounded(known.deliveryMs / 1_000),
  codes: known.codesSent,
  used_percent: known.codes === 0 ? null : rounded((known.used / known.codes) * 100),
  used_lower_bound_percent: known.codes === 0 ? null : rounded(lowerBound(usedShare(known)) * 100),
  code_samples: rounded(known.codes),
});

const rounded = (value: number) => Math.round(value * 10) / 10;

const copyOf = (week: WeekHours) => Object.fromEntries(weekdays.map((day) => [day, [...week[day]]]));

/** Shares are kept in ten-thousandths, because 0.29 times 100 is not 29. */
const shareOf = (percents: number | undefined) =>
  percents === undefined ? undefined : Math.round(percents * 100) / 10_000;

const percentOf = (share: number | undefined) =>
  share === undefined ? null : Math.round(share * 10_000) / 100;

const chosen = <T>(value: T | null | undefined, old: T | undefined): T | undefined =>
  value === undefined ? old : (value ?? undefined);

/** Returns an object as it is stored: what is absent has no name in JSON. */
const withoutUndefined = <T extends object>(all: T): T =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T;
