import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { SOURCE, startChat } from '../../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { type ReceivedSpan, startCollector } from '../../support/otlp.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callerTrace, tracedBy } from './support.ts';

/** Requests that the service sends: undici tells of each. */
const sent: { origin: string; path: string; headers: string }[] = [];
const hear = (message: unknown) => {
  const { request } = message as { request: { origin: unknown; path: string; headers: unknown } };
  sent.push({ origin: String(request.origin), path: request.path, headers: String(request.headers) });
};
subscribe('undici:request:create', hear);
after(() => unsubscribe('undici:request:create', hear));

const collector = await startCollector();
const chat = await startChat({
  ...tracedBy(collector.url),
  TRACE_CALLERS_PER_SECOND: '1000',
  SANDBOX_RING_MS: '20',
  VOICE_HOURS: '00:00-24:00',
});
const { url } = chat;
const calls = withToken(url, DEMO_TOKEN);
const receiver = await startReceiver();
await calls.post('/webhooks', { url: receiver.url, types: ['message.status', 'chat.status'] });

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);
const webhooksOf = (traceId: string) =>
  receiver.received.filter(({ headers }) => headers.traceparent?.includes(traceId));

test('a chat message: the events of each status belong to its trace, and the platform gets no trace headers', async () => {
  const client = await chat.writingClient();
  const caller = callerTrace();
  const before = sent.length;
  await chat.accepted(
    'send-buttons',
    { source: SOURCE, destination: client, header: '1', body: 'Shall we come?', button1: 'Yes' },
    { headers: caller.headers },
  );
  const spans = await collector.trace(caller.traceId, [
    'POST /chat-api/send-buttons',
    'accept chat',
    'queue chat',
    'submit chat',
    'settle chat',
    'POST webhook',
    'POST webhook',
  ]);
  const [submit] = named(spans, 'submit chat');
  assert.deepEqual(
    [submit!.attributes['carillon.connector'], submit!.attributes['carillon.outcome']],
    ['chat', 'accepted'],
  );
  await waitFor('the events', () => webhooksOf(caller.traceId).length >= 2);
  const words = webhooksOf(caller.traceId).map(
    ({ body }) => (JSON.parse(body) as { data: { status: string } }).data.status,
  );
  assert.ok(words.includes('sent') && words.includes('delivered'), words.join());
  const toPlatform = sent.slice(before).filter(({ path }) => path.endsWith('/messages'));
  assert.ok(
    toPlatform.length > 0,
    sent
      .slice(before)
      .map(({ path }) => path)
      .join(' '),
  );
  for (const { headers } of toPlatform) assert.ok(!/traceparent|tracestate/i.test(headers));
});

test('an SMS that is also a call: both are of one trace', async () => {
  const caller = callerTrace();
  const answer = await chat.call(
    'json',
    'sms',
    {
      source: 'Shop',
      destinations: { phone: newPhone() },
      message: 'Hi',
      tts: { type: 3, repeat: 1, rate: 10 },
    },
    { headers: caller.headers },
  );
  assert.equal(answer.status, 0, answer.message);
  const spans = await collector.trace(caller.traceId, [
    'submit sms',
    'submit voice',
    'settle sms',
    'settle voice',
    'POST webhook',
    'POST webhook',
  ]);
  assert.equal(named(spans, 'submit voice')[0]!.attributes['messaging.destination.name'], 'voice');
});

test('a one-time code: its secret is in no span', async () => {
  const caller = callerTrace();
  const phone = newPhone();
  const response = await calls.fetch('POST', '/otp', { phone, source: 'Shop' }, caller.headers);
  assert.equal(response.status, 202, await response.text());
  const spans = await collector.trace(caller.traceId, [
    'POST /v1/otp',
    'accept sms',
    'submit sms',
    'settle sms',
  ]);
  const [arrived] = await chat.phone(stored(phone));
  const { text } = arrived!;
  const code = /\d{4,}/.exec(text)![0];
  // A code of few digits may be a part of an id by chance: it is not a value of its own.
  for (const { attributes } of spans) assert.ok(!Object.values(attributes).map(String).includes(code));
  assert.ok(!JSON.stringify(spans).includes(text));
});

/** The trace of the step of a campaign that was asked for in a trace. */
const stepOf = (traceId: string, name: string) =>
  waitFor(name, () =>
    collector.spans.find((span) => span.name === name && span.links.some((link) => link.traceId === traceId)),
  );

test('a mail campaign: its step is a separate trace, linked to the request', async () => {
  const mail = mailAt(v1At(url));
  const address = newAddress();
  const list = await mail.list([{ email: address, first_name: 'Dana' }]);
  const caller = callerTrace();
  const body = {
    from: { name: 'The shop', address: 'news@shop.example' },
    subject: 'Hello {{FirstName|friend}}',
    text: 'Hello {{FirstName|friend}}',
    lists: [list],
  };
  const response = await calls.fetch('POST', '/mail/campaigns', body, caller.headers);
  assert.equal(response.status, 202, await response.clone().text());
  const { id } = (await response.json()) as { id: string };
  const step = await stepOf(caller.traceId, 'expand mail');
  assert.equal(step.attributes['carillon.campaign_id'], Number(id));
  assert.notEqual(step.traceId, caller.traceId);
  const spans = await collector.trace(step.traceId, ['expand mail', 'queue mail', 'submit mail']);
  assert.equal(named(spans, 'submit mail')[0]!.parentSpanId, step.spanId);
  assert.ok(!JSON.stringify(spans).includes(address));
});

test('a send to a contact list: a few messages of its step are traced', async () => {
  const phones = newPhones(30);
  const { id } = await calls.post<{ id: string }>('/contact-lists', { name: 'traced' });
  await calls.post(`/contact-lists/${id}/contacts`, { contacts: phones.map((phone) => ({ phone })) });
  const caller = callerTrace();
  const answer = await chat.call(
    'json',
    'sms',
    { source: 'Shop', message: 'Hi', destinations: { cl_id: id } },
    { headers: caller.headers },
  );
  assert.equal(answer.status, 0, answer.message);
  const step = await stepOf(caller.traceId, 'expand sms');
  const spans = await collector.trace(
    step.traceId,
    Array.from({ length: 10 }, () => 'settle sms'),
  );
  assert.equal(named(spans, 'submit sms').length, 10);
});
