import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pdu } from 'smpp';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { boundEsme, deliveries, type Esme, receiptOf, startSmppService } from './support.ts';

/* Messages of SMPP clients: texts, receipts, times, refusals. */

const service = await startSmppService();
const { system_id: systemId } = await service.newClient();

/** The first text that arrives at a phone. */
const textAt = async (phone: string): Promise<string> => {
  const texts = await waitFor('the text', async () => {
    const all = await service.phone(phone);
    return all.length > 0 && all;
  });
  return texts[0]!.text;
};

test(
  'a message is delivered, and its receipt has the same id three times',
  covers('smpp.submit'),
  async (t) => {
    const esme = await boundEsme(t, service, systemId);
    const phone = newPhone();
    const { command_status, message_id } = await esme.submit({
      destination_addr: stored(phone),
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      source_addr_ton: 5,
      short_message: 'Hello from SMPP',
      registered_delivery: 1,
    });
    assert.equal(command_status, 0);
    assert.match(String(message_id), /^[1-9]\d{9,15}$/);
    assert.equal(await textAt(phone), 'Hello from SMPP');
    await deliveries(esme, 1);
    const [receipt] = esme.delivered;
    const { id, stat, err, dlvrd, sub, text } = receiptOf(receipt!);
    assert.deepEqual(
      { id, stat, err, dlvrd, sub, text },
      { id: message_id, stat: 'DELIVRD', err: '000', dlvrd: '001', sub: '001', text: '' },
    );
    assert.equal(receipt!.receipted_message_id, message_id);
    assert.equal(receipt!.message_state, 2);
    assert.deepEqual(
      [receipt!.source_addr, receipt!.source_addr_ton, receipt!.source_addr_npi],
      [stored(phone), 1, 1],
    );
    assert.deepEqual([receipt!.destination_addr, receipt!.dest_addr_ton], ['Shop', 5]);
    assert.equal(receipt!.esm_class, 4);
    await waitFor('the acknowledged receipt to be deleted', async () => {
      const [row] = await service.sql<
        { count: number }[]
      >`SELECT count(*)::int AS count FROM smpp_deliveries`;
      return row!.count === 0;
    });
  },
);

const hebrew = 'שלום';
const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();
const texts: readonly {
  readonly name: string;
  readonly fields: Record<string, unknown>;
  readonly text: string;
  readonly latin1?: true;
}[] = [
  {
    name: 'data_coding 0 is unpacked GSM with its extension table',
    fields: { data_coding: 0, short_message: Buffer.from([0x48, 0x69, 0x00, 0x1b, 0x65]) },
    text: 'Hi@€',
  },
  {
    name: 'data_coding 0 is Latin-1 for a client that says so',
    fields: { data_coding: 0, short_message: Buffer.from('caf\u00e9 @', 'latin1') },
    text: 'café @',
    latin1: true,
  },
  {
    name: 'data_coding 3 is Latin-1',
    fields: { data_coding: 3, short_message: Buffer.from('na\u00efve', 'latin1') },
    text: 'naïve',
  },
  { name: 'data_coding 8 is UCS-2', fields: { data_coding: 8, short_message: ucs2(hebrew) }, text: hebrew },
  {
    name: 'a byte order mark is dropped',
    fields: { data_coding: 8, short_message: ucs2(`\ufeff${hebrew}`) },
    text: hebrew,
  },
  {
    name: 'a message class is accepted',
    fields: { data_coding: 0xf1, short_message: Buffer.from('Class 1') },
    text: 'Class 1',
  },
  {
    name: 'a national shift table is read',
    // The single shift table of Turkish: escape and S is the S with a cedilla.
    fields: {
      data_coding: 0,
      esm_class: 0x40,
      short_message: Buffer.from([3, 0x24, 1, 1, 0x1b, 0x53]),
    },
    text: 'Ş',
  },
  {
    name: 'message_payload has long texts',
    fields: { data_coding: 8, short_message: '', message_payload: ucs2(hebrew.repeat(40)) },
    text: hebrew.repeat(40),
  },
];

