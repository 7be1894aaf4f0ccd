import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../server/api/sms/operations/index.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { type Content, forms, startTestService, write } from '../../support/service.ts';
import { answers, documented, good } from './good-requests.ts';

/** Whatever comes in: a documented status, never a fault, and nothing stored. */
const service = await startTestService();
const { sql } = service;
/** Sends something bad and checks that it leaves no trace. */
async function bad(body: string | Uint8Array, expected: readonly number[], what = ''): Promise<void> {
  const before = await countEverything(sql);
  await refused(body, expected, what);
  assert.deepEqual(await countEverything(sql), before, what);
}

/** Sends something bad, as a request and as a dry run. */
async function refused(body: string | Uint8Array, expected: readonly number[], what = ''): Promise<void> {
  for (const path of ['/api', '/api/test']) {
    const answer = await service.post(body, { path });
    const about = `${what || String(body).slice(0, 200)}: ${answer.message}`;
    assert.equal(answer.http, 200, about);
    assert.ok(expected.includes(answer.status), `${answer.status} for ${about}`);
    assert.ok(answer.message.length > 0 && answer.message.length < 300, about);
  }
}

const required: [root: string, path: string[], status: number][] = [
  ['sms', ['user'], 2],
  ['sms', ['user', 'username'], 2],
  ['sms', ['source'], 2],
  ['sms', ['destinations'], 2],
  ['sms', ['destinations', 'phone'], 2],
  ['sms', ['message'], 2],
  ['bulk', ['user'], 2],
  ['bulk', ['messages'], 2],
  ['bulk', ['messages', 'sms'], 2],
  ['bulk', ['messages', 'sms', '0', 'source'], 2],
  ['bulk', ['messages', 'sms', '0', 'destinations'], 2],
  ['bulk', ['messages', 'sms', '0', 'destinations', 'phone'], 2],
  ['bulk', ['messages', 'sms', '0', 'message'], 2],
  ['dlr', ['user'], 2],
  ['dlr', ['transactions'], 2],
  ['dlr', ['transactions', 'external_id'], 2],
  ['dlr', ['from'], 2],
  ['dlr', ['to'], 2],
  ['dlrByDate', ['user'], 2],
  ['dlrByDate', ['from'], 2],
  ['dlrByDate', ['to'], 2],
  ['ttsDlr', ['user'], 2],
  ['ttsDlr', ['from'], 2],
  ['ttsDlr', ['to'], 2],
  ['incoming', ['user'], 2],
  ['incoming', ['from'], 2],
  ['incoming', ['to'], 2],
  ['balance', ['user'], 2],
  ['getApiToken', ['user'], 2],
  ['getApiToken', ['username'], 2],
  ['getApiToken', ['action'], 2],
  ['cancel', ['user'], 2],
  ['cancel', ['campaign_id'], 2],
  ['blacklist', ['user'], 2],
  ['blacklist', ['from'], 2],
  ['blacklist', ['to'], 2],
  ['addNumBL', ['user'], 2],
  ['addNumBL', ['phones'], 2],
  ['addNumBL', ['phones', 'phone'], 2],
  ['rmNumBL', ['user'], 2],
  ['rmNumBL', ['phones'], 2],
  ['rmNumBL', ['phones', 'phone'], 2],
  ['rmNumBL', ['reason'], 2],
  ['newCL', ['user'], 2],
  ['newCL', ['cl'], 2],
  ['newCL', ['cl', 'name'], 2],
  ['removeCL', ['user'], 2],
  ['removeCL', ['cl'], 2],
  ['removeCL', ['cl', 'id'], 2],
  ['addNumCL', ['user'], 2],
  ['addNumCL', ['cl'], 2],
  ['addNumCL', ['cl', 'destinations'], 2],
  ['rmNumCL', ['user'], 2],
  ['rmNumCL', ['cl'], 2],
  ['rmNumCL', ['cl', 'destinations'], 2],
  ['getCL', ['user'], 2],
  ['getCLbyID', ['user'], 2],
  ['getCLbyID', ['cl'], 2],
  ['getCLbyID', ['cl', 'id'], 2],
  ['send_otp', ['user'], 2],
  ['send_otp', ['phone'], 2],
  ['send_otp', ['source'], 2],
  ['validate_otp', ['user'], 2],
  ['validate_otp', ['phone'], 2],
  ['validate_otp', ['code'], 2],
  ['addSub', ['user'], 2],
  ['addSub', ['userDetails'], 2],
  ['addSub', ['userDetails', 'name'], 2],
  ['addSub', ['userDetails', 'username'], 2],
  ['addSub', ['userDetails', 'password'], 2],
  ['addSub', ['userDetails', 'source'], 2],
  ['addSub', ['userDetails', 'amount'], 2],
  ['updateAmountSub', ['user'], 2],
  ['updateAmountSub', ['userDetails'], 2],
  ['updateAmountSub', ['userDetails', 'username'], 2],
  ['updateAmountSub', ['userDetails', 'amount'], 2],
  ['getBlanceSubs', ['user'], 2],
  ['verify_phone', ['user'], 2],
  ['verify_phone', ['phone'], 510],
  ['getVerifiedPhones', ['user'], 2],
  ['push_url', ['user'], 2],
  ['push_url', ['type'], 2],
  ['push_url', ['url'], 2],
];

