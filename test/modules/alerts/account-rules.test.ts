import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addConfirmed, alertsOf, alertWhen, evaluate, type Notification, type Rule } from './support.ts';

/* Alert rules of accounts in the sandbox: what makes them begin and end, and who is told by what. */

const service = await startTestService({
  settings: { OTP_BRAKE: 'on', OTP_PER_ACCOUNT_MINUTE: '0', OTP_PER_PHONE_HOUR: '0' },
});
const { sql, appContext } = service;
const HOUR = 3_600;
const operator = await asPerson(service, 'operator');

let made = 0;

/** An account with an owner whose user name is a mail address, without the rules that accounts begin with. */
async function newAccount(credits = 1_000, language: 'en' | 'he' = 'en', hasFirstRules = false) {
  const username = `alerted-${++made}`;
  const account = await service.addAccount({ username }, credits);
  if (!hasFirstRules) {
    await sql`INSERT INTO alert_defaults (account_id) VALUES (${account.id}) ON CONFLICT DO NOTHING`;
    await sql`DELETE FROM alert_rules WHERE account_id = ${account.id}`;
  }
  const mail = `owner-${made}@example.com`;
  const { people } = appContext.people;
  await people.add({ accountId: account.id, username: mail, name: 'Owner', role: 'owner', language });
  const owner = await asPerson(service, 'owner', account.id);
  return {
    account,
    mail,
    owner,
    api: withToken(service.url, account.token),
    rule: (body: object) => owner.post<Rule>('/alert-rules', { name: 'A rule', ...body }),
  };
}

const demo = withToken(service.url, 'the-token-of-the-demo-account');
interface Mail {
  readonly subject: string;
  readonly text: string;
}
const mailsTo = async (address: string) =>
  (await demo.get<{ mails: Mail[] }>(`/sandbox/mailboxes/${address}`)).mails;
const tick = () => evaluate(sql, service.advance);
const isTold = (phase: string) => (alert: { notifications: readonly Notification[] }) =>
  alert.notifications.some((one) => one.phase === phase && one.state === 'sent');
const move = (accountId: number, credits: number) =>
  appContext.wallets.topUp(accountId, credits * CREDIT, 'test');

test('a low balance sends one mail, SMS and webhook, and one message at its end', async () => {
  const { account, mail, owner, api, rule } = await newAccount(50, 'he');
  const phone = newPhone();
  await addConfirmed(sql, account.id, 'desk@example.com', phone);
  const receiver = await startReceiver();
  const { id: webhookId } = await owner.post<{ id: string }>('/webhooks', {
    url: receiver.url,
    kind: 'webhook',
    types: ['alert.began', 'alert.ended'],
  });
  const { secret } = await owner.get<{ secret: string }>(`/webhooks/${webhookId}/secret`);
  const made = await rule({
    name: 'Balance',
    kind: 'low-balance',
    thresholds: { below: '60' },
    clear_minutes: 5,
    recipients: { owners: true, mails: ['Desk@example.com'], phones: [phone], webhook: true },
  });
  assert.deepEqual(made.thresholds, { below: '60', subscribers: true, active_only: false });
  await tick();
  const began = await alertWhen(
    'all are told',
    api,
    made.id,
    ({ notifications }) => notifications.length === 4 && notifications.every(({ state }) => state === 'sent'),
  );
  assert.deepEqual(began.measured, { account: account.username, balance: '50', below: '60' });
  assert.equal(began.ended_at, null);
  assert.deepEqual(await owner.get('/alerts/open'), { open: 1 });
  await tick();
  await tick();
  // One mail each, in the language of the owner and of the rule; the SMS is charged.
  const [first] = await waitFor('the mail', async () => {
    const mails = await mailsTo(mail);
    return mails.length > 0 && mails;
  });
  assert.match(first!.subject, /^התראה: היתרה של alerted-1 היא 50 קרדיטים/);
  assert.match(first!.text, /:\d+\/alerts\s/);
  const [other] = await mailsTo('desk@example.com');
  assert.match(other!.subject, /^Alert: The balance of alerted-1 is 50 credits/);
  const texts = await waitFor('the SMS', async () => {
    const sms = await service.phone(phone);
    return sms.length > 0 && sms;
  });
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['Alert: The balance of alerted-1 is 50 credits (threshold 60)'],
  );
  assert.equal(await service.balance(account.id), 49);
  const sms = began.notifications.find(({ means }) => means === 'sms')!;
  assert.equal((await api.get<{ id: string }>(`/messages/${sms.message_id}`)).id, sms.message_id);
  const request = await waitFor('the webhook', () => receiver.received[0]);
  const event = new Webhook(secret).verify(request.body, request.headers as Record<string, string>) as {
    type: string;
    data: Record<string, unknown>;
  };
  assert.equal(event.type, 'alert.began');
  assert.deepEqual(
    [event.data.alert_id, event.data.rule_id, event.data.kind, event.data.times, event.data.test],
    [began.id, made.id, 'low-balance', 1, false],
  );

  await move(account.id, 100);
  await tick();
  assert.equal((await alertsOf(api, made.id))[0]!.ended_at, null, 'it ends when it is gone for a while');
  await service.advance(5 * 60);
  await tick();
  await alertWhen(
    'its end is told',
    api,
    made.id,
    ({ notifications }) => notifications.length === 8 && notifications.every(({ state }) => state === 'sent'),
  );
  const ended = await waitFor('the event', () => receiver.received[1]);
  assert.equal((JSON.parse(ended.body) as { type: string }).type, 'alert.ended');
  await waitFor('the mail', async () => (await mailsTo(mail)).length === 2);
  assert.deepEqual(await owner.get('/alerts/open'), { open: 0 });
});

