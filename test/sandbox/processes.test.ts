import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePorts } from '../../bench/support/wait.ts';
import { openStream } from '../api/v1/live-support.ts';
import { json, v1 } from '../api/v1/support.ts';
import { newChatPhone, SOURCE, templateId } from '../channels/chat-api/support.ts';
import { call, mustSend } from '../faults/support.ts';
import { Browser } from '../support/console.ts';
import { createDatabase } from '../support/database.ts';
import { newPhone, stored } from '../support/phones.ts';
import { databaseUrl, Installation, type Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * One sandbox of five processes on one database: two accept, two dispatch, one has the jobs. What is asked of one of them
 * comes of what others do: whichever has the simulated networks, and whichever sends.
 */

const TOKEN = 'the-token-of-the-shared-sandbox';
const PASSWORD = 'the password of the operator';
const { sql, target } = await createDatabase();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SANDBOX: 'on',
  SANDBOX_PORT: String(await freePorts(5)),
  SANDBOX_RECEIPT_DELAY_MS: '50',
  // A message submitted over a session that its dispatcher does not know to be closed yet is sent again immediately.
  COPY_PAUSE_SECONDS: '0',
  CARILLON_DEMO_TOKEN: TOKEN,
});
const start = (role: string) => installation.start({ args: ['serve', '--role', role], ready: false });
// At once: the demo account is made by one of them.
const programs = await Promise.all(['dispatch', 'dispatch', 'api', 'api', 'jobs'].map(start));
const [, , one, two] = programs as [Program, Program, Program, Program];
const demo = { username: 'demo', token: TOKEN };
const [first, second] = [v1(one.url, TOKEN), v1(two.url, TOKEN)];
const headers = { 'content-type': 'application/json' };
const post = (api: typeof first, path: string, body: object) => api.post(path, JSON.stringify(body), headers);

const holds = (program: Program) => program.output().includes('holding the simulated networks');
await waitFor('one of them holds the networks', () => programs.some(holds));
const texts = async (api: typeof first, phone: string) => {
  const { sms } = await json<{ sms: { text: string }[] }>(api.get(`/sandbox/phones/${phone}`));
  return sms.map(({ text }) => text);
};
const codeOf = async (recipient: string) => {
  const [row] = await sql<{ status: number }[]>`
    SELECT status FROM messages WHERE recipient = ${recipient} AND final_at IS NOT NULL`;
  return row?.status;
};

test('an SMS accepted by one process arrives at a phone that another one shows, also in a live stream', async () => {
  const phone = newPhone();
  assert.equal(programs.filter(holds).length, 1);
  const stream = await openStream(`${two.url}/v1/live?phones=${phone}`, TOKEN);
  await mustSend(one.url, demo, [phone]);
  const { data } = await stream.until('the SMS', ({ type }) => type === 'phone');
  assert.equal((data.sms as { text: string }).text, 'Hello');
  // A client that comes again, to another process.
  const again = await openStream(`${one.url}/v1/live?phones=${phone}`, TOKEN, { 'last-event-id': '1' });
  await again.until('the SMS again', ({ type }) => type === 'phone');
  await Promise.all([stream.close(), again.close()]);
  for (const api of [first, second]) assert.deepEqual(await texts(api, phone), ['Hello']);
  await waitFor('its receipt', async () => (await codeOf(stored(phone))) === 102);
});

