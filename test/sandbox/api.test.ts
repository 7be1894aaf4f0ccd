import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../conformance/covers.ts';
import { newPhone, stored } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** The sandbox's demo account, and its API as the service opens it (decisions, section 5). */
const service = await startTestService();
const { clock } = service.appContext;

async function api(method: string, path: string, body?: unknown, token: string | null = DEMO_TOKEN) {
  const response = await fetch(`${service.url}/v1/sandbox/${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { http: response.status, fields: (await response.json()) as Record<string, unknown> };
}

test('a fresh sandbox has the account demo with 100,000 credits', covers('sandbox.demo'), async () => {
  const answer = await service.call('json', 'balance', {});
  assert.deepEqual([answer.status, answer.fields.balance], [0, 100_000]);
});

test('the clock is moved on by seconds, and never back', covers('sandbox.clock'), async () => {
  const before = clock.now();
  const moved = await api('POST', 'clock', { advance: 86_400 });
  assert.equal(moved.http, 200);
  assert.ok(Date.parse(moved.fields.now as string) >= before + 86_400_000);
  assert.ok(clock.now() >= before + 86_400_000);
  for (const body of [{ advance: -1 }, { advance: 'x' }, { advance: 400 * 86_400 }, {}, []]) {
    const answer = await api('POST', 'clock', body);
    assert.equal(answer.http, 400, JSON.stringify(body));
    assert.match(String(answer.fields.message), /^advance/);
  }
  assert.ok(clock.now() < before + 2 * 86_400_000);
});

test(
  'a phone shows what arrived, in any spelling of its number, and sends',
  covers('sandbox.phones', 'sandbox.sms'),
  async () => {
    const phone = newPhone();
    for (const message of ['first', 'second '.repeat(100)]) {
      const sent = await service.call('json', 'sms', { source: 'Shop', destinations: { phone }, message });
      assert.equal(sent.status, 0, sent.message);
      await waitFor('it to arrive', async () =>
        (await service.phone(phone)).some(({ text }) => text === message.trim()),
      );
    }
    for (const spelling of [phone, phone.slice(1), stored(phone), `+${stored(phone)}`]) {
      const { http, fields } = await api('GET', `phones/${encodeURIComponent(spelling)}`);
      assert.equal(http, 200);
      assert.deepEqual(Object.keys(fields), ['sms', 'chat', 'calls']);
      const sms = fields.sms as { id: string; from: string; text: string; at: string }[];
      assert.deepEqual(
        sms.map(({ from, text }) => [from, text]),
        [
          ['Shop', 'first'],
          ['Shop', 'second '.repeat(100).trim()],
        ],
      );
      assert.deepEqual(Object.keys(sms[0]!).sort(), ['at', 'from', 'id', 'text']);
    }
    assert.equal((await api('POST', `phones/${phone}/sms`, { to: '0550000001', text: 'Hello' })).http, 200);
    const unreadable = await api('POST', `phones/${phone}/sms`, { to: '0550000001' });
    assert.equal(unreadable.http, 400);
  },
);

test('nobody but the demo account may use its API', covers('mail.sandbox', 'sandbox.token'), async () => {
  const other = await service.addAccount({ username: 'other' });
  const phone = newPhone();
  for (const token of [null, 'wrong', other.token]) {
    for (const [method, path, body] of [
      ['GET', `phones/${phone}`, undefined],
      ['POST', `phones/${phone}/sms`, { to: '0550000001', text: 'Hello' }],
      ['POST', 'clock', { advance: 3_600 }],
      ['GET', 'mailboxes/somebody@example.com', undefined],
      ['GET', 'mailboxes/somebody@example.com/mail-1.eml', undefined],
    ] as const) {
      const answer = await api(method, path, body, token);
      assert.equal(answer.http, 401, `${method} ${path} with ${token}`);
      assert.equal(typeof answer.fields.message, 'string');
    }
  }
});
