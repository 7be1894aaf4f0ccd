import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureKeys } from '../../../server/channels/failure-reasons.ts';
import { helpedByAnotherChannel } from '../../../server/engine/fallback/reasons.ts';
import type { FallbackShipment } from '../../../server/engine/fallback/sender.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import type { AdjustableClock } from '../../../server/kit/clock.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import { ownCodes, status } from '../../../server/kit/statuses.ts';
import { openModules } from '../../../server/run/modules.ts';
import { newPhones, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';

/*
 * Which messages another channel replaces, and when: with a channel that records what it is to send. What the channels
 * send: sends.test.ts.
 */

const MINUTE_MS = 60_000;
const AFTER_MS = 30 * MINUTE_MS;
const CHAT = 1;

const service = await startTestService({ sandbox: false, settings: { VERIFY_SOURCES: 'off' } });
const { sql } = service;
const { ids } = service.appContext;
const clock = service.appContext.clock as AdjustableClock;
const { acceptor, canceller, control, fallbacks, work } = await openModules(
  service.appContext,
  ['api'],
  undefined,
);
const account = await service.addAccount({ username: 'sender' }, 100_000);

/** What the other channel was asked to send and has stored. */
let sent: FallbackShipment[] = [];
/** Called before the transaction of a shipment, at its end, and after its commit. */
let before: () => unknown = () => {};
let after: () => unknown = () => {};
let committed: () => unknown = () => {};

fallbacks.add(CHAT, {
  read: async () => ({ text: 'Hello by chat' }),
  async send(shipment, within) {
    await before();
    await sql.begin(async (tx) => {
      await within(tx, ids.next());
      await after();
    });
    sent.push(shipment);
    await committed();
  },
});

const advance = (milliseconds: number) => clock.advanceTo(clock.offset + milliseconds);

/** Does the work that is due. */
async function look(): Promise<void> {
  const job = work.jobs.find(({ owner }) => owner === 'fallbacks')!;
  await job.step();
}

interface Send {
  readonly accountId?: number;
  readonly phones?: readonly string[];
  readonly dueAt?: number | null;
}

/** Accepts an SMS to phones with a fallback; returns the shipment and its messages in the order of the phones. */
async function send({ accountId = account.id, phones = newPhones(1), dueAt = null }: Send = {}) {
  const terms = { accountId, source: 'Shop', international: false, rule: null, dueAt };
  const beside = await fallbacks.read(
    { channel: CHAT, afterMs: AFTER_MS, input: {} },
    { ...terms, message: 'Hello', dynamic: false, removal: null, channels: [0] },
  );
  const id = await acceptor.accept({
    ...terms,
    lane: phones.length > 1 ? lanes.bulk : lanes.single,
    campaignName: null,
    text: 'Hello',
    items: phones.map((phone) => ({ phone: stored(phone), externalId: null, source: null, text: null })),
    recentDays: null,
    beside,
  });
  const messages = await sql<{ id: number }[]>`
    SELECT id FROM messages WHERE account_id = ${accountId} AND shipment_id = ${id} ORDER BY id`;
  sent = [];
  return { id, messages: messages.map((message) => message.id) };
}

/** Gives messages an outcome, as results and receipts do. */
async function ends(
  messages: readonly number[],
  ended: number,
  { code = null, submitted = true }: { code?: string | null; submitted?: boolean } = {},
): Promise<void> {
  const now = clock.now();
  await sql`
    UPDATE messages SET status = ${ended}, code = ${code}, handed_at = ${submitted ? now : null}, final_at = ${now}
    WHERE id = ANY(${`{${messages.join()}}`}::bigint[])`;
}

const submitted = (messages: readonly number[]) => sql`
  UPDATE messages SET handed_at = ${clock.now()} WHERE id = ANY(${`{${messages.join()}}`}::bigint[])`;

async function stateOf(id: number) {
  const [row] = await sql<{ state: string; reason: string | null; content: string | null }[]>`
    SELECT state, reason, content FROM fallbacks WHERE id = ${id}`;
  const items = await sql`SELECT FROM work WHERE kind = 'fallback' AND key = ${id}`;
  assert.equal(items.length, row!.state === 'open' ? 1 : 0);
  assert.equal(row!.content === null, row!.state === 'ended');
  return [row!.state, row!.reason];
}

const replaced = () => sent.flatMap(({ messages }) => messages.map((message) => message.id));

test('a failed message is replaced once', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  advance(5_000);
  await look();
  assert.deepEqual(replaced(), messages);
  assert.deepEqual(
    sent.map(({ fallbackOf, isCampaign }) => [fallbackOf, isCampaign]),
    [[id, false]],
  );
  assert.deepEqual(await stateOf(id), ['ended', null]);
  advance(AFTER_MS);
  await look();
  assert.equal(sent.length, 1);
});

