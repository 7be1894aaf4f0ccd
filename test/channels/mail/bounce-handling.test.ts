import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { freePort } from '../../../bench/support/wait.ts';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { waitingStatements } from '../../support/lock-waits.ts';
import { withLockedTables } from '../../support/locked-tables.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newAddress, startMail, tokenIn } from './campaign-support.ts';
import { deliver, dsn, feedback } from './reports.ts';

const port = await freePort();
const mail = await startMail({
  MAIL_BOUNCE_PORT: String(port),
  MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
  MAIL_SOFT_BOUNCES: '2',
});
const { service } = mail;

async function userOf(address: string) {
  const [user] = await service.sql<{ status: string; by: string; reason: string }[]>`
    SELECT status, status_by AS by, status_reason AS reason FROM mail_users WHERE address = ${address}`;
  return { ...user! };
}

/** Sends a mail to a new user, and gives where what comes back of it goes. */
async function sent(address = newAddress()) {
  const list = await mail.list([{ email: address }]);
  const id = await mail.send([list]);
  await mail.finished(id);
  const [arrived] = await mail.mailbox(address);
  const token = tokenIn(arrived!);
  return { address, list, id, token, returnPath: `b-${token}@bounces.example.com` };
}

interface Told {
  readonly type: string;
  readonly data: { readonly email?: string; readonly reason?: string; readonly campaign_id?: number };
}

/** The events that were recorded about a user. */
async function eventsAbout(address: string): Promise<Told[]> {
  const rows = await service.sql<{ events: string }[]>`SELECT events FROM event_batches ORDER BY id`;
  return rows
    .flatMap(({ events }) => JSON.parse(events) as Told[])
    .filter(({ data }) => data.email === address);
}

const hard = dsn('Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 unknown user');
const soft = dsn('Action: failed', 'Status: 4.2.2', 'Diagnostic-Code: smtp; 452 4.2.2 mailbox full');

await createEventModule(service.appContext, { allowPrivate: true, deliver: false }).endpoints.register({
  accountId: service.demo.id,
  kind: 'webhook',
  url: 'http://127.0.0.1:9/',
});
await waitFor('the service knows that somebody wants events', async () => {
  const { address, returnPath } = await sent();
  await deliver(port, returnPath, hard);
  return (await eventsAbout(address)).length > 0;
});

test(
  'The return path of a mail names it: a hard bounce to it makes its user a bad address, once',
  covers('mailingLists.bounce.hard', 'mailingLists.events'),
  async () => {
    const { address, id, returnPath } = await sent();
    await deliver(port, returnPath.toUpperCase(), hard);
    assert.deepEqual(await userOf(address), {
      status: 'bounced',
      by: 'bounce',
      reason: '550 5.1.1 unknown user',
    });
    await deliver(port, returnPath, hard);
    await waitFor(
      'the mail has failed',
      async () => (await mail.campaign(id)).progress.failed['bounce 5.1.1'] === 1,
    );
    const { progress } = await mail.campaign(id);
    assert.deepEqual([progress.sent, progress.hard_bounces, progress.soft_bounces], [0, 1, 0]);
    const told = await eventsAbout(address);
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.reason, data.campaign_id]),
      [['mail.bounced', '550 5.1.1 unknown user', Number(id)]],
    );
  },
);

test(
  'The server answers 250 to a bounce only after the status of the mail is committed',
  covers('mailingLists.bounce.hard'),
  async () => {
    const { id, returnPath } = await sent();
    let answered = false;
    const answer = await withLockedTables(service.sql, ['messages'], 'EXCLUSIVE', async () => {
      const delivered = deliver(port, returnPath, hard).then(() => {
        answered = true;
      });
      await waitFor('the recorder waits for the message', async () =>
        (await waitingStatements(service.sql)).some((statement) => /UPDATE messages/.test(statement)),
      );
      assert.equal(answered, false);
      return { delivered };
    });
    await answer.delivered;
    assert.equal((await mail.campaign(id)).progress.failed['bounce 5.1.1'], 1);
  },
);

