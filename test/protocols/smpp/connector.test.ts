import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { joinParts } from '../../../server/kit/text/charsets.ts';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { SmppConnection } from '../../../server/protocols/smpp/connection.ts';
import { smppErrors } from '../../../server/protocols/smpp/errors.ts';
import { receiptIdCandidates } from '../../../server/protocols/smpp/message-id.ts';
import type { SandboxSubmit } from '../../../server/sandbox/smsc/options.ts';
import { kosherError } from '../../../server/sandbox/smsc/simulated-outcomes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { acceptedIds, ConnectorUnderTest, startServer, startSmsc } from './support.ts';

test('a message arrives at its phone and its receipt comes back', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  const outcome = await connector.outcome(connector.submit({ payload: 'Hello €' }));
  const [id] = acceptedIds(outcome);
  const receipt = await waitFor('the receipt', () => connector.receipts[0]);
  assert.deepEqual(receipt, {
    carrierId: id,
    status: 102,
    code: 'DELIVRD/000',
    destination: '972501234567',
  });
  const [sms] = smsc.phones.list('972501234567');
  assert.deepEqual([sms?.id, sms?.from, sms?.text], [id, 'Carillon', 'Hello €']);
  assert.match(sms!.at, /^\d{4}-\d\d-\d\dT/);
});

test('number endings give their results', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port, { errorStatuses: { [kosherError]: 15 } }).up();
  const expected = new Map([
    ['972500000001', 101],
    ['972500000002', 103],
    ['972500000003', 108],
    ['972500000005', 102],
    ['972500000006', 15],
    ['972500000007', 102],
  ]);
  for (const destination of [...expected.keys(), '972500000004']) connector.submit({ destination });
  for (const outcome of await connector.settled()) assert.equal(outcome.kind, 'accepted');
  await waitFor('six receipts', () => connector.receipts.length === 6);
  for (const { destination, status } of connector.receipts) assert.equal(status, expected.get(destination));
  assert.equal(smsc.counts.throttled, 1);
  assert.equal(smsc.phones.list('972500000004').length, 1);
  assert.equal(smsc.phones.list('972500000006').length, 0);
});

test('each new message to …0005 is throttled once', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  for (let i = 0; i < 3; i++) {
    acceptedIds(
      await connector.outcome(connector.submit({ destination: '972500000005', payload: 'the same' })),
    );
    assert.equal(smsc.counts.throttled, i + 1);
  }
});

for (const [longMessages, partsOfLatin, partsOfHebrew] of [
  ['udh', 4, 7],
  ['payload', 1, 1],
] as const) {
  test(`long messages by ${longMessages} are put together, in both alphabets`, async (t) => {
    const { smsc, port } = await startSmsc(t);
    const connector = await new ConnectorUnderTest(t, port, { longMessages }).up();
    const latin = 'All work and no play {makes} Jack a dull boy. '.repeat(10);
    const hebrew = 'שלום לכולם 😀 '.repeat(30);
    const first = acceptedIds(await connector.outcome(connector.submit({ payload: latin })));
    const second = acceptedIds(await connector.outcome(connector.submit({ payload: hebrew })));
    assert.deepEqual([first.length, second.length], [partsOfLatin, partsOfHebrew]);
    await waitFor('a receipt a part', () => connector.receipts.length === first.length + second.length);
    assert.deepEqual(
      smsc.phones.list('972501234567').map(({ text }) => text),
      [latin, hebrew],
    );
    assert.deepEqual(
      new Set(connector.receipts.map(({ carrierId }) => carrierId)),
      new Set([...first, ...second]),
    );
  });
}

test('every error code has its outcome', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  const codes = [...smppErrors.keys(), 0x400, 0x4ff, 0xdeadbeef].filter(
    (code) => code !== 0 && code !== 0x58,
  );
  smsc.change({ answerStatus: ({ text }) => Number(text) });
  for (const code of codes) {
    const outcome = await connector.outcome(connector.submit({ payload: String(code) }));
    const meaning = smppErrors.get(code)?.meaning ?? { kind: 'refused', status: 101 };
    assert.equal(outcome.kind, meaning.kind, `code ${code}`);
    if (outcome.kind === 'refused' && meaning.kind === 'refused')
      assert.equal(outcome.status, meaning.status);
  }
  assert.equal(smsc.boundSessions, 1);
});

