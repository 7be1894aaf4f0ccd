import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readBounce } from '../../../server/channels/mail/bounce-reports.ts';
import { bounces, type Expected } from './bounces/table.ts';

/* What mail servers really send, from the widest spread to those that are known for their own ways. */

const folder = new URL('./bounces/', import.meta.url);
const kinds = { address: 'hard', full: 'full', blocked: 'blocked', other: 'soft' } as const;

async function read(name: string): Promise<{ kind: Expected; code: string | null; diagnostic?: string }> {
  const raw = readFileSync(new URL(`${name}.eml`, folder), 'utf8').replace(/\r?\n/g, '\r\n');
  const report = await readBounce(Buffer.from(raw));
  if (!report) return { kind: 'none', code: null };
  if (report.kind === 'complaint') return { kind: 'complaint', code: report.type };
  return { kind: kinds[report.cause], code: report.code, diagnostic: report.diagnostic };
}

test('the table names each mail of the folder once', () => {
  const names = bounces.map(([name]) => `${name}.eml`);
  assert.deepEqual(
    names.toSorted(),
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .toSorted(),
  );
});

for (const [name, expected, code] of bounces) {
  test(`${name}: ${expected}`, async () => {
    const { kind, code: found, diagnostic } = await read(name);
    assert.deepEqual([kind, found], [expected, code], diagnostic);
  });
}

test('what the mail server said is kept, also where it stands among words for people alone', async () => {
  const said = Object.fromEntries(
    await Promise.all(
      [
        'exim-full-local',
        'exim-unknown',
        'qmail-unknown-local',
        'mailru-unknown',
        'domino-unknown-text',
        'gmail-unknown',
      ].map(async (name) => [name, (await read(name)).diagnostic] as const),
    ),
  );
  assert.deepEqual(said, {
    'exim-full-local': 'mailbox is full: retry timeout exceeded',
    'exim-unknown': '550 5.1.1 <x>: Recipient address rejected: User unknown in local recipient table',
    'qmail-unknown-local': 'Sorry, no mailbox here by that name. (#5.1.1)',
    'mailru-unknown':
      'host mxs.mail.ru [192.0.2.25]: 550 Message was not accepted -- invalid mailbox.  Local mailbox dana@mail.ru is unavailable: user not found',
    'domino-unknown-text': 'User dana (dana@mail.example.com) not listed in Domino Directory',
    'gmail-unknown':
      "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces. - gsmtp",
  });
});
