import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { meaningOf, platformErrors } from '../../../server/protocols/chat-platform/errors.ts';
import { covers } from '../../conformance/covers.ts';

test('the errors of the docs are those of the code', covers('chatPlatform.errors'), async () => {
  const text = await readFile(new URL('../../../docs/chat-platform.md', import.meta.url), 'utf8');
  const documented = text
    .slice(text.indexOf('\n## Errors\n'), text.indexOf('\n## Webhooks\n'))
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, code, , reason, treatment]) => [Number(code), reason, treatment]);
  assert.deepEqual(
    documented,
    [...platformErrors].map(([code, { reason, treatment }]) => [code, reason, treatment]),
  );
});

test(
  'a code in no table goes by the HTTP status, and is final without one',
  covers('chatPlatform.errors'),
  () => {
    const meaning = (code: number, status?: number) => {
      const { reason, treatment } = meaningOf(code, status);
      return `${treatment} ${reason}`;
    };
    assert.equal(meaning(999_999), 'final platform');
    assert.equal(meaning(999_999, 400), 'final platform');
    assert.equal(meaning(999_999, 500), 'again platform');
    assert.equal(meaning(999_999, 429), 'throttled volume');
    assert.equal(meaning(999_999, 403), 'again access');
    assert.equal(meaning(250), 'again access');
    // What a known code says does not depend on the status.
    assert.equal(meaning(131026, 500), 'final no-such-number');
    assert.equal(meaning(130429, 400), 'throttled volume');
  },
);
