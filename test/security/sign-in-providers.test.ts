import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { addPerson, Browser, PASSWORD, signedIn } from '../support/console.ts';
import { atEnd } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

/*
 * "I am at my own provider, or between a browser and one": answers of sign-in providers that are forged, replayed, for
 * somebody else, or want more than an account has.
 */

const service = await startTestService();
const { sql } = service;
await addPerson(service, 'scanner', 'owner', service.demo.id);

const good = await generateKeyPair('RS256', { extractable: true });
const other = await generateKeyPair('RS256', { extractable: true });

interface Answer {
  /** Claims of the ID token, in place of those of an honest one. */
  readonly claims?: JWTPayload;
  readonly key?: 'other' | 'none' | 'secret';
  readonly userinfo?: object;
}

/** A provider that says what the test wants. */
async function startForger() {
  let answer: Answer = {};
  let seen: URLSearchParams | undefined;
  let honest: JWTPayload = {};
  let userinfoOf = '';
  const server = createServer((request, response) => {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    void (async () => {
      if (request.url === '/.well-known/openid-configuration') {
        return send({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        });
      }
      if (request.url === '/jwks') {
        return send({ keys: [{ ...(await exportJWK(good.publicKey)), kid: '1', use: 'sig', alg: 'RS256' }] });
      }
      if (request.url === '/userinfo') return send({ sub: userinfoOf, ...answer.userinfo });
      let body = '';
      for await (const chunk of request) body += chunk;
      seen = new URLSearchParams(body);
      return send({
        access_token: 'x',
        token_type: 'Bearer',
        id_token: await sign({ ...honest, ...answer.claims }),
      });
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function sign(claims: JWTPayload): Promise<string> {
    if (answer.key === 'none') return new UnsecuredJWT(claims).encode();
    if (answer.key === 'secret') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 'secret'));
    }
    const { privateKey } = answer.key === 'other' ? other : good;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: '1' }).sign(privateKey);
  }

  return {
    issuer,
    sign,
    /** What the token endpoint was sent last. */
    seen: () => seen!,
    /** What the provider says from now on of whoever was sent there with this address. */
    says(url: URL, subject: string, said: object = {}, how: Answer = {}) {
      const now = Math.floor(Date.now() / 1_000);
      honest = {
        iss: issuer,
        sub: subject,
        aud: url.searchParams.get('client_id')!,
        nonce: url.searchParams.get('nonce')!,
        iat: now,
        exp: now + 300,
        ...said,
      };
      userinfoOf = subject;
      answer = how;
    },
  };
}

const forger = await startForger();
let made = 0;

async function newTeam(more: object = {}) {
  made += 1;
  const slug = `forged-${made}`;
  const account = await service.addAccount({ username: slug }, 0);
  await addPerson(service, `${slug}-owner`, 'owner', account.id);
  const owner = await signedIn(service, `${slug}-owner`);
  const { id } = await owner.ask<{ id: string }>('POST', '/sign-in-providers', {
    slug,
    name: 'Forged',
    issuer: forger.issuer,
    client_id: `client-${made}`,
    rules: [{ claim: null, value: null, role: 'viewer' }],
    ...more,
  });
  return { slug, account, owner, id };
}

async function begin(browser: Browser, slug: string): Promise<URL> {
  const { url } = await browser.ask<{ url: string }>('POST', '/session/provider', { slug });
  return new URL(url);
}

/** The parameters that an honest provider sends a browser back with. */
const answerTo = (url: URL, slug: string) => ({
  slug,
  code: 'a-code',
  state: url.searchParams.get('state'),
  iss: forger.issuer,
});

const CALLBACK = '/session/provider/callback';

