import type { ConnectorFault } from '../../kit/connector-faults.ts';
import type { BinaryContent, EncodedPart } from '../../kit/text/charsets.ts';
import type { DltOptions } from './dlt.ts';
import { type ConnectorPart, wholeConnector } from './parts.ts';

/**
 * The interface between carriers and the other modules: a carrier accepts messages and reports their outcome, in the
 * same turn or later. The dispatcher depends on this file and on no protocol; a carrier depends on this file and on no
 * account, shipment or API.
 */

/** Options of a send that the network applies to the text. A carrier whose protocol does not have it sends the text without it. */
export interface CarrierOptions {
  /** Message class (3GPP TS 23.038, 4): 0 is shown immediately and not stored, 1 is for the phone, 2 for the SIM. */
  readonly messageClass?: 0 | 1 | 2 | 3;
  /** Parameters that a vendor has defined, each with its tag and its value in hexadecimal. */
  readonly parameters?: readonly { readonly tag: number; readonly value: string }[];
  /** Ids of India's DLT platforms. */
  readonly dlt?: DltOptions;
  /** Id of a test message of an operator, whose exchange with the provider is recorded (engine/test-messages/). */
  readonly test?: number;
}

/** One outgoing message. The codec of its channel defines the payload (channels/contract/channel.ts). */
export interface OutgoingMessage<Payload = unknown> {
  readonly accountId: number;
  readonly id: number;
  /** Sender shown to the recipient: digits of a number, or up to 11 letters and digits. */
  readonly source: string;
  /** Recipient: E.164 digits without `+`, or an address. */
  readonly destination: string;
  /** Content of the message. An SMS has its whole text here; the carrier splits it into parts. */
  readonly payload: Payload;
  /** Whether the payload contains a secret. A carrier keeps no copy of such a payload. */
  readonly isSecret?: boolean;
  readonly options?: CarrierOptions;
  /** End of validity, in milliseconds since the epoch: the message must not be delivered later. */
  readonly validUntil: number;
}

/** The outcome of submitting one message. */
export type SubmitOutcome =
  /** Accepted. Holds one carrier message id per part, in the order of the parts, spelled as the carrier spelled it. */
  | { readonly kind: 'accepted'; readonly carrierIds: readonly string[] }
  /**
   * Not accepted because the network is busy. The dispatcher submits the message again when there is capacity. The
   * connector does not hold it back itself, so that urgent messages can overtake it and a cancellation still takes
   * effect.
   */
  | { readonly kind: 'again' }
  /**
   * Not accepted, or not known to be accepted, for a temporary reason. `code` is the carrier's code, for the message's
   * timeline and the metrics. `afterMs` is the minimum wait in milliseconds. `status` is set when each attempt disturbs
   * the recipient, for example by a ringing phone: such a message has a limited number of attempts, and `status` is the
   * delivery status reported after the last one. `isPartial` is set when the carrier may have some parts of the message.
   * `until` (milliseconds since the epoch) is set when the message was not attempted: it waits until then, independently of the
   * other messages of its batch.
   */
  | {
      readonly kind: 'retry';
      readonly code: string;
      readonly afterMs?: number;
      readonly status?: number;
      readonly isPartial?: true;
      readonly until?: number;
    }
  /** Not accepted: its validity ended before its turn came. */
  | { readonly kind: 'expired' }
  /** Rejected permanently. `status` is the delivery status to report; `isPartial` as above. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly isPartial?: true }
  /**
   * No answer arrived, so the carrier may have accepted the message. `afterMs` (milliseconds) is set when the answer
   * may still arrive (`CarrierListener.late`): the message is not sent again before that time. `isLast` is set when the
   * message must not be sent again, because nothing shows that the carrier did not accept it.
   */
  | { readonly kind: 'unknown'; readonly afterMs?: number; readonly isLast?: true };

/** A delivery receipt as the carrier sent it. */
export interface CarrierReceipt {
  /** The carrier's message id, as the receipt spells it. */
  readonly carrierId: string;
  /** Delivery status (see statuses.ts): a final one, or -1 for an intermediate one. */
  readonly status: number;
  /** The carrier's own status text, like `DELIVRD/000`. */
  readonly code: string;
  /** Recipient of the message, as digits; empty when the receipt does not name it. */
  readonly destination: string;
  /**
   * Set with a failure after which the message counts as never submitted, like a call that nobody answered: its price is
   * refunded.
   */
  readonly isReversed?: boolean;
}

interface IncomingAddresses {
  /** E.164 digits of the phone, or its alphanumeric name. */
  readonly from: string;
  /** Number to which the message was sent. */
  readonly to: string;
  /** Application ports of the user data header (3GPP TS 23.040, 9.2.3.24.3 and 4), if the message has them. */
  readonly ports?: { readonly source: number; readonly destination: number };
}

