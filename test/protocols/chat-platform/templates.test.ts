import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { request } from 'undici';
import { templateFields } from '../../../server/channels/chat/chat-api/template-fields.ts';
import type { TemplateStatusFact } from '../../../server/protocols/chat-platform/facts.ts';
import type { TemplateValues } from '../../../server/protocols/chat-platform/messages.ts';
import {
  componentsOf,
  fillTemplate,
  type ListedTemplate,
  readTemplate,
  type TemplateButton,
  type TemplateContent,
  type ValuesInput,
} from '../../../server/protocols/chat-platform/templates.ts';
import { demoTemplates } from '../../../server/sandbox/chat-platform/demo-templates.ts';
import { plainContent } from '../../channels/chat/plain-template.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { accepted, account, app, CLIENT, number, startPlatform } from './support.ts';

const website: TemplateButton = {
  kind: 'website',
  text: 'Open',
  url: 'https://shop.example/o/',
  dynamic: true,
  sample: 'https://shop.example/o/1',
};

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const button: fc.Arbitrary<TemplateButton> = fc.oneof(
  fc.record({ kind: fc.constant('reply' as const), text: word }),
  fc.record({
    kind: fc.constant('call' as const),
    text: word,
    number: fc.stringMatching(/^\+[1-9]\d{7,11}$/),
  }),
  fc.record({ kind: fc.constant('coupon' as const), sample: word }),
  fc
    .record({ kind: fc.constant('website' as const), text: word, url: fc.webUrl(), dynamic: fc.boolean() })
    .map((one) => ({ ...one, sample: one.dynamic ? `${one.url}x` : '' })),
);
const content: fc.Arbitrary<TemplateContent> = fc
  .record({
    header: fc.oneof(
      fc.constant({ kind: 'none' as const }),
      fc.record({ kind: fc.constant('text' as const), text: word, sample: fc.constantFrom('', 'sample') }),
      fc.record({ kind: fc.constantFrom('image', 'video', 'document'), sample: fc.webUrl() }),
    ),
    bodySamples: fc.array(word, { maxLength: 5 }),
    footer: fc.constantFrom('', 'footer'),
    buttons: fc.array(button, { maxLength: 5 }),
    offer: fc.option(fc.record({ text: word, expires: fc.boolean() })),
    category: fc.constantFrom('MARKETING', 'UTILITY'),
  })
  .map((one) => ({
    ...one,
    body: `Hello ${one.bodySamples.map((_, index) => `{{${index + 1}}}`).join(' and ')}`,
    authentication: null,
  }))
  // Its records have no prototype, which deepEqual would mind.
  .map((one) => structuredClone(one)) as fc.Arbitrary<TemplateContent>;

test('content → components → content is what it was', () => {
  fc.assert(
    fc.property(content, (one) => {
      const components = JSON.parse(JSON.stringify(componentsOf(one)));
      const read = readTemplate({ category: one.category, components });
      assert.deepEqual(read.content, one);
      assert.deepEqual(read.unsupported, []);
    }),
  );
});

test('components of the list → content → components to submit', () => {
  const components = [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example/a.jpg'] } },
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon over', has_expiration: true } },
    { type: 'BODY', text: 'Hello {{1}}, code {{2}}', example: { body_text: [['Dana', 'A1']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'COPY_CODE', example: 'A1' },
        { type: 'URL', text: 'Go', url: 'https://a.example/{{1}}', example: ['https://a.example/1'] },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+97231234567' },
        { type: 'QUICK_REPLY', text: 'No' },
      ],
    },
  ];
  const listed = readTemplate({
    id: '17',
    name: 'one',
    language: 'he',
    status: 'REJECTED',
    rejected_reason: 'SCAM',
    category: 'MARKETING',
    quality_score: { score: 'GREEN' },
    components,
  });
  assert.deepEqual(
    { ...listed, content: null },
    {
      platformId: '17',
      name: 'one',
      language: 'he',
      status: 4,
      quality: 'GREEN',
      content: null,
      unsupported: [],
    },
  );
  assert.deepEqual(JSON.parse(JSON.stringify(componentsOf(listed.content))), components);
  const [header] = componentsOf(listed.content, '4::handle') as [object];
  assert.deepEqual(header, { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::handle'] } });
});

test('an authentication template as it is listed, and as it is submitted', () => {
  const { content } = readTemplate({
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', text: '*{{1}}* is your code.', add_security_recommendation: true },
      { type: 'FOOTER', text: 'Expires in 5 minutes.', code_expiration_minutes: 5 },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Copy', url: 'https://www.example.com/otp/code/?code=otp{{1}}' }],
      },
    ],
  });
  assert.deepEqual(content.buttons, [{ kind: 'otp', text: 'Copy' }]);
  assert.deepEqual(componentsOf(content), [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
  ]);
});

