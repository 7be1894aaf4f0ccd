import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import smpp, { type Pdu, type Session } from 'smpp';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import type { MessagePdu, MessageRespPdu } from '../../../server/protocols/smpp/pdu.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from '../v1/calls.ts';
import { boundRaw, type RawPeer, submitPdu } from './raw-peer.ts';
import { boundEsme, startSmppService } from './support.ts';

/*
 * What a client asks of the network beyond the text reaches the carrier, which is the npm package `smpp`: message classes, and
 * the parameters that vendors define.
 */

const SEND_KEY_TAG = 0x1501;
const sessions: Session[] = [];
const submitted: Pdu[] = [];
/** command_status of the answer. */
let answer: (pdu: Pdu) => number = () => 0;

const carrier = smpp.createServer((session) => {
  sessions.push(session);
  session.on('error', () => {});
  session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()));
  session.on('bind_transceiver', (pdu: Pdu) => session.send(pdu.response()));
  session.on('submit_sm', (pdu: Pdu) => {
    submitted.push(pdu);
    session.send(pdu.response({ message_id: `ID${submitted.length}`, command_status: answer(pdu) }));
  });
});
await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve));
after(() => {
  for (const session of sessions) session.destroy();
  carrier.close();
});
const { port } = carrier.address() as { port: number };
const service = await startSmppService({
  SMPP_SERVER_SEND_KEY_TAG: `0x${SEND_KEY_TAG.toString(16)}`,
  KANNEL_API: 'on',
});
const operator = await asPerson(service, 'operator');
await operator.post('/operator/connectors', {
  name: 'package',
  smpp: { host: '127.0.0.1', port, system_id: 'carillon', password: 'secret' },
});
await operator.post('/operator/routes', { prefix: '972', connectors: [{ connector: 'package' }] });
const { system_id: systemId } = await service.newClient();

/** The messages, or their parts, that reached the carrier. */
const submittedTo = (phone: string, count = 1): Promise<readonly Pdu[]> =>
  waitFor(`${count} of ${phone}`, () => {
    const mine = submitted.filter(({ destination_addr }) => destination_addr === stored(phone));
    return mine.length >= count && mine;
  });

/** Parameters that the package does not know are octets under their number. */
const parameterOf = (pdu: Pdu, tag: number) => (pdu[tag] as Buffer | undefined)?.toString('latin1');

let sequence = 100;
async function submit(peer: RawPeer, phone: string, over: Partial<MessagePdu>): Promise<MessageRespPdu> {
  const mine = ++sequence;
  peer.socket.write(encodePdu(submitPdu(mine, phone, over)));
  return (await peer.answer(command.submitSmResp, mine)) as MessageRespPdu;
}

const tlv = (tag: number, value: string) => ({ tag, value: Buffer.from(value) });

test(
  'parameters of vendors are passed on, others and the send key are not',
  covers('smpp.options'),
  async (t) => {
    const peer = await boundRaw(t, service.port, systemId);
    const phone = newPhone();
    const tlvs = [
      tlv(0x1400, '1101234567890'),
      tlv(0x3fff, 'last'),
      tlv(0x13ff, 'of the standard'),
      tlv(0x4000, 'of nobody'),
      tlv(SEND_KEY_TAG, 'order-1'),
    ];
    assert.equal((await submit(peer, phone, { tlvs })).status, 0);
    const [pdu] = await submittedTo(phone);
    assert.deepEqual(
      [0x1400, 0x3fff, 0x13ff, 0x4000, SEND_KEY_TAG].map((tag) => parameterOf(pdu!, tag)),
      ['1101234567890', 'last', undefined, undefined, undefined],
    );
  },
);

