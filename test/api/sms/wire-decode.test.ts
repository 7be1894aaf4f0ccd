import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decode, decodeInSlices } from '../../../server/api/sms/wire/decode.ts';
import { type Form, WireError, type WireProblem } from '../../../server/api/sms/wire/wire-error.ts';

const read = (body: string | Buffer) => decode(Buffer.from(body as string));

function refuses(body: string | Buffer, kind: WireProblem, form: Form, message?: RegExp) {
  assert.throws(
    () => read(body),
    (error) => {
      assert(error instanceof WireError, `not a WireError: ${error}`);
      assert.deepEqual([error.kind, error.form], [kind, form], error.message);
      if (message !== undefined) assert.match(error.message, message);
      return true;
    },
  );
}

describe('XML and JSON twins come to the same content', () => {
  const twins: [name: string, xml: string, json: unknown][] = [
    [
      'a send',
      `<?xml version="1.0" encoding="UTF-8"?>
       <sms>
         <user><username>demo</username></user>
         <source>Shop</source>
         <destinations><phone id="a1">0541234567</phone><phone id="">0541234568</phone><phone>5412</phone></destinations>
         <message>Hello &amp; שלום 😀</message>
       </sms>`,
      {
        sms: {
          user: { username: 'demo' },
          source: 'Shop',
          destinations: {
            phone: [{ $: { id: 'a1' }, _: '0541234567' }, { $: { id: '' }, _: '0541234568' }, '5412'],
          },
          message: 'Hello & שלום 😀',
        },
      },
    ],
    ['a single bare entry', '<a><b><c>1</c></b></a>', { a: { b: { c: '1' } } }],
    [
      'trimming',
      '<a><b>\n x \t</b><c i=" y ">  z</c></a>',
      { a: { b: '\n x \t', c: { $: { i: ' y ' }, _: '  z' } } },
    ],
    ['empty elements', '<a><b/><c></c><d>  </d></a>', { a: { b: '', c: '', d: '  ' } }],
    ['an empty root', '<getCL/>', { getCL: {} }],
    ['attributes and no text', '<a><b i="1"/></a>', { a: { b: { $: { i: '1' } } } }],
    ['attributes of the root', '<a i="1"><b>2</b></a>', { a: { $: { i: '1' }, b: '2' } }],
    ['text of the root', '<a>text</a>', { a: { _: 'text' } }],
    ['text beside elements', '<a><b>x<c>y</c>z</b></a>', { a: { b: { c: 'y', _: 'xz' } } }],
    [
      'repeats that are apart',
      '<a><b>1</b><c>2</c><b>3</b><b>4</b></a>',
      { a: { b: ['1', '3', '4'], c: '2' } },
    ],
    ['CDATA', '<a><b>1 <![CDATA[<&>]]> 2</b></a>', { a: { b: '1 <&> 2' } }],
    [
      'references',
      '<a><b>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;&#x1F600;&#13;.</b></a>',
      { a: { b: '<>&\'"AB😀\r.' } },
    ],
    ['references once only', '<a><b>&amp;lt;</b></a>', { a: { b: '&lt;' } }],
    [
      'comments and instructions',
      '<!-- 1 --><?x y?><a><!-- 2 --><b>1<!-- 3 -->2<?z?>3</b></a><!-- 4 -->',
      { a: { b: '123' } },
    ],
    [
      'prefixes',
      '<n:a xmlns:n="u"><n:b n:i="1">2</n:b></n:a>',
      { 'n:a': { $: { 'xmlns:n': 'u' }, 'n:b': { $: { 'n:i': '1' }, _: '2' } } },
    ],
    [
      'names that objects inherit',
      '<a><constructor>1</constructor><toString>2</toString></a>',
      { a: { constructor: '1', toString: '2' } },
    ],
    ['line ends of XML', '<a><b>1\r\n2\r3</b></a>', { a: { b: '1\n2\n3' } }],
  ];
  for (const [name, xml, json] of twins) {
    test(name, () => {
      const fromXml = read(xml);
      const fromJson = read(JSON.stringify(json));
      assert.deepEqual(fromXml, { ...fromJson, form: 'xml' });
      assert.equal(fromJson.form, 'json');
      assert.deepEqual(Object.keys(json as object), [fromXml.root]);
    });
  }

  test('numbers, booleans and null of JSON stay what they are', () => {
    assert.deepEqual(read('{"a":{"b":1.5,"c":true,"d":null,"e":[1," x "]}}').content, {
      b: 1.5,
      c: true,
      d: null,
      e: [1, 'x'],
    });
  });
});

