import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createEventModule } from '../../../server/run/app-context.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { json, syncTemplates, v1 } from '../../api/v1/support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, SOURCE, signedWith, startChat, templateId } from '../chat-api/support.ts';

/* What the platform tells beside messages and their statuses: once, twice, and too late. */

const SECRET = 'the secret of the app';
const chat = await startChat({ CHAT_APP_SECRET: SECRET });
const { sql, url, demo } = chat;
const { clock } = chat.appContext;
const ACCOUNT = '100000000000001';
const metadata = { display_phone_number: SOURCE, phone_number_id: '200000000000001' };
const seconds = () => Math.floor(clock.now() / 1_000);
const receiver = await startReceiver();
await createEventModule(chat.appContext, { allowPrivate: true, deliver: false }).endpoints.register({
  accountId: demo.id,
  kind: 'webhook',
  url: receiver.url,
  types: ['chat.account', 'template.quality', 'template.category'],
});

async function bring(field: string, value: object, time = seconds(), id = ACCOUNT): Promise<void> {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id, time, changes: [{ field, value }] }],
  });
  const response = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    body,
    headers: signedWith(SECRET, body),
  });
  assert.equal(response.status, 200);
}

test('a new tier counts; an older and a repeated notice change nothing', async () => {
  const tier = async () => {
    const [row] = await sql<{ id: number; tier: number }[]>`
      SELECT id, tier FROM chat_portfolios WHERE platform_id = ${ACCOUNT}`;
    return row!;
  };
  const notice = (limit: string, event = 'ONBOARDING') => ({
    display_phone_number: SOURCE,
    event,
    max_daily_conversations_per_business: limit,
  });
  const now = seconds();
  assert.equal((await tier()).tier, 250);
  await bring('phone_number_quality_update', notice('TIER_10K'), now);
  assert.equal((await tier()).tier, 10_000);
  await bring('phone_number_quality_update', notice('TIER_2K'), now - 60);
  assert.equal((await tier()).tier, 10_000);
  // What the operator has set since is not undone by a notice that comes again.
  await sql`UPDATE chat_portfolios SET tier = 2000 WHERE platform_id = ${ACCOUNT}`;
  await bring('phone_number_quality_update', notice('TIER_10K'), now);
  // Faster, a limit that is no tier, and one of later versions.
  await bring('phone_number_quality_update', notice('TIER_UNLIMITED', 'THROUGHPUT_UPGRADE'), now + 1);
  await bring('phone_number_quality_update', notice('TIER_NOT_SET'), now + 2);
  await bring('phone_number_quality_update', notice('constructor'), now + 3);
  assert.equal((await tier()).tier, 2_000);
  await bring('phone_number_quality_update', notice('TIER_UNLIMITED'), now + 4);
  assert.equal((await tier()).tier, 1_000_000);
});

test('a template that the platform has changed is fetched', async () => {
  const template = async () => {
    const [row] = await sql<{ category: string; content: { category: string; body: string } }[]>`
      SELECT category, content FROM chat_templates
      WHERE account_id = ${demo.id} AND template_id = ${templateId('plain')}`;
    const { category, content } = row!;
    return [category, content.category, content.body];
  };
  const ofPlatform = await template();
  for (const field of ['template_category_update', 'message_template_components_update']) {
    const changed = { category: 'AUTHENTICATION', body: 'As it was' };
    await sql`
      UPDATE chat_templates SET category = ${changed.category}, content = content || ${sql.json(changed)}
      WHERE account_id = ${demo.id} AND template_id = ${templateId('plain')}`;
    await bring(field, { message_template_id: 1, message_template_name: 'plain' });
    await waitFor('it is as on the platform', async () => isDeepStrictEqual(await template(), ofPlatform));
  }
});