test('they are there at each attempt, and after a wait for the scheduled time', async (t) => {
  const peer = await boundRaw(t, service.port, systemId);
  const [again, later] = [newPhone(), newPhone()];
  answer = ({ destination_addr }) =>
    destination_addr === stored(again) &&
    submitted.filter((one) => one.destination_addr === destination_addr).length === 1
      ? errorCode.ESME_RSYSERR
      : 0;
  const tlvs = [tlv(0x1400, '1101')];
  await submit(peer, again, { tlvs, dataCoding: 0xf0 });
  await submit(peer, later, { tlvs, dataCoding: 0xf0, scheduleTime: '000000000005000R' });
  for (const phone of [again, later]) {
    const all = await waitFor('the submission', async () => {
      await service.advance(60);
      const mine = submitted.filter(({ destination_addr }) => destination_addr === stored(phone));
      return mine.length >= (phone === again ? 2 : 1) && mine;
    });
    for (const pdu of all) assert.deepEqual([parameterOf(pdu, 0x1400), pdu.data_coding], ['1101', 0xf0]);
  }
});

test('parts are joined with the options of the first one, and each new part has them', async (t) => {
  const peer = await boundRaw(t, service.port, systemId);
  const phone = newPhone();
  for (const part of [1, 2]) {
    const header = Buffer.from([5, 0, 3, 77, 2, part]);
    const shortMessage = Buffer.concat([header, Buffer.from('a long text '.repeat(12))]);
    const tlvs = part === 1 ? [tlv(0x1400, 'first')] : [];
    const { status } = await submit(peer, phone, { esmClass: 0x40, shortMessage, tlvs, dataCoding: 0xf0 });
    assert.equal(status, 0);
  }
  for (const pdu of await submittedTo(phone, 2))
    assert.deepEqual([parameterOf(pdu, 0x1400), pdu.data_coding], ['first', 0xf0]);
});

test('a replaced message keeps them', async (t) => {
  const [peer, esme] = [await boundRaw(t, service.port, systemId), await boundEsme(t, service, systemId)];
  const phone = newPhone();
  const { messageId } = await submit(peer, phone, {
    tlvs: [tlv(0x1400, '1101')],
    scheduleTime: '000001000000000R',
  });
  const { command_status } = await esme.ask('replace_sm', {
    message_id: messageId,
    short_message: 'After',
    schedule_delivery_time: '000000000001000R',
  });
  assert.equal(command_status, 0);
  const [pdu] = await submittedTo(phone);
  assert.equal(parameterOf(pdu!, 0x1400), '1101');
});

test(
  'classes of messages are passed on, also by the interface of Kannel',
  covers('smpp.options'),
  async (t) => {
    const peer = await boundRaw(t, service.port, systemId);
    const ucs2 = Buffer.from('שלום', 'utf16le').swap16();
    for (const [dataCoding, shortMessage, expected] of [
      [0xf0, Buffer.from('Hi'), 0xf0],
      [0x11, Buffer.from('Hi'), 0xf1],
      [0x18, ucs2, 0x18],
      [0, Buffer.from('Hi'), 0],
      [8, ucs2, 8],
    ] as const) {
      const phone = newPhone();
      assert.equal((await submit(peer, phone, { dataCoding, shortMessage })).status, 0);
      const [pdu] = await submittedTo(phone);
      assert.equal(pdu!.data_coding, expected);
    }
    const phone = newPhone();
    const { token } = await service.addAccount({ username: 'by-kannel' });
    const query = new URLSearchParams({
      ...{ user: 'by-kannel', pass: token, from: 'Shop', to: phone, text: 'Flash', mclass: '0' },
    });
    const response = await fetch(`${service.url}/cgi-bin/sendsms?${query}`);
    assert.equal(response.status, 202, await response.text());
    const [pdu] = await submittedTo(phone);
    assert.equal(pdu!.data_coding, 0xf0);
  },
);

test('parameters of over 1,024 octets are refused', async (t) => {
  const peer = await boundRaw(t, service.port, systemId);
  const phone = newPhone();
  const tlvs = [tlv(0x1400, 'x'.repeat(1_000)), tlv(0x1401, 'x'.repeat(25))];
  assert.equal((await submit(peer, phone, { tlvs })).status, errorCode.ESME_RINVPARLEN);
  assert.deepEqual(
    submitted.filter(({ destination_addr }) => destination_addr === stored(phone)),
    [],
  );
});
