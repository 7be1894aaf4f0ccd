import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { command, esmClass, tag } from '../../../server/protocols/smpp/commands.ts';
import type { MessagePdu, Tlv } from '../../../server/protocols/smpp/pdu.ts';
import { isReceipt, readReceipt } from '../../../server/protocols/smpp/receipt.ts';
import { covers } from '../../conformance/covers.ts';
import { messagePdu } from './support.ts';

const tlv = (id: number, value: Buffer): Tlv => ({ tag: id, value });
const idTlv = (id: string) => tlv(tag.receiptedMessageId, Buffer.from(`${id}\0`));
const stateTlv = (state: number) => tlv(tag.messageState, Buffer.from([state]));

function receipt(fields: Partial<MessagePdu>): MessagePdu {
  return { ...messagePdu(command.deliverSm), source: '972501234567', esmClass: 4, ...fields };
}

const read = (text: string, fields: Partial<MessagePdu> = {}, errors: Record<string, number> = {}) =>
  readReceipt(receipt(fields), text, errors);

test('the stat of the text form becomes a delivery status', covers('delivery.stat'), () => {
  const expected: [stat: string, status: number][] = [
    ['DELIVRD', 102],
    ['EXPIRED', 103],
    ['DELETED', 104],
    ['UNDELIV', 101],
    ['ACCEPTD', -1],
    ['ENROUTE', -1],
    ['REJECTD', 108],
    ['UNKNOWN', 105],
    ['delivered', 102],
    ['SOMETHING', 105],
  ];
  for (const [stat, status] of expected) {
    const text = `id:0A1b sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:${stat} err:007 text:hi`;
    assert.deepEqual(read(text), {
      carrierId: '0A1b',
      status,
      code: `${stat.toUpperCase()}/007`,
      destination: '972501234567',
    });
  }
});

test('the message_state parameter becomes a delivery status', covers('delivery.stat'), () => {
  const expected = [-1, 102, 103, 104, 101, -1, 105, 108];
  for (const [index, status] of expected.entries()) {
    const found = read('', { tlvs: [idTlv('77'), stateTlv(index + 1)] });
    assert.deepEqual([found?.carrierId, found?.status], ['77', status]);
  }
});

test('fields are found in any order, case and spacing', () => {
  const forms = [
    'id:42 sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:DELIVRD err:000 text:',
    'ID: 42  STAT: DELIVRD  ERR: 000',
    'stat:DELIVRD err:000 id:42',
    'id :42,stat : DELIVRD,err:000',
    'id:42;stat:DELIVRD;err:000;text:id:99 stat:EXPIRED err:001',
    'text:hello id:42 stat:DELIVRD err:000',
    'id:42\r\nstat:DELIVRD\r\nerr:000',
    'id:"42" sub:"001" stat:"DELIVRD" err:"000" text:"id:99 stat:EXPIRED"',
    "id:'42' stat:'DELIVRD' err:'000'",
    '"id":"42","stat":"DELIVRD","err":"000"',
    'text:"hello id:99 stat:EXPIRED" id:42 stat:DELIVRD err:000',
    'id: " 42 " submit date:"26-01-01 12:00:00" stat:"DELIVRD" err:"000"',
    '"id:42 sub:001 dlvrd:001 submit date:2601011200 done date:2601011201 stat:DELIVRD err:000 text:hello"',
    '"id:42 sub:001 dlvrd:001 stat:DELIVRD err:000"',
    "'stat:DELIVRD err:000 id:42'",
    '"id:"42" stat:"DELIVRD" err:"000""',
    ' "id:42, stat:DELIVRD, err:000"',
    '{"id":"42","stat":"DELIVRD","err":"000","text":"id:99"}',
    '{id:42,stat:DELIVRD,err:000}',
    // Receipts of SMSCs without `sub` and `dlvrd`, and with dates to the second.
    'id:42 submit date:1701240904 done date:1701240904 stat:DELIVRD err:000 text:hellow',
    'id:42 sub:000 dlvrd:000 submit date:180711070003912+ done date:180711070000012+ stat:DELIVRD err:000',
  ];
  for (const form of forms) {
    assert.deepEqual(
      read(form),
      { carrierId: '42', status: 102, code: 'DELIVRD/000', destination: '972501234567' },
      form,
    );
  }
});

test('missing fields do not take their neighbours', () => {
  assert.equal(read('id:"" stat:"DELIVRD"'), null);
  assert.equal(read('id: sub:001 stat:DELIVRD'), null);
  assert.equal(read('nothing of the kind'), null);
  assert.equal(read('msgid:42 stat:DELIVRD'), null);
  assert.equal(read('"id: sub:001 stat:DELIVRD"'), null);
  assert.equal(read('"grid:42 stat:DELIVRD"'), null);
  assert.deepEqual(read('id:42 stat:DELIVRD')?.code, 'DELIVRD');
  assert.deepEqual(read('id:42')?.status, 105);
  // What the sender wrote is not the network's word.
  assert.deepEqual(read('id:42 stat:UNDELIV text:err:999')?.code, 'UNDELIV');
});

test('parameters win over the text', () => {
  const tlvs = [idTlv('abc'), stateTlv(5), tlv(tag.networkErrorCode, Buffer.from([3, 1, 0x2c]))];
  assert.deepEqual(read('id:42 stat:DELIVRD err:000', { tlvs }), {
    carrierId: 'abc',
    status: 101,
    code: 'UNDELIV/300',
    destination: '972501234567',
  });
});

test('an intermediate notification is never final', () => {
  assert.equal(read('id:42 stat:UNDELIV', { esmClass: esmClass.intermediate })?.status, -1);
});

test('the err codes of a connector give the status of what was not delivered', () => {
  assert.equal(read('id:42 stat:UNDELIV err:015', {}, { '015': 15 })?.status, 15);
  assert.equal(read('id:42 stat:DELIVRD err:015', {}, { '015': 15 })?.status, 102);
  assert.equal(read('id:42 stat:UNDELIV err:toString', {}, {})?.status, 101);
});

test('a receipt is recognized by esm_class, or by the parameters that only receipts have', () => {
  assert.equal(isReceipt(receipt({ esmClass: 0x04 })), true);
  assert.equal(isReceipt(receipt({ esmClass: 0x44 })), true);
  assert.equal(isReceipt(receipt({ esmClass: 0x20 })), true);
  assert.equal(isReceipt(receipt({ esmClass: 0x00 })), false);
  assert.equal(isReceipt(receipt({ esmClass: 0x40 })), false);
  assert.equal(isReceipt(receipt({ esmClass: 0, tlvs: [idTlv('1'), stateTlv(2)] })), true);
  assert.equal(isReceipt(receipt({ esmClass: 0, tlvs: [idTlv('1')] })), false);
});

test('any text and parameters are read or refused, and never throw', () => {
  const values = fc.uint8Array({ maxLength: 6 }).map((octets) => Buffer.from(octets));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), values, values, values, (text, id, state, error) => {
      const tlvs = [
        tlv(tag.receiptedMessageId, id),
        tlv(tag.messageState, state),
        tlv(tag.networkErrorCode, error),
      ];
      read(text, { tlvs });
      read(`id:${text} stat:${text} err:${text}`);
    }),
  );
});
