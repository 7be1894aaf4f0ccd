import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { enforceAccess } from '../../../server/api/access.ts';
import { SendKeys } from '../../../server/api/send-keys/send-keys.ts';
import { bind } from '../../../server/api/v1/kit/route.ts';
import { v1Api } from '../../../server/api/v1/plugin.ts';
import { openProviders } from '../../../server/modules/people/providers/open.ts';
import { IDLE_MS, LIFE_MS } from '../../../server/modules/people/sessions.ts';
import { sessionRoutes } from '../../../server/modules/people/v1/session.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/console.ts';
import { DEMO_PASSWORD, DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { v1 } from './support.ts';

const service = await startTestService();
const { people } = service.appContext;
const dana = await addPerson(service, 'dana', 'owner', service.demo.id);

const passwordOf = async (id: number) =>
  (await service.sql<{ password_hash: string }[]>`SELECT password_hash FROM people WHERE id = ${id}`)[0]!
    .password_hash;

describe('signing in', () => {
  test('with a user name in any case and a password begins a session, which says who it is', async () => {
    const browser = new Browser(service.url);
    const answer = await browser.call('POST', '/session', { username: 'DANA', password: PASSWORD });
    assert.equal(answer.status, 200);
    assert.match(
      answer.headers.getSetCookie()[0]!,
      /^carillon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const { session, code_wanted: wanted } = (await answer.json()) as {
      session: Record<string, unknown>;
      code_wanted: boolean;
    };
    assert.equal(wanted, false);
    assert.deepEqual(
      { ...session, expires_at: '', proof_seconds: 0 },
      {
        person: { id: String(dana.id), username: 'dana', name: 'dana' },
        role: 'owner',
        account: { id: String(service.demo.id), username: 'demo', name: 'Demo', time_zone: null },
        language: null,
        theme: null,
        time_zone: null,
        default_time_zone: 'Asia/Jerusalem',
        simulated: true,
        second_factor: false,
        authenticator_app: false,
        has_password: true,
        second_factor_required: false,
        second_factor_pending: false,
        second_factor_by_provider: false,
        has_provider: false,
        proof_seconds: 0,
        proof_methods: ['password'],
        expires_at: '',
      },
    );
    assert.deepEqual(
      {
        ...(await browser.ask<Record<string, unknown>>('GET', '/session')),
        expires_at: '',
        proof_seconds: 0,
      },
      { ...session, expires_at: '', proof_seconds: 0 },
    );
  });

  test('nothing but the digest of the token is kept', async () => {
    const browser = await signedIn(service, 'dana');
    const rows = await service.sql`SELECT encode(digest, 'escape') AS digest, agent, address FROM sessions`;
    assert.ok(!JSON.stringify(rows).includes(browser.cookie!));
  });

  test('with what is wrong is refused, whoever it is, in the same words', async () => {
    await addPerson(service, 'gone', 'viewer', service.demo.id);
    const gone = await people.people.byUsername('gone');
    await people.people.change(service.demo.id, gone!.id, { suspended: true });
    await people.people.add({
      accountId: service.demo.id,
      username: 'invited',
      name: 'Invited',
      role: 'viewer',
    });
    const answers = new Set<string>();
    for (const [username, password] of [
      ['dana', 'wrong'],
      ['nobody-at-all', PASSWORD],
      ['gone', PASSWORD],
      ['invited', ''.padEnd(12)],
    ]) {
      const answer = await new Browser(service.url).call('POST', '/session', { username, password });
      answers.add(`${answer.status} ${await answer.text()}`);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.equal(answers.size, 1);
    assert.match([...answers][0]!, /^401 .*signed-out/);
  });

  test('an invalid body is refused with its field', async () => {
    const browser = new Browser(service.url);
    for (const [body, field] of [
      [{ username: 'dana' }, 'password'],
      [{ password: 'x' }, 'username'],
      [{ username: ['dana'], password: 'x' }, 'username'],
      [{ username: 'dana', password: 'x'.repeat(501) }, 'password'],
    ] as const) {
      const { error } = await browser.ask<{ error: { field: string } }>('POST', '/session', body, 400);
      assert.equal(error.field, field);
    }
  });

  test('again ends the session that the browser had', async () => {
    const browser = await signedIn(service, 'dana');
    const before = browser.cookie!;
    assert.equal(await browser.signIn('dana'), '200');
    assert.notEqual(browser.cookie, before);
    browser.cookie = before;
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  });

  test('the cookie is for https alone when the service is', async () => {
    const app = fastify();
    app.decorate('https', true);
    const { appContext } = service;
    const signInProviders = openProviders({
      ...appContext,
      pageBase: () => 'https://carillon.example',
      allowPrivate: false,
    });
    enforceAccess(app, { aliases: new Map(), rules: {} });
    app.register(v1Api, {
      routes: bind(sessionRoutes, {
        ...appContext,
        defaultZone: 'Asia/Jerusalem',
        sandbox: undefined,
        pageBase: () => 'https://carillon.example',
        signInProviders,
      }),
      signIn: appContext,
      sendKeys: new SendKeys({ ...appContext, sql: service.sql }),
      log: appContext.log,
      accountLimit: 0,
      addressLimit: 0,
    });
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/session',
      headers: { 'x-carillon-csrf': '1' },
      body: { username: 'dana', password: PASSWORD },
    });
    const [session, device] = [answer.headers['set-cookie']].flat();
    assert.match(String(session), /^__Host-carillon_session=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    assert.match(
      String(device),
      /^__Host-carillon_device=.*; Path=\/; HttpOnly; SameSite=Strict; .*; Secure$/,
    );
    await app.close();
  });

  test('the sandbox has the owner demo, and an operator without the password of the demo account', async () => {
    const browser = new Browser(service.url);
    assert.equal(await browser.signIn('demo', DEMO_PASSWORD), '200');
    const who = await browser.ask<{ role: string; account: { username: string } | null }>('GET', '/session');
    assert.deepEqual([who.role, who.account?.username], ['owner', 'demo']);
    assert.equal(await new Browser(service.url).signIn('operator', DEMO_PASSWORD), '401 signed-out');
  });

  test('an address that the account does not allow is refused for its people, too', async () => {
    const guarded = await service.addAccount({ username: 'fenced', addresses: ['192.0.2.0/24'] });
    await addPerson(service, 'outside', 'owner', guarded.id);
    const browser = await signedIn(service, 'outside');
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  });
});

describe('a session', () => {
  test('ends when it is signed out of, for good', async () => {
    const browser = await signedIn(service, 'dana');
    const { cookie } = browser;
    const answer = await browser.call('DELETE', '/session');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('set-cookie')!, /^carillon_session=; .*Max-Age=0/);
    browser.cookie = cookie;
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  });

  test('is required: without a cookie or with an invented one access is refused', async () => {
    const browser = new Browser(service.url);
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    browser.cookie = 'x'.repeat(43);
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
    browser.cookie = "'; DROP TABLE sessions; --";
    assert.equal(await browser.refused('GET', '/session'), '401 signed-out');
  });

  test('is shown with the others of the person, and can be ended from there', async () => {
    const lena = await addPerson(service, 'lena', 'viewer', service.demo.id);
    const [here, there, elsewhere] = [
      await signedIn(service, 'lena'),
      await signedIn(service, 'lena', { 'user-agent': 'a phone' }),
      await signedIn(service, 'lena'),
    ];
    type List = { sessions: { id: string; current: boolean; agent: string; address: string }[] };
    const list = async () => (await here.ask<List>('GET', '/session/sessions')).sessions;
    assert.deepEqual(
      (await list()).map(({ current, agent, address }) => [current, agent, address]).toSorted(),
      [
        [false, 'a browser of tests', '127.0.0.1'],
        [false, 'a phone', '127.0.0.1'],
        [true, 'a browser of tests', '127.0.0.1'],
      ],
    );
    const phone = (await list()).find(({ agent }) => agent === 'a phone')!;
    const stranger = await signedIn(service, 'dana');
    assert.equal(await stranger.refused('DELETE', `/session/sessions/${phone.id}`), '404 not-found');
    await here.ask('DELETE', `/session/sessions/${phone.id}`);
    assert.equal(await here.refused('DELETE', `/session/sessions/${phone.id}`), '404 not-found');
    assert.equal(await there.refused('GET', '/session'), '401 signed-out');
    assert.deepEqual(await here.ask('DELETE', '/session/sessions'), { ended: 1 });
    assert.equal(await elsewhere.refused('GET', '/session'), '401 signed-out');
    assert.equal((await list()).length, 1);
    await people.people.change(service.demo.id, lena.id, { suspended: true });
    assert.equal(await here.refused('GET', '/session'), '401 signed-out');
    await people.people.change(service.demo.id, lena.id, { suspended: false });
    assert.equal(await here.refused('GET', '/session'), '401 signed-out', 'what has ended stays so');
  });

  test('keeps what the person prefers', async () => {
    await addPerson(service, 'prefers', 'viewer', service.demo.id);
    const browser = await signedIn(service, 'prefers');
    const chosen = { language: 'he', theme: 'dark', name: 'Noa', time_zone: 'Asia/Tokyo' };
    await browser.ask('PATCH', '/session', chosen);
    await browser.ask('PATCH', '/session', { theme: null });
    const again = await signedIn(service, 'prefers');
    const { person, ...who } = await again.ask<{ person: { name: string } } & Record<string, unknown>>(
      'GET',
      '/session',
    );
    assert.deepEqual(
      [person.name, who.language, who.theme, who.time_zone],
      ['Noa', 'he', null, 'Asia/Tokyo'],
    );
    for (const wrong of [{ language: 'fr' }, { theme: 'pink' }, { name: ' ' }, { time_zone: 'Mars/Base' }]) {
      assert.equal(await browser.refused('PATCH', '/session', wrong), '400 bad-field');
    }
  });
});

describe('the password', () => {
  test('is changed by who knows it, and then all sessions end but the one that asked', async () => {
    const rina = await addPerson(service, 'rina', 'sender', service.demo.id);
    const [here, there] = [await signedIn(service, 'rina'), await signedIn(service, 'rina')];
    const old = here.cookie;
    const change = (current: string, password: string) =>
      here.refused('POST', '/session/password', { current, password });
    const hash = await passwordOf(rina.id);
    assert.equal(await change('wrong', 'a new one of tests'), '403 wrong-password');
    assert.equal(await change(PASSWORD, 'short'), '400 bad-password');
    assert.equal(await change(PASSWORD, 'x'.repeat(201)), '400 bad-password');
    assert.equal(await passwordOf(rina.id), hash);
    assert.equal(await there.refused('GET', '/session'), '200 undefined');

    assert.equal(await change(PASSWORD, 'a new one of tests'), '200 undefined');
    assert.equal(await here.refused('GET', '/session'), '200 undefined');
    assert.notEqual(here.cookie, old);
    assert.equal(await there.refused('GET', '/session'), '401 signed-out');
    here.cookie = old;
    assert.equal(await here.refused('GET', '/session'), '401 signed-out');
    assert.equal(await here.signIn('rina'), '401 signed-out');
    assert.equal(await here.signIn('rina', 'a new one of tests'), '200');
  });

  test('is kept as argon2id, and is not the user name', async () => {
    const { id } = await addPerson(service, 'long-user-name', 'viewer', service.demo.id);
    const browser = await signedIn(service, 'long-user-name');
    await browser.ask('POST', '/session/password', { current: PASSWORD, password: 'chosen by themselves' });
    assert.match(await passwordOf(id), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(
      await browser.refused('POST', '/session/password', {
        current: 'chosen by themselves',
        password: 'Long-User-Name',
      }),
      '400 bad-password',
    );
  });
});

describe('a link to sign in', () => {
  const link = async () => (await people.links.make(service.sql, dana.id, 'sign-in')).token;
  const follow = (token: string) => new Browser(service.url).refused('POST', '/session/link', { token });

  test('works once, for an hour, and only the newest', async () => {
    const browser = new Browser(service.url);
    const token = await link();
    const who = await browser.ask<{ person: { username: string } }>('POST', '/session/link', { token });
    assert.equal(who.person.username, 'dana');
    assert.equal((await browser.ask<{ role: string }>('GET', '/session')).role, 'owner');
    assert.equal(await follow(token), '410 link-over');

    const replaced = await link();
    const newest = await link();
    assert.equal(await follow(replaced), '410 link-over');
    await service.advance(3_601);
    assert.equal(await follow(newest), '410 link-over');
    assert.equal(await follow('made-up'), '410 link-over');
  });

  test('that several people follow concurrently works for one of them', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow(token)));
    assert.equal(answers.filter((answer) => answer.startsWith('200')).length, 1);
  });

  test('sets no password', async () => {
    const token = await link();
    const browser = new Browser(service.url);
    const body = { token, password: 'a new one of tests' };
    assert.equal(await browser.refused('POST', '/session/password-link', body), '410 link-over');
  });
});