test('a condition that begins repeatedly sends one message in the pause, then the number of times', async () => {
  const { account, mail, owner, api, rule } = await newAccount(10);
  const made = await rule({
    kind: 'low-balance',
    thresholds: { below: 60 },
    clear_minutes: 0,
    pause_minutes: 60,
    recipients: { owners: true },
  });
  await tick();
  await alertWhen('it is told', api, made.id, isTold('began'));
  for (let round = 0; round < 3; round++) {
    await move(account.id, 100);
    await tick();
    await move(account.id, -100);
    await tick();
  }
  const alerts = await alertsOf(api, made.id);
  assert.deepEqual(
    alerts.map(({ ended_at, notifications }) => [ended_at === null, notifications.length]),
    [
      [true, 0],
      [false, 0],
      [false, 0],
      [false, 2],
    ],
  );
  await service.advance(HOUR);
  await tick();
  await alertWhen(
    'it is told after the pause',
    api,
    made.id,
    (alert) => alert.id === alerts[0]!.id && isTold('began')(alert),
  );
  const mails = await waitFor('the mails', async () => {
    const all = await mailsTo(mail);
    return all.length === 3 && all;
  });
  assert.ok(mails.some(({ subject }) => /began 3 times since the last message/.test(subject)));
  await owner.call('DELETE', `/alert-rules/${made.id}`);
  assert.deepEqual(await owner.get('/alerts/open'), { open: 0 });
  assert.ok((await alertsOf(api, made.id)).every(({ ended_at }) => ended_at !== null));
});

test('a condition that does not hold for as long as the rule says is no alert', async () => {
  const { account, api, rule } = await newAccount(10);
  const made = await rule({ kind: 'low-balance', for_minutes: 10 });
  await tick();
  await move(account.id, 1_000);
  await service.advance(11 * 60);
  await tick();
  assert.deepEqual(await alertsOf(api, made.id), []);
  await move(account.id, -1_000);
  await tick();
  assert.deepEqual(await alertsOf(api, made.id), []);
  await service.advance(10 * 60);
  await tick();
  assert.equal((await alertsOf(api, made.id)).length, 1);
});

