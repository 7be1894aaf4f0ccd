import type { ConnectorFault } from '../connector-faults.ts';
import type { BinaryContent, EncodedPart } from '../text/charsets.ts';

/**
 * What a carrier is to other modules: it takes messages and reports their outcome, at once or later. The dispatcher knows
 * this file and no protocol; a carrier knows this file and nothing of accounts, shipments or APIs.
 */

/** One message on its way out. The payload is what the codec of its channel reads (channel-contract/channel.ts). */
export interface OutgoingMessage<Payload = unknown> {
  readonly accountId: number;
  readonly id: number;
  /** The sender shown: digits of a number, or up to 11 letters and digits. */
  readonly source: string;
  /** To whom: E.164 digits without `+`, or an address. */
  readonly destination: string;
  /** What it says: of an SMS the whole text, not yet cut into parts. */
  readonly payload: Payload;
  /** Whether the payload carries a secret: a carrier keeps nothing of it. */
  readonly isSecret?: boolean;
  /** When delivery is no longer wanted, in milliseconds since the epoch. */
  readonly validUntil: number;
}

/** The outcome of submitting one message. */
export type SubmitOutcome =
  /** Taken. One id of the carrier's for each part, in the order of the parts, as the carrier spelled it. */
  | { readonly kind: 'accepted'; readonly carrierIds: readonly string[] }
  /**
   * Not taken, since the network is busy: to be submitted again as soon as there is capacity. The link holds nothing
   * back, so that what is more urgent, or was cancelled meanwhile, is not behind it.
   */
  | { readonly kind: 'again' }
  /**
   * Not taken, or not known to be, for a reason that passes. `code` is the carrier's, for the message's timeline and
   * the metrics; `afterMs` is how long to wait at least. `status` is given with what disturbs somebody each time, like
   * a call that rings: it is not tried for ever, and this is the delivery status to report in the end.
   */
  | { readonly kind: 'retry'; readonly code: string; readonly afterMs?: number; readonly status?: number }
  /** Not taken: its validity was over before it was its turn. */
  | { readonly kind: 'expired' }
  /** Refused for good; `status` is the delivery status to report. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  /**
   * There was no answer: it may have been taken. `afterMs` is given where the answer may still come
   * (`CarrierListener.late`): nothing is sent again before that, in milliseconds.
   */
  | { readonly kind: 'unknown'; readonly afterMs?: number };

/** A delivery receipt as the carrier brought it. */
export interface CarrierReceipt {
  /** The carrier's message id, as the receipt spells it. */
  readonly carrierId: string;
  /** Delivery status (see statuses.ts): a final one, or -1 for an intermediate one. */
  readonly status: number;
  /** The carrier's own words for it, like `DELIVRD/000`. */
  readonly code: string;
  /** The number the message had gone to, as digits (empty when the receipt does not name it). */
  readonly destination: string;
}

interface IncomingAddresses {
  /** E.164 digits of the phone, or its alphanumeric name. */
  readonly from: string;
  /** The number that it was sent to. */
  readonly to: string;
  /** The application ports of its user data header (3GPP TS 23.040, 9.2.3.24.3 and 4), where it has some. */
  readonly ports?: { readonly source: number; readonly destination: number };
}

/** A message from a phone, put together from its parts. */
export interface CarrierIncoming extends IncomingAddresses {
  readonly text: string;
  /** Set when the message cannot be read; `text` shows its octets then. */
  readonly binary?: BinaryContent;
}

/** One part of a long incoming message; the listener keeps parts until all are there, and decodes them together. */
export interface CarrierIncomingPart extends IncomingAddresses, EncodedPart {
  /** The reference that the parts of one message share. */
  readonly reference: number;
  readonly total: number;
}

/**
 * Who hears of what a carrier brings. The promises are fulfilled when the update is stored durably: only then does the
 * carrier acknowledge it to the network. A rejection means "bring it again later".
 */
export interface CarrierListener {
  receipt(receipt: CarrierReceipt): Promise<void>;
  incoming(message: CarrierIncoming): Promise<void>;
  incomingPart(part: CarrierIncomingPart): Promise<void>;
  /** A message whose outcome was `unknown` was taken after all. Ids as of `accepted`. */
  late(message: OutgoingMessage, carrierIds: readonly string[]): void;
  /** Called when the link came up or went down, and when it can take messages again. */
  ready(): void;
}

/**
 * An open connection to a network. It is used once: `stop` is final, and the connector opens another one. The type has no
 * `start`, so that a stopped carrier cannot be started again.
 */
export interface Carrier {
  /**
   * How many messages may be submitted without their outcome being stored: what a crash can make go out twice, at most.
   */
  readonly window: number;
  /** Takes no more messages, waits up to `graceMs` milliseconds for those in flight, and disconnects. May be called again. */
  stop(graceMs: number): Promise<void>;
  /** Whether messages can be submitted at all. */
  readonly up: boolean;
  /** Why the carrier cannot be reached or does not accept us, as the last attempt found; undefined when it does. */
  readonly fault?: ConnectorFault | undefined;
  /**
   * How many messages can be submitted now: 0 when down, throttled, or when the window is full. `ready()` is called
   * when it grows from 0, and when answers or time made room after a `submit`.
   */
  capacity(): number;
  /** Takes another limit of messages a second (0 is none), with what is under way and the session as they are. */
  limit?(perSecond: number): void;
  /** Submits one message. `settle` is called exactly once, in a later turn or the same. */
  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void;
}

/** A carrier before it connects. */
export interface NewCarrier extends Carrier {
  /** Starts connecting, and reconnects after every loss. Does not wait for the first connection. Call it once. */
  start(listener: CarrierListener): void;
}

/** A connection to a network as it is configured. It can be opened again and again, each time as a new carrier. */
export interface Connector {
  /** Unique; the `link` of messages, receipts and metrics. */
  readonly name: string;
  /** Label in metrics, if it differs from the name: names of customers' connectors are not shown there. */
  readonly label?: string;
  /** Makes a carrier and starts it. The carrier of the call before has been stopped. */
  open(listener: CarrierListener): Carrier;
}

/**
 * A connector whose carriers `create` makes. `create` is called for each opening and must return a new object.
 *
 * @throws Error (from `open`) when `create` returns the carrier of an earlier opening
 */
export function connectorOf(named: Pick<Connector, 'name' | 'label'>, create: () => NewCarrier): Connector {
  let last: Carrier | undefined;
  return {
    ...named,
    open(listener) {
      const carrier = create();
      if (carrier === last)
        throw new Error(`connector ${named.name}: a stopped carrier is not started again`);
      last = carrier;
      carrier.start(listener);
      return carrier;
    },
  };
}

/**
 * What goes over a connector: `own`, a route of its own name; `special`, what routes name it for; `general`, that and what
 * has no route.
 */
export type ConnectorKind = 'own' | 'special' | 'general';

/** Takes connectors that are added and removed at run time. The dispatcher implements it. */
export interface ConnectorHolder {
  addConnector(connector: Connector, kind?: ConnectorKind): void;
  /** Takes it away when what is in flight is answered, or `graceMs` are over (0 without it). */
  removeConnector(name: string, graceMs?: number): Promise<void>;
}
