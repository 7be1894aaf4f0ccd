import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import type { MessageRespPdu } from '../../../server/protocols/smpp/pdu.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { boundRaw, type RawPeer, submitPdu } from './raw-peer.ts';
import { startSmppService } from './support.ts';

/* Send keys in a parameter with the tag of the setting. */

const TAG = 0x1501;
const service = await startSmppService({ SMPP_SERVER_SEND_KEY_TAG: '0x1501' });
const { system_id: systemId } = await service.newClient();

let sequence = 100;
async function submit(peer: RawPeer, phone: string, key: string, text = 'Hi'): Promise<MessageRespPdu> {
  const mine = ++sequence;
  const tlvs = [{ tag: TAG, value: Buffer.from(key) }];
  const pdu = submitPdu(mine, phone, { tlvs, shortMessage: Buffer.from(text) });
  peer.socket.write(encodePdu(pdu));
  return (await peer.answer(command.submitSmResp, mine)) as MessageRespPdu;
}

test('a message with a known send key is answered and not sent again', covers('smpp.key'), async (t) => {
  const peer = await boundRaw(t, service.port, systemId);
  const phone = newPhone();
  const first = await submit(peer, phone, 'order-17');
  const second = await submit(peer, phone, 'order-17\0');
  assert.deepEqual([first.status, second.status], [0, 0]);
  assert.equal(second.messageId, first.messageId);
  const other = await submit(peer, phone, 'order-18');
  assert.notEqual(other.messageId, first.messageId);
  await waitFor('two texts', async () => (await service.phone(phone)).length === 2);
});

test('a send key of another message, and one that cannot be read, are refused', async (t) => {
  const peer = await boundRaw(t, service.port, systemId);
  const phone = newPhone();
  await submit(peer, phone, 'order-19');
  const reused = await submit(peer, phone, 'order-19', 'Another text');
  assert.equal(reused.status, errorCode.ESME_RSUBMITFAIL);
  for (const key of ['', 'with\ttab', 'x'.repeat(256)])
    assert.equal((await submit(peer, phone, key)).status, errorCode.ESME_RINVOPTPARAMVAL);
});
