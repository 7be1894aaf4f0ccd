import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { phone, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { type ReceivedSpan, startCollector } from '../../support/otlp.ts';
import { databaseUrl, Installation, type Program } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callerTrace, tracedBy } from './support.ts';

/* A trace over processes of the real program: one that accepts, one that sends, one that calls webhooks. */

const network = await startNetwork();
const collector = await startCollector();
const receiver = await startReceiver();
const { sql, target } = await createDatabase();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url(),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
  ...tracedBy(collector.url),
});
const start = (role: string, environment: Record<string, string> = {}): Promise<Program> =>
  installation.start({ args: ['serve', '--role', role], ready: false, environment });
const [api, sender, jobs] = await Promise.all([start('api'), start('dispatch'), start('jobs')]);
const account = await installation.account(api!.url, 'traced', 100_000);
const calls = withToken(api!.url, account.token);
await calls.post('/webhooks', { url: receiver.url, types: ['message.status'] });
const holds = (program: Program) => program.output().includes('holding the connector');
await waitFor('the connector is held', () => holds(sender!));
// Processes that run read the webhooks anew every few seconds.
await waitFor('the sender knows the webhook', async () => {
  await send(phone(9), {});
  return receiver.received.length > 0;
});

const one = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name)!;
const processOf = (span: ReceivedSpan) => span.resource['service.instance.id'];

async function send(to: string, headers: Record<string, string>) {
  const body = { source: 'Carillon', message: 'hello', phones: [to] };
  const response = await calls.fetch('POST', '/sms', body, headers);
  assert.equal(response.status, 202, await response.text());
}

test('a trace goes over the processes that accept, send and call webhooks', async () => {
  const caller = callerTrace();
  await send(phone(1), caller.headers);
  const spans = await collector.trace(caller.traceId, [
    'POST /v1/sms',
    'accept sms',
    'queue sms',
    'submit sms',
    'settle sms',
    'POST webhook',
  ]);
  const [accepting, sending, calling] = ['accept sms', 'submit sms', 'POST webhook'].map((name) =>
    processOf(one(spans, name)),
  );
  assert.equal(new Set([accepting, sending, calling]).size, 3);
  assert.equal(processOf(one(spans, 'POST /v1/sms')), accepting);
  assert.equal(processOf(one(spans, 'settle sms')), sending);
  const told = `00-${caller.traceId}-${one(spans, 'POST webhook').spanId}-01`;
  assert.ok(receiver.received.some(({ headers }) => headers.traceparent === told));
});

test('a process that sends is killed: the receipt that another one gets belongs to the trace', async () => {
  // Not before the process is killed, and not after its lease of the connector has run out.
  network.smsc.change({ receiptDelayMs: 15_000 });
  const caller = callerTrace();
  await send(phone(2), caller.headers);
  await waitFor('it is submitted', async () => {
    const [row] = await sql<{ handed: boolean }[]>`
      SELECT handed_at IS NOT NULL AS handed FROM messages WHERE recipient = ${phone(2)}`;
    return row!.handed;
  });
  const [submit] = await collector
    .trace(caller.traceId, ['submit sms'])
    .then((spans) => [one(spans, 'submit sms')]);
  await sender!.kill();
  const next = await start('dispatch');
  await waitFor('the next one has the connector', () => holds(next));
  const spans = await collector.trace(caller.traceId, ['settle sms', 'POST webhook']);
  assert.notEqual(processOf(one(spans, 'settle sms')), processOf(submit!));
  assert.equal(one(spans, 'settle sms').parentSpanId, submit!.parentSpanId);
  network.smsc.change({ receiptDelayMs: 20 });
});

test('a process without tracing sends messages with traces of others', async () => {
  const plain = await start('api', { OTEL_SDK_DISABLED: 'true' });
  const caller = callerTrace();
  const body = { source: 'Carillon', message: 'hello', phones: [phone(3)] };
  const response = await withToken(plain.url, account.token).fetch('POST', '/sms', body, caller.headers);
  assert.equal(response.status, 202);
  await waitFor('it is told', () => receiver.received.find((told) => told.body.includes(phone(3))));
  assert.ok(!collector.spans.some(({ traceId }) => traceId === caller.traceId));
});

test('a process that stops exports what it has, and stops in time with a collector that does not answer', async () => {
  const caller = callerTrace();
  const slow = await start('api', { OTEL_BSP_SCHEDULE_DELAY: '600000' });
  await withToken(slow.url, account.token).fetch('GET', '/wallet', undefined, caller.headers);
  assert.deepEqual(await slow.stop(), { code: 0, signal: null });
  await collector.trace(caller.traceId, ['GET /v1/wallet']);
  collector.answer = null;
  await calls.fetch('GET', '/wallet', undefined, callerTrace().headers);
  assert.deepEqual(await api!.stop(), { code: 0, signal: null });
  assert.deepEqual(await jobs!.stop(), { code: 0, signal: null });
});
