import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { oneSms, startTestService } from '../../support/service.ts';

/** Requests of one account that come together are accepted together (group commit), and each gets its own answer. */
const service = await startTestService();
const { sql } = service;

test('requests of a crowd: the one that asks for too much gets 4, the others 0, and the wallet is exact', async () => {
  const crowd = await service.addAccount({ username: 'crowd' }, 60);
  const user = { username: crowd.username };
  const greedy = newPhones(61);
  const requests = Array.from({ length: 50 }, (_, i) =>
    service.call(
      i % 2 ? 'xml' : 'json',
      'sms',
      oneSms({ user, ...(i === 20 && { destinations: { phone: greedy } }) }),
      { token: crowd.token },
    ),
  );
  const statuses = (await Promise.all(requests)).map((answer) => answer.status);
  assert.deepEqual(
    statuses,
    Array.from({ length: 50 }, (_, i) => (i === 20 ? 4 : 0)),
  );
  assert.equal(await service.balance(crowd.id), 11);
  await assertBooksBalance(sql);
});

test(
  'a crowd that wants more than there is gets exactly what there is',
  covers('credit.one transaction'),
  async () => {
    const crowd = await service.addAccount({ username: 'crowd-2' }, 20);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        service.call('json', 'sms', oneSms({ user: { username: crowd.username } }), { token: crowd.token }),
      ),
    );
    assert.equal(answers.filter((answer) => answer.status === 0).length, 20);
    assert.equal(answers.filter((answer) => answer.status === 4).length, 40);
    assert.equal(await service.balance(crowd.id), 0);
    await assertBooksBalance(sql);
  },
);

test('concurrent blocked, filtered and good requests get their own answers', async () => {
  const blocked = newPhone();
  const recent = newPhone();
  await service.call('json', 'addNumBL', { phones: { phone: blocked } });
  assert.equal((await service.call('json', 'sms', oneSms({ destinations: { phone: recent } }))).status, 0);
  const before = await service.balance();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      service.call(
        'json',
        'sms',
        oneSms(
          i % 3 === 0
            ? { destinations: { phone: blocked } }
            : i % 3 === 1
              ? { destinations: { phone: recent }, temp_bl: 7 }
              : {},
        ),
      ),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array.from({ length: 30 }, (_, i) => [8, 715, 0][i % 3]),
  );
  assert.equal(await service.balance(), before - 10);
});
