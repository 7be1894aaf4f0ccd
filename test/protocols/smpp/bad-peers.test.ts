import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { currentTlsFault } from '../../../server/kit/tls-faults.ts';
import { decodePdu } from '../../../server/protocols/smpp/codec.ts';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { Framer } from '../../../server/protocols/smpp/framing.ts';
import type { BindRespPdu, Pdu } from '../../../server/protocols/smpp/pdu.ts';
import { waitFor } from '../../support/wait-for.ts';
import { acceptedIds, ConnectorUnderTest, messagePdu, startServer, startSmsc } from './support.ts';

/** What comes out of a socket, as PDUs. */
function collect(socket: Socket, onPdu: (pdu: Pdu) => void = () => {}): Pdu[] {
  const pdus: Pdu[] = [];
  const framer = new Framer(
    (buffer, start, end) => {
      const { pdu } = decodePdu(buffer, start, end) as { pdu: Pdu };
      pdus.push(pdu);
      onPdu(pdu);
    },
    (length) => assert.fail(`command_length ${length}`),
  );
  socket.on('data', (chunk: Buffer) => framer.push(chunk));
  return pdus;
}

const bare = (id: typeof command.enquireLink | typeof command.unbind, sequence: number) =>
  encodePdu({ command: id, status: 0, sequence });

function rawPdu(id: number, sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(16 + body.length, 0);
  header.writeUInt32BE(id, 4);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, body]);
}

async function connectTo(t: TestContext, port: number): Promise<{ socket: Socket; pdus: Pdu[] }> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, pdus: collect(socket) };
}

test('an unknown command is nacked, and the session continues', async (t) => {
  const { port } = await startSmsc(t);
  const { socket, pdus } = await connectTo(t, port);
  socket.write(Buffer.concat([rawPdu(0x00000777, 5, Buffer.from('hello')), bare(command.enquireLink, 6)]));
  await waitFor('two answers', () => pdus.length === 2);
  assert.deepEqual(pdus, [
    { command: command.genericNack, status: errorCode.ESME_RINVCMDID, sequence: 5 },
    { command: command.enquireLinkResp, status: 0, sequence: 6 },
  ]);
});

test('a body that cannot be read is refused in its own answer', async (t) => {
  const { port } = await startSmsc(t);
  const { socket, pdus } = await connectTo(t, port);
  socket.write(
    Buffer.concat([
      rawPdu(command.submitSm, 7, Buffer.from('no end of the service type')),
      rawPdu(command.bindTransceiver, 8, Buffer.from([1])),
      bare(command.enquireLink, 9),
    ]),
  );
  await waitFor('three answers', () => pdus.length === 3);
  assert.deepEqual(
    pdus.map(({ command: id, sequence }) => [id, sequence]),
    [
      [command.submitSmResp, 7],
      [command.bindTransceiverResp, 8],
      [command.enquireLinkResp, 9],
    ],
  );
  assert.equal(pdus[0]?.status, errorCode.ESME_RINVSERTYP);
});

test('a command_length that cannot be is nacked, and the connection closed', async (t) => {
  const { smsc, port } = await startSmsc(t);
  for (const length of [3, 70_000]) {
    const { socket, pdus } = await connectTo(t, port);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const bad = bare(command.enquireLink, 1);
    bad.writeUInt32BE(length, 0);
    socket.write(bad);
    await closed;
    assert.deepEqual(pdus, [
      { command: command.genericNack, status: errorCode.ESME_RINVCMDLEN, sequence: 0 },
    ]);
  }
  const connector = await new ConnectorUnderTest(t, port).up();
  acceptedIds(await connector.outcome(connector.submit()));
  assert.equal(smsc.counts.accepted, 1);
});

test('any octets at all leave the SMSC standing', async (t) => {
  const { port } = await startSmsc(t);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (octets) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      socket.end(octets);
      await closed;
    }),
    { numRuns: 50 },
  );
  const connector = await new ConnectorUnderTest(t, port).up();
  acceptedIds(await connector.outcome(connector.submit()));
});

