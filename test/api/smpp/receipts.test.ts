import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmppMessages } from '../../../server/api/smpp/messages.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  boundEsme,
  deliveries,
  type Ends,
  type Esme,
  receiptOf,
  startSmppService,
  textOf,
} from './support.ts';

/* Receipts and incoming messages that wait for receivers. */

const service = await startSmppService();

/** Number of deliveries of a client that wait or are unanswered. */
async function waiting(systemId: string): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM smpp_deliveries d JOIN smpp_clients c ON c.id = d.client_id
    WHERE c.system_id = ${systemId}`;
  return row!.count;
}

/** Number of messages of a client whose receipt is due or on its way without a delivery. */
async function open(systemId: string): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM smpp_messages m JOIN smpp_clients c ON c.id = m.client_id
    WHERE c.system_id = ${systemId}`;
  return row!.count;
}

async function send(esme: Esme, count: number): Promise<unknown[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      esme.submit({ destination_addr: newPhone(), short_message: 'Hi', registered_delivery: 1 }),
    ),
  );
  return answers.map(({ message_id }) => message_id);
}

/** A client with three receipts that its receiver does not answer. */
async function unanswered(t: Ends) {
  const { system_id } = await service.newClient();
  const silent = await boundEsme(t, service, system_id, 'receiver');
  silent.answer = () => undefined;
  const transmitter = await boundEsme(t, service, system_id, 'transmitter');
  const ids = await send(transmitter, 3);
  await deliveries(silent, 3);
  return { system_id, silent, ids };
}

test(
  'receipts wait while no receiver is bound, and come when one is',
  covers('smpp.receipts.kept'),
  async (t) => {
    const { system_id } = await service.newClient();
    const transmitter = await boundEsme(t, service, system_id, 'transmitter');
    const ids = await send(transmitter, 5);
    await waitFor('the receipts', async () => (await waiting(system_id)) === 5);
    assert.equal(transmitter.delivered.length, 0);
    const receiver = await boundEsme(t, service, system_id, 'receiver');
    await deliveries(receiver, 5);
    assert.deepEqual(receiver.delivered.map((pdu) => receiptOf(pdu).id).sort(), ids.sort());
    await waitFor('the acknowledged receipts to be deleted', async () => (await waiting(system_id)) === 0);
    assert.equal(
      (await receiver.submit({ destination_addr: newPhone(), short_message: 'Hi' })).command_status,
      4,
    );
  },
);

test(
  'a receipt whose receiver ends without an answer goes to another one',
  covers('smpp.receipts.again'),
  async (t) => {
    const { system_id, silent, ids } = await unanswered(t);
    assert.deepEqual([await open(system_id), await waiting(system_id)], [3, 0]);
    const receiver = await boundEsme(t, service, system_id, 'receiver');
    silent.session.destroy();
    await deliveries(receiver, 3);
    assert.deepEqual(receiver.delivered.map((pdu) => receiptOf(pdu).id).sort(), ids.sort());
    await waitFor('the receipts to be deleted', async () => (await waiting(system_id)) === 0);
    assert.equal(await open(system_id), 0);
  },
);

test(
  'a receipt whose process ends without an answer is found after a minute',
  covers('smpp.receipts.again'),
  async (t) => {
    const { system_id, silent, ids } = await unanswered(t);
    // As another process does, which does not know the receipts that this one has sent.
    const { sql, clock, ids: newIds } = service.appContext;
    const messages = new SmppMessages({
      ...{ sql, clock, ids: newIds, keepMs: 60_000, announce() {} },
      receivers: () => undefined,
    });
    await messages.sweep();
    assert.deepEqual([await open(system_id), await waiting(system_id)], [3, 0]);
    await service.advance(61);
    await messages.sweep();
    assert.equal(await open(system_id), 0);
    silent.session.destroy();
    const receiver = await boundEsme(t, service, system_id, 'receiver');
    await deliveries(receiver, 3);
    assert.deepEqual(receiver.delivered.map((pdu) => receiptOf(pdu).id).sort(), ids.sort());
    await waitFor('the receipts to be deleted', async () => (await waiting(system_id)) === 0);
  },
);

test('receipts beyond the window of a receiver wait', async (t) => {
  const { system_id } = await service.newClient({ window: 3 });
  const receiver = await boundEsme(t, service, system_id, 'receiver');
  const held: (() => void)[] = [];
  receiver.answer = (pdu) => {
    held.push(() => receiver.session.send(pdu.response()));
    return undefined;
  };
  const transmitter = await boundEsme(t, service, system_id, 'transmitter');
  for (let i = 0; i < 3; i++) await send(transmitter, 3);
  await waitFor('the receipts', async () => (await waiting(system_id)) + held.length === 9);
  assert.equal(held.length, 3);
  receiver.answer = () => 0;
  for (const answer of held) answer();
  await waitFor('all receipts', async () => (await waiting(system_id)) + (await open(system_id)) === 0);
  assert.equal(receiver.delivered.length, 9);
});

