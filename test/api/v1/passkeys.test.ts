import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type Forgery, SoftAuthenticator } from '../../support/authenticator.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/console.ts';
import { startTestService } from '../../support/service.ts';

/* Passkeys, as a browser and an authenticator use them. In a real browser: test/browser/sign-in-ways.test.ts. */

const phoneClock = { at: Date.now(), now: () => phoneClock.at };
const service = await startTestService({ phoneClock, settings: { TRUST_PROXY: 'loopback' } });
const { sql } = service;
const origin = `http://localhost:${new URL(service.url).port}`;

interface Options {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly rpId: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly userVerification: string;
}
interface Added {
  readonly passkey: { readonly id: string; readonly name: string; readonly used_at: string | null };
  readonly recovery_codes: string[];
}

let made = 0;

/** A browser of somebody new; each at an address of its own, so that no throttle is shared. */
async function newPerson() {
  made += 1;
  const username = `passkey-${made}`;
  const headers = { 'x-forwarded-for': `203.0.113.${made}` };
  const person = await addPerson(service, username, 'sender', service.demo.id);
  return { person, username, headers, browser: await signedIn(service, username, headers) };
}

function anybody(): Browser {
  made += 1;
  return new Browser(service.url, { 'x-forwarded-for': `198.51.100.${made}` });
}

async function optionsOf(browser: Browser, path: string, body: object): Promise<Options> {
  return (await browser.ask<{ options: Options }>('POST', path, body)).options;
}

async function addPasskey(browser: Browser, name = 'Key') {
  const authenticator = new SoftAuthenticator(origin);
  const options = await optionsOf(browser, '/session/passkeys/options', { password: PASSWORD });
  const credential = authenticator.create(options);
  const added = await browser.ask<Added>('POST', '/session/passkeys', { name, credential });
  return { authenticator, options, ...added };
}

/** Somebody with a passkey. */
async function withPasskey() {
  const somebody = await newPerson();
  return { ...somebody, ...(await addPasskey(somebody.browser)) };
}

const signInOptions = (browser: Browser) => optionsOf(browser, '/session/passkey/options', {});

