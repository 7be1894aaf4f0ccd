import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson } from '../../api/v1/calls.ts';
import { json, v1 } from '../../api/v1/support.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { jpeg, pdf, png, svg, webp } from '../media/samples.ts';

/* Pictures of emails and logos: uploaded by accounts, read by everybody. */

const service = await startTestService();
const api = v1(service.url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', service.demo.id);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

interface Uploaded {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly mime_type: string;
  readonly size: number;
}

const upload = (content: Buffer, name = 'logo.png', status = 200) =>
  json<Uploaded>(api.post(`/pictures?name=${name}`, content), status);
const listed = async () => (await json<{ pictures: Uploaded[] }>(api.get('/pictures'))).pictures;

test('an uploaded picture is at a public address, with its own type, for a year', async () => {
  for (const [content, type] of [
    [png, 'image/png'],
    [jpeg(), 'image/jpeg'],
    [gif, 'image/gif'],
  ] as const) {
    const picture = await upload(content);
    assert.deepEqual([picture.mime_type, picture.size, picture.name], [type, content.length, 'logo.png']);
    assert.ok(picture.url.startsWith(`${service.url}/pictures/`));
    const read = await fetch(picture.url);
    assert.equal(read.status, 200);
    assert.equal(read.headers.get('content-type'), type);
    assert.equal(read.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.match(read.headers.get('cache-control')!, /immutable/);
    assert.ok(Buffer.from(await read.arrayBuffer()).equals(content));
    const again = await fetch(picture.url, { headers: { 'if-none-match': read.headers.get('etag')! } });
    assert.equal(again.status, 304);
  }
});

test('other files are refused by their content, and leave nothing', async () => {
  const before = await listed();
  for (const [content, reason] of [
    [svg, 'picture-type'],
    [pdf, 'picture-type'],
    [webp, 'picture-type'],
    [Buffer.alloc(0), 'missing'],
  ] as const) {
    const { error } = await json<{ error: { code: string; field: string; reason: string } }>(
      api.post('/pictures?name=a.png', content),
      400,
    );
    assert.deepEqual([error.code, error.field, error.reason], ['bad-field', 'file', reason]);
  }
  const large = await json<{ error: { code: string } }>(
    api.post('/pictures', Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)])),
    413,
  );
  assert.equal(large.error.code, 'too-large');
  assert.deepEqual(await listed(), before);
  const [left] = await service.sql`SELECT FROM pictures WHERE NOT stored`;
  assert.equal(left, undefined);
});

test('pictures are listed by pages, the latest first', async () => {
  const uploads = [
    await upload(png, 'one.png'),
    await upload(png, 'two.png'),
    await upload(png, 'three.png'),
  ];
  const names: string[] = [];
  let next: string | null = '';
  do {
    const page: { pictures: Uploaded[]; next: string | null } = await json(
      api.get(`/pictures?limit=2&after=${next}`),
    );
    names.push(...page.pictures.map(({ name }) => name));
    next = page.next;
  } while (next !== null);
  assert.deepEqual(names.slice(0, uploads.length), ['three.png', 'two.png', 'one.png']);
  assert.equal(names.length, (await listed()).length);
});

test('a picture counts in the budget of files', async () => {
  const held = async () => {
    const { budgets } = await owner.get<{ budgets: { budget: string; bytes: number }[] }>('/budgets');
    return budgets.find(({ budget }) => budget === 'files')!.bytes;
  };
  const before = await held();
  await upload(png);
  assert.equal((await held()) - before, png.length);
});

// The budget of server/modules/pictures/pictures.ts.
test('a picture over the budget of files is refused, and leaves nothing', async () => {
  const operator = await asPerson(service, 'operator', null);
  const path = `/operator/accounts/${service.demo.id}/budgets`;
  await operator.call('PATCH', path, { budget: 'files', bytes: 1 });
  const { error } = await json<{ error: { code: string } }>(api.post('/pictures', png), 429);
  assert.equal(error.code, 'over-budget');
  await operator.call('PATCH', path, { budget: 'files', bytes: null });
  const [left] = await service.sql`SELECT FROM pictures WHERE NOT stored`;
  assert.equal(left, undefined);
});

test('a deleted picture is gone from its address, and as the logo', async () => {
  const picture = await upload(png);
  const { logo_url: logo } = await owner.call<{ logo_url: string }>('PATCH', '/account', {
    logo_picture_id: picture.id,
  });
  assert.equal(logo, picture.url);
  assert.equal((await fetch(picture.url)).status, 200);
  await owner.call('DELETE', `/pictures/${picture.id}`);
  // Also for proxies of email programs, which request it for each reader.
  for (let read = 0; read <= 60; read++) {
    const gone = await fetch(picture.url);
    assert.deepEqual([gone.status, gone.headers.get('cache-control')], [404, 'no-store']);
  }
  const account = await owner.get<{ logo_url: string | null }>('/account');
  assert.equal(account.logo_url, null);
  await owner.call('DELETE', `/pictures/${picture.id}`, undefined, 404);
});

test('pictures are of their account', async () => {
  const picture = await upload(png);
  const other = await service.appContext.accounts.create({ username: 'painter', name: 'Painter' });
  const stranger = await asPerson(service, 'owner', other.id);
  assert.deepEqual(await stranger.get('/pictures'), { pictures: [], next: null });
  await stranger.call('DELETE', `/pictures/${picture.id}`, undefined, 404);
  const { error } = await stranger.call<{ error: { code: string; field: string } }>(
    'PATCH',
    '/account',
    { logo_picture_id: picture.id },
    400,
  );
  assert.deepEqual([error.code, error.field], ['bad-field', 'logo_picture_id']);
  assert.equal((await fetch(picture.url)).status, 200);
});

test('a change of the logo keeps the time zone, and a change of the zone the logo', async () => {
  const picture = await upload(png);
  await owner.call('PATCH', '/account', { time_zone: 'Asia/Jerusalem', logo_picture_id: picture.id });
  const changed = await owner.call<{ time_zone: string; logo_url: string }>('PATCH', '/account', {
    time_zone: 'Europe/Paris',
  });
  assert.deepEqual([changed.time_zone, changed.logo_url], ['Europe/Paris', picture.url]);
  const removed = await owner.call<{ time_zone: string; logo_url: null }>('PATCH', '/account', {
    logo_picture_id: null,
  });
  assert.deepEqual([removed.time_zone, removed.logo_url], ['Europe/Paris', null]);
});
