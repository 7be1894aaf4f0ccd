import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlatformFact } from '../../../server/protocols/chat-platform/facts.ts';
import { templateStatusOf } from '../../../server/protocols/chat-platform/template-status.ts';
import {
  answerChallenge,
  isSigned,
  parseNotification,
} from '../../../server/protocols/chat-platform/webhooks.ts';
import { covers } from '../../conformance/covers.ts';
import { incomingExamples } from './incoming-examples.ts';
import { noticeExamples } from './notice-examples.ts';

const RECEIVED = 1_790_000_000_000;
const metadata = { display_phone_number: '+972 55-000-0001', phone_number_id: '660077' };
const at = { phoneNumberId: '660077', businessNumber: '972550000001' };

function factsOf(value: unknown, field = 'messages', entry: object = {}): readonly PlatformFact[] {
  const notification = {
    object: 'whatsapp_business_account',
    entry: [{ id: '1029384756', ...entry, changes: [{ field, value }] }],
  };
  const parsed = parseNotification(Buffer.from(JSON.stringify(notification)), RECEIVED);
  assert.equal(parsed.refusal, undefined);
  return parsed.facts!;
}

const incoming = (message: object) => {
  const [fact] = factsOf({
    messaging_product: 'whatsapp',
    metadata,
    contacts: [{ profile: { name: 'Dana' }, wa_id: '972501234567', user_id: 'IL.1' }],
    messages: [{ from: '972501234567', id: 'wamid.1', timestamp: '1789999999', ...message }],
  });
  assert.ok(fact?.kind === 'message', JSON.stringify(fact));
  return fact;
};

test('signatures: of these very bytes, with this secret', covers('chatPlatform.signature'), () => {
  const body = Buffer.from('{"a":"\\u05d0"}');
  const sign = (secret: string, bytes = body) =>
    `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
  assert.ok(isSigned(body, sign('secret'), 'secret'));
  assert.ok(isSigned(body, sign('secret').toUpperCase().replace('SHA', 'sha'), 'secret'));
  const wrong = [
    undefined,
    '',
    'sha256=',
    sign('other'),
    sign('secret').slice(0, -1),
    `${sign('secret')}0`,
    sign('secret').replace('sha256', 'sha1'),
    `sha256=${'g'.repeat(64)}`,
    sign('secret', Buffer.from('{"a":"א"}')),
  ];
  for (const signature of wrong) assert.equal(isSigned(body, signature, 'secret'), false, signature);
});

test('a megabyte, rightly and wrongly signed', covers('chatPlatform.large, unreadable'), () => {
  const text = 'x'.repeat(1_000_000);
  const body = Buffer.from(
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: text, changes: [] }] }),
  );
  const signature = `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`;
  assert.ok(isSigned(body, signature, 's'));
  assert.equal(isSigned(body.subarray(1), signature, 's'), false);
  assert.deepEqual(parseNotification(body, RECEIVED).facts, []);
});

test('the challenge', covers('chatPlatform.signature'), () => {
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'mine', 'hub.challenge': '1158201444' };
  assert.equal(answerChallenge(query, 'mine'), '1158201444');
  for (const wrong of [
    {},
    { ...query, 'hub.mode': 'unsubscribe' },
    { ...query, 'hub.verify_token': 'other' },
    { ...query, 'hub.verify_token': ['mine'] },
    { ...query, 'hub.challenge': undefined },
    { ...query, 'hub.challenge': '<script>' },
  ]) {
    assert.equal(answerChallenge(wrong, 'mine'), null);
  }
});

test('statuses, in their order', () => {
  const status = { id: 'wamid.1', timestamp: '1789999999', recipient_id: '972501234567' };
  const facts = factsOf({
    metadata,
    statuses: [
      {
        ...status,
        status: 'sent',
        biz_opaque_callback_data: '42',
        pricing: { billable: true, pricing_model: 'PMP', category: 'utility' },
        conversation: { id: 'c', origin: { type: 'utility' } },
      },
      { ...status, status: 'played' },
      {
        ...status,
        status: 'failed',
        timestamp: 'soon',
        errors: [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'x' } }],
      },
      { ...status, status: 'failed' },
      { ...status, status: 'warning' },
      { status: 'sent' },
    ],
  });
  const fact = { kind: 'status', ...at, platformId: 'wamid.1', recipient: '972501234567' };
  const known = { ...fact, at: 1_789_999_999_000, reference: '', error: null };
  const error = (code: number, reason: string, title: string) => ({
    code,
    title,
    reason,
    treatment: 'final',
  });
  assert.deepEqual(facts, [
    { ...known, status: 'sent', reference: '42' },
    { ...known, status: 'read' },
    {
      ...known,
      status: 'failed',
      at: RECEIVED,
      error: error(131026, 'no-such-number', 'Message undeliverable'),
    },
    { ...known, status: 'failed', error: error(-1, 'platform', '') },
    { kind: 'unknown', field: 'messages.statuses.warning' },
    { kind: 'unknown', field: 'messages.statuses.sent' },
  ]);
});

const none = { body: '', buttonId: null, card: null, about: '', details: null, media: null };

test('a message of a client, with who wrote it', () => {
  assert.deepEqual(incoming({ type: 'text', text: { body: 'שלום\0 \ud800' }, context: { id: 'wamid.0' } }), {
    kind: 'message',
    ...at,
    platformId: 'wamid.1',
    from: '972501234567',
    userId: 'IL.1',
    name: 'Dana',
    username: '',
    at: 1_789_999_999_000,
    replyTo: 'wamid.0',
    content: { ...none, type: 'text', body: 'שלום \ufffd' },
    origin: null,
  });
});

for (const { name, message, content, origin } of incomingExamples) {
  test(`what the platform's examples become: ${name}`, () => {
    const fact = incoming(message);
    assert.deepEqual(fact.content, { ...none, ...content });
    assert.deepEqual(fact.origin, origin ?? null);
  });
}

