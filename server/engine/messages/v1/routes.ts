import { z } from 'zod';
import { changes, dailyWork, exports, reads } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { found, idOf, page, pageAnswer, timeSpan } from '../../../api/v1/kit/fields.ts';
import { csvFile } from '../../../api/v1/kit/files.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { CALL_CHANNEL } from '../../../channels/contract/channels.ts';
import { numbers } from '../../../database/arrays.ts';
import { timeOfId } from '../../../kit/ids.ts';
import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import { ownCodes } from '../../../kit/statuses.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { RouteContext } from '../../../run/define-module.ts';
import type { CoreContext } from '../../../run/services.ts';
import { type PushOfMessage, pushesOfMessage } from '../../events/of-message.ts';
import { type Visitor, visitors } from '../../links/visitors.ts';
import { PAUSED_AT } from '../batch-cutter.ts';
import { laneNames } from '../lanes.ts';
import { type ContentReader, type Reaction, storedContentOf } from '../message-content.ts';
import { isResting, wokenAt } from '../resting.ts';
import { retryNow } from '../retry-now.ts';
import { everyMessage, type FoundMessage, type MessageQuery, searchMessages } from '../search.ts';
import { messageStates, stateOf } from '../states.ts';
import { type MessageTimeline, timelineOf } from '../timeline.ts';
import { waitReasons as reasonsOfWaits, type WaitOfMessage } from '../wait-timeline.ts';
import { contentAnswer, showContent } from './content.ts';
import { foundExample, writeFound } from './csv.ts';
import { otherMessageFields, otherMessagesOf } from './fallback-fields.ts';
import {
  channelMeaning,
  channelNames,
  channelNumber,
  messageFields,
  readRecipient,
  showMessage,
  stateMeanings,
  textRemoved,
} from './fields.ts';
import { listedText, textOf, textsOf } from './message-texts.ts';

const MAX_ROWS = 100;

