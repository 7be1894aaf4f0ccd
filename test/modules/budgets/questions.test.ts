import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outbox, SingleMail } from '../../../server/channels/mail/outbox.ts';
import { Questions } from '../../../server/modules/budgets/questions.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { Relay } from '../../channels/mail/relay.ts';
import { createMailBench, given } from '../../channels/mail/support.ts';
import { secrets } from '../../support/secrets.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Questions to owners of addresses and numbers: nobody is asked often, whoever asks and for whatever. */

const DAY_MS = 86_400_000;
const bench = await createMailBench();
const { sql, clock, accountId, additions, newList } = bench;
const mails: SingleMail[] = [];
const outbox: Outbox = {
  async add(_tx, _pass, some) {
    mails.push(...some);
  },
  notifyDispatcher() {},
};
const confirmations = bench.confirmations(outbox);

let made = 0;
const newAddress = () => `stranger-${++made}@example.com`;
/** Mails of one run of the job. */
async function asked(): Promise<readonly SingleMail[]> {
  mails.length = 0;
  await confirmations.run();
  return [...mails];
}
const waiting = async (address: string) =>
  (
    await sql<{ due_at: number }[]>`
      SELECT c.due_at FROM mail_confirmations c JOIN mail_users u ON u.account_id = c.account_id AND u.id = c.user_id
      WHERE c.account_id = ${accountId} AND u.account_id = ${accountId} AND u.address = ${address}
        AND c.due_at IS NOT NULL`
  ).map((row) => row.due_at);
const linkOf = (mail: SingleMail) => mail.secret!.value.split('/').at(-1)!;

test('an address that is added to twelve lists gets one mail, and its link confirms all of them', async () => {
  const lists: number[] = [];
  for (let index = 1; index <= 12; index++)
    lists.push(await newList({ confirm: true, name: `List ${index}` }));
  const address = newAddress();
  await additions.add(accountId, lists, [given(address)]);
  const [mail, ...others] = await asked();
  assert.deepEqual([mail!.to, others.length], [address, 0]);
  assert.equal(mail!.fields.list, 'List 1, List 2, List 3, …');
  const found = await confirmations.find(linkOf(mail!));
  assert.deepEqual(
    found!.lists.map(({ id }) => id),
    lists,
  );
  await confirmations.confirm(found!, 'en');
  for (const list of lists) assert.deepEqual(await bench.counts(list), [1, 1]);
  assert.equal((await bench.consents.list(accountId, { limit: 100, subject: address })).length, 12);
  assert.equal((await confirmations.find(linkOf(mail!)))!.confirmed, true);
});

test('an address gets three questions a day; later ones wait, and the first link confirms them, too', async () => {
  const address = newAddress();
  const began = clock.now();
  const sent: SingleMail[] = [];
  for (let index = 0; index < 5; index++) {
    await additions.add(accountId, [await newList({ confirm: true })], [given(address)]);
    sent.push(...(await asked()));
  }
  assert.equal(sent.length, 3);
  const due = await waiting(address);
  assert.equal(due.length, 2);
  for (const at of due) assert.ok(at >= began + DAY_MS && at <= clock.now() + DAY_MS);
  const found = await confirmations.find(linkOf(sent[0]!));
  assert.equal(found!.lists.length, 5);

  clock.advance(DAY_MS + 1_000);
  const [next, ...others] = await asked();
  assert.deepEqual([next!.to, others.length], [address, 0], 'one mail for both lists that waited');
  assert.deepEqual(await waiting(address), []);
});

test('the budget of the account limits its confirmations, and the others wait until it renews (server/channels/mail/confirmation.ts)', async () => {
  await sql`
    INSERT INTO budget_limits (account_id, budget, count) VALUES (${accountId}, 'verifications', 2)`;
  await sql`DELETE FROM budget_uses`;
  const list = await newList({ confirm: true });
  const addresses = [newAddress(), newAddress(), newAddress()];
  await additions.add(
    accountId,
    [list],
    addresses.map((address) => given(address)),
  );
  assert.equal((await asked()).length, 2);
  assert.equal((await asked()).length, 0);
  const due = (await Promise.all(addresses.map(waiting))).flat();
  assert.equal(due.length, 1);
  clock.advance(due[0]! - clock.now());
  assert.equal((await asked()).length, 1);
  await sql`DELETE FROM budget_limits`;
});

test('the limit holds for concurrent questions, and ends after a day', async () => {
  const questions = await Questions.open({ sql, clock, secrets });
  const address = newAddress();
  const take = () => sql.begin((tx) => questions.take(tx, 'mail', [address]));
  const results = await Promise.all(Array.from({ length: 12 }, take));
  assert.equal(results.filter((later) => later.size === 0).length, 3);
  for (const later of results) {
    if (later.size > 0) assert.ok(later.get(address)! > clock.now());
  }
  const stored = await sql`SELECT * FROM asked_recipients`;
  assert.ok(!JSON.stringify(stored).includes(address), 'the table names nobody');
  clock.advance(DAY_MS);
  assert.equal((await take()).size, 0);
  clock.advance(DAY_MS);
  await questions.cleanUp();
  assert.equal((await sql`SELECT 1 FROM asked_recipients`).length, 0);
});

test('five accounts that name one stranger in alert rules cause three mails, and each gets the same answer', async () => {
  const relay = new Relay();
  await relay.open();
  const service = await startTestService({
    settings: { MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}` },
  });
  const stranger = newAddress();
  const rule = { name: 'Rule', kind: 'low-balance', recipients: { owners: false, mails: [stranger] } };
  const answers = [];
  for (let index = 0; index < 5; index++) {
    const { id } = await service.addAccount({ username: `asking-${index}` });
    const owner = await asPerson(service, 'owner', id);
    const { recipients } = await owner.post<{ recipients: unknown }>('/alert-rules', rule);
    answers.push(JSON.stringify(recipients));
  }
  assert.equal(new Set(answers).size, 1);
  await waitFor('what is due is sent', async () => {
    const [row] = await service.sql<{ due: number; later: number }[]>`
      SELECT count(*) FILTER (WHERE due_at <= ${service.appContext.clock.now()})::int AS due,
        count(*) FILTER (WHERE due_at > ${service.appContext.clock.now() + DAY_MS / 2})::int AS later
      FROM work WHERE kind = 'alert-contact'`;
    return row!.due === 0 && row!.later === 2;
  });
  await waitFor('the mails arrive', () => relay.to(stranger).length === 3);
});
