import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { channels } from '../../../server/channels/index.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { readConfig } from '../../../server/kit/config.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { roles } from '../../../server/kit/process-roles.ts';
import { CREDIT, parseAmount } from '../../../server/modules/accounts/money.ts';
import { signatureOf } from '../../../server/protocols/http-carrier/twilio-signature.ts';
import { openAppContext } from '../../../server/run/open-app-context.ts';
import { startService } from '../../../server/run/service.ts';
import { asPerson } from '../../api/v1/calls.ts';
import {
  formOf,
  PATH_SECRET,
  type Received,
  type Reply,
  readyAt,
  simple,
  startProvider,
} from '../../protocols/http-carrier/support.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { newPhone } from '../../support/phones.ts';
import { databaseUrl } from '../../support/process.ts';
import { SECRET_KEY } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newKosher } from './support.ts';

/* The whole service with a provider that makes calls, without a speech engine. */

const NAME = 'caller';
const PRICE = 2;
const folder = await mkdtemp(join(tmpdir(), 'carillon-http-calls-'));
after(() => rm(folder, { recursive: true }));

/** The next answers to calls to a phone; the provider accepts all others. */
const answers = new Map<string, Reply[]>();
const beforeAnswer = new Map<string, (request: Received) => Promise<unknown>>();
const nextPhone = (): string => `972${newPhone().slice(1)}`;
const isSms = ({ path }: Received) => path === '/send';
const phoneOf = (request: Received): string =>
  (isSms(request) ? (JSON.parse(request.body) as { to: string }).to : formOf(request).To!).replace('+', '');
const idOf = (request: Received): string => `CA-${phoneOf(request)}`;
const provider = await startProvider({ after }, async (request) => {
  if (isSms(request)) return { status: 200, body: { id: `SM-${phoneOf(request)}` } };
  await beforeAnswer.get(phoneOf(request))?.(request);
  const reply = answers.get(phoneOf(request))?.shift();
  return reply ?? { status: 201, body: { sid: idOf(request), status: 'queued' } };
});
const callsTo = (phone: string) => provider.received.filter((one) => !isSms(one) && phoneOf(one) === phone);

const calling = {
  name: NAME,
  secrets: { account: 'AC0123', token: 'auth-token' },
  pathSecret: PATH_SECRET,
  allowPrivate: true,
  prefixes: ['972'],
  callerId: '+97237654321',
  description: { ...readyAt('twilio-calls', provider.origin), languages: { en: 'en-US', he: 'he-IL' } },
};
await writeFile(
  join(folder, 'carriers.json'),
  JSON.stringify({
    http: [{ name: 'texts', description: simple(provider.origin), allowPrivate: true }, calling],
    trunks: [{ name: 'sip', uri: 'sip:127.0.0.1:9', callerId: '+442071234567', prefixes: ['44'] }],
  }),
);

const { sql, target } = await createDatabase();
const clock = new AdjustableClock();
const config = readConfig(
  {
    DATABASE_URL: databaseUrl(target),
    DATABASE_CONNECTIONS: '6',
    DATA_DIR: folder,
    SECRET_KEY,
    CARRIERS_FILE: join(folder, 'carriers.json'),
    PORT: '0',
    VERIFY_SOURCES: 'off',
    VOICE_ENGINE: 'off',
    VOICE_HOURS: '00:00-24:00',
    DEFAULT_CALL_PRICE: String(PRICE),
    RATE_LIMIT_ACCOUNT: '0',
    RATE_LIMIT_ADDRESS: '0',
    WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
  },
  channels,
);
const log = createLogger('silent');
const appContext = await openAppContext(config, channels, log, async () => clock);
const service = await startService(appContext, roles, undefined, (error) => {
  throw error;
});
atEnd(() => service.stop(5_000));
const url = service.url!;
const { accounts, wallets, tokens } = appContext;
const { id: accountId } = await accounts.create({ username: 'shop', name: 'Shop' });
await wallets.topUp(accountId, 1_000 * CREDIT, 'test');
const { token } = await tokens.mint(accountId);
const operator = await asPerson({ url, sql, appContext }, 'operator');