test('a parent receives the balance alerts of a subscriber, and can skip accounts that send nothing', async () => {
  const { owner, api, rule, account } = await newAccount(1_000);
  const child = await service.addAccount({ username: 'alerted-child', parentId: account.id }, 5);
  const made = await rule({ kind: 'low-balance', thresholds: { below: '20' } });
  const quiet = await rule({ kind: 'low-balance', thresholds: { below: '20', active_only: true } });
  await tick();
  const [alert] = await alertsOf(api, made.id);
  assert.deepEqual([alert!.subject, alert!.measured.account], [String(child.id), 'alerted-child']);
  assert.deepEqual(await alertsOf(api, quiet.id), []);
  await withToken(service.url, child.token).post(
    '/sms',
    {
      source: 'Shop',
      phones: [newPhone()],
      message: 'Hello',
    },
    202,
  );
  await waitFor('its hour is counted', async () => {
    const rows = await sql`SELECT 1 FROM message_hours WHERE account_id = ${child.id} AND spent > 0`;
    return rows.length > 0;
  });
  await tick();
  assert.equal((await alertsOf(api, quiet.id)).length, 1);
  await owner.call('PATCH', `/alert-rules/${made.id}`, { enabled: false });
  const [ended] = await alertsOf(api, made.id);
  assert.ok(ended!.ended_at);
});

test('an alert about a webhook is sent to another webhook and by mail, not to the failing one', async () => {
  const { mail, owner, api, rule } = await newAccount();
  const failing = await startReceiver();
  failing.answer = (response) => {
    response.statusCode = 500;
    response.end();
  };
  const { id } = await owner.post<{ id: string }>('/webhooks', { url: failing.url, kind: 'webhook' });
  const made = await rule({
    kind: 'webhook',
    thresholds: { minutes: 10 },
    recipients: { webhook: true },
  });
  await api.post('/sms', { source: 'Shop', phones: [newPhone()], message: 'Hello' }, 202);
  await waitFor('it fails', async () => {
    const [row] = await sql<{ since: number | null }[]>`
      SELECT failing_since AS since FROM event_endpoints WHERE id = ${Number(id)}`;
    return row!.since !== null;
  });
  await service.advance(10 * 60);
  await tick();
  const alert = await alertWhen('it could not be told', api, made.id, ({ notifications }) =>
    notifications.some(({ means, state }) => means === 'mail' && state === 'sent'),
  );
  assert.deepEqual(alert.measured.host, new URL(failing.url).host);
  const byWebhook = alert.notifications.find(({ means }) => means === 'webhook')!;
  assert.deepEqual([byWebhook.state, byWebhook.problem], ['waiting', 'no-webhook']);
  await waitFor('the owner has the mail instead', async () => (await mailsTo(mail)).length === 1);
  // Another one takes it at the next attempt.
  const working = await startReceiver();
  await owner.post('/webhooks', { url: working.url, kind: 'webhook', types: ['alert.began'] });
  await service.advance(60);
  await waitFor('the other webhook', () => working.received[0]);
});

test('alerts about suspicious one-time codes name the range of numbers, and no number', async () => {
  const { mail, api, rule, account } = await newAccount(10_000);
  const made = await rule({ kind: 'code-fraud', thresholds: { count: 5 }, recipients: { owners: true } });
  const range = '0508812';
  for (let n = 0; n < 25; n++) {
    await service.call(
      'json',
      'send_otp',
      {
        user: { username: account.username },
        phone: `${range}${String(n).padStart(3, '0')}`,
        source: 'Shop',
      },
      { token: account.token },
    );
  }
  await tick();
  const alert = await alertWhen('it is told', api, made.id, isTold('began'));
  assert.deepEqual([alert.subject, alert.measured.prefix], ['9725088', '9725088']);
  const [first] = await mailsTo(mail);
  assert.match(`${first!.subject} ${first!.text}`, /9725088\b/);
  assert.doesNotMatch(`${first!.subject} ${first!.text}`, /508812\d{3}/);
  await service.advance(40 * 60);
  await tick();
  await alertWhen('it is over', api, made.id, ({ ended_at }) => ended_at !== null);
});

/** Sends to numbers with an ending that makes the network deliver, or not. */
async function sendRated(api: ReturnType<typeof withToken>, delivered: number, failed: number) {
  const phone = (n: number, ending: string) => `97254${String(n).padStart(3, '0')}${ending}`;
  const phones = [
    ...Array.from({ length: delivered }, (_, n) => phone(n, '1234')),
    ...Array.from({ length: failed }, (_, n) => phone(n, '0001')),
  ];
  await api.post('/sms', { source: 'Shop', phones, message: 'Hello' }, 202);
}
const rated = (accountId: number, total: number) =>
  waitFor(`${total} are counted`, async () => {
    const [row] = await sql<{ total: number }[]>`
      SELECT coalesce(sum(delivered + failed), 0)::int AS total FROM delivery_hours WHERE account_id = ${accountId}`;
    return row!.total === total;
  });

