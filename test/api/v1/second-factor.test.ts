import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP, URI } from 'otpauth';
import { addPerson, Browser, lockOut, PASSWORD, signedIn } from '../../support/console.ts';
import { startTestService } from '../../support/service.ts';

// It stands still: a step does not end between a code and its use.
const phoneTime = Date.now();
const service = await startTestService({
  settings: { TRUST_PROXY: 'loopback' },
  phoneClock: { now: () => phoneTime },
});
const { people } = service.appContext;

/** The code that a phone with this secret shows, `steps` of half a minute from now. */
function codeOf(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: phoneTime + steps * 30_000 });
}

async function setUp(username: string): Promise<{ browser: Browser; secret: string; recovery: string[] }> {
  await addPerson(service, username, 'sender', service.demo.id);
  const browser = await signedIn(service, username);
  const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
    password: PASSWORD,
  });
  const { recovery_codes: recovery } = await browser.ask<{ recovery_codes: string[] }>(
    'POST',
    '/session/second-factor/confirm',
    // Of the step before, so that those of now and of the next one are not used.
    { code: codeOf(secret, -1) },
  );
  return { browser, secret, recovery };
}

let visits = 0;

/** Signs in from an address of its own, so that no pause is due for what others did from it. */
function visit(username: string, code?: string): Promise<string> {
  visits += 1;
  const browser = new Browser(service.url, { 'x-forwarded-for': `198.51.100.${visits}` });
  return browser.signIn(username, PASSWORD, code);
}

