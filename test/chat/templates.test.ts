import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ChatPlatformClient } from '../../server/carriers/chat-platform/client.ts';
import type { TemplateContent } from '../../server/carriers/chat-platform/templates.ts';
import { isUsable, type Template } from '../../server/channels/chat/templates.ts';
import { Refusal } from '../../server/errors.ts';
import { createFencedAgent } from '../../server/http/ssrf-guard.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  BUSINESS,
  draft,
  PHONE,
  type Room,
  review,
  runTemplates,
  startRoom,
  startServer,
  TOKEN,
} from './template-support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const submission = `POST /v26.0/${BUSINESS}/message_templates`;

const refused = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};
const statusesOf = (room: Room, { templateId }: Pick<Template, 'templateId'>) =>
  room
    .events()
    .filter(({ template_id }) => template_id === templateId)
    .map(({ status }) => status);
const submitted = (room: Room) => room.front.requests.filter((line) => line === submission).length;
const leftToSubmit = async ({ sql }: Room) =>
  (await sql<{ uncertain: boolean }[]>`SELECT uncertain FROM chat_template_submissions`).map(
    ({ uncertain }) => uncertain,
  );

/** Waits until this many events of a template have come. */
const eventsOf = (room: Room, template: Template, count: number) =>
  waitFor(`${count} events`, () => statusesOf(room, template).length >= count);

test('a template is made, submitted, reviewed and told of', async (t) => {
  const room = await startRoom(t);
  const made = await room.templates.create(room.number, draft('on_its_way', {}, '1'));
  assert.match(made.templateId, new RegExp(`^1_${PHONE}_[a-z0-9]+$`));
  assert.equal(made.language, 'he');
  assert.equal(made.phone, PHONE);
  const [there] = room.platform.account(TOKEN).templates.all;
  assert.deepEqual([there!.name, there!.language, there!.category], ['on_its_way', 'he', 'UTILITY']);
  const approved = await room.status(made, 1);
  assert.equal(approved.platformId, there!.id);
  assert.deepEqual(await room.history(made), [0, 1]);
  await eventsOf(room, made, 1);
  assert.deepEqual(
    room
      .events()
      .map(({ template_id, name, language, status, reason }) => [
        template_id,
        name,
        language,
        status,
        reason,
      ]),
    [[made.templateId, 'on_its_way', 'he', 1, '']],
  );
  const found = (await room.templates.find(room.account.id, made.templateId))!;
  assert.equal(isUsable(found, room.clock.now()), true);
  assert.equal(await room.templates.find(room.account.id + 1, made.templateId), undefined);
  assert.deepEqual(await leftToSubmit(room), []);
  assert.deepEqual(
    (await room.templates.list(room.account.id, PHONE)).map(({ templateId }) => templateId),
    [made.templateId],
  );
});

test('what a review comes to is told by its events', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: MINUTE });
  for (const [name, statuses, usable] of [
    ['order_reject', [0, 2], false],
    ['order_policy', [0, 3], false],
    ['order_spam', [0, 4], false],
    ['order_unknown', [0, 5], false],
    ['order_pause', [0, 1, 6], false],
    ['order_disable', [0, 1, 7], false],
    ['order_flag', [0, 1, 10], true],
    ['order_unflag', [0, 1, 10, 11], true],
  ] as const) {
    const made = await room.templates.create(room.number, draft(name));
    await waitFor('the reviews', async () => {
      room.clock.advance(MINUTE);
      return (await room.history(made)).length === statuses.length;
    });
    assert.deepEqual(await room.history(made), statuses, name);
    const reviewed = await room.status(made, statuses.at(-1)!);
    assert.equal(isUsable(reviewed, room.clock.now()), usable, name);
  }
  const [rejected] = await room.templates.list(room.account.id);
  assert.equal(rejected!.statusReason, 'INVALID_FORMAT');
});

test('a pause ends after six hours, also when nobody says so', async (t) => {
  const room = await startRoom(t);
  const made = await room.templates.create(room.number, draft('order_pause'));
  const paused = await room.status(made, 6);
  assert.equal(isUsable(paused, paused.statusAt + 6 * HOUR - 1), false);
  assert.equal(isUsable(paused, paused.statusAt + 6 * HOUR), true);
  room.clock.advance(6 * HOUR);
  await room.status(made, 1);
});

