import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { carrierRequestsApi } from '../../../server/channels/sms/http-carriers/plugin.ts';
import type { CarrierIncoming, CarrierReceipt } from '../../../server/engine/carriers/carrier.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import type { HttpCarrierInput } from '../../../server/protocols/http-carrier/settings.ts';
import { PATH_SECRET, PUBLIC_URL, settingsOf, simple } from '../../protocols/http-carrier/support.ts';

/* Requests of providers, with a store that can fail. */

const description = simple('https://api.example', {
  reports: { id: 'form:id', status: 'form:status', states: { ok: 'delivered' } },
  incoming: { from: 'form:from', to: 'form:to', text: 'form:text' },
});

async function startPlugin(input: Partial<HttpCarrierInput> = {}) {
  const receipts: (readonly [string, CarrierReceipt])[] = [];
  const incoming: CarrierIncoming[] = [];
  let isFailing = false;
  const app = fastify();
  const settings = settingsOf({ description, ...input });
  await app.register(carrierRequestsApi, {
    carriers: () => [settings],
    store: {
      async receipt(connector, receipt) {
        if (isFailing) throw new Error('no database');
        receipts.push([connector, receipt]);
      },
      async incoming(message) {
        if (isFailing) throw new Error('no database');
        incoming.push(message);
      },
    },
    clock: { now: () => 0 },
    log: createLogger('silent'),
    publicUrl: () => PUBLIC_URL,
  });
  return {
    receipts,
    incoming,
    fail: (value: boolean) => {
      isFailing = value;
    },
    ask: async (path: string, payload?: string) => {
      const { statusCode } = await app.inject({
        method: payload === undefined ? 'GET' : 'POST',
        url: `/carrier-requests/test/${PATH_SECRET}/${path}`,
        ...(payload !== undefined && {
          payload,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      });
      return statusCode;
    },
  };
}

test('reports and incoming messages arrive by POST and by GET', async () => {
  const { ask, receipts, incoming } = await startPlugin();
  assert.equal(await ask('reports', 'id=1&status=ok'), 200);
  assert.equal(await ask('reports?id=2&status=ok'), 200);
  assert.deepEqual(
    receipts.map(([connector, { carrierId }]) => [connector, carrierId]),
    [
      ['test', '1'],
      ['test', '2'],
    ],
  );
  assert.equal(await ask('incoming', 'from=%2B972501234567&to=12345&text=Hi'), 200);
  assert.equal(await ask('incoming?from=972501234567&to=12345&text=Hi'), 200);
  assert.equal(incoming.length, 2);
});

test('a request that could not be stored is to be repeated', async () => {
  const { ask, fail, receipts } = await startPlugin();
  fail(true);
  assert.equal(await ask('reports', 'id=1&status=ok'), 503);
  assert.equal(await ask('incoming', 'from=1&to=2&text=x'), 503);
  fail(false);
  assert.equal(await ask('reports', 'id=1&status=ok'), 200);
  assert.equal(receipts.length, 1);
});

test('a request from another address is refused', async () => {
  const elsewhere = await startPlugin({ addresses: ['192.0.2.0/24'] });
  assert.equal(await elsewhere.ask('reports', 'id=1&status=ok'), 403);
  assert.equal(elsewhere.receipts.length, 0);
  const here = await startPlugin({ addresses: ['192.0.2.0/24', '127.0.0.0/8'] });
  assert.equal(await here.ask('reports', 'id=1&status=ok'), 200);
});

test('a connector without a path secret has no address', async () => {
  const { ask } = await startPlugin({ pathSecret: undefined });
  assert.equal(await ask('reports', 'id=1&status=ok'), 404);
});
