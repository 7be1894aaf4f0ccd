import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OutgoingMessage, SubmitOutcome } from '../../../server/engine/carriers/carrier.ts';
import {
  ChatConnector,
  type ChatConnectorOptions,
} from '../../../server/protocols/chat-platform/connector.ts';
import { covers } from '../../conformance/covers.ts';
import { CLIENT, number, type PlatformUnderTest, startPlatform, templateMessage } from './support.ts';

/** A business number as a connector of the dispatcher, on the sandbox's platform. */

interface Rate {
  readonly messagesPerSecond?: number;
  readonly clientPauseMs?: number;
}

/** A connector that submits messages as fast as it takes them, as the dispatcher does. */
function startConnector(t: TestContext, { client }: PlatformUnderTest, rate: Rate = {}) {
  const waiting: { message: OutgoingMessage; settle: (outcome: SubmitOutcome) => void }[] = [];
  const { messagesPerSecond = 0, clientPauseMs = 0 } = rate;
  const options: ChatConnectorOptions = {
    name: 'chat/test',
    client,
    read: ({ destination }) => templateMessage('plain', destination),
    refusedStatus: 101,
    window: 20,
    clientPauseMs,
  };
  const connector = new ChatConnector({ ...number, messagesPerSecond }, options);
  let maxUnderWay = 0;
  let underWay = 0;
  const feed = () => {
    for (let room = connector.capacity(); room > 0 && waiting.length > 0; room--) {
      const { message, settle } = waiting.shift()!;
      maxUnderWay = Math.max(maxUnderWay, ++underWay);
      connector.submit(message, (outcome) => {
        underWay--;
        settle(outcome);
      });
    }
  };
  const nothing = async () => {};
  connector.start({
    receipt: nothing,
    incoming: nothing,
    incomingPart: nothing,
    late: () => {},
    ready: feed,
  });
  t.after(() => connector.stop(0));
  let ids = 0;
  return {
    connector,
    most: () => maxUnderWay,
    send: (destination: string) =>
      new Promise<SubmitOutcome>((settle) => {
        const id = ++ids;
        const message = { accountId: 1, id, source: '', destination, payload: '', validUntil: 0 };
        waiting.push({ message, settle });
        feed();
      }),
  };
}

const clients = (count: number) =>
  Array.from({ length: count }, (_, index) => String(972_501_000_017 + index * 100));
const kinds = (outcomes: readonly SubmitOutcome[]) => [...new Set(outcomes.map(({ kind }) => kind))];

const retried = ({ kind, ...more }: SubmitOutcome) => [kind, 'code' in more && more.code];

test(
  'as fast as the number may be: a platform that counts each second refuses none',
  covers('chatLimits.throttle'),
  async (t) => {
    // Two halves of neighbouring seconds, and what may go at once, are within 30.
    const under = await startPlatform(t, { messagesPerSecond: 30 });
    const { send } = startConnector(t, under, { messagesPerSecond: 20 });
    assert.deepEqual(kinds(await Promise.all(clients(50).map(send))), ['accepted']);
  },
);

test(
  'a pause between two messages to one client, and none between clients',
  covers('chatLimits.throttle'),
  async (t) => {
    const under = await startPlatform(t, { pairPauseMs: 50, pairBurst: 1 });
    const { send } = startConnector(t, under, { clientPauseMs: 500 });
    const [other] = clients(1);
    const settled: string[] = [];
    const outcomes = await Promise.all(
      [CLIENT, CLIENT, CLIENT, other!].map(async (destination) => {
        const outcome = await send(destination);
        settled.push(destination);
        return outcome;
      }),
    );
    assert.deepEqual(kinds(outcomes), ['accepted']);
    assert.deepEqual(settled.slice(2), [CLIENT, CLIENT]);
  },
);

test('no more under way than its window', async (t) => {
  const under = await startPlatform(t, { answerDelayMs: 20 });
  const { send, most } = startConnector(t, under);
  assert.deepEqual(kinds(await Promise.all(clients(100).map(send))), ['accepted']);
  assert.equal(most(), 20);
});

test(
  'throttled: the message returns to the queue, nothing more is taken, and sending resumes later',
  covers('chatPlatform.throttling'),
  async (t) => {
    const under = await startPlatform(t, { refuse: () => 130429 });
    const { connector, send } = startConnector(t, under);
    assert.deepEqual(await send(CLIENT), { kind: 'again' });
    assert.equal(connector.capacity(), 0);
    under.platform.change({ refuse: null });
    assert.equal((await send(CLIENT)).kind, 'accepted');
  },
);

test('what passes for this message alone is tried again later, what is final is refused with its word', async (t) => {
  const under = await startPlatform(t, { refuse: () => 131016 });
  const { connector, send } = startConnector(t, under);
  assert.deepEqual(retried(await send(CLIENT)), ['retry', 'platform']);
  assert.equal(connector.capacity(), 20);
  under.platform.change({ refuse: () => 131026 });
  assert.deepEqual(await send(CLIENT), { kind: 'refused', status: 101, code: 'no-such-number' });
});

test('the platform is away: the message comes back', covers('chatPlatform.away'), async (t) => {
  const under = await startPlatform(t);
  await under.platform.stopListening();
  const { connector, send } = startConnector(t, under);
  assert.deepEqual(await send(CLIENT), { kind: 'again' });
  assert.equal(connector.up, true);
});

test(
  'stopped while a lost answer waits for its webhook, and while a client has their pause',
  covers('chatPlatform.cut off'),
  async (t) => {
    const under = await startPlatform(t);
    const { connector, send } = startConnector(t, under, { clientPauseMs: 60_000 });
    // 0008: taken, and the connection is cut in place of the answer.
    const lost = send('972501110008');
    assert.equal((await send(CLIENT)).kind, 'accepted');
    const paused = send(CLIENT);
    await connector.stop(100);
    assert.equal((await lost).kind, 'unknown');
    assert.deepEqual(await paused, { kind: 'again' });
    assert.deepEqual([connector.up, connector.capacity()], [false, 0]);
  },
);

test('a number whose settings change is as fast as they say', async (t) => {
  const under = await startPlatform(t);
  const { connector, send } = startConnector(t, under, { messagesPerSecond: 1 });
  assert.equal(connector.capacity(), 1);
  connector.update({ ...number, messagesPerSecond: 0 });
  assert.equal(connector.capacity(), 20);
  connector.update({ ...number, token: 'another', messagesPerSecond: 0 });
  assert.deepEqual(await send(CLIENT), { kind: 'again' });
});
