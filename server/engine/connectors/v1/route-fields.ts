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
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { weekHours, weekHoursAnswer } from '../../../api/v1/kit/week-fields.ts';
import { weekdays } from '../../../kit/week-hours.ts';
import { NETWORK_FORM } from '../../carriers/network-condition.ts';
import { messageKinds } from '../../carriers/route-conditions.ts';
import { routeChoices } from '../stored.ts';
import { recipientNetwork } from './number-look-up.ts';

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
  networks:
    'Mobile networks of the recipients: `425` is every network of the mobile country code, `425-01` one network. A network that is not known counts by the country of the number (docs/number-lookup.md). null: every network.',
  choose:
    '`priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last.',
  leave:
    'Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not.',
  minDelivered:
    'Least share of messages, in percent, that a connector must deliver to the prefix of a message (its first five digits): connectors that do so are used before those of which fewer than 50 messages are known, and these before others. The lower bound of the share counts, with 95 % confidence. null: the share does not matter.',
  minUsed:
    'Least share of one-time codes, in percent, that recipients must use, of those to the prefix of a message (its first five digits) over a connector. Like `min_delivered_percent`, but only for messages of the kind `code`; with both, a connector is as good as the worse one of its shares. null: the share does not matter.',
  explore:
    'Share of messages, in percent, that goes over connectors of which too little is known, although others deliver enough.',
  leaveThrottled:
    'Seconds in which the carrier has taken no message because it is busy, after which messages go over another connector of the route for as long; null: they wait.',
  leaveSilent:
    'Seconds in which the carrier has sent no receipt for at least 20 messages, while other connectors of the route get some, after which messages go over another connector for as long; null: they do not. Not for a connector whose sessions are divided among processes.',
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
  networks: answered(z.array(z.string()).nullable(), meanings.networks, null),
  choose: out.oneOf(routeChoices, meanings.choose, 'priority'),
  min_delivered_percent: answered(z.number().nullable(), meanings.minDelivered, 85),
  min_used_percent: answered(z.number().nullable(), meanings.minUsed, 60),
  explore_percent: out.number(meanings.explore, 5),
  leave_codes: out.texts(meanings.leave, ['ESME_RSUBMITFAIL']),
  leave_throttled_seconds: out.maybeCount(meanings.leaveThrottled, 60),
  leave_silent_seconds: out.maybeCount(meanings.leaveSilent, 600),
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
const percent = (max: number) =>
  z.number('must be a number').min(0, 'must be 0 or more').max(max, `must be ${max} or less`);
const seconds = whole(10, 86_400);
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
  networks: field(
    listOf(text.regex(NETWORK_FORM, 'must be like 425 or 425-01'), MAX_LISTED)
      .min(1, 'missing')
      .nullable()
      .optional(),
    meanings.networks,
    null,
  ),
  choose: field(oneOf(routeChoices).optional(), meanings.choose, 'priority'),
  min_delivered_percent: field(percent(100).nullable().optional(), meanings.minDelivered, 85),
  min_used_percent: field(percent(100).nullable().optional(), meanings.minUsed, 60),
  explore_percent: field(percent(50).optional(), `${meanings.explore} 5 by default.`, 5),
  leave_codes: field(listOf(requiredText(MAX_SENDER), MAX_CODES).optional(), meanings.leave, [
    'ESME_RSUBMITFAIL',
  ]),
  leave_throttled_seconds: field(seconds.nullable().optional(), meanings.leaveThrottled, 60),
  leave_silent_seconds: field(seconds.nullable().optional(), meanings.leaveSilent, 600),
  before: field(
    idText('an added route').nullable().optional(),
    'Id of the added route before which it comes; null: after all of them. By default a new route comes before the first one that would take all its messages, or after all of them, and a changed one stays where it is.',
    null,
  ),
};
/** Body of a new route. */
export const newRoute = z.object({
  prefix: field(prefix.optional(), 'Only prefix of the route, in place of `prefixes`.', '972'),
  ...fields,
  connectors,
});
/** Body of a change. */
export const routeChanges = z.object({ ...fields, connectors: connectors.optional() });
const MAX_REPLAYED = 500;
const MAX_HOURS = 72;