describe('an ID token is refused', () => {
  const soon = () => Math.floor(Date.now() / 1_000);
  const forgeries: Record<string, (client: string) => Answer> = {
    'with another nonce': () => ({ claims: { nonce: 'another' } }),
    'without a nonce': () => ({ claims: { nonce: undefined } as never }),
    'for another client': () => ({ claims: { aud: 'another-client' } }),
    'for several clients, issued to another': (client) => ({
      claims: { aud: [client, 'another'], azp: 'another' },
    }),
    'of another issuer': () => ({ claims: { iss: 'https://login.example' } }),
    'that is over': () => ({ claims: { exp: soon() - 3_600 } }),
    'with a NUL in its subject': () => ({ claims: { sub: 'mallory\0' } }),
    'with a NUL in a claim that is stored': () => ({ claims: { sid: 'a\0b' } }),
    'with a NUL in a list of claims': () => ({ claims: { groups: ['a', 'b\0'] } as never }),
    'with an empty subject': () => ({ claims: { sub: '' } }),
    'with a subject of 256 characters': () => ({ claims: { sub: 'x'.repeat(256) } }),
    'with a NUL in UserInfo': () => ({ userinfo: { email: 'a\0@acme.example' } }),
    'without a subject': () => ({ claims: { sub: undefined } as never }),
    'signed by another key': () => ({ key: 'other' }),
    'signed by nobody': () => ({ key: 'none' }),
    'signed by a secret': () => ({ key: 'secret' }),
    'with UserInfo of somebody else': () => ({ userinfo: { sub: 'somebody-else' } }),
  };
  const team = newTeam();
  for (const [name, forgery] of Object.entries(forgeries)) {
    test(name, async () => {
      const { slug } = await team;
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, 'mallory', {}, forgery(url.searchParams.get('client_id')!));
      assert.equal(await browser.refused('POST', CALLBACK, answerTo(url, slug)), '401 signed-out');
      assert.equal(browser.cookie, undefined);
    });
  }

  test('and a genuine one is accepted', async () => {
    const { slug } = await team;
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'honest');
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(url, slug)), '200 undefined');
    const verifier = forger.seen().get('code_verifier')!;
    assert.equal(
      createHash('sha256').update(verifier).digest('base64url'),
      url.searchParams.get('code_challenge'),
    );
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(forger.seen().get('redirect_uri'), `${service.url}/sign-in/${slug}/callback`);
  });
});

describe('I call my password a second factor', () => {
  const factors = async (values: string[]) => {
    const { slug, account, owner, id } = await newTeam();
    const change = { second_factor_values: values };
    return { slug, account, change: () => owner.refused('PATCH', `/sign-in-providers/${id}`, change), id };
  };

  test('values that do not mean a second factor are refused (RFC 8176)', async () => {
    for (const value of ['pwd', 'pin', 'kba', 'user', 'rba', 'geo', 'wia', 'mca', '0', 'MFA', 'anything'])
      assert.equal(await (await factors([value])).change(), '400 bad-field', value);
    for (const value of ['mfa', 'otp', 'hwk', 'fpt'])
      assert.equal(await (await factors([value])).change(), '200 undefined', value);
  });

  test('such a value that was stored before does not count', async () => {
    const { slug, account, id } = await factors([]);
    await sql`UPDATE sign_in_providers SET second_factor_values = '{pwd}' WHERE id = ${Number(id)}`;
    await service.appContext.people.rules.change(account.id, { secondFactorRequired: true }, async () => {});
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'weak', { amr: ['pwd'] });
    await browser.ask('POST', CALLBACK, answerTo(url, slug));
    assert.equal(await browser.refused('GET', '/messages'), '403 second-factor-required');
  });

  test('my own provider does not satisfy the operator, whatever it says', async () => {
    const { slug, account, change } = await factors(['mfa']);
    await change();
    const enter = async () => {
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, 'owner-of-the-provider', { amr: ['mfa'] });
      await browser.ask('POST', CALLBACK, answerTo(url, slug));
      return browser;
    };
    const { rules } = service.appContext.people;
    await rules.change(account.id, { secondFactorRequired: true }, async () => {});
    const before = await enter();
    assert.equal(await before.refused('GET', '/messages'), '200 undefined', 'the account trusts it');
    await rules.change(account.id, { secondFactorDemanded: true }, async () => {});
    assert.equal(await before.refused('GET', '/messages'), '403 second-factor-required');
    assert.equal(await (await enter()).refused('GET', '/messages'), '403 second-factor-required');
  });
});

describe('an answer is refused', () => {
  const team = newTeam();
  const cases: Record<string, (answer: object, browser: Browser) => object> = {
    'with another state': (answer) => ({ ...answer, state: 'another' }),
    'without a state': ({ ...answer }) => ({ ...answer, state: undefined }),
    'of another issuer (RFC 9207)': (answer) => ({ ...answer, iss: 'https://login.example' }),
    'without an issuer, of a provider that names itself': (answer) => ({ ...answer, iss: undefined }),
    'that says that nobody has signed in': (answer) => ({
      ...answer,
      code: undefined,
      error: 'access_denied',
    }),
    'in another browser': (answer, browser) => {
      browser.flow = randomBytes(32).toString('base64url');
      return answer;
    },
    'without the cookie': (answer, browser) => {
      browser.flow = undefined;
      return answer;
    },
  };
  for (const [name, forge] of Object.entries(cases)) {
    test(name, async () => {
      const { slug } = await team;
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, 'mallory');
      const answer = forge(answerTo(url, slug), browser);
      assert.equal(await browser.refused('POST', CALLBACK, answer), '401 signed-out');
    });
  }

  test('a second time, and after ten minutes', async () => {
    const { slug } = await team;
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'twice');
    const { flow } = browser;
    await browser.ask('POST', CALLBACK, answerTo(url, slug));
    browser.flow = flow;
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(url, slug)), '401 signed-out');
    const late = await begin(browser, slug);
    await sql`UPDATE sign_in_flows SET expires_at = ${Date.now() - 1}`;
    forger.says(late, 'twice');
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(late, slug)), '401 signed-out');
  });

  test('at the address of another provider than the one that was asked', async () => {
    const { slug } = await team;
    const elsewhere = await newTeam();
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'mallory');
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(url, elsewhere.slug)), '401 signed-out');
  });

  test('from another site, which can make no browser send it', async () => {
    const { slug } = await team;
    const browser = new Browser(service.url, { 'x-carillon-csrf': '0' });
    assert.equal(await browser.refused('POST', '/session/provider', { slug }), '403 not-allowed');
    assert.equal(await browser.refused('POST', CALLBACK, { slug, code: 'x' }), '403 not-allowed');
  });
});

