import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhones, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { lastCode } from './support.ts';

/** The reports of one-time codes under /v1. */
const service = await startTestService();
const { appContext } = service;

const account = await service.addAccount({ username: 'reported' });
const stranger = await service.addAccount({ username: 'stranger' });
const [used, ...unused] = newPhones(4) as [string, string, string, string];

const call = (root: string, content: object) =>
  service.call('json', root, { user: { username: account.username }, ...content }, { token: account.token });

/** To the beginning of an hour, since what is stopped is counted by the hour. */
await service.advance(3_600 - (Math.floor(appContext.clock.now() / 1_000) % 3_600));
const before = appContext.clock.now();
for (const phone of [used, ...unused])
  assert.equal((await call('send_otp', { phone, source: 'Shop' })).status, 0);
const code = await lastCode(service, account.id, used);
assert.equal((await call('validate_otp', { phone: used, code })).status, 0);
for (let sent = 0; sent < 7; sent++) await call('send_otp', { phone: used, source: 'Shop' });

async function get(path: string, token = account.token) {
  const response = await fetch(`${service.url}/v1/otp/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { http: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('what was stopped', covers('B4.pumping.told'), async () => {
  const { http, body } = await get('blocks');
  assert.equal(http, 200);
  const [{ first_at, last_at, ...block }, ...more] = body.blocks as [Record<string, unknown>];
  assert.deepEqual(more, []);
  assert.deepEqual(block, {
    kind: 'code',
    rule: 'phone-limit',
    prefix: stored(used).slice(0, 7),
    count: 3,
    last_phone: stored(used),
    lifted_at: null,
  });
  assert.ok(Date.parse(String(first_at)) >= before && String(first_at) <= String(last_at));
});

test('what was sent and used', async () => {
  const { http, body } = await get('conversion');
  assert.equal(http, 200);
  const [{ last_at, ...row }] = body.prefixes as [Record<string, unknown>];
  assert.deepEqual(row, {
    prefix: stored(used).slice(0, 7),
    sent: 8,
    verified: 1,
    phones: 4,
    verified_phones: 1,
  });
  assert.ok(Date.parse(String(last_at)) >= before);
});

test('only of the span, and only of the account', async () => {
  const span = `from=${new Date(before - 7_200_000).toISOString()}&to=${new Date(before - 1).toISOString()}`;
  for (const [path, list] of [
    ['blocks', 'blocks'],
    ['conversion', 'prefixes'],
  ] as const) {
    assert.deepEqual((await get(`${path}?${span}`)).body, { [list]: [] });
    assert.deepEqual((await get(path, stranger.token)).body, { [list]: [] });
    assert.equal((await get(path, 'no token')).http, 401);
  }
});

test('spans that cannot be used name their field', async () => {
  const wrong: [string, string][] = [
    ['from=yesterday', 'from'],
    ['to=2026-01-01', 'to'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:01Z', 'to'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
  ];
  for (const path of ['blocks', 'conversion']) {
    for (const [span, field] of wrong) {
      const { http, body } = await get(`${path}?${span}`);
      assert.deepEqual([http, (body.error as { field: string }).field], [400, field], span);
    }
  }
  assert.equal(
    (await get('blocks?from=2026-01-01T00:00:00%2B02:00&to=2026-02-01T00:00:00%2B02:00')).http,
    200,
  );
});
