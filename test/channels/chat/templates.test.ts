import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isUsable, type Template } from '../../../server/channels/chat/templates.ts';
import { endLeases } from '../../../server/database/leases.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import { createGuardedAgent } from '../../../server/kit/http/ssrf-guard.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  BUSINESS,
  draft,
  PHONE,
  review,
  runTemplates,
  startServer,
  startTemplates,
  type TemplatesUnderTest,
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
const statusesOf = (module: TemplatesUnderTest, { templateId }: Pick<Template, 'templateId'>) =>
  module
    .events()
    .filter(({ template_id }) => template_id === templateId)
    .map(({ status }) => status);
const submitted = (module: TemplatesUnderTest) =>
  module.front.requests.filter((line) => line === submission).length;
const leftToSubmit = async ({ sql }: TemplatesUnderTest) =>
  (await sql<{ uncertain: boolean }[]>`SELECT uncertain FROM chat_template_submissions`).map(
    ({ uncertain }) => uncertain,
  );

/** Waits until this many events of a template have come. */
const eventsOf = (module: TemplatesUnderTest, template: Template, count: number) =>
  waitFor(`${count} events`, () => statusesOf(module, template).length >= count);

test(
  'a template is created, submitted, reviewed and reported',
  covers('templateStatus.0', 'templateStatus.made'),
  async (t) => {
    const module = await startTemplates(t);
    const made = await module.templates.create(module.number, draft('on_its_way', {}, '1'));
    assert.match(made.templateId, new RegExp(`^1_${PHONE}_[a-z0-9]+$`));
    assert.equal(made.language, 'he');
    assert.equal(made.phone, PHONE);
    const [there] = module.platform.account(TOKEN).templates.all;
    assert.deepEqual([there!.name, there!.language, there!.category], ['on_its_way', 'he', 'UTILITY']);
    const approved = await module.status(made, 1);
    assert.equal(approved.platformId, there!.id);
    assert.deepEqual(await module.history(made), [0, 1]);
    await eventsOf(module, made, 1);
    assert.deepEqual(
      module
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
    const found = (await module.templates.find(module.account.id, made.templateId))!;
    assert.equal(isUsable(found, module.clock.now()), true);
    assert.equal(await module.templates.find(module.account.id + 1, made.templateId), undefined);
    assert.deepEqual(await leftToSubmit(module), []);
    assert.deepEqual(
      (await module.templates.list(module.account.id, PHONE)).map(({ templateId }) => templateId),
      [made.templateId],
    );
  },
);

test('events report the result of a review', covers('chatEvents.template.status'), async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: MINUTE });
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
    const made = await module.templates.create(module.number, draft(name));
    await waitFor('the reviews', async () => {
      module.clock.advance(MINUTE);
      return (await module.history(made)).length === statuses.length;
    });
    assert.deepEqual(await module.history(made), statuses, name);
    const reviewed = await module.status(made, statuses.at(-1)!);
    assert.equal(isUsable(reviewed, module.clock.now()), usable, name);
  }
  const [rejected] = await module.templates.list(module.account.id);
  assert.equal(rejected!.statusReason, 'INVALID_FORMAT');
});

test('a pause ends after six hours, also without a notice', async (t) => {
  const module = await startTemplates(t);
  const made = await module.templates.create(module.number, draft('order_pause'));
  const paused = await module.status(made, 6);
  assert.equal(isUsable(paused, paused.statusAt + 6 * HOUR - 1), false);
  assert.equal(isUsable(paused, paused.statusAt + 6 * HOUR), true);
  module.clock.advance(6 * HOUR);
  await module.status(made, 1);
});

