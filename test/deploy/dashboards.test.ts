import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DASHBOARD_FOLDER, dashboardText } from '../../deploy/grafana/build.ts';
import { dashboards } from '../../deploy/grafana/dashboards.ts';
import { startReceiver } from '../engine/events/support.ts';
import { codesAt } from '../modules/otp/support.ts';
import { newPhone } from '../support/phones.ts';
import { type Prometheus, readRules, startPrometheus } from '../support/prometheus.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* A running service with traffic is asked by a real Prometheus, and every panel and every alert is looked at there. */

const TOKEN = 'the-token-of-prometheus';
const BUSINESS_NUMBER = '972550000001';
/** Panels whose metric counts faults that a healthy sandbox cannot have: it has no value before the first. */
const faults = new Set([
  'carillon_tls_faults_total',
  'carillon_receipts_unmatched_total',
  'carillon_mail_returns_total',
  'carillon_mail_incoming_total',
  'carillon_mail_removals_total',
]);

const service = await startTestService({
  settings: { METRICS_TOKEN: TOKEN, SANDBOX_RING_MS: '10', OTP_PER_PHONE_HOUR: '1' },
});
const prometheus = await startPrometheus(service.url, TOKEN);

/** A line of a panel, as Grafana would ask for it. */
const lines = Object.entries(dashboards).flatMap(([file, { panels }]) =>
  panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: `${file}, ${title}, ${legendFormat}`,
      expression: expr.replaceAll('$__rate_interval', '30s'),
      labels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
    })),
  ),
);
const metricsOf = (expression: string): string[] => [
  ...new Set(expression.match(/\b(?:carillon|nodejs|process)_\w+|\bup\b/g) ?? []),
];

await makeTraffic();
await seen(prometheus);

