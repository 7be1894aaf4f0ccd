import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { channels } from '../../../server/channels/index.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { readConfig } from '../../../server/kit/config.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { roles } from '../../../server/kit/process-roles.ts';
import { status } from '../../../server/kit/statuses.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { openAppContext } from '../../../server/run/open-app-context.ts';
import { startService } from '../../../server/run/service.ts';
import { asPerson } from '../../api/v1/calls.ts';
import {
  jsonOf,
  PATH_SECRET,
  type Received,
  type Reply,
  startProvider,
} from '../../protocols/http-carrier/support.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { newPhone } from '../../support/phones.ts';
import { databaseUrl } from '../../support/process.ts';
import { SECRET_KEY } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';

/* The whole service with a provider of an HTTP interface in CARRIERS_FILE. */

const SIGNING = 'the signing secret of the provider';
const NUMBER = '97237654321';
const NAME = 'provider';

const folder = await mkdtemp(join(tmpdir(), 'carillon-http-carrier-'));
after(() => rm(folder, { recursive: true }));

/** The next answers to messages to a phone; the provider accepts all others. */
const answers = new Map<string, Reply[]>();
/** What the provider does before it answers a message to a phone. */
const beforeAnswer = new Map<string, (request: Received) => Promise<void>>();
/** A new phone, as E.164 digits. */
const nextPhone = (): string => `972${newPhone().slice(1)}`;
const phoneOf = (request: Received): string => jsonOf(request).to;
const idOf = (request: Received): string => `id-${jsonOf(request).reference}`;

const provider = await startProvider({ after }, async (request) => {
  await beforeAnswer.get(phoneOf(request))?.(request);
  const reply = answers.get(phoneOf(request))?.shift();
  return reply ?? { status: 200, body: { id: idOf(request) } };
});
const receivedTo = (phone: string) => provider.received.filter((request) => phoneOf(request) === `+${phone}`);

await writeFile(
  join(folder, 'carriers.json'),
  JSON.stringify({
    http: [
      {
        name: NAME,
        secrets: { key: 'k3y', signing: SIGNING },
        pathSecret: PATH_SECRET,
        allowPrivate: true,
        description: {
          send: {
            url: `${provider.origin}/messages`,
            auth: { bearer: '{secret.key}' },
            body: {
              json: {
                ...{ to: '{to.plus}', from: '{from}', text: '{text}', reference: '{id}' },
                report: '{origin}/reports',
              },
            },
          },
          answer: {
            rules: [
              { when: { status: 200, at: '/id' }, then: 'accepted' },
              { when: { status: 429 }, then: 'throttled' },
              { when: { status: '4xx' }, then: 'refused', as: 'rejected' },
            ],
            id: '/id',
            code: '/error',
          },
          reports: {
            each: '/reports/*',
            id: '/id',
            status: '/status',
            states: { DELIVERED: 'delivered', FAILED: 'undelivered' },
            code: '/error',
          },
          incoming: { from: '/from', to: '/to', text: '/text' },
          signature: { scheme: 'hmac', secret: 'signing', header: 'x-signature' },
        },
      },
    ],
    routes: [{ name: 'all', prefixes: [''], links: [NAME] }],
  }),
);

const { sql, target } = await createDatabase();
const logged: string[] = [];
const log = createLogger('info', { write: (line) => void logged.push(line) });
const config = readConfig(
  {
    DATABASE_URL: databaseUrl(target),
    DATABASE_CONNECTIONS: '6',
    SECRET_KEY,
    CARRIERS_FILE: join(folder, 'carriers.json'),
    PORT: '0',
    VERIFY_SOURCES: 'off',
    RATE_LIMIT_ACCOUNT: '0',
    RATE_LIMIT_ADDRESS: '0',
  },
  channels,
);
const appContext = await openAppContext(config, channels, log, async () => new AdjustableClock());
const service = await startService(appContext, roles, undefined, (error) => {
  throw error;
});
atEnd(() => service.stop(5_000));
const { accounts, wallets, tokens } = appContext;
const { id: accountId } = await accounts.create({ username: 'shop', name: 'Shop' });
await wallets.topUp(accountId, 1_000 * CREDIT, 'test');
const { token } = await tokens.mint(accountId);
await sql`INSERT INTO inbound_numbers (number, account_id) VALUES (${NUMBER}, ${accountId})`;

