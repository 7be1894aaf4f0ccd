import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { type AccessRule, DAILY_WORK, type SignedRule } from '../../server/api/access/rules.ts';
import { routeRules } from '../support/access-table.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { addPerson, type Browser, lockOut, PASSWORD, signedIn } from '../support/console.ts';
import { startTestService } from '../support/service.ts';

/*
 * "I sit at an unlocked browser, or have its cookie, and do not know the password": the session must not give me a way back
 * in, nor the data of the account. Each row of the access table requires a proof, or has the reason why it does not.
 */

const phoneTime = Date.now();
const service = await startTestService({ phoneClock: { now: () => phoneTime } });
const { sql } = service;
/** Rows that people may call. */
const signedRules = Object.entries<AccessRule>(routeRules).filter(
  (entry): entry is [string, SignedRule] => entry[1].open === undefined && entry[1].roles.length > 0,
);
const NEEDED = '403 proof-needed';
let made = 0;

/** Moves the last proof of all sessions of a person into the past. */
const age = (personId: number, ms = 5 * 60_000 + 1) => sql`
  UPDATE sessions SET proven_at = proven_at - ${ms}::bigint WHERE person_id = ${personId}`;

/** A person whose session somebody else uses, after their last proof has become too old. */
async function borrowed(role: 'owner' | 'operator' = 'owner') {
  const username = `lender-${++made}`;
  const person = await addPerson(service, username, role, service.demo.id);
  const browser = await signedIn(service, username);
  await age(person.id);
  return { person, username, browser };
}

const prove = (browser: Browser, body: object) => browser.refused('POST', '/session/proof', body);
const done = '200 undefined';
/** Asks for something that requires a proof; `passed` where the session has one. */
const probe = (browser: Browser) => browser.refused('GET', '/webhooks/1/secret');
const passed = '404 not-found';

const provider = (role: string) => ({
  slug: `door-${++made}`,
  name: 'Back door',
  issuer: 'http://127.0.0.1:1',
  client_id: 'x',
  rules: [{ claim: null, value: null, role }],
});
const token = { label: 'mine', days: 1 };

describe('every row of the access table', () => {
  const creates =
    /people|tokens|sign-in-providers|connectors|portfolios|retention|data\/texts|erasures|exports?$|archive|secret|password|passkeys|second-factor|recovery|\/accounts|subscribers$/;
  const judged = (rule: SignedRule) => rule.proof !== 'none' || rule.withoutProof !== undefined;

  test('is judged: it requires a proof, or somebody has said why it does not', () => {
    const open = signedRules.filter(
      ([row, rule]) => !judged(rule) && !(row.startsWith('GET ') && rule.audit === 'none'),
    );
    assert.deepEqual(
      open.map(([row]) => row),
      [],
    );
  });

  test('requires a proof if it creates power or reads much, or has a documented reason', () => {
    const powerful = signedRules.filter(
      ([row, rule]) =>
        rule.proof === 'none' &&
        (rule.audit === 'export' ||
          (!row.startsWith('GET ') && creates.test(row)) ||
          /^GET .*\/secret$/.test(row)),
    );
    const reasonless = powerful.filter(
      ([, { withoutProof = DAILY_WORK }]) => withoutProof === DAILY_WORK || !/\w+ \w+/.test(withoutProof),
    );
    assert.deepEqual(
      reasonless.map(([row]) => row),
      [],
    );
  });

  test('that requires a proof has no reason against it', () => {
    const both = signedRules.filter(([, rule]) => rule.proof !== 'none' && rule.withoutProof !== undefined);
    assert.deepEqual(
      both.map(([row]) => row),
      [],
    );
  });

  test('whose body contains the password is refused without it, also right after a sign-in', async () => {
    const rows = signedRules.filter(([, { proof }]) => proof === 'body').map(([row]) => row);
    assert.ok(rows.length >= 7, rows.join());
    for (const row of rows) {
      const { username } = await addPerson(service, `lender-${++made}`, 'owner', service.demo.id);
      const browser = await signedIn(service, username);
      const key = new SoftAuthenticator(`http://localhost:${new URL(service.url).port}`);
      const id = await addPasskey(browser, key);
      const [method, path] = row.split(' /v1') as [string, string];
      const body = { password: 'not the password of it', current: 'wrong', own_password: 'wrong', code: '1' };
      assert.equal(await browser.refused(method, path.replace(':id', id), body), '403 wrong-password', row);
    }
  });
});

