import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { Carillon, CarillonConnectionError, CarillonError } from '../../client/src/index.ts';
import { pauseBefore } from '../../client/src/retries.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';

const service = await startTestService();

/** What happens to a request before or after it reaches the service; without it the answer is passed on. */
type Fault = (response: ServerResponse, forward: () => Promise<Response>) => Promise<void> | void;

let faults: Fault[] = [];
const seen: { method: string; key: string | undefined }[] = [];

/** Between client and service, with the faults of networks. */
const proxy = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ method: request.method!, key: request.headers['idempotency-key'] as string | undefined });
    const forward = () => passOn(request, Buffer.concat(chunks));
    const fault = faults.shift();
    if (fault) return fault(response, forward);
    const answer = await forward();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  })();
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
after(() => {
  proxy.closeAllConnections();
  proxy.close();
});

function passOn({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const { authorization, 'content-type': type, 'idempotency-key': key } = headers;
  return fetch(`${service.url}${url}`, {
    method: method!,
    headers: {
      authorization: authorization!,
      ...(type !== undefined && { 'content-type': type }),
      ...(key !== undefined && { 'idempotency-key': String(key) }),
    },
    body: body.length > 0 ? new Uint8Array(body) : null,
  });
}

/** The answer is lost after the service has done what was asked. */
const loseAnswer: Fault = async (response, forward) => {
  await forward();
  response.destroy();
};
const cut: Fault = (response) => {
  response.destroy();
};
const answer =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"error":{"code":"try-again","message":"the service cannot do this now, try again"}}');
  };
/** No answer until the client gives up. */
const keepSilent: Fault = () => {};

const { port } = proxy.address() as AddressInfo;
const options = { url: `http://127.0.0.1:${port}`, token: DEMO_TOKEN };
const client = new Carillon(options);
const sms = { source: 'Shop', phones: ['0501234567'], message: 'Hello' };

function begin(...next: Fault[]): void {
  faults = next;
  seen.length = 0;
}

const messagesOf = async () => (await service.sql`SELECT id FROM messages`).length;

describe('what sends', () => {
  test('is sent once, with one key, though its answer was lost and the service was away', async () => {
    const before = await messagesOf();
    begin(loseAnswer, answer(503), cut);
    const { shipment_id } = await client.sms.send(sms);
    assert.ok(shipment_id);
    assert.equal(await messagesOf(), before + 1);
    assert.equal(seen.length, 4);
    assert.equal(new Set(seen.map(({ key }) => key)).size, 1);
    assert.match(seen[0]!.key!, /^"[0-9a-f]{32}"$/);

    begin();
    await client.sms.send(sms);
    assert.notEqual(seen[0]!.key, undefined);
    assert.equal(await messagesOf(), before + 2);
  });

  test('with a key of the caller is the same request later, by the same key in the error', async () => {
    const before = await messagesOf();
    begin(loseAnswer);
    const error = await client.sms.send(sms, { retries: 0 }).then(
      () => assert.fail(),
      (reason: unknown) => reason as CarillonConnectionError,
    );
    assert.ok(error instanceof CarillonConnectionError && error.code === 'connection');
    begin();
    await client.sms.send(sms, { sendKey: error.sendKey });
    assert.equal(await messagesOf(), before + 1);
    const quoted = String.raw`order "17" \ 2`;
    const first = await client.sms.send(sms, { sendKey: quoted });
    assert.deepEqual(await client.sms.send(sms, { sendKey: quoted }), first);
    const other = client.sms.send({ ...sms, message: 'Other' }, { sendKey: quoted });
    await assert.rejects(other, { code: 'key-reused' });
  });
});

describe('what takes no key', () => {
  test('is requested again when it reads', async () => {
    begin(cut, answer(503));
    assert.ok((await client.account.get()).username);
    assert.equal(seen.length, 3);
  });

  test('is not, when it may have been done', async () => {
    for (const fault of [loseAnswer, cut, answer(503)]) {
      begin(fault);
      await assert.rejects(client.contactLists.create({ name: 'Once' }), CarillonError);
      assert.equal(seen.length, 1);
      assert.equal(seen[0]!.key, undefined);
    }
    const { sql } = service;
    const [row] = await sql`SELECT count(*)::int AS lists FROM contact_lists WHERE name = 'Once'`;
    assert.equal(row!.lists, 1);
  });

  test('is, over the rate limit', async () => {
    begin(answer(429, { 'retry-after': '0' }));
    await client.contactLists.create({ name: 'After the limit' });
    assert.equal(seen.length, 2);
  });
});

describe('deadlines', () => {
  test('an attempt that takes too long is abandoned and repeated', async () => {
    begin(keepSilent);
    assert.ok(await client.request('GET /v1/account', { timeoutMs: 300 }));
    assert.equal(seen.length, 2);
    begin(keepSilent);
    await assert.rejects(client.request('GET /v1/account', { timeoutMs: 300, retries: 0 }), {
      code: 'timeout',
    });
  });

  test('a pause that would go beyond the deadline is not waited for', async () => {
    begin(answer(429, { 'retry-after': '60' }));
    await assert.rejects(client.sms.send(sms, { deadlineMs: 5_000 }), { httpStatus: 429 });
    assert.equal(seen.length, 1);
  });

  test('a signal ends a request and the pause before the next one, with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    begin((response) => {
      response.writeHead(503, { 'retry-after': '60' }).end();
      controller.abort(reason);
    });
    await assert.rejects(client.account.get({}, { signal: controller.signal }), reason);
    await assert.rejects(client.account.get({}, { signal: AbortSignal.abort(reason) }), reason);
    begin(keepSilent);
    const second = new AbortController();
    const request = client.account.get({}, { signal: second.signal });
    second.abort(reason);
    await assert.rejects(request, reason);
  });
});

test('a refused request is not sent again', async () => {
  begin();
  await assert.rejects(client.sms.send({ ...sms, phones: ['12'] }), { code: 'bad-destination' });
  assert.equal(seen.length, 1);
});

test('pauses grow, differ, and follow what the service asks for', () => {
  for (let attempt = 1; attempt <= 12; attempt++) {
    const whole = Math.min(8_000, 500 * 2 ** (attempt - 1));
    const made = pauseBefore(attempt, null);
    assert.ok(made >= whole / 2 && made <= whole, String(made));
  }
  const asked = pauseBefore(1, '7');
  assert.ok(asked >= 7_000 && asked <= 7_500);
  const byDate = pauseBefore(1, new Date(Date.now() + 20_000).toUTCString());
  assert.ok(byDate > 10_000 && byDate <= 20_500);
  assert.ok(pauseBefore(1, 'soon') <= 500);
});