/** Sends a text to a phone, and returns the id of the shipment. */
async function send(phone: string, message = 'Hello'): Promise<string> {
  const response = await fetch(`${service.url}/v1/sms`, {
    method: 'POST',
    body: JSON.stringify({ source: 'Shop', message, phones: [phone] }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  assert.equal(response.status, 202);
  return ((await response.json()) as { shipment_id: string }).shipment_id;
}

interface Row {
  readonly status: number;
  readonly code: string | null;
  readonly handed: boolean;
  readonly final: boolean;
  readonly link: string | null;
}
async function messageOf(shipment: string): Promise<Row> {
  const [row] = await sql<Row[]>`
    SELECT status, code, link, handed_at IS NOT NULL AS handed, final_at IS NOT NULL AS final
    FROM messages WHERE shipment_id = ${shipment}`;
  return row!;
}
const submitted = (shipment: string) =>
  waitFor('the message is submitted', async () => (await messageOf(shipment)).handed);
async function finalOf(shipment: string): Promise<Row> {
  await waitFor('the message is final', async () => (await messageOf(shipment)).final);
  return messageOf(shipment);
}

/** Makes a request as the provider does, and returns the status of the answer. */
async function post(
  address: string,
  content: unknown,
  { key = SIGNING, method = 'POST' }: { key?: string | null; method?: string } = {},
): Promise<number> {
  const body = JSON.stringify(content);
  const response = await fetch(address, {
    method,
    ...(method === 'POST' && { body }),
    headers: {
      'content-type': 'application/json',
      ...(key !== null && { 'x-signature': createHmac('sha256', key).update(body).digest('hex') }),
    },
  });
  assert.equal(await response.text(), '');
  return response.status;
}
const operator = await asPerson({ url: service.url!, sql, appContext }, 'operator');
const base = `${service.url}/carrier-requests/${NAME}/${PATH_SECRET}`;
const reportOf = (request: Received, word: string, more: object = {}) => ({
  reports: [{ id: idOf(request), status: word, ...more }],
});

describe('a provider with an HTTP interface', () => {
  test('a message reaches it, and its report makes the message delivered', async () => {
    const phone = nextPhone();
    const shipment = await send(phone, 'Your order is ready');
    await submitted(shipment);
    const [request] = receivedTo(phone);
    const { reference, ...content } = jsonOf(request!);
    assert.deepEqual(content, {
      ...{ to: `+${phone}`, from: 'Shop', text: 'Your order is ready', report: `${base}/reports` },
    });
    assert.match(reference, /^\d+$/);
    assert.equal(request!.headers.authorization, 'Bearer k3y');
    assert.equal(await post(content.report, reportOf(request!, 'DELIVERED')), 200);
    const row = await finalOf(shipment);
    assert.deepEqual([row.status, row.code, row.link], [status.delivered, 'DELIVERED', NAME]);
  });

  test('one request reports many messages, and keeps their codes', async () => {
    const phones = [nextPhone(), nextPhone()] as const;
    const shipments = [await send(phones[0]), await send(phones[1])] as const;
    await Promise.all(shipments.map(submitted));
    const [one, other] = phones.map((phone) => receivedTo(phone)[0]!) as [Received, Received];
    const reports = [
      ...reportOf(one, 'delivered').reports,
      ...reportOf(other, 'FAILED', { error: 'EC_27' }).reports,
      { status: 'DELIVERED' },
    ];
    assert.equal(await post(`${base}/reports`, { reports }), 200);
    assert.equal((await finalOf(shipments[0])).status, status.delivered);
    const failed = await finalOf(shipments[1]);
    assert.deepEqual([failed.status, failed.code], [status.undelivered, 'FAILED/EC_27']);
  });

  test('a report before the answer to the send is kept for its message', async () => {
    const phone = nextPhone();
    let reported: number | undefined;
    beforeAnswer.set(`+${phone}`, async (request) => {
      reported = await post(`${base}/reports`, reportOf(request, 'DELIVERED'));
    });
    const row = await finalOf(await send(phone));
    assert.deepEqual([reported, row.status], [200, status.delivered]);
  });

  test('an incoming message is stored for the account of its number', async () => {
    const phone = nextPhone();
    const message = { from: `+${phone}`, to: `+${NUMBER}`, text: 'When are you open? ש' };
    assert.equal(await post(`${base}/incoming`, message), 200);
    const rows = await sql<{ source: string; destination: string; text: string }[]>`
      SELECT source, destination, text FROM incoming WHERE account_id = ${accountId} AND source = ${phone}`;
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ source: phone, destination: NUMBER, text: message.text }],
    );
  });

  test('a message whose answer was lost is not sent again', async () => {
    const phone = nextPhone();
    answers.set(`+${phone}`, ['cut', 'cut']);
    const row = await finalOf(await send(phone));
    assert.equal(row.status, status.unknown);
    assert.equal(receivedTo(phone).length, 1);
    // Whatever is sent later goes out after a copy of the message would have.
    await submitted(await send(nextPhone()));
    assert.equal(receivedTo(phone).length, 1);
  });

  test('a throttled message is sent again, and a refused one is refunded', async () => {
    const [throttled, refused] = [nextPhone(), nextPhone()];
    answers.set(`+${throttled}`, [{ status: 429 }, { status: 429 }]);
    const shipment = await send(throttled);
    await submitted(shipment);
    assert.equal(receivedTo(throttled).length, 3);
    const before = await wallets.balance(accountId);
    answers.set(`+${refused}`, [{ status: 400, body: { error: 'bad sender' } }]);
    const row = await finalOf(await send(refused));
    assert.deepEqual([row.status, row.code], [status.rejected, 'bad sender']);
    assert.equal(await wallets.balance(accountId), before);
  });
});

