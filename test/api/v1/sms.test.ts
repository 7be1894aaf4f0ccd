import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../../server/channels/index.ts';
import { finishingTime } from '../../../server/engine/messages/finishing-time.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { contactListsOf, json, v1 } from './support.ts';

/** `POST /v1/sms` and its estimate, on the sandbox. */
const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
const api = v1(service.url, DEMO_TOKEN);
const { newList } = contactListsOf(service);
await service.appContext.sources.approve(service.demo.id, 'Shop');

interface Refused {
  readonly error: { code: string; field?: string; message: string };
}
interface Estimate {
  readonly text: string;
  readonly preview: string | null;
  readonly encoding: string;
  readonly parts: number;
  readonly units: number;
  readonly units_left: number;
  readonly recipients: number;
  readonly blocked: number;
  readonly recent: number;
  readonly cost: string;
  readonly enough: boolean;
  readonly finishes_at: string;
}

const post = (path: string, body: object) =>
  api.post(path, JSON.stringify(body), { 'content-type': 'application/json' });
const send = (body: object) => json<{ shipment_id: string }>(post('/sms', { source: 'Shop', ...body }), 202);
const estimate = (body: object) => json<Estimate>(post('/sms/estimate', body));

test('a text goes to phones and lists, each once, with its price', async () => {
  const [one, two, listed] = newPhones(3) as [string, string, string];
  const list = await newList({ phone: one }, { phone: listed });
  const body = { message: 'hello', phones: [one, { phone: two, id: 'mine' }, one], lists: [list] };
  const told = await estimate(body);
  assert.deepEqual([told.parts, told.recipients, told.cost, told.enough], [1, 4, '4', true]);
  const before = await service.balance();
  const { shipment_id: id } = await send({ ...body, campaign_name: 'Both' });
  const rows = await waitFor('all messages are made', async () => {
    const found = await service.sql<{ phone: string; external_id: string | null }[]>`
      SELECT recipient AS phone, external_id FROM messages WHERE shipment_id = ${Number(id)} ORDER BY id`;
    return found.length === 3 && found;
  });
  assert.deepEqual(
    rows.map(({ phone }) => `0${phone.slice(3)}`),
    [one, two, listed],
  );
  assert.equal(rows[1]!.external_id, 'mine');
  await waitFor('what was held too much is back', async () => (await service.balance()) === before - 3);
  for (const phone of [one, two, listed]) {
    await waitFor('it arrives', async () => (await service.phone(phone)).length === 1);
  }
});

test('later, and then it arrives', async () => {
  const phone = newPhone();
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  await send({ message: 'later', phones: [phone], at });
  assert.deepEqual(await service.phone(phone), []);
  await service.advance(3_700);
  await waitFor('it arrives', async () => (await service.phone(phone)).length === 1);
});

test('links and the way to be removed are part of the text that is counted', async () => {
  const body = {
    message: 'Look: [link-1]',
    links: [{ id: '1', url: 'https://example.com/a/long/way' }],
    removal: 'link',
  };
  const told = await estimate(body);
  assert.match(told.text, /^Look: https?:\/\/\S+\/l\/x{7}\nUnsubscribe: https?:\/\/\S+\/u\/x{7}$/);
  assert.deepEqual([told.encoding, told.recipients, told.cost], ['gsm7', 0, '0']);
  assert.equal(told.units, told.text.length);
  assert.equal(told.units + told.units_left, 160);
  const phone = newPhone();
  await send({ ...body, phones: [phone] });
  const [sms] = await waitFor('it arrives', async () => {
    const got = await service.phone(phone);
    return got.length > 0 && got;
  });
  assert.equal(sms!.text.length, told.text.length);
});

test('the preview has the fields of the first contact, with links and the way to be removed', async () => {
  const list = await newList({ phone: newPhone(), df1: 'Dana' });
  const { preview } = await estimate({
    message: 'Hello [DYNAMIC_FIELD1] [link-1]',
    links: [{ id: '1', url: 'https://example.com' }],
    dynamic: true,
    removal: 'link',
    lists: [list],
  });
  assert.match(preview!, /^Hello Dana \S+\nUnsubscribe: \S+$/);
  assert.equal((await estimate({ message: 'Hello', phones: [newPhone()] })).preview, null);
});

