import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import { addressed, type ChatContent, type MediaContent } from '../../../server/channels/chat/content.ts';
import { templateMediaCheck } from '../../../server/channels/chat/media-rules.ts';
import {
  ChatSender,
  type FreeFormRequest,
  type TemplateRequest,
} from '../../../server/channels/chat/sender.ts';
import { chatRoute } from '../../../server/channels/chat/statuses.ts';
import { insertTemplates } from '../../../server/channels/chat/template-rows.ts';
import { Templates } from '../../../server/channels/chat/templates.ts';
import { channels } from '../../../server/channels/index.ts';
import type { TransactionSql } from '../../../server/database/connection.ts';
import { loadBatches } from '../../../server/engine/dispatch/batch-messages.ts';
import { claimBatches } from '../../../server/engine/dispatch/batches.ts';
import { Events } from '../../../server/engine/events/events.ts';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { SecretTexts } from '../../../server/engine/messages/secret-text.ts';
import { type ChatProblem, Refusal } from '../../../server/kit/errors.ts';
import { MediaCheck } from '../../../server/kit/http/media-check.ts';
import { createGuardedAgent } from '../../../server/kit/http/ssrf-guard.ts';
import { timeOfId } from '../../../server/kit/ids.ts';
import { displayNumber } from '../../../server/kit/numbers/phone-numbers.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { Suppressions } from '../../../server/modules/audience/suppressions.ts';
import { Consents } from '../../../server/modules/consents/consents.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import type { PlatformMessage } from '../../../server/protocols/chat-platform/messages.ts';
import {
  type TemplateStatus,
  templateStatus,
} from '../../../server/protocols/chat-platform/template-status.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { atEnd } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { cancelStatement, waitersFor } from '../../support/lock-waits.ts';
import { secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workFor } from '../../support/work.ts';
import { createChatBench, DAY, HOUR, MINUTE, newClient, newClients, ZONE } from './admissions.ts';
import { orderContent } from './plain-template.ts';

/** Single chat messages (interface, A2, A4, A5), from the request to what a dispatcher reads. */
const bench = await createChatBench();
const { sql, ids, clock, accounts, wallets, prices, numbers, reader } = bench;
const log = createLogger('silent');
const platform = new ChatPlatformClient({
  baseUrl: 'http://127.0.0.1:9',
  contactPage: 'https://example.com/',
});
const agent = createGuardedAgent({ allowPrivate: true });
atEnd(async () => {
  await platform.close();
  await agent.close();
});
const templates = new Templates({
  ...{ sql, ids, clock, log, numbers, platform, media: agent },
  events: new Events({
    secrets,
    ...{ sql, ids, clock, log, displayNumber },
    boot: 'sender',
    allowPrivate: true,
    timeZoneOf: () => ZONE,
    deliver: false,
  }),
  appId: 'app',
  work: workFor({ sql, clock }),
  syncEveryMs: DAY,
});
const woken: [accountId: number, lane: number][] = [];
const sender = new ChatSender({
  ...{ sql, ids, clock, accounts, prices, numbers, templates, reader },
  ...openGate({
    sql,
    clock,
    accounts,
    channels,
    defaultZone: ZONE,
    consents: new Consents({ sql, clock, secrets }),
  }),
  suppressions: new Suppressions({ sql, secrets }),
  checkMedia: templateMediaCheck(new MediaCheck({ agent, mode: 'off' })),
  defaultZone: ZONE,
  forgetUnansweredMs: 0,
  notifyDispatcher: (...account) => woken.push(account),
});

/** Makes a template; returns its id in the interface. */
async function newTemplate(
  { accountId, phone }: ChatNumber,
  content: Partial<TemplateContent> = {},
  status: TemplateStatus = templateStatus.approved,
): Promise<string> {
  const id = ids.next();
  const template = {
    id,
    accountId,
    templateId: `1_${phone}_${id}`,
    phone,
    name: 'order',
    language: 'he',
    category: 'UTILITY',
    content: { ...orderContent, ...content },
    status,
    statusAt: clock.now(),
    createdAt: clock.now(),
    platformId: String(id),
  } as const;
  await sql.begin((tx) => insertTemplates(tx, ids, accountId, [template]));
  return template.templateId;
}

