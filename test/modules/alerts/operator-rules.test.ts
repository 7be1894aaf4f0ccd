import assert from 'node:assert/strict';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { noteBackup } from '../../../server/database/last-backup.ts';
import { backupCheck } from '../../../server/run/doctor/database.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { Relay } from '../../channels/mail/relay.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { alertsOf, alertWhen, evaluate, type Rule } from './support.ts';

/* Alert rules of the operator, with two processes on one database, a network that goes away and a relay that does. */

const relay = new Relay();
await relay.open();
const network = await startNetwork();
const database = await createDatabase();
const settings = {
  MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
  DATA_DIR: tmpdir(),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
};
const service = await startDispatching(network, {}, database, settings);
const { sql, clock, appContext } = service;
const other = await startDispatching(network, {}, database, settings);

const MAIL = 'operator@example.com';
await appContext.people.people.add({
  accountId: null,
  username: MAIL,
  name: 'Operator',
  role: 'operator',
  language: 'en',
});
const operator = await asPerson(service, 'operator');
const payer = await service.account('payer', 100);

const advance = (seconds: number) => {
  clock.advance(seconds * 1_000);
  other.clock.advance(seconds * 1_000);
};
const tick = () => evaluate(sql, advance);
/** The alert of a rule that has begun. Two processes evaluate in turns, so the evaluation may go on after `tick`. */
const openAlert = (ruleId: string) =>
  alertWhen('the alert', operator, ruleId, ({ ended_at }) => ended_at === null, '/operator');
const rule = (body: object) =>
  operator.post<Rule>('/operator/alert-rules', { name: 'A rule', recipients: { owners: true }, ...body });
const subjectsOf = (address: string) =>
  relay.to(address).map(({ raw }) => /^Subject: (.*)/m.exec(raw)![1]!.trim());

test('a connector that is down sends one mail, and no SMS that would wait for it', async () => {
  const made = await rule({
    kind: 'connector-down',
    for_minutes: 2,
    clear_minutes: 1,
    recipients: { phones: ['0501234567'], account_id: String(payer.id) },
  });
  const port = network.port;
  await network.smsc.close();
  await waitFor('the connector is down', async () => {
    const rows = await sql`SELECT 1 FROM links WHERE name = 'smpp' AND NOT up`;
    return rows.length > 0;
  });
  await tick();
  assert.deepEqual(await alertsOf(operator, made.id, '/operator'), []);
  advance(120);
  await tick();
  const began = await alertWhen(
    'the operator has a mail instead',
    operator,
    made.id,
    ({ notifications }) => notifications.some(({ means, state }) => means === 'mail' && state === 'sent'),
    '/operator',
  );
  const sms = began.notifications.find(({ means }) => means === 'sms')!;
  assert.deepEqual([sms.state, sms.problem], ['waiting', 'connector-down']);
  const [subject] = subjectsOf(MAIL);
  assert.match(
    subject!,
    /^Alert: The connector smpp is down: The carrier (?:refuses connections|closed the connection)/,
  );
  assert.match(relay.to(MAIL)[0]!.raw, /:\d+\/operator\/alerts\s/);
  await tick();
  assert.equal(relay.to(MAIL).length, 1);

  const before = network.submits.length;
  await network.smsc.listen(port);
  await waitFor('the connector is up', async () => {
    const rows = await sql`SELECT 1 FROM links WHERE name = 'smpp' AND up`;
    return rows.length > 0;
  });
  advance(60);
  await tick();
  advance(1_800);
  const ended = await alertWhen(
    'its end is told by SMS',
    operator,
    made.id,
    ({ notifications }) =>
      notifications.filter(({ means, state }) => means === 'sms' && state === 'sent').length === 2,
    '/operator',
  );
  assert.ok(ended.ended_at);
  await waitFor('both SMS', () => network.submits.length === before + 2);
  await operator.call('DELETE', `/operator/alert-rules/${made.id}`);
});

test('two processes tell of each alert once, and what a relay that is away did not take comes later', async () => {
  const before = relay.to(MAIL).length;
  const made = await rule({ kind: 'quarantine', clear_minutes: 0 });
  await relay.close();
  await sql`
    INSERT INTO quarantine (account_id, id, reason, payload, created_at)
    VALUES (${payer.id}, 1, 'a test', '{}', ${clock.now()})`;
  await tick();
  const waiting = await alertWhen(
    'it is tried',
    operator,
    made.id,
    ({ notifications }) => notifications.some(({ problem }) => problem !== null),
    '/operator',
  );
  assert.deepEqual(
    waiting.notifications.map(({ state, problem }) => [state, problem]),
    [['waiting', 'unreachable']],
  );
  await relay.open();
  advance(60);
  await waitFor('the mail', () => relay.to(MAIL).length > before);
  await sql`DELETE FROM quarantine`;
  await tick();
  await alertWhen('it is over', operator, made.id, ({ ended_at }) => ended_at !== null, '/operator');
  await waitFor('the other mail', () => relay.to(MAIL).length > before + 1);
  await tick();
  assert.deepEqual(subjectsOf(MAIL).slice(before), [
    'Alert: 1 results are in quarantine',
    'Resolved: 1 results are in quarantine',
  ]);
  const incidents = await sql`SELECT 1 FROM alert_incidents WHERE rule_id = ${Number(made.id)}`;
  assert.equal(incidents.length, 1);
});

