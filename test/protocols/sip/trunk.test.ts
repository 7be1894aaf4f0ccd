import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode, encode } from '../../../server/protocols/sip/g711.ts';
import { waitFor } from '../../support/wait-for.ts';
import { messageTo, spokenTone, startExchange, startTrunk, tone } from './support.ts';
import { freePort, openUdp } from './udp.ts';

const number = '972501234567';
const fixture = (name: string) => readFileSync(new URL(`../smpp/fixtures/${name}`, import.meta.url), 'utf8');
const tls = { cert: fixture('test-only-cert.pem'), key: fixture('test-only-key.pem') };

for (const transport of ['udp', 'tcp', 'tls'] as const) {
  test(`over ${transport}: a call is answered, and the phone hears the message twice`, async (t) => {
    const { exchange, uri } = await startExchange(t, { transport, tls });
    const { call, receipts } = await startTrunk(
      t,
      { uri, tls: { rejectUnauthorized: false } },
      { spoken: async () => spokenTone(200, 2, 100) },
    );
    const outcome = await call(number);
    assert.ok(outcome.kind === 'accepted');
    const [receipt] = await waitFor('the receipt', () => receipts.length === 1 && receipts);
    const [carrierId] = outcome.carrierIds;
    assert.deepEqual(receipt, { carrierId, status: 102, code: 'HEARD/0', destination: number });
    const [heard] = exchange.calls(number);
    assert.ok(heard);
    assert.equal(heard.id, carrierId);
    assert.equal(heard.ended, 'caller');
    assert.equal(heard.from, '97237000000');
    assert.ok(heard.answeredAt >= heard.at);
    const said = decode('PCMA', encode('PCMA', tone(200)));
    const expected = new Int16Array(8 * (200 + 100 + 200 + 200)).fill(
      decode('PCMA', Buffer.from([0xd5]))[0]!,
    );
    expected.set(said, 0);
    expected.set(said, 8 * 300);
    const { wav } = heard;
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length));
    assert.deepEqual(samples, expected);
  });
}

test('endings of numbers: busy, nobody there, declined, unknown', async (t) => {
  const { uri } = await startExchange(t);
  const { call } = await startTrunk(t, { uri, ringSeconds: 0.2 });
  assert.deepEqual(await Promise.all(['0001', '0002', '0003', '0007'].map((end) => call(`97250123${end}`))), [
    { kind: 'retry', code: 'BUSY/486', afterMs: 60_000, status: 101 },
    { kind: 'retry', code: 'NO_ANSWER', afterMs: 180_000, status: 2 },
    { kind: 'refused', code: 'DECLINED/603', status: 108 },
    { kind: 'refused', code: 'NO_SUCH_NUMBER/404', status: 101 },
  ]);
});

test('the ending 0005: no capacity once, then answered', async (t) => {
  const { uri } = await startExchange(t);
  const { call } = await startTrunk(t, { uri });
  assert.deepEqual(await call('972501230005'), { kind: 'retry', code: 'OVERLOADED/503', afterMs: 30_000 });
  assert.equal((await call('972501230005')).kind, 'accepted');
});

test('the ending 0004 hangs up: delivered when the message was heard once, else not', async (t) => {
  const { exchange, uri } = await startExchange(t);
  let milliseconds = 300;
  const { call, receipts } = await startTrunk(
    t,
    { uri },
    { spoken: async () => spokenTone(milliseconds, 5) },
  );
  assert.equal((await call('972501230004')).kind, 'accepted');
  milliseconds = 5_000;
  assert.equal((await call('972501230004')).kind, 'accepted');
  await waitFor('both receipts', () => receipts.length === 2);
  assert.equal(receipts[0]!.status, 102);
  assert.match(receipts[0]!.code, /^HEARD\/[01]$/);
  assert.equal(receipts[1]!.status, 101);
  assert.match(receipts[1]!.code, /^ENDED_EARLY\/[01]$/);
  assert.deepEqual(
    exchange.calls('972501230004').map(({ ended }) => ended),
    ['callee', 'callee'],
  );
});

