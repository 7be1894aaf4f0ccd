import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocalSeconds } from '../../../server/kit/time-zones.ts';
import { ACTIVE_TOKENS } from '../../../server/modules/accounts/tokens.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { type Content, DEMO_PASSWORD, DEMO_TOKEN, forms, startTestService } from '../../support/service.ts';

/** `balance` and `getApiToken` (decisions, "Extra operations that clients of the interface use"). */
const service = await startTestService();
const { sql } = service;
const { accounts, passwords, tokens, wallets, prices } = service.appContext;

for (const form of forms) {
  const ask = (root: string, content: Content = {}, options = {}) =>
    service.call(form, root, content, options);

  test(`${form}: balance is exact to four places`, covers('operations.balance', 'credit.exact'), async () => {
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

  test(
    `${form}: a wallet beyond the largest single top-up still has a balance`,
    covers('credit.exact'),
    async () => {
      const account = await service.addAccount({ username: `rich-${form}` }, 0);
      for (let i = 0; i < 2; i++) await wallets.topUp(account.id, 999_999_999_999_999, 'more');
      const answer = await ask('balance', { user: { username: account.username } }, { token: account.token });
      assert.equal(answer.status, 0, answer.message);
      assert.equal(Number(answer.fields.balance), 199_999_999_999.9998);
    },
  );

  test(`${form}: a parent asks for the balance of its subscriber`, covers('operations.balance'), async () => {
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

  test(
    `${form}: getApiToken makes tokens that work, and tells the caller its own, in both fields`,
    covers('operations.getApiToken', 'signIn.token.stored', 'amendments.getApiToken'),
    async () => {
      const account = await service.addAccount({ username: `tokens-${form}` });
      const user = { username: account.username };
      const ask = (action: string, token = account.token, path = '/api') =>
        service.call(form, 'getApiToken', { user, username: account.username, action }, { token, path });
      const current = await ask('current');
      assert.deepEqual(Object.keys(current.fields), ['status', 'message', 'token', 'expiration_date']);
      assert.deepEqual(
        [current.status, current.fields.token, current.message],
        [0, account.token, account.token],
      );
      const made = await ask('new');
      assert.equal(made.status, 0, made.message);
      const token = String(made.fields.token);
      assert.equal(made.message, token);
      assert.ok(token.length >= 43, '256 bits take 43 characters');
      assert.equal((await service.call(form, 'balance', { user }, { token })).status, 0);
      const before = await countEverything(sql);
      const dry = await ask('new', account.token, '/api/test');
      assert.deepEqual([dry.status, dry.message, dry.fields.token], [0, 'OK', '']);
      assert.match(String(dry.fields.expiration_date), /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
      assert.deepEqual(await countEverything(sql), before);
      const rows = await sql`SELECT digest FROM tokens WHERE account_id = ${account.id}`;
      assert.ok(!rows.some((row) => String(row.digest).includes(account.token)));
    },
  );

  test(
    `${form}: the sixth token retires the one of getApiToken that was unused the longest`,
    covers('signIn.token.five', 'amendments.getApiToken.sixth', 'status.511'),
    async () => {
      const account = await service.addAccount({ username: `retired-${form}` });
      const user = { username: account.username };
      const ask = (token = account.token, path = '/api') =>
        service.call(
          form,
          'getApiToken',
          { user, username: account.username, action: 'new' },
          { token, path },
        );
      const works = async (token: string) =>
        (await service.call(form, 'balance', { user }, { token })).status === 0;
      const made: string[] = [];
      for (let i = 0; i < 4; i++) made.push(String((await ask()).fields.token));
      // The oldest one makes another, and is the one used last: the next unused one goes.
      await service.advance(60);
      const sixth = String((await ask(made[0])).fields.token);
      assert.deepEqual(await Promise.all([account.token, ...made, sixth].map(works)), [
        true,
        true,
        false,
        true,
        true,
        true,
      ]);
      const [retired] = await sql<{ id: number; revoked_at: number }[]>`
      SELECT id, revoked_at FROM tokens WHERE account_id = ${account.id} AND revoked_at IS NOT NULL`;
      const entries = await service.appContext.people.audit.list(account.id, { limit: 10, kind: 'tokens' });
      assert.deepEqual(
        entries.map(({ action, objectId }) => [action, objectId]),
        [['POST /api getApiToken', String(retired!.id)]],
      );

      // With only people's tokens beside the one that asks there is none to retire.
      const asking = made[3]!;
      await sql`
      UPDATE tokens SET issued_by = NULL WHERE account_id = ${account.id} AND revoked_at IS NULL
        AND digest <> sha256(${asking}::bytea)`;
      for (const path of ['/api', '/api/test']) {
        const refused = await ask(asking, path);
        assert.equal(refused.status, 511, path);
        assert.match(refused.message, /5 tokens/);
      }
      assert.equal((await ask(account.token, '/api/test')).status, 0);
    },
  );

  test(
    `${form}: a token that was retired leaves those that it made, which end with the first maker`,
    covers('amendments.getApiToken.sixth'),
    async () => {
      const account = await service.addAccount({ username: `chain-${form}` });
      const user = { username: account.username };
      let token = account.token;
      for (let i = 0; i < 7; i++) {
        await service.advance(60);
        const answer = await service.call(
          form,
          'getApiToken',
          { user, username: account.username, action: 'new' },
          { token },
        );
        assert.equal(answer.status, 0, answer.message);
        token = String(answer.fields.token);
      }
      assert.equal((await tokens.list(account.id)).length, ACTIVE_TOKENS);
      const [first] = await tokens.list(account.id);
      assert.equal(first!.madeBy, null);
      await tokens.revoke(first!.id, account.id);
      assert.equal((await tokens.list(account.id)).length, 0);
      assert.equal((await service.call(form, 'balance', { user }, { token })).status, 3);
    },
  );

  test(
    `${form}: getApiToken signs in by password where that is switched on`,
    covers('amendments.getApiToken'),
    async () => {
      const user = { username: 'demo', password: DEMO_PASSWORD };
      const ask = (action: string) =>
        service.call(form, 'getApiToken', { user, username: 'demo', action }, { token: null });
      const made = await ask('new');
      assert.equal(made.status, 0, made.message);
      const token = String(made.fields.token);
      assert.equal(made.message, token);
      assert.equal((await service.call(form, 'balance', {}, { token })).status, 0);
      const current = await ask('current');
      assert.deepEqual([current.status, current.fields.token], [0, '']);
      assert.equal(current.fields.expiration_date, made.fields.expiration_date);
      const wrong = { username: 'demo', password: 'wrong' };
      const refused = await service.call(
        form,
        'getApiToken',
        { user: wrong, username: 'demo', action: 'new' },
        { token: null },
      );
      assert.equal(refused.status, 3);
      const password = 'a long enough password';
      const owner = await service.addAccount({ username: `by-password-${form}` });
      const byPassword = () =>
        service.call(
          form,
          'getApiToken',
          { user: { username: owner.username, password }, username: owner.username, action: 'new' },
          { token: null },
        );
      await passwords.change(owner, { password }, async () => {});
      assert.equal((await byPassword()).status, 3);
      await accounts.change(owner.id, { passwordSignIn: true });
      const issued = String((await byPassword()).fields.token);
      const again = await service.call(
        form,
        'getApiToken',
        { user: { username: owner.username }, username: owner.username, action: 'new' },
        { token: issued },
      );
      await passwords.change(owner, { password: 'another long password' }, async () => {});
      assert.equal((await tokens.list(owner.id)).length, 1, 'what a password made ends with it');
      assert.equal(again.status, 0);
    },
  );

  test(
    `${form}: getApiToken: action, unknown names, other people's accounts`,
    covers(
      'operations.getApiToken.refused',
      'operations.getApiToken.subscribers',
      'status.502',
      'status.503',
      'status.504',
    ),
    async () => {
      const parent = await service.addAccount({ username: `up-${form}` });
      const child = await service.appContext.accounts.create({
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
    },
  );

  test(
    `${form}: getApiToken returns the expiry of a token, 365 days after its creation`,
    covers('operations.getApiToken', 'amendments.getApiToken.expiration_date'),
    async () => {
      const account = await service.addAccount({ username: `expiry-${form}` });
      const user = { username: account.username };
      const tell = async (token: string, action = 'current') =>
        (await ask('getApiToken', { user, username: account.username, action }, { token })).fields;
      assert.equal((await tell(account.token)).expiration_date, '31/12/9999 23:59:59');
      const { clock } = service.appContext;
      const expiresAt = clock.now() + 86_400_000;
      const { token } = await tokens.mint(account.id, { expiresAt });
      const told = await tell(token);
      assert.equal(told.token, token);
      assert.equal(told.expiration_date, formatLocalSeconds(expiresAt, 'Asia/Jerusalem'));
      const [from, made, until] = [clock.now(), await tell(account.token, 'new'), clock.now()];
      const [row] = await sql<{ expires_at: number }[]>`
      SELECT expires_at FROM tokens WHERE account_id = ${account.id} AND label = 'getApiToken'`;
      const year = 365 * 86_400_000;
      assert.ok(row!.expires_at >= from + year && row!.expires_at <= until + year);
      assert.equal(made.expiration_date, formatLocalSeconds(row!.expires_at, 'Asia/Jerusalem'));
      assert.match(String(made.expiration_date), /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/);
      const demo = await ask('getApiToken', { username: 'DEMO', action: 'current' });
      assert.equal(demo.fields.token, DEMO_TOKEN);
    },
  );
}