describe('what stands before and around a document', () => {
  const accepted: [name: string, body: string | Buffer, form: Form][] = [
    ['white space before the declaration', ' \r\n\t<?xml version="1.0"?><a><b>é</b></a>', 'xml'],
    ['no declaration', '<a><b>é</b></a>', 'xml'],
    ['byte-order mark', '\ufeff<?xml version="1.0"?><a><b>é</b></a>', 'xml'],
    ['byte-order mark and white space', '\n\ufeff \ufeff{"a":{"b":"é"}}', 'json'],
    ['white space around JSON', '\n {"a":{"b":"é"}}\n', 'json'],
    [
      'a declaration of another encoding',
      '<?xml version="1.0" encoding="windows-1255"?><a><b>é</b></a>',
      'xml',
    ],
    ['a declaration of UTF-16 over UTF-8', '<?xml version="1.0" encoding="utf-16"?><a><b>é</b></a>', 'xml'],
    ['version 1.1', '<?xml version="1.1"?><a><b>é</b></a>', 'xml'],
    [
      'UTF-16, little end first',
      Buffer.from('\ufeff<?xml version="1.0" encoding="utf-16"?><a><b>é</b></a>', 'utf16le'),
      'xml',
    ],
    ['UTF-16, big end first', Buffer.from('\ufeff<a><b>é</b></a>', 'utf16le').swap16(), 'xml'],
    ['UTF-16 JSON', Buffer.from('\ufeff{"a":{"b":"é"}}', 'utf16le'), 'json'],
  ];
  for (const [name, body, form] of accepted) {
    test(name, () => assert.deepEqual(read(body), { form, root: 'a', content: { b: 'é' } }));
  }
});

describe('bodies that cannot be parsed', () => {
  const xml: [name: string, body: string | Buffer, message?: RegExp][] = [
    ['half a body', '<sms><user><username>de'],
    ['a lone <', '<'],
    ['only a declaration', '<?xml version="1.0"?>'],
    ['unclosed tag', '<a><b></a>', /line 1, column 10: unexpected close tag$/],
    ['unclosed root', '<a><b></b>'],
    ['mismatched tags', '<a>1</b>'],
    ['text after the root', '<a/>tail'],
    ['close tag after the root', '<a/></a>'],
    ['DOCTYPE', '<!DOCTYPE a><a/>', /DOCTYPE/],
    ['DOCTYPE after a comment', '<!-- --><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /DOCTYPE/],
    ['unknown entity', '<a>&nbsp;</a>', /undefined entity/],
    ['entity with a name that objects inherit', '<a>&constructor;&__proto__;</a>', /undefined entity/],
    ['unfinished entity', '<a>&amp</a>'],
    ['bare ampersand', '<a>this & that</a>'],
    ['reference to NUL', '<a>&#0;</a>'],
    ['reference to NUL in an attribute', '<a b="&#x0;"/>'],
    ['reference to a control character', '<a>&#1;</a>'],
    ['reference to a control character, version 1.1', '<?xml version="1.1"?><a>&#1;</a>'],
    ['reference to a surrogate', '<a>&#xD83D;&#xDE00;</a>'],
    ['reference to U+FFFF', '<a>&#xFFFF;</a>'],
    ['reference past Unicode', '<a>&#x110000;</a>'],
    ['NUL', '<a>x\0</a>'],
    ['control character', '<a>\u0008</a>'],
    ['attribute twice', '<a><b secret="1" secret="2"/></a>', /duplicate attribute$/],
    ['attribute without quotes', '<a b=c/>'],
    ['attribute without value', '<a b/>'],
    ['< in an attribute', '<a b="<"/>'],
    [']]> in text', '<a>]]></a>'],
    ['-- in a comment', '<a><!-- -- --></a>'],
    ['unfinished comment', '<a><!-- </a>'],
    ['unfinished CDATA', '<a><![CDATA[ </a>'],
    ['a tag that begins with a digit', '<1a/>'],
    ['a second declaration', '<a><?xml version="1.0"?></a>'],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('<a>'), Buffer.from([0xc3, 0x28]), Buffer.from('</a>')]),
      /UTF-8/,
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('<a>'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('</a>')]),
    ],
    [
      'an overlong form',
      Buffer.concat([Buffer.from('\ufeff <a>'), Buffer.from([0xc0, 0x80]), Buffer.from('</a>')]),
    ],
    ['a legacy encoding', Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', 'latin1')],
    ['UTF-16 with half a character', Buffer.from('\ufeff<a/>', 'utf16le').subarray(0, -1)],
    ['UTF-16 with half a pair', Buffer.from('\ufeff<a>\ud83d</a>', 'utf16le')],
  ];
  for (const [name, body, message] of xml) {
    test(`XML: ${name}`, () => refuses(body, 'unparseable', 'xml', message));
  }

  const json: [name: string, body: string | Buffer, message?: RegExp][] = [
    ['empty body', '', /empty/],
    ['only white space', ' \n\ufeff', /empty/],
    ['a word', 'hello', /neither/],
    ['form data', 'user=demo&message=hi', /neither/],
    ['an array', '[{"sms":{}}]', /neither/],
    ['half a body', '{"sms":{"user":{"username":"secret'],
    ['a lone {', '{'],
    ['trailing garbage', '{"sms":{}}}'],
    ['two documents', '{"sms":{}}{"sms":{}}'],
    ['trailing comma', '{"sms":{},}'],
    ['single quotes', "{'sms':{}}"],
    ['a bare control character', '{"sms":{"message":"a\nb"}}'],
    ['NUL in a text', '{"sms":{"message":"a\\u0000b"}}', /NUL/],
    ['NUL in an array', '{"sms":{"message":["a\\u0000"]}}', /NUL/],
    ['NUL in a key', '{"sms":{"mess\\u0000age":"a"}}', /NUL/],
    ['NUL in the root', '{"sms\\u0000":{}}', /NUL/],
    ['the first half of a pair', '{"sms":{"message":"a\\ud83d"}}', /surrogate/],
    ['the second half of a pair', '{"sms":{"message":"\\uDE00"}}', /surrogate/],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
    ['bytes', Buffer.from([0x00, 0xff, 0xfe])],
    ['UTF-16 without a mark', Buffer.from('{"a":{}}', 'utf16le')],
  ];
  for (const [name, body, message] of json) {
    test(`JSON or neither: ${name}`, () => refuses(body, 'unparseable', 'json', message));
  }

  test('escapes that are harmless pass', () => {
    const { content } = read('{"a":{"b":"\\ud83d\\ude00 \\\\u0000 \\u05d0"}}');
    assert.deepEqual(content, { b: '😀 \\u0000 א' });
  });

  test('messages quote nothing of the body', () => {
    for (const body of [
      '{"secret":',
      '<secret>',
      '<a secret="1" secret="1"/>',
      '<a>&secret;</a>',
      '<a><secret></b></a>',
    ]) {
      assert.throws(
        () => read(body),
        (error: WireError) => !error.message.includes('secret'),
      );
    }
  });
});