test("the settings of a connector give the peer's own codes a meaning", async (t) => {
  const { smsc, port } = await startSmsc(t, { answerStatus: () => 0x401 });
  const connector = await new ConnectorUnderTest(t, port, { errorMeanings: { '1025': 'retry' } }).up();
  assert.deepEqual(await connector.outcome(connector.submit()), { kind: 'retry', code: '0x00000401' });
  assert.equal(smsc.counts.refused, 1);
});

test('a network that throttles gets everything, once', async (t) => {
  const { smsc, port } = await startSmsc(t, { messagesPerSecond: 60 });
  // A slow machine also submits the first window within a second.
  const connector = await new ConnectorUnderTest(t, port, { window: 100 }).up();
  const total = 200;
  let sent = 0;
  const fill = () => {
    for (let room = connector.carrier.capacity(); room > 0 && sent < total; room--, sent++)
      connector.submit();
  };
  connector.onReady = fill;
  fill();
  await waitFor(
    'all settled',
    () => [...connector.outcomes.values()].filter((o) => o.length > 0).length === total,
  );
  for (const outcome of await connector.settled()) assert.equal(outcome.kind, 'accepted');
  assert.equal(smsc.counts.accepted, total);
  assert.ok(smsc.counts.throttled > 0);
});

test('what is throttled past its validity has expired', async (t) => {
  const clock = new AdjustableClock();
  const { port } = await startSmsc(t, {
    answerStatus: () => {
      clock.advance(10_000);
      return 0x58;
    },
  });
  const connector = await new ConnectorUnderTest(t, port, {}, clock).up();
  const outcome = await connector.outcome(connector.submit({ validUntil: clock.now() + 15_000 }));
  assert.equal(outcome.kind, 'expired');
});

test('the rate of the settings is kept, and capacity tells when there is some again', async (t) => {
  const times: number[] = [];
  const { port } = await startSmsc(t, { onSubmit: () => times.push(performance.now()) });
  const connector = await new ConnectorUnderTest(t, port, { messagesPerSecond: 100 }).up();
  const total = 40;
  let sent = 0;
  const fill = () => {
    for (let room = connector.carrier.capacity(); room > 0 && sent < total; room--, sent++)
      connector.submit();
  };
  connector.onReady = fill;
  fill();
  await waitFor('all sent', () => times.length === total);
  // 40 at 100 a second with a burst of 5 cannot take less than 350 ms, however slow the machine.
  assert.ok(times.at(-1)! - times[0]! >= 300, `${times.at(-1)! - times[0]!} ms`);
});

test('the window holds, parts included, and every message is sent', async (t) => {
  let open = 0;
  let most = 0;
  const { smsc, port } = await startSmsc(t, {
    answerDelayMs: () => {
      most = Math.max(most, ++open);
      setTimeout(() => open--, 15);
      return 20;
    },
  });
  const connector = await new ConnectorUnderTest(t, port, { window: 10 }).up();
  assert.equal(connector.carrier.capacity(), 10);
  for (let i = 0; i < 10; i++) connector.submit({ payload: 'long '.repeat(80) });
  assert.equal(connector.carrier.capacity(), 0);
  for (const outcome of await connector.settled()) assert.equal(acceptedIds(outcome).length, 3);
  assert.ok(most <= 10, `${most} at once`);
  assert.equal(smsc.counts.accepted, 30);
  await waitFor('capacity is back', () => connector.carrier.capacity() === 10);
});