const authorization = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const ask = async (path: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests look at known members
  (await (await fetch(`${url}/v1${path}`, { headers: authorization })).json()) as any;
const post = (phone: string, message: string, tts: object) =>
  fetch(`${url}/v1/sms`, {
    method: 'POST',
    body: JSON.stringify({ source: 'Shop', message, phones: [phone], includes_international: true, tts }),
    headers: authorization,
  });
/** Sends a text in a call, and returns the id of the shipment. */
async function call(
  phone: string,
  message = 'Your code is 4829',
  tts: object = { type: 4 },
): Promise<string> {
  const response = await post(phone, message, tts);
  const body = (await response.json()) as { shipment_id: string };
  assert.equal(response.status, 202, JSON.stringify(body));
  return body.shipment_id;
}

interface Row {
  readonly id: number;
  readonly channel: number;
  readonly status: number;
  readonly code: string | null;
  readonly source: string;
  readonly link: string | null;
  readonly handed: boolean;
  readonly final: boolean;
}
const rowsOf = (shipment: string) => sql<Row[]>`
  SELECT id, channel, status, code, source, link, handed_at IS NOT NULL AS handed, final_at IS NOT NULL AS final
  FROM messages WHERE shipment_id = ${shipment} ORDER BY id`;
const rowOf = async (shipment: string) => (await rowsOf(shipment))[0]!;
const submitted = (shipment: string) =>
  waitFor('the call is submitted', async () => (await rowOf(shipment)).handed);
const finalOf = (shipment: string) =>
  waitFor('the call is final', async () => {
    const row = await rowOf(shipment);
    return row.final && row;
  });
const balance = () => wallets.balance(accountId);
const credits = (amount: number) => amount * CREDIT;

/** Sends a report as the provider does, signed, and returns the status of the answer. */
async function report(request: Received, CallStatus: string, more: Record<string, string> = {}) {
  const fields = { CallSid: idOf(request), To: formOf(request).To!, CallStatus, ...more };
  const address = formOf(request).StatusCallback!;
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'x-twilio-signature': signatureOf('auth-token', address, fields) },
  });
  return response.status;
}