test('reviews come twice and in any order, and statuses only go on in time', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const made = await room.templates.create(room.number, draft('order'));
  const { accountId, id, platformId } = made;
  assert.notEqual(platformId, null);
  const start = made.createdAt;
  const tell = (event: string, status: 0 | 1 | 2 | 6 | 7 | 9, seconds: number, reason?: string) =>
    room.templates.applyReview(review(made, event, status, start + seconds * 1_000, reason));
  const now = async () => (await room.templates.byRowId(accountId, id))!;

  await tell('PAUSED', 6, 30);
  await tell('APPROVED', 1, 10);
  assert.equal((await now()).status, 6);
  assert.deepEqual(await room.history(made), [0, 1, 6]);
  await tell('PAUSED', 6, 30);
  await tell('APPROVED', 1, 10);
  assert.deepEqual(await room.history(made), [0, 1, 6]);

  await tell('APPROVED', 1, 40);
  await tell('REJECTED', 2, 50, 'TAG_CONTENT_MISMATCH');
  const rejected = await now();
  assert.deepEqual([rejected.status, rejected.statusReason], [2, 'TAG_CONTENT_MISMATCH']);
  // Told again as it is: nothing new.
  await tell('REJECTED', 2, 60);
  assert.deepEqual(await room.history(made), [0, 1, 6, 1, 2]);

  // In one second the order of the events says nothing.
  await tell('DISABLED', 7, 70);
  await tell('APPROVED', 1, 70);
  assert.equal((await now()).status, 7);
  assert.deepEqual(await room.history(made), [0, 1, 6, 1, 2, 1, 7]);

  await tell('DELETED', 9, 80);
  await tell('DELETED', 9, 81);
  assert.deepEqual(await room.history(made), [0, 1, 6, 1, 2, 1, 7, 9]);
  await eventsOf(room, made, 5);
  assert.deepEqual(statusesOf(room, made), [6, 1, 2, 7, 9]);
});

test('a second pause holds for six hours of its own', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const made = await room.templates.create(room.number, draft('order'));
  for (const hours of [1, 4]) {
    await room.templates.applyReview(review(made, 'PAUSED', 6, made.createdAt + hours * HOUR));
  }
  const paused = await room.status(made, 6);
  assert.equal(paused.statusAt, Math.floor((made.createdAt + 4 * HOUR) / 1_000) * 1_000);
});

test('a platform whose clock is behind is understood', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const made = await room.templates.create(room.number, draft('order'));
  await room.templates.applyReview(review(made, 'APPROVED', 1, made.createdAt - 5 * MINUTE));
  await room.templates.applyReview(review(made, 'APPROVED', 1, made.createdAt - 5 * MINUTE));
  assert.equal((await room.templates.byRowId(made.accountId, made.id))!.status, 1);
  assert.deepEqual(await room.history(made), [0, 1]);
});

test('a review of two processes at once is taken once', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const made = await room.templates.create(room.number, draft('order'));
  const fact = review(made, 'APPROVED', 1, made.createdAt + 1_000);
  const other = room.another();
  await Promise.all([
    room.templates.applyReview(fact),
    other.applyReview(fact),
    room.templates.applyReview(fact),
  ]);
  assert.deepEqual(await room.history(made), [0, 1]);
});

test('the review of a business account that is not ours is left out', async (t) => {
  const room = await startRoom(t);
  const fact = review({ platformId: '1', name: 'order', language: 'en' }, 'APPROVED', 1, room.clock.now());
  await room.templates.applyReview({ ...fact, accountId: '999' });
  assert.equal((await room.templates.list(room.account.id)).length, 0);
});

