/* RTP and RTCP packets (RFC 3550): writes those of a sender and reads those of a receiver. */

/** Milliseconds and samples per packet. */
export const PACKET_MS = 20;
export const PACKET_SAMPLES = 160;
const HEADER = 12;
/** Seconds from 1900, the NTP epoch, to 1970. */
const NTP_OFFSET = 2_208_988_800;

interface RtpHeader {
  readonly payloadType: number;
  /** Set on the first packet after a silence during which nothing was sent. */
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
}

/** Returns a packet with this payload. */
export function writeRtp(
  { payloadType, marker, sequence, timestamp, ssrc }: RtpHeader,
  payload: Uint8Array,
): Buffer {
  const packet = Buffer.allocUnsafe(HEADER + payload.length);
  packet[0] = 0x80;
  packet[1] = payloadType | (marker ? 0x80 : 0);
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(timestamp, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.set(payload, HEADER);
  return packet;
}

/** Parses a packet; undefined when it is malformed. The payload is a view. */
export function readRtp(packet: Buffer): (RtpHeader & { readonly payload: Buffer }) | undefined {
  if (packet.length < HEADER || packet[0]! >> 6 !== 2) return undefined;
  let begin = HEADER + 4 * (packet[0]! & 0x0f);
  if (packet[0]! & 0x10) {
    if (packet.length < begin + 4) return undefined;
    begin += 4 + 4 * packet.readUInt16BE(begin + 2);
  }
  const end = packet.length - (packet[0]! & 0x20 ? packet.at(-1)! : 0);
  if (begin > end) return undefined;
  return {
    payloadType: packet[1]! & 0x7f,
    marker: (packet[1]! & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(begin, end),
  };
}

interface SenderState {
  readonly ssrc: number;
  /** Canonical name of the sender (RFC 7022). */
  readonly cname: string;
  /** RTP timestamp at the time `now`, in milliseconds since the epoch. */
  readonly timestamp: number;
  readonly now: number;
  readonly packets: number;
  readonly octets: number;
}

/** Returns a compound of SR and SDES, and BYE when the stream ends (RFC 3550, 6.1). */
export function writeRtcp(state: SenderState, bye = false): Buffer {
  const cname = Buffer.from(state.cname, 'ascii');
  // The chunk ends with at least one zero octet, on a four-octet boundary.
  const chunk = 4 + Math.floor((2 + cname.length) / 4 + 1) * 4;
  const packet = Buffer.alloc(28 + 4 + chunk + (bye ? 8 : 0));
  writeRtcpHeader(packet, 0, 200, 0, 28);
  packet.writeUInt32BE(state.ssrc, 4);
  packet.writeUInt32BE((Math.floor(state.now / 1000) + NTP_OFFSET) % 2 ** 32, 8);
  packet.writeUInt32BE(Math.floor(((state.now % 1000) / 1000) * 2 ** 32), 12);
  packet.writeUInt32BE(state.timestamp, 16);
  packet.writeUInt32BE(state.packets >>> 0, 20);
  packet.writeUInt32BE(state.octets >>> 0, 24);
  writeRtcpHeader(packet, 28, 202, 1, 4 + chunk);
  packet.writeUInt32BE(state.ssrc, 32);
  packet[36] = 1;
  packet[37] = cname.length;
  cname.copy(packet, 38);
  if (bye) {
    const at = 32 + chunk;
    writeRtcpHeader(packet, at, 203, 1, 8);
    packet.writeUInt32BE(state.ssrc, at + 4);
  }
  return packet;
}

function writeRtcpHeader(packet: Buffer, at: number, type: number, count: number, length: number): void {
  packet[at] = 0x80 | count;
  packet[at + 1] = type;
  packet.writeUInt16BE(length / 4 - 1, at + 2);
}

/** Returns the packet types of a compound, in order: 200 SR, 201 RR, 202 SDES, 203 BYE. Empty when it is malformed. */
export function rtcpTypes(packet: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + 4 <= packet.length; at += 4 + 4 * packet.readUInt16BE(at + 2)) {
    if (packet[at]! >> 6 !== 2) return [];
    types.push(packet[at + 1]!);
  }
  return types;
}