test('an SMSC that does not answer loses the session, and every message has one outcome', async (t) => {
  const { smsc, port } = await startSmsc(t, { answerDelayMs: Number.POSITIVE_INFINITY });
  const connector = await new ConnectorUnderTest(t, port, { responseTimeoutMs: 200, window: 5 }).up();
  for (let i = 0; i < 6; i++) connector.submit();
  const outcomes = await connector.settled();
  // It answers enquire_link: the answers may still come.
  for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'unknown', afterMs: 600 });
  const readyBefore = connector.readyCalls;
  await waitFor(
    'the session is given up',
    () => smsc.boundSessions === 0 || connector.readyCalls > readyBefore,
  );
  smsc.change({ answerDelayMs: 0 });
  await waitFor('the connector is up again', () => connector.carrier.up);
  acceptedIds(await connector.outcome(connector.submit()));
});

test('an answer after its time-out is reported, and the session stays', async (t) => {
  const { smsc, port } = await startSmsc(t, { answerDelayMs: 400 });
  const connector = await new ConnectorUnderTest(t, port, { responseTimeoutMs: 200 }).up();
  const ids = [connector.submit(), connector.submit({ payload: 'long '.repeat(80) })];
  for (const id of ids) assert.deepEqual(await connector.outcome(id), { kind: 'unknown', afterMs: 600 });
  await waitFor('the answers are told', () => connector.late.size === 2);
  assert.deepEqual(
    ids.map((id) => connector.late.get(id)!.length),
    [1, 3],
  );
  assert.equal(smsc.boundSessions, 1);
});

test('an SMSC that stops responding loses the session', async (t) => {
  let sockets = 0;
  const port = await startServer(t, (socket) => {
    sockets++;
    const connection = new SmppConnection(socket, {
      pdu: (pdu) => {
        if (pdu.command !== command.bindTransceiver) return;
        const { sequence } = pdu;
        connection.send({
          command: command.bindTransceiverResp,
          status: 0,
          sequence,
          systemId: 'x',
          tlvs: [],
        });
        socket.pause();
      },
      bad: () => {},
      fault: () => {},
      closed: () => {},
    });
  });
  const connector = await new ConnectorUnderTest(t, port, { responseTimeoutMs: 200 }).up();
  assert.deepEqual(await connector.outcome(connector.submit()), { kind: 'unknown' });
  await waitFor('it connects again', () => sockets > 1);
});

test('late answers are accepted', async (t) => {
  const { port } = await startSmsc(t, { answerDelayMs: 150 });
  const connector = await new ConnectorUnderTest(t, port, {
    enquireLinkMs: 20,
    responseTimeoutMs: 5_000,
  }).up();
  acceptedIds(await connector.outcome(connector.submit()));
});

test('an SMSC that goes and comes back', async (t) => {
  const { smsc, port } = await startSmsc(t, { answerDelayMs: 50 });
  const connector = await new ConnectorUnderTest(t, port).up();
  const inFlight = connector.submit();
  await waitFor('it is submitted', () => smsc.counts.submitted === 1);
  const readyBefore = connector.readyCalls;
  await smsc.close();
  assert.deepEqual(await connector.outcome(inFlight), { kind: 'unknown' });
  await waitFor('the connector is down', () => !connector.carrier.up);
  assert.ok(connector.readyCalls > readyBefore);
  assert.equal(connector.carrier.capacity(), 0);
  assert.equal((await connector.outcome(connector.submit())).kind, 'retry');
  await smsc.listen(port);
  await connector.up();
  acceptedIds(await connector.outcome(connector.submit()));
  // The receipt of the first one waited for a receiver; one whose acknowledgement was cut off comes again.
  await waitFor(
    'both receipts',
    () => new Set(connector.receipts.map(({ carrierId }) => carrierId)).size === 2,
  );
});

test('an SMSC that unbinds is left, and bound to again', async (t) => {
  const { smsc, port } = await startSmsc(t, { answerDelayMs: 50 });
  const connector = await new ConnectorUnderTest(t, port).up();
  const id = connector.submit();
  await waitFor('it is submitted', () => smsc.counts.submitted === 1);
  smsc.unbindAll();
  await waitFor('the connector is down', () => !connector.carrier.up);
  acceptedIds(await connector.outcome(id));
  await connector.up();
  acceptedIds(await connector.outcome(connector.submit()));
});

