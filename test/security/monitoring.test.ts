import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Installation, readiness } from '../support/process.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* A stranger reads what the service counts and what its database says: volumes, customers' numbers, addresses. */

const TOKEN = 'the-token-of-prometheus';
const NUMBER = '972550000001';
const service = await startTestService({
  settings: { METRICS_TOKEN: TOKEN, SANDBOX_RECEIPT_DELAY_MS: '10' },
});
const metricsWith = (headers: Record<string, string> = {}) => fetch(`${service.url}/metrics`, { headers });

test('metrics want the token, whoever asks and however', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer ' },
    { authorization: TOKEN },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${DEMO_TOKEN}` },
    { 'x-forwarded-for': '127.0.0.1', host: 'localhost' },
  ] as Record<string, string>[]) {
    const answer = await metricsWith(headers);
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    assert.doesNotMatch(await answer.text(), /carillon_/);
  }
  const query = await fetch(`${service.url}/metrics?token=${TOKEN}`);
  assert.equal(query.status, 401);
  await query.arrayBuffer();
  const right = await metricsWith({ authorization: `Bearer ${TOKEN}` });
  assert.equal(right.status, 200);
  assert.match(await right.text(), /^carillon_accept_seconds_count /m);
});

test('no label names a business number, an account or a phone', async () => {
  const answer = await fetch(`${service.url}/chat-api/send-template-message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    body: JSON.stringify({
      source: NUMBER,
      destination: '972501234567',
      templateId: `1_${NUMBER}_two`,
      dynamicFieldsObject: { 1: 'Dana', 2: '1234' },
    }),
  });
  assert.equal(((await answer.json()) as { success: boolean }).success, true);
  const text = await waitFor('the chat message was handed over', async () => {
    const now = await (await metricsWith({ authorization: `Bearer ${TOKEN}` })).text();
    return /^carillon_messages_handed_over_total\{link="chat"\} [1-9]/m.test(now) && now;
  });
  const labels = [...text.matchAll(/="([^"]*)"/g)].map(([, value]) => value!);
  assert.ok(labels.length > 50);
  for (const label of labels) {
    assert.doesNotMatch(label, /\d{7}/, label);
    assert.notEqual(label, 'demo');
  }
});

test('without settings nobody reads metrics; a separate address serves them, in every role', async () => {
  const installation = new Installation({ METRICS_PORT: '0' });
  const program = await installation.start({ ready: false });
  const closed = await fetch(`${program.url}/metrics`);
  assert.equal(closed.status, 404);
  assert.doesNotMatch(await closed.text(), /carillon_/);
  const own = /"monitoring":"(http:\/\/127\.0\.0\.1:\d+)"/.exec(program.output())?.[1];
  assert.ok(own, program.output());
  assert.match(await (await fetch(`${own}/metrics`)).text(), /^process_cpu_seconds_total/m);
  assert.deepEqual(await (await fetch(`${own}/healthz`)).json(), { status: 'ok' });
  assert.equal((await fetch(`${own}/api`, { method: 'POST' })).status, 404, 'nothing else is there');
  // No carrier is set.
  assert.deepEqual(await readiness(own), { ready: true, problems: [] });
  assert.deepEqual(await readiness(own, 'dispatch'), {
    ready: false,
    problems: ['carriers: no connector is up'],
  });
  const unknown = await fetch(`${own}/readyz?for=lunch`);
  assert.equal(unknown.status, 400);
  assert.match(await unknown.text(), /for: must be one of accept, dispatch/);
});