for (const algorithm of ['MD5', 'SHA-256'] as const) {
  for (const status of [401, 407] as const) {
    test(`registers and calls with credentials: ${status}, ${algorithm}`, async (t) => {
      const credentials = { username: 'carillon', password: 'pass"word\\' };
      const guard = { ...credentials, realm: 'exchange', algorithm, status };
      const { exchange, uri } = await startExchange(t, { guard });
      const { call } = await startTrunk(t, { uri, ...credentials, register: true, realm: 'exchange' });
      assert.equal(exchange.counts.registered, 1);
      assert.equal((await call(number)).kind, 'accepted');
    });
  }
}

test('wrong credentials: the trunk does not register and is not up; calls are tried again later', async (t) => {
  const guard = {
    username: 'carillon',
    password: 'right',
    realm: 'exchange',
    algorithm: 'MD5',
    status: 407,
  } as const;
  const { uri } = await startExchange(t, { guard });
  const { trunk } = await startTrunk(
    t,
    { uri, username: 'carillon', password: 'wrong', register: true },
    { waits: false },
  );
  const other = await startTrunk(t, { uri, username: 'carillon', password: 'wrong' });
  assert.deepEqual(await other.call(number), { kind: 'retry', code: 'CREDENTIALS', afterMs: 300_000 });
  assert.equal(trunk.up, false);
  assert.equal(trunk.capacity(), 0);
});

test('a phone that calls the service is declined and told of, by its number', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const { incoming, trunk } = await startTrunk(t, { uri });
  assert.equal(await exchange.callIn('97231234567', '97237000000'), 603);
  assert.deepEqual(incoming, [{ from: '97231234567', to: '97237000000' }]);
  assert.equal(trunk.calls, 0);
});

test('what somebody else sends to the trunk is dropped without an answer', async (t) => {
  const { socket, port } = await openUdp(t);
  const { uri } = await startExchange(t);
  const localPort = await freePort();
  const { incoming } = await startTrunk(t, { uri, localPort });
  const answers: string[] = [];
  socket.on('message', (bytes) => answers.push(bytes.toString('latin1').split('\r\n', 1)[0]!));
  const invite = (host: string) =>
    [
      'INVITE sip:97237000000@127.0.0.1 SIP/2.0',
      `Via: SIP/2.0/UDP ${host}:${port};branch=z9hG4bK${host};rport`,
      `From: <sip:97230000000@${host}>;tag=1`,
      'To: <sip:97237000000@127.0.0.1>',
      `Call-ID: ${host}`,
      'CSeq: 1 INVITE',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
  // From an address of this machine that is no peer of the trunk; then from one that is.
  const stranger = createSocket('udp4');
  t.after(() => stranger.close());
  await new Promise<void>((resolve) => stranger.bind(0, '127.0.0.2', resolve));
  await new Promise((resolve) => stranger.send(invite('127.0.0.2'), localPort, '127.0.0.1', resolve));
  socket.send(invite('127.0.0.1'), localPort, '127.0.0.1');
  await waitFor('an answer', () => answers.length > 0);
  assert.deepEqual(incoming, [{ from: '97230000000', to: '97237000000' }]);
  assert.match(answers[0]!, /^SIP\/2\.0 603/);
});

test('speech that cannot be made is a retry, and nobody is called', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const spoken = () => Promise.reject(new Error('no engine'));
  const { call } = await startTrunk(t, { uri }, { spoken });
  assert.deepEqual(await call(number), { kind: 'retry', code: 'speech' });
  assert.equal(exchange.counts.invites, 0);
});

test('the window limits concurrent calls', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const { trunk, call } = await startTrunk(
    t,
    { uri, callsAtOnce: 3 },
    { spoken: async () => spokenTone(500) },
  );
  assert.equal(trunk.window, 3);
  assert.equal(trunk.capacity(), 3);
  const calls = [1, 2, 3].map((n) => call(`97250100010${n}`));
  assert.equal(trunk.capacity(), 0);
  await waitFor('all answered', () => exchange.counts.answered === 3);
  assert.equal(trunk.calls, 3);
  await Promise.all(calls);
  assert.equal(trunk.capacity(), 3);
});