const id = (meaning: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be digits')
    .transform(Number)
    .optional()
    .describe(meaning);

const search = z.object({
  phone: z
    .string()
    .optional()
    .describe('Recipient: a number in any spelling, or an email address as in the request.'),
  id: id('Id of a message.'),
  external_id: z.string().max(255).optional().describe('Your own id of a message.'),
  shipment_id: id('Id of the shipment.'),
  campaign_name: z.string().max(50).optional().describe('`campaign_name` of the send.'),
  state: z.enum(messageStates).optional().describe(`${stateMeanings}.`),
  channel: z.enum(channelNames).optional().describe(channelMeaning),
  ...timeSpan,
});
const query = z.object({ ...search.shape, ...page(MAX_ROWS) });

const textField = sensitive(
  out.maybeText(
    'Text; for a template its text with the values; for email the subject; for a one-time code or the link of a verification the text with `••••••` in place of the secret. Null for a message that never had a text.',
    'Spring is here',
  ),
  'message-text',
);
const rowAnswer = z.object({ ...messageFields, text: textField, text_removed: textRemoved });

const steps = [
  'accepted',
  'scheduled',
  'waiting',
  'submitted',
  'delivered',
  'failed',
  'cancelled',
  'given_back',
  'replaced',
  'read',
  'clicked',
  'complained',
  'unsubscribed',
  'pushed',
] as const;

const waitReasons = ['sending-hours', 'frequency-cap', 'unanswered'] as const;

const waitAnswer = z.object({
  reason: out.oneOf(
    reasonsOfWaits,
    'Reason: `scheduled` by the request; `paused` with its campaign; `suspended` with the account; `sending-hours` and `frequency-cap` by the sending policy; `retry` after a temporary rejection by the carrier; `sender-rate`: its sender had used up the rate of the connector; `no-connection` to the carrier; `unanswered`: responses of the carrier were lost, and a pause before the resubmission; `turn`: other messages, or the rate of the connector.',
    'sending-hours',
  ),
  from: out.time('Time of its beginning'),
  until: out.maybeInstant(
    'Time of its end, ISO 8601; in the future for a message that still waits, and null if it is not known yet.',
    '2026-03-24T08:00:00.000Z',
  ),
  attempts: out.maybeCount('Failed attempts; null for a wait that follows none.', null),
  link: out.maybeText('Connector of the last attempt, or the one without a connection.', null),
  carrier_status: out.maybeText("Carrier's response to the last attempt, as in the message.", null),
});
const showWait = serializer(waitAnswer, ({ connector, code }: WaitOfMessage) => ({
  link: connector,
  carrier_status: code,
}));

const callOutcomes = [
  'heard',
  'ended_early',
  'busy',
  'no_answer',
  'declined',
  'no_such_number',
  'other',
] as const;

const pushAnswer = z.object({
  event_id: out.text('Id of the event, as the receiver sees it.', 'evt_1774337460000009_0'),
  type: out.text('Type of the event.', 'message.status'),
  at: out.time('Time of the event'),
  endpoint_id: out.text('Id of the push address or webhook.', '1774337460000003'),
  kind: out.text('`webhook`, or a push of the SMS API.', 'webhook'),
  url: sensitive(out.text('Address of the endpoint.', 'https://example.com/hook'), 'webhook-url'),
  state: out.text('State: `done`, `waiting`, `retrying` or `failed`.', 'done'),
  attempts: out.maybeCount('Number of attempts, if it was not accepted at the first one.', null),
  last_status: out.maybeCount('HTTP status of the last response.', null),
  last_error: out.maybeText('Error of the last attempt.', null),
});
const showPush = serializer(pushAnswer, ({ eventKey, endpoint, state, delivery }: PushOfMessage) => ({
  event_id: eventKey,
  endpoint_id: String(endpoint.id),
  kind: endpoint.kind,
  url: endpoint.url,
  state: state === 'delivered' ? 'done' : state,
  attempts: delivery?.attempts ?? null,
  last_status: delivery?.last_status ?? null,
  last_error: delivery?.last_error ?? null,
}));

const requestAnswer = z.object({
  id: out.id('Id in the request log.', '1774337460000002'),
  at: out.time('Time of the response'),
  api: out.text('API that received the request.', 'v1'),
  operation: out.text('Operation, as in the request log.', 'sendText'),
  request_id: out.text('Id of the request.', '0b8f8a6e-5c1d-4b52-9f0e-5a0d7f0f9c11'),
});
const showRequest = serializer(requestAnswer);

const timelineAnswer = z.object({
  ...messageFields,
  text: textField,
  text_removed: textRemoved,
  campaign_name: out.maybeText('Name of the campaign.', 'Spring'),
  due_at: out.maybeTime('Start time of the shipment, if it was scheduled'),
  valid_until: out.maybeTime('Expiry of the undelivered message'),
  given_back: out.maybeText('Refunded part of the price, in credits.', null),
  request: requestAnswer
    .nullable()
    .describe(
      'Request that sent the message. Null after the retention of the request log, and for messages that no request with a token of the account sent, such as those of people, SMPP clients and automatic replies.',
    ),
  steps: z
    .array(
      z.object({
        step: out.oneOf(
          steps,
          'Kind of the event; `replaced`: a second message was sent by another channel.',
          'accepted',
        ),
        at: out.time('Time of the event; for `waiting`, the time from which it may be submitted'),
      }),
    )
    .describe('Timeline of the message, oldest event first.'),
  waiting: z
    .object({
      lane: out.oneOf(['otp', 'single', 'bulk'], 'Priority lane.', 'single'),
      route: out.text('Route; empty for the default route.', ''),
      due_at: out.time('Time from which it may be submitted'),
      attempts: out.count('Failed attempts.', 0),
      in_hand: out.flag('Whether it is about to be submitted.', false),
      because: out.maybeOneOf(
        waitReasons,
        'Reason for waiting until `due_at`: `sending-hours` and `frequency-cap` are limits of the sending policy; `unanswered`: responses of the carrier were lost, and the message is resubmitted after a pause. Null for other reasons.',
        null,
      ),
      paused: out.flag('Whether its shipment is paused; `due_at` does not apply then.', false),
      held: out.flag('Whether it is held because the account is suspended.', false),
    })
    .nullable()
    .describe('Place in the queue; null if it does not wait.'),
  waits: z
    .array(waitAnswer)
    .describe('Times in which the message waited, oldest first; without those of less than some seconds.'),
  call: z
    .object({
      outcome: out.oneOf(callOutcomes, 'Outcome of the last call.', 'heard'),
      seconds: answered(z.number().nullable(), 'Played share of the message.', 12),
    })
    .nullable()
    .describe('Details of a call that was attempted.'),
  carrier_ids: z
    .array(
      z.object({
        part: out.count('Part, from 1; 0 is the whole message.', 0),
        id: out.text('Id at the carrier.', '8f1c02'),
      }),
    )
    .describe('Ids at the carrier, kept for three weeks.'),
  clicks: z
    .array(
      z.object({
        key: out.maybeText('`id` of the link in the request.', '1'),
        url: sensitive(out.maybeText('Address of the link.', 'https://example.com/spring'), 'link-target'),
        visitor: out.oneOf(Object.keys(visitors) as Visitor[], 'Kind of the visitor.', 'person'),
        at: out.time('Time of the click'),
      }),
    )
    .describe('First hundred clicks.'),
  ...otherMessageFields,
  pushes: z
    .array(pushAnswer)
    .describe('Events of the message for the endpoints that are registered now; kept for 30 days.'),
});

interface MessagesDeps
  extends Pick<CoreContext, 'sql' | 'clock' | 'numbers' | 'hourlyStatistics' | 'events' | 'requestLog'>,
    Pick<RouteContext, 'textsOf'> {
  readonly contentOf: ContentReader;
  reactionsTo(channel: number, accountId: number, messageId: number): Promise<readonly Reaction[]>;
}

const route = resource<MessagesDeps>('reports');

/** Messages of every channel. */
export const messageRoutes = [
  route('GET /v1/messages', {
    access: reads('viewer', 'read'),
    operationId: 'searchMessages',
    title: 'Search messages',
    description:
      'Lists messages of all channels that match all filters, newest first. A page filtered by `state` or `channel` may be short, or empty, and still have a `next`: continue with it.',
    query,
    answer: pageAnswer('messages', rowAnswer),
    handler: async ({ accountId, query: given }, deps) => {
      const wanted = queryOf(given, deps.numbers);
      const found = await searchMessages(deps, accountId, wanted, given.after ?? null, given.limit);
      const texts = await textsOf(deps, accountId, found.messages);
      return {
        messages: found.messages.map((row) => ({
          ...showMessage(row),
          ...texts(row),
        })),
        next: found.next === null ? null : String(found.next),
      };
    },
  }),
  route('GET /v1/messages.csv', {
    access: exports('sender', 'read'),
    operationId: 'exportMessages',
    title: 'Export messages',
    description:
      'Streams the messages that match all filters, newest first, with their state and times, without texts.',
    query: search,
    answer: { csv: foundExample },
    handler: async ({ accountId, query: given }, deps) =>
      csvFile('messages.csv', writeFound(withCampaigns(deps, accountId, queryOf(given, deps.numbers)))),
  }),
  route('GET /v1/messages/:id', {
    access: reads('viewer', 'read'),
    operationId: 'showMessage',
    title: 'Show the timeline of a message',
    description:
      'Returns all events of a message with their times: its waiting time, responses of the carrier and pushes, and for a failed message the reason, the responsible party and the recommended action.',
    id: idOf('message'),
    answer: timelineAnswer,
    handler: ({ accountId, id }, deps) => showTimeline(deps, accountId, id),
  }),
  route('POST /v1/messages/:id/retry', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'retryMessage',
    title: 'Retry a message now',
    description:
      'Makes a message that waits for its next attempt due now, together with those that failed with it. Returns its timeline.',
    refusals: ['not-now'],
    id: idOf('message'),
    answer: timelineAnswer,
    handler: async ({ accountId, id }, deps) => {
      await retryNow(deps, accountId, id);
      return showTimeline(deps, accountId, id);
    },
  }),
  route('GET /v1/messages/:id/content', {
    access: reads('viewer', 'read'),
    operationId: 'showMessageContent',
    title: 'Show the content of a message',
    description:
      'Returns the content that the recipient receives: a text, a chat message with its media and buttons, an email with the fields of its recipient, or the spoken text of a call. Secrets are replaced with `••••••`.',
    id: idOf('message'),
    answer: contentAnswer,
    handler: async ({ accountId, id }, { sql, contentOf }) => {
      const stored = found(await storedContentOf(sql, accountId, id), 'message');
      return showContent(stored, await contentOf(accountId, stored));
    },
  }),
];