describe('a second factor', () => {
  test('is set up with the password and a code of the phone; until then the password is enough', async () => {
    await addPerson(service, 'dana', 'viewer', service.demo.id);
    const [browser, other] = [await signedIn(service, 'dana'), await signedIn(service, 'dana')];
    const ask = (password: string) => browser.refused('POST', '/session/second-factor', { password });
    assert.equal(await ask('wrong'), '403 wrong-password');
    const confirm = (code: string) => browser.refused('POST', '/session/second-factor/confirm', { code });
    assert.equal(await confirm('123456'), '409 not-now');
    const first = await browser.ask<{ secret: string; uri: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    const parsed = URI.parse(first.uri) as TOTP;
    assert.deepEqual(
      [parsed.issuer, parsed.label, parsed.algorithm, parsed.digits, parsed.period, parsed.secret.base32],
      ['Carillon', 'dana', 'SHA1', 6, 30, first.secret],
    );
    assert.equal(parsed.secret.bytes.length, 20);
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    assert.notEqual(secret, first.secret);
    assert.equal(await confirm(codeOf(first.secret)), '403 wrong-code');
    assert.equal(await visit('dana'), '200');
    assert.equal(await confirm(codeOf(secret)), '200 undefined');
    assert.equal(await ask(PASSWORD), '409 not-now');
    assert.equal(await other.refused('GET', '/session'), '401 signed-out');
    const who = await browser.ask<{ second_factor: boolean }>('GET', '/session');
    assert.equal(who.second_factor, true);
  });

  test('is required when the password is right, and a code works once', async () => {
    const { secret } = await setUp('eli');
    const browser = new Browser(service.url);
    assert.equal(await browser.signIn('eli', 'wrong'), '401 signed-out');
    assert.equal(await browser.signIn('eli'), '200 code');
    assert.equal(browser.cookie, undefined);
    assert.equal(await visit('eli', codeOf(secret, -1)), '403 wrong-code', 'it was used to confirm');
    assert.equal(await visit('eli', '12345'), '403 wrong-code');
    const code = codeOf(secret);
    assert.equal(await visit('eli', `${code.slice(0, 3)} ${code.slice(3)}`), '200');
    assert.equal(await visit('eli', code), '403 wrong-code');
    assert.equal(await visit('eli', codeOf(secret, 1)), '200', 'of a phone that is ahead');
    assert.equal(await visit('eli', code), '403 wrong-code', 'of before the last one that was used');
  });

  test('wrong codes are counted when it is confirmed, too', async () => {
    await addPerson(service, 'guesser', 'viewer', service.demo.id);
    const browser = await signedIn(service, 'guesser');
    const { secret } = await browser.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    const confirm = (code: string) => browser.refused('POST', '/session/second-factor/confirm', { code });
    const wrong = codeOf(secret, 10);
    const answers = await Promise.all(Array.from({ length: 30 }, () => confirm(wrong)));
    const looked = answers.filter((answer) => answer === '403 wrong-code').length;
    // Ten are free. Pauses of a second may be over meanwhile.
    assert.ok(looked >= 10 && looked <= 13, `${looked} were looked at`);
    await lockOut(service, () =>
      browser.call('POST', '/session/second-factor/confirm', { code: codeOf(secret, 10) }),
    );
    assert.equal(await confirm(codeOf(secret)), '429 too-fast', 'the right code is not looked at');
    await service.advance(900);
    assert.equal(await confirm(codeOf(secret)), '200 undefined');
  });

  test('a code sent in many concurrent requests signs in one of them', async () => {
    const { secret } = await setUp('many');
    const code = codeOf(secret);
    const answers = await Promise.all([visit('many', code), visit('many', code), visit('many', code)]);
    assert.deepEqual(answers.toSorted(), ['200', '403 wrong-code', '403 wrong-code']);
  });

  test('a code of a minute ago or of the time to come is wrong', async () => {
    const { secret } = await setUp('late');
    assert.equal(await visit('late', codeOf(secret, -4)), '403 wrong-code');
    assert.equal(await visit('late', codeOf(secret, 4)), '403 wrong-code');
  });

  test("the sandbox's clock does not move the phone's", async () => {
    const { secret } = await setUp('moved');
    await service.advance(3_600);
    assert.equal(await visit('moved', codeOf(secret)), '200');
  });

  test('ten recovery codes are shown once, kept as digests, and each works once', async () => {
    const { recovery, browser } = await setUp('lost');
    assert.equal(new Set(recovery).size, 10);
    for (const code of recovery) assert.match(code, /^([a-z2-7]{4}-){6}[a-z2-7]{4}$/);
    const rows = await service.sql`SELECT encode(digest, 'hex') AS digest FROM recovery_codes`;
    assert.ok(!JSON.stringify(rows).includes(recovery[0]!.replaceAll('-', '')));
    assert.equal(await visit('lost', recovery[0]), '200');
    assert.equal(await visit('lost', recovery[0]), '403 wrong-code');
    assert.equal(await visit('lost', recovery[1]!.toUpperCase().replaceAll('-', ' ')), '200');
    const answers = await Promise.all([visit('lost', recovery[2]), visit('lost', recovery[2])]);
    assert.deepEqual(answers.toSorted(), ['200', '403 wrong-code']);

    const renew = (password: string) => browser.refused('POST', '/session/recovery-codes', { password });
    assert.equal(await renew('wrong'), '403 wrong-password');
    const { recovery_codes: fresh } = await browser.ask<{ recovery_codes: string[] }>(
      'POST',
      '/session/recovery-codes',
      { password: PASSWORD },
    );
    assert.equal(await visit('lost', recovery[3]), '403 wrong-code');
    assert.equal(await visit('lost', fresh[3]), '200');
  });

  test('is removed with password and code, and by the link of an owner at the request of the person', async () => {
    const { browser, secret, recovery } = await setUp('tired');
    const remove = (password: string, code: string) =>
      browser.refused('POST', '/session/second-factor/remove', { password, code });
    assert.equal(await remove('wrong', codeOf(secret)), '403 wrong-password');
    assert.equal(await remove(PASSWORD, '000000'), '403 wrong-code');
    assert.equal(await visit('tired'), '200 code');
    assert.equal(await remove(PASSWORD, codeOf(secret)), '200 undefined');
    assert.equal(await visit('tired'), '200');
    assert.equal(await visit('tired', recovery[0]), '200', 'a code that nobody asked for');
    const renew = { password: PASSWORD };
    assert.equal(await browser.refused('POST', '/session/recovery-codes', renew), '409 not-now');

    const { browser: owner } = await setUp('robbed');
    const robbed = (await people.people.byUsername('robbed'))!;
    const choose = async (secondFactor: boolean) => {
      const link = await people.people.reset(service.demo.id, robbed.id, { secondFactor });
      const body = { token: link!.token, password: PASSWORD };
      await new Browser(service.url).ask('POST', '/session/password-link', body);
    };
    await choose(false);
    assert.equal(await owner.refused('GET', '/session'), '401 signed-out');
    assert.equal(await visit('robbed'), '200 code');
    await choose(true);
    assert.equal(await visit('robbed'), '200');
  });
});