test('receipts that come early, several times, and in any order', async (t) => {
  const { smsc, port } = await startSmsc(t, { earlyReceipts: true, receiptCopies: 2 });
  const connector = await new ConnectorUnderTest(t, port).up();
  const order: string[] = [];
  connector.store = async () => {
    order.push('receipt');
  };
  connector.carrier.submit(
    {
      accountId: 1,
      id: 1,
      source: 'Carillon',
      destination: '972501234567',
      payload: 'early',
      validUntil: Date.now() + 60_000,
    },
    () => order.push('answer'),
  );
  await waitFor('both receipts and the answer', () => order.length === 3);
  assert.deepEqual(order, ['receipt', 'receipt', 'answer']);

  smsc.change({ earlyReceipts: false, receiptCopies: 1 });
  connector.receipts.length = 0;
  connector.store = async () => {};
  const ids: string[] = [];
  const to = '972501230004';
  // The network brings no receipts for numbers with this ending.
  for (let i = 0; i < 5; i++) connector.submit({ destination: to });
  for (const outcome of await connector.settled()) ids.push(...acceptedIds(outcome));
  for (const id of ids.toReversed())
    smsc.sendReceipt('carillon', { id, from: 'Carillon', to, stat: 'DELIVRD' });
  await waitFor('five receipts', () => connector.receipts.length === 5);
  assert.deepEqual(
    connector.receipts.map(({ carrierId }) => carrierId),
    ids.reverse(),
  );
});

test('receipts for ids that nobody knows are handed on', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  smsc.sendReceipt('carillon', { id: 'never-seen', from: 'Carillon', to: '972501234567', stat: 'DELETED' });
  const receipt = await waitFor('the receipt', () => connector.receipts[0]);
  assert.deepEqual([receipt.carrierId, receipt.status], ['never-seen', 104]);
});

test('receipts in parameters, and ids spelled in two ways', async (t) => {
  const { smsc, port } = await startSmsc(t, {
    receiptForm: 'tlv',
    answerIds: 'decimal',
    receiptIds: 'padded-hex',
  });
  const connector = await new ConnectorUnderTest(t, port).up();
  const [id] = acceptedIds(await connector.outcome(connector.submit({ destination: '972500000001' })));
  const receipt = await waitFor('the receipt', () => connector.receipts[0]);
  assert.deepEqual([receipt.status, receipt.code], [101, 'UNDELIV/001']);
  assert.ok(receiptIdCandidates(receipt.carrierId).some((c) => c.key === id && c.form === 'hex-to-decimal'));
  await waitFor('it is acknowledged', () => smsc.counts.deliveriesAcknowledged === 1);
});

test('a delivery is acknowledged when it is stored, and brought again when that failed', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  let release: (() => void) | undefined;
  connector.store = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  smsc.sendFromPhone({ from: '972501234567', to: '972550000001', text: 'stored late' });
  await waitFor('it is sent', () => smsc.counts.deliveriesSent === 1);
  await waitFor('the listener has it', () => release);
  assert.equal(smsc.counts.deliveriesAcknowledged, 0);
  release!();
  await waitFor('it is acknowledged', () => smsc.counts.deliveriesAcknowledged === 1);

  let failures = 2;
  connector.store = async () => {
    if (failures-- > 0) throw new Error('the database is away');
  };
  smsc.sendFromPhone({ from: '972501234567', to: '972550000001', text: 'third time' });
  await waitFor('it is stored', () => connector.incoming.length === 2);
  assert.equal(smsc.counts.deliveriesSent, 4);
  assert.equal(connector.incoming[1]?.text, 'third time');
});

test('deliveries beyond the window of the connector are brought again', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port, { incomingWindow: 2 }).up();
  const waiting: (() => void)[] = [];
  connector.store = () => new Promise((resolve) => waiting.push(resolve));
  for (let i = 0; i < 6; i++) smsc.sendFromPhone({ from: '972501234567', to: '1234', text: `${i}` });
  await waitFor('the refused ones have come again', () => smsc.counts.deliveriesSent > 6);
  assert.equal(waiting.length, 2);
  connector.store = async () => {};
  for (const release of waiting) release();
  await waitFor('all have come', () => connector.incoming.length === 6);
});