test('an address that the relay refuses for good is not tried again', async () => {
  relay.behave = (moment, to) =>
    moment === 'rcpt' && to === 'gone@example.com' ? '550 5.1.1 unknown' : undefined;
  const made = await rule({ kind: 'disk', recipients: { mails: ['gone@example.com'] } });
  assert.deepEqual(await operator.post(`/operator/alert-rules/${made.id}/test`), { recipients: 1 });
  const tests = await waitFor('it is given up', async () => {
    const found = await operator.get<{ tests: { state: string; problem: string }[] }>(
      `/operator/alert-rules/${made.id}/tests`,
    );
    return found.tests.some(({ state }) => state === 'failed') && found.tests;
  });
  assert.deepEqual(
    tests.map(({ problem }) => problem),
    ['rejected'],
  );
});

test('little free space on the disk, and events that wait, are measured', async () => {
  const { bavail, blocks } = await statfs(tmpdir());
  // Far from what is free: other programs use the disk, too.
  const isFilled = bavail / blocks < 0.8;
  const disk = await rule({ kind: 'disk', thresholds: { free_percent: isFilled ? 90 : 50 } });
  const backlog = await rule({ kind: 'event-backlog', thresholds: { minutes: 5 } });
  await sql`
    INSERT INTO event_queue (account_id, batch_id, count, lease_owner, lease_until)
    VALUES (${payer.id}, ${appContext.ids.next()}, 7, 'somebody', ${Number.MAX_SAFE_INTEGER})`;
  advance(300);
  await tick();
  const waiting = await openAlert(backlog.id);
  assert.equal(waiting.measured.events, 7);
  if (isFilled) await openAlert(disk.id);
  else assert.deepEqual(await alertsOf(operator, disk.id, '/operator'), []);
});

test('the operator gets a mail about the failing webhook of an account, with account and host', async () => {
  const { token } = await service.account('broken-hook', 1);
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end();
  await withToken(service.url, token).post('/webhooks', { url: `${receiver.url}/?key=secret` });
  const made = await rule({ kind: 'webhook', thresholds: { minutes: 1 } });
  await sql`
    UPDATE event_endpoints SET failing_since = ${clock.now()}, last_failure_at = ${clock.now()}
    WHERE url LIKE ${`${receiver.url}%`}`;
  advance(60);
  await tick();
  const alert = await openAlert(made.id);
  const { host } = new URL(receiver.url);
  assert.deepEqual(
    [alert.measured.account, alert.measured.host, alert.measured.state],
    ['broken-hook', host, 'failing'],
  );
  await waitFor('the mail', () =>
    relay
      .to(MAIL)
      .some(({ raw }) => raw.includes(`The webhook to ${host} of the account broken-hook is failing.`)),
  );
});

test('an old or missing backup raises an alert; the doctor uses the same rule', async () => {
  const doctor = async () => {
    const [finding] = await backupCheck.run({ appContext, dnsServer: undefined });
    return `${finding!.state}: ${finding!.found}`;
  };
  const back = (hours: number) =>
    noteBackup(sql, { at: clock.now() - hours * 3_600_000, place: 'backups:/base' });
  const made = await rule({ kind: 'backup-age', clear_minutes: 0 });
  assert.deepEqual(made.thresholds, { hours: 26 });
  await tick();
  const without = await openAlert(made.id);
  assert.deepEqual(without.measured, { hours: 'never' });
  assert.equal(await doctor(), 'warn: no backup is recorded');
  await back(0);
  await tick();
  await alertWhen('a backup is there', operator, made.id, ({ ended_at }) => ended_at !== null, '/operator');
  assert.match(await doctor(), /^ok: the last backup ended at \S+, in backups:\/base$/);
  await back(25);
  await tick();
  assert.equal((await alertsOf(operator, made.id, '/operator')).length, 1, 'it is not too old yet');
  assert.match(await doctor(), /^ok/);
  await operator.call('PATCH', `/operator/alert-rules/${made.id}`, { thresholds: { hours: 24 } });
  await tick();
  const old = await openAlert(made.id);
  assert.deepEqual(old.measured, { hours: 25 });
  assert.match(await doctor(), /^warn: .*: more than 24 hours ago$/);
});
