import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Account } from '../../../server/modules/accounts/accounts.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { verifyPassword } from '../../../server/modules/passwords/hashes.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { newPhone, stored } from '../../support/phones.ts';
import {
  type Answer,
  type Content,
  type Fields,
  type Form,
  forms,
  startTestService,
} from '../../support/service.ts';

/** The interface's chapter B7, in both forms. */
const service = await startTestService();
const { sql } = service;
const { accounts, wallets, sources } = service.appContext;
afterEach(() => assertBooksBalance(sql));
const rowsOf = (answer: Answer, field: string) => answer.fields[field] as Fields[];
let last = 0;
const newName = () => `person-${++last}`;

type Parent = Account & { token: string };
const newParent = (credits = 1_000) => service.addAccount({ username: newName() }, credits);

/** Calls for a parent. */
function asker(form: Form, parent: Parent) {
  return (root: string, content: Content = {}, path = '/api') =>
    service.call(
      form,
      root,
      { user: { username: parent.username }, ...content },
      { token: parent.token, path },
    );
}

const details = (over: Content = {}): Content => ({
  name: 'A shop',
  username: newName(),
  password: 'open sesame',
  source: 'Shop',
  amount: 10,
  ...over,
});

interface LedgerRow {
  account_id: number;
  kind: string;
  amount: string;
  peer_id: number;
  note: string;
}

async function transfers(...ids: number[]): Promise<LedgerRow[]> {
  const rows = await sql<LedgerRow[]>`
    SELECT account_id, kind, amount, peer_id, note FROM ledger
    WHERE account_id = ANY(${ids}) AND kind = 'transfer' ORDER BY id`;
  return rows.map((row) => ({ ...row }));
}