type PasskeyOptions = {
  options: { challenge: string; rp: { id: string }; rpId: string; user: { id: string } };
};

async function addPasskey(browser: Browser, key: SoftAuthenticator): Promise<string> {
  const { options } = await browser.ask<PasskeyOptions>('POST', '/session/passkeys/options', {
    password: PASSWORD,
  });
  const { passkey } = await browser.ask<{ passkey: { id: string } }>('POST', '/session/passkeys', {
    name: 'Key',
    credential: key.create(options),
  });
  return passkey.id;
}

describe('in a session that I borrow', () => {
  test('I plant no sign-in provider that makes everybody an owner, or an operator', async () => {
    const { browser } = await borrowed();
    assert.equal(await browser.refused('POST', '/sign-in-providers', provider('owner')), NEEDED);
    const operator = await borrowed('operator');
    const body = { ...provider('operator'), rules: [{ claim: null, value: null, role: 'operator' }] };
    assert.equal(await operator.browser.refused('POST', '/operator/sign-in-providers', body), NEEDED);
  });

  test('I permit no premium-rate numbers and change no prices', async () => {
    const { browser } = await borrowed('operator');
    const rule = { prefix: '1900', permitted: true };
    assert.equal(await browser.refused('POST', '/operator/destinations', rule), NEEDED);
    assert.equal(await browser.refused('POST', '/operator/destinations/remove', { prefix: '1900' }), NEEDED);
    const price = { channel: 'sms', prefix: '1900', price: '0' };
    assert.equal(await browser.refused('POST', '/operator/prices', price), NEEDED);
  });

  test('I invite nobody, make no token and no webhook endpoint, and copy no data', async () => {
    const { browser } = await borrowed();
    const friend = { username: `friend-${++made}`, name: 'Friend', role: 'owner' };
    assert.equal(await browser.refused('POST', '/people', friend), NEEDED);
    assert.equal(await browser.refused('POST', '/tokens', token), NEEDED);
    assert.equal(await browser.refused('POST', '/webhooks', { url: 'https://example.com/' }), NEEDED);
    for (const path of ['/messages.csv', '/blacklist/export', '/consents/export', '/webhooks/1/secret'])
      assert.equal(await browser.refused('GET', path), NEEDED, path);
    assert.equal(await browser.refused('GET', '/messages'), done, 'the page of messages stays open');
  });

  test('I guess the password no more often than at the sign-in', async () => {
    const { browser } = await borrowed();
    for (let wrong = 0; wrong < 5; wrong++)
      assert.equal(await prove(browser, { password: 'a wrong password' }), '403 wrong-password');
    await lockOut(service, () => browser.call('POST', '/session/proof', { password: 'a wrong password' }));
    assert.equal(await probe(browser), NEEDED);
  });

  test('I prove nothing with nothing, with two proofs, or with a body of another kind', async () => {
    const { browser } = await borrowed();
    for (const body of [{}, { password: PASSWORD, code: '123456' }, { password: 7 }])
      assert.match(await prove(browser, body), /^400 bad-field/);
    assert.equal(await prove(browser, { code: '123456' }), '403 wrong-code');
    assert.equal(await probe(browser), NEEDED);
  });

  test('the proof of another session of the person does not help me', async () => {
    const { browser, username } = await borrowed();
    const theirs = await signedIn(service, username);
    assert.equal(await prove(theirs, { password: PASSWORD }), done);
    assert.equal(await probe(browser), NEEDED);
  });

  test('I cannot keep a proof alive by using the session, or by moving the clock of the sandbox', async () => {
    const { browser, person } = await borrowed();
    assert.equal(await prove(browser, { password: PASSWORD }), done);
    await age(person.id, 4 * 60_000);
    assert.equal(await probe(browser), passed);
    await age(person.id, 2 * 60_000);
    assert.equal(await probe(browser), NEEDED);
    await service.advance(60);
    assert.equal(await probe(browser), NEEDED);
  });

  test('a new token of the session keeps the age of the proof', async () => {
    const { browser, person } = await borrowed();
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    await age(person.id, 4 * 60_000);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await browser.ask('POST', '/session/second-factor/confirm', {
      code: totp.generate({ timestamp: phoneTime }),
    });
    await age(person.id, 2 * 60_000);
    assert.equal(await probe(browser), NEEDED);
  });
});

