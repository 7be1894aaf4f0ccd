import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HttpDescriptionInput } from '../../../server/protocols/http-carrier/description.ts';
import { httpDescription } from '../../../server/protocols/http-carrier/description.ts';
import { compileRequest } from '../../../server/protocols/http-carrier/request.ts';
import { Template, type TemplatePlace } from '../../../server/protocols/http-carrier/template.ts';
import { valuesOf } from '../../../server/protocols/http-carrier/values.ts';
import { messageOf, simple } from './support.ts';

const now = 1_800_000_000_000;
const secrets = { key: 's3cret', host: 'eu.example' };
const values = (over: Parameters<typeof messageOf>[0] = {}) =>
  valuesOf(messageOf({ validUntil: now + 90_500, ...over }), {
    secrets,
    origin: 'https://me.example/x',
    now,
  });
const render = (text: string, place: TemplatePlace = 'plain', over: Parameters<typeof messageOf>[0] = {}) =>
  new Template(text, place).render(values(over));

describe('placeholders', () => {
  test('numbers have three forms', () => {
    assert.equal(render('{to.plus} {to.digits} {to.national}'), '+972501234567 972501234567 501234567');
  });

  test('a sender is a number, a short code or a name', () => {
    const text = '{from}|{from.plus}|{from.number}|{from.name}';
    assert.equal(render(text), 'Shop|Shop||Shop');
    assert.equal(
      render(text, 'plain', { source: '972501234567' }),
      '972501234567|+972501234567|972501234567|',
    );
    assert.equal(render(text, 'plain', { source: '12345' }), '12345|12345|12345|');
  });

  test('the text is also available in hexadecimal', () => {
    assert.equal(render('{text.hex}', 'plain', { payload: 'Aש😀' }), '004105e9d83dde00');
  });

  test('id, remaining validity, origin and secrets', () => {
    assert.equal(render('{id} {send.validity} {origin} {secret.key}'), '7001 90 https://me.example/x s3cret');
  });

  test('the remaining validity is between a second and two days', () => {
    assert.equal(render('{send.validity}', 'plain', { validUntil: now - 1 }), '1');
    const dlt = { template: '1107', senders: { Shop: { entity: '1101' } } };
    assert.equal(render('{dlt.entity} {dlt.template}', 'plain', { options: { dlt } }), '1101 1107');
    assert.equal(render('{dlt.entity}{dlt.template}'), '');
    assert.equal(render('{send.validity}', 'plain', { validUntil: now + 900_000_000 }), '172800');
  });

  test('unknown placeholders and single braces are refused', () => {
    for (const text of ['{phone}', '{secret.}', '{secret.a-b}', '{}', '{text', 'a}b', '{{text}}'])
      assert.throws(() => new Template(text, 'plain'), /placeholder|brace/, text);
  });
});

describe('escaping', () => {
  const hostile = `a&b=c "d" <e> /../ \r\nx:y 100% +ש`;

  test('of a path', () => {
    const path = render('/to/{text}/x', 'path', { payload: hostile });
    assert.equal(decodeURIComponent(path), `/to/${hostile}/x`);
    assert.equal(path.split('/').length, 4);
    assert.equal(render('/{text}/x', 'path', { payload: '..' }), '/%2E%2E/x');
  });

  test('of a form and of a query', () => {
    for (const place of ['form', 'query'] as const) {
      const text = `a=${render('x&{text}', place, { payload: hostile })}&b=1`;
      // A form has line breaks as they are.
      assert.equal(new URLSearchParams(text).get('a'), `x&${hostile}`);
      assert.equal(new URLSearchParams(text).get('b'), '1');
    }
  });

  test('of XML', () => {
    assert.equal(
      render('<t>{text}</t>', 'xml', { payload: `<a b="c">&'` }),
      '<t>&lt;a b=&quot;c&quot;&gt;&amp;&apos;</t>',
    );
  });

  test('a header with a line break is refused', () => {
    assert.throws(() => render('{text}', 'header', { payload: 'a\r\nb: c' }), /header/);
    assert.equal(render('Key {secret.key}', 'header'), 'Key s3cret');
  });
});

describe('requests', () => {
  const write = (send: HttpDescriptionInput['send'], over = {}) =>
    compileRequest(httpDescription.parse({ ...simple('https://x.example'), send }), secrets)([values(over)]);

  test('JSON: texts are escaped by JSON, the validity is a number, and empty members are omitted', () => {
    const { body, headers, method } = write(
      {
        url: 'https://api.example/messages',
        body: { json: { list: [{ t: '{text}', v: '{send.validity}' }], n: '{from.number}', k: 1, z: null } },
      },
      { payload: 'a "b"\n\\' },
    );
    assert.equal(method, 'POST');
    assert.deepEqual(JSON.parse(body!), { list: [{ t: 'a "b"\n\\', v: 90 }], k: 1, z: null });
    assert.deepEqual(headers, ['content-type', 'application/json']);
  });

  test('form with Basic authentication', () => {
    const { body, headers } = write({
      url: 'https://api.example/',
      auth: { basic: ['me', '{secret.key}'] },
      body: { form: { To: '{to.plus}', From: '{from.number}', Body: '{text} & more' } },
    });
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body!)), {
      To: '+972501234567',
      Body: 'Hello & more',
    });
    assert.ok(headers.includes(`Basic ${Buffer.from('me:s3cret').toString('base64')}`));
  });

  test('GET with a query', () => {
    const { body, path, method, origin } = write({
      method: 'GET',
      url: 'https://{secret.host}:8443/send?type=1',
      query: { to: '{to.digits}', text: '{text}' },
    });
    assert.deepEqual([method, origin, body], ['GET', 'https://eu.example:8443', null]);
    assert.equal(path, '/send?type=1&to=972501234567&text=Hello');
  });

  test('XML', () => {
    const { body, headers } = write({
      url: 'https://api.example',
      headers: { 'x-key': '{secret.key}' },
      body: { xml: '<sms><to>{to.plus}</to></sms>' },
    });
    assert.equal(body, '<sms><to>+972501234567</to></sms>');
    assert.deepEqual(headers, ['x-key', 's3cret', 'content-type', 'application/xml; charset=utf-8']);
  });

  test('the host contains nothing of a message', () => {
    for (const url of [
      'https://{to.digits}.example/',
      'https://a@b.example/',
      'ftp://x.example/',
      '/send',
      'https://',
    ])
      assert.throws(() => write({ url }), Error, url);
    const other = { ...secrets, host: 'evil.example/x' };
    const description = httpDescription.parse(simple('https://{secret.host}'));
    assert.throws(() => compileRequest(description, other), /host/);
  });
});
