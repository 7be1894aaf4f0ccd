import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { heldMemory } from '../../support/held-memory.ts';
import { waitFor } from '../../support/wait-for.ts';
import { fillList } from '../mail/support.ts';
import { newAddress, startMail } from './support.ts';

const mail = await startMail();
const { post, done, newList, add, usersOf, counts, countedOf, sql } = mail;

test('ten thousand users in a request, and the same again', covers('C.AddUsersToLists.many'), async () => {
  const [list, other] = [await newList(), await newList()];
  const users = Array.from({ length: 10_000 }, (_, index) => ({
    EmailAddress: `many${index}@example.org`,
    FirstName: `First ${index}`,
    UserSendFields: [{ Key: 'number', Value: String(index) }],
  }));
  const ids = await add([list, other], users);
  assert.equal(new Set(ids).size, 10_000);
  assert.deepEqual(
    [await counts(list), await counts(other)],
    [
      [10_000, 10_000],
      [10_000, 10_000],
    ],
  );
  assert.deepEqual(await add(list, users), ids);
  assert.deepEqual(await counts(list), [10_000, 10_000]);
  const shown = await usersOf(list, 4);
  assert.equal(shown.length, 10_000);
  assert.deepEqual(
    shown.map((user) => user.UserID),
    [...ids].sort((one, next) => one - next),
  );
  const last = shown.find((user) => user.UserID === ids[9_999])!;
  assert.deepEqual([last.FirstName, last.UserSendFields], ['First 9999', [{ Key: 'number', Value: '9999' }]]);
});

test(
  'a million users: counted in constant time, streamed, emptied immediately, deleted in the background',
  covers('C.GetMailingListByID', 'C.UserCount, ActiveUserCount'),
  async () => {
    const [list, other] = [await newList(), await newList()];
    const million = 1_000_000;
    await fillList(sql, mail.demo.id, list, million);
    assert.deepEqual(await counts(list), [million, million]);
    const kept = await add(other, ['crowd7@example.net']);
    assert.deepEqual(await counts(list), [million, million]);
    const response = await fetch(`${mail.url}/api/Mailer/GetMailingListByID/?listID=${list}&type=4`, {
      headers: { authorization: 'the-mail-token-of-the-demo-account' },
    });
    let users = 0;
    let rest = '';
    const before = heldMemory();
    let held = 0;
    let measured = 0;
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const text = rest + piece;
      users += text.split('"UserID":').length - 1;
      // A token that is cut in two by the pieces is counted with the next one.
      rest = text.slice(-8);
      if (users - measured < 100_000) continue;
      measured = users;
      held = Math.max(held, heldMemory() - before);
    }
    assert.equal(users, million);
    // All of the answer is several hundred MiB.
    assert.ok(held < 50, `${Math.round(held)} MiB more for a list of a million`);

    await done(post('TruncateMailingLists', [list]));
    assert.deepEqual(await counts(list), [0, 0]);
    assert.deepEqual(await usersOf(list), []);
    const left = async () =>
      (
        await sql<
          { count: number }[]
        >`SELECT count(*)::int AS count FROM mail_users WHERE address LIKE 'crowd%'`
      )[0]!.count;
    assert.ok((await left()) > 500_000, 'they are deleted after the answer');
    await add(list, [newAddress(), 'crowd8@example.net']);
    assert.deepEqual(
      [await counts(list), await countedOf(list)],
      [
        [2, 2],
        [2, 2],
      ],
    );
    // That all of them are in the end, without the two that came back, is a test of its own (test/channels/mail/users.test.ts).
    await waitFor('they are being deleted', async () => (await left()) < million - 10_000);
    assert.deepEqual(
      (await usersOf(other)).map((user) => user.UserID),
      kept,
    );
    assert.deepEqual(
      [await counts(list), await countedOf(list)],
      [
        [2, 2],
        [2, 2],
      ],
    );
  },
);
