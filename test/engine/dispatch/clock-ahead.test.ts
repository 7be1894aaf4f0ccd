import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DateTime } from 'luxon';
import { timeOfId } from '../../../server/kit/ids.ts';
import { withToken } from '../../api/v1/calls.ts';
import { Relay } from '../../channels/mail/relay.ts';
import { allFinal, mustSend, phones, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two processes of the program on one database. The clock of the first is ten minutes ahead. */

const AHEAD_MS = 600_000;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const serve = { args: ['serve'], ready: false };

const MAIL = 'dana@example.com';
const relay = new Relay();
await relay.open();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: 50 }),
  MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
});
const clockFile = join(installation.folder, 'clock');
writeFileSync(clockFile, String(AHEAD_MS));
const environment = {
  CLOCK_FILE: clockFile,
  NODE_OPTIONS: `--import ${new URL('../../torture/shifted-clock.ts', import.meta.url).href}`,
};

test('a killed process whose clock was ahead blocks nothing: another process takes over in seconds', async () => {
  const ahead = await installation.start({ ...serve, environment });
  await waitFor('the first process holds the connector', () => network.smsc.boundSessions === 1);
  assert.match(
    ahead.output(),
    /"milliseconds":[56]\d{5},.*clock of this machine differs from the database's/,
  );
  const answer = await fetch(`${ahead.url}/readyz?for=dispatch`);
  const { problems } = (await answer.json()) as { problems: string[] };
  assert.deepEqual([answer.status, problems], [503, ["clock: differs from the database's"]]);

  const right = await installation.start(serve);
  const account = await installation.account(right.url, 'waiting', 1_000);
  await knownTo(right.url, account);
  await ahead.kill();
  await mustSend(right.url, account, phones(0, 20));
  // A lease of the dead process ends after 15 s, not after ten minutes.
  await allFinal(sql);
  assert.equal(network.taken.size, 20);
  assert.equal((await fetch(`${right.url}/readyz?for=dispatch`)).status, 200);
  await right.stop();
});

/** The next full minute that is at least this far ahead, in milliseconds since the epoch, and as `timing` is written. */
function nextMinute(leastMs: number) {
  const at = Math.ceil((Date.now() + leastMs) / 60_000) * 60_000;
  const time = DateTime.fromMillis(at, { zone: 'Asia/Jerusalem' });
  return { at, timing: time.toFormat('dd/MM/yy HH:mm') };
}

const evaluatedAt = async () => (await sql`SELECT value FROM state WHERE key = 'alerts.evaluated'`)[0]?.value;

test('a process whose clock is ahead accepts, schedules and alerts by the clock that all processes share', async () => {
  const right = await installation.start(serve);
  await waitFor('the right process holds the connector', () => network.smsc.boundSessions === 1);
  const ahead = await installation.start({ ...serve, environment });
  const account = await installation.account(ahead.url, 'skewed', 1_000);

  // Accepted by one process, sent by the other: ten minutes later if each went by its own clock.
  const at = Date.now();
  const { size: before } = network.taken;
  const shipment = await mustSend(ahead.url, account, phones(100, 20));
  await allFinal(sql);
  assert.equal(network.taken.size, before + 20);
  const off = Math.abs(timeOfId(shipment) - at);
  assert.ok(off < AHEAD_MS / 2, `accepted ${off} ms off`);

  // Both processes evaluate alert rules in turns: one mail.
  const api = withToken(ahead.url, account.token);
  const recipients = { mails: [MAIL] };
  const rule = { name: 'Balance', kind: 'low-balance', thresholds: { below: '5000' }, recipients };
  const { id } = await api.post<{ id: string }>('/alert-rules', { ...rule, enabled: false });
  const [question] = await waitFor('the question', () => relay.to(MAIL).length > 0 && relay.taken.splice(0));
  const [link] = /\/a\/[\w.-]+/.exec(question!.raw.replaceAll('=\r\n', ''))!;
  await fetch(right.url + link, { method: 'POST' });
  await api.call('PATCH', `/alert-rules/${id}`, { enabled: true });
  await waitFor('the alert is told', () => relay.to(MAIL).length > 0, 120_000);
  const evaluated = await evaluatedAt();
  await waitFor('rules are evaluated again', async () => (await evaluatedAt()) !== evaluated, 120_000);
  assert.equal(relay.to(MAIL).length, 1);
  const incidents = await sql<{ off: number }[]>`
    SELECT abs(began_at - ${Date.now()})::float AS off FROM alert_incidents`;
  assert.equal(incidents.length, 1);
  assert.ok(incidents[0]!.off < AHEAD_MS / 2, `began ${incidents[0]!.off} ms off`);

  // The process whose clock is ahead sends, and not before the time.
  await right.stop();
  await waitFor('it holds the connector', () => network.smsc.boundSessions === 1);
  const { at: due, timing } = nextMinute(5_000);
  await mustSend(ahead.url, account, phones(200, 10), { timing });
  await mustSend(ahead.url, account, phones(300, 10));
  const scheduled = () => phones(200, 10).filter((number) => network.taken.has(number)).length;
  await waitFor('the scheduled ones are sent', () => scheduled() > 0, 120_000);
  assert.ok(Date.now() >= due, `${due - Date.now()} ms too early`);
  await allFinal(sql);
  assert.equal(network.taken.size, before + 40);
  assert.equal(network.duplicates(), 0);
});