/** Yields the messages that match a search, with the names of their campaigns. */
async function* withCampaigns(deps: MessagesDeps, accountId: number, wanted: MessageQuery) {
  for await (const messages of everyMessage(deps, accountId, wanted)) {
    const ids = [...new Set(messages.map((row) => row.shipment_id))];
    const rows = await deps.sql<{ id: number; campaign_name: string | null }[]>`
      SELECT id, campaign_name FROM shipments WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[])`;
    const names = new Map(rows.map((row) => [row.id, row.campaign_name]));
    yield messages.map((row) => ({ ...row, campaignName: names.get(row.shipment_id) ?? null }));
  }
}

/** Converts a search for the domain. Throws Refusal for a recipient that is not a number. */
function queryOf(given: z.output<typeof search>, numbers: NumberReader): MessageQuery {
  return {
    phone: given.phone === undefined ? undefined : readRecipient(given.phone, 'phone', numbers),
    messageId: given.id,
    externalId: given.external_id,
    shipmentId: given.shipment_id,
    campaignName: given.campaign_name,
    state: given.state,
    channel: given.channel === undefined ? undefined : channelNumber(given.channel),
    from: given.from,
    to: given.to,
  };
}

async function showTimeline(
  deps: MessagesDeps,
  accountId: number,
  messageId: number,
): Promise<z.output<typeof timelineAnswer>> {
  const { sql } = deps;
  const timeline = found(await timelineOf(sql, accountId, messageId, deps.clock.now()), 'message');
  const { message, shipment, waiting, waits, carrierIds, clicks } = timeline;
  const { handed_at, final_at, read_at } = message;
  const times = [message.channel === 0 ? null : handed_at, final_at, read_at].filter((at) => at !== null);
  const pushes = await pushesOfMessage(
    sql,
    accountId,
    messageId,
    times,
    await deps.events.endpoints.list(accountId),
  );
  const [reactions, request, { replacedAt, ...others }] = await Promise.all([
    deps.reactionsTo(message.channel, accountId, messageId),
    deps.requestLog.findOf(accountId, message.shipment_id),
    otherMessagesOf(sql, accountId, timeline),
  ]);
  return {
    ...showMessage(message),
    ...textOf(message, shipment, await deps.textsOf(accountId, [listedText(message, shipment)])),
    campaign_name: shipment?.campaign_name ?? null,
    due_at: shipment && isScheduled(timeline) ? iso(shipment.due_at) : null,
    valid_until: shipment && iso(shipment.valid_until),
    given_back: refundOf(message),
    request: request ? showRequest(request) : null,
    ...others,
    steps: stepsOf(timeline, pushes, reactions, replacedAt),
    waiting: waiting && {
      lane: laneNames[waiting.lane] as 'otp' | 'single' | 'bulk',
      route: waiting.route,
      due_at: dueTime(wokenAt(waiting.dueAt)),
      attempts: waiting.attempts,
      in_hand: waiting.leased,
      because: waiting.rests ? 'unanswered' : waitReasonOf(message.code),
      paused: waiting.dueAt === PAUSED_AT,
      held: isResting(waiting.dueAt),
    },
    waits: waits.map(showWait),
    call: callOf(message),
    carrier_ids: carrierIds.map(({ part, carrier_id }) => ({ part, id: carrier_id })),
    clicks: clicks.map((click) => ({ ...click, at: iso(click.at) })),
    pushes: pushes.map(showPush),
  };
}