test('what nests without end is cut, not followed', () => {
  let nested: object = { type: 'text', text: { body: 'x' } };
  for (let i = 0; i < 1_000; i++) nested = { type: 'edit', edit: { message: nested } };
  assert.equal(incoming(nested).content.type, 'edited');
  let raw: unknown = 'x';
  for (let i = 0; i < 1_000; i++) raw = [raw];
  assert.equal(incoming({ type: 'new', new: raw }).content.type, 'other');
});

test('a client who hides the number has a user id', () => {
  const fact = incoming({ from: undefined, from_user_id: 'IL.1', type: 'text', text: { body: 'x' } });
  assert.deepEqual([fact.from, fact.userId, fact.name], ['', 'IL.1', 'Dana']);
});

test('reviews and quality of templates', () => {
  const names = {
    message_template_id: 1689556908129832,
    message_template_name: 'order_confirmation',
    message_template_language: 'en_US',
  };
  const template = {
    accountId: '1029384756',
    templateId: '1689556908129832',
    name: 'order_confirmation',
    language: 'en_US',
    at: 1_751_247_548_000,
  };
  const rejected = { event: 'REJECTED', ...names, reason: 'INVALID_FORMAT', rejection_info: { reason: 'x' } };
  assert.deepEqual(factsOf(rejected, 'message_template_status_update', { time: 1751247548 }), [
    { kind: 'template-status', ...template, status: 2, event: 'REJECTED', reason: 'INVALID_FORMAT' },
  ]);
  const quality = { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW', ...names };
  assert.deepEqual(factsOf(quality, 'message_template_quality_update', { time: 1751247548 }), [
    { kind: 'template-quality', ...template, quality: 'YELLOW' },
  ]);
});

test(
  'the status codes of the interface for every review event',
  covers('templateStatus.events', 'chat.statuses'),
  () => {
    const codes: [event: string, reason: string, code: number | null][] = [
      ['PENDING', 'NONE', 0],
      ['IN_APPEAL', 'NONE', 0],
      ['APPROVED', 'NONE', 1],
      ['REJECTED', 'INVALID_FORMAT', 2],
      ['REJECTED', 'TAG_CONTENT_MISMATCH', 2],
      ['REJECTED', 'INCORRECT_CATEGORY', 2],
      ['REJECTED', 'CATEGORY_NOT_AVAILABLE', 2],
      ['REJECTED', 'ABUSIVE_CONTENT', 3],
      ['REJECTED', 'PROMOTIONAL', 3],
      ['REJECTED', 'SCAM', 4],
      ['REJECTED', 'NONE', 5],
      ['REJECTED', 'toString', 5],
      ['PAUSED', 'NONE', 6],
      ['DISABLED', 'NONE', 7],
      ['DELETED', 'NONE', 9],
      ['PENDING_DELETION', '', 9],
      ['ARCHIVED', 'NONE', 9],
      ['FLAGGED', 'NONE', 10],
      ['REINSTATED', 'NONE', 11],
      ['UNARCHIVED', 'NONE', null],
      ['LIMIT_EXCEEDED', 'NONE', null],
      ['LOCKED', 'NONE', null],
      ['toString', 'NONE', null],
    ];
    for (const [event, reason, code] of codes) {
      assert.equal(templateStatusOf(event, reason), code, `${event} ${reason}`);
    }
  },
);

test('troubles of a number, and fields of later versions', () => {
  assert.deepEqual(factsOf({ metadata, errors: [{ code: 130429, title: 'Rate limit hit' }] }), [
    {
      kind: 'trouble',
      ...at,
      error: {
        code: 130429,
        title: 'Rate limit hit',
        reason: 'volume',
        treatment: 'throttled',
        pauseMs: 1_000,
      },
    },
  ]);
});

test(
  'what is no notification is refused, and nothing throws',
  covers('chatPlatform.large, unreadable'),
  () => {
    const refusals: [string, string][] = [
      ['', 'not-json'],
      ['{"object":', 'not-json'],
      ['['.repeat(100_000), 'not-json'],
      ['null', 'not-ours'],
      ['[]', 'not-ours'],
      ['"whatsapp_business_account"', 'not-ours'],
      ['{"object":"page","entry":[]}', 'not-ours'],
    ];
    for (const [body, refusal] of refusals) {
      assert.equal(parseNotification(body, RECEIVED).refusal, refusal, body.slice(0, 40));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parseNotification(bytes, RECEIVED)),
    );
  },
);

