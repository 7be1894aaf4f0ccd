import {
  dailyWork,
  operatorChanges,
  operatorReads,
  proven,
  sendsNothing,
} from '../../../api/access/rules.ts';
import { found, idOf, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { badField } from '../../../kit/errors.ts';
import { countryOf } from '../../../kit/numbers/countries.ts';
import { mobileCountryCodesOf } from '../../../kit/numbers/mobile-country-codes.ts';
import type { CoreContext } from '../../../run/services.ts';
import { nameOfNetwork } from '../../carriers/network-condition.ts';
import { QUALITY_DIGITS } from '../../carriers/quality.ts';
import type { RoutedMessage } from '../../carriers/route-conditions.ts';
import { LOOK_UP_ROUTE } from '../../carriers/routing.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import { replayRoutes } from '../../dispatch/route-replay.ts';
import type { CarrierRoutes, RouteView } from '../carrier-routes.ts';
import {
  changedRoute,
  figuresOf,
  replayedRoutes,
  rounded,
  routeOf,
  showQuality,
  showRouteView,
  showTotals,
} from './route-bodies.ts';
import {
  dryRunAnswer,
  newRoute,
  qualityAnswer,
  qualityQuery,
  replayAnswer,
  replayBody,
  routeAnswer,
  routeChanges,
  routeQuery,
} from './route-fields.ts';

const KIND = 'routes';
/** Maximum number of figures. */
const MAX_FIGURES = 500;

interface OperatorRoutesDeps
  extends Pick<CoreContext, 'sql' | 'clock' | 'numbers' | 'network' | 'numberNetworks'> {
  readonly routes: CarrierRoutes;
}

const route = resource<OperatorRoutesDeps>('operator', {
  'conditions and choices of routes, which operators write': [
    ...['title', 'accounts', 'senders', 'zone', 'choose', 'leave_codes', 'why_not'],
    ...['networks', 'network', 'country_codes'],
  ],
});

/** Routes of messages to connectors, for operators. */
export const operatorCarrierRoutes = [
  route('GET /v1/operator/routes', {
    access: operatorReads,
    operationId: 'listRoutes',
    title: 'List routes',
    description:
      'Lists the routes: those that operators added in their order, then those of the configuration. A message takes the first one whose conditions it fulfils. A prefix of the configuration counts before an added route that would take all its messages by a shorter prefix, and after one with the same prefix. Calls use the prefixes of trunks.',
    answer: rowsAnswer('routes', routeAnswer),
    handler: async (_call, { routes }) => ({ routes: routes.list().map(showRouteView) }),
  }),
  route('GET /v1/operator/routes/find', {
    access: operatorReads,
    operationId: 'findRoute',
    title: 'Find the route of a message',
    description:
      'Returns the route and connectors that a message would take, and why it does not take each other route. Sends nothing.',
    query: routeQuery,
    answer: dryRunAnswer,
    handler: async ({ query: { phone, account, sender, kind, at } }, deps) => {
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
    },
  }),
  route('GET /v1/operator/routes/quality', {
    access: operatorReads,
    operationId: 'listRouteQuality',
    title: 'List the deliveries of connectors by prefix',
    description: `Lists the delivered share of each connector for each prefix, over all accounts in the last 60 hours: the ${MAX_FIGURES} figures with most messages. Routes with \`min_delivered_percent\` and \`min_used_percent\` choose by these figures. A code counts 17 to 22 minutes after it was sent.`,
    query: qualityQuery,
    answer: rowsAnswer('figures', qualityAnswer),
    handler: async ({ query: { prefix } }, { network }) => {
      const figures = await network.quality.measure({ prefix, limit: MAX_FIGURES });
      return { figures: figures.map(showQuality) };
    },
  }),
  route('POST /v1/operator/routes', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'createRoute',
    title: 'Add a route',
    description: 'Adds a route. It applies within a second to newly accepted messages.',
    refusals: ['not-now'],
    body: newRoute,
    answer: routeAnswer,
    handler: async ({ body: given, audit }, { routes }) => {
      const shown = showRouteView(await routes.create(routeOf(given)));
      audit({ kind: KIND, id: shown.id!, after: shown });
      return shown;
    },
  }),
  route('POST /v1/operator/routes/replay', {
    access: dailyWork(operatorReads),
    operationId: 'replayRoutes',
    title: 'Replay messages over other routes',
    description:
      'Compares how the latest SMS of all accounts would be routed by the present routes and by those of the body: which would move, what they would cost, how many would be delivered and how many codes used, by the measured shares. All enabled connectors count as up. Sends and changes nothing.',
    body: replayBody,
    answer: replayAnswer,
    handler: async ({ body }, deps) => {
      const { messages, codes, isSample, moved, before, after, connectors } = await replayRoutes(
        deps,
        replayedRoutes(body),
        body.hours,
      );
      return {
        ...{ messages, codes, moved },
        is_sample: isSample,
        before: showTotals(before),
        after: showTotals(after),
        connectors: connectors.map((one) => ({
          connector: one.connector,
          before: rounded(one.before),
          after: rounded(one.after),
        })),
      };
    },
  }),
  route('PATCH /v1/operator/routes/:id', {
    access: proven(operatorChanges),
    operationId: 'changeRoute',
    title: 'Change a route',
    description:
      'Changes the route within a second, also for waiting messages. If its conditions change, its waiting messages take the route that fits them then.',
    id: idOf('route'),
    refusals: ['not-now'],
    body: routeChanges,
    answer: routeAnswer,
    handler: async ({ id, body: given, audit }, { routes }) => {
      const changed = found(await routes.change(id, (route) => changedRoute(given, route)), 'route');
      const [before, after] = [showRouteView(changed.before), showRouteView(changed.after)];
      audit({ kind: KIND, id: after.id!, before, after });
      return after;
    },
  }),
  route('DELETE /v1/operator/routes/:id', {
    access: proven(operatorChanges),
    operationId: 'removeRoute',
    title: 'Remove a route',
    description: 'Removes the route. Its waiting messages take the route that then fits them.',
    id: idOf('route'),
    handler: async ({ id, audit }, { routes }) => {
      const before = showRouteView(found(routes.find(id), 'route'));
      if (!(await routes.remove(id))) found(undefined, 'route');
      audit({ kind: KIND, id: before.id!, before });
    },
  }),
];

/** Returns the network of a recipient, if it is remembered, and what is shown of it. */
async function recipientOf(
  message: RoutedMessage,
  { network: { routing }, numberNetworks }: OperatorRoutesDeps,
) {
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
  { routing, quality }: OperatorRoutesDeps['network'],
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
const firstUp = (network: OperatorRoutesDeps['network'], states: States): string[] =>
  network
    .smsConnectors()
    .map(({ name }) => name)
    .filter((name) => stateOf(states, name) === 'up')
    .slice(0, 1);
