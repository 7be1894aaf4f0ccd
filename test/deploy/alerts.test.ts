import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { promtool, RULES, readRules } from '../support/prometheus.ts';

/* Each alert is tried by promtool on made series: it fires on those that mean trouble, and on no others. */

/** Series by name, as promtool writes their values. */
type SeriesByName = Readonly<Record<string, string>>;

interface Case {
  readonly alert: string;
  /** Of trouble, and of the same service without it. */
  readonly trouble: SeriesByName;
  readonly healthy: SeriesByName;
  /** The labels of the alert beside its severity, and how its value is written. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value?: string;
  /** From one value of a series to the next, and from one look to the next; a minute. */
  readonly step?: string;
  /** When it is looked; before that, the time of `for` is over. */
  readonly at?: string;
}

const process = { instance: 'api-1:9464', job: 'carillon' };
const of = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`;
const counted = (name: string, labels?: Readonly<Record<string, string>>) => ({
  trouble: { [of(name, labels)]: '0x10 1000x50' },
  healthy: { [of(name, labels)]: '1000x60' },
});
/** A histogram of which everything is in the bucket up to `slow` seconds, or in the one up to `fast`. */
const lasting = (name: string, fast: string, slow: string, labels: Readonly<Record<string, string>> = {}) => {
  const buckets = (fastValues: string) => ({
    [of(`${name}_bucket`, { ...labels, le: fast })]: fastValues,
    [of(`${name}_bucket`, { ...labels, le: slow })]: '0+60x60',
    [of(`${name}_bucket`, { ...labels, le: '+Inf' })]: '0+60x60',
  });
  return { trouble: buckets('0x60'), healthy: buckets('0+60x60') };
};
const charge = of('carillon_wallet_credits_total', { kind: 'charge', direction: 'out' });
const unserved = of('carillon_api_requests_total', { status: '6' });
const failed = of('carillon_messages_failed_total', { status: '101' });
const delivered = of('carillon_messages_delivered_total');

const cases: readonly Case[] = [
  {
    alert: 'CarillonProcessDown',
    trouble: { [of('up', process)]: '1x10 0x50' },
    healthy: { [of('up', process)]: '1x60' },
    labels: process,
  },
  {
    alert: 'CarillonAbsent',
    trouble: { [of('up', { ...process, job: 'other' })]: '1x60' },
    healthy: { [of('up', process)]: '1x60' },
    labels: { job: 'carillon' },
  },
  {
    alert: 'CarillonWorkStuck',
    ...counted('carillon_stuck_owners_total', { ...process, owner: 'loader' }),
    labels: { ...process, owner: 'loader' },
    at: '12m',
  },
  {
    alert: 'CarillonOverloaded',
    trouble: { [of('nodejs_eventloop_lag_p99_seconds', process)]: '0.8x60' },
    healthy: { [of('nodejs_eventloop_lag_p99_seconds', process)]: '0.05x60' },
    labels: process,
    value: '800ms',
  },
  {
    alert: 'CarillonClockJumped',
    ...counted('carillon_clock_jumps_total', process),
    labels: process,
    at: '12m',
  },
  {
    alert: 'CarillonRequestsRefused',
    trouble: { [of('carillon_api_requests_total', { status: '0' })]: '0+90x60', [unserved]: '0+10x60' },
    healthy: {
      [of('carillon_api_requests_total', { status: '0' })]: '0+99x60',
      [of('carillon_v1_requests_total', { status: '404' })]: '0+50x60',
      [unserved]: '0+1x60',
    },
    value: '10%',
  },
  { alert: 'CarillonAcceptSlow', ...lasting('carillon_accept_seconds', '0.1', '1'), value: '991ms' },
  {
    alert: 'CarillonDatabaseUnavailable',
    ...counted('carillon_database_write_failures_total', process),
    labels: process,
    at: '12m',
  },
  {
    alert: 'CarillonDatabaseRefusesWrites',
    ...counted('carillon_database_refusals_total', { ...process, class: '53' }),
    labels: { ...process, class: '53' },
    at: '12m',
  },
  {
    alert: 'CarillonDatabaseSlow',
    ...lasting('carillon_database_write_seconds', '0.05', '1'),
    value: '905ms',
  },
  {
    alert: 'CarillonDatabaseConnectionsExhausted',
    trouble: { [of('carillon_database_waiting', process)]: '5x60' },
    healthy: { [of('carillon_database_waiting', process)]: '0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0 5 0x40' },
    labels: process,
  },
  {
    alert: 'CarillonResultsPutAside',
    ...counted('carillon_quarantined_total', process),
    labels: process,
    at: '12m',
  },
  {
    alert: 'CarillonQueueOld',
    trouble: { [of('carillon_queue_age_seconds', { lane: 'otp' })]: '90x60' },
    healthy: {
      [of('carillon_queue_age_seconds', { lane: 'otp' })]: '2x60',
      [of('carillon_queue_age_seconds', { lane: 'bulk' })]: '900x60',
    },
    labels: { lane: 'otp' },
    value: '1m 30s',
  },
  {
    alert: 'CarillonCampaignsWait',
    trouble: { [of('carillon_queue_age_seconds', { lane: 'bulk' })]: '7200x60' },
    healthy: { [of('carillon_queue_age_seconds', { lane: 'bulk' })]: '900x60' },
    labels: { lane: 'bulk' },
    value: '2h 0m 0s',
  },
  {
    alert: 'CarillonFailureRate',
    trouble: { [failed]: '0+40x60', [delivered]: '0+60x60' },
    healthy: { [failed]: '0+10x60', [delivered]: '0+90x60' },
    value: '40%',
  },
  {
    alert: 'CarillonResubmitted',
    ...counted('carillon_messages_resubmitted_total'),
    value: '1k',
    at: '12m',
  },
  {
    alert: 'CarillonReceiptsLost',
    ...counted('carillon_receipts_unmatched_total', { outcome: 'lost' }),
    value: '1k',
  },
  {
    alert: 'CarillonEventsLate',
    trouble: { [of('carillon_events_pending_age_seconds', process)]: '400x60' },
    healthy: { [of('carillon_events_pending_age_seconds', process)]: '4x60' },
    value: '6m 40s',
  },
  {
    alert: 'CarillonWebhooksFailing',
    trouble: { [of('carillon_webhook_endpoints', { ...process, state: 'failing' })]: '2x60' },
    healthy: {
      [of('carillon_webhook_endpoints', { ...process, state: 'failing' })]: '0 3 3 0x57',
      [of('carillon_webhook_endpoints', { ...process, state: 'off' })]: '4x60',
    },
    value: '2',
  },
  {
    alert: 'CarillonBackgroundWorkLate',
    trouble: { [of('carillon_work_late_seconds', { ...process, kind: 'csv-job' })]: '400x60' },
    healthy: { [of('carillon_work_late_seconds', { ...process, kind: 'csv-job' })]: '0 400 0x58' },
    labels: { kind: 'csv-job' },
    value: '6m 40s',
  },
  {
    alert: 'CarillonConnectorDown',
    trouble: {
      [of('carillon_connectors', { link: 'main', state: 'up' })]: '0x60',
      [of('carillon_connectors', { link: 'main', state: 'down' })]: '1x60',
    },
    healthy: {
      [of('carillon_connectors', { link: 'main', state: 'up' })]: '1x60',
      [of('carillon_connectors', { link: 'main', state: 'down' })]: '0x60',
    },
    labels: { link: 'main' },
  },
  {
    alert: 'CarillonConnectorNotHeld',
    trouble: {
      [of('carillon_connectors', { link: 'main', state: 'up', instance: 'a' })]: '0x60',
      [of('carillon_connectors', { link: 'main', state: 'down', instance: 'b' })]: '0x60',
    },
    healthy: {
      [of('carillon_connectors', { link: 'main', state: 'up', instance: 'a' })]: '0x60',
      [of('carillon_connectors', { link: 'main', state: 'up', instance: 'b' })]: '1x60',
    },
    labels: { link: 'main' },
  },
  {
    alert: 'CarillonTlsNotAccepted',
    ...counted('carillon_tls_faults_total', { peer: 'main', reason: 'expired' }),
    labels: { peer: 'main', reason: 'expired' },
    at: '12m',
  },
  {
    alert: 'CarillonCarrierSlow',
    ...lasting('carillon_smpp_submit_seconds', '1', '10', { link: 'main' }),
    labels: { link: 'main' },
    value: '9.1s',
  },
  {
    alert: 'CarillonMoneyRuleViolated',
    ...counted('carillon_invariant_violations_total', { ...process, invariant: 'wallet' }),
    labels: { ...process, invariant: 'wallet' },
    at: '12m',
  },
  {
    alert: 'CarillonSpendingUnusual',
    trouble: { [charge]: '0+100x144 14400+10000x6' },
    healthy: { [charge]: '0+10000x150' },
    step: '10m',
    at: '1490m',
  },
  {
    alert: 'CarillonCodesBlocked',
    ...counted('carillon_otp_blocked_total', { rule: 'prefix' }),
    labels: { rule: 'prefix' },
    value: '1k',
    at: '12m',
  },
  {
    alert: 'CarillonSignInsThrottled',
    ...counted('carillon_sign_in_attempts_total', { endpoint: 'console', outcome: 'throttled' }),
    labels: { endpoint: 'console' },
    value: '1k',
    at: '12m',
  },
];

const rules = await readRules();
const folder = await mkdtemp(join(tmpdir(), 'carillon-alerts-'));
after(() => rm(folder, { recursive: true }));

test('every alert has a case, and what it says has its labels and its value', () => {
  assert.deepEqual(
    cases.map(({ alert }) => alert),
    rules.map(({ alert }) => alert),
  );
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels.severity!, /^(?:critical|warning)$/, alert);
    assert.ok(annotations.summary.length < 70, alert);
    assert.match(annotations.description, /\.$/, alert);
  }
});

for (const { alert, trouble, healthy, labels = {}, value, step = '1m', at = '59m' } of cases) {
  test(`${alert} fires in trouble, and not without`, async () => {
    const { labels: own, annotations } = rules.find((rule) => rule.alert === alert)!;
    const fired = {
      exp_labels: { ...own, ...labels },
      exp_annotations: Object.fromEntries(
        Object.entries(annotations).map(([name, text]) => [name, written(text, labels, value)]),
      ),
    };
    const tried = (series: SeriesByName, alerts: readonly object[]) => ({
      interval: step,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: alerts }],
    });
    const file = join(folder, `${alert}.yml`);
    await writeFile(
      file,
      stringify({
        rule_files: [fileURLToPath(RULES)],
        evaluation_interval: step,
        tests: [tried(trouble, [fired]), tried(healthy, [])],
      }),
    );
    const { code, said } = promtool('test', 'rules', file);
    assert.equal(code, 0, said);
  });
}

test('promtool has nothing against the rules and the configuration', () => {
  const checked = promtool('check', 'rules', fileURLToPath(RULES));
  assert.equal(checked.code, 0, checked.said);
  assert.match(checked.said, new RegExp(`SUCCESS: ${rules.length} rules found`));
  const configuration = fileURLToPath(new URL('../../deploy/prometheus/prometheus.yml', import.meta.url));
  // Not the rule files, which are where the container has them.
  const said = promtool('check', 'config', '--syntax-only', configuration);
  assert.equal(said.code, 0, said.said);
});

test('every alert has its section in docs/operating.md, and every section of alerts has an alert', async () => {
  const text = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const alerts = /^## Alerts\n(.*?)^## /ms.exec(text)?.[1] ?? '';
  const sections = [...alerts.matchAll(/^### (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(' ', '-'),
  );
  const named = rules.map(
    ({ annotations }) => /^docs\/operating\.md#(.+)$/.exec(annotations.runbook_url)?.[1],
  );
  assert.deepEqual([...new Set(named)].toSorted(), sections.toSorted());
  for (const { alert } of rules) assert.ok(alerts.includes(`\`${alert}\``), `${alert} is named`);
});

/** A text of an alert with its labels and its value. */
const written = (text: string, labels: Readonly<Record<string, string>>, value: string | undefined) =>
  text
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label]!)
    .replaceAll(/\{\{ \$value \| \w+ \}\}/g, () => value!);