test('who stops marketing messages is blocked, once; who resumes them stays blocked', async () => {
  const client = newClient();
  const isBlocked = async () => {
    const rows = await sql`SELECT FROM blacklist WHERE account_id = ${demo.id} AND phone = ${client}`;
    return rows.length > 0;
  };
  const timestamp = seconds();
  const preference = (value: string, more: object = { wa_id: client }) => ({
    metadata,
    user_preferences: [{ ...more, category: 'marketing_messages', value, timestamp }],
  });
  await bring('user_preferences', preference('signup'));
  assert.equal(await isBlocked(), false);
  await Promise.all([
    bring('user_preferences', preference('stop')),
    bring('user_preferences', preference('stop')),
  ]);
  assert.equal(await isBlocked(), true);
  await bring('user_preferences', preference('resume'));
  assert.equal(await isBlocked(), true);
  // Taken off the list by the account, and the notice comes again.
  await sql`DELETE FROM blacklist WHERE account_id = ${demo.id} AND phone = ${client}`;
  await bring('user_preferences', preference('stop'));
  assert.equal(await isBlocked(), false);
  // A client who hides the number is known by it, where it was known before.
  const message = {
    from: client,
    from_user_id: 'IL.9',
    id: `wamid.${client}`,
    type: 'text',
    text: { body: 'Hi' },
  };
  await bring('messages', { metadata, messages: [message] });
  await bring('user_preferences', preference('stop', { user_id: 'IL.9', detail: 'later' }));
  assert.equal(await isBlocked(), false, 'the same notice, by another name');
  const later = { user_id: 'IL.9', category: 'marketing_messages', value: 'stop', timestamp: timestamp + 1 };
  await bring('user_preferences', { metadata, user_preferences: [later] });
  assert.equal(await isBlocked(), true);
  await bring('user_preferences', preference('stop', { user_id: 'IL.unknown1' }));
});

test('messages written on the phone itself appear in the conversation once, and open no window', async () => {
  const client = newClient();
  const echo = { from: SOURCE, to: client, id: `wamid.echo.${client}`, timestamp: String(seconds()) };
  const text = { ...echo, type: 'text', text: { body: 'From my phone' } };
  const revoke = {
    ...echo,
    id: `wamid.revoke.${client}`,
    type: 'revoke',
    revoke: { original_message_id: echo.id },
  };
  for (const field of ['smb_message_echoes', 'message_echoes']) {
    await bring(field, { metadata, message_echoes: [text, revoke] });
  }
  const rows = await sql<
    { id: number; type: string; body: string; is_echo: boolean; about_id: number | null }[]
  >`
    SELECT id, type, body, is_echo, about_id FROM chat_incoming
    WHERE account_id = ${demo.id} AND number = ${SOURCE} AND client = ${client} ORDER BY id`;
  assert.deepEqual(
    rows.map(({ type, body, is_echo, about_id }) => [type, body, is_echo, about_id]),
    [
      ['text', 'From my phone', true, null],
      ['deleted', '', true, rows[0]!.id],
    ],
  );
  const windows = await sql`SELECT FROM chat_windows WHERE account_id = ${demo.id} AND client = ${client}`;
  assert.equal(windows.length, 0);
  // Nobody quotes to the client what they have not written.
  await chat.clientWrites(client);
  const buttons = { source: SOURCE, destination: client, header: '1', body: 'Choose', button1: 'A' };
  assert.notEqual(
    (await chat.post('send-buttons', { ...buttons, replyTo: String(rows[0]!.id) })).ans.reason,
    1,
  );
  // Whoever answers there has read what the client wrote.
  const conversation = async () => {
    const [row] = await sql<{ unread: number; last_text: string; last_from_client: boolean }[]>`
      SELECT unread, last_text, last_from_client FROM conversations
      WHERE account_id = ${demo.id} AND client = ${client}`;
    return { ...row };
  };
  assert.equal((await conversation()).unread, 1);
  const later = { ...text, id: `wamid.later.${client}`, text: { body: 'And later' } };
  await bring('smb_message_echoes', { metadata, message_echoes: [later] });
  assert.deepEqual(await conversation(), { unread: 0, last_text: 'And later', last_from_client: false });
});

/** Portfolios as people of the account, and operators, see them. */
interface Shown {
  readonly portfolios: readonly {
    readonly id: string;
    readonly problems: readonly Readonly<Record<string, unknown>>[];
    readonly numbers: readonly { readonly phone: string; readonly quality: string }[];
  }[];
}
const account = v1(url, DEMO_TOKEN);
const operator = await asPerson(chat, 'operator');
const shown = async () => (await json<Shown>(account.get('/chat/numbers'))).portfolios[0]!;
const problems = async () =>
  (await shown()).problems.map(({ topic, severity, phone, word, reason, until }) => [
    topic,
    severity,
    phone,
    word,
    reason,
    until,
  ]);

