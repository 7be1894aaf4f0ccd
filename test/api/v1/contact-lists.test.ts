import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { contactListsOf, type Job, json, v1 } from './support.ts';

const service = await startTestService();
const { api, newList, importFile } = contactListsOf(service);

interface Page {
  readonly contact_lists: { id: string; name: string; count: number }[];
}

test('lists of the account, page by page', covers('v1.lists'), async () => {
  const { token } = await service.addAccount({ username: 'pager' });
  const mine = v1(service.url, token);
  const answer = await service.call(
    'json',
    'newCL',
    {
      user: { username: 'pager' },
      cl: [{ name: 'a' }, { name: 'b', destinations: { destination: { phone: newPhone() } } }, { name: 'c' }],
    },
    { token },
  );
  assert.equal(answer.status, 0);
  const first = await json<Page>(mine.get('/contact-lists?limit=2'));
  assert.deepEqual(
    first.contact_lists.map(({ name, count }) => [name, count]),
    [
      ['a', 0],
      ['b', 1],
    ],
  );
  const rest = await json<Page>(mine.get(`/contact-lists?after=${first.contact_lists[1]!.id}`));
  assert.deepEqual(
    rest.contact_lists.map(({ name }) => name),
    ['c'],
  );
  for (const query of ['limit=501', 'limit=0', 'limit=x', 'after=x']) {
    const { error } = await json<{ error: { code: string; field: string } }>(
      mine.get(`/contact-lists?${query}`),
      400,
    );
    assert.deepEqual([error.code, error.field], ['bad-field', query.split('=')[0]]);
  }
});

test('without a token, with a wrong one, and with one of another account', covers('v1.token'), async () => {
  const list = await newList();
  const { id } = await importFile(list, '0507000051\n');
  const { id: exported } = await json<Job>(api.post(`/contact-lists/${list}/export`), 202);
  const { token } = await service.addAccount({ username: 'stranger' });
  const stranger = v1(service.url, token);
  assert.equal((await stranger.get('/contact-lists?username=demo')).status, 403);
  for (const [method, path, body] of [
    ['get', `/contact-lists/${list}`],
    ['get', `/contact-lists/${list}/export`],
    ['post', `/contact-lists/${list}/export`],
    ['post', `/contact-lists/${list}/import`, '0507000052\n'],
    ['get', `/imports/${id}`],
    ['get', `/imports/${id}/refused`],
    ['post', `/imports/${id}/stop`],
    ['get', `/exports/${exported}`],
    ['get', `/exports/${exported}/file`],
    ['post', `/exports/${exported}/stop`],
    // An id of one kind is none of the other.
    ['get', `/imports/${exported}`],
    ['get', `/exports/${id}`],
  ] as const) {
    assert.equal((await stranger[method](path, body)).status, 404, `${method} ${path}`);
    assert.equal((await v1(service.url, 'wrong')[method](path, body)).status, 401, `${method} ${path}`);
    const unsigned = await fetch(`${service.url}/v1${path}`, { method, body: body ?? null });
    assert.equal(unsigned.status, 401, `${method} ${path}`);
  }
  const own = await json<{ count: number }>(api.get(`/contact-lists/${list}`));
  assert.equal(own.count, 1);
});

test('a parent acts for its subscriber, and not the other way round', covers('v1.token'), async () => {
  const parent = await service.addAccount({ username: 'parent' });
  const child = await service.addAccount({ username: 'child', parentId: parent.id });
  const answer = await service.call(
    'json',
    'newCL',
    { user: { username: 'child' }, cl: { name: 'of the child' } },
    { token: child.token },
  );
  assert.equal(answer.status, 0);
  const seen = await json<Page>(v1(service.url, parent.token).get('/contact-lists?username=child'));
  assert.deepEqual(
    seen.contact_lists.map(({ name }) => name),
    ['of the child'],
  );
  const own = await json<Page>(v1(service.url, parent.token).get('/contact-lists'));
  assert.deepEqual(own.contact_lists, []);
  assert.equal((await v1(service.url, child.token).get('/contact-lists?username=parent')).status, 403);
});

test('paths and ids that do not exist', async () => {
  for (const path of [
    '/nothing',
    '/imports/1',
    '/imports/x',
    '/exports/99999999999999999',
    '/contact-lists/x',
  ]) {
    const { error } = await json<{ error: { code: string; message: string } }>(api.get(path), 404);
    assert.equal(error.code, 'not-found');
    assert.ok(error.message.length > 0);
  }
  const { error } = await json<{ error: { code: string } }>(api.get('/contact-lists/1'), 404);
  assert.equal(error.code, 'unknown-list');
  assert.equal((await api.post('/nothing')).status, 404);
});

test('a request that takes no body may have one, of any kind', async () => {
  const list = await newList();
  for (const [body, type] of [
    ['', 'application/json'],
    ['{', 'application/json'],
    ['<a/>', 'text/xml'],
    ['x', 'nothing'],
  ] as const) {
    const headers = { 'content-type': type };
    const { id } = await json<Job>(api.post(`/contact-lists/${list}/export`, body, headers), 202);
    await json<Job>(api.post(`/exports/${id}/stop`, body, headers));
  }
});
