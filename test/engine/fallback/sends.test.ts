import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Sends with `fallback` over the API and the sandbox: what each channel sends in place of a message. When: worker.test.ts. */

const service = await startChat({ SANDBOX_RING_MS: '20', VOICE_HOURS: '00:00-24:00' });
const { sql, demo } = service;
const calls = withToken(service.url, DEMO_TOKEN);
const sms = { source: 'Shop', message: 'Your parcel is here' };
const byChat = { channel: 'chat', source: SOURCE, template_id: templateId('plain') };

interface Message {
  readonly id: string;
  readonly shipment_id: string;
  readonly channel: string;
  readonly phone: string;
  readonly state: string;
}

interface Other {
  readonly channel: string;
  readonly shipment_id: string;
  readonly message_id: string | null;
}

interface Timeline extends Message {
  readonly text: string | null;
  readonly external_id: string | null;
  readonly fallback: Other | null;
  readonly fallback_for: Other | null;
  readonly steps: readonly { readonly step: string }[];
}

interface Shipment {
  readonly id: string;
  readonly fallback_for: string | null;
  readonly fallback: {
    readonly channel: string;
    readonly after_minutes: number;
    readonly state: string;
    readonly reason: string | null;
    readonly sent: number;
  } | null;
}

let failing = 0;
/** A phone whose SMS fails (`0001`), or that reports nothing (`0004`). */
const phoneWith = (ending: '0001' | '0004'): string => `050${String(200 + ++failing)}${ending}`;
const behaves = (phone: string, ending: string | null) =>
  calls.post('/sandbox/endings', { number: phone, ending });

async function messagesOf(shipmentId: string): Promise<Message[]> {
  return (await calls.get<{ messages: Message[] }>(`/messages?shipment_id=${shipmentId}`)).messages;
}
const timeline = (id: string) => calls.get<Timeline>(`/messages/${id}`);
const shipment = (id: string) => calls.get<Shipment>(`/shipments/${id}`);

/** Sends, and waits until no message waits for an outcome any more. */
async function send(body: object, ended: (message: Message) => boolean = ({ state }) => state === 'failed') {
  const { shipment_id } = await calls.post<{ shipment_id: string }>('/sms', { ...sms, ...body }, 202);
  const messages = await waitFor('the messages have their outcome', async () => {
    const found = await messagesOf(shipment_id);
    return found.length > 0 && found.every((message) => ended(message)) && found;
  });
  return { id: shipment_id, messages };
}

/** Waits until a fallback has ended. */
const ended = (id: string) =>
  waitFor('the fallback has ended', async () => {
    const found = await shipment(id);
    return found.fallback!.state === 'ended' && found;
  });

test('an SMS that fails is followed by a chat message, once', async () => {
  const phone = phoneWith('0001');
  const { id, messages } = await send({ phones: [{ phone, id: 'order-1' }], fallback: byChat });
  assert.deepEqual((await shipment(id)).fallback, {
    channel: 'chat',
    after_minutes: 30,
    state: 'open',
    reason: null,
    sent: 0,
  });
  await behaves(phone, '0000');
  await service.advance(5);
  assert.equal((await ended(id)).fallback!.sent, 1);
  assert.equal((await service.arrived(stored(phone))).length, 1);

  const first = await timeline(messages[0]!.id);
  assert.equal(first.fallback!.channel, 'chat');
  assert.equal(first.fallback_for, null);
  assert.ok(first.steps.some(({ step }) => step === 'replaced'));
  const second = await timeline(first.fallback!.message_id!);
  assert.equal(second.shipment_id, first.fallback!.shipment_id);
  assert.deepEqual([second.channel, second.fallback], ['chat', null]);
  assert.deepEqual(second.fallback_for!.message_id, first.id);
  assert.equal((await shipment(second.shipment_id)).fallback_for, id);
  assert.equal((await shipment(id)).fallback_for, null);
});

