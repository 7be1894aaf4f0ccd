import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* TShark as an independent reader of SMPP. The capture is written from the octets, so no rights are needed. */

/** Octets of one direction of a connection, in their order. */
export interface Captured {
  readonly fromServer: boolean;
  readonly octets: Buffer;
}

const SERVER_PORT = 2775;
const CLIENT_PORT = 40_000;
/** Link type of a capture whose packets begin with an IPv4 header (LINKTYPE_RAW). */
const LINKTYPE_RAW = 101;
/** Octets of a segment. */
const SEGMENT = 1_400;

/** Returns the fields of every SMPP PDU in a capture of these octets, one line each, as TShark reads them. */
export function decodeSmpp(captured: readonly Captured[], fields: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-tshark-'));
  try {
    const file = join(folder, 'smpp.pcap');
    writeFileSync(file, pcapOf(captured));
    const { status, stdout, stderr } = spawnSync(
      'tshark',
      [
        ...[
          '-r',
          file,
          '-d',
          `tcp.port==${SERVER_PORT},smpp`,

          '-Y',
          'smpp',
        ],
        ...['-T', 'fields', '-E', 'separator=/t', '-E', 'occurrence=a', '-E', 'aggregator=;'],
        ...fields.flatMap((field) => ['-e', field]),
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`tshark: ${stderr}`);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a capture file with one TCP connection. */
function pcapOf(captured: readonly Captured[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(0xffff, 16);
  header.writeUInt32LE(LINKTYPE_RAW, 20);
  const packets: Buffer[] = [header];
  const sent = { client: 1, server: 1 };
  for (const { fromServer, octets } of captured) {
    const [me, peer] = fromServer ? (['server', 'client'] as const) : (['client', 'server'] as const);
    for (let at = 0; at < octets.length; at += SEGMENT) {
      const data = octets.subarray(at, at + SEGMENT);
      const packet = packetOf(fromServer, sent[me], sent[peer], data);
      sent[me] += data.length;
      const record = Buffer.alloc(16);
      record.writeUInt32LE(packets.length, 0);
      record.writeUInt32LE(packet.length, 8);
      record.writeUInt32LE(packet.length, 12);
      packets.push(record, packet);
    }
  }
  return Buffer.concat(packets);
}

/** Returns an IPv4 packet with a TCP segment; checksums are 0, which TShark does not check. */
function packetOf(fromServer: boolean, sequence: number, acknowledged: number, data: Buffer): Buffer {
  const ip = Buffer.alloc(20);
  ip[0] = 0x45;
  ip.writeUInt16BE(40 + data.length, 2);
  ip[8] = 64;
  ip[9] = 6;
  const [server, client] = [Buffer.of(127, 0, 0, 1), Buffer.of(127, 0, 0, 2)];
  (fromServer ? server : client).copy(ip, 12);
  (fromServer ? client : server).copy(ip, 16);
  const tcp = Buffer.alloc(20);
  tcp.writeUInt16BE(fromServer ? SERVER_PORT : CLIENT_PORT, 0);
  tcp.writeUInt16BE(fromServer ? CLIENT_PORT : SERVER_PORT, 2);
  tcp.writeUInt32BE(sequence, 4);
  tcp.writeUInt32BE(acknowledged, 8);
  tcp[12] = 5 << 4;
  // ACK and PSH.
  tcp[13] = 0x18;
  tcp.writeUInt16BE(0xffff, 14);
  return Buffer.concat([ip, tcp, data]);
}