test('what phones send and refuse is heard: an SMS, a chat, a call, a mail that bounces', async () => {
  const phone = newChatPhone();
  const client = stored(phone);
  await json(post(first, `/sandbox/phones/${phone}/sms`, { to: '0559876543', text: 'On my way' }));
  await waitFor(
    'the SMS',
    async () => (await sql`SELECT FROM incoming WHERE source = ${client}`).length === 1,
  );
  await json(post(second, `/sandbox/phones/${phone}/chat`, { to: SOURCE, body: 'Are you there?' }));
  await waitFor(
    'the chat message',
    async () => (await sql`SELECT FROM chat_incoming WHERE client = ${client}`).length === 1,
  );
  await json(
    post(first, '/chat/messages', { source: SOURCE, to: phone, template_id: templateId('plain') }),
    202,
  );
  await waitFor('the status of the template', async () => (await codeOf(client)) === 102);
  const refused = await post(second, `/sandbox/phones/${phone}/sms`, { to: '0559876543' });
  assert.match(await refused.text(), /"message":"text: /);
  assert.equal(refused.status, 400);

  const { id: list } = await json<{ id: string }>(post(first, '/mail/lists', { name: 'News' }));
  const address = 'bounce-hard@example.com';
  await json(post(first, `/mail/lists/${list}/users`, { users: [{ email: address }] }));
  const mail = {
    from: { address: 'a@example.com' },
    subject: 'News',
    html: '<p>News</p>',
    text: 'News',
    lists: [list],
  };
  await json(post(second, '/mail/campaigns', mail), 202);
  await waitFor('the bounce', async () => (await codeOf(address)) === 101);
});

test('what a call says is shown by every process', async () => {
  const phone = newPhone();
  const tts = { type: 4, repeat: 1, rate: 10 };
  const content = { source: 'Shop', destinations: { phone }, message: 'Good morning', tts };
  const answer = await call(one.url, demo, 'sms', content);
  assert.equal(answer.status, 0, answer.message);
  const shown = await waitFor('the call', async () => {
    const { calls } = await json<{ calls: { text: string; audio: string }[] }>(
      second.get(`/sandbox/phones/${phone}`),
    );
    return calls[0];
  });
  assert.equal(shown.text, 'Good morning');
  const audio = await second.get(shown.audio.replace('/v1', ''));
  assert.equal(audio.headers.get('content-type'), 'audio/wav');
  assert.equal(Buffer.from(await audio.arrayBuffer()).toString('latin1', 0, 4), 'RIFF');
});

test('settings of the operator and the clock are those of all processes', async () => {
  // The link of the process that was the last to make one works.
  for (const { url, output } of [one, two]) {
    const token = /\/password#([\w-]{43})$/m.exec(output())?.[1];
    if (token) await new Browser(url).call('POST', '/session/password-link', { token, password: PASSWORD });
  }
  const browser = new Browser(one.url);
  await browser.ask('POST', '/session', { username: 'operator', password: PASSWORD });
  const changed = { messages_per_second: 500, chat_messages_per_second: 70 };
  await browser.ask('PATCH', '/operator/sandbox', { ...changed, advance_seconds: 60 });
  const other = new Browser(two.url);
  await other.ask('POST', '/session', { username: 'operator', password: PASSWORD });
  const seen = await other.ask<Record<string, unknown>>('GET', '/operator/sandbox');
  assert.deepEqual({ ...seen, ...changed }, seen);

  const phone = newPhone();
  const later = new Date(Date.parse(String(seen.now)) + 7_200_000).toISOString().slice(0, 16);
  const [day, time] = [later.slice(0, 10).split('-').reverse().join('/'), later.slice(11)];
  await mustSend(one.url, demo, [phone], { timing: `${day} ${time}` });
  await json(post(second, '/sandbox/clock', { advance: 86_400 }));
  await waitFor('the scheduled SMS', async () => (await texts(first, phone)).length === 1);
});

test('another process takes the networks when the one that had them is gone', async () => {
  const holder = programs.find(holds)!;
  const others = programs.filter((program) => program !== holder);
  await holder.kill();
  const api = [one, two].find((program) => program !== holder)!;
  const waiting = newPhone();
  await mustSend(api.url, demo, [waiting]);
  await waitFor('another one has them', () => others.some(holds));
  const shown = v1(api.url, TOKEN);
  await waitFor('the SMS', async () => (await texts(shown, waiting)).length > 0);
  const client = newChatPhone();
  const message = { source: SOURCE, to: client, template_id: templateId('plain') };
  await json(post(shown, '/chat/messages', message), 202);
  await waitFor('the status of the template', async () => (await codeOf(stored(client))) === 102);
});
