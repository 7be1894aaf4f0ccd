import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageNumber, languages } from '../../../server/channels/chat/languages.ts';
import { checkTemplate, type TemplateDraft } from '../../../server/channels/chat/template-check.ts';
import { Refusal } from '../../../server/kit/errors.ts';
import type { TemplateButton, TemplateContent } from '../../../server/protocols/chat-platform/templates.ts';
import { covers } from '../../conformance/covers.ts';
import { draft } from './template-support.ts';

const reply = (text: string): TemplateButton => ({ kind: 'reply', text });
const website = (text: string, url = 'https://example.com/', sample = ''): TemplateButton => ({
  kind: 'website',
  text,
  url,
  dynamic: false,
  sample,
});
const call = (text: string, number = '+972550000001'): TemplateButton => ({ kind: 'call', text, number });
const coupon: TemplateButton = { kind: 'coupon', sample: '250000' };
const code: TemplateContent = {
  category: 'AUTHENTICATION',
  header: { kind: 'none' },
  body: '',
  bodySamples: [],
  footer: '',
  buttons: [{ kind: 'otp', text: 'Copy code' }],
  offer: null,
  authentication: { advice: true, minutes: 5 },
};

/** The refusal of a draft. */
function refusalOf(given: TemplateDraft): string {
  try {
    checkTemplate(given);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, 'bad-field');
    return error.message;
  }
  return 'taken';
}

test('the numbers of languages are those of the interface, each once', covers('chat.languages'), () => {
  assert.deepEqual(['he', 'en', 'ar', 'ru'].map(languageNumber), ['1', '2', '3', '4']);
  assert.equal(new Set(languages.map(({ number }) => number)).size, languages.length);
  assert.equal(new Set(languages.map(({ code: of }) => of)).size, languages.length);
  assert.equal(languageNumber('tlh'), '0');
});

test('a language is named by its number or by its code', () => {
  for (const [given, expected] of [
    ['1', 'he'],
    ['he', 'he'],
    ['EN_us', 'en_US'],
  ]) {
    assert.equal(checkTemplate(draft('order', {}, given)).language, expected);
  }
});

