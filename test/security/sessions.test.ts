import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { addPerson, Browser, PASSWORD, signedIn } from '../support/console.ts';
import { startTestService } from '../support/service.ts';

/* An attacker with a cookie: one planted in a victim's browser before the sign-in, or one copied from it. */

const phoneTime = Date.now();
const service = await startTestService({ phoneClock: { now: () => phoneTime } });
const { people } = service.appContext;

const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: phoneTime + steps * 30_000 });

/** A browser with a cookie that the attacker has. */
function holding(cookie: string): Browser {
  const browser = new Browser(service.url);
  browser.cookie = cookie;
  return browser;
}

const opens = async (cookie: string) =>
  (await holding(cookie).refused('GET', '/session')) !== '401 signed-out';

let victims = 0;

/** Somebody with two sessions: the one that changes things, and one that was stolen. */
async function victim() {
  victims += 1;
  const username = `victim-${victims}`;
  const person = await addPerson(service, username, 'sender', service.demo.id);
  const browser = await signedIn(service, username);
  const stolen = (await signedIn(service, username)).cookie!;
  return { username, person, browser, stolen, before: browser.cookie! };
}

async function withSecondFactor(browser: Browser): Promise<string> {
  const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
    password: PASSWORD,
  });
  await browser.ask('POST', '/session/second-factor/confirm', { code: codeOf(secret, -1) });
  return secret;
}

describe('I plant a cookie and wait', () => {
  test('a token that the service did not make is no session, and does not become one by signing in', async () => {
    const { username } = await victim();
    const planted = randomBytes(32).toString('base64url');
    const browser = holding(planted);
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    assert.equal(await browser.signIn(username), '200');
    assert.notEqual(browser.cookie, planted);
    assert.equal(await opens(planted), false);
  });

  test('my own session in the browser of the victim ends when the victim signs in', async () => {
    const mine = (await victim()).browser.cookie!;
    const { username } = await victim();
    const browser = holding(mine);
    assert.equal(await browser.signIn(username), '200');
    assert.notEqual(browser.cookie, mine);
    assert.equal(await opens(mine), false);
    const { person } = await browser.ask<{ person: { username: string } }>('GET', '/session');
    assert.equal(person.username, username);
  });

  test('a token in the address or in a header of my choice is no session', async () => {
    const { before } = await victim();
    for (const [path, headers] of [
      [`/v1/session?carillon_session=${before}`, {}],
      ['/v1/session', { 'x-session': before }],
      ['/v1/session', { authorization: `Bearer ${before}` }],
    ] as const) {
      const answer = await fetch(`${service.url}${path}`, { headers: { ...headers } });
      assert.equal(answer.status, 401, path);
    }
  });
});

describe('I have copied a cookie', () => {
  test('it is worth nothing after its owner signed out', async () => {
    const { browser, before } = await victim();
    await browser.ask('DELETE', '/session');
    assert.equal(await opens(before), false);
  });

  test('it is worth nothing after the password changed, and the browser of the owner has a new one', async () => {
    const { browser, before, stolen } = await victim();
    await browser.ask('POST', '/session/password', { current: PASSWORD, password: 'a long new password' });
    assert.notEqual(browser.cookie, before);
    assert.deepEqual([await opens(before), await opens(stolen)], [false, false]);
    assert.equal(await opens(browser.cookie!), true);
  });

  test('it is worth nothing after the password was reset by a link', async () => {
    const { person, before, stolen } = await victim();
    const link = await people.people.reset(service.demo.id, person.id, { secondFactor: false });
    await new Browser(service.url).ask('POST', '/session/password-link', {
      token: link!.token,
      password: 'a password by the link',
    });
    assert.deepEqual([await opens(before), await opens(stolen)], [false, false]);
  });

  test('it is worth nothing after the second factor was set up, or removed', async () => {
    const { browser, before, stolen, username } = await victim();
    const secret = await withSecondFactor(browser);
    assert.notEqual(browser.cookie, before);
    assert.deepEqual([await opens(before), await opens(stolen)], [false, false]);
    const again = new Browser(service.url);
    assert.equal(await again.signIn(username, PASSWORD, codeOf(secret, 0)), '200');
    const stolenAgain = browser.cookie!;
    await again.ask('POST', '/session/second-factor/remove', {
      password: PASSWORD,
      code: codeOf(secret, 1),
    });
    assert.equal(await opens(stolenAgain), false);
    assert.equal(await opens(again.cookie!), true);
  });

  test('it is worth nothing after the role changed, or the person was suspended', async () => {
    const { person, stolen, username } = await victim();
    await people.people.change(service.demo.id, person.id, { name: 'Other' });
    assert.equal(await opens(stolen), true, 'a name opens and closes nothing');
    await people.people.change(service.demo.id, person.id, { role: 'viewer' });
    assert.equal(await opens(stolen), false);
    const { cookie } = await signedIn(service, username);
    await people.people.change(service.demo.id, person.id, { suspended: true });
    assert.equal(await opens(cookie!), false);
  });
});

test('I find an invitation in an old mail: after a day it opens nothing', async () => {
  const { person } = await victim();
  const link = await people.people.reset(service.demo.id, person.id, { secondFactor: false });
  await service.advance(86_400);
  const body = { token: link!.token, password: 'a password by the link' };
  assert.equal(
    await new Browser(service.url).refused('POST', '/session/password-link', body),
    '410 link-over',
  );
});