describe('a provider that makes calls', () => {
  test('a call speaks the words of the text, and its report ends it', async () => {
    const before = await balance();
    const phone = nextPhone();
    const shipment = await call(phone, 'קוד 4829 <b>', { type: 4, repeat: 3 });
    await submitted(shipment);
    const [request] = callsTo(phone);
    const { Twiml, StatusCallback, ...rest } = formOf(request!);
    assert.deepEqual(rest, { To: `+${phone}`, From: '+97237654321' });
    assert.equal(
      Twiml,
      '<Response><Say voice="he-IL" loop="3">קוד ארבע, שמונה, שתיים, תשע, b</Say></Response>',
    );
    assert.equal(StatusCallback, `${url}/carrier-requests/${NAME}/${PATH_SECRET}/reports`);
    assert.equal(await report(request!, 'ringing'), 200);
    const row = await rowOf(shipment);
    assert.equal((await ask(`/messages/${row.id}`)).call, null);
    assert.equal(await report(request!, 'completed', { CallDuration: '9' }), 200);
    const { status, code, source, link, handed } = await finalOf(shipment);
    assert.deepEqual([status, code, source, link, handed], [102, 'HEARD', '97237654321', NAME, true]);
    assert.equal(await balance(), before - credits(PRICE));
    const shown = await ask(`/messages/${row.id}`);
    assert.deepEqual([shown.call, shown.given_back], [{ outcome: 'heard', seconds: null }, null]);
  });

  test('a call that nobody answered is refunded once, like one over SIP', async () => {
    const cases = [
      ['busy', 101, 'BUSY/busy', 'busy'],
      ['no-answer', 2, 'NO_ANSWER/no-answer', 'no_answer'],
      ['failed', 6, 'REFUSED/failed', 'other'],
    ] as const;
    for (const [word, status, code, outcome] of cases) {
      const before = await balance();
      const phone = nextPhone();
      const shipment = await call(phone);
      await submitted(shipment);
      assert.equal(await balance(), before - credits(PRICE));
      const [request] = callsTo(phone);
      assert.equal(await report(request!, word), 200);
      const row = await finalOf(shipment);
      assert.deepEqual([row.status, row.code, row.handed], [status, code, false]);
      assert.equal(await report(request!, word), 200);
      assert.equal(await report(request!, 'completed'), 200);
      assert.equal(await balance(), before);
      const shown = await ask(`/messages/${row.id}`);
      assert.equal(shown.call.outcome, outcome);
      assert.equal(parseAmount(shown.given_back), credits(PRICE));
      assert.equal((await rowOf(shipment)).status, status);
    }
  });

  test('a report before the answer to the request is kept, with its refund', async () => {
    const before = await balance();
    const phone = nextPhone();
    beforeAnswer.set(phone, (request) => report(request, 'busy'));
    const shipment = await call(phone);
    const row = await finalOf(shipment);
    assert.deepEqual([row.code, row.handed, await balance()], ['BUSY/busy', false, before]);
  });

  test('so is one that another process has stored', async () => {
    const before = await balance();
    const phone = nextPhone();
    const shipment = await call(phone);
    await submitted(shipment);
    await sql`
      INSERT INTO early_receipts (link, id, carrier_id, destination, status, code, next_at, attempt, is_reversed)
      VALUES (${NAME}, 1, ${`CA-${phone}`}, ${phone}, 2, 'NO_ANSWER/no-answer', ${clock.now()}, 0, true)`;
    const row = await finalOf(shipment);
    assert.deepEqual([row.status, row.handed, await balance()], [2, false, before]);
  });

  test('the SMS and the call of a number are separate; a kosher phone is called', async () => {
    const phone = nextPhone();
    const both = await call(phone, 'Hello', { type: 3 });
    const legs = await waitFor('both are submitted', async () => {
      const rows = await rowsOf(both);
      return rows.length === 2 && rows.every(({ handed }) => handed) && rows;
    });
    assert.deepEqual(legs.map(({ link }) => link).sort(), [NAME, 'texts']);
    const kosher = `972${newKosher().slice(1)}`;
    const called = await call(kosher, 'Hello', { type: 2 });
    await submitted(called);
    assert.deepEqual([(await rowsOf(called)).length, callsTo(kosher).length], [1, 1]);
  });
});

describe('answers to the request', () => {
  test('a refused number ends the call with its reason, and a busy provider gets it again', async () => {
    const before = await balance();
    const unknown = nextPhone();
    answers.set(unknown, [{ status: 400, body: { code: 21211, message: 'Invalid To' } }]);
    const row = await finalOf(await call(unknown));
    assert.deepEqual([row.status, row.code], [101, 'NO_SUCH_NUMBER/21211']);
    assert.equal((await ask(`/messages/${row.id}`)).failure.key, 'no-such-number');
    assert.equal(await balance(), before);

    const later = nextPhone();
    answers.set(later, [{ status: 503 }]);
    const shipment = await call(later);
    await waitFor('the first attempt', async () => (await rowOf(shipment)).code === 'HTTP_503');
    clock.advance(120_000);
    await submitted(shipment);
    assert.equal(callsTo(later).length, 2);
  });

  test('a lost answer is not followed by a second call', async () => {
    const phone = nextPhone();
    answers.set(phone, ['cut']);
    const row = await finalOf(await call(phone));
    assert.deepEqual([row.status, row.code, callsTo(phone).length], [105, 'CARRIER_SILENT', 1]);
  });

  test('a text in a language that the provider does not speak makes no call', async () => {
    const before = await balance();
    const phone = nextPhone();
    const row = await finalOf(await call(phone, 'Привет, ваш заказ готов'));
    assert.deepEqual([row.status, row.code, callsTo(phone).length], [6, 'LANGUAGE', 0]);
    assert.equal(await balance(), before);
  });
});