const wrong: readonly (readonly [what: string, given: TemplateDraft, message: string])[] = [
  ['no name', draft(''), 'name: must be lower-case English letters, digits and underscores'],
  [
    'a capital letter in the name',
    draft('Order'),
    'name: must be lower-case English letters, digits and underscores',
  ],
  [
    'a space in the name',
    draft('my order'),
    'name: must be lower-case English letters, digits and underscores',
  ],
  [
    'a line break after the name',
    draft('order\n'),
    'name: must be lower-case English letters, digits and underscores',
  ],
  ['a name of 513', draft('a'.repeat(513)), 'name: over 512 characters'],
  ['an unknown language', draft('order', {}, 'tlh'), 'language: is not one of the languages'],
  ['a number of no language', draft('order', {}, '0'), 'language: is not one of the languages'],
  ['no body', draft('order', { body: '' }), 'body: missing'],
  ['a body of spaces', draft('order', { body: ' \n ' }), 'body: missing'],
  ['a body of 1,025', draft('order', { body: 'a'.repeat(1_025) }), 'body: over 1024 characters'],
  [
    'a body too long with its samples',
    draft('order', { body: `${'a'.repeat(1_019)}{{1}}`, bodySamples: ['123456'] }),
    'body: over 1024 characters with its samples',
  ],
  ['a body with a NUL', draft('order', { body: 'a\0b' }), 'body: has an invalid character'],
  ['half of a character', draft('order', { body: 'a\ud83d' }), 'body: has an invalid character'],
  [
    'variables with a gap',
    draft('order', { body: '{{1}} {{3}}.', bodySamples: ['a', 'b'] }),
    'body: variables are numbered from 1 without gaps',
  ],
  [
    'variables from 2',
    draft('order', { body: '{{2}}.', bodySamples: ['a'] }),
    'body: variables are numbered from 1 without gaps',
  ],
  [
    'a variable 0',
    draft('order', { body: '{{0}} {{1}}.', bodySamples: ['a'] }),
    'body: a variable is {{1}}, {{2}} and so on, without spaces',
  ],
  [
    'a variable with a name',
    draft('order', { body: 'Hello {{name}}.' }),
    'body: a variable is {{1}}, {{2}} and so on, without spaces',
  ],
  [
    'a variable with spaces',
    draft('order', { body: 'Hello {{ 1 }}.', bodySamples: ['a'] }),
    'body: a variable is {{1}}, {{2}} and so on, without spaces',
  ],
  [
    'a variable that is not closed',
    draft('order', { body: 'Hello {{1.' }),
    'body: a variable is {{1}}, {{2}} and so on, without spaces',
  ],
  [
    'six variables',
    draft('order', { body: 'a {{1}}{{2}}{{3}}{{4}}{{5}}{{6}}.', bodySamples: [...'abcdef'] }),
    'body: over 5 variables',
  ],
  [
    'a sample too few',
    draft('order', { body: '{{1}} {{2}}.', bodySamples: ['a'] }),
    'body_samples: 1 for 2 variables: one for each',
  ],
  [
    'a sample too many',
    draft('order', { bodySamples: ['a'] }),
    'body_samples: 1 for 0 variables: one for each',
  ],
  [
    'an empty sample',
    draft('order', { body: '{{1}} {{2}}.', bodySamples: ['a', ' '] }),
    'body_samples[1]: missing: each variable needs an example',
  ],
  [
    'a sample of two lines',
    draft('order', { body: '{{1}}.', bodySamples: ['a\nb'] }),
    'body_samples[0]: no line break, no tab, no four spaces in a row',
  ],
  [
    'a sample with four spaces',
    draft('order', { body: '{{1}}.', bodySamples: ['a    b'] }),
    'body_samples[0]: no line break, no tab, no four spaces in a row',
  ],
  ['a footer of 61', draft('order', { footer: 'a'.repeat(61) }), 'footer: over 60 characters'],
  ['a footer of two lines', draft('order', { footer: 'a\nb' }), 'footer: no line break and no tab'],
  ['a footer with a variable', draft('order', { footer: 'for {{1}}' }), 'footer: no variable here'],

  [
    'an empty text header',
    draft('order', { header: { kind: 'text', text: '', sample: '' } }),
    'header.text: missing',
  ],
  [
    'a text header of 61',
    draft('order', { header: { kind: 'text', text: 'a'.repeat(61), sample: '' } }),
    'header.text: over 60 characters',
  ],
  [
    'a text header of two lines',
    draft('order', { header: { kind: 'text', text: 'a\nb', sample: '' } }),
    'header.text: no line break and no tab',
  ],
  [
    'a text header with two variables',
    draft('order', { header: { kind: 'text', text: '{{1}} {{2}}', sample: 'a' } }),
    'header.text: no variable here',
  ],
  [
    'a text header with its variable twice',
    draft('order', { header: { kind: 'text', text: '{{1}} {{1}}', sample: 'a' } }),
    'header.text: at most one variable, {{1}}',
  ],
  [
    'a text header without a sample',
    draft('order', { header: { kind: 'text', text: 'Order {{1}}', sample: '' } }),
    'header.sample: missing: each variable needs an example',
  ],
  [
    'a text header too long with its sample',
    draft('order', { header: { kind: 'text', text: 'Order {{1}}', sample: 'a'.repeat(55) } }),
    'header.text: over 60 characters with its sample',
  ],
  [
    'a media header without a sample',
    draft('order', { header: { kind: 'image', sample: '' } }),
    'header.sample: missing: a media header needs a link to an example',
  ],
  [
    'a sample that is no address',
    draft('order', { header: { kind: 'image', sample: 'picture.jpg' } }),
    'header.sample: must be an address that begins with http:// or https://',
  ],
  [
    'a sample by another protocol',
    draft('order', { header: { kind: 'image', sample: 'ftp://example.com/a.jpg' } }),
    'header.sample: must be an address that begins with http:// or https://',
  ],
  [
    'a sample of another kind than an image',
    draft('order', { header: { kind: 'image', sample: 'https://example.com/a.mp4' } }),
    'header.sample: the example of a header of kind image is jpg, jpeg, png',
  ],
  [
    'a sample of another kind than a video',
    draft('order', { header: { kind: 'video', sample: 'https://example.com/a.jpg' } }),
    'header.sample: the example of a header of kind video is mp4',
  ],
  [
    'a sample of another kind than a document',
    draft('order', { header: { kind: 'document', sample: 'https://example.com/a.docx?b=c.pdf' } }),
    'header.sample: the example of a header of kind document is pdf',
  ],

  ['a button without text', draft('order', { buttons: [reply('')] }), 'buttons[0].text: missing'],
  [
    'a button of 26',
    draft('order', { buttons: [reply('Yes'), reply('a'.repeat(26))] }),
    'buttons[1].text: over 25 characters',
  ],
  [
    'a variable on a button',
    draft('order', { buttons: [reply('{{1}}')] }),
    'buttons[0].text: no variable here',
  ],
  [
    'four quick replies',
    draft('order', { buttons: ['a', 'b', 'c', 'd'].map(reply) }),
    'buttons: at most 3 quick replies',
  ],
  [
    'three websites',
    draft('order', { buttons: ['a', 'b', 'c'].map((text) => website(text)) }),
    'buttons: at most 2 website buttons',
  ],
  ['two numbers', draft('order', { buttons: [call('a'), call('b')] }), 'buttons: at most 1 call buttons'],
  [
    'two coupons',
    draft('order', { category: 'MARKETING', buttons: [coupon, coupon] }),
    'buttons: at most 1 coupon buttons',
  ],
  [
    'quick replies around another button',
    draft('order', { buttons: [reply('a'), website('b'), reply('c')] }),
    'buttons: quick replies stand together, before or after the others',
  ],
  [
    'two buttons alike',
    draft('order', { buttons: [reply('a'), call('a')] }),
    'buttons: two have the same text',
  ],
  [
    'a number without +',
    draft('order', { buttons: [call('a', '972550000001')] }),
    'buttons[0].number: must be a phone number with + and its country code',
  ],
  [
    'a number that is none',
    draft('order', { buttons: [call('a', '+0550000001')] }),
    'buttons[0].number: must be a phone number with + and its country code',
  ],
  [
    'a website without an address',
    draft('order', { buttons: [website('a', '')] }),
    'buttons[0].url: must be an address that begins with http:// or https://',
  ],
  [
    'a website by another protocol',
    draft('order', { buttons: [website('a', 'javascript:alert(1)')] }),
    'buttons[0].url: must be an address that begins with http:// or https://',
  ],
  [
    'an address of 2,001',
    draft('order', { buttons: [website('a', `https://example.com/${'a'.repeat(1_981)}`)] }),
    'buttons[0].url: over 2000 characters',
  ],
  [
    'a variable inside an address',
    draft('order', { buttons: [website('a', 'https://example.com/{{1}}/b', 'https://example.com/a/b')] }),
    'buttons[0].url: its one variable, {{1}}, is at its end',
  ],
  [
    'two variables in an address',
    draft('order', { buttons: [website('a', 'https://example.com/{{2}}{{1}}', 'https://example.com/a')] }),
    'buttons[0].url: its one variable, {{1}}, is at its end',
  ],
  [
    'another variable in an address',
    draft('order', { buttons: [website('a', 'https://example.com/{{2}}', 'https://example.com/a')] }),
    'buttons[0].url: its one variable, {{1}}, is at its end',
  ],
  [
    'an address with a variable and no sample',
    draft('order', { buttons: [website('a', 'https://example.com/{{1}}')] }),
    'buttons[0].sample: missing: an address with a variable needs an example',
  ],
  [
    'a sample of another address',
    draft('order', { buttons: [website('a', 'https://example.com/{{1}}', 'https://example.org/1')] }),
    'buttons[0].sample: must be the address with something in the place of its variable',
  ],
  [
    'a sample with nothing for the variable',
    draft('order', { buttons: [website('a', 'https://example.com/{{1}}', 'https://example.com/')] }),
    'buttons[0].sample: must be the address with something in the place of its variable',
  ],
  [
    'a coupon outside marketing',
    draft('order', { buttons: [coupon] }),
    'buttons[0]: a coupon is only in marketing templates',
  ],
  [
    'a coupon code of 16 digits',
    draft('order', { category: 'MARKETING', buttons: [{ kind: 'coupon', sample: '1'.repeat(16) }] }),
    'buttons[0].sample: must be a coupon code of 1 to 15 digits',
  ],
  [
    'a coupon without a code',
    draft('order', { category: 'MARKETING', buttons: [{ kind: 'coupon', sample: '' }] }),
    'buttons[0].sample: must be a coupon code of 1 to 15 digits',
  ],
  [
    'a code outside authentication',
    draft('order', { buttons: [{ kind: 'otp', text: 'Copy' }] }),
    'buttons[0]: a button for the code is only in authentication templates',
  ],
  [
    'an offer outside marketing',
    draft('order', { offer: { text: 'For you', expires: true } }),
    'offer: only in marketing templates',
  ],
  [
    'an offer without a name',
    draft('order', { category: 'MARKETING', offer: { text: '', expires: true } }),
    'offer.text: missing',
  ],
  [
    'an offer of 17',
    draft('order', { category: 'MARKETING', offer: { text: 'a'.repeat(17), expires: true } }),
    'offer.text: over 16 characters',
  ],
  [
    'an offer with a footer',
    draft('order', { category: 'MARKETING', footer: 'a', offer: { text: 'For you', expires: true } }),
    'footer: not together with an offer',
  ],
  [
    'an offer with a body of 601',
    draft('order', {
      category: 'MARKETING',
      body: 'a'.repeat(601),
      offer: { text: 'For you', expires: true },
    }),
    'body: over 600 characters',
  ],
  [
    'an offer with a text header',
    draft('order', {
      category: 'MARKETING',
      header: { kind: 'text', text: 'a', sample: '' },
      offer: { text: 'For you', expires: true },
    }),
    'header: with an offer it is an image or a video',
  ],
  [
    'authentication in another category',
    draft('order', { authentication: { advice: true, minutes: null } }),
    'authentication: only in authentication templates',
  ],
  [
    'a header with a code',
    draft('code', { ...code, header: { kind: 'text', text: 'a', sample: '' } }),
    'header: not in an authentication template',
  ],
  [
    'a body with a code',
    draft('code', { ...code, body: 'Your code is {{1}}.' }),
    'body: the platform provides it for authentication templates',
  ],
  [
    'a footer with a code',
    draft('code', { ...code, footer: 'a' }),
    'footer: the platform provides it for authentication templates',
  ],
  [
    'an offer with a code',
    draft('code', { ...code, offer: { text: 'For you', expires: true } }),
    'offer: only in marketing templates',
  ],
  [
    'no button for a code',
    draft('code', { ...code, buttons: [] }),
    'buttons: an authentication template has one, of kind otp',
  ],
  [
    'another button beside a code',
    draft('code', { ...code, buttons: [...code.buttons, reply('a')] }),
    'buttons: an authentication template has one, of kind otp',
  ],
  [
    'another button than for a code',
    draft('code', { ...code, buttons: [reply('a')] }),
    'buttons: an authentication template has one, of kind otp',
  ],
  [
    'a long text on the button for a code',
    draft('code', { ...code, buttons: [{ kind: 'otp', text: 'a'.repeat(26) }] }),
    'buttons[0].text: over 25 characters',
  ],
  [
    'a code for 91 minutes',
    draft('code', { ...code, authentication: { advice: true, minutes: 91 } }),
    'authentication.minutes: must be 1 to 90',
  ],
  [
    'a code for no time',
    draft('code', { ...code, authentication: { advice: true, minutes: 0 } }),
    'authentication.minutes: must be 1 to 90',
  ],
];

