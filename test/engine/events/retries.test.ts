import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import type { Sql } from '../../../server/database/connection.ts';
import { EndpointRefused } from '../../../server/engine/events/endpoints.ts';
import { insertBatches, LEASE_MS } from '../../../server/engine/events/outbox.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { covers } from '../../conformance/covers.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addAccount, numbersOf, record, startEvents, startReceiver, statusEvent, upTo } from './support.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Milliseconds for 9,000 requests on a slow machine. */
const SLOW_MS = 150_000;

/** A database with account 1, a clock, one instance, and an endpoint of the account. */
async function setting(kind: 'dlr' | 'webhook' = 'dlr', log = createLogger('silent')) {
  const { sql, target } = await createDatabase();
  await addAccount(sql, 1);
  const clock = new AdjustableClock();
  const events = await startEvents(sql, clock, { log });
  const receiver = await startReceiver();
  const endpoint = await events.endpoints.register({ accountId: 1, kind, url: receiver.url });
  return {
    sql,
    target,
    clock,
    events,
    receiver,
    endpoint,
    stored: (...states: ('retrying' | 'failed' | 'done')[]) =>
      events.pendingDeliveries({ accountId: 1, states, most: 10_000 }),
    theEndpoint: async () => (await events.endpoints.list(1)).find((one) => one.id === endpoint.id)!,
    idle: () => waitFor('nothing queued', async () => (await sql`SELECT 1 FROM event_queue`).length === 0),
  };
}

test(
  'what was answered 500 is tried again, with the same id, and then is done',
  covers('events.retried'),
  async () => {
    const { clock, events, receiver, endpoint, stored, sql } = await setting('webhook');
    receiver.answer = (response) => void response.writeHead(500).end(`down\0${'x'.repeat(2_000)}`);
    await record(sql, events, 1, [statusEvent(1, clock.now())]);
    const [delivery] = await waitFor('a stored delivery', async () => {
      const list = await stored('retrying');
      return list.length === 1 ? list : undefined;
    });
    assert.equal(delivery!.attempts, 1);
    assert.equal(delivery!.last_status, 500);
    assert.equal(delivery!.last_error, 'answered 500');
    assert.equal(delivery!.last_answer, `down${'x'.repeat(996)}`);
    assert.ok(
      delivery!.next_at > delivery!.last_at! + 4_999 && delivery!.next_at <= delivery!.last_at! + 6_000,
    );
    receiver.answer = (response) => response.end();
    assert.equal(receiver.received.length, 1);
    clock.advance(7_000);
    const [done] = await waitFor('done', async () => {
      const list = await stored('done');
      return list.length === 1 ? list : undefined;
    });
    assert.equal(done!.attempts, 2);
    const [first, second] = receiver.received;
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    new Webhook(endpoint.secret!).verify(second!.body, second!.headers as Record<string, string>);
    await waitFor('no backlog', async () => (await sql`SELECT 1 FROM event_backlogs`).length === 0);
  },
);

test('after 24 hours an event is failed, and a replay sends it again', covers('events.retried'), async () => {
  const { sql, clock, events, receiver, stored, endpoint } = await setting();
  receiver.answer = (response) => response.writeHead(503).end();
  await record(sql, events, 1, [statusEvent(1, clock.now())]);
  await waitFor('a stored delivery', async () => (await stored('retrying')).length === 1);
  let pauses = 0;
  let last = 0;
  for (;;) {
    const [waiting] = await stored('retrying');
    if (!waiting) break;
    assert.ok(waiting.next_at - waiting.last_at! >= last * 0.8, 'pauses grow');
    last = waiting.next_at - waiting.last_at!;
    pauses++;
    clock.advance(Math.max(0, waiting.next_at - clock.now()) + 60_000);
    await waitFor('the next attempt', async () => {
      const [now] = await stored('retrying');
      return now?.attempts !== waiting.attempts;
    });
  }
  assert.ok(pauses >= 8 && pauses <= 20, String(pauses));
  const [failed] = await stored('failed');
  assert.equal(failed!.last_status, 503);
  receiver.answer = (response) => response.end();
  assert.equal(await events.replay({ accountId: 1, endpointId: endpoint.id, to: clock.now() - 2 * day }), 0);
  assert.equal(await events.replay({ accountId: 1, deliveryId: failed!.id }), 1);
  await waitFor('done', async () => {
    clock.advance(minute);
    return (await stored('done')).length === 1;
  });
  assert.deepEqual(await stored('failed', 'retrying'), []);
});

