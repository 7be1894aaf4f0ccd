import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SenderQueue } from '../../../server/protocols/smpp/sender-queue.ts';
import { ConnectorUnderTest, startSmsc } from './support.ts';

/* `senderMessagesPerSecond`: a sender over its rate waits, and other senders do not. */

interface Part {
  readonly source: string;
  readonly number: number;
}

const TIME = 1_800_000_000_000;

/** A queue on a clock that is advanced by hand, and the submits with their times. */
function startQueue(t: TestContext, perSecond: number, maxHeld: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const submits: { at: number; part: Part }[] = [];
  let now = 0;
  let number = 0;
  const pass = (part: Part) => {
    if (!queue.mayPass(part, now)) return;
    queue.took(part, now);
    submits.push({ at: now, part });
  };
  const queue = new SenderQueue<Part>(perSecond, maxHeld, pass);
  return {
    queue,
    submits,
    advance(milliseconds: number) {
      for (let left = milliseconds; left > 0; left--) {
        now++;
        t.mock.timers.tick(1);
      }
    },
    /** The time to which the message is deferred, if it is. */
    submit(source: string, parts = 1): number | undefined {
      const until = queue.deferral(source, parts, now, TIME + now);
      if (until === undefined) for (let part = 0; part < parts; part++) pass({ source, number: number++ });
      return until;
    },
    of: (source: string) => submits.filter(({ part }) => part.source === source),
  };
}

test('a sender keeps its rate and the order of its messages, and others have no delay', (t) => {
  const { submit, submits, advance, of } = startQueue(t, 10, 100);
  for (let i = 0; i < 30; i++) assert.equal(submit('A'), undefined);
  assert.equal(submits.length, 1);
  submit('B');
  assert.equal(of('B').length, 1);
  for (let step = 0; step < 100; step++) {
    advance(30);
    if (step % 10 === 0) submit('A');
  }
  advance(2_000);
  const mine = of('A');
  assert.equal(mine.length, 40);
  assert.deepEqual(
    mine.map(({ part }) => part.number),
    mine.map(({ part }) => part.number).toSorted((one, other) => one - other),
  );
  for (const [index, { at }] of mine.entries())
    if (index >= 10) assert.ok(at - mine[index - 10]!.at >= 1_000 - 10, `${index}: ${at}`);
  assert.ok(mine.at(-1)!.at <= 4_100, `${mine.at(-1)!.at}`);
});

test('each part counts, also of a message with more parts than may wait', (t) => {
  const { submit, submits, advance } = startQueue(t, 10, 2);
  submit('A', 5);
  assert.equal(submits.length, 1);
  advance(390);
  assert.equal(submits.length, 4);
  advance(20);
  assert.equal(submits.length, 5);
});

test('messages with later turns are deferred, each group to a time at which it has room', (t) => {
  const { submit, queue } = startQueue(t, 10, 20);
  const untils = Array.from({ length: 200 }, () => submit('A'));
  assert.equal(queue.length, 20);
  const deferred = untils.slice(21);
  assert.ok(untils.slice(0, 21).every((until) => until === undefined));
  assert.ok(deferred.every((until) => until! >= TIME + 12_000 && until! % 5_000 === 0));
  const groups = Object.values(Object.groupBy(deferred, String)).map((group) => group!.length);
  // From 12.1 s on, ten in each second, in groups of five seconds.
  assert.deepEqual(groups, [30, 50, 50, 49]);
  assert.equal(submit('B'), undefined);
});

test('a sender within its rate is never deferred, even when others fill the queue', (t) => {
  const { submit, advance } = startQueue(t, 10, 5);
  for (let i = 0; i < 50; i++) submit('A');
  for (let i = 0; i < 20; i++) {
    assert.equal(submit('B'), undefined);
    advance(100);
  }
});

test('a connector that stops gives waiting messages back, and does not send them', async (t) => {
  let taken = 0;
  const { port } = await startSmsc(t, { onSubmit: () => taken++ });
  const connector = await new ConnectorUnderTest(t, port, { senderMessagesPerSecond: 1, window: 20 }).up();
  const ids = Array.from({ length: 5 }, () => connector.submit());
  assert.equal((await connector.outcome(ids[0]!)).kind, 'accepted');
  await connector.carrier.stop(50);
  for (const id of ids.slice(1))
    assert.deepEqual(await connector.outcome(id), { kind: 'retry', code: 'LINK_DOWN' });
  assert.equal(taken, 1);
});

test('the connector submits all messages once, those of a fast sender at its rate', async (t) => {
  const taken: { from: string; at: number }[] = [];
  const { port } = await startSmsc(t, {
    onSubmit: ({ from }) => taken.push({ from, at: performance.now() }),
  });
  const connector = await new ConnectorUnderTest(t, port, { senderMessagesPerSecond: 50, window: 40 }).up();
  const now = Date.now();
  const fast = Array.from({ length: 60 }, () => connector.submit({ source: 'FAST' }));
  const others = Array.from({ length: 10 }, (_, at) => connector.submit({ source: `S${at}` }));
  for (const id of others) assert.equal((await connector.outcome(id)).kind, 'accepted');
  const outcomes = await Promise.all(fast.map((id) => connector.outcome(id)));
  const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
  assert.equal(accepted.length, 21);
  for (const outcome of outcomes) {
    if (outcome.kind === 'accepted') continue;
    assert.ok(outcome.kind === 'retry' && outcome.code === 'SENDER_RATE', JSON.stringify(outcome));
    assert.ok(outcome.until! > now + 11_000 && outcome.until! < now + 30_000);
  }
  const mine = taken.filter(({ from }) => from === 'FAST');
  assert.equal(taken.length, 31);
  assert.ok(mine.at(-1)!.at - mine[0]!.at >= 20 * 20 - 60);
});