test('calls a second: calls submitted together follow one after the other', async (t) => {
  const { exchange, uri } = await startExchange(t, { ringMs: 5_000 });
  const { trunk } = await startTrunk(t, { uri, callsPerSecond: 5 });
  const began = performance.now();
  for (let n = 0; n < 4; n++) trunk.submit(messageTo(`97250100010${n}`), () => {});
  await waitFor('all to ring', () => exchange.counts.invites === 4);
  // One at once, and three pauses of a fifth of a second. A lower bound: nothing here can be late.
  assert.ok(performance.now() - began >= 550);
});

test('a trunk that answers nothing is down, and up again when it answers', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const port = Number(/:(\d+);/.exec(uri)![1]);
  const { trunk, call } = await startTrunk(t, { uri, keepAliveSeconds: 0.05, t1Ms: 5 });
  await exchange.stop();
  await waitFor('the trunk to be down', () => !trunk.up);
  assert.equal(trunk.capacity(), 0);
  assert.deepEqual(await call(number), { kind: 'again' });
  await startExchange(t, { port });
  await waitFor('the trunk to be up again', () => trunk.up);
  assert.equal((await call(number)).kind, 'accepted');
});

test('a call without an answer probes the trunk: it is down before the call is abandoned', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const { trunk, call } = await startTrunk(t, { uri, keepAliveSeconds: 3_600, t1Ms: 50 });
  await exchange.stop();
  let isSettled = false;
  const outcome = call(number).finally(() => {
    isSettled = true;
  });
  await waitFor('the trunk to be down', () => !trunk.up || isSettled);
  assert.equal(isSettled, false);
  assert.deepEqual(await outcome, { kind: 'retry', code: 'NO_RESPONSE', afterMs: 30_000 });
});

test('trunks with the same media ports: those of a call that is over are free for the other', async (t) => {
  const { uri } = await startExchange(t);
  const mediaPorts = { from: 30_100, to: 30_103 };
  const [one, other] = [await startTrunk(t, { uri, mediaPorts }), await startTrunk(t, { uri, mediaPorts })];
  for (const trunk of [one, other, one]) {
    const outcomes = await Promise.all([1, 2].map((n) => trunk.call(`97250100010${n}`)));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['accepted', 'accepted'],
    );
  }
  const outcomes = await Promise.all([1, 2, 3].map((n) => one.call(`97250100010${n}`)));
  const refused = outcomes.filter(({ kind }) => kind !== 'accepted');
  assert.deepEqual(refused, [{ kind: 'retry', code: 'MEDIA_PORTS', afterMs: 30_000 }]);
});

test('stopping hangs up: what rings goes again, what was not heard is unknown, what was heard is delivered', async (t) => {
  let packets = 0;
  const { exchange, uri } = await startExchange(t, { onPacket: () => packets++ });
  const lengths = new Map([
    ['972501000001', 5_000],
    ['972501000102', 60],
  ]);
  const { trunk, call, receipts } = await startTrunk(
    t,
    { uri, ringSeconds: 100 },
    { spoken: async ({ destination }) => spokenTone(lengths.get(destination) ?? 10_000, 5, 2_000) },
  );
  const outcomes = Promise.all(['972501000101', '972501000102', '972501000002'].map(call));
  await waitFor('two to be answered', () => exchange.counts.answered === 2);
  await waitFor('the short message to be heard once', () => packets >= 40);
  await trunk.stop(0);
  const [unheard, heard, ringing] = await outcomes;
  assert.equal(unheard!.kind, 'unknown');
  assert.equal(heard!.kind, 'accepted');
  assert.deepEqual(ringing, { kind: 'retry', code: 'STOPPED', afterMs: 0 });
  assert.equal(receipts[0]?.status, 102);
  assert.equal(exchange.open, 0);
});

test('numbers are dialled as the trunk wants them', async (t) => {
  const { exchange, uri } = await startExchange(t);
  const national = { prefix: '972', replacement: '0' };
  const { call } = await startTrunk(t, { uri, national, numberPrefix: '00' });
  await call('972501234567');
  await call('441632961234');
  assert.equal(exchange.calls('0501234567').length, 1);
  assert.equal(exchange.calls('00441632961234').length, 1);
});
