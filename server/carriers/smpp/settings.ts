import { z } from 'zod';

const ton = z.int().min(0).max(6);
const npi = z.int().min(0).max(18);
/** A field that SMPP sends as a C-octet string: printable ASCII of a length. */
const ascii = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'has other characters than printable ASCII');

const milliseconds = z.int().min(1).max(86_400_000);

/** TLS towards the SMSC. */
const tlsSettings = z.strictObject({
  /** PEM of the certification authorities to trust instead of the machine's. */
  ca: z.string().optional(),
  /** The name that the certificate must bear; `host` when left out. */
  servername: z.string().optional(),
  /** False takes any certificate. Only for a network that is private in itself. */
  rejectUnauthorized: z.boolean().default(true),
});

/** One link to an SMSC: every option, its default and its meaning. */
export const smppConnectorSettings = z
  .strictObject({
    /** Unique; the `link` of messages, receipts and metrics. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'takes lower-case letters, digits and dashes'),
    host: z.string().min(1),
    port: z.int().min(1).max(65535).default(2775),
    /** system_id and password of the bind. 3.4 has 15 and 8 characters; peers take more, so 64 are allowed. */
    systemId: ascii(64).min(1),
    password: ascii(64).default(''),
    /** system_type of the bind, where the SMSC asks for one. */
    systemType: ascii(12).default(''),
    /** One session for both directions, or a transmitter and a receiver of its own. */
    bindMode: z.enum(['transceiver', 'pair']).default('transceiver'),
    /** How many sessions (or pairs of them) side by side. They share the window and the throttle. */
    binds: z.int().min(1).max(64).default(1),
    tls: z.union([z.boolean(), tlsSettings]).default(false),
    /** How many submit_sm may be unanswered, over all binds; also what a crash may make go out twice. */
    window: z.int().min(1).max(100_000).default(500),
    /** How many submit_sm a second at most; 0 is no limit. A part of a long message counts as one. */
    messagesPerSecond: z.number().min(0).default(0),
    /** Long messages as parts with a user data header, or whole in the message_payload parameter. */
    longMessages: z.enum(['udh', 'payload']).default('udh'),
    /**
     * Type and numbering plan of addresses. By default by what they look like: letters 5/0, a short code of up
     * to six digits 3/0, an international number 1/1, a national one 2/1, digits that start with 00 0/1.
     */
    sourceTon: ton.optional(),
    sourceNpi: npi.optional(),
    destinationTon: ton.default(1),
    destinationNpi: npi.default(1),
    /** registered_delivery: 1 asks for receipts of successes and failures, 2 of failures, 0 for none. */
    registeredDelivery: z.int().min(0).max(31).default(1),
    /** What the SMSC takes data_coding 0 to be: the GSM alphabet, or Latin-1. */
    defaultAlphabet: z.enum(['gsm', 'latin1']).default('gsm'),
    /** data_coding of texts in the default alphabet. */
    defaultDataCoding: z.int().min(0).max(255).default(0),
    serviceType: ascii(5).default(''),
    /**
     * How validity_period is written (SMPP 3.4, 7.1.1): as a time from now, which does not rest on both clocks
     * being right; as a time of day in UTC; or not at all, for an SMSC that refuses both.
     */
    validity: z.enum(['relative', 'absolute', 'none']).default('relative'),
    /** After this long without hearing anything, enquire_link is sent. */
    enquireLinkMs: milliseconds.default(30_000),
    /** Time to connect and to get the answer to bind. An SMSC may check the password for longer than it takes for a message. */
    bindTimeoutMs: milliseconds.default(30_000),
    /** A request unanswered for this long means that the session is dead. */
    responseTimeoutMs: milliseconds.default(30_000),
    /** Pause before connecting again: random between `reconnectMinMs` and a bound that doubles up to `reconnectMaxMs`. */
    reconnectMinMs: milliseconds.default(500),
    reconnectMaxMs: milliseconds.default(30_000),
    /** How many deliver_sm may wait for being stored; beyond it they are refused, to be brought again. */
    incomingWindow: z.int().min(1).default(10_000),
    /** Delivery status by a receipt's `err` code, where the network documents one: `{"015": 15}`. */
    errorStatuses: z.record(z.string(), z.int()).default({}),
    /** Meaning of a command_status that this SMSC uses in its own way, by its decimal number: `{"1025": "retry"}`. */
    errorMeanings: z
      .record(z.string().regex(/^[0-9]+$/), z.enum(['retry', 'throttled', 'undelivered', 'rejected']))
      .default({}),
  })
  .refine((settings) => settings.reconnectMinMs <= settings.reconnectMaxMs, {
    path: ['reconnectMinMs'],
    message: 'is more than reconnectMaxMs',
  });

export type SmppConnectorSettings = z.output<typeof smppConnectorSettings>;
/** What a configuration has to give: everything with a default may be left out. */
export type SmppConnectorInput = z.input<typeof smppConnectorSettings>;
