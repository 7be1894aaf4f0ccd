import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import {
  field,
  found,
  idOf,
  listOf,
  queryText,
  rowsAnswer,
  text,
  whole,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import type { CarrierRoutes, RouteView } from '../carrier-routes.ts';

const MAX_CONNECTORS = 20;
const MAX_PHONE = 40;
const KIND = 'routes';

const routeConnector = z.object({
  connector: out.text('Name of the connector.', 'alpha'),
  priority: out.count('Priority; of the connectors that are up, those with the lowest value are used.', 0),
  weight: out.count('Weight: its share of the messages.', 1),
});
const routeAnswer = z.object({
  id: out.maybeId(
    'Id of the route; null: it is part of the configuration and is changed there.',
    '1774337460000002',
  ),
  name: out.text('Name of the route, which waiting messages refer to.', 'to/972'),
  prefixes: out.texts('Prefixes of numbers, international digits; an empty one matches every number.', [
    '972',
  ]),
  connectors: z.array(routeConnector).describe('Connectors by priority.'),
});
const connectors = listOf(
  z.object({
    connector: field(text.min(1, 'missing'), 'Name of an SMPP connector.', 'alpha'),
    priority: field(
      whole(0, 1_000).default(0),
      'Priority; of the connectors that are up, those with the lowest value share the messages.',
      0,
    ),
    weight: field(whole(1, 1_000).default(1), 'Weight; twice the weight means twice as many messages.', 1),
  }),
  MAX_CONNECTORS,
).min(1, 'missing');
const newRoute = z.object({
  prefix: field(
    text.regex(/^\d{0,15}$/, 'must be digits'),
    'Prefix of numbers, international digits; empty matches every number.',
    '972',
  ),
  connectors,
});
const routeChanges = z.object({ connectors });
const query = z.object({
  phone: field(queryText(MAX_PHONE), 'Number, in any spelling.', '972501112222'),
});
const dryRunAnswer = z.object({
  phone: out.phone('Number, international digits.', '972501112222'),
  route: routeAnswer
    .nullable()
    .describe(
      'Route that a message to the number would take; null: no route matches, and the first connector that is up is used.',
    ),
  up: out.texts('Connectors that would share the messages now; empty: messages would wait.', ['alpha']),
});
const showRoute = serializer(routeAnswer);
const show = (view: RouteView) =>
  showRoute({
    ...view,
    prefixes: [...view.prefixes],
    connectors: view.connectors.map((one) => ({ ...one })),
  });

interface OperatorRoutesDeps extends Pick<CoreContext, 'sql' | 'numbers' | 'network'> {
  readonly routes: CarrierRoutes;
}

const route = resource<OperatorRoutesDeps>('operator');

/** CarrierRoutes of prefixes to connectors, for operators. */
export const operatorCarrierRoutes = [
  route('GET /v1/operator/routes', {
    access: operatorReads,
    operationId: 'listRoutes',
    title: 'List routes',
    description:
      'Lists the routes. The longest matching prefix decides; an added route takes precedence over one of the configuration with the same prefix. Calls use the prefixes of trunks.',
    answer: rowsAnswer('routes', routeAnswer),
    handler: async (_call, { routes }) => ({ routes: routes.list().map(show) }),
  }),
  route('GET /v1/operator/routes/find', {
    access: operatorReads,
    operationId: 'findRoute',
    title: 'Find the route to a number',
    description:
      'Returns the route and connectors that a message to the number would take now. Sends nothing.',
    query,
    answer: dryRunAnswer,
    handler: async ({ query: { phone } }, deps) => {
      const digits = deps.numbers.parse(phone)?.digits;
      if (digits === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
      const taken = deps.routes.routeOf(digits);
      return { phone: digits, route: taken ? show(taken) : null, up: await upOf(deps, taken) };
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
      const made = show(await routes.create(given.prefix, given.connectors));
      audit({ kind: KIND, id: made.id!, after: made });
      return made;
    },
  }),
  route('PATCH /v1/operator/routes/:id', {
    access: proven(operatorChanges),
    operationId: 'changeRoute',
    title: 'Change a route',
    description: 'Replaces the connectors of the route within a second, also for waiting messages.',
    id: idOf('route'),
    body: routeChanges,
    answer: routeAnswer,
    handler: async ({ id, body: given, audit }, { routes }) => {
      const before = show(found(routes.find(id), 'route'));
      const after = show(found(await routes.change(id, given.connectors), 'route'));
      audit({ kind: KIND, id: after.id!, before, after });
      return after;
    },
  }),
  route('DELETE /v1/operator/routes/:id', {
    access: proven(operatorChanges),
    operationId: 'removeRoute',
    title: 'Remove a route',
    description: 'Removes the route. Its waiting messages take the route that then matches its prefix.',
    id: idOf('route'),
    handler: async ({ id, audit }, { routes }) => {
      const before = show(found(routes.find(id), 'route'));
      if (!(await routes.remove(id))) found(undefined, 'route');
      audit({ kind: KIND, id: before.id!, before });
    },
  }),
];

/** Returns the connectors of a route, or all without one, that could take a message now. */
async function upOf({ sql, network }: OperatorRoutesDeps, taken: RouteView | undefined): Promise<string[]> {
  const states = await listConnectorStates(sql);
  const isUp = (name: string) =>
    states.some((connector) => connector.name === name && connector.state === 'up');
  if (!taken)
    return network
      .smsConnectors()
      .map(({ name }) => name)
      .filter(isUp)
      .slice(0, 1);
  const up = taken.connectors.filter(({ connector }) => isUp(connector));
  return up.filter(({ priority }) => priority === up[0]!.priority).map(({ connector }) => connector);
}
