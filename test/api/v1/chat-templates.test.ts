import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { covers } from '../../conformance/covers.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, syncTemplates, v1 } from './support.ts';

/** `/v1/chat/templates` and `/v1/chat/numbers`, on the sandbox's platform. */
const chat = await startChat();
const api = v1(chat.url, DEMO_TOKEN);
const stranger = await chat.addAccount({ username: 'stranger' });

interface Shown {
  readonly template_id: string;
  readonly name: string;
  readonly status: number;
  readonly usable: boolean;
  readonly editable: boolean;
  readonly submitted: boolean;
  readonly history: readonly { readonly status: number; readonly at: string }[];
}
interface Failure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly reason?: string;
  };
}

const order = {
  phone: SOURCE,
  name: 'order',
  language: '1',
  category: 'marketing',
  header: { kind: 'text', text: 'Order {{1}}', sample: '1234' },
  body: 'Hello {{1}}, it is on its way.',
  body_samples: ['Dana'],
  footer: 'The shop',
  buttons: [
    { kind: 'reply', text: 'Thanks' },
    {
      kind: 'website',
      text: 'Open it',
      url: 'https://example.com/orders/{{1}}',
      sample: 'https://example.com/orders/1234',
    },
    { kind: 'call', text: 'Call us', number: '+972550000001' },
    { kind: 'coupon', sample: '250000' },
  ],
};
const create = <T = Shown>(body: object, status = 202) =>
  json<T>(api.post('/chat/templates', JSON.stringify(body), { 'content-type': 'application/json' }), status);
