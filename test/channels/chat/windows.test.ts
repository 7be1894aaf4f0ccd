import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import {
  assertProblem,
  createChatBench,
  DAY,
  HOUR,
  MINUTE,
  newClient,
  newClients,
  SECOND,
  shuffled,
} from './admissions.ts';

/** The 24 hours of a client, and templates without an answer (interface, "Conversation windows"). */
const bench = await createChatBench();
const { clock, sql } = bench;
const number = await bench.newNumber();
const freeForms = ['buttons', 'carousel'] as const;

for (const kind of freeForms) {
  test(
    `${kind}: not to a client who has never written, templates before or not`,
    covers('A5.8', 'windows.free-form'),
    async () => {
      const client = newClient();
      assertProblem(await bench.admitOne(number, client, { kind }), 'never-written');
      assertProblem(await bench.admitOne(number, client), null);
      assertProblem(await bench.admitOne(number, client, { kind }), 'never-written');
      assert.equal((await bench.window(number, client)).unanswered, 1);
    },
  );

  test(
    `${kind}: from the client's message until 24 hours after it`,
    covers('A5.7', 'windows.free-form'),
    async () => {
      const client = newClient();
      const at = clock.now();
      await bench.writes(number, client, at);
      for (const now of [at, at + MINUTE, at + DAY - 1]) {
        assertProblem(await bench.admitOne(number, client, { kind, now }), null);
      }
      for (const now of [at + DAY, at + DAY + MINUTE]) {
        assertProblem(await bench.admitOne(number, client, { kind, now }), 'window-closed');
      }
      await bench.writes(number, client, at + DAY + HOUR);
      assertProblem(await bench.admitOne(number, client, { kind, now: at + DAY + HOUR }), null);
    },
  );

  test(
    `${kind}: not while a template waits for its answer`,
    covers('A5.7', 'windows.answered by a template'),
    async () => {
      const client = newClient();
      await bench.writes(number, client);
      const now = clock.now() + MINUTE;
      assertProblem(await bench.admitOne(number, client, { now }), null);
      assertProblem(await bench.admitOne(number, client, { kind, now }), 'window-closed');
      await bench.writes(number, client, now + MINUTE);
      assertProblem(await bench.admitOne(number, client, { kind, now: now + MINUTE }), null);
    },
  );

  test(`${kind}: a refused one leaves nothing behind`, covers('windows.refused'), async () => {
    const client = newClient();
    assertProblem(await bench.admitOne(number, client, { kind }), 'never-written');
    const rows = await sql`SELECT 1 FROM chat_windows WHERE client = ${client}`;
    assert.equal(rows.length, 0);
  });
}

test(
  'two templates without an answer, and no third however long it waits',
  covers('windows.two unanswered', 'chatLimits.unanswered'),
  async () => {
    const client = newClient();
    const at = clock.now();
    assertProblem(await bench.admitOne(number, client, { now: at }), null);
    assertProblem(await bench.admitOne(number, client, { now: at + HOUR }), null);
    for (const wait of [2 * HOUR, DAY, 30 * DAY]) {
      assertProblem(await bench.admitOne(number, client, { now: at + wait }), 'two-unanswered');
    }
    const window = await bench.window(number, client);
    assert.deepEqual([window.unanswered, window.templateAt], [2, at + HOUR]);
  },
);

test('an answer lets two more templates go', covers('windows.two unanswered'), async () => {
  const client = newClient();
  for (let round = 0; round < 3; round++) {
    assertProblem(await bench.admitOne(number, client), null);
    assertProblem(await bench.admitOne(number, client), null);
    assertProblem(await bench.admitOne(number, client), 'two-unanswered');
    clock.advance(MINUTE);
    await bench.writes(number, client);
  }
});

test(
  'button messages of an open window do not count as unanswered',
  covers('windows.two unanswered'),
  async () => {
    const client = newClient();
    await bench.writes(number, client);
    for (let message = 0; message < 5; message++) {
      assertProblem(await bench.admitOne(number, client, { kind: 'buttons' }), null);
    }
    assertProblem(await bench.admitOne(number, client), null);
    assert.equal((await bench.window(number, client)).unanswered, 1);
  },
);