test('a review that comes before the answer to the submission is not lost', async (t) => {
  const room = await startRoom(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
  const making = room.templates.create(room.number, draft('order_reject'));
  await waitFor('the review', () => room.platform.account(TOKEN).templates.all[0]?.status === 'REJECTED');
  await waitFor('its webhook', () => room.platform.idle);
  await runTemplates(room.templates);
  const [waiting] = await room.templates.list(room.account.id);
  assert.deepEqual(
    [waiting!.status, waiting!.platformId],
    [0, null],
    'it may be of another template of this name',
  );
  resolve();
  const made = await making;
  assert.equal(made.platformId, room.platform.account(TOKEN).templates.all[0]!.id);
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  assert.deepEqual(await room.history(made), [0, 2]);
  assert.equal((await room.templates.list(room.account.id)).length, 1);
  assert.deepEqual(await leftToSubmit(room), []);
});

test('while the platform is away a template waits, and is submitted when it is back', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: 5_000 });
  room.front.treat = () => 'away';
  const made = await room.templates.create(room.number, draft('order'));
  assert.deepEqual([made.status, made.platformId], [0, null]);
  assert.deepEqual([...(await room.templates.waiting(room.account.id))], [[made.id, 'HTTP 503']]);
  await runTemplates(room.templates);
  assert.equal(submitted(room), 1, 'not before its pause is over');
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  assert.equal(submitted(room), 2, 'the second pause is longer');
  room.front.treat = () => undefined;
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  assert.equal(submitted(room), 3);
  // Not sooner: a review that overtakes the answer has the templates fetched.
  room.clock.advance(5_000);
  await room.status(made, 1);
  assert.deepEqual(await leftToSubmit(room), []);
  assert.equal(
    room.front.requests.filter((line) => line.startsWith('GET') && line.includes('templates')).length,
    1,
  );
});

test('nobody listens at the platform', async (t) => {
  const room = await startRoom(t);
  const nowhere = await startServer(t, () => {});
  const platform = new ChatPlatformClient({
    baseUrl: nowhere,
    contactPage: 'https://carillon.example/',
    timeoutMs: 50,
  });
  t.after(() => platform.close());
  const made = await room.another({ platform }).create(room.number, draft('order'));
  assert.equal(made.status, 0);
  assert.deepEqual(await leftToSubmit(room), [true], 'no answer tells nothing');
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  await room.status(made, 1);
});

test('a submission whose answer was lost is not made twice', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.front.treat = ({ method }) => (method === 'POST' ? 'cut-answer' : undefined);
  const made = await room.templates.create(room.number, draft('order'));
  assert.equal(made.platformId, null);
  assert.deepEqual(await leftToSubmit(room), [true]);
  await assert.rejects(
    room.templates.remove(room.account.id, made.templateId),
    refused('not-now', /being submitted/),
  );
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  const known = (await room.templates.byRowId(made.accountId, made.id))!;
  assert.equal(known.platformId, room.platform.account(TOKEN).templates.all[0]!.id);
  assert.equal(known.status, 0);
  assert.equal(submitted(room), 1);
  assert.deepEqual(await leftToSubmit(room), []);
});

test('a submission of a process that died is taken up, and not made twice', async (t) => {
  const room = await startRoom(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
  const making = room.another().create(room.number, draft('order_reject'));
  await waitFor('the submission', () => room.platform.account(TOKEN).templates.all.length === 1);
  await runTemplates(room.templates);
  assert.deepEqual(await leftToSubmit(room), [true], 'it is leased');
  // What the passing of the lease would do.
  await room.sql`UPDATE chat_template_submissions SET lease_until = 0`;
  await runTemplates(room.templates);
  assert.deepEqual(await leftToSubmit(room), []);
  const [made] = await room.templates.list(room.account.id);
  await room.status(made!, 2);
  assert.equal(submitted(room), 1);
  // The dead one comes back to life: what it knows is nothing new.
  resolve();
  await making;
  assert.deepEqual(await room.history(made!), [0, 2]);
});

test('of two processes one submits', async (t) => {
  const room = await startRoom(t);
  room.front.treat = () => 'away';
  const made = await Promise.all(
    ['one', 'two', 'three'].map((name) => room.templates.create(room.number, draft(name))),
  );
  room.front.treat = () => undefined;
  room.clock.advance(5_000);
  const other = room.another();
  await Promise.all([runTemplates(room.templates), runTemplates(other), runTemplates(room.templates)]);
  for (const template of made) await room.status(template, 1);
  assert.equal(submitted(room), 6, 'each once while the platform was away, and once more');
  assert.equal(room.platform.account(TOKEN).templates.all.length, 3);
});

test('what the platform refuses at once is rejected, and its name is free again', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.elsewhere('order');
  const made = await room.templates.create(room.number, draft('order'));
  assert.deepEqual([made.status, made.platformId], [2, null]);
  assert.notEqual(made.statusReason, '');
  assert.deepEqual(await room.history(made), [0, 2]);
  assert.deepEqual(await leftToSubmit(room), []);
  room.platform.deleteTemplates(TOKEN, 'order', undefined);
  room.platform.change({ reviewDelayMs: 5 });
  const again = await room.templates.create(room.number, draft('order'));
  await room.status(again, 1);
  assert.notEqual(again.templateId, made.templateId);
});