describe('the person of the session', () => {
  test('needs no other proof right after the sign-in, and sees how long it lasts', async () => {
    const { browser, username } = await borrowed();
    const stale = await browser.ask<{ proof_seconds: number; proof_methods: string[] }>('GET', '/session');
    assert.deepEqual([stale.proof_seconds, stale.proof_methods], [0, ['password']]);
    const fresh = await signedIn(service, username);
    const { proof_seconds: left } = await fresh.ask<{ proof_seconds: number }>('GET', '/session');
    assert.ok(left > 0 && left <= 300, String(left));
    assert.equal(await probe(fresh), passed);
  });

  test('proves it by the password, a code, a recovery code, and a passkey', async () => {
    const { browser, person } = await borrowed();
    assert.equal(await prove(browser, { password: PASSWORD }), done);
    assert.equal(await probe(browser), passed);
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const { recovery_codes: codes } = await browser.ask<{ recovery_codes: string[] }>(
      'POST',
      '/session/second-factor/confirm',
      { code: totp.generate({ timestamp: phoneTime - 30_000 }) },
    );
    const code = totp.generate({ timestamp: phoneTime });
    for (const given of [code, codes[0]!]) {
      await age(person.id);
      assert.equal(await probe(browser), NEEDED);
      assert.equal(await prove(browser, { code: given }), done);
      assert.equal(await probe(browser), passed);
      assert.equal(await prove(browser, { code: given }), '403 wrong-code', 'a code works once');
    }
    const key = new SoftAuthenticator(`http://localhost:${new URL(service.url).port}`);
    await addPasskey(browser, key);
    await age(person.id);
    const { options } = await browser.ask<PasskeyOptions>('POST', '/session/proof/options', {});
    const passkey = key.get(options);
    assert.equal(await prove(browser, { passkey }), done);
    assert.equal(await probe(browser), passed);
    assert.equal(await prove(browser, { passkey }), '403 wrong-code', 'an answer works once');
  });

  test('has each proof and each wrong one in the audit log', async () => {
    const { browser, person } = await borrowed();
    await prove(browser, { password: 'a wrong password' });
    await prove(browser, { password: PASSWORD });
    const { entries } = await browser.ask<{
      entries: { action: string; status: number; person: { id: string } | null }[];
    }>('GET', '/audit');
    const proofs = entries.filter((entry) => entry.person?.id === String(person.id));
    assert.deepEqual(proofs.map(({ action, status }) => [action, status]).slice(0, 2), [
      ['POST /v1/session/proof', 200],
      ['POST /v1/session/proof', 403],
    ]);
  });

  test('is not asked for a proof where the role is not enough', async () => {
    const person = await addPerson(service, `viewer-${++made}`, 'viewer', service.demo.id);
    const browser = await signedIn(service, person.username);
    await age(person.id);
    assert.equal(await browser.refused('POST', '/tokens', token), '403 not-allowed');
  });
});