test('a text is previewed for one contact of a list after the other, with its length and price', async () => {
  interface Preview {
    readonly phone: string | null;
    readonly text: string | null;
    readonly parts: number;
    readonly cost: string;
    readonly next: string | null;
  }
  const [dana, noam] = newPhones(2).sort();
  const list = await newList({ phone: noam!, df1: 'נעם'.repeat(40) }, { phone: dana!, df1: 'Dana' });
  const body = { message: 'Hello [DYNAMIC_FIELD1]', dynamic: true, list };
  const preview = (after: string) => json<Preview>(post('/sms/preview', { ...body, after }));
  const first = await preview('');
  assert.deepEqual([first.phone, first.text, first.parts, first.cost], [dana, 'Hello Dana', 1, '1']);
  const second = await preview(first.next!);
  assert.deepEqual([second.phone, second.parts, second.cost, second.next], [noam, 2, '2', null]);
  const empty = await preview('999');
  assert.deepEqual([empty.phone, empty.text, empty.next], [null, null, null]);
  const { error } = await json<Refused>(post('/sms/preview', { ...body, list: '17' }), 404);
  assert.equal(error.code, 'unknown-list');
});

test('parts and alphabet of a text alone', async () => {
  for (const [message, encoding, parts, units] of [
    ['a', 'gsm7', 1, 1],
    ['€', 'gsm7', 1, 2],
    ['a'.repeat(161), 'gsm7', 2, 161],
    ['ש'.repeat(70), 'ucs2', 1, 70],
    ['ש'.repeat(71), 'ucs2', 2, 71],
  ] as const) {
    const told = await estimate({ message });
    assert.deepEqual([told.encoding, told.parts, told.units], [encoding, parts, units]);
  }
});

test('who is on the blacklist, and who had a message lately, is not counted', async () => {
  const [blocked, recent, fresh] = newPhones(3) as [string, string, string];
  await service.call('json', 'add_to_blacklist', { phones: { phone: [blocked] } });
  await service.sql`
    INSERT INTO blacklist (account_id, phone, created_at) VALUES (${service.demo.id}, ${`972${blocked.slice(1)}`}, 0)
    ON CONFLICT DO NOTHING`;
  await send({ message: 'first', phones: [recent] });
  const told = await estimate({ message: 'x', phones: [blocked, recent, fresh], recent_days: 1 });
  assert.deepEqual([told.blocked, told.recent, told.recipients, told.cost], [1, 1, 1, '1']);
});

test('an estimate checks the sender if it has one', async () => {
  const body = { message: 'x', phones: [newPhone()] };
  assert.equal((await estimate({ ...body, source: 'Shop' })).recipients, 1);
  for (const [source, code] of [
    ['Nobody', 'source-not-verified'],
    ['', 'bad-source'],
  ]) {
    const { error } = await json<Refused>(post('/sms/estimate', { ...body, source }), 400);
    assert.deepEqual([error.code, error.field], [code, 'source']);
  }
});

test('the estimated time of completion grows with the queue and with the size of the send', async () => {
  const one = Date.parse((await estimate({ message: 'x', phones: [newPhone()] })).finishes_at);
  const many = Date.parse((await estimate({ message: 'x', phones: newPhones(5_000) })).finishes_at);
  assert.ok(many - one > 3_000, `${many - one} ms`);
  const at = new Date(service.appContext.clock.now() + 86_400_000).toISOString();
  const later = await estimate({ message: 'x', phones: [newPhone()], at });
  assert.ok(later.finishes_at >= at);
});

test('the time of finishing is that of the rate of the connectors', async () => {
  const { clock } = service.appContext;
  const dueAt = clock.now();
  const deps = { sql: service.sql, clock, connectors: () => [{ name: 'slow', messagesPerSecond: 150 }] };
  const work = { accountId: service.demo.id, lane: lanes.bulk, messages: 60_000, dueAt };
  const seconds = ((await finishingTime(deps, work)) - dueAt) / 1_000;
  assert.ok(seconds >= 400 && seconds < 1_000, `${seconds} s`);
});

