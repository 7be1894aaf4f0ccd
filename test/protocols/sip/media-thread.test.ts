import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { type TestContext, test } from 'node:test';
import { MediaThread } from '../../../server/protocols/sip/media-thread.ts';
import { PACKET_MS, readRtp } from '../../../server/protocols/sip/rtp.ts';
import { type AudioDescription, parseSdp } from '../../../server/protocols/sip/sdp.ts';
import { waitFor } from '../../support/wait-for.ts';
import { spokenTone } from './support.ts';

/** The thread that sends the audio of calls, with real sockets. */
const HOST = '127.0.0.1';
const ports = { from: 20_000, to: 29_999 };

async function openUdp(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  t.after(() => socket.close());
  return socket;
}

const at = (port: number) =>
  parseSdp(
    Buffer.from(
      `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 8\r\n`,
    ),
  )!;

function startThread(t: TestContext) {
  const thread = new MediaThread();
  t.after(thread.hold());
  return thread;
}

test('packets leave while the main thread is busy, as many as its time has', async (t) => {
  const thread = startThread(t);
  const phone = await openUdp(t);
  const packets: Buffer[] = [];
  phone.on('message', (packet) => packets.push(packet));
  const media = await thread.open(HOST, ports);
  let isOver = false;
  media.play({
    target: at(phone.address().port),
    spoken: spokenTone(2_000),
    startDelayMs: 0,
    onEnd: () => {
      isOver = true;
    },
  });
  await waitFor('the first packet', () => packets.length > 0);
  const sequenceOf = (packet: Buffer) => readRtp(packet)!.sequence;
  // What the thread has counted cannot have been done by this one, which does nothing else here.
  const before = media.heardSeconds;
  const until = performance.now() + 500;
  while (performance.now() < until);
  assert.ok(media.heardSeconds > before, `${media.heardSeconds} s`);
  await waitFor('the end', () => isOver);
  assert.equal(media.rounds, 1);
  await waitFor('all packets', () => packets.length === (2_000 + 200) / PACKET_MS);
  const first = sequenceOf(packets[0]!);
  assert.deepEqual(
    packets.map((packet) => (sequenceOf(packet) - first) & 0xffff),
    packets.map((_, index) => index),
  );
  media.close();
});

test('ports that a call returns are immediately free for other calls', async (t) => {
  const [one, other] = [startThread(t), startThread(t)];
  const narrow = { from: 30_000, to: 30_003 };
  const open = await Promise.all([one.open(HOST, narrow), one.open(HOST, narrow)]);
  await assert.rejects(other.open(HOST, narrow), /no port is free/);
  for (const media of open) media.close();
  assert.equal(one.size, 0);
  const again = await waitFor('a port', () => other.open(HOST, narrow).catch(() => undefined));
  assert.ok([30_000, 30_002].includes(again.port));
});

test('a thread that has ended ends what it played, and the next call has a new one', async (t) => {
  const thread = new MediaThread();
  const release = thread.hold();
  const media = await thread.open(HOST, ports);
  const phone = await openUdp(t);
  const over = new Promise<void>((resolve) =>
    media.play({
      target: at(phone.address().port),
      spoken: spokenTone(60_000),
      startDelayMs: 0,
      onEnd: resolve,
    }),
  );
  release();
  await over;
  assert.equal(thread.size, 0);
  media.close();
  t.after(thread.hold());
  const next = await thread.open(HOST, ports);
  assert.ok(next.port > 0);
});

test('a fault of the thread is reported and ends its playback, and the next call has a new thread', async (t) => {
  const thread = new MediaThread();
  const faults: Error[] = [];
  t.after(thread.hold((error) => faults.push(error)));
  const media = await thread.open(HOST, ports);
  const phone = await openUdp(t);
  const over = new Promise<void>((resolve) =>
    media.play({
      target: at(phone.address().port),
      spoken: spokenTone(60_000),
      startDelayMs: 0,
      onEnd: resolve,
    }),
  );
  media.retarget({} as AudioDescription);
  await over;
  assert.equal(faults.length, 1);
  assert.ok(faults[0] instanceof Error);
  media.close();
  const next = await thread.open(HOST, ports);
  assert.ok(next.port > 0);
});

test('a call that is abandoned before its ports exist leaves no port open', async (t) => {
  const thread = startThread(t);
  const narrow = { from: 31_000, to: 31_003 };
  const open = await Promise.all([thread.open(HOST, narrow), thread.open(HOST, narrow)]);
  for (const media of open) media.close();
  for (const media of open) media.close();
  const again = await Promise.all([thread.open(HOST, narrow), thread.open(HOST, narrow)]);
  assert.deepEqual(again.map(({ port }) => port).sort(), [31_000, 31_002]);
});