test('the last state of a business account counts, and each change is reported once', async () => {
  const now = seconds();
  const until = now + 3_600;
  const restricted = (...types: string[]) => ({
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: types.map((type) => ({ restriction_type: type, expiration: until })),
  });
  const banned = (state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } });
  assert.deepEqual(await problems(), []);
  const before = receiver.received.length;
  await bring('account_update', restricted('RESTRICTED_BIZ_INITIATED_MESSAGING'), now);
  const iso = new Date(until * 1_000).toISOString();
  const restriction = ['restriction', 'stopped', '', 'RESTRICTED_BIZ_INITIATED_MESSAGING', '', iso];
  assert.deepEqual(await problems(), [restriction]);
  await Promise.all([
    bring('account_update', banned('DISABLE'), now - 10),
    bring('account_update', restricted('RESTRICTED_UTILITY_TEMPLATES'), now - 60),
    bring('account_update', restricted('RESTRICTED_BIZ_INITIATED_MESSAGING'), now),
  ]);
  const ban = ['ban', 'stopped', '', 'DISABLE', '', null];
  assert.deepEqual(await problems(), [ban, restriction]);
  await waitFor('both are told', () => receiver.received.length >= before + 2);
  const told = receiver.received.slice(before).map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    told.map(({ type, data: { topic, word, from } }) => [type, topic, word, from]),
    [
      ['chat.account', 'restriction', 'ACCOUNT_RESTRICTION', null],
      ['chat.account', 'ban', 'DISABLE', null],
    ],
  );
  assert.deepEqual(told[0].data.restrictions, [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: iso }]);
  const found = async (query: string) =>
    (await operator.get<Shown>(`/operator/chat-portfolios?problems=${query}`)).portfolios.map(({ id }) => id);
  const { id } = await shown();
  assert.deepEqual([(await found('true')).includes(id), (await found('false')).includes(id)], [true, false]);
  // Lifted, and over.
  await bring('account_update', banned('REINSTATE'), now + 1);
  assert.deepEqual(await problems(), [restriction]);
  await bring('account_update', restricted(), now + 2);
  assert.deepEqual(await problems(), []);
  // Nobody's.
  for (const field of ['account_update', 'history', 'security', 'flows']) {
    await bring(field, { event: 'ACCOUNT_DELETED' }, now + 3, '4711');
  }
  await bring('account_update', { event: 'MM_LITE_TERMS_SIGNED' }, now + 3);
  assert.deepEqual(await problems(), []);
});

