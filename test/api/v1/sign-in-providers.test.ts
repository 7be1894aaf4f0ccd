import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { peopleCheck } from '../../../server/modules/people/check.ts';
import { SoftAuthenticator } from '../../support/authenticator.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/console.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { startTestService } from '../../support/service.ts';

/* Sign-in by OpenID Connect, with a real provider. Attacks: test/security/sign-in-providers.test.ts. */

const phoneTime = Date.now();
const service = await startTestService({ phoneClock: { now: () => phoneTime } });
const { people } = service.appContext.people;
const idp = await startIdentityProvider();

interface Provider {
  readonly id: string;
  readonly slug: string;
  readonly has_client_secret: boolean;
  readonly redirect_uri: string;
  readonly logout_uri: string;
  readonly people: number;
  readonly domains: string[];
  readonly last_failure: string | null;
}
interface Who {
  readonly person: { readonly id: string; readonly username: string; readonly name: string };
  readonly role: string;
  readonly account: { readonly username: string } | null;
  readonly second_factor: boolean;
  readonly second_factor_pending: boolean;
  readonly second_factor_by_provider: boolean;
  readonly has_password: boolean;
  readonly has_provider: boolean;
}

const SENDERS = { claim: 'groups', value: 'senders', role: 'sender' };
const OWNERS = { claim: 'realm_access.roles', value: 'chief', role: 'owner' };
let made = 0;

/** An account with an owner, and a provider that is a client at the real one. */
async function newTeam(more: object = {}, client: object = { require_auth_time: true }) {
  made += 1;
  const slug = `team-${made}`;
  const account = await service.addAccount({ username: slug }, 0);
  await addPerson(service, `owner-${made}`, 'owner', account.id);
  const owner = await signedIn(service, `owner-${made}`);
  idp.addClient(slug, {
    redirect_uris: [`${service.url}/sign-in/${slug}/callback`],
    post_logout_redirect_uris: [`${service.url}/`],
    backchannel_logout_uri: `${service.url}/oidc/${slug}/logout`,
    backchannel_logout_session_required: true,
    ...client,
  });
  const provider = await owner.ask<Provider>('POST', '/sign-in-providers', {
    slug,
    name: 'Test',
    issuer: idp.issuer,
    client_id: slug,
    client_secret: `secret-of-${slug}`,
    rules: [OWNERS, SENDERS],
    ...more,
  });
  return { account, owner, provider, slug };
}

/** Somebody at the provider. */
function newSubject(said: object = {}): string {
  made += 1;
  const subject = `subject-${made}`;
  idp.people.set(subject, {
    groups: ['senders'],
    name: 'Dana Levi',
    email: `${subject}@acme.example`,
    email_verified: true,
    ...said,
  });
  return subject;
}

/** Begins a sign-in; where the browser is sent. */
const begin = async (browser: Browser, by: object) =>
  (await browser.ask<{ url: string }>('POST', '/session/provider', by)).url;

const answerOf = (back: URL, slug: string) => ({ slug, ...Object.fromEntries(back.searchParams) });

/** Signs in; the answer of the last request. */
async function signIn(browser: Browser, slug: string, subject: string, cookies = new Map<string, string>()) {
  const back = await idp.signInWith(cookies, await begin(browser, { slug }), subject);
  return browser.call('POST', '/session/provider/callback', answerOf(back, slug));
}

async function entered(browser: Browser, slug: string, subject: string, cookies?: Map<string, string>) {
  const answer = await signIn(browser, slug, subject, cookies);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as Who;
}

async function refusal(browser: Browser, slug: string, subject: string): Promise<string> {
  const answer = await signIn(browser, slug, subject);
  const { error } = (await answer.json()) as { error?: { code: string } };
  return `${answer.status} ${error?.code}`;
}

