import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertBooksBalance } from '../support/books.ts';
import { Installation, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Asker, signIn, withToken } from './history.ts';
import { history, unpackData } from './release.ts';

/*
 * A data folder of the release before, which was killed while it sent, is started with this version: what was there is there,
 * and what was under way goes on. The clock is that of the release, a minute after it was killed.
 */

const { soon, tomorrow, paused, waiting, code } = history;
const installation = new Installation(
  {
    SANDBOX: 'on',
    SANDBOX_RECEIPT_DELAY_MS: '50',
    NODE_OPTIONS: `--import ${fileURLToPath(new URL('../torture/shifted-clock.ts', import.meta.url))}`,
  },
  { empty: true },
);
await unpackData(installation.folder);
const clock = join(installation.folder, 'clock');
writeFileSync(clock, String(history.at + 60_000 - Date.now()));
const now = () => history.at + 60_000;
// Its clock differs from that of the database, so that it does not count as ready to dispatch.
const program = await installation.start({ environment: { CLOCK_FILE: clock }, ready: false });
const { url } = program;
await waitFor('the program accepts requests', async () => (await readiness(url)).ready);
const api = withToken(url);
const dana = await signIn(url, 'dana', history.secondFactor, now());
const operator = await signIn(url, 'operator');
const callers = { token: api, owner: dana, operator };

/** What is still scheduled and paused: 1, 1 and 3 messages. */
const SCHEDULED = 5;

interface Row {
  readonly id: string;
  readonly recipient: string;
  readonly state: string;
}

test('what every list and thing of the release answered is answered still', async () => {
  const missing: string[] = [];
  for (const [who, path, answer] of history.answers) {
    const today = await callers[who as Asker]('GET', path).catch((error: Error) => error.message);
    missing.push(...differences(answer, today, `${who} ${path}`));
  }
  assert.deepEqual(missing, []);
});
test('people sign in with what they have, and a code that was sent is still good', async () => {
  const { person } = await dana<{ person: { username: string } }>('GET', '/session');
  assert.equal(person.username, 'dana');
  assert.equal((await api<{ verified: boolean }>('POST', '/otp/check', code)).verified, true);
});

test('links that were sent lead where they did', async () => {
  const answer = await fetch(`${url}${history.link}`, { redirect: 'manual' });
  assert.equal(answer.headers.get('location'), 'https://example.com/spring');
});

test('messages that were waiting when the release was killed are delivered, once', async () => {
  await waitFor('all have arrived', async () => {
    const found = await api<{ messages: Row[] }>('GET', '/messages?limit=100&state=waiting');
    return found.messages.length === SCHEDULED;
  });
  const sql = await installation.sql();
  const rows = await sql<{ recipient: string; status: number }[]>`
    SELECT recipient, status FROM messages WHERE recipient = ANY(${waiting as string[]})`;
  assert.deepEqual(rows.map(({ recipient }) => recipient).sort(), [...waiting].sort());
  assert.ok(rows.every(({ status }) => status === 102));
});

test('what was scheduled goes at its time, what was paused when it is resumed, and the rest is cancelled', async () => {
  const textsAt = async (phone: string) =>
    (await api<{ sms: unknown[] }>('GET', `/sandbox/phones/${phone}`)).sms.length;
  assert.equal(await textsAt(soon.phone), 0);
  await api('POST', '/sandbox/clock', { advance: 3_700 });
  await waitFor('the scheduled SMS', async () => (await textsAt(soon.phone)) === 1);
  assert.equal(await textsAt(paused.phones[0]!), 0);
  await api('POST', `/campaigns/${paused.shipment}/resume`);
  for (const phone of paused.phones)
    await waitFor('the paused SMS', async () => (await textsAt(phone)) === 1);
  await api('POST', `/shipments/${tomorrow.shipment}/cancel`);
  const [last] = (await api<{ messages: Row[] }>('GET', `/messages?shipment_id=${tomorrow.shipment}`))
    .messages;
  assert.equal(last!.state, 'cancelled');
});

test('what is new works on it: what a client writes opens a conversation, in which it is answered', async () => {
  const phone = waiting[0]!;
  await api('POST', `/sandbox/phones/${phone}/sms`, { to: '0559876543', text: 'Where is it?' });
  const id = await waitFor('the conversation', async () => {
    const { conversations } = await api<{ conversations: { id: string; client: string }[] }>(
      'GET',
      '/conversations',
    );
    return conversations.find(({ client }) => client === `0${phone.slice(3)}`)?.id;
  });
  await api('POST', `/conversations/${id}/replies`, { text: 'On its way' }, 202);
  await waitFor('the answer', async () => {
    const { sms } = await api<{ sms: { text: string }[] }>('GET', `/sandbox/phones/${phone}`);
    return sms.some(({ text }) => text === 'On its way');
  });
});

test('every wallet is the sum of its ledger', async () => {
  const sql = await installation.sql();
  await assertBooksBalance(sql);
});

/** Where the answers of two times differ although nothing was lost: counters, sessions, ports of the sandbox, explanations. */
const moving =
  /counted_at|pushes\[|\.next$|\.balance|\/overview|\/session|\/queue|\/request-log|\/webhook-deliveries|\/webhooks\.|\/operator\/(?:carriers|overview|queues)|\.smpp\.port|\.sip\.uri|\.(?:why|todo)$/;

/** Fields and states that this version renamed. */
const renamed: Readonly<Record<string, string>> = {
  door: 'api',
  handed_over: 'submitted',
  handed_over_at: 'submitted_at',
  word: 'carrier_status',
};
/** The answer of `/chat/numbers` keeps its field `word`. */
const renames = (path: string, key: string) => (path.includes('/chat/numbers') ? key : (renamed[key] ?? key));

/** What `before` has and `today` has not, as paths with both values. A list may have more today, in another order. */
function differences(before: unknown, today: unknown, path: string): string[] {
  if (moving.test(path)) return [];
  if (Array.isArray(before)) {
    if (!Array.isArray(today)) return [`${path}: no list`];
    return before.flatMap((item, index) => {
      const found = today.map((other) => differences(item, other, `${path}[${index}]`));
      return found.sort((a, b) => a.length - b.length)[0] ?? [`${path}[${index}] is gone`];
    });
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof today !== 'object' || today === null) return [`${path}: ${today}`];
    return Object.entries(before).flatMap(([key, value]) =>
      differences(value, (today as Record<string, unknown>)[renames(path, key)], `${path}.${key}`),
    );
  }
  if (before === 'handed_over' && today === 'submitted') return [];
  // The release did not show the texts of chat messages and emails.
  if (!before && typeof today === 'string' && /\/messages\/\d+\.text$/.test(path)) return [];
  return before === today ? [] : [`${path}: ${before}, today ${today}`];
}
