import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestLog } from '../../../server/api/requests/request-log.ts';
import { onePlacement } from '../../../server/database/placements.ts';
import { hashPassword } from '../../../server/modules/passwords/hashes.ts';
import { newPhone } from '../../support/phones.ts';
import { loggedRequest } from '../../support/requests.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, type Calls, withToken } from './calls.ts';

interface Row {
  readonly id: string;
  readonly at: string;
  readonly api: string;
  readonly operation: string;
  readonly status: string;
  readonly refused: boolean;
  readonly http_status: number;
  readonly duration_ms: number;
  readonly address: string;
  readonly request_id: string;
}
interface Page {
  readonly requests: Row[];
  readonly next: string | null;
}

const PASSWORD = 'a walk along the river';
const service = await startTestService();
const { url, sql } = service;

/** The page of a query once it has so many rows; the requests for it are in the log themselves. */
const rowsOf = (calls: Calls, query: string, count: number) =>
  waitFor(`${count} rows of ${query}`, async () => {
    const { requests } = await calls.get<Page>(`/request-log${query}`);
    return requests.length >= count && requests;
  });

test('requests of all APIs are found, with their results and without their content', async () => {
  const account = await service.addAccount({ username: 'logged' });
  const calls = withToken(url, account.token);
  const text = 'words that nobody else reads';
  const phone = newPhone();
  const sms = (message: string, path = '/api') =>
    service.call(
      'json',
      'sms',
      { user: { username: 'logged' }, source: 'Shop', destinations: { phone }, message },
      { token: account.token, path },
    );
  await sms(text);
  await sms(text, '/api/test');
  await sms('');
  const chat = await fetch(`${url}/chat-api/get-phone-templates/972559999999`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  await chat.arrayBuffer();
  const refusedChat = await fetch(`${url}/chat-api/send-template-message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}` },
    body: '{}',
  });
  await refusedChat.arrayBuffer();
  await calls.get('/contact-lists');
  await calls.get('/contact-lists/1', 404);

  const rows = (await rowsOf(calls, '?limit=50', 7)).toReversed().slice(0, 7);
  assert.deepEqual(
    rows.map(({ api, operation, refused, http_status }) => [api, operation, refused, http_status]),
    [
      ['sms', 'sms', false, 200],
      ['sms', 'test/sms', false, 200],
      ['sms', 'sms', true, 200],
      ['chat', 'get-phone-templates', false, chat.status],
      ['chat', 'send-template-message', true, 200],
      ['v1', 'listContactLists', false, 200],
      ['v1', 'showContactList', true, 404],
    ],
  );
  assert.deepEqual([rows[0]!.status, rows[5]!.status, rows[6]!.status], ['0', 'ok', 'unknown-list']);
  assert.ok(Number(rows[2]!.status) > 0);
  for (const row of rows) {
    assert.equal(row.address, '127.0.0.1');
    assert.match(row.request_id, /^[0-9a-f-]{36}$/);
    assert.ok(row.duration_ms > 0);
    assert.ok(Math.abs(Date.parse(row.at) - Date.now()) < 600_000);
  }
  const stored = JSON.stringify(await sql`SELECT * FROM request_log WHERE account_id = ${account.id}`);
  for (const secret of [text, phone, phone.slice(1), account.token]) assert.ok(!stored.includes(secret));
});