describe('a provider of an account', () => {
  test('makes people at their first sign-in, with the role of the first rule that matches', async () => {
    const { provider, slug, account, owner } = await newTeam();
    assert.equal(provider.redirect_uri, `${service.url}/sign-in/${slug}/callback`);
    assert.equal(provider.has_client_secret, true);
    const subject = newSubject({ realm_access: { roles: ['x', 'chief'] } });
    const browser = new Browser(service.url);
    const who = await entered(browser, slug, subject);
    assert.equal(who.role, 'owner');
    assert.equal(who.account!.username, account.username);
    assert.equal(who.person.username, `${subject}@acme.example`);
    assert.equal(who.person.name, 'Dana Levi');
    assert.deepEqual([who.has_password, who.has_provider, who.second_factor_pending], [false, true, false]);
    assert.equal(await browser.refused('GET', '/people'), '200 undefined');
    assert.equal((await entered(new Browser(service.url), slug, subject)).person.id, who.person.id);
    const { providers } = await owner.ask<{ providers: Provider[] }>('GET', '/sign-in-providers');
    assert.equal(providers[0]!.people, 1);
    assert.ok(!JSON.stringify(providers).includes('secret-of'), 'the secret is read by nobody');
    const [row] = await service.sql<{ client_secret: Buffer }[]>`
      SELECT client_secret FROM sign_in_providers WHERE id = ${Number(provider.id)}`;
    assert.ok(!row!.client_secret.toString('latin1').includes('secret-of'));
    const { entries } = await owner.ask<{ entries: { action: string; person: { id: string } | null }[] }>(
      'GET',
      `/audit?person=${who.person.id}`,
    );
    assert.ok(entries.every(({ action }) => action === 'POST /v1/session/provider/callback'));
    assert.equal(entries.length, 2);
  });

  test('is checked again at each sign-in: another role ends the sessions, and without a role sign-in is refused', async () => {
    const { slug, owner } = await newTeam();
    const subject = newSubject();
    const first = new Browser(service.url);
    await entered(first, slug, subject);
    idp.people.set(subject, { ...idp.people.get(subject), realm_access: { roles: ['chief'] } });
    const second = new Browser(service.url);
    assert.equal((await entered(second, slug, subject)).role, 'owner');
    assert.equal(await first.refused('GET', '/session'), '401 signed-out');
    idp.people.set(subject, { ...idp.people.get(subject), realm_access: {}, groups: [] });
    assert.equal(await refusal(new Browser(service.url), slug, subject), '403 not-allowed');
    assert.equal(await second.refused('GET', '/session'), '401 signed-out');
    const { providers } = await owner.ask<{ providers: Provider[] }>('GET', '/sign-in-providers');
    assert.match(providers[0]!.last_failure!, /no rule/);
  });

  test('adds nobody where it is not to, and nobody without a rule', async () => {
    const { slug } = await newTeam({ makes_people: false });
    assert.equal(await refusal(new Browser(service.url), slug, newSubject()), '403 not-allowed');
    const other = await newTeam({
      rules: [{ claim: 'email_domain', value: 'acme.example', role: 'viewer' }],
    });
    const viewer = await entered(new Browser(service.url), other.slug, newSubject());
    assert.equal(viewer.role, 'viewer');
    const stranger = newSubject({ email: 'x@other.example' });
    assert.equal(await refusal(new Browser(service.url), other.slug, stranger), '403 not-allowed');
  });

  test('takes over whoever has the verified address as user name, where it is to', async () => {
    const { slug, account } = await newTeam({ links_by_email: true });
    const subject = newSubject();
    const username = `${subject}@acme.example`;
    const person = await addPerson(service, username, 'viewer', account.id);
    const before = await signedIn(service, username);
    const who = await entered(new Browser(service.url), slug, subject);
    assert.deepEqual([who.person.id, who.role, who.has_password], [String(person.id), 'sender', false]);
    assert.equal(await before.refused('GET', '/session'), '401 signed-out');
    assert.equal(await new Browser(service.url).signIn(username), '401 signed-out');
  });

  test('is no longer required for people with a password', async () => {
    const { slug, owner } = await newTeam();
    const subject = newSubject();
    const { person } = await entered(new Browser(service.url), slug, subject);
    const { token } = await owner.ask<{ token: string }>('POST', `/people/${person.id}/reset`, {});
    await new Browser(service.url).ask('POST', '/session/password-link', { token, password: PASSWORD });
    const browser = await signedIn(service, person.username);
    assert.equal((await browser.ask<Who>('GET', '/session')).has_provider, false);
    // The address is a user name now: whoever comes by the provider is somebody else.
    const again = await entered(new Browser(service.url), slug, subject);
    assert.notEqual(again.person.id, person.id);
  });

  test('may be the only way in, once the owner has come by it', async () => {
    const { slug, owner, account } = await newTeam();
    await addPerson(service, `other-${slug}`, 'viewer', account.id);
    const other = await signedIn(service, `other-${slug}`);
    const only = { provider_only: true };
    assert.equal(await owner.refused('PATCH', '/people/rules', only), '409 not-now');
    const chief = new Browser(service.url);
    await entered(chief, slug, newSubject({ realm_access: { roles: ['chief'] } }));
    await chief.ask('PATCH', '/people/rules', only);
    assert.equal(await other.refused('GET', '/session'), '401 signed-out');
    const guest = new Browser(service.url);
    assert.equal(await guest.signIn(`other-${slug}`), '403 not-allowed');
    assert.equal(await guest.signIn(`other-${slug}`, 'a wrong password'), '401 signed-out');
    const answer = await fetch(`${service.url}/v1/account`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    assert.equal(answer.status, 200, 'programs go on');
    await chief.ask('PATCH', '/people/rules', { provider_only: false });
    assert.equal(await guest.signIn(`other-${slug}`), '200');
  });

  test('is changed and removed; sessions by it end', async () => {
    const { slug, owner, provider } = await newTeam();
    const path = `/sign-in-providers/${provider.id}`;
    const browser = new Browser(service.url);
    await entered(browser, slug, newSubject());
    await owner.ask('PATCH', path, { name: 'Renamed' });
    assert.equal(await browser.refused('GET', '/session'), '200 undefined');
    await owner.ask('PATCH', path, { rules: [OWNERS] });
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    await owner.ask('PATCH', path, { enabled: false });
    assert.equal(await browser.refused('POST', '/session/provider', { slug }), '404 not-found');
    await owner.ask('DELETE', path);
    assert.deepEqual(await owner.ask('GET', '/sign-in-providers'), { providers: [] });
  });

  test('has to describe itself, and shares no name with another', async () => {
    const { owner, slug, provider } = await newTeam();
    const bad = { issuer: service.url };
    assert.equal(await owner.refused('PATCH', `/sign-in-providers/${provider.id}`, bad), '400 bad-field');
    const other = await newTeam();
    const taken = { slug };
    assert.equal(
      await other.owner.refused('PATCH', `/sign-in-providers/${other.provider.id}`, taken),
      '400 bad-field',
    );
    assert.equal(
      await other.owner.refused('PATCH', `/sign-in-providers/${provider.id}`, { name: 'x' }),
      '404 not-found',
    );
  });
});

type PasskeyOptions = {
  options: { challenge: string; rp: { id: string }; rpId: string; user: { id: string } };
};

describe('a proof of identity by people without a password', () => {
  const token = { label: 'mine', days: 1 };
  const owner = () => newSubject({ realm_access: { roles: ['chief'] } });
  /** Proves the identity at the provider again; the answer of the last request. */
  async function again(browser: Browser, slug: string, subject: string, change = (url: URL) => url) {
    const { url } = await browser.ask<{ url: string }>('POST', '/session/proof/provider');
    const back = await idp.signInWith(cookies, change(new URL(url)).href, subject);
    return browser.call('POST', '/session/provider/callback', answerOf(back, slug));
  }
  const cookies = new Map<string, string>();

  test('is a new sign-in at the provider, which asks for their credentials', async () => {
    const { slug } = await newTeam({}, {});
    const subject = owner();
    const browser = new Browser(service.url);
    await entered(browser, slug, subject, cookies);
    assert.equal(await browser.refused('POST', '/tokens', token), '403 proof-needed', 'no auth_time');
    const { proof_methods: methods } = await browser.ask<{ proof_methods: string[] }>('GET', '/session');
    assert.deepEqual(methods, ['provider']);
    const before = browser.cookie;
    const { url } = await browser.ask<{ url: string }>('POST', '/session/proof/provider');
    const asked = new URL(url).searchParams;
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0']);
    assert.equal((await again(browser, slug, subject)).status, 200);
    assert.notEqual(browser.cookie, before);
    assert.equal(await browser.refused('POST', '/tokens', token), '200 undefined');
  });

  test('is refused when the provider did not ask for them', async () => {
    const { slug } = await newTeam({}, {});
    const subject = owner();
    const browser = new Browser(service.url);
    await entered(browser, slug, subject, cookies);
    const answer = await again(browser, slug, subject, (url) => {
      url.searchParams.delete('prompt');
      url.searchParams.delete('max_age');
      return url;
    });
    assert.equal(answer.status, 401);
    assert.equal(await browser.refused('POST', '/tokens', token), '403 proof-needed');
  });

  test('is not needed right after they signed in at a provider that says when', async () => {
    const { slug } = await newTeam();
    const browser = new Browser(service.url);
    await entered(browser, slug, owner());
    assert.equal(await browser.refused('POST', '/tokens', token), '200 undefined');
  });

  test('is refused to people without a provider', async () => {
    const { owner: withPassword } = await newTeam();
    assert.equal(await withPassword.refused('POST', '/session/proof/provider'), '409 not-now');
  });
});

describe('the second factor', () => {
  test('counts if the provider confirms it', async () => {
    const { slug, account } = await newTeam({ second_factor_values: ['mfa'] });
    await service.appContext.people.rules.change(account.id, { secondFactorRequired: true }, async () => {});
    const proven = new Browser(service.url);
    const who = await entered(proven, slug, newSubject({ amr: ['pwd', 'mfa'] }));
    assert.equal(who.second_factor_by_provider, true);
    assert.equal(await proven.refused('GET', '/messages'), '200 undefined');
    const lacking = new Browser(service.url);
    await entered(lacking, slug, newSubject({ amr: ['pwd'] }));
    assert.equal(await lacking.refused('GET', '/messages'), '403 second-factor-required');
    // Who has no password sets one up in a new session.
    const { secret } = await lacking.ask<{ secret: string }>('POST', '/session/second-factor', {});
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await lacking.ask('POST', '/session/second-factor/confirm', {
      code: totp.generate({ timestamp: phoneTime }),
    });
    assert.equal(await lacking.refused('GET', '/messages'), '200 undefined');
    await service.sql`UPDATE sessions SET proven_at = proven_at - 300001`;
    assert.equal(await lacking.refused('POST', '/session/recovery-codes', {}), '403 proof-needed');
  });

  test('of the person is required if the provider confirms none', async () => {
    const { slug } = await newTeam();
    const subject = newSubject();
    const first = new Browser(service.url);
    await entered(first, slug, subject);
    const key = new SoftAuthenticator(`http://localhost:${new URL(service.url).port}`);
    const { options } = await first.ask<PasskeyOptions>('POST', '/session/passkeys/options', {});
    const added = await first.ask<{ recovery_codes: string[] }>('POST', '/session/passkeys', {
      name: 'Key',
      credential: key.create(options),
    });
    for (const proof of ['passkey', 'code']) {
      const browser = new Browser(service.url);
      const who = await entered(browser, slug, subject);
      assert.equal(who.second_factor_pending, true);
      for (const [method, path] of [
        ['GET', '/messages'],
        ['PATCH', '/session'],
        ['GET', '/session/passkeys'],
        ['POST', '/session/passkeys/options'],
        ['POST', '/session/second-factor'],
      ] as const) {
        assert.equal(
          await browser.refused(method, path, method === 'GET' ? undefined : {}),
          '403 second-factor-required',
        );
      }
      const before = browser.cookie;
      if (proof === 'passkey') {
        const asked = await browser.ask<PasskeyOptions>('POST', '/session/second-factor/options', {});
        await browser.ask('POST', '/session/second-factor/prove', { passkey: key.get(asked.options) });
      } else {
        assert.equal(
          await browser.refused('POST', '/session/second-factor/prove', { code: '123456' }),
          '403 wrong-code',
        );
        await browser.ask('POST', '/session/second-factor/prove', { code: added.recovery_codes[0] });
      }
      assert.equal(await browser.refused('GET', '/messages'), '200 undefined');
      assert.notEqual(browser.cookie, before);
      browser.cookie = before;
      assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    }
  });
});

/** Signs a browser out at the provider, which asks whether one wants to; what it answers in the end. */
async function signedOut(cookies: Map<string, string>, url: string): Promise<Response> {
  const page = await fetch(url, { headers: { cookie: cookieOf(cookies) } });
  for (const set of page.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
    cookies.set(name!, value!);
  }
  const form = await page.text();
  assert.equal(page.status, 200, form);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)![1]!;
  return fetch(`${idp.issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookieOf(cookies) },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  });
}

describe('signing out', () => {
  test('leads to the provider too', async () => {
    const { slug } = await newTeam();
    const browser = new Browser(service.url);
    const subject = newSubject();
    const cookies = new Map<string, string>();
    const who = await entered(browser, slug, subject, cookies);
    const [row] = await service.sql<{ provider_id_token: Buffer }[]>`
      SELECT provider_id_token FROM sessions WHERE person_id = ${Number(who.person.id)}`;
    const { logout_url: there } = await browser.ask<{ logout_url: string }>('DELETE', '/session');
    const url = new URL(there);
    assert.equal(url.origin, idp.issuer);
    assert.equal(url.searchParams.get('client_id'), slug);
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${service.url}/`);
    const hint = url.searchParams.get('id_token_hint')!;
    const { aud, sub } = decodeJwt(hint);
    assert.deepEqual([aud, sub], [slug, subject]);
    assert.ok(!row!.provider_id_token.includes(hint), 'it was sealed');
    // The provider checks the hint and the address, and sends the browser back.
    const answer = await signedOut(cookies, there);
    assert.equal(answer.headers.get('location'), `${service.url}/`);
    const password = await signedIn(service, 'owner-1');
    assert.equal((await password.ask<{ logout_url: null }>('DELETE', '/session')).logout_url, null);
  });

  test('says nothing of an ID token that makes too long an address', async () => {
    const { slug } = await newTeam();
    const browser = new Browser(service.url);
    const groups = ['senders', ...Array.from({ length: 400 }, (_, index) => `a-group-${index}`)];
    const cookies = new Map<string, string>();
    await entered(browser, slug, newSubject({ groups }), cookies);
    const { logout_url: there } = await browser.ask<{ logout_url: string }>('DELETE', '/session');
    const { searchParams } = new URL(there);
    assert.deepEqual([...searchParams.keys()].toSorted(), ['client_id', 'post_logout_redirect_uri']);
    assert.equal((await signedOut(cookies, there)).headers.get('location'), `${service.url}/`);
  });

  test('at the provider ends the sessions here', async () => {
    const { slug, owner } = await newTeam();
    const subject = newSubject();
    const cookies = new Map<string, string>();
    const [here, elsewhere] = [new Browser(service.url), new Browser(service.url)];
    const who = await entered(here, slug, subject, cookies);
    await entered(elsewhere, slug, subject);
    // The provider tells all clients of its session by itself.
    await signedOut(cookies, `${idp.issuer}/session/end`);
    assert.equal(await here.refused('GET', '/session'), '401 signed-out');
    assert.equal(await elsewhere.refused('GET', '/session'), '200 undefined', 'of another session there');
    const { entries } = await owner.ask<{ entries: { action: string }[] }>(
      'GET',
      `/audit?kind=people&object=${who.person.id}`,
    );
    assert.equal(entries[0]!.action, 'signed out by provider');
  });
});