describe('a passkey', () => {
  test('is added, listed, renamed, used without a user name, and removed', async () => {
    const { browser, username, authenticator, options, recovery_codes: codes, passkey } = await withPasskey();
    assert.equal(options.rp.id, 'localhost');
    assert.equal(codes.length, 10, 'it is the first second factor');
    assert.equal(passkey.used_at, null);
    const guest = anybody();
    const asked = await signInOptions(guest);
    assert.equal(asked.userVerification, 'required');
    assert.equal(asked.allowCredentials, undefined, 'nothing is said of who has one');
    const who = await guest.ask<{ person: { username: string }; second_factor: boolean }>(
      'POST',
      '/session/passkey',
      { passkey: authenticator.get(asked) },
    );
    assert.deepEqual([who.person.username, who.second_factor], [username, true]);
    assert.equal(await guest.refused('GET', '/messages'), '200 undefined');

    await browser.ask('PATCH', `/session/passkeys/${passkey.id}`, { name: 'Laptop' });
    const { passkeys } = await browser.ask<{ passkeys: Added['passkey'][] }>('GET', '/session/passkeys');
    assert.equal(passkeys.length, 1);
    assert.equal(passkeys[0]!.name, 'Laptop');
    assert.notEqual(passkeys[0]!.used_at, null);

    const path = `/session/passkeys/${passkey.id}/remove`;
    assert.equal(await browser.refused('POST', path, {}), '403 wrong-password');
    await browser.ask('POST', path, { password: PASSWORD });
    assert.equal(await guest.refused('GET', '/messages'), '401 signed-out', 'other sessions have ended');
    const again = { passkey: authenticator.get(await signInOptions(guest)) };
    assert.equal(await guest.refused('POST', '/session/passkey', again), '401 signed-out');
    assert.equal(await anybody().signIn(username), '200', 'the password is enough');
    const left = await sql`SELECT 1 FROM recovery_codes r JOIN people p ON p.id = r.person_id
      WHERE p.username = ${username}`;
    assert.equal(left.length, 0);
  });

  test('is the second factor after a password, and so is a recovery code', async () => {
    const { username, authenticator, recovery_codes: codes } = await withPasskey();
    const guest = anybody();
    const given = { username, password: PASSWORD };
    const first = await guest.ask<{ code_wanted: boolean; passkey_options: Options }>(
      'POST',
      '/session',
      given,
    );
    assert.equal(first.code_wanted, true);
    assert.deepEqual(
      first.passkey_options.allowCredentials!.map(({ id }) => id),
      [authenticator.id],
    );
    // A key that is touched is enough: the password was the first factor.
    const passkey = authenticator.get(first.passkey_options, { verified: false });
    await guest.ask('POST', '/session', { ...given, passkey });
    assert.equal(await guest.refused('GET', '/messages'), '200 undefined');
    assert.equal(await anybody().signIn(username, PASSWORD, codes[0]), '200');
    assert.equal(await anybody().signIn(username, PASSWORD, '123456'), '403 wrong-code');
    assert.equal(await anybody().signIn(username, 'another password'), '401 signed-out');
  });

  test('is independent of the codes of a phone, each of which may stay alone', async () => {
    const { browser, passkey } = await withPasskey();
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeAt = (step: number) => totp.generate({ timestamp: phoneClock.at + step * 30_000 });
    const { recovery_codes: codes } = await browser.ask<Added>('POST', '/session/second-factor/confirm', {
      code: codeAt(-1),
    });
    await browser.ask('POST', `/session/passkeys/${passkey.id}/remove`, { password: PASSWORD });
    const { recovery_codes: none } = await addPasskey(browser, 'Second');
    assert.deepEqual(none, [], 'those from before are good');
    await browser.ask('POST', '/session/second-factor/remove', { password: PASSWORD, code: codeAt(0) });
    const who = await browser.ask<{ second_factor: boolean; authenticator_app: boolean }>('GET', '/session');
    assert.deepEqual([who.second_factor, who.authenticator_app], [true, false]);
    const remove = { password: PASSWORD, code: codes[0] };
    assert.equal(await browser.refused('POST', '/session/second-factor/remove', remove), '409 not-now');
  });

  test('is created once by each authenticator, and is in the audit log', async () => {
    const { browser, authenticator, passkey } = await withPasskey();
    const options = await optionsOf(browser, '/session/passkeys/options', { password: PASSWORD });
    assert.deepEqual(
      options.excludeCredentials!.map(({ id }) => id),
      [authenticator.id],
    );
    const credential = authenticator.create(options);
    assert.equal(
      await browser.refused('POST', '/session/passkeys', { name: 'x', credential }),
      '403 wrong-code',
    );
    await addPerson(service, `owner-${made}`, 'owner', service.demo.id);
    const owner = await signedIn(service, `owner-${made}`, { 'x-forwarded-for': '192.0.2.77' });
    const { entries } = await owner.ask<{ entries: { action: string; after: object }[] }>(
      'GET',
      `/audit?kind=passkeys&object=${passkey.id}`,
    );
    assert.deepEqual(
      entries.map(({ action, after }) => [action, after]),
      [['POST /v1/session/passkeys', { name: 'Key' }]],
    );
  });

  test('goes with the second factor when an owner resets it', async () => {
    const { person, username, authenticator } = await withPasskey();
    const { people } = service.appContext.people;
    const link = await people.reset(service.demo.id, person.id, { secondFactor: true });
    await anybody().ask('POST', '/session/password-link', { token: link!.token, password: PASSWORD });
    assert.equal(await anybody().signIn(username), '200');
    const guest = anybody();
    const passkey = authenticator.get(await signInOptions(guest));
    assert.equal(await guest.refused('POST', '/session/passkey', { passkey }), '401 signed-out');
  });
});

