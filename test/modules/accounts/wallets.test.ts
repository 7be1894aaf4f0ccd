import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { Accounts, UsernameTaken } from '../../../server/modules/accounts/accounts.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { Prices } from '../../../server/modules/accounts/prices.ts';
import { Tokens, TooManyTokens } from '../../../server/modules/accounts/tokens.ts';
import { NotEnoughCredit, Wallets } from '../../../server/modules/accounts/wallets.ts';
import {
  hashPassword,
  RememberedPasswords,
  verifyPassword,
} from '../../../server/modules/passwords/hashes.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { createDatabase } from '../../support/database.ts';

const { sql } = await createDatabase();
const clock = new AdjustableClock();
const ids = createIdSource(1, clock);
const accounts = new Accounts(sql, ids, clock);
const wallets = new Wallets(sql, ids, clock);
const tokens = new Tokens({ sql, ids, clock, tokenUses: { note() {}, async flush() {} } });

let made = 0;
const newAccount = () => accounts.create({ username: `account-${++made}`, name: 'Account' });

test('a wallet never goes below nothing, and a refused movement leaves no trace', async () => {
  const { id } = await newAccount();
  await wallets.topUp(id, 5 * CREDIT, 'first');
  await assert.rejects(wallets.topUp(id, -5 * CREDIT - 1, 'too much'), NotEnoughCredit);
  await wallets.topUp(id, -5 * CREDIT, 'all');
  assert.equal(await wallets.balance(id), 0);
  const rows = await sql<
    { amount: string }[]
  >`SELECT amount FROM ledger WHERE account_id = ${id} ORDER BY id`;
  assert.deepEqual(
    rows.map((row) => row.amount),
    ['5.0000', '-5.0000'],
  );
  await assertBooksBalance(sql);
});

test('a wallet that does not exist cannot be moved', async () => {
  await assert.rejects(wallets.topUp(1, CREDIT, 'nobody'));
  const rows = await sql`SELECT 1 FROM ledger WHERE account_id = 1`;
  assert.equal(rows.length, 0);
});

test('concurrent transfers in both directions lose nothing', covers('credit.subscribers'), async () => {
  const [a, b] = [await newAccount(), await newAccount()];
  await wallets.topUp(a.id, 100 * CREDIT, 'start');
  await wallets.topUp(b.id, 100 * CREDIT, 'start');
  const moves = Array.from({ length: 60 }, (_, i) =>
    i % 2 ? wallets.transfer(a.id, b.id, i, 'there') : wallets.transfer(b.id, a.id, i, 'back'),
  );
  await Promise.all(moves);
  // 1 + 3 + … + 59 went there, 0 + 2 + … + 58 came back.
  assert.equal(await wallets.balance(a.id), 100 * CREDIT - 30);
  assert.equal(await wallets.balance(b.id), 100 * CREDIT + 30);
  await assert.rejects(wallets.transfer(a.id, b.id, 200 * CREDIT, 'too much'), NotEnoughCredit);
  assert.equal(await wallets.balance(b.id), 100 * CREDIT + 30);
  const peers = await sql`
    SELECT DISTINCT account_id, peer_id FROM ledger WHERE kind = 'transfer' ORDER BY account_id`;
  assert.deepEqual(
    peers.map((row) => [row.account_id, row.peer_id]),
    [
      [a.id, b.id],
      [b.id, a.id],
    ],
  );
  await assertBooksBalance(sql);
});

test('concurrent withdrawals take no more than the balance', async () => {
  const { id } = await newAccount();
  await wallets.topUp(id, 10 * CREDIT, 'start');
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, () => wallets.topUp(id, -CREDIT, 'one')),
  );
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 10);
  assert.equal(await wallets.balance(id), 0);
  await assertBooksBalance(sql);
});

test('user names are one whatever their case', async () => {
  await accounts.create({ username: 'Mixed', name: 'Mixed' });
  await assert.rejects(accounts.create({ username: 'mIXED', name: 'Other' }), UsernameTaken);
  assert.equal((await accounts.byUsername('MIXED'))?.username, 'Mixed');
});

test(
  'at most five tokens are valid, also after concurrent requests',
  covers('signIn.token.five'),
  async () => {
    const { id } = await newAccount();
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => tokens.mint(id)));
    const minted = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(minted.length, 5);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof TooManyTokens);
    }
    assert.equal(await tokens.revoke(minted[0]!.id), true);
    assert.equal(await tokens.revoke(minted[0]!.id), false);
    const { token } = await tokens.mint(id, { expiresAt: clock.now() + 1_000 });
    await assert.rejects(tokens.mint(id), TooManyTokens);
    clock.advance(1_001);
    await tokens.mint(id);
    assert.equal((await tokens.find(token))?.accountId, id, 'an expired one is known as such');
  },
);

test('a token is kept as a digest only', covers('signIn.token.stored'), async () => {
  const { id } = await newAccount();
  const { token } = await tokens.mint(id);
  assert.match(token, /^carillon_[\w-]{43}$/);
  const [row] =
    await sql`SELECT row_to_json(t)::text AS all, octet_length(digest) AS length FROM tokens t WHERE account_id = ${id}`;
  assert.ok(!String(row!.all).includes(token));
  assert.equal(row!.length, 32);
});

test('passwords', async () => {
  const [hash, again] = await Promise.all([hashPassword('סיסמה 1'), hashPassword('סיסמה 1')]);
  assert.notEqual(hash, again);
  assert.match(hash, /^\$argon2id\$v=19\$/);
  assert.equal(await verifyPassword('סיסמה 1', hash), true);
  assert.equal(await verifyPassword('סיסמה 2', hash), false);
  assert.equal(await verifyPassword('x', 'not a hash'), false);
  const remembered = new RememberedPasswords();
  assert.equal(remembered.has('סיסמה 1', hash, '192.0.2.1'), false);
  remembered.add('סיסמה 1', hash, '192.0.2.1');
  assert.equal(remembered.has('סיסמה 1', hash, '192.0.2.1'), true);
  assert.equal(remembered.has('סיסמה 2', hash, '192.0.2.1'), false);
  assert.equal(remembered.has('סיסמה 1', hash, '192.0.2.2'), false, 'of another client');
  assert.equal(remembered.has('סיסמה 1', again, '192.0.2.1'), false, 'after a change of the password');
  remembered.forget(hash, '192.0.2.1');
  assert.equal(remembered.has('סיסמה 1', hash, '192.0.2.1'), false);
});

test(
  "prices: own before everyone's, the longest prefix first, then the default",
  covers('credit.prices'),
  async () => {
    const prices = new Prices(sql, { sms: '1.5' });
    const { id } = await newAccount();
    const price = async (digits: string) => (await prices.of(id, 'sms'))(digits);
    assert.equal(await price('972501234567'), 15_000);
    await prices.set(0, 'sms', '', '2');
    await prices.set(0, 'sms', '9725', '3');
    await prices.set(0, 'voice', '', '9');
    assert.deepEqual([await price('972501234567'), await price('9721')], [30_000, 20_000]);
    await prices.set(id, 'sms', '97250', '0.0001');
    assert.deepEqual([await price('972501234567'), await price('972521234567')], [1, 30_000]);
    await prices.set(id, 'sms', '', '0');
    assert.deepEqual([await price('972501234567'), await price('972521234567')], [1, 0]);
    const other = await newAccount();
    assert.equal((await prices.of(other.id, 'sms'))('972501234567'), 30_000);
  },
);
