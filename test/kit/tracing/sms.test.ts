import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { type ReceivedSpan, startCollector } from '../../support/otlp.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callerTrace, tracedBy } from './support.ts';

const TEXT = 'the text of a traced message';

const collector = await startCollector();
const log: string[] = [];
const service = await startTestService({
  settings: { ...tracedBy(collector.url), LOG_LEVEL: 'info', TRACE_CALLERS_PER_SECOND: '1000' },
  logTo: (line) => log.push(line),
});
const { url, sql } = service;
const calls = withToken(url, DEMO_TOKEN);
const receiver = await startReceiver();
await calls.post('/webhooks', {
  url: `${receiver.url}?token=secret-of-the-receiver`,
  types: ['message.status'],
});

const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${name}: ${found.length} of ${spans.map((span) => span.name).join(', ')}`);
  return found[0]!;
};

/** The webhook about a message. */
const webhookOf = (messageId: unknown) =>
  waitFor('the webhook', () =>
    receiver.received.find(({ body }) => body.includes(`"message_id":"${String(messageId)}"`)),
  );

/** Ids of the messages of a shipment. */
const messagesOf = async (shipmentId: unknown) =>
  (
    await sql<{ id: number }[]>`SELECT id FROM messages WHERE shipment_id = ${Number(shipmentId)} ORDER BY id`
  ).map(({ id }) => id);

const THE_WAY = ['accept sms', 'queue sms', 'submit sms', 'settle sms', 'POST webhook'];

test('a request of POST /api is one trace up to its webhook, in XML and JSON', async () => {
  for (const form of ['xml', 'json'] as const) {
    const caller = callerTrace();
    const content = { source: 'Shop', destinations: { phone: newPhone() }, message: TEXT };
    const answer = await service.call(form, 'sms', content, { headers: caller.headers });
    assert.equal(answer.status, 0, answer.message);
    const [messageId] = await messagesOf(answer.fields.shipment_id);
    const { headers } = await webhookOf(messageId);
    const spans = await collector.trace(caller.traceId, ['POST /api sms', ...THE_WAY]);
    assert.equal(spans.length, 6);

    const request = one(spans, 'POST /api sms');
    assert.deepEqual([request.parentSpanId, request.kind], [caller.spanId, 2]);
    assert.equal(request.attributes['carillon.request_id'], answer.headers.get('x-request-id'));
    assert.deepEqual(
      ['http.route', 'http.response.status_code', 'carillon.operation', 'carillon.status'].map(
        (name) => request.attributes[name],
      ),
      ['/api', 200, 'sms', '0'],
    );
    assert.deepEqual(
      [request.resource['service.name'], request.resource['telemetry.sdk.language']],
      ['carillon', 'nodejs'],
    );
    const accepted = one(spans, 'accept sms');
    assert.deepEqual([accepted.parentSpanId, accepted.kind], [request.spanId, 4]);
    for (const name of THE_WAY.slice(1)) assert.equal(one(spans, name).parentSpanId, accepted.spanId, name);
    assert.deepEqual(
      THE_WAY.slice(1).map((name) => one(spans, name).kind),
      [1, 3, 5, 3],
    );
    assert.deepEqual(
      [
        one(spans, 'submit sms').attributes['carillon.outcome'],
        one(spans, 'settle sms').attributes['carillon.message_status'],
      ],
      ['accepted', 102],
    );
    for (const span of spans)
      assert.ok(span.end >= span.start && span.start > Date.now() - 600_000, span.name);
    assert.ok(one(spans, 'queue sms').end <= one(spans, 'submit sms').end);

    const webhook = one(spans, 'POST webhook');
    assert.equal(headers.traceparent, `00-${caller.traceId}-${webhook.spanId}-01`);
    assert.equal(webhook.attributes['http.response.status_code'], 200);
    assert.equal(headers.tracestate, undefined);
  }
});

test('work stored for several requests is a separate trace, linked to theirs', async () => {
  const caller = callerTrace();
  await service.call(
    'json',
    'sms',
    { source: 'Shop', destinations: { phone: newPhone() }, message: TEXT },
    { headers: caller.headers },
  );
  const spans = await collector.trace(caller.traceId, THE_WAY);
  const accepted = one(spans, 'accept sms');
  for (const name of ['store accepted', 'store results']) {
    const group = await waitFor(name, () =>
      collector.spans.find(
        (span) => span.name === name && span.links.some(({ spanId }) => spanId === accepted.spanId),
      ),
    );
    assert.notEqual(group.traceId, caller.traceId);
    assert.equal(group.parentSpanId, '');
    assert.deepEqual(group.links, [{ traceId: caller.traceId, spanId: accepted.spanId }]);
    assert.equal(group.attributes['carillon.messages'], 1);
  }
});

test('POST /v1/sms continues the trace of its caller, with its tracestate', async () => {
  const caller = callerTrace();
  const response = await calls.fetch(
    'POST',
    '/sms',
    { phones: [newPhone()], source: 'Shop', message: TEXT },
    { ...caller.headers, tracestate: 'vendor=opaque value,other=1' },
  );
  assert.equal(response.status, 202, await response.clone().text());
  const spans = await collector.trace(caller.traceId, ['POST /v1/sms', ...THE_WAY]);
  assert.ok(spans.every(({ traceState }) => traceState === 'vendor=opaque value,other=1'));
  const webhook = await waitFor('the webhook', () =>
    receiver.received.find(({ headers }) => headers.traceparent?.includes(caller.traceId)),
  );
  assert.equal(webhook.headers.tracestate, 'vendor=opaque value,other=1');
});

test('without a traceparent a request begins a trace', async () => {
  const phone = newPhone();
  await calls.post('/sms', { phones: [phone], source: 'Shop', message: TEXT }, 202);
  const webhook = await waitFor('the webhook', () =>
    receiver.received.find(({ body }) => body.includes(stored(phone))),
  );
  const traceId = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(webhook.headers.traceparent as string)![1]!;
  const spans = await collector.trace(traceId, ['POST /v1/sms', ...THE_WAY]);
  assert.equal(one(spans, 'POST /v1/sms').parentSpanId, '');
});

test('a request whose caller says that it is not sampled makes no span, stores no trace and sends none on', async () => {
  const caller = callerTrace({ isSampled: false });
  const answer = await service.call(
    'json',
    'sms',
    { source: 'Shop', destinations: { phone: newPhone() }, message: TEXT },
    { headers: caller.headers },
  );
  const [messageId] = await messagesOf(answer.fields.shipment_id);
  const { headers } = await webhookOf(messageId);
  assert.equal(headers.traceparent, undefined);
  const [row] = await sql<{ trace: string | null }[]>`SELECT trace FROM messages WHERE id = ${messageId!}`;
  assert.equal(row!.trace, null);
  assert.ok(!collector.spans.some(({ traceId }) => traceId === caller.traceId));
});

test('of a send to many a few messages are traced', async () => {
  const caller = callerTrace();
  const phones = newPhones(40);
  const answer = await service.call(
    'json',
    'sms',
    { source: 'Shop', destinations: { phone: phones }, message: TEXT },
    { headers: caller.headers },
  );
  assert.equal(answer.status, 0, answer.message);
  await waitFor('all are delivered', async () => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM messages
      WHERE shipment_id = ${Number(answer.fields.shipment_id)} AND status = 102`;
    return row!.count === 40;
  });
  const ten = (name: string) => Array.from({ length: 10 }, () => name);
  const spans = await collector.trace(caller.traceId, [
    'accept sms',
    ...ten('submit sms'),
    ...ten('settle sms'),
  ]);
  assert.equal(spans.filter(({ name }) => name === 'submit sms').length, 10);
});

