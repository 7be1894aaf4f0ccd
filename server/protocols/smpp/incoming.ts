import type { CarrierIncoming, CarrierIncomingPart, CarrierOptions } from '../../engine/carriers/carrier.ts';
import { type Charset, decodeCharset, shiftedGsm, showBinary } from '../../kit/text/charsets.ts';
import type { ShiftTables } from '../../kit/text/gsm-languages.ts';
import { findTlv } from './codec.ts';
import { esmClass, tag } from './commands.ts';
import type { DataPdu, MessagePdu } from './pdu.ts';
import { bareAddress } from './receipt.ts';

type Incoming =
  | { readonly kind: 'whole'; readonly message: CarrierIncoming }
  | { readonly kind: 'part'; readonly part: CarrierIncomingPart };

/** Values of data_coding that SMPP 3.4 defines (5.2.19); 0x02 and 0x04 are data. */
const smppCodings: readonly (Charset | undefined)[] = [
  undefined, // 0x00: the SMSC's default alphabet
  'latin1', // IA5, of which Latin-1 is a superset
  'binary',
  'latin1',
  'binary',
  'binary', // JIS X 0208, which some send as Shift_JIS and others as its two 7-bit octets
  'iso-8859-5',
  'iso-8859-8',
  'ucs2',
  'binary', // pictograms
  'iso-2022-jp',
  'binary',
  'binary',
  'binary', // extended Kanji
  'euc-kr', // KS C 5601
  'binary',
];

/** Returns the octets of the message: short_message, or message_payload when that is empty (SMPP 3.4, 5.3.2.32). */
export function contentOf(pdu: MessagePdu | DataPdu): Uint8Array {
  if ('shortMessage' in pdu && pdu.shortMessage.length > 0) return pdu.shortMessage;
  return findTlv(pdu.tlvs, tag.messagePayload) ?? Buffer.alloc(0);
}

/**
 * Returns the character set of a data_coding (SMPP 3.4, 5.2.19): below 0x10 by SMPP's table, above by the groups of
 * 3GPP TS 23.038, chapter 4. Compressed texts are `binary`. Values that 23.038 reserves are the default alphabet, as it
 * demands.
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
  // Message waiting indications. In the last of their groups the text is UCS-2.
  if (dataCoding >= 0xe0 && dataCoding < 0xf0) return 'ucs2';
  if (dataCoding >= 0xf0 && (dataCoding & 0x04) !== 0) return 'binary';
  return defaultAlphabet;
}

/** Returns the message class of a data_coding (3GPP TS 23.038, 4); undefined for one without a class. */
export function messageClassOf(dataCoding: number): CarrierOptions['messageClass'] {
  const hasClass = dataCoding >= 0xf0 || (dataCoding < 0x80 && (dataCoding & 0x10) !== 0);
  return hasClass ? ((dataCoding & 0x03) as 0 | 1 | 2 | 3) : undefined;
}

/**
 * Parses a message from a phone. Parts are recognized by a user data header with an 8 or 16 bit reference (3GPP TS
 * 23.040, 9.2.3.24), or by the three sar_ parameters. A malformed header is dropped and the rest read as a whole
 * message. An unreadable message keeps its octets, without the header.
 */
export function readIncoming(pdu: MessagePdu | DataPdu, defaultAlphabet: 'gsm' | 'latin1'): Incoming {
  let octets = contentOf(pdu);
  let header: UserDataHeader = noHeader;
  if ((pdu.esmClass & esmClass.udh) !== 0 && octets.length > 0) {
    const headerLength = Math.min(octets[0]! + 1, octets.length);
    header = readHeader(octets.subarray(1, headerLength));
    octets = octets.subarray(headerLength);
  }
  const place = header.place ?? sarPlace(pdu);
  const { dataCoding } = pdu;
  const plain = charsetOf(dataCoding, defaultAlphabet);
  const charset = plain === 'gsm' ? shiftedGsm(header.shifts) : plain;
  const addresses = {
    ...{ from: bareAddress(pdu.source), to: bareAddress(pdu.destination) },
    ...(header.ports && { ports: header.ports }),
  };
  if (place && place.total > 1)
    return { kind: 'part', part: { ...addresses, ...place, octets, charset, dataCoding } };
  const text = decodeCharset(octets, charset);
  if (text !== null) return { kind: 'whole', message: { ...addresses, text } };
  const binary = { octets, dataCoding };
  return { kind: 'whole', message: { ...addresses, text: showBinary(octets, dataCoding), binary } };
}

type Place = Pick<CarrierIncomingPart, 'reference' | 'total' | 'sequence'>;

/** Content of a user data header (3GPP TS 23.040, 9.2.3.24). */
interface UserDataHeader {
  readonly place: Place | null;
  readonly ports?: CarrierIncoming['ports'];
  readonly shifts: ShiftTables;
}

const noHeader: UserDataHeader = { place: null, shifts: { locking: 0, single: 0 } };

/** Drops elements with a wrong length; of two elements of one kind, the first counts. */
function readHeader(header: Uint8Array): UserDataHeader {
  const elements = new Map<string, Uint8Array>();
  for (let at = 0; at + 1 < header.length; at += 2 + header[at + 1]!) {
    const data = header.subarray(at + 2, at + 2 + header[at + 1]!);
    const key = `${header[at]}/${data.length}`;
    if (data.length === header[at + 1] && !elements.has(key)) elements.set(key, data);
  }
  const short = elements.get('0/3');
  const long = elements.get('8/4');
  const [ports8, ports16] = [elements.get('4/2'), elements.get('5/4')];
  // The destination port comes first, then the source port.
  const ports = ports16
    ? { destination: (ports16[0]! << 8) | ports16[1]!, source: (ports16[2]! << 8) | ports16[3]! }
    : ports8 && { destination: ports8[0]!, source: ports8[1]! };
  const place = short
    ? validPlace(short[0]!, short[1]!, short[2]!)
    : long && validPlace((long[0]! << 8) | long[1]!, long[2]!, long[3]!);
  return {
    place: place ?? null,
    ...(ports && { ports }),
    shifts: { single: elements.get('36/1')?.[0] ?? 0, locking: elements.get('37/1')?.[0] ?? 0 },
  };
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
