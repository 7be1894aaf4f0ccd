import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CampaignRequest } from '../../../server/channels/chat/campaign-request.ts';
import { chatCodec } from '../../../server/channels/chat/content.ts';
import { failuresOf, progressOf } from '../../../server/engine/campaigns/report.ts';
import { cleanUpCampaigns } from '../../../server/engine/campaigns/rows.ts';
import { PAUSED_AT } from '../../../server/engine/messages/batch-cutter.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { type ChatProblem, Refusal } from '../../../server/kit/errors.ts';
import { status } from '../../../server/kit/statuses.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { CREDIT, parseAmount } from '../../../server/modules/accounts/money.ts';
import { templateStatus } from '../../../server/protocols/chat-platform/template-status.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { DAY, HOUR, newClient, newClients, ZONE } from './admissions.ts';
import { type CampaignMessageRow, createCampaignBench } from './campaign-bench.ts';

/** Template campaigns (interface, A3): acceptance, messages, pause, cancel, progress and end. */
const bench = await createCampaignBench();
const { sql, clock, campaigns, canceller, control, finisher, newNumber, newAccount, newTemplate, newList } =
  bench;

const number = await newNumber((await newAccount(100_000)).id);
const { accountId } = number;
await bench.numbers.setTier(number.portfolioId, 1_000_000);
const plain = await newTemplate(number);
const two: Partial<TemplateContent> = { body: 'Hi {{1}}, come to {{2}}', bodySamples: ['Dana', 'Haifa'] };

const contactsOf = (phones: readonly string[], ...fields: (string | null)[]) =>
  phones.map((phone) => ({ phone, fields }));
const phonesOf = (rows: readonly CampaignMessageRow[]) => rows.map(({ phone }) => phone).sort();
const outcomes = (rows: readonly CampaignMessageRow[]) =>
  Object.fromEntries(rows.map(({ phone, status, code, price }) => [phone, [status, code, price]]));
const bodies = (rows: readonly CampaignMessageRow[]) =>
  Object.fromEntries(rows.map(({ phone, content }) => [phone, content?.values.body]));
const openMoney = async (id: number) => (await bench.stateOf(id)).held;

