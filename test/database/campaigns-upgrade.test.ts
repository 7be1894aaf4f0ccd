import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatChannel } from '../../server/channels/chat/channel.ts';
import { mailChannel } from '../../server/channels/mail/channel.ts';
import { smsChannel } from '../../server/channels/sms/channel.ts';
import type { Parameter } from '../../server/database/values.ts';
import { listCampaigns } from '../../server/engine/campaigns/rows.ts';
import { PAUSED_AT } from '../../server/engine/messages/batch-cutter.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { createIdSource } from '../../server/kit/ids.ts';
import { CREDIT } from '../../server/modules/accounts/money.ts';
import { type LedgerEntry, moveWallet, Wallets } from '../../server/modules/accounts/wallets.ts';
import { ContactLists } from '../../server/modules/audience/contact-lists.ts';
import { storeTemplate } from '../channels/chat/campaign-bench.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabaseBefore, makePartitionsBefore } from '../support/older-database.ts';
import { newPhones } from '../support/phones.ts';
import { databaseUrl, Installation } from '../support/process.ts';
import { secrets } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * A database from before 0035, with campaigns of every kind in every state, as the version before left them when it was
 * stopped. This version migrates it and goes on with what was running: nobody is left out, nobody has two messages.
 */

const CREDITS = 1_000;
const DAY = 86_400_000;
const SHOP = 'Shop';
const MAIL_FROM = 'news@shop.example';

const { sql, target } = await createDatabaseBefore(35);
const ids = createIdSource(62, systemClock);
const at = Date.now();
let accountId = 0;

function insert(table: string, row: Readonly<Record<string, Parameter>>) {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  return sql.unsafe(`INSERT INTO ${table} (${columns}) VALUES (${places})`, Object.values(row));
}

interface Sent {
  readonly channel: number;
  readonly state?: 0 | 1 | 2;
  readonly source: string;
  readonly text?: string;
  /** Who has a message, which was delivered. */
  readonly made?: readonly string[];
  /** Whole credits. */
  readonly held: number;
  readonly isPaused?: boolean;
}

/** Stores a shipment with the messages that it has, its charges and holds; its id. */
async function shipment({
  channel,
  state = 1,
  source,
  text,
  made = [],
  held,
  isPaused,
}: Sent): Promise<number> {
  const id = ids.next();
  const messages = made.map((phone) => ({ id: ids.next(), phone }));
  await sql`
    INSERT INTO shipments (account_id, id, lane, state, campaign_name, payload, message_count, cost, first_id, last_id, due_at,
      valid_until, channel, paused_at)
    VALUES (${accountId}, ${id}, 2, ${state}, 'Spring', ${text ?? null}, ${made.length}, ${made.length},
      ${messages[0]?.id ?? id}, ${messages.at(-1)?.id ?? id}, ${at}, ${at + DAY}, ${channel}, ${isPaused ? at : null})`;
  for (const message of messages) {
    await sql`
      INSERT INTO messages (account_id, id, shipment_id, batch_id, recipient, source, payload, parts, price, status, handed_at,
        final_at, channel)
      VALUES (${accountId}, ${message.id}, ${id}, ${message.id}, ${message.phone}, ${source}, ${text ?? null}, 1, 1, 102,
        ${at}, ${at}, ${channel})`;
  }
  const entries: LedgerEntry[] = [
    { kind: 'hold' as const, amount: -held * CREDIT, shipmentId: id },
    { kind: 'charge' as const, amount: -made.length * CREDIT, shipmentId: id },
  ].filter(({ amount }) => amount < 0);
  if (entries.length > 0) await sql.begin((tx) => moveWallet(tx, ids, at, accountId, entries));
  return id;
}

const madeOf = async (id: number) =>
  (
    await sql<{ phone: string; text: string | null }[]>`
      SELECT recipient AS phone, payload AS text FROM messages WHERE shipment_id = ${id} ORDER BY id`
  ).map(({ phone, text }) => [phone, text]);