test('requests of the mailing-list API are found, signing in by password among them', async () => {
  const account = await service.addAccount({
    username: 'mailer',
    passwordHash: await hashPassword(PASSWORD),
    passwordSignIn: true,
  });
  const mail = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${url}/api/Mailer/${path}`, {
      method: 'POST',
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { Token?: string };
  };
  const { Token: token } = await mail('token', { siteID: 'mailer', password: PASSWORD });
  await mail('CreateMalingList', { IsNewList: true, NewListName: 'A secret name' }, token);
  await mail('CreateMalingList', {}, token);

  const calls = withToken(url, account.token);
  const rows = await rowsOf(calls, '?api=mail', 3);
  assert.deepEqual(
    rows
      .toReversed()
      .map(({ operation, status, refused, http_status }) => [operation, status, refused, http_status]),
    [
      ['token', 'ok', false, 200],
      ['CreateMalingList', 'ok', false, 200],
      ['CreateMalingList', 'bad-field', true, 200],
    ],
  );
  const stored = JSON.stringify(await sql`SELECT * FROM request_log WHERE account_id = ${account.id}`);
  for (const secret of [PASSWORD, token!, 'A secret name']) assert.ok(!stored.includes(secret));
});

test('filters and pages', async () => {
  const account = await service.addAccount({ username: 'filtered' });
  const calls = withToken(url, account.token);
  for (let more = 0; more < 5; more++) await calls.get('/contact-lists');
  await calls.get('/contact-lists/1', 404);
  await service.call('json', 'balance', { user: { username: 'filtered' } }, { token: account.token });
  await rowsOf(calls, '?api=sms', 1);

  const lists = await rowsOf(calls, '?operation=listContactLists', 5);
  assert.equal(lists.length, 5);
  assert.deepEqual(
    lists.map(({ id }) => id),
    lists.map(({ id }) => id).toSorted((one, other) => Number(other) - Number(one)),
  );
  const [refused] = await rowsOf(calls, '?refused=true', 1);
  assert.equal(refused!.status, 'unknown-list');
  assert.deepEqual(await rowsOf(calls, '?status=unknown-list', 1), [refused]);
  assert.deepEqual(await rowsOf(calls, `?request_id=${refused!.request_id}`, 1), [refused]);
  const [sms] = await rowsOf(calls, '?api=sms', 1);
  assert.equal(sms!.operation, 'balance');
  const between = `?from=${lists[4]!.at}&to=${encodeURIComponent(lists[0]!.at)}&operation=listContactLists`;
  assert.ok((await rowsOf(calls, between, 0)).every(({ at }) => at < lists[0]!.at));

  const found: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Page = await calls.get(`/request-log?operation=listContactLists&limit=2&after=${next}`);
    found.push(...page.requests.map(({ id }) => id));
    next = page.next;
  }
  assert.deepEqual(
    found,
    lists.map(({ id }) => id),
  );
});

test('what is no filter is refused', async () => {
  const calls = withToken(url, DEMO_TOKEN);
  for (const [query, field] of [
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?after=x', 'after'],
    ['?api=post', 'api'],
    ['?refused=1', 'refused'],
    ['?from=yesterday', 'from'],
    ['?to=2026-01-01', 'to'],
  ]) {
    assert.deepEqual(await calls.refused('GET', `/request-log${query}`), ['bad-field', field, 400], query);
  }
});

test('another account sees none of it; a request without a token, or of a person, is nobody’s', async () => {
  const account = await service.addAccount({ username: 'alone' });
  const stranger = await service.addAccount({ username: 'stranger' });
  const calls = withToken(url, account.token);
  await calls.get('/contact-lists');
  await withToken(url, 'no such token').get('/contact-lists', 401);
  const person = await asPerson(service, 'viewer', account.id);
  await person.get('/contact-lists');
  const rows = await rowsOf(calls, '?operation=listContactLists', 1);
  assert.equal(rows.length, 1);
  assert.deepEqual(await person.get(`/request-log?request_id=${rows[0]!.request_id}`), {
    requests: rows,
    next: null,
  });
  const others = await withToken(url, stranger.token).get<Page>('/request-log?operation=listContactLists');
  assert.deepEqual(others.requests, []);
});

test('what a parent does for its subscriber is in its own log', async () => {
  const parent = await service.addAccount({ username: 'parent' });
  const child = await service.addAccount({ username: 'child', parentId: parent.id });
  await withToken(url, parent.token).get('/contact-lists?username=child');
  await rowsOf(withToken(url, parent.token), '?operation=listContactLists', 1);
  const own = await withToken(url, child.token).get<Page>('/request-log?operation=listContactLists');
  assert.deepEqual(own.requests, []);
});

test('many are written together, and while the database does not take them, they are dropped', async () => {
  const { appContext } = service;
  const statements: number[] = [];
  let isAway = false;
  const asyncCommitSql = new Proxy(appContext.database.asyncCommitSql, {
    apply(target, self, given) {
      if (isAway) return Promise.reject(new Error('away'));
      statements.push(1);
      return Reflect.apply(target, self, given);
    },
  });
  const log = new RequestLog({ ...appContext, placements: onePlacement, sql, asyncCommitSql });
  const { id: accountId } = await service.addAccount({ username: 'busy' });
  const request = loggedRequest(accountId);
  for (let more = 0; more < 1_500; more++) log.add(request);
  await log.stop();
  assert.equal(statements.length, 1);
  isAway = true;
  log.add(request);
  await log.stop();
  isAway = false;
  log.add(request);
  await log.stop();
  const [row] = await sql`SELECT count(*)::int AS count FROM request_log WHERE account_id = ${accountId}`;
  assert.equal(row!.count, 1_501);
});
