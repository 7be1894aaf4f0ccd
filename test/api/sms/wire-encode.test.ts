import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type AnswerFields, encode, unknownRoot } from '../../../server/api/sms/wire/encode.ts';
import { encodeStream } from '../../../server/api/sms/wire/encode-stream.ts';
import type { Form } from '../../../server/api/sms/wire/wire-error.ts';
import { covers } from '../../conformance/covers.ts';

const forms: Form[] = ['xml', 'json'];
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

describe('encode', covers('B6.XML'), () => {
  const table: [name: string, answer: AnswerFields, xml: string, json: string][] = [
    [
      'flat fields',
      { status: 0, message: 'Sent', shipment_id: '17', ok: true },
      '<status>0</status><message>Sent</message><shipment_id>17</shipment_id><ok>true</ok>',
      '{"status":0,"message":"Sent","shipment_id":"17","ok":true}',
    ],
    [
      'null is kept and undefined is not',
      { status: 0, count: undefined, balance: null },
      '<status>0</status><balance></balance>',
      '{"status":0,"balance":null}',
    ],
    [
      'rows',
      { transactions: [{ external_id: 'a', status: 102 }, { external_id: null }] },
      '<transactions><transaction><external_id>a</external_id><status>102</status></transaction><transaction><external_id></external_id></transaction></transactions>',
      '{"transactions":[{"external_id":"a","status":102},{"external_id":null}]}',
    ],
    [
      'every array of the interface',
      {
        errors: ['e'],
        identifiers: [1],
        contact_lists: [{}],
        balances: [],
        verified_phones: [''],
        others: [2],
      },
      '<errors><error>e</error></errors><identifiers><identifier>1</identifier></identifiers><contact_lists><contact_list></contact_list></contact_lists><balances></balances><verified_phones><verified_phone></verified_phone></verified_phones><others><item>2</item></others>',
      '{"errors":["e"],"identifiers":[1],"contact_lists":[{}],"balances":[],"verified_phones":[""],"others":[2]}',
    ],
    [
      'what XML escapes',
      { message: '<a b="1">&amp;\']]>\r\n\t' },
      '<message>&lt;a b="1"&gt;&amp;amp;\']]&gt;&#13;\n\t</message>',
      '{"message":"<a b=\\"1\\">&amp;\']]>\\r\\n\\t"}',
    ],
    [
      'what XML cannot hold is left out',
      { message: 'a\0b\u0008\u001f\ufffe\uffffc😀\ud83dd\ude00é' },
      '<message>abc😀dé</message>',
      '{"message":"a\\u0000b\\b\\u001f\ufffe\uffffc😀\\ud83dd\\ude00é"}',
    ],
  ];
  for (const [name, answer, xml, json] of table) {
    test(name, () => {
      assert.equal(encode('xml', 'sms', answer), `${head}<sms>${xml}</sms>`);
      assert.equal(encode('json', 'sms', answer), json);
    });
  }

  test('the root of an answer to what could not be read', () => {
    assert.equal(encode('xml', unknownRoot, { status: 1 }), `${head}<response><status>1</status></response>`);
  });
});

describe('encodeStream', () => {
  const row = (i: number) => ({
    external_id: `id-${i}`,
    en_message: 'Delivered & done',
    he_message: 'הגיע ליעד',
    date: null,
  });

  async function* batches(sizes: number[]) {
    let next = 0;
    for (const size of sizes) {
      const from = next;
      next += size;
      yield Array.from({ length: size }, (_, i) => row(from + i));
    }
  }

  for (const form of forms) {
    for (const sizes of [[], [0], [1], [0, 2, 0, 1], [500, 500, 3], [5000]]) {
      test(`${form}: batches of [${sizes}] give what encode gives`, async () => {
        const rows = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, i) => row(i));
        const fields = { status: 0, message: 'ok', absent: undefined };
        const streamed = encodeStream(form, 'dlr', { ...fields, transactions: batches(sizes), count: 3 });
        assert.equal(await text(streamed), encode(form, 'dlr', { ...fields, transactions: rows, count: 3 }));
      });
    }

    test(`${form}: answers without rows, and without fields`, async () => {
      for (const answer of [{ status: 0, errors: ['a'] }, {}]) {
        assert.equal(await text(encodeStream(form, 'dlr', answer)), encode(form, 'dlr', answer));
      }
    });

    test(`${form}: rows that are single values`, async () => {
      async function* values() {
        yield ['a', 1, null];
        yield [true];
      }
      const streamed = await text(encodeStream(form, 'removeCL', { errors: values() }));
      assert.equal(streamed, encode(form, 'removeCL', { errors: ['a', 1, null, true] }));
    });

    test(`${form}: rows that fail break the stream`, async () => {
      async function* failing() {
        yield* batches([2000]);
        throw new Error('cursor lost');
      }
      const stream = encodeStream(form, 'dlr', { status: 0, transactions: failing() });
      let seen = '';
      await assert.rejects(async () => {
        for await (const chunk of stream) seen += chunk;
      }, /cursor lost/);
      assert(seen.length > 0);
      assert(!/(<\/dlr>|\]\})$/.test(seen), 'the answer looks whole');
    });

    test(`${form}: rows that fail immediately leave no byte`, async () => {
      const failing = {
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no cursor')) }),
      };
      const stream = encodeStream(form, 'dlr', { status: 0, transactions: failing });
      let chunks = 0;
      stream.on('data', () => chunks++);
      await assert.rejects(buffer(stream), /no cursor/);
      assert.equal(chunks, 0);
    });

    test(`${form}: chunks are near 64 KiB, and rows are not fetched ahead of the reader`, async () => {
      let fetched = 0;
      async function* counted() {
        for (let i = 0; i < 200; i++) {
          fetched++;
          yield* batches([500]);
        }
      }
      const stream = encodeStream(form, 'dlr', { status: 0, transactions: counted() });
      const sizes: number[] = [];
      for await (const chunk of stream) {
        sizes.push(chunk.length);
        if (sizes.length === 3) assert(fetched < 20, `${fetched} batches for three chunks`);
      }
      assert.equal(fetched, 200);
      assert(sizes.length > 20);
      // A character may take three bytes.
      assert(Math.max(...sizes) < 4 * 64 * 1024, `chunk of ${Math.max(...sizes)}`);
    });

    test(`${form}: an abandoned stream closes its rows`, async () => {
      let closed = false;
      async function* endless() {
        try {
          for (;;) yield* batches([500]);
        } finally {
          closed = true;
        }
      }
      const stream = encodeStream(form, 'dlr', { status: 0, transactions: endless() });
      await once(stream, 'readable');
      stream.destroy();
      await once(stream, 'close');
      assert(closed);
    });
  }
});
