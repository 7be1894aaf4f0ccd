import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../support/wait-for.ts';
import { losesFirst, startRelay, triples } from './relay.ts';
import { answer, confirm, pause, receive, receiveInvite, request, startSipp } from './sipp.ts';
import { spokenTone, startTrunk } from './support.ts';
import { freePort, openUdp } from './udp.ts';

const quiet = { keepAliveSeconds: 0 };
const number = '972501234567';
const RETRANSMIT_MS = 100;

for (const [title, treatment] of [
  ['every message is lost the first time', losesFirst],
  ['every message of the callee arrives three times', triples],
] as const) {
  test(`${title}: one call, from INVITE to BYE`, async (t) => {
    const { port: audioPort } = await openUdp(t);
    const target = await freePort();
    const relay = await startRelay(t, target, treatment);
    const contact = `sip:callee@127.0.0.1:${relay.port}`;
    const sipp = await startSipp(
      t,
      [
        receive.request('INVITE'),
        answer(200, 'OK', { audioPort, contact, retransmitMs: RETRANSMIT_MS }),
        receive.request('ACK'),
        receive.request('BYE'),
        confirm(),
        // Copies of BYE that were on their way are answered again by SIPp itself.
        pause(500),
      ],
      { port: target },
    );
    const { call, receipts } = await startTrunk(t, { uri: `sip:127.0.0.1:${relay.port}`, ...quiet });
    const outcome = await call(number);
    await sipp.finished();
    assert.equal(outcome.kind, 'accepted');
    assert.equal(receipts.length, 1);
    assert.equal(receipts[0]!.status, 102);
    const copies = (line: string) => relay.seen.filter((one) => one.startsWith(line)).length;
    if (treatment === losesFirst) {
      assert.ok(copies('caller INVITE') > 1);
      assert.ok(copies('caller ACK') > 1);
      assert.ok(copies('caller BYE') > 1);
    }
  });

  test(`${title}: a busy callee's answer is acknowledged`, async (t) => {
    const target = await freePort();
    const relay = await startRelay(t, target, treatment);
    const sipp = await startSipp(
      t,
      [
        receive.request('INVITE'),
        answer(486, 'Busy Here', { retransmitMs: RETRANSMIT_MS }),
        receive.request('ACK'),
        pause(300),
      ],
      { port: target },
    );
    const { call } = await startTrunk(t, { uri: `sip:127.0.0.1:${relay.port}`, ...quiet });
    const outcome = await call(number);
    assert.equal(outcome.kind === 'retry' && outcome.code, 'BUSY/486');
    await sipp.finished();
  });

  test(`${title}: the callee's re-INVITE and BYE are answered`, async (t) => {
    const { port: audioPort } = await openUdp(t);
    const target = await freePort();
    const relay = await startRelay(t, target, treatment);
    const contact = `sip:callee@127.0.0.1:${relay.port}`;
    const sipp = await startSipp(
      t,
      [
        receiveInvite,
        answer(200, 'OK', { audioPort, contact, retransmitMs: RETRANSMIT_MS }),
        receive.request('ACK'),
        pause(100),
        request('INVITE', 1, audioPort),
        receive.response(200),
        request('ACK', 1).replace(' retrans="200"', ''),
        pause(300),
        request('BYE', 2),
        receive.response(200),
        pause(300),
      ],
      { port: target },
    );
    const { call, receipts } = await startTrunk(
      t,
      { uri: `sip:127.0.0.1:${relay.port}`, ...quiet },
      { spoken: async () => spokenTone(10_000) },
    );
    const outcome = await call(number);
    await sipp.finished();
    assert.equal(outcome.kind, 'accepted');
    await waitFor('the receipt', () => receipts.length > 0);
    assert.match(receipts[0]!.code, /^ENDED_EARLY/);
  });
}
