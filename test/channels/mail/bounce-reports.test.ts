import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHardBounce } from '../../../server/channels/mail/bounce-causes.ts';
import { readBounce } from '../../../server/channels/mail/bounce-reports.ts';
import { covers } from '../../conformance/covers.ts';
import { dsn, feedback } from './reports.ts';

const read = (raw: string) => readBounce(Buffer.from(raw.replace(/\n/g, '\r\n')));
const kind = async (raw: string) => {
  const report = await read(raw);
  return report?.kind === 'bounce' ? (report.cause === 'address' ? 'hard' : 'soft') : report?.kind;
};

test(
  'A report of a failure is a hard bounce when the address is wrong, and a soft one else',
  covers('mailingLists.bounce.hard'),
  async () => {
    const cases: [fields: string[], expected: string | undefined][] = [
      [['Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 5.1.1 unknown user'], 'hard'],
      [['Action: failed', 'Status: 5.1.10'], 'hard'],
      [['Action: failed', 'Status: 5.4.4', 'Diagnostic-Code: x; host not found'], 'hard'],
      [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 no such user here'], 'hard'],
      [['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 552 5.2.2 mailbox full'], 'soft'],
      [['Action: failed', 'Status: 5.2.2'], 'soft'],
      [['Action: failed', 'Status: 5.7.1', 'Diagnostic-Code: smtp; 550 5.7.1 looks like spam'], 'soft'],
      [['Action: failed', 'Status: 5.1.8'], 'soft'],
      [['Action: failed', 'Status: 4.4.7', 'Diagnostic-Code: smtp; 451 expired'], 'soft'],
      [['action: FAILED', 'status:  5.1.1 (bad destination)'], 'hard'],
      [['Action: delayed', 'Status: 4.4.1'], undefined],
      [['Action: delivered', 'Status: 2.0.0'], undefined],
      [['Action: relayed', 'Status: 2.0.0'], undefined],
    ];
    for (const [fields, expected] of cases)
      assert.equal(await kind(dsn(...fields)), expected, fields.join(' · '));
  },
);

test('the reply of the mail server is one line, regardless of its folding', async () => {
  const report = await read(
    dsn(
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550-5.1.1 The account does',
      '    not exist.\u0007',
    ),
  );
  assert.ok(report?.kind === 'bounce');
  assert.equal(report.diagnostic, '550-5.1.1 The account does not exist.');
});

test('a bounce in the old format is recognized by its sender and a code in its text', async () => {
  const old = (from: string, text: string, more = '') =>
    `From: ${from}\nSubject: failure notice\n${more}\n${text}\n`;
  assert.equal(
    await kind(old('MAILER-DAEMON@old.example', 'Remote host said: 550 5.1.1 no mailbox')),
    'hard',
  );
  assert.equal(await kind(old('MAILER-DAEMON@old.example', 'Sorry (#4.4.3)')), 'soft');
  assert.equal(await kind(old('MAILER-DAEMON@old.example', 'Sorry')), undefined);
  assert.equal(await kind(old('dana@example.com', 'I got 5.1.1 of your mails')), undefined);
  assert.equal(
    await kind(old('postmaster@x.example', 'away 5.1.1', 'Auto-Submitted: auto-replied\n')),
    undefined,
  );
});

test(
  'a feedback report is a complaint with the texts that may name the mail; "not spam" is ignored',
  covers('mailingLists.complaint'),
  async () => {
    const report = await read(
      feedback(
        ['Original-Mail-From: <b-1@bounces.example.com>', 'Original-Rcpt-To: <x@example.com>'],
        ['Return-Path: <b-2@bounces.example.com>', 'Message-ID: <3@bounces.example.com>'],
      ),
    );
    assert.deepEqual(report, {
      kind: 'complaint',
      type: 'abuse',
      names: ['<b-1@bounces.example.com>', '<b-2@bounces.example.com>', '<3@bounces.example.com>'],
    });
    assert.equal(await kind(feedback([], [], 'not-spam')), undefined);
  },
);

test('other mails, truncated reports and garbage are ignored, and never throw', async () => {
  const whole = dsn('Action: failed', 'Status: 5.1.1');
  assert.equal(
    await kind(whole.slice(0, whole.indexOf('--b1\nContent-Description: Undelivered') + 60)),
    'hard',
  );
  for (const raw of [
    '',
    'x',
    'Content-Type: multipart/report; boundary=',
    '\u0000'.repeat(1_000),
    '--b1\n'.repeat(5_000),
  ])
    assert.equal(await kind(raw), undefined);
});

test('Three digits alone tell of the address in the cases in which they do', () => {
  assert.deepEqual(['550', '551', '553', '554', '552', '535', '421'].map(isHardBounce), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