test(
  'reviews arrive twice and in any order, and statuses follow the order of time',
  covers('templateStatus.events'),
  async (t) => {
    const module = await startTemplates(t, { reviewDelayMs: HOUR });
    const made = await module.templates.create(module.number, draft('order'));
    const { accountId, id, platformId } = made;
    assert.notEqual(platformId, null);
    const start = made.createdAt;
    const tell = (event: string, status: 0 | 1 | 2 | 6 | 7 | 9, seconds: number, reason?: string) =>
      module.templates.applyReview(review(made, event, status, start + seconds * 1_000, reason));
    const now = async () => (await module.templates.byRowId(accountId, id))!;

    await tell('PAUSED', 6, 30);
    await tell('APPROVED', 1, 10);
    assert.equal((await now()).status, 6);
    assert.deepEqual(await module.history(made), [0, 1, 6]);
    await tell('PAUSED', 6, 30);
    await tell('APPROVED', 1, 10);
    assert.deepEqual(await module.history(made), [0, 1, 6]);

    await tell('APPROVED', 1, 40);
    await tell('REJECTED', 2, 50, 'TAG_CONTENT_MISMATCH');
    const rejected = await now();
    assert.deepEqual([rejected.status, rejected.statusReason], [2, 'TAG_CONTENT_MISMATCH']);
    // Told again as it is: nothing new.
    await tell('REJECTED', 2, 60);
    assert.deepEqual(await module.history(made), [0, 1, 6, 1, 2]);

    // In one second the order of the events says nothing.
    await tell('DISABLED', 7, 70);
    await tell('APPROVED', 1, 70);
    assert.equal((await now()).status, 7);
    assert.deepEqual(await module.history(made), [0, 1, 6, 1, 2, 1, 7]);

    await tell('DELETED', 9, 80);
    await tell('DELETED', 9, 81);
    assert.deepEqual(await module.history(made), [0, 1, 6, 1, 2, 1, 7, 9]);
    await eventsOf(module, made, 5);
    assert.deepEqual(statusesOf(module, made), [6, 1, 2, 7, 9]);
  },
);

test('a second pause lasts six hours of its own', covers('templateStatus.6'), async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  const made = await module.templates.create(module.number, draft('order'));
  for (const hours of [1, 4]) {
    await module.templates.applyReview(review(made, 'PAUSED', 6, made.createdAt + hours * HOUR));
  }
  const paused = await module.status(made, 6);
  assert.equal(paused.statusAt, Math.floor((made.createdAt + 4 * HOUR) / 1_000) * 1_000);
});

test('a platform whose clock is behind is understood', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  const made = await module.templates.create(module.number, draft('order'));
  await module.templates.applyReview(review(made, 'APPROVED', 1, made.createdAt - 5 * MINUTE));
  await module.templates.applyReview(review(made, 'APPROVED', 1, made.createdAt - 5 * MINUTE));
  assert.equal((await module.templates.byRowId(made.accountId, made.id))!.status, 1);
  assert.deepEqual(await module.history(made), [0, 1]);
});

test(
  'a review that two processes receive is applied once',
  covers('chatEvents.template.status'),
  async (t) => {
    const module = await startTemplates(t, { reviewDelayMs: HOUR });
    const made = await module.templates.create(module.number, draft('order'));
    const fact = review(made, 'APPROVED', 1, made.createdAt + 1_000);
    const other = module.another();
    await Promise.all([
      module.templates.applyReview(fact),
      other.applyReview(fact),
      module.templates.applyReview(fact),
    ]);
    assert.deepEqual(await module.history(made), [0, 1]);
  },
);

test('the review of a business account that is not ours is left out', async (t) => {
  const module = await startTemplates(t);
  const fact = review({ platformId: '1', name: 'order', language: 'en' }, 'APPROVED', 1, module.clock.now());
  await module.templates.applyReview({ ...fact, accountId: '999' });
  assert.equal((await module.templates.list(module.account.id)).length, 0);
});