test('what this service cannot send is named, and anything at all can be read', () => {
  const read = readTemplate({
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'CAROUSEL', cards: [] },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'FLOW', text: 'x' },
          { type: 'QUICK_REPLY', text: 'Yes' },
        ],
      },
    ],
  });
  assert.deepEqual(read.unsupported, ['NAMED parameters', 'HEADER LOCATION', 'CAROUSEL', 'BUTTON FLOW']);
  assert.deepEqual(read.content.buttons, [{ kind: 'reply', text: 'Yes' }]);
  fc.assert(fc.property(fc.anything(), (anything) => void readTemplate(anything)));
});

test('the fields of A1', covers('A1.headers, headerSample', 'A1.buttons, callToAction'), () => {
  const fields = (buttons: readonly TemplateButton[]) => {
    const {
      buttons: code,
      callToAction,
      callToActionWebsiteType,
    } = templateFields({ ...plainContent, buttons });
    return [code, callToAction, callToActionWebsiteType];
  };
  const call: TemplateButton = { kind: 'call', text: 'Call', number: '+97231234567' };
  const reply: TemplateButton = { kind: 'reply', text: 'Yes' };
  assert.deepEqual(fields([]), ['1', '0', '']);
  assert.deepEqual(fields([website]), ['2', '1', '2']);
  assert.deepEqual(fields([{ ...website, dynamic: false }]), ['2', '1', '1']);
  assert.deepEqual(fields([call]), ['2', '2', '']);
  assert.deepEqual(fields([call, website]), ['2', '3', '2']);
  assert.deepEqual(fields([reply]), ['3', '0', '']);
  assert.deepEqual(fields([website, reply]), ['4', '1', '2']);
  assert.deepEqual(fields([{ kind: 'coupon', sample: '1' }]), ['1', '0', '']);
  const video = { kind: 'video', sample: 'https://a.example/a.mp4' } as const;
  assert.deepEqual(
    templateFields({ ...plainContent, header: video, footer: 'f', buttons: [website, call, reply, reply] }),
    {
      headerSample: video.sample,
      body: 'Hello',
      footer: 'f',
      buttons: '4',
      callToAction: '3',
      callToActionWebsiteText: 'Open',
      callToActionWebsiteType: '2',
      callToActionWebsiteURL: 'https://shop.example/o/',
      callToActionCallText: 'Call',
      callToActionCallNumber: '+97231234567',
      quickReply1: 'Yes',
      quickReply2: 'Yes',
      quickReply3: '',
      headers: '3',
    },
  );
});

