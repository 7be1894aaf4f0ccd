import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../server/time-zones.ts';
import { countEverything } from '../support/books.ts';
import { newPhone } from '../support/phones.ts';
import { type Content, DEMO_PASSWORD, DEMO_TOKEN, forms, startTestService } from '../support/service.ts';

/** `balance` and `getApiToken` (decisions, "Extra operations that clients of the interface use"). */
const service = await startTestService();
const { sql } = service;
const { tokens, wallets, prices } = service.foundation;

for (const form of forms) {
  const ask = (root: string, content: Content = {}, options = {}) =>
    service.call(form, root, content, options);

  test(`${form}: balance is exact to four places`, async () => {
    const account = await service.addAccount({ username: `balance-${form}` }, 0);
    const user = { username: account.username };
    const options = { token: account.token };
    const balance = async (path?: string) => {
      const answer = await ask('balance', { user }, { ...options, ...(path && { path }) });
      assert.equal(answer.status, 0);
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message', 'balance']);
      if (form === 'json') assert.equal(typeof answer.fields.balance, 'number');
      return Number(answer.fields.balance);
    };
    assert.equal(await balance(), 0);
    await wallets.topUp(account.id, 1, 'a ten-thousandth');
    assert.equal(await balance(), 0.0001);
    await wallets.topUp(account.id, 999_999_999_999 - 1, 'much');
    assert.equal(await balance('/api/test'), 99_999_999.9999);
    await prices.set(account.id, 'sms', '', '0.1');
    for (let i = 0; i < 3; i++) {
      const sent = await ask(
        'sms',
        { user, source: 'Shop', destinations: { phone: newPhone() }, message: 'x' },
        options,
      );
      assert.equal(sent.status, 0);
    }
    assert.equal(await balance(), 99_999_999.6999);
  });

  test(`${form}: a wallet beyond the largest single top-up still has a balance`, async () => {
    const account = await service.addAccount({ username: `rich-${form}` }, 0);
    for (let i = 0; i < 2; i++) await wallets.topUp(account.id, 999_999_999_999_999, 'more');
    const answer = await ask('balance', { user: { username: account.username } }, { token: account.token });
    assert.equal(answer.status, 0, answer.message);
    assert.equal(Number(answer.fields.balance), 199_999_999_999.9998);
  });

  test(`${form}: a parent asks for the balance of its subscriber`, async () => {
    const parent = await service.addAccount({ username: `parent-${form}` }, 7);
    const child = await service.addAccount({ username: `child-${form}`, parentId: parent.id }, 3);
    const options = { token: parent.token };
    assert.equal(
      Number((await ask('balance', { user: { username: child.username } }, options)).fields.balance),
      3,
    );
    assert.equal(
      Number((await ask('balance', { user: { username: parent.username } }, options)).fields.balance),
      7,
    );
  });

  test(`${form}: getApiToken makes tokens that work, five at most, and tells the caller its own`, async () => {
    const account = await service.addAccount({ username: `tokens-${form}` });
    const user = { username: account.username };
    const ask = (action: string, token = account.token, path = '/api') =>
      service.call(form, 'getApiToken', { user, username: account.username, action }, { token, path });
    const current = await ask('current');
    assert.deepEqual(Object.keys(current.fields), ['status', 'message', 'token', 'expiration_date']);
    assert.deepEqual([current.status, current.fields.token], [0, account.token]);
    for (let i = 0; i < 4; i++) {
      const made = await ask('new');
      assert.equal(made.status, 0, made.message);
      const token = String(made.fields.token);
      assert.ok(token.length >= 43, '256 bits take 43 characters');
      assert.equal((await service.call(form, 'balance', { user }, { token })).status, 0);
    }
    const sixth = await ask('new');
    assert.equal(sixth.status, 511);
    assert.match(sixth.message, /5 tokens/);
    const before = await countEverything(sql);
    assert.equal((await ask('new', account.token, '/api/test')).status, 511);
    assert.deepEqual(await countEverything(sql), before);
    const rows = await sql`SELECT digest FROM tokens WHERE account_id = ${account.id}`;
    assert.equal(rows.length, 5);
    assert.ok(!rows.some((row) => String(row.digest).includes(account.token)));
  });

  test(`${form}: getApiToken: action, unknown names, other people's accounts`, async () => {
    const parent = await service.addAccount({ username: `up-${form}` });
    const child = await service.foundation.accounts.create({
      username: `down-${form}`,
      name: 'Down',
      parentId: parent.id,
    });
    const ask = (content: Content, options: object = { token: parent.token }) =>
      service.call(form, 'getApiToken', { user: { username: parent.username }, ...content }, options);
    const before = await countEverything(sql);
    for (const action of ['', undefined]) {
      assert.equal((await ask({ username: parent.username, action })).status, 2);
    }
    for (const action of ['NEW', 'old', 1])
      assert.equal((await ask({ username: parent.username, action })).status, 502);
    assert.equal((await ask({ action: 'new' })).status, 2);
    for (const username of ['nobody', 'demo', "x' OR 1=1"]) {
      assert.equal((await ask({ username, action: 'new' })).status, 503);
      assert.equal((await ask({ username, action: 'current' })).status, 503);
    }
    assert.equal((await ask({ username: child.username, action: 'current' })).status, 504);
    assert.deepEqual(await countEverything(sql), before);
    const made = await ask({ username: child.username, action: 'new' });
    assert.equal(made.status, 0);
    const token = String(made.fields.token);
    assert.equal(
      (await service.call(form, 'balance', { user: { username: child.username } }, { token })).status,
      0,
    );
    const upwards = { user: { username: child.username }, username: parent.username, action: 'new' };
    assert.equal((await ask(upwards, { token })).status, 503);
    const now = await ask({ username: child.username, action: 'current' });
    assert.deepEqual([now.status, now.fields.token], [0, '']);
  });

  test(`${form}: getApiToken tells when a token expires, and needs a token itself`, async () => {
    const account = await service.addAccount({ username: `expiry-${form}` });
    const expiresAt = service.foundation.clock.now() + 86_400_000;
    const { token } = await tokens.mint(account.id, { expiresAt });
    const user = { username: account.username };
    const answer = await ask(
      'getApiToken',
      { user, username: account.username, action: 'current' },
      { token },
    );
    assert.equal(answer.fields.token, token);
    assert.equal(answer.fields.expiration_date, formatLocal(expiresAt, 'Asia/Jerusalem'));
    const byPassword = {
      user: { username: 'demo', password: DEMO_PASSWORD },
      username: 'demo',
      action: 'new',
    };
    assert.equal((await ask('getApiToken', byPassword, { token: null })).status, 3);
    const demo = await ask('getApiToken', { username: 'DEMO', action: 'current' });
    assert.equal(demo.fields.token, DEMO_TOKEN);
  });
}
