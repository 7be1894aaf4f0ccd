import {
  dailyWork,
  operatorChanges,
  operatorReads,
  proven,
  sendsNothing,
} from '../../../api/access/rules.ts';
import { found, idOf, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import type { CoreContext } from '../../../run/services.ts';
import { replayRoutes } from '../../dispatch/route-replay.ts';
import type { CarrierRoutes } from '../carrier-routes.ts';
import { findRoute } from './find-route.ts';
import {
  changedRoute,
  replayedRoutes,
  routeOf,
  showQuality,
  showReplay,
  showRouteView,
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
    handler: ({ query }, deps) => findRoute(deps, query),
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
    handler: async ({ body }, deps) => showReplay(await replayRoutes(deps, replayedRoutes(body), body.hours)),
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