test('the files of the dashboards are those that their definitions give', async () => {
  assert.deepEqual(
    (await readdir(DASHBOARD_FOLDER)).toSorted(),
    Object.keys(dashboards)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
  for (const [name, dashboard] of Object.entries(dashboards)) {
    const text = await readFile(join(DASHBOARD_FOLDER, `${name}.json`), 'utf8');
    assert.equal(text, dashboardText(dashboard), `${name}.json: run \`npm run dashboards\``);
  }
});

/** Lines without values, but for those of faults. Fails for a value without a label of its legend. */
async function emptyLines(): Promise<string[]> {
  const empty: string[] = [];
  for (const { where, expression, labels } of lines) {
    const found = await prometheus.query(expression);
    const isFault = metricsOf(expression).every((name) => faults.has(name));
    if (found.length === 0 && !isFault) empty.push(`${where}: ${expression}`);
    for (const { metric } of found) {
      for (const label of labels) assert.ok(metric[label], `${where}: no label ${label}`);
    }
  }
  return empty;
}

test('every line of every panel has values, with the labels of its legend', async () => {
  assert.ok(lines.length > 80, `${lines.length} lines`);
  let empty: string[] = [];
  // Again, when a look of Prometheus at the service took too long, after which a line has no values for a moment.
  await waitFor('values of every line', async () => {
    empty = await emptyLines();
    return empty.length === 0;
  }).catch((error: unknown) => {
    assert.deepEqual(empty, []);
    throw error;
  });
});

test('every metric of panels and alerts is one of the service, and has the labels that they name', async () => {
  const known = await prometheus.get<Record<string, unknown>>('metadata?limit=10000');
  const own = await ownMetrics();
  const expressions = [
    ...lines.map(({ expression }) => expression),
    ...(await readRules()).map(({ expr }) => expr),
  ];
  for (const name of new Set(expressions.flatMap(metricsOf))) {
    if (name === 'up') continue;
    const base = name.replace(/_(?:bucket|count|sum)$/, '');
    assert.ok(base in known || name in known, `${name} is no metric of the service`);
    assert.match(own, new RegExp(`^# TYPE (?:${name}|${base}) `, 'm'));
  }
  for (const expression of expressions) {
    for (const [, name, matchers] of expression.matchAll(/\b(carillon_\w+|nodejs_\w+)\{([^}]*)\}/g)) {
      const [series] = faults.has(name!) ? [] : await prometheus.query(name!);
      for (const [, label] of matchers!.matchAll(/(\w+)(?:=~|!=|!~|=)"/g))
        if (series) assert.ok(label! in series.metric, `${name} has no label ${label}`);
    }
  }
});

test('the credits that are counted are those of the ledger', async () => {
  // Again, when a refund came between the two looks.
  await waitFor('the counters have what the ledger has', async () => {
    const rows = await service.sql<{ series: string; credits: number }[]>`
      SELECT kind || CASE WHEN amount < 0 THEN ' out' ELSE ' in' END AS series, sum(abs(amount))::float8 AS credits
      FROM ledger GROUP BY 1`;
    const booked = new Map(rows.map(({ series, credits }) => [series, credits]));
    assert.ok(booked.get('charge out')! > 0);
    const found = await ownMetrics();
    const counted = [
      ...found.matchAll(/^carillon_wallet_credits_total\{kind="(\w+)",direction="(\w+)"\} (\S+)$/gm),
    ];
    assert.equal(counted.length, 12);
    return counted.every(
      ([, kind, direction, credits]) => Number(credits) === (booked.get(`${kind} ${direction}`) ?? 0),
    );
  });
});

test('Prometheus evaluates every alert, and none fires in a healthy service', async () => {
  const names = (await readRules()).map(({ alert }) => alert);
  const evaluated = await waitFor('all rules are evaluated', async () => {
    const { groups } = await prometheus.get<{
      groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[];
    }>('rules');
    const rules = groups.flatMap(({ rules }) => rules);
    return rules.every(({ health }) => health !== 'unknown') && rules;
  });
  assert.deepEqual(evaluated.map(({ name }) => name).toSorted(), names.toSorted());
  for (const { name, health, lastError, state } of evaluated) {
    assert.equal(health, 'ok', `${name}: ${lastError}`);
    assert.notEqual(state, 'firing', name);
  }
});

/** What `/metrics` of the service says. */
async function ownMetrics(): Promise<string> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return answer.text();
}

/** Something of everything that panels show. */
async function makeTraffic(): Promise<void> {
  const poor = await service.addAccount({ username: 'poor' }, 0);
  await service.addAccount({ username: 'rich' }, 10);
  const receiver = await startReceiver();
  await v1('/webhooks', { url: receiver.url });
  const refusing = await startReceiver();
  refusing.answer = (response) => response.writeHead(500).end();
  await v1('/webhooks', { url: refusing.url });
  await v1('/webhooks', { url: 'no address' }, 400);
  const phone = newPhone();
  await sms(newPhone());
  await sms('0501230001');
  await sms('0501230005');
  await sms('0501240005', { tts: { type: 4 } });
  await sms(newPhone(), { tts: { type: 4 } });
  await sms(newPhone(), { user: { username: 'poor' } }, poor.token, false);
  await service.call('json', 'send_otp', { phone, source: 'Shop' });
  await service.call('json', 'send_otp', { phone, source: 'Shop' });
  const [code] = await codesAt(service, service.demo.id, phone);
  await service.call('json', 'validate_otp', { phone, code: Number(code) });
  await service.sendFromPhone(newPhone(), '0501111111', 'STOP');
  const clicker = newPhone();
  const links = { link: { $: { id: '1' }, _: 'https://example.com/spring' } };
  await sms(clicker, { message: 'Look at [link-1]', links });
  const [arrived] = await waitFor('the link has arrived', async () => {
    const found = await service.phone(clicker);
    return found.length > 0 && found;
  });
  await fetch(/https?:\S+/.exec(arrived!.text)![0], { redirect: 'manual' });
  await fetch(`${service.url}/chat-api/send-template-message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    body: JSON.stringify({
      source: BUSINESS_NUMBER,
      destination: '972501234567',
      templateId: `1_${BUSINESS_NUMBER}_two`,
      dynamicFieldsObject: { 1: 'Dana', 2: '1234' },
    }),
  });
  await fetch(`${service.url}/api/Mailer/CreateMalingList`, {
    method: 'POST',
    body: JSON.stringify({ IsNewList: true, NewListName: 'News' }),
  });
}

async function sms(
  phone: string,
  more: Record<string, unknown> = {},
  token?: string,
  accepted = true,
): Promise<void> {
  const content = { source: 'Shop', destinations: { phone }, message: 'Hello', ...more };
  const { status, message } = await service.call('json', 'sms', content, { token });
  assert.equal(status === 0, accepted, message);
}

async function v1(path: string, body: object, status = 200): Promise<void> {
  const response = await fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, status, `${path}: ${await response.text()}`);
}

/** Waits until Prometheus has what came last, twice, so that rates have a value. */
async function seen({ query }: Prometheus): Promise<void> {
  const awaited = [
    'carillon_calls_total',
    'carillon_queue_age_seconds',
    'carillon_wallet_balance_credits > 0',
    'carillon_messages_failed_total',
    'carillon_messages_retried_total',
    'carillon_events_delivered_total',
    'carillon_events_failed_total',
    'carillon_link_clicks_total',
    'carillon_removals_total',
    'carillon_v1_requests_total{status="400"}',
    'carillon_database_write_seconds_count > 0',
  ];
  for (const expression of awaited) {
    await waitFor(`${expression} is there twice`, async () => {
      const name = expression.replace(/ .*/, '');
      const found = await query(`(count_over_time(${name}[1m]) > 1) and (${expression})`);
      return found.length > 0;
    });
  }
}
