import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readMailAddress } from '../../../server/channels/mail/addresses.ts';
import { follows, userStatuses } from '../../../server/channels/mail/statuses.ts';
import { covers } from '../../conformance/covers.ts';
import { createMailBench, fillList, given } from './support.ts';

const bench = await createMailBench();
const { sql, lists, users, additions, listWork, accountId, newList, counts, happened } = bench;
let last = 0;
const newAddress = () => `person${++last}@example.com`;
const statusOf = async (id: number) => (await users.find(accountId, id))!.status;

test(
  'changes of status: counts of every list, events, and what may follow on what',
  covers('mailingLists.deletion, undelete', 'mailingLists.events'),
  async () => {
    const [one, other] = [await newList(), await newList()];
    for (const from of userStatuses) {
      for (const to of userStatuses) {
        const [id] = await additions.add(accountId, [one, other], [given(newAddress())]);
        if (from !== 'active') await users.setStatus(accountId, [id!], from, { cause: 'account' });
        const before = (await happened()).length;
        const changed = await users.setStatus(accountId, [id!], to, {
          cause: 'complaint',
          reason: '5.1.1 no such user',
          campaignId: 17,
        });
        assert.deepEqual(
          [changed.length === 1, await statusOf(id!)],
          follows(from, to) ? [true, to] : [false, from],
        );
        const data = {
          user_id: id,
          email: (await users.find(accountId, id!))!.address,
          campaign_id: 17,
        };
        const told =
          !follows(from, to) || to === 'active'
            ? []
            : to === 'bounced'
              ? [{ type: 'mail.bounced', data: { ...data, reason: '5.1.1 no such user' } }]
              : [{ type: 'mail.unsubscribed', data: { ...data, cause: 'complaint' } }];
        assert.deepEqual(
          (await happened()).slice(before).map(({ type, data }) => ({ type, data })),
          told,
        );
      }
    }
    assert.deepEqual(await counts(one), await counts(other));
  },
);

test('what a person asked for outlives bounces and deletion', () => {
  for (const asked of ['removed', 'complained'] as const) {
    assert.deepEqual(
      userStatuses.filter((to) => follows(asked, to)),
      ['active'],
    );
  }
});

test(
  'concurrent additions, removals, undeletes and emptying keep the counts right, and nobody waits forever',
  covers('C.UserCount, ActiveUserCount'),
  async () => {
    const all = await Promise.all([newList(), newList(), newList()]);
    const addresses = Array.from({ length: 200 }, () => newAddress());
    // The same by every run.
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const some = () => Array.from({ length: 50 }, () => addresses[random(addresses.length)]!);
    const known = await additions.add(
      accountId,
      all,
      addresses.map((one) => given(one)),
    );
    const steps = Array.from({ length: 90 }, (_, index) => async () => {
      const list = all[random(3)]!;
      switch (index % 6) {
        case 0:
          return additions.add(
            accountId,
            [list, all[random(3)]!],
            some().map((one) => given(one)),
          );
        case 1:
          return additions.add(
            accountId,
            [list],
            some().map((one) => given(one, { status: 'active' })),
          );
        case 2:
          return users.setStatus(
            accountId,
            known.filter(() => random(4) === 0),
            'removed',
            { cause: 'page' },
          );
        case 3:
          return users.setStatus(
            accountId,
            known.filter(() => random(4) === 0),
            'bounced',
            { cause: 'bounce' },
          );
        case 4:
          return additions.add(
            accountId,
            [list],
            [...some(), newAddress()].map((one) => given(one, { status: 'deleted' })),
          );
        default:
          return index % 12 === 5 ? lists.empty(accountId, [list]) : listWork.run();
      }
    });
    const working = Array.from({ length: 8 }, async () => {
      for (let step = steps.pop(); step; step = steps.pop()) await step();
    });
    await Promise.all(working);
    for (const list of all) await counts(list);
    await listWork.run();
    for (const list of all) await counts(list);
    const dangling = await sql`
    SELECT 1 FROM mail_members m LEFT JOIN mail_users u ON u.account_id = m.account_id AND u.id = m.user_id
    WHERE u.id IS NULL`;
    assert.equal(dangling.length, 0);
  },
);

test('two concurrent additions of the same new users both get their ids', async () => {
  const list = await newList();
  const same = Array.from({ length: 300 }, () => newAddress());
  const added = await Promise.all(
    [same, same.toReversed(), same, same.toReversed()].map((some) =>
      additions.add(
        accountId,
        [list],
        some.map((one) => given(one)),
      ),
    ),
  );
  assert.deepEqual(added[1], added[0]!.toReversed());
  assert.deepEqual(added[2], added[0]);
  assert.deepEqual(await counts(list), [300, 300]);
});

