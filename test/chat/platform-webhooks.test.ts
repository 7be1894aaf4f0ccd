import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { newClient, SOURCE, startChat, templateId } from '../chat-api/support.ts';
import { waitFor } from '../support/wait-for.ts';

/* What the platform tells beside messages and their statuses: once, twice, and too late. */

const SECRET = 'the secret of the app';
const chat = await startChat({ CHAT_APP_SECRET: SECRET });
const { sql, url, demo } = chat;
const { clock } = chat.appContext;
const ACCOUNT = '100000000000001';
const metadata = { display_phone_number: SOURCE, phone_number_id: '200000000000001' };
const seconds = () => Math.floor(clock.now() / 1_000);

async function bring(field: string, value: object, time = seconds()): Promise<void> {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: ACCOUNT, time, changes: [{ field, value }] }],
  });
  const response = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    body,
    headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` },
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

test('what was written on the phone itself stands in the conversation, once, and opens no window', async () => {
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
});

test('what is of no use here is taken, and changes nothing', async () => {
  const account = {
    event: 'ACCOUNT_RESTRICTION',
    restriction_info: [{ restriction_type: 'RESTRICTED_ADD' }],
  };
  await bring('account_update', account);
  await bring('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } });
  for (const field of ['history', 'smb_app_state_sync', 'account_alerts', 'security', 'flows']) {
    await bring(field, { metadata, history: [{ threads: [] }] });
  }
});
