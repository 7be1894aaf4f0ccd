import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarlyStore } from '../../../server/engine/dispatch/early-store.ts';
import { createDatabase } from '../../support/database.ts';

/** Reports about messages that are unknown when they arrive, of any channel. */

const { sql } = await createDatabase();
let now = 1_000_000;

interface Kept {
  readonly table: string;
  readonly owner: string;
  readonly content: (id: number) => { readonly id: number };
}

const tables: readonly Kept[] = [
  {
    table: 'early_receipts',
    owner: 'link',
    content: (id: number) => ({
      ...{ link: `link-${id % 2}`, id, carrier_id: '\u0001ab', destination: '', status: 102, code: '"{' },
    }),
  },
  {
    table: 'chat_early_statuses',
    owner: 'account_id',
    content: (id: number) => ({ account_id: id % 2, id, fact: JSON.stringify({ text: '\0 \ud800 "' }) }),
  },
];

for (const { table, owner, content } of tables) {
  const open = () =>
    new EarlyStore<{ readonly id: number }>({
      ...{ sql, table, owner, pauses: [1_000, 5_000] },
      clock: { now: () => now },
    });
  const stored = () =>
    sql<{ id: number; next_at: number; attempt: number }[]>`
      SELECT id, next_at, attempt FROM ${sql(table)} ORDER BY id`;

  test(`${table}: a known report is removed, an unknown one is looked up again, and lost in the end`, async () => {
    const store = open();
    await store.keep([1, 2, 3].map(content));
    const looked: number[][] = [];
    const look = (known: number) => async (reports: readonly { readonly id: number }[]) => {
      looked.push(reports.map(({ id }) => id));
      return reports.map(({ id }) => id === known);
    };
    assert.deepEqual(await store.retry(look(1)), []);
    assert.deepEqual(looked, [], 'it is not due yet');
    now += 1_000;
    assert.deepEqual(await store.retry(look(1)), []);
    assert.deepEqual(
      [...(await stored())],
      [2, 3].map((id) => ({ id, next_at: now + 5_000, attempt: 1 })),
    );
    now += 5_000;
    const lost = await store.retry(look(3));
    assert.deepEqual(
      lost.map(({ id }) => id),
      [2],
    );
    assert.deepEqual(looked, [
      [1, 2, 3],
      [2, 3],
    ]);
    assert.deepEqual([...(await stored())], []);
  });

  test(`${table}: a report is looked up by one process at a time, and again if that one fails`, async () => {
    const [one, other] = [open(), open()];
    await one.keep([7].map(content));
    now += 1_000;
    await assert.rejects(
      one.retry(async () => {
        assert.deepEqual(await other.retry(async () => assert.fail('it looks it up too')), []);
        throw new Error('the database is away');
      }),
      /away/,
    );
    now += 60_000;
    await other.retry(async (reports) => reports.map(() => true));
    assert.deepEqual([...(await stored())], []);
  });
}