test('what waits on other channels does not delay an SMS', async () => {
  const { sql, demo, appContext } = service;
  const far = appContext.clock.now() + 365 * 86_400_000;
  const queue = (id: number, channel: number, route: string) => sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, lease_owner, lease_until, first_id, last_id, count)
    VALUES (${demo.id}, ${id}, ${channel}, 1, ${route}, 1, 'test', ${far}, 1, 1, 10000000)`;
  await queue(1, channels.named('mail').id, 'mail/nowhere');
  await queue(2, channels.named('voice').id, 'voice/nowhere');
  await queue(3, channels.named('chat').id, 'chat/nowhere');
  const before = appContext.clock.now();
  const { finishes_at } = await estimate({ message: 'x', phones: [newPhone()] });
  await sql`DELETE FROM dispatch_batches WHERE account_id = ${demo.id} AND lease_owner = 'test'`;
  const afterMs = Date.parse(finishes_at) - before;
  assert.ok(afterMs < 3_600_000, `${afterMs} ms`);
});

test(
  'a sender may be a number in any spelling, or an approved name with blanks',
  covers('amendments.numeric sources'),
  async () => {
    const { sources } = service.appContext;
    await sources.approve(service.demo.id, '0501112222');
    await sources.approve(service.demo.id, 'My Shop-1.x');
    for (const [source, shown] of [
      ['+972501112222', '0501112222'],
      ['+972 50-111-2222', '0501112222'],
      ['972501112222', '0501112222'],
      ['My Shop-1.x', 'My Shop-1.x'],
    ] as const) {
      const phone = newPhone();
      await send({ source, message: 'x', phones: [phone] });
      const arrived = await waitFor('the phone to have it', async () => (await service.phone(phone))[0]);
      assert.equal(arrived.from, shown);
    }
  },
);

test('what the SMS family refuses is refused here, by the same words', async () => {
  const phones = [newPhone()];
  const before = await service.balance();
  for (const [body, status, code, field] of [
    [{ message: 'x', phones, source: 'Other' }, 400, 'source-not-verified', 'source'],
    [{ message: 'x', phones, source: 'Sh op' }, 400, 'bad-source', 'source'],
    [{ message: 'x', phones, source: 'TwelveLetter' }, 400, 'bad-source', 'source'],
    [{ message: 'x', phones, source: '+447911123456' }, 400, 'bad-source', 'source'],
    [{ message: 'x', phones, source: 'x'.repeat(31) }, 400, 'bad-field', 'source'],
    [{ message: '', phones }, 400, 'bad-message', 'message'],
    [{ message: 'x'.repeat(1_006), phones }, 400, 'bad-field', 'message'],
    [{ message: 'x' }, 400, 'bad-field', 'phones'],
    [{ message: 'x', phones: ['12'] }, 400, 'bad-destination', 'phones'],
    [{ message: 'x', phones: ['+447700900123'] }, 400, 'bad-destination', 'phones'],
    [{ message: 'x', lists: ['1'] }, 404, 'unknown-list', 'lists'],
    [{ message: 'x [link-1]', phones }, 400, 'bad-links', 'links'],
    [{ message: 'x', phones, recent_days: 15 }, 400, 'bad-recent-days', 'recent_days'],
    [{ message: 'x', phones, dynamic: true }, 400, 'bad-dynamic-fields', 'dynamic'],
    [{ message: 'x\0', phones }, 400, 'bad-field', 'message'],
    [{ message: 'x', phones, at: 'tomorrow' }, 400, 'bad-field', 'at'],
  ] as const) {
    const { error } = await json<Refused>(post('/sms', { source: 'Shop', ...body }), status);
    assert.deepEqual([error.code, error.field], [code, field], JSON.stringify(body).slice(0, 100));
  }
  assert.equal(await service.balance(), before);
  const { token } = await service.addAccount({ username: 'poor' }, 0);
  await service.appContext.sources.approve(
    (await service.appContext.accounts.byUsername('poor'))!.id,
    'Shop',
  );
  const poor = v1(service.url, token);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ source: 'Shop', message: 'x', phones });
  assert.equal((await json<Refused>(poor.post('/sms', body, headers), 402)).error.code, 'no-credit');
  assert.equal((await json<Estimate>(poor.post('/sms/estimate', body, headers))).enough, false);
});