for (const [what, given, message] of wrong) {
  test(`refused: ${what}`, () => assert.equal(refusalOf(given), message));
}

test(
  'values at the limits are accepted unchanged',
  covers('templateStatus.made.checked', 'chatLimits.template.name', 'chatLimits.template.variables'),
  () => {
    const full = draft('a'.repeat(512), {
      category: 'MARKETING',
      header: { kind: 'text', text: `${'a'.repeat(59)}{{1}}`, sample: 'b' },
      body: `${'a'.repeat(1_015)} {{1}}{{2}}{{1}}`.slice(-1_024),
      bodySamples: ['one', 'two'],
      footer: 'a'.repeat(60),
      buttons: [
        reply('a'.repeat(25)),
        reply('b'),
        reply('c'),
        website('d'),
        website('e', 'https://example.com/o?n={{1}}', 'https://example.com/o?n=1'),
        call('f'),
        { kind: 'coupon', sample: '1'.repeat(15) },
      ],
    });
    const { content } = checkTemplate(full);
    assert.deepEqual(content.buttons[4], {
      kind: 'website',
      text: 'e',
      url: 'https://example.com/o?n=',
      dynamic: true,
      sample: 'https://example.com/o?n=1',
    });
    assert.equal(content.body.length, 1_024);
    for (const given of [
      draft('image', { header: { kind: 'image', sample: 'https://example.com/a.JPEG?b=c.mp4' } }),
      draft('image', { header: { kind: 'image', sample: 'https://example.com/picture' } }),
      draft('video', { header: { kind: 'video', sample: 'https://example.com/a.mp4' } }),
      draft('document', { header: { kind: 'document', sample: 'https://example.com/a.pdf' } }),
      draft('offer', {
        category: 'MARKETING',
        body: 'a'.repeat(600),
        offer: { text: 'a'.repeat(16), expires: true },
        buttons: [coupon, website('To the shop')],
      }),
      draft('replies', { buttons: [website('a'), reply('b'), reply('c')] }),
      draft('code', code),
    ]) {
      assert.equal(refusalOf(given), 'taken', given.name);
    }
  },
);

test('what a kind does not have is left behind', () => {
  const { content } = checkTemplate(
    draft('order', {
      header: { kind: 'text', text: 'Order', sample: 'needless' },
      buttons: [website('a', 'https://example.com/', 'needless')],
    }),
  );
  assert.deepEqual(content.header, { kind: 'text', text: 'Order', sample: '' });
  assert.deepEqual(content.buttons[0], website('a'));
  const { content: withCode } = checkTemplate(draft('code', { ...code, authentication: null }));
  assert.deepEqual(withCode.authentication, { advice: true, minutes: null });
});