/** A message from a phone, assembled from its parts. */
export interface CarrierIncoming extends IncomingAddresses {
  readonly text: string;
  /** Set when the message cannot be decoded; `text` then shows its octets. */
  readonly binary?: BinaryContent;
}

/**
 * One part of a long incoming message. The listener keeps the parts until all have arrived and decodes them together.
 */
export interface CarrierIncomingPart extends IncomingAddresses, EncodedPart {
  /** The reference that the parts of one message share. */
  readonly reference: number;
  readonly total: number;
}

/**
 * Receives the updates of a carrier. Each promise resolves when the update is stored durably, and only then does the
 * carrier acknowledge it to the network. A rejection makes the carrier deliver the update again later.
 */
export interface CarrierListener {
  receipt(receipt: CarrierReceipt): Promise<void>;
  incoming(message: CarrierIncoming): Promise<void>;
  incomingPart(part: CarrierIncomingPart): Promise<void>;
  /** Reports that a message whose outcome was `unknown` was accepted after all. `carrierIds` as in `accepted`. */
  late(message: OutgoingMessage, carrierIds: readonly string[]): void;
  /** Called when the connection came up or went down, and when the carrier can accept messages again. */
  ready(): void;
}

/**
 * An open connection to a network. It is used once: after `stop` the connector opens a new carrier. The type has no
 * `start`, so that a stopped carrier cannot be started again.
 */
export interface Carrier {
  /** Maximum number of submitted messages whose outcome is not stored yet. A crash can send at most this many twice. */
  readonly window: number;
  /**
   * Stops accepting messages, waits up to `graceMs` milliseconds for those in flight, and disconnects. May be called
   * again.
   */
  stop(graceMs: number): Promise<void>;
  /** Whether messages can be submitted at all. */
  readonly up: boolean;
  /** Why the last attempt to connect failed or was rejected; undefined while the carrier accepts the connection. */
  readonly fault?: ConnectorFault | undefined;
  /**
   * Number of messages that can be submitted now: 0 while the connection is down, throttled, or its window is full.
   * `ready()` is called when the number rises from 0, and when answers or elapsed time free capacity after a `submit`.
   */
  capacity(): number;
  /** Changes the limit of messages per second (0 means no limit). Messages in flight and the session are unaffected. */
  limit?(perSecond: number): void;
  /** Submits one message. Calls `settle` exactly once, in the same turn or a later one. */
  submit(message: OutgoingMessage, settle: (outcome: SubmitOutcome) => void): void;
}

/** A carrier before it connects. */
export interface NewCarrier extends Carrier {
  /**
   * Starts connecting, and reconnects after every loss. Does not wait for the first connection. Must be called once.
   */
  start(listener: CarrierListener): void;
}

/** A configured connection to a network. Each call of `open` returns a new carrier. */
export interface Connector {
  /** Unique name: the column `link` of messages and receipts, and the label `link` of metrics. */
  readonly name: string;
  /** Label in metrics, if it differs from the name. Metrics do not show the names of customers' connectors. */
  readonly label?: string;
  /** Maximum number of processes that can hold a part of it at the same time, for example its sessions. Default: 1. */
  readonly maxParts?: number;
  /** Creates and starts a carrier for a part, by default for all of it. The carrier of the previous call must have been stopped. */
  open(listener: CarrierListener, part?: ConnectorPart): Carrier;
}

/**
 * Returns a connector that opens the carriers that `create` returns. `create` is called for each opening and must
 * return a new object.
 *
 * @throws Error (from `open`) when `create` returns the carrier of an earlier opening
 */
export function connectorOf(
  named: Pick<Connector, 'name' | 'label' | 'maxParts'>,
  create: (part: ConnectorPart) => NewCarrier,
): Connector {
  let last: Carrier | undefined;
  return {
    ...named,
    open(listener, part = wholeConnector) {
      const carrier = create(part);
      if (carrier === last)
        throw new Error(`connector ${named.name}: a stopped carrier is not started again`);
      last = carrier;
      carrier.start(listener);
      return carrier;
    },
  };
}

/**
 * Which messages use a connector. `own`: those of the route that has the connector's name. `special`: those of routes
 * that name the connector. `general`: like `special`, and messages without a route.
 */
export type ConnectorKind = 'own' | 'special' | 'general';

/** Adds and removes connectors at run time. The dispatcher implements it. */
export interface ConnectorHolder {
  addConnector(connector: Connector, kind?: ConnectorKind): void;
  /** Removes the connector after all messages in flight are answered, or after `graceMs` milliseconds (default 0). */
  removeConnector(name: string, graceMs?: number): Promise<void>;
}