describe('roots', () => {
  test('not exactly one operation', () => {
    refuses('{}', 'root', 'json');
    refuses('{"sms":{},"bulk":{}}', 'root', 'json');
    refuses('<sms/><bulk/>', 'root', 'xml');
    refuses('<sms></sms><sms></sms>', 'root', 'xml');
  });
  test('a value that is not an object', () => {
    for (const value of ['null', '1', '"x"', '[]', '[1]', '[1,2]', 'true'])
      refuses(`{"sms":${value}}`, 'root', 'json');
  });
  test('the name is read unchanged', () => {
    assert.equal(read('<Nothing/>').root, 'Nothing');
    assert.equal(read('{"constructor":{}}').root, 'constructor');
  });
});

describe('names that are dangerous in JavaScript', () => {
  test('__proto__ is dropped, whatever it holds', () => {
    const bodies = [
      '<a __proto__="1"><__proto__><polluted>1</polluted></__proto__><__proto__>2</__proto__><b __proto__="2" i="3"/></a>',
      '{"a":{"__proto__":{"polluted":"1"},"b":{"__proto__":[1],"$":{"i":"3","__proto__":null}}}}',
    ];
    for (const body of bodies) {
      const { content } = read(body);
      assert.deepEqual(content, { b: { $: { i: '3' } } });
      assert.equal((content as { polluted?: string }).polluted, undefined);
      assert.equal(Object.getPrototypeOf(content), Object.prototype);
    }
    assert.equal(({} as { polluted?: string }).polluted, undefined);
  });
  test('as the root it is no operation', () => {
    refuses('<__proto__/>', 'root', 'xml');
    refuses('{"__proto__":{}}', 'root', 'json');
  });
});

