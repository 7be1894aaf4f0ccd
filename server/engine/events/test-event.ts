import type { Clock } from '../../kit/clock.ts';
import { badField } from '../../kit/errors.ts';
import type { SsrfGuard } from '../../kit/http/ssrf-guard.ts';
import type { IdSource } from '../../kit/ids.ts';
import type { Answers } from './answers.ts';
import type { Failure } from './attempt.ts';
import type { Endpoint } from './endpoints.ts';
import { type PushBodies, type RequestOfDelivery, requestOf } from './payloads.ts';
import { type Event, type EventData, type EventType, itemsOf, pushes } from './types.ts';
import { WebhookQueue } from './webhook-queue.ts';

/** Outcome of an example that was sent to an endpoint. */
export interface TestOutcome {
  readonly key: string;
  readonly type: EventType;
  readonly request: RequestOfDelivery;
  /** Null when it was accepted. */
  readonly failure: Failure | null;
  /** Milliseconds until the answer. */
  readonly milliseconds: number;
}

interface TestTools {
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly ssrfGuard: SsrfGuard;
  readonly pushBody: PushBodies;
  readonly zone: string;
  readonly answers: Answers;
}

const EVERY_SECOND = 1_000;

/**
 * Sends an example of an event to an endpoint in any state, on a separate connection.
 *
 * @param type default is the first type of a webhook; a push has one type only. Throws Refusal `bad-field` for another
 * type.
 */
export async function sendTest(
  endpoint: Endpoint,
  type: EventType | undefined,
  { ids, clock, ssrfGuard, pushBody, zone, answers }: TestTools,
): Promise<TestOutcome> {
  const event = exampleEvent(typeFor(endpoint, type), clock.now());
  const [item] = itemsOf(ids.next(), [event]);
  const queue = new WebhookQueue(
    { ...endpoint, state: 'active' },
    { clock, ssrfGuard, connections: 1, pushBody, answers, gone() {} },
  );
  // Ends an attempt that takes too long.
  const ticking = setInterval(() => queue.tick(), EVERY_SECOND);
  const began = performance.now();
  try {
    const [failure] = await queue.deliver([item!], zone, true);
    return {
      key: item!.key,
      type: event.type,
      request: requestOf(endpoint, event, pushBody, zone),
      failure: failure!,
      milliseconds: Math.round(performance.now() - began),
    };
  } finally {
    clearInterval(ticking);
    await queue.destroy();
  }
}

function typeFor({ kind, types }: Endpoint, type: EventType | undefined): EventType {
  if (kind === 'callback')
    throw badField('type', 'an endpoint of status callbacks gets no test events', 'other-event');
  if (kind === 'webhook') return type ?? types?.[0] ?? 'message.status';
  if (type !== undefined && type !== pushes[kind])
    throw badField('type', `the push is about ${pushes[kind]}`, 'other-event');
  return pushes[kind];
}

const client = '972501234567';
const business = '972550000001';

const alert = {
  alert_id: 7_000_000_000_050,
  rule_id: 7_000_000_000_051,
  rule: 'Delivery rate',
  kind: 'delivery-rate',
  subject: '97250',
  measured: { subject: '97250', rate: 61.3, usual: 94.8, messages: 212 },
  began_at: '2026-07-08T21:06:10.000Z',
};

const conversation = { conversation_id: 7_000_000_000_030, channel: 'chat', from: client, to: business };

/** One event of each type, as in docs/events.md. Their ids do not exist. */
const examples: EventData = {
  'message.status': {
    message_id: 7_000_000_000_001,
    external_id: 'order-1',
    shipment_id: 4_200_000_000_000,
    phone: client,
    source: 'Shop',
    status: 102,
    code: 'DELIVRD',
  },
  'sms.incoming': {
    message_id: 7_000_000_000_001,
    source: client,
    destination: '972521112222',
    message: 'An example',
  },
  'blacklist.added': { phone: client },
  'otp.blocked': { rule: 'neighbours', prefix: '97250123', phone: client, count: 10 },
  'chat.message': {
    message_id: 7_000_000_000_021,
    from: client,
    to: business,
    type: 'text',
    body: 'An example',
    reply_to: null,
    about_id: null,
    user_id: 'IL.13491208655302741918',
    name: 'Dana',
    content: null,
  },
  'chat.button': {
    message_id: 7_000_000_000_022,
    from: client,
    to: business,
    type: 'button',
    body: 'This one',
    button_id: 'blue',
    card: 2,
    reply_to: 7_000_000_000_020,
    user_id: 'IL.13491208655302741918',
    name: 'Dana',
    content: null,
  },
  'chat.status': {
    message_id: 7_000_000_000_020,
    shipment_id: 4_200_000_000_010,
    from: business,
    to: client,
    status: 'delivered',
    reason: null,
  },
  'chat.account': {
    portfolio_id: 4_200_000_000_030,
    portfolio: 'Shop',
    from: null,
    topic: 'restriction',
    word: 'ACCOUNT_RESTRICTION',
    reason: '',
    restrictions: [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: '2026-07-08T21:06:10.000Z' }],
  },
  'template.status': {
    template_id: '1_972550000001_k3v9',
    name: 'order',
    language: 'en',
    status: 1,
    reason: '',
  },
  'template.quality': {
    template_id: '1_972550000001_k3v9',
    name: 'order',
    language: 'en',
    quality: 'YELLOW',
    previous_quality: 'GREEN',
  },
  'template.category': {
    template_id: '1_972550000001_k3v9',
    name: 'order',
    language: 'en',
    category: 'UTILITY',
    next_category: 'MARKETING',
    changes_at: '2026-07-02T21:06:11.000Z',
  },
  'campaign.finished': {
    campaign_id: 4_200_000_000_010,
    campaign_name: 'Spring',
    channel: 'chat',
    total: 1_200,
    sent: 1_190,
    failed: 10,
  },
  'mail.unsubscribed': {
    user_id: 1001,
    email: 'dana@example.com',
    campaign_id: 4_200_000_000_020,
    cause: 'one-click',
  },
  'mail.bounced': {
    user_id: 1002,
    email: 'gone@example.com',
    campaign_id: 4_200_000_000_020,
    reason: '550 5.1.1 no such user',
  },
  'message.received': {
    ...conversation,
    message_id: 7_000_000_000_031,
    name: 'Dana Levi',
    type: 'text',
    text: 'An example',
  },
  'conversation.opened': { ...conversation, reopened: false },
  'conversation.assigned': { ...conversation, assignee_id: 1_004, assignee: 'Noa Bar', by: 'Avi Cohen' },
  'conversation.closed': { ...conversation, by: 'Noa Bar' },
  'conversation.rule_matched': {
    ...conversation,
    rule_id: 7_000_000_000_040,
    rule: 'Prices',
    message_id: 7_000_000_000_031,
    text: 'An example',
  },
  'data_subject.erased': {
    request_id: 7_000_000_000_050,
    reference: 'request 2026-17',
    counts: { messages: 12, contacts: 1 },
  },
  'alert.began': { ...alert, times: 1, test: false },
  'alert.ended': { ...alert, ended_at: '2026-07-08T21:36:10.000Z' },
};

type ExampleEvent = Extract<Event, { readonly type: EventType }>;

function exampleEvent(type: EventType, at: number): ExampleEvent {
  return { type, at, data: examples[type] } as ExampleEvent;
}
