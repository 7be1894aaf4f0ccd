import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fillTemplate, fillTemplateAndCheck } from '../../../server/channels/chat/fill.ts';
import { type ChatProblem, Refusal } from '../../../server/kit/errors.ts';
import type { TemplateFields } from '../../../server/modules/conversations/reply-channel.ts';
import type { TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { covers } from '../../conformance/covers.ts';
import { plainContent } from './plain-template.ts';

/** The values of a template (interface, A2): each rule, its problem, and which comes first. */
const MINUTE = 60_000;
const ZONE = 'Asia/Jerusalem';
const now = Date.parse('2026-06-01T09:00:00Z');
const time = { now, zone: ZONE };

const website = (url = 'https://example.com/', dynamic = true) =>
  ({ kind: 'website', text: 'Open', url, dynamic, sample: '' }) as const;
const coupon = { kind: 'coupon', sample: '250000' } as const;
const offer = { text: 'For you', expires: true };
const authentication = { advice: true, minutes: 5 };
const otpButton = { kind: 'otp', text: 'Copy code' } as const;

const template = (content: Partial<TemplateContent>) => ({
  name: 'welcome',
  language: 'he',
  content: { ...plainContent, ...content },
});
const fill = (content: Partial<TemplateContent>, fields: TemplateFields = {}) =>
  fillTemplate(template(content), fields, time);

function refused(
  content: Partial<TemplateContent>,
  fields: TemplateFields,
  problem: ChatProblem,
  says?: RegExp,
) {
  assert.throws(
    () => fill(content, fields),
    (error) => {
      assert.ok(error instanceof Refusal);
      assert.equal(error.code, problem, error.message);
      if (says) assert.match(error.message, says);
      return true;
    },
  );
}

test('a template without anything to fill', () => {
  assert.deepEqual(fill({}), {
    content: {
      kind: 'template',
      name: 'welcome',
      language: 'he',
      values: { header: null, body: [], buttons: [], offerEndsAt: null },
    },
    body: 'Hello',
  });
});

test(
  'variables go to their places, by number, and as often as the body has them',
  covers('A2.dynamicFieldsObject'),
  () => {
    const variables = { 2: '$& and $1', 1: '{{2}}', 3: ' c ' };
    const { content, body } = fill({ body: '{{1}}, {{2}}; {{3}} {{1}}' }, { variables });
    assert.deepEqual(content.values.body, ['{{2}}', '$& and $1', ' c ']);
    assert.equal(body, '{{2}}, $& and $1;  c  {{2}}');
  },
);

test('every variable has to be there and not empty', () => {
  const body = '{{1}} and {{2}}';
  const given: (Record<string, string> | undefined)[] = [
    undefined,
    {},
    { 1: 'a' },
    { 2: 'b' },
    { 1: '', 2: 'b' },
    { 1: 'a', 2: '  ' },
  ];
  for (const variables of given) {
    refused({ body }, { variables }, 'bad-variables', /^variable [12]: missing or empty$/);
  }
  const inherited = Object.create({ 1: 'a', 2: 'b' }) as Record<string, string>;
  refused({ body }, { variables: inherited }, 'bad-variables');
});

test('surplus variables are refused; empty ones are ignored', covers('chatLimits.template.variables'), () => {
  const body = '{{1}}';
  for (const extra of ['2', '0', '01', '-1', 'one']) {
    refused({ body }, { variables: { 1: 'a', [extra]: 'b' } }, 'bad-variables', /has 1 variables/);
  }
  refused({}, { variables: { 1: 'a' } }, 'bad-variables', /has 0 variables/);
  assert.equal(fill({ body }, { variables: { 1: 'a', 2: '', 3: '' } }).body, 'a');
});

test(
  'a variable has no line break, no tab, and not four spaces in a row',
  covers('A2.14', 'chatLimits.template.variables'),
  () => {
    const body = '{{1}}';
    for (const text of ['a\nb', 'a\rb', 'a\r\nb', 'a\u2028b', 'a\tb', 'a    b', '     a', 'a    ']) {
      refused({ body }, { variables: { 1: text } }, 'bad-variable-text', /^variable 1/);
    }
    for (const text of ['a   b', ' a  b   c ', 'a \u00a0 \u00a0 b']) {
      assert.equal(fill({ body }, { variables: { 1: text } }).body, text);
    }
  },
);

test('body and variables have 1,024 characters at most', covers('A2.19', 'chatLimits.template.body'), () => {
  const body = 'Dear {{1}} and {{2}}';
  const rest = 'Dear  and '.length;
  const of = (length: number) => ({ variables: { 1: 'x', 2: 'y'.repeat(length - rest - 1) } });
  assert.equal(fill({ body }, of(1024)).body.length, 1024);
  refused({ body }, of(1025), 'too-long');
});

test('a coupon code has 1 to 15 digits where the template has one', covers('chatLimits.coupon'), () => {
  const buttons = [{ kind: 'reply', text: 'Yes' } as const, coupon];
  for (const couponCode of [undefined, '', '1234567890123456', '12a', '12 ', '-1', '1\n', '١٢']) {
    refused({ buttons }, { couponCode }, 'bad-coupon', /^couponCode/);
  }
  for (const couponCode of ['1', '123456789012345']) {
    assert.deepEqual(fill({ buttons }, { couponCode }).content.values.buttons, [
      { index: 1, kind: 'coupon', code: couponCode },
    ]);
  }
  assert.deepEqual(fill({}, { couponCode: 'whatever' }).content.values.buttons, []);
});

test('the end of an offer is a time of the account that is to come', covers('amendments.seconds'), () => {
  const endOf = (couponExpiration: string | number) =>
    fill({ offer }, { couponExpiration }).content.values.offerEndsAt;
  assert.equal(endOf('31/12/2026 23:59'), Date.parse('2026-12-31T21:59:00Z'));
  assert.equal(endOf('31/12/2026 23:59:59'), Date.parse('2026-12-31T21:59:00Z'));
  assert.equal(endOf('01/06/2026 12:01'), now + MINUTE);
  assert.equal(endOf(now + 1), now + 1);
  for (const couponExpiration of [
    undefined,
    '',
    '31/12/26 23:59',
    '2026-12-31 23:59',
    '31/12/2026',
    '32/12/2026 10:00',
    '31/12/2026 24:30',
    ' 31/12/2026 23:59',
  ]) {
    refused({ offer }, { couponExpiration }, 'bad-coupon', /^couponExpiration: must be a time/);
  }
  for (const couponExpiration of ['01/06/2026 12:00', '01/06/2026 11:59', now, now - 1]) {
    refused({ offer }, { couponExpiration }, 'bad-coupon', /future/);
  }
  const endless = { ...offer, expires: false };
  assert.equal(fill({ offer: endless }, { couponExpiration: 'x' }).content.values.offerEndsAt, null);
  assert.equal(fill({}, { couponExpiration: 'x' }).content.values.offerEndsAt, null);
});

test('the end of an offer follows daylight saving', covers('A2.couponCode, couponExpiration'), () => {
  const endIn = (zone: string) =>
    fillTemplate(template({ offer }), { couponExpiration: '01/07/2026 12:00' }, { now, zone }).content.values
      .offerEndsAt;
  assert.equal(endIn('Asia/Jerusalem'), Date.parse('2026-07-01T09:00:00Z'));
  assert.equal(endIn('America/New_York'), Date.parse('2026-07-01T16:00:00Z'));
});

for (const kind of ['image', 'video', 'document'] as const) {
  test(`a header with ${kind} needs its link`, () => {
    const header = { kind, sample: '' };
    refused({ header }, {}, 'bad-header', new RegExp(`^headerLink: .*${kind}`));
    refused({ header }, { headerLink: '' }, 'bad-header');
    const link = 'https://example.com/a';
    assert.deepEqual(fill({ header }, { headerLink: link }).content.values.header, { kind, link });
  });

  test(`the link of a header with ${kind} is looked at when its turn comes`, async () => {
    const header = { kind, sample: '' };
    const looked: unknown[] = [];
    const wrong = new Refusal('bad-header-type', 'not that');
    const check = (content: Partial<TemplateContent>, fields: TemplateFields, problem?: Refusal) =>
      fillTemplateAndCheck(template(content), fields, time, async (...seen) => {
        looked.push(seen);
        if (problem) throw problem;
      });
    const headerLink = 'https://example.com/a';
    assert.deepEqual(await check({ header }, { headerLink }), fill({ header }, { headerLink }));
    assert.deepEqual(looked.splice(0), [[kind, headerLink]]);
    // After variables and coupons, before websites.
    const problemOf = (problem: ChatProblem) => (error: Refusal) => error.code === problem;
    const websites = [website()];
    await assert.rejects(check({ header, body: '{{1}}' }, { headerLink }, wrong), problemOf('bad-variables'));
    await assert.rejects(check({ header, offer }, { headerLink }, wrong), problemOf('bad-coupon'));
    await assert.rejects(check({ header }, {}, wrong), problemOf('bad-header'));
    assert.deepEqual(looked, []);
    await assert.rejects(check({ header, buttons: websites }, { headerLink }, wrong), wrong);
    assert.equal(looked.length, 1);
    await assert.rejects(
      check({ header, buttons: websites }, { headerLink }),
      problemOf('bad-website-variable'),
    );
  });
}

test('headerLink has the variable of a text header, without formatting', () => {
  const header = { kind: 'text', text: 'For {{1}}!', sample: 'Dana' } as const;
  const headerOf = (headerLink: string) => fill({ header }, { headerLink }).content.values.header;
  assert.deepEqual(headerOf('Dana'), { kind: 'text', text: 'Dana' });
  refused({ header }, {}, 'bad-header', /^headerLink/);
  refused({ header }, { headerLink: '  ' }, 'bad-header');
  for (const text of ['*Dana*', 'a_b', '~a', '`a']) refused({ header }, { headerLink: text }, 'bad-header');
  for (const text of ['a\nb', 'a    b', 'a\tb']) {
    refused({ header }, { headerLink: text }, 'bad-variable-text', /^headerLink/);
  }
  const most = 60 - 'For !'.length;
  assert.deepEqual(headerOf('x'.repeat(most)), { kind: 'text', text: 'x'.repeat(most) });
  refused({ header }, { headerLink: 'x'.repeat(most + 1) }, 'bad-header', /60/);
  const plain = { kind: 'text', text: 'News', sample: '' } as const;
  assert.equal(fill({ header: plain }, { headerLink: 'x\ny' }).content.values.header, null);
});

test(
  'dynamic websites need their variables, the first and the second theirs',
  covers('A2.websiteVariable, websiteVariable2'),
  () => {
    const reply = { kind: 'reply', text: 'Yes' } as const;
    const buttons = [website(), reply, website('https://example.org/')];
    assert.deepEqual(
      fill({ buttons }, { websiteVariable: 'a', websiteVariable2: 'b' }).content.values.buttons,
      [
        { index: 0, kind: 'url', text: 'a' },
        { index: 2, kind: 'url', text: 'b' },
      ],
    );
    refused({ buttons }, { websiteVariable2: 'b' }, 'bad-website-variable', /^websiteVariable: missing/);
    refused({ buttons }, { websiteVariable: 'a' }, 'bad-website-variable', /^websiteVariable2: missing/);
    const second = [website('https://example.com/', false), website()];
    assert.deepEqual(fill({ buttons: second }, { websiteVariable2: 'b' }).content.values.buttons, [
      { index: 1, kind: 'url', text: 'b' },
    ]);
    assert.deepEqual(fill({ buttons: [website('https://a.b/', false)] }, {}).content.values.buttons, []);
  },
);

test('the variable of a website has no spaces, and does not make its address longer than 2,000', () => {
  const url = 'https://example.com/';
  const buttons = [website(url)];
  for (const websiteVariable of [' ', 'a b', 'a\nb', 'a\u00a0b', 'a\u0007b']) {
    refused({ buttons }, { websiteVariable }, 'bad-website-variable');
  }
  const most = 2_000 - url.length;
  assert.ok(fill({ buttons }, { websiteVariable: 'x'.repeat(most) }));
  refused({ buttons }, { websiteVariable: 'x'.repeat(most + 1) }, 'bad-website-variable', /2000/);
});

test(
  'a template for one-time codes needs one of at most 15 characters, any of them',
  covers('A2.otp', 'chatLimits.otp'),
  () => {
    const content = { authentication, buttons: [otpButton], body: '{{1}} is your code.' };
    refused(content, {}, 'bad-otp', /^otp/);
    refused(content, { otp: '' }, 'bad-otp');
    refused(content, { otp: '1'.repeat(16) }, 'bad-otp', /15/);
    for (const otp of ['1', '12-אב!$&', '1'.repeat(15)]) {
      const filled = fill(content, { otp });
      assert.deepEqual(filled.content.values.body, [otp]);
      assert.deepEqual(filled.content.values.buttons, [{ index: 0, kind: 'url', text: otp }]);
      assert.equal(filled.body, `${otp} is your code.`);
    }
    assert.equal(fill({}, { otp: '1'.repeat(99) }).body, 'Hello');
  },
);

/** A template that needs everything, and what fills it. */
const whole: Partial<TemplateContent> = {
  body: '{{1}}',
  header: { kind: 'image', sample: '' },
  buttons: [coupon, website(), website()],
  offer,
};
const good: TemplateFields = {
  variables: { 1: 'a' },
  couponCode: '1',
  couponExpiration: '31/12/2026 23:59',
  headerLink: 'https://example.com/a.jpg',
  websiteVariable: 'a',
  websiteVariable2: 'b',
};
/** What is wrong with a field, in the order of the fields in A2's table. */
const faults: readonly { readonly fields: TemplateFields; readonly says: RegExp }[] = [
  { fields: { variables: {} }, says: /^variable/ },
  { fields: { couponCode: 'x' }, says: /^couponCode/ },
  { fields: { couponExpiration: 'x' }, says: /^couponExpiration/ },
  { fields: { headerLink: '' }, says: /^headerLink/ },
  { fields: { websiteVariable: '' }, says: /^websiteVariable:/ },
  { fields: { websiteVariable2: '' }, says: /^websiteVariable2/ },
];

test('of several faults, the first in the order of the table is returned', covers('A2.order'), () => {
  assert.ok(fill(whole, good));
  fc.assert(
    fc.property(fc.subarray([...faults.keys()], { minLength: 1 }), (chosen) => {
      const fields = Object.assign(
        {},
        good,
        ...chosen.map((index) => faults[index]!.fields),
      ) as TemplateFields;
      assert.throws(
        () => fill(whole, fields),
        (error: Error) => faults[Math.min(...chosen)]!.says.test(error.message),
      );
    }),
  );
});

test('any values are filled in, or refused with a problem', () => {
  const text = fc.string({ unit: 'binary', maxLength: 1_100 });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('1', '2', '3', '__proto__', 'constructor'), text),
      fc.record({ headerLink: text, websiteVariable: text, couponCode: text, otp: text }),
      (variables, others) => {
        try {
          const { content, body } = fill(
            {
              ...whole,
              body: '{{1}} {{2}}',
              header: { kind: 'text', text: '{{1}}', sample: '' },
              offer: null,
            },
            { variables, websiteVariable2: 'b', ...others },
          );
          assert.deepEqual(content.values.body, [variables['1'], variables['2']]);
          assert.equal(body, `${variables['1']} ${variables['2']}`);
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      },
    ),
  );
});
