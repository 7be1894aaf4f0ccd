import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { answer, confirm, raw, receive, startSipp } from './sipp.ts';
import { startTrunk } from './support.ts';
import { openUdp } from './udp.ts';

const quiet = { keepAliveSeconds: 0 };
const number = '972501234567';

/** How many messages were dropped as malformed. */
async function malformed(): Promise<number> {
  const { values } = await metrics.getSingleMetric('carillon_sip_dropped_total')!.get();
  return values.find(({ labels }) => labels.reason === 'malformed')?.value ?? 0;
}

const head = '[last_Via:]\n[last_From:]\n[last_To:];tag=1\n[last_Call-ID:]';

/** Answers to the INVITE that are none. */
const wrong = [
  `SIP/2.0 200 OK\n${head}\nContent-Length: 0`,
  `SIP/2.0 200 OK\n${head}\nCSeq: 1 1 INVITE\nContent-Length: 0`,
  `SIP/2.0 200 OK\n${head}\nCSeq: 99999999999 INVITE\nContent-Length: 0`,
  `SIP/2.0 200 OK\n${head}\n[last_CSeq:]\nContent-Length: 4000`,
  `SIP/2.0 200 OK\n${head}\n[last_CSeq:]\nContent-Length: -1`,
  `SIP/2.0 200 OK\n${head}\n[last_CSeq:]\n: nameless\nContent-Length: 0`,
  `SIP/7.0 200 OK\n${head}\n[last_CSeq:]\nContent-Length: 0`,
  'SIP/2.0 200 OK\nVia: nothing\n[last_From:]\n[last_To:];tag=1\n[last_Call-ID:]\n[last_CSeq:]\nContent-Length: 0',
  `SIP/2.0 200 OK\n${head.replace('[last_To:];tag=1', 'To: "unclosed <sip:x')}\n[last_CSeq:]\nContent-Length: 0`,
  `SIP/2.0 200 OK\n${head}\n[last_CSeq:]\nSubject: ${'x'.repeat(9_000)}\nContent-Length: 0`,
  `SIP/2.0 200 OK\n${head}\n[last_CSeq:]\n${'Subject: x\n'.repeat(300)}Content-Length: 0`,
];

test('SIPp sends answers that are malformed: they are dropped, and the one that is right counts', async (t) => {
  const before = await malformed();
  const sipp = await startSipp(t, [
    receive.request('INVITE'),
    ...wrong.map(raw),
    answer(486, 'Busy Here', { retransmitMs: 500 }),
    receive.request('ACK'),
  ]);
  const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, t1Ms: 500, ...quiet });
  const called = call(number);
  await sipp.finished();
  const outcome = await called;
  assert.equal(outcome.kind === 'retry' && outcome.code, 'BUSY/486');
  assert.equal((await malformed()) - before, wrong.length);
});

for (const [title, sdp] of [
  ['no SDP', undefined],
  ['SDP without a codec of ours', '96\na=rtpmap:96 opus/48000/2'],
  ['SDP that refuses the audio', 'refused'],
] as const) {
  test(`SIPp answers with ${title}: the call is hung up and not made again`, async (t) => {
    const { port } = await openUdp(t);
    const given =
      sdp === undefined
        ? {}
        : { audioPort: sdp === 'refused' ? 0 : port, codecs: sdp === 'refused' ? '8' : sdp };
    const sipp = await startSipp(t, [
      receive.request('INVITE'),
      answer(200, 'OK', { ...given, retransmitMs: 500 }),
      receive.request('ACK'),
      receive.request('BYE'),
      confirm(),
    ]);
    const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${sipp.port}`, ...quiet });
    assert.deepEqual(await call(number), { kind: 'refused', code: 'NO_MEDIA', status: 6 });
    await sipp.finished();
  });
}