test(
  'a review that comes before the answer to the submission is not lost',
  covers('templateStatus.events'),
  async (t) => {
    const module = await startTemplates(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    module.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
    const making = module.templates.create(module.number, draft('order_reject'));
    await waitFor('the review', () => module.platform.account(TOKEN).templates.all[0]?.status === 'REJECTED');
    await waitFor('its webhook', () => module.platform.idle);
    await runTemplates(module.templates);
    const [waiting] = await module.templates.list(module.account.id);
    assert.deepEqual(
      [waiting!.status, waiting!.platformId],
      [0, null],
      'it may be of another template of this name',
    );
    resolve();
    const made = await making;
    assert.equal(made.platformId, module.platform.account(TOKEN).templates.all[0]!.id);
    module.clock.advance(5_000);
    await runTemplates(module.templates);
    assert.deepEqual(await module.history(made), [0, 2]);
    assert.equal((await module.templates.list(module.account.id)).length, 1);
    assert.deepEqual(await leftToSubmit(module), []);
  },
);

test(
  'while the platform is away a template waits, and is submitted when it is back',
  covers('templateStatus.made.once'),
  async (t) => {
    const module = await startTemplates(t, { reviewDelayMs: 5_000 });
    module.front.treat = () => 'away';
    const made = await module.templates.create(module.number, draft('order'));
    assert.deepEqual([made.status, made.platformId], [0, null]);
    assert.deepEqual([...(await module.templates.waiting(module.account.id))], [[made.id, 'HTTP 503']]);
    await runTemplates(module.templates);
    assert.equal(submitted(module), 1, 'not before its pause is over');
    module.clock.advance(5_000);
    await runTemplates(module.templates);
    module.clock.advance(5_000);
    await runTemplates(module.templates);
    assert.equal(submitted(module), 2, 'the second pause is longer');
    module.front.treat = () => undefined;
    module.clock.advance(5_000);
    await runTemplates(module.templates);
    assert.equal(submitted(module), 3);
    // Not sooner: a review that overtakes the answer has the templates fetched.
    module.clock.advance(5_000);
    await module.status(made, 1);
    assert.deepEqual(await leftToSubmit(module), []);
    assert.equal(
      module.front.requests.filter((line) => line.startsWith('GET') && line.includes('templates')).length,
      1,
    );
  },
);

test('nobody listens at the platform', async (t) => {
  const module = await startTemplates(t);
  const nowhere = await startServer(t, () => {});
  const platform = new ChatPlatformClient({
    baseUrl: nowhere,
    contactPage: 'https://carillon.example/',
    // Enough to connect and send on a busy machine.
    timeoutMs: 1_000,
  });
  t.after(() => platform.close());
  const made = await module.another({ platform }).create(module.number, draft('order'));
  assert.equal(made.status, 0);
  assert.deepEqual(await leftToSubmit(module), [true], 'no answer tells nothing');
  module.clock.advance(5_000);
  await runTemplates(module.templates);
  await module.status(made, 1);
});

test(
  'a submission whose answer was lost is not made twice',
  covers('templateStatus.made.once'),
  async (t) => {
    const module = await startTemplates(t, { reviewDelayMs: HOUR });
    module.front.treat = ({ method }) => (method === 'POST' ? 'cut-answer' : undefined);
    const made = await module.templates.create(module.number, draft('order'));
    assert.equal(made.platformId, null);
    assert.deepEqual(await leftToSubmit(module), [true]);
    await assert.rejects(
      module.templates.remove(module.account.id, made.templateId),
      refused('not-now', /being submitted/),
    );
    module.clock.advance(5_000);
    await runTemplates(module.templates);
    const known = (await module.templates.byRowId(made.accountId, made.id))!;
    assert.equal(known.platformId, module.platform.account(TOKEN).templates.all[0]!.id);
    assert.equal(known.status, 0);
    assert.equal(submitted(module), 1);
    assert.deepEqual(await leftToSubmit(module), []);
  },
);

test(
  'the submission of a dead process is continued, and not made twice',
  covers('templateStatus.made.once'),
  async (t) => {
    const module = await startTemplates(t);
    const { promise, resolve } = Promise.withResolvers<void>();
    module.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
    const making = module.another().create(module.number, draft('order_reject'));
    await waitFor('the submission', () => module.platform.account(TOKEN).templates.all.length === 1);
    await runTemplates(module.templates);
    assert.deepEqual(await leftToSubmit(module), [true], 'it is leased');
    // What the passing of the lease would do.
    await module.sql`UPDATE work SET lease_until = 0`;
    await runTemplates(module.templates);
    assert.deepEqual(await leftToSubmit(module), []);
    const [made] = await module.templates.list(module.account.id);
    await module.status(made!, 2);
    assert.equal(submitted(module), 1);
    // The dead one comes back to life: what it knows is nothing new.
    resolve();
    await making;
    assert.deepEqual(await module.history(made!), [0, 2]);
  },
);

test('of two processes one submits', covers('templateStatus.made.once'), async (t) => {
  const module = await startTemplates(t);
  module.front.treat = () => 'away';
  const made = await Promise.all(
    ['one', 'two', 'three'].map((name) => module.templates.create(module.number, draft(name))),
  );
  module.front.treat = () => undefined;
  module.clock.advance(5_000);
  const other = module.another();
  await Promise.all([runTemplates(module.templates), runTemplates(other), runTemplates(module.templates)]);
  for (const template of made) await module.status(template, 1);
  assert.equal(submitted(module), 6, 'each once while the platform was away, and once more');
  assert.equal(module.platform.account(TOKEN).templates.all.length, 3);
});

test('a template that the platform refuses is rejected, and its name is free again', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  module.elsewhere('order');
  const made = await module.templates.create(module.number, draft('order'));
  assert.deepEqual([made.status, made.platformId], [2, null]);
  assert.notEqual(made.statusReason, '');
  assert.deepEqual(await module.history(made), [0, 2]);
  assert.deepEqual(await leftToSubmit(module), []);
  module.platform.deleteTemplates(TOKEN, 'order', undefined);
  module.platform.change({ reviewDelayMs: 5 });
  const again = await module.templates.create(module.number, draft('order'));
  await module.status(again, 1);
  assert.notEqual(again.templateId, made.templateId);
});

