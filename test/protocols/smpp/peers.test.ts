import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import smpp, { type Pdu, type Session } from 'smpp';
import { joinParts } from '../../../server/kit/text/charsets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { acceptedIds, ConnectorUnderTest, credentials, startSmsc } from './support.ts';

/** The npm package `smpp`, which is not ours, as the SMSC. */
async function startPeerSmsc(t: TestContext, onSubmit: (session: Session, pdu: Pdu) => void) {
  const sessions: Session[] = [];
  const binds: Pdu[] = [];
  const acknowledged: Pdu[] = [];
  const server = smpp.createServer((session) => {
    sessions.push(session);
    session.on('error', () => {});
    session.on('bind_transceiver', (pdu: Pdu) => {
      binds.push(pdu);
      session.send(pdu.response());
    });
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('deliver_sm_resp', (pdu: Pdu) => acknowledged.push(pdu));
    session.on('submit_sm', (pdu: Pdu) => onSubmit(session, pdu));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, sessions, binds, acknowledged };
}

const text = (pdu: Pdu) => (pdu.short_message as { message: string }).message;

test('our connector and the SMSC of the package: texts, receipts, long messages', async (t) => {
  const submitted: Pdu[] = [];
  const peer = await startPeerSmsc(t, (session, pdu) => {
    submitted.push(pdu);
    const id = `ID${submitted.length}`;
    session.send(pdu.response({ message_id: id }));
    session.deliver_sm({
      source_addr: pdu.destination_addr,
      destination_addr: pdu.source_addr,
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:`,
      receipted_message_id: id,
      message_state: 2,
    });
  });
  const connector = await new ConnectorUnderTest(t, peer.port, { systemType: 'test' }).up();
  assert.deepEqual(
    [peer.binds[0]?.system_id, peer.binds[0]?.password, peer.binds[0]?.system_type],
    [credentials.systemId, credentials.password, 'test'],
  );

  const texts = ['Hello @ €[]{}', 'שלום 😀', 'a long one, '.repeat(30)];
  for (const each of texts) await connector.outcome(connector.submit({ payload: each }));
  for (const outcome of await connector.settled())
    assert.ok(acceptedIds(outcome).every((id) => id.startsWith('ID')));
  assert.deepEqual([text(submitted[0]!), text(submitted[1]!), submitted.slice(2).map(text).join('')], texts);
  assert.deepEqual(
    [submitted[0]?.source_addr, submitted[0]?.source_addr_ton, submitted[0]?.dest_addr_ton],
    ['Carillon', 5, 1],
  );
  assert.ok((submitted[0]?.validity_period as Date) > new Date());
  await waitFor('all receipts', () => connector.receipts.length === submitted.length);
  assert.deepEqual(connector.receipts[0], {
    carrierId: 'ID1',
    status: 102,
    code: 'DELIVRD/000',
    destination: '972501234567',
  });
  await waitFor('all acknowledged', () => peer.acknowledged.length === submitted.length);
});

test('our connector and the SMSC of the package: refusals, incoming, end of the session', async (t) => {
  const peer = await startPeerSmsc(t, (session, pdu) => {
    session.send(pdu.response({ command_status: 0x0b }));
  });
  const connector = await new ConnectorUnderTest(t, peer.port, {
    enquireLinkMs: 20,
    responseTimeoutMs: 1_000,
  }).up();
  assert.deepEqual(await connector.outcome(connector.submit()), {
    kind: 'refused',
    status: 101,
    code: 'ESME_RINVDSTADR',
  });
  const [session] = peer.sessions;
  session!.deliver_sm({
    source_addr: '972501234567',
    destination_addr: '972550000001',
    short_message: 'from a phone',
  });
  session!.deliver_sm({
    source_addr: '972501234567',
    destination_addr: '972550000001',
    data_coding: 8,
    short_message: 'תשובה',
  });
  await waitFor('both', () => connector.incoming.length === 2);
  assert.deepEqual(connector.incoming, [
    { from: '972501234567', to: '972550000001', text: 'from a phone' },
    { from: '972501234567', to: '972550000001', text: 'תשובה' },
  ]);
  session!.unbind({});
  await waitFor('bound again', () => peer.binds.length === 2 && connector.carrier.up);
});

test('messages of the SMSC of the package are read in every coding, and whole after they were cut', async (t) => {
  const peer = await startPeerSmsc(t, (session, pdu) => session.send(pdu.response()));
  const connector = await new ConnectorUnderTest(t, peer.port).up();
  const addresses = { source_addr: '972501234567', destination_addr: '972550000001' };
  const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const stop = Buffer.from('STOP');
  const hindi = Buffer.from('2F424C5F2759', 'hex');
  const deliver = (dataCoding: number, message: Buffer, udh?: Buffer) =>
    peer.sessions[0]!.deliver_sm({
      ...addresses,
      data_coding: dataCoding,
      ...(udh && { esm_class: 0x40 }),
      short_message: udh ? { udh, message } : message,
    });
  const cases: [dataCoding: number, message: Buffer, text: string, udh?: Buffer][] = [
    ...[0x00, 0x10, 0x11, 0x12, 0x13, 0xc0, 0xc8, 0xd0, 0xf0, 0xf1].map((coding) => {
      return [coding, stop, 'STOP'] satisfies [number, Buffer, string];
    }),
    ...[0x08, 0x18, 0x19, 0xe0, 0xe8].map((coding) => {
      return [coding, ucs2('הסר 😀'), 'הסר 😀'] satisfies [number, Buffer, string];
    }),
    ...[0x04, 0x14, 0xf5].map((coding) => {
      return [coding, stop, `binary(${coding}): 53544F50`] satisfies [number, Buffer, string];
    }),
    [0x00, hindi, 'नमस्ते', Buffer.from([3, 0x25, 1, 6])],
  ];
  for (const [dataCoding, message, , udh] of cases) deliver(dataCoding, message, udh);
  await waitFor('all are read', () => connector.incoming.length === cases.length);
  assert.deepEqual(
    connector.incoming.map(({ text: read }) => read),
    cases.map(([, , expected]) => expected),
  );

  const emoji = ucs2('Hi 😀!');
  const cut = emoji.indexOf(0xd8) + 2;
  deliver(8, emoji.subarray(cut), Buffer.from([5, 0, 3, 9, 2, 2]));
  deliver(8, emoji.subarray(0, cut), Buffer.from([5, 0, 3, 9, 2, 1]));
  await waitFor('both parts', () => connector.parts.length === 2);
  assert.deepEqual(joinParts(connector.parts), { text: 'Hi 😀!' });
});

test('the client of the package and our SMSC', async (t) => {
  const { smsc, port } = await startSmsc(t, { receiptForm: 'both' });
  const client = smpp.connect({ host: '127.0.0.1', port });
  t.after(() => client.destroy());
  const delivered: Pdu[] = [];
  client.on('error', () => {});
  client.on('deliver_sm', (pdu: Pdu) => {
    delivered.push(pdu);
    client.send(pdu.response());
  });
  const ask = (
    request: 'bind_transceiver' | 'submit_sm' | 'enquire_link' | 'query_sm' | 'unbind',
    fields: object,
  ) => new Promise<Pdu>((resolve) => client[request](fields as Record<string, unknown>, resolve));

  const early = await ask('submit_sm', { destination_addr: '972501234567', short_message: 'too early' });
  assert.equal(early.command_status, 0x04);
  const bound = await ask('bind_transceiver', {
    system_id: credentials.systemId,
    password: credentials.password,
  });
  assert.equal(bound.command_status, 0);
  assert.equal((await ask('bind_transceiver', { system_id: 'x' })).command_status, 0x05);
  assert.equal((await ask('enquire_link', {})).command, 'enquire_link_resp');
  assert.equal((await ask('query_sm', { message_id: '1', source_addr: '1' })).command_status, 0x67);

  const answer = await ask('submit_sm', {
    source_addr: 'Peer',
    destination_addr: '972501234567',
    // By itself the package says 1, ASCII, of octets in the GSM alphabet.
    data_coding: 0,
    short_message: 'Grüße und €',
    registered_delivery: 1,
  });
  await waitFor('the receipt', () => delivered.length === 1);
  assert.equal(delivered[0]?.receipted_message_id, answer.message_id);
  assert.equal(delivered[0]?.message_state, 2);
  assert.equal(delivered[0]?.source_addr, '972501234567');
  assert.equal(smsc.phones.list('972501234567')[0]?.text, 'Grüße und €');
  await waitFor('it is acknowledged', () => smsc.counts.deliveriesAcknowledged === 1);

  smsc.sendFromPhone({ from: '972501234567', to: '972550000001', text: 'שלום' });
  await waitFor('the message', () => delivered.length === 2);
  assert.equal(text(delivered[1]!), 'שלום');
  assert.equal((await ask('unbind', {})).command, 'unbind_resp');
});

test('our SMSC refuses what it does not know', async (t) => {
  const { port } = await startSmsc(t);
  for (const [fields, status] of [
    [{ system_id: 'nobody', password: 'secret' }, 0x0f],
    [{ system_id: credentials.systemId, password: 'wrong' }, 0x0e],
    [{ system_id: 'toString', password: '' }, 0x0f],
  ] as const) {
    const client = smpp.connect({ host: '127.0.0.1', port });
    client.on('error', () => {});
    const answer = await new Promise<Pdu>((resolve) => client.bind_transceiver({ ...fields }, resolve));
    assert.equal(answer.command_status, status);
    client.destroy();
  }
});
