import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { SendKeys } from '../../../server/api/send-keys/send-keys.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import {
  type Answer,
  type Content,
  DEMO_TOKEN,
  forms,
  oneSms,
  startTestService,
  write,
} from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Send keys of `POST /api`, in both forms. */
const service = await startTestService();
const { sql, demo, appContext } = service;

const shipmentOf = (answer: Answer) => String(answer.fields.shipment_id);
const isRepeated = (answer: Answer) => answer.headers.get('idempotent-replayed') === 'true';
const header = (key: string) => ({ headers: { 'idempotency-key': key } });

function assertRepeated(answer: Answer, first: Answer): void {
  assert.equal(answer.status, first.status, answer.message);
  assert.ok(isRepeated(answer));
  const { repeated, ...fields } = answer.fields;
  assert.equal(Number(repeated), 1);
  for (const [name, value] of Object.entries(first.fields)) assert.equal(String(fields[name]), String(value));
  assert.equal(isRepeated(first), false);
  assert.equal(first.fields.repeated, undefined);
}

/** What requests made and paid. Refunds of messages that were sent before come at any time. */
async function madeAndPaid(): Promise<Record<string, unknown>> {
  const { ledger: _, money: __, ...made } = await countEverything(sql);
  const [paid] = await sql`SELECT count(*), sum(amount) FROM ledger WHERE kind = 'charge'`;
  return { ...made, paid: { ...paid } };
}

