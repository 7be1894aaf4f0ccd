import assert from 'node:assert/strict';
import { text as readAll } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decode } from '../../../server/api/sms/wire/decode.ts';
import { encode } from '../../../server/api/sms/wire/encode.ts';
import { encodeStream } from '../../../server/api/sms/wire/encode-stream.ts';
import { WireError } from '../../../server/api/sms/wire/wire-error.ts';
import { covers } from '../../conformance/covers.ts';

type Node = string | Element | (string | Element)[];
interface Element {
  [name: string]: Node | Record<string, string>;
}

const name = fc
  .stringMatching(/^[A-Za-z_:א-ת][A-Za-z0-9_.:א-ת-]{0,8}$/)
  .filter((it) => it !== '_' && it !== '__proto__' && it !== 'xmlns' && !it.startsWith('xmlns:'));

/** Any text that both forms can hold: what XML 1.0 calls a character, and no white space at the ends. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[<>&;\]'"\r\n\t a#x0-9]{0,12}$/),
  )
  .map((it) => it.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').trim());

/** Attributes under `$`; in XML a line end in them would need a reference, as the writer below makes. */
const attributes = fc.dictionary(name, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true });

const { element } = fc.letrec<{ element: Element; node: string | Element; repeated: (string | Element)[] }>(
  (tie) => ({
    node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, text, tie('element')),
    repeated: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
    element: fc
      .tuple(
        fc.dictionary(name, fc.oneof(tie('node'), tie('repeated')), {
          minKeys: 1,
          maxKeys: 4,
          noNullPrototype: true,
        }),
        fc.option(attributes, { nil: undefined }),
        fc.option(text, { nil: undefined }),
      )
      .map(([elements, $, _]) => ({ ...elements, ...($ && { $ }), ...(_ && { _ }) }) as Element),
  }),
);

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: string) =>
  value.replace(/[&<>"\r\n\t]/g, (it) => references[it] ?? `&#${it.codePointAt(0)};`);

/** An XML writer of our own for the tests, of every shape that the JSON form can have. */
function toXml(tag: string, node: Node): string {
  if (Array.isArray(node)) return node.map((entry) => toXml(tag, entry)).join('\n');
  if (typeof node === 'string') return `<${tag}>${escaped(node)}</${tag}>`;
  let opening = tag;
  let inner = '';
  for (const [key, value] of Object.entries(node)) {
    if (key === '$')
      for (const [attribute, it] of Object.entries(value))
        opening += ` ${attribute}="${escaped(it as string)}"`;
    else inner += key === '_' ? escaped(value as string) : toXml(key, value as Node);
  }
  return `<${opening}>${inner}</${tag}>`;
}

describe('properties of the wire form', () => {
  test('XML and JSON of the same content decode to that content', covers('requests.mapping'), () => {
    fc.assert(
      fc.property(name, element, (root, content) => {
        assert.deepEqual(decode(Buffer.from(toXml(root, content))), { form: 'xml', root, content });
        assert.deepEqual(decode(Buffer.from(JSON.stringify({ [root]: content }))), {
          form: 'json',
          root,
          content,
        });
      }),
    );
  });

  const readsOrRefuses = (body: Buffer) => {
    try {
      const { root, content } = decode(body);
      assert.equal(typeof root, 'string');
      assert(typeof content === 'object' && content !== null && !Array.isArray(content));
    } catch (error) {
      assert(error instanceof WireError, String(error));
    }
  };

  test('any bytes are read or refused with a WireError', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => readsOrRefuses(Buffer.from(bytes))));
  });

  test('so is anything that begins like a document', () => {
    const begin = fc.constantFrom('<', '<a>', '{', '{"a":', '<?xml ', '<!', '<![CDATA[', '\ufeff<', '<a b="');
    fc.assert(
      fc.property(begin, fc.string({ unit: 'binary' }), (start, rest) =>
        readsOrRefuses(Buffer.from(start + rest)),
      ),
    );
  });

  test('so is any document with a byte changed, put in or cut off', () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 5 }),
      add: fc.uint8Array({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(element, fc.boolean(), change, (content, isXml, { at, remove, add }) => {
        const body = Buffer.from(isXml ? toXml('sms', content) : JSON.stringify({ sms: content }));
        const cut = at % body.length;
        readsOrRefuses(Buffer.concat([body.subarray(0, cut), add, body.subarray(cut + remove)]));
      }),
    );
  });

  test('no proper beginning of a document is a document', () => {
    fc.assert(
      fc.property(element, fc.boolean(), fc.nat(), (content, isXml, at) => {
        const body = Buffer.from(isXml ? toXml('sms', content) : JSON.stringify({ sms: content }));
        assert.throws(() => decode(body.subarray(0, at % body.length)), WireError);
      }),
    );
  });

  test('what encode writes decodes to the same texts', () => {
    const row = fc.dictionary(name, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
    const answer = fc.record({ message: text, transactions: fc.array(row, { minLength: 2, maxLength: 5 }) });
    fc.assert(
      fc.property(answer, ({ message, transactions }) => {
        const fields = { status: 0, message, transactions };
        assert.deepEqual(decode(Buffer.from(encode('xml', 'dlr', fields))).content, {
          status: '0',
          message,
          transactions: { transaction: transactions },
        });
        assert.deepEqual(JSON.parse(encode('json', 'dlr', fields)), fields);
      }),
    );
  });

  test('any string at all makes well-formed XML', () => {
    const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff)), (units) => {
        const message = String.fromCharCode(...units);
        const { content } = decode(Buffer.from(encode('xml', 'sms', { message })));
        assert.deepEqual(content, { message: message.replace(forbidden, '').trim() });
      }),
    );
  });

  test('a streamed answer is the answer, however its rows are cut into batches', async () => {
    const batches = fc.array(fc.array(fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true })), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom('xml' as const, 'json' as const), async (cut, form) => {
        async function* rows() {
          yield* cut;
        }
        const streamed = await readAll(encodeStream(form, 'dlr', { status: 0, transactions: rows() }));
        assert.equal(streamed, encode(form, 'dlr', { status: 0, transactions: cut.flat() }));
      }),
    );
  });
});