test('events of a time are replayed whether they were delivered or not', async () => {
  const { sql, clock, events, receiver, endpoint, idle } = await setting();
  await record(sql, events, 1, [statusEvent(0, clock.now())]);
  clock.advance(hour);
  const from = clock.now();
  await record(
    sql,
    events,
    1,
    upTo(60).map((n) => statusEvent(n + 1, from)),
  );
  clock.advance(minute);
  const to = clock.now();
  await record(sql, events, 1, [statusEvent(99, to)]);
  await waitFor('the first time', () => receiver.received.length === 62);
  await idle();
  receiver.received.length = 0;
  await assert.rejects(events.replay({ accountId: 1, delivered: true, from }), EndpointRefused);
  assert.equal(await events.replay({ accountId: 1, endpointId: endpoint.id, delivered: true, from, to }), 60);
  await waitFor('the second time', () => receiver.received.length === 60);
  assert.deepEqual(
    numbersOf(receiver),
    upTo(60).map((n) => n + 1),
  );
});

test('an endpoint that is down keeps its events, and gets each of them when it is back', async () => {
  const { sql, clock, events, receiver, stored, idle } = await setting();
  await receiver.close();
  await record(
    sql,
    events,
    1,
    upTo(700).map((n) => statusEvent(n, clock.now())),
  );
  await idle();
  await record(
    sql,
    events,
    1,
    upTo(700).map((n) => statusEvent(n + 700, clock.now())),
  );
  await idle();
  const waiting = await stored('retrying');
  assert.equal(waiting.length, 1_400);
  // Only a few were attempted: the rest knew that it is down.
  assert.ok(waiting.filter((one) => one.attempts > 0).length <= 100);
  assert.match(waiting.find((one) => one.last_error)!.last_error!, /ECONNREFUSED/);
  const back = await startReceiver(receiver.port);
  await waitFor('all of them', async () => {
    clock.advance(5_000);
    return back.received.length >= 1_400;
  });
  await waitFor('all done', async () => (await stored('done')).length === 1_400);
  assert.deepEqual(numbersOf(back), upTo(1_400));
  await record(sql, events, 1, [statusEvent(2_000, clock.now())]);
  await waitFor('a new one, at once', () => numbersOf(back).includes(2_000));
});

test('an endpoint that is down is two log lines, with its host alone', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const { sql, clock, events, receiver, idle } = await setting('dlr', log);
  receiver.answer = (response) => response.writeHead(500).end();
  for (let batch = 0; batch < 3; batch++) {
    await record(
      sql,
      events,
      1,
      upTo(20).map((n) => statusEvent(batch * 20 + n, clock.now())),
    );
    await idle();
  }
  receiver.answer = (response) => response.writeHead(204).end();
  await waitFor('it is available again', () => {
    clock.advance(60_000);
    return lines.length > 1;
  });
  const [gone, back, ...more] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    [gone!.msg, gone!.level, gone!.account, gone!.receiver, gone!.reason, gone!.outage],
    [
      'webhook endpoint unavailable, its events wait',
      40,
      1,
      new URL(receiver.url).host,
      'answered 500',
      'webhook',
    ],
  );
  assert.deepEqual([back!.msg, back!.endpoint], ['webhook endpoint available again', gone!.endpoint]);
  assert.deepEqual(more, []);
});

test('an event that the endpoint cannot take does not keep others from it', async () => {
  const { sql, clock, events, receiver, stored } = await setting();
  receiver.answer = (response, { body }) => response.writeHead(body.includes('order%200&') ? 500 : 200).end();
  await record(sql, events, 1, [statusEvent(0, clock.now())]);
  await waitFor('it counts as down', async () => {
    clock.advance(10 * minute);
    return (await stored('retrying')).some((one) => one.attempts >= 5);
  });
  await record(
    sql,
    events,
    1,
    upTo(3).map((n) => statusEvent(n + 1, clock.now())),
  );
  await waitFor('the others', async () => {
    clock.advance(10_000);
    return [1, 2, 3].every((n) => numbersOf(receiver).includes(n));
  });
});

test('a slow endpoint holds up neither another account nor its own account’s fast one', async () => {
  const { sql, clock, events, receiver, stored } = await setting();
  const held: (() => void)[] = [];
  receiver.answer = (response) => void held.push(() => response.end());
  const fast = await startReceiver();
  await events.endpoints.register({ accountId: 1, kind: 'dlr', url: fast.url });
  await addAccount(sql, 2);
  const other = await startReceiver();
  await events.endpoints.register({ accountId: 2, kind: 'dlr', url: other.url });
  const count = 9_000;
  const happened = upTo(count).map((n) => statusEvent(n, clock.now()));
  await record(sql, events, 1, happened);
  await record(sql, events, 2, happened.slice(0, 100));
  await waitFor('the other account', () => other.received.length === 100);
  // On a slow machine an attempt that takes too long comes twice.
  await waitFor(
    'the fast one',
    () => fast.received.length >= count && new Set(numbersOf(fast)).size === count,
    SLOW_MS,
  );
  // Nothing of the slow one is lost, nor held in memory: it is stored, and sent at its pace.
  receiver.answer = (response) => response.end();
  for (const end of held) end();
  const arrived = () => [...new Set(numbersOf(receiver))];
  await waitFor(
    'the slow one',
    () => receiver.received.length >= count && arrived().length === count,
    SLOW_MS,
  );
  assert.deepEqual(arrived(), upTo(count));
  await waitFor('no delivery waits', async () => (await stored('retrying')).length === 0);
});