test('a message without a delivery is replaced after its time, and a delivered one is not', async () => {
  const { id, messages } = await send({ phones: newPhones(2) });
  const [late, delivered] = messages as [number, number];
  await submitted(messages);
  advance(AFTER_MS - MINUTE_MS);
  await look();
  assert.deepEqual(sent, []);
  await ends([delivered], status.delivered);
  // A campaign is looked at every three minutes at most.
  advance(4 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), [late]);
  assert.deepEqual(
    sent.map(({ isCampaign }) => isCampaign),
    [true],
  );
  assert.deepEqual(await stateOf(id), ['ended', null]);
});

test('a message that waits is not replaced before it expires', async () => {
  const { id, messages } = await send();
  for (let hour = 0; hour < 3; hour++) {
    advance(60 * MINUTE_MS);
    await look();
  }
  assert.deepEqual(sent, []);
  assert.deepEqual(await stateOf(id), ['open', null]);
  await ends(messages, status.expired, { code: ownCodes.expired, submitted: false });
  advance(AFTER_MS);
  await look();
  assert.deepEqual(replaced(), messages);
});

test('failures that hold on every channel are not replaced', async () => {
  const failures: readonly [number, string | null][] = [
    [status.blockedOnRequest, null],
    [status.notAtThisHour, ownCodes.noConsent],
    [status.notAtThisHour, ownCodes.sendingHours],
    [status.notAtThisHour, ownCodes.frequencyCap],
    [status.noPermission, ownCodes.deniedRange],
    [status.noCredit, null],
    [status.deleted, 'CANCELLED'],
    [17, null],
  ];
  const { id, messages } = await send({ phones: newPhones(failures.length + 1) });
  for (const [at, [ended, code]] of failures.entries()) {
    await ends([messages[at]!], ended, { code, submitted: false });
  }
  await ends(messages.slice(-1), status.timeout);
  advance(5 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), messages.slice(-1));
  assert.deepEqual(await stateOf(id), ['ended', null]);
});

test('every reason that another channel may avoid is a reason of failures', () => {
  for (const key of helpedByAnotherChannel) assert.ok(failureKeys.includes(key), key);
});

test('a process that is killed before the commit replaces nothing, and the next one all', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  after = () => {
    throw new Error('killed');
  };
  advance(5_000);
  await look();
  assert.deepEqual(sent, []);
  assert.equal((await sql`SELECT FROM fallback_messages WHERE fallback_of = ${id}`).length, 0);
  after = () => {};
  advance(2 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), messages);
});

test('a process that is killed after the commit has replaced all, and the next one replaces nothing', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  advance(5_000);
  // Another process claims the item before this one stores that it has ended.
  committed = () => sql`UPDATE work SET lease_epoch = lease_epoch + 1, lease_until = 0 WHERE key = ${id}`;
  await look();
  committed = () => {};
  assert.deepEqual(replaced(), messages);
  advance(2 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), messages);
  assert.deepEqual(await stateOf(id), ['ended', null]);
});

test('a process whose lease ran out stores nothing', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  advance(5_000);
  let attempts = 0;
  before = async () => {
    if (attempts++ === 0)
      await sql`UPDATE work SET lease_epoch = lease_epoch + 1, lease_until = 0 WHERE key = ${id}`;
  };
  await look();
  before = () => {};
  // The second attempt is that of the new lease.
  assert.equal(attempts, 2);
  assert.deepEqual(replaced(), messages);
  assert.equal((await sql`SELECT FROM fallback_messages WHERE fallback_of = ${id}`).length, 1);
});

test('many recipients are sent in shipments of 1,000', async () => {
  const { id, messages } = await send({ phones: newPhones(2_001) });
  await ends(messages, status.undelivered);
  advance(5 * MINUTE_MS);
  await look();
  assert.deepEqual(
    sent.map((shipment) => shipment.messages.length),
    [1_000, 1_000, 1],
  );
  assert.deepEqual(new Set(replaced()), new Set(messages));
  assert.deepEqual(await stateOf(id), ['ended', null]);
});

