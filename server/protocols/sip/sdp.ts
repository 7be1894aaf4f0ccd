import { isIP } from 'node:net';
import { type Law, payloadTypes } from './g711.ts';

/** Direction of the audio from the view of the describing side (RFC 3264, 5.1). */
type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Description of one side's audio. */
export interface AudioDescription {
  /** Address for RTP; 0.0.0.0 is the old form of hold. */
  readonly address: string;
  /** 0 rejects the stream. */
  readonly port: number;
  /** Port for RTCP. */
  readonly rtcpPort: number;
  /** Codecs that both sides support, in the order of the described side, with its payload types. */
  readonly codecs: readonly { readonly law: Law; readonly payloadType: number }[];
  readonly direction: Direction;
  /** All m= lines, without their ports, so that an answer can reject the other streams. */
  readonly media: readonly { readonly kind: string; readonly rest: string; readonly isAudio: boolean }[];
}

/** Payload type of RFC 4733 events in our offers. Pressed keys are ignored. */
const EVENTS = 101;
const MAX_LINES = 500;

/** Our side of a session. */
export interface LocalAudio {
  readonly address: string;
  readonly port: number;
  /** Session id and its version (RFC 3264, 8). */
  readonly session: number;
  readonly version: number;
}

/** Returns an offer with both laws, first the one of European and Israeli networks. */
export function writeOffer(local: LocalAudio): Buffer {
  const codecs = [payloadTypes.PCMA, payloadTypes.PCMU, EVENTS];
  return write(local, [
    `m=audio ${local.port} RTP/AVP ${codecs.join(' ')}`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:0 PCMU/8000',
    `a=rtpmap:${EVENTS} telephone-event/8000`,
    `a=fmtp:${EVENTS} 0-15`,
    'a=ptime:20',
    'a=sendrecv',
  ]);
}

/**
 * Returns the answer to an offer, with the first codec of the offer that we support; other streams are rejected (RFC
 * 3264, 6).
 */
export function writeAnswer(local: LocalAudio, offer: AudioDescription): Buffer {
  const [codec] = offer.codecs;
  return write(
    local,
    offer.media.flatMap(({ kind, rest, isAudio }) => {
      if (!isAudio || !codec) return [`m=${kind} 0 ${rest}`];
      return [
        `m=audio ${local.port} RTP/AVP ${codec.payloadType}`,
        `a=rtpmap:${codec.payloadType} ${codec.law}/8000`,
        'a=ptime:20',
        `a=${mirrored(offer.direction)}`,
      ];
    }),
  );
}

/** Returns our direction for a direction of the other side. */
function mirrored(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}

function write({ address, session, version }: LocalAudio, media: readonly string[]): Buffer {
  const family = isIP(address) === 6 ? 'IP6' : 'IP4';
  const lines = [
    'v=0',
    `o=- ${session} ${version} IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...media,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

/** Whether the described side receives audio. */
export function isListening({ address, port, direction }: AudioDescription): boolean {
  return port > 0 && address !== '0.0.0.0' && (direction === 'sendrecv' || direction === 'recvonly');
}

/** Parses the audio of an offer or an answer; undefined when it has no readable audio. */
export function parseSdp(body: Buffer): AudioDescription | undefined {
  const lines = body.toString('utf8').split(/\r\n|\n/, MAX_LINES);
  if (lines[0]?.trim() !== 'v=0') return undefined;
  const first = lines.findIndex((line) => line.startsWith('m='));
  if (first < 0) return undefined;
  const session = lines.slice(0, first);
  const sections: string[][] = [];
  for (const line of lines.slice(first)) {
    if (line.startsWith('m=')) sections.push([line]);
    else sections.at(-1)!.push(line);
  }
  const read = sections.map((section) => ({ section, ...mediaLine(section[0]!) }));
  const index = read.findIndex(({ kind, rest }) => kind === 'audio' && /^RTP\/AVP\s/.test(rest));
  const audio = read[index];
  if (!audio || !(audio.port <= 65_535)) return undefined;
  const address = connectionOf(audio.section) ?? connectionOf(session);
  if (address === undefined) return undefined;
  const attribute = (name: string) => {
    const line = audio.section.find((one) => one.startsWith(`a=${name}:`));
    return line?.slice(name.length + 3).trim();
  };
  const rtcp = /^\d{1,5}/.exec(attribute('rtcp') ?? '');
  return {
    address,
    port: audio.port,
    rtcpPort: rtcp ? Number(rtcp[0]) : audio.port + 1,
    codecs: codecsOf(audio.section, audio.rest),
    direction: directionOf(audio.section) ?? directionOf(session) ?? 'sendrecv',
    media: read.map(({ kind, rest }, at) => ({ kind, rest, isAudio: at === index })),
  };
}

function mediaLine(line: string): { kind: string; port: number; rest: string } {
  const [, kind = '', port, rest = ''] = /^m=(\S+) +(\d{1,5})(?:\/\d+)? +(\S.*)$/.exec(line.trimEnd()) ?? [];
  return { kind, port: Number(port), rest };
}

function connectionOf(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith('c='));
  const address = /^c=IN IP[46] ([^\s/]+)/.exec(line ?? '')?.[1];
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
}

function directionOf(lines: readonly string[]): Direction | undefined {
  for (const line of lines) {
    const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/.exec(line)?.[1];
    if (direction) return direction as Direction;
  }
  return undefined;
}

/** rtpmap defines a payload type; 0 and 8 need no rtpmap. */
function codecsOf(section: readonly string[], rest: string): AudioDescription['codecs'] {
  const maps = new Map<string, string>();
  for (const line of section) {
    const [, type, name] = /^a=rtpmap:(\d{1,3}) +(\S+)/.exec(line) ?? [];
    if (type) maps.set(type, name!.toUpperCase());
  }
  return rest
    .split(/\s+/)
    .slice(1)
    .flatMap((type) => {
      const name = maps.get(type) ?? (type === '0' ? 'PCMU/8000' : type === '8' ? 'PCMA/8000' : '');
      const law = /^(PCM[UA])\/8000(?:\/1)?$/.exec(name)?.[1];
      return law ? [{ law: law as Law, payloadType: Number(type) }] : [];
    });
}