describe('size and depth', () => {
  const nestedXml = (levels: number) => `${'<a>'.repeat(levels)}x${'</a>'.repeat(levels)}`;
  const nestedJson = (levels: number) => `${'{"a":'.repeat(levels)}"x"${'}'.repeat(levels)}`;

  test('32 levels are read, the same from both forms', () => {
    assert.deepEqual(read(nestedXml(32)), { ...read(nestedJson(32)), form: 'xml' });
  });
  test('33 levels are refused', () => {
    refuses(nestedXml(33), 'unparseable', 'xml', /32 levels/);
    refuses(nestedJson(33), 'unparseable', 'json', /32 levels/);
    refuses(`{"a":{"b":${'['.repeat(31)}${']'.repeat(31)}}}`, 'unparseable', 'json', /32 levels/);
  });
  test('megabytes of nesting are refused', () => {
    refuses('<a>'.repeat(3_400_000), 'unparseable', 'xml', /32 levels/);
    refuses(nestedJson(1_500_000), 'unparseable', 'json', /32 levels/);
    refuses(
      `{"a":{"b":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`,
      'unparseable',
      'json',
      /32 levels/,
    );
  });
  test('entity bombs are refused for their DOCTYPE', () => {
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i};`.repeat(10)}">`);
    refuses(
      `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol0 "lol">${entities.join('')}]><sms>&lol9;</sms>`,
      'unparseable',
      'xml',
      /DOCTYPE/,
    );
    refuses(
      `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(100_000)}">]><a>${'&x;'.repeat(100_000)}</a>`,
      'unparseable',
      'xml',
      /DOCTYPE/,
    );
    refuses(
      '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://127.0.0.1/"> %p;]><a/>',
      'unparseable',
      'xml',
      /DOCTYPE/,
    );
  });
  test('ten megabytes are read', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024 - 100);
    assert.equal(read(`<a><b>${long}</b></a>`).content.b, long);
    assert.equal(read(JSON.stringify({ a: { b: long } })).content.b, long);
    const references = '&amp;'.repeat(2_000_000);
    assert.equal(read(`<a><b>${references}</b></a>`).content.b, '&'.repeat(2_000_000));
    assert.equal(
      (read(`<a>${'<b>0501234567</b>'.repeat(500_000)}</a>`).content.b as string[]).length,
      500_000,
    );
  });

  test('a body decoded in many slices equals one decoded in one step', async () => {
    const xml = `<a>${'<b>0501234567</b>'.repeat(100_000)}</a>`;
    assert.deepEqual(await decodeInSlices(Buffer.from(xml)), decode(Buffer.from(xml)));
    const json = `{"a":{"b":[${'"0501234567 ",'.repeat(140_000)}"0501234567"]}}`;
    assert.deepEqual(await decodeInSlices(Buffer.from(json)), decode(Buffer.from(json)));
  });

  test('more elements, attributes, values and names than any request needs', async () => {
    const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}="1"`).join('');
    const names = (count: number) => Array.from({ length: count }, (_, i) => `<b${i}/>`).join('');
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `"b${i}":1`).join(',');
    const different = (count: number) => Array.from({ length: count }, (_, i) => `{"b${i}":1}`).join(',');
    const bodies = (more: number) => [
      `<a${attributes(32 + more)}/>`,
      `<a>${names(1_000 + more)}</a>`,
      `<a>${'<b/>'.repeat(599_999 + more)}</a>`,
      `{"a":{${keys(1_000 + more)}}}`,
      `{"a":{"b":[${different(10_000 + more)}]}}`,
    ];
    for (const body of bodies(0)) await decodeInSlices(Buffer.from(body));
    for (const body of [...bodies(1), `{"a":{"b":[${'1,'.repeat(1_200_010)}1]}}`]) {
      await assert.rejects(decodeInSlices(Buffer.from(body)), WireError, body.slice(0, 40));
    }
  });
  test('a bulk of 2,500 is the same from both forms', () => {
    const sms = Array.from({ length: 2500 }, (_, i) => ({
      source: 'Shop',
      destinations: { phone: { $: { id: `e${i}` }, _: `05${40_000_000 + i}` } },
      message: `Number ${i}`,
    }));
    const xml = sms.map(
      ({ source, destinations: { phone }, message }) =>
        `<sms><source>${source}</source><destinations><phone id="${phone.$.id}">${phone._}</phone></destinations><message>${message}</message></sms>\n`,
    );
    assert.deepEqual(read(`<bulk><messages>${xml.join('')}</messages></bulk>`).content, {
      messages: { sms },
    });
  });
});
