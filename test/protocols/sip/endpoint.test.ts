import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Endpoint, type EndpointOptions } from '../../../server/protocols/sip/endpoint.ts';
import { MediaPorts } from '../../../server/protocols/sip/media-ports.ts';
import { Headers, newCallId, newTag } from '../../../server/protocols/sip/message.ts';
import type { ServerTransaction } from '../../../server/protocols/sip/server-transaction.ts';
import { StreamTransport } from '../../../server/protocols/sip/stream.ts';
import { addressTowards } from '../../../server/protocols/sip/transport.ts';
import { UdpTransport } from '../../../server/protocols/sip/udp.ts';
import { waitFor } from '../../support/wait-for.ts';
import { T1_MS } from './support.ts';

const local = { address: '127.0.0.1', port: 0 };

/** An endpoint over UDP or TCP, closed with the test. */
async function open(
  t: TestContext,
  onRequest: (transaction: ServerTransaction) => void,
  options: Partial<EndpointOptions> = {},
): Promise<Endpoint> {
  const endpoint = new Endpoint({ transport: new UdpTransport(local), t1Ms: T1_MS, onRequest, ...options });
  await endpoint.open();
  t.after(() => endpoint.close());
  return endpoint;
}

function requestTo(endpoint: Endpoint, method: string) {
  const headers = new Headers()
    .add('Max-Forwards', '70')
    .add('From', `<sip:a@127.0.0.1>;tag=${newTag()}`)
    .add('To', '<sip:b@127.0.0.1>')
    .add('Call-ID', newCallId())
    .add('CSeq', `1 ${method}`)
    .add('Contact', endpoint.contactUri('a'));
  return { method, uri: 'sip:b@127.0.0.1', headers };
}

for (const protocol of ['UDP', 'TCP'] as const) {
  test(`a request over ${protocol} is answered, and both ends forget it`, async (t) => {
    const transport = () =>
      protocol === 'UDP' ? new UdpTransport(local) : new StreamTransport({ local, listens: true });
    const callee = await open(t, (transaction) => transaction.respond(200), { transport: transport() });
    const caller = await open(t, (transaction) => transaction.respond(481), { transport: transport() });
    const flow = () => caller.transport.flowTo(callee.contact);
    const answer = await caller.ask(() => requestTo(caller, 'OPTIONS'), flow);
    assert.ok(typeof answer !== 'string');
    assert.equal(answer.status, 200);
    // The other way over what is open.
    const back = await callee.ask(
      () => requestTo(callee, 'OPTIONS'),
      () => callee.transport.flowTo(caller.contact),
    );
    assert.ok(typeof back !== 'string');
    assert.equal(back.status, 481);
    await waitFor('both to have forgotten', () => caller.transactions + callee.transactions === 0);
  });
}

test('CANCEL reaches the INVITE that rings, and finds none that is over', async (t) => {
  const callee = await open(t, (transaction) => {
    transaction.onCancel = () => transaction.respond(487);
    transaction.respond(180);
  });
  const caller = await open(t, () => {});
  const heard: number[] = [];
  const invite = caller.send(requestTo(caller, 'INVITE'), caller.transport.flowTo(callee.contact), {
    response: ({ status }) => heard.push(status),
    failed() {},
  });
  await waitFor('ringing', () => heard.includes(180));
  assert.equal(invite.isProceeding, true);
  caller.cancel(invite);
  await waitFor('the end', () => heard.includes(487));
  await waitFor('both to have forgotten', () => caller.transactions + callee.transactions === 0);
});

test('a port without a listener fails immediately over TCP, and at the timeout over UDP', async (t) => {
  const gone = createSocket('udp4').bind(0, '127.0.0.1');
  await once(gone, 'listening');
  const peer = { address: '127.0.0.1', port: gone.address().port };
  await new Promise<void>((resolve) => gone.close(() => resolve()));
  const tcp = await open(t, () => {}, { transport: new StreamTransport({ local, listens: false }) });
  assert.equal(
    await tcp.ask(
      () => requestTo(tcp, 'OPTIONS'),
      () => tcp.transport.flowTo(peer),
    ),
    'transport',
  );
  const udp = await open(t, () => {}, { t1Ms: 5 });
  assert.equal(
    await udp.ask(
      () => requestTo(udp, 'OPTIONS'),
      () => udp.transport.flowTo(peer),
    ),
    'timeout',
  );
});

test('invalid SIP is dropped: over TCP with its connection, and other connections continue', async (t) => {
  const errors: Error[] = [];
  const options = { onMalformed: (error: Error) => errors.push(error) };
  const transport = new StreamTransport({ local, listens: true });
  const callee = await open(t, (transaction) => transaction.respond(200), { ...options, transport });
  const socket = connect(callee.contact.port, '127.0.0.1');
  // A keep-alive is answered.
  socket.write('\r\n\r\n');
  const [pong] = await once(socket, 'data');
  assert.equal(String(pong), '\r\n');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'close');
  assert.equal(errors.length, 1);
  const caller = await open(t, () => {}, { transport: new StreamTransport({ local, listens: false }) });
  const answer = await caller.ask(
    () => requestTo(caller, 'OPTIONS'),
    () => caller.transport.flowTo(callee.contact),
  );
  assert.ok(typeof answer !== 'string');
  assert.equal(answer.status, 200);
});

test('pairs of media ports: even and the next, taken in turn, none twice, and free for others once they are released', async (t) => {
  const ports = new MediaPorts('127.0.0.1', { from: 10_001, to: 10_200 });
  t.after(() => ports.close());
  const pairs = await Promise.all([1, 2, 3].map(() => ports.acquire()));
  for (const pair of pairs) {
    assert.equal(pair.port % 2, 0);
    assert.ok(pair.port > 10_001 && pair.port < 10_200);
    assert.equal(pair.rtcp.address().port, pair.port + 1);
  }
  assert.equal(new Set(pairs.map(({ port }) => port)).size, 3);
  ports.release(pairs[1]!);
  ports.release(pairs[0]!);
  assert.equal(ports.size, 1);
  const next = await ports.acquire();
  assert.ok(!pairs.some(({ port }) => port === next.port));
  const own = new MediaPorts('127.0.0.1', { from: pairs[0]!.port, to: pairs[0]!.port + 1 });
  own.release(await own.acquire());
  for (const pair of [pairs[2]!, next]) ports.release(pair);
  assert.equal(ports.size, 0);
});

test('media ports that others have are passed over, and none left is an error', async (t) => {
  const taken = createSocket('udp4').bind(10_302, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const ports = new MediaPorts('127.0.0.1', { from: 10_300, to: 10_303 });
  t.after(() => ports.close());
  const pair = await ports.acquire();
  assert.equal(pair.port, 10_300);
  await assert.rejects(ports.acquire(), /no port is free/);
  ports.release(pair);
});

test('the address towards a peer is one of this machine', async () => {
  assert.equal(await addressTowards({ address: '127.0.0.1', port: 9 }), '127.0.0.1');
});
