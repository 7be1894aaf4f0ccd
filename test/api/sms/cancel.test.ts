import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import {
  type Answer,
  type Content,
  forms,
  startTestService,
  type TestService,
} from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B11, on a network that takes a few messages a second. */
const service = await startTestService({ settings: { SANDBOX_MESSAGES_PER_SECOND: '40' } });
const { sql, demo } = service;

const inAnHour = () => formatLocal(service.appContext.clock.now() + 3_600_000, 'Asia/Jerusalem');

async function send(over: Content = {}, options = {}): Promise<number> {
  const content = { source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello', ...over };
  const answer = await service.call('json', 'sms', content, options);
  assert.equal(answer.status, 0, answer.message);
  return Number(answer.fields.shipment_id);
}

async function statuses(shipmentId: number): Promise<number[]> {
  const rows = await sql<{ status: number }[]>`
    SELECT status FROM messages WHERE account_id = ${demo.id} AND shipment_id = ${shipmentId} ORDER BY id`;
  return rows.map((row) => row.status);
}

const ledgerOf = async (shipmentId: number) =>
  (
    await sql<{ kind: string; amount: string }[]>`
      SELECT kind, amount FROM ledger WHERE shipment_id = ${shipmentId} ORDER BY id`
  ).map((row) => [row.kind, Number(row.amount)]);

async function delivered(shipmentId: number): Promise<void> {
  await waitFor('it to be delivered', async () =>
    (await statuses(shipmentId)).every((status) => status === 102),
  );
}

/** Waits until some messages of a shipment are with the carrier. */
async function submitted(on: TestService, shipmentId: number): Promise<void> {
  await waitFor('some to be handed over', async () => {
    const [row] = await on.sql<{ n: number }[]>`
      SELECT count(handed_at)::int AS n FROM messages WHERE account_id = ${on.demo.id} AND shipment_id = ${shipmentId}`;
    return row!.n > 0;
  });
}

for (const form of forms) {
  const cancel = (content: Content, options = {}): Promise<Answer> =>
    service.call(form, 'cancel', content, options);

  test(
    `${form}: a scheduled campaign is cancelled whole, once, and its price comes back`,
    covers(
      'B11.scheduled',
      'B11.again',
      'status.955',
      'delivery.104',
      'credit.cancelled',
      'credit.not taken',
    ),
    async () => {
      const before = await service.balance();
      const phones = newPhones(3);
      const id = await send({ destinations: { phone: phones }, timing: inAnHour() });
      assert.equal(await service.balance(), before - 3);
      const answer = await cancel({ campaign_id: id });
      assert.equal(answer.status, 0, answer.message);
      assert.match(answer.message, /before it was sent/);
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
      assert.deepEqual(await statuses(id), [104, 104, 104]);
      assert.equal(await service.balance(), before);
      assert.deepEqual(await ledgerOf(id), [
        ['hold', -3],
        ['release', 3],
      ]);
      assert.equal((await cancel({ campaign_id: String(id) })).status, 955);
      assert.equal(await service.balance(), before);
      // Past its time, and past a later message of the same account: it does not go out any more.
      await service.advance(2 * 3_600);
      await delivered(await send());
      for (const phone of phones) assert.equal((await service.phone(phone)).length, 0);
      const report = await service.call(form, 'dlrByDate', {
        from: formatLocal(service.appContext.clock.now() - 10_800_000, 'Asia/Jerusalem'),
        to: formatLocal(service.appContext.clock.now(), 'Asia/Jerusalem'),
      });
      const mine = (report.fields.transactions as Record<string, string>[]).filter(
        (row) => row.phone === phones[0],
      );
      assert.deepEqual(
        mine.map((row) => [Number(row.status), row.en_message]),
        [[104, 'Deleted']],
      );
    },
  );

  test(
    `${form}: a campaign that was sent cannot be cancelled`,
    covers('B11.sent', 'status.966'),
    async () => {
      const id = await send();
      await delivered(id);
      const before = await countEverything(sql);
      assert.equal((await cancel({ campaign_id: id })).status, 966);
      assert.deepEqual(await statuses(id), [102]);
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: an unknown campaign, and another account's, are 977`,
    covers('B11.unknown', 'B11.by name', 'status.977'),
    async () => {
      const other = await service.addAccount({ username: `other-${form}` });
      const user = { username: other.username };
      const theirs = await send(
        { user, timing: inAnHour(), campaign_name: `theirs ${form}` },
        { token: other.token },
      );
      for (const id of [theirs, 1, 123_456_789_012, Number.MAX_SAFE_INTEGER]) {
        assert.equal((await cancel({ campaign_id: id })).status, 977);
      }
      for (const name of [`theirs ${form}`, 'no such name', 'x'.repeat(10_000)]) {
        assert.equal((await cancel({ campaign_name: name })).status, 977);
      }
      assert.equal((await cancel({ user, campaign_id: theirs }, { token: other.token })).status, 0);
      assert.equal(await service.balance(other.id), 1_000);
    },
  );

  test(`${form}: neither id nor name, or an id that is no number`, covers('B11.required'), async () => {
    for (const content of [
      {},
      { campaign_id: '', campaign_name: '' },
      { campaign_id: 'x' },
      { campaign_id: 0 },
      { campaign_id: -5 },
      { campaign_id: 1.5 },
      { campaign_id: '9'.repeat(40) },
      { campaign_id: { a: 1 } },
      { campaign_name: { a: 1 } },
    ]) {
      const answer = await cancel(content);
      assert.equal(answer.status, 2, JSON.stringify(content));
      assert.match(answer.message, /^campaign_(id|name)/);
    }
  });

  test(
    `${form}: by name: every one that can still be, with their number`,
    covers('B11.by name'),
    async () => {
      const name = `by name ${form}`;
      const before = await service.balance();
      const gone = await send({ campaign_name: name });
      await delivered(gone);
      const waiting = [
        await send({ campaign_name: name, timing: inAnHour() }),
        await send({ campaign_name: name, timing: inAnHour() }),
      ];
      const single = await send({ campaign_name: name, timing: inAnHour() });
      assert.equal((await cancel({ campaign_id: single })).status, 0);
      const answer = await cancel({ campaign_name: name });
      assert.equal(answer.status, 0, answer.message);
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message', 'count']);
      assert.equal(Number(answer.fields.count), 2);
      for (const id of waiting) assert.deepEqual(await statuses(id), [104]);
      assert.deepEqual(await statuses(gone), [102]);
      assert.equal(await service.balance(), before - 1);
      assert.equal((await cancel({ campaign_name: name })).status, 966);
    },
  );

  test(`${form}: by name: 955 when all are cancelled`, covers('B11.by name'), async () => {
    const name = `all cancelled ${form}`;
    await send({ campaign_name: name, timing: inAnHour() });
    assert.equal((await cancel({ campaign_name: name })).status, 0);
    assert.equal((await cancel({ campaign_name: name })).status, 955);
  });

  test(
    `${form}: a running campaign is cut off, and the answer, the reports and the ledger agree on where`,
    covers('B11.running', 'credit.cancelled'),
    async () => {
      const before = await service.balance();
      const id = await send({ destinations: { phone: newPhones(120) } });
      await submitted(service, id);
      const answer = await cancel({ campaign_id: id });
      assert.equal(answer.status, 0, answer.message);
      const [, cancelled, handed] = /being sent: (\d+) messages cancelled, (\d+) handed over before/.exec(
        answer.message,
      )!;
      assert.equal(Number(cancelled) + Number(handed), 120);
      assert.ok(Number(cancelled) > 0 && Number(handed) > 0);
      assert.equal((await cancel({ campaign_id: id })).status, 955);
      const sumOf = (entries: Awaited<ReturnType<typeof ledgerOf>>) =>
        entries.reduce((sum, [, amount]) => sum + Number(amount), 0);
      // What was on the wire in that moment and was taken counts as submitted, and is charged again: a message is 104
      // until its answer is stored.
      const { kept, ledger } = await waitFor(
        'the others to be delivered, and the reports to agree with the ledger',
        async () => {
          const now = await statuses(id);
          const isOver = now.every((status) => status === 102 || status === 104);
          const left = now.filter((status) => status === 104).length;
          const entries = await ledgerOf(id);
          const agrees = sumOf(entries) === left - 120 && (await service.balance()) === before - (120 - left);
          return isOver && agrees && { kept: left, ledger: entries };
        },
      );
      assert.ok(kept <= Number(cancelled) && kept > 0);
      assert.deepEqual(ledger.slice(0, 2), [
        ['charge', -120],
        ['refund', Number(cancelled)],
      ]);
      // What comes after it is sent, and nothing of it is left in the queue.
      await delivered(await send({ destinations: { phone: newPhones(2) } }));
      await waitFor('nothing to be left in the queue', async () => {
        const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM dispatch_batches
        WHERE account_id = ${demo.id} AND due_at <= ${service.appContext.clock.now()}`;
        return row!.n === 0;
      });
      await assertBooksBalance(sql);
    },
  );

  test(
    `${form}: a blacklisted destination of a scheduled campaign is not one that was submitted`,
    covers('B11.scheduled'),
    async () => {
      const [good, bad] = [newPhone(), newPhone()];
      await service.call(form, 'addNumBL', { phones: { phone: bad } });
      const id = await send({ destinations: { phone: [good, bad] }, timing: inAnHour() });
      const answer = await cancel({ campaign_id: id });
      assert.equal(answer.status, 0);
      assert.match(answer.message, /before it was sent/);
      assert.deepEqual(await statuses(id), [104, 201]);
    },
  );

  test(
    `${form}: a campaign that went to nobody, since all of its list are blocked, is 970`,
    covers('B11.nothing', 'status.970'),
    async () => {
      const phone = newPhone();
      await service.call(form, 'addNumBL', { phones: { phone } });
      const made = await service.call(form, 'newCL', {
        cl: { name: 'blocked', destinations: { destination: { phone } } },
      });
      const campaign_name = `nobody ${form}`;
      const cl_id = (made.fields.identifiers as string[])[0];
      const id = await send({ campaign_name, destinations: { cl_id } });
      await waitFor('its list to be through', async () => (await statuses(id)).length === 1);
      const before = await countEverything(sql);
      for (const path of ['/api', '/api/test']) {
        assert.equal((await cancel({ campaign_id: id }, { path })).status, 970);
        assert.equal((await cancel({ campaign_name }, { path })).status, 970);
      }
      assert.deepEqual(await statuses(id), [201]);
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: a dry run of cancel says what would be and changes nothing`,
    covers('B11.dry run'),
    async () => {
      const name = `dry ${form}`;
      const id = await send({ campaign_name: name, timing: inAnHour() });
      const before = await countEverything(sql);
      const path = '/api/test';
      assert.equal((await cancel({ campaign_id: id }, { path })).status, 0);
      assert.equal(Number((await cancel({ campaign_name: name }, { path })).fields.count), 1);
      assert.equal((await cancel({ campaign_id: 5 }, { path })).status, 977);
      assert.deepEqual(await statuses(id), [-1]);
      assert.deepEqual(await countEverything(sql), before);
      assert.equal((await cancel({ campaign_id: id })).status, 0);
      assert.equal((await cancel({ campaign_id: id }, { path })).status, 955);
    },
  );
}

test('no message that cancelling a running campaign refunded is sent', covers('B11.running'), async () => {
  // A new connector, which does not know yet how slow the network is and has taken many messages into its hands.
  // 300 messages take 15 s, which is long enough for a cancellation on a busy machine.
  const slow = await startTestService({ settings: { SANDBOX_MESSAGES_PER_SECOND: '20' } });
  const phones = newPhones(300);
  const content = { source: 'Shop', destinations: { phone: phones }, message: 'Hello' };
  const sent = await slow.call('json', 'sms', content);
  const id = Number(sent.fields.shipment_id);
  await submitted(slow, id);
  assert.equal((await slow.call('json', 'cancel', { campaign_id: id })).status, 0);
  const last = newPhone();
  await slow.call('json', 'sms', { ...content, destinations: { phone: [last, newPhone()] } });
  await waitFor('what came after it to arrive', async () => (await slow.phone(last)).length > 0);
  await nothingThatArrivedIsRefunded(slow, id);
});

for (const isTold of [false, true]) {
  test(`what a carrier takes while its campaign is being cancelled is charged, and reported as delivered${isTold ? ' to who is told of it' : ''}`, async () => {
    // 300 messages take 15 s, which is long enough for a cancellation on a busy machine.
    const slow = await startTestService({ settings: { SANDBOX_MESSAGES_PER_SECOND: '20' } });
    const receiver = await startReceiver();
    if (isTold) await slow.call('json', 'push_url', { type: 'dlr', url: receiver.url });
    const sent = await slow.call('json', 'sms', {
      source: 'Shop',
      destinations: { phone: newPhones(300) },
      message: 'Hello',
    });
    const id = Number(sent.fields.shipment_id);
    await submitted(slow, id);
    // Nobody can pay or be paid: the request to cancel stands before the end of its transaction, and behind it what the
    // carrier takes meanwhile.
    const connection = await slow.sql.reserve();
    await connection`BEGIN`;
    await connection`SELECT 1 FROM wallets WHERE account_id = ${slow.demo.id} FOR UPDATE`;
    const cancelled = slow.call('json', 'cancel', { campaign_id: id });
    await waitFor('the request to cancel, and what was taken behind it', async () => {
      const waiting = await waitingStatements(slow.sql);
      return waiting.length >= 2;
    });
    await connection`ROLLBACK`;
    connection.release();
    assert.equal((await cancelled).status, 0);
    await nothingThatArrivedIsRefunded(slow, id);
    await waitFor('all others to be delivered', async () => {
      const rows = await slow.sql<{ status: number }[]>`
      SELECT DISTINCT status FROM messages WHERE account_id = ${slow.demo.id} AND shipment_id = ${id} ORDER BY 1`;
      return rows.map(({ status }) => status).join() === '102,104';
    });
    await assertBooksBalance(slow.sql);
    if (!isTold) return;
    const [row] = await slow.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM messages
    WHERE account_id = ${slow.demo.id} AND shipment_id = ${id} AND status = 102`;
    await waitFor('each that was delivered to be told of, once', () => receiver.received.length === row!.n);
  });
}

/** What was on the wire when it was cancelled, and was taken, is charged again as soon as its answer is stored. */
async function nothingThatArrivedIsRefunded(on: TestService, shipmentId: number): Promise<void> {
  await waitFor('nothing that arrived is refunded', async () => {
    const refunded = await on.sql<{ phone: string }[]>`
      SELECT recipient AS phone FROM messages
      WHERE account_id = ${on.demo.id} AND shipment_id = ${shipmentId} AND status = 104`;
    for (const { phone } of refunded) if ((await on.phone(phone)).length > 0) return false;
    return true;
  });
}