const phonesOf = async (id: number) => (await madeOf(id)).map(([phone]) => phone);
const statesOf = async (channel: number) =>
  new Map((await listCampaigns(sql, accountId, channel)).map(({ id, state }) => [id, state]));

test('campaigns from before 0035 keep their states, and running ones continue', async () => {
  await makePartitionsBefore(sql, at);
  accountId = ids.next();
  // `Accounts` reads columns of later versions.
  await insert('accounts', { id: accountId, username: 'shop', name: 'Shop', created_at: at });
  await insert('wallets', { account_id: accountId, balance: 0 });
  await new Wallets(sql, ids, systemClock).topUp(accountId, CREDITS * CREDIT, 'test');
  const contacts = newPhones(4)
    .map((phone) => `972${phone.slice(1)}`)
    .sort();
  const [list = 0] = await new ContactLists({ sql, ids, clock: systemClock }).create(accountId, [
    { name: 'list', contacts: contacts.map((phone) => ({ phone, fields: [] })) },
  ]);

  // SMS: two texts to the list, of which two contacts have the first; and one that is paused before its time.
  const listSend = (shipmentId: number, text: string, more: Record<string, Parameter>) =>
    insert('list_sends', {
      ...{
        account_id: accountId,
        id: ids.next(),
        shipment_id: shipmentId,
        source: SHOP,
        text,
        is_shared: false,
      },
      ...{
        dynamic: false,
        removal: false,
        link_ids: [],
        link_keys: [],
        international: false,
        list_ids: [list],
      },
      ...{ phones_from: 0, phones_to: 0, expected: contacts.length, held: contacts.length, ...more },
    });
  const sms = await shipment({
    ...{ channel: smsChannel.id, source: SHOP, text: 'first', made: contacts.slice(0, 2), held: 6 },
  });
  const place = { started_id: sms, after_phone: contacts[1]!, expected: 2, held: 2, due_at: at };
  await listSend(sms, 'first', place);
  await listSend(sms, 'second', { started_id: null, due_at: null });
  const pausedSms = await shipment({
    ...{ channel: smsChannel.id, state: 0, source: SHOP, text: 'later', held: 4, isPaused: true },
  });
  await listSend(pausedSms, 'later', { started_id: pausedSms, due_at: PAUSED_AT });

  // Chat: one of three phones has its message, and the list follows; others in every other state.
  const portfolioId = ids.next();
  const phone = '972551111111';
  await insert('chat_portfolios', {
    ...{ id: portfolioId, account_id: accountId, name: 'Shop', tier: 100_000, platform_id: 'business' },
    access_token: secrets.seal('token', 'chat_portfolios.access_token', portfolioId),
    created_at: at,
  });
  await insert('chat_numbers', {
    ...{ phone, account_id: accountId, portfolio_id: portfolioId, name: 'Shop', platform_id: 'number' },
    messages_per_second: 1,
    created_at: at,
  });
  await storeTemplate(sql, ids, at, { accountId, phone });
  const [template] = await sql<{ id: number }[]>`SELECT id FROM chat_templates`;
  const clients = newPhones(3).map((client) => `972${client.slice(1)}`);
  const request = {
    ...{
      chunks: 1,
      variables: {},
      headerLink: null,
      coupon: null,
      couponExpiresAt: null,
      websites: [null, null],
    },
  };
  async function chatCampaign(state: string, sent: Partial<Sent>, more: Record<string, Parameter> = {}) {
    const isOver = state === 'finished' || state === 'cancelled';
    const shared = { channel: chatChannel.id, source: phone, held: 0, text: '{"kind":"text"}' };
    const id = await shipment({ ...shared, ...(state === 'cancelled' && { state: 2 }), ...sent });
    await insert('chat_campaigns', {
      ...{ account_id: accountId, id, name: 'Spring', number: phone, template_id: template!.id, state },
      ...{ request: sql.json(request), list_ids: [list], total: 7, expanded: isOver, held: sent.held ?? 0 },
      ...{ due_at: at, created_at: at, finished_at: isOver ? at : null, ...more },
    });
    return id;
  }
  const chat = await chatCampaign('running', { made: clients.slice(0, 1), held: 6 });
  await sql`
    INSERT INTO chat_campaign_phones (account_id, campaign_id, chunk, phones)
    VALUES (${accountId}, ${chat}, 0, ${clients.slice(1)}::text[])`;
  const inStates = new Map([[chat, 'running']]);
  for (const state of ['paused', 'finished', 'cancelled']) {
    inStates.set(await chatCampaign(state, state === 'paused' ? { held: 7 } : {}), state);
  }

  // Mail: one of three users has their mail; a single mail beside it; one for later.
  const mailList = ids.next();
  const users = [1, 2, 3].map((n) => ({ id: n, address: `user${n}@example.com` }));
  await sql`
    INSERT INTO mail_lists (account_id, id, name, filling_id, user_count, active_count, created_at)
    VALUES (${accountId}, ${mailList}, 'list', ${mailList}, 3, 3, ${at})`;
  for (const { id, address } of users) {
    await sql`
      INSERT INTO mail_users (account_id, id, address, address_key, created_at)
      VALUES (${accountId}, ${id}, ${address}, ${address}, ${at})`;
    await sql`INSERT INTO mail_members VALUES (${accountId}, ${mailList}, ${id}, false)`;
  }
  const content = {
    ...{
      from: { name: 'Shop', address: MAIL_FROM },
      replyTo: null,
      subject: 'Hello',
      html: null,
      text: 'Hello',
    },
    ...{ links: [], language: 'en', removable: true, literal: false },
  };
  async function mailCampaign(state: string, sent: Partial<Sent>, more: Record<string, Parameter> = {}) {
    const id = await shipment({ channel: mailChannel.id, source: MAIL_FROM, held: 0, ...sent });
    await insert('mail_campaigns', {
      ...{ account_id: accountId, id, kind: 'campaign', name: 'Spring', state, route: 'mail/relay' },
      ...{ from_address: MAIL_FROM, content: sql.json(content), list_ids: [mailList], total: 3 },
      ...{ held: sent.held ?? 0, due_at: at, created_at: at, ...more },
    });
    return id;
  }
  const mail = await mailCampaign('running', { made: [users[0]!.address], held: 2 }, { after_user: 1 });
  const scheduled = await mailCampaign('scheduled', { state: 0, held: 3 }, { due_at: at + DAY });
  const single = await mailCampaign('finished', {}, { kind: 'single', expanded: true, finished_at: at });

  const installation = new Installation({
    DATABASE_URL: databaseUrl(target as Parameters<typeof databaseUrl>[0]),
    CHAT_PLATFORM_URL: 'http://127.0.0.1:9',
  });
  const program = await installation.start({ ready: false });
  const isMade = async (id: number) => {
    const [row] = await sql`SELECT next_at, held::int FROM campaigns WHERE id = ${id}`;
    return row!.next_at === null && row!.held === 0;
  };
  for (const id of [sms, chat, mail]) await waitFor('everyone has a message', () => isMade(id), 60_000);
  assert.deepEqual(await madeOf(sms), [
    ...contacts.slice(0, 2).map((contact) => [contact, 'first']),
    ...contacts.slice(2).map((contact) => [contact, 'first']),
    ...contacts.map((contact) => [contact, 'second']),
  ]);
  assert.deepEqual(await phonesOf(chat), [...clients, ...contacts]);
  assert.deepEqual(
    await phonesOf(mail),
    users.map(({ address }) => address),
  );
  for (const id of [pausedSms, scheduled]) assert.deepEqual(await phonesOf(id), []);
  assert.deepEqual(await statesOf(chatChannel.id), new Map([...inStates].reverse()));
  assert.deepEqual((await statesOf(smsChannel.id)).get(pausedSms), 'paused');
  assert.deepEqual(
    await statesOf(mailChannel.id),
    new Map([
      [scheduled, 'scheduled'],
      [mail, 'running'],
    ]),
  );
  const [stored] = await sql`SELECT content FROM mail_contents WHERE id = ${single}`;
  assert.deepEqual(stored!.content, content);
  await assertBooksBalance(sql);
  await program.stop();
});