test('the demo account’s templates, sent with their values', covers('chatPlatform.messages'), async (t) => {
  const { client, platform, clock } = await startPlatform(t);
  const listed = await client.listTemplates(account);
  assert.ok(listed.outcome === 'done');
  const byName = new Map(listed.templates.map((template) => [template.name, template]));
  assert.deepEqual(
    listed.templates.map(({ name, status }) => [name, status]),
    demoTemplates.map(({ name }) => [
      name,
      name === 'pending' ? 0 : name === 'rejected' ? 2 : name === 'banned' ? 7 : 1,
    ]),
  );
  const show = async (name: string, input: ValuesInput) => {
    const { content, language } = byName.get(name)!;
    const values = fillTemplate(content, input);
    const id = await accepted(client, {
      kind: 'template',
      to: CLIENT,
      reference: name,
      name,
      language,
      values,
    });
    const arrived = await waitFor(`${name} on the phone`, () =>
      platform.phones.list(CLIENT).find((each) => each.id === id),
    );
    const { header, body, footer, buttons, template } = arrived!;
    assert.equal(template, name);
    return { header, body, footer, buttons };
  };
  const bare = { header: null, footer: '', buttons: [] };
  assert.deepEqual(await show('plain', {}), { ...bare, body: 'Your order is on its way.' });
  assert.deepEqual(await show('two', { body: ['Dana', '$& 5'] }), {
    ...bare,
    body: 'Hello Dana, your order $& 5 is on its way.',
  });
  const link = 'https://media.example/a.jpg';
  assert.deepEqual(await show('image', { header: link, body: ['Dana'] }), {
    ...bare,
    header: { type: 'image', link },
    body: 'Hello Dana, look what is new.',
  });
  assert.deepEqual((await show('website', { websites: ['77'] })).buttons, [
    { type: 'url', text: 'Open it', url: 'https://www.example.com/invoices/77' },
    { type: 'call', text: 'Call us', number: '+972550000001' },
  ]);
  assert.deepEqual((await show('coupon', { coupon: '123456', offerEndsAt: clock.now() + 60_000 })).buttons, [
    { type: 'copy', text: 'Copy offer code', code: '123456' },
    { type: 'url', text: 'To the shop', url: 'https://www.example.com/' },
  ]);
  assert.deepEqual(await show('otp', { otp: 'Ab-99' }), {
    header: null,
    body: '*Ab-99* is your verification code. For your security, do not share this code.',
    footer: 'This code expires in 5 minutes.',
    buttons: [{ type: 'copy', text: 'Copy code', code: 'Ab-99' }],
  });
  assert.equal((await show('replies', {})).buttons.length, 3);
});

test('templates that cannot be sent, or not with these values', async (t) => {
  const { client, clock } = await startPlatform(t);
  const send = async (name: string, values: Partial<TemplateValues>, language = 'en') => {
    const all = { header: null, body: [], buttons: [], offerEndsAt: null, ...values };
    const outcome = await client.sendMessage(number, {
      kind: 'template',
      to: CLIENT,
      reference: 'x',
      name,
      language,
      values: all,
    });
    return outcome.outcome === 'refused' ? [outcome.code, outcome.reason] : outcome;
  };
  assert.deepEqual(await send('pending', {}), [132001, 'template-unknown']);
  assert.deepEqual(await send('rejected', {}), [132001, 'template-unknown']);
  assert.deepEqual(await send('banned', {}), [132016, 'template-rejected']);
  assert.deepEqual(await send('nothing', {}), [132001, 'template-unknown']);
  assert.deepEqual(await send('plain', {}, 'he'), [132001, 'template-unknown']);
  assert.deepEqual(await send('two', { body: ['one'] }), [132000, 'body-variables']);
  assert.deepEqual(await send('two', { body: ['one', 'a\nb'] }), [132012, 'template-structure']);
  assert.deepEqual(await send('two', { body: ['one', ''] }), [132012, 'template-structure']);
  assert.deepEqual(await send('two', { body: ['one', 'x'.repeat(1100)] }), [132005, 'too-long']);
  assert.deepEqual(await send('image', { body: ['one'] }), [132012, 'template-structure']);
  const video = { kind: 'video', link: 'https://media.example/a.mp4' } as const;
  assert.deepEqual(await send('image', { header: video, body: ['one'] }), [132012, 'template-structure']);
  assert.deepEqual(await send('website', {}), [131008, 'request']);
  const coupon = { index: 0, kind: 'coupon', code: '1' } as const;
  assert.deepEqual(await send('coupon', { buttons: [coupon] }), [131008, 'request']);
  const past = { buttons: [coupon], offerEndsAt: clock.now() - 1 };
  assert.deepEqual(await send('coupon', past), [131009, 'request']);
});