test(
  'a refused receipt is sent again later, and one refused for good is not',
  covers('smpp.receipts.again'),
  async (t) => {
    const { system_id } = await service.newClient();
    const esme = await boundEsme(t, service, system_id);
    esme.answer = () => errorCode.ESME_RX_T_APPN;
    const [id] = await send(esme, 1);
    await deliveries(esme, 1);
    await waitFor('the receipt to be postponed', async () => {
      const [row] = await service.sql<{ later: boolean }[]>`
      SELECT due_at > ${service.appContext.clock.now()} AS later FROM smpp_deliveries
      WHERE lease_owner IS NULL AND attempts = 1`;
      return row?.later;
    });
    assert.equal(await waiting(system_id), 1);
    esme.answer = () => errorCode.ESME_RX_R_APPN;
    await service.advance(10);
    await deliveries(esme, 2);
    assert.equal(receiptOf(esme.delivered[1]!).id, id);
    await waitFor('the receipt to be deleted', async () => (await waiting(system_id)) === 0);
  },
);

test('the window of a client also limits receipts without an answer', async (t) => {
  const { system_id } = await service.newClient({ window: 3 });
  const transmitter = await boundEsme(t, service, system_id, 'transmitter');
  for (let i = 0; i < 3; i++) await send(transmitter, 3);
  await waitFor('the receipts', async () => (await waiting(system_id)) === 9);
  const receiver = await boundEsme(t, service, system_id, 'receiver');
  const held: (() => void)[] = [];
  receiver.answer = (pdu) => {
    held.push(() => receiver.session.send(pdu.response()));
    return undefined;
  };
  await waitFor('a full window', () => held.length === 3);
  const claimed = await service.sql`SELECT FROM smpp_deliveries WHERE lease_owner IS NOT NULL`;
  assert.equal(claimed.length, 3);
  receiver.answer = () => 0;
  for (const answer of held) answer();
  await waitFor('all receipts', async () => (await waiting(system_id)) === 0);
  assert.equal(receiver.delivered.length, 9);
});

test(
  'incoming messages go to the clients that receive them, long ones in parts',
  covers('smpp.incoming'),
  async (t) => {
    const number = newPhone();
    await service.appContext.sources.approve(service.demo.id, stored(number), { incoming: true });
    const [with_, without] = [await service.newClient(), await service.newClient({ incoming: false })];
    const receiver = await boundEsme(t, service, with_.system_id);
    const other = await boundEsme(t, service, without.system_id);
    const from = newPhone();
    await service.sendFromPhone(from, number, 'Is it open on Friday?');
    await deliveries(receiver, 1);
    const [pdu] = receiver.delivered;
    assert.deepEqual(
      [pdu!.source_addr, pdu!.destination_addr, pdu!.esm_class, textOf(pdu!)],
      [stored(from), stored(number), 0, 'Is it open on Friday?'],
    );
    const long = 'שאלה ארוכה מאוד, '.repeat(12);
    await service.sendFromPhone(from, number, long);
    const parts = Math.ceil(long.length / 67);
    await deliveries(receiver, 1 + parts);
    const rest = receiver.delivered.slice(1);
    assert.ok(rest.every(({ esm_class, data_coding }) => esm_class === 0x40 && data_coding === 8));
    assert.equal(rest.map(textOf).join(''), long);
    await waitFor('the deliveries to be deleted', async () => (await waiting(with_.system_id)) === 0);
    assert.equal(other.delivered.length, 0);
  },
);

test('receipts are kept for the days of the setting', async (t) => {
  const { system_id } = await service.newClient();
  await send(await boundEsme(t, service, system_id, 'transmitter'), 1);
  await waitFor('the receipt', async () => (await waiting(system_id)) === 1);
  const [row] = await service.sql<{ days: number }[]>`
    SELECT ((expires_at - due_at) / 86400000)::int AS days FROM smpp_deliveries`;
  assert.equal(row!.days, 3);
});

test('a message that another API cancels gets its receipt, too', async (t) => {
  const { system_id } = await service.newClient();
  const esme = await boundEsme(t, service, system_id);
  const { message_id } = await esme.submit({
    destination_addr: newPhone(),
    short_message: 'Later',
    schedule_delivery_time: '000001000000000R',
    registered_delivery: 1,
  });
  const { status } = await service.call('json', 'cancel', { campaign_id: String(message_id) });
  assert.equal(status, 0);
  await deliveries(esme, 1);
  assert.equal(receiptOf(esme.delivered[0]!).stat, 'DELETED');
});
