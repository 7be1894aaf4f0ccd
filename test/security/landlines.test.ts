import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callVerifications } from '../../server/channels/voice/metrics.ts';
import { MASK } from '../../server/engine/messages/secret-text.ts';
import { CREDIT } from '../../server/modules/accounts/money.ts';
import { MAX_CALLS, MAX_CALLS_TO_NUMBER, MAX_TRIES } from '../../server/modules/audience/landline-codes.ts';
import { callsAt, startVoiceService } from '../channels/voice/support.ts';
import { newPhone, stored } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Somebody asks to send from a landline that is not theirs, and calls with its number as the caller's, which SIP lets
 * anybody forge. They have the page of the request, and not the code: that is heard by whoever picks up.
 */

const service = await startVoiceService({ VERIFY_SOURCES: 'on', VERIFY_CALL_TEXT: '[name]: [code]' });
const { sql } = service;
const { landlineCodes, sources, accounts } = service.appContext;
let last = 36_512_000;
const newLandline = () => `0${++last}`;
let made = 0;

async function newAsker(name = `Asker ${made + 1}`, credits = 100) {
  const account = await service.addAccount({ username: `asker-${++made}`, name }, credits);
  return {
    account,
    async ask(phone: string): Promise<string> {
      const content = { user: { username: account.username }, phone };
      const answer = await service.call('json', 'verify_phone', content, { token: account.token });
      assert.equal(answer.status, 0, answer.message);
      return /http:\S+\/v\/[\w-]{22}/.exec(String(answer.fields.verify_message))![0];
    },
    isVerified: (phone: string) => sources.isApproved(account.id, phone),
  };
}

const enter = async (page: string, code: string, headers: Record<string, string> = {}) => {
  const response = await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ code }) });
  assert.equal(response.status, 200);
  return response.text();
};

/** Calls the number that landlines are told to call, with this number as the caller's. */
async function callFrom(phone: string): Promise<void> {
  await waitFor('the exchange to know the service', async () => {
    const response = await fetch(`${service.url}/v1/sandbox/phones/${phone}/call`, {
      method: 'POST',
      headers: { authorization: 'Bearer the-token-of-the-demo-account', 'content-type': 'application/json' },
      body: JSON.stringify({ to: '037000000' }),
    });
    return response.status === 200;
  });
}

/** Codes that are wrong, each another one. */
const wrongOnes = (code: string, count: number) =>
  Array.from({ length: count }, (_, i) => String(100_000 + ((Number(code) + i + 1) % 900_000)));

