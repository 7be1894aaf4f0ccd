import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileCondition } from '../../../server/protocols/http-carrier/condition.ts';
import { CarrierDocument } from '../../../server/protocols/http-carrier/document.ts';
import { compileLocator } from '../../../server/protocols/http-carrier/locator.ts';
import { formDocument, jsonDocument } from './support.ts';

const textDocument = (body: string, headers = {}) => new CarrierDocument({ headers, body });

describe('locators', () => {
  test('a JSON Pointer reads texts, numbers and booleans', () => {
    const document = jsonDocument({ a: { 'b/c': [{ id: 'x' }, { id: 7 }, { id: true }, { id: {} }, {}] } });
    assert.deepEqual(compileLocator('/a/b~1c/*/id')(document), ['x', '7', 'true']);
    assert.deepEqual(compileLocator('/a/b~1c/1/id')(document), ['7']);
    assert.deepEqual(compileLocator('/a/toString')(document), []);
    assert.deepEqual(compileLocator('/a/x')(textDocument('no JSON')), []);
  });

  test('a star returns at most a thousand values', () => {
    assert.equal(compileLocator('/*')(jsonDocument(Array(5_000).fill(1))).length, 1_000);
  });

  test('a form field is read from the body and from the query', () => {
    assert.deepEqual(compileLocator('form:id')(formDocument({ id: 'a b&c' })), ['a b&c']);
    const get = new CarrierDocument({ headers: {}, query: 'id=7&id=8', body: '' });
    assert.deepEqual(compileLocator('form:id')(get), ['7', '8']);
  });

  test('an XML path reads elements and attributes, whatever their prefixes', () => {
    const xml =
      '<?xml version="1.0"?><r:res><m id="1"><s>a &amp; b</s></m><m id="2"><s><![CDATA[<c>]]></s></m></r:res>';
    assert.deepEqual(compileLocator('xml:res/m/s')(textDocument(xml)), ['a & b', '<c>']);
    assert.deepEqual(compileLocator('xml:*/m/@id')(textDocument(xml)), ['1', '2']);
    assert.deepEqual(compileLocator('xml:other/m')(textDocument(xml)), []);
  });

  test('a document with a DOCTYPE, open elements or deep nesting has no values', () => {
    const entities = '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>';
    const deep = '<a>'.repeat(100) + '</a>'.repeat(100);
    for (const xml of [entities, '<a><b></a>', '<a>', deep, `<a ${'b=""'.repeat(3)}/>`])
      assert.deepEqual(compileLocator('xml:a')(textDocument(xml)), [], xml.slice(0, 40));
  });

  test('a header is found in any spelling', () => {
    assert.deepEqual(compileLocator('header:X-Id')(textDocument('', { 'x-id': '9' })), ['9']);
  });

  test('an expression returns its group, in linear time', () => {
    assert.deepEqual(compileLocator('re2:^OK: (\\d+)')(textDocument('OK: 42 sent')), ['42']);
    assert.deepEqual(compileLocator('re2:credit')(textDocument('no credit left')), ['credit']);
    assert.deepEqual(compileLocator('re2:(a+)+$')(textDocument(`${'a'.repeat(4_000)}!`)), []);
  });

  test('invalid locators are refused', () => {
    for (const text of [
      'id',
      'json:/id',
      'form:',
      're2:(a',
      're2:(?=a)',
      `re2:${'a'.repeat(300)}`,
      're2:(a?){200}',
    ])
      assert.throws(() => compileLocator(text), { name: 'Error' }, text);
  });
});

describe('conditions', () => {
  const holds = (condition: Parameters<typeof compileCondition>[0], body: unknown, status = 200) =>
    compileCondition(condition)(jsonDocument(body, status));

  test('a status is a number, a class, or one of several', () => {
    assert.ok(holds({ status: 200 }, {}));
    assert.ok(holds({ status: '4xx' }, {}, 404));
    assert.ok(!holds({ status: '4xx' }, {}, 500));
    assert.ok(holds({ status: [401, '5xx'] }, {}, 503));
  });

  test('a value is compared as text', () => {
    assert.ok(holds({ at: '/s', is: 0 }, { s: '0' }));
    assert.ok(holds({ at: '/s', is: '0' }, { s: 0 }));
    assert.ok(holds({ at: '/ok', is: true }, { ok: true }));
    assert.ok(holds({ at: '/s', in: [1, 'two'] }, { s: 'two' }));
    assert.ok(!holds({ at: '/s', in: [1, 'two'] }, { s: 'Two' }));
    assert.ok(holds({ at: '/s', matches: '(?i)^thrott' }, { s: 'Throttled' }));
  });

  test('a place alone must have a value, and everything must hold', () => {
    assert.ok(holds({ at: '/id' }, { id: 'x' }));
    assert.ok(!holds({ at: '/id' }, { id: '' }));
    assert.ok(!holds({ status: 201, at: '/id' }, { id: 'x' }));
  });

  test('one of several values is enough', () => {
    assert.ok(holds({ at: '/m/*/s', is: 'bad' }, { m: [{ s: 'good' }, { s: 'bad' }] }));
  });
});