test(
  'after five days of failures an endpoint is off, gets no events, and can be enabled',
  covers('events.switched off'),
  async () => {
    const { sql, clock, events, receiver, stored, theEndpoint } = await setting();
    receiver.answer = (response) => response.writeHead(404).end();
    const since = clock.now();
    // Taken before the clock moves: by the time it has, the next attempt may have failed and been counted already.
    let moved = since;
    await waitFor('off', async () => {
      if (events.wants(1, 'message.status')) await record(sql, events, 1, [statusEvent(1, clock.now())]);
      let looks = 0;
      const { state } = await waitFor('another failure', async () => {
        // Of an attempt that the clock overtook, the next one is reckoned from the later time: it has to pass.
        if (++looks % 50 === 0) clock.advance(5 * minute);
        const now = await theEndpoint();
        return (now.state === 'off' || (now.last_failure_at ?? 0) >= moved) && now;
      });
      if (state === 'active') assert.ok(clock.now() < since + 6 * day, 'not off after six days');
      moved = clock.now();
      clock.advance(state === 'active' ? 6 * hour : 0);
      return state === 'off';
    });
    const off = await theEndpoint();
    assert.equal(off.off_reason, 'failed for 5 days');
    assert.ok(off.off_at! >= since + 5 * day);
    assert.ok(Math.abs(off.failing_since! - since) < minute);
    // The directory in memory is read anew after the row is committed.
    await waitFor('no events for it', () => !events.wants(1, 'message.status'));
    await waitFor('nothing retried', async () => {
      clock.advance(minute);
      return (await stored('retrying')).length === 0;
    });
    await assert.rejects(events.replay({ accountId: 1, endpointId: off.id }), EndpointRefused);
    receiver.answer = (response) => response.end();
    await events.endpoints.enable(1, off.id);
    receiver.received.length = 0;
    await record(sql, events, 1, [statusEvent(7, clock.now())]);
    await waitFor('the new event', () => receiver.received.length === 1);
    const on = await waitFor('a clean record', async () => {
      const now = await theEndpoint();
      return now.last_success_at ? now : undefined;
    });
    assert.equal(on.failing_since, null);
    assert.equal(on.state, 'active');
  },
);

test('one success between failures keeps an endpoint on', async () => {
  const { sql, clock, events, receiver, theEndpoint } = await setting();
  for (let days = 0; days < 7; days++) {
    const status = days === 3 ? 200 : 500;
    receiver.answer = (response) => response.writeHead(status).end();
    const before = await theEndpoint();
    await record(sql, events, 1, [statusEvent(days, clock.now())]);
    await waitFor('an attempt', async () => {
      clock.advance(1_000);
      const now = await theEndpoint();
      return status === 200 ? now.delivered > before.delivered : now.failed > before.failed;
    });
    clock.advance(day);
  }
  assert.equal((await theEndpoint()).state, 'active');
});

test('410 disables a webhook immediately', async () => {
  const { sql, clock, events, receiver, theEndpoint } = await setting('webhook');
  receiver.answer = (response) => response.writeHead(410).end();
  await record(sql, events, 1, [statusEvent(1, clock.now())]);
  const off = await waitFor('off', async () => {
    const now = await theEndpoint();
    return now.state === 'off' ? now : undefined;
  });
  assert.equal(off.off_reason, 'answered 410 Gone');
  assert.equal(receiver.received.length, 1);
});

test('redirects are not followed', async () => {
  const { sql, clock, events, receiver, stored } = await setting();
  const elsewhere = await startReceiver();
  receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();
  await record(sql, events, 1, [statusEvent(1, clock.now())]);
  await waitFor('a stored failure', async () => {
    const [one] = await stored('retrying');
    return one?.last_error?.includes('redirects are not followed');
  });
  assert.equal(elsewhere.received.length, 0);
});

