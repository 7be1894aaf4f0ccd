import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { runWithLibsmpp34 } from '../../support/libsmpp34.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { startSmppService } from './support.ts';

/* libsmpp34 as a client: a codec in C that has no password of over 8 octets, as version 3.4 says. */

const service = await startSmppService();

const program = `
send(0x09, 1, system_id=os.environ["SYSTEM_ID"].encode(), password=os.environ["PASSWORD"].encode(), interface_version=0x34)
bound = read()
print(bound.command_status, string(bound.system_id), tlvs(bound)[0x0210].hex())
send(0x15, 2)
print(hex(read().command_id))
text = "\u05e9\u05dc\u05d5\u05dd".encode("utf-16-be")
send(0x04, 3, source_addr_ton=5, source_addr=b"Shop", dest_addr_ton=1, dest_addr_npi=1,
    destination_addr=os.environ["PHONE"].encode(), registered_delivery=1, data_coding=8, sm_length=len(text), short_message=text)
submitted = read()
print(submitted.command_status, submitted.sequence_number, string(submitted.message_id))
receipt = read()
print(bytes(receipt.short_message[: receipt.sm_length]).decode())
print(string(receipt.source_addr), receipt.source_addr_ton, string(receipt.destination_addr), receipt.esm_class)
print(tlvs(receipt)[0x001e].decode().rstrip("\\0"), tlvs(receipt)[0x0427].hex())
send(0x80000005, receipt.sequence_number)
send(0x03, 4, message_id=bytes(submitted.message_id).split(b"\\0")[0], source_addr=b"Shop")
state = read()
print(state.command_status, string(state.message_id), state.message_state, len(string(state.final_date)))
send(0x06, 5)
print(hex(read().command_id))
`;

test('binds, submits, reads the receipt, asks for the state and unbinds', covers('smpp.peers'), async () => {
  const password = 'kT3c0y2v';
  const { system_id } = await service.newClient({ password });
  const phone = newPhone();
  const [bound, alive, submitted, receipt, addresses, parameters, state, left] = await runWithLibsmpp34(
    program,
    { SMPP_PORT: String(service.port), SYSTEM_ID: system_id, PASSWORD: password, PHONE: stored(phone) },
  );
  assert.deepEqual([bound, alive, left], ['0 carillon 34', '0x80000015', '0x80000006']);
  const [status, sequence, id] = submitted!.split(' ');
  assert.deepEqual([status, sequence], ['0', '3']);
  assert.match(receipt!, new RegExp(`^id:${id} sub:001 dlvrd:001 .* stat:DELIVRD err:000 text:$`));
  assert.equal(addresses, `${stored(phone)} 1 Shop 4`);
  assert.equal(parameters, `${id} 02`);
  assert.equal(state, `0 ${id} 2 16`);
  assert.equal((await service.phone(phone))[0]?.text, 'שלום');
});