test('the delivery rate of a prefix is compared with its own week, and small numbers are no alert', async () => {
  const { account, mail, api, rule } = await newAccount(10_000);
  const made = await rule({
    kind: 'delivery-rate',
    thresholds: { min_messages: 40, drop_percent: 20 },
    for_minutes: 0,
    recipients: { owners: true },
  });
  const general = await operator.post<Rule>('/operator/alert-rules', {
    name: 'Networks',
    kind: 'delivery-rate',
    thresholds: { min_messages: 40, drop_percent: 20, prefix: '97254' },
    for_minutes: 0,
  });
  await sendRated(api, 95, 5);
  await rated(account.id, 100);
  await service.advance(5 * HOUR);
  // As bad as can be, but few.
  await sendRated(api, 0, 30);
  await rated(account.id, 130);
  await tick();
  assert.deepEqual(await alertsOf(api, made.id), []);
  await sendRated(api, 20, 30);
  await rated(account.id, 180);
  await tick();
  const alert = await alertWhen('it is told', api, made.id, isTold('began'));
  assert.deepEqual(alert.measured, { subject: '97254', rate: 25, usual: 95, messages: 80 });
  const [first] = await mailsTo(mail);
  assert.match(first!.subject, /Delivery to 97254 fell to 25 % \(usually 95 %, 80 messages\)/);
  // Operators also learn over which connector.
  const isOpen = (one: { ended_at: string | null }) => one.ended_at === null;
  const all = await alertWhen('operators see it', operator, general.id, isOpen, '/operator');
  assert.deepEqual([all.measured.subject, all.measured.connector], ['97254', 'sandbox']);
  await service.advance(3 * HOUR);
  await tick();
  await alertWhen('it is over', api, made.id, ({ ended_at }) => ended_at !== null);
});

test('messages that wait too long raise an alert by lane', async () => {
  const { mail, api, rule } = await newAccount(10_000);
  const made = await rule({ kind: 'queue-age', thresholds: { minutes: 15 }, recipients: { owners: true } });
  const all = await operator.post<Rule>('/operator/alert-rules', {
    name: 'Queues',
    kind: 'queue-age',
    thresholds: { minutes: 15 },
  });
  await operator.call('PATCH', '/operator/sandbox', { messages_per_second: 1 });
  const phones = Array.from({ length: 300 }, (_, n) => `97253${String(n).padStart(3, '0')}1234`);
  await api.post('/sms', { source: 'Shop', phones, message: 'Hello' }, 202);
  await service.advance(16 * 60);
  await tick();
  const alert = await alertWhen('it is told', api, made.id, isTold('began'));
  assert.equal(alert.subject, 'bulk');
  assert.ok(Number(alert.measured.minutes) >= 16);
  await waitFor('the mail', async () => (await mailsTo(mail)).length === 1);
  assert.equal((await alertsOf(operator, all.id, '/operator'))[0]!.subject, 'bulk');
  await operator.call('DELETE', `/operator/alert-rules/${all.id}`);
  await operator.call('PATCH', '/operator/sandbox', { messages_per_second: 0 });
});

test('a test of a rule tells its recipients of an example, once for its send key', async () => {
  const { mail, owner, account, rule } = await newAccount();
  const phone = newPhone();
  await addConfirmed(sql, account.id, phone);
  const made = await rule({ kind: 'low-balance', recipients: { owners: true, phones: [phone] } });
  const path = `/alert-rules/${made.id}/test`;
  const keyed = { 'idempotency-key': 'a test' };
  for (let call = 0; call < 2; call++) {
    const answer = await owner.fetch('POST', path, undefined, keyed);
    assert.deepEqual([answer.status, await answer.json()], [200, { recipients: 2 }]);
  }
  const tests = await waitFor('both are sent', async () => {
    const told = (await owner.get<{ tests: Notification[] }>(`/alert-rules/${made.id}/tests`)).tests;
    return told.every(({ state }) => state === 'sent') && told;
  });
  assert.deepEqual(tests.map(({ means, phase }) => `${means} ${phase}`).sort(), ['mail test', 'sms test']);
  const [first, ...others] = await mailsTo(mail);
  assert.deepEqual(others, []);
  assert.match(first!.text, /^Somebody tests the rule\. Nothing is wrong\./);
  assert.equal(await service.balance(account.id), 999);
  assert.deepEqual(await owner.get('/alerts/open'), { open: 0 });
});

