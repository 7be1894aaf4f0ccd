import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { newClient, notification, startChat } from '../channels/chat-api/support.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* What was seen once is used again: signed webhooks, codes, links, cookies. */

const APP_SECRET = 'the secret of the app';
const chat = await startChat({ CHAT_APP_SECRET: APP_SECRET });
const { url, sql, demo } = chat;
const { people } = chat.appContext;

const signatureOf = (body: string, secret = APP_SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Brings a webhook as the chat platform does. */
async function bring(body: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${url}/chat-webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await answer.body?.cancel();
  return answer.status;
}

const messageOf = (from: string, id: string, body: string) => {
  const timestamp = String(Math.floor(chat.appContext.clock.now() / 1_000));
  return notification({
    contacts: [{ profile: { name: 'Dana' }, wa_id: from }],
    messages: [{ from, id, timestamp, type: 'text', text: { body } }],
  });
};

const storedOf = async (client: string): Promise<number> => {
  const [row] = await sql<
    { n: number }[]
  >`SELECT count(*)::int AS n FROM chat_incoming WHERE client = ${client}`;
  return row!.n;
};

describe('a webhook of the chat platform', () => {
  test('brought again and again is stored once', async () => {
    const client = newClient();
    const body = messageOf(client, 'wamid.replayed', 'Hello');
    const headers = { 'x-hub-signature-256': signatureOf(body) };
    const statuses = await Promise.all(Array.from({ length: 5 }, () => bring(body, headers)));
    assert.deepEqual(statuses, [200, 200, 200, 200, 200]);
    assert.equal(await bring(body, headers), 200);
    assert.equal(await storedOf(client), 1);
  });

  test('with the signature of another body, or one from another secret', async () => {
    const client = newClient();
    const body = messageOf(client, 'wamid.forged', 'Hello');
    const other = messageOf(newClient(), 'wamid.other', 'Hello');
    const right = signatureOf(body);
    for (const signature of [
      signatureOf(other),
      signatureOf(body, ''),
      signatureOf(body, 'guess'),
      right.slice(0, -1),
      `${right}0`,
      right.replace('sha256', 'sha1'),
      right.replace('sha256=', ''),
      `sha256=${'0'.repeat(64)}`,
      'sha256=',
      '',
      `${signatureOf(other)}, ${right}`,
    ]) {
      assert.equal(await bring(body, { 'x-hub-signature-256': signature }), 401, signature);
    }
    assert.equal(await bring(body, {}), 401);
    assert.equal(await bring(body, { 'x-hub-signature': right }), 401);
    assert.equal(await bring(`${body} `, { 'x-hub-signature-256': right }), 401);
    assert.equal(await storedOf(client), 0);
  });

  test('its address is not confirmed to whoever does not know the word', async () => {
    for (const query of [
      'hub.mode=subscribe&hub.verify_token=guess&hub.challenge=1',
      'hub.mode=subscribe&hub.verify_token=&hub.challenge=1',
      'hub.mode=subscribe&hub.challenge=1',
      'hub.mode=subscribe&hub.verify_token[]=x&hub.challenge=1',
      '',
    ]) {
      const answer = await fetch(`${url}/chat-webhooks?${query}`);
      assert.equal(answer.status, 403, query);
      assert.equal(await answer.text(), '');
    }
  });
});

describe('a one-time code', () => {
  async function codeAt(phone: string): Promise<string> {
    return waitFor('the code', async () => {
      const sms = (await chat.phone(phone)).at(-1);
      return sms && /\d{6}/.exec(sms.text)?.[0];
    });
  }
  const validate = async (phone: string, code: string | number) =>
    (await chat.call('json', 'validate_otp', { phone, code })).status;

  test('used twice, also concurrently', async () => {
    const phone = newPhone();
    assert.equal((await chat.call('json', 'send_otp', { phone, source: 'Shop' })).status, 0);
    const code = await codeAt(phone);
    const statuses = await Promise.all(Array.from({ length: 5 }, () => validate(phone, code)));
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [0, 12, 12, 12, 12],
    );
    assert.equal(await validate(phone, code), 12);
  });

  test('of a phone for another phone, of an app for another app, and after its time', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    for (const to of [phone, other])
      await chat.call('json', 'send_otp', { phone: to, source: 'Shop', valid_time: 1 });
    const code = await codeAt(phone);
    if (code !== (await codeAt(other))) assert.equal(await validate(other, code), 12);
    assert.equal((await chat.call('json', 'validate_otp', { phone, code, app_id: 2 })).status, 12);
    await chat.advance(61);
    assert.equal(await validate(phone, code), 12);
  });

  test('one that a newer one has replaced', async () => {
    const phone = newPhone();
    await chat.call('json', 'send_otp', { phone, source: 'Shop' });
    const first = await codeAt(phone);
    await chat.call('json', 'send_otp', { phone, source: 'Shop' });
    const second = await waitFor('the second code', async () => {
      const all = await chat.phone(phone);
      return all.length === 2 && /\d{6}/.exec(all[1]!.text)?.[0];
    });
    if (first !== second) assert.equal(await validate(phone, first), 12);
    assert.equal(await validate(phone, second), 0);
  });
});

