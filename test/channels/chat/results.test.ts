import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import { chatChannel } from '../../../server/channels/chat/channel.ts';
import { chatRoute } from '../../../server/channels/chat/statuses.ts';
import { waitersFor } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait-for.ts';
import { HOUR, newClient } from './admissions.ts';
import { createCampaignBench } from './campaign-bench.ts';

/** Outcomes of chat messages, and what they do to windows, wallets and events. */
const bench = await createCampaignBench();
const { sql, clock, recorder, canceller } = bench;
const number = await bench.newNumber((await bench.newAccount()).id);
const { accountId } = number;
const template = await bench.newTemplate(number);

/** A campaign to one client, made and not submitted. */
async function waiting(client: string, from: ChatNumber = number) {
  const { id } = await bench.create(from, template, { phones: [client] });
  await bench.expand();
  const [message] = await bench.messagesOf(id);
  assert.equal(message!.status, -1);
  const messageId = message!.id;
  const target = {
    accountId,
    messageId,
    phone: client,
    shipmentId: id,
    channel: chatChannel.id,
    connector: chatRoute(from.phone),
  };
  return { id, target, taken: { ...target, handedAt: clock.now(), carrierKeys: [`wamid.${messageId}`] } };
}

const balance = () => bench.balance(accountId);

test('cancelled in the moment in which the platform takes it: paid, counted, and its conversation open', async () => {
  const client = newClient();
  const before = await balance();
  const { id, taken } = await waiting(client);
  await canceller.byId(accountId, id);
  assert.equal(await balance(), before);
  const undone = await bench.window(number, client);
  assert.deepEqual([undone.unanswered, undone.conversationAt], [0, null]);
  recorder.add(taken);
  await recorder.drain();
  assert.equal(await balance(), before - 1);
  const { unanswered, conversationAt } = await bench.window(number, client);
  assert.equal(unanswered, 1);
  assert.ok(Math.abs(conversationAt! - clock.now()) < 60_000);
  // One more is the last without an answer, in the same conversation.
  assert.deepEqual(await bench.admitOne(number, client).then(({ problem, price }) => [problem, price]), [
    null,
    0,
  ]);
  assert.equal((await bench.admitOne(number, client)).problem, 'two-unanswered');
});

test('the windows are locked before the wallet', async () => {
  const [reinstated, refused] = [newClient(), newClient()];
  const first = await waiting(reinstated);
  const second = await waiting(refused);
  await canceller.byId(accountId, first.id);
  const window = await sql.reserve();
  try {
    await window`BEGIN`;
    await window`SELECT 1 FROM chat_windows WHERE account_id = ${accountId} AND client = ${refused} FOR UPDATE`;
    recorder.add(first.taken);
    recorder.add({ ...second.target, failure: 101, code: 'no-such-number', refund: true });
    await waitFor('the recorder waits for the window', async () => {
      const waiters = await waitersFor(window);
      return waiters.length > 0;
    });
    // As a message to that client does, which has its window and now wants to pay.
    await window`SELECT 1 FROM wallets WHERE account_id = ${accountId} FOR UPDATE NOWAIT`;
  } finally {
    await window`ROLLBACK`;
    window.release();
  }
  await recorder.drain();
  assert.equal((await bench.window(number, reinstated)).unanswered, 1);
  assert.equal((await bench.window(number, refused)).unanswered, 0);
});

test('a template that was answered before it is cancelled: one that was sent since is still unanswered', async () => {
  const client = newClient();
  const { id } = await waiting(client);
  clock.advance(HOUR);
  await bench.writes(number, client);
  clock.advance(HOUR);
  await bench.admitOne(number, client);
  await canceller.byId(accountId, id);
  assert.equal((await bench.window(number, client)).unanswered, 1);
});

test('the webhook reports first, through another process: each status is reported once, and never reverts', async () => {
  const client = newClient();
  const heard = await bench.hear(accountId);
  const { taken } = await waiting(client);
  recorder.add({ ...taken, delivered: -1 });
  await recorder.drain();
  recorder.add(taken);
  await recorder.drain();
  const early = await waiting(newClient());
  recorder.add(early.taken);
  await recorder.drain();
  recorder.add(early.taken);
  await recorder.drain();
  const told = (await heard()).flatMap((event) =>
    event.type === 'chat.status' ? [[event.data.message_id, event.data.status]] : [],
  );
  assert.deepEqual(told, [
    [taken.messageId, 'sent'],
    [taken.messageId, 'delivered'],
    [early.taken.messageId, 'sent'],
  ]);
});