const number = await bench.newNumber();
const plain = await newTemplate(number);

const template = (client: string, over: Partial<TemplateRequest> = {}) =>
  sender.template({
    accountId: number.accountId,
    source: number.phone,
    destination: client,
    templateId: plain,
    fields: {},
    ...over,
  });

const buttonsOf = () => ({
  kind: 'buttons' as const,
  header: null,
  body: 'Shall we come?',
  footer: '',
  action: [{ id: '1', title: 'Yes' }],
});
const carouselOf = () => {
  const header = { kind: 'image' as const, link: 'https://example.com/a.jpg' };
  const card = { header, body: '', action: [{ id: '1', title: 'This' }] };
  return { kind: 'carousel' as const, body: 'Look', cards: [card, card] };
};
type FreeForm = Omit<FreeFormRequest<'buttons'>, 'content'>;
const freeForms = {
  buttons: (request: FreeForm, read = () => {}) =>
    sender.buttons({
      ...request,
      content() {
        read();
        return buttonsOf();
      },
    }),
  carousel: (request: FreeForm, read = () => {}) =>
    sender.carousel({
      ...request,
      content() {
        read();
        return carouselOf();
      },
    }),
};

/** Every row that a send could write, and all the money. */
async function everything() {
  const [chat] = await sql`
    SELECT (SELECT json_agg(w ORDER BY number, client) FROM chat_windows w) AS windows,
      (SELECT json_agg(r ORDER BY portfolio_id, client) FROM chat_reached r) AS reached,
      (SELECT json_agg(r ORDER BY portfolio_id, minute) FROM chat_reach r) AS reach,
      (SELECT json_agg(m ORDER BY account_id, month) FROM chat_months m) AS months,
      (SELECT count(*) FROM dispatch_batches) AS batches`;
  return { ...(await countEverything(sql)), ...chat };
}

/** Checks that a send is refused for this, and that nothing is stored, charged or woken. */
async function refused(send: () => Promise<unknown>, problem: ChatProblem): Promise<void> {
  const before = await everything();
  const wokenBefore = woken.length;
  await assert.rejects(send(), (error) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, problem, error.message);
    return true;
  });
  assert.deepEqual(await everything(), before);
  assert.equal(woken.length, wokenBefore);
}

/** What a dispatcher reads for the link of a number. */
async function dispatched({ accountId, phone }: ChatNumber): Promise<PlatformMessage[]> {
  const routes = [chatRoute(phone)];
  const { batches: claimed } = await claimBatches(sql, 'test', clock.now(), {
    accountIds: [accountId],
    lane: lanes.single,
    routes,
    each: 100,
    messages: 1_000,
    copyPauseMs: 0,
  });
  const batches = await loadBatches(sql, claimed, { secretTexts: new SecretTexts(secrets), log, channels });
  return batches
    .flatMap(({ messages }) => messages)
    .map(({ id, payload, destination }) =>
      addressed(payload as Exclude<ChatContent, MediaContent>, destination, String(id)),
    );
}