/** A good request with the value at `path` replaced. */
function withValue(root: string, path: readonly string[], value: unknown): Content {
  const content: Content = structuredClone({ user: { username: 'demo' }, ...good[root]!() });
  let node = content as Record<string, unknown>;
  for (const step of path.slice(0, -1)) node = node[step] as Record<string, unknown>;
  node[path.at(-1)!] = value;
  return content;
}

for (const form of forms) {
  test(`${form}: the good requests are good`, async () => {
    assert.deepEqual(operations.map(({ roots }) => roots[0]!).sort(), Object.keys(good).sort());
    for (const [root, content] of Object.entries(good)) {
      const answer = await service.call(form, root, content());
      assert.equal(answer.status, answers[root] ?? 0, `${root}: ${answer.message}`);
    }
  });

  test(
    `${form}: every required field: missing, it is refused and the field is named`,
    covers('requests.HTTP 200', 'requests.required', 'status.2'),
    async () => {
      const before = await countEverything(sql);
      for (const [root, path, status] of required) {
        const content = withValue(root, path, undefined);
        const answer = await service.call(form, root, content);
        const name = `${root} without ${path.join('.')}`;
        assert.deepEqual([answer.http, answer.status], [200, status], `${name}: ${answer.message}`);
        // An element that has lost its only child is empty, which in XML is as good as missing.
        const first = path[0]!;
        assert.ok(answer.message.startsWith(first), `${name}: ${answer.message}`);
        await refused(write(form, root, content), [status], name);
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: wrong types in every field`,
    covers('operations.dry run', 'requests.types', 'status.998'),
    async () => {
      // XML has no way to write these.
      const controls = '\u0001\u001f\ufffe\uffff';
      const values: unknown[] = [
        null,
        true,
        false,
        0,
        -1,
        1.5,
        1e300,
        '',
        [],
        {},
        [[]],
        [{}],
        { a: 1 },
        { _: { a: 1 } },
        { $: 'x', _: [] },
        { $: { id: { a: 1 } }, _: 'x' },
        ['x', { a: 1 }],
        [null, null],
        'x'.repeat(20_000),
        controls,
        "'; DROP TABLE messages; --",
        '\\u0000',
        '%s%n',
      ].filter((value) => form === 'json' || value !== controls);
      const paths = new Map<string, string[][]>();
      for (const root of Object.keys(good)) {
        const found: string[][] = [['user'], ['user', 'username']];
        (function walk(node: unknown, path: string[]) {
          for (const [key, value] of Object.entries(node as object)) {
            if (key === '$' || key === '_') continue;
            found.push([...path, key]);
            if (typeof value === 'object' && value !== null) walk(value, [...path, key]);
          }
        })(good[root]!(), []);
        paths.set(root, found);
      }
      const before = await countEverything(sql);
      for (const [root, all] of paths) {
        for (const path of all) {
          const answers = await Promise.all(
            values.map((value) =>
              service.post(write(form, root, withValue(root, path, value)), { path: '/api/test' }),
            ),
          );
          for (const [index, answer] of answers.entries()) {
            const about = `${root} ${path.join('.')} = ${JSON.stringify(values[index])?.slice(0, 60)}: ${answer.status} ${answer.message}`;
            assert.equal(answer.http, 200, about);
            assert.ok(documented.has(answer.status), about);
          }
        }
        assert.deepEqual(await countEverything(sql), before, root);
      }
    },
  );
}

test('bodies that are nothing', covers('requests.unreadable'), async () => {
  for (const body of [
    '',
    ' ',
    '\ufeff',
    '\n\n',
    'null',
    '[]',
    '"sms"',
    '12',
    'true',
    'hello',
    'sms=1&x=2',
    '<',
    '{',
    '>',
    '}',
  ]) {
    await bad(body, [1], JSON.stringify(body));
  }
});

test('half a body, cut anywhere', covers('requests.unreadable', 'status.1'), async () => {
  for (const form of forms) {
    const body = Buffer.from(
      write(form, 'sms', { source: 'Shop', destinations: { phone: newPhone() }, message: 'שלום' }),
    );
    const before = await countEverything(sql);
    const cuts = Array.from({ length: body.length - 1 }, (_, i) => i + 1);
    for (const cut of cuts) {
      const answer = await service.post(body.subarray(0, cut));
      assert.deepEqual([answer.http, answer.status], [200, 1], `${form} cut at ${cut}`);
    }
    assert.deepEqual(await countEverything(sql), before);
  }
});

test('DOCTYPE, entities and what hides behind them', covers('requests.unsafe XML'), async () => {
  const request = (inner: string) => `<balance><user><username>${inner}</username></user></balance>`;
  const bombs = [
    `<!DOCTYPE balance>${request('demo')}`,
    `<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "demo">]>${request('&a;')}`,
    `<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]>${request('&a;')}`,
    `<!DOCTYPE b SYSTEM "http://127.0.0.1/x.dtd">${request('demo')}`,
    `<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>${request('&c;')}`,
    request('&nbsp;'),
    request('&#0;'),
    request('&#xD800;'),
    request('&#x110000;'),
    request('&lt'),
    request('<![CDATA[demo'),
    request('demo<!-- '),
    request('<?php '),
    '<balance><user a=1><username>demo</username></user></balance>',
    '<balance><user a="1" a="2"><username>demo</username></user></balance>',
    '<balance><user></balance></user>',
    '<balance xmlns:a="b"><a:user/></wrong>',
    '<1balance/>',
    `</balance>${request('demo')}`,
  ];
  for (const bomb of bombs) await bad(bomb, [1]);
});

test('deep nesting', covers('requests.nesting'), async () => {
  const json = (depth: number) =>
    `{"balance":{"user":{"username":"demo"},"x":${'['.repeat(depth)}1${']'.repeat(depth)}}}`;
  const xml = (depth: number) =>
    `<balance><user><username>demo</username></user>${'<x>'.repeat(depth)}${'</x>'.repeat(depth)}</balance>`;
  assert.equal((await service.post(json(30))).status, 0);
  assert.equal((await service.post(xml(31))).status, 0);
  await bad(json(31), [1], 'json 33');
  await bad(xml(32), [1], 'xml 33');
  for (const depth of [1_000, 100_000, 1_000_000]) {
    await bad(json(depth), [1], `json ${depth}`);
    await bad(xml(depth), [1], `xml ${depth}`);
  }
  await bad('['.repeat(5_000_000), [1], 'brackets');
  await bad('{"a":'.repeat(1_000_000), [1], 'braces');
  await bad('<a>'.repeat(3_000_000), [1], 'tags');
});

test('bytes that are no text', covers('requests.unreadable'), async () => {
  const head = Buffer.from('{"balance":{"user":{"username":"demo');
  const tail = Buffer.from('"}}}');
  const xmlHead = Buffer.from('<balance><user><username>demo');
  const xmlTail = Buffer.from('</username></user></balance>');
  const wrong = [
    [0xff],
    [0xc0, 0xaf],
    [0xc3],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x80],
    // "שלום" in windows-1255.
    [0xf9, 0xec, 0xe5, 0xed],
  ];
  for (const bytes of wrong) {
    await bad(Buffer.concat([head, Buffer.from(bytes), tail]), [1], `json ${bytes}`);
    await bad(Buffer.concat([xmlHead, Buffer.from(bytes), xmlTail]), [1], `xml ${bytes}`);
  }
  await bad(Buffer.concat([head, Buffer.from([0]), tail]), [1], 'NUL in JSON');
  await bad(Buffer.concat([xmlHead, Buffer.from([0]), xmlTail]), [1], 'NUL in XML');
  await bad('{"balance":{"user":{"username":"demo\\u0000"}}}', [1]);
  await bad('{"balance":{"user":{"username":"demo\\ud800"}}}', [1]);
  await bad('{"balance":{"user":{"username":"demo\\udc00\\ud800"}}}', [1]);
  await bad('{"balance\\u0000":{"user":{"username":"demo"}}}', [1]);
  await bad(Buffer.from('fffe3c', 'hex'), [1], 'half a UTF-16');
  await bad(Buffer.from('\ufeff{"balance":', 'utf16le'), [1], 'cut UTF-16');
  await bad(Buffer.alloc(100_000), [1], 'zeros');
  await bad(Buffer.alloc(100_000, 0xff), [1], 'ones');
});

test('JSON that is nearly JSON', covers('requests.unreadable'), async () => {
  const user = '"user":{"username":"demo"}';
  for (const body of [
    `{balance:{${user}}}`,
    `{"balance":{${user},}}`,
    `{"balance":{${user}}}}`,
    `{"balance":{${user}}}{"balance":{${user}}}`,
    `{"balance":{${user}}} // comment`,
    `{'balance':{}}`,
    `{"balance":{${user},"x":01}}`,
    `{"balance":{${user},"x":NaN}}`,
    `{"balance":{${user},"x":"\t"}}`,
  ]) {
    await bad(body, [1]);
  }
  for (const body of [
    '{}',
    '{"balance":null}',
    '{"balance":[]}',
    '{"balance":"x"}',
    '{"":{}}',
    '{"__proto__":{"a":1}}',
  ]) {
    await bad(body, [997]);
  }
  assert.equal(({} as Record<string, unknown>).a, undefined, 'no prototype was touched');
});

test('about 10 MiB of things that are wrong at the end', covers('requests.size'), async () => {
  const phones = Array.from({ length: 99_999 }, (_, i) => `"05${String(10_000_000 + i)}"`);
  const more = `${phones.join()},`.repeat(5);
  const json = (last: string) =>
    `{"sms":{"user":{"username":"demo"},"source":"Shop","message":"x","destinations":{"phone":[${phones.join()},${last}]}}}`;
  await bad(json('"12"'), [9], 'a bad phone');
  await bad(json('{"a":1}'), [2], 'no phone');
  await bad(json(`${more}"0501234567"`), [2], 'more than 100,000 phones');
  await bad(
    `{"addNumBL":{"user":{"username":"demo"},"phones":{"phone":[${'"",'.repeat(1_000_000)}"x"]}}}`,
    [933],
    'no numbers',
  );
  const message = (size: number) =>
    write('xml', 'sms', { source: 'Shop', destinations: { phone: newPhone() }, message: 'א'.repeat(size) });
  await bad(message(5_000_000), [989], 'a long message');
  const attributes = Array.from({ length: 300_000 }, (_, i) => `a${i}="1"`).join(' ');
  await bad(`<balance><user ${attributes}><username>demox</username></user></balance>`, [1], 'attributes');
});