test('the review of another template of the name, made elsewhere, is not taken for ours', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const other = room.elsewhere('order');
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
  const making = room.templates.create(room.number, draft('order'));
  await waitFor('the submission', () => submitted(room) === 1);
  const fact = review({ ...other, platformId: other.id }, 'APPROVED', 1, room.clock.now() + 1_000);
  await room.templates.applyReview(fact);
  await runTemplates(room.templates);
  resolve();
  const made = await making;
  assert.deepEqual([made.status, made.platformId], [2, null]);
  assert.deepEqual(await room.history(made), [0, 2]);
  await room.templates.sync(room.portfolio);
  const all = await room.templates.list(room.account.id);
  assert.deepEqual(
    all.map(({ status, platformId }) => [status, platformId]),
    [
      [2, null],
      [0, other.id],
    ],
  );
});

test('a name is taken once in a language, also by two requests at once', async (t) => {
  const room = await startRoom(t);
  const second = await room.addNumber('972550000008', '660078');
  const results = await Promise.allSettled([
    room.templates.create(room.number, draft('order')),
    room.templates.create(room.number, draft('order')),
    room.another().create(second, draft('order')),
  ]);
  const failures = results.filter((result) => result.status === 'rejected');
  assert.equal(failures.length, 2);
  for (const { reason } of failures) refused('bad-field', /^name: there is a template of this name/)(reason);
  await room.templates.create(room.number, draft('order', {}, 'he'));
  await assert.rejects(
    room.templates.create(second, draft('order', {}, '1')),
    refused('bad-field', /^name: /),
  );
  const waiting = { ...draft('waiting') };
  room.front.treat = () => 'away';
  await room.templates.create(room.number, waiting);
  await assert.rejects(room.templates.create(room.number, waiting), refused('bad-field', /^name: /));
});

test('what a check refuses is neither stored nor submitted', async (t) => {
  const room = await startRoom(t);
  await assert.rejects(
    room.templates.create(room.number, draft('order', { body: '{{2}}', bodySamples: ['a'] })),
    refused('bad-field', /^body: /),
  );
  assert.equal((await room.templates.list(room.account.id)).length, 0);
  assert.deepEqual(room.front.requests, []);
});

const picture = Buffer.from('a picture');

async function startPictures(
  t: TestContext,
  answers: Readonly<Record<string, [status: number, type: string]>>,
) {
  const asked: string[] = [];
  const url = await startServer(t, (request, response) => {
    asked.push(request.url!);
    const [status, type] = answers[request.url!] ?? [404, 'text/html'];
    response.writeHead(status, { 'content-type': type }).end(request.url === '/empty.jpg' ? '' : picture);
  });
  return { url, asked };
}

test('the example of a media header is fetched and uploaded', async (t) => {
  const room = await startRoom(t);
  const { url } = await startPictures(t, {
    '/a.jpg': [200, 'image/jpeg'],
    '/film.mp4': [200, 'application/octet-stream'],
    '/paper': [200, 'application/pdf; charset=x'],
  });
  for (const [kind, path, type] of [
    ['image', '/a.jpg', 'image/jpeg'],
    ['video', '/film.mp4', 'video/mp4'],
    ['document', '/paper', 'application/pdf'],
  ] as const) {
    const made = await room.templates.create(
      room.number,
      draft(kind, { header: { kind, sample: url + path } }),
    );
    await room.status(made, 1);
    const listed = room.platform.account(TOKEN).templates.get(made.platformId!)!;
    const [header] = listed.components as { example: { header_handle: string[] } }[];
    const answer = await fetch(header!.example.header_handle[0]!.replace(/^http:\/\/[^/]+/, room.front.url));
    assert.equal(answer.headers.get('content-type'), type);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
  }
});

