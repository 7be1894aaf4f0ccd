import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { boundEsme, deliveries, receiptOf, startSmppService } from './support.ts';

/* Long messages of SMPP clients, in parts. */

const service = await startSmppService();
const { system_id: systemId } = await service.newClient();

const textAt = async (phone: string): Promise<string> => {
  const texts = await waitFor('the text', async () => {
    const all = await service.phone(phone);
    return all.length > 0 && all;
  });
  return texts[0]!.text;
};
const long = ['The first part, '.padEnd(150, '.'), 'the second, '.padEnd(150, '.'), 'and the third.'];

/** Fields of a part, with an 8 bit reference in a user data header. */
const part = (reference: number, index: number, texts: readonly string[] = long) => ({
  esm_class: 0x40,
  data_coding: 0,
  short_message: Buffer.concat([
    Buffer.from([5, 0, 3, reference, texts.length, index + 1]),
    Buffer.from(texts[index]!, 'latin1'),
  ]),
});
/** The same, with a 16 bit reference. */
const widePart = (reference: number, index: number) => ({
  esm_class: 0x40,
  data_coding: 0,
  short_message: Buffer.concat([
    Buffer.from([6, 8, 4, reference >> 8, reference & 0xff, long.length, index + 1]),
    Buffer.from(long[index]!, 'latin1'),
  ]),
});
const sarPart = (reference: number, index: number) => ({
  data_coding: 0,
  short_message: Buffer.from(long[index]!, 'latin1'),
  sar_msg_ref_num: reference,
  sar_total_segments: long.length,
  sar_segment_seqnum: index + 1,
});

const openRows = async () => {
  const [row] = await service.sql<{ messages: number; groups: number }[]>`
    SELECT (SELECT count(*)::int FROM smpp_messages) AS messages,
      (SELECT count(*)::int FROM smpp_part_groups) AS groups`;
  return row!;
};

for (const [name, fieldsOf] of [
  ['an 8 bit reference', part],
  ['a 16 bit reference', widePart],
  ['sar_ parameters', sarPart],
] as const) {
  test(
    `parts with ${name} are one message, with an id and a receipt for each`,
    covers('smpp.parts'),
    async (t) => {
      const phone = newPhone();
      const [one, two] = [await boundEsme(t, service, systemId), await boundEsme(t, service, systemId)];
      const before = await service.balance();
      const ids: unknown[] = [];
      // In another order than their places, over two binds.
      for (const [index, esme] of [
        [2, one],
        [0, two],
        [1, one],
      ] as const) {
        const fields = { destination_addr: phone, registered_delivery: 1, ...fieldsOf(77, index) };
        const { command_status, message_id } = await esme.submit(fields);
        assert.equal(command_status, 0);
        ids.push(message_id);
      }
      assert.equal(new Set(ids).size, 3);
      assert.equal(await textAt(phone), long.join(''));
      await waitFor('three receipts', () => one.delivered.length + two.delivered.length === 3);
      const receipts = [...one.delivered, ...two.delivered].map(receiptOf);
      assert.deepEqual(receipts.map(({ id }) => id).sort(), ids.sort());
      assert.ok(receipts.every(({ stat }) => stat === 'DELIVRD'));
      // A part of the engine has 153 characters.
      assert.equal(before - (await service.balance()), 3 * (await priceOfPart()));
      await waitFor('the rows are deleted', async () => (await openRows()).messages === 0);
      assert.deepEqual(await openRows(), { messages: 0, groups: 0 });
    },
  );
}

/** Price of a message of one part. */
async function priceOfPart(): Promise<number> {
  const [row] = await service.sql<{ price: string }[]>`
    SELECT (price / parts)::text AS price FROM messages ORDER BY id LIMIT 1`;
  return Number(row!.price);
}

test('parts that arrive together are one message', async (t) => {
  const phone = newPhone();
  const esme = await boundEsme(t, service, systemId);
  const answers = await Promise.all(
    long.map((_, index) => esme.submit({ destination_addr: phone, ...part(5, index) })),
  );
  assert.ok(answers.every(({ command_status }) => command_status === 0));
  assert.equal(await textAt(phone), long.join(''));
  assert.deepEqual(await openRows(), { messages: 0, groups: 0 });
});