test(
  'soft bounces count up to the limit, and a sign of life resets the count',
  covers('mailingLists.bounce.soft'),
  async () => {
    const address = newAddress();
    const first = await sent(address);
    await deliver(port, first.returnPath, soft);
    // The same mail twice is one bounce.
    await deliver(port, first.returnPath, soft);
    assert.equal((await userOf(address)).status, 'active');
    const [arrived] = await mail.mailbox(address);
    await (await fetch(/<img src="([^"]+)"/.exec(arrived!.html)![1]!)).arrayBuffer();
    await waitFor('the count is at its beginning', async () => {
      const [user] = await service.sql`SELECT soft_bounces FROM mail_users WHERE address = ${address}`;
      return user!.soft_bounces === 0;
    });
    for (const expected of ['active', 'bounced']) {
      const id = await mail.send([first.list]);
      await mail.finished(id);
      const latest = (await mail.mailbox(address)).at(-1)!;
      await deliver(port, `b-${tokenIn(latest)}@bounces.example.com`, soft);
      assert.equal((await userOf(address)).status, expected);
    }
  },
);

test(
  'A complaint is found by whatever of the mail the report has kept, and ends the mails to its user',
  covers('mailingLists.complaint'),
  async () => {
    const ways = [
      (path: string, _mark: string) => feedback([`Original-Mail-From: <${path}>`], []),
      (path: string, _mark: string) => feedback([], [`Return-Path: <${path}>`]),
      (_path: string, token: string) => feedback([], [`Message-ID: <${token}@bounces.example.com>`]),
    ];
    for (const way of ways) {
      const { address, id, token, returnPath } = await sent();
      await deliver(port, 'complaints@bounces.example.com', way(returnPath, token), 'abuse@mailbox.example');
      assert.deepEqual(await userOf(address), { status: 'complained', by: 'complaint', reason: 'abuse' });
      assert.equal((await mail.campaign(id)).progress.complaints, 1);
    }
  },
);

test(
  'Mail to addresses that are not ours is refused, and forged tokens are not ours',
  covers('mailingLists.bounce.hard'),
  async () => {
    const { token } = await sent();
    const forged = token.slice(0, 20) + (token[20] === 'a' ? 'b' : 'a') + token.slice(21);
    for (const to of [
      'postmaster@bounces.example.com',
      `b-${forged}@bounces.example.com`,
      'b-@bounces.example.com',
      `${token}@x.example`,
    ])
      await assert.rejects(deliver(port, to, hard), /550/, to);
    await deliver(port, 'complaints@bounces.example.com', hard);
    await deliver(port, 'complaints@bounces.example.com', 'Subject: hello\n\nhello\n');
  },
);

test('An answer of a vacation program to the return path changes nothing, nor does a report of a delay', async () => {
  const { address, returnPath } = await sent();
  await deliver(
    port,
    returnPath,
    'From: dana@example.com\nAuto-Submitted: auto-replied\nSubject: Away\n\n5.1.1 away\n',
  );
  await deliver(port, returnPath, dsn('Action: delayed', 'Status: 4.4.1'));
  assert.equal((await userOf(address)).status, 'active');
});

test('bounces of mail servers suppress wrong addresses, and not full, blocked and answering ones', async () => {
  const fixture = (name: string) => readFileSync(new URL(`./bounces/${name}.eml`, import.meta.url), 'utf8');
  const cases = [
    ['exim-unknown-local', 'bounced', 'hard'],
    ['postfix-unknown-m365', 'bounced', 'hard'],
    ['yandex-unknown', 'bounced', 'hard'],
    ['exim-full-local', 'active', 'soft'],
    ['gmail-unauthenticated', 'active', 'soft'],
    ['answer-postmaster', 'active', undefined],
    ['answer-postmaster-x-autoreply', 'active', undefined],
  ] as const;
  for (const [name, status, kind] of cases) {
    const { address, id, returnPath } = await sent();
    await deliver(port, returnPath, fixture(name));
    assert.equal((await userOf(address)).status, status, name);
    const rows = await service.sql<
      { kind: string }[]
    >`SELECT kind FROM mail_returns WHERE shipment_id = ${id}`;
    assert.deepEqual(
      rows.map((row) => row.kind),
      kind === undefined ? [] : [kind],
      name,
    );
  }
});