test('an SMS without a delivery in time is followed by a call', async () => {
  const phone = phoneWith('0004');
  const { id, messages } = await send(
    {
      phones: [phone],
      fallback: { channel: 'voice', after_minutes: 10, text: 'Hello', repeat: 1, rate: 10 },
    },
    ({ state }) => state === 'submitted',
  );
  await behaves(phone, '0000');
  await service.advance(9 * 60);
  assert.equal((await shipment(id)).fallback!.sent, 0);
  await service.advance(61);
  await ended(id);
  const { fallback } = await timeline(messages[0]!.id);
  assert.equal(fallback!.channel, 'voice');
  const { channel, text } = await timeline(fallback!.message_id!);
  assert.deepEqual([channel, text], ['voice', 'Hello']);
});

test('a call that fails is followed by an SMS with the same text and id', async () => {
  const phone = phoneWith('0001');
  await behaves(phone, '0003');
  const { id } = await send({
    phones: [{ phone, id: 'order-2' }],
    tts: { type: 4, repeat: 1, rate: 10 },
    fallback: { channel: 'sms' },
  });
  await behaves(phone, '0000');
  await service.advance(5);
  await ended(id);
  const [text] = await waitFor('the SMS arrives', async () => {
    const received = await service.phone(phone);
    return received.length > 0 && received;
  });
  assert.equal(text!.text, sms.message);
  const [row] = await sql<{ external_id: string }[]>`
    SELECT external_id FROM messages WHERE recipient = ${stored(phone)} AND channel = 0`;
  assert.equal(row!.external_id, 'order-2');
});

test('a campaign to a list is followed by one chat campaign with its name', async () => {
  const phones = [phoneWith('0001'), phoneWith('0001'), newPhone()];
  const { id: list } = await calls.post<{ id: string }>('/contact-lists', { name: 'fallback' });
  await calls.post(`/contact-lists/${list}/contacts`, {
    contacts: phones.map((phone) => ({ phone, df1: 'Dana' })),
  });
  const { id } = await send(
    {
      lists: [list],
      message: 'Hi [DYNAMIC_FIELD1]',
      dynamic: true,
      campaign_name: 'Parcels',
      fallback: byChat,
    },
    ({ state }) => state === 'failed' || state === 'delivered',
  );
  for (const phone of phones) await behaves(phone, '0000');
  await service.advance(200);
  assert.equal((await ended(id)).fallback!.sent, 2);
  const { campaigns } = await calls.get<{ campaigns: (Shipment & { campaign_name: string })[] }>(
    '/campaigns?name=Parcels',
  );
  const [second] = campaigns;
  assert.equal(second!.fallback_for, id);
  await waitFor('both are sent', async () => (await messagesOf(second!.id)).length === 2);
  const reached = (await messagesOf(second!.id)).map(({ phone }) => phone);
  assert.deepEqual(new Set(reached), new Set(phones.slice(0, 2)));
});

test('a recipient who was blacklisted after the send receives nothing, and nothing is charged', async () => {
  const phone = phoneWith('0001');
  const { id, messages } = await send({ phones: [phone], fallback: { channel: 'voice' } });
  await calls.post('/blacklist', { phones: [phone] });
  const before = await service.balance();
  await service.advance(5);
  assert.equal((await ended(id)).fallback!.sent, 0);
  assert.equal((await timeline(messages[0]!.id)).fallback, null);
  assert.equal(await service.balance(), before);
});