test('a template is changed on the platform, with a new example, and reviewed anew', async (t) => {
  const room = await startRoom(t);
  const { url } = await startPictures(t, { '/a.jpg': [200, 'image/jpeg'] });
  const made = await room.templates.create(room.number, draft('season'));
  await assert.rejects(
    room.templates.edit(room.account.id, made.templateId, draft('season', { body: 'Too soon.' })),
    refused('not-now', /^the template cannot be changed in this state$/),
  );
  await room.status(made, 1);
  const header: TemplateContent['header'] = { kind: 'image', sample: `${url}/a.jpg` };
  const changed = await room.templates.edit(
    room.account.id,
    made.templateId,
    draft('season', { header, body: 'Summer is here.' }),
  );
  assert.deepEqual(
    [changed!.status, changed!.content.body, changed!.content.header],
    [0, 'Summer is here.', header],
  );
  const there = room.platform.account(TOKEN).templates.get(changed!.platformId!)!;
  const [shown, body] = there.components as { format?: string; text?: string }[];
  assert.deepEqual([shown!.format, body!.text], ['IMAGE', 'Summer is here.']);
  await assert.rejects(
    room.templates.edit(
      room.account.id,
      made.templateId,
      draft('season', { header: { kind: 'image', sample: `${url}/b.jpg` } }),
    ),
    refused('not-now', /^the template cannot be changed/),
  );
  assert.equal(await room.templates.edit(room.account.id, 'none', draft('season')), undefined);
});

test('an example that cannot be had refuses the template', async (t) => {
  const room = await startRoom(t);
  const { url } = await startPictures(t, {
    '/page.jpg': [200, 'text/html'],
    '/film.jpg': [200, 'video/mp4'],
    '/empty.jpg': [200, 'image/jpeg'],
    '/busy.jpg': [503, 'image/jpeg'],
  });
  for (const [path, problem] of [
    ['/page.jpg', /^header.sample: the example is text\/html and not image\/jpeg or image\/png$/],
    ['/film.jpg', /^header.sample: the example is video\/mp4 and not/],
    ['/empty.jpg', /^header.sample: the example is empty$/],
    ['/missing.jpg', /^header.sample: the address of the example answers with HTTP 404$/],
    ['/busy.jpg', /^header.sample: the address of the example answers with HTTP 503$/],
  ] as const) {
    const header: TemplateContent['header'] = { kind: 'image', sample: url + path };
    await assert.rejects(
      room.templates.create(room.number, draft('order', { header })),
      refused('bad-field', problem),
    );
  }
  const large = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5 * 1_048_576 + 1));
  });
  const header: TemplateContent['header'] = { kind: 'image', sample: `${large}/a.png` };
  await assert.rejects(
    room.templates.create(room.number, draft('order', { header })),
    refused('bad-field', /^header.sample: the example is over 5 MB$/),
  );
  const gone: TemplateContent['header'] = { kind: 'image', sample: 'http://127.0.0.1:1/a.png' };
  await assert.rejects(
    room.templates.create(room.number, draft('order', { header: gone })),
    refused('bad-field', /^header.sample: nothing answers/),
  );
  const media = createFencedAgent({ allowPrivate: false });
  t.after(() => media.close());
  await assert.rejects(
    room.another({ media }).create(room.number, draft('order', { header })),
    refused('bad-field', /^header.sample: .* private or reserved address/),
  );
  await assert.rejects(
    room.another({ appId: '' }).create(room.number, draft('order', { header })),
    refused('not-now', /CHAT_APP_ID/),
  );
  assert.equal((await room.templates.list(room.account.id)).length, 0);
});

test('an example is fetched again when the platform was away, and given up after a day', async (t) => {
  const room = await startRoom(t);
  const answers: Record<string, [number, string]> = { '/a.jpg': [200, 'image/jpeg'] };
  const { url, asked } = await startPictures(t, answers);
  const header: TemplateContent['header'] = { kind: 'image', sample: `${url}/a.jpg` };
  room.front.treat = () => 'away';
  const made = await room.templates.create(room.number, draft('order', { header }));
  assert.deepEqual(asked, ['/a.jpg'], 'once for the check and the submission');
  assert.deepEqual(await leftToSubmit(room), [false]);
  room.front.treat = () => undefined;
  answers['/a.jpg'] = [503, 'image/jpeg'];
  room.clock.advance(5_000);
  await runTemplates(room.templates);
  assert.match((await room.templates.waiting(room.account.id)).get(made.id)!, /HTTP 503/);
  room.clock.advance(24 * HOUR);
  await runTemplates(room.templates);
  const rejected = (await room.templates.byRowId(made.accountId, made.id))!;
  assert.deepEqual([rejected.status, rejected.platformId], [2, null]);
  assert.match(rejected.statusReason, /HTTP 503/);
});