describe('the answer of an authenticator is refused', () => {
  const forgeries: Record<string, Forgery> = {
    'from a page of another site': { origin: 'https://carillon.example.net' },
    'from another port of this machine': { origin: 'http://localhost:1' },
    'for another host': { rpId: 'example.net' },
    'without a verified user': { verified: false },
    'to a challenge that was never made': { challenge: 'A'.repeat(43) },
    'that was made to register': { type: 'webauthn.create' },
    'with the handle of another person': { userHandle: Buffer.from('1').toString('base64url') },
  };
  for (const [name, forgery] of Object.entries(forgeries)) {
    test(name, async () => {
      const { authenticator } = await withPasskey();
      const guest = anybody();
      const passkey = authenticator.get(await signInOptions(guest), forgery);
      assert.equal(await guest.refused('POST', '/session/passkey', { passkey }), '401 signed-out');
    });
  }

  test('twice, after an attempt that failed, and when it is too old', async () => {
    const { authenticator } = await withPasskey();
    const guest = anybody();
    const options = await signInOptions(guest);
    const passkey = authenticator.get(options);
    await guest.ask('POST', '/session/passkey', { passkey });
    assert.equal(await anybody().refused('POST', '/session/passkey', { passkey }), '401 signed-out');
    const failed = await signInOptions(guest);
    const forged = authenticator.get(failed, { verified: false });
    await guest.refused('POST', '/session/passkey', { passkey: forged });
    const late = { passkey: authenticator.get(failed) };
    assert.equal(await anybody().refused('POST', '/session/passkey', late), '401 signed-out');
    const old = await signInOptions(guest);
    phoneClock.at += 5 * 60_000 + 1;
    const tooOld = { passkey: authenticator.get(old) };
    assert.equal(await anybody().refused('POST', '/session/passkey', tooOld), '401 signed-out');
  });

  test('with a challenge for something else', async () => {
    const { browser, username, authenticator } = await withPasskey();
    const other = await withPasskey();
    // That of a second factor is no sign-in, and that of a sign-in no second factor.
    const password = { username, password: PASSWORD };
    const wanted = async (who: object) =>
      (await anybody().ask<{ passkey_options: Options }>('POST', '/session', who)).passkey_options;
    const second = { passkey: authenticator.get(await wanted(password)) };
    assert.equal(await anybody().refused('POST', '/session/passkey', second), '401 signed-out');
    const first = authenticator.get(await signInOptions(anybody()));
    const both = { ...password, passkey: first };
    assert.equal(await anybody().refused('POST', '/session', both), '403 wrong-code');
    // The challenge of one person, answered by the passkey of another.
    const mixed = { ...password, passkey: other.authenticator.get(await wanted(password)) };
    assert.equal(await anybody().refused('POST', '/session', mixed), '403 wrong-code');
    const options = await optionsOf(browser, '/session/passkeys/options', { password: PASSWORD });
    const credential = new SoftAuthenticator(origin).create(options);
    const stolen = { name: 'x', credential };
    assert.equal(await other.browser.refused('POST', '/session/passkeys', stolen), '403 wrong-code');
  });

  test('of a passkey that was copied', async () => {
    const { authenticator } = await withPasskey();
    const guest = anybody();
    await guest.ask('POST', '/session/passkey', { passkey: authenticator.get(await signInOptions(guest)) });
    const { counter } = authenticator;
    await guest.ask('POST', '/session/passkey', { passkey: authenticator.get(await signInOptions(guest)) });
    const copy = authenticator.get(await signInOptions(guest), { counter });
    assert.equal(await anybody().refused('POST', '/session/passkey', { passkey: copy }), '401 signed-out');
  });

  test('of somebody who is disabled', async () => {
    const { person, authenticator } = await withPasskey();
    await service.appContext.people.people.change(service.demo.id, person.id, { suspended: true });
    const guest = anybody();
    const passkey = authenticator.get(await signInOptions(guest));
    assert.equal(await guest.refused('POST', '/session/passkey', { passkey }), '401 signed-out');
  });

  test('for a while, after many that were wrong', async () => {
    const { authenticator } = await withPasskey();
    const headers = { 'x-forwarded-for': '203.0.113.250' };
    const stranger = new Browser(service.url, headers);
    const answers = [];
    for (let i = 0; i < 6; i++) {
      const passkey = authenticator.get(await signInOptions(stranger), { verified: false });
      answers.push(await stranger.refused('POST', '/session/passkey', { passkey }));
    }
    assert.equal(answers.at(0), '401 signed-out');
    assert.equal(answers.at(-1), '429 too-fast');
  });
});

test('a new passkey is refused without a verified user, and for another host', async () => {
  const { browser } = await newPerson();
  for (const forgery of [{ verified: false }, { rpId: 'example.net' }, { origin: 'https://example.net' }]) {
    const options = await optionsOf(browser, '/session/passkeys/options', { password: PASSWORD });
    const credential = new SoftAuthenticator(origin).create(options, forgery);
    assert.equal(
      await browser.refused('POST', '/session/passkeys', { name: 'x', credential }),
      '403 wrong-code',
    );
  }
  assert.deepEqual(await browser.ask('GET', '/session/passkeys'), { passkeys: [] });
});

test('nobody renames or removes the passkey of somebody else', async () => {
  const { passkey } = await withPasskey();
  const other = await withPasskey();
  const path = `/session/passkeys/${passkey.id}`;
  assert.equal(await other.browser.refused('PATCH', path, { name: 'mine' }), '404 not-found');
  assert.equal(
    await other.browser.refused('POST', `${path}/remove`, { password: PASSWORD }),
    '404 not-found',
  );
});