test('without credit the fallback waits, visibly, and is sent after a top-up', async () => {
  const account = await service.addAccount({ username: 'poor' }, 1);
  const poor = withToken(service.url, account.token);
  const phone = phoneWith('0001');
  const body = { ...sms, phones: [phone], fallback: { channel: 'voice', repeat: 1, rate: 10 } };
  const { shipment_id: id } = await poor.post<{ shipment_id: string }>('/sms', body, 202);
  await waitFor('the SMS has failed', async () => {
    const { messages } = await poor.get<{ messages: Message[] }>(`/messages?shipment_id=${id}`);
    return messages[0]?.state === 'failed';
  });
  assert.equal(await service.balance(account.id), 0);
  await service.advance(5);
  await waitFor('it waits for credit', async () => {
    const { fallback } = await poor.get<Shipment>(`/shipments/${id}`);
    return fallback!.state === 'open' && fallback!.reason === 'no-credit';
  });
  await service.appContext.wallets.topUp(account.id, 100_000, 'test');
  await service.advance(61);
  await waitFor('it is sent', async () => {
    const { fallback } = await poor.get<Shipment>(`/shipments/${id}`);
    return fallback!.state === 'ended' && fallback!.sent === 1;
  });
});

test('an estimate tells how many second messages there will be, and their price', async () => {
  const phones = Array.from({ length: 100 }, newPhone);
  const estimate = (fallback: object | null, over: object = {}) =>
    calls.post<{ cost: string; fallback: { messages: number; cost: string } | null }>('/sms/estimate', {
      ...{ message: sms.message, phones, fallback },
      ...over,
    });
  const first = await waitFor('the messages of this hour are counted', async () => {
    const answer = await estimate({ channel: 'voice' });
    return answer.fallback && { ...answer, fallback: answer.fallback };
  });
  const { messages, cost } = first.fallback;
  assert.ok(messages > 0 && messages <= phones.length);
  assert.ok(Number(cost) > 0);
  assert.equal((await estimate(null)).fallback, null);
  assert.equal((await estimate(null)).cost, first.cost);
  assert.equal((await estimate({ channel: 'chat' }, { tts: { type: 3 } })).fallback, null);
});

test('a fallback that cannot be sent is refused with its field, and nothing is stored', async () => {
  const two = { ...byChat, template_id: templateId('two') };
  const cases: readonly [object, string, string][] = [
    [{ fallback: { channel: 'fax' } }, 'bad-field', 'fallback.channel'],
    [{ fallback: { channel: 'sms' } }, 'bad-field', 'fallback.channel'],
    [{ fallback: { ...byChat, after_minutes: 4 } }, 'bad-field', 'fallback.after_minutes'],
    [{ fallback: { ...byChat, after_minutes: 1_441 } }, 'bad-field', 'fallback.after_minutes'],
    [{ fallback: { channel: 'chat' } }, 'bad-field', 'fallback.source'],
    [{ fallback: { ...byChat, template_id: undefined } }, 'bad-field', 'fallback.template_id'],
    [{ fallback: { ...byChat, source: '972550009999' } }, 'unknown-source', 'fallback.source'],
    [{ fallback: { ...byChat, template_id: 'none' } }, 'unknown-template', 'fallback.template_id'],
    [
      { fallback: { ...byChat, template_id: templateId('banned') } },
      'template-not-usable',
      'fallback.template_id',
    ],
    [{ fallback: two }, 'bad-variables', 'fallback.template_id'],
    [{ fallback: { channel: 'voice', text: 'https://example.com' } }, 'bad-message', 'fallback.text'],
    [{ fallback: { channel: 'voice', rate: 11 } }, 'bad-field', 'fallback.rate'],
    [{ fallback: byChat, tts: { type: 3 } }, 'bad-field', 'fallback'],
    [{ fallback: { channel: 'voice' }, tts: { type: 4 } }, 'bad-field', 'fallback.channel'],
  ];
  const before = await countEverything(sql);
  for (const [body, code, field] of cases) {
    const answer = await calls.refused('POST', '/sms', { ...sms, phones: [newPhone()], ...body });
    assert.deepEqual(answer.slice(0, 2), [code, field], JSON.stringify(body));
  }
  assert.deepEqual(await countEverything(sql), before);
  const rows = await sql`SELECT FROM fallbacks WHERE account_id = ${demo.id} AND state = 'open'`;
  assert.equal(rows.length, 0);
});