const key = fc.constantFrom(
  'object',
  'entry',
  'changes',
  'field',
  'value',
  'metadata',
  'statuses',
  'messages',
  'contacts',
  'errors',
  'id',
  'from',
  'type',
  'interactive',
  'button_reply',
  'profile',
  'context',
  'timestamp',
  'status',
  'code',
  'event',
  'reason',
);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    'messages',
    'failed',
    'interactive',
    '__proto__',
    'message_template_status_update',
  ),
  fc.string(),
  fc.double(),
);
for (const { name, field, value, facts } of noticeExamples) {
  test(`what the platform's examples of notices become: ${name}`, () => {
    assert.deepEqual(factsOf(value, field, { time: 1_743_451_903 }), facts);
  });
}

test('limits, preferences and echoes', () => {
  const accountId = '1029384756';
  const limit = { event: 'ONBOARDING', current_limit: 'TIER_2K' };
  assert.deepEqual(factsOf(limit, 'phone_number_quality_update', { time: 1751247548 }), [
    { kind: 'tier', accountId, tier: 2_000, limit: 'TIER_2K', at: 1_751_247_548_000 },
  ]);
  const preference = { wa_id: '972501234567', category: 'marketing_messages', timestamp: 1751247548 };
  const values = ['stop', 'resume', 'signup', 'odd'].map((value) => ({ ...preference, value }));
  const known = { kind: 'preference', ...at, from: '972501234567', userId: '', at: 1_751_247_548_000 };
  assert.deepEqual(factsOf({ metadata, user_preferences: values }, 'user_preferences'), [
    { ...known, stops: true },
    { ...known, stops: false },
    { ...known, stops: false },
    { kind: 'unknown', field: 'user_preferences' },
  ]);
  const echo = { from: '972550000001', to_user_id: 'IL.1', id: 'wamid.e', type: 'text', text: { body: 'x' } };
  const [fact, none] = factsOf({ metadata, message_echoes: [echo, { id: 'wamid.f' }] }, 'smb_message_echoes');
  assert.ok(fact?.kind === 'echo');
  assert.deepEqual([fact.from, fact.userId, fact.content.body], ['', 'IL.1', 'x']);
  assert.equal(none?.kind, 'unknown');
});

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
  ),
}));

test('the parser never throws, whatever stands where', covers('chatPlatform.large, unreadable'), () => {
  fc.assert(
    fc.property(
      tree,
      fc.constantFrom(
        ...['messages', 'message_template_status_update', 'phone_number_quality_update', 'account_update'],
        ...['user_preferences', 'smb_message_echoes', 'template_category_update'],
      ),
      (value, field) => {
        for (const fact of factsOf(value, field)) {
          assert.equal(typeof fact.kind, 'string');
          if ('at' in fact) assert.ok(Number.isSafeInteger(fact.at));
        }
      },
    ),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(tree, (entry) => {
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
      assert.ok(Array.isArray(parseNotification(body, RECEIVED).facts));
    }),
    { numRuns: 2_000 },
  );
});
