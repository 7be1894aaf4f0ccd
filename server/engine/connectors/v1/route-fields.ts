import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import {
  field,
  idText,
  listOf,
  oneOf,
  queryText,
  requiredText,
  text,
  textUpTo,
  timeText,
  timeZone,
  whole,
} from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { weekHours, weekHoursAnswer } from '../../../api/v1/kit/week-fields.ts';
import { type WeekHours, weekdays } from '../../../kit/week-hours.ts';
import { messageKinds } from '../../carriers/route-conditions.ts';
import type { RouteView } from '../carrier-routes.ts';
import { routeChoices, type StoredConditions } from '../stored.ts';

/* Fields of routes, in bodies, queries and responses. */

const MAX_CONNECTORS = 20;
const MAX_PREFIXES = 1_000;
const MAX_LISTED = 200;
const MAX_CODES = 50;
const MAX_TITLE = 60;
const MAX_PHONE = 40;
const MAX_SENDER = 40;
/** In the currency of the installation. */
const MAX_PRICE = 1_000;

const exampleWeek = Object.fromEntries(weekdays.map((day) => [day, ['20:00-08:00']]));
const meanings = {
  title: 'Title of the route, for people.',
  prefixes: 'Prefixes of numbers, international digits; an empty one matches every number.',
  accounts: 'Ids of the accounts whose messages it takes; null: of every account.',
  senders: 'Senders whose messages it takes, in upper or lower case; null: of every sender.',
  kinds:
    'Kinds of messages that it takes: `code` are one-time codes, `marketing` are messages of campaigns that are not declared transactional, `transactional` are all others; null: every kind.',
  hours: 'Hours in which the messages that it takes are due; null: any hour.',
  choose:
    '`priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last.',
  leave:
    'Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not.',
  price:
    'What the carrier charges for a part, in the currency of the installation; null: not known. `choose` and the search for a route use it, and nobody is charged by it.',
} as const;
const hoursAnswer = z.object({
  zone: out.text('Time zone of the hours, by its IANA name.', 'Asia/Jerusalem'),
  week: weekHoursAnswer('Hours of each day of the week.', exampleWeek),
});

