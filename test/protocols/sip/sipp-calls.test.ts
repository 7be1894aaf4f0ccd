import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRtp, rtcpTypes } from '../../../server/protocols/sip/rtp.ts';
import { waitFor } from '../../support/wait-for.ts';
import { answer, confirm, pause, receive, receiveInvite, request, startSipp } from './sipp.ts';
import { spokenTone, startTrunk } from './support.ts';
import { openUdp } from './udp.ts';

/** SIPp takes nothing but what its scenario has: no OPTIONS. */
const quiet = { keepAliveSeconds: 0 };
const number = '972501234567';

test('SIPp answers: it gets the message as RTP, then BYE', async (t) => {
  const { socket, port: audioPort } = await openUdp(t);
  const packets: Buffer[] = [];
  socket.on('message', (packet) => packets.push(packet));
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    answer(180, 'Ringing'),
    pause(100),
    answer(200, 'OK', { audioPort, retransmitMs: 500 }),
    receive.request('ACK'),
    receive.request('BYE'),
    confirm(),
  ]);
  const { call, receipts } = await startTrunk(
    t,
    { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet },
    { spoken: async () => spokenTone(400) },
  );
  const outcome = await call(number);
  await sipp.finished();
  assert.equal(outcome.kind, 'accepted');
  assert.equal(receipts[0]?.status, 102);
  // 20 of the message, 10 of the silence behind it.
  assert.equal(packets.length, 30);
  const read = packets.map((packet) => readRtp(packet)!);
  assert.deepEqual(
    read.map(({ payloadType, marker }) => ({ payloadType, marker })),
    read.map((_, index) => ({ payloadType: 8, marker: index === 0 })),
  );
  for (const [index, packet] of read.entries()) {
    assert.equal(packet.sequence, (read[0]!.sequence + index) % 65_536);
    assert.equal(packet.timestamp, (read[0]!.timestamp + 160 * index) % 2 ** 32);
    assert.equal(packet.ssrc, read[0]!.ssrc);
  }
});

test('SIPp answers with SDP in a multipart body: it gets the message', async (t) => {
  const { socket, port: audioPort } = await openUdp(t);
  let packets = 0;
  socket.on('message', () => packets++);
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    answer(200, 'OK', { audioPort, retransmitMs: 500, multipart: true }),
    receive.request('ACK'),
    receive.request('BYE'),
    confirm(),
  ]);
  const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet });
  assert.equal((await call(number)).kind, 'accepted');
  await sipp.finished();
  assert.equal(packets, 15);
});

test('SIPp sends a MESSAGE within the call: 405, and the call continues', async (t) => {
  const { port: audioPort } = await openUdp(t);
  const sipp = await startSipp(t, [
    receiveInvite,
    answer(200, 'OK', { audioPort, retransmitMs: 500 }),
    receive.request('ACK'),
    request('MESSAGE', 1),
    receive.response(405),
    receive.request('BYE'),
    confirm(),
  ]);
  const { call, receipts } = await startTrunk(
    t,
    { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet },
    { spoken: async () => spokenTone(500) },
  );
  assert.equal((await call(number)).kind, 'accepted');
  await sipp.finished();
  assert.equal(receipts[0]?.status, 102);
});

for (const [title, status, reason, expected] of [
  ['is busy', 486, 'Busy Here', { kind: 'retry', code: 'BUSY/486', afterMs: 60_000, status: 101 }],
  ['declines', 603, 'Decline', { kind: 'refused', code: 'DECLINED/603', status: 108 }],
  [
    'does not know the number',
    404,
    'Not Found',
    { kind: 'refused', code: 'NO_SUCH_NUMBER/404', status: 101 },
  ],
] as const) {
  test(`SIPp ${title}: the answer is acknowledged`, async (t) => {
    const sipp = await startSipp(t, [
      receive.request('INVITE'),
      answer(100, 'Trying'),
      answer(status, reason, { retransmitMs: 500 }),
      receive.request('ACK'),
    ]);
    const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet });
    assert.deepEqual(await call(number), expected);
    await sipp.finished();
  });
}

test('SIPp asks for a pause with 503 and Retry-After', async (t) => {
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    answer(503, 'Service Unavailable', { headers: 'Retry-After: 120 (a rest)', retransmitMs: 500 }),
    receive.request('ACK'),
  ]);
  const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet });
  assert.deepEqual(await call(number), { kind: 'retry', code: 'OVERLOADED/503', afterMs: 120_000 });
  await sipp.finished();
});

test('SIPp rings and nobody answers: CANCEL, 487, ACK', async (t) => {
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    answer(180, 'Ringing'),
    receive.request('CANCEL'),
    confirm(),
    // What is answered now is the INVITE, whose CSeq the last message does not have.
    answer(487, 'Request Terminated', { retransmitMs: 500 }).replace('[last_CSeq:]', 'CSeq: 1 INVITE'),
    receive.request('ACK'),
  ]);
  const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ringSeconds: 0.3, ...quiet });
  assert.deepEqual(await call(number), { kind: 'retry', code: 'NO_ANSWER', afterMs: 180_000, status: 2 });
  await sipp.finished();
});