/** An SMSC that binds, and then does what the test wants with each PDU. */
function badSmsc(t: TestContext, onPdu: (socket: Socket, pdu: Pdu) => void): Promise<number> {
  return startServer(t, (socket) => {
    collect(socket, (pdu) => {
      if (pdu.command === command.bindTransceiver)
        socket.write(
          encodePdu({
            command: (pdu.command + command.genericNack) as BindRespPdu['command'],
            status: 0,
            sequence: pdu.sequence,
            systemId: 'bad',
            tlvs: [],
          }),
        );
      else onPdu(socket, pdu);
    });
  });
}

test('answers that nobody asked for, garbage, and a nack for an answer', async (t) => {
  const port = await badSmsc(t, (socket, pdu) => {
    if (pdu.command !== command.submitSm) return;
    const answer = { status: 0, sequence: pdu.sequence, messageId: 'good', tlvs: [] };
    const kind = Buffer.from(pdu.shortMessage).toString('latin1');
    socket.write(encodePdu({ ...answer, command: command.submitSmResp, sequence: 99_999 }));
    socket.write(encodePdu(messagePdu(command.submitSm)));
    if (kind === 'nack')
      socket.write(encodePdu({ command: command.genericNack, status: 0x08, sequence: pdu.sequence }));
    else if (kind === 'unreadable')
      socket.write(rawPdu(command.submitSmResp, pdu.sequence, Buffer.from('no end')));
    else if (kind === 'framing') socket.write(Buffer.alloc(64));
    else socket.write(encodePdu({ ...answer, command: command.submitSmResp }));
  });
  const connector = await new ConnectorUnderTest(t, port, { name: 'bad-answers' }).up();
  assert.deepEqual(await connector.outcome(connector.submit({ payload: 'nack' })), {
    kind: 'retry',
    code: 'ESME_RSYSERR',
  });
  assert.deepEqual(await connector.outcome(connector.submit({ payload: 'unreadable' })), { kind: 'unknown' });
  assert.deepEqual(acceptedIds(await connector.outcome(connector.submit())), ['good']);
  assert.deepEqual(await connector.outcome(connector.submit({ payload: 'framing' })), { kind: 'unknown' });
  await connector.up();
  assert.deepEqual(acceptedIds(await connector.outcome(connector.submit())), ['good']);

  const text = await metrics.metrics();
  assert.match(text, /carillon_smpp_bad_pdus_total\{link="bad-answers"\} 2\n/);
  assert.match(text, /carillon_smpp_submits_total\{link="bad-answers",outcome="accepted"\} 2\n/);
  assert.match(text, /carillon_smpp_submits_total\{link="bad-answers",outcome="unknown"\} 2\n/);
  assert.match(text, /carillon_smpp_binds\{link="bad-answers"\} 1\n/);
  assert.match(text, /carillon_smpp_submit_seconds_count\{link="bad-answers"\} [1-9]/);
});

test('an SMSC that falls silent is left after enquire_link', async (t) => {
  let asked = 0;
  const port = await badSmsc(t, (_socket, pdu) => {
    if (pdu.command === command.enquireLink) asked++;
  });
  const connector = await new ConnectorUnderTest(t, port, { enquireLinkMs: 20, responseTimeoutMs: 60 }).up();
  const before = connector.readyCalls;
  await waitFor('the connector went down and up', () => connector.readyCalls >= before + 2);
  assert.ok(asked > 0);
});

test('an SMSC that unbinds and leaves the connection open is left', async (t) => {
  let binds = 0;
  const port = await badSmsc(t, (socket, pdu) => {
    if (pdu.command !== command.submitSm) return;
    binds++;
    // Not reading, it does not see our end either.
    socket.pause();
    socket.write(bare(command.unbind, 1));
  });
  const connector = await new ConnectorUnderTest(t, port).up();
  for (let i = 1; i <= 2; i++) {
    assert.deepEqual(await connector.outcome(connector.submit()), { kind: 'unknown' });
    await connector.up();
    assert.equal(binds, i);
  }
});

test('an SMSC that does not answer the bind is tried again', async (t) => {
  let connections = 0;
  const port = await startServer(t, () => connections++);
  const connector = new ConnectorUnderTest(t, port, { bindTimeoutMs: 30 });
  await waitFor('several tries', () => connections >= 3);
  assert.equal(connector.carrier.up, false);
});

