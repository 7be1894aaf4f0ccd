import { decodeGsm, decodeUcs2 } from '../../text/gsm0338.ts';
import type { CarrierIncoming, CarrierIncomingPart } from '../carrier.ts';
import { findTlv } from './codec.ts';
import { esmClass, tag } from './commands.ts';
import type { DataPdu, MessagePdu } from './pdu.ts';
import { bareAddress } from './receipt.ts';

export type Incoming =
  | { readonly kind: 'whole'; readonly message: CarrierIncoming }
  | { readonly kind: 'part'; readonly part: CarrierIncomingPart }
  /** Binary content, or an alphabet that is not known here: nobody can be shown it. */
  | { readonly kind: 'unreadable' };

type Alphabet = 'gsm' | 'latin1';

const hebrew = new TextDecoder('iso-8859-8');
const cyrillic = new TextDecoder('iso-8859-5');

/** The octets of the message: short_message, or message_payload when that is empty (SMPP 3.4, 5.3.2.32). */
export function contentOf(pdu: MessagePdu | DataPdu): Uint8Array {
  if ('shortMessage' in pdu && pdu.shortMessage.length > 0) return pdu.shortMessage;
  return findTlv(pdu.tlvs, tag.messagePayload) ?? Buffer.alloc(0);
}

/** Text of octets by data_coding (SMPP 3.4, 5.2.19); null for binary and unknown ones. */
export function decodeText(octets: Uint8Array, dataCoding: number, defaultAlphabet: Alphabet): string | null {
  // 0xF0 to 0xFF: bit 2 tells 8-bit data from the default alphabet (3GPP TS 23.038, chapter 4).
  if (dataCoding >= 0xf0 && (dataCoding & 4) === 0) dataCoding = 0;
  switch (dataCoding) {
    case 0:
      return defaultAlphabet === 'gsm' ? decodeGsm(octets) : latin1(octets);
    case 1:
    case 3:
      return latin1(octets);
    case 6:
      return cyrillic.decode(octets);
    case 7:
      return hebrew.decode(octets);
    case 8:
      return decodeUcs2(octets);
    default:
      return null;
  }
}

/**
 * Reads a message from a phone. Parts are known by a user data header with an 8 or 16 bit reference
 * (3GPP TS 23.040, 9.2.3.24), or by the three sar_ parameters; a header that does not hold together is left out
 * and the rest taken as a whole message.
 */
export function readIncoming(pdu: MessagePdu | DataPdu, defaultAlphabet: Alphabet): Incoming {
  let octets = contentOf(pdu);
  let place = sarPlace(pdu);
  if ((pdu.esmClass & esmClass.udh) !== 0 && octets.length > 0) {
    const headerLength = Math.min(octets[0]! + 1, octets.length);
    place = udhPlace(octets.subarray(1, headerLength)) ?? place;
    octets = octets.subarray(headerLength);
  }
  const text = decodeText(octets, pdu.dataCoding, defaultAlphabet);
  if (text === null) return { kind: 'unreadable' };
  const message = { from: bareAddress(pdu.source), to: bareAddress(pdu.destination), text };
  if (!place || place.total < 2) return { kind: 'whole', message };
  return { kind: 'part', part: { ...message, ...place } };
}

type Place = Pick<CarrierIncomingPart, 'reference' | 'total' | 'sequence'>;

function udhPlace(header: Uint8Array): Place | null {
  for (let at = 0; at + 1 < header.length; at += 2 + header[at + 1]!) {
    const [element, length] = [header[at], header[at + 1]];
    if (element === 0x00 && length === 3 && at + 4 < header.length)
      return validPlace(header[at + 2]!, header[at + 3]!, header[at + 4]!);
    if (element === 0x08 && length === 4 && at + 5 < header.length)
      return validPlace((header[at + 2]! << 8) | header[at + 3]!, header[at + 4]!, header[at + 5]!);
  }
  return null;
}

function sarPlace(pdu: MessagePdu | DataPdu): Place | null {
  if (pdu.tlvs.length === 0) return null;
  const reference = findTlv(pdu.tlvs, tag.sarMsgRefNum);
  const total = findTlv(pdu.tlvs, tag.sarTotalSegments);
  const sequence = findTlv(pdu.tlvs, tag.sarSegmentSeqnum);
  if (reference?.length !== 2 || total?.length !== 1 || sequence?.length !== 1) return null;
  return validPlace((reference[0]! << 8) | reference[1]!, total[0]!, sequence[0]!);
}

function validPlace(reference: number, total: number, sequence: number): Place | null {
  return sequence >= 1 && sequence <= total ? { reference, total, sequence } : null;
}

function latin1(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
}