test(
  'a template is stored, charged and ready to be sent when the answer comes',
  covers('chat.success'),
  async () => {
    const own = await bench.newNumber();
    const { accountId, phone } = own;
    const client = newClient();
    const body = 'Hello {{1}}, your order {{2}}';
    const templateId = await newTemplate(own, { body });
    const fields = { variables: { 1: 'Dana', 2: '12' } };
    const before = await wallets.balance(accountId);
    woken.length = 0;
    const request = {
      accountId,
      source: `+${phone}`,
      destination: `0${client.slice(3)}`,
      templateId,
      fields,
    };
    const sent = await sender.template(request);
    assert.deepEqual(sent, {
      id: sent.id,
      shipmentId: sent.shipmentId,
      at: clock.now(),
      from: phone,
      to: client,
      body: 'Hello Dana, your order 12',
      templateTimeLeft: 0,
      conversationTimeLeft: 1440,
    });
    assert.equal(await wallets.balance(accountId), before - CREDIT);
    assert.deepEqual(woken, [[accountId, lanes.single]]);
    const [row] = await sql`
    SELECT s.id, s.state, s.lane, s.channel, s.message_count, s.cost, s.due_at, s.valid_until, s.campaign_name,
      m.channel AS message_channel, m.recipient AS phone, m.source, m.status, m.parts, m.price
    FROM shipments s JOIN messages m ON m.account_id = s.account_id AND m.shipment_id = s.id
    WHERE m.account_id = ${accountId} AND m.id = ${sent.id} AND s.first_id = m.id AND s.last_id = m.id`;
    assert.deepEqual(
      { ...row },
      {
        id: row!.id,
        state: 1,
        lane: lanes.single,
        channel: 1,
        message_count: 1,
        cost: '1.0000',
        due_at: clock.now(),
        valid_until: clock.now() + DAY,
        campaign_name: null,
        message_channel: 1,
        phone: client,
        source: phone,
        status: -1,
        parts: 1,
        price: '1.0000',
      },
    );
    const values = { header: null, body: ['Dana', '12'], buttons: [], offerEndsAt: null };
    assert.deepEqual(await dispatched(own), [
      { kind: 'template', name: 'order', language: 'he', values, to: client, reference: String(sent.id) },
    ]);
  },
);

for (const kind of ['buttons', 'carousel'] as const) {
  const send = freeForms[kind];

  test(`${kind}: an answer within the window is stored, and ready to be sent`, async () => {
    const own = await bench.newNumber();
    const { accountId, phone } = own;
    const client = newClient();
    await bench.writes(own, client);
    clock.advance(10 * MINUTE);
    const before = await wallets.balance(accountId);
    const request = { accountId, source: phone, destination: client };
    const sent = await send(request);
    const content = kind === 'buttons' ? buttonsOf() : carouselOf();
    assert.deepEqual(
      [sent.from, sent.to, sent.body, sent.templateTimeLeft, sent.conversationTimeLeft],
      [phone, client, content.body, 1430, 1440],
    );
    assert.equal(await wallets.balance(accountId), before - CREDIT);
    // Of the same conversation, and of the month's first thousand.
    const next = await send(request);
    assert.equal(await wallets.balance(accountId), before - CREDIT);
    const entries = await sql`SELECT 1 FROM ledger WHERE account_id = ${accountId} AND kind = 'charge'`;
    assert.equal(entries.length, 1);
    assert.deepEqual(
      await dispatched(own),
      [sent, next].map(({ id }) => ({ ...content, to: client, reference: String(id) })),
    );
  });

  test(
    `${kind}: the first problem in the order source, destination, window, fields`,
    covers('A4.order', 'A5.order'),
    async () => {
      const client = newClient();
      const { accountId, phone: source } = number;
      const fault = new Error('a field');
      let reads = 0;
      const read = () => {
        reads++;
        throw fault;
      };
      await refused(() => send({ accountId, source: '', destination: '' }, read), 'unknown-source');
      await refused(() => send({ accountId, source, destination: 'x' }, read), 'bad-destination');
      await refused(() => send({ accountId, source, destination: client }, read), 'never-written');
      await bench.writes(number, client, clock.now() - DAY);
      await refused(() => send({ accountId, source, destination: client }, read), 'window-closed');
      assert.equal(reads, 0);
      await bench.writes(number, client, clock.now() - DAY + 1);
      const before = await everything();
      await assert.rejects(send({ accountId, source, destination: client }, read), fault);
      assert.deepEqual(await everything(), before);
      await template(client);
      await refused(() => send({ accountId, source, destination: client }), 'window-closed');
    },
  );
}

test('a window that closes while the fields are read is closed', covers('windows.free-form'), async () => {
  const client = newClient();
  await bench.writes(number, client);
  const request = { accountId: number.accountId, source: number.phone, destination: client };
  await assert.rejects(
    sender.buttons({
      ...request,
      async content() {
        await template(client);
        return buttonsOf();
      },
    }),
    (error: Refusal) => error.code === 'window-closed',
  );
});

