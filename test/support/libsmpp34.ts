import { runPython } from './python.ts';

/*
 * libsmpp34 in C packs and unpacks PDUs; a program of Python calls it by ctypes. The structures have the order of the fields in
 * SMPP 3.4 and the sizes of smpp34_structs.h.
 */
const prelude = `
import ctypes, os, socket
from ctypes import POINTER, Structure, Union, byref, c_int, c_uint8, c_uint16, c_uint32, cast
library = ctypes.CDLL("libsmpp34.so.1")
failure = (ctypes.c_char * 2048).in_dll(library, "smpp34_strerror")

class Value(Union):
    _fields_ = [("val08", c_uint8), ("val16", c_uint16), ("val32", c_uint32), ("octet", c_uint8 * 1024)]
class Tlv(Structure):
    pass
Tlv._fields_ = [("tag", c_uint16), ("length", c_uint16), ("value", Value), ("next", POINTER(Tlv))]

def text(name, size): return [(name, c_uint8 * size)]
def octets(*names): return [(name, c_uint8) for name in names]
header = [(name, c_uint32) for name in ("command_length", "command_id", "command_status", "sequence_number")]
parameters = [("tlv", POINTER(Tlv))]
addresses = (text("service_type", 6) + octets("source_addr_ton", "source_addr_npi") + text("source_addr", 21)
    + octets("dest_addr_ton", "dest_addr_npi") + text("destination_addr", 21) + octets("esm_class", "protocol_id", "priority_flag"))
content = (octets("registered_delivery", "replace_if_present_flag", "data_coding", "sm_default_msg_id", "sm_length")
    + text("short_message", 254) + parameters)
layouts = {
    0x00000009: text("system_id", 16) + text("password", 9) + text("system_type", 13)
        + octets("interface_version", "addr_ton", "addr_npi") + text("address_range", 41),
    0x80000009: text("system_id", 16) + parameters,
    0x00000004: addresses + text("schedule_delivery_time", 17) + text("validity_period", 17) + content,
    0x80000004: text("message_id", 65),
    0x00000005: addresses + text("schedule_delivery_time", 1) + text("validity_period", 1) + content,
    0x80000005: text("message_id", 1),
    0x00000003: text("message_id", 65) + octets("source_addr_ton", "source_addr_npi") + text("source_addr", 21),
    0x80000003: text("message_id", 65) + text("final_date", 17) + octets("message_state", "error_code"),
    0x00000006: [], 0x80000006: [], 0x00000015: [], 0x80000015: [],
}
structures = {command: type("Pdu", (Structure,), {"_fields_": header + fields}) for command, fields in layouts.items()}

def packed(command, sequence, **values):
    pdu = structures[command](command_id=command, sequence_number=sequence)
    for name, value in values.items():
        if isinstance(value, int): setattr(pdu, name, value)
        else: ctypes.memmove(getattr(pdu, name), value, len(value))
    buffer, size = (c_uint8 * 4096)(), c_int(0)
    if library.smpp34_pack2(buffer, 4096, byref(size), byref(pdu)) != 0: raise Exception(failure.value)
    return bytes(buffer[: size.value])

def unpacked(data):
    pdu = structures[int.from_bytes(data[4:8], "big")]()
    buffer = (c_uint8 * len(data)).from_buffer_copy(data)
    if library.smpp34_unpack2(byref(pdu), buffer, len(data)) != 0: raise Exception(failure.value)
    return pdu

def string(field): return bytes(field).split(b"\\0")[0].decode()
def tlvs(pdu):
    found, tlv = {}, pdu.tlv
    while tlv:
        found[tlv.contents.tag] = bytes(tlv.contents.value.octet[: tlv.contents.length])
        tlv = tlv.contents.next
    return found

connection = socket.create_connection(("127.0.0.1", int(os.environ["SMPP_PORT"])), 30)
def receive(size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more: raise Exception("the server has closed the connection")
        data += more
    return data
def read():
    head = receive(4)
    return unpacked(head + receive(int.from_bytes(head, "big") - 4))
def send(command, sequence, **values): connection.sendall(packed(command, sequence, **values))
`;

/**
 * Runs a program that speaks SMPP by libsmpp34 with the functions above: `send`, `read`, `string` and `tlvs`. Returns the
 * lines that it prints. Throws an error if the program fails.
 */
export async function runWithLibsmpp34(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const [ran] = await runPython([`${prelude}${program}`], environment);
  if (ran!.error !== undefined) throw new Error(`${ran!.error} after ${ran!.printed}`);
  return ran!.printed.trim().split('\n');
}
