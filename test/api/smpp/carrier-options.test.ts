import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import smpp, { type Pdu, type Session } from 'smpp';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import type { MessagePdu, MessageRespPdu } from '../../../server/protocols/smpp/pdu.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from '../v1/calls.ts';
import { boundRaw, type RawPeer, submitPdu } from './raw-peer.ts';
import { boundEsme, startSmppService } from './support.ts';

/*
 * What a client asks of the network beyond the text reaches the carrier, which is the npm package `smpp`: message classes, and
 * the parameters that vendors define. Some of these have ids of India's DLT, also in the interfaces of Kannel and Jasmin.
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
  ...{ KANNEL_API: 'on', JASMIN_API: 'on' },
});
const operator = await asPerson(service, 'operator');
await operator.post('/operator/connectors', {
  name: 'package',
  smpp: {
    ...{ host: '127.0.0.1', port, system_id: 'carillon', password: 'secret' },
    parameters: [{ tag: '0x1600', value: '{dlt.entity}/{dlt.template}' }],
  },
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
    const tlvs = part === 1 ? [tlv(0x1400, '1102')] : [];
    const { status } = await submit(peer, phone, { esmClass: 0x40, shortMessage, tlvs, dataCoding: 0xf0 });
    assert.equal(status, 0);
  }
  for (const pdu of await submittedTo(phone, 2))
    assert.deepEqual([parameterOf(pdu, 0x1400), pdu.data_coding], ['1102', 0xf0]);
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

test(
  'parameters with DLT ids are those of the message, and others of that tag are refused',
  covers('smpp.dlt'),
  async (t) => {
    const peer = await boundRaw(t, service.port, systemId);
    const phone = newPhone();
    const tlvs = [
      tlv(0x1400, '1101123456789012345\0'),
      tlv(0x1401, '1107987654321098765'),
      tlv(0x1402, 'chain'),
    ];
    assert.equal((await submit(peer, phone, { tlvs })).status, 0);
    const [pdu] = await submittedTo(phone);
    // The connector adds the parameter 0x1600 with both placeholders; those of the client are passed on as they are.
    assert.deepEqual(
      [0x1400, 0x1401, 0x1402, 0x1600].map((tag) => parameterOf(pdu!, tag)),
      ['1101123456789012345\0', '1107987654321098765', 'chain', '1101123456789012345/1107987654321098765'],
    );
    for (const [tag, value] of [
      [0x1400, 'PE1101'],
      [0x1401, '1'.repeat(31)],
      [0x1401, '11 07'],
    ] as const) {
      const { status } = await submit(peer, newPhone(), { tlvs: [tlv(tag, value)] });
      assert.equal(status, errorCode.ESME_RINVOPTPARAMVAL);
    }
    const without = newPhone();
    assert.equal((await submit(peer, without, { tlvs: [tlv(0x1400, '')] })).status, 0);
    const [plain] = await submittedTo(without);
    assert.equal(parameterOf(plain!, 0x1600), undefined);
  },
);

test(
  'the interface of Kannel reads DLT ids from the group smpp of meta-data',
  covers('kannel.dlt'),
  async () => {
    const { token } = await service.addAccount({ username: 'in-india' });
    const send = (to: string, metaData: string) => {
      const fields = { user: 'in-india', pass: token, from: 'Shop', to, text: 'Code', 'meta-data': metaData };
      return fetch(`${service.url}/cgi-bin/sendsms?${new URLSearchParams(fields)}`);
    };
    const phone = newPhone();
    const accepted = await send(
      phone,
      '?http?pe_id=7?smpp?Template-ID=1107987654321098765&PE_ID=1101&other=x',
    );
    assert.equal(accepted.status, 202, await accepted.text());
    const [pdu] = await submittedTo(phone);
    assert.equal(parameterOf(pdu!, 0x1600), '1101/1107987654321098765');
    const refused = await send(newPhone(), '?smpp?PE_ID=PE-1101');
    assert.deepEqual([refused.status, await refused.text()], [400, 'meta-data: misformed, rejected']);
  },
);

test(
  'the interface of Jasmin reads DLT ids and passes on parameters from custom_tlvs of a JSON body',
  covers('jasmin.tlvs'),
  async () => {
    const send = (to: string, tlvs: unknown, more: object = {}) =>
      fetch(`${service.url}/jasmin/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ username: 'demo', password: DEMO_TOKEN, to, from: 'Shop', content: 'Code' },
          ...{ custom_tlvs: tlvs, ...more },
        }),
      });
    const phone = newPhone();
    const given = [
      [0x1400, null, 'COctetString', '1101'],
      [0x1401, null, 'OctetString', '1107987654321098765'],
      [0x3001, null, 'Int2', 5_000],
      [0x3002, 1, 'Int1', '0x2a'],
    ];
    const accepted = await send(stored(phone), given, { priority: 2 });
    assert.equal(accepted.status, 200, await accepted.text());
    const [pdu] = await submittedTo(phone);
    assert.deepEqual(
      [0x1400, 0x1401, 0x3001, 0x3002, 0x1600].map((tag) => parameterOf(pdu!, tag)),
      ['1101\0', '1107987654321098765', '\x13\x88', '*', '1101/1107987654321098765'],
    );
    assert.equal((await send(stored(newPhone()), [])).status, 200);
    for (const wrong of [
      'text',
      [[0x1400, null, 'OctetString', 'PE-1']],
      [[0x1400, null, 'OctetString']],
      [[0x13ff, null, 'OctetString', '1']],
      [[0x4000, null, 'OctetString', '1']],
      [[0x3001, null, 'Int1', 256]],
      [[0x3001, null, 'Int3', 1]],
      [[0x3001, null, 'toString', 1]],
      [[0x3001, null, 'OctetString', { a: 1 }]],
      [[0x3001, null, 'OctetString', 'x'.repeat(1_025)]],
      [
        [0x3001, null, 'Int1', 1],
        [0x3001, null, 'Int1', 2],
      ],
      Array.from({ length: 21 }, (_, index) => [0x3001 + index, null, 'Int1', 1]),
    ]) {
      const refused = await send(stored(newPhone()), wrong);
      assert.equal(refused.status, 400, JSON.stringify(wrong));
      assert.match(await refused.text(), /^Error "Argument \[custom_tlvs\] has an invalid value: .*"$/);
    }
    for (const body of ['[]', '{', '7']) {
      const headers = { 'content-type': 'application/json' };
      const refused = await fetch(`${service.url}/jasmin/send`, { method: 'POST', headers, body });
      assert.equal(refused.status, 400);
    }
  },
);
