import { type Charset, decodeCharset, showBinary } from '../../text/charsets.ts';
import type { CarrierIncoming, CarrierIncomingPart } from '../carrier.ts';
import { findTlv } from './codec.ts';
import { esmClass, tag } from './commands.ts';
import type { DataPdu, MessagePdu } from './pdu.ts';
import { bareAddress } from './receipt.ts';

export type Incoming =
  | { readonly kind: 'whole'; readonly message: CarrierIncoming }
  | { readonly kind: 'part'; readonly part: CarrierIncomingPart };

/** Values of data_coding that SMPP 3.4 gives a meaning of its own (5.2.19); 0x02 and 0x04 are data. */
const smppCodings: readonly (Charset | undefined)[] = [
  undefined, // 0x00: the SMSC's default alphabet
  'latin1', // IA5, of which Latin-1 is a superset
  'binary',
  'latin1',
  'binary',
  'binary', // JIS
  'iso-8859-5',
  'iso-8859-8',
  'ucs2',
  'binary', // pictograms
  'binary', // ISO-2022-JP
  'binary',
  'binary',
  'binary', // extended Kanji
  'binary', // KS C 5601
  'binary',
];

/** The octets of the message: short_message, or message_payload when that is empty (SMPP 3.4, 5.3.2.32). */
export function contentOf(pdu: MessagePdu | DataPdu): Uint8Array {
  if ('shortMessage' in pdu && pdu.shortMessage.length > 0) return pdu.shortMessage;
  return findTlv(pdu.tlvs, tag.messagePayload) ?? Buffer.alloc(0);
}

/**
 * The character set of a data_coding (SMPP 3.4, 5.2.19): below 0x10 by SMPP's own table, above by the groups of 3GPP TS
 * 23.038, chapter 4. Compressed texts are `binary`; what 23.038 reserves is the default alphabet, as it asks for.
 */
export function charsetOf(dataCoding: number, defaultAlphabet: 'gsm' | 'latin1'): Charset {
  if (dataCoding < 0x10) return smppCodings[dataCoding] ?? defaultAlphabet;
  // General data coding, with or without automatic deletion: bit 5 is compression, bits 3 and 2 the alphabet.
  if (dataCoding < 0x80) {
    if ((dataCoding & 0x20) !== 0) return 'binary';
    const alphabet = dataCoding & 0x0c;
    if (alphabet === 0x04) return 'binary';
    return alphabet === 0x08 ? 'ucs2' : defaultAlphabet;
  }
  // Message waiting indications, whose text is UCS-2 in the last of their groups.
  if (dataCoding >= 0xe0 && dataCoding < 0xf0) return 'ucs2';
  if (dataCoding >= 0xf0 && (dataCoding & 0x04) !== 0) return 'binary';
  return defaultAlphabet;
}

/**
 * Reads a message from a phone. Parts are known by a user data header with an 8 or 16 bit reference
 * (3GPP TS 23.040, 9.2.3.24), or by the three sar_ parameters; a header that does not hold together is left out
 * and the rest taken as a whole message. The octets of what cannot be read are kept, without the header.
 */
export function readIncoming(pdu: MessagePdu | DataPdu, defaultAlphabet: 'gsm' | 'latin1'): Incoming {
  let octets = contentOf(pdu);
  let place = sarPlace(pdu);
  if ((pdu.esmClass & esmClass.udh) !== 0 && octets.length > 0) {
    const headerLength = Math.min(octets[0]! + 1, octets.length);
    place = udhPlace(octets.subarray(1, headerLength)) ?? place;
    octets = octets.subarray(headerLength);
  }
  const { dataCoding } = pdu;
  const charset = charsetOf(dataCoding, defaultAlphabet);
  const addresses = { from: bareAddress(pdu.source), to: bareAddress(pdu.destination) };
  if (place && place.total > 1)
    return { kind: 'part', part: { ...addresses, ...place, octets, charset, dataCoding } };
  const text = decodeCharset(octets, charset);
  if (text !== null) return { kind: 'whole', message: { ...addresses, text } };
  const binary = { octets, dataCoding };
  return { kind: 'whole', message: { ...addresses, text: showBinary(octets, dataCoding), binary } };
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