describe('changes by a session', () => {
  test('need the header that no other site can send; reading does not, nor do tokens', async () => {
    const browser = await signedIn(service, 'dana');
    const without = { 'x-carillon-csrf': '' };
    assert.equal((await browser.call('GET', '/session', undefined, without)).status, 200);
    for (const [method, path] of [
      ['PATCH', '/session'],
      ['DELETE', '/session'],
      ['POST', '/session/password'],
      ['POST', '/people'],
      ['POST', '/imports/1/cancel'],
    ] as const) {
      const body = method === 'DELETE' ? undefined : {};
      const answer = await browser.call(method, path, body, without);
      assert.equal(answer.status, 403, `${method} ${path}`);
    }
    for (const path of ['/session', '/session/link', '/session/password-link']) {
      const answer = await new Browser(service.url).call('POST', path, {}, without);
      assert.equal(answer.status, 403, path);
    }
    assert.equal((await browser.call('GET', '/session')).status, 200, 'nobody was signed out');
    const answer = await v1(service.url, DEMO_TOKEN).post('/imports/1/cancel');
    assert.equal(answer.status, 404);
  });

  test('a token goes before the cookie, and is not a person', async () => {
    const browser = await signedIn(service, 'dana');
    const authorization = 'Bearer wrong';
    assert.equal((await browser.call('GET', '/contact-lists', undefined, { authorization })).status, 401);
    const token = v1(service.url, DEMO_TOKEN);
    assert.equal((await token.get('/contact-lists')).status, 200);
    assert.equal((await token.get('/session')).status, 403);
    assert.equal((await token.post('/session/password', '{}')).status, 403);
  });

  test('the APIs of the sandbox accept sessions of its people, by the same rules', async () => {
    const browser = await signedIn(service, 'dana');
    assert.equal((await browser.call('GET', '/sandbox/phones/0501234567')).status, 200);
    const sms = { to: '0521111111', text: 'hello' };
    const path = '/sandbox/phones/0501234567/sms';
    assert.equal((await browser.call('POST', path, sms)).status, 200);
    assert.equal((await browser.call('POST', path, sms, { 'x-carillon-csrf': '' })).status, 403);
    await addPerson(service, 'looks', 'viewer', service.demo.id);
    const viewer = await signedIn(service, 'looks');
    assert.equal((await viewer.call('GET', '/sandbox/phones/0501234567')).status, 403);
    assert.equal((await viewer.call('POST', path, sms)).status, 403);
    const other = await service.addAccount({ username: 'not-the-demo' });
    await addPerson(service, 'not-of-demo', 'owner', other.id);
    const stranger = await signedIn(service, 'not-of-demo');
    assert.equal((await stranger.call('GET', '/sandbox/phones/0501234567')).status, 401);
  });
});

describe('time', () => {
  test('a session that nobody uses ends; one that is used ends some days after the sign-in', async () => {
    await addPerson(service, 'early', 'viewer', service.demo.id);
    const idle = await signedIn(service, 'early');
    const used = await signedIn(service, 'early');
    const step = IDLE_MS / 1_000 - 600;
    await service.advance(step);
    await used.ask('GET', '/session');
    await service.advance(step);
    assert.equal(await idle.refused('GET', '/session'), '401 signed-out');
    let lived = 2 * step;
    for (; (lived + step) * 1_000 < LIFE_MS; lived += step) {
      const { expires_at: until } = await used.ask<{ expires_at: string }>('GET', '/session');
      assert.ok(Date.parse(until) > service.appContext.clock.now());
      await service.advance(step);
    }
    const { sessions } = await used.ask<{ sessions: unknown[] }>('GET', '/session/sessions');
    assert.equal(sessions.length, 1);
    await service.advance(LIFE_MS / 1_000 - lived);
    assert.equal(await used.refused('GET', '/session'), '401 signed-out');

    await people.cleanUp();
    const rows = await service.sql`SELECT 1 FROM sessions`;
    assert.equal(rows.length, 0);
  });
});