async function refused(
  over: Partial<CampaignRequest>,
  problem: ChatProblem | 'bad-field',
  message: RegExp,
  templateId = plain,
): Promise<void> {
  const before = await countEverything(sql);
  await assert.rejects(bench.create(number, templateId, { phones: [newClient()], ...over }), (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, problem);
    assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(await countEverything(sql), before);
}

test(
  'phones and lists that share numbers: each once, in all spellings, and counted so',
  covers('A3.answer'),
  async () => {
    const [single, inBoth, inFirst, inSecond] = newClients(4) as [string, string, string, string];
    const abroad = '12125550123';
    const lists = [
      await newList(accountId, contactsOf([inBoth, inFirst].sort())),
      await newList(accountId, contactsOf([inFirst, inSecond, single].sort())),
    ];
    const phones = [single, `0${single.slice(3)}`, `+${inBoth}`, abroad, '+1 212-555-0123'];
    const { id, sum } = await bench.create(number, plain, { phones, lists: [...lists, lists[0]!] });
    assert.equal(sum, 5);
    assert.deepEqual(await bench.stateOf(id), { state: 'running', expanded: false, held: 5, total: 5 });
    assert.deepEqual(await bench.messagesOf(id), []);
    await bench.expand();
    const rows = await bench.messagesOf(id);
    assert.deepEqual(phonesOf(rows), [single, inBoth, inFirst, inSecond, abroad].sort());
    assert.ok(rows.every((row) => row.status === status.sent && row.price === 1));
    assert.deepEqual(await bench.stateOf(id), { state: 'running', expanded: true, held: 0, total: 5 });
  },
);

test(
  'an invalid phone number fails with its reason, keeps its spelling, and costs nothing',
  covers('A3.failures'),
  async () => {
    const good = newClient();
    const before = await bench.balance(accountId);
    const { id, sum } = await bench.create(number, plain, { phones: ['12', good, 'Dana\u0007', '', '12'] });
    assert.equal(sum, 3);
    await bench.expand();
    assert.deepEqual(outcomes(await bench.messagesOf(id)), {
      12: [status.failed, 'bad-destination', 0],
      Dana: [status.failed, 'bad-destination', 0],
      [good]: [status.sent, null, 1],
    });
    assert.equal(await bench.balance(accountId), before - 1);
  },
);

test(
  'variables come from the column of each list, or dfN; a missing one fails for that recipient',
  covers('A3.dynamicHeaders'),
  async () => {
    const template = await newTemplate(number, two);
    const [full, half, broken, other, single, stranger] = newClients(6) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const lists = [
      await newList(
        accountId,
        [
          { phone: full, fields: ['Haifa', 'Dana'] },
          { phone: half, fields: ['Haifa', null] },
          { phone: broken, fields: ['Haifa', 'Da\nna'] },
          { phone: single, fields: ['Eilat', 'Noa'] },
        ],
        ['Town', 'First name'],
      ),
      await newList(accountId, [{ phone: other, fields: ['Roni', 'Yafo'] }], ['first NAME']),
    ];
    const { id, sum } = await bench.create(number, template, {
      phones: [single, stranger],
      lists: [lists[0]!],
      variables: { 1: 'FIRST name', 2: 'df1' },
    });
    assert.equal(sum, 5);
    await bench.expand();
    const rows = await bench.messagesOf(id);
    assert.deepEqual(bodies(rows), {
      [full]: ['Dana', 'Haifa'],
      [single]: ['Noa', 'Eilat'],
      [half]: undefined,
      [broken]: undefined,
      [stranger]: undefined,
    });
    assert.deepEqual(outcomes(rows)[half], [status.failed, 'bad-variables', 0]);
    assert.deepEqual(outcomes(rows)[broken], [status.failed, 'bad-variable-text', 0]);
    assert.deepEqual(outcomes(rows)[stranger], [status.failed, 'bad-variables', 0]);
    const both = await bench.create(number, template, {
      lists,
      variables: { 1: 'first name', 2: 'df2' },
    });
    await bench.expand();
    const again = bodies(await bench.messagesOf(both.id));
    assert.deepEqual(
      [again[full], again[other]],
      [
        ['Dana', 'Dana'],
        ['Roni', 'Yafo'],
      ],
    );
  },
);

test(
  'coupons and website variables: one for all, or a field of each',
  covers('A3.couponCode, couponExpiration, couponType', 'A3.websiteVariable, websiteVariable2'),
  async () => {
    const coupon = await newTemplate(number, {
      buttons: [
        { kind: 'coupon', sample: '1' },
        { kind: 'website', text: 'Shop', url: 'https://example.com/', dynamic: true, sample: 'x' },
      ],
      offer: { text: 'Sale', expires: true },
    });
    const [one, none] = newClients(2) as [string, string];
    const list = await newList(accountId, [
      { phone: one, fields: ['', '', 'here', '4711'] },
      { phone: none, fields: ['', '', 'here'] },
    ]);
    const couponExpiration = formatLocal(clock.now() + DAY, ZONE).replace(/(\d\d) /, '20$1 ');
    const over = { lists: [list], couponExpiration, websiteVariable: '3' };
    const dynamic = await bench.create(number, coupon, { ...over, readCoupon: () => ({ field: '4' }) });
    const fixed = await bench.create(number, coupon, { ...over, readCoupon: () => ({ code: '4' }) });
    await bench.expand();
    const values = async (id: number) =>
      Object.fromEntries(
        (await bench.messagesOf(id)).map(({ phone, content }) => [phone, content?.values.buttons]),
      );
    const website = { index: 1, kind: 'url', text: 'here' };
    assert.deepEqual(await values(dynamic.id), {
      [one]: [{ index: 0, kind: 'coupon', code: '4711' }, website],
      [none]: undefined,
    });
    assert.deepEqual((await values(fixed.id))[none], [{ index: 0, kind: 'coupon', code: '4' }, website]);
  },
);

test('what is the same for all is stored once', async () => {
  const { id } = await bench.create(number, plain, { phones: newClients(2) });
  await bench.expand();
  const [shipment] = await sql<{ text: string; channel: number }[]>`
    SELECT payload AS text, channel FROM shipments WHERE id = ${id}`;
  const values = { header: null, body: [], buttons: [], offerEndsAt: null };
  assert.equal(
    shipment!.text,
    chatCodec.encode({ kind: 'template', name: 'greeting', language: 'en', values }),
  );
  assert.equal(shipment!.channel, 1);
  const own = await sql`SELECT 1 FROM messages WHERE shipment_id = ${id} AND payload IS NOT NULL`;
  assert.equal(own.length, 0);
});

test(
  "a campaign for later waits for its time, in the account's zone",
  covers('A3.future_campaign, from_date'),
  async () => {
    const at = Math.ceil((clock.now() + 2 * HOUR) / 60_000) * 60_000;
    const fromDate = formatLocal(at, ZONE).replace(/(\d\d) /, '20$1 ');
    const { id } = await bench.create(number, plain, {
      phones: [newClient()],
      readStart: () => fromDate,
    });
    const campaign = await campaigns.find(accountId, id);
    assert.deepEqual([campaign!.state, campaign!.dueAt], ['scheduled', at]);
    await bench.expand();
    assert.deepEqual(await bench.messagesOf(id), []);
    clock.advance(2 * HOUR + 60_000);
    await bench.expand();
    assert.equal((await bench.messagesOf(id)).length, 1);
    assert.equal((await bench.stateOf(id)).state, 'running');
    const late = await bench.create(number, plain, {
      phones: [newClient()],
      readStart: () => formatLocal(clock.now() - DAY, ZONE),
    });
    assert.equal((await bench.stateOf(late.id)).state, 'running');
  },
);

test(
  'what is wrong with everyone is refused, and nothing is stored or held',
  covers('A3.source, destinations, campaign_message'),
  async () => {
    const full = await newList(accountId, contactsOf([newClient()], 'Dana'), ['first name']);
    const empty = await newList(accountId, []);
    const stranger = await newNumber();
    const theirs = await newList(stranger.accountId, contactsOf([newClient()]));
    const variables = await newTemplate(number, two);
    const image = await newTemplate(number, {
      header: { kind: 'image', sample: 'https://example.com/a.png' },
    });
    const website = await newTemplate(number, {
      buttons: [{ kind: 'website', text: 'Shop', url: 'https://example.com/', dynamic: true, sample: 'x' }],
    });
    const coupon = await newTemplate(number, { buttons: [{ kind: 'coupon', sample: '1' }] });
    const both = { 1: 'first name', 2: 'df2' };

    await refused({ source: stranger.phone }, 'unknown-source', /^source/);
    await refused({ source: '' }, 'unknown-source', /^source/);
    await refused({ phones: [] }, 'bad-destination', /^phones/);
    await refused({ phones: ['12', 'x'] }, 'bad-destination', /^phones/);
    for (const list of ['1', 'abc', '', '99999999999999999999', theirs]) {
      await refused({ lists: [full, list] }, 'bad-destination', /^lists/);
    }
    await refused({ phones: [], lists: [empty] }, 'bad-destination', /^lists/);
    await refused({}, 'unknown-template', /^templateId/, 'nothing');
    await refused({}, 'unknown-template', /^templateId/, await newTemplate(stranger));
    for (const status of [templateStatus.pending, templateStatus.rejected, templateStatus.paused]) {
      await refused({}, 'template-not-usable', /^templateId/, await newTemplate(number, {}, status));
    }
    await refused({ name: 'x'.repeat(51) }, 'bad-field', /^name/);
    await refused({ variables: { x: 'df1' }, lists: [full] }, 'bad-variables', /^variables/, variables);
    await refused({ variables: both }, 'bad-variables', /^variables/, variables);
    const unknown = { ...both, 2: 'town' };
    await refused({ variables: unknown, lists: [full] }, 'bad-variables', /no field town/, variables);
    await refused({ variables: { 1: 'df1' }, lists: [full] }, 'bad-variables', /variable 2/, variables);
    await refused({}, 'bad-header', /^headerLink/, image);
    await refused({ readStart: () => '31/02/2026 10:00' }, 'bad-field', /^start/);
    await refused({}, 'bad-coupon', /^couponCode/, coupon);
    await refused({ readCoupon: () => ({ code: '12x' }) }, 'bad-coupon', /^couponCode/, coupon);
    await refused({ readCoupon: () => ({ field: '9' }), lists: [full] }, 'bad-coupon', /^couponCode/, coupon);
    await refused({ readCoupon: () => ({ field: '4' }) }, 'bad-coupon', /^couponCode/, coupon);
    await refused(
      { readCoupon: () => ({ code: '4' }), couponExpiration: 'soon' },
      'bad-coupon',
      /^couponExpiration/,
      coupon,
    );
    await refused({ lists: [full] }, 'bad-website-variable', /^websiteVariable/, website);
    await refused(
      { lists: [full], websiteVariable: '7' },
      'bad-website-variable',
      /^websiteVariable/,
      website,
    );
    await refused({ websiteVariable: '1' }, 'bad-website-variable', /^websiteVariable/, website);
  },
);

test('a suspended account, and one with too little credit for everyone', async () => {
  const poor = await newNumber((await newAccount(2)).id);
  const template = await newTemplate(poor);
  const before = await countEverything(sql);
  await assert.rejects(bench.create(poor, template, { phones: newClients(3) }), { code: 'no-credit' });
  assert.deepEqual(await countEverything(sql), before);
  await bench.create(poor, template, { phones: newClients(2) });
  assert.equal(await bench.balance(poor.accountId), 0);
  await bench.accounts.suspend(poor.accountId, true);
  await assert.rejects(bench.create(poor, template, { phones: newClients(1) }), { code: 'suspended' });
  await bench.expand();
});

test(
  'who cannot be sent to has a message with the reason, and only conversations that open are paid for',
  covers('A3.failures'),
  async () => {
    const own = await newNumber((await newAccount(100)).id);
    const template = await newTemplate(own);
    const [tired, open, blocked, fresh, over] = newClients(5) as [string, string, string, string, string];
    await bench.admitOne(own, tired);
    await bench.admitOne(own, tired);
    await bench.admitOne(own, open);
    await sql`INSERT INTO blacklist (account_id, phone, created_at) VALUES (${own.accountId}, ${blocked}, 0)`;
    const minute = Math.floor(clock.now() / 60_000);
    // All places of the tier but one are taken.
    await sql`
    UPDATE chat_reach SET clients = 249 WHERE account_id = ${own.accountId} AND minute = ${minute}`;
    const heard = await bench.hear(own.accountId);
    const { id } = await bench.create(own, template, { phones: [tired, open, blocked, fresh, over] });
    assert.equal(await bench.balance(own.accountId), 95);
    await bench.expand();
    assert.deepEqual(outcomes(await bench.messagesOf(id)), {
      [tired]: [status.failed, 'two-unanswered', 0],
      [open]: [status.sent, null, 0],
      [blocked]: [status.blockedOnRequest, 'blacklisted', 0],
      [fresh]: [status.sent, null, 1],
      [over]: [status.failed, 'tier-reached', 0],
    });
    assert.equal(await bench.balance(own.accountId), 99);
    const reasons = (await heard()).map(
      ({ data }) => data as { to?: string; status?: string; reason?: string },
    );
    assert.deepEqual(
      reasons.map(({ to, status, reason }) => [to, status, reason]),
      [
        [tired, 'failed', 'two-unanswered'],
        [blocked, 'failed', 'blacklisted'],
        [over, 'failed', 'tier-reached'],
      ],
    );
    assert.deepEqual(
      (await failuresOf(sql, own.accountId, id, 0, 10)).map(({ phone, reason }) => [phone, reason]),
      [
        [tired, 'two-unanswered'],
        [blocked, 'blacklisted'],
        [over, 'tier-reached'],
      ],
    );
  },
);

test('a template that is no longer usable when its turn comes', async () => {
  const template = await newTemplate(number);
  const { id } = await bench.create(number, template, { phones: newClients(2) });
  await sql`UPDATE chat_templates SET status = ${templateStatus.disabled} WHERE template_id = ${template}`;
  const before = await bench.balance(accountId);
  await bench.expand();
  for (const row of await bench.messagesOf(id)) assert.equal(row.code, 'template-not-usable');
  assert.equal(await bench.balance(accountId), before + 2);
});

test(
  'credit that runs out: what was held pays first, and the rest goes without',
  covers('A3.credit'),
  async () => {
    const own = await newNumber((await newAccount(3)).id);
    const template = await newTemplate(own);
    const [first, tired, open, ...later] = newClients(6) as [string, string, string, ...string[]];
    const list = await newList(own.accountId, contactsOf([first]));
    const { id } = await bench.create(own, template, { lists: [list] });
    // The list grows after its campaign was taken, and with it what the campaign costs.
    await bench.admitOne(own, tired);
    await bench.admitOne(own, tired);
    await bench.admitOne(own, open);
    await bench.contactLists.add(own.accountId, [
      { listId: Number(list), entries: contactsOf([tired, open, ...later]) },
    ]);
    await bench.expand();
    assert.deepEqual(outcomes(await bench.messagesOf(id)), {
      [first]: [status.sent, null, 1],
      [tired]: [status.failed, 'two-unanswered', 0],
      [open]: [status.sent, null, 0],
      [later[0]!]: [status.sent, null, 1],
      [later[1]!]: [status.sent, null, 1],
      [later[2]!]: [status.noCredit, 'no-credit', 0],
    });
    assert.equal(await bench.balance(own.accountId), 0);
  },
);

test(
  "many steps: batches of 500 that are the campaign's own, and everyone once",
  covers('A3.before lists are read'),
  async () => {
    const phones = newClients(4_500);
    const list = await newList(accountId, contactsOf(newClients(2_100).concat(phones.slice(0, 100))));
    const before = await bench.balance(accountId);
    const { id, sum } = await bench.create(number, plain, { phones, lists: [list] });
    assert.equal(sum, 6_600);
    await bench.expand();
    const rows = await bench.messagesOf(id);
    assert.equal(new Set(phonesOf(rows)).size, 6_600);
    assert.equal(rows.length, 6_600);
    const batches = await sql<{ count: number; route: string; lane: number }[]>`
    SELECT count, route, lane FROM dispatch_batches WHERE held_shipment_id = ${id} ORDER BY id`;
    assert.equal(
      batches.reduce((all, { count }) => all + count, 0),
      6_600,
    );
    assert.ok(
      batches.every(
        ({ count, route, lane }) => count <= 500 && route === `chat/${number.phone}` && lane === lanes.bulk,
      ),
    );
    const left = await sql`SELECT 1 FROM chat_campaign_phones WHERE campaign_id = ${id}`;
    assert.equal(left.length, 0);
    assert.equal(await bench.balance(accountId), before - 6_600);
  },
);

test(
  'a paused campaign creates nothing and has nothing due until it resumes; a late batch waits too',
  covers('A3.paused'),
  async () => {
    const { id } = await bench.create(number, plain, { phones: newClients(2_500) });
    await control.pause(accountId, id);
    await bench.expand();
    assert.deepEqual(await bench.messagesOf(id), []);
    await control.resume(accountId, id);
    assert.deepEqual([bench.paused.at(-1), bench.resumed.at(-1)], [id, id]);
    await bench.expand();
    assert.equal((await bench.messagesOf(id)).length, 2_500);
    await control.pause(accountId, id);
    assert.equal((await bench.stateOf(id)).state, 'paused');
    await control.pause(accountId, id);
    const dueOf = async () =>
      (
        await sql<{ due_at: number }[]>`
        SELECT DISTINCT due_at FROM dispatch_batches WHERE held_shipment_id = ${id}`
      ).map(({ due_at }) => due_at);
    assert.deepEqual(await dueOf(), [PAUSED_AT]);
    // A dispatcher stores a retry that it knew of before the pause.
    await sql`UPDATE dispatch_batches SET due_at = ${clock.now()} WHERE held_shipment_id = ${id} AND id = (
    SELECT min(id) FROM dispatch_batches WHERE held_shipment_id = ${id})`;
    await control.align();
    assert.deepEqual(await dueOf(), [PAUSED_AT]);
    assert.equal((await bench.stateOf(id)).state, 'paused');
    clock.advance(2 * DAY);
    await control.resume(accountId, id);
    assert.deepEqual(await dueOf(), [clock.now()]);
    const [shipment] = await sql<
      { valid_until: number }[]
    >`SELECT valid_until FROM shipments WHERE id = ${id}`;
    assert.equal(shipment!.valid_until, clock.now() + DAY);
    // And one stores that a batch waits, when it goes on already.
    await sql`UPDATE dispatch_batches SET due_at = ${PAUSED_AT} WHERE held_shipment_id = ${id}`;
    await control.align();
    assert.deepEqual(await dueOf(), [clock.now()]);
    assert.equal((await bench.stateOf(id)).state, 'running');
  },
);

test(
  'a scheduled campaign that is paused past its time begins when it is resumed',
  covers('A3.paused'),
  async () => {
    const fromDate = formatLocal(clock.now() + HOUR, ZONE);
    const { id } = await bench.create(number, plain, {
      phones: [newClient()],
      readStart: () => fromDate,
    });
    await control.pause(accountId, id);
    clock.advance(2 * HOUR);
    await bench.expand();
    assert.deepEqual(await bench.messagesOf(id), []);
    await control.resume(accountId, id);
    assert.equal((await campaigns.find(accountId, id))!.state, 'scheduled');
    await bench.expand();
    assert.equal((await bench.messagesOf(id)).length, 1);
  },
);

test(
  'cancelled before, in the middle, and too late: counts, credit, and never twice',
  covers('A3.cancelled'),
  async () => {
    const own = await newNumber((await newAccount(5_000)).id);
    await bench.numbers.setTier(own.portfolioId, 1_000_000);
    const template = await newTemplate(own);
    const before = await bench.create(own, template, { phones: newClients(10), name: 'Spring' });
    const middle = await bench.create(own, template, { phones: newClients(2_500), name: 'Spring' });
    const dry = await canceller.byName(own.accountId, 'Spring', true);
    assert.deepEqual(
      dry.map(({ shipmentId, cancelled, submitted }) => [shipmentId, cancelled, submitted]),
      [
        [before.id, 10, 0],
        [middle.id, 2_500, 0],
      ],
    );
    assert.deepEqual(await canceller.byId(own.accountId, before.id), {
      shipmentId: before.id,
      cancelled: 10,
      submitted: 0,
      refunded: parseAmount('10'),
    });
    assert.equal(await bench.balance(own.accountId), 2_500);
    await bench.expand();
    assert.deepEqual(await bench.messagesOf(before.id), []);
    assert.equal(await bench.submit(own, 1), 500);
    assert.deepEqual(await canceller.byName(own.accountId, 'Spring'), [
      { shipmentId: middle.id, cancelled: 2_000, submitted: 500, refunded: parseAmount('2000') },
    ]);
    assert.equal(await bench.balance(own.accountId), 4_500);
    assert.deepEqual(await progressOf(sql, own.accountId, middle.id), {
      made: 2_500,
      waiting: 0,
      sent: 500,
      delivered: 0,
      read: 0,
      failed: {},
      cancelled: 2_000,
    });
    for (const { id } of [before, middle]) {
      await assert.rejects(canceller.byId(own.accountId, id), { code: 'already-cancelled' });
      await assert.rejects(control.pause(own.accountId, id), { code: 'not-now' });
      await assert.rejects(control.resume(own.accountId, id), { code: 'not-now' });
      assert.deepEqual([(await bench.stateOf(id)).state, await openMoney(id)], ['cancelled', 0]);
    }
    assert.equal(await bench.submit(own), 0);
    const done = await bench.create(own, template, { phones: newClients(3) });
    await bench.expand();
    await bench.submit(own);
    await assert.rejects(canceller.byId(own.accountId, done.id), { code: 'already-sent' });
    assert.equal((await bench.stateOf(done.id)).state, 'running');
    await assert.rejects(control.pause(accountId, done.id), { code: 'unknown-campaign' });
  },
);

test(
  'progress by the outcome of the messages, and failures page by page',
  covers('A3.progress'),
  async () => {
    const phones = newClients(7);
    const { id } = await bench.create(number, plain, { phones: [...phones, '12'] });
    await bench.expand();
    const rows = await bench.messagesOf(id);
    const idOf = (index: number) => rows.find(({ phone }) => phone === phones[index])!.id;
    const now = clock.now();
    await sql`UPDATE messages SET handed_at = ${now} WHERE shipment_id = ${id} AND id >= ${idOf(1)} AND id <= ${idOf(5)}`;
    await sql`UPDATE messages SET status = 102, final_at = ${now} WHERE id IN (${idOf(2)}, ${idOf(3)})`;
    await sql`UPDATE messages SET read_at = ${now} WHERE id = ${idOf(3)}`;
    await sql`
    UPDATE messages SET status = ${status.undelivered}, final_at = ${now}, code = 'undeliverable'
    WHERE id IN (${idOf(4)}, ${idOf(5)})`;
    assert.deepEqual(await progressOf(sql, accountId, id), {
      made: 8,
      waiting: 2,
      sent: 1,
      delivered: 1,
      read: 1,
      failed: { undeliverable: 2, 'bad-destination': 1 },
      cancelled: 0,
    });
    const first = await failuresOf(sql, accountId, id, 0, 2);
    const rest = await failuresOf(sql, accountId, id, first.at(-1)!.id, 2);
    assert.deepEqual(
      [...first, ...rest].map(({ phone, reason }) => [phone, reason]),
      [
        [phones[4], 'undeliverable'],
        [phones[5], 'undeliverable'],
        ['12', 'bad-destination'],
      ],
    );
  },
);

test(
  'a campaign ends once, when all messages exist and no message waits',
  covers('A3.finished', 'chatEvents.campaign.finished'),
  async () => {
    const own = await newNumber((await newAccount(100)).id);
    const template = await newTemplate(own);
    const heard = await bench.hear(own.accountId);
    const { id } = await bench.create(own, template, { phones: [...newClients(3), '12'], name: 'Spring' });
    const look = () => Promise.all([finisher.run(), finisher.run(), finisher.run()]);
    const ends = async () => (await heard()).filter(({ type }) => type === 'campaign.finished');
    await look();
    await bench.expand();
    await look();
    assert.deepEqual([(await bench.stateOf(id)).state, await ends()], ['running', []]);
    await bench.submit(own);
    await look();
    await look();
    const campaign = await campaigns.find(own.accountId, id);
    assert.deepEqual([campaign!.state, campaign!.finishedAt], ['finished', clock.now()]);
    assert.deepEqual(
      (await ends()).map(({ data }) => data),
      [{ campaign_id: id, campaign_name: 'Spring', channel: 'chat', total: 4, sent: 3, failed: 1 }],
    );
    await assert.rejects(control.pause(own.accountId, id), { code: 'not-now' });
  },
);

test('the hold is by the price of each number, and of lists by those that are in them', async () => {
  const own = await newNumber((await newAccount(100)).id);
  await bench.prices.set(own.accountId, 'chat', '1212', '0.25');
  await bench.prices.set(own.accountId, 'chat', '', '0.5');
  const template = await newTemplate(own);
  const list = await newList(own.accountId, contactsOf(newClients(4)));
  const { id } = await bench.create(own, template, { phones: ['12125550123', newClient()], lists: [list] });
  assert.equal(await openMoney(id), 2.75);
  await bench.expand();
  assert.equal((await bench.wallets.balance(own.accountId)) / CREDIT, 97.25);
});

test('ended campaigns are forgotten with their messages, running ones are not', async () => {
  const own = await newNumber((await newAccount(100)).id);
  const template = await newTemplate(own);
  const [over, waiting] = [
    await bench.create(own, template, { phones: [newClient()] }),
    await bench.create(own, template, { phones: [newClient()] }),
  ];
  await control.pause(own.accountId, waiting.id);
  await canceller.byId(own.accountId, over.id);
  await cleanUpCampaigns(sql, clock.now(), 1);
  assert.deepEqual(
    (await campaigns.list(own.accountId)).map(({ id }) => id),
    [waiting.id, over.id],
  );
  clock.advance(3 * DAY);
  await cleanUpCampaigns(sql, clock.now(), 1);
  assert.deepEqual(
    (await campaigns.list(own.accountId)).map(({ id }) => id),
    [waiting.id],
  );
});

test('begun long after it was due, as after a fault or a long pause: there are 24 hours from then', async () => {
  const client = newClient();
  const fromDate = formatLocal(clock.now() + HOUR, ZONE);
  const { id } = await bench.create(number, plain, { phones: [client], readStart: () => fromDate });
  clock.advance(3 * DAY);
  await bench.expand();
  const [shipment] = await sql<{ valid_until: number }[]>`SELECT valid_until FROM shipments WHERE id = ${id}`;
  assert.equal(shipment!.valid_until, clock.now() + DAY);
});
