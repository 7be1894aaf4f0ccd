import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chapters } from '../../../server/api/openapi/chapters.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';

/* What /metrics says of requests under /v1. */

const TOKEN = 'the-token-of-prometheus';
const service = await startTestService({ settings: { METRICS_TOKEN: TOKEN } });
const signed = { authorization: `Bearer ${DEMO_TOKEN}` };
const json = { ...signed, 'content-type': 'application/json' };

/** The values of the series of a metric, by their labels. */
async function series(name: string): Promise<Map<string, number>> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const lines = (await answer.text()).matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'));
  return new Map(Array.from(lines, ([, labels, value]) => [labels!, Number(value)]));
}

/** How much each series of a metric grows while something is done. */
async function growth(name: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await series(name);
  await work();
  const grown = [...(await series(name))].map(([labels, value]) => [
    labels,
    value - (before.get(labels) ?? 0),
  ]);
  return Object.fromEntries(grown.filter(([, value]) => value !== 0));
}

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${service.url}/v1${path}`, { headers: signed, ...init });
  await answer.arrayBuffer();
  return answer.status;
};

test('requests are counted by chapter and status, whatever is wrong with them', async () => {
  const grown = await growth('carillon_v1_requests_total', async () => {
    assert.equal(await ask('/account'), 200);
    assert.equal(await ask('/contact-lists'), 200);
    assert.equal(await ask('/contact-lists', { headers: {} }), 401);
    assert.equal(await ask('/operator/accounts'), 403);
    assert.equal(await ask('/contact-lists', { method: 'POST', body: '{', headers: json }), 400);
    for (const path of ['/none', '/none/1', '/none/2?x=1']) assert.equal(await ask(path), 404);
  });
  assert.deepEqual(grown, {
    'chapter="account",status="200"': 1,
    'chapter="contacts",status="200"': 1,
    'chapter="contacts",status="401"': 1,
    'chapter="operator",status="403"': 1,
    'chapter="contacts",status="400"': 1,
    'chapter="none",status="404"': 3,
  });
  const known = new Set([...Object.keys(chapters), 'none']);
  for (const labels of (await series('carillon_v1_requests_total')).keys()) {
    assert.ok(known.has(/chapter="(\w+)"/.exec(labels)![1]!), labels);
  }
});

test('a request that reaches its route is timed, a refused one is not, and a stream until it begins', async () => {
  const grown = await growth('carillon_v1_seconds_count', async () => {
    assert.equal(await ask('/contact-lists'), 200);
    assert.equal(await ask('/contact-lists', { headers: {} }), 401);
    const ended = new AbortController();
    const stream = await fetch(`${service.url}/v1/events/stream`, { headers: signed, signal: ended.signal });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    ended.abort();
  });
  assert.equal(grown['chapter="contacts"'], 1);
  assert.equal(
    Object.values(grown).reduce((sum, value) => sum + value),
    2,
  );
});
