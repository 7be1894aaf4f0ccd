import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { boundEsme, deliveries, receiptOf, startSmppService } from './support.ts';

/* Messages of SMPP clients to several recipients. */

const service = await startSmppService();
const { system_id: systemId } = await service.newClient();
const to = (destination_addr: string) => ({ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr });

test(
  'each recipient gets the text and a receipt, and malformed numbers are refused alone',
  covers('smpp.multi'),
  async (t) => {
    const esme = await boundEsme(t, service, systemId);
    const phones = newPhones(3);
    const answer = await esme.ask('submit_multi', {
      source_addr: 'Shop',
      // One recipient twice, in two spellings.
      dest_address: [...phones.map(to), to(stored(phones[0]!)), to('12')],
      short_message: 'To all of you',
      registered_delivery: 1,
    });
    assert.equal(answer.command_status, 0);
    const refused = answer.unsuccess_sme as Record<string, unknown>[];
    assert.deepEqual(
      refused.map(({ destination_addr, error_status_code }) => [destination_addr, error_status_code]),
      [['12', errorCode.ESME_RINVDSTADR]],
    );
    for (const phone of phones) {
      await waitFor('the text', async () => (await service.phone(phone)).length > 0);
      const texts = await service.phone(phone);
      assert.deepEqual(
        texts.map(({ text }) => text),
        ['To all of you'],
      );
    }
    await deliveries(esme, 3);
    assert.ok(esme.delivered.every((pdu) => receiptOf(pdu).id === answer.message_id));
    assert.deepEqual(esme.delivered.map(({ source_addr }) => source_addr).sort(), phones.toSorted());
  },
);

test('a recipient on the blacklist gets a receipt of the refusal', async (t) => {
  const client = await service.newClient();
  const esme = await boundEsme(t, service, client.system_id);
  const [blocked, other] = newPhones(2) as [string, string];
  await service.owner.post('/blacklist', { phones: [blocked] });
  const answer = await esme.ask('submit_multi', {
    source_addr: 'Shop',
    dest_address: [to(blocked), to(other)],
    short_message: 'Hi',
    registered_delivery: 1,
  });
  assert.equal(answer.command_status, 0);
  await deliveries(esme, 2);
  const stats = new Map(esme.delivered.map((pdu) => [pdu.source_addr, receiptOf(pdu).stat]));
  assert.deepEqual([stats.get(blocked), stats.get(other)], ['REJECTD', 'DELIVRD']);
});

test('a message without a usable destination is refused as a whole', async (t) => {
  const esme = await boundEsme(t, service, systemId);
  for (const [dest_address, status] of [
    [[], errorCode.ESME_RINVNUMDESTS],
    [[to('12'), to('x')], errorCode.ESME_RINVDSTADR],
    [[to(newPhone()), { dl_name: 'friends' }], errorCode.ESME_RINVDLNAME],
  ] as const) {
    const answer = await esme.ask('submit_multi', {
      source_addr: 'Shop',
      dest_address,
      short_message: 'Hi',
    });
    assert.equal(answer.command_status, status);
  }
});
