import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atLeast, type PersonRole, roles } from '../../../server/api/access/roles.ts';
import type { Document } from '../../../server/api/openapi/document.ts';
import { countEverything } from '../../support/books.ts';
import { addPerson, Browser, signedIn } from '../../support/console.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';

/*
 * Who may call which route, asked of every route that there is: what a role lets through is refused for another reason
 * (there is no thing with the id 1, the body is empty), or answered.
 */

const service = await startTestService();
const document = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as Document;
const operations = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replace('/v1', '').replace(/\{\w+\}/g, '1'),
      names: (methods[method]!.parameters ?? []).some(({ name }) => name === 'username'),
    })),
  )
  // One's own session, whatever the role is; calling all of it would sign out.
  .filter(({ path }) => path !== '/session' && !path.startsWith('/session/'));

const browsers = new Map<string, Browser>();
for (const role of roles) {
  await addPerson(service, `a-${role}`, role, service.demo.id);
  browsers.set(role, await signedIn(service, `a-${role}`));
}

/** Whether a role lets somebody call a route. */
async function mayCall(role: string, { method, path, names }: (typeof operations)[number]): Promise<boolean> {
  const there = role === 'operator' && names ? `${path}?username=demo` : path;
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answer = await browsers.get(role)!.call(method, there, body);
  if (answer.status !== 403) {
    await answer.body?.cancel();
    return true;
  }
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.equal(error.code, 'not-allowed');
  return !/^this is for (operators|the role [\w ]+)$/.test(error.message);
}

test('there are routes of every kind', () => {
  assert.ok(operations.length > 40, `${operations.length}`);
});

test('a viewer changes nothing, by no route', async () => {
  const before = await countEverything(service.sql);
  for (const operation of operations) {
    if (operation.method === 'GET') continue;
    const where = `${operation.method} ${operation.path}`;
    assert.equal(await mayCall('viewer', operation), false, where);
  }
  assert.deepEqual(await countEverything(service.sql), before);
});

test('what a role may call, those that include it may, too', async () => {
  for (const operation of operations) {
    const may: PersonRole[] = [];
    for (const role of roles) if (await mayCall(role, operation)) may.push(role);
    const where = `${operation.method} ${operation.path}`;
    for (const role of may) {
      assert.deepEqual(
        roles.filter((other) => atLeast(other, role) && !may.includes(other)),
        [],
        `${where}: ${may.join()}`,
      );
    }
    assert.ok(may.includes('operator'), where);
    if (operation.path.startsWith('/operator')) assert.deepEqual(may, ['operator'], where);
    if (/^\/(people|audit|tokens)\b/.test(operation.path))
      assert.deepEqual(may, ['owner', 'operator'], where);
  }
});

/** What agents may call beside their own session. */
const ofAgents =
  /^(\w+ \/conversations\b|GET \/(conversation-agents|conversation-senders|conversation-labels|saved-replies|live|chat\/templates)\b|POST \/saved-replies\/1\/use|\w+ \/media\b)/;

test('an agent sees and answers conversations, and nothing else', async () => {
  let mine = 0;
  for (const operation of operations) {
    const where = `${operation.method} ${operation.path}`;
    const may = await mayCall('agent', operation);
    assert.equal(may, ofAgents.test(where), where);
    if (may) mine += 1;
  }
  assert.ok(mine >= 4, `${mine}`);
  assert.equal(await browsers.get('agent')!.refused('GET', '/live?messages=1'), '403 not-allowed');
  assert.equal(await browsers.get('agent')!.refused('GET', '/live?shipments=1'), '403 not-allowed');
  const { status, body } = await browsers.get('agent')!.call('GET', '/live');
  await body?.cancel();
  assert.equal(status, 200);
});

test('a role includes itself and those below it, an agent no viewer', () => {
  const mayAll = (role: (typeof roles)[number]) => roles.filter((needed) => atLeast(role, needed));
  assert.deepEqual(Object.fromEntries(roles.map((role) => [role, mayAll(role)])), {
    agent: ['agent'],
    viewer: ['viewer'],
    sender: ['agent', 'viewer', 'sender'],
    owner: ['agent', 'viewer', 'sender', 'owner'],
    operator: ['agent', 'viewer', 'sender', 'owner', 'operator'],
  });
  assert.equal(atLeast('agent', ['viewer', 'agent']), true);
  assert.equal(atLeast('agent', []), false);
});

describe('without being signed in', () => {
  test('no route answers, also with a cookie that has ended', async () => {
    const ended = new Browser(service.url);
    ended.cookie = 'x'.repeat(43);
    for (const browser of [new Browser(service.url), ended]) {
      for (const { method, path } of operations) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const answer = await browser.call(method, path, body);
        await answer.body?.cancel();
        assert.equal(answer.status, 401, `${method} ${path}`);
      }
    }
  });

  test('not even whether there is a route', async () => {
    assert.equal(await new Browser(service.url).refused('GET', '/nothing'), '401 signed-out');
    assert.equal(await browsers.get('viewer')!.refused('GET', '/nothing'), '404 not-found');
    assert.equal(await browsers.get('owner')!.refused('POST', '/nothing', {}), '404 not-found');
  });
});

test('a session without the header changes nothing, by no route', async () => {
  for (const { method, path, names } of operations) {
    if (method === 'GET') continue;
    const there = names ? `${path}?username=demo` : path;
    const body = method === 'DELETE' ? undefined : {};
    const answer = await browsers.get('operator')!.call(method, there, body, { 'x-carillon-csrf': '' });
    const { error } = (await answer.json()) as { error: { message: string } };
    assert.deepEqual(
      [answer.status, error.message],
      [403, 'the header X-Carillon-CSRF: 1 is missing'],
      `${method} ${path}`,
    );
  }
});

test('a token reaches no people, whatever its scopes', async () => {
  const browser = new Browser(service.url, { authorization: `Bearer ${DEMO_TOKEN}`, 'x-carillon-csrf': '' });
  assert.equal(await browser.refused('GET', '/people'), '403 not-allowed');
  assert.equal(await browser.refused('GET', '/operator/people'), '403 not-allowed');
});
