import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { asPerson } from '../../api/v1/calls.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { allFinal, assertPaid, mustSend, startNetwork } from '../../faults/support.ts';
import { jsonOf, simple, startProvider } from '../../protocols/http-carrier/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Two SMSCs and a provider with an HTTP interface deliver different shares, and messages move to the one that delivers. */

interface Figure {
  readonly connector: string;
  readonly messages: number;
  readonly delivered_percent: number;
}
interface Made {
  readonly id: string;
  readonly http: { readonly reports_url: string } | null;
}

const PREFIX = '97258';
const EACH = 60;
const LATER = 40;

const first = await startNetwork();
const second = await startNetwork();
const third = await startNetwork();
const service = await startDispatching(first, {}, await createDatabase(), {
  WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
});
const { url, sql } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 10_000);

/** Numbers with the ending 0001 cannot be reached in the sandbox, and the provider reports the same of them. */
const isGood = (to: string) => !to.endsWith('0001');
let reportsUrl = '';
const provider = await startProvider({ after }, (request) => {
  const to = String(jsonOf(request).to).replace('+', '');
  void report(to);
  return { status: 200, body: { id: `id-${to}` } };
});

/** Reports as the provider does: again until it is stored, because the answer may not have been read yet. */
async function report(to: string): Promise<void> {
  const body = JSON.stringify({ id: `id-${to}`, status: isGood(to) ? 'DELIVERED' : 'FAILED' });
  const headers = { 'content-type': 'application/json' };
  await waitFor('the report is stored', async () => {
    const { status } = await fetch(reportsUrl, { method: 'POST', body, headers });
    return status === 200;
  });
}

for (const [name, { port }] of [
  ['alpha', second],
  ['beta', third],
] as const) {
  const smpp = { host: '127.0.0.1', port, system_id: 'carillon', password: 'carillon' };
  await operator.post('/operator/connectors', { name, smpp });
}
const made = await operator.post<Made>('/operator/connectors', {
  name: 'gamma',
  http: {
    description: simple(provider.origin, {
      reports: { id: '/id', status: '/status', states: { DELIVERED: 'delivered', FAILED: 'undelivered' } },
    }),
  },
});
reportsUrl = made.http!.reports_url;
await waitFor('the connectors are up', async () => {
  const { carriers } = await operator.get<{ carriers: { state: string }[] }>('/operator/carriers');
  return carriers.filter(({ state }) => state === 'up').length === 4;
});

/** Numbers of which so many cannot be reached. */
const numbers = (from: number, count: number, bad: number) =>
  Array.from({ length: count }, (_, at) => `${PREFIX}${from + at}${at < bad ? '0001' : '0008'}`);

const tookBy = {
  alpha: (to: string) => second.taken.has(to),
  beta: (to: string) => third.taken.has(to),
  gamma: (to: string) => provider.received.some((one) => jsonOf(one).to === `+${to}`),
};

test('messages move to the connector that delivers, over SMPP and HTTP', async () => {
  const { id } = await operator.post<Made>('/operator/routes', {
    prefix: PREFIX,
    connectors: [{ connector: 'alpha' }],
  });
  const change = (body: object) => operator.call('PATCH', `/operator/routes/${id}`, body);
  const phases = [
    ['alpha', 100, EACH / 2],
    ['beta', 200, EACH / 5],
    ['gamma', 300, 1],
  ] as const;
  for (const [connector, from, bad] of phases) {
    await change({ connectors: [{ connector }] });
    const to = numbers(from, EACH, bad);
    await mustSend(url, sender, to);
    await allFinal(sql);
    assert.deepEqual(
      to.filter((one) => !tookBy[connector](one)),
      [],
      connector,
    );
  }
  const figures = await waitFor('the hour is counted', async () => {
    const found = await operator.get<{ figures: Figure[] }>(`/operator/routes/quality?prefix=${PREFIX}`);
    return found.figures.reduce((sum, { messages }) => sum + messages, 0) === 3 * EACH && found.figures;
  });
  const shares = Object.fromEntries(figures.map((one) => [one.connector, one.delivered_percent]));
  assert.deepEqual(
    [shares.alpha, shares.beta, shares.gamma],
    [50, 80, Math.round((1 - 1 / EACH) * 1_000) / 10],
  );

  // The cheapest one delivers least.
  const connectors = [
    { connector: 'alpha', price: 0.01 },
    { connector: 'beta', price: 0.02 },
    { connector: 'gamma', price: 0.03 },
  ];
  await change({ connectors, choose: 'cheapest', min_delivered_percent: 85, explore_percent: 0 });
  await waitFor('the figures are learned', async () => {
    const path = `/operator/routes/find?phone=%2B${PREFIX}9990008`;
    const found = await operator.get<{ connectors: { connector: string }[] }>(path);
    return found.connectors[0]?.connector === 'gamma';
  });
  const later = numbers(400, LATER, 0);
  await mustSend(url, sender, later);
  await allFinal(sql);
  assert.deepEqual(
    later.filter((one) => !tookBy.gamma(one)),
    [],
  );
  assert.equal(first.submits.length, 0);
  const sent = second.submits.length + third.submits.length + provider.received.length;
  assert.equal(sent, 3 * EACH + LATER, 'nothing is sent twice');
});

test('when it is disabled, the next best one takes the messages', async () => {
  await operator.call('PATCH', '/operator/connectors/gamma', { is_enabled: false });
  await waitFor('gamma has left', async () => {
    const { carriers } = await operator.get<{ carriers: { name: string; state: string }[] }>(
      '/operator/carriers',
    );
    return carriers.every(({ name, state }) => name !== 'gamma' || state !== 'up');
  });
  const [to] = numbers(500, 1, 0) as [string];
  await mustSend(url, sender, [to]);
  await allFinal(sql);
  // Neither of the others delivers enough, so the price decides.
  assert.ok(tookBy.alpha(to));
  const [row] = await sql<{ delivered: number }[]>`
    SELECT count(*)::int AS delivered FROM messages WHERE status = 102`;
  const failed = EACH / 2 + EACH / 5 + 1;
  const all = 3 * EACH + LATER + 1;
  assert.equal(row!.delivered, all - failed);
  await assertPaid(sql, sender.id, 10_000, all);
});
