import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addPerson, Browser, lockOut, PASSWORD, signedIn } from '../../support/console.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

interface Entry {
  id: string;
  at: string;
  person: { id: string; username: string } | null;
  token_id: string | null;
  address: string | null;
  action: string;
  object: { kind: string | null; id: string | null };
  status: number;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}
interface Page {
  entries: Entry[];
  next: string | null;
}

const service = await startTestService({ settings: { TRUST_PROXY: 'loopback' } });
const { people } = service.appContext;
const boss = await addPerson(service, 'boss', 'owner', service.demo.id);
const browser = await signedIn(service, 'boss', { 'x-forwarded-for': '198.51.100.7' });

const log = (query = '') => browser.ask<Page>('GET', `/audit${query}`);
const latest = async () => (await log('?limit=1')).entries[0]!;

describe('every change is in the log', () => {
  test('of a person, with what was before and after', async () => {
    const before = Date.now();
    const { id } = await addPerson(service, 'rafi', 'viewer', service.demo.id);
    await browser.ask('PATCH', `/people/${id}`, { role: 'sender' });
    const entry = await latest();
    assert.deepEqual(
      { ...entry, id: '', at: '' },
      {
        id: '',
        at: '',
        person: { id: String(boss.id), username: 'boss' },
        system_user: null,
        token_id: null,
        address: '198.51.100.7',
        action: 'PATCH /v1/people/:id',
        object: { kind: 'people', id: String(id) },
        status: 200,
        before: { name: 'rafi', role: 'viewer', suspended: false },
        after: { name: 'rafi', role: 'sender', suspended: false },
      },
    );
    assert.ok(Date.parse(entry.at) >= before - 1 && Date.parse(entry.at) <= Date.now() + 100);
  });

  test('of a token, by a route that does nothing for it', async () => {
    const answer = await service.call('json', 'newCL', {
      cl: { name: 'list', destinations: { destination: [{ phone: '0501234567' }] } },
    });
    const list = (answer.fields.identifiers as string[])[0]!;
    await json(v1(service.url, DEMO_TOKEN).post(`/contact-lists/${list}/export`), 202);
    // The end of the export has an entry of its own, which would be counted by a test after this one.
    await waitFor('the end of the export', async () => {
      const { entries } = await log();
      return entries.some(({ object }) => object.kind === 'exports');
    });
    const entry = (await log(`?object=${list}`)).entries[0]!;
    const [{ id: tokenId }] = await service.sql<[{ id: number }]>`
      SELECT id FROM tokens WHERE account_id = ${service.demo.id}`;
    assert.deepEqual(
      [entry.action, entry.object, entry.status, entry.person, entry.token_id, entry.address],
      [
        'POST /v1/contact-lists/:id/export',
        { kind: 'contact-lists', id: list },
        202,
        null,
        String(tokenId),
        '127.0.0.1',
      ],
    );
  });

  test('that was refused is listed too, and a reverted one once', async () => {
    await browser.refused('PATCH', '/people/1', { name: 'x' });
    assert.deepEqual([(await latest()).action, (await latest()).status], ['PATCH /v1/people/:id', 404]);
    await addPerson(service, 'looks', 'viewer', service.demo.id);
    const viewer = await signedIn(service, 'looks');
    await viewer.refused('POST', '/people', {});
    assert.deepEqual(
      [(await latest()).person?.username, (await latest()).action, (await latest()).status],
      ['looks', 'POST /v1/people', 403],
    );
    const only = await service.addAccount({ username: 'only' });
    const last = await addPerson(service, 'last-owner', 'owner', only.id);
    const owner = await signedIn(service, 'last-owner');
    await owner.refused('PATCH', `/people/${last.id}`, { role: 'viewer' });
    const { entries } = await owner.ask<Page>('GET', '/audit');
    assert.deepEqual(
      entries.map(({ action, status }) => [action, status]),
      [
        ['PATCH /v1/people/:id', 409],
        ['POST /v1/session', 200],
      ],
    );
  });

  test('of sessions: signing in, in vain too, and out', async () => {
    const gila = await addPerson(service, 'gila', 'viewer', service.demo.id);
    const visitor = new Browser(service.url);
    await visitor.signIn('gila', 'wrong');
    await visitor.signIn('gila');
    await visitor.ask('DELETE', '/session');
    const { entries } = await log(`?person=${gila.id}`);
    assert.deepEqual(
      entries.map(({ action, status, person }) => [action, status, person?.username]),
      [
        ['DELETE /v1/session', 200, 'gila'],
        ['POST /v1/session', 200, 'gila'],
        ['POST /v1/session', 401, 'gila'],
      ],
    );
  });

  test('and nothing that was only read, came from nobody, or was too fast; of failures the first ones', async () => {
    const count = async () =>
      (await service.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM audit_log`)[0]!.n;
    const before = await count();
    await browser.ask('GET', '/people');
    await browser.refused('POST', '/nothing', {});
    await new Browser(service.url).refused('POST', '/people', {});
    await v1(service.url, 'wrong').post('/imports/1/cancel');
    assert.equal(await count(), before);
    await new Browser(service.url).signIn('not-anybody', 'wrong');
    assert.equal(await count(), before + 1, 'a user name that nobody has');
    const { id } = await addPerson(service, 'hurried', 'viewer', service.demo.id);
    let failures = 0;
    await lockOut(service, async () => {
      const body = { username: 'hurried', password: 'wrong' };
      const answer = await new Browser(service.url).call('POST', '/session', body);
      if (answer.status === 401) failures += 1;
      return answer;
    });
    // The first five, and then round counts.
    const noted = failures < 10 ? 5 : 6;
    assert.equal((await log(`?person=${id}`)).entries.length, noted);
    assert.equal(await count(), before + 1 + noted);
  });

  test('has no secret in it, whatever it was about', async () => {
    const added = await browser.ask<{ person: { id: string }; link: { token: string } }>('POST', '/people', {
      username: 'secretive',
      name: 'S',
      role: 'viewer',
    });
    const visitor = new Browser(service.url);
    await visitor.ask('POST', '/session/password-link', { token: added.link.token, password: PASSWORD });
    await visitor.signIn('secretive');
    const { secret } = await visitor.ask<{ secret: string }>('POST', '/session/second-factor', {
      password: PASSWORD,
    });
    await visitor.ask('POST', '/session/password', { current: PASSWORD, password: 'another password' });
    const rows = JSON.stringify(await service.sql`SELECT * FROM audit_log`);
    for (const hidden of [added.link.token, PASSWORD, 'another password', secret, visitor.cookie!]) {
      assert.ok(!rows.includes(hidden));
    }
    const id = service.appContext.ids.next();
    await people.audit.write({
      accountId: service.demo.id,
      action: 'test',
      status: 200,
      id,
      after: { name: 'x', token: 'shown', inner: [{ api_secret: 'shown', kept: 1 }], codes: ['shown'] },
    });
    const { after } = (await log(`?object=${id}`)).entries[0]!;
    assert.deepEqual(after, { name: 'x', inner: [{ kept: 1 }] });
  });
});

describe('the log', () => {
  test('comes page by page, the latest first, each entry once', async () => {
    const all = (await log()).entries;
    assert.ok(all.length > 10);
    assert.deepEqual(
      all.map(({ id }) => Number(id)).toSorted((one, other) => other - one),
      all.map(({ id }) => Number(id)),
    );
    const found: Entry[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: Page = await log(`?limit=3&after=${next}`);
      found.push(...page.entries);
      next = page.next;
    }
    assert.deepEqual(found, all);
  });

  test('is searched by person, thing and time', async () => {
    const all = (await log()).entries;
    const { id } = (await people.people.byUsername('rafi'))!;
    const about = (await log(`?kind=people&object=${id}`)).entries;
    assert.deepEqual(
      about,
      all.filter(({ object }) => object.kind === 'people' && object.id === String(id)),
    );
    assert.ok(about.length > 0);
    const middle = all[5]!.at;
    const since = (await log(`?from=${middle}`)).entries;
    const until = (await log(`?to=${middle}`)).entries;
    assert.deepEqual([...since, ...until], all);
    assert.ok(since.length > 0 && until.length > 0);
    for (const wrong of ['?person=x', '?from=yesterday', '?after=x', '?limit=0']) {
      assert.equal(await browser.refused('GET', `/audit${wrong}`), '400 bad-field', wrong);
    }
  });

  test("is the account's own; what an operator does for it is in it, the rest is the operator's", async () => {
    await addPerson(service, 'op', 'operator', null);
    const operator = await signedIn(service, 'op');
    await operator.ask('POST', '/operator/people', { username: 'op2', name: 'Two' });
    const { id } = (await people.people.byUsername('rafi'))!;
    await operator.ask('PATCH', `/people/${id}?username=demo`, { role: 'viewer' });
    assert.equal((await latest()).person?.username, 'op');
    const { entries } = await operator.ask<Page>('GET', '/operator/audit');
    assert.deepEqual(
      entries.map(({ action }) => action),
      // The last one is the attempt with a user name that nobody has.
      ['POST /v1/operator/people', 'POST /v1/session', 'POST /v1/session'],
    );
    const other = await service.addAccount({ username: 'other' });
    await addPerson(service, 'others', 'owner', other.id);
    const stranger = await signedIn(service, 'others');
    const theirs = await stranger.ask<Page>('GET', '/audit');
    assert.deepEqual(
      theirs.entries.map(({ person }) => person?.username),
      ['others'],
    );
    assert.equal(await stranger.refused('GET', '/audit?username=demo'), '403 wrong-account');
  });

  test('is kept in partitions by time', async () => {
    const [row] = await service.sql<{ name: string }[]>`
      SELECT tableoid::regclass::text AS name FROM audit_log LIMIT 1`;
    // With the number of its shard where the database is distributed.
    assert.match(row!.name, /^audit_log_\d{4}_\d{2}(_\d+)?$/);
  });
});