test('only numbers of SIP trunks need a speech engine', async () => {
  const refused = await post('+442079460000', 'Hello', { type: 4 });
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  assert.deepEqual([refused.status, error.code], [403, 'not-allowed']);
  assert.match(error.message, /VOICE_ENGINE is off/);
  const [{ count }] = (await sql`SELECT count(*)::int FROM messages WHERE recipient = '442079460000'`) as [
    { count: number },
  ];
  assert.equal(count, 0);
  const estimate = await fetch(`${url}/v1/sms/estimate`, {
    method: 'POST',
    body: JSON.stringify({ source: 'Shop', message: 'Hello', phones: [nextPhone()], tts: { type: 4 } }),
    headers: authorization,
  });
  const { voice } = (await estimate.json()) as { voice: { problem: string | null; calls: number } };
  assert.deepEqual([voice.problem, voice.calls], [null, 1]);
});

describe('connectors for calls that operators add', () => {
  interface Connector {
    readonly name: string;
    readonly channel: string;
    readonly http: { readonly prefixes: string[]; readonly caller_id: string | null } | null;
  }
  const { name: _name, allowPrivate: _private, pathSecret: _path, prefixes, callerId, ...own } = calling;
  const http = { ...own, caller_id: '12025550123', prefixes: ['1'] };
  const add = (name: string, settings: object) =>
    operator.post<Connector>('/operator/connectors', { name, http: settings });
  const refused = async (settings: object) =>
    (await operator.refused('POST', '/operator/connectors', { name: 'new', http: settings })).slice(0, 2);

  test('one takes the calls of its prefixes while it is there, and no route of SMS', async () => {
    const made = await add('added', http);
    assert.deepEqual(
      [made.channel, made.http!.prefixes, made.http!.caller_id],
      ['voice', ['1'], '12025550123'],
    );
    const phone = '12025550199';
    const shipment = await call(phone);
    await submitted(shipment);
    assert.equal(formOf(callsTo(phone)[0]!).From, '+12025550123');
    const { carriers, calls_problem } = await operator.get<{
      calls_problem: string;
      carriers: { name: string; channel: string; trunk: { caller_id: string; prefixes: string[] } | null }[];
    }>('/operator/carriers');
    assert.equal(calls_problem, 'over SIP trunks, VOICE_ENGINE is off');
    const shown = carriers.find(({ name }) => name === 'added')!;
    assert.deepEqual(
      [shown.channel, shown.trunk?.caller_id, shown.trunk?.prefixes],
      [...['voice', '12025550123', ['1']]],
    );
    for (const name of ['added', NAME])
      assert.deepEqual(
        (
          await operator.refused('POST', '/operator/routes', {
            prefix: '1',
            connectors: [{ connector: name }],
          })
        ).slice(0, 2),
        ['bad-field', 'connectors[0].connector'],
      );
    await operator.call('PATCH', '/operator/connectors/added', { http: { prefixes: ['1202'] } });
    const other = await post('+13125550199', 'Hello', { type: 4 });
    const { shipment_id: unserved } = (await other.json()) as { shipment_id: string };
    assert.equal((await finalOf(unserved)).status, 998);
    await operator.call('DELETE', '/operator/connectors/added');
  });

  test('refused settings name the field', async () => {
    const { caller_id: _caller, ...withoutCaller } = http;
    assert.deepEqual(await refused(withoutCaller), ['bad-field', 'http.caller_id']);
    assert.deepEqual(await refused({ ...http, caller_id: 'Shop' }), ['bad-field', 'http.caller_id']);
    assert.deepEqual(await refused({ ...http, prefixes: ['x'] }), ['bad-field', 'http.prefixes[0]']);
    assert.deepEqual(await refused({ ...http, description: { ...own.description, reports: undefined } }), [
      ...['bad-field', 'http.description.reports'],
    ]);
    const sms = { description: simple(provider.origin) };
    assert.deepEqual(await refused({ ...sms, prefixes: ['1'] }), ['bad-field', 'http.prefixes']);
    assert.deepEqual(await refused({ ...sms, caller_id: '1202' }), ['bad-field', 'http.caller_id']);
    await add('texts-2', sms);
    assert.deepEqual(
      (
        await operator.refused('PATCH', '/operator/connectors/texts-2', {
          http: { description: own.description, secrets: own.secrets, caller_id: '12025550123' },
        })
      ).slice(0, 2),
      ['bad-field', 'http.description'],
    );
  });
});