test('a template is deleted here and on the platform, for every number', async (t) => {
  const room = await startRoom(t);
  const made = await room.templates.create(room.number, draft('order'));
  await room.status(made, 1);
  await room.addNumber('972550000008', '660078');
  await room.templates.sync(room.portfolio);
  const [, copy] = await room.templates.list(room.account.id);
  assert.equal(copy!.phone, '972550000008');
  const removed = (await room.templates.remove(room.account.id, copy!.templateId))!;
  assert.deepEqual([removed.templateId, removed.status], [copy!.templateId, 9]);
  assert.deepEqual(room.platform.account(TOKEN).templates.all, []);
  for (const template of [made, copy!]) {
    assert.equal((await room.templates.find(room.account.id, template.templateId))!.status, 9);
    await eventsOf(room, template, 1);
    assert.equal(statusesOf(room, template).at(-1), 9);
  }
  await waitFor('the webhook', () => room.platform.idle);
  assert.deepEqual(await room.history(made), [0, 1, 9]);
  assert.equal((await room.templates.remove(room.account.id, made.templateId))!.status, 9);
  assert.equal(await room.templates.remove(room.account.id, '1_972550000007_none'), undefined);
  assert.equal(await room.templates.remove(room.account.id + 1, made.templateId), undefined);
  await room.status(await room.templates.create(room.number, draft('order')), 1);
});

test('a template is not deleted while the platform is away or refuses, and is when it is gone there', async (t) => {
  const room = await startRoom(t);
  const made = await room.templates.create(room.number, draft('order'));
  await room.status(made, 1);
  const remove = () => room.templates.remove(room.account.id, made.templateId);
  room.front.treat = () => 'away';
  await assert.rejects(remove(), refused('try-again', /does not answer/));
  room.front.treat = () => undefined;
  const { deleteTemplates } = room.platform;
  room.platform.deleteTemplates = (token) => deleteTemplates.call(room.platform, token, 'another', undefined);
  await assert.rejects(remove(), refused('not-now', /^the platform refuses: /));
  assert.deepEqual(await room.history(made), [0, 1]);
  room.platform.notifier.callbackUrl = undefined;
  deleteTemplates.call(room.platform, TOKEN, 'order', undefined);
  assert.equal((await remove())!.status, 9);
});

test('a template that never was submitted is taken back', async (t) => {
  const room = await startRoom(t);
  room.front.treat = () => 'away';
  const made = await room.templates.create(room.number, draft('order'));
  assert.equal((await room.templates.remove(room.account.id, made.templateId))!.status, 9);
  room.front.treat = () => undefined;
  room.clock.advance(HOUR);
  await runTemplates(room.another({ syncEveryMs: 100 * HOUR }));
  assert.deepEqual(room.platform.account(TOKEN).templates.all, []);
  assert.deepEqual(await room.history(made), [0, 9]);
});

test('templates that were made elsewhere are fetched, for each number, with what changed', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const mine = await room.templates.create(room.number, draft('mine'));
  const one = room.elsewhere('one', [
    { type: 'BODY', text: 'Hello {{1}}.', example: { body_text: [['Dana']] } },
    { type: 'FOOTER', text: 'Shop' },
  ]);
  room.elsewhere('carousel', [
    { type: 'BODY', text: 'a' },
    { type: 'CAROUSEL', cards: [] },
  ]);
  await room.addNumber('972550000008', '660078');
  assert.deepEqual(await room.templates.sync(room.portfolio), {
    found: 3,
    added: 3,
    changed: 0,
    unsupported: ['carousel'],
  });
  const all = await room.templates.list(room.account.id);
  assert.deepEqual(
    all.map(({ name, phone }) => `${name} ${phone}`).toSorted(),
    [`mine ${PHONE}`, 'mine 972550000008', `one ${PHONE}`, 'one 972550000008'].toSorted(),
  );
  const found = all.find(({ name, phone }) => name === 'one' && phone === PHONE)!;
  assert.deepEqual(found.content, {
    ...draft('one').content,
    body: 'Hello {{1}}.',
    bodySamples: ['Dana'],
    footer: 'Shop',
  });
  assert.match(found.templateId, new RegExp(`^1_${PHONE}_[a-z0-9]+$`));
  assert.deepEqual([found.status, found.platformId, found.language], [0, one.id, 'en']);
  assert.deepEqual(await room.history(found), [0]);
  assert.deepEqual(await room.templates.sync(room.portfolio), {
    found: 3,
    added: 0,
    changed: 0,
    unsupported: ['carousel'],
  });
  assert.equal((await room.templates.list(room.account.id)).length, 4);
  assert.deepEqual(room.events(), [], 'what is found is no change');

  // Without webhooks: only the list tells.
  room.platform.notifier.callbackUrl = undefined;
  const store = room.platform.account(TOKEN).templates;
  store.setStatus(one.id, 'APPROVED', 'NONE');
  store.delete('mine', undefined);
  room.clock.advance(1_000);
  assert.equal((await room.templates.sync(room.portfolio)).changed, 4);
  assert.equal((await room.templates.byRowId(found.accountId, found.id))!.status, 1);
  assert.equal((await room.templates.byRowId(mine.accountId, mine.id))!.status, 9);
  await eventsOf(room, mine, 1);
  assert.deepEqual(statusesOf(room, mine), [9]);
  await eventsOf(room, found, 1);
  assert.deepEqual(statusesOf(room, found), [1]);
});

