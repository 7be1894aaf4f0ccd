import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { allFinal, assertPaid, call, phone, phones, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { startProxies } from '../../support/database-proxies.ts';
import { databaseUrl, Installation, knownTo, type Program } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Send keys over two processes of the program, kills, and a database that goes away. */

const CREDITS = 10_000;
const { sql, target } = await createDatabase();
const proxies = await startProxies(sql, target);
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: 50, messagesPerSecond: 500 }),
});
const serve = { args: ['serve'], ready: false };
const programs = [await installation.start(serve), await installation.start(serve)] as const;
const account = await installation.account(programs[0].url, 'keyed', CREDITS);
await knownTo(programs[1].url, account);

interface Keyed {
  readonly status: number;
  readonly message: string;
  readonly shipment_id: string;
  readonly repeated?: number;
}

let sent = 0;
/** What sends one message to these phones, again and again the same. */
function keyed(to: readonly string[]) {
  const content = {
    source: 'Carillon',
    message: 'Hello',
    destinations: { phone: to },
    send_key: randomUUID(),
  };
  sent += to.length;
  return {
    key: content.send_key,
    send: ({ url }: Pick<Program, 'url'>): Promise<Keyed> => call(url, account, 'sms', content),
  };
}

const stored = async (key: string) =>
  (await sql`SELECT 1 FROM send_keys WHERE account_id = ${account.id} AND key = ${key}`).length > 0;

/** A process that reaches its database by way of the proxies. */
const behindProxies = () =>
  proxies.startBehind((DATABASE_URL) =>
    installation.start({ args: ['serve', '--role', 'api'], ready: false, environment: { DATABASE_URL } }),
  );

test('twenty concurrent requests over two processes send one message, and all get its answer', async () => {
  for (let round = 0; round < 3; round++) {
    const { send } = keyed([phone(round)]);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(programs[index % 2]!)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([0]), answers[0]!.message);
    assert.equal(new Set(answers.map(({ shipment_id }) => shipment_id)).size, 1);
    assert.equal(answers.filter(({ repeated }) => repeated === 1).length, 19);
  }
  await allFinal(sql);
  assert.equal(network.taken.size, 3);
});

test('of concurrent one-time codes over two processes, one is sent', async () => {
  const content = { phone: phone(50), source: 'Carillon', send_key: randomUUID() };
  sent++;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => call(programs[index % 2]!.url, account, 'send_otp', content)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([0]), answers[0]!.message);
  await allFinal(sql);
  assert.equal(network.taken.get(phone(50)), 1);
  const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM otp_sends`;
  assert.equal(row!.count, 1);
});

test('killed between the commit and the answer: the retry gets the first answer, and nobody is sent to twice', async () => {
  for (const to of [[phone(100)], phones(200, 1_000)]) {
    const program = await behindProxies();
    await knownTo(program.url, account);
    proxies.holdAnswersTo('INSERT INTO send_keys');
    const { key, send } = keyed(to);
    const cutOff = assert.rejects(send(program));
    await waitFor('it is stored', () => stored(key));
    await program.kill();
    await cutOff;
    const [row] = await sql<{ id: string }[]>`SELECT max(id)::text AS id FROM shipments`;
    const answer = await send(programs[0]);
    assert.deepEqual([answer.status, answer.shipment_id, answer.repeated], [0, row!.id, 1]);
    proxies.holdAnswersTo('no statement has this');
  }
  await allFinal(sql);
  assert.equal(network.duplicates(), 0);
});

test('an unavailable database: clients that were refused retry, and each message is sent once', async () => {
  const program = await behindProxies();
  await knownTo(program.url, account);
  const requests = Array.from({ length: 40 }, (_, index) => keyed([phone(2_000 + index)]));
  const first = requests.map(async ({ send }, index) => {
    if (index % 10 === 0) proxies.cut();
    return send(program);
  });
  const answers = await Promise.all(first);
  for (const { status } of answers) assert.ok(status === 0 || status === 6, String(status));
  const again = await Promise.all(
    requests.map(({ send }, index) =>
      waitFor('it is accepted', async () => {
        const answer = await send(program);
        if (answers[index]!.status === 0) assert.equal(answer.shipment_id, answers[index]!.shipment_id);
        return answer.status === 0 && answer;
      }),
    ),
  );
  assert.equal(new Set(again.map(({ shipment_id }) => shipment_id)).size, requests.length);
  await allFinal(sql);
  await program.stop();
});

test('nobody was sent to twice, and what was sent was paid for once', async () => {
  assert.equal(network.taken.size, sent);
  assert.equal(network.duplicates(), 0);
  await assertPaid(sql, account.id, CREDITS, sent);
});
