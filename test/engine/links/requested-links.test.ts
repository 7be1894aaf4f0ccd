import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLinks } from '../../../server/engine/links/requested-links.ts';
import { Refusal } from '../../../server/kit/errors.ts';

const link = (id: string | undefined, text: string) => ({ id, text });
const refused = (given: readonly { id: string | undefined; text: string }[], message: string) =>
  assert.throws(
    () => readLinks(given, 'links.link', message),
    (error) =>
      error instanceof Refusal && error.code === 'bad-links' && error.message.startsWith('links.link'),
  );

test('links of the text keep their order, in the spelling of the URL standard', () => {
  const links = readLinks(
    [link('b', 'https://example.com/a b?q=שלום#x'), link('a', 'HTTP://EXAMPLE.com')],
    'links.link',
    'one [link-a], two [link-b], again [link-a]',
  );
  assert.deepEqual(links, [
    { key: 'b', url: 'https://example.com/a%20b?q=%D7%A9%D7%9C%D7%95%D7%9D#x' },
    { key: 'a', url: 'http://example.com/' },
  ]);
});

test('a text without placeholders needs no links', () => {
  assert.deepEqual(readLinks([], 'links.link', 'no [links] here, [link-] neither'), []);
});

test('what does not match is refused', () => {
  refused([link('1', 'https://example.com')], 'no placeholder');
  refused([], 'a placeholder [link-1]');
  refused([link('1', 'https://example.com')], '[link-1] and [link-2]');
  refused([link('1', 'https://example.com'), link('2', 'https://example.com')], '[link-1]');
  refused([link('1', 'https://example.com'), link('1', 'https://example.org')], '[link-1]');
  refused([link(undefined, 'https://example.com')], '[link-1]');
  refused([link('x'.repeat(51), 'https://example.com')], `[link-${'x'.repeat(51)}]`);
});

test('only http and https addresses are links', () => {
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'intent://x#Intent;end',
    'file:///etc/passwd',
    '//example.com',
    '/path',
    'example.com',
    'http://',
    'https://user@example.com',
    'https://bank.example:x@example.com',
    `https://example.com/${'x'.repeat(2_000)}`,
    'not an address',
  ]) {
    refused([link('1', address)], '[link-1]');
  }
});

test('no header can be smuggled in with an address', () => {
  const [read] = readLinks([link('1', 'https://example.com/a\r\nSet-Cookie: x=1')], 'links.link', '[link-1]');
  assert.match(read!.url, /^[\x21-\x7e]+$/);
});
