import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { z } from 'zod';
import { firstProblem } from '../../../server/api/schema-problems.ts';
import { decode } from '../../../server/api/sms/wire/decode.ts';
import {
  element,
  list,
  optionalElement,
  optionalText,
  optionalWhole,
  text,
  textWithId,
  whole,
} from '../../../server/api/sms/wire/fields.ts';

const content = (body: string) => decode(Buffer.from(body)).content;

function problemOf(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  assert(!result.success, `accepted ${JSON.stringify(value)}`);
  return firstProblem(result.error).message;
}

const send = element({
  user: element({ username: text }),
  source: text,
  destinations: element({ phone: list(textWithId), cl_id: list(text) }),
  message: optionalText,
  includes_international: optionalWhole({ min: 0, max: 1 }),
  tts: optionalElement({ type: whole({ min: 2, max: 4 }), rate: optionalWhole({ min: -10, max: 10 }) }),
  links: optionalElement({ link: list(textWithId) }),
});

describe('a schema reads both forms', () => {
  const wanted: z.output<typeof send> = {
    user: { username: 'demo' },
    source: '5412',
    destinations: {
      phone: [
        { text: '0541', id: 'a' },
        { text: '0542', id: undefined },
        { text: '0543', id: undefined },
      ],
      cl_id: ['17'],
    },
    message: 'Hi',
    includes_international: 1,
    tts: { type: 4, rate: -3 },
    links: { link: [{ text: 'https://example.com', id: '1' }] },
  };
  const bodies: [name: string, body: string][] = [
    [
      'XML',
      `<sms><user><username>demo</username></user><source>5412</source>
       <destinations><phone id="a">0541</phone><phone id="">0542</phone><phone>0543</phone><cl_id>17</cl_id></destinations>
       <message>Hi</message><includes_international>1</includes_international>
       <tts><type>4</type><rate>-3</rate></tts><links><link id="1">https://example.com</link></links></sms>`,
    ],
    [
      'JSON of texts',
      JSON.stringify({
        sms: {
          user: { username: 'demo' },
          source: '5412',
          destinations: { phone: [{ $: { id: 'a' }, _: '0541' }, { _: '0542' }, '0543'], cl_id: '17' },
          message: 'Hi',
          includes_international: '1',
          tts: { type: '4', rate: '-3' },
          links: { link: { $: { id: '1' }, _: 'https://example.com' } },
          unknown: { is: 'left out' },
        },
      }),
    ],
    [
      'JSON of numbers',
      JSON.stringify({
        sms: {
          user: { username: 'demo' },
          source: 5412,
          destinations: { phone: [{ $: { id: 'a' }, _: '0541' }, '0542', { $: {}, _: '0543' }], cl_id: [17] },
          message: { _: 'Hi' },
          includes_international: { _: 1 },
          tts: { type: 4, rate: { $: { x: 1 }, _: -3 } },
          links: { link: [{ $: { id: 1 }, _: 'https://example.com' }] },
        },
      }),
    ],
  ];
  for (const [name, body] of bodies) {
    test(name, () => assert.deepEqual(send.parse(content(body)), wanted));
  }

  test('what is absent or empty', () => {
    const least = {
      user: { username: 'demo' },
      source: 'Shop',
      destinations: { phone: [], cl_id: [] },
      message: undefined,
      includes_international: undefined,
      tts: undefined,
      links: undefined,
    };
    const xml =
      '<sms><user><username>demo</username></user><source>Shop</source><destinations><phone/><x>1</x></destinations><message/><includes_international/><tts/><links/></sms>';
    assert.deepEqual(send.parse(content(xml)), least);
    const json =
      '{"sms":{"user":{"username":"demo"},"source":"Shop","destinations":{"phone":null},"message":"","includes_international":null,"tts":null,"links":""}}';
    assert.deepEqual(send.parse(content(json)), least);
  });
});

