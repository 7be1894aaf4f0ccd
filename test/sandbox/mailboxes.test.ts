import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mailboxes } from '../../server/sandbox/mail/mailboxes.ts';
import { startSandboxApi } from '../support/sandbox-api.ts';

const raw = Buffer.from(
  [
    'From: The shop <news@shop.example>',
    'Subject: With a file',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<script>alert(1)</script><p>Hello</p>',
    '--b',
    'Content-Type: text/csv; name="list.csv"',
    'Content-Disposition: attachment; filename="list.csv"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('a,b\r\n1,2\r\n').toString('base64'),
    '--b--',
    '',
  ].join('\r\n'),
);

test('a mail is read with its attachments, and as it arrived', async (t) => {
  const mailboxes = new Mailboxes();
  const app = await startSandboxApi(t, { mailboxes });
  mailboxes.receive('Dana@example.com', raw, Date.parse('2026-01-02T03:04:05Z'));
  const list = await app.inject('/v1/sandbox/mailboxes/dana@example.com');
  const { mails } = list.json<{ mails: { id: string; bytes: number; attachments: unknown }[] }>();
  const [mail] = mails;
  assert.deepEqual(mail!.attachments, [{ name: 'list.csv', type: 'text/csv', bytes: 10 }]);
  assert.equal(mail!.bytes, raw.length);

  const source = await app.inject(`/v1/sandbox/mailboxes/dana@example.com/${mail!.id}.eml`);
  assert.equal(source.statusCode, 200);
  assert.ok(source.rawPayload.equals(raw));
  // Saved by a browser, and never shown as a document.
  assert.equal(source.headers['content-type'], 'application/octet-stream');
  for (const path of [
    `dana@example.com/${mail!.id}`,
    'dana@example.com/mail-9.eml',
    `noa@example.com/${mail!.id}.eml`,
    'dana@example.com/.eml',
  ]) {
    assert.equal((await app.inject(`/v1/sandbox/mailboxes/${path}`)).statusCode, 404, path);
  }
});