describe('a provider of an account', () => {
  test('gives no role but of its account, whatever is asked of it', async () => {
    const { owner, id, account, slug } = await newTeam();
    const path = `/sign-in-providers/${id}`;
    const chief = { claim: null, value: null, role: 'operator' };
    assert.equal(await owner.refused('PATCH', path, { rules: [chief] }), '400 bad-field');
    // An account in a rule of an account is no field there.
    const away = { claim: null, value: null, role: 'owner', account: 'demo' };
    await owner.ask('PATCH', path, { rules: [away] });
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'climber');
    const who = await browser.ask<{ role: string; account: { username: string } }>(
      'POST',
      CALLBACK,
      answerTo(url, slug),
    );
    assert.deepEqual([who.role, who.account.username], ['owner', account.username]);
    assert.equal(await browser.refused('GET', '/operator/accounts'), '403 not-allowed');
    // And where the table were to say it, it is not done.
    await sql`UPDATE sign_in_providers SET rules = '[{"claim":null,"value":null,"role":"operator","account_id":null}]'
      WHERE id = ${Number(id)}`;
    const again = await begin(browser, slug);
    forger.says(again, 'climber');
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(again, slug)), '403 not-allowed');
  });

  test('takes over nobody of another account, and no operator, by a mail address', async () => {
    const { slug } = await newTeam({ links_by_email: true });
    await addPerson(service, 'victim@acme.example', 'owner', service.demo.id);
    await addPerson(service, 'root@acme.example', 'operator', null);
    for (const email of ['victim@acme.example', 'root@acme.example']) {
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, `as ${email}`, { email, email_verified: true });
      const who = await browser.ask<{ person: { username: string }; role: string }>(
        'POST',
        CALLBACK,
        answerTo(url, slug),
      );
      assert.equal(who.role, 'viewer');
      assert.notEqual(who.person.username, email);
      assert.equal(
        await new Browser(service.url).signIn(email, PASSWORD),
        '200',
        'the password is still good',
      );
    }
  });

  test('takes over nobody by an address that it has not verified', async () => {
    const { slug, account } = await newTeam({ links_by_email: true, makes_people: false });
    await addPerson(service, 'dana@acme.example', 'owner', account.id);
    for (const verified of [undefined, false, 'no', 1]) {
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, 'unverified', { email: 'dana@acme.example', email_verified: verified });
      assert.equal(await browser.refused('POST', CALLBACK, answerTo(url, slug)), '403 not-allowed');
    }
  });

  test('is not the other provider that has the same subject', async () => {
    const [first, second] = [await newTeam(), await newTeam()];
    const ids = [];
    for (const { slug } of [first, second]) {
      const browser = new Browser(service.url);
      const url = await begin(browser, slug);
      forger.says(url, 'the-same');
      const who = await browser.ask<{ person: { id: string } }>('POST', CALLBACK, answerTo(url, slug));
      ids.push(who.person.id);
    }
    assert.notEqual(ids[0], ids[1]);
  });

  test('lets nobody in who is disabled', async () => {
    const { slug, owner } = await newTeam();
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'disabled');
    const who = await browser.ask<{ person: { id: string } }>('POST', CALLBACK, answerTo(url, slug));
    await owner.ask('PATCH', `/people/${who.person.id}`, { suspended: true });
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    const again = await begin(browser, slug);
    forger.says(again, 'disabled');
    assert.equal(await browser.refused('POST', CALLBACK, answerTo(again, slug)), '403 not-allowed');
  });

  test('says nothing of who exists: two addresses of a domain get the same answer', async () => {
    await addPerson(service, 'known@nowhere.example', 'viewer', service.demo.id);
    for (const email of ['known@nowhere.example', 'unknown@nowhere.example']) {
      const answer = await new Browser(service.url).call('POST', '/session/provider', { email });
      assert.equal(answer.status, 404);
    }
  });
});

