import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { CONTACT_PATH, contactPage } from '../../../server/api/public-pages/contact.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import {
  type External,
  externalUrl,
  readExternal,
} from '../../../server/protocols/chat-platform/external.ts';
import { covers } from '../../conformance/covers.ts';

test('what an external button opens', () => {
  const cases: [string, External | null][] = [
    ['https://shop.example/a?b=c', { kind: 'website', url: 'https://shop.example/a?b=c' }],
    ['HTTPS://shop.example', { kind: 'website', url: 'HTTPS://shop.example' }],
    ['http://shop.example', null],
    ['https://user:password@shop.example/', null],
    ['https://', null],
    ['javascript:alert(1)', null],
    ['+972 (3) 123-45-67', { kind: 'phone', number: '97231234567' }],
    ['97231234567', { kind: 'phone', number: '97231234567' }],
    ['12345', null],
    ['a.b+c@shop.example', { kind: 'email', address: 'a.b+c@shop.example' }],
    ['a b@shop.example', null],
    ['a@b', null],
    ['', null],
  ];
  for (const [text, external] of cases) assert.deepEqual(readExternal(text), external, text);
});

test('the page behind buttons that call or write an e-mail', covers('A4.buttonExternal'), async (t) => {
  const app = fastify();
  t.after(() => app.close());
  await app.register(contactPage, { log: createLogger('silent') });
  const page = async (external: External) => app.inject(externalUrl(external, CONTACT_PATH));
  const call = await page({ kind: 'phone', number: '97231234567' });
  assert.equal(call.statusCode, 200);
  assert.match(call.body, /<a href="tel:\+97231234567"><bdi>\+97231234567<\/bdi><\/a>/);
  const write = await page({ kind: 'email', address: "o'neill&co+x@shop.example" });
  assert.equal(write.statusCode, 200);
  assert.match(write.body, /<a href="mailto:o&#39;neill%26co%2Bx@shop\.example">/);
  for (const query of [
    '',
    '?tel=1',
    '?tel=abc1234567',
    '?mail=%22%3E%3Cscript%3E@a.example',
    '?mail=x',
    '?tel=1&tel=2',
  ]) {
    assert.equal((await app.inject(CONTACT_PATH + query)).statusCode, 404, query);
  }
});