describe('problems name the field', () => {
  const table: [schema: z.ZodType, value: unknown, message: string][] = [
    [send, '', 'missing'],
    [send, {}, 'user: missing'],
    [send, { user: '' }, 'user: missing'],
    [send, { user: null }, 'user: missing'],
    [send, { user: 'demo' }, 'user: must have elements in it'],
    [send, { user: 5 }, 'user: must have elements in it'],
    [send, { user: [{}, {}] }, 'user: given more than once'],
    [send, { user: {} }, 'user.username: missing'],
    [send, { user: { username: '' } }, 'user.username: missing'],
    [send, { user: { username: { $: { id: '1' } } } }, 'user.username: missing'],
    [send, { user: { username: { _: null } } }, 'user.username: missing'],
    [send, { user: { username: ['a', 'b'] } }, 'user.username: given more than once'],
    [send, { user: { username: { b: 'x', _: 'mixed' } } }, 'user.username: must be a text'],
    [send, { user: { username: { _: ['a'] } } }, 'user.username: must be a text'],
    [
      element({ destinations: element({ phone: list(text) }) }),
      { destinations: '' },
      'destinations: missing',
    ],
    [
      element({ destinations: element({ phone: list(text) }) }),
      { destinations: { phone: ['1', '2', '3', ''] } },
      'destinations.phone[3]: missing',
    ],
    [
      element({ links: element({ link: list(textWithId) }) }),
      { links: { link: { $: { id: ['1', '2'] }, _: 'x' } } },
      'links.link[0].id: given more than once',
    ],
    [
      element({
        messages: element({ sms: list(element({ destinations: element({ phone: list(text) }) })) }),
      }),
      { messages: { sms: [{ destinations: { phone: 1 } }, { destinations: { phone: [1, {}, null] } }] } },
      'messages.sms[1].destinations.phone[1]: missing',
    ],
    [element({ a: list(text, { min: 1 }) }), {}, 'a: missing'],
    [element({ a: list(text, { min: 1 }) }), { a: '' }, 'a: missing'],
    [element({ a: list(text, { max: 2 }) }), { a: [1, 2, 3] }, 'a: more than 2 entries'],
    [element({ a: whole() }), {}, 'a: missing'],
    [element({ a: whole() }), { a: '' }, 'a: missing'],
    [element({ a: whole() }), { a: 1.5 }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: '1.5' }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: '0x10' }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: '1e3' }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: '9007199254740993' }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: true }, 'a: must be a whole number'],
    [element({ a: whole() }), { a: {} }, 'a: missing'],
    [element({ a: whole({ min: 1, max: 14 }) }), { a: 0 }, 'a: must be 1 or more'],
    [element({ a: whole({ min: 1, max: 14 }) }), { a: '15' }, 'a: must be 14 or less'],
    [element({ a: optionalWhole({ max: 1 }) }), { a: 'x' }, 'a: must be a whole number'],
    [element({ a: optionalText }), { a: { b: 1 } }, 'a: must be a text'],
    [element({ a: optionalElement({ b: text }) }), { a: { b: '' } }, 'a.b: missing'],
    [
      element({ a: text.refine((value) => value.length <= 2, 'over 2 characters') }),
      { a: 'abc' },
      'a: over 2 characters',
    ],
    [element({ a: text.refine((value) => value.length <= 2, 'over 2 characters') }), { a: '' }, 'a: missing'],
  ];
  for (const [schema, value, message] of table) {
    test(`${JSON.stringify(value)}: ${message}`, () => assert.equal(problemOf(schema, value), message));
  }

  test('the field is separate from the message', () => {
    const { error } = send.safeParse({ user: { username: 'demo' }, source: [1, 2] });
    assert.deepEqual(firstProblem(error!), {
      field: 'source',
      problem: 'given more than once',
      message: 'source: given more than once',
      detail: { reason: 'wrong-format' },
    });
  });

  test('a million bad entries are one problem', () => {
    const { error } = element({ a: list(text) }).safeParse({ a: new Array(1_000_000).fill('') });
    assert.equal(error!.issues.length, 1);
  });
});

describe('whole numbers', () => {
  const table: [value: unknown, number: number][] = [
    [0, 0],
    ['007', 7],
    ['+5', 5],
    ['-5', -5],
    [{ _: '12' }, 12],
    [3.0, 3],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ];
  for (const [value, number] of table) {
    test(JSON.stringify(value), () => assert.equal(whole().parse(value), number));
  }
});