test('a name that leads to a private address is not called', covers('events.public addresses'), async () => {
  const { sql } = await createDatabase();
  await addAccount(sql, 1);
  const clock = new AdjustableClock();
  const receiver = await startReceiver();
  const open = await startEvents(sql, clock, { deliver: false });
  const guarded = await startEvents(sql, clock, { allowPrivate: false });
  await open.endpoints.register({ accountId: 1, kind: 'dlr', url: receiver.url });
  await record(sql, open, 1, [statusEvent(1, clock.now())]);
  const [refused] = await waitFor('a stored failure', async () => {
    const list = await guarded.pendingDeliveries({ accountId: 1 });
    return list.length === 1 ? list : undefined;
  });
  assert.match(refused!.last_error!, /private or reserved/);
  assert.equal(receiver.received.length, 0);
});

test(
  'a connection that is cut before the answer, or an answer that never ends, is a failure',
  covers('events.retried'),
  async () => {
    const { sql, clock, events, receiver, stored } = await setting();
    receiver.answer = (response) => response.destroy();
    await record(sql, events, 1, [statusEvent(1, clock.now())]);
    await waitFor('a stored failure', async () => {
      const [one] = await stored('retrying');
      return one?.last_error?.includes('UND_ERR_SOCKET');
    });
    const endless = 'y'.repeat(70_000);
    receiver.answer = (response) => void response.writeHead(500).write(endless);
    await record(sql, events, 1, [statusEvent(2, clock.now())]);
    await waitFor('another', async () => (await stored('retrying')).some((one) => one.last_status === 500));
  },
);

/** Ends the leases of events as the time that they last would: they go by the clock of the database. */
async function endLeases(sql: Sql): Promise<void> {
  await sql`UPDATE event_queue SET lease_until = lease_until - ${LEASE_MS} WHERE lease_until > 0`;
  await sql`UPDATE event_backlogs SET lease_until = lease_until - ${LEASE_MS} WHERE lease_until > 0`;
}

test('a process that is killed in the middle loses nothing', covers('events.lost'), async () => {
  const { sql, target } = await createDatabase();
  await addAccount(sql, 1);
  const receiver = await startReceiver();
  const held: (() => void)[] = [];
  receiver.answer = (response) => {
    if (receiver.received.length <= 200) response.end();
    else held.push(() => response.end());
  };
  const file = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(target), receiver.url, '1200'], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // A test that fails must not leave it behind.
  atEnd(async () => void child.kill('SIGKILL'));
  await waitFor('the middle', () => receiver.received.length > 200);
  child.kill('SIGKILL');
  await ended;
  receiver.answer = (response) => response.end();
  await endLeases(sql);
  await startEvents(sql, new AdjustableClock());
  await waitFor('all of them', () => new Set(numbersOf(receiver)).size === 1_200);
  assert.ok(receiver.received.length <= 1_200 + 500, `${receiver.received.length} pushes`);
  await waitFor('an empty queue', async () => (await sql`SELECT 1 FROM event_queue`).length === 0);
});

test('events of a process that ended after its commit are sent when the lease is over', async () => {
  const { sql, clock, events, receiver } = await setting();
  const batch = {
    accountId: 1,
    id: createIdSource(63, clock).next(),
    count: 1,
    events: JSON.stringify([statusEvent(1, clock.now())]),
    claim: 'ended',
    until: clock.now() + LEASE_MS,
  };
  await sql.begin((tx) => insertBatches(tx, [batch]));
  await record(sql, events, 1, [statusEvent(2, clock.now())]);
  await waitFor('the other', () => receiver.received.length === 1);
  assert.deepEqual(numbersOf(receiver), [2]);
  await endLeases(sql);
  await waitFor('both', () => receiver.received.length === 2);
});

test('two processes on one database push each event once', async () => {
  const { sql, clock, events, receiver, idle } = await setting();
  const second = await startEvents(sql, clock);
  const recorder = await startEvents(sql, clock, { deliver: false });
  await Promise.all(
    upTo(60).map((n) => {
      const happened = upTo(20).map((i) => statusEvent(n * 20 + i, clock.now()));
      return record(sql, [events, second, recorder][n % 3]!, 1, happened);
    }),
  );
  await waitFor('all of them', () => receiver.received.length >= 1_200);
  await idle();
  assert.deepEqual(numbersOf(receiver), upTo(1_200));
});

test('a process that stops stores what waits, and another sends it, each event once', async () => {
  const { sql, clock, events, receiver } = await setting();
  const held: (() => void)[] = [];
  receiver.answer = (response) => void held.push(() => response.end());
  await record(
    sql,
    events,
    1,
    upTo(400).map((n) => statusEvent(n, clock.now())),
  );
  await waitFor('some under way', () => held.length === 32);
  const stopping = events.stop(10_000);
  receiver.answer = (response) => response.end();
  for (const end of held) end();
  await stopping;
  assert.equal((await sql`SELECT 1 FROM event_queue`).length, 0);
  await startEvents(sql, clock);
  await waitFor('all of them', () => receiver.received.length >= 400);
  assert.deepEqual(numbersOf(receiver), upTo(400));
});
