import { z } from 'zod';
import { parseSipUri, type SipUri } from './uri.ts';

const seconds = (max: number) => z.number().min(0.1).max(max);
/** What goes between quotes or into a URI unchanged. */
const word = z
  .string()
  .max(128)
  .regex(/^[!#-;=?-[\]-~]*$/, 'has other characters than printable ASCII, or blanks, quotes, brackets');

/** TLS towards the trunk. */
const tlsSettings = z.strictObject({
  /** PEM of the certification authorities to trust instead of the machine's. */
  ca: z.string().optional(),
  /** The name that the certificate must bear; the URI's host when left out. */
  servername: z.string().optional(),
  /** False takes any certificate. Only for a network that is private in itself. */
  rejectUnauthorized: z.boolean().default(true),
  /** PEM of our own certificate and key, for a trunk that asks for one. */
  cert: z.string().optional(),
  key: z.string().optional(),
});

/** One SIP trunk: every option, its default and its meaning. */
export const sipTrunkSettings = z
  .strictObject({
    /** Unique; the `link` of messages and metrics. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'takes lower-case letters, digits and dashes'),
    /** `sip:host:port;transport=udp|tcp|tls`, or `sips:host`. UDP and 5060 (TLS: 5061) when left out. */
    uri: z.string().refine((text) => readTrunkUri(text) !== undefined, 'is no sip: or sips: URI of a trunk'),
    username: word.min(1).optional(),
    password: z.string().max(256).default(''),
    /** Only challenges for this realm are answered; any when left out. */
    realm: z.string().min(1).max(128).optional(),
    /** The number that calls come from, as the trunk wants to see it. */
    callerId: word.min(1),
    /** Name behind `@` in From and To; the URI's host when left out. */
    domain: word.min(1).optional(),
    /** The caller's number in P-Asserted-Identity (RFC 3325) too. */
    assertIdentity: z.boolean().default(false),
    /** REGISTER, for a trunk that has to be told where we are; calls go out only while it holds. */
    register: z.boolean().default(false),
    registerSeconds: z.int().min(30).max(86_400).default(600),
    /** Also the `window`: what a crash may call twice. */
    callsAtOnce: z.int().min(1).max(10_000).default(10),
    /** INVITEs a second; 0 is no limit. */
    callsPerSecond: z.number().min(0).max(1_000).default(1),
    /** From the INVITE to giving up with CANCEL. */
    ringSeconds: seconds(300).default(45),
    /** From the answer to the first word: the phone goes to the ear meanwhile. */
    startDelayMs: z.int().min(0).max(10_000).default(500),
    /** E.164 prefixes that the trunk takes; '' is every destination. */
    prefixes: z
      .array(z.string().regex(/^\d{0,15}$/, 'must be digits'))
      .min(1)
      .default(['']),
    /** What numbers that begin with `prefix` are dialled as: `{"prefix": "972", "replacement": "0"}`. */
    national: z
      .strictObject({
        prefix: z.string().regex(/^\d{1,15}$/),
        replacement: z.string().regex(/^[+*#\d]{0,16}$/),
      })
      .optional(),
    /** In front of all other numbers. */
    numberPrefix: z
      .string()
      .regex(/^[+*#\d]{0,16}$/)
      .default('+'),
    /** Address and port to send from and listen on; by the route to the trunk, and any free port. */
    localAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
    localPort: z.int().min(0).max(65_535).default(0),
    /** What Contact and SDP say instead of the local address, behind a NAT that maps ports one to one. */
    publicAddress: z.union([z.ipv4(), z.ipv6()]).optional(),
    /** UDP ports of RTP and RTCP, in pairs. */
    mediaPorts: z
      .strictObject({ from: z.int().min(1_024).max(65_534), to: z.int().min(1_025).max(65_535) })
      .refine(({ from, to }) => to - from >= 2, 'contains no pair of ports')
      .default({ from: 16_384, to: 32_767 }),
    /** Addresses that calls come from, besides the URI's: what others send is dropped without an answer. */
    peers: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
    tls: tlsSettings.prefault({}),
    /** OPTIONS so often: a trunk that does not answer is down. 0 never asks, for trunks that never answer it. */
    keepAliveSeconds: z.number().min(0).max(3_600).default(15),
    /** T1 of RFC 3261 in milliseconds: the round trip that retransmissions and time-outs are made of. */
    t1Ms: z.int().min(5).max(5_000).default(500),
  })
  .refine((settings) => !settings.register || settings.username !== undefined, {
    path: ['username'],
    message: 'is needed to register',
  });

export type SipTrunkSettings = z.output<typeof sipTrunkSettings>;
/** What a configuration has to give: everything with a default may be left out. */
export type SipTrunkInput = z.input<typeof sipTrunkSettings>;

type TransportName = 'udp' | 'tcp' | 'tls';

/** Where a trunk is. */
export interface TrunkAddress {
  readonly host: string;
  readonly port: number;
  readonly transport: TransportName;
}

/** Reads a trunk's URI; undefined when it is none. */
export function readTrunkUri(text: string): TrunkAddress | undefined {
  const uri: SipUri | undefined = parseSipUri(text);
  if (!uri) return undefined;
  const named = uri.params.get('transport')?.toLowerCase() ?? (uri.secure ? 'tls' : 'udp');
  if (named !== 'udp' && named !== 'tcp' && named !== 'tls') return undefined;
  const transport = uri.secure ? 'tls' : named;
  return { host: uri.host, port: uri.port ?? (transport === 'tls' ? 5061 : 5060), transport };
}