test('the review of another template of the name, made elsewhere, is not taken for ours', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  const other = module.elsewhere('order');
  const { promise, resolve } = Promise.withResolvers<void>();
  module.front.treat = ({ method }) => (method === 'POST' ? promise : undefined);
  const making = module.templates.create(module.number, draft('order'));
  await waitFor('the submission', () => submitted(module) === 1);
  const fact = review({ ...other, platformId: other.id }, 'APPROVED', 1, module.clock.now() + 1_000);
  await module.templates.applyReview(fact);
  await runTemplates(module.templates);
  resolve();
  const made = await making;
  assert.deepEqual([made.status, made.platformId], [2, null]);
  assert.deepEqual(await module.history(made), [0, 2]);
  await module.templates.sync(module.portfolio);
  const all = await module.templates.list(module.account.id);
  assert.deepEqual(
    all.map(({ status, platformId }) => [status, platformId]),
    [
      [2, null],
      [0, other.id],
    ],
  );
});

test(
  'a name is unique in a language, also for two concurrent requests',
  covers('templateStatus.name'),
  async (t) => {
    const module = await startTemplates(t);
    const second = await module.addNumber('972550000008', '660078');
    const results = await Promise.allSettled([
      module.templates.create(module.number, draft('order')),
      module.templates.create(module.number, draft('order')),
      module.another().create(second, draft('order')),
    ]);
    const failures = results.filter((result) => result.status === 'rejected');
    assert.equal(failures.length, 2);
    for (const { reason } of failures)
      refused('bad-field', /^name: there is a template of this name/)(reason);
    await module.templates.create(module.number, draft('order', {}, 'he'));
    await assert.rejects(
      module.templates.create(second, draft('order', {}, '1')),
      refused('bad-field', /^name: /),
    );
    const waiting = { ...draft('waiting') };
    module.front.treat = () => 'away';
    await module.templates.create(module.number, waiting);
    await assert.rejects(module.templates.create(module.number, waiting), refused('bad-field', /^name: /));
  },
);

test(
  'what a check refuses is neither stored nor submitted',
  covers('templateStatus.made.checked'),
  async (t) => {
    const module = await startTemplates(t);
    await assert.rejects(
      module.templates.create(module.number, draft('order', { body: '{{2}}', bodySamples: ['a'] })),
      refused('bad-field', /^body: /),
    );
    assert.equal((await module.templates.list(module.account.id)).length, 0);
    assert.deepEqual(module.front.requests, []);
  },
);

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

test(
  'the example of a media header is fetched and uploaded',
  covers('templateStatus.made.media'),
  async (t) => {
    const module = await startTemplates(t);
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
      const made = await module.templates.create(
        module.number,
        draft(kind, { header: { kind, sample: url + path } }),
      );
      await module.status(made, 1);
      const listed = module.platform.account(TOKEN).templates.get(made.platformId!)!;
      const [header] = listed.components as { example: { header_handle: string[] } }[];
      const answer = await fetch(
        header!.example.header_handle[0]!.replace(/^http:\/\/[^/]+/, module.front.url),
      );
      assert.equal(answer.headers.get('content-type'), type);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture);
    }
  },
);