/** Returns the reason why a message waits, from its code. */
function waitReasonOf(code: string | null): (typeof waitReasons)[number] | null {
  if (code === ownCodes.sendingHours) return 'sending-hours';
  return code === ownCodes.frequencyCap ? 'frequency-cap' : null;
}

/** One second: a message accepted for immediate sending is due at its acceptance, measured a moment apart. */
const SOON_MS = 1_000;

const isScheduled = ({ message, shipment }: MessageTimeline): boolean =>
  shipment !== null && shipment.due_at > timeOfId(message.id) + SOON_MS;

/** Paused messages have a due time beyond every calendar. */
const dueTime = (dueAt: number): string => iso(Math.min(dueAt, 8_640_000_000_000_000));

/** Messages that no carrier accepted are refunded. */
function refundOf({ handed_at, final_at, price }: FoundMessage): string | null {
  if (final_at === null || handed_at !== null) return null;
  const amount = parseAmount(price);
  return amount === 0 ? null : formatAmount(amount);
}

const callOutcomeOf: ReadonlyMap<string, (typeof callOutcomes)[number]> = new Map([
  ['HEARD', 'heard'],
  ['ENDED_EARLY', 'ended_early'],
  ['BUSY', 'busy'],
  ['NO_ANSWER', 'no_answer'],
  ['UNAVAILABLE', 'no_answer'],
  ['DECLINED', 'declined'],
  ['FORBIDDEN', 'declined'],
  ['UNWANTED', 'declined'],
  ['NO_SUCH_NUMBER', 'no_such_number'],
]);