test(
  'with a setting, unanswered templates expire after the last one, to the millisecond',
  covers('windows.two unanswered'),
  async () => {
    const client = newClient();
    const forgetUnansweredMs = 3 * DAY;
    const at = clock.now();
    assertProblem(await bench.admitOne(number, client, { forgetUnansweredMs, now: at }), null);
    assertProblem(await bench.admitOne(number, client, { forgetUnansweredMs, now: at + DAY }), null);
    const end = at + DAY + forgetUnansweredMs;
    for (const now of [at + forgetUnansweredMs, end - 1]) {
      assertProblem(await bench.admitOne(number, client, { forgetUnansweredMs, now }), 'two-unanswered');
    }
    assertProblem(await bench.admitOne(number, client, { forgetUnansweredMs, now: end }), null);
    assert.equal((await bench.window(number, client)).unanswered, 1);
  },
);

test(
  'each business number has its own window with a client',
  covers('windows.number and client'),
  async () => {
    const other = await bench.newNumber(undefined, number);
    const client = newClient();
    await bench.writes(number, client);
    assertProblem(await bench.admitOne(number, client, { kind: 'buttons' }), null);
    assertProblem(await bench.admitOne(other, client, { kind: 'buttons' }), 'never-written');
    for (const from of [number, other]) {
      assertProblem(await bench.admitOne(from, client), null);
      assertProblem(await bench.admitOne(from, client), null);
      assertProblem(await bench.admitOne(from, client), 'two-unanswered');
    }
  },
);

test(
  'the time left is in whole minutes, as after the message, and never below nothing',
  covers('windows.templateTimeLeft, conversationTimeLeft', 'chat.time left'),
  async () => {
    const client = newClient();
    const at = clock.now();
    const left = async (now: number, kind: 'template' | 'buttons') => {
      const admission = await bench.admitOne(number, client, { now, kind });
      return [admission.problem, admission.templateTimeLeft, admission.conversationTimeLeft];
    };
    assert.deepEqual(await left(at, 'template'), [null, 0, 1440]);
    await bench.writes(number, client, at + HOUR);
    assert.deepEqual(await left(at + HOUR, 'buttons'), [null, 1440, 1380]);
    assert.deepEqual(await left(at + HOUR + 1, 'buttons'), [null, 1439, 1379]);
    assert.deepEqual(await left(at + HOUR + 10 * MINUTE, 'buttons'), [null, 1430, 1370]);
    assert.deepEqual(await left(at + DAY - MINUTE, 'buttons'), [null, 61, 1]);
    assert.deepEqual(await left(at + DAY - 1, 'buttons'), [null, 60, 0]);
    // The conversation is over, and a new one begins.
    assert.deepEqual(await left(at + DAY, 'buttons'), [null, 60, 1440]);
    assert.deepEqual(await left(at + DAY + HOUR - 1, 'buttons'), [null, 0, 1380]);
    assert.deepEqual(await left(at + DAY + HOUR, 'buttons'), ['window-closed', 0, 1380]);
    assert.deepEqual(await left(at + 3 * DAY, 'buttons'), ['window-closed', 0, 0]);
  },
);

test(
  'a message of the client that becomes known late never closes their window or asks for a new answer',
  covers('windows.late messages'),
  async () => {
    const client = newClient();
    const at = clock.now();
    await bench.writes(number, client, at);
    assertProblem(await bench.admitOne(number, client, { now: at + MINUTE }), null);
    await bench.writes(number, client, at - HOUR);
    const window = await bench.window(number, client);
    assert.deepEqual([window.clientAt, window.unanswered], [at, 1]);
  },
);

test(
  'what a client wrote before a template is no answer to it, but in the same second',
  covers('windows.late messages'),
  async () => {
    const at = Math.ceil(clock.now() / SECOND) * SECOND;
    const cases = [
      { template: at + SECOND, unanswered: 1 },
      { template: at + SECOND - 1, unanswered: 0 },
      { template: at - MINUTE, unanswered: 0 },
    ];
    for (const { template, unanswered } of cases) {
      const client = newClient();
      assertProblem(await bench.admitOne(number, client, { now: template }), null);
      await bench.writes(number, client, at);
      const window = await bench.window(number, client);
      assert.deepEqual([window.clientAt, window.unanswered], [at, unanswered]);
    }
    const client = newClient();
    assertProblem(await bench.admitOne(number, client, { now: at - HOUR }), null);
    assertProblem(await bench.admitOne(number, client, { now: at + HOUR }), null);
    await bench.writes(number, client, at);
    assert.equal(
      (await bench.window(number, client)).unanswered,
      1,
      'the first is answered, the second is not',
    );
  },
);