for (const { name, fields, text, latin1 } of texts) {
  test(name, covers('smpp.texts'), async (t) => {
    const client = latin1 ? await service.newClient({ default_alphabet: 'latin1' }) : { system_id: systemId };
    const esme = await boundEsme(t, service, client.system_id);
    const phone = newPhone();
    const { command_status } = await esme.submit({ destination_addr: phone, ...fields });
    assert.equal(command_status, 0);
    assert.equal(await textAt(phone), text);
  });
}

test('numbers are read in every spelling, whatever TON and NPI say', covers('smpp.numbers'), async (t) => {
  const esme = await boundEsme(t, service, systemId);
  for (const spelled of [(phone: string) => phone, stored, (phone: string) => `+${stored(phone)}`]) {
    const phone = newPhone();
    const fields = { dest_addr_ton: 2, dest_addr_npi: 9, short_message: 'Hi' };
    const { command_status } = await esme.submit({ destination_addr: spelled(phone), ...fields });
    assert.equal(command_status, 0);
    assert.equal(await textAt(phone), 'Hi');
  }
});

test('registered_delivery decides about the receipt', covers('smpp.receipts'), async (t) => {
  const client = await service.newClient();
  const esme = await boundEsme(t, service, client.system_id);
  const failing = '0501230001';
  const wanted: unknown[] = [];
  for (const [registered_delivery, phone, isWanted] of [
    [0, newPhone(), false],
    [2, newPhone(), false],
    [2, failing, true],
    [3, newPhone(), true],
    [3, failing, false],
    [0x11, newPhone(), true],
  ] as const) {
    const { message_id } = await esme.submit({
      destination_addr: phone,
      short_message: 'Hi',
      registered_delivery,
    });
    if (isWanted) wanted.push(message_id);
  }
  await deliveries(esme, wanted.length);
  await waitFor('no message to be open', async () => {
    const [row] = await service.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM smpp_messages`;
    return row!.count === 0;
  });
  const ids = esme.delivered.map((pdu) => receiptOf(pdu).id);
  assert.deepEqual(ids.toSorted(), wanted.toSorted());
  const failed = esme.delivered.find((pdu) => receiptOf(pdu).id === wanted[0])!;
  const { stat, err, dlvrd } = receiptOf(failed);
  assert.deepEqual({ stat, dlvrd }, { stat: 'UNDELIV', dlvrd: '000' });
  assert.equal(Buffer.from(failed.network_error_code as Buffer).readUInt16BE(1), Number(err));
});

const refused: readonly { readonly name: string; readonly fields: object; readonly status: number }[] = [
  { name: 'an empty text', fields: { short_message: '' }, status: errorCode.ESME_RINVMSGLEN },
  {
    name: 'data',
    fields: { data_coding: 4, short_message: Buffer.from('Hi') },
    status: errorCode.ESME_RINVDCS,
  },
  { name: 'a number that is none', fields: { destination_addr: '12' }, status: errorCode.ESME_RINVDSTADR },
  { name: 'no number', fields: { destination_addr: '' }, status: errorCode.ESME_RINVDSTADR },
  {
    name: 'another country',
    fields: { destination_addr: '4915123456789' },
    status: errorCode.ESME_RINVDSTADR,
  },
  { name: 'no sender', fields: { source_addr: '' }, status: errorCode.ESME_RINVSRCADR },
  { name: 'a malformed sender', fields: { source_addr: '!!' }, status: errorCode.ESME_RINVSRCADR },
  { name: 'a predefined message', fields: { sm_default_msg_id: 1 }, status: errorCode.ESME_RINVDFTMSGID },
  {
    name: 'application ports',
    fields: { esm_class: 0x40, short_message: Buffer.from([6, 5, 4, 0, 80, 0, 80, 65]) },
    status: errorCode.ESME_RINVESMCLASS,
  },
  {
    name: 'a text in both fields',
    fields: { message_payload: 'Hi' },
    status: errorCode.ESME_ROPTPARNOTALLWD,
  },
];

test('refusals have the status of the table', covers('smpp.refusals'), async (t) => {
  const esme = await boundEsme(t, service, systemId);
  for (const { name, fields, status } of refused) {
    const given = { destination_addr: newPhone(), short_message: 'Hi', ...fields };
    const { command_status, message_id } = await esme.submit(given);
    assert.equal(command_status, status, name);
    assert.ok(!message_id, name);
  }
});

test('recipients on the blacklist are refused', async (t) => {
  const esme = await boundEsme(t, service, systemId);
  const phone = newPhone();
  await service.owner.post('/blacklist', { phones: [phone] });
  const blocked = await esme.submit({ destination_addr: phone, short_message: 'Hi' });
  assert.equal(blocked.command_status, errorCode.ESME_RSUBMITFAIL);
});

test('a client sends from its senders only, and has a default one', async (t) => {
  const { system_id } = await service.newClient({ sources: ['Shop', 'Club'], default_source: 'Club' });
  const esme = await boundEsme(t, service, system_id);
  const phone = newPhone();
  const send = (source_addr: string) =>
    esme.submit({ source_addr, destination_addr: phone, short_message: 'Hi' });
  assert.equal((await send('shop')).command_status, 0);
  assert.equal((await send('Other')).command_status, errorCode.ESME_RINVSRCADR);
  assert.equal((await send('')).command_status, 0);
  await waitFor('the second text', async () => (await service.phone(phone)).length === 2);
  assert.deepEqual((await service.phone(phone)).map(({ from }) => from).sort(), ['Club', 'shop']);
});

test(
  'a scheduled message can be queried and cancelled, and gets a receipt',
  covers('smpp.query'),
  async (t) => {
    const esme = await boundEsme(t, service, systemId);
    const balance = await service.balance();
    const { command_status, message_id } = await esme.submit({
      destination_addr: newPhone(),
      short_message: 'Later',
      schedule_delivery_time: '000001000000000R',
      registered_delivery: 1,
    });
    assert.equal(command_status, 0);
    const waiting = await esme.ask('query_sm', { message_id, source_addr: 'Shop' });
    assert.deepEqual([waiting.command_status, waiting.message_state], [0, 1]);
    assert.equal((await esme.ask('cancel_sm', { message_id })).command_status, 0);
    await deliveries(esme, 1);
    assert.deepEqual(
      [receiptOf(esme.delivered[0]!).id, receiptOf(esme.delivered[0]!).stat],
      [message_id, 'DELETED'],
    );
    assert.equal(await service.balance(), balance);
    assert.equal((await esme.ask('query_sm', { message_id })).message_state, 4);
    assert.equal((await esme.ask('cancel_sm', { message_id })).command_status, errorCode.ESME_RCANCELFAIL);
    const unknown = await esme.ask('query_sm', { message_id: '1' });
    assert.equal(unknown.command_status, errorCode.ESME_RQUERYFAIL);
    const malformed = await esme.ask('query_sm', { message_id: 'abc' });
    assert.equal(malformed.command_status, errorCode.ESME_RINVMSGID);
  },
);

test('data_sm is accepted as submit_sm', covers('smpp.data'), async (t) => {
  const esme = await boundEsme(t, service, systemId);
  const phone = newPhone();
  const { command_status } = await esme.ask('data_sm', {
    source_addr: 'Shop',
    destination_addr: phone,
    data_coding: 8,
    message_payload: ucs2(hebrew),
  });
  assert.equal(command_status, 0);
  assert.equal(await textAt(phone), hebrew);
});

test(
  'messages beyond the window and the rate are throttled and not delayed',
  covers('smpp.flow'),
  async (t) => {
    const many = (esme: Esme): Promise<Pdu[]> =>
      Promise.all(
        Array.from({ length: 20 }, () => esme.submit({ destination_addr: newPhone(), short_message: 'Hi' })),
      );
    const throttled = (answers: readonly Pdu[]) =>
      answers.filter(({ command_status }) => command_status === errorCode.ESME_RTHROTTLED).length;
    const narrow = await service.newClient({ window: 5 });
    const answers = await many(await boundEsme(t, service, narrow.system_id));
    assert.ok(throttled(answers) > 0 && throttled(answers) <= 15);
    assert.ok(answers.every(({ command_status }) => [0, errorCode.ESME_RTHROTTLED].includes(command_status)));
    const slow = await service.newClient({ messages_per_second: 3 });
    const esme = await boundEsme(t, service, slow.system_id);
    assert.ok(throttled(await many(esme)) >= 10);
    await waitFor('the rate to permit a message', async () => {
      const { command_status } = await esme.submit({ destination_addr: newPhone(), short_message: 'Hi' });
      return command_status === 0;
    });
  },
);
