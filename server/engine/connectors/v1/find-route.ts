import type { z } from 'zod';
import { badField } from '../../../kit/errors.ts';
import { countryOf } from '../../../kit/numbers/countries.ts';
import { mobileCountryCodesOf } from '../../../kit/numbers/mobile-country-codes.ts';
import type { CoreContext } from '../../../run/services.ts';
import { nameOfNetwork } from '../../carriers/network-condition.ts';
import { QUALITY_DIGITS } from '../../carriers/quality.ts';
import type { RoutedMessage } from '../../carriers/route-conditions.ts';
import { LOOK_UP_ROUTE } from '../../carriers/routing.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import type { CarrierRoutes, RouteView } from '../carrier-routes.ts';
import { figuresOf, showRouteView } from './route-bodies.ts';
import type { routeQuery } from './route-fields.ts';

interface FindRouteDeps
  extends Pick<CoreContext, 'sql' | 'clock' | 'numbers' | 'network' | 'numberNetworks'> {
  readonly routes: CarrierRoutes;
}

/**
 * Returns the route and connectors that a message would take now, and why it does not take each other route, as the response of
 * `GET /v1/operator/routes/find`. Throws Refusal `bad-field` for what is no phone number.
 */
export async function findRoute(
  deps: FindRouteDeps,
  { phone, account, sender, kind, at }: z.output<typeof routeQuery>,
) {
  const digits = deps.numbers.parse(phone)?.digits;
  if (digits === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
  const message = {
    accountId: Number(account ?? 0),
    source: sender,
    destination: digits,
    kind,
    at: at === undefined ? deps.clock.now() : Date.parse(at),
  };
  const { network, recipient } = await recipientOf(message, deps);
  const tried = deps.routes.explain({ ...message, network });
  const taken = tried.find(({ why }) => why === undefined)?.route;
  const states = await listConnectorStates(deps.sql);
  const listed = taken
    ? await connectorsOf(taken, { destination: digits, isCode: kind === 'code' }, states, deps.network)
    : [];
  return {
    phone: digits,
    recipient,
    route: taken ? showRouteView(taken) : null,
    up: taken
      ? listed.filter(({ share }) => share > 0).map(({ connector }) => connector)
      : firstUp(deps.network, states),
    connectors: listed,
    routes: tried.map(({ route: { id, name, conditions }, why = null }) => ({
      ...{ id: id === null ? null : String(id), name, prefixes: [...conditions.prefixes] },
      why_not: why,
    })),
  };
}

/** Returns the network of a recipient, if it is remembered, and what is shown of it. */
async function recipientOf(message: RoutedMessage, { network: { routing }, numberNetworks }: FindRouteDeps) {
  const remembered = await numberNetworks.remembered.find(message.destination);
  const network = remembered?.network ?? null;
  const recipient = {
    network: network && nameOfNetwork(network),
    ported: remembered?.ported ?? null,
    reachable: remembered?.reachable ?? null,
    country_codes: [...mobileCountryCodesOf(countryOf(message.destination))],
    waits: !remembered && message.kind !== 'code' && routing.routeOf(message) === LOOK_UP_ROUTE,
  };
  return { network, recipient };
}

type States = Awaited<ReturnType<typeof listConnectorStates>>;

const stateOf = (states: States, wanted: string) =>
  states.find(({ name }) => name === wanted)?.state ?? 'down';

/** Returns the connectors of a route in the order in which a message uses them, with their shares of such messages now. */
async function connectorsOf(
  { name, connectors: listed }: RouteView,
  message: { readonly destination: string; readonly isCode: boolean },
  states: States,
  { routing, quality }: FindRouteDeps['network'],
) {
  const groups = routing.choiceOf(name, message, 1)?.groups ?? routing.sharesOf(name);
  const figures = await quality.measure({ prefix: message.destination.slice(0, QUALITY_DIGITS) });
  const known = new Map(figures.map((figure) => [figure.connector, figure]));
  const used =
    groups.find((group) => group.some(({ connector }) => stateOf(states, connector) === 'up')) ?? [];
  const up = used.filter(({ connector }) => stateOf(states, connector) === 'up');
  const total = up.reduce((sum, { weight }) => sum + weight, 0);
  return groups.flat().map((share) => ({
    connector: share.connector,
    state: stateOf(states, share.connector),
    price: listed.find(({ connector }) => connector === share.connector)?.price ?? null,
    share: up.includes(share) ? share.weight / total : 0,
    quality: known.has(share.connector) ? figuresOf(known.get(share.connector)!) : null,
  }));
}

/** Returns the connector that messages without a route use now, as a list. */
const firstUp = (network: FindRouteDeps['network'], states: States): string[] =>
  network
    .smsConnectors()
    .map(({ name }) => name)
    .filter((name) => stateOf(states, name) === 'up')
    .slice(0, 1);