test('the result has the requested order, and every client is decided separately', async () => {
  const [fresh, open, waiting, tired] = newClients(4) as [string, string, string, string];
  await bench.writes(number, open);
  await bench.writes(number, waiting);
  await bench.admitOne(number, waiting);
  await bench.admitOne(number, tired);
  await bench.admitOne(number, tired);
  const clients = [tired, fresh, waiting, open];
  const problems = async (kind: 'buttons' | 'template') =>
    (await bench.admitted(number, clients, { kind })).map(({ client, problem }) => [client, problem]);
  assert.deepEqual(await problems('buttons'), [
    [tired, 'never-written'],
    [fresh, 'never-written'],
    [waiting, 'window-closed'],
    [open, null],
  ]);
  assert.deepEqual(await problems('template'), [
    [tired, 'two-unanswered'],
    [fresh, null],
    [waiting, null],
    [open, null],
  ]);
});

test(
  'of many concurrent templates to one client, two are sent, and one of them opens the conversation',
  covers('windows.conversation.at once', 'windows.two unanswered.at once'),
  async () => {
    for (let round = 0; round < 5; round++) {
      const client = newClient();
      const admissions = await Promise.all(Array.from({ length: 20 }, () => bench.admitOne(number, client)));
      const going = admissions.filter(({ problem }) => problem === null);
      assert.equal(going.length, 2);
      assert.deepEqual(going.map(({ price }) => price).sort(), [0, 10_000]);
      assert.equal(admissions.filter(({ problem }) => problem === 'two-unanswered').length, 18);
    }
  },
);

test(
  'concurrent templates and buttons: no button is sent once a template waits',
  covers('A4.7', 'windows.answered by a template'),
  async () => {
    for (let round = 0; round < 5; round++) {
      const client = newClient();
      await bench.writes(number, client);
      const kinds = shuffled([...Array(6).fill('template'), ...Array(6).fill('buttons')]) as (
        | 'template'
        | 'buttons'
      )[];
      // What the database had when each was decided on, in the order of the decisions.
      const decided: { kind: string; problem: string | null }[] = [];
      await Promise.all(
        kinds.map((kind) =>
          bench.admitOne(number, client, {
            kind,
            also: async (_tx, [admission]) => decided.push({ kind, problem: admission!.problem }),
          }),
        ),
      );
      let templates = 0;
      for (const { kind, problem } of decided) {
        if (kind === 'template') {
          assert.equal(problem, templates >= 2 ? 'two-unanswered' : null);
          templates++;
        } else assert.equal(problem, templates > 0 ? 'window-closed' : null);
      }
    }
  },
);

test(
  'concurrent steps, single messages and messages of clients do not block each other in any order',
  covers('windows.two unanswered.at once'),
  async () => {
    const clients = newClients(1_500);
    const { id: accountId } = await bench.newAccount(100_000);
    const first = await bench.newNumber(accountId);
    const others = await bench.newNumber(accountId);
    await sql`UPDATE chat_portfolios SET tier = 10000 WHERE id IN (${first.portfolioId}, ${others.portfolioId})`;
    const steps = Array.from({ length: 6 }, (_, step) => async () => {
      const from = step % 2 === 0 ? first : others;
      await bench.admitted(from, shuffled(clients).slice(0, 1_000), { also: bench.pay(from) });
    });
    const singles = Array.from({ length: 60 }, (_, single) => async () => {
      const client = clients[(single * 37) % clients.length]!;
      const from = single % 2 === 0 ? first : others;
      if (single % 3 === 0) await bench.writes(from, client);
      else {
        const kind = single % 3 === 1 ? 'template' : 'buttons';
        await bench.admitOne(from, client, { kind, also: bench.pay(from) });
      }
    });
    await Promise.all([...steps, ...singles].sort(() => Math.random() - 0.5).map((work) => work()));
    const [row] = await sql<{ most: number }[]>`
    SELECT max(unanswered) AS most FROM chat_windows WHERE client = ANY(${clients})`;
    assert.ok(row!.most <= 2);
  },
);