test('a template that was edited elsewhere has its new text', async (t) => {
  const room = await startRoom(t);
  const made = await room.templates.create(room.number, draft('order'));
  await room.status(made, 1);
  const store = room.platform.account(TOKEN).templates;
  const there = store.get(made.platformId!)!;
  store.delete('order', undefined);
  store.add({
    ...there,
    status: 'APPROVED',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Another.\0' }],
  });
  await room.templates.sync(room.portfolio);
  const edited = (await room.templates.find(room.account.id, made.templateId))!;
  assert.deepEqual([edited.content.body, edited.category, edited.status], ['Another.', 'MARKETING', 1]);
});

test('a flag is not lost by the list, which has no word for it, and a pause not prolonged', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: MINUTE });
  const flagged = await room.templates.create(room.number, draft('order_flag'));
  await waitFor('the flag', async () => {
    room.clock.advance(MINUTE);
    return (await room.templates.byRowId(flagged.accountId, flagged.id))!.status === 10;
  });
  room.platform.change({ reviewDelayMs: 5 });
  const paused = await room.templates.create(room.number, draft('order_pause'));
  const before = await room.status(paused, 6);
  room.clock.advance(HOUR);
  assert.equal((await room.templates.sync(room.portfolio)).changed, 0);
  assert.equal((await room.templates.byRowId(flagged.accountId, flagged.id))!.status, 10);
  assert.equal((await room.templates.byRowId(paused.accountId, paused.id))!.statusAt, before.statusAt);
});

test('a list that was asked for before a review does not undo it', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  const made = await room.templates.create(room.number, draft('order'));
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = () => promise;
  const syncing = room.templates.sync(room.portfolio);
  await waitFor('the list to be asked for', () => room.front.requests.at(-1)?.startsWith('GET'));
  room.clock.advance(2_000);
  await room.templates.applyReview(review(made, 'APPROVED', 1, room.clock.now()));
  room.front.treat = () => undefined;
  const late = await room.templates.create(room.number, draft('late'));
  resolve();
  assert.equal((await syncing).changed, 0);
  assert.equal((await room.templates.byRowId(made.accountId, made.id))!.status, 1);
  assert.equal(
    (await room.templates.byRowId(late.accountId, late.id))!.status,
    0,
    'submitted after the list: not gone',
  );
});

test('a template whose submission is not settled is known by the list', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.front.treat = ({ method }) => (method === 'POST' ? 'cut-answer' : undefined);
  const made = await room.templates.create(room.number, draft('order'));
  assert.deepEqual(await room.templates.sync(room.portfolio), {
    found: 1,
    added: 0,
    changed: 0,
    unsupported: [],
  });
  assert.deepEqual(await leftToSubmit(room), []);
  const known = (await room.templates.byRowId(made.accountId, made.id))!;
  assert.equal(known.platformId, room.platform.account(TOKEN).templates.all[0]!.id);
});

test('the review of a template that was made elsewhere brings it here', async (t) => {
  const room = await startRoom(t);
  await runTemplates(room.templates);
  const before = room.front.requests.length;
  await runTemplates(room.templates);
  assert.equal(room.front.requests.length, before, 'nothing is due');
  room.elsewhere('one');
  await waitFor('the template', async () => {
    await runTemplates(room.templates);
    return (await room.templates.list(room.account.id)).some(
      ({ name, status }) => name === 'one' && status === 1,
    );
  });
});

