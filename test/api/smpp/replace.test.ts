import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pdu } from 'smpp';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { withToken } from '../v1/calls.ts';
import { boundEsme, deliveries, type Ends, type Esme, receiptOf, startSmppService } from './support.ts';

/* replace_sm (SMPP 3.4, 4.10): the new text and times of a message that waits. */

const service = await startSmppService();
const TOMORROW = '000001000000000R';

/** Their session ends with the day that tests wait for. */
const clients = await Promise.all(Array.from({ length: 8 }, () => service.newClient()));

/** A bind of a client of its own: receipts go to any receiver of a client. */
const ownEsme = (t: Ends) => boundEsme(t, service, clients.pop()!.system_id);

/** Submits a message for tomorrow, and returns its id. */
async function later(esme: Esme, phone: string, over: Record<string, unknown> = {}): Promise<string> {
  const { command_status, message_id } = await esme.submit({
    destination_addr: phone,
    short_message: 'Before',
    schedule_delivery_time: TOMORROW,
    registered_delivery: 1,
    ...over,
  });
  assert.equal(command_status, 0);
  return String(message_id);
}

const replace = (esme: Esme, message_id: string, fields: Record<string, unknown>): Promise<Pdu> =>
  esme.ask('replace_sm', { message_id, source_addr: 'Shop', registered_delivery: 1, ...fields });

const textsAt = async (phone: string) => (await service.phone(phone)).map(({ text }) => text);

