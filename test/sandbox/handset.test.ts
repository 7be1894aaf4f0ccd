import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await startTestService();
const BUSINESS = '972550000001';

interface Shown {
  number: string;
  received: { sms: { text: string }[]; chat: { id: string; body: string; buttons: { id: string }[] }[] };
  sent: { sms: { to: string; text: string }[]; chat: { to: string; text: string; replyTo: string | null }[] };
}

async function ask(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200);
  return response.json();
}

const handset = async (phone: string) => (await ask(`/v1/sandbox/handsets/${phone}`)) as Shown;

test('a handset has what came and what its phone sent, by SMS and chat', async () => {
  // `newPhone` knows the endings of SMS alone; chat has more that fail.
  const phone = '0521234567';
  await service.call('json', 'sms', { source: 'Shop', destinations: { phone }, message: 'Hello' });
  await waitFor('the SMS', async () => (await handset(phone)).received.sms.length === 1);
  await ask(`/v1/sandbox/phones/${phone}/sms`, { to: '0501111111', text: 'Thanks' });
  await ask(`/v1/sandbox/phones/${phone}/chat`, { to: BUSINESS, body: 'Are you there?' });
  const chat = { source: BUSINESS, destination: phone, header: 1, body: 'Yes', button1: 'Good' };
  // The business has to have heard of the client first.
  await waitFor(
    'the business to know the client',
    async () => ((await ask('/chat-api/send-buttons', chat)) as { success: boolean }).success,
  );
  await waitFor('the buttons', async () => (await handset(phone)).received.chat.length === 1);
  const [message] = (await handset(phone)).received.chat;
  const press = { to: BUSINESS, message: message!.id, button: message!.buttons[0]!.id };
  await ask(`/v1/sandbox/phones/${phone}/chat`, press);

  const { received, sent } = await handset(phone);
  assert.equal(received.sms[0]!.text, 'Hello');
  assert.equal(message!.body, 'Yes');
  assert.deepEqual(
    sent.sms.map(({ to, text }) => ({ to, text })),
    [{ to: '0501111111', text: 'Thanks' }],
  );
  assert.deepEqual(
    sent.chat.map(({ to, text, replyTo }) => ({ to, text, replyTo })),
    [
      { to: '0550000001', text: 'Are you there?', replyTo: null },
      { to: '0550000001', text: 'Good', replyTo: message!.id },
    ],
  );
});

interface Arrivals {
  arrivals: { kind: string; to: string; from: string; subject: string | null; text: string }[];
  next: string | null;
}

test('everything that phones and mailboxes received is one list, the newest first, which is searched and paged', async () => {
  const arrivals = async (query: string) => (await ask(`/v1/sandbox/arrivals?${query}`)) as Arrivals;
  for (const [phone, message] of [
    ['0521234561', 'First of the list'],
    ['0521234562', 'Second of the list'],
  ]) {
    await service.call('json', 'sms', { source: 'Shop', destinations: { phone }, message });
    await waitFor(message!, async () => (await arrivals('search=of+the+list')).arrivals[0]?.text === message);
  }
  const found = await arrivals('search=OF+THE+list&kind=sms');
  assert.deepEqual(
    found.arrivals.map(({ kind, to, from, subject, text }) => ({ kind, to, from, subject, text })),
    [
      { kind: 'sms', to: '0521234562', from: 'Shop', subject: null, text: 'Second of the list' },
      { kind: 'sms', to: '0521234561', from: 'Shop', subject: null, text: 'First of the list' },
    ],
  );
  assert.equal(found.next, null);
  const first = await arrivals('search=of+the+list&limit=1');
  assert.equal(first.arrivals[0]!.text, 'Second of the list');
  const second = await arrivals(`search=of+the+list&limit=1&after=${first.next}`);
  assert.equal(second.arrivals[0]!.text, 'First of the list');
  assert.equal((await arrivals('kind=mail&search=of+the+list')).arrivals.length, 0);
  const refused = await fetch(`${service.url}/v1/sandbox/arrivals?kind=fax`, {
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
  });
  assert.equal(refused.status, 400);
  assert.match(((await refused.json()) as { message: string }).message, /^kind: /);
});

test('it is for the demo account alone', async () => {
  const other = await service.addAccount({ username: 'handset-other' });
  for (const path of ['/v1/sandbox', '/v1/sandbox/handsets/0501234567']) {
    const headers = { authorization: `Bearer ${other.token}` };
    assert.equal((await fetch(`${service.url}${path}`, { headers })).status, 401, path);
    assert.equal((await fetch(`${service.url}${path}`)).status, 401, path);
  }
});