test('a repeated part has the same id, and the message is sent once', async (t) => {
  const phone = newPhone();
  const esme = await boundEsme(t, service, systemId);
  const send = (index: number) => esme.submit({ destination_addr: phone, ...part(6, index) });
  const first = await send(0);
  assert.equal((await send(0)).message_id, first.message_id);
  await send(1);
  await send(2);
  assert.equal(await textAt(phone), long.join(''));
});

test('a new message may have the reference of an incomplete one', async (t) => {
  const phone = newPhone();
  const client = await service.newClient();
  const esme = await boundEsme(t, service, client.system_id);
  const texts = ['another first part ', 'and its second.'];
  const old = ['an old first part ', 'that never gets its second.'];
  const first = { destination_addr: phone, registered_delivery: 1, ...part(9, 0, old) };
  const { message_id } = await esme.submit(first);
  for (const index of [0, 1]) await esme.submit({ destination_addr: phone, ...part(9, index, texts) });
  assert.equal(await textAt(phone), texts.join(''));
  await deliveries(esme, 1);
  const { id, stat } = receiptOf(esme.delivered[0]!);
  assert.deepEqual({ id, stat }, { id: message_id, stat: 'EXPIRED' });
});

test(
  'an incomplete message expires with receipts, and costs nothing',
  covers('smpp.parts.late'),
  async (t) => {
    const client = await service.newClient();
    const esme = await boundEsme(t, service, client.system_id);
    const before = await service.balance();
    const ids: unknown[] = [];
    const phone = newPhone();
    for (const index of [0, 2]) {
      const fields = { destination_addr: phone, registered_delivery: 1, ...part(11, index) };
      ids.push((await esme.submit(fields)).message_id);
    }
    assert.deepEqual(await openRows(), { messages: 2, groups: 1 });
    const state = await esme.ask('query_sm', { message_id: ids[0] });
    assert.deepEqual([state.command_status, state.message_state], [0, 1]);
    await service.advance(300);
    await deliveries(esme, 2);
    const receipts = esme.delivered.map(receiptOf);
    assert.deepEqual(receipts.map(({ id }) => id).sort(), ids.sort());
    assert.ok(receipts.every(({ stat }) => stat === 'EXPIRED'));
    assert.equal(await service.balance(), before);
    assert.deepEqual(await openRows(), { messages: 0, groups: 0 });
  },
);

test('a refused message is refused with its last part; the others get receipts', async (t) => {
  const client = await service.newClient();
  const esme = await boundEsme(t, service, client.system_id);
  const phone = newPhone();
  const fields = (index: number) => ({ destination_addr: phone, registered_delivery: 1, ...part(12, index) });
  const first = await esme.submit(fields(0));
  await esme.submit(fields(1));
  await service.owner.post('/blacklist', { phones: [phone] });
  const last = await esme.submit(fields(2));
  assert.equal(last.command_status, errorCode.ESME_RSUBMITFAIL);
  await deliveries(esme, 2);
  const receipts = esme.delivered.map(receiptOf);
  assert.ok(receipts.some(({ id }) => id === first.message_id));
  assert.ok(receipts.every(({ stat }) => stat === 'REJECTD'));
  assert.deepEqual(await openRows(), { messages: 0, groups: 0 });
});

test('a message whose last part was stored by a process that died is sent', async (t) => {
  const client = await service.newClient();
  const esme = await boundEsme(t, service, client.system_id);
  const phone = newPhone();
  const ids: unknown[] = [];
  for (const index of [0, 1]) {
    const fields = { destination_addr: phone, registered_delivery: 1, ...part(13, index) };
    ids.push((await esme.submit(fields)).message_id);
  }
  // As the process would have stored the last part before it died.
  await service.sql`
    INSERT INTO smpp_messages (account_id, id, phone, client_id, source, source_ton, source_npi, destination, destination_ton,
      destination_npi, registered_delivery, submitted_at, part_group, part_number, part_octets, part_charset)
    SELECT account_id, id + 1, phone, client_id, source, source_ton, source_npi, destination, destination_ton,
      destination_npi, 0, submitted_at, part_group, 3, ${Buffer.from(long[2]!).toString('hex')}, part_charset
    FROM smpp_messages WHERE part_number = 2`;
  await service.advance(300);
  assert.equal(await textAt(phone), long.join(''));
  await deliveries(esme, 2);
  assert.deepEqual(esme.delivered.map((pdu) => receiptOf(pdu).id).sort(), ids.sort());
});