test(
  'the new text is sent at the time of the old one, once, and its receipt has the old id',
  covers('smpp.replace'),
  async (t) => {
    const own = await ownEsme(t);
    const phone = newPhone();
    const balance = await service.balance();
    const id = await later(own, phone);
    const price = balance - (await service.balance());
    for (const text of ['Between', 'After'])
      assert.equal((await replace(own, id, { short_message: text })).command_status, 0);
    assert.equal(await service.balance(), balance - price);
    const waiting = await own.ask('query_sm', { message_id: id });
    assert.deepEqual([waiting.message_id, waiting.message_state], [id, 1]);
    assert.deepEqual(await textsAt(phone), []);
    await service.advance(86_400);
    await deliveries(own, 1);
    assert.deepEqual([receiptOf(own.delivered[0]!).id, receiptOf(own.delivered[0]!).stat], [id, 'DELIVRD']);
    assert.deepEqual(await textsAt(phone), ['After']);
    assert.equal((await own.ask('query_sm', { message_id: id })).message_state, 2);
    const [row] = await service.sql<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM smpp_messages WHERE phone = ${stored(phone)}`;
    assert.equal(row!.count, 0);
  },
);

test('a new time, a longer text and no receipt', covers('smpp.replace'), async (t) => {
  const esme = await ownEsme(t);
  const phone = newPhone();
  const id = await later(esme, phone, { registered_delivery: 0 });
  const text = 'A longer text. '.repeat(20).trim();
  const { command_status } = await replace(esme, id, {
    message_payload: text,
    schedule_delivery_time: '000000000001000R',
    registered_delivery: 0,
  });
  assert.equal(command_status, 0);
  const arrived = await waitFor('the text', async () => (await textsAt(phone))[0]);
  assert.equal(arrived, text);
  await waitFor(
    'its state',
    async () => (await esme.ask('query_sm', { message_id: id })).message_state === 2,
  );
  assert.deepEqual(esme.delivered, []);
});

test('a text in UCS-2 is replaced by one in UCS-2', async (t) => {
  const esme = await ownEsme(t);
  const phone = newPhone();
  const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const id = await later(esme, phone, { data_coding: 8, short_message: ucs2('שלום') });
  const { command_status } = await replace(esme, id, {
    short_message: ucs2('להתראות'),
    schedule_delivery_time: '000000000001000R',
  });
  assert.equal(command_status, 0);
  assert.equal(await waitFor('the text', async () => (await textsAt(phone))[0]), 'להתראות');
});

test('a replaced message can be cancelled', async (t) => {
  const esme = await ownEsme(t);
  const balance = await service.balance();
  const id = await later(esme, newPhone());
  assert.equal((await replace(esme, id, { short_message: 'After' })).command_status, 0);
  assert.equal((await esme.ask('cancel_sm', { message_id: id })).command_status, 0);
  await deliveries(esme, 1);
  assert.deepEqual([receiptOf(esme.delivered[0]!).id, receiptOf(esme.delivered[0]!).stat], [id, 'DELETED']);
  assert.equal(await service.balance(), balance);
});

test('what is refused leaves the message as it was', async (t) => {
  const esme = await ownEsme(t);
  const phone = newPhone();
  const id = await later(esme, phone);
  const refusals: readonly (readonly [string, Record<string, unknown>, number])[] = [
    ['abc', {}, errorCode.ESME_RINVMSGID],
    ['1', {}, errorCode.ESME_RREPLACEFAIL],
    [id, { source_addr: 'Other' }, errorCode.ESME_RREPLACEFAIL],
    [id, { short_message: '' }, errorCode.ESME_RINVMSGLEN],
    [id, { schedule_delivery_time: 'tomorrow' }, errorCode.ESME_RINVSCHED],
    [id, { validity_period: '200101000000000+' }, errorCode.ESME_RINVEXPIRY],
    [id, { sm_default_msg_id: 7 }, errorCode.ESME_RINVDFTMSGID],
  ];
  for (const [of, fields, status] of refusals) {
    const answer = await replace(esme, of, { short_message: 'After', ...fields });
    assert.equal(answer.command_status, status, JSON.stringify(fields));
  }
  const gone = newPhone();
  const blocked = await later(esme, gone);
  await withToken(service.url, DEMO_TOKEN).post('/blacklist', { phones: [gone] });
  const answer = await replace(esme, blocked, { short_message: 'After' });
  assert.equal(answer.command_status, errorCode.ESME_RSUBMITFAIL);
  assert.equal((await esme.ask('query_sm', { message_id: blocked })).message_state, 1);
  await service.advance(86_400);
  await waitFor('the old text', async () => (await textsAt(phone)).includes('Before'));
});

test('what was sent, has several recipients or is in parts is not replaced', async (t) => {
  const esme = await ownEsme(t);
  const { message_id: sent } = await esme.submit({ destination_addr: newPhone(), short_message: 'Now' });
  const { message_id: several } = await esme.ask('submit_multi', {
    source_addr: 'Shop',
    dest_address: [newPhone(), newPhone()].map((destination_addr) => ({ destination_addr })),
    short_message: 'Hi',
    schedule_delivery_time: TOMORROW,
  });
  const part = (sequence: number) => ({
    sar_msg_ref_num: 7,
    sar_total_segments: 2,
    sar_segment_seqnum: sequence,
  });
  const phone = newPhone();
  const first = await later(esme, phone, part(1));
  const last = await later(esme, phone, part(2));
  for (const id of [String(sent), String(several), first, last]) {
    const { command_status } = await replace(esme, id, { short_message: 'After' });
    assert.equal(command_status, errorCode.ESME_RREPLACEFAIL, id);
  }
  const another = await later(esme, newPhone());
  assert.equal(
    (await replace(esme, another, { short_message: 'After', ...part(1) })).command_status,
    errorCode.ESME_RREPLACEFAIL,
  );
});

test('of several concurrent replacements each is whole', async (t) => {
  const esme = await ownEsme(t);
  const phone = newPhone();
  const balance = await service.balance();
  const id = await later(esme, phone);
  const price = balance - (await service.balance());
  const texts = ['One', 'Two', 'Three'];
  const answers = await Promise.all(texts.map((text) => replace(esme, id, { short_message: text })));
  assert.ok(answers.some(({ command_status }) => command_status === 0));
  assert.equal(await service.balance(), balance - price);
  await service.advance(86_400);
  await deliveries(esme, 1);
  const arrived = await textsAt(phone);
  assert.equal(arrived.length, 1);
  const accepted = texts.filter((_, at) => answers[at]!.command_status === 0);
  assert.ok(accepted.includes(arrived[0]!));
});