describe('a link that works once', () => {
  for (const [purpose, use] of Object.entries({
    password: (token: string) =>
      new Browser(url).call('POST', '/session/password-link', { token, password: 'a new and long password' }),
    'sign-in': (token: string) => new Browser(url).call('POST', '/session/link', { token }),
  })) {
    test(`for ${purpose}: used twice, concurrently, for another purpose, and after its time`, async () => {
      const username = `link-${purpose}`;
      const person = await addPerson(chat, username, 'viewer', demo.id);
      const make = () => people.links.make(sql, person.id, purpose as 'password');
      const { token } = await make();
      const answers = await Promise.all(Array.from({ length: 4 }, () => use(token)));
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      assert.equal(statuses[0], 200);
      assert.ok(
        statuses.slice(1).every((status) => status === 410 || status === 429),
        statuses.join(),
      );
      const { token: crossed } = await make();
      const other = purpose === 'password' ? '/session/link' : '/session/password-link';
      const wrong = await new Browser(url).call('POST', other, {
        token: crossed,
        password: 'a new and long password',
      });
      assert.ok(wrong.status === 410 || wrong.status === 429, String(wrong.status));
      const { token: late } = await make();
      await chat.advance(4 * 86_400);
      assert.equal((await use(late)).status, 410);
    });
  }
});

describe('a second factor', () => {
  test('its code used twice, and a recovery code used twice', async () => {
    await addPerson(chat, 'factor', 'viewer', demo.id);
    const browser = await signedIn(chat, 'factor');
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = totp.generate();
    const { recovery_codes: recovery } = await browser.ask<{ recovery_codes: string[] }>(
      'POST',
      '/session/second-factor/confirm',
      { code },
    );
    const signIn = async (given: string) => {
      await chat.advance(900);
      return new Browser(url).signIn('factor', PASSWORD, given);
    };
    assert.notEqual(await signIn(code), '200', 'the code that confirmed it signs nobody in');
    assert.equal(await signIn(recovery[0]!), '200');
    assert.notEqual(await signIn(recovery[0]!), '200');
  });
});

describe('a session', () => {
  test('its cookie after signing out', async () => {
    await addPerson(chat, 'leaves', 'viewer', demo.id);
    const browser = await signedIn(chat, 'leaves');
    const stolen = new Browser(url);
    stolen.cookie = browser.cookie;
    assert.equal((await stolen.call('GET', '/session')).status, 200);
    await browser.ask('DELETE', '/session');
    assert.equal((await stolen.call('GET', '/session')).status, 401);
  });
});

describe('the press of removal', () => {
  test('repeatedly: one entry, and no second notification', async () => {
    const phone = newPhone();
    const sent = await chat.call('json', 'sms', {
      source: 'Shop',
      destinations: { phone },
      message: 'Hello',
      add_unsubscribe: 3,
    });
    assert.equal(sent.status, 0);
    const link = await waitFor('the link', async () => {
      const [sms] = await chat.phone(phone);
      return sms && /https?:\/\/\S+\/u\/\S+/.exec(sms.text)?.[0];
    });
    for (let i = 0; i < 3; i++) assert.equal((await fetch(link, { method: 'POST' })).status, 200);
    const [row] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM blacklist WHERE account_id = ${demo.id} AND phone = ${`972${phone.slice(1)}`}`;
    assert.equal(row!.n, 1);
  });
});