test('pages of active users, each once and in the order of their ids', async () => {
  const list = await newList();
  const ids = await additions.add(
    accountId,
    [list],
    Array.from({ length: 25 }, (_, index) => given(newAddress(), { sendFields: [['n', String(index)]] })),
  );
  const gone = ids.filter((_, index) => index % 3 === 0);
  await users.setStatus(accountId, gone, 'deleted', { cause: 'account' });
  const found: number[] = [];
  for (let after = 0; ; ) {
    const page = await users.page(sql, accountId, list, after, 5);
    found.push(...page.map((user) => user.id));
    if (page.length < 5) break;
    after = page.at(-1)!.id;
  }
  assert.deepEqual(
    found,
    ids.filter((id) => !gone.includes(id)).sort((one, other) => one - other),
  );
  assert.deepEqual((await users.page(sql, accountId, list, 0, 1))[0]!.sendFields, [['n', '1']]);
});

test('soft bounces are counted until a mail gets through', covers('mailingLists.bounce.soft'), async () => {
  const [id] = await additions.add(accountId, [await newList()], [given(newAddress())]);
  const bounce = () => sql.begin((tx) => users.softBounced(tx, accountId, [id!]));
  assert.deepEqual([(await bounce()).get(id!), (await bounce()).get(id!)], [1, 2]);
  await users.delivered(sql, accountId, [id!]);
  assert.equal((await bounce()).get(id!), 1);
  assert.equal((await users.find(accountId, id!))!.heard, true);
});

test('names of fields are remembered, a hundred at most', async () => {
  const list = await newList();
  const fields = Array.from({ length: 120 }, (_, index) => [`field ${index}`, 'x'] as const);
  await additions.add(accountId, [list], [given(newAddress(), { sendFields: fields.slice(0, 60) })]);
  await additions.add(accountId, [list], [given(newAddress(), { sendFields: fields.slice(50) })]);
  const { columns } = await lists.get(accountId, list);
  assert.deepEqual(
    columns,
    fields.slice(0, 100).map(([name]) => name),
  );
  await lists.empty(accountId, [list]);
  assert.deepEqual((await lists.get(accountId, list)).columns, []);
});

test('who asked for removal is remembered when their list is emptied, and others are not', async () => {
  const list = await newList();
  const [removed, bounced, active, deleted] = [newAddress(), newAddress(), newAddress(), newAddress()];
  const ids = await additions.add(
    accountId,
    [list],
    [removed, bounced, active, deleted].map((one) => given(one)),
  );
  await users.setStatus(accountId, [ids[0]!], 'removed', { cause: 'page' });
  await users.setStatus(accountId, [ids[1]!], 'bounced', { cause: 'bounce' });
  await users.setStatus(accountId, [ids[3]!], 'deleted', { cause: 'account' });
  await lists.remove(accountId, list);
  await assert.rejects(lists.get(accountId, list), /no mailing list/);
  await listWork.run();
  const left = async (address: string) => (await users.byAddress(accountId, address))?.status;
  assert.deepEqual(
    [await left(removed), await left(bounced), await left(active), await left(deleted)],
    ['removed', 'bounced', undefined, undefined],
  );
  const again = await newList();
  await additions.add(
    accountId,
    [again],
    [removed, bounced, active, deleted].map((one) => given(one)),
  );
  assert.deepEqual(await counts(again), [4, 2]);
});

test(
  'a long list is emptied immediately, and deleted afterwards',
  covers('C.TruncateMailingLists'),
  async () => {
    // As many steps of the deletion as there are in a list of a million, which test/channels/mail-api/crowds.test.ts has.
    const LONG = 200_000;
    const list = await newList();
    await fillList(sql, accountId, list, LONG);
    assert.equal((await lists.get(accountId, list)).activeCount, LONG);
    await lists.empty(accountId, [list]);
    assert.deepEqual(await counts(list), [0, 0]);
    const still = async () =>
      (
        await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM mail_users WHERE id >= 100000000`
      )[0]!.count;
    assert.equal(await still(), LONG);
    await additions.add(accountId, [list], [given('crowd5@example.net')]);
    assert.deepEqual(await counts(list), [1, 1]);
    await listWork.run();
    assert.equal(await still(), 1);
    assert.deepEqual(await counts(list), [1, 1]);
  },
);

describe('addresses', () => {
  test('spellings of one are one', covers('C.AddUsersToLists.addresses'), () => {
    const keys = (...spellings: string[]) => new Set(spellings.map((one) => readMailAddress(one)!.key)).size;
    assert.equal(keys('A.b@Example.COM', ' a.B@example.com '), 1);
    assert.equal(keys('x@bücher.example', 'X@BÜCHER.example', 'x@xn--bcher-kva.example'), 1);
    assert.equal(keys('e\u0301@example.com', '\u00e9@example.com', 'É@example.com'), 1);
    assert.equal(keys('a+b@example.com', 'a@example.com', 'ab@example.com'), 3);
  });

  test('users are shown as they were added', () => {
    assert.equal(readMailAddress(' Dana.Cohen@Bücher.Example ')!.address, 'Dana.Cohen@Bücher.Example');
  });
});