test('an account without credit still gets alerts by email', async () => {
  const { account, mail, api, rule } = await newAccount(0);
  const phone = newPhone();
  await addConfirmed(sql, account.id, phone);
  const made = await rule({ kind: 'low-balance', recipients: { phones: [phone] } });
  await tick();
  const alert = await alertWhen('the owner is told by mail', api, made.id, ({ notifications }) =>
    notifications.some(({ means, state }) => means === 'mail' && state === 'sent'),
  );
  const sms = alert.notifications.find(({ means }) => means === 'sms')!;
  assert.deepEqual([sms.state, sms.problem], ['waiting', 'no-credit']);
  await waitFor('the mail', async () => (await mailsTo(mail)).length === 1);
  assert.equal(await service.balance(account.id), 0);
});

test('a new account has rules that notify its owners by mail; a subscriber has no rules', async () => {
  const { owner, account } = await newAccount(1_000, 'en', true);
  const child = await service.addAccount({ username: 'without-rules', parentId: account.id });
  const { rules } = await waitFor(
    'its rules',
    async () => {
      const found = await owner.get<{ rules: Rule[] }>('/alert-rules');
      return found.rules.length > 0 && found;
    },
    30_000,
  );
  assert.deepEqual(
    rules.map(({ kind, enabled, recipients }) => [kind, enabled, recipients.owners]),
    [
      ['low-balance', true, true],
      ['delivery-rate', true, true],
      ['webhook', true, true],
      ['code-fraud', true, true],
    ],
  );
  // The account may have got its rules before the subscriber existed.
  await waitFor('the subscriber is looked at', async () => {
    const known = await sql`SELECT 1 FROM alert_defaults WHERE account_id = ${child.id}`;
    return known.length === 1;
  });
  const api = withToken(service.url, child.token);
  assert.deepEqual((await api.get<{ rules: Rule[] }>('/alert-rules')).rules, []);
});

test('what a rule cannot be is refused with its field, and others see nothing of it', async () => {
  const { owner, rule } = await newAccount();
  const refused = (body: object) => owner.refused('POST', '/alert-rules', { name: 'A rule', ...body });
  assert.deepEqual(await refused({ kind: 'connector-down' }), ['bad-field', 'kind', 400]);
  assert.deepEqual(await refused({ kind: 'webhook', thresholds: { below: '5' } }), [
    'bad-field',
    'thresholds.below',
    400,
  ]);
  assert.deepEqual(await refused({ kind: 'queue-age', thresholds: { minutes: 0 } }), [
    'bad-field',
    'thresholds.minutes',
    400,
  ]);
  assert.deepEqual(await refused({ kind: 'low-balance', recipients: { phones: ['12'] } }), [
    'bad-field',
    'recipients.phones[0]',
    400,
  ]);
  assert.deepEqual(await refused({ kind: 'low-balance', recipients: { mails: ['nobody'] } }), [
    'bad-field',
    'recipients.mails[0]',
    400,
  ]);
  assert.deepEqual(
    await operator.refused('POST', '/operator/alert-rules', {
      name: 'x',
      kind: 'quarantine',
      recipients: { phones: ['0501234567'] },
    }),
    ['bad-field', 'recipients.account_id', 400],
  );
  const { id } = await rule({ kind: 'low-balance', enabled: false });
  const other = await newAccount();
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
    assert.equal((await other.owner.fetch(method, `/alert-rules/${id}`, body)).status, 404);
    assert.equal((await operator.fetch(method, `/operator/alert-rules/${id}`, body)).status, 404);
  }
  assert.equal((await other.owner.fetch('POST', `/alert-rules/${id}/test`)).status, 404);
});