test('a template is edited on the platform, with a new example, and reviewed again', async (t) => {
  const module = await startTemplates(t);
  const { url } = await startPictures(t, { '/a.jpg': [200, 'image/jpeg'] });
  const made = await module.templates.create(module.number, draft('season'));
  await assert.rejects(
    module.templates.edit(module.account.id, made.templateId, draft('season', { body: 'Too soon.' })),
    refused('not-now', /^the template cannot be changed in this state$/),
  );
  await module.status(made, 1);
  const header: TemplateContent['header'] = { kind: 'image', sample: `${url}/a.jpg` };
  const changed = await module.templates.edit(
    module.account.id,
    made.templateId,
    draft('season', { header, body: 'Summer is here.' }),
  );
  assert.deepEqual(
    [changed!.status, changed!.content.body, changed!.content.header],
    [0, 'Summer is here.', header],
  );
  const there = module.platform.account(TOKEN).templates.get(changed!.platformId!)!;
  const [shown, body] = there.components as { format?: string; text?: string }[];
  assert.deepEqual([shown!.format, body!.text], ['IMAGE', 'Summer is here.']);
  await assert.rejects(
    module.templates.edit(
      module.account.id,
      made.templateId,
      draft('season', { header: { kind: 'image', sample: `${url}/b.jpg` } }),
    ),
    refused('not-now', /^the template cannot be changed/),
  );
  assert.equal(await module.templates.edit(module.account.id, 'none', draft('season')), undefined);
});

test(
  'an example that cannot be fetched refuses the template',
  covers('templateStatus.made.media'),
  async (t) => {
    const module = await startTemplates(t);
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
        module.templates.create(module.number, draft('order', { header })),
        refused('bad-field', problem),
      );
    }
    const large = await startServer(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5 * 1_048_576 + 1));
    });
    const header: TemplateContent['header'] = { kind: 'image', sample: `${large}/a.png` };
    await assert.rejects(
      module.templates.create(module.number, draft('order', { header })),
      refused('bad-field', /^header.sample: the example is over 5 MB$/),
    );
    const gone: TemplateContent['header'] = { kind: 'image', sample: 'http://127.0.0.1:1/a.png' };
    await assert.rejects(
      module.templates.create(module.number, draft('order', { header: gone })),
      refused('bad-field', /^header.sample: nothing answers/),
    );
    const media = createGuardedAgent({ allowPrivate: false });
    t.after(() => media.close());
    await assert.rejects(
      module.another({ media }).create(module.number, draft('order', { header })),
      refused('bad-field', /^header.sample: .* private or reserved address/),
    );
    await assert.rejects(
      module.another({ appId: '' }).create(module.number, draft('order', { header })),
      refused('not-now', /CHAT_APP_ID/),
    );
    assert.equal((await module.templates.list(module.account.id)).length, 0);
  },
);

test('an example is fetched again after an outage of the platform, and abandoned after a day', async (t) => {
  const module = await startTemplates(t);
  const answers: Record<string, [number, string]> = { '/a.jpg': [200, 'image/jpeg'] };
  const { url, asked } = await startPictures(t, answers);
  const header: TemplateContent['header'] = { kind: 'image', sample: `${url}/a.jpg` };
  module.front.treat = () => 'away';
  const made = await module.templates.create(module.number, draft('order', { header }));
  assert.deepEqual(asked, ['/a.jpg'], 'once for the check and the submission');
  assert.deepEqual(await leftToSubmit(module), [false]);
  module.front.treat = () => undefined;
  answers['/a.jpg'] = [503, 'image/jpeg'];
  module.clock.advance(5_000);
  await runTemplates(module.templates);
  assert.match((await module.templates.waiting(module.account.id)).get(made.id)!, /HTTP 503/);
  module.clock.advance(24 * HOUR);
  await runTemplates(module.templates);
  const rejected = (await module.templates.byRowId(made.accountId, made.id))!;
  assert.deepEqual([rejected.status, rejected.platformId], [2, null]);
  assert.match(rejected.statusReason, /HTTP 503/);
});

