import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { type Captured, decodeSmpp } from '../../support/tshark.ts';
import { waitFor } from '../../support/wait-for.ts';
import { connectEsme, deliveries, type Esme, startSmppService } from './support.ts';

/* TShark reads every PDU that the server writes, and finds none malformed. */

const service = await startSmppService();

/** Passes on a connection to the server, and keeps its octets. */
async function capture(t: TestContext): Promise<{ port: number; captured: Captured[] }> {
  const captured: Captured[] = [];
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect({ port: service.port, host: '127.0.0.1' });
    sockets.push(client, upstream);
    for (const [from, to, fromServer] of [
      [client, upstream, false],
      [upstream, client, true],
    ] as const) {
      from.on('data', (octets: Buffer) => {
        captured.push({ fromServer, octets: Buffer.from(octets) });
        to.write(octets);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, captured };
}

/** Makes the server write PDUs of every kind. */
async function exchange(esme: Esme, systemId: string): Promise<void> {
  await esme.ask('enquire_link');
  await esme.bind(systemId);
  const receipts = 3;
  for (const data_coding of [0, 8, 3]) {
    await esme.submit({
      destination_addr: newPhone(),
      dest_addr_ton: 1,
      source_addr_ton: 5,
      data_coding,
      short_message: Buffer.from(data_coding === 8 ? '05d0' : '4869', 'hex'),
      registered_delivery: 1,
    });
  }
  await esme.submit({ destination_addr: '1', short_message: 'Hi' });
  await esme.ask('data_sm', { source_addr: 'Shop', destination_addr: newPhone(), message_payload: 'Hi' });
  await deliveries(esme, receipts);
  const number = newPhone();
  await service.appContext.sources.approve(service.demo.id, stored(number), { incoming: true });
  await service.sendFromPhone(newPhone(), number, 'A question');
  await service.sendFromPhone(newPhone(), number, 'שאלה ארוכה '.repeat(20));
  await deliveries(esme, receipts + 1 + Math.ceil(220 / 67));
  const { message_id } = await esme.submit({
    destination_addr: newPhone(),
    short_message: 'Later',
    schedule_delivery_time: '000001000000000R',
  });
  await esme.ask('submit_multi', {
    source_addr: 'Shop',
    dest_address: [newPhone(), newPhone(), '1'].map((destination_addr) => ({ destination_addr })),
    short_message: 'Hi',
  });
  await esme.ask('query_sm', { message_id });
  await esme.ask('query_sm', { message_id: '1' });
  await esme.ask('replace_sm', { message_id, source_addr: 'Shop', short_message: 'Another text' });
  await esme.ask('cancel_sm', { message_id });
  await esme.ask('unbind');
  await waitFor('the end of the session', () => esme.isClosed);
}

test('every PDU of the server is well-formed', covers('smpp.peers'), async (t) => {
  const { port, captured } = await capture(t);
  const { system_id } = await service.newClient();
  const esme = await connectEsme(t, port);
  await exchange(esme, system_id);
  const read = decodeSmpp(captured, [
    '_ws.malformed',
    '_ws.expert.severity',
    'tcp.srcport',
    'smpp.command_id',
    'smpp.message_state',
    'smpp.receipted_message_id',
  ]);
  const malformed = read.filter(
    ([problem, severity]) => problem !== '' || severity?.split(';').includes('8388608'),
  );
  assert.deepEqual(malformed, []);
  const commands = new Set(
    read.filter(([, , from]) => from === '2775').flatMap(([, , , ids]) => ids!.split(';').map(Number)),
  );
  // Answers to enquire_link, bind_transceiver, submit_sm, submit_multi, data_sm, query_sm, replace_sm, cancel_sm and unbind, and deliver_sm.
  for (const id of [
    0x80000015, 0x80000009, 0x80000004, 0x80000021, 0x80000103, 0x80000003, 0x80000007, 0x80000008,
    0x80000006, 5,
  ])
    assert.ok(commands.has(id), `0x${id.toString(16)} of ${[...commands].map((one) => one.toString(16))}`);
});
