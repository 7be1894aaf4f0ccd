import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { smsChannel } from '../../../server/channels/sms/channel.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { allFinal, type Caller, call, phones as phonesFrom, startNetwork } from '../../faults/support.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { createDatabase } from '../../support/database.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from '../dispatch/support.ts';

/*
 * Requests of many accounts are accepted, sent and recorded together: no account's bad input, empty wallet or locked row
 * reaches another one.
 */

const database = await createDatabase();
const { sql } = database;
const network = await startNetwork();
const service = await startDispatching(network, {}, database);

type Sender = Caller & { id: number };
const rich: Sender[] = [];
for (let n = 0; n < 8; n++) rich.push(await service.account(`rich-${n}`, 100_000));
const poor = await service.account('poor', 3);
const walletless = await service.account('walletless', 0);
await sql`DELETE FROM wallets WHERE account_id = ${walletless.id}`;

let used = 0;
/** Numbers that no other request has. */
function phones(count: number): string[] {
  used += count;
  return phonesFrom(used - count, count);
}

/** A number that the database refuses to store. */
const [poison] = phones(1) as [string];
await sql.unsafe(`ALTER TABLE messages ADD CONSTRAINT poison_check CHECK (recipient <> '${poison}')`);

const sms = (to: readonly string[], more: object = {}) => ({
  source: 'Shop',
  message: 'Hello',
  destinations: { phone: to },
  ...more,
});

/** A request that was used before, with its answer. */
const usedKey = randomUUID();
const keyed = sms(phones(1), { send_key: usedKey });
const first = await call(service.url, rich[0]!, 'sms', keyed);
assert.equal(first.status, 0, first.message);

interface Sent {
  readonly to: readonly string[];
  readonly wanted: boolean;
}

/** Sends one request of a kind. Throws AssertionError for an answer that is not true. */
const kinds = {
  async good(sender: Sender): Promise<Sent> {
    const to = phones(1);
    const answer = await call(service.url, sender, 'sms', sms(to));
    assert.equal(answer.status, 0, answer.message);
    return { to, wanted: true };
  },
  async keyed(sender: Sender): Promise<Sent> {
    const to = phones(1);
    const answer = await call(service.url, sender, 'sms', sms(to, { send_key: randomUUID() }));
    assert.equal(answer.status, 0, answer.message);
    return { to, wanted: true };
  },
  async large(sender: Sender): Promise<Sent> {
    const to = phones(600);
    const answer = await call(service.url, sender, 'sms', sms(to));
    assert.equal(answer.status, 0, answer.message);
    return { to, wanted: true };
  },
  async withLink(sender: Sender): Promise<Sent> {
    const to = phones(1);
    const links = { link: [{ $: { id: '1' }, _: 'https://example.com/' }] };
    const answer = await call(service.url, sender, 'sms', sms(to, { message: 'Look: [link-1]', links }));
    assert.equal(answer.status, 0, answer.message);
    return { to, wanted: true };
  },
  async knownKey(): Promise<Sent> {
    const answer = await call(service.url, rich[0]!, 'sms', keyed);
    assert.equal(answer.shipment_id, first.shipment_id);
    return { to: [], wanted: false };
  },
  async poisoned(sender: Sender): Promise<Sent> {
    const [other] = phones(1);
    const answer = await call(service.url, sender, 'sms', sms([poison, other!]));
    assert.notEqual(answer.status, 0);
    return { to: [other!], wanted: false };
  },
  async tooDear(): Promise<Sent> {
    const to = phones(4);
    const answer = await call(service.url, poor, 'sms', sms(to));
    assert.notEqual(answer.status, 0);
    return { to, wanted: false };
  },
  async withoutWallet(): Promise<Sent> {
    const to = phones(1);
    const answer = await call(service.url, walletless, 'sms', sms(to));
    assert.notEqual(answer.status, 0);
    return { to, wanted: false };
  },
};
type Kind = keyof typeof kinds;