test('a refused message ends its trace with an error', async () => {
  const caller = callerTrace();
  const content = { source: 'Shop', destinations: { phone: newPhone() }, message: TEXT };
  const poor = await service.addAccount({ username: 'poor' }, 0);
  const answer = await service.post(JSON.stringify({ sms: { user: { username: 'poor' }, ...content } }), {
    token: poor.token,
    headers: caller.headers,
  });
  assert.notEqual(answer.status, 0);
  const spans = await collector.trace(caller.traceId, ['accept sms', 'POST /api sms']);
  const accepted = one(spans, 'accept sms');
  assert.deepEqual([accepted.isError, accepted.attributes['error.type']], [true, 'no-credit']);
  assert.equal(one(spans, 'POST /api sms').attributes['carillon.refused'], true);
});

test('an invalid traceparent begins a new trace, and breaks nothing', async () => {
  const traceId = 'ab'.repeat(16);
  const wrong = [
    '',
    'x'.repeat(8_000),
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceId}-${'1'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${'1'.repeat(16)}-01`,
    `00-${traceId}-${'1'.repeat(16)}-01-more`,
    `00-${traceId}-${'1'.repeat(16)}-01, 00-${traceId}-${'2'.repeat(16)}-01`,
  ];
  for (const traceparent of wrong) {
    const response = await calls.fetch('GET', '/wallet', undefined, { traceparent, tracestate: 'a=1' });
    assert.equal(response.status, 200, traceparent);
  }
  await waitFor(
    'their spans',
    () => collector.spans.filter(({ name }) => name === 'GET /v1/wallet').length === wrong.length,
  );
  for (const span of collector.spans.filter(({ name }) => name === 'GET /v1/wallet')) {
    assert.equal(span.parentSpanId, '');
    assert.equal(span.traceState, '');
    assert.notEqual(span.traceId, traceId);
  }
});

test('a tracestate that is too long or wrong is left out', async () => {
  for (const tracestate of [`a=${'x'.repeat(600)}`, 'x'.repeat(8_000), '=,=,=', 'a=1'.repeat(2_000)]) {
    const caller = callerTrace();
    const response = await calls.fetch('GET', '/wallet', undefined, { ...caller.headers, tracestate });
    assert.equal(response.status, 200);
    const [span] = await collector.trace(caller.traceId, ['GET /v1/wallet']);
    assert.ok(span!.traceState.length <= 512, tracestate.slice(0, 20));
  }
  // Node refuses headers of more than 16 KiB.
  const huge = await calls.fetch('GET', '/wallet', undefined, { tracestate: `a=${'x'.repeat(262_144)}` });
  assert.equal(huge.status, 431);
});

test('a request without a valid token makes no span', async () => {
  const caller = callerTrace();
  const bad = await fetch(`${url}/v1/wallet`, {
    headers: { authorization: 'Bearer nobody', ...caller.headers },
  });
  assert.equal(bad.status, 401);
  const known = callerTrace();
  await calls.fetch('GET', '/wallet', undefined, known.headers);
  await collector.trace(known.traceId, ['GET /v1/wallet']);
  assert.ok(!collector.spans.some(({ traceId }) => traceId === caller.traceId));
});

test('no span and no line of the log has a text, a token or a whole number', () => {
  assert.ok(collector.spans.length > 50);
  const phones = receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { phone: string } }).data.phone,
  );
  const hidden = [
    TEXT,
    DEMO_TOKEN,
    'secret-of-the-receiver',
    ...phones,
    ...phones.map((phone) => phone.slice(3)),
  ];
  for (const span of collector.spans) {
    const shown = JSON.stringify(span);
    for (const secret of hidden) assert.ok(!shown.includes(secret), `${span.name} has ${secret}`);
  }
  for (const line of log) for (const secret of hidden) assert.ok(!line.includes(secret), line);
});