test('each account has its own fallbacks', async () => {
  const accounts = await Promise.all(
    ['one', 'two', 'three'].map((username) => service.addAccount({ username })),
  );
  const sends = await Promise.all(accounts.map(({ id: accountId }) => send({ accountId })));
  for (const { messages } of sends) await ends(messages, status.undelivered);
  advance(5_000);
  await look();
  assert.deepEqual(new Set(sent.map(({ accountId }) => accountId)), new Set(accounts.map(({ id }) => id)));
  assert.deepEqual(new Set(replaced()), new Set(sends.flatMap(({ messages }) => messages)));
});

test('a cancelled send is not continued by another channel', async () => {
  const { id, messages } = await send({ phones: newPhones(2) });
  await ends(messages.slice(0, 1), status.undelivered);
  await canceller.byId(account.id, id);
  advance(5 * MINUTE_MS);
  await look();
  assert.deepEqual(sent, []);
  assert.deepEqual(await stateOf(id), ['ended', 'cancelled']);
});

test('cancelling a send whose messages were all submitted ends its fallback', async () => {
  const { id, messages } = await send({ phones: newPhones(2) });
  await submitted(messages);
  const { cancelled, refunded } = await canceller.byId(account.id, id);
  assert.deepEqual([cancelled, refunded], [0, 0]);
  advance(2 * AFTER_MS);
  await look();
  assert.deepEqual(sent, []);
  assert.deepEqual(await stateOf(id), ['ended', 'cancelled']);
  await assert.rejects(canceller.byId(account.id, id), Refusal);
});

test('a send that is cancelled while its messages are being replaced sends nothing', async () => {
  const { id, messages } = await send({ phones: newPhones(2) });
  await ends(messages.slice(0, 1), status.undelivered);
  before = () => canceller.byId(account.id, id);
  advance(5 * MINUTE_MS);
  await look();
  before = () => {};
  assert.deepEqual(sent, []);
  advance(MINUTE_MS);
  await look();
  assert.deepEqual(await stateOf(id), ['ended', 'cancelled']);
});

test('a paused send waits until it is resumed', async () => {
  const { id, messages } = await send({ phones: newPhones(2) });
  await ends(messages.slice(0, 1), status.undelivered);
  await control.pause(account.id, id);
  advance(5 * MINUTE_MS);
  await look();
  assert.deepEqual(sent, []);
  assert.deepEqual(await stateOf(id), ['open', 'paused']);
  await control.resume(account.id, id);
  advance(5 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), messages.slice(0, 1));
  assert.deepEqual(await stateOf(id), ['open', null]);
});

test('a scheduled send is looked at after its start, also when it starts earlier', async () => {
  const { id, messages } = await send({ phones: newPhones(2), dueAt: clock.now() + 24 * 60 * MINUTE_MS });
  advance(10 * MINUTE_MS);
  await look();
  assert.deepEqual(await stateOf(id), ['open', null]);
  await control.reschedule(account.id, id, clock.now());
  await sql`UPDATE shipments SET state = 1 WHERE id = ${id}`;
  await ends(messages, status.undelivered);
  advance(10 * MINUTE_MS);
  await look();
  assert.deepEqual(replaced(), messages);
});

test('a refusal of the other channel is tried again for a day', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  before = () => {
    throw new Refusal('no-credit', 'not enough credit');
  };
  advance(5_000);
  await look();
  assert.deepEqual(await stateOf(id), ['open', 'no-credit']);
  advance(23 * 60 * MINUTE_MS);
  await look();
  assert.deepEqual(await stateOf(id), ['open', 'no-credit']);
  advance(61 * MINUTE_MS);
  await look();
  before = () => {};
  assert.deepEqual(await stateOf(id), ['ended', 'no-credit']);
  assert.deepEqual(sent, []);
});

test('recipients whom the other channel refuses are passed over', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  before = () => {
    throw new Refusal('all-blocked', 'every destination is on a blocked list');
  };
  advance(5_000);
  await look();
  before = () => {};
  assert.deepEqual(await stateOf(id), ['ended', null]);
  const rows = await sql<{ shipment_id: number | null }[]>`
    SELECT shipment_id FROM fallback_messages WHERE id = ${messages[0]!}`;
  assert.deepEqual([...rows], [{ shipment_id: null }]);
});

test('somebody whose data was erased receives nothing', async () => {
  const { id, messages } = await send();
  await ends(messages, status.undelivered);
  await sql`UPDATE messages SET recipient = 'erased-1f3b' WHERE id = ${messages[0]!}`;
  advance(5_000);
  await look();
  assert.deepEqual(sent, []);
  assert.deepEqual(await stateOf(id), ['ended', null]);
});