test('concurrent good and bad requests of many accounts each get their own answer, and the books are exact', async () => {
  const names = Object.keys(kinds) as Kind[];
  const request = fc.record({
    // Half of them are good: most groups mix.
    kind: fc.oneof(fc.constant<Kind>('good'), fc.constantFrom(...names)),
    sender: fc.constantFrom(...rich),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 4, maxLength: 40 }), async (requests) => {
      const sent = await Promise.all(requests.map(({ kind, sender }) => kinds[kind](sender)));
      const unwanted = sent.flatMap(({ to, wanted }) => (wanted ? [] : to));
      const wanted = sent.flatMap(({ to, wanted }) => (wanted ? to : []));
      await waitFor('all are delivered', () => wanted.every((to) => network.taken.get(to) === 1));
      const rows = await sql<{ phone: string }[]>`
        SELECT recipient AS phone FROM messages WHERE recipient IN ${sql([...wanted, ...unwanted, poison])}`;
      assert.deepEqual(rows.map(({ phone }) => phone).sort(), wanted.toSorted());
      await assertBooksBalance(sql);
    }),
    { numRuns: 12 },
  );
  await allFinal(sql);
  await assertBooksBalance(sql);
});

test('a wallet that somebody holds keeps its own account waiting and nobody else', async () => {
  const [held, ...others] = rich as [Sender, ...Sender[]];
  const waiting = await sql.begin(async (tx) => {
    await tx`SELECT FROM wallets WHERE account_id = ${held.id} FOR UPDATE`;
    const own = [kinds.good(held), kinds.good(held)];
    await Promise.all(others.map((sender) => kinds.good(sender)));
    return { own };
  });
  for (const { to } of await Promise.all(waiting.own)) {
    await waitFor('it is sent', () => network.taken.get(to[0]!) === 1);
  }
});

test('a locked message delays the results of its own account and of no other account', async () => {
  const [held, ...others] = rich as [Sender, ...Sender[]];
  const isFinal = async ([to]: readonly string[]) => {
    const rows = await sql`SELECT FROM messages WHERE recipient = ${to!} AND final_at IS NOT NULL`;
    return rows.length === 1;
  };
  // Its receipt comes when the row is locked for sure.
  network.smsc.change({ receiptDelayMs: 3_000 });
  const { to } = await kinds.good(held);
  await sql.begin(async (tx) => {
    await tx`SELECT FROM messages WHERE account_id = ${held.id} AND recipient = ${to[0]!} FOR UPDATE`;
    network.smsc.change({ receiptDelayMs: 20 });
    await waitFor('its result waits', async () => {
      const waiting = await waitingStatements(sql);
      return waiting.length > 0;
    });
    const sent = await Promise.all(others.map((sender) => kinds.good(sender)));
    for (const one of sent) await waitFor('another one is final', () => isFinal(one.to));
  });
  await waitFor('it is final, too', () => isFinal(to));
});

test('a batch that cannot be read keeps nobody else’s waiting', async () => {
  const [owner, ...others] = rich as [Sender, ...Sender[]];
  const { ids, clock } = service.appContext;
  const id = ids.next();
  // Its message is of a shipment that is not there.
  await sql.begin(async (tx) => {
    await tx`
      INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, payload, parts, price)
      VALUES (${owner.id}, ${id}, 1, ${id}, ${phones(1)[0]!}, 'Shop', 'Hello', 1, 0)`;
    await tx`
      INSERT INTO dispatch_batches (account_id, id, lane, route, due_at, first_id, last_id, count, channel)
      VALUES (${owner.id}, ${id}, ${lanes.single}, '', ${clock.now()}, ${id}, ${id}, 1, ${smsChannel.id})`;
  });
  const sent = await Promise.all([owner, ...others].map((sender) => kinds.good(sender)));
  await waitFor('all others are sent', () => sent.every(({ to }) => network.taken.get(to[0]!) === 1));
  await waitFor('it was claimed', async () => {
    const rows = await sql`SELECT FROM dispatch_batches WHERE id = ${id} AND lease_until > 0`;
    return rows.length === 1;
  });
  assert.equal((await sql`SELECT FROM messages WHERE id = ${id} AND handed_at IS NULL`).length, 1);
  await sql`DELETE FROM dispatch_batches WHERE id = ${id}`;
});