describe('a logout token', () => {
  const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const team = newTeam();

  async function inSession() {
    const { slug } = await team;
    const browser = new Browser(service.url);
    const url = await begin(browser, slug);
    forger.says(url, 'leaver', { sid: 'a-session' });
    await browser.ask('POST', CALLBACK, answerTo(url, slug));
    const now = Math.floor(Date.now() / 1_000);
    const aud = url.searchParams.get('client_id')!;
    const claims = {
      iss: forger.issuer,
      aud,
      iat: now,
      exp: now + 60,
      jti: 'x',
      sub: 'leaver',
      events: LOGOUT,
    };
    return { browser, slug, claims, url };
  }

  const logOut = async (slug: string, token: string) =>
    (
      await fetch(`${service.url}/oidc/${slug}/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
    ).status;

  test('is accepted from the provider only', async () => {
    const { browser, slug, claims, url } = await inSession();
    const bad: [string, JWTPayload, Answer['key']?][] = [
      ['an ID token', { ...claims, nonce: 'x' }],
      ['without the event', { ...claims, events: {} }],
      ['for another client', { ...claims, aud: 'another' }],
      ['of another issuer', { ...claims, iss: 'https://login.example' }],
      ['an old one', { ...claims, iat: claims.iat - 3_600 }],
      ['that names nobody', { ...claims, sub: undefined } as never],
      ['by another key', claims, 'other'],
      ['by nobody', claims, 'none'],
      ['by a secret', claims, 'secret'],
    ];
    for (const [name, payload, key] of bad) {
      forger.says(url, 'leaver', {}, key ? { key } : {});
      assert.equal(await logOut(slug, await forger.sign(payload)), 400, name);
    }
    assert.equal(await logOut(slug, 'no token'), 400);
    assert.equal(await logOut('no-such-provider', await forger.sign(claims)), 400);
    assert.equal(await browser.refused('GET', '/session'), '200 undefined');
    forger.says(url, 'leaver');
    const elsewhere = { ...claims, sid: 'another-session' };
    assert.equal(await logOut(slug, await forger.sign(elsewhere)), 200);
    assert.equal(await browser.refused('GET', '/session'), '200 undefined');
    assert.equal(
      await logOut(slug, await forger.sign({ ...claims, sub: undefined, sid: 'a-session' } as never)),
      200,
    );
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  });
});

test('a provider of an account is not at an address that may not be called', async () => {
  const closed = await startTestService({ settings: { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' } });
  await addPerson(closed, 'fenced', 'owner', closed.demo.id);
  const owner = await signedIn(closed, 'fenced');
  const given = { slug: 'fenced', name: 'x', client_id: 'x', rules: [] };
  for (const issuer of [
    forger.issuer,
    'https://127.0.0.1',
    'https://localhost:1',
    'https://169.254.169.254',
    'https://[::1]',
    'http://example.com',
  ]) {
    const answer = await owner.call('POST', '/sign-in-providers', { ...given, issuer });
    const { error } = (await answer.json()) as { error: { code: string; field: string; message: string } };
    assert.deepEqual([answer.status, error.code, error.field], [400, 'bad-field', 'issuer'], issuer);
    assert.doesNotMatch(error.message, /ECONN|refused/);
  }
});

test('I add providers to scan ports, and every failure of the network has the same text', async () => {
  const owner = await signedIn(service, 'scanner');
  const silent = createServer((request) => request.socket.destroy());
  const page = createServer((_request, response) => response.end('<p>An internal page'));
  const ports: number[] = [];
  for (const server of [silent, page]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.push((server.address() as AddressInfo).port);
    atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  }
  const said = new Set<string>();
  // Nothing listens at the first one, and the last one does not resolve.
  for (const host of ['127.0.0.1:1', ...ports.map((port) => `127.0.0.1:${port}`), 'nobody.invalid']) {
    const issuer = `http://${host}`;
    const given = { slug: 'scan', name: 'x', client_id: 'x', rules: [], issuer };
    const answer = await owner.call('POST', '/sign-in-providers', given);
    assert.equal(answer.status, 400);
    said.add((await answer.text()).replaceAll(issuer, 'the issuer').replace(/"request_id":"[^"]*"/, ''));
  }
  assert.equal(said.size, 1, [...said].join('\n'));
});

test('metadata that name another issuer are refused', async () => {
  const owner = await signedIn(service, 'scanner');
  const issuer = forger.issuer.replace('127.0.0.1', 'localhost');
  const given = { slug: 'other', name: 'x', client_id: 'x', rules: [], issuer };
  const answer = await owner.call('POST', '/sign-in-providers', given);
  const { error } = (await answer.json()) as { error: { field: string } };
  assert.deepEqual([answer.status, error.field], [400, 'issuer']);
});