for (const form of forms) {
  const call = (root: string, content: Content, options = {}) => service.call(form, root, content, options);

  test(`${form}: the same key and body get the first answer again, and one message is sent`, async () => {
    const content = oneSms({ send_key: randomUUID() });
    const first = await call('sms', content);
    assert.equal(first.status, 0, first.message);
    const before = await madeAndPaid();
    assertRepeated(await call('sms', content), first);
    assert.deepEqual(await madeAndPaid(), before);
  });

  test(`${form}: a key of the header, in quotes or bare, is that of the field`, async () => {
    const key = randomUUID();
    const content = oneSms();
    const first = await call('sms', content, header(`"${key}"`));
    assertRepeated(await call('sms', content, header(key)), first);
    assertRepeated(await call('sms', { ...content, send_key: key }), first);
    assertRepeated(await call('sms', { ...content, send_key: key }, header(key)), first);
  });

  test(`${form}: the same key with another body is refused`, async () => {
    const content = oneSms({ send_key: randomUUID() });
    assert.equal((await call('sms', content)).status, 0);
    const before = await madeAndPaid();
    for (const [root, other] of [
      ['sms', { ...content, message: 'Another' }],
      ['sms', { ...content, campaign_name: 'Spring' }],
      ['bulk', { messages: { sms: oneSms() }, send_key: content.send_key }],
      ['send_otp', { phone: newPhone(), source: 'Shop', send_key: content.send_key }],
    ] as const) {
      const answer = await call(root, other);
      assert.equal(answer.status, 2, root);
      assert.match(answer.message, /send key was used with another request/);
      assert.equal(isRepeated(answer), false);
    }
    assert.deepEqual(await madeAndPaid(), before);
  });

  test(`${form}: a key that cannot be used is refused, and nothing is sent`, async () => {
    const before = await madeAndPaid();
    for (const path of ['/api', '/api/test']) {
      for (const [content, options, field] of [
        [{ send_key: '' }, {}, /^send_key: is empty/],
        [{ send_key: 'x'.repeat(256) }, {}, /^send_key: is over 255/],
        [{ send_key: 'שלום' }, {}, /^send_key: must be printable/],
        [{}, header('""'), /^Idempotency-Key: is empty/],
        [{}, header('a, b'), /^Idempotency-Key: has a comma/],
        [{ send_key: 'a' }, header('b'), /^send_key: differs/],
      ] as const) {
        const answer = await call('sms', oneSms(content), { ...options, path });
        assert.equal(answer.status, 2);
        assert.match(answer.message, field);
      }
    }
    assert.deepEqual(await madeAndPaid(), before);
  });

  test(`${form}: a dry run neither uses a key nor is kept by one`, async () => {
    const content = oneSms({ send_key: randomUUID() });
    const before = await madeAndPaid();
    const dry = await call('sms', content, { path: '/api/test' });
    assert.equal(dry.status, 0);
    assert.deepEqual(await madeAndPaid(), before);
    const first = await call('sms', content);
    assert.equal(isRepeated(first), false);
    const again = await call('sms', { ...content, message: 'Another' }, { path: '/api/test' });
    assert.equal(again.status, 0);
    assert.equal(isRepeated(again), false);
  });

  test(`${form}: what was refused may be tried again with the same key`, async () => {
    const account = await service.addAccount({ username: `poor-${form}` }, 0);
    const content = oneSms({ user: { username: account.username }, send_key: randomUUID() });
    const options = { token: account.token };
    assert.equal((await call('sms', content, options)).status, 4);
    assert.equal((await call('sms', { ...content, message: '' }, options)).status, 989);
    await appContext.wallets.topUp(account.id, 2 * CREDIT, 'test');
    const first = await call('sms', content, options);
    assert.equal(first.status, 0, first.message);
    assertRepeated(await call('sms', content, options), first);
  });

  test(`${form}: a request that would be refused by now gets its first answer`, async () => {
    const list = await call('newCL', {
      cl: { name: 'soon gone', destinations: { destination: [{ phone: newPhone() }] } },
    });
    const id = [list.fields.identifiers].flat()[0];
    const content = {
      source: 'Shop',
      destinations: { cl_id: id },
      message: 'Hello',
      send_key: randomUUID(),
    };
    const first = await call('sms', content);
    assert.equal(first.status, 0, first.message);
    await call('removeCL', { cl: { id } });
    assert.equal((await call('sms', { ...content, send_key: randomUUID() })).status, 988);
    assertRepeated(await call('sms', content), first);
    // The next test counts messages, and this one's is made in the background.
    await waitFor('its campaign is over', async () => {
      const open = await sql`SELECT FROM campaigns WHERE id = ${shipmentOf(first)} AND next_at IS NOT NULL`;
      return open.length === 0;
    });
  });

  test(`${form}: twenty concurrent requests with one key send one message, and all get its answer`, async () => {
    const content = oneSms({ send_key: randomUUID() });
    const before = await madeAndPaid();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('sms', content)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([0]));
    assert.equal(new Set(answers.map(shipmentOf)).size, 1);
    assert.equal(answers.filter(isRepeated).length, 19);
    const after = await madeAndPaid();
    assert.equal(Number(after.messages), Number(before.messages) + 1);
    assert.equal(Number(after.send_keys), Number(before.send_keys) + 1);
  });

  test(`${form}: a bulk of 10,000 numbers is done once`, async () => {
    const content = {
      messages: { sms: [{ source: 'Shop', destinations: { phone: newPhones(10_000) }, message: 'Hello' }] },
      send_key: randomUUID(),
    };
    const first = await call('bulk', content);
    assert.equal(first.status, 0, first.message);
    const before = await madeAndPaid();
    assertRepeated(await call('bulk', content), first);
    const answers = await Promise.all([call('bulk', content), call('bulk', content)]);
    for (const answer of answers) assertRepeated(answer, first);
    assert.deepEqual(await madeAndPaid(), before);
  });

  test(`${form}: a one-time code is sent once, and a retry does not replace it`, async () => {
    const phone = newPhone();
    const content = { phone, source: 'Shop', send_key: randomUUID() };
    const first = await call('send_otp', content);
    assert.equal(first.status, 0, first.message);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('send_otp', content)));
    for (const answer of answers) assertRepeated(answer, first);
    const [sms] = await waitFor('the code to arrive', async () => {
      const all = await service.phone(phone);
      return all.length > 0 && all;
    });
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM otp_sends WHERE account_id = ${demo.id} AND phone = ${stored(phone)}`;
    assert.equal(row!.count, 1);
    const code = /\d{6}/.exec(sms!.text)![0];
    assert.equal((await call('validate_otp', { phone, code })).status, 0);
  });

  test(`${form}: credit moves once`, async () => {
    const sub = await service.addAccount({ username: `branch-${form}`, parentId: demo.id }, 0);
    const content = { userDetails: { username: sub.username, amount: 7 }, send_key: randomUUID() };
    const first = await call('updateAmountSub', content);
    assert.equal(first.status, 0, first.message);
    assertRepeated(await call('updateAmountSub', content), first);
    assert.equal(await service.balance(sub.id), 7);

    const details = {
      name: 'New',
      username: `new-${form}`,
      password: 'correct horse',
      source: 'Shop',
      amount: 5,
    };
    const made = { userDetails: details, send_key: randomUUID() };
    const added = await call('addSub', made);
    assert.equal(added.status, 0, added.message);
    assertRepeated(await call('addSub', made), added);
    const [row] = await sql<{ answer: string | null; sealed_answer: Buffer | null }[]>`
      SELECT answer, sealed_answer FROM send_keys WHERE account_id = ${demo.id} AND key = ${made.send_key}`;
    assert.equal(row!.answer, null);
    assert.ok(row!.sealed_answer);
  });

  test(`${form}: a number gets one request for verification, a mobile and a landline`, async () => {
    for (const phone of [newPhone(), '031234567']) {
      const content = { phone, send_key: randomUUID() };
      const first = await call('verify_phone', content);
      assert.equal(first.status, 0, first.message);
      const before = await madeAndPaid();
      assertRepeated(await call('verify_phone', content), first);
      assert.deepEqual(await madeAndPaid(), before);
    }
  });
}

test('the order of names in JSON does not count, nor the form', async () => {
  const key = randomUUID();
  const phone = newPhone();
  const first = await service.post(
    JSON.stringify({
      sms: {
        user: { username: 'demo' },
        source: 'Shop',
        message: 'Hello',
        destinations: { phone: { $: { id: 'a' }, _: phone } },
        campaign_name: 'Order',
        send_key: key,
      },
    }),
  );
  assert.equal(first.status, 0, first.message);
  const second = await service.post(
    JSON.stringify({
      sms: {
        send_key: key,
        campaign_name: 'Order',
        destinations: { phone: { _: phone, $: { id: 'a' } } },
        message: 'Hello',
        source: 'Shop',
        user: { username: 'demo' },
      },
    }),
  );
  assertRepeated(second, first);
  const xml = await service.post(
    write('xml', 'sms', {
      source: 'Shop',
      message: 'Hello',
      destinations: { phone: { $: { id: 'a' }, _: phone } },
      campaign_name: 'Order',
    }),
    header(key),
  );
  assert.equal(xml.form, 'xml');
  assertRepeated(xml, first);
});

test('used and new keys are distinguished in one group of requests', async () => {
  const used = Array.from({ length: 5 }, () => oneSms({ send_key: randomUUID() }));
  const firsts = await Promise.all(used.map((content) => service.call('json', 'sms', content)));
  const fresh = Array.from({ length: 10 }, (_, index) =>
    oneSms(index % 2 === 0 ? { send_key: randomUUID() } : {}),
  );
  const before = await madeAndPaid();
  const answers = await Promise.all(
    [...used, ...fresh].map((content) => service.call('json', 'sms', content)),
  );
  for (const [index, first] of firsts.entries()) assertRepeated(answers[index]!, first);
  for (const answer of answers.slice(5)) {
    assert.equal(answer.status, 0, answer.message);
    assert.equal(isRepeated(answer), false);
  }
  assert.equal(Number((await madeAndPaid()).messages), Number(before.messages) + 10);
});

test("a key is the account's: others use the same one for themselves", async () => {
  const key = randomUUID();
  const stranger = await service.addAccount({ username: 'stranger' }, 10);
  const sub = await service.addAccount({ username: 'sub', parentId: demo.id }, 10);
  const ids = new Set<string>();
  for (const [username, token] of [
    ['demo', DEMO_TOKEN],
    ['stranger', stranger.token],
    ['sub', DEMO_TOKEN],
  ] as const) {
    const content = oneSms({ user: { username }, send_key: key });
    const first = await service.call('json', 'sms', content, { token });
    assert.equal(first.status, 0, first.message);
    assert.equal(isRepeated(first), false);
    ids.add(shipmentOf(first));
    // Of the subscriber's account, whoever calls for it.
    const again = username === 'sub' ? sub.token : token;
    assertRepeated(await service.call('json', 'sms', content, { token: again }), first);
  }
  assert.equal(ids.size, 3);
});

test('a key is over after 24 hours, before and after the row is removed', async () => {
  const content = oneSms({ send_key: randomUUID() });
  const first = await service.call('json', 'sms', content);
  await service.advance(86_340);
  assertRepeated(await service.call('json', 'sms', content), first);
  await service.advance(120);
  const second = await service.call('json', 'sms', content);
  assert.equal(second.status, 0, second.message);
  assert.equal(isRepeated(second), false);
  assert.notEqual(shipmentOf(second), shipmentOf(first));
  assertRepeated(await service.call('json', 'sms', content), second);
});

test('keys that are over are removed, others stay', async () => {
  const keys = new SendKeys({ ...appContext, sql });
  const rest = async () =>
    (await sql<{ key: string }[]>`SELECT key FROM send_keys WHERE account_id = ${demo.id}`).map(
      ({ key }) => key,
    );
  await service.advance(86_400);
  const content = oneSms({ send_key: randomUUID() });
  assert.equal((await service.call('json', 'sms', content)).status, 0);
  await keys.cleanUp();
  assert.deepEqual(await rest(), [content.send_key]);
});

test('the request log and a metric tell of repeated answers', async () => {
  const account = await service.addAccount({ username: 'logged' }, 10);
  const content = oneSms({ user: { username: 'logged' }, send_key: randomUUID() });
  const metric = async () =>
    Number(/^carillon_send_keys_total\{result="repeated"\} (\d+)$/m.exec(await metrics.metrics())![1]);
  const before = await metric();
  for (let time = 0; time < 2; time++) {
    assert.equal((await service.call('json', 'sms', content, { token: account.token })).status, 0);
  }
  assert.equal(await metric(), before + 1);
  const rows = await waitFor('both requests to be logged', async () => {
    const response = await fetch(`${service.url}/v1/request-log`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const { requests } = (await response.json()) as { requests: { operation: string; repeated: boolean }[] };
    const sent = requests.filter(({ operation }) => operation === 'sms');
    return sent.length === 2 && sent;
  });
  assert.deepEqual(
    rows.map(({ repeated }) => repeated),
    [true, false],
  );
});
