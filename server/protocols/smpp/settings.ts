import { z } from 'zod';
import { type ConnectorPart, shareOf } from '../../engine/carriers/parts.ts';
import { textCoding } from './commands.ts';
import { parametersSetting } from './parameters.ts';

const ton = z.int().min(0).max(6);
const npi = z.int().min(0).max(18);
/** A C-octet string field of SMPP: printable ASCII of a limited length. */
const ascii = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'has other characters than printable ASCII');

const milliseconds = z.int().min(1).max(86_400_000);

/** TLS of connections to the SMSC. */
const tlsSettings = z.strictObject({
  /** PEM of the certification authorities to trust instead of the machine's. */
  ca: z.string().optional(),
  /** Name that the certificate must have; `host` by default. */
  servername: z.string().optional(),
  /** False accepts any certificate. Only for a network that is itself private. */
  rejectUnauthorized: z.boolean().default(true),
});

/** Settings of one connector to an SMSC, with their defaults. */
export const smppConnectorSettings = z
  .strictObject({
    /** Unique: the column `link` of messages and receipts, and the label `link` of metrics. */
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'takes lower-case letters, digits and dashes'),
    host: z.string().min(1),
    port: z.int().min(1).max(65535).default(2775),
    /** system_id and password of the bind. 3.4 allows 15 and 8 characters; peers accept more, so 64 are allowed. */
    systemId: ascii(64).min(1),
    password: ascii(64).default(''),
    /** system_type of the bind, if the SMSC requires one. */
    systemType: ascii(12).default(''),
    /** One session for both directions, or a separate transmitter and receiver. */
    bindMode: z.enum(['transceiver', 'pair']).default('transceiver'),
    /** Number of parallel sessions (or pairs). They share the window and the throttle. */
    binds: z.int().min(1).max(64).default(1),
    tls: z.union([z.boolean(), tlsSettings]).default(false),
    /** Maximum number of unanswered submit_sm, over all binds. A crash can send this many twice. */
    window: z.int().min(1).max(100_000).default(500),
    /** Maximum submit_sm per second; 0 means no limit. Each part of a long message counts. */
    messagesPerSecond: z.number().min(0).default(0),
    /** The same for each source address. */
    senderMessagesPerSecond: z.number().min(0).default(0),
    /** Sends long messages as parts with a user data header, or whole in the message_payload parameter. */
    longMessages: z.enum(['udh', 'payload']).default('udh'),
    /**
     * Type and numbering plan of addresses. The default depends on their form: letters 5/0, a short code of up to six
     * digits 3/0, an international number 1/1, a national one 2/1, digits that start with 00 0/1.
     */
    sourceTon: ton.optional(),
    sourceNpi: npi.optional(),
    destinationTon: ton.default(1),
    destinationNpi: npi.default(1),
    /** registered_delivery: 1 requests receipts of successes and failures, 2 of failures, 0 none. */
    registeredDelivery: z.int().min(0).max(31).default(1),
    /** Alphabet of data_coding 0 at this SMSC: GSM, or Latin-1. */
    defaultAlphabet: z.enum(['gsm', 'latin1']).default('gsm'),
    /** data_coding of texts in the default alphabet. */
    defaultDataCoding: z.int().min(0).max(255).default(0),
    /** data_coding of texts in UCS-2. */
    unicodeDataCoding: z.int().min(0).max(255).default(textCoding.ucs2),
    serviceType: ascii(5).default(''),
    /** Optional parameters that each submit_sm has. */
    parameters: parametersSetting.default([]),
    /**
     * Form of validity_period (SMPP 3.4, 7.1.1): relative, which works even if the clocks differ; absolute in UTC; or
     * none, for an SMSC that rejects both.
     */
    validity: z.enum(['relative', 'absolute', 'none']).default('relative'),
    /** Milliseconds of silence after which enquire_link is sent. */
    enquireLinkMs: milliseconds.default(30_000),
    /**
     * Milliseconds for connecting and for the answer to bind. An SMSC may check the password for longer than it takes
     * for a message.
     */
    bindTimeoutMs: milliseconds.default(30_000),
    /** Milliseconds after which the session of an unanswered request is checked by enquire_link. */
    responseTimeoutMs: milliseconds.default(30_000),
    /** Pause before reconnecting: random between `reconnectMinMs` and a bound that doubles up to `reconnectMaxMs`. */
    reconnectMinMs: milliseconds.default(500),
    reconnectMaxMs: milliseconds.default(30_000),
    /** Maximum number of deliver_sm being stored. Further ones are refused, and the SMSC sends them again. */
    incomingWindow: z.int().min(1).default(10_000),
    /** Delivery status by a receipt's `err` code, if the network documents its codes: `{"015": 15}`. */
    errorStatuses: z.record(z.string(), z.int()).default({}),
    /**
     * Meaning of a command_status that this SMSC uses differently, keyed by its decimal number: `{"1025": "retry"}`.
     */
    errorMeanings: z
      .record(z.string().regex(/^[0-9]+$/), z.enum(['retry', 'throttled', 'undelivered', 'rejected']))
      .default({}),
  })
  .refine((settings) => settings.reconnectMinMs <= settings.reconnectMaxMs, {
    path: ['reconnectMinMs'],
    message: 'is more than reconnectMaxMs',
  });

export type SmppConnectorSettings = z.output<typeof smppConnectorSettings>;
/** Settings as configured: those with a default may be omitted. */
export type SmppConnectorInput = z.input<typeof smppConnectorSettings>;

/**
 * Returns the settings of a part of a connector that several processes hold: its share of the sessions, and of the window and
 * the rate in the same proportion. There are at most as many parts as `binds` and `window`.
 */
export function partOfSmpp(settings: SmppConnectorSettings, part: ConnectorPart): SmppConnectorSettings {
  const binds = shareOf(settings.binds, part);
  return {
    ...settings,
    binds,
    window: shareOf(settings.window, part),
    messagesPerSecond: (settings.messagesPerSecond * binds) / settings.binds,
    senderMessagesPerSecond: (settings.senderMessagesPerSecond * binds) / settings.binds,
  };
}