const show = (id: string) => json<Shown>(api.get(`/chat/templates/${id}`));
const remove = (id: string, token = DEMO_TOKEN) =>
  fetch(`${chat.url}/v1/chat/templates/${id}`, {
    method: 'DELETE',
    // As clients do that send it with everything.
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

test('a template from its making to its deletion', covers('templateStatus.made'), async () => {
  const made = await create({ ...order, phone: '+972-55-000-0001' });
  assert.match(made.template_id, /^1_972550000001_[a-z0-9]+$/);
  const approved = await waitFor('its review', async () => {
    const shown = await show(made.template_id);
    return shown.status === 1 && shown;
  });
  const { template_id, history, ...rest } = approved;
  assert.deepEqual(
    history.map(({ status }) => status),
    [0, 1],
  );
  const {
    status_at: statusAt,
    created_at: createdAt,
    ...fields
  } = rest as unknown as Record<string, unknown>;
  assert.ok(Date.parse(String(statusAt)) >= Date.parse(String(createdAt)));
  const nothing = { text: '', url: '', number: '', sample: '' };
  assert.deepEqual(fields, {
    ...order,
    language: 'he',
    language_number: '1',
    buttons: order.buttons.map((button) => ({ ...nothing, ...button })),
    offer: null,
    authentication: null,
    status: 1,
    status_reason: '',
    quality: 'unknown',
    next_category: null,
    category_changes_at: null,
    usable: true,
    editable: true,
    submitted: true,
    problem: '',
  });
  const listed = await chat.get(`get-phone-templates/${SOURCE}/${template_id}`);
  const [inChat] = listed.json.templates as Record<string, unknown>[];
  assert.deepEqual(
    [inChat!.name, inChat!.language, inChat!.buttons, inChat!.callToAction, inChat!.status],
    ['order', '1', '4', '3', 1],
  );
  const taken = await create<Failure>(order, 400);
  assert.deepEqual([taken.error.code, taken.error.field], ['bad-field', 'name']);

  const removed = await json<Shown>(remove(template_id));
  assert.deepEqual([removed.status, removed.usable], [9, false]);
  assert.equal((await json<Shown>(remove(template_id))).status, 9);
});

test('the least that a template needs, and one for codes', async () => {
  const least = await create({
    phone: SOURCE,
    name: 'least',
    language: 'en',
    category: 'utility',
    body: 'Hello.',
  });
  assert.equal(least.name, 'least');
  const code = await create<Shown & { authentication: object; category: string }>({
    phone: SOURCE,
    name: 'code',
    language: 'en',
    category: 'authentication',
    buttons: [{ kind: 'otp', text: 'Copy' }],
    authentication: { minutes: 5 },
  });
  assert.deepEqual([code.category, code.authentication], ['authentication', { advice: true, minutes: 5 }]);
});

test(
  'what cannot be used is named by its field, with a reason for programs',
  covers('templateStatus.made.checked'),
  async () => {
    for (const [field, reason, wrong] of [
      ['phone', 'missing', { phone: undefined }],
      ['phone', 'unknown', { phone: '972550000009' }],
      ['phone', 'unknown', { phone: 'shop' }],
      ['name', 'template-name', { name: 'Order' }],
      ['name', 'wrong-type', { name: 5 }],
      ['language', 'unknown', { language: 'tlh' }],
      ['category', 'not-one-of', { category: 'MARKETING' }],
      ['header.kind', 'not-one-of', { header: { kind: 'sound' } }],
      ['header.sample', 'sample-missing', { header: { kind: 'image' } }],
      ['header.sample', 'sample-fetched', { header: { kind: 'image', sample: 'http://127.0.0.1:1/a.png' } }],
      ['body', 'missing', { body: '' }],
      ['body', 'variable-gaps', { body: 'Hello {{2}}.' }],
      ['body', 'not-readable', { body: 'Hello\u0000.', body_samples: [] }],
      ['header.text', 'not-readable', { header: { kind: 'text', text: 'Hello\u0000' } }],
      ['body_samples', 'samples-differ', { body_samples: [] }],
      ['body_samples[0]', 'wrong-type', { body_samples: [5] }],
      ['footer', 'too-long', { footer: 'a'.repeat(61) }],
      ['buttons', 'wrong-type', { buttons: {} }],
      [
        'buttons',
        'too-many',
        { buttons: Array.from({ length: 51 }, () => ({ kind: 'reply', text: 'Yes' })) },
      ],
      ['buttons[0].kind', 'not-one-of', { buttons: [{ kind: 'flow' }] }],
      ['buttons[1].text', 'missing', { buttons: [{ kind: 'reply', text: 'Yes' }, { kind: 'reply' }] }],
      ['offer.text', 'missing', { offer: {} }],
      ['authentication', 'only-authentication', { authentication: {} }],
    ] as const) {
      const { error } = await create<Failure>({ ...order, ...wrong }, 400);
      assert.deepEqual([error.code, error.field, error.reason], ['bad-field', field, reason], error.message);
    }
    const response = await api.post('/chat/templates', '{', { 'content-type': 'application/json' });
    assert.equal(response.status, 400);
  },
);

test('the templates of the demo account, page by page', async () => {
  const list = async (query: string) =>
    (await json<{ templates: Shown[] }>(api.get(`/chat/templates${query}`))).templates;
  const all = await list('');
  assert.deepEqual(
    all.slice(0, 10).map(({ template_id, usable }) => [template_id, usable]),
    ['plain', 'two', 'image', 'website', 'coupon', 'otp', 'replies', 'pending', 'rejected', 'banned'].map(
      (suffix, index) => [templateId(suffix), index < 7],
    ),
  );
  const first = await list(`?phone=${SOURCE}&limit=3`);
  const second = await list(`?phone=${SOURCE}&limit=3&after=${first.at(-1)!.template_id}`);
  assert.deepEqual(
    [...first, ...second].map(({ name }) => name),
    ['plain', 'two', 'image', 'website', 'coupon', 'otp'],
  );
  for (const [field, query] of [
    ['phone', '?phone=972550000009'],
    ['after', '?after=1_972550000001_none'],
    ['limit', '?limit=501'],
  ]) {
    const { error } = await json<Failure>(api.get(`/chat/templates${query}`), 400);
    assert.deepEqual([error.code, error.field], ['bad-field', field]);
  }
});

test(
  'business numbers with their tier and whom they reached',
  covers('chatPlatform.numbers', 'sandbox.demo.chat'),
  async () => {
    const shown = () =>
      json<{ portfolios: { tier: number; reached: number; numbers: object[] }[] }>(api.get('/chat/numbers'));
    const [portfolio] = (await shown()).portfolios;
    assert.equal(portfolio!.tier, 250);
    assert.deepEqual(portfolio!.numbers, [
      { phone: SOURCE, name: 'Demo', messages_per_second: 80, quality: 'unknown' },
    ]);
    const before = portfolio!.reached;
    await chat.accepted('send-template-message', {
      source: SOURCE,
      destination: '972501112233',
      templateId: templateId('plain'),
    });
    assert.equal((await shown()).portfolios[0]!.reached, before + 1);
  },
);

test('templates are fetched from the platform on demand', covers('templateStatus.elsewhere'), async () => {
  const result = await syncTemplates<{ found: number; added: number; unsupported: string[] }>(api, SOURCE);
  assert.ok(result.found >= 10);
  assert.deepEqual([result.added, result.unsupported], [0, []]);
  await json(api.post('/chat/numbers/972550000009/sync'), 404);
});

test("another account's numbers and templates are not there", async () => {
  const other = v1(chat.url, stranger.token);
  const id = templateId('plain');
  assert.deepEqual(await json(other.get('/chat/numbers')), { portfolios: [] });
  assert.deepEqual(await json(other.get('/chat/templates')), { templates: [] });
  await json(other.get(`/chat/templates/${id}`), 404);
  await json(remove(id, stranger.token), 404);
  await json(other.post(`/chat/numbers/${SOURCE}/sync`), 404);
  const made = other.post('/chat/templates', JSON.stringify(order), { 'content-type': 'application/json' });
  assert.equal((await json<Failure>(made, 400)).error.field, 'phone');
  await json(other.get(`/chat/templates?phone=${SOURCE}`), 400);
  await json(api.get('/chat/templates/none'), 404);
  await json(v1(chat.url, 'no token').get('/chat/templates'), 401);
});

test('a rejected template is changed and approved; a send has its new text', async () => {
  const first = { ...order, name: 'changed_reject', category: 'utility', buttons: [], language: 'en' };
  const made = await create(first);
  const reviewed = (status: number, more: (shown: Shown) => boolean = () => true) =>
    waitFor('the review', async () => {
      const shown = await show(made.template_id);
      return shown.status === status && more(shown) && shown;
    });
  const rejected = await reviewed(2);
  assert.deepEqual([rejected.editable, rejected.usable], [true, false]);
  const edit = <T = Shown>(id: string, body: object, status = 200) =>
    json<T>(
      fetch(`${chat.url}/v1/chat/templates/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      status,
    );
  const changes = { ...first, body: 'Hi {{1}}, here it is.', buttons: [{ kind: 'reply', text: 'Fine' }] };
  const changed = await edit<Shown & { body: string; buttons: { text: string }[] }>(
    made.template_id,
    changes,
  );
  assert.deepEqual(
    [changed.status, changed.editable, changed.body, changed.buttons.map(({ text }) => text)],
    [0, false, changes.body, ['Fine']],
  );
  const approved = await reviewed(1);
  // Times of the platform are whole seconds, and all of this may be in one.
  assert.deepEqual(approved.history.map(({ status }) => status).sort(), [0, 0, 1, 2]);
  // Fetched, the platform says the same.
  await syncTemplates(api, SOURCE);
  assert.equal(((await show(made.template_id)) as Shown & { body: string }).body, changes.body);

  for (const [field, wrong] of [
    ['name', { name: 'another' }],
    ['language', { language: 'he' }],
    ['category', { category: 'marketing' }],
    ['phone', { phone: '972550000009' }],
    ['body', { body: '' }],
  ] as const) {
    const { error } = await edit<Failure>(made.template_id, { ...changes, ...wrong }, 400);
    assert.deepEqual([error.code, error.field], ['bad-field', field]);
  }
  assert.equal((await edit<Failure>('1_972550000001_none', changes, 404)).error.code, 'not-found');
  const banned = await show(`1_${SOURCE}_banned`);
  assert.equal(banned.editable, false);
  const plain = { phone: SOURCE, name: 'banned', language: 'en', category: 'utility', body: 'Was banned?' };
  assert.equal((await edit<Failure>(banned.template_id, plain, 409)).error.code, 'not-now');
});

test('deleted templates are left out when asked so, and languages are listed', async () => {
  const made = await create({ ...order, name: 'short_lived', buttons: [] });
  await json(remove(made.template_id));
  const ids = async (query: string) =>
    (await json<{ templates: Shown[] }>(api.get(`/chat/templates${query}`))).templates.map(
      ({ template_id }) => template_id,
    );
  assert.ok((await ids('')).includes(made.template_id));
  assert.ok((await ids('?deleted=true')).includes(made.template_id));
  const left = await ids('?deleted=false');
  assert.ok(!left.includes(made.template_id));
  assert.deepEqual(await ids(`?deleted=false&limit=2&after=${left[1]}`), left.slice(2, 4));
  const { languages } = await json<{ languages: object[] }>(api.get('/chat/languages'));
  assert.deepEqual(languages.slice(0, 2), [
    { number: '1', code: 'he', name: 'Hebrew' },
    { number: '2', code: 'en', name: 'English' },
  ]);
});
