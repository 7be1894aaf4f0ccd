import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { hashPassword } from '../../../server/modules/passwords/hashes.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { type Content, DEMO_PASSWORD, DEMO_TOKEN, forms, startTestService } from '../../support/service.ts';

/** Who may call, and for whom (decisions, "Sign-in"). */
const service = await startTestService({ settings: { TRUST_PROXY: 'loopback', VERIFY_SOURCES: 'on' } });
const { sql } = service;
const { accounts, tokens, sources } = service.appContext;

for (const form of forms) {
  const balance = (user: unknown, options = {}) =>
    service.call(form, 'balance', { user } as Content, options);

  test(
    `${form}: a token that is missing, unknown, revoked or no bearer token is 3`,
    covers('signIn.token', 'status.3'),
    async () => {
      const user = { username: 'demo' };
      assert.equal((await balance(user)).status, 0);
      assert.equal((await balance(user, { token: null })).status, 3);
      assert.equal((await balance(user, { token: 'no such token' })).status, 3);
      assert.equal((await balance(user, { token: 'nosuchtoken' })).status, 3);
      const odd = [
        'Basic ZGVtbzpkZW1v',
        'Bearer',
        'Bearer ',
        `Bearer ${DEMO_TOKEN} x`,
        `Token ${DEMO_TOKEN}`,
      ];
      for (const authorization of odd) {
        assert.equal(
          (await balance(user, { token: null, headers: { authorization } })).status,
          3,
          authorization,
        );
      }
      for (const authorization of [`bearer ${DEMO_TOKEN}`, `BEARER   ${DEMO_TOKEN}`]) {
        assert.equal(
          (await balance(user, { token: null, headers: { authorization } })).status,
          0,
          authorization,
        );
      }
      const account = await service.addAccount({ username: `revoked-${form}` });
      const { id, token } = await tokens.mint(account.id);
      assert.equal((await balance({ username: account.username }, { token })).status, 0);
      assert.ok(await tokens.revoke(id));
      assert.equal((await balance({ username: account.username }, { token })).status, 3);
    },
  );

  test(
    `${form}: an expired token is 10, by the sandbox's clock`,
    covers('signIn.token.expired', 'status.10'),
    async () => {
      const account = await service.addAccount({ username: `expired-${form}` });
      const { token } = await tokens.mint(account.id, { expiresAt: service.appContext.clock.now() + 60_000 });
      const user = { username: account.username };
      assert.equal((await balance(user, { token })).status, 0);
      await service.advance(61);
      assert.equal((await balance(user, { token })).status, 10);
      assert.equal((await balance({ username: 'demo' }, { token })).status, 10);
    },
  );

  test(
    `${form}: a token is good for its account and its subscribers, for all others 11`,
    covers('signIn.token.others', 'status.11'),
    async () => {
      const parent = await service.addAccount({ username: `boss-${form}` });
      const child = await service.addAccount({ username: `clerk-${form}`, parentId: parent.id });
      const as = (username: string, token: string) =>
        balance({ username }, { token }).then((answer) => answer.status);
      assert.equal(await as(parent.username, parent.token), 0);
      assert.equal(await as(parent.username.toUpperCase(), parent.token), 0);
      assert.equal(await as(child.username, parent.token), 0);
      assert.equal(await as(child.username, child.token), 0);
      assert.equal(await as(parent.username, child.token), 11);
      assert.equal(await as('demo', parent.token), 11);
      assert.equal(await as('nobody', parent.token), 11);
      assert.equal(await as(child.username, DEMO_TOKEN), 11);
    },
  );

  test(`${form}: a subscriber that its parent sends for pays itself`, covers('signIn.pays'), async () => {
    const parent = await service.addAccount({ username: `payer-${form}` }, 10);
    const child = await service.addAccount({ username: `sender-${form}`, parentId: parent.id }, 10);
    await sources.approve(child.id, 'Shop');
    const answer = await service.call(
      form,
      'sms',
      {
        user: { username: child.username },
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'x',
      },
      { token: parent.token },
    );
    assert.equal(answer.status, 0, answer.message);
    assert.deepEqual([await service.balance(parent.id), await service.balance(child.id)], [10, 9]);
  });

  test(`${form}: without a user name it is 2`, covers('signIn.username'), async () => {
    for (const user of [
      undefined,
      '',
      {},
      { username: '' },
      { username: '  ' },
      { username: { a: 1 } },
      { username: ['demo', 'demo'] },
    ]) {
      const answer = await service.call(form, 'balance', { user });
      assert.equal(answer.status, 2, JSON.stringify(user));
      assert.match(answer.message, /^user/);
    }
  });

  test(
    `${form}: a password is accepted only where password sign-in is enabled`,
    covers('signIn.password', 'status.3'),
    async () => {
      const passwordHash = await hashPassword('correct horse');
      const on = await accounts.create({
        username: `on-${form}`,
        name: 'On',
        passwordHash,
        passwordSignIn: true,
      });
      const off = await accounts.create({ username: `off-${form}`, name: 'Off', passwordHash });
      const as = (username: string, password: unknown) =>
        balance({ username, password }, { token: null }).then((answer) => answer.status);
      assert.equal(await as(on.username, 'correct horse'), 0);
      assert.equal(await as(on.username, 'correct horse'), 0);
      assert.equal(await as(on.username, 'Correct horse'), 3);
      assert.equal(await as(on.username, ''), 3);
      assert.equal(await as(off.username, 'correct horse'), 3);
      assert.equal(await as('nobody', 'correct horse'), 3);
      assert.equal(await as('demo', DEMO_PASSWORD), 0);
      // A token that is there is what counts, also beside a good password.
      assert.equal(
        (await balance({ username: 'demo', password: DEMO_PASSWORD }, { token: 'wrong' })).status,
        3,
      );
    },
  );

  test(`${form}: client addresses`, covers('signIn.addresses'), async () => {
    const account = await service.addAccount({
      username: `fenced-${form}`,
      addresses: ['192.0.2.0/24', '198.51.100.7', '2001:db8::/32', '203.0.113.0/31'],
    });
    const from = (address: string, form_ = form) =>
      service
        .call(
          form_,
          'balance',
          { user: { username: account.username } },
          { token: account.token, headers: { 'x-forwarded-for': address } },
        )
        .then((answer) => answer.status);
    for (const allowed of [
      '192.0.2.200',
      '198.51.100.7',
      '::ffff:192.0.2.1',
      '::ffff:c000:201',
      '2001:db8:1::5',
      '203.0.113.1',
      // As some proxies append it.
      '192.0.2.1:443',
    ]) {
      assert.equal(await from(allowed), 0, allowed);
    }
    for (const other of [
      '192.0.3.1',
      '198.51.100.8',
      '2001:db9::1',
      '203.0.113.2',
      '127.0.0.1',
      '::1',
      'unknown',
      '192.0.3.1:443',
      '',
      'x'.repeat(300),
    ]) {
      assert.equal(await from(other), 3, other);
    }
    const free = await balance({ username: 'demo' }, { headers: { 'x-forwarded-for': 'unknown' } });
    assert.equal(free.status, 0);
  });

  test(
    `${form}: a suspended account may look and not send`,
    covers('B2.suspended', 'signIn.suspended', 'status.5'),
    async () => {
      const account = await service.addAccount({ username: `bad-${form}` });
      const child = await service.addAccount({ username: `bad-child-${form}`, parentId: account.id });
      for (const { id } of [account, child]) await sources.approve(id, 'Shop');
      await accounts.suspend(account.id, true);
      const send = (username: string, path = '/api') =>
        service.call(
          form,
          'sms',
          { user: { username }, source: 'Shop', destinations: { phone: newPhone() }, message: 'x' },
          { token: account.token, path },
        );
      const before = await countEverything(sql);
      assert.equal((await send(account.username)).status, 5);
      assert.equal((await send(account.username, '/api/test')).status, 5);
      assert.equal((await send(child.username)).status, 5);
      const bulk = {
        user: { username: account.username },
        messages: { sms: { source: 'Shop', destinations: { phone: newPhone() }, message: 'x' } },
      };
      assert.equal((await service.call(form, 'bulk', bulk, { token: account.token })).status, 5);
      assert.deepEqual(await countEverything(sql), before);
      assert.equal((await balance({ username: account.username }, { token: account.token })).status, 0);
      await accounts.suspend(account.id, false);
      assert.equal((await send(account.username)).status, 0);
    },
  );

  test(
    `${form}: a source must be verified or approved, in any of its spellings`,
    covers('status.515', 'texts.sources'),
    async () => {
      const account = await service.addAccount({ username: `source-${form}` });
      await sources.approve(account.id, 'MyShop');
      await sources.approve(account.id, '0501112222');
      const send = (source: string, path?: string) =>
        service
          .call(
            form,
            'sms',
            {
              user: { username: account.username },
              source,
              destinations: { phone: newPhone() },
              message: 'x',
            },
            { token: account.token, path },
          )
          .then((answer) => answer.status);
      for (const good of ['MyShop', 'MYSHOP', '0501112222', '501112222'])
        assert.equal(await send(good), 0, good);
      const before = await countEverything(sql);
      for (const bad of ['MyShop2', '0501112223', 'Shop', '972501112']) {
        assert.equal(await send(bad), 515, bad);
        assert.equal(await send(bad, '/api/test'), 515, bad);
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: times of an account are in the account's own zone`,
    covers('texts.zone', 'texts.daylight saving'),
    async () => {
      const account = await service.addAccount({
        username: `new-york-${form}`,
        timeZone: 'America/New_York',
      });
      await sources.approve(account.id, 'Shop');
      const due = service.appContext.clock.now() + 3_600_000;
      const answer = await service.call(
        form,
        'sms',
        {
          user: { username: account.username },
          source: 'Shop',
          destinations: { phone: newPhone() },
          message: 'x',
          timing: formatLocal(due, 'America/New_York'),
        },
        { token: account.token },
      );
      const [row] = await sql`SELECT due_at FROM shipments WHERE id = ${Number(answer.fields.shipment_id)}`;
      assert.equal(row!.due_at, Math.floor(due / 60_000) * 60_000);
    },
  );
}
