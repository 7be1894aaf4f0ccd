import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { Carillon, CarillonError, type LiveEvent } from '../../client/src/index.ts';
import { serverSentEvents } from '../../client/src/server-sent-events.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await startTestService();

/** Between client and service: its connections can be cut. */
const sockets = new Set<Socket>();
const proxy = createServer((socket) => {
  const { port, hostname } = new URL(service.url);
  const upstream = connect(Number(port), hostname);
  socket.pipe(upstream).pipe(socket);
  for (const one of [socket, upstream]) {
    sockets.add(one);
    one.on('error', () => {});
    one.once('close', () => {
      sockets.delete(one);
      socket.destroy();
      upstream.destroy();
    });
  }
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
const cut = () => {
  for (const socket of sockets) socket.destroy();
};
after(() => {
  cut();
  proxy.close();
});

const client = new Carillon({
  url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  token: DEMO_TOKEN,
});

test('a stream continues after a cut connection, with the missed events', async () => {
  const { shipment_id } = await client.sms.send({ source: 'Shop', phones: ['0501234567'], message: 'First' });
  const heard: LiveEvent[] = [];
  const controller = new AbortController();
  const watching = (async () => {
    const stream = client.live(
      { shipments: [shipment_id], phones: ['0501234567'] },
      { signal: controller.signal },
    );
    for await (const event of stream) heard.push(event);
  })();
  await waitFor('the shipment', () => heard.find(({ type }) => type === 'shipment'));
  await waitFor('its message', () =>
    heard.find((event) => event.type === 'message' && event.data.state === 'delivered'),
  );
  cut();
  const direct = new Carillon({ url: service.url, token: DEMO_TOKEN });
  await direct.sms.send({ source: 'Shop', phones: ['0501234567'], message: 'Second' });
  await waitFor('what came after the cut', () =>
    heard.find((event) => event.type === 'phone' && JSON.stringify(event.data).includes('Second')),
  );
  assert.ok(heard.every(({ id }) => /^\d+$/.test(id)));
  controller.abort(new Error('enough'));
  await assert.rejects(watching, /enough/);
});

test('leaving the loop closes the connection, and a refusal ends the stream', async () => {
  const { shipment_id } = await client.sms.send({ source: 'Shop', phones: ['0501234567'], message: 'Left' });
  for await (const event of client.live({ shipments: [shipment_id] })) {
    assert.equal(event.type === 'shipment' || event.type === 'message', true);
    break;
  }
  const open = client.live({ phones: Array.from({ length: 11 }, (_, i) => `05012345${10 + i}`) });
  await assert.rejects(
    open.next(),
    (error) => error instanceof CarillonError && error.code === 'bad-field' && error.field === 'phones',
  );
});

test('events are read however the body is cut into pieces', async () => {
  const text =
    ': hello\r\n\r\nid: 7\nevent: message\ndata: {"a":\ndata: "שלום"}\n\nid:8\ndata:x\n\ndata: never ended\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 7, bytes.length]) {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const events = [];
    let pieces = 0;
    for await (const event of serverSentEvents(body, () => pieces++)) events.push(event);
    assert.deepEqual(events, [
      { id: '7', event: 'message', data: '{"a":\n"שלום"}' },
      { id: '8', event: 'message', data: 'x' },
    ]);
    assert.ok(pieces > 0);
  }
});