test('Blocked mails do not count against an address, however many they are', async () => {
  const { address, list, returnPath } = await sent();
  const blocked = dsn('Action: failed', 'Status: 5.7.1', 'Diagnostic-Code: smtp; 554 5.7.1 blocked');
  await deliver(port, returnPath, blocked);
  for (const _ of [1, 2, 3]) {
    const id = await mail.send([list]);
    await mail.finished(id);
    await deliver(port, `b-${tokenIn((await mail.mailbox(address)).at(-1)!)}@bounces.example.com`, blocked);
  }
  assert.equal((await userOf(address)).status, 'active');
});

test('A report of many megabytes is read at its beginning', async () => {
  const { address, returnPath } = await sent();
  await deliver(port, returnPath, hard.replace('<p>Hello</p>', 'x'.repeat(70).concat('\n').repeat(60_000)));
  assert.equal((await userOf(address)).status, 'bounced');
});

test(
  'In the sandbox addresses bounce, complain, refuse and defer as their names say',
  covers('mail.sandbox'),
  async () => {
    const names = ['bounce-hard', 'bounce-soft', 'complain', 'reject', 'busy', 'slow', 'drop'] as const;
    const addressOf = Object.fromEntries(names.map((name) => [name, `${name}+${newAddress('x')}`]));
    const list = await mail.list(Object.values(addressOf).map((email) => ({ email })));
    const id = await mail.send([list]);
    await waitFor('what was deferred is tried again', async () => {
      await service.advance(30);
      return (await mail.campaign(id)).state === 'finished';
    });
    await waitFor('all has come back', async () => {
      const { progress } = await mail.campaign(id);
      return progress.hard_bounces === 2 && progress.soft_bounces === 1 && progress.complaints === 1;
    });
    const bouncesOf = async (kind: string) => {
      const { body } = await mail.v1('GET', `mail/campaigns/${id}/returns?kind=${kind}`);
      return (body.returns as { address: string; code: string }[]).map(({ address, code }) => [
        address,
        code,
      ]);
    };
    assert.deepEqual((await bouncesOf('hard')).sort(), [
      [addressOf['bounce-hard'], '5.1.1'],
      [addressOf.reject, '5.1.1'],
    ]);
    assert.deepEqual(await bouncesOf('soft'), [[addressOf['bounce-soft'], '4.2.2']]);
    assert.deepEqual(await bouncesOf('complaint'), [[addressOf.complain, 'abuse']]);
    const page = await mail.v1('GET', `mail/campaigns/${id}/returns?kind=hard&limit=1`);
    const rest = await mail.v1('GET', `mail/campaigns/${id}/returns?kind=hard&after=${page.body.next}`);
    assert.equal((rest.body.returns as object[]).length, 1);
    assert.equal((await mail.v1('GET', `mail/campaigns/${id}/returns?kind=x`)).status, 400);
    const statuses = await Promise.all(
      names.map(async (name) => [name, (await userOf(addressOf[name]!)).status]),
    );
    assert.deepEqual(Object.fromEntries(statuses), {
      'bounce-hard': 'bounced',
      'bounce-soft': 'active',
      complain: 'complained',
      reject: 'bounced',
      busy: 'active',
      slow: 'active',
      drop: 'active',
    });
    const { messages } = (await mail.v1('GET', `messages?phone=${encodeURIComponent(addressOf.complain!)}`))
      .body as unknown as {
      messages: { id: string }[];
    };
    const { steps } = (await mail.v1('GET', `messages/${messages[0]!.id}`)).body as unknown as {
      steps: { step: string }[];
    };
    assert.equal(steps.at(-1)!.step, 'complained');
    for (const name of ['complain', 'busy', 'slow', 'drop']) {
      assert.equal((await mail.mailbox(addressOf[name]!)).length, 1, name);
    }
  },
);
