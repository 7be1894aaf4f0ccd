import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { mailAt, newAddress, v1At } from './campaign-support.ts';
import { Relay } from './relay.ts';

/* The real program killed while it sends to a list, alone and as one of two. */

/** What a crash can make go out twice (server/channels/mail/open.ts). */
const WINDOW = 200;

const users = (count: number) =>
  Array.from({ length: count }, () => ({ email: newAddress(), first_name: 'Dana' }));

/** Nobody is left out; who has it twice, within what is promised, has the same mail twice. */
function assertSentOnce(relay: Relay, addresses: readonly string[], kills: number): void {
  const byAddress = Map.groupBy(relay.taken, ({ to }) => to);
  assert.deepEqual(
    addresses.filter((address) => !byAddress.has(address)),
    [],
  );
  const twice = [...byAddress.values()].filter((mails) => mails.length > 1);
  assert.ok(twice.length <= WINDOW * kills, `${twice.length} were sent to twice`);
  for (const mails of twice) {
    assert.equal(new Set(mails.map(({ raw }) => /^Message-ID:\s+\S+/m.exec(raw)![0])).size, 1);
  }
}

test(
  'killed in mid-campaign: nobody is left out, and what goes twice is the same mail',
  covers('mail.killed'),
  async () => {
    const relay = new Relay();
    relay.delayMs = 5;
    await relay.open();
    const installation = new Installation({
      MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
      COPY_PAUSE_SECONDS: '0',
    });
    let program = await installation.start({ ready: false });
    const account = await installation.account(program.url, 'mailing', 10_000);
    const everyone = users(1_200);
    let mail = mailAt(v1At(program.url, account.token));
    const id = await mail.send([await mail.list(everyone)]);
    for (const share of [0.2, 0.5]) {
      await waitFor('it is under way', () => relay.taken.length > share * everyone.length, 60_000);
      await program.kill();
      program = await installation.start({ ready: false });
      mail = mailAt(v1At(program.url, account.token));
    }
    const { progress } = await mail.finished(id, 90_000);
    assert.deepEqual([progress.sent, progress.failed], [everyone.length, {}]);
    assertSentOnce(
      relay,
      everyone.map(({ email }) => email),
      2,
    );
    await assertBooksBalance(await installation.sql());
  },
);

test(
  'two processes on one database send each mail once, and take over the work of a killed one',
  covers('mail.killed'),
  async () => {
    const relay = new Relay();
    relay.delayMs = 5;
    await relay.open();
    const { sql, target } = await createDatabase();
    const both = new Installation({
      DATABASE_URL: databaseUrl(target),
      MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
    });
    const serve = { args: ['serve'], ready: false };
    const programs = [await both.start(serve), await both.start(serve)] as const;
    const account = await both.account(programs[0].url, 'shared-mail', 10_000);
    await knownTo(programs[1].url, account);
    const everyone = users(1_200);
    const mail = mailAt(v1At(programs[0].url, account.token));
    const id = await mail.send([await mail.list(everyone)]);
    await waitFor('it is under way', () => relay.taken.length > 300, 60_000);
    const holder = programs.findIndex(({ output }) => output().includes('"link":"mail/relay"'));
    await programs[holder]!.kill();
    const other = mailAt(v1At(programs[1 - holder]!.url, account.token));
    const { progress } = await other.finished(id, 120_000);
    assert.deepEqual([progress.sent, progress.failed], [everyone.length, {}]);
    assertSentOnce(
      relay,
      everyone.map(({ email }) => email),
      1,
    );
    const events = await sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM campaigns WHERE id = ${id} AND finished_at IS NOT NULL`;
    assert.equal(events[0]!.n, 1);
    await assertBooksBalance(sql);
  },
);

test('a stop and a restart in the middle send each mail once', covers('mail.killed'), async () => {
  const relay = new Relay();
  relay.delayMs = 5;
  await relay.open();
  const installation = new Installation({ MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}` });
  const program = await installation.start({ ready: false });
  const account = await installation.account(program.url, 'restarted', 10_000);
  const everyone = users(1_200);
  const mail = mailAt(v1At(program.url, account.token));
  const id = await mail.send([await mail.list(everyone)]);
  await waitFor('it is under way', () => relay.taken.length > 200, 60_000);
  await program.stop();
  const before = relay.taken.length;
  assert.ok(before < everyone.length, 'it was over before the program was stopped');
  const again = await installation.start({ ready: false });
  const { progress } = await mailAt(v1At(again.url, account.token)).finished(id, 90_000);
  assert.deepEqual([progress.sent, progress.failed], [everyone.length, {}]);
  assert.equal(relay.taken.length, everyone.length);
  assert.equal(new Set(relay.taken.map(({ to }) => to)).size, everyone.length);
  await assertBooksBalance(await installation.sql());
});
