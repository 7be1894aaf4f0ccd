import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { TokenUses } from '../../../server/modules/accounts/token-uses.ts';
import { ACTIVE_TOKENS, MakerRevoked, Tokens } from '../../../server/modules/accounts/tokens.ts';
import { covers } from '../../conformance/covers.ts';
import { atEnd, createDatabase } from '../../support/database.ts';

/** Tokens that `getApiToken` makes, below the interface. */
const { sql } = await createDatabase();
const ids = createIdSource(1, systemClock);
const accounts = new Accounts(sql, ids, systemClock);
const tokenUses = new TokenUses({ sql, log: createLogger('silent') });
atEnd(() => tokenUses.stop());
const tokens = new Tokens({ sql, ids, clock: systemClock, tokenUses });

let count = 0;
const newAccount = () => accounts.create({ username: `account-${++count}`, name: 'Account' });

test(
  'each of many concurrent requests gets a token, and five are valid at the end',
  covers('amendments.getApiToken.sixth'),
  async () => {
    const { id: accountId } = await newAccount();
    const maker = await tokens.mint(accountId);
    const retired: number[] = [];
    const issue = () =>
      tokens.mint(accountId, {
        madeBy: maker.id,
        issue: { by: accountId, onRetire: async (_tx, token) => void retired.push(token.id) },
      });
    const made = await Promise.all(Array.from({ length: 12 }, issue));
    const valid = (await tokens.list(accountId)).map(({ id }) => id);
    assert.equal(valid.length, ACTIVE_TOKENS);
    assert.ok(valid.includes(maker.id), 'the one that asks is never retired');
    const gone = made.map(({ id }) => id).filter((id) => !valid.includes(id));
    assert.deepEqual(
      retired.toSorted((a, b) => a - b),
      gone.toSorted((a, b) => a - b),
    );
  },
);

test('a maker that is revoked while others ask ends all that it made, and nothing deadlocks', async () => {
  const { id: accountId } = await newAccount();
  const maker = await tokens.mint(accountId);
  const issue = () =>
    tokens.mint(accountId, { madeBy: maker.id, issue: { by: accountId, onRetire: async () => {} } });
  const results = await Promise.allSettled([
    ...Array.from({ length: 6 }, issue),
    tokens.revoke(maker.id),
    ...Array.from({ length: 6 }, issue),
    tokenUses.flush(),
  ]);
  for (const result of results) {
    if (result.status === 'rejected') assert.ok(result.reason instanceof MakerRevoked, String(result.reason));
  }
  assert.equal((await tokens.list(accountId)).length, 0);
});

test('tokens of concurrent requests are looked up together, and a revoked one is not accepted', async () => {
  const made: { id: number; token: string }[] = [];
  for (let index = 0; index < 60; index++) made.push(await tokens.mint((await newAccount()).id));
  // It knows none of them.
  const reader = new Tokens({ sql, ids, clock: systemClock, tokenUses });
  const asked: string[] = [];
  sql.options.observe = (text) => void asked.push(text);
  const found = await Promise.all(made.map(({ token }) => reader.find(token)));
  sql.options.observe = undefined;
  assert.deepEqual(
    found.map((grant) => grant?.id),
    made.map(({ id }) => id),
  );
  // The first one asks at once, or with all that come in the same turn; the others are asked for together.
  assert.ok(asked.length <= 2, `${asked.length} statements`);

  const [first, second] = made as [(typeof made)[0], (typeof made)[0]];
  const looking = reader.find('unknown');
  await reader.revoke(first.id);
  assert.deepEqual(await Promise.all([looking, reader.find(first.token), reader.find(second.token)]), [
    null,
    null,
    found[1],
  ]);
});