test(
  'a template is deleted here and on the platform, for every number',
  covers('templateStatus.9'),
  async (t) => {
    const module = await startTemplates(t);
    const made = await module.templates.create(module.number, draft('order'));
    await module.status(made, 1);
    await module.addNumber('972550000008', '660078');
    await module.templates.sync(module.portfolio);
    const [, copy] = await module.templates.list(module.account.id);
    assert.equal(copy!.phone, '972550000008');
    const removed = (await module.templates.remove(module.account.id, copy!.templateId))!;
    assert.deepEqual([removed.templateId, removed.status], [copy!.templateId, 9]);
    assert.deepEqual(module.platform.account(TOKEN).templates.all, []);
    for (const template of [made, copy!]) {
      assert.equal((await module.templates.find(module.account.id, template.templateId))!.status, 9);
      await waitFor('its event', () => statusesOf(module, template).at(-1) === 9);
    }
    await waitFor('the webhook', () => module.platform.idle);
    assert.deepEqual(await module.history(made), [0, 1, 9]);
    assert.equal((await module.templates.remove(module.account.id, made.templateId))!.status, 9);
    assert.equal(await module.templates.remove(module.account.id, '1_972550000007_none'), undefined);
    assert.equal(await module.templates.remove(module.account.id + 1, made.templateId), undefined);
    await module.status(await module.templates.create(module.number, draft('order')), 1);
  },
);

test('a template is not deleted while the platform is away or refuses, and is when it is gone there', async (t) => {
  const module = await startTemplates(t);
  const made = await module.templates.create(module.number, draft('order'));
  await module.status(made, 1);
  const remove = () => module.templates.remove(module.account.id, made.templateId);
  module.front.treat = () => 'away';
  await assert.rejects(remove(), refused('try-again', /does not answer/));
  module.front.treat = () => undefined;
  const { deleteTemplates } = module.platform;
  module.platform.deleteTemplates = (token) =>
    deleteTemplates.call(module.platform, token, 'another', undefined);
  await assert.rejects(remove(), refused('not-now', /^the platform refuses: /));
  assert.deepEqual(await module.history(made), [0, 1]);
  module.platform.notifier.callbackUrl = undefined;
  deleteTemplates.call(module.platform, TOKEN, 'order', undefined);
  assert.equal((await remove())!.status, 9);
});

test('a template that was never submitted is withdrawn', async (t) => {
  const module = await startTemplates(t);
  module.front.treat = () => 'away';
  const made = await module.templates.create(module.number, draft('order'));
  assert.equal((await module.templates.remove(module.account.id, made.templateId))!.status, 9);
  module.front.treat = () => undefined;
  module.clock.advance(HOUR);
  await runTemplates(module.another({ syncEveryMs: 100 * HOUR }));
  assert.deepEqual(module.platform.account(TOKEN).templates.all, []);
  assert.deepEqual(await module.history(made), [0, 9]);
});

test(
  'templates created elsewhere are fetched, for each number, with their changes',
  covers('templateStatus.elsewhere'),
  async (t) => {
    const module = await startTemplates(t, { reviewDelayMs: HOUR });
    const mine = await module.templates.create(module.number, draft('mine'));
    const one = module.elsewhere('one', [
      { type: 'BODY', text: 'Hello {{1}}.', example: { body_text: [['Dana']] } },
      { type: 'FOOTER', text: 'Shop' },
    ]);
    module.elsewhere('carousel', [
      { type: 'BODY', text: 'a' },
      { type: 'CAROUSEL', cards: [] },
    ]);
    await module.addNumber('972550000008', '660078');
    assert.deepEqual(await module.templates.sync(module.portfolio), {
      found: 3,
      added: 3,
      changed: 0,
      unsupported: ['carousel'],
    });
    const all = await module.templates.list(module.account.id);
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
    assert.deepEqual(await module.history(found), [0]);
    assert.deepEqual(await module.templates.sync(module.portfolio), {
      found: 3,
      added: 0,
      changed: 0,
      unsupported: ['carousel'],
    });
    assert.equal((await module.templates.list(module.account.id)).length, 4);
    assert.deepEqual(module.events(), [], 'what is found is no change');

    // Without webhooks: only the list tells.
    module.platform.notifier.callbackUrl = undefined;
    const store = module.platform.account(TOKEN).templates;
    store.setStatus(one.id, 'APPROVED', 'NONE');
    store.delete('mine', undefined);
    module.clock.advance(1_000);
    assert.equal((await module.templates.sync(module.portfolio)).changed, 4);
    assert.equal((await module.templates.byRowId(found.accountId, found.id))!.status, 1);
    assert.equal((await module.templates.byRowId(mine.accountId, mine.id))!.status, 9);
    await eventsOf(module, mine, 1);
    assert.deepEqual(statusesOf(module, mine), [9]);
    await eventsOf(module, found, 1);
    assert.deepEqual(statusesOf(module, found), [1]);
  },
);