/** Body of a replay. */
export const replayBody = z.object({
  routes: listOf(newRoute.omit({ before: true }), MAX_REPLAYED).describe(
    'The routes that operators would add, in their order, in place of the present ones.',
  ),
  added: newRoute
    .omit({ before: true })
    .optional()
    .describe(
      'A route that operators would also add, at the place where `POST /v1/operator/routes` puts it without `before`.',
    ),
  hours: field(
    whole(1, MAX_HOURS).default(24),
    `Hours of which the messages are replayed, up to ${MAX_HOURS}.`,
    24,
  ),
});
const replayedTotals = (description: string) =>
  z
    .object({
      cost: out.number('Sum of the prices of their parts, in the currency of the installation.', 19.2),
      without_price: out.number('Messages over connectors without a price.', 0),
      delivered: out.number('Messages expected to be delivered, by the measured shares.', 903.5),
      without_share: out.number('Messages over connectors without a measured share for the prefix.', 12),
      used: out.number('One-time codes that recipients are expected to use, by the measured shares.', 231.4),
      without_used_share: out.number(
        'One-time codes over connectors without a measured used share for the prefix.',
        8,
      ),
    })
    .describe(description);
/** Response of a replay. */
export const replayAnswer = z.object({
  messages: out.count('Messages that were replayed.', 960),
  codes: out.count('One-time codes among them.', 320),
  is_sample: out.flag(
    'Whether there were more messages, of which these are the latest of each account.',
    false,
  ),
  moved: out.count('Messages that would use other connectors, or other shares of them.', 310),
  before: replayedTotals('With the present routes.'),
  after: replayedTotals('With the routes of the body.'),
  connectors: z
    .array(
      z.object({
        connector: out.text('Name of the connector.', 'alpha'),
        before: out.number('Messages with the present routes.', 960),
        after: out.number('Messages with the routes of the body.', 650),
      }),
    )
    .describe('Messages by connector; fractions where connectors share them.'),
});
/** Query for the route of a message. */
export const routeQuery = z.object({
  phone: field(queryText(MAX_PHONE), 'Number, in any spelling.', '972501112222'),
  account: idText('an account').optional().describe('Id of the account that sends; by default none.'),
  sender: queryText(MAX_SENDER).default('').describe('Sender of the message.'),
  kind: oneOf(messageKinds).default('transactional').describe('Kind of the message.'),
  at: timeText.optional().describe('Time when the message is due, ISO 8601 with an offset; now by default.'),
});
const qualityFigures = z.object({
  delivered_percent: out.number('Share of messages that were delivered, in percent.', 94.2),
  lower_bound_percent: out.number(
    'The share is above this one with 95 % confidence, in percent. Routes compare it.',
    91.7,
  ),
  samples: out.number('Number of messages, of which each counts half after 12 hours.', 812.4),
  messages: out.count('Number of messages in 60 hours.', 2_120),
  delivery_seconds: answered(
    z.number().nullable(),
    'Mean seconds from submission to delivery; null: nothing was delivered.',
    3.2,
  ),
  codes: out.count('Number of one-time codes in 60 hours that have expired.', 640),
  used_percent: answered(
    z.number().nullable(),
    'Share of these codes that recipients used, in percent; null: there are none.',
    71.8,
  ),
  used_lower_bound_percent: answered(
    z.number().nullable(),
    'The share of used codes is above this one with 95 % confidence, in percent; null: there are none.',
    67.9,
  ),
  code_samples: out.number('Number of these codes, of which each counts half after 12 hours.', 410.2),
});
/** Figures of a prefix and a connector. */
export const qualityAnswer = z.object({
  prefix: out.text('First five digits of the numbers.', '97250'),
  connector: out.text('Name of the connector.', 'alpha'),
  ...qualityFigures.shape,
});
/** Query for figures. */
export const qualityQuery = z.object({
  prefix: prefix.default('').describe('Beginning of the prefixes, international digits.'),
});
const whyNot = ['prefixes', 'accounts', 'senders', 'kinds', 'hours', 'networks', 'earlier'] as const;
/** Response with the route of a message. */
export const dryRunAnswer = z.object({
  phone: out.phone('Number, international digits.', '972501112222'),
  recipient: recipientNetwork,
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
        share: out.number('Share of the messages that it takes now, from 0 to 1.', 1),
        quality: qualityFigures
          .nullable()
          .describe('Measured deliveries to the prefix; null: it has no messages to the prefix.'),
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
          'Reason why the message does not take the route: the first condition that it does not fulfil; `earlier`: it takes one before. null: it takes this one.',
          'prefixes',
        ),
      }),
    )
    .describe('Every route, in the order in which they are tried.'),
});