test('submission, review by the name, deletion', async (t) => {
  const { client, receiver, clock } = await startPlatform(t);
  // Sorted: two webhooks of a moment can overtake each other.
  const events = (id: string) =>
    receiver.facts
      .filter((fact): fact is TemplateStatusFact => fact.kind === 'template-status' && fact.templateId === id)
      .map(({ status }) => status)
      .sort((one, other) => Number(one) - Number(other));
  const submit = async (name: string) => {
    const submitted = await client.submitTemplate(account, { name, language: 'he', content: plainContent });
    assert.ok(submitted.outcome === 'done', JSON.stringify(submitted));
    assert.equal(submitted.status, 0);
    return submitted.platformId;
  };
  const expected = {
    welcome: [1],
    a_reject: [2],
    a_policy: [3],
    a_spam: [4],
    a_unknown: [5],
    a_pause: [1, 6],
    a_disable: [1, 7],
    a_flag: [1, 10],
    a_unflag: [1, 10, 11],
  };
  const ids = new Map<string, string>();
  for (const name of Object.keys(expected)) ids.set(name, await submit(name));
  for (const [name, statuses] of Object.entries(expected)) {
    await waitFor(`the review of ${name}`, () => events(ids.get(name)!).length >= statuses.length);
    assert.deepEqual(events(ids.get(name)!), statuses, name);
  }
  clock.advance(6 * 3_600_000);
  const paused = ids.get('a_pause')!;
  await waitFor('the end of the pause', () => events(paused).length === 3);
  assert.deepEqual(events(paused), [1, 1, 6]);

  const again = await client.submitTemplate(account, {
    name: 'welcome',
    language: 'he',
    content: plainContent,
  });
  assert.ok(again.outcome === 'refused' && again.code === 100);
  assert.deepEqual(await client.deleteTemplate(account, { name: 'welcome' }), { outcome: 'done' });
  await waitFor('the deletion', () => events(ids.get('welcome')!).includes(9));
  const gone = await client.deleteTemplate(account, { name: 'welcome' });
  assert.equal(gone.outcome, 'refused');
  const listed = await client.listTemplates(account);
  assert.ok(listed.outcome === 'done');
  assert.ok(!listed.templates.some(({ name }) => name === 'welcome'));
});

test('a media header is submitted with the handle of an upload', async (t) => {
  const { client } = await startPlatform(t);
  const header = { kind: 'image', sample: 'https://media.example/a.jpg' } as const;
  const content = { ...plainContent, header };
  const template = { name: 'with_image', language: 'en', content };
  assert.equal((await client.submitTemplate(account, template)).outcome, 'refused');
  const bytes = Buffer.from('not really a picture');
  const uploaded = await client.uploadSample(app, { bytes, mimeType: 'image/jpeg', fileName: 'a b.jpg' });
  assert.ok(uploaded.outcome === 'done', JSON.stringify(uploaded));
  const headerHandle = uploaded.handle;
  assert.equal((await client.submitTemplate(account, { ...template, headerHandle })).outcome, 'done');
  const listed = await client.listTemplates(account);
  assert.ok(listed.outcome === 'done');
  const { content: read } = listed.templates.find(({ name }) => name === 'with_image')!;
  assert.ok(read.header.kind === 'image');
  const sample = await request(read.header.sample);
  assert.deepEqual(Buffer.from(await sample.body.arrayBuffer()), bytes);
});

test('the list is read page after page', async (t) => {
  const templates = Array.from({ length: 250 }, (_, index) => ({
    ...demoTemplates[0]!,
    id: String(index + 1),
    name: `template_${index}`,
  }));
  const { client } = await startPlatform(t, {
    businesses: [{ ...account, numbers: [], templates }],
  });
  const listed = await client.listTemplates(account);
  assert.ok(listed.outcome === 'done');
  assert.deepEqual(
    listed.templates.map(({ name }: ListedTemplate) => name),
    templates.map(({ name }) => name),
  );
});

test('a wrong token, and an account of others', async (t) => {
  const { client } = await startPlatform(t);
  const wrong = await client.listTemplates({ ...account, token: 'wrong' });
  assert.deepEqual(
    { ...wrong, title: '' },
    {
      outcome: 'again',
      afterMs: 60_000,
      reached: true,
      throttled: false,
      code: 190,
      reason: 'access',
      title: '',
    },
  );
  const other = await client.listTemplates({ ...account, accountId: '1' });
  assert.ok(other.outcome === 'refused' && other.code === 100);
});