for (const form of forms) {
  test(
    `${form}: addSub creates an account under the caller, with all requested values`,
    covers('B7.addSub'),
    async () => {
      const parent = await newParent(100);
      const username = newName();
      const otpPhone = newPhone();
      const userDetails = details({ username, name: 'חנות & Co', source: 'MyShop', amount: 30, otpPhone });
      const answer = await asker(form, parent)('addSub', { userDetails });
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
      assert.equal(answer.status, 0, answer.message);
      const child = (await accounts.byUsername(username))!;
      assert.equal(child.parentId, parent.id);
      assert.equal(child.name, 'חנות & Co');
      assert.equal(child.passwordSignIn, false);
      assert.match(child.passwordHash!, /^\$argon2id\$/);
      assert.ok(await verifyPassword('open sesame', child.passwordHash!));
      const [row] = await sql`SELECT default_source, otp_phone FROM accounts WHERE id = ${child.id}`;
      assert.deepEqual({ ...row }, { default_source: 'MyShop', otp_phone: stored(otpPhone) });
      assert.equal(await service.balance(parent.id), 70);
      assert.equal(await service.balance(child.id), 30);
      const common = { kind: 'transfer', note: 'addSub' };
      assert.deepEqual(await transfers(parent.id, child.id), [
        { ...common, account_id: parent.id, amount: '-30.0000', peer_id: child.id },
        { ...common, account_id: child.id, amount: '30.0000', peer_id: parent.id },
      ]);
    },
  );

  test(
    `${form}: a new subscriber sends with its parent's token, and pays itself`,
    covers('B7.addSub.sends'),
    async () => {
      const parent = await newParent(20);
      const username = newName();
      const ask = asker(form, parent);
      assert.equal((await ask('addSub', { userDetails: details({ username, amount: 5 }) })).status, 0);
      const sent = await ask('sms', {
        user: { username },
        source: 'Shop',
        destinations: { phone: newPhone() },
        message: 'Hello',
      });
      assert.equal(sent.status, 0, sent.message);
      const child = (await accounts.byUsername(username))!;
      assert.equal(await service.balance(child.id), 4);
      assert.equal(await service.balance(parent.id), 15);
      const minted = await ask('getApiToken', { username, action: 'new' });
      assert.equal(minted.status, 0, minted.message);
    },
  );

  test(
    `${form}: amounts: none, all there is, one more, not whole, negative, absent`,
    covers('B7.addSub.amount', 'status.990', 'status.991'),
    async () => {
      const parent = await newParent(50);
      const ask = asker(form, parent);
      const add = (amount: unknown, path?: string) =>
        ask('addSub', { userDetails: details({ amount }) }, path);
      assert.equal((await add(0)).status, 0);
      assert.deepEqual(await transfers(parent.id), []);
      const before = await countEverything(sql);
      const refused: [unknown, number, RegExp][] = [
        [51, 990, /^userDetails\.amount/],
        ['99999999999', 990, /^userDetails\.amount/],
        ['9'.repeat(40), 990, /^userDetails\.amount/],
        [1.5, 991, /^userDetails\.amount/],
        ['1e1', 991, /^userDetails\.amount/],
        ['ten', 991, /^userDetails\.amount/],
        ['', 991, /^userDetails\.amount/],
        [-1, 991, /^userDetails\.amount/],
        [undefined, 2, /^userDetails\.amount: missing/],
      ];
      for (const [amount, status, field] of refused) {
        for (const path of ['/api', '/api/test']) {
          const answer = await add(amount, path);
          assert.equal(answer.status, status, `${amount}: ${answer.message}`);
          assert.match(answer.message, field);
        }
      }
      assert.deepEqual(await countEverything(sql), before);
      assert.equal((await add('+50')).status, 0);
      assert.equal(await service.balance(parent.id), 0);
    },
  );

  test(
    `${form}: a remaining fraction of a credit cannot be moved as a whole one`,
    covers('B7.addSub.amount'),
    async () => {
      const parent = await newParent(0);
      await wallets.topUp(parent.id, CREDIT - 1, 'just less than one');
      const userDetails = details({ amount: 1 });
      assert.equal((await asker(form, parent)('addSub', { userDetails })).status, 990);
    },
  );

  test(`${form}: a password of eight characters is accepted`, covers('B7.addSub.password'), async () => {
    const userDetails = details({ password: 'kx7Qpv2m' });
    assert.equal((await asker(form, await newParent())('addSub', { userDetails })).status, 0);
  });

  test(
    `${form}: lengths, characters and required fields`,
    covers(
      'B7.addSub.name',
      'B7.addSub.username',
      'B7.addSub.password',
      'B7.addSub.source',
      'B7.addSub.otpPhone',
      'status.993',
      'status.994',
      'status.995',
      'status.996',
    ),
    async () => {
      const parent = await newParent();
      const ask = asker(form, parent);
      const name = newName();
      await service.addAccount({ username: name });
      const refused: [Content, number, RegExp][] = [
        [{ name: 'x' }, 996, /^userDetails\.name/],
        [{ name: '' }, 996, /^userDetails\.name/],
        [{ name: 'x'.repeat(51) }, 996, /^userDetails\.name/],
        [{ name: 'Bank evil.example/win' }, 2, /^userDetails\.name: .*link/],
        [{ name: 'Bank \u202egro.live' }, 2, /^userDetails\.name: .*direction/],
        [{ name: 'Call 050-123-4567' }, 2, /^userDetails\.name: .*phone/],
        [{ name: undefined }, 2, /^userDetails\.name: missing/],
        [{ username: 'ab' }, 995, /^userDetails\.username/],
        [{ username: '' }, 995, /^userDetails\.username/],
        [{ username: 'x'.repeat(51) }, 995, /^userDetails\.username/],
        [{ username: 'a b c' }, 2, /^userDetails\.username/],
        [{ username: 'שלום' }, 2, /^userDetails\.username/],
        [{ username: undefined }, 2, /^userDetails\.username: missing/],
        [{ username: name }, 994, /^userDetails\.username: taken/],
        [{ username: name.toUpperCase() }, 994, /^userDetails\.username: taken/],
        [{ username: parent.username }, 994, /^userDetails\.username: taken/],
        [{ password: 'kx7Qpv2' }, 993, /^userDetails\.password: 8 to 60/],
        [{ password: '123456789' }, 993, /^userDetails\.password: is one of the commonest/],
        [{ password: 'Password123' }, 993, /^userDetails\.password: is one of the commonest/],
        [{ password: '' }, 993, /^userDetails\.password/],
        [{ password: 'x'.repeat(61) }, 993, /^userDetails\.password/],
        [{ password: undefined }, 2, /^userDetails\.password: missing/],
        [{ source: '' }, 992, /^userDetails\.source/],
        [{ source: 'ABCDEFGHIJKL' }, 992, /^userDetails\.source/],
        [{ source: 'My Shop' }, 992, /^userDetails\.source/],
        [{ source: '+97250' }, 992, /^userDetails\.source/],
        [{ source: undefined }, 2, /^userDetails\.source: missing/],
        [{ otpPhone: '12' }, 2, /^userDetails\.otpPhone/],
      ];
      const before = await countEverything(sql);
      for (const [over, status, field] of refused) {
        for (const path of ['/api', '/api/test']) {
          const answer = await ask('addSub', { userDetails: details(over) }, path);
          assert.equal(answer.status, status, `${JSON.stringify(over)}: ${answer.message}`);
          assert.match(answer.message, field);
        }
      }
      assert.equal((await ask('addSub')).status, 2);
      assert.deepEqual(await countEverything(sql), before);
      const accepted: Content[] = [
        { name: 'ab' },
        { name: 'x'.repeat(50) },
        { username: `a${form[0]}1` },
        { username: `${form}${'x'.repeat(50 - form.length)}` },
        { password: '1 2 3 4 56' },
        { password: 'סודות'.repeat(12) },
        { source: 'ABCDEFGHIJK' },
      ];
      for (const over of accepted) {
        const answer = await ask('addSub', { userDetails: details(over) });
        assert.equal(answer.status, 0, `${JSON.stringify(over)}: ${answer.message}`);
      }
    },
  );

  test(`${form}: a dry run of addSub makes nothing`, covers('B7.addSub.dry run'), async () => {
    const parent = await newParent(10);
    const before = await countEverything(sql);
    const answer = await asker(form, parent)('addSub', { userDetails: details() }, '/api/test');
    assert.deepEqual([answer.status, answer.message], [0, 'subscriber added']);
    assert.deepEqual(await countEverything(sql), before);
  });

  test(
    `${form}: of many concurrent requests with one name or one credit, one creates the account`,
    covers('B7.addSub'),
    async () => {
      const parent = await newParent(10);
      const ask = asker(form, parent);
      const username = newName();
      const same = await Promise.all(
        Array.from({ length: 4 }, () => ask('addSub', { userDetails: details({ username, amount: 1 }) })),
      );
      assert.deepEqual(same.map(({ status }) => status).sort(), [0, 994, 994, 994]);
      assert.equal(await service.balance(parent.id), 9);
      const before = (await countEverything(sql)).accounts as number;
      const greedy = await Promise.all(
        Array.from({ length: 4 }, () => ask('addSub', { userDetails: details({ amount: 9 }) })),
      );
      assert.deepEqual(greedy.map(({ status }) => status).sort(), [0, 990, 990, 990]);
      assert.equal((await countEverything(sql)).accounts, before + 1);
      assert.equal(await service.balance(parent.id), 0);
    },
  );

  test(
    `${form}: a subscriber gets the senders that its parent has, and no others`,
    covers('B7.addSub.sends', 'amendments.approved names'),
    async () => {
      const parent = await newParent();
      await sources.approve(parent.id, 'Family');
      await sources.approve(parent.id, 'Our Shop-1');
      for (const [source, approved] of [
        ['Our Shop-1', true],
        ['FAMILY', true],
        ['Stranger', false],
      ] as const) {
        const username = newName();
        const answer = await asker(form, parent)('addSub', { userDetails: details({ username, source }) });
        assert.equal(answer.status, 0, answer.message);
        const { id } = (await accounts.byUsername(username))!;
        assert.equal(await sources.isApproved(id, source), approved);
      }
    },
  );

  test(
    `${form}: updateAmountSub moves credit in both directions, in two ledger rows`,
    covers('B7.updateAmountSub', 'B7.updateAmountSub.refused'),
    async () => {
      const parent = await newParent(100);
      const child = await service.addAccount({ username: newName(), parentId: parent.id }, 0);
      const ask = asker(form, parent);
      const update = (amount: unknown, more: Content = {}, path?: string) =>
        ask('updateAmountSub', { userDetails: { username: child.username, amount, ...more } }, path);
      const given = await update(40);
      assert.deepEqual(Object.keys(given.fields), ['status', 'message']);
      assert.equal(given.status, 0, given.message);
      assert.deepEqual([await service.balance(parent.id), await service.balance(child.id)], [60, 40]);
      assert.equal((await update('-15')).status, 0);
      assert.deepEqual([await service.balance(parent.id), await service.balance(child.id)], [75, 25]);
      assert.equal((await update(0)).status, 0);
      assert.equal((await update(1, { amount_int: 12 })).status, 0);
      const rows = await transfers(parent.id, child.id);
      assert.deepEqual(
        rows.map(({ account_id, amount, peer_id, note }) => [account_id, Number(amount), peer_id, note]),
        [
          [parent.id, -40, child.id, 'updateAmountSub'],
          [child.id, 40, parent.id, 'updateAmountSub'],
          [parent.id, 15, child.id, 'updateAmountSub'],
          [child.id, -15, parent.id, 'updateAmountSub'],
          [parent.id, -1, child.id, 'updateAmountSub, amount_int 12'],
          [child.id, 1, parent.id, 'updateAmountSub, amount_int 12'],
        ],
      );
      const before = await countEverything(sql);
      const refused: [unknown, Content, number, RegExp][] = [
        [75, {}, 990, /^userDetails\.amount/],
        [-27, {}, 990, /^userDetails\.amount/],
        ['9'.repeat(30), {}, 990, /^userDetails\.amount/],
        [0.5, {}, 991, /^userDetails\.amount/],
        ['x', {}, 991, /^userDetails\.amount/],
        ['', {}, 991, /^userDetails\.amount/],
        [undefined, {}, 2, /^userDetails\.amount: missing/],
        [1, { amount_int: 'x' }, 991, /^userDetails\.amount_int/],
        [1, { username: undefined }, 2, /^userDetails\.username: missing/],
        [1, { username: 'nobody' }, 503, /^userDetails\.username/],
        [1, { username: 'demo' }, 503, /^userDetails\.username/],
        [1, { username: parent.username }, 503, /^userDetails\.username/],
      ];
      for (const [amount, more, status, field] of refused) {
        for (const path of ['/api', '/api/test']) {
          const answer = await update(amount, more, path);
          assert.equal(answer.status, status, `${amount} ${JSON.stringify(more)}: ${answer.message}`);
          assert.match(answer.message, field);
        }
      }
      for (const amount of [74, -26]) assert.equal((await update(amount, {}, '/api/test')).status, 0);
      assert.deepEqual(await countEverything(sql), before);
      assert.equal((await update(74)).status, 0);
      assert.equal((await update(-100)).status, 0);
      assert.deepEqual([await service.balance(parent.id), await service.balance(child.id)], [100, 0]);
    },
  );

  test(
    `${form}: concurrent transfers in both directions neither lose nor create credit`,
    covers('B7.updateAmountSub', 'credit.subscribers'),
    async () => {
      const parent = await newParent(10);
      const child = await service.addAccount({ username: newName(), parentId: parent.id }, 10);
      const ask = asker(form, parent);
      const amounts = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 7 : -7));
      const answers = await Promise.all(
        amounts.map((amount) =>
          ask('updateAmountSub', { userDetails: { username: child.username, amount } }),
        ),
      );
      for (const { status } of answers) assert.ok(status === 0 || status === 990, String(status));
      const moved = answers.reduce((sum, { status }, i) => sum + (status === 0 ? amounts[i]! : 0), 0);
      assert.deepEqual(
        [await service.balance(parent.id), await service.balance(child.id)],
        [10 - moved, 10 + moved],
      );
    },
  );

  test(
    `${form}: getBlanceSubs lists the subscribers with what they have`,
    covers('B7.getBlanceSubs'),
    async () => {
      const parent = await newParent(100);
      const ask = asker(form, parent);
      const none = await ask('getBlanceSubs');
      assert.equal(none.status, 0);
      assert.deepEqual(Object.keys(none.fields), ['status', 'message', 'balances']);
      assert.deepEqual(rowsOf(none, 'balances'), []);
      const one = await service.addAccount(
        { username: newName(), name: 'One & only', parentId: parent.id },
        3,
      );
      const two = await service.addAccount({ username: newName(), name: 'שתיים', parentId: parent.id }, 0);
      await wallets.topUp(two.id, 1, 'a ten-thousandth');
      for (const path of ['/api', '/api/test']) {
        const rows = rowsOf(await ask('getBlanceSubs', {}, path), 'balances');
        assert.deepEqual(
          rows.map((row) => ({ ...row, amount: Number(row.amount) })),
          [
            { amount: 3, sms_user_id: String(one.id), name: 'One & only' },
            { amount: 0.0001, sms_user_id: String(two.id), name: 'שתיים' },
          ],
        );
      }
      const single = rowsOf(await ask('getBlanceSubs'), 'balances')[0]!;
      assert.deepEqual(Object.keys(single), ['amount', 'sms_user_id', 'name']);
    },
  );

  test(
    `${form}: one level: a subscriber has no subscribers, called by its parent or itself`,
    covers('B7.one level', 'status.511'),
    async () => {
      const parent = await newParent(10);
      const child = await service.addAccount({ username: newName(), parentId: parent.id }, 10);
      const user = { username: child.username };
      const before = await countEverything(sql);
      for (const token of [parent.token, child.token]) {
        for (const [root, content] of [
          ['addSub', { userDetails: details() }],
          ['updateAmountSub', { userDetails: { username: parent.username, amount: -1 } }],
          ['updateAmountSub', { userDetails: { username: child.username, amount: 1 } }],
          ['getBlanceSubs', {}],
        ] as const) {
          const answer = await service.call(form, root, { user, ...content }, { token });
          assert.equal(answer.status, 511, `${root}: ${answer.message}`);
        }
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: the suspension of an account is its subscribers' too, and its credit stays where it is`,
    covers('B7.suspended'),
    async () => {
      const parent = await newParent(10);
      const child = await service.addAccount({ username: newName(), parentId: parent.id }, 10);
      const sms = { source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello' };
      const send = () =>
        service.call(form, 'sms', { user: { username: child.username }, ...sms }, { token: child.token });
      await accounts.suspend(parent.id, true);
      const before = await countEverything(sql);
      assert.equal((await send()).status, 5);
      const ask = asker(form, parent);
      assert.equal((await ask('addSub', { userDetails: details({ amount: 1 }) })).status, 5);
      const userDetails = { username: child.username, amount: 1 };
      assert.equal((await ask('updateAmountSub', { userDetails })).status, 5);
      assert.equal(rowsOf(await ask('getBlanceSubs'), 'balances').length, 1);
      assert.deepEqual(await countEverything(sql), before);
      await accounts.suspend(parent.id, false);
      assert.equal((await send()).status, 0);
      await accounts.suspend(child.id, true);
      assert.equal((await send()).status, 5);
      assert.equal((await ask('updateAmountSub', { userDetails })).status, 0);
    },
  );
}