describe('requests of the provider', () => {
  test('a forged request changes nothing', async () => {
    const phone = nextPhone();
    const shipment = await send(phone);
    await submitted(shipment);
    const report = reportOf(receivedTo(phone)[0]!, 'DELIVERED');
    assert.equal(await post(`${base}/reports`, report, { key: null }), 401);
    assert.equal(await post(`${base}/reports`, report, { key: 'guess' }), 401);
    const { origin } = new URL(base);
    for (const path of [`/${NAME}/${PATH_SECRET}x`, `/other/${PATH_SECRET}`, `/${NAME}/undefined`])
      assert.equal(await post(`${origin}/carrier-requests${path}/reports`, report), 404, path);
    const message = { from: `+${phone}`, to: `+${NUMBER}`, text: 'forged' };
    assert.equal(await post(`${base}/incoming`, message, { key: 'guess' }), 401);
    assert.equal((await messageOf(shipment)).final, false);
    const rows = await sql`SELECT 1 FROM incoming WHERE source = ${phone}`;
    assert.equal(rows.length, 0);
  });

  test('an unreadable request is refused, and one about other events is accepted', async () => {
    assert.equal(await post(`${base}/reports`, { reports: [{ id: 'x' }] }), 400);
    assert.equal(await post(`${base}/reports`, { ping: true }), 200);
    assert.equal(await post(`${base}/incoming`, { from: '', to: '', text: '' }), 400);
  });

  test('a request over the limit is refused', async () => {
    assert.equal((await fetch(`${base}/reports`, { method: 'POST', body: 'x'.repeat(300_000) })).status, 413);
  });

  test('the log has no text, secret or whole number', async () => {
    const phone = nextPhone();
    const text = 'a text that no log has';
    await submitted(await send(phone, text));
    const all = logged.join('\n');
    for (const secret of [text, phone, PATH_SECRET, SIGNING, 'k3y']) assert.ok(!all.includes(secret), secret);
  });
});

test('a process that does not hold the connector stores its reports', async () => {
  const other = await openAppContext(
    config,
    channels,
    createLogger('silent'),
    async () => new AdjustableClock(),
  );
  const api = await startService(other, ['api'], undefined, (error) => {
    throw error;
  });
  atEnd(() => api.stop(5_000));
  const phone = nextPhone();
  const shipment = await send(phone);
  await submitted(shipment);
  const address = `${api.url}/carrier-requests/${NAME}/${PATH_SECRET}/reports`;
  assert.equal(await post(address, reportOf(receivedTo(phone)[0]!, 'FAILED')), 200);
  assert.equal((await finalOf(shipment)).status, status.undelivered);
});

describe('operators', () => {
  test('see the connector without its secrets, and try it', async () => {
    const { connectors } = await operator.get<{ connectors: { name: string }[] }>('/operator/connectors');
    const found = connectors.find(({ name }) => name === NAME);
    assert.deepEqual(found, {
      ...{
        name: NAME,
        protocol: 'http',
        channel: 'sms',
        is_configured: true,
        is_enabled: true,
        per_second: 0,
      },
      ...{ is_limit_set: false, has_password: false, routes: ['all'], smpp: null, sip: null, http: null },
    });
    const trial = await operator.post<{ is_accepted: boolean }>(`/operator/connectors/${NAME}/try`, {});
    assert.equal(trial.is_accepted, true);
  });

  test('disable it: messages wait, reports still arrive, and enabling it sends them', async () => {
    const [sent, waiting] = [nextPhone(), nextPhone()];
    const before = await send(sent);
    await submitted(before);
    await operator.call('PATCH', `/operator/connectors/${NAME}`, { is_enabled: false });
    const shipment = await send(waiting);
    assert.equal(await post(`${base}/reports`, reportOf(receivedTo(sent)[0]!, 'DELIVERED')), 200);
    assert.equal((await finalOf(before)).status, status.delivered);
    assert.equal(receivedTo(waiting).length, 0);
    await operator.call('PATCH', `/operator/connectors/${NAME}`, { is_enabled: true, per_second: 50 });
    await submitted(shipment);
    assert.equal(receivedTo(waiting).length, 1);
  });

  test('add a route that uses it', async () => {
    const route = await operator.post<{ name: string }>('/operator/routes', {
      prefix: '97250',
      connectors: [{ connector: NAME, priority: 0, weight: 1 }],
    });
    assert.equal(route.name, 'to/97250');
    const phone = nextPhone();
    await submitted(await send(phone));
    assert.equal(receivedTo(phone).length, 1);
  });
});
