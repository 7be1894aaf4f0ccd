import { z } from 'zod';
import { type ConnectorPart, shareOf } from '../../engine/carriers/parts.ts';
import { parseSipUri, type SipUri } from './uri.ts';

const seconds = (max: number) => z.number().min(0.1).max(max);
/** Text that is used unchanged in quotes or in a URI. */
const word = z
  .string()
  .max(128)
  .regex(/^[!#-;=?-[\]-~]*$/, 'has other characters than printable ASCII, or blanks, quotes, brackets');

/** TLS of connections to the trunk. */
const tlsSettings = z.strictObject({
  /** PEM of the certification authorities to trust instead of the machine's. */
  ca: z.string().optional(),
  /** Name that the certificate must have; the URI's host by default. */
  servername: z.string().optional(),
  /** False accepts any certificate. Only for a network that is itself private. */
  rejectUnauthorized: z.boolean().default(true),
  /** PEM of our certificate and key, for a trunk that requires one. */
  cert: z.string().optional(),
  key: z.string().optional(),
});

/** Settings of one SIP trunk, with their defaults. */
export const sipTrunkSettings = z
  .strictObject({
    /** Unique: the column `link` of messages, and the label `link` of metrics. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'takes lower-case letters, digits and dashes'),
    /** `sip:host:port;transport=udp|tcp|tls`, or `sips:host`. Default UDP and port 5060 (TLS: 5061). */
    uri: z.string().refine((text) => readTrunkUri(text) !== undefined, 'is no sip: or sips: URI of a trunk'),
    username: word.min(1).optional(),
    password: z.string().max(256).default(''),
    /** Only challenges for this realm are answered; by default those of any realm. */
    realm: z.string().min(1).max(128).optional(),
    /** Caller number of calls, in the format that the trunk requires. */
    callerId: word.min(1),
    /** Domain after `@` in From and To; the URI's host by default. */
    domain: word.min(1).optional(),
    /** Also sends the caller number in P-Asserted-Identity (RFC 3325). */
    assertIdentity: z.boolean().default(false),
    /** Sends REGISTER, for a trunk that must know our address. Calls start only while the registration is valid. */
    register: z.boolean().default(false),
    registerSeconds: z.int().min(30).max(86_400).default(600),
    /** Maximum number of simultaneous calls. It is also the `window`: a crash can repeat this many calls. */
    callsAtOnce: z.int().min(1).max(10_000).default(10),
    /** INVITEs per second; 0 means no limit. */
    callsPerSecond: z.number().min(0).max(1_000).default(1),
    /** Seconds from the INVITE until it is cancelled. */
    ringSeconds: seconds(300).default(45),
    /** Milliseconds from the answer to the first word, while the phone is lifted to the ear. */
    startDelayMs: z.int().min(0).max(10_000).default(500),
    /** E.164 prefixes that the trunk serves; '' matches every destination. */
    prefixes: z
      .array(z.string().regex(/^\d{0,15}$/, 'must be digits'))
      .min(1)
      .default(['']),
    /** Replaces `prefix` at the start of dialled numbers: `{"prefix": "972", "replacement": "0"}`. */
    national: z
      .strictObject({
        prefix: z.string().regex(/^\d{1,15}$/),
        replacement: z.string().regex(/^[+*#\d]{0,16}$/),
      })
      .optional(),
    /** Prepended to all other numbers. */
    numberPrefix: z
      .string()
      .regex(/^[+*#\d]{0,16}$/)
      .default('+'),
    /** Local address and port of the SIP socket. Default: the address on the route to the trunk, and any free port. */
    localAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
    localPort: z.int().min(0).max(65_535).default(0),
    /** Address in Contact and SDP instead of the local one, behind a NAT that maps ports one to one. */
    publicAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
    /** UDP ports for pairs of RTP and RTCP. */
    mediaPorts: z
      .strictObject({ from: z.int().min(1_024).max(65_534), to: z.int().min(1_025).max(65_535) })
      .refine(({ from, to }) => to - from >= 2, 'contains no pair of ports')
      .default({ from: 16_384, to: 32_767 }),
    /**
     * Further addresses from which calls come, beyond the URI's. Requests from others are dropped without an answer.
     */
    peers: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
    tls: tlsSettings.prefault({}),
    /**
     * Seconds between OPTIONS requests; a trunk that does not answer is down. 0 sends none, for trunks that never
     * answer them.
     */
    keepAliveSeconds: z.number().min(0).max(3_600).default(15),
    /** T1 of RFC 3261 in milliseconds: the round-trip time from which retransmissions and timeouts are derived. */
    t1Ms: z.int().min(5).max(5_000).default(500),
  })
  .refine((settings) => !settings.register || settings.username !== undefined, {
    path: ['username'],
    message: 'is needed to register',
  });

export type SipTrunkSettings = z.output<typeof sipTrunkSettings>;
/** Settings as configured: those with a default may be omitted. */
export type SipTrunkInput = z.input<typeof sipTrunkSettings>;

type TransportName = 'udp' | 'tcp' | 'tls';

/** Address of a trunk. */
export interface TrunkAddress {
  readonly host: string;
  readonly port: number;
  readonly transport: TransportName;
}

/** Parses the URI of a trunk; undefined when it is not one. */
export function readTrunkUri(text: string): TrunkAddress | undefined {
  const uri: SipUri | undefined = parseSipUri(text);
  if (!uri) return undefined;
  const named = uri.params.get('transport')?.toLowerCase() ?? (uri.secure ? 'tls' : 'udp');
  if (named !== 'udp' && named !== 'tcp' && named !== 'tls') return undefined;
  const transport = uri.secure ? 'tls' : named;
  return { host: uri.host, port: uri.port ?? (transport === 'tls' ? 5061 : 5060), transport };
}

/**
 * Returns in how many parts several processes can hold a trunk: one for each call. A trunk that calls arrive at, by its
 * registration or its port, is one part, because a second process would get some of its calls or could not bind the port.
 */
export const maxPartsOfTrunk = ({ callsAtOnce, register, localPort }: SipTrunkSettings): number =>
  register || localPort !== 0 ? 1 : callsAtOnce;

/** Returns the settings of a part of a trunk: its share of the calls, and of calls per second in the same proportion. */
export function partOfTrunk(settings: SipTrunkSettings, part: ConnectorPart): SipTrunkSettings {
  const callsAtOnce = shareOf(settings.callsAtOnce, part);
  const callsPerSecond = (settings.callsPerSecond * callsAtOnce) / settings.callsAtOnce;
  return { ...settings, callsAtOnce, callsPerSecond };
}