test('a template that was edited elsewhere has its new text', async (t) => {
  const module = await startTemplates(t);
  const made = await module.templates.create(module.number, draft('order'));
  await module.status(made, 1);
  const store = module.platform.account(TOKEN).templates;
  const there = store.get(made.platformId!)!;
  store.delete('order', undefined);
  store.add({
    ...there,
    status: 'APPROVED',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Another.\0' }],
  });
  await module.templates.sync(module.portfolio);
  const edited = (await module.templates.find(module.account.id, made.templateId))!;
  assert.deepEqual([edited.content.body, edited.category, edited.status], ['Another.', 'MARKETING', 1]);
});

test('a flag is not lost by the list, which has no word for it, and a pause not prolonged', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: MINUTE });
  const flagged = await module.templates.create(module.number, draft('order_flag'));
  await waitFor('the flag', async () => {
    module.clock.advance(MINUTE);
    return (await module.templates.byRowId(flagged.accountId, flagged.id))!.status === 10;
  });
  module.platform.change({ reviewDelayMs: 5 });
  const paused = await module.templates.create(module.number, draft('order_pause'));
  const before = await module.status(paused, 6);
  module.clock.advance(HOUR);
  assert.equal((await module.templates.sync(module.portfolio)).changed, 0);
  assert.equal((await module.templates.byRowId(flagged.accountId, flagged.id))!.status, 10);
  assert.equal((await module.templates.byRowId(paused.accountId, paused.id))!.statusAt, before.statusAt);
});

test('a list requested before a review does not revert it', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  const made = await module.templates.create(module.number, draft('order'));
  const { promise, resolve } = Promise.withResolvers<void>();
  module.front.treat = () => promise;
  const syncing = module.templates.sync(module.portfolio);
  await waitFor('the list to be asked for', () => module.front.requests.at(-1)?.startsWith('GET'));
  module.clock.advance(2_000);
  await module.templates.applyReview(review(made, 'APPROVED', 1, module.clock.now()));
  module.front.treat = () => undefined;
  const late = await module.templates.create(module.number, draft('late'));
  resolve();
  assert.equal((await syncing).changed, 0);
  assert.equal((await module.templates.byRowId(made.accountId, made.id))!.status, 1);
  assert.equal(
    (await module.templates.byRowId(late.accountId, late.id))!.status,
    0,
    'submitted after the list: not gone',
  );
});

test('the list completes the submission of an unsettled template', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  module.front.treat = ({ method }) => (method === 'POST' ? 'cut-answer' : undefined);
  const made = await module.templates.create(module.number, draft('order'));
  assert.deepEqual(await module.templates.sync(module.portfolio), {
    found: 1,
    added: 0,
    changed: 0,
    unsupported: [],
  });
  assert.deepEqual(await leftToSubmit(module), []);
  const known = (await module.templates.byRowId(made.accountId, made.id))!;
  assert.equal(known.platformId, module.platform.account(TOKEN).templates.all[0]!.id);
});

test('the review of a template created elsewhere adds it', covers('templateStatus.elsewhere'), async (t) => {
  const module = await startTemplates(t);
  await runTemplates(module.templates);
  const before = module.front.requests.length;
  await runTemplates(module.templates);
  assert.equal(module.front.requests.length, before, 'nothing is due');
  module.elsewhere('one');
  await waitFor('the template', async () => {
    await runTemplates(module.templates);
    return (await module.templates.list(module.account.id)).some(
      ({ name, status }) => name === 'one' && status === 1,
    );
  });
});

test('templates are fetched on a schedule, by one process', covers('templateStatus.elsewhere'), async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  module.elsewhere('one');
  const other = module.another();
  await Promise.all([
    runTemplates(module.templates),
    runTemplates(other),
    runTemplates(module.templates),
    runTemplates(other),
  ]);
  const lists = () => module.front.requests.filter((line) => line.endsWith('/message_templates')).length;
  assert.equal(lists(), 1);
  assert.equal((await module.templates.list(module.account.id)).length, 1);
  module.clock.advance(HOUR - MINUTE);
  await runTemplates(module.templates);
  assert.equal(lists(), 1);
  module.clock.advance(MINUTE);
  await Promise.all([runTemplates(module.templates), runTemplates(other)]);
  assert.equal(lists(), 2);
});