test('templates are fetched on a schedule, by one process', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.elsewhere('one');
  const other = room.another();
  await Promise.all([
    runTemplates(room.templates),
    runTemplates(other),
    runTemplates(room.templates),
    runTemplates(other),
  ]);
  const lists = () => room.front.requests.filter((line) => line.startsWith('GET')).length;
  assert.equal(lists(), 1);
  assert.equal((await room.templates.list(room.account.id)).length, 1);
  room.clock.advance(HOUR - MINUTE);
  await runTemplates(room.templates);
  assert.equal(lists(), 1);
  room.clock.advance(MINUTE);
  await Promise.all([runTemplates(room.templates), runTemplates(other)]);
  assert.equal(lists(), 2);
});

test('templates are fetched for a number that is added, also by another process', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.elsewhere('one');
  const other = room.another();
  await runTemplates(other);
  await room.addNumber('972550000008', '660078');
  await runTemplates(other);
  const all = await room.templates.list(room.account.id);
  assert.deepEqual(
    all.map(({ phone, name }) => `${name} ${phone}`),
    [`one ${PHONE}`, 'one 972550000008'],
  );
});

test('of two who fetch at once one is told to wait', async (t) => {
  const room = await startRoom(t);
  room.elsewhere('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = () => promise;
  const first = room.templates.sync(room.portfolio);
  await waitFor('the list to be asked for', () => room.front.requests.length === 1);
  await assert.rejects(room.another().sync(room.portfolio), refused('not-now', /being fetched already/));
  // The first one seems dead, and another one does its work: what it finds later is not stored a second time.
  room.front.treat = () => undefined;
  await room.sql`UPDATE chat_template_syncs SET lease_until = 0`;
  const other = room.another();
  await runTemplates(other);
  resolve();
  await assert.rejects(first, refused('not-now', /being fetched already/));
  assert.equal((await room.templates.list(room.account.id)).length, 1);
});

test('a platform that does not answer is asked again after a pause', async (t) => {
  const room = await startRoom(t, { reviewDelayMs: HOUR });
  room.elsewhere('one');
  room.front.treat = () => 'away';
  await assert.rejects(room.templates.sync(room.portfolio), refused('try-again', /does not answer/));
  await runTemplates(room.templates);
  assert.equal(room.front.requests.length, 1);
  room.front.treat = () => undefined;
  room.clock.advance(MINUTE);
  await runTemplates(room.templates);
  assert.equal((await room.templates.list(room.account.id)).length, 1);
});

test('a stop does not wait for a platform that does not answer', async (t) => {
  const room = await startRoom(t);
  room.front.treat = () => new Promise(() => {});
  const process = room.another();
  const making = process.create(room.number, draft('order'));
  const running = runTemplates(process);
  await waitFor('both requests', () => room.front.requests.length === 2);
  await process.stop();
  await running;
  assert.equal((await making).status, 0);
  assert.deepEqual(await leftToSubmit(room), [true]);
  room.front.treat = () => undefined;
  room.clock.advance(MINUTE);
  await runTemplates(room.templates);
  assert.deepEqual(await leftToSubmit(room), []);
  assert.equal(submitted(room), 1);
});

test('a process that starts alone takes up at once what another left', async (t) => {
  const room = await startRoom(t);
  room.elsewhere('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  room.front.treat = ({ method }) => (method === 'GET' ? promise : 'away');
  const dead = room.another();
  const syncing = dead.sync(room.portfolio);
  const made = await room.templates.create(room.number, draft('order'));
  await room.sql`UPDATE chat_template_submissions SET lease_until = ${Number.MAX_SAFE_INTEGER}, due_at = 0`;
  await waitFor('the list to be asked for', () => room.front.requests.some((line) => line.startsWith('GET')));
  room.front.treat = () => undefined;
  await runTemplates(room.templates);
  assert.deepEqual(await leftToSubmit(room), [false]);
  await room.templates.releaseAll();
  await runTemplates(room.templates);
  await room.status(made, 1);
  assert.equal((await room.templates.list(room.account.id)).length, 2);
  resolve();
  await assert.rejects(syncing, refused('not-now', /already/));
});