/** Returns how a call ended, from the code of its trunk (protocols/sip/outcomes.ts). */
function callOf(message: FoundMessage): z.output<typeof timelineAnswer>['call'] {
  const { channel, code, handed_at, final_at } = message;
  // A provider with an HTTP interface reports calls while they ring.
  const isUnderWay = handed_at !== null && final_at === null;
  if (channel !== CALL_CHANNEL || code === null || isUnderWay) return null;
  const [word, number] = code.split('/') as [string, string?];
  const outcome = callOutcomeOf.get(word) ?? 'other';
  const isHeard = outcome === 'heard' || outcome === 'ended_early';
  return { outcome, seconds: isHeard && number !== undefined ? Number(number) : null };
}

function stepsOf(
  timeline: MessageTimeline,
  pushes: readonly PushOfMessage[],
  reactions: readonly Reaction[],
  replacedAt: number | null,
): z.output<typeof timelineAnswer>['steps'] {
  const { message, shipment, waiting, clicks } = timeline;
  const { handed_at, final_at, read_at } = message;
  const state = stateOf(message);
  const found: { step: (typeof steps)[number]; at: number }[] = [];
  if (shipment && isScheduled(timeline)) found.push({ step: 'scheduled', at: shipment.due_at });
  if (waiting) found.push({ step: 'waiting', at: wokenAt(waiting.dueAt) });
  if (handed_at !== null) found.push({ step: 'submitted', at: handed_at });
  if (final_at !== null) {
    found.push({ step: state === 'failed' || state === 'cancelled' ? state : 'delivered', at: final_at });
    if (refundOf(message) !== null) found.push({ step: 'given_back', at: final_at });
  }
  if (replacedAt !== null) found.push({ step: 'replaced', at: replacedAt });
  if (read_at !== null) found.push({ step: 'read', at: read_at });
  for (const { at } of clicks) found.push({ step: 'clicked', at });
  for (const { kind, at } of reactions) found.push({ step: kind, at });
  for (const { at, state: pushed } of pushes) {
    if (pushed === 'delivered' || pushed === 'done') found.push({ step: 'pushed', at });
  }
  found.sort((one, other) => one.at - other.at || steps.indexOf(one.step) - steps.indexOf(other.step));
  // The clock of another process may be behind that of the process that generated the id.
  return [{ step: 'accepted' as const, at: timeOfId(message.id) }, ...found].map(({ step, at }) => ({
    step,
    at: dueTime(at),
  }));
}