test('a port of another protocol is named as the cause, and is in the log once', async (t) => {
  let connections = 0;
  const port = await startServer(t, (socket) => {
    connections++;
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const connector = new ConnectorUnderTest(t, port, {}, systemClock, log);
  await waitFor('several tries', () => connections >= 4);
  assert.deepEqual(connector.carrier.fault, {
    reason: 'other',
    detail: 'the peer does not speak SMPP (command_length 1213486160)',
  });
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['bad PDU', 'carrier connection lost'],
  );
});

test('the time for an answer to submit_sm does not limit the bind', async (t) => {
  const responseTimeoutMs = 30;
  const port = await startServer(t, (socket) =>
    collect(socket, (pdu) => {
      if (pdu.command !== command.bindTransceiver) return;
      const answer = encodePdu({
        ...{ command: command.bindTransceiverResp, status: 0, sequence: pdu.sequence },
        ...{ systemId: '', tlvs: [] },
      });
      setTimeout(() => socket.write(answer), 3 * responseTimeoutMs);
    }),
  );
  const connector = await new ConnectorUnderTest(t, port, { responseTimeoutMs }).up();
  assert.equal(connector.carrier.up, true);
});

test('a binary message is kept, a receipt without an id is acknowledged and dropped', async (t) => {
  const acknowledged: Pdu[] = [];
  let send: (pdu: Buffer) => void = () => {};
  const port = await startServer(t, (socket) => {
    send = (pdu) => socket.write(pdu);
    collect(socket, (pdu) => {
      if (pdu.command === command.bindTransceiver)
        socket.write(
          encodePdu({ command: command.bindTransceiverResp, status: 0, sequence: 1, systemId: '', tlvs: [] }),
        );
      if (pdu.command === command.deliverSmResp) acknowledged.push(pdu);
    });
  });
  const connector = await new ConnectorUnderTest(t, port).up();
  const shortMessage = Buffer.from('stat:DELIVRD');
  send(encodePdu({ ...messagePdu(command.deliverSm), dataCoding: 4, shortMessage }));
  send(encodePdu({ ...messagePdu(command.deliverSm), esmClass: 4, sequence: 2, shortMessage }));
  await waitFor('both are acknowledged', () => acknowledged.length === 2);
  assert.deepEqual(acknowledged.map(({ status, sequence }) => [status, sequence]).sort(), [
    [0, 1],
    [0, 2],
  ]);
  assert.deepEqual(
    connector.incoming.map(({ binary }) => binary),
    [{ octets: shortMessage, dataCoding: 4 }],
  );
  assert.equal(connector.receipts.length, 0);
});

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

test('TLS: the certificate is checked', async (t) => {
  const cert = fixture('test-only-cert.pem');
  const { smsc, port } = await startSmsc(t, { tls: { key: fixture('test-only-key.pem'), cert } });
  const connector = await new ConnectorUnderTest(t, port, { tls: { ca: cert } }).up();
  acceptedIds(await connector.outcome(connector.submit()));
  await waitFor('the receipt', () => connector.receipts.length === 1);

  const byName = await new ConnectorUnderTest(t, port, { tls: { ca: cert, servername: 'localhost' } }).up();
  acceptedIds(await byName.outcome(byName.submit()));
  await new ConnectorUnderTest(t, port, { tls: { rejectUnauthorized: false } }).up();
  assert.equal(smsc.boundSessions, 3);

  const closed = new Promise((resolve) =>
    connect({ port, host: '127.0.0.1' }).once('close', resolve).resume().end('x'),
  );
  const untrusting = new ConnectorUnderTest(t, port, { tls: true, name: 'untrusting' });
  const wrongName = new ConnectorUnderTest(t, port, {
    tls: { ca: cert, servername: 'example.org' },
    name: 'wrong-name',
  });
  await waitFor('both have tried several times', async () => {
    const text = await metrics.metrics();
    return ['untrusting', 'wrong-name'].every((name) =>
      new RegExp(`carillon_smpp_reconnects_total\\{link="${name}"\\} ([2-9]|\\d\\d)`).test(text),
    );
  });
  assert.deepEqual([untrusting.carrier.up, wrongName.carrier.up], [false, false]);
  assert.deepEqual(
    ['untrusting', 'wrong-name'].map((name) => currentTlsFault(name)?.reason),
    ['self-signed', 'wrong-name'],
  );
  await closed;
});