const routeConnector = z.object({
  connector: out.text('Name of the connector.', 'alpha'),
  priority: out.count('Priority; of the connectors that are up, those with the lowest value are used.', 0),
  weight: out.count('Weight: its share of the messages.', 1),
  price: answered(z.number().nullable(), meanings.price, 0.012),
});
/** A route in a response. */
export const routeAnswer = z.object({
  id: out.maybeId(
    'Id of the route; null: it is part of the configuration and is changed there.',
    '1774337460000002',
  ),
  name: out.text(
    'Name of the route, which waiting messages refer to. It changes with the conditions.',
    'to/972',
  ),
  title: out.text(meanings.title, 'Codes to Israel'),
  prefixes: out.texts(meanings.prefixes, ['972']),
  accounts: answered(z.array(z.string()).nullable(), meanings.accounts, null),
  senders: answered(z.array(z.string()).nullable(), meanings.senders, ['Acme']),
  kinds: answered(z.array(z.enum(messageKinds)).nullable(), meanings.kinds, ['code']),
  hours: answered(hoursAnswer.nullable(), meanings.hours, null),
  choose: out.oneOf(routeChoices, meanings.choose, 'priority'),
  leave_codes: out.texts(meanings.leave, ['RTHROTTLED']),
  connectors: z.array(routeConnector).describe('Connectors by priority.'),
});
const connectors = listOf(
  z.object({
    connector: field(text.min(1, 'missing'), 'Name of an SMS connector.', 'alpha'),
    priority: field(
      whole(0, 1_000).default(0),
      'Priority; of the connectors that are up, those with the lowest value share the messages.',
      0,
    ),
    weight: field(whole(1, 1_000).default(1), 'Weight; twice the weight means twice as many messages.', 1),
    price: field(
      z
        .number('must be a number')
        .min(0, 'must be 0 or more')
        .max(MAX_PRICE, `must be ${MAX_PRICE} or less`)
        .nullable()
        .default(null),
      meanings.price,
      0.012,
    ),
  }),
  MAX_CONNECTORS,
).min(1, 'missing');
const prefix = text.regex(/^\d{0,15}$/, 'must be digits');
/** Fields of a route. One that is absent stays as it is. */
const fields = {
  title: field(textUpTo(MAX_TITLE).pipe(storable(MAX_TITLE)).optional(), meanings.title, 'Codes to Israel'),
  prefixes: field(listOf(prefix, MAX_PREFIXES).min(1, 'missing').optional(), meanings.prefixes, ['972']),
  accounts: field(
    listOf(idText('an account'), MAX_LISTED).min(1, 'missing').nullable().optional(),
    meanings.accounts,
    ['1774337460000001'],
  ),
  senders: field(
    listOf(requiredText(MAX_SENDER), MAX_LISTED).min(1, 'missing').nullable().optional(),
    meanings.senders,
    ['Acme'],
  ),
  kinds: field(
    listOf(oneOf(messageKinds), messageKinds.length).min(1, 'missing').nullable().optional(),
    meanings.kinds,
    ['code'],
  ),
  hours: field(
    z
      .object({ zone: timeZone('Time zone of the hours'), week: weekHours })
      .nullable()
      .optional(),
    meanings.hours,
    { zone: 'Asia/Jerusalem', week: exampleWeek },
  ),
  choose: field(oneOf(routeChoices).optional(), meanings.choose, 'priority'),
  leave_codes: field(listOf(requiredText(MAX_SENDER), MAX_CODES).optional(), meanings.leave, ['RTHROTTLED']),
  before: field(
    idText('an added route').nullable().optional(),
    'Id of the added route before which it comes; null: after all of them. By default a new route comes before the first one that would take all its messages, or after all of them, and a changed one stays where it is.',
    null,
  ),
};
/** Body of a new route. */
export const newRoute = z.object({
  prefix: field(prefix.optional(), 'Its only prefix, in place of `prefixes`.', '972'),
  ...fields,
  connectors,
});
/** Body of a change. */
export const routeChanges = z.object({ ...fields, connectors: connectors.optional() });
/** Query for the route of a message. */
export const routeQuery = z.object({
  phone: field(queryText(MAX_PHONE), 'Number, in any spelling.', '972501112222'),
  account: idText('an account').optional().describe('Id of the account that sends; by default none.'),
  sender: queryText(MAX_SENDER).default('').describe('Sender of the message.'),
  kind: oneOf(messageKinds).default('transactional').describe('Kind of the message.'),
  at: timeText.optional().describe('When the message is due, ISO 8601 with an offset; now by default.'),
});
const whyNot = ['prefixes', 'accounts', 'senders', 'kinds', 'hours', 'earlier'] as const;
/** What a message would take. */
export const dryRunAnswer = z.object({
  phone: out.phone('Number, international digits.', '972501112222'),
  route: routeAnswer
    .nullable()
    .describe(
      'Route that the message would take; null: no route matches, and the first connector that is up is used.',
    ),
  up: out.texts('Connectors that would share the messages now; empty: messages would wait.', ['alpha']),
  connectors: z
    .array(
      z.object({
        connector: out.text('Name of the connector.', 'alpha'),
        state: out.text('State of the connector, as `GET /v1/operator/connectors` tells it.', 'up'),
        price: answered(z.number().nullable(), meanings.price, 0.012),
        share: out.number('Its share of the messages now, from 0 to 1.', 1),
      }),
    )
    .describe('Connectors of the route, in the order in which they are used; empty without a route.'),
  routes: z
    .array(
      z.object({
        id: out.maybeId('Id of the route; null: of the configuration.', '1774337460000002'),
        name: out.text('Name of the route.', 'to/44'),
        prefixes: out.texts(meanings.prefixes, ['44']),
        why_not: out.maybeOneOf(
          whyNot,
          'Why the message does not take the route: the first condition that it does not fulfil; `earlier`: it takes one before. null: it takes this one.',
          'prefixes',
        ),
      }),
    )
    .describe('Every route, in the order in which they are tried.'),
});
const showRoute = serializer(routeAnswer);
const copyOf = (week: WeekHours) => Object.fromEntries(weekdays.map((day) => [day, [...week[day]]]));

/** Formats a route for responses. */
export const showRouteView = ({
  id,
  name,
  title,
  conditions,
  choice,
  leaveCodes,
  connectors: listed,
}: RouteView) => {
  const { prefixes, accounts, senders, kinds, hours } = conditions;
  return showRoute({
    ...{ id, name, title, prefixes: [...prefixes], choose: choice, leave_codes: [...leaveCodes] },
    accounts: accounts?.map(String) ?? null,
    senders: senders ? [...senders] : null,
    kinds: kinds ? [...kinds] : null,
    hours: hours ? { zone: hours.zone, week: copyOf(hours.week) } : null,
    connectors: listed.map(({ price = null, ...one }) => ({ ...one, price })),
  });
};

type Given = z.output<typeof routeChanges>;

/** Returns the conditions that a body states, over those of before; null removes one. */
export function conditionsOf(given: Given, before: StoredConditions): StoredConditions {
  const { prefixes, accounts, senders, kinds, hours } = given;
  const chosen = <T>(value: T | null | undefined, old: T | undefined) =>
    value === undefined ? old : (value ?? undefined);
  const all = {
    prefixes: prefixes ? [...new Set(prefixes)] : before.prefixes,
    accounts: chosen<readonly number[]>(accounts === null ? null : accounts?.map(Number), before.accounts),
    senders: chosen(senders, before.senders),
    kinds: chosen(kinds, before.kinds),
    hours: chosen(hours, before.hours),
  };
  // As they are stored: one that is absent has no name in JSON.
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as StoredConditions;
}

/** Returns the id before which a body puts a route; null for the end. */
export const beforeOf = ({ before }: Given) => (typeof before === 'string' ? Number(before) : before);