const cookieOf = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

describe('a provider of the operator', () => {
  test('makes operators and people of the accounts that its rules name', async () => {
    await addPerson(service, 'chief', 'operator', null);
    const chief = await signedIn(service, 'chief');
    const shop = await service.addAccount({ username: 'shop' }, 0);
    idp.addClient('house', {
      redirect_uris: [`${service.url}/sign-in/house/callback`],
      require_auth_time: true,
    });
    const given = {
      slug: 'house',
      name: 'House',
      issuer: idp.issuer,
      client_id: 'house',
      client_secret: 'secret-of-house',
      rules: [
        { claim: 'groups', value: 'ops', role: 'operator' },
        { claim: 'groups', value: 'senders', role: 'sender', account: 'shop' },
      ],
    };
    const path = '/operator/sign-in-providers';
    const none = { ...given, rules: [{ ...given.rules[0], account: 'nobody' }] };
    assert.equal(await chief.refused('POST', path, none), '404 unknown-user');
    const mixed = { ...given, rules: [{ ...given.rules[0], account: 'shop' }] };
    assert.equal(await chief.refused('POST', path, mixed), '400 bad-field');
    const { account: _, ...unnamed } = given.rules[1]!;
    assert.equal(await chief.refused('POST', path, { ...given, rules: [unnamed] }), '400 bad-field');
    const { id } = await chief.ask<Provider>('POST', path, given);
    assert.deepEqual(await new Browser(service.url).ask('GET', '/session/providers'), {
      providers: [{ slug: 'house', name: 'House' }],
    });
    const operator = await entered(new Browser(service.url), 'house', newSubject({ groups: ['ops'] }));
    assert.deepEqual([operator.role, operator.account], ['operator', null]);
    const subject = newSubject();
    const sender = await entered(new Browser(service.url), 'house', subject);
    assert.deepEqual([sender.role, sender.account!.username], ['sender', 'shop']);
    // A person stays where they are: who becomes an operator there is not one here.
    idp.people.set(subject, { groups: ['ops'] });
    assert.equal(await refusal(new Browser(service.url), 'house', subject), '403 not-allowed');
    assert.equal((await people.find(shop.id, Number(sender.person.id)))!.role, 'sender');
    await chief.ask('PATCH', `${path}/${id}`, { listed: false });
    assert.deepEqual(await new Browser(service.url).ask('GET', '/session/providers'), { providers: [] });
  });

  test('counts for the doctor when it confirms second factors, as passkeys do', async () => {
    await addPerson(service, 'doctor', 'operator', null);
    const doctor = await signedIn(service, 'doctor');
    const { providers } = await doctor.ask<{ providers: Provider[] }>('GET', '/operator/sign-in-providers');
    const { id } = providers.find(({ slug }) => slug === 'house')!;
    const browser = new Browser(service.url);
    const subject = newSubject({ groups: ['ops'] });
    await entered(browser, 'house', subject);
    // The others who came by it are none of this test.
    await service.sql`
      UPDATE people SET suspended = true WHERE account_id IS NULL AND username NOT IN ('doctor', ${`${subject}@acme.example`})`;
    const findings = () =>
      peopleCheck.run({ appContext: service.appContext, dnsServer: undefined }).then(([finding]) => finding!);
    const without = await findings();
    assert.deepEqual([without.state, without.found], ['warn', 'operators with a second factor: 0 of 2']);
    await doctor.ask('PATCH', `/operator/sign-in-providers/${id}`, { second_factor_values: ['mfa'] });
    assert.equal(
      (await findings()).found,
      'operators with a second factor: 1 of 2, 1 of them by their sign-in provider',
    );
    await entered(browser, 'house', subject);
    const key = new SoftAuthenticator(`http://localhost:${new URL(service.url).port}`);
    const { options } = await browser.ask<PasskeyOptions>('POST', '/session/passkeys/options', {});
    await browser.ask('POST', '/session/passkeys', { name: 'Key', credential: key.create(options) });
    assert.equal((await findings()).found, 'operators with a second factor: 1 of 2');
    await service.appContext.people.rules.change(null, { secondFactorRequired: true }, async () => {});
    const required = await findings();
    await service.appContext.people.rules.change(null, { secondFactorRequired: false }, async () => {});
    assert.deepEqual(
      [required.state, required.found],
      ['ok', 'operators with a second factor: 1 of 2; the others have to set one up when they sign in'],
    );
    await service.sql`UPDATE people SET suspended = false WHERE account_id IS NULL`;
  });

  test('leads mail domains to providers, of accounts too', async () => {
    await addPerson(service, 'domains', 'operator', null);
    const operator = await signedIn(service, 'domains');
    const { owner, provider, account, slug } = await newTeam();
    const domains = { domains: ['Acme-Mail.example'] };
    const path = `/sign-in-providers/${provider.id}`;
    assert.equal(await owner.refused('PATCH', path, domains), '403 not-allowed');
    const changed = await operator.ask<Provider>('PATCH', `${path}?username=${account.username}`, domains);
    assert.deepEqual(changed.domains, ['acme-mail.example']);
    const url = new URL(await begin(new Browser(service.url), { email: 'nobody@ACME-mail.example' }));
    assert.equal(url.searchParams.get('client_id'), slug);
    const unknown = { email: 'dana@elsewhere.example' };
    assert.equal(
      await new Browser(service.url).refused('POST', '/session/provider', unknown),
      '404 not-found',
    );
    const other = await newTeam();
    assert.equal(
      await operator.refused(
        'PATCH',
        `/sign-in-providers/${other.provider.id}?username=${other.account.username}`,
        domains,
      ),
      '400 bad-field',
    );
  });
});