test('a restriction ends by the clock; violations and alerts are shown for 30 days', async () => {
  const now = seconds();
  const past = { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: now - 1 };
  const restriction_info = [past, { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION' }];
  await bring('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info }, now + 10);
  const violated = { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } };
  await bring('account_update', violated, now - 29 * 86_400);
  const alert = (severity: string) => ({
    alert_info: { alert_severity: severity, alert_type: 'PROFILE_PICTURE_LOST' },
  });
  await bring('account_alerts', alert('WARNING'), now);
  assert.deepEqual(await problems(), [
    ['violation', 'warning', '', 'SPAM', '', null],
    ['alert', 'warning', '', 'PROFILE_PICTURE_LOST', 'WARNING', null],
    ['restriction', 'warning', '', 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', '', null],
  ]);
  await bring('account_alerts', alert('INFORMATIONAL'), now + 1);
  await sql`UPDATE chat_standings SET told_at = told_at - ${2 * 86_400_000} WHERE topic = 'violation'`;
  await bring('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: [past] }, now + 11);
  assert.deepEqual(await problems(), []);
});

test('the rating of a number: by a notice, and from the list of numbers', async () => {
  const quality = async () => (await shown()).numbers.find(({ phone }) => phone === SOURCE)!.quality;
  const flagged = { display_phone_number: `+${SOURCE}`, event: 'FLAGGED' };
  assert.equal(await quality(), 'unknown');
  const now = seconds();
  await bring('phone_number_quality_update', flagged, now);
  assert.equal(await quality(), 'low');
  assert.deepEqual(await problems(), [['quality', 'warning', SOURCE, 'RED', '', null]]);
  const name = { display_phone_number: SOURCE, decision: 'REJECTED', rejection_reason: 'NAME_NO_TEST_PHONE' };
  await bring('phone_number_name_update', name, now + 1);
  assert.deepEqual(await problems(), [
    ['quality', 'warning', SOURCE, 'RED', '', null],
    ['name', 'warning', SOURCE, 'REJECTED', 'NAME_NO_TEST_PHONE', null],
  ]);
  await bring('phone_number_name_update', { ...name, decision: 'APPROVED', rejection_reason: null }, now + 2);
  await bring('phone_number_name_update', { ...name, display_phone_number: '972559999999' }, now + 3);
  // The sandbox has not rated it yet, and its list is newer.
  await sql`UPDATE chat_standings SET told_at = ${clock.now() - 1_000} WHERE topic = 'quality'`;
  await syncTemplates(account, SOURCE);
  assert.equal(await quality(), 'unknown');
  assert.deepEqual(await problems(), []);
});

test('what a template is rated, and the category that it is to have', async () => {
  const id = templateId('plain');
  interface Template {
    readonly quality: string;
    readonly category: string;
    readonly next_category: string | null;
    readonly category_changes_at: string | null;
  }
  const template = () => json<Template>(account.get(`/chat/templates/${id}`));
  const [row] = await sql<{ platform_id: string; category: string }[]>`
    SELECT platform_id, category FROM chat_templates WHERE account_id = ${demo.id} AND template_id = ${id}`;
  const names = { message_template_id: row!.platform_id, message_template_name: 'plain' };
  const told = (type: string) =>
    receiver.received.map(({ body }) => JSON.parse(body)).filter((event) => event.type === type);
  const now = seconds();
  const rated = (score: string, time: number) =>
    bring('message_template_quality_update', { ...names, new_quality_score: score }, time);
  await rated('YELLOW', now);
  await Promise.all([rated('YELLOW', now), rated('GREEN', now - 60)]);
  assert.equal((await template()).quality, 'medium');
  await rated('RED', now + 1);
  assert.equal((await template()).quality, 'low');
  await waitFor('both ratings are told', () => told('template.quality').length === 2);
  assert.deepEqual(
    told('template.quality').map(({ data }) => [data.template_id, data.previous_quality, data.quality]),
    [
      [id, 'UNKNOWN', 'YELLOW'],
      [id, 'YELLOW', 'RED'],
    ],
  );
  const other = row!.category === 'MARKETING' ? 'UTILITY' : 'MARKETING';
  const announced = {
    new_category: row!.category,
    correct_category: other,
    category_update_timestamp: now + 60,
  };
  await bring('template_category_update', { ...names, ...announced }, now);
  await bring(
    'template_category_update',
    { ...names, ...announced, correct_category: 'AUTHENTICATION' },
    now - 1,
  );
  const shownNow = await template();
  const changesAt = new Date((now + 60) * 1_000).toISOString();
  assert.deepEqual([shownNow.next_category, shownNow.category_changes_at], [other.toLowerCase(), changesAt]);
  await bring(
    'template_category_update',
    { ...names, previous_category: other, new_category: row!.category },
    now + 2,
  );
  const after = await template();
  assert.deepEqual([after.next_category, after.category_changes_at], [null, null]);
  await waitFor('both are told', () => told('template.category').length === 2);
  assert.deepEqual(
    told('template.category').map(({ data }) => [data.category, data.next_category, data.changes_at]),
    [
      [row!.category, other, changesAt],
      [row!.category, null, null],
    ],
  );
});

test('who hides the number and stops marketing gets none; known by the number, they are on the blacklist', async () => {
  const client = newClient();
  const userId = `IL.${client}7`;
  const write = async (from: object, id: string) => {
    const timestamp = String(seconds());
    await bring('messages', {
      metadata,
      messages: [{ ...from, id, timestamp, type: 'text', text: { body: 'Hi' } }],
    });
  };
  const stopped = async (value: string, timestamp: number) => {
    const preference = { user_id: userId, category: 'marketing_messages', value, timestamp };
    await bring('user_preferences', { metadata, user_preferences: [preference] });
  };
  await write({ from_user_id: userId }, `wamid.1.${client}`);
  await sql`UPDATE chat_templates SET category = 'MARKETING' WHERE account_id = ${demo.id} AND template_id = ${templateId('two')}`;
  await sql`UPDATE chat_templates SET category = 'UTILITY' WHERE account_id = ${demo.id} AND template_id = ${templateId('plain')}`;
  const message = (suffix: string, to = userId) => ({
    source: SOURCE,
    to,
    template_id: templateId(suffix),
    variables: suffix === 'two' ? { 1: 'a', 2: 'b' } : {},
  });
  const send = async (suffix: string, to?: string) => {
    const body = JSON.stringify(message(suffix, to));
    const response = await account.post('/chat/messages', body, { 'content-type': 'application/json' });
    const answer = (await response.json()) as { error?: { code: string; field?: string } };
    return answer.error ? [answer.error.code, answer.error.field] : response.status;
  };
  assert.equal(await send('two'), 202);
  const now = seconds();
  await stopped('stop', now);
  assert.deepEqual(await send('two'), ['blacklisted', 'to']);
  assert.equal(await send('plain'), 202, 'what is no marketing goes on');
  await write({ from_user_id: userId }, `wamid.2.${client}`);
  // An older word changes nothing, a later one does.
  await stopped('resume', now - 60);
  assert.deepEqual(await send('two'), ['blacklisted', 'to']);
  await stopped('resume', now + 1);
  assert.equal(await send('two'), 202);
  await Promise.all([stopped('stop', now + 2), stopped('stop', now + 2)]);
  await write({ from: client, from_user_id: userId }, `wamid.3.${client}`);
  const rows = await sql`SELECT FROM blacklist WHERE account_id = ${demo.id} AND phone = ${client}`;
  assert.equal(rows.length, 1);
  assert.deepEqual(await send('two', client), ['blacklisted', 'to']);
  assert.deepEqual(await send('two'), ['blacklisted', 'to']);
  // Taken off the list: the same notice, again, does not bring it back.
  await sql`DELETE FROM blacklist WHERE account_id = ${demo.id} AND phone = ${client}`;
  await stopped('stop', now + 2);
  assert.equal(await send('two'), 202);
});

test('a stop word and the number of the client arrive together: the number is added to the blacklist once', async () => {
  for (let round = 0; round < 20; round++) {
    const client = newClient();
    const userId = `IL.${client}8`;
    const message = {
      from: client,
      from_user_id: userId,
      id: `wamid.r.${client}`,
      type: 'text',
      text: { body: 'Hi' },
    };
    const preference = {
      user_id: userId,
      category: 'marketing_messages',
      value: 'stop',
      timestamp: seconds(),
    };
    await Promise.all([
      bring('messages', { metadata, messages: [message] }),
      bring('user_preferences', { metadata, user_preferences: [preference] }),
    ]);
    const rows = await sql`SELECT FROM blacklist WHERE account_id = ${demo.id} AND phone = ${client}`;
    assert.equal(rows.length, 1);
  }
});

test('a failure reported by a webhook has the same effects as an immediate one', async () => {
  const trace = async (ending: string) => {
    const client = `${newClient().slice(0, -4)}${ending}`;
    const balance = async () => {
      const [row] = await sql<
        { balance: number }[]
      >`SELECT balance FROM wallets WHERE account_id = ${demo.id}`;
      return row!.balance;
    };
    const places = async () => {
      const [row] = await sql<{ clients: number }[]>`
        SELECT coalesce(sum(clients), 0)::int AS clients FROM chat_reach WHERE account_id = ${demo.id}`;
      return row!.clients;
    };
    const before = [await balance(), await places()] as const;
    const { ans } = await chat.accepted('send-template-message', {
      source: SOURCE,
      destination: client,
      templateId: templateId('plain'),
    });
    const final = await waitFor('it has failed', async () => {
      const [row] = await sql<{ status: number; code: string; final_at: number | null }[]>`
        SELECT status, code, final_at FROM messages WHERE account_id = ${demo.id} AND id = ${Number(ans.unique)}`;
      return row!.final_at !== null && row;
    });
    const [window] = await sql`
      SELECT unanswered, conversation_at, client_at FROM chat_windows
      WHERE account_id = ${demo.id} AND number = ${SOURCE} AND client = ${client}`;
    const reached = await sql`SELECT FROM chat_reached WHERE account_id = ${demo.id} AND client = ${client}`;
    return {
      code: final.code,
      status: final.status,
      window: { ...window },
      reached: reached.length,
      money: (await balance()) - before[0],
      places: (await places()) - before[1],
    };
  };
  const told = await trace('0001');
  assert.deepEqual(await trace('0003'), told);
  assert.deepEqual([told.code, told.money], ['no-such-number', 0]);
  assert.deepEqual(told.window, { unanswered: 0, conversation_at: null, client_at: null });
});