test('a source is a business number of the account itself', async () => {
  const other = await bench.newNumber();
  const client = newClient();
  for (const source of ['', 'Shop', '97255', other.phone, newClient()]) {
    await refused(() => template(client, { source }), 'unknown-source');
  }
  await refused(() => template(client, { accountId: other.accountId }), 'unknown-source');
});

test('a destination is a phone number', async () => {
  for (const destination of ['', ' ', '12', 'abc', '05012', '972501234567890123', `${newClient()}@g.us`]) {
    await refused(() => template(destination), 'bad-destination');
  }
});

test('a template is one of the business number itself', async () => {
  const beside = await bench.newNumber(undefined, number);
  const other = await bench.newNumber();
  const client = newClient();
  for (const templateId of ['', 'x', await newTemplate(beside), await newTemplate(other)]) {
    await refused(() => template(client, { templateId }), 'unknown-template');
  }
});

test('a template is sent if it is approved, flagged or no longer flagged', async () => {
  const sendable: readonly number[] = [1, 10, 11];
  for (const status of Object.values(templateStatus)) {
    const templateId = await newTemplate(number, {}, status);
    if (sendable.includes(status)) assert.ok(await template(newClient(), { templateId }));
    else await refused(() => template(newClient(), { templateId }), 'template-not-usable');
  }
});

test(
  'a paused template is sent again six hours later, to the millisecond',
  covers('templateStatus.6'),
  async () => {
    const templateId = await newTemplate(number, {}, templateStatus.paused);
    clock.advance(6 * HOUR - 1);
    await refused(() => template(newClient(), { templateId }), 'template-not-usable');
    clock.advance(1);
    assert.ok(await template(newClient(), { templateId }));
  },
);

test(
  'of several problems, the first is returned: source, destination, template, window, fields, tier, credit',
  covers('A2.order'),
  async () => {
    const own = await bench.newNumber();
    const { accountId, phone: source } = own;
    const [tired, client] = newClients(2) as [string, string];
    const body = '{{1}}';
    const header = { kind: 'image', sample: '' } as const;
    const good = await newTemplate(own, { body, header });
    const waiting = await newTemplate(own, { body, header }, templateStatus.pending);
    await bench.admitOne(own, tired);
    await bench.admitOne(own, tired);
    // Every place but those of the tier's first.
    await sql`UPDATE chat_reach SET clients = 250 WHERE account_id = ${accountId}`;
    await wallets.topUp(accountId, -(await wallets.balance(accountId)), 'nothing left');
    const fields = { variables: { 1: 'a' }, headerLink: 'https://example.com/a.jpg' };
    const request = { accountId, source, destination: client, templateId: good, fields };
    const wrong: Partial<TemplateRequest>[] = [
      { source: 'x' },
      { destination: 'x' },
      { templateId: 'x' },
      { templateId: waiting },
      { destination: tired },
      { fields: { ...fields, variables: {} } },
      { fields: { ...fields, headerLink: 'https://example.com/a.exe' } },
    ];
    const problems: ChatProblem[] = [
      'unknown-source',
      'bad-destination',
      'unknown-template',
      'template-not-usable',
      'two-unanswered',
      'bad-variables',
      'bad-header-type',
    ];
    for (const [index, problem] of problems.entries()) {
      // It and all that come after it; the earlier ones of the same field count.
      const all = Object.assign({}, request, ...wrong.slice(index).reverse()) as TemplateRequest;
      await refused(() => sender.template(all), problem);
    }
    await refused(() => sender.template(request), 'tier-reached');
    await sql`UPDATE chat_reach SET clients = 1 WHERE account_id = ${accountId}`;
    await refused(() => sender.template(request), 'no-credit');
    await wallets.topUp(accountId, CREDIT, 'enough');
    assert.ok(await sender.template(request));
  },
);