test('templates are fetched for a number that is added, also by another process', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  module.elsewhere('one');
  const other = module.another();
  await runTemplates(other);
  await module.addNumber('972550000008', '660078');
  await runTemplates(other);
  const all = await module.templates.list(module.account.id);
  assert.deepEqual(
    all.map(({ phone, name }) => `${name} ${phone}`),
    [`one ${PHONE}`, 'one 972550000008'],
  );
});

test('of two concurrent fetches, one is refused', async (t) => {
  const module = await startTemplates(t);
  module.elsewhere('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  module.front.treat = () => promise;
  const first = module.templates.sync(module.portfolio);
  await waitFor('the list to be asked for', () => module.front.requests.length === 1);
  await assert.rejects(module.another().sync(module.portfolio), refused('not-now', /being fetched already/));
  // The first one seems dead, and another one does its work: what it finds later is not stored a second time.
  module.front.treat = () => undefined;
  const other = module.another();
  // The first one may extend its lease between the two statements.
  await waitFor('the second fetch', async () => {
    await module.sql`UPDATE work SET lease_until = 0`;
    await runTemplates(other);
    return module.front.requests.length > 1;
  });
  resolve();
  await assert.rejects(first, refused('not-now', /being fetched already/));
  assert.equal((await module.templates.list(module.account.id)).length, 1);
});

test('a platform that does not answer is asked again after a pause', async (t) => {
  const module = await startTemplates(t, { reviewDelayMs: HOUR });
  module.elsewhere('one');
  module.front.treat = () => 'away';
  await assert.rejects(module.templates.sync(module.portfolio), refused('try-again', /does not answer/));
  await runTemplates(module.templates);
  assert.equal(module.front.requests.length, 1);
  module.front.treat = () => undefined;
  module.clock.advance(MINUTE);
  await runTemplates(module.templates);
  assert.equal((await module.templates.list(module.account.id)).length, 1);
});

test('a stop does not wait for a platform that does not answer', async (t) => {
  const module = await startTemplates(t);
  module.front.treat = () => new Promise(() => {});
  const process = module.another();
  const making = process.create(module.number, draft('order'));
  const running = runTemplates(process);
  await waitFor('both requests', () => module.front.requests.length === 2);
  await process.stop();
  await running;
  assert.equal((await making).status, 0);
  assert.deepEqual(await leftToSubmit(module), [true]);
  const fetches = await module.sql<{ failures: number; leased: boolean }[]>`
    SELECT attempts AS failures, lease_owner IS NOT NULL AS leased FROM work WHERE kind = 'template-sync'`;
  assert.deepEqual(
    [...fetches],
    [{ failures: 0, leased: false }],
    'what was stopped is no failure of the platform',
  );
  module.front.treat = () => undefined;
  module.clock.advance(MINUTE);
  await runTemplates(module.templates);
  assert.deepEqual(await leftToSubmit(module), []);
  assert.equal(submitted(module), 1);
});

test('a process that starts alone continues the work of another immediately', async (t) => {
  const module = await startTemplates(t);
  module.elsewhere('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  module.front.treat = ({ method }) => (method === 'GET' ? promise : 'away');
  const dead = module.another();
  const syncing = dead.sync(module.portfolio);
  const made = await module.templates.create(module.number, draft('order'));
  await module.sql`
    UPDATE work SET lease_until = ${Number.MAX_SAFE_INTEGER}, due_at = 0 WHERE kind = 'template-submission'`;
  await waitFor('the list to be asked for', () =>
    module.front.requests.some((line) => line.startsWith('GET')),
  );
  module.front.treat = () => undefined;
  await runTemplates(module.templates);
  assert.deepEqual(await leftToSubmit(module), [false]);
  await endLeases(module.sql, ['work']);
  await runTemplates(module.templates);
  await module.status(made, 1);
  assert.equal((await module.templates.list(module.account.id)).length, 2);
  resolve();
  await assert.rejects(syncing, refused('not-now', /already/));
});
