import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, type Calls } from '../api/v1/calls.ts';
import { hoursFrom, newAccountWith } from '../modules/sending-policy/support.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * An agent, who may only answer clients, uses "New conversation" to write to strangers: at night, abroad, without consent, more
 * often than the policy of the account allows. An exemption needs evidence, which the gate looks up.
 */

const service = await startTestService();
const { sql, appContext } = service;
const { clock } = appContext;
let accounts = 0;

/** An account with a number of its own, an agent, and a sending policy that holds single messages, too. */
async function desk(policy: object) {
  const { account, calls } = await newAccountWith(service, `exempt-${++accounts}`, {
    applies_to: 'all',
    ...policy,
  });
  const number = `97255200${String(accounts).padStart(4, '0')}`;
  await appContext.sources.approve(account.id, number, { incoming: true });
  const agent = await asPerson(service, 'agent', account.id);
  const begin = async (client: string) =>
    (await agent.post<{ id: string }>('/conversations', { channel: 'sms', sender: number, client })).id;
  return { account, calls, number, agent, begin };
}

/** A local number as the database has it. */
const stored = (phone: string) => `972${phone.slice(1)}`;

const reply = (agent: Calls, id: string, over = {}) =>
  agent.fetch('POST', `/conversations/${id}/replies`, { text: 'Buy now', ...over });
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code];
};
/** Waits until a client's message is in the conversation. */
const written = (accountId: number, phone: string) =>
  waitFor('the message is stored', async () => {
    const rows =
      await sql`SELECT 1 FROM incoming WHERE account_id = ${accountId} AND source = ${stored(phone)}`;
    return rows.length > 0;
  });
const ruleOf = async (accountId: number) => {
  const [row] = await sql<{ sending_rule: { exempt?: Record<string, number> } | null }[]>`
    SELECT sending_rule FROM shipments WHERE account_id = ${accountId} ORDER BY id DESC LIMIT 1`;
  return row!.sending_rule;
};

test('an agent cannot write to a stranger at a forbidden hour by beginning a conversation', async () => {
  const { agent, begin } = await desk({ hours: hoursFrom(clock, 3).week, outside_hours: 'refuse' });
  assert.deepEqual(await refusal(await reply(agent, await begin(newPhone()))), [409, 'not-now']);
});

test('an agent cannot write to a stranger without a consent by beginning a conversation', async () => {
  const { agent, begin } = await desk({ consent: 'marketing' });
  assert.deepEqual(await refusal(await reply(agent, await begin(newPhone()))), [409, 'not-now']);
});

test('an agent cannot exceed the frequency cap by beginning a conversation', async () => {
  const { agent, begin } = await desk({
    caps: [{ messages: 1, hours: 24, channel: null }],
    over_cap: 'refuse',
  });
  const phone = newPhone();
  const id = await begin(phone);
  for (const text of ['first', 'second']) assert.equal((await reply(agent, id, { text })).status, 202);
  await waitFor('the second one fails', async () => {
    const rows =
      await sql`SELECT 1 FROM messages WHERE recipient = ${stored(phone)} AND code = 'FREQUENCY_CAP'`;
    return rows.length === 1;
  });
  assert.equal((await service.phone(phone)).length, 1);
});

test('an agent cannot write abroad by beginning a conversation, unless the request allows it', async () => {
  const { agent, begin } = await desk({});
  const id = await begin('447700900123');
  assert.deepEqual(await refusal(await reply(agent, id)), [400, 'bad-destination']);
  assert.equal((await reply(agent, id, { includes_international: true })).status, 202);
});

test('an agent cannot write to a blacklisted number by beginning a conversation', async () => {
  const { agent, begin, calls } = await desk({});
  const phone = newPhone();
  await calls.post('/blacklist', { phones: [phone] });
  assert.deepEqual(await refusal(await reply(agent, await begin(phone))), [400, 'all-blocked']);
});

test('an answer within 24 hours is exempt and carries the id of the message that it answers', async () => {
  const held = { hours: hoursFrom(clock, 3).week, outside_hours: 'refuse', consent: 'marketing' };
  const { account, agent, begin, number } = await desk(held);
  const phone = newPhone();
  await service.sendFromPhone(phone, number, 'Are you open?');
  await written(account.id, phone);
  const id = await begin(phone);
  assert.equal((await reply(agent, id)).status, 202);
  const [incoming] = await sql<{ id: number }[]>`SELECT id FROM incoming WHERE source = ${stored(phone)}`;
  assert.equal((await ruleOf(account.id))?.exempt?.reply, incoming!.id);
  // The message of one client is no evidence for another.
  assert.deepEqual(await refusal(await reply(agent, await begin(newPhone()))), [409, 'not-now']);
  await waitFor('it arrives', async () => (await service.phone(phone)).length === 1);
});

test('an answer after 24 hours is held to the policy like any send', async () => {
  const { account, begin, number } = await desk({ consent: 'marketing' });
  const phone = newPhone();
  await service.sendFromPhone(phone, number, 'Are you open?');
  await written(account.id, phone);
  const id = await begin(phone);
  await service.advance(25 * 3_600);
  const later = await asPerson(service, 'agent', account.id);
  assert.deepEqual(await refusal(await reply(later, id)), [409, 'not-now']);
});

test('a code and a verification carry the id of their row', async () => {
  const { account, calls } = await desk({ hours: hoursFrom(clock, 3).week, outside_hours: 'refuse' });
  const phone = newPhone();
  await calls.post('/otp', { phone, source: 'Shop', text: '[code]' }, 202);
  const [code] = await sql<{ id: number }[]>`SELECT id FROM otp_sends WHERE phone = ${stored(phone)}`;
  assert.equal((await ruleOf(account.id))?.exempt?.code, code!.id);
  const owner = await asPerson(service, 'owner', account.id);
  const mine = newPhone();
  await owner.post('/sources/verify', { phones: [mine] });
  const [asked] = await sql<
    { id: number }[]
  >`SELECT id FROM phone_verifications WHERE phone = ${stored(mine)}`;
  assert.deepEqual((await ruleOf(account.id))?.exempt?.verification, [asked!.id]);
});
