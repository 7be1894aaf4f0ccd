import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part } from '../../../server/protocols/smpp/outgoing.ts';
import { startNetwork } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from './support.ts';

/* Messages as foreign phones write them: in any coding, cut anywhere. All that is acknowledged is stored. */

const network = await startNetwork();
const { smsc } = network;
const { sql, appContext, ...service } = await startDispatching(network, { name: 'incoming' });
const owner = await service.account('owner', 10);
const number = '972550000001';
await appContext.sources.approve(owner.id, number, { incoming: true });

const noTlvs: Part['tlvs'] = [];
const whole = (dataCoding: number, octets: Buffer): Part => {
  return { esmClass: 0, dataCoding, shortMessage: octets, tlvs: noTlvs };
};
const part = (sequence: number, total: number, dataCoding: number, octets: Buffer): Part => ({
  ...whole(dataCoding, Buffer.concat([Buffer.from([5, 0, 3, 77, total, sequence]), octets])),
  esmClass: 0x40,
});
const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();

let lastPhone = 972_501_000_000;

/** What is stored of these parts from a new phone. */
async function stored(parts: readonly Part[]) {
  const phone = String(++lastPhone);
  smsc.sendPartsFromPhone('carillon', phone, number, parts);
  const [row] = await waitFor('it is stored', async () => {
    const rows = await sql<{ text: string; octets: Buffer | null; data_coding: number | null }[]>`
      SELECT text, octets, data_coding FROM incoming WHERE account_id = ${owner.id} AND source = ${phone}`;
    return rows.length > 0 && rows;
  });
  return { phone, ...row! };
}

test('STOP removes in each coding that carries it', async () => {
  const sent = [
    ...[0x00, 0x10, 0x11, 0x51, 0xc0, 0xd8, 0xf1].map((coding) => whole(coding, Buffer.from('STOP'))),
    ...[0x08, 0x18, 0x19, 0xe0, 0xe8].map((coding) => whole(coding, ucs2('STOP'))),
  ];
  for (const message of sent) {
    const { phone, text, octets } = await stored([message]);
    assert.deepEqual([text, octets], ['STOP', null], `coding ${message.dataCoding}`);
    const [removed] = await sql`SELECT FROM blacklist WHERE account_id = ${owner.id} AND phone = ${phone}`;
    assert.ok(removed, `coding ${message.dataCoding}`);
  }
});

test('an emoji that is cut between two parts is whole, in either order, and NUL is left out', async () => {
  const octets = ucs2('\0Hi 😀!');
  const cut = octets.indexOf(0xd8) + 2;
  const parts = [part(1, 2, 8, octets.subarray(0, cut)), part(2, 2, 8, octets.subarray(cut))];
  assert.equal((await stored(parts)).text, 'Hi 😀!');
  assert.equal((await stored(parts.toReversed())).text, 'Hi 😀!');
  assert.equal((await stored([whole(8, octets)])).text, 'Hi 😀!');
});

test('data is kept as its octets, in one part and in two', async () => {
  const octets = Buffer.from([0x00, 0xff, 0x41]);
  const { phone: _, ...row } = await stored([whole(0xf5, octets)]);
  assert.deepEqual(row, { text: 'binary(245): 00FF41', octets, data_coding: 245 });
  const joined = await stored([part(2, 2, 4, octets.subarray(1)), part(1, 2, 4, octets.subarray(0, 1))]);
  assert.deepEqual([joined.text, joined.octets], ['binary(4): 00FF41', octets]);
});

test('the ports of data are kept, in one part and in two; a Turkish text is whole', async () => {
  const octets = Buffer.from([0x01, 0x06, 0xff]);
  const ports = [5, 4, 0x0b, 0x84, 0x23, 0xf0];
  const header = (...elements: number[]) => Buffer.from([elements.length, ...elements]);
  const withHeader = (dataCoding: number, elements: number[], content: Uint8Array): Part => ({
    ...whole(dataCoding, Buffer.concat([header(...elements), content])),
    esmClass: 0x40,
  });
  const portsOf = async (phone: string) => {
    const [row] = await sql`SELECT source_port, destination_port FROM incoming WHERE source = ${phone}`;
    return { ...row };
  };
  const expected = { source_port: 9200, destination_port: 2948 };
  const one = await stored([withHeader(4, ports, octets)]);
  assert.deepEqual([one.octets, await portsOf(one.phone)], [octets, expected]);
  const place = (sequence: number) => [...ports, 0, 3, 99, 2, sequence];
  const two = await stored([
    withHeader(4, place(2), octets.subarray(1)),
    withHeader(4, place(1), octets.subarray(0, 1)),
  ]);
  assert.deepEqual([two.octets, await portsOf(two.phone)], [octets, expected]);
  // The cut is between an escape and its character.
  const turkish = (sequence: number) => [0x24, 1, 1, 0, 3, 98, 2, sequence];
  const text = await stored([
    withHeader(0, turkish(2), Buffer.from([0x53])),
    withHeader(0, turkish(1), Buffer.from([0x41, 0x1b])),
  ]);
  assert.equal(text.text, 'AŞ');
});