test('a forged call verifies nothing: the landline hears who asks, and a code that nobody else can read', async () => {
  const { account, ask, isVerified } = await newAsker('The Shop');
  const phone = newLandline();
  const page = await ask(phone);
  const shown = await (await fetch(page)).text();
  assert.ok(shown.includes('The Shop') && shown.includes(phone) && shown.includes('name="code"'));
  assert.match(await (await fetch(page, { method: 'POST' })).text(), /name="code"/);
  await callFrom(phone);
  const call = await waitFor(
    'the landline to be called back',
    async () => (await callsAt(service, phone))[0],
    60_000,
  );
  assert.equal(await isVerified(phone), false);
  assert.match(call.text, /The Shop/);
  const code = /\b\d{6}\b/.exec(call.text)![0];
  const rows = await sql<{ text: string; call: { text: string } }[]>`
    SELECT m.payload AS text, s.call FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
    WHERE m.account_id = ${account.id}`;
  assert.equal(rows.length, 1);
  for (const text of [rows[0]!.text, rows[0]!.call.text])
    assert.ok(text.includes(MASK) && !text.includes(code));
  const read = await fetch(`${service.url}/v1/messages?phone=${phone}`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  assert.ok(!(await read.text()).includes(code));

  assert.match(await enter(page, wrongOnes(code, 1)[0]!), /role="alert"/);
  assert.match(await enter(page, code, { 'sec-fetch-site': 'cross-site' }), /name="code"/);
  assert.equal(await isVerified(phone), false);
  assert.match(await enter(page, code), /role="status"/);
  assert.equal(await isVerified(phone), true);
});

test('codes cannot be guessed: three attempts after each call, concurrent or sequential', async () => {
  const { ask, isVerified } = await newAsker();
  const phone = newLandline();
  const page = await ask(phone);
  const token = page.slice(-22);
  const due = await landlineCodes.takeCalls(stored(phone));
  assert.ok(due.kind === 'calls');
  const { code } = due.calls[0]!;
  await Promise.all(wrongOnes(code, 20).map((wrong) => landlineCodes.enter(token, wrong)));
  const [row] = await sql`SELECT tries_left FROM phone_verifications WHERE phone = ${stored(phone)}`;
  assert.equal(row!.tries_left, 0);
  assert.equal(await landlineCodes.enter(token, code), false, `over ${MAX_TRIES} guesses`);
  assert.equal(await isVerified(phone), false);
  // The code of one number is none of another's, nor of another account.
  const other = await newAsker();
  const theirs = (await other.ask(phone)).slice(-22);
  await service.advance(61);
  const next = await landlineCodes.takeCalls(stored(phone));
  assert.ok(next.kind === 'calls' && next.calls.length === 2);
  const mine = next.calls.find(({ accountId }) => accountId !== other.account.id)!;
  const foreign = next.calls.find(({ accountId }) => accountId === other.account.id)!;
  if (mine.code !== foreign.code) assert.equal(await landlineCodes.enter(theirs, mine.code), false);
  assert.equal(await landlineCodes.enter(theirs, foreign.code), true);
  assert.deepEqual([await isVerified(phone), await other.isVerified(phone)], [false, true]);
});

test('calls to a landline are limited by request, by time and by number, also for concurrent requests', async () => {
  const { ask } = await newAsker();
  const phone = newLandline();
  await ask(phone);
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => landlineCodes.takeCalls(stored(phone))));
  assert.equal(atOnce.filter(({ kind }) => kind === 'calls').length, 1);
  const kinds: string[] = [];
  for (let times = 0; times < MAX_CALLS; times++) {
    await service.advance(61);
    kinds.push((await landlineCodes.takeCalls(stored(phone))).kind);
  }
  assert.deepEqual(kinds, ['calls', 'calls', 'limit']);
  const many = newLandline();
  for (let asker = 0; asker < MAX_CALLS_TO_NUMBER + 2; asker++) await (await newAsker()).ask(many);
  const due = await Promise.all(Array.from({ length: 4 }, () => landlineCodes.takeCalls(stored(many))));
  const calls = due.flatMap((one) => (one.kind === 'calls' ? one.calls : []));
  assert.equal(calls.length, MAX_CALLS_TO_NUMBER);
});

test('a call that nobody pays for is not made and not counted; a suspended account causes none', async () => {
  const { account, ask } = await newAsker('Poor', 0);
  const phone = newLandline();
  await ask(phone);
  const refused = async () =>
    (await callVerifications.get()).values.find(({ labels }) => labels.outcome === 'refused')?.value ?? 0;
  for (const times of [1, 2]) {
    await callFrom(phone);
    await waitFor('the call back to be refused', async () => (await refused()) === times);
    const [row] = await sql`
      SELECT calls, code_digest, called_at FROM phone_verifications WHERE phone = ${stored(phone)}`;
    assert.deepEqual({ ...row }, { calls: 0, code_digest: null, called_at: null });
    await service.appContext.wallets.topUp(account.id, 100 * CREDIT, 'test');
    await accounts.suspend(account.id, true);
  }
});

test('a mobile has no code, and a landline no press', async () => {
  const { account, ask, isVerified } = await newAsker();
  const landline = newLandline();
  const page = await ask(landline);
  await fetch(page, { method: 'POST' });
  assert.equal(await isVerified(landline), false);
  const mobile = newPhone();
  await service.call(
    'json',
    'verify_phone',
    { user: { username: account.username }, phone: mobile },
    { token: account.token },
  );
  assert.equal((await landlineCodes.takeCalls(stored(mobile))).kind, 'unknown');
  const sms = await waitFor('the link', async () => (await service.phone(mobile))[0]);
  const link = /http:\S+\/v\/[\w-]{22}/.exec(sms.text)![0];
  await enter(link, '123456');
  await fetch(link, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(await isVerified(mobile), false);
  await fetch(link, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
  assert.equal(await isVerified(mobile), true);
});