test('a suspended account, or one that there is not, sends nothing', async () => {
  const own = await bench.newNumber();
  const templateId = await newTemplate(own);
  const send = () => template(newClient(), { accountId: own.accountId, source: own.phone, templateId });
  assert.ok(await send());
  await accounts.suspend(own.accountId, true);
  await refused(send, 'suspended');
  await accounts.suspend(own.accountId, false);
  assert.ok(await send());
  await refused(() => template(newClient(), { accountId: 1 }), 'suspended');
});

test(
  'the month is counted in the time zone of the account',
  covers('windows.the thousand.month'),
  async () => {
    const { id: accountId } = await accounts.create({
      username: 'apia',
      name: 'Apia',
      timeZone: 'Pacific/Apia',
    });
    await wallets.topUp(accountId, CREDIT, 'test');
    const own = await bench.newNumber(accountId);
    const client = newClient();
    await bench.writes(own, client);
    await freeForms.buttons({ accountId, source: own.phone, destination: client });
    const [row] = await sql<
      { month: number }[]
    >`SELECT month FROM chat_months WHERE account_id = ${accountId}`;
    const [year, month] = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'Pacific/Apia',
      year: 'numeric',
      month: '2-digit',
    })
      .format(clock.now())
      .split('-')
      .map(Number) as [number, number];
    assert.equal(row!.month, year * 12 + month);
  },
);

test(
  'of many concurrent sends to one client, two are accepted, and one is paid',
  covers('A2.23', 'windows.two unanswered.at once'),
  async () => {
    const client = newClient();
    const before = await wallets.balance(number.accountId);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => template(client)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal((result.reason as Refusal).code, 'two-unanswered');
    }
    assert.equal(await wallets.balance(number.accountId), before - CREDIT);
    const rows = await sql`SELECT 1 FROM messages WHERE recipient = ${client}`;
    assert.equal(rows.length, 2);
  },
);

test(
  'of many concurrent sends with credit for three, three are accepted, and the others leave no trace',
  covers('windows.refused'),
  async () => {
    const { id: accountId } = await bench.newAccount(3);
    const own = await bench.newNumber(accountId);
    const templateId = await newTemplate(own);
    const clients = newClients(20);
    const results = await Promise.allSettled(
      clients.map((destination) => template(destination, { accountId, source: own.phone, templateId })),
    );
    for (const result of results) {
      if (result.status === 'rejected') assert.equal((result.reason as Refusal).code, 'no-credit');
    }
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal(await wallets.balance(accountId), 0);
    for (const table of ['chat_windows', 'chat_reached', 'messages', 'dispatch_batches']) {
      const rows = await sql`SELECT 1 FROM ${sql(table)} WHERE account_id = ${accountId}`;
      assert.equal(rows.length, 3, table);
    }
  },
);

test(
  'a database that fails in mid-transaction: nothing is stored, and a retry works',
  covers('chatPlatform.stored before 200'),
  async () => {
    const { id: accountId } = await bench.newAccount(10);
    const own = await bench.newNumber(accountId);
    const templateId = await newTemplate(own);
    const send = () => template(newClient(), { accountId, source: own.phone, templateId });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<TransactionSql>();
    const holder = sql.begin(async (tx) => {
      await tx`SELECT 1 FROM wallets WHERE account_id = ${accountId} FOR UPDATE`;
      holding.resolve(tx);
      await released;
    });
    const held = await holding.promise;
    const before = await everything();
    const sending = assert.rejects(send(), (error) => error instanceof Refusal && error.code === 'try-again');
    const [sender] = await waitFor('the sender waits for the wallet', async () => {
      const waiters = await waitersFor(held);
      return waiters.length > 0 && waiters;
    });
    await cancelStatement(sql, sender!);
    await sending;
    release();
    await holder;
    assert.deepEqual(await everything(), before);
    assert.ok(await send());
  },
);

test('ids follow the clock', async () => {
  const { id, at } = await template(newClient());
  assert.ok(Math.abs(timeOfId(id) - at) < 1_000);
});