for (const [title, password, code] of [
  ['finds them right', 'secret word', 'BUSY/486'],
  ['finds them wrong', 'another word', 'FORBIDDEN/403'],
] as const) {
  test(`SIPp asks for credentials and ${title}`, async (t) => {
    const headers =
      'WWW-Authenticate: Digest realm="sipp", nonce="47ebe028cda119c35d48", qop="auth", algorithm=MD5';
    const sipp = await startSipp(t, [
      receive.request('INVITE'),
      answer(401, 'Unauthorized', { headers, retransmitMs: 500 }),
      receive.request('ACK'),
      `<recv request="INVITE" next="1" test="right"><action>
       <verifyauth assign_to="right" username="caller" password="secret word"/></action></recv>`,
      answer(403, 'Forbidden', { retransmitMs: 500 }),
      receive.request('ACK', 'next="2"'),
      '<label id="1"/>',
      answer(486, 'Busy Here', { retransmitMs: 500 }),
      receive.request('ACK'),
      '<label id="2"/>',
    ]);
    const { call } = await startTrunk(t, {
      uri: `sip:127.0.0.1:${sipp.port}`,
      username: 'caller',
      password,
      ...quiet,
    });
    const outcome = await call(number);
    assert.ok(outcome.kind === 'retry' || outcome.kind === 'refused');
    assert.equal(outcome.code, code);
    await sipp.finished();
  });
}

test('SIPp refuses the credentials with another challenge: they are not shown again', async (t) => {
  const challenge = (nonce: string) =>
    answer(401, 'Unauthorized', {
      headers: `WWW-Authenticate: Digest realm="sipp", nonce="${nonce}", qop="auth", algorithm=MD5`,
      retransmitMs: 500,
    });
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    challenge('one'),
    receive.request('ACK'),
    receive.request('INVITE'),
    challenge('two'),
    receive.request('ACK'),
  ]);
  const { call } = await startTrunk(t, {
    uri: `sip:127.0.0.1:${sipp.port}`,
    username: 'caller',
    password: 'wrong',
    ...quiet,
  });
  assert.deepEqual(await call(number), { kind: 'retry', code: 'CREDENTIALS', afterMs: 300_000 });
  await sipp.finished();
});

test('SIPp changes port and codec with a re-INVITE: the audio follows', async (t) => {
  const first = await openUdp(t);
  const second = await openUdp(t);
  const types = { first: new Set<number>(), second: new Set<number>() };
  first.socket.on('message', (packet) => types.first.add(readRtp(packet)!.payloadType));
  second.socket.on('message', (packet) => types.second.add(readRtp(packet)!.payloadType));
  const sipp = await startSipp(t, [
    receiveInvite,
    answer(200, 'OK', { audioPort: first.port, codecs: '8', retransmitMs: 500 }),
    receive.request('ACK'),
    pause(200),
    request('INVITE', 1, second.port, '0'),
    receive.response(100, 'optional="true"'),
    receive.response(200),
    request('ACK', 1).replace(' retrans="200"', ''),
    receive.request('BYE'),
    confirm(),
  ]);
  const { call, receipts } = await startTrunk(
    t,
    { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet },
    { spoken: async () => spokenTone(1_000) },
  );
  await call(number);
  await sipp.finished();
  assert.equal(receipts[0]?.code, 'HEARD/1');
  assert.deepEqual([...types.first], [8]);
  assert.deepEqual([...types.second], [0]);
});

test('SIPp hangs up before the end: the seconds that were heard', async (t) => {
  const { port: audioPort } = await openUdp(t);
  const sipp = await startSipp(t, [
    receiveInvite,
    answer(200, 'OK', { audioPort, retransmitMs: 500 }),
    receive.request('ACK'),
    pause(1_200),
    request('BYE', 1),
    receive.response(200),
  ]);
  const { call, receipts } = await startTrunk(
    t,
    { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet },
    { spoken: async () => spokenTone(10_000) },
  );
  const outcome = await call(number);
  await sipp.finished();
  assert.equal(outcome.kind, 'accepted');
  await waitFor('the receipt', () => receipts.length > 0);
  assert.equal(receipts[0]!.status, 101);
  assert.match(receipts[0]!.code, /^ENDED_EARLY\/[1-9]$/);
});

test('SIPp gets RTCP with the audio, with a BYE at the end', async (t) => {
  // RTCP goes to the port after that of RTP.
  const audio = await openUdp(t);
  const control = await openUdp(t);
  const reports: number[][] = [];
  control.socket.on('message', (packet) => reports.push(rtcpTypes(packet)));
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    answer(200, 'OK', { audioPort: audio.port, codecs: `8\na=rtcp:${control.port}`, retransmitMs: 500 }),
    receive.request('ACK'),
    receive.request('BYE'),
    confirm(),
  ]);
  const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet });
  await call(number);
  await sipp.finished();
  assert.deepEqual(reports, [[200, 202, 203]]);
});
