import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { random } from '../../torture/random.ts';
import { bindPdu, boundRaw, connectRaw, type RawPeer, submitPdu } from './raw-peer.ts';
import { boundEsme, connectEsme, startSmppService } from './support.ts';

/* Clients that break the protocol or try to exhaust the server. */

const service = await startSmppService();
const { system_id: systemId } = await service.newClient({ max_binds: 50 });

const connected = (t: TestContext) => connectRaw(t, service.port);
const bound = (t: TestContext) => boundRaw(t, service.port, systemId);
const submit = (sequence: number) => submitPdu(sequence, newPhone());

/** The server still serves others. */
async function assertServes(t: TestContext): Promise<void> {
  const esme = await boundEsme(t, service, systemId);
  const { command_status } = await esme.submit({ destination_addr: newPhone(), short_message: 'Hi' });
  assert.equal(command_status, 0);
  await esme.ask('unbind');
}

test('PDUs that arrive octet by octet are read', async (t) => {
  const peer = await connected(t);
  peer.socket.setNoDelay(true);
  const writeSlowly = async (octets: Buffer) => {
    for (const octet of octets) {
      peer.socket.write(Buffer.of(octet));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  await writeSlowly(encodePdu(bindPdu(systemId)));
  await peer.answer(command.bindTransceiverResp);
  await writeSlowly(encodePdu(submit(8)));
  const answer = await peer.answer(command.submitSmResp);
  assert.deepEqual([answer.status, answer.sequence], [0, 8]);
});

test('sequence numbers may repeat', async (t) => {
  const peer = await bound(t);
  peer.socket.write(Buffer.concat([encodePdu(submit(5)), encodePdu(submit(5))]));
  const answers = () => peer.pdus.filter(({ command: id }) => id === command.submitSmResp);
  await waitFor('two answers', () => answers().length === 2);
  assert.ok(answers().every(({ status, sequence }) => status === 0 && sequence === 5));
});

test('an impossible length is answered, and ends the connection', async (t) => {
  for (const length of [0, 15, 0x10001, 0x7fffffff, 0xffffffff]) {
    const peer = await connected(t);
    const header = Buffer.alloc(16);
    header.writeUInt32BE(length, 0);
    peer.socket.write(header);
    const { status } = await peer.answer(command.genericNack);
    assert.equal(status, errorCode.ESME_RINVCMDLEN);
    await peer.closed();
  }
});

test(
  'unknown commands are answered with generic_nack, and a bound session continues',
  covers('smpp.unknown'),
  async (t) => {
    const peer = await bound(t);
    // outbind, broadcast_sm, and one of no specification.
    for (const id of [0x0b, 0x111, 0x7777]) {
      const pdu = Buffer.alloc(16);
      pdu.writeUInt32BE(16, 0);
      pdu.writeUInt32BE(id, 4);
      pdu.writeUInt32BE(0x1000 + id, 12);
      peer.socket.write(pdu);
      const nack = await waitFor('generic_nack', () =>
        peer.pdus.find(({ sequence }) => sequence === 0x1000 + id),
      );
      assert.deepEqual([nack.command, nack.status], [command.genericNack, errorCode.ESME_RINVCMDID]);
    }
    peer.socket.write(encodePdu(submit(9)));
    assert.equal((await peer.answer(command.submitSmResp)).status, 0);
  },
);

test('a session that sends PDUs that cannot be decoded ends', async (t) => {
  const bad = encodePdu(submit(1)).subarray(0, 30);
  bad.writeUInt32BE(30, 0);
  const unbound = await connected(t);
  unbound.socket.write(bad);
  await unbound.closed();
  const peer = await bound(t);
  for (let i = 0; i < 60; i++) peer.socket.write(bad);
  await peer.closed();
  await assertServes(t);
});

test('a client that does not read its answers is disconnected', async (t) => {
  const peer = await connected(t);
  peer.socket.pause();
  const enquiry = encodePdu({ command: command.enquireLink, status: 0, sequence: 1 });
  const many = Buffer.concat(Array.from({ length: 16_384 }, () => enquiry));
  peer.socket.on('close', () => {
    peer.isClosed = true;
  });
  await waitFor('the end of the connection', async () => {
    if (!peer.isClosed && peer.socket.writableLength < 4 * many.length) peer.socket.write(many);
    return peer.isClosed;
  });
  await assertServes(t);
});

test('connections that never bind do not keep out others', async (t) => {
  const peers: RawPeer[] = [];
  for (let i = 0; i < 60; i++) peers.push(await connected(t));
  // From one address a tenth of SMPP_SERVER_UNBOUND may be open.
  await waitFor('refused connections', () => peers.filter(({ isClosed }) => isClosed).length === 10);
  for (const { socket } of peers) socket.destroy();
  await waitFor('room for a connection', async () => {
    const esme = await connectEsme(t, service.port).catch(() => undefined);
    return esme?.bind(systemId).then(
      ({ command_status }) => command_status === 0,
      () => false,
    );
  });
});

test('changed PDUs never stop the server', async (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const chance = random(seed);
    const peer = seed % 2 === 0 ? await bound(t) : await connected(t);
    for (let i = 0; i < 40 && !peer.isClosed; i++) {
      const source = chance() < 0.2 ? bindPdu(systemId) : submit(i);
      const octets = Buffer.from(encodePdu(source));
      for (let changes = Math.ceil(chance() * 6); changes > 0; changes--) {
        // The length stays mostly, so that the other fields are reached.
        const from = chance() < 0.1 ? 0 : 4;
        octets[from + Math.floor(chance() * (octets.length - from))] = Math.floor(chance() * 256);
      }
      peer.socket.write(octets);
    }
    peer.socket.end();
    await peer.closed();
  }
  await assertServes(t);
});