test("a phone's long message comes in parts that know their place", async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port).up();
  const text = 'שלום '.repeat(40);
  smsc.sendFromPhone({ from: '972501234567', to: '972550000001', text });
  smsc.sendFromPhone({ from: '972501234567', to: '972550000001', text: 'short' });
  await waitFor('three parts', () => connector.parts.length === 3 && connector.incoming.length === 1);
  assert.deepEqual(
    connector.parts.map(({ sequence, total }) => [sequence, total]),
    [
      [1, 3],
      [2, 3],
      [3, 3],
    ],
  );
  assert.deepEqual(joinParts(connector.parts), { text });
  assert.equal(new Set(connector.parts.map(({ reference }) => reference)).size, 1);
});

test('pairs and several binds share the work', async (t) => {
  const { smsc, port } = await startSmsc(t);
  const connector = await new ConnectorUnderTest(t, port, { bindMode: 'pair', binds: 2 }).up();
  await waitFor('four sessions', () => smsc.boundSessions === 4);
  for (let i = 0; i < 20; i++) connector.submit();
  for (const outcome of await connector.settled()) assert.equal(outcome.kind, 'accepted');
  await waitFor('all receipts', () => connector.receipts.length === 20);
});

test('validity goes along, in either form', async (t) => {
  const seen: SandboxSubmit[] = [];
  const { port } = await startSmsc(t, { onSubmit: (submit) => seen.push(submit) });
  const validUntil = Date.now() + 2 * 86_400_000 + 3_600_500;
  for (const validity of ['relative', 'absolute', 'none'] as const) {
    const connector = await new ConnectorUnderTest(t, port, { validity, name: validity }).up();
    await connector.outcome(connector.submit({ validUntil }));
  }
  assert.match(seen[0]!.validityPeriod, /^000002(00595\d|010000)000R$/);
  // As above, the connector may give the carrier some seconds less, which can be in the minute before.
  const [, ...parts] = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)000\+$/.exec(seen[1]!.validityPeriod)!;
  const [year, month, day, hour, minute, second] = parts.map(Number);
  const absolute = Date.UTC(2000 + year!, month! - 1, day, hour, minute, second);
  assert.ok(absolute <= validUntil && absolute > validUntil - 10_000, seen[1]!.validityPeriod);
  assert.equal(seen[2]!.validityPeriod, '');
});

test('stop waits for what is in flight, unbinds, and takes nothing more', async (t) => {
  const { smsc, port } = await startSmsc(t, { answerDelayMs: 100 });
  const connector = await new ConnectorUnderTest(t, port).up();
  const id = connector.submit();
  const stopped = connector.carrier.stop(5_000);
  assert.equal(connector.carrier.up, false);
  assert.equal((await connector.outcome(connector.submit())).kind, 'retry');
  await stopped;
  acceptedIds(await connector.outcome(id));
  await waitFor('nobody is bound', () => smsc.boundSessions === 0);
});

test('stop ends after its grace period', async (t) => {
  const { port } = await startSmsc(t, { answerDelayMs: Number.POSITIVE_INFINITY });
  const connector = await new ConnectorUnderTest(t, port, { window: 1 }).up();
  const ids = [connector.submit(), connector.submit()];
  await connector.carrier.stop(50);
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await connector.outcome(id)).kind)), [
    'unknown',
    'retry',
  ]);
});

test('a refused bind is tried again', async (t) => {
  const { smsc, port } = await startSmsc(t, { accounts: { carillon: 'another' } });
  const connector = new ConnectorUnderTest(t, port);
  const wrong = new ConnectorUnderTest(t, port, { password: 'another', name: 'right' });
  await wrong.up();
  assert.equal(connector.carrier.up, false);
  assert.equal(smsc.boundSessions, 1);
});
